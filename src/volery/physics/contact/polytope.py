# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Contacts of boxes and convex meshes: corners and planes in the shape's frame G."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact.surface import EXACT, ROUGH, add, clear_way, plateau, touch_point, unit

__all__ = ["touch_polytope"]

_SHARP = 3e-3
"""Sine of a ridge that is felt: over flatter ones the corners carry the shape."""
_TRIES = 3
"""Faces of the shape that are tried for a way off an edge."""


@nb.njit(cache=True, nogil=True)
def touch_polytope(tri, count, edges, mates, corners, planes, margin, out) -> int:
    """Contacts of a polytope; corners [k, 3], planes [p, 4]: unit normal outwards and offset [m]; returns how many."""
    n = 0
    for k in range(len(corners)):
        n = touch_point(tri, count, corners[k, 0], corners[k, 1], corners[k, 2], 0.0, margin, out, n)
    for t in range(count):
        for i in range(3):
            if edges[t, i] > _SHARP and mates[t, i] < t:
                n = _touch_edge(tri, count, t, i, corners, planes, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _clip(planes, p, e, margin) -> tuple[float, float, int, int]:
    """The part of an edge p + s e, s from 0 to 1, within the polytope, and the planes that cut it (-1: none)."""
    s0, s1, k0, k1 = 0.0, 1.0, -1, -1
    for k in range(len(planes)):
        N = planes[k]
        out = N[0] * p[0] + N[1] * p[1] + N[2] * p[2] - N[3] - margin
        slope = N[0] * e[0] + N[1] * e[1] + N[2] * e[2]
        if abs(slope) < 1e-12:
            if out > 0.0:
                return 1.0, 0.0, -1, -1
            continue
        s = -out / slope
        if slope > 0.0 and s < s1:
            s1, k1 = s, k
        elif slope < 0.0 and s > s0:
            s0, k0 = s, k
        if s0 >= s1:
            return 1.0, 0.0, -1, -1
    return s0, s1, k0, k1


@nb.njit(cache=True, nogil=True)
def _depth(N, p, e, s, margin) -> float:
    """How far a point of the edge is behind a plane of the polytope [m]."""
    x, y, z = p[0] + s * e[0], p[1] + s * e[1], p[2] + s * e[2]
    return N[3] + margin - (N[0] * x + N[1] * y + N[2] * z)


@nb.njit(cache=True, nogil=True)
def _next_plane(planes, p, e, s0, s1, margin, above) -> tuple[int, float]:
    """The plane that the whole piece of edge leaves soonest, of those that take more than `above` [m]."""
    best, found = np.inf, -1
    for k in range(len(planes)):
        depth = max(_depth(planes[k], p, e, s0, margin), _depth(planes[k], p, e, s1, margin))
        if above < depth < best:
            best, found = depth, k
    return found, best


@nb.njit(cache=True, nogil=True)
def _touch_edge(tri, count, t, i, corners, planes, margin, out, n) -> int:
    """An edge of the world in the polytope: away through a face of it, or across one of its edges."""
    a, b = 3 * i, 3 * ((i + 1) % 3)
    p = (tri[t, a], tri[t, a + 1], tri[t, a + 2])
    e = (tri[t, b] - p[0], tri[t, b + 1] - p[1], tri[t, b + 2] - p[2])
    s0, s1, k0, k1 = _clip(planes, p, e, margin)
    if s0 >= s1:
        return n
    crossing, x, y, z, dx, dy, dz = _cross(corners, planes, p, e, s0, s1, k0, k1)
    crossing += margin
    depth, least = -1.0, np.inf
    for _ in range(_TRIES):
        k, depth = _next_plane(planes, p, e, s0, s1, margin, depth)
        least = min(least, depth, crossing)
        if crossing < 0.98 * depth:
            if clear_way(tri, count, x, y, z, dx, dy, dz, EXACT):
                d = margin - crossing
                return add(out, n, d, x + 0.5 * d * dx, y + 0.5 * d * dy, z + 0.5 * d * dz, dx, dy, dz, t)
            crossing = np.inf
        # A way out much longer than the shortest is none.
        if k < 0 or depth > 3.0 * least + 2e-3:
            return n
        s = 0.5 * (s0 + s1)
        x, y, z = p[0] + s * e[0], p[1] + s * e[1], p[2] + s * e[2]
        if clear_way(tri, count, x, y, z, -planes[k, 0], -planes[k, 1], -planes[k, 2], ROUGH):
            if plateau(tri, count, x, y, z, e, -planes[k, 0], -planes[k, 1], -planes[k, 2]):
                return n
            n = _leave(t, planes[k], p, e, s0, margin, out, n)
            return _leave(t, planes[k], p, e, s1, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _leave(t, N, p, e, s, margin, out, n) -> int:
    """The contact of a point of an edge with a face of the polytope."""
    d = margin - _depth(N, p, e, s, margin)
    if d >= margin - 1e-12:
        return n
    x, y, z = p[0] + s * e[0], p[1] + s * e[1], p[2] + s * e[2]
    return add(out, n, d, x - 0.5 * d * N[0], y - 0.5 * d * N[1], z - 0.5 * d * N[2], -N[0], -N[1], -N[2], t)


@nb.njit(cache=True, nogil=True)
def _cross(corners, planes, p, e, s0, s1, k0, k1) -> tuple[float, float, float, float, float, float, float]:
    """The way off across the polytope's edge between the planes that cut the world's edge: depth, point, direction."""
    if k0 < 0 or k1 < 0:
        return np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    A, B = planes[k0], planes[k1]
    ux, uy, uz = A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0]
    length, dx, dy, dz = unit(uy * e[2] - uz * e[1], uz * e[0] - ux * e[2], ux * e[1] - uy * e[0])
    s = 0.5 * (s0 + s1)
    x, y, z = p[0] + s * e[0], p[1] + s * e[1], p[2] + s * e[2]
    if length == 0.0:
        return np.inf, x, y, z, dx, dy, dz
    at = x * dx + y * dy + z * dz
    if at > 0.0:
        at, dx, dy, dz = -at, -dx, -dy, -dz
    lowest = 0.0
    for k in range(len(corners)):
        lowest = min(lowest, corners[k, 0] * dx + corners[k, 1] * dy + corners[k, 2] * dz)
    return at - lowest, x, y, z, dx, dy, dz
