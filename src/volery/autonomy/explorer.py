"""A task: look everywhere within a box, the nearest unknown first, and come home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery.autonomy.clearance import ClearanceMap, Terms, clearance_map
from volery.autonomy.frontiers import Frontier, TravelCosts, frontiers, reachable

if TYPE_CHECKING:
    from volery.autonomy.stack import Stack

__all__ = ["Explorer"]

_AHEAD = 7.0
"""The planner is led along the route by so much [m]."""
_THERE = 1.5
"""An end has been visited from so near [m]."""
_LEAST = 6
"""Ends of fewer cells are not worth a visit."""
_AGAIN = 2.0
"""A new choice is made so often [s]."""
_BANNED = 1.6
"""No end is tried again within so much of one that could not be got to [m]."""


class Explorer:
    """Chooses ends of the known and the routes to them; for caves and buildings."""

    def __init__(self, low_W: np.ndarray, high_W: np.ndarray, home_W: np.ndarray, terms: Terms) -> None:
        """low_W, high_W: the box that is to be explored [m]."""
        self._low, self._high, self._home, self._terms = low_W, high_W, home_W, terms
        self.done = False
        self.returning = False
        """Whether all was seen."""
        self.route: np.ndarray | None = None
        """The way that is being taken, [n, 3] [m]."""
        self.left = 0
        """Ends that remain."""
        self._next = 0.0
        self._stuck: list[np.ndarray] = []
        self._since, self._best = 0.0, np.inf

    def goal(self, stack: Stack, now: float) -> np.ndarray | None:
        """A place a little ahead on the route."""
        p = stack.localisation.state.p_WB
        if self.done:
            return None
        if self.returning and np.linalg.norm(p - self._home) < _THERE:
            self.done = True
            return None
        if self._tried_in_vain(p, now) and self.route is not None and not self.returning:
            self._stuck.append(self.route[-1])
            self.route = None
        if self.route is None or now >= self._next or np.linalg.norm(p - self.route[-1]) < _THERE:
            self._choose(stack, p, now)
        return None if self.route is None else _ahead(self.route, p)

    def give_up(self) -> None:
        """Go home now."""
        self.returning, self.route = True, None

    def _tried_in_vain(self, p: np.ndarray, now: float) -> bool:
        """Whether the end of the route has not come nearer for long."""
        if self.route is None:
            self._best = np.inf
            return False
        rest = float(np.linalg.norm(np.diff(self.route, axis=0), axis=1).sum())
        rest = min(rest, float(np.linalg.norm(p - self.route[-1])) * 3.0)
        if rest < self._best - 0.5:
            self._best, self._since = rest, now
        return now - self._since > 10.0

    def _choose(self, stack: Stack, p: np.ndarray, now: float) -> None:
        self._next = now + _AGAIN
        before = None if self.route is None else self.route[-1]
        terrain, reach = self._look(stack, p)
        found = [] if self.returning else self._ends(terrain, reach)
        self.left = len(found)
        self.returning = self.returning or not found
        window = terrain.window
        if self.returning:
            target = np.clip(window.index(self._home), 0, np.array(reach.cost.shape) - 1)
        else:
            target = min(found, key=lambda end: self._worth(window.middle(end.cell), end, before)).cell
        if reach.cost[tuple(target)] > 1e29:
            self.route = np.array([p, self._home]) if self.returning else None
            return
        self.route = window.middle(reach.route(target))
        if before is None or np.linalg.norm(before - self.route[-1]) > _BANNED:
            self._best, self._since = np.inf, now

    def _look(self, stack: Stack, p: np.ndarray) -> tuple[ClearanceMap, TravelCosts]:
        """The whole map within the box and a little more, and the ways through it."""
        low, high = stack.occupancy.bounds()
        low, high = np.maximum(low, self._low - 3.0), np.minimum(high, self._high + 3.0)
        window = stack.occupancy.window(np.minimum(low, p - 2.0), np.maximum(high, p + 2.0))
        terrain = clearance_map(window, self._terms, p)
        return terrain, reachable(terrain, window.index(p))

    def _ends(self, terrain: ClearanceMap, reach: TravelCosts) -> list[Frontier]:
        window = terrain.window
        found = frontiers(terrain, reach, window.index(self._low), window.index(self._high), _LEAST)
        return [f for f in found if not self._banned(window.middle(f.cell))]

    def _banned(self, p: np.ndarray) -> bool:
        return any(np.linalg.norm(p - other) < _BANNED for other in self._stuck)

    def _worth(self, p: np.ndarray, end: Frontier, before: np.ndarray | None) -> float:
        """Less is better: near, large, and where it was going anyway."""
        loyal = 0.0 if before is None or np.linalg.norm(p - before) > 3.0 else 10.0
        return end.cost - 0.5 * min(end.size, 40) - loyal


def _ahead(route: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The place on a route a few metres on from where it is nearest."""
    at = int(np.argmin(np.linalg.norm(route - p, axis=1)))
    sums = np.cumsum(np.linalg.norm(np.diff(route[at:], axis=0), axis=1))
    return route[min(at + int(np.searchsorted(sums, _AHEAD)) + 1, len(route) - 1)]
