# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Contacts of cylinders (wheels, rotor discs) about z of the frame G: exactly round, so that a wheel rolls evenly."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact import layout as at
from volery.physics.contact.surface import (
    EXACT,
    ROUGH,
    add,
    clear_way,
    covered,
    height,
    least_behind,
    over,
    plateau,
    unit,
)

__all__ = ["touch_cylinder"]

_SHARP = 1e-4
_LYING = 0.7
"""Sine between axis and normal below which a cylinder stands on its end."""


@nb.njit(cache=True, nogil=True)
def touch_cylinder(tri, count, edges, mates, r, length, margin, out) -> int:
    """Contacts of a cylinder of radius r and half length `length` [m]; returns how many."""
    n = 0
    for t in range(count):
        if tri[t, at.T_ABOVE] < 0.0:
            continue
        upright, sideways = abs(tri[t, at.T_NORMAL + 2]), math.hypot(tri[t, at.T_NORMAL], tri[t, at.T_NORMAL + 1])
        if tri[t, at.T_ABOVE] > length * upright + r * sideways + margin:
            continue
        if sideways > 1e-3:
            n = _touch_line(tri, count, edges, t, r, length, sideways, margin, out, n)
        if sideways < _LYING:
            n = _touch_rim(tri, count, t, r, length, margin, out, n)
    for t in range(count):
        for i in range(3):
            if edges[t, i] > _SHARP and mates[t, i] < t:
                n = _touch_edge(tri, count, t, i, r, length, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _touch_face(tri, count, t, x, y, z, margin, out, n) -> int:
    """The contact of a point of the cylinder with a face that it is over."""
    T = tri[t]
    h = height(T, x, y, z)
    if h >= margin:
        return n
    if h < 0.0:
        u = least_behind(tri, count, x, y, z)
        if u < 0 or height(tri[u], x, y, z) > h + 1e-6:
            return n
    nx, ny, nz = T[at.T_NORMAL], T[at.T_NORMAL + 1], T[at.T_NORMAL + 2]
    if covered(tri, count, x - h * nx, y - h * ny, z - h * nz, nx, ny, nz):
        return n
    return add(out, n, h, x - 0.5 * h * nx, y - 0.5 * h * ny, z - 0.5 * h * nz, nx, ny, nz, t)


@nb.njit(cache=True, nogil=True)
def _touch_line(tri, count, edges, t, r, length, sideways, margin, out, n) -> int:
    """The line of the mantle that is lowest over a face, cut to the part over the face: its ends, but for those where
    a flat or hollow neighbour goes on."""
    T = tri[t]
    x, y = -r * T[at.T_NORMAL] / sideways, -r * T[at.T_NORMAL + 1] / sideways
    z0, z1, end0, end1 = -length, length, True, True
    for i in range(3):
        m, c = at.T_EDGE + 3 * i, 3 * i
        inside = T[m] * (x - T[c]) + T[m + 1] * (y - T[c + 1]) - T[m + 2] * T[c + 2] + 1e-6
        if abs(T[m + 2]) < 1e-9:
            if inside < 0.0:
                return n
            continue
        z = -inside / T[m + 2]
        if T[m + 2] > 0.0 and z > z0:
            z0, end0 = z, edges[t, i] > _SHARP
        elif T[m + 2] < 0.0 and z < z1:
            z1, end1 = z, edges[t, i] > _SHARP
    if z0 > z1:
        return n
    if end0:
        n = _touch_face(tri, count, t, x, y, z0, margin, out, n)
    if end1:
        n = _touch_face(tri, count, t, x, y, z1, margin, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _touch_rim(tri, count, t, r, length, margin, out, n) -> int:
    """Standing on its end: four points of the rim, the first where it is lowest over the face."""
    T = tri[t]
    z = -length if T[at.T_NORMAL + 2] > 0.0 else length
    cos, sin = 1.0, 0.0
    if math.hypot(T[at.T_NORMAL], T[at.T_NORMAL + 1]) > 0.1:
        # Seldom flat on: turn so that the lowest point of the rim, which the line gives, is one of the four.
        _, cos, sin, _ = unit(-T[at.T_NORMAL], -T[at.T_NORMAL + 1], 0.0)
    for _ in range(4):
        if over(T, r * cos, r * sin, z, 1e-6):
            n = _touch_face(tri, count, t, r * cos, r * sin, z, margin, out, n)
        cos, sin = -sin, cos
    return n


@nb.njit(cache=True, nogil=True)
def _within(p, e, r, length) -> tuple[float, float]:
    """The part s0 to s1 of an edge p + s e that is within a cylinder; empty: s0 > s1."""
    s0, s1 = 0.0, 1.0
    if abs(e[2]) > 1e-12:
        a, b = (-length - p[2]) / e[2], (length - p[2]) / e[2]
        s0, s1 = max(s0, min(a, b)), min(s1, max(a, b))
    elif abs(p[2]) > length:
        return 1.0, 0.0
    A = e[0] * e[0] + e[1] * e[1]
    B = p[0] * e[0] + p[1] * e[1]
    C = p[0] * p[0] + p[1] * p[1] - r * r
    if A < 1e-14:
        return (s0, s1) if C <= 0.0 else (1.0, 0.0)
    D = B * B - A * C
    if D <= 0.0:
        return 1.0, 0.0
    root = math.sqrt(D)
    return max(s0, (-B - root) / A), min(s1, (-B + root) / A)


@nb.njit(cache=True, nogil=True)
def _touch_edge(tri, count, t, i, r, length, margin, out, n) -> int:
    """An edge of the world in the cylinder: away through the mantle or through an end, whichever is nearer."""
    a, b = 3 * i, 3 * ((i + 1) % 3)
    p = (tri[t, a], tri[t, a + 1], tri[t, a + 2])
    e = (tri[t, b] - p[0], tri[t, b + 1] - p[1], tri[t, b + 2] - p[2])
    s0, s1 = _within(p, e, r + margin, length + margin)
    if s0 > s1:
        return n
    across = e[0] * e[0] + e[1] * e[1]
    s = 0.5 * (s0 + s1)
    if across > 1e-14:
        s = min(max(-(p[0] * e[0] + p[1] * e[1]) / across, s0), s1)
    x, y = p[0] + s * e[0], p[1] + s * e[1]
    off = math.hypot(x, y)
    z0, z1 = p[2] + s0 * e[2], p[2] + s1 * e[2]
    up, down = length - min(z0, z1), length + max(z0, z1)
    least = min(r - off, up, down)
    for _ in range(3):
        side = r - off
        before = n
        # A way out much longer than the shortest is none.
        if min(side, up, down) > 3.0 * least + 2e-3:
            return n
        if off > 1e-9 and side <= min(up, down):
            dx, dy, dz, part = _square(-x / off, -y / off, e)
            n = _leave(tri, count, t, p, e, s, dx, dy, dz, -side / part, margin, EXACT, out, n)
            if n > before and across < 1e-4 * (across + e[2] * e[2]):
                # Along the tread: a line.
                n = _leave(tri, count, t, p, e, s0, -x / off, -y / off, 0.0, -side, margin, ROUGH, out, n)
                n = _leave(tri, count, t, p, e, s1, -x / off, -y / off, 0.0, -side, margin, ROUGH, out, n)
            off = -np.inf
        else:
            sign = -1.0 if up <= down else 1.0
            if plateau(tri, count, x, y, p[2] + s * e[2], e, 0.0, 0.0, sign):
                return n
            n = _leave(tri, count, t, p, e, s0, 0.0, 0.0, sign, -length - sign * z0, margin, ROUGH, out, n)
            n = _leave(tri, count, t, p, e, s1, 0.0, 0.0, sign, -length - sign * z1, margin, ROUGH, out, n)
            up, down = (np.inf, down) if up <= down else (up, np.inf)
        if n > before:
            return n
    return n


@nb.njit(cache=True, nogil=True)
def _square(x, y, e) -> tuple[float, float, float, float]:
    """A direction (x, y, 0) away from the axis turned square to an edge, and the cosine between the two.

    They are one where an edge is nearest to the axis within the cylinder; where it is nearest beyond an end, such as
    for a narrow wheel that meets a kerb aslant, only the square one leads away from the edge."""
    along = (x * e[0] + y * e[1]) / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
    length, dx, dy, dz = unit(x - along * e[0], y - along * e[1], -along * e[2])
    # Nearly along the edge there is no such way; then it stays as it was and is found not to be clear.
    return (dx, dy, dz, length) if length > 0.3 else (x, y, 0.0, 1.0)


@nb.njit(cache=True, nogil=True)
def _leave(tri, count, t, p, e, s, dx, dy, dz, dist, margin, slack, out, n) -> int:
    """The contact of a point of an edge, away along d."""
    x, y, z = p[0] + s * e[0], p[1] + s * e[1], p[2] + s * e[2]
    if dist >= margin or not clear_way(tri, count, x, y, z, dx, dy, dz, slack):
        return n
    return add(out, n, dist, x + 0.5 * dist * dx, y + 0.5 * dist * dy, z + 0.5 * dist * dz, dx, dy, dz, t)
