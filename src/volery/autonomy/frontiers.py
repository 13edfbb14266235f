"""Where the known ends: what it costs to get anywhere through known free air, and which ends are worth a visit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery._native import autonomy as _native
from volery.autonomy.clearance import ClearanceMap

__all__ = ["Frontier", "TravelCosts", "frontiers", "reachable"]

_BIN = 6
"""Ends within a cube of so many cells are one."""


class TravelCosts(NamedTuple):
    """How to get anywhere from one place."""

    cost: np.ndarray
    """Of getting to each cell [cells], float32 [nx, ny, nz]; 1e30: no way through what is known."""
    parent: np.ndarray
    """The cell before each, by its flat number; -1 for none."""

    def route(self, cell: np.ndarray) -> np.ndarray:
        """Cells on the way to one, [n, 3]."""
        shape = self.cost.shape
        at, out = int(np.ravel_multi_index(tuple(int(c) for c in cell), shape)), []
        while at >= 0:
            out.append(at)
            at = int(self.parent[at])
        return np.stack(np.unravel_index(np.array(out[::-1]), shape), axis=1)


class Frontier(NamedTuple):
    """An end of the known."""

    cell: np.ndarray
    """From where it is seen, [3] in the window."""
    cost: float
    """Of getting there [cells]."""
    size: int
    """Cells that border on the unknown."""


def reachable(terrain: ClearanceMap, start: np.ndarray) -> TravelCosts:
    """Cheapest ways from a place [3] in cells through known free air."""
    evidence = np.ascontiguousarray(terrain.window.evidence)
    return TravelCosts(*_native.flood(terrain.price, terrain.clear, evidence, start.astype(np.int64)))


def frontiers(
    terrain: ClearanceMap, reach: TravelCosts, low: np.ndarray, high: np.ndarray, least: int
) -> list[Frontier]:
    """Ends that can be got to, in a box of the window [cells], of at least so many cells."""
    evidence = np.ascontiguousarray(terrain.window.evidence)
    cells = _native.find_ends(evidence, reach.cost, np.asarray(low, np.int64), np.asarray(high, np.int64))
    if len(cells) == 0:
        return []
    _, group, sizes = np.unique(cells // _BIN, axis=0, return_inverse=True, return_counts=True)
    out = []
    for number in np.flatnonzero(sizes >= least):
        own = cells[group.ravel() == number]
        costs = reach.cost[tuple(own.T)]
        best = int(np.argmin(costs))
        out.append(Frontier(own[best], float(costs[best]), int(sizes[number])))
    return out
