# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Before a step: which drones may touch something within it, and how far below them the ground is."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact.collide import triangles_of
from volery.physics.contact.gather import gather
from volery.physics.contact.layout import SCRATCH_WORDS, T_NEAR
from volery.physics.multirotor import layout as at

__all__ = ["find_pairs", "survey"]

_MARGIN = 0.05
"""For what a drone gains in speed within a step [m]."""
_GROUND_RADII = 6.0
"""The ground is felt up to so many radii of a rotor: a gain of 0.2 % there."""


@nb.njit(cache=True, nogil=True)
def _travel(s, span) -> float:
    """How far a drone may come within a time [m]."""
    return math.sqrt(s[at.VEL] ** 2 + s[at.VEL + 1] ** 2 + s[at.VEL + 2] ** 2) * span + _MARGIN


@nb.njit(cache=True, nogil=True)
def survey(address, S, kind, P, span, near, ground) -> None:
    """For each drone: near [n], whether the world is within its reach for the next `span` [s]; ground [n]: z of what
    lies straight below its rotors [m], −inf if that is too far to be felt. address: of a ContactWorld."""
    scratch = np.empty(SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    box = np.empty(3)
    for i in range(len(near)):
        p = P[kind[i]]
        reach = p[at.BUMPER] + _travel(S[i], span) if p[at.BUMPER] > 0.0 else 0.0
        felt = 4.0 * _GROUND_RADII * math.sqrt(p[at.GROUND])
        near[i], ground[i] = False, -np.inf
        box[:] = max(reach, felt)
        if box[0] == 0.0:
            continue
        count = gather(address, base, S[i, at.POS : at.POS + 3], R, box, 0.0)
        if count == 0:
            continue
        triangles = triangles_of(base)
        for t in range(count):
            if triangles[t, T_NEAR] < reach * reach:
                near[i] = True
        if felt > 0.0:
            ground[i] = S[i, at.POS + 2] + _below(triangles, count, p[at.HUB])


@nb.njit(cache=True, nogil=True)
def _below(triangles, count, top) -> float:
    """Height of the highest triangle that the vertical through the origin meets below `top`; −inf: none."""
    best = -np.inf
    for t in range(count):
        T = triangles[t]
        ax, ay, bx, by, cx, cy = T[0], T[1], T[3], T[4], T[6], T[7]
        a, b, c = bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx
        total = a + b + c
        if total == 0.0 or min(a * total, b * total, c * total) < 0.0:
            continue
        z = (a * T[2] + b * T[5] + c * T[8]) / total
        if best < z < top:
            best = z
    return best


@nb.njit(cache=True, nogil=True)
def _bucket(i, j, k, mask) -> int:
    return (i * 73856093 ^ j * 19349663 ^ k * 83492791) & mask


@nb.njit(cache=True, nogil=True)
def find_pairs(S, kind, P, n, span, pairs) -> int:
    """Pairs of drones that may meet within `span` [s], into pairs [m, 2]; returns how many there are, even if more than
    fit. A hash of cells as large as the widest reach, so each drone looks into 27."""
    reach = np.zeros(n)
    for i in range(n):
        if P[kind[i], at.BUMPER] > 0.0:
            reach[i] = P[kind[i], at.BUMPER] + _travel(S[i], span)
    size = max(2.0 * reach.max(), 1e-3)
    mask = 1
    while mask < 2 * n:
        mask *= 2
    mask -= 1
    head, after = np.full(mask + 1, -1, np.int64), np.full(n, -1, np.int64)
    cell = np.empty((n, 3), np.int64)
    # Backwards, so that a bucket lists drones in the order of their rows
    for i in range(n - 1, -1, -1):
        for a in range(3):
            cell[i, a] = math.floor(S[i, at.POS + a] / size)
        b = _bucket(cell[i, 0], cell[i, 1], cell[i, 2], mask)
        after[i] = head[b]
        head[b] = i
    found = 0
    for i in range(n):
        if reach[i] == 0.0:
            continue
        for code in range(27):
            x, y, z = cell[i, 0] + code // 9 - 1, cell[i, 1] + code // 3 % 3 - 1, cell[i, 2] + code % 3 - 1
            j = head[_bucket(x, y, z, mask)]
            while j >= 0:
                if j > i and cell[j, 0] == x and cell[j, 1] == y and cell[j, 2] == z and _meet(S, reach, i, j):
                    if found < len(pairs):
                        pairs[found, 0], pairs[found, 1] = i, j
                    found += 1
                j = after[j]
    return found


@nb.njit(cache=True, nogil=True)
def _meet(S, reach, i, j) -> bool:
    x, y, z = S[i, 0] - S[j, 0], S[i, 1] - S[j, 1], S[i, 2] - S[j, 2]
    both = reach[i] + reach[j]
    return reach[j] > 0.0 and x * x + y * y + z * z < both * both
