"""The air round drones: density by a table that is made once for an atmosphere, and wind where they are."""

from __future__ import annotations

import numpy as np

from volery.world.atmosphere import Atmosphere, geopotential
from volery.world.environment import Environment
from volery.world.wind import Wind

__all__ = ["AmbientAir"]

_HEIGHTS = np.arange(-2000.0, 32_001.0, 50.0)
"""Above the sea [m]; linear between, within 1e-5 of the density; beyond, as at the end."""


class AmbientAir:
    """What an environment's air is like at places; the environment may change while running."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._atmosphere: Atmosphere | None = None
        self._densities = np.zeros(len(_HEIGHTS))
        self._wind: Wind | None = None
        self._calm = False

    def table(self) -> tuple[float, float, np.ndarray]:
        """Lowest height above the sea [m], distance of heights [m], and densities there [kg/m³]; linear between."""
        if self._environment.atmosphere is not self._atmosphere:
            self._atmosphere = self._environment.atmosphere
            self._densities = self._atmosphere.at(geopotential(_HEIGHTS).clip(-2000.0, 32_000.0)).density
        return float(_HEIGHTS[0]), float(_HEIGHTS[1] - _HEIGHTS[0]), self._densities

    def density(self, height: np.ndarray) -> np.ndarray:
        """[kg/m³] at heights above the sea [m]."""
        return np.interp(height, _HEIGHTS, self.table()[2])

    def wind(self, p_W: np.ndarray, now_ns: int) -> np.ndarray:
        """Velocity of the air in W [m/s] at places [n, 3] [m]."""
        wind = self._environment.wind
        if wind is not self._wind:
            self._wind, self._calm = wind, _still(wind)
        return np.zeros((len(p_W), 3)) if self._calm else wind.velocity(p_W, now_ns)


def _still(wind: Wind) -> bool:
    moving = wind.gusts or wind.thermals or wind.thermal_density > 0 or wind.turbulence != "none"
    return not moving and not any(wind.steady)
