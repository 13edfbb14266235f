"""A chart of what an agent's lidar has hit, and ways through it: the memory that gets a drone out of dead ends."""

from __future__ import annotations

import numpy as np

from volery._native import agents as _native

__all__ = ["Chart"]

CELL = _native.CHART_CELL
"""Edge of a cell [m]."""
_LAYERS = _native.CHART_LAYERS
"""Cells over each other, bits of a word."""
_POOL = _native.CHART_POOL
"""Cells of the chart in one of a plan, each way."""
_NOBODY = np.empty((0, 3))


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

    def add(self, points_W: np.ndarray, others_W: np.ndarray = _NOBODY, body: float = 0.0) -> None:
        """Note points [n, 3] [m]; those outside of the chart, within a cell of the ground, or nearer than `body` [m] to
        one of the others, [k, 3] [m], are left out."""
        points, others = (np.ascontiguousarray(a, np.float64) for a in (points_W, others_W))
        self.version += _native.chart_note(self.columns, self.corner_W, points, others, body)

    def near(self, p_W: np.ndarray, reach: float, height: float) -> np.ndarray:
        """Middles of taken cells within reach [m] in the plane and height [m] up and down of a point, [n, 3] [m]."""
        return _native.chart_near(self.columns, self.corner_W, np.ascontiguousarray(p_W, float), reach, height)

    def way(self, p_W: np.ndarray, goal_W: np.ndarray, height: float) -> np.ndarray:
        """The cheapest way in the plane at the height of p_W ± height [m], corners [n, 2] [m]; empty: there is none.

        To a goal outside of the chart it ends at the edge, on the straight line from p_W, which must be inside.
        """
        p, goal = np.asarray(p_W, float)[:2], self._inside(np.asarray(p_W, float)[:2], np.asarray(goal_W, float)[:2])
        costs = _native.chart_costs(self.columns, self._bits(float(p_W[2]), height))
        scale = _POOL * CELL
        start, end = ((q - self.corner_W[:2]) / scale for q in (p, goal))
        cells = _native.chart_search(costs, start, end)
        if len(cells) == 0:
            return np.empty((0, 2))
        ahead = _native.chart_ahead(costs, cells, start)
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

    def _bits(self, z: float, height: float) -> int:
        low, high = (int(np.floor((z + s * height - self.corner_W[2]) / CELL)) for s in (-1, 1))
        low, high = min(max(low, 0), _LAYERS), min(max(high, 0), _LAYERS)
        return (1 << (high + 1)) - (1 << low)
