# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Contacts of ellipsoids along the axes of the frame G."""

from __future__ import annotations

import math

import numba as nb

from volery.physics.contact import layout as at
from volery.physics.contact.surface import EXACT, add, clear_way, covered, height, least_behind, over, unit

__all__ = ["touch_ellipsoid"]

_SHARP = 1e-4


@nb.njit(cache=True, nogil=True)
def touch_ellipsoid(tri, count, edges, mates, radii, margin, out) -> int:
    """Contacts of an ellipsoid of half axes `radii` [m]; returns how many."""
    n = 0
    for t in range(count):
        n = _touch_face(tri, count, t, radii, margin, out, n)
    for t in range(count):
        for i in range(3):
            if edges[t, i] > _SHARP and mates[t, i] < t:
                n = _touch_edge(tri, count, t, i, radii, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _touch_face(tri, count, t, radii, margin, out, n) -> int:
    """The point of the ellipsoid that is lowest over a face, if it is over it."""
    T = tri[t]
    nx, ny, nz = T[at.T_NORMAL], T[at.T_NORMAL + 1], T[at.T_NORMAL + 2]
    reach = math.sqrt((radii[0] * nx) ** 2 + (radii[1] * ny) ** 2 + (radii[2] * nz) ** 2)
    if T[at.T_ABOVE] < 0.0 or T[at.T_ABOVE] > reach + margin:
        return n
    x, y, z = -(radii[0] ** 2) * nx / reach, -(radii[1] ** 2) * ny / reach, -(radii[2] ** 2) * nz / reach
    if not over(T, x, y, z, 1e-6):
        return n
    h = height(T, x, y, z)
    if h < 0.0:
        u = least_behind(tri, count, x, y, z)
        if u < 0 or height(tri[u], x, y, z) > h + 1e-6:
            return n
    if covered(tri, count, x - h * nx, y - h * ny, z - h * nz, nx, ny, nz):
        return n
    return add(out, n, h, x - 0.5 * h * nx, y - 0.5 * h * ny, z - 0.5 * h * nz, nx, ny, nz, t)


@nb.njit(cache=True, nogil=True)
def _touch_edge(tri, count, t, i, radii, margin, out, n) -> int:
    """The point of an edge that is deepest in the ellipsoid, found where the ellipsoid is a unit ball."""
    a, b = 3 * i, 3 * ((i + 1) % 3)
    px, py, pz = tri[t, a], tri[t, a + 1], tri[t, a + 2]
    ex, ey, ez = tri[t, b] - px, tri[t, b + 1] - py, tri[t, b + 2] - pz
    wx, wy, wz = 1.0 / radii[0] ** 2, 1.0 / radii[1] ** 2, 1.0 / radii[2] ** 2
    s = -(wx * px * ex + wy * py * ey + wz * pz * ez) / (wx * ex * ex + wy * ey * ey + wz * ez * ez)
    s = min(max(s, 0.0), 1.0)
    x, y, z = px + s * ex, py + s * ey, pz + s * ez
    length, nx, ny, nz = unit(-wx * x, -wy * y, -wz * z)
    if length == 0.0:
        return n
    # How far the ellipsoid must go along n until it no longer contains the point.
    reach = math.sqrt((radii[0] * nx) ** 2 + (radii[1] * ny) ** 2 + (radii[2] * nz) ** 2)
    dist = -(x * nx + y * ny + z * nz) - reach
    if dist >= margin or not clear_way(tri, count, x, y, z, nx, ny, nz, EXACT):
        return n
    return add(out, n, dist, x + 0.5 * dist * nx, y + 0.5 * dist * ny, z + 0.5 * dist * nz, nx, ny, nz, t)
