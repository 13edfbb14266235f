"""What a task for drones is: where episodes begin, what is observed, what counts. Written once, for n drones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Space

from volery.core.config import Checked, param
from volery.core.geometry import sphere
from volery.core.material import Material
from volery.learn.actions import ActionConfig, Actions
from volery.learn.flock import Flock
from volery.world.world import Placement

__all__ = ["Observations", "Task", "TaskConfig", "Verdict", "box", "fitted"]

Observations = np.ndarray | dict[str, np.ndarray]
"""Of m drones: an array [m, ...], or several by name."""
_GOAL = Material("goal", (0.9, 0.08, 0.03), label="goal", emission=0.6)
_SPEED, _SPIN = 20.0, 30.0
"""Most that is observed [m/s, rad/s]."""


@dataclass(frozen=True)
class TaskConfig(Checked):
    """What all tasks have."""

    robot: str = "x500"
    """A multirotor, by registered name or path."""
    seconds: float = param(10.0, above=0, high=3600.0)
    """An episode is cut off after so long [s]."""
    period: float = param(0.02, low=0.001, high=1.0)
    """Between two actions [s]."""
    physics_step: float = param(0.002, low=1e-4, high=0.02)
    """Longest step of physics, at which autopilots look too [s]."""
    action: ActionConfig = field(default_factory=ActionConfig)
    picture: tuple[int, int] = param((320, 240), low=16, high=4096)
    """Width and height of what `render` gives [pixels]."""

    @property
    def steps(self) -> int:
        """Actions of an episode that is not ended before."""
        return max(round(self.seconds / self.period), 1)


class Verdict(NamedTuple):
    """What a step was worth, for n drones."""

    reward: np.ndarray
    """[n]."""
    terminated: np.ndarray
    """Whether the episode has come to its end by what happened, [n]; so has that of a drone which spins wildly."""
    success: np.ndarray
    """Whether the task is done, [n]."""


class Task(ABC):
    """A task of n drones, each in an episode of its own; subclasses name their Config."""

    Config: ClassVar[type[TaskConfig]] = TaskConfig
    observation_space: Space[Any]
    """Of one drone."""

    def __init__(self, config: Any, flock: Flock) -> None:
        self.config, self.flock = config, flock
        self.actions = Actions(config.action, flock.parameters)
        self.last = np.zeros((len(flock), self.actions.size))
        """The last actions, [n, size]."""

    @classmethod
    @abstractmethod
    def made(cls, config: Any, count: int) -> Task:
        """The task with its world and so many drones."""

    @abstractmethod
    def begin(self, row: int, draw: np.random.Generator) -> None:
        """Put a drone where its next episode begins; all chance comes from `draw`."""

    @abstractmethod
    def arrange(self, rows: np.ndarray) -> None:
        """Some drones have begun: see to what is remembered of them."""

    @abstractmethod
    def observe(self, rows: np.ndarray) -> Observations:
        """What some drones observe now."""

    @abstractmethod
    def judge(self) -> Verdict:
        """What the last step was worth."""

    @abstractmethod
    def goal(self, row: int) -> np.ndarray:
        """Where a drone is to go, for pictures [m], [3]."""

    def props(self, row: int) -> list[Placement]:
        """What a picture shows beside the world and the drone: a ball at the goal."""
        return [Placement.one("goal", sphere(0.12, 16, materials=(_GOAL,)), self.goal(row))]

    def seen_by(self, rows: np.ndarray, *vectors_W: np.ndarray) -> np.ndarray:
        """Vectors in W, [m, 3] each, as some drones see them, in B; behind them the vertical (3), velocity (3) [m/s]
        and angular velocity (3) [rad/s] in B, and the last action; [m, …]."""
        f, up = self.flock, np.broadcast_to([0.0, 0.0, 1.0], (len(rows), 3))
        whole = *vectors_W, up, f.v_WB_W[rows], f.w_WB_W[rows]
        return np.concatenate([*(np.einsum("nji,nj->ni", f.R_WB[rows], a) for a in whole), self.last[rows]], axis=1)

    def space(self, *limits: tuple[int, float]) -> Box:
        """Of numbers with limits as in `box`, and the motion behind them."""
        return box(*limits, (3, 1.0), (3, _SPEED), (3, _SPIN), (self.actions.size, 1.0))


def box(*limits: tuple[int, float]) -> Box:
    """A space of numbers side by side: how many of them, and how large they may be to either side."""
    high = np.concatenate([np.full(count, most, np.float32) for count, most in limits])
    return Box(-high, high, dtype=np.float32)


def fitted(space: Box, values: np.ndarray) -> np.ndarray:
    """Values [m, …] in the space's type and limits."""
    return np.clip(values, space.low, space.high).astype(np.float32)
