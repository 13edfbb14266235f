"""What each pixel of a pinhole camera sees, found by drawing triangles instead of casting rays. Compiled.

A ray along d = (1, y, z) in C meets the triangle a b c where d·(b×c), d·(c×a) and d·(a×b) have the same sign as
a·(b×c), and 1/depth is their sum over that: all of them are linear in y and z, so a triangle is drawn without being
clipped, and meets the same pixels at the same depth as rays do. Neighbours leave no gap: an edge's number is the same,
with the other sign, for both. The results do not depend on the number of threads: of two triangles at one depth, the
first in the list is seen.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_clusters import CLUSTER
from volery.world.native import as_f4, as_i4, as_u4

__all__ = ["TILE", "Grid", "cover", "draw", "in_sight", "list_clusters", "seen"]

TILE = 8
"""Pixels along a tile: what is behind all of its pixels is not drawn."""
_BITS = 7
_NEAR = 1e-4
"""What is nearer to the eye's plane is cut off when a triangle's place in the picture is sought [m]."""
_NOTHING = np.uint32(0xFFFFFFFF)
_BLOCK = 1024
"""Rays whose hits are written together."""
_WIDE = 12
"""Pixels from which on the ends of a row inside of a triangle are computed."""


class Grid(NamedTuple):
    """Some rows of a pinhole's picture."""

    focal: float
    """[pixels]."""
    width: int
    height: int
    top: int
    """First of the rows, and one past the last."""
    bottom: int


@nb.njit(cache=True, nogil=True)
def _sides(grid):
    """Slopes of the sides of what is seen: right, left, bottom and top, as y/x and z/x."""
    half_w, half_h = 0.5 * grid.width, 0.5 * grid.height
    return (
        -half_w / grid.focal, half_w / grid.focal,
        -(grid.bottom - half_h) / grid.focal, -(grid.top - half_h) / grid.focal,
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, inline="always")
def _outside(x, y, z, radius, far, right, left, low, high):
    """Whether a sphere in C is out of sight."""
    if x + radius < 0.0 or x - radius > far:
        return True
    if (right * x - y) > radius * np.sqrt(1.0 + right * right) or (y - left * x) > radius * np.sqrt(1.0 + left * left):
        return True
    return (low * x - z) > radius * np.sqrt(1.0 + low * low) or (z - high * x) > radius * np.sqrt(1.0 + high * high)


@nb.njit(cache=True, nogil=True, inline="always")
def _in_camera(X, R, p, row, M) -> None:
    """Pose of an instance in C, into M [3, 4]: differences in float64, as the world is wide."""
    for i in range(3):
        for j in range(3):
            M[i, j] = R[0, i] * X[row, 0, j] + R[1, i] * X[row, 1, j] + R[2, i] * X[row, 2, j]
        x, y, z = X[row, 0, 3] - p[0], X[row, 1, 3] - p[1], X[row, 2, 3] - p[2]
        M[i, 3] = R[0, i] * x + R[1, i] * y + R[2, i] * z


@nb.njit(cache=True, nogil=True, inline="always")
def _scale(M):
    """No vector gets longer by more than this."""
    total = 0.0
    for i in range(3):
        total = max(total, abs(M[0, i]) + abs(M[1, i]) + abs(M[2, i]))
    return total * 1.7321


@nb.njit(cache=True, nogil=True)
def in_sight(clusters, rows, geo, R, p, grid, far, mask, ignored, row_mask, row_group, distance):
    """How far away the instances are that may be seen [m], -1 for those that are not, into distance [n]."""
    right, left, low, high = _sides(grid)
    X, meshes, middles = geo.row_X, geo.row_mesh, clusters.middle
    M = np.empty((3, 4))
    for n in range(len(rows)):
        row = rows[n]
        distance[n] = -1.0
        if (row_mask[row] & mask) == 0 or (ignored >= 0 and row_group[row] == ignored):
            continue
        _in_camera(X, R, p, row, M)
        c = middles[meshes[row]]
        x = M[0, 0] * c[0] + M[0, 1] * c[1] + M[0, 2] * c[2] + M[0, 3]
        y = M[1, 0] * c[0] + M[1, 1] * c[1] + M[1, 2] * c[2] + M[1, 3]
        z = M[2, 0] * c[0] + M[2, 1] * c[1] + M[2, 2] * c[2] + M[2, 3]
        if not _outside(x, y, z, c[3] * _scale(M), far, right, left, low, high):
            distance[n] = np.sqrt(x * x + y * y + z * z)


@nb.njit(cache=True, nogil=True)
def list_clusters(clusters, rows, geo, R, p, grid, far, listed, places):
    """The clusters of instances that may be seen, into listed [most, 2] (instance, number), and the spheres round them
    in C into places [most, 4]; returns how many there are, -1 if there is no room for them."""
    right, left, low, high = _sides(grid)
    X, meshes, triangles, address = geo.row_X, geo.row_mesh, clusters.triangles, clusters.bounds
    M, count = np.empty((3, 4)), 0
    for n in range(len(rows)):
        row = rows[n]
        mesh = meshes[row]
        _in_camera(X, R, p, row, M)
        bounds, scale = as_f4(address[mesh]), _scale(M)
        for k in range((triangles[mesh] + CLUSTER - 1) // CLUSTER):
            a, b, c, radius = bounds[4 * k], bounds[4 * k + 1], bounds[4 * k + 2], bounds[4 * k + 3] * scale
            x = M[0, 0] * a + M[0, 1] * b + M[0, 2] * c + M[0, 3]
            y = M[1, 0] * a + M[1, 1] * b + M[1, 2] * c + M[1, 3]
            z = M[2, 0] * a + M[2, 1] * b + M[2, 2] * c + M[2, 3]
            if not _outside(x, y, z, radius, far, right, left, low, high):
                if count == len(listed):
                    return -1
                listed[count, 0], listed[count, 1] = row, k
                places[count, 0], places[count, 1], places[count, 2], places[count, 3] = x, y, z, radius
                count += 1
    return count


@nb.njit(parallel=True, cache=True, nogil=True)
def draw(clusters, geo, R, p, grid, listed, places, first, last, ys, zs, near, which, covered, threads) -> None:
    """Draw the clusters first to last of a list [n, 2] with their spheres [n, 4]. ys [width], zs [rows]: slopes of the
    pixels' columns and rows in C; near, which [threads, rows · width]: 1/depth [1/m], and what is seen there; covered:
    see `cover`."""
    for task in nb.prange(threads):
        M, v, e = np.empty((3, 4)), np.empty((3 * CLUSTER, 3), np.float32), np.empty(12)
        if first == 0:
            near[task, :] = np.float32(0.0)
            which[task, :] = _NOTHING
        for n in range(first + task, last, threads):
            if first > 0 and _hidden(grid, places[n], covered):
                continue
            row, k = listed[n, 0], listed[n, 1]
            mesh = geo.row_mesh[row]
            _in_camera(geo.row_X, R, p, row, M)
            start = k * CLUSTER
            count = min(CLUSTER, clusters.triangles[mesh] - start)
            _corners(M, geo.vertices[mesh], geo.faces[mesh], clusters.order[mesh], start, count, v)
            for t in range(count):
                _triangle(grid, v, 3 * t, e, ys, zs, np.uint32((n << _BITS) | t), near[task], which[task])


@nb.njit(parallel=True, cache=True, nogil=True)
def cover(grid, near, covered, threads) -> None:
    """The least 1/depth in each tile of what was drawn, into covered [tiles down, tiles across]."""
    rows = grid.bottom - grid.top
    tasks = min(len(covered), threads)
    for task in nb.prange(tasks):
        for j in range(task, len(covered), tasks):
            covered[j, :] = np.float32(np.inf)
            for y in range(j * TILE, min((j + 1) * TILE, rows)):
                for x in range(grid.width):
                    at, best = y * grid.width + x, np.float32(0.0)
                    for k in range(threads):
                        best = max(best, near[k, at])
                    covered[j, x // TILE] = min(covered[j, x // TILE], best)


@nb.njit(cache=True, nogil=True)
def _hidden(grid, place, covered):
    """Whether a sphere in C is behind all that was drawn before it."""
    x, y, z, radius = place[0], place[1], place[2], place[3]
    nearest, farthest = x - radius, x + radius
    if nearest <= _NEAR:
        return False
    left, right = (
        max((y + radius) / nearest, (y + radius) / farthest),
        min((y - radius) / nearest, (y - radius) / farthest),
    )
    up, down = (
        max((z + radius) / nearest, (z + radius) / farthest),
        min((z - radius) / nearest, (z - radius) / farthest),
    )
    half_w, half_h = 0.5 * grid.width, 0.5 * grid.height - grid.top
    x0, x1 = max(half_w - left * grid.focal - 1.0, 0.0), min(half_w - right * grid.focal + 1.0, grid.width - 1.0)
    y0, y1 = (
        max(half_h - up * grid.focal - 1.0, 0.0),
        min(half_h - down * grid.focal + 1.0, grid.bottom - grid.top - 1.0),
    )
    for j in range(int(y0) // TILE, int(y1) // TILE + 1):
        for i in range(int(x0) // TILE, int(x1) // TILE + 1):
            if covered[j, i] * nearest <= 1.0:
                return False
    return True


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
    if ax < _NEAR and bx < _NEAR and cx < _NEAR:
        return
    focal, half_w, half_h = grid.focal, 0.5 * grid.width - 0.5, 0.5 * grid.height - 0.5
    if ax > _NEAR and bx > _NEAR and cx > _NEAR:
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
        if v[a, 0] > _NEAR:
            u, w = -focal * v[a, 1] / v[a, 0], -focal * v[a, 2] / v[a, 0]
            left, right, up, down = min(left, u), max(right, u), min(up, w), max(down, w)
        if (v[a, 0] > _NEAR) != (v[b, 0] > _NEAR):
            s = (_NEAR - v[a, 0]) / (np.float64(v[b, 0]) - v[a, 0])
            u, w = (
                -focal * (v[a, 1] + s * (v[b, 1] - v[a, 1])) / _NEAR,
                -focal * (v[a, 2] + s * (v[b, 2] - v[a, 2])) / _NEAR,
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


@nb.njit(parallel=True, cache=True, nogil=True)
def seen(clusters, geo, grid, listed, R, directions, far, pixel, near, which, hits, threads) -> None:
    """What was drawn as the hits of rays [n] (pixel: place of each in the whole picture); of the pictures in `near`
    and `which`, the nearest counts."""
    n = len(directions)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        names, normal = np.empty(_BLOCK, np.uint32), np.empty(3, np.float32)
        for k in range(task, blocks, tasks):
            first, last = k * _BLOCK, min(n, (k + 1) * _BLOCK)
            _nearest(grid.top * grid.width, directions, far, pixel, near, which, hits[0], names, first, last)
            _surfaces(clusters, geo, listed, R, directions, names, hits, normal, first, last)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _nearest(skip, directions, far, pixel, near, which, distance, names, first, last) -> None:
    """Distance and name of what each of some rays sees; infinite where that is nothing."""
    others = len(near)
    for i in range(first, last):
        at = np.uintp(pixel[i] - skip)
        best, name = near[0, at], which[0, at]
        for k in range(1, others):
            if near[k, at] > best or (near[k, at] == best and which[k, at] < name):
                best, name = near[k, at], which[k, at]
        away = np.float32(1.0) / (best * directions[i, 0]) if best > 0.0 else np.float32(np.inf)
        distance[i] = away if away <= far[i] else np.float32(np.inf)
        names[i - first] = name


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _surfaces(clusters, geo, listed, R, directions, names, hits, one, first, last) -> None:
    """Instance, triangle and normal of what some rays see; `one`: room for a normal."""
    distance, row, primitive, normal, back = hits
    r00, r01, r02, r10, r11, r12 = R[0, 0], R[0, 1], R[0, 2], R[1, 0], R[1, 1], R[1, 2]
    r20, r21, r22, orders, meshes = R[2, 0], R[2, 1], R[2, 2], clusters.order, geo.row_mesh
    last_name, r, face, x, y, z = _NOTHING, -1, -1, np.float32(0.0), np.float32(0.0), np.float32(0.0)
    a, b, c = 0.0, 0.0, 0.0
    for i in range(first, last):
        if distance[i] == np.inf:
            row[i], primitive[i], back[i] = -1, -1, False
            normal[i, 0], normal[i, 1], normal[i, 2] = np.float32(0.0), np.float32(0.0), np.float32(0.0)
            continue
        name = names[i - first]
        # Neighbours mostly see the same triangle.
        if name != last_name:
            last_name = name
            cluster = name >> np.uint32(_BITS)
            r, mesh = listed[cluster, 0], meshes[listed[cluster, 0]]
            face = as_i4(orders[mesh])[listed[cluster, 1] * CLUSTER + (name & np.uint32(CLUSTER - 1))]
            _normal(geo, r, mesh, face, one)
            x, y, z = one[0], one[1], one[2]
            a, b, c = x * r00 + y * r10 + z * r20, x * r01 + y * r11 + z * r21, x * r02 + y * r12 + z * r22
        row[i], primitive[i] = r, face
        normal[i, 0], normal[i, 1], normal[i, 2] = x, y, z
        back[i] = a * directions[i, 0] + b * directions[i, 1] + c * directions[i, 2] > 0.0


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _normal(geo, row, mesh, face, out) -> None:
    """Unit normal of a triangle in W."""
    v, f, N = as_f4(geo.vertices[mesh]), as_u4(geo.faces[mesh]), geo.row_normal
    a, b, c = 3 * f[3 * face], 3 * f[3 * face + 1], 3 * f[3 * face + 2]
    ux, uy, uz = v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]
    wx, wy, wz = v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]
    p, q, s = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    x = N[row, 0, 0] * p + N[row, 0, 1] * q + N[row, 0, 2] * s
    y = N[row, 1, 0] * p + N[row, 1, 1] * q + N[row, 1, 2] * s
    z = N[row, 2, 0] * p + N[row, 2, 1] * q + N[row, 2, 2] * s
    scale = np.float32(1.0) / np.sqrt(max(x * x + y * y + z * z, np.float32(1e-37)))
    out[0], out[1], out[2] = x * scale, y * scale, z * scale
