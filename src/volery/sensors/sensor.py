"""What every sensor shares: the same knobs, the same reading, and one method for a sensor's author to write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from volery.core.clock import Rate
from volery.core.config import Checked, param
from volery.robots.library import Mount
from volery.robots.robot import Robot
from volery.world.scene import Scene

__all__ = ["Reading", "Sensor", "SensorConfig"]


@dataclass(frozen=True)
class SensorConfig(Checked):
    """The knobs all sensors have."""

    rate: float = param(100.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    phase: float = param(0.0, low=0)
    """Time of the first reading [s]."""
    enabled: bool = True
    mount: Mount = field(default_factory=Mount)


@dataclass(frozen=True)
class Reading:
    """What a sensor felt at an instant."""

    stamp_ns: int
    data: dict[str, np.ndarray]


class Sensor(ABC):
    """A sensor on a robot. Subclasses name their Config and write `sense`."""

    Config: ClassVar[type[SensorConfig]] = SensorConfig

    def __init__(
        self, name: str, config: SensorConfig, robot: Robot, scene: Scene, generator: np.random.Generator
    ) -> None:
        self.name = name
        self.config = config
        self.robot = robot
        self.scene = scene
        self.generator = generator
        self.enabled = config.enabled
        self.latest: Reading | None = None
        self._rate = Rate.of(config.rate, config.phase)
        self._body, self._X_BS = config.mount.resolve(robot.description)

    @property
    def X_WS(self) -> np.ndarray:
        """Pose of the sensor in W, [3, 4]."""
        return self.robot.X_WS(self._body, self._X_BS)

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether a reading belongs to the step that ends now."""
        return self.enabled and self._rate.due(now_ns, step_ns)

    def update(self, now_ns: int) -> Reading:
        """Take a reading."""
        self.latest = Reading(now_ns, self.sense(now_ns))
        return self.latest

    @abstractmethod
    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The ideal reading, as named arrays."""

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        latest = None if self.latest is None else {"stamp_ns": self.latest.stamp_ns, "data": dict(self.latest.data)}
        return {"enabled": self.enabled, "latest": latest}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        self.enabled = state["enabled"]
        latest = state["latest"]
        self.latest = None if latest is None else Reading(latest["stamp_ns"], dict(latest["data"]))
