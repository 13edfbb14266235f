# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A chart of what an agent's lidar has hit, and ways through it: the memory that gets a drone out of dead ends."""

from __future__ import annotations

import heapq

import numba as nb
import numpy as np

__all__ = ["Chart"]

CELL = 0.5
"""Edge of a cell [m]."""
_LAYERS = 63
"""Cells over each other, bits of a word."""
_POOL = 2
"""Cells of the chart in one of a plan, each way."""
_COST = np.array([1e9, 30.0, 8.0, 2.0], np.float64)
"""Of a metre in a cell of a plan that is taken, and one, two, three cells away from one; 1 farther on."""


class Chart:
    """Cells that something was seen in, in columns of bits, round a middle; what is not known counts as free."""

    def __init__(self, middle_W: np.ndarray, reach: float) -> None:
        """middle_W: on the ground [m]; reach: to each side [m]."""
        n = 2 * _POOL * int(np.ceil(reach / CELL / _POOL))
        self.corner_W = np.array([middle_W[0] - n * CELL / 2, middle_W[1] - n * CELL / 2, middle_W[2]])
        self.columns = np.zeros((n, n), np.uint64)
        self.version = 0
        """Rises when something new was seen."""

    def covers(self, p_W: np.ndarray, margin: float) -> bool:
        """Whether a point is inside by a margin [m]."""
        from_corner = np.asarray(p_W)[:2] - self.corner_W[:2]
        return bool((from_corner > margin).all() and (from_corner < len(self.columns) * CELL - margin).all())

    def add(self, points_W: np.ndarray) -> None:
        """Note points [n, 3] [m]; those outside of the chart, or within a cell of the ground, are left out."""
        self.version += int(_note(self.columns, self.corner_W, np.ascontiguousarray(points_W, np.float64)))

    def near(self, p_W: np.ndarray, reach: float, height: float) -> np.ndarray:
        """Middles of taken cells within reach [m] in the plane and height [m] up and down of a point, [n, 3] [m]."""
        return _near(self.columns, self.corner_W, np.asarray(p_W, float), reach, height)

    def way(self, p_W: np.ndarray, goal_W: np.ndarray, height: float) -> np.ndarray:
        """The cheapest way in the plane at the height of p_W ± height [m], corners [n, 2] [m]; empty: there is none.

        To a goal outside of the chart it ends at the edge, on the straight line from p_W, which must be inside.
        """
        p, goal = np.asarray(p_W, float)[:2], self._inside(np.asarray(p_W, float)[:2], np.asarray(goal_W, float)[:2])
        costs = _costs(self.columns, self._bits(float(p_W[2]), height))
        scale = _POOL * CELL
        start, end = ((q - self.corner_W[:2]) / scale for q in (p, goal))
        cells = _search(costs, int(start[0]), int(start[1]), int(end[0]), int(end[1]))
        if len(cells) == 0:
            return np.empty((0, 2))
        ahead = _ahead(costs, cells, start)
        corners = (cells[ahead:] + 0.5) * scale + self.corner_W[:2]
        corners[-1] = goal
        return corners

    def _inside(self, p: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """The goal, or where the straight line from p leaves the chart, [2] [m]."""
        low, high = self.corner_W[:2] + CELL, self.corner_W[:2] + (len(self.columns) - 1) * CELL
        way = goal - p
        edge = np.where(way > 0.0, high, low) - p
        share = float(np.divide(edge, way, out=np.ones(2), where=way != 0.0).min())
        return goal if share >= 1.0 else p + way * share

    def _bits(self, z: float, height: float) -> np.uint64:
        low, high = (int(np.floor((z + s * height - self.corner_W[2]) / CELL)) for s in (-1, 1))
        low, high = min(max(low, 0), _LAYERS), min(max(high, 0), _LAYERS)
        return np.uint64((1 << (high + 1)) - (1 << low))


@nb.njit(cache=True, nogil=True)
def _note(columns, corner, points) -> int:
    """Set the bits of points; how many were new."""
    n, new = len(columns), 0
    for p in points:
        i, j = int(np.floor((p[0] - corner[0]) / CELL)), int(np.floor((p[1] - corner[1]) / CELL))
        k = int(np.floor((p[2] - corner[2]) / CELL))
        if 0 <= i < n and 0 <= j < n and 1 <= k < _LAYERS:
            bit = np.uint64(1) << np.uint64(k)
            if columns[i, j] & bit == np.uint64(0):
                columns[i, j] |= bit
                new += 1
    return new


@nb.njit(cache=True, nogil=True)
def _near(columns, corner, p, reach, height) -> np.ndarray:
    n = len(columns)
    i0, i1 = max(int((p[0] - reach - corner[0]) / CELL), 0), min(int((p[0] + reach - corner[0]) / CELL), n - 1)
    j0, j1 = max(int((p[1] - reach - corner[1]) / CELL), 0), min(int((p[1] + reach - corner[1]) / CELL), n - 1)
    k0 = max(int(np.floor((p[2] - height - corner[2]) / CELL)), 1)
    k1 = min(int(np.floor((p[2] + height - corner[2]) / CELL)), _LAYERS - 1)
    out = np.empty((4096, 3))
    count = 0
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            word = columns[i, j]
            if word == np.uint64(0):
                continue
            for k in range(k0, k1 + 1):
                if word >> np.uint64(k) & np.uint64(1) and count < len(out):
                    out[count, 0] = corner[0] + (i + 0.5) * CELL
                    out[count, 1] = corner[1] + (j + 0.5) * CELL
                    out[count, 2] = corner[2] + (k + 0.5) * CELL
                    count += 1
    return out[:count]


@nb.njit(cache=True, nogil=True)
def _costs(columns, bits) -> np.ndarray:
    """What a metre costs in each cell of a plan, [m, m]."""
    m, far = len(columns) // _POOL, len(_COST)
    rings = np.full((m, m), far, np.int64)
    for i in range(len(columns)):
        for j in range(len(columns)):
            if columns[i, j] & bits:
                a, b = i // _POOL, j // _POOL
                for x in range(max(a - far + 1, 0), min(a + far, m)):
                    for y in range(max(b - far + 1, 0), min(b + far, m)):
                        rings[x, y] = min(rings[x, y], max(abs(x - a), abs(y - b)))
    costs = np.ones((m, m))
    for i in range(m):
        for j in range(m):
            if rings[i, j] < far:
                costs[i, j] = _COST[rings[i, j]]
    return costs


@nb.njit(cache=True, nogil=True)
def _search(costs, i, j, gi, gj) -> np.ndarray:
    """A*: cells of the cheapest way from (i, j) to (gi, gj), first and last included, [n, 2]; none: empty.

    A cell that is taken is never entered; the first may be one, so that a drone too near to something gets away.
    """
    m = len(costs)
    best = np.full((m, m), np.inf)
    came = np.full((m, m), -1, np.int64)
    best[i, j] = 0.0
    heap = [(0.0, i * m + j)]
    while len(heap) > 0:
        _, here = heapq.heappop(heap)
        a, b = here // m, here % m
        if a == gi and b == gj:
            break
        if best[a, b] < 0.0:
            continue
        reached = best[a, b]
        best[a, b] = -1.0
        for da in range(-1, 2):
            for db in range(-1, 2):
                x, y = a + da, b + db
                if (da == 0 and db == 0) or not (0 <= x < m and 0 <= y < m) or costs[x, y] >= 1e9:
                    continue
                cost = reached + costs[x, y] * np.sqrt(da * da + db * db)
                if cost < best[x, y]:
                    best[x, y], came[x, y] = cost, here
                    ox, oy = abs(x - gi), abs(y - gj)
                    heapq.heappush(heap, (cost + max(ox, oy) + 0.41421356 * min(ox, oy), x * m + y))
    if came[gi, gj] < 0 and not (i == gi and j == gj):
        return np.empty((0, 2), np.int64)
    return _back(came, gi, gj, m)


@nb.njit(cache=True, nogil=True)
def _back(came, gi, gj, m) -> np.ndarray:
    """The cells of a way, from its end."""
    count, here = 1, gi * m + gj
    while came[here // m, here % m] >= 0:
        here = came[here // m, here % m]
        count += 1
    cells = np.empty((count, 2), np.int64)
    here = gi * m + gj
    for k in range(count - 1, -1, -1):
        cells[k, 0], cells[k, 1] = here // m, here % m
        here = came[here // m, here % m]
    return cells


@nb.njit(cache=True, nogil=True)
def _ahead(costs, cells, start) -> int:
    """Number of the farthest cell of a way that a straight line reaches without costing more than the way does."""
    found, along = 0, 0.0
    for k in range(1, len(cells)):
        along += costs[cells[k, 0], cells[k, 1]] * np.hypot(
            cells[k, 0] - cells[k - 1, 0], cells[k, 1] - cells[k - 1, 1]
        )
        dx, dy = cells[k, 0] + 0.5 - start[0], cells[k, 1] + 0.5 - start[1]
        pieces = max(int(2.0 * np.hypot(dx, dy)), 1)
        straight = 0.0
        for s in range(1, pieces + 1):
            x, y = int(start[0] + dx * s / pieces), int(start[1] + dy * s / pieces)
            straight += costs[x, y] * np.hypot(dx, dy) / pieces
        if straight <= along * 1.02 + 0.5:
            found = k
        elif k > found + 30:
            break
    return found
