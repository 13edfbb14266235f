"""The air round drones: density by a table that is made once for an atmosphere, and wind where they are."""

from __future__ import annotations

import numpy as np

from volery.world.atmosphere import Atmosphere, geopotential
from volery.world.environment import Environment

__all__ = ["Air"]

_HEIGHTS = np.arange(-2000.0, 32_001.0, 50.0)
"""Above the sea [m]; linear between, within 1e-5 of the density; beyond, as at the end."""


class Air:
    """What an environment's air is like at places; the environment may change while running."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._atmosphere: Atmosphere | None = None
        self._densities = np.zeros(len(_HEIGHTS))

    def density(self, height: np.ndarray) -> np.ndarray:
        """[kg/m³] at heights above the sea [m]."""
        if self._environment.atmosphere is not self._atmosphere:
            self._atmosphere = self._environment.atmosphere
            self._densities = self._atmosphere.at(geopotential(_HEIGHTS).clip(-2000.0, 32_000.0)).density
        return np.interp(height, _HEIGHTS, self._densities)

    def wind(self, p_W: np.ndarray, now_ns: int) -> np.ndarray:
        """Velocity of the air in W [m/s] at places [n, 3] [m]."""
        return self._environment.wind.velocity(p_W, now_ns)
