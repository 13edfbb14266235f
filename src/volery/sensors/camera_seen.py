"""What was drawn, as the hits of rays: distance, instance, triangle and normal of what each pixel sees. Compiled."""

# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_clusters import CLUSTER
from volery.sensors.camera_raster import NAME_BITS, NOTHING
from volery.world.native import as_f4, as_i4, as_u4

__all__ = ["flat_normal", "seen", "triangle_of"]

_BLOCK = 1024
"""Rays whose hits are written together."""


@nb.njit(parallel=True, cache=True, nogil=True)
def seen(drawn, geo, grid, R, directions, far, pixel, hits, threads) -> None:
    """What was drawn as the hits of rays [n] (pixel: place of each in the whole picture)."""
    n = len(directions)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        names, normal = np.empty(_BLOCK, np.uint32), np.empty(3, np.float32)
        for k in range(task, blocks, tasks):
            first, last = k * _BLOCK, min(n, (k + 1) * _BLOCK)
            _nearest(drawn, grid.top * grid.width, directions, far, pixel, hits[0], names, first, last)
            _surfaces(drawn, geo, R, directions, names, hits, normal, first, last)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _nearest(drawn, skip, directions, far, pixel, distance, names, first, last) -> None:
    """Distance and name of what each of some rays sees; infinite where that is nothing."""
    near, which, others = drawn.near, drawn.which, len(drawn.near)
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
def _surfaces(drawn, geo, R, directions, names, hits, one, first, last) -> None:
    """Instance, triangle and normal of what some rays see; `one`: room for a normal."""
    distance, row, primitive, normal, back = hits
    r00, r01, r02, r10, r11, r12 = R[0, 0], R[0, 1], R[0, 2], R[1, 0], R[1, 1], R[1, 2]
    r20, r21, r22, orders, meshes = R[2, 0], R[2, 1], R[2, 2], drawn.order, geo.row_mesh
    listed, last_name, r, face, x, y, z = (
        drawn.listed,
        NOTHING,
        -1,
        -1,
        np.float32(0.0),
        np.float32(0.0),
        np.float32(0.0),
    )
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
            r, face = triangle_of(orders, meshes, listed, name)
            flat_normal(geo, r, meshes[r], face, one)
            x, y, z = one[0], one[1], one[2]
            a, b, c = x * r00 + y * r10 + z * r20, x * r01 + y * r11 + z * r21, x * r02 + y * r12 + z * r22
        row[i], primitive[i] = r, face
        normal[i, 0], normal[i, 1], normal[i, 2] = x, y, z
        back[i] = a * directions[i, 0] + b * directions[i, 1] + c * directions[i, 2] > 0.0


@nb.njit(cache=True, nogil=True, inline="always")
def triangle_of(orders, meshes, listed, name):
    """Instance and triangle that were drawn by a name."""
    cluster = name >> np.uint32(NAME_BITS)
    row = listed[cluster, 0]
    face = as_i4(orders[meshes[row]])[listed[cluster, 1] * CLUSTER + (name & np.uint32(CLUSTER - 1))]
    return row, face


@nb.njit(cache=True, nogil=True, error_model="numpy")
def flat_normal(geo, row, mesh, face, out) -> None:
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
