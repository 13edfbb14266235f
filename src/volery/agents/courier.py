"""Our own behaviour: sees, remembers, plans, gives way, and climbs over what it cannot get round."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from volery.agents.agent import Agent
from volery.agents.chart import Chart
from volery.agents.evasion import candidates, choose
from volery.agents.events import Delivered, Notice, Returned
from volery.agents.influences import Land, MoveByVelocity, Takeoff

__all__ = ["Courier"]

_SPEED, _CLIMB = 5.0, 1.5
"""Fastest in the plane, and up and down [m/s]."""
_LEVELS, _LOWEST, _BETWEEN = 4, 4.0, 1.5
"""Flight levels over the ground: how many, the lowest, and from one to the next [m]; agents take them in turn."""
_RAISE, _HIGHEST = 3.0, 22.0
"""A drone that does not get on goes higher by so much, and never above that [m]."""
_PATIENCE, _PROGRESS, _CRAWL = 8.0, 1.0, 1.0
"""A drone that has not come nearer for so long [s] by so much [m], and is slower than this [m/s], does not get on."""
_SLAB = 1.25
"""Things as far above and below are in the way [m]."""
_THERE, _SLOW = 0.4, 0.5
"""Over a target within this distance [m] and below this speed [m/s] it goes down."""
_LOW = 1.2
"""From this height over the ground it lands [m]."""
_BODY = 1.3
"""Lidar points as near to where another drone is are that drone [m]."""
_SIGHT, _HEED = 8.0, 15.0
"""Things and others farther away do not matter yet [m]."""
_VIEW = 25.0
"""Range of its lidar [m]."""
_REPLAN = 0.5
"""Least time between two plans [s]."""
_REACH, _EDGE = 160.0, 40.0
"""Of the chart, to each side of its middle, and how near its edge one may come [m]."""


class Courier(Agent):
    """Flies at its own level along a way planned through a chart of all that its lidar has hit; picks the velocity
    nearest to that after which it can still stop in what it sees and meets none of the others, whose notices it hears;
    where there is no way, or it does not get on, it climbs. It lands to deliver."""

    period: ClassVar[float] = 0.1
    lidar: ClassVar[dict[str, Any]] = {
        "type": "lidar", "model": "vlp16", "rate": 10, "elevations_deg": np.linspace(-32.0, 32.0, 9).tolist(),
        "columns": 120, "field_deg": [-180, 180], "min_range": 0.0, "max_range": _VIEW, "motion": False, "start": 0.3,
        "frame": "world", "dense": True,
    }  # fmt: skip

    def __init__(self, name: str, base_W: np.ndarray, rank: int = 0) -> None:
        super().__init__(name, base_W, rank)
        self._chart = Chart(self.base_W, _REACH)
        self._usual = float(self.base_W[2]) + _LOWEST + _BETWEEN * (rank % _LEVELS)
        self._around = np.empty((0, 2, 3))
        """Place [m] and velocity [m/s] of the others whom its lidar may see."""
        self._homeward = False
        self._begin_leg("waits")

    def _begin_leg(self, doing: str) -> None:
        self.doing = doing
        self._level = self._usual
        self._way: np.ndarray | None = None
        self._planned = (-np.inf, -1)
        self._nearest = (np.inf, 0.0)

    def introduce(self) -> None:
        """Pose and velocity."""
        if self.pose is not None and self.kinematics is not None:
            self.words.append(Notice(self.name, self.pose.p_WB, self.kinematics.v_WB_W))

    def decide(self, now: float) -> None:
        """Waits → takes off → climbs → flies → sinks → lands → waits."""
        assert self.state is not None
        self._look()
        if self.state.broken or not (self.errands or self._homeward):
            return
        act = {"waits": self._rise, "takes off": self._rise, "climbs": self._climb, "flies": self._fly,
               "sinks": self._sink, "lands": self._land}  # fmt: skip
        act[self.doing](now)

    @property
    def _goal_W(self) -> np.ndarray:
        return self.base_W if self._homeward else self.errands[0]

    # What it knows

    def _look(self) -> None:
        """Into the chart with what the lidar hit and is no other drone; where it ends a new one begins."""
        assert self.pose is not None
        if not self._chart.covers(self.pose.p_WB, _EDGE):
            self._chart = Chart(np.array([*self.pose.p_WB[:2], self.base_W[2]]), _REACH)
            self._planned = (-np.inf, -1)
        self._around = self._others_within(_VIEW + _BODY)
        cloud, self.cloud = self.cloud, None
        if cloud is not None and len(cloud.points_W):
            self._chart.add(cloud.points_W, self._around[:, 0], _BODY)

    def _others_within(self, reach: float) -> np.ndarray:
        """Place [m] and velocity [m/s] of the others who are as near [m], [k, 2, 3]."""
        assert self.pose is not None
        others = np.array([(o.p_WB, o.v_WB_W) for o in self.others.values()], float).reshape(-1, 2, 3)
        off = others[:, 0] - self.pose.p_WB
        return others[np.einsum("ij,ij->i", off, off) < reach**2]

    # What it does

    def _rise(self, now: float) -> None:
        """From the ground."""
        assert self.state is not None and self.pose is not None
        if self.doing == "waits":
            self._begin_leg("takes off")
            self._place_W = self.pose.p_WB.copy()
            self.wishes.append(Takeoff())
        elif self.pose.p_WB[2] - self._place_W[2] > 1.5:
            self.doing = "climbs"

    def _climb(self, now: float) -> None:
        """Up to its level over the place where it stood."""
        assert self.pose is not None
        p = self.pose.p_WB
        if p[2] > self._level - 0.5:
            self.doing, self._nearest = "flies", (np.inf, now)
            return
        self._move([*(0.8 * (self._place_W - p)[:2]), _CLIMB])

    def _fly(self, now: float) -> None:
        """Along the way to over the goal."""
        assert self.pose is not None and self.kinematics is not None
        p, goal = self.pose.p_WB, self._goal_W
        off = goal[:2] - p[:2]
        far, speed = float(np.hypot(*off)), float(np.linalg.norm(self.kinematics.v_WB_W))
        if far < _THERE and speed < _SLOW:
            self.doing = "sinks"
            return
        if far < self._nearest[0] - _PROGRESS:
            self._nearest = (far, now)
        elif far > 3.0 and self._held_up(now):
            self._go_higher(now)
        corner = self._next_corner(now)
        ahead = corner - p[:2]
        length = max(float(np.hypot(*ahead)), 1e-6)
        fast = min(_SPEED, 0.9 * far, np.sqrt(2.0 * length) + 1.0)
        self._move([*(ahead / length * fast), np.clip(self._level - p[2], -_CLIMB, _CLIMB)])

    def _held_up(self, now: float) -> bool:
        """Whether it does not get on: it hardly moves, or goes a long way round without end."""
        assert self.kinematics is not None
        waited = now - self._nearest[1]
        slow = float(np.hypot(*self.kinematics.v_WB_W[:2])) < _CRAWL
        return waited > 4 * _PATIENCE or (waited > _PATIENCE and slow)

    def _go_higher(self, now: float) -> None:
        self._level = min(self._level + _RAISE, _HIGHEST + _BETWEEN * (self.rank % _LEVELS))
        self._nearest, self._planned = (np.inf, now), (-np.inf, -1)

    def _next_corner(self, now: float) -> np.ndarray:
        """Of the way to the goal, planned anew when the chart has changed or the corner is near, [2] [m]."""
        assert self.pose is not None
        p = self.pose.p_WB
        when, version = self._planned
        near = self._way is not None and len(self._way) > 1 and np.hypot(*(self._way[0] - p[:2])) < 2.0
        if now - when >= _REPLAN and (version != self._chart.version or near or self._way is None):
            level = np.array([p[0], p[1], self._level])
            self._way = self._chart.way(level, self._goal_W, _SLAB)
            self._planned = (now, self._chart.version)
            if not len(self._way):
                self._way = None
                self._go_higher(now)
        return p[:2] if self._way is None else self._way[0]

    def _sink(self, now: float) -> None:
        """Straight down over the goal, until it is low enough to land."""
        assert self.pose is not None
        p, goal = self.pose.p_WB, self._goal_W
        if p[2] - goal[2] < _LOW:
            self.doing = "lands"
            self.wishes.append(Land())
            return
        off = goal[:2] - p[:2]
        if np.hypot(*off) > 2.0:
            self.doing, self._nearest = "flies", (np.inf, now)
            return
        down = np.clip(0.8 * (p[2] - goal[2]), 0.5, _CLIMB) if np.hypot(*off) < 1.0 else 0.0
        self._move([*(0.8 * off), -down])

    def _land(self, now: float) -> None:
        """Once down: put the parcel down, or be home."""
        assert self.state is not None
        if not self.state.landed:
            return
        if self._homeward:
            self.words.append(Returned(self.name))
        else:
            self.words.append(Delivered(self.name, self.errands.popleft()))
        self._homeward = not self._homeward
        self.doing = "waits"

    def _move(self, wish: list[Any] | np.ndarray) -> None:
        """At the best velocity near the wish [m/s] until the next decision, and a little longer lest it be late."""
        assert self.pose is not None and self.kinematics is not None
        p, v, wish = self.pose.p_WB, self.kinematics.v_WB_W, np.asarray(wish, float)
        cells = self._chart.near(p, _SIGHT, 3.0)
        options = candidates(wish, _SPEED)
        off = self._around[:, 0] - p
        others = self._around[np.einsum("ij,ij->i", off, off) < _HEED**2]
        places, speeds = np.ascontiguousarray(others[:, 0]), np.ascontiguousarray(others[:, 1])
        best = choose(p, v, wish, options, cells, places, speeds, float(self.base_W[2]) + 0.8)
        self.wishes.append(MoveByVelocity(options[best], 5 * self.period))
