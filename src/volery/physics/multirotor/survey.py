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
from volery.world.native import keep

__all__ = ["felt_within", "find_pairs", "look", "one_of_each_part", "reach_of", "survey"]

_MARGIN = 0.05
"""For what a drone gains in speed within a step [m]."""
_GROUND_RADII = 6.0
"""The ground is felt up to so many radii of a rotor: a gain of 0.2 % there."""


@nb.njit(cache=True, nogil=True)
def _travel(s, span) -> float:
    """How far a drone may come within a time [m]."""
    return math.sqrt(s[at.VEL] ** 2 + s[at.VEL + 1] ** 2 + s[at.VEL + 2] ** 2) * span + _MARGIN


@nb.njit(cache=True, nogil=True)
def reach_of(s, p, span) -> float:
    """How far from its centre of mass a drone may touch something within a time [m]; 0: it touches nothing."""
    return p[at.BUMPER] + _travel(s, span) if p[at.BUMPER] > 0.0 else 0.0


@nb.njit(cache=True, nogil=True)
def felt_within(p) -> float:
    """From which height on a drone feels the ground [m]."""
    return 4.0 * _GROUND_RADII * math.sqrt(p[at.GROUND])


@nb.njit(cache=True, nogil=True)
def look(S, kind, P, lowest, apart, densities, places, share) -> None:
    """Where drones are, [n, 3] [m], and density of the air there over that at which their thrust holds, [n]; see
    `Air.table`."""
    for i in range(len(places)):
        for k in range(3):
            places[i, k] = S[i, at.POS + k]
        x = min(max((S[i, at.POS + 2] - lowest) / apart, 0.0), len(densities) - 1.000001)
        k = int(x) if x == x else 0
        share[i] = (densities[k] + (densities[k + 1] - densities[k]) * (x - k)) / P[kind[i], at.AIR]


@nb.njit(cache=True, nogil=True)
def survey(address, S, kind, P, span, near, ground) -> int:
    """For each drone: near [n], whether the world is within its reach for the next `span` [s]; ground [n]: z of what
    lies straight below its rotors [m], −inf if that is too far to be felt. Returns how many are near. address: of a
    ContactWorld."""
    found = 0
    scratch = np.empty(SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    box = np.empty(3)
    for i in range(len(near)):
        p = P[kind[i]]
        reach, felt = reach_of(S[i], p, span), felt_within(p)
        near[i], ground[i] = False, -np.inf
        box[:] = max(reach, felt)
        if box[0] == 0.0:
            continue
        count = gather(nb.uint64(address), base, S[i, at.POS : at.POS + 3], R, box, 0.0)
        if count == 0:
            continue
        triangles = triangles_of(base)
        for t in range(count):
            if triangles[t, T_NEAR] < reach * reach:
                near[i] = True
        found += near[i]
        if felt > 0.0:
            ground[i] = S[i, at.POS + 2] + _below(triangles, count, p[at.HUB])
    keep(scratch)
    return found


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
def one_of_each_part(places, size) -> np.ndarray:
    """Of places [n, 3] the first in each cube of an edge of `size` that holds any."""
    n, mask = len(places), 1
    while mask < 2 * n:
        mask *= 2
    mask -= 1
    table, cell = np.full(mask + 1, -1, np.int64), np.empty((n, 3), np.int64)
    chosen, count = np.empty((n, 3)), 0
    for i in range(n):
        for a in range(3):
            cell[i, a] = math.floor(places[i, a] / size)
        b = _bucket(cell[i, 0], cell[i, 1], cell[i, 2], mask)
        while table[b] >= 0 and not _same(cell[i], cell[table[b]]):
            b = (b + 1) & mask
        if table[b] < 0:
            table[b] = i
            chosen[count] = places[i]
            count += 1
    return chosen[:count].copy()


@nb.njit(cache=True, nogil=True)
def _same(a, b) -> bool:
    return a[0] == b[0] and a[1] == b[1] and a[2] == b[2]


@nb.njit(cache=True, nogil=True)
def find_pairs(S, kind, P, n, span, more, pairs) -> int:
    """Pairs of drones that may meet within `span` [s], into pairs [m, 2]; returns how many there are, even if more than
    fit. A hash of cells as large as the widest reach, so each drone looks into 27. more: added to each reach [m]."""
    reach = np.zeros(n)
    for i in range(n):
        if P[kind[i], at.BUMPER] > 0.0:
            reach[i] = reach_of(S[i], P[kind[i]], span) + more
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
