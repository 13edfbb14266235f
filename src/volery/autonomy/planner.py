"""A way to a goal through what is known and what is not: searched for afresh several times a second."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from volery._native.autonomy import search_way, smoothed, straightened
from volery.autonomy.clearance import ClearanceMap, Terms, clearance_map
from volery.autonomy.escape import escape, gap
from volery.autonomy.occupancy import Occupancy
from volery.autonomy.trajectory import MotionLimits, Trajectory, timed
from volery.core.config import param

__all__ = ["Plan", "Planner", "PlannerConfig"]

_SPACING = 0.6
"""Between points of a trajectory [cells]."""

_TIGHT = 0.35
"""What is being flown may be nearer to things by so much than a new way [m]."""
_LOYALTY = 0.7
"""What the last way costs again."""


@dataclass(frozen=True)
class PlannerConfig:
    """How far is looked, and what a way may be like."""

    reach: tuple[float, float] = param((24.0, 6.0), above=0)
    """Half the size of the window that is searched: to the sides, and up and down [m]."""
    greed: float = param(1.2, low=0)
    """How much the distance that remains counts; above 1 finds good ways faster than best ones."""
    terms: Terms = field(default_factory=Terms)
    limits: MotionLimits = field(default_factory=MotionLimits)


@dataclass(frozen=True, eq=False)
class Plan:
    """What was found."""

    trajectory: Trajectory
    """To fly now: it ends where sight ends."""
    way: np.ndarray
    """All of it, beyond what is seen, [n, 3] [m]."""
    reached: bool
    """Whether it leads to the goal, or to the edge of the window on the way there."""


class Planner:
    """Searches a window of the map round the robot."""

    def __init__(self, config: PlannerConfig) -> None:
        self.config = config
        self._last: np.ndarray | None = None
        """The way before [m]."""

    def plan(self, occupancy: Occupancy, begun: np.ndarray, v0: float, goal: np.ndarray) -> Plan | None:
        """From a way that is flown anyway, [k, 3] [m], at a speed of v0 [m/s] now, on to a goal [m]; None: there
        is no way on."""
        side, height = self.config.reach
        half, p = np.array([side, side, height]), begun[0]
        terrain = clearance_map(occupancy.window(p - half, p + half), self.config.terms, p)
        return self.through(terrain, begun, v0, goal)

    def through(self, terrain: ClearanceMap, begun: np.ndarray, v0: float, goal: np.ndarray) -> Plan | None:
        """The same in a window that has been looked at."""
        window, price = terrain.window, terrain.price
        first = begun / window.cell - window.corner - 0.5
        if (self._metres(terrain, first) < self.config.terms.clear - _TIGHT).any():
            # What was begun leads too near to something by now.
            first = first[:1]
        start = np.clip(np.round(first[-1]), 0, np.array(price.shape) - 1)
        aim = goal / window.cell - window.corner - 0.5
        self._prefer_last(terrain)
        way, reached = search_way(price, terrain.clear, start, aim, self.config.greed)
        if len(way) < 2 and not reached:
            return None
        way = straightened(price, np.concatenate([first[-1:], way[1:] if len(way) > 1 else first[-1:] + 1e-3]))
        length = float(np.linalg.norm(np.diff(first, axis=0), axis=1).sum())
        line = smoothed(price, np.concatenate([first[:-1], way]), _SPACING, max(int(length / _SPACING) - 2, 1))
        points = (line + window.corner + 0.5) * window.cell
        trajectory = timed(points, self._room(terrain, line), _sight(window.evidence, line), v0, self.config.limits)
        self._last = points
        return Plan(trajectory, points, reached)

    def free(self, occupancy: Occupancy, points: np.ndarray) -> bool:
        """Whether nothing has been seen on a way [n, 3] [m], or too near to it."""
        if len(points) == 0:
            return True
        clear, cell = self.config.terms.clear, occupancy.config.cell
        taken = self._taken(occupancy, points, clear + cell)
        return gap(points, taken) >= clear - 0.5 * cell

    def stop(self, occupancy: Occupancy, p: np.ndarray, v: np.ndarray) -> Trajectory:
        """To rest from a place [m] and a velocity [m/s], as far from things as can be."""
        limits, clear = self.config.limits, self.config.terms.clear
        reach = float(v @ v) / limits.emergency + clear + 2.0
        return escape(p, v, self._taken(occupancy, p[None], reach), clear, limits)

    @staticmethod
    def _taken(occupancy: Occupancy, points: np.ndarray, room: float) -> np.ndarray:
        """Middles of taken cells in a box about points, [n, 3] [m]."""
        window = occupancy.window(points.min(axis=0) - room, points.max(axis=0) + room)
        return window.middle(np.argwhere(window.evidence > 0))

    def _prefer_last(self, terrain: ClearanceMap) -> None:
        """A way that is as good as the last one is not worth a change of mind."""
        if self._last is not None:
            i = terrain.window.index(self._last)
            i = i[((i >= 0) & (i < terrain.price.shape)).all(axis=1)]
            terrain.price[tuple(np.unique(i, axis=0).T)] *= _LOYALTY

    def _room(self, terrain: ClearanceMap, line: np.ndarray) -> np.ndarray:
        """0 where there is just room enough, 1 where there is plenty."""
        terms = self.config.terms
        return np.clip((self._metres(terrain, line) - terms.clear) / (terms.comfort - terms.clear), 0.0, 1.0)

    def _metres(self, terrain: ClearanceMap, line: np.ndarray) -> np.ndarray:
        """How far the points of a line [cells] are from what is there [m]."""
        i = np.clip(np.round(line).astype(int), 0, np.array(terrain.clear.shape) - 1)
        return terrain.clear[tuple(i.T)] * terrain.window.cell / 3.0


def _sight(evidence: np.ndarray, line: np.ndarray) -> int:
    """The last point of a line up to which all is known to be free, in its cell or beside it."""
    i = np.clip(np.round(line).astype(int), 1, np.array(evidence.shape) - 2)
    seen = np.zeros(len(line), bool)
    for step in np.concatenate([np.zeros((1, 3), int), np.eye(3, dtype=int), -np.eye(3, dtype=int)]):
        seen |= evidence[tuple((i + step).T)] < 0
    seen &= evidence[tuple(i.T)] <= 0
    seen[:3] = True
    return len(line) - 1 if seen.all() else max(int(np.argmin(seen)) - 1, 1)
