# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Impulses between drones and what they touch: a few rounds over all contacts, each brought to rest or to rebound."""

from __future__ import annotations

import math
from typing import Final

import numba as nb

from volery.physics.multirotor import layout as at
from volery.physics.multirotor.control import rotation

__all__ = ["CONTACT", "push_apart", "solve"]

# A contact: rows of both drones (−1: the world), point from each centre of mass (3, 3), normal from the second to the
# first (3), depth, friction, speed to part with, impulses along the normal and across it (1, 3), all in W.
A: Final = 0
B: Final = 1
ARM_A: Final = 2
ARM_B: Final = 5
NORMAL: Final = 8
DEPTH: Final = 11
FRICTION: Final = 12
PART: Final = 13
PRESS: Final = 14
SLIP: Final = 15
BALL_A: Final = 18
BALL_B: Final = 19
OTHER: Final = 20
"""Row of the scene; −1: a drone."""
CONTACT: Final = 21
"""Numbers of a contact."""

_ROUNDS = 16
_SLACK = 5e-4
"""Overlap that is left alone, so that a contact at rest lasts [m]."""
_PUSH = 0.3
"""Share of the overlap beyond it that is taken back in a step."""


@nb.njit(cache=True, nogil=True)
def _point_velocity(s, x, y, z) -> tuple:
    """Of a drone's point at (x, y, z) from its centre of mass, in W [m/s]."""
    R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
    a, b, c = s[at.SPIN], s[at.SPIN + 1], s[at.SPIN + 2]
    w0, w1, w2 = R[0] * a + R[1] * b + R[2] * c, R[3] * a + R[4] * b + R[5] * c, R[6] * a + R[7] * b + R[8] * c
    return s[at.VEL] + w1 * z - w2 * y, s[at.VEL + 1] + w2 * x - w0 * z, s[at.VEL + 2] + w0 * y - w1 * x


@nb.njit(cache=True, nogil=True)
def _turned(s, p, x, y, z, j0, j1, j2) -> tuple:
    """Change of the angular velocity in B [rad/s] by an impulse (j0, j1, j2) in W [N s] at a point."""
    R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
    t0, t1, t2 = y * j2 - z * j1, z * j0 - x * j2, x * j1 - y * j0
    b0 = R[0] * t0 + R[3] * t1 + R[6] * t2
    b1 = R[1] * t0 + R[4] * t1 + R[7] * t2
    b2 = R[2] * t0 + R[5] * t1 + R[8] * t2
    i = at.INVERSE
    return (
        p[i] * b0 + p[i + 3] * b1 + p[i + 4] * b2,
        p[i + 3] * b0 + p[i + 1] * b1 + p[i + 5] * b2,
        p[i + 4] * b0 + p[i + 5] * b1 + p[i + 2] * b2,
    )


@nb.njit(cache=True, nogil=True)
def _strike(s, p, x, y, z, j0, j1, j2) -> None:
    """Give a drone an impulse at a point."""
    d = _turned(s, p, x, y, z, j0, j1, j2)
    m = 1.0 / p[at.MASS]
    s[at.VEL] += j0 * m
    s[at.VEL + 1] += j1 * m
    s[at.VEL + 2] += j2 * m
    for i in range(3):
        s[at.SPIN + i] += d[i]


@nb.njit(cache=True, nogil=True)
def _yield(s, p, x, y, z, n0, n1, n2) -> float:
    """Change of a point's velocity along a unit vector by a unit impulse along it [1/kg]."""
    d = _turned(s, p, x, y, z, n0, n1, n2)
    R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
    w0 = R[0] * d[0] + R[1] * d[1] + R[2] * d[2]
    w1 = R[3] * d[0] + R[4] * d[1] + R[5] * d[2]
    w2 = R[6] * d[0] + R[7] * d[1] + R[8] * d[2]
    return 1.0 / p[at.MASS] + (w1 * z - w2 * y) * n0 + (w2 * x - w0 * z) * n1 + (w0 * y - w1 * x) * n2


@nb.njit(cache=True, nogil=True)
def closing(c, S) -> tuple:
    """Velocity of the first drone's point against the second's, in W [m/s]."""
    v = _point_velocity(S[int(c[A])], c[ARM_A], c[ARM_A + 1], c[ARM_A + 2])
    if c[B] < 0:
        return v
    u = _point_velocity(S[int(c[B])], c[ARM_B], c[ARM_B + 1], c[ARM_B + 2])
    return v[0] - u[0], v[1] - u[1], v[2] - u[2]


@nb.njit(cache=True, nogil=True)
def _apply(c, S, kind, P, j0, j1, j2) -> None:
    a, b = int(c[A]), int(c[B])
    _strike(S[a], P[kind[a]], c[ARM_A], c[ARM_A + 1], c[ARM_A + 2], j0, j1, j2)
    if b >= 0:
        _strike(S[b], P[kind[b]], c[ARM_B], c[ARM_B + 1], c[ARM_B + 2], -j0, -j1, -j2)


@nb.njit(cache=True, nogil=True)
def _softness(c, S, kind, P, n0, n1, n2) -> float:
    a, b = int(c[A]), int(c[B])
    k = _yield(S[a], P[kind[a]], c[ARM_A], c[ARM_A + 1], c[ARM_A + 2], n0, n1, n2)
    if b >= 0:
        k += _yield(S[b], P[kind[b]], c[ARM_B], c[ARM_B + 1], c[ARM_B + 2], n0, n1, n2)
    return k


@nb.njit(cache=True, nogil=True)
def solve(contacts, count, S, kind, P) -> None:
    """Change velocities so that no contact closes (or parts at its speed), with dry friction; keeps the impulses."""
    for _ in range(_ROUNDS):
        for i in range(count):
            c = contacts[i]
            n0, n1, n2 = c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]
            v = closing(c, S)
            gap = v[0] * n0 + v[1] * n1 + v[2] * n2 - c[PART]
            press = max(c[PRESS] - gap / _softness(c, S, kind, P, n0, n1, n2), 0.0)
            more = press - c[PRESS]
            c[PRESS] = press
            _apply(c, S, kind, P, more * n0, more * n1, more * n2)
            _rub(c, S, kind, P)


@nb.njit(cache=True, nogil=True)
def _rub(c, S, kind, P) -> None:
    """Stop sliding as far as the pressure allows."""
    n0, n1, n2 = c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]
    v = closing(c, S)
    away = v[0] * n0 + v[1] * n1 + v[2] * n2
    t0, t1, t2 = v[0] - away * n0, v[1] - away * n1, v[2] - away * n2
    speed = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if speed < 1e-12:
        return
    k = 1.0 / (_softness(c, S, kind, P, t0 / speed, t1 / speed, t2 / speed))
    j0, j1, j2 = c[SLIP] - k * t0, c[SLIP + 1] - k * t1, c[SLIP + 2] - k * t2
    size, most = math.sqrt(j0 * j0 + j1 * j1 + j2 * j2), c[FRICTION] * c[PRESS]
    if size > most:
        j0, j1, j2 = j0 * most / size, j1 * most / size, j2 * most / size
    _apply(c, S, kind, P, j0 - c[SLIP], j1 - c[SLIP + 1], j2 - c[SLIP + 2])
    c[SLIP], c[SLIP + 1], c[SLIP + 2] = j0, j1, j2


@nb.njit(cache=True, nogil=True)
def push_apart(contacts, count, S, kind, P, moved) -> None:
    """Take back part of the overlaps by shifting drones, the lighter one more; moved [n, 3]: by how much so far."""
    for i in range(count):
        c = contacts[i]
        a, b = int(c[A]), int(c[B])
        n0, n1, n2 = c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]
        done = moved[a, 0] * n0 + moved[a, 1] * n1 + moved[a, 2] * n2
        share = 1.0
        if b >= 0:
            done -= moved[b, 0] * n0 + moved[b, 1] * n1 + moved[b, 2] * n2
            share = P[kind[b], at.MASS] / (P[kind[a], at.MASS] + P[kind[b], at.MASS])
        out = _PUSH * (c[DEPTH] - _SLACK) - done
        if out <= 0.0:
            continue
        for k in range(3):
            by = out * c[NORMAL + k]
            moved[a, k] += share * by
            S[a, at.POS + k] += share * by
            if b >= 0:
                moved[b, k] -= (1.0 - share) * by
                S[b, at.POS + k] -= (1.0 - share) * by
