"""The task of hovering: from a bad start to a place in free air, and to stay there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.config import param
from volery.core.frames import quat_from_euler
from volery.learn.flock import Flock
from volery.learn.task import Task, TaskConfig, Verdict, fitted

__all__ = ["Hover", "HoverConfig", "rough_start"]

_TARGET = np.array([0.0, 0.0, 5.0])
_NEAR = 0.2
"""From so near the drone hovers [m]."""


@dataclass(frozen=True)
class HoverConfig(TaskConfig):
    """Parameters of the task."""

    start: float = param(1.0, low=0.0, high=10.0)
    """Episodes begin at most so far from the target along each axis [m]."""
    room: float = param(3.0, above=0, high=100.0)
    """Farther from the target than this the episode is lost [m]."""


class Hover(Task):
    """Observation [16]: way to the target (3) [m], the vertical (3), velocity (3) [m/s], angular velocity (3) [rad/s],
    all in B; last action (4). Where the nose points to is no part of the task.

    Reward of a step: 1 / (1 + 4·e²) − 0.02·|w|, e the distance to the target [m], w the angular velocity [rad/s]; so a
    perfect episode is worth as much as it has steps. Lost: farther than `room` from the target. Success: nearer
    than 0.2 m."""

    Config: ClassVar = HoverConfig
    config: HoverConfig

    def __init__(self, config: HoverConfig, flock: Flock) -> None:
        super().__init__(config, flock)
        self.observation_space = self.space((3, config.room + 1.0))

    @classmethod
    def made(cls, config: HoverConfig, count: int) -> Hover:
        """In free air over level ground."""
        step: dict[str, Any] = {"period": config.period, "step": config.physics_step}
        return cls(config, Flock(count, config.robot, "empty", **step, touch=False))

    def begin(self, row: int, draw: np.random.Generator) -> None:
        """Somewhere near, tilted, turned and moving."""
        rough_start(self.flock, row, _TARGET + draw.uniform(-1.0, 1.0, 3) * self.config.start, draw)

    def arrange(self, rows: np.ndarray) -> None:
        """Nothing is remembered."""

    def observe(self, rows: np.ndarray) -> np.ndarray:
        """See the class."""
        return fitted(self.observation_space, self.seen_by(rows, _TARGET - self.flock.p_WB[rows]))

    def judge(self) -> Verdict:
        """See the class."""
        off = np.linalg.norm(_TARGET - self.flock.p_WB, axis=1)
        turning = np.linalg.norm(self.flock.w_WB_W, axis=1)
        return Verdict(1.0 / (1.0 + 4.0 * off**2) - 0.02 * turning, off > self.config.room, off < _NEAR)

    def goal(self, row: int) -> np.ndarray:
        """The target."""
        return _TARGET


def rough_start(flock: Flock, row: int, p_WB: np.ndarray, draw: np.random.Generator) -> None:
    """Place a drone tilted by up to 0.3 rad, turned anyhow, at up to 0.5 m/s and 0.5 rad/s along each axis."""
    attitude = draw.uniform(-1.0, 1.0, 3) * [0.3, 0.3, np.pi]
    v, w = draw.uniform(-0.5, 0.5, (2, 3))
    flock.place(row, p_WB, quat_from_euler(attitude), v, w)
