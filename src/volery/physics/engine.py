"""The contract of a physics engine: it owns how some robots move, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.robots.robot import Robot

__all__ = ["Engine", "Velocity"]


@dataclass(frozen=True)
class Velocity:
    """A command: fly or drive at this velocity."""

    v_W: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """[m/s], in W."""
    yaw_rate: float = 0.0
    """About the vertical [rad/s]."""


class Engine(ABC):
    """Moves robots by fixed steps; the same commands give the same bytes."""

    @abstractmethod
    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in, at its present pose; `options` are its `motion` in the scenario."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Let a robot go."""

    @abstractmethod
    def apply(self, name: str, command: Any) -> None:
        """Give a robot a command, valid until the next one."""

    @abstractmethod
    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step and write their new state."""

    @abstractmethod
    def state(self) -> dict:
        """Plain data that `restore` takes back."""

    @abstractmethod
    def restore(self, state: dict) -> None:
        """Continue where `state` was taken; its robots have been added already."""
