"""What each pixel of a pinhole camera sees, found by drawing triangles instead of casting rays. Compiled.

A ray along d = (1, y, z) in C meets the triangle a b c where d·(b×c), d·(c×a) and d·(a×b) have the same sign as
a·(b×c), and 1/depth is their sum over that: all of them are linear in y and z, so a triangle is drawn without being
clipped, and meets the same pixels at the same depth as rays do. Neighbours leave no gap: an edge's number is the same,
with the other sign, for both. The results do not depend on the number of threads: of two triangles at one depth, the
first in the list is seen.
"""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_clusters import CLUSTER
from volery.sensors.camera_visible import NEAR, hidden, in_camera
from volery.world.native import as_f4, as_i4, as_u4

__all__ = ["NAME_BITS", "NOTHING", "draw"]

NAME_BITS = 7
"""A triangle's name is the number of its cluster in the list, and in so many bits its own in the cluster."""
NOTHING = np.uint32(0xFFFFFFFF)
"""The name of nothing."""
_WIDE = 12
"""Pixels from which on the ends of a row inside of a triangle are computed."""


@nb.njit(parallel=True, cache=True, nogil=True)
def draw(clusters, geo, R, p, grid, listed, places, first, last, ys, zs, near, which, covered, threads) -> None:
    """Draw the clusters first to last of a list [n, 2] with their spheres [n, 4]. ys [width], zs [rows]: slopes of the
    pixels' columns and rows in C; near, which [threads, rows · width]: 1/depth [1/m], and what is seen there; covered:
    see `cover`."""
    for task in nb.prange(threads):
        M, v, e = np.empty((3, 4)), np.empty((3 * CLUSTER, 3), np.float32), np.empty(12)
        if first == 0:
            # What is seen there is not asked where nothing is near.
            near[task, :] = np.float32(0.0)
        for n in range(first + task, last, threads):
            if first > 0 and hidden(grid, places[n], covered):
                continue
            row, k = listed[n, 0], listed[n, 1]
            mesh = geo.row_mesh[row]
            in_camera(geo.row_X, R, p, row, M)
            start = k * CLUSTER
            count = min(CLUSTER, clusters.triangles[mesh] - start)
            _corners(M, geo.vertices[mesh], geo.faces[mesh], clusters.order[mesh], start, count, v)
            for t in range(count):
                _triangle(grid, v, 3 * t, e, ys, zs, np.uint32((n << NAME_BITS) | t), near[task], which[task])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _corners(M, vertices_at, faces_at, order_at, first, count, out) -> None:
    """Corners of the triangles of a cluster in C, [3 · count, 3]."""
    vertices, faces, order = as_f4(vertices_at), as_u4(faces_at), as_i4(order_at)
    m00, m01, m02, m03 = np.float32(M[0, 0]), np.float32(M[0, 1]), np.float32(M[0, 2]), np.float32(M[0, 3])
    m10, m11, m12, m13 = np.float32(M[1, 0]), np.float32(M[1, 1]), np.float32(M[1, 2]), np.float32(M[1, 3])
    m20, m21, m22, m23 = np.float32(M[2, 0]), np.float32(M[2, 1]), np.float32(M[2, 2]), np.float32(M[2, 3])
    for t in range(count):
        face = 3 * order[first + t]
        for c in range(3):
            at = 3 * faces[face + c]
            x, y, z = vertices[at], vertices[at + 1], vertices[at + 2]
            n = 3 * t + c
            out[n, 0] = m00 * x + m01 * y + m02 * z + m03
            out[n, 1] = m10 * x + m11 * y + m12 * z + m13
            out[n, 2] = m20 * x + m21 * y + m22 * z + m23


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _triangle(grid, v, at, e, ys, zs, name, near, which) -> None:
    """Draw one triangle, whose corners begin at v[at]."""
    ax, ay, az = v[at, 0], v[at, 1], v[at, 2]
    bx, by, bz = v[at + 1, 0], v[at + 1, 1], v[at + 1, 2]
    cx, cy, cz = v[at + 2, 0], v[at + 2, 1], v[at + 2, 2]
    if ax < NEAR and bx < NEAR and cx < NEAR:
        return
    focal, half_w, half_h = grid.focal, 0.5 * grid.width - 0.5, 0.5 * grid.height - 0.5
    if ax > NEAR and bx > NEAR and cx > NEAR:
        ra, rb, rc = focal / ax, focal / bx, focal / cx
        u0, u1, u2, w0, w1, w2 = -ay * ra, -by * rb, -cy * rc, -az * ra, -bz * rb, -cz * rc
        left, right = min(u0, u1, u2), max(u0, u1, u2)
        up, down = min(w0, w1, w2), max(w0, w1, w2)
    else:
        left, right, up, down = _cut_bounds(v, at, focal)
    # A little wider: what is inside is said by the edges alone.
    x0, x1 = max(np.ceil(left + half_w - 1e-3), 0.0), min(np.floor(right + half_w + 1e-3), grid.width - 1.0)
    y0, y1 = max(np.ceil(up + half_h - 1e-3), grid.top), min(np.floor(down + half_h + 1e-3), grid.bottom - 1.0)
    if x0 > x1 or y0 > y1:
        return
    _edges(np.float64(ax), np.float64(ay), np.float64(az), np.float64(bx), np.float64(by), np.float64(bz),
           np.float64(cx), np.float64(cy), np.float64(cz), e)  # fmt: skip
    if e[9] == 0.0:
        return
    _fill(grid.width, grid.top, int(x0), int(x1), int(y0), int(y1), e, ys, zs, name, near, which)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _cut_bounds(v, at, focal):
    """Where the part of a triangle that is before the eye lies in the picture, against its middle: least and greatest
    column and row."""
    left, right, up, down = np.inf, -np.inf, np.inf, -np.inf
    for i in range(3):
        a, b = at + i, at + (i + 1) % 3
        if v[a, 0] > NEAR:
            u, w = -focal * v[a, 1] / v[a, 0], -focal * v[a, 2] / v[a, 0]
            left, right, up, down = min(left, u), max(right, u), min(up, w), max(down, w)
        if (v[a, 0] > NEAR) != (v[b, 0] > NEAR):
            s = (NEAR - v[a, 0]) / (np.float64(v[b, 0]) - v[a, 0])
            u, w = (
                -focal * (v[a, 1] + s * (v[b, 1] - v[a, 1])) / NEAR,
                -focal * (v[a, 2] + s * (v[b, 2] - v[a, 2])) / NEAR,
            )
            left, right, up, down = min(left, u), max(right, u), min(up, w), max(down, w)
    return left, right, up, down


@nb.njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _edges(ax, ay, az, bx, by, bz, cx, cy, cz, e) -> None:
    """Coefficients of the three edges (1, y, z each), and 1 / |a·(b×c)|; positive inside."""
    e[0], e[1], e[2] = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    e[3], e[4], e[5] = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    e[6], e[7], e[8] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    volume = ax * e[0] + ay * e[1] + az * e[2]
    if volume < 0.0:
        for i in range(9):
            e[i] = -e[i]
    e[9] = 1.0 / abs(volume) if volume != 0.0 else 0.0


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _fill(width, top, x0, x1, y0, y1, e, ys, zs, name, near, which) -> None:
    """Draw the pixels x0…x1 × y0…y1 of a triangle."""
    a1, b1, c1, scale = e[1], e[4], e[7], e[9]
    for y in range(y0, y1 + 1):
        z = zs[y - top]
        a0, b0, c0, row = e[0] + e[2] * z, e[3] + e[5] * z, e[6] + e[8] * z, (y - top) * width
        if x1 - x0 <= _WIDE:
            _edge_row(a0, a1, b0, b1, c0, c1, scale, ys, x0, x1, row, name, near, which)
            continue
        first, last = _ends(a0, a1, b0, b1, c0, c1, ys, x0, x1)
        # What is between the ends, and two pixels from them, is inside.
        within = min(first + 3, last + 1)
        beyond = max(last - 2, within)
        _edge_row(a0, a1, b0, b1, c0, c1, scale, ys, first, within - 1, row, name, near, which)
        _inner_row(
            (a0 + b0 + c0) * scale, (a1 + b1 + c1) * scale, ys[within:beyond], name, near[row + within : row + beyond],
            which[row + within : row + beyond],
        )  # fmt: skip
        _edge_row(a0, a1, b0, b1, c0, c1, scale, ys, beyond, last, row, name, near, which)


@nb.njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _edge_row(a0, a1, b0, b1, c0, c1, scale, ys, first, last, row, name, near, which) -> None:
    """Draw those pixels of a part of a row that are inside of three edges."""
    for x in range(first, last + 1):
        a, b, c = a0 + a1 * ys[x], b0 + b1 * ys[x], c0 + c1 * ys[x]
        depth = np.float32((a + b + c) * scale)
        at = np.uintp(row + x)
        before = near[at]
        if a >= 0.0 and b >= 0.0 and c >= 0.0 and (depth > before or (depth == before and name < which[at])):
            near[at] = depth
            which[at] = name


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _inner_row(start, slope, ys, name, near, which) -> None:
    """Draw a part of a row that is all inside. Written without branches, for the compiler to take several at once."""
    for k in range(len(ys)):
        depth, before, there = np.float32(start + slope * ys[k]), near[k], which[k]
        new = (depth > before) | ((depth == before) & (name < there))
        near[k] = depth if new else before
        which[k] = name if new else there


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _ends(a0, a1, b0, b1, c0, c1, ys, x0, x1):
    """First and last pixel of a row that may be inside of three edges e0 + e1·y; a pixel more to each side."""
    step = ys[1] - ys[0]
    first, last = float(x0), float(x1)
    for k in range(3):
        e0, e1 = (a0, a1) if k == 0 else (b0, b1) if k == 1 else (c0, c1)
        slope, start = e1 * step, e0 + e1 * ys[0]
        if slope > 0.0:
            first = max(first, np.ceil(-start / slope) - 1.0)
        elif slope < 0.0:
            last = min(last, np.floor(-start / slope) + 1.0)
    if first > last:
        return 0, -1
    return int(first), int(last)
