"""The task of waypoints: through some places in free air, in order, as fast as can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.config import param
from volery.learn.flock import Flock
from volery.learn.hover import rough_start
from volery.learn.task import Task, TaskConfig, Verdict, fitted

__all__ = ["Waypoint", "WaypointConfig"]

_MIDDLE = np.array([0.0, 0.0, 8.0])
_PRIZE = 10.0


@dataclass(frozen=True)
class WaypointConfig(TaskConfig):
    """Parameters of the task."""

    goals: int = param(4, low=1, high=100)
    spread: float = param(3.0, above=0, high=100.0)
    """Places are at most so far from the middle along each axis [m]."""
    near: float = param(0.4, above=0, high=10.0)
    """A place is reached from so far [m]."""
    room: float = param(6.0, above=0, high=200.0)
    """Farther from the middle than this along an axis the episode is lost [m]."""


class Waypoint(Task):
    """Observation [19]: way to the next place (3) and from there to the one after it (3) [m], the vertical (3),
    velocity (3) [m/s], angular velocity (3) [rad/s], all in B; last action (4).

    Reward of a step: metres that the next place came nearer, 10 for each place reached, −10 for leaving the room.
    Success, and the end: the last place is reached."""

    Config: ClassVar = WaypointConfig
    config: WaypointConfig

    def __init__(self, config: WaypointConfig, flock: Flock) -> None:
        super().__init__(config, flock)
        self.observation_space = self.space((6, 2.0 * config.room))
        self.goals = np.zeros((len(flock), config.goals, 3))
        """Places of each drone, [n, goals, 3] [m]."""
        self.number = np.zeros(len(flock), int)
        """The next one of each, [n]."""
        self._off = np.zeros(len(flock))

    @classmethod
    def made(cls, config: WaypointConfig, count: int) -> Waypoint:
        """In free air over level ground."""
        step: dict[str, Any] = {"period": config.period, "step": config.physics_step}
        return cls(config, Flock(count, config.robot, "empty", **step, touch=False))

    def begin(self, row: int, draw: np.random.Generator) -> None:
        """Somewhere in the room, with other places to go to."""
        places = _MIDDLE + draw.uniform(-1.0, 1.0, (self.config.goals + 1, 3)) * self.config.spread
        self.goals[row], self.number[row] = places[1:], 0
        rough_start(self.flock, row, places[0], draw)

    def arrange(self, rows: np.ndarray) -> None:
        """Remember how far it is."""
        self._off[rows] = self._distance()[rows]

    def observe(self, rows: np.ndarray) -> np.ndarray:
        """See the class."""
        goals, last = self.goals[rows], self.config.goals - 1
        here, i = np.arange(len(rows)), np.minimum(self.number[rows], last)
        first, second = goals[here, i], goals[here, np.minimum(i + 1, last)]
        return fitted(self.observation_space, self.seen_by(rows, first - self.flock.p_WB[rows], second - first))

    def judge(self) -> Verdict:
        """See the class."""
        off = self._distance()
        reward, reached = self._off - off, off < self.config.near
        self.number[reached] += 1
        done = self.number >= self.config.goals
        left = (np.abs(self.flock.p_WB - _MIDDLE) > self.config.room).any(axis=1) & ~done
        self._off = self._distance()
        return Verdict(reward + _PRIZE * reached - _PRIZE * left, done | left, done)

    def goal(self, row: int) -> np.ndarray:
        """The next place."""
        return self.goals[row, min(self.number[row], self.config.goals - 1)]

    def _distance(self) -> np.ndarray:
        """To the next place, [n] [m]."""
        here, i = np.arange(len(self.flock)), np.minimum(self.number, self.config.goals - 1)
        return np.linalg.norm(self.goals[here, i] - self.flock.p_WB, axis=1)
