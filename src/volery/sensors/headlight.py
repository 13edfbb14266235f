"""A robot's headlight: a device with a state that is told like a reading, and light that cameras see by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.core.config import param
from volery.errors import CommandError
from volery.sensors.controls import control
from volery.sensors.outputs import Output, array_output
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.environment import Spot

__all__ = ["Headlight", "HeadlightConfig"]


@dataclass(frozen=True)
class HeadlightConfig(SensorConfig):
    """Parameters of a headlight."""

    rate: float = param(10.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    light: float = param(4.0, low=0.0, high=1e6)
    """What it throws at its full intensity on a surface 1 m ahead; the noon sun is 1."""
    colour: tuple[float, float, float] = param((1.0, 0.95, 0.85), low=0.0, high=1.0)
    """Linear RGB."""
    cone_deg: float = param(70.0, low=1.0, high=360.0)
    """Whole angle of the cone round the mount's x [deg]; it fades towards the rim."""
    lit: bool = True
    """Whether it shines at the start."""
    intensity: float = param(1.0, low=0.0, high=1.0)
    """Share of the full light at the start."""


class Headlight(Sensor):
    """Reading: lit [1], whether it is switched on; intensity [1], share of its full light, 0 to 1."""

    Config: ClassVar[type[SensorConfig]] = HeadlightConfig
    keeps: ClassVar[tuple[str, ...]] = ("lit", "intensity")
    config: HeadlightConfig

    def prepare(self) -> None:
        """Take the state of the scenario, and enter the lights of the world."""
        self.lit = self.config.lit
        """Whether it is switched on."""
        self.intensity = self.config.intensity
        """Share of its full light, 0 to 1."""
        self.environment.lights.setdefault(self.robot.name, {})[self.name] = self

    @control
    def switch(self, on: bool) -> None:
        """Turn it on or off."""
        self.lit = on

    @control(gesture="switch")
    def toggle(self) -> None:
        """Turn it on if it is off, else off."""
        self.lit = not self.lit

    @control
    def dim(self, intensity: float) -> None:
        """Set the share of its full light, 0 to 1."""
        if not 0.0 <= intensity <= 1.0:
            raise CommandError(f"headlight '{self.name}': an intensity of {intensity} must be 0 to 1")
        self.intensity = intensity

    def spot(self) -> Spot | None:
        """The light it throws now; None if it is off."""
        if not self.lit or self.intensity == 0.0:
            return None
        X, c = self.X_WS, self.config
        light = self.intensity * c.light * np.array(c.colour)
        return Spot(X[:, 3], X[:, 0], light, float(np.cos(np.radians(c.cone_deg) / 2)))

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Its state."""
        return {"lit": np.array([self.lit]), "intensity": np.array([self.intensity])}

    def outputs(self) -> list[Output]:
        """Both arrays as numbers."""
        return [array_output("lit", "series"), array_output("intensity", "series")]
