"""Who goes where: each robot of a team to the nearest place that nobody has looked at and no other goes to."""

from __future__ import annotations

import numpy as np

from volery._native.autonomy import smoothed, straightened
from volery.autonomy.clearance import ClearanceMap
from volery.autonomy.frontiers import Frontier, TravelCosts, frontiers, reachable
from volery.autonomy.rescue.ground import GroundMap
from volery.autonomy.rescue.localisation import shared_walls
from volery.autonomy.rescue.robot import Rescuer
from volery.autonomy.rescue.victims import Claims
from volery.core.clock import nanoseconds
from volery.sim import Simulation

__all__ = ["Team"]

_EVERY = 0.6
"""A robot chooses anew so often [s]."""
_LEAST = 2
"""Ends of fewer cells are not worth a visit."""
_THERE = 0.35
"""An end has been visited from so near [m]."""
_CROWD = 2.0
"""Ends so near to where another robot is bound for are left to it, if there are others [m]."""
_PATIENCE = 45.0
"""An end that was not reached in this time is given up [s]."""
_UNBARRED = 0.9
"""What was barred so near is tried again by a robot that has nowhere to go [m]."""
_AGAIN = 3
"""Everything that was barred or given up is tried again so often, when nobody has anywhere to go."""
_BEHIND = 1.2
"""A robot that follows another stays so far behind [m]: a lane's width."""
_HOME = 0.7
"""A robot so near to a place to stay is there [m]."""
_LAST = 4.0
"""The last of the way home may lead so far over ground that nobody mapped: it began outside [m]."""
_NO_WAY = 1e29
"""Cells that cost more cannot be got to."""
_GONE = 0.5
"""Nor is one tried within so much of it [m]."""


class Team:
    """Robots that share a map and what they found, over a radio that never fails."""

    def __init__(self, low_W: np.ndarray, high_W: np.ndarray, climbs: float) -> None:
        """low_W, high_W [2]: corners of the area to search [m]; climbs: what its robots climb [m]."""
        self.ground = GroundMap(low_W, high_W, reach=4.0, climbs=climbs)
        self.walls = shared_walls()
        self.claims = Claims()
        self.robots: list[Rescuer] = []
        self.left = 0
        """Ends that remain, when last looked at."""
        self._goals: dict[str, tuple[np.ndarray, float]] = {}
        """By robot: where it is bound for [2] [m], and since when [s]."""
        self._gone: list[np.ndarray] = []
        self._recalled = False
        self._homes: dict[str, np.ndarray] = {}
        """By robot that has come back: the place it has taken [m]."""
        self._again = _AGAIN
        """How often what was given up will be tried once more."""
        self.idle: dict[str, bool] = {}
        """By robot: whether there was nowhere to go, when last looked at."""

    def others(self, robot: Rescuer) -> list[Rescuer]:
        """All but one."""
        return [r for r in self.robots if r is not robot]

    def __call__(self, simulation: Simulation) -> None:
        """Send robots on; each in a step of its own."""
        every = nanoseconds(_EVERY) // simulation.clock.step_ns
        for n, robot in enumerate(self.robots):
            due = simulation.clock.steps % every == (n * every) // len(self.robots)
            if due and simulation.clock.now >= robot.ready_at and not robot.busy:
                self._send(robot, simulation.clock.now)

    def recall(self) -> None:
        """Have all robots come back to where they began."""
        self._recalled = True
        self._goals.clear()

    def home(self, robot: Rescuer) -> bool:
        """Whether a robot has come back and taken a place."""
        return robot.name in self._homes

    def _place_at_home(self) -> np.ndarray:
        """The place [m] farthest from the door that is not taken, where the last one set out: so nobody who is back
        stands in the others' way."""
        taken = list(self._homes.values())
        places = [r.path[0] for r in reversed(self.robots)]
        return next(p for p in places if not any(p is t for t in taken))

    def _send_home(self, robot: Rescuer) -> None:
        """The way to the reachable place that is nearest to its home."""
        if robot.lies or self.home(robot):
            robot.route = None
            return
        place = self._place_at_home()
        home = place[:2]
        if np.linalg.norm(robot.p_WB[:2] - home) < _HOME:
            self._homes[robot.name], robot.route = place, None
            return
        others = [o.p_WB for o in self.others(robot)]
        terrain = self.ground.terrain(others, squeeze=True)
        start = np.array([*self.ground.index(robot.p_WB[None])[0], 1])
        reach = reachable(terrain, np.clip(start, 0, np.array(terrain.price.shape) - 1))
        cells = np.argwhere(reach.cost[:, :, 1] < _NO_WAY)
        if len(cells) == 0:
            self.ground.unbar(robot.p_WB, _UNBARRED)
            return
        middles = terrain.window.middle(np.column_stack([cells, np.ones(len(cells), int)]))[:, :2]
        off = np.linalg.norm(middles - home, axis=1)
        best = int(np.argmin(off))
        cell = np.array([*cells[best], 1])
        way = _way(terrain, reach, Frontier(cell, float(off[best]), 1))
        robot.route = np.vstack([way, home]) if off[best] < _LAST else way

    def _send(self, robot: Rescuer, now: float) -> None:
        p = robot.p_WB
        if self._recalled:
            self._send_home(robot)
            return
        if robot.lies:
            self.idle[robot.name] = True
            self._goals.pop(robot.name, None)
            return
        self._settle(robot, p[:2], now)
        if robot.busy:
            return
        others = [o.p_WB for o in self.others(robot)]
        for squeeze, follows in ((False, False), (True, False), (False, True)):
            terrain = self.ground.terrain([] if follows else others, squeeze)
            start = np.array([*self.ground.index(p[None])[0], 1])
            reach = reachable(terrain, np.clip(start, 0, np.array(terrain.price.shape) - 1))
            ends = self._ends(terrain, reach)
            if ends:
                break
        self.left = len(ends)
        self.idle[robot.name] = not ends
        if not ends:
            # It may have barred its own way out
            self.ground.unbar(p, _UNBARRED)
            robot.route = None
            self._goals.pop(robot.name, None)
            self._try_again()
            return
        end = min(ends, key=lambda e: self._worth(robot, e, terrain))
        if follows:
            # All that is left lies beyond another robot, which sees to it; it comes after, to where lanes part.
            self._goals.pop(robot.name, None)
            robot.route = _behind(_way(terrain, reach, end), others)
            return
        at = terrain.window.middle(end.cell)[:2]
        before = self._goals.get(robot.name)
        same = before is not None and np.linalg.norm(before[0] - at) < _THERE
        self._goals[robot.name] = (at, before[1] if same and before else now)
        robot.route = _way(terrain, reach, end)

    def _try_again(self) -> None:
        """If nobody has anywhere to go, what was barred or given up may be got to from elsewhere now."""
        if self._again and len(self.idle) == len(self.robots) and all(self.idle.values()):
            self._gone, self._again = [], self._again - 1
            self.ground.unbar(np.zeros(2), np.inf)

    def _settle(self, robot: Rescuer, p: np.ndarray, now: float) -> None:
        """Look round where it was bound for; what stays unseen from there is given up, and what takes too long."""
        if robot.name not in self._goals:
            return
        goal, since = self._goals[robot.name]
        if np.linalg.norm(goal - p) < _THERE:
            robot.look_round()
        elif now - since < _PATIENCE:
            return
        self._gone.append(goal)
        del self._goals[robot.name]

    def _ends(self, terrain: ClearanceMap, reach: TravelCosts) -> list[Frontier]:
        low, high = self.ground.index(np.array([self.ground.low, self.ground.high]))
        found = frontiers(self.ground.unlooked(terrain), reach, np.array([*low, 1]), np.array([*high, 2]), _LEAST)
        middles = [terrain.window.middle(f.cell)[:2] for f in found]
        return [
            f for f, m in zip(found, middles, strict=True) if all(np.linalg.norm(m - g) > _GONE for g in self._gone)
        ]

    def _worth(self, robot: Rescuer, end: Frontier, terrain: ClearanceMap) -> float:
        """Less is better: near, large, where it was going anyway, and where no other robot goes."""
        at = terrain.window.middle(end.cell)[:2]
        own = self._goals.get(robot.name)
        loyal = 12.0 if own is not None and np.linalg.norm(own[0] - at) < 0.7 else 0.0
        taken = any(n != robot.name and np.linalg.norm(g - at) < _CROWD for n, (g, _) in self._goals.items())
        return end.cost - 0.5 * min(end.size, 20) - loyal + (40.0 if taken else 0.0)


def _behind(way: np.ndarray, others_W: list[np.ndarray]) -> np.ndarray | None:
    """A way [n, 2] up to where it comes near to others [m]; None if that is at once."""
    gap = np.min([np.linalg.norm(way - p[:2], axis=1) for p in others_W], axis=0)
    free = int(np.argmax(gap < _BEHIND)) if (gap < _BEHIND).any() else len(way)
    return way[:free] if free > 1 else None


def _way(terrain: ClearanceMap, reach: TravelCosts, end: Frontier) -> np.ndarray:
    """Places on the way to an end, [n, 2] [m]."""
    cells = reach.route(end.cell).astype(float)
    cells[:, 2] = 1.0
    if len(cells) > 2:
        cells = smoothed(terrain.price, straightened(terrain.price, cells), 1.0, 1)
    return terrain.window.middle(cells)[:, :2]
