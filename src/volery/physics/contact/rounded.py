# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Contacts of balls and capsules: a point or a line along z of the frame G, and a radius round it."""

from __future__ import annotations

import numba as nb

from volery.physics.contact import layout as at
from volery.physics.contact.surface import EXACT, add, clear_way, touch_point, unit

__all__ = ["touch_rounded"]

_SHARP = 1e-4
"""Sine of a ridge that is felt: below it is rounding."""


@nb.njit(cache=True, nogil=True)
def touch_rounded(tri, count, edges, mates, r, length, margin, out) -> int:
    """Contacts of a capsule of radius r and half length `length` (0: a ball) [m]; returns how many."""
    n = touch_point(tri, count, 0.0, 0.0, -length, r, margin, out, 0)
    if length > 0.0:
        n = touch_point(tri, count, 0.0, 0.0, length, r, margin, out, n)
    for t in range(count):
        for i in range(3):
            # An edge of two triangles is looked at once.
            if edges[t, i] > _SHARP and mates[t, i] < t:
                n = _touch_edge(tri, count, t, i, mates[t, i], r, length, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _touch_edge(tri, count, t, i, mate, r, length, margin, out, n) -> int:
    """Nearest points of an edge and the line from -length to length on z; two pairs where they run side by side."""
    a, b = 3 * i, 3 * ((i + 1) % 3)
    px, py, pz = tri[t, a], tri[t, a + 1], tri[t, a + 2]
    ex, ey, ez = tri[t, b] - px, tri[t, b + 1] - py, tri[t, b + 2] - pz
    across, along = ex * ex + ey * ey, ex * ex + ey * ey + ez * ez
    if length > 0.0 and across < 1e-4 * along:
        for end in range(2):
            z = (-length if end == 0 else length) if ez > 0.0 else (length if end == 0 else -length)
            s = min(max((z - pz) / ez, 0.0), 1.0)
            n = _touch_at(tri, count, t, mate, px + s * ex, py + s * ey, pz + s * ez, r, length, margin, out, n)
        return n
    if length > 0.0:
        s = min(max(-(px * ex + py * ey) / across, 0.0), 1.0)
        z = min(max(pz + s * ez, -length), length)
    else:
        z = 0.0
    s = min(max(-(px * ex + py * ey + (pz - z) * ez) / along, 0.0), 1.0)
    return _touch_at(tri, count, t, mate, px + s * ex, py + s * ey, pz + s * ez, r, length, margin, out, n)


@nb.njit(cache=True, nogil=True)
def _touch_at(tri, count, t, mate, x, y, z, r, length, margin, out, n) -> int:
    """The contact at a point of an edge, if there is one."""
    dist, dx, dy, dz = unit(-x, -y, min(max(z, -length), length) - z)
    if dist == 0.0 or dist > r + margin:
        return n
    if _beyond(tri[t], dx, dy, dz) and (mate < 0 or _beyond(tri[mate], dx, dy, dz)):
        # The line has gone through the edge into the solid: back the way it came.
        dist, dx, dy, dz = -dist, -dx, -dy, -dz
    if not clear_way(tri, count, x, y, z, dx, dy, dz, EXACT):
        return n
    dist -= r
    return add(out, n, dist, x + 0.5 * dist * dx, y + 0.5 * dist * dy, z + 0.5 * dist * dz, dx, dy, dz, t)


@nb.njit(cache=True, nogil=True)
def _beyond(T, dx, dy, dz) -> bool:
    """Whether d goes into the solid behind the face."""
    return T[at.T_SOLID] != 0.0 and dx * T[at.T_NORMAL] + dy * T[at.T_NORMAL + 1] + dz * T[at.T_NORMAL + 2] < 0.0
