# ruff: noqa: ANN001, ANN202 (numba infers the types of kernel arguments)
"""Where the known ends: what it costs to get anywhere through known free air, and which ends are worth a visit."""

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.autonomy.clearance import Terrain
from volery.autonomy.search import pop, push

__all__ = ["Frontier", "Reach", "frontiers", "reachable"]

_BIN = 6
"""Ends within a cube of so many cells are one."""


class Reach(NamedTuple):
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


def reachable(terrain: Terrain, start: np.ndarray) -> Reach:
    """Cheapest ways from a place [3] in cells through known free air."""
    cost, parent = _flood(terrain.price, terrain.clear, terrain.window.evidence, start.astype(np.int64))
    return Reach(cost, parent)


def frontiers(terrain: Terrain, reach: Reach, low: np.ndarray, high: np.ndarray, least: int) -> list[Frontier]:
    """Ends that can be got to, in a box of the window [cells], of at least so many cells."""
    cells = _ends(terrain.window.evidence, reach.cost, np.asarray(low, np.int64), np.asarray(high, np.int64))
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


@nb.njit(cache=True, nogil=True)
def _flood(price, clear, evidence, start):
    nx, ny, nz = price.shape
    total = nx * ny * nz
    cost, parent = np.full(total, np.float32(1e30)), np.full(total, np.int64(-1))
    done = np.zeros(total, np.bool_)
    heap, costs, n = np.empty(1 << 16, np.int64), np.empty(1 << 16, np.float32), 0
    first = (start[0] * ny + start[1]) * nz + start[2]
    cost[first] = 0.0
    n = push(heap, costs, n, first, np.float32(0.0))
    while n > 0:
        cell, n = pop(heap, costs, n)
        if done[cell]:
            continue
        done[cell] = True
        if n + 30 > len(heap):
            heap, costs = np.concatenate((heap, np.empty_like(heap))), np.concatenate((costs, np.empty_like(costs)))
        i, j, k = cell // (ny * nz), (cell // nz) % ny, cell % nz
        for a in range(max(i - 1, 0), min(i + 2, nx)):
            for b in range(max(j - 1, 0), min(j + 2, ny)):
                for c in range(max(k - 1, 0), min(k + 2, nz)):
                    other = (a * ny + b) * nz + c
                    if done[other] or evidence[a, b, c] >= 0:
                        continue
                    dear = price[a, b, c]
                    if dear == 0.0:
                        if price[i, j, k] != 0.0 or clear[a, b, c] < clear[i, j, k]:
                            continue
                        dear = np.float32(10.0)
                    length = np.sqrt(float((a - i) ** 2 + (b - j) ** 2 + (c - k) ** 2))
                    new = np.float32(cost[cell] + length * dear)
                    if new < cost[other]:
                        cost[other], parent[other] = new, cell
                        n = push(heap, costs, n, other, new)
    return cost.reshape((nx, ny, nz)), parent


@nb.njit(cache=True, nogil=True)
def _ends(evidence, cost, low, high):
    """Cells with a way to them and an unknown one beside them, [n, 3]."""
    nx, ny, nz = evidence.shape
    out, n = np.empty((1024, 3), np.int64), 0
    for i in range(max(low[0], 1), min(high[0], nx - 1)):
        for j in range(max(low[1], 1), min(high[1], ny - 1)):
            for k in range(max(low[2], 1), min(high[2], nz - 1)):
                if cost[i, j, k] > 1e29:
                    continue
                unknown = (
                    (evidence[i - 1, j, k] == 0) + (evidence[i + 1, j, k] == 0) + (evidence[i, j - 1, k] == 0)
                    + (evidence[i, j + 1, k] == 0) + (evidence[i, j, k - 1] == 0) + (evidence[i, j, k + 1] == 0)
                )  # fmt: skip
                if unknown > 0:
                    if n == len(out):
                        out = np.concatenate((out, np.empty_like(out)))
                    out[n, 0], out[n, 1], out[n, 2] = i, j, k
                    n += 1
    return out[:n].copy()
