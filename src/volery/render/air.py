"""Light and air at an instant, as pictures take them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volery._native import render
from volery.render.sky import daylight
from volery.world.environment import Environment

__all__ = ["Air"]

_SCALE_HEIGHT = 8000.0
"""In which air thins by e [m]."""
_THIN = np.array([1.0, 0.8, 0.45])
"""How red, green and blue overhead go with the air that is left."""
_LOW = 3000.0
"""Below this the sky is that of the ground [m]."""


class Air(NamedTuple):
    """Light and air at an instant; colours are linear RGB [3]."""

    sun_W: np.ndarray
    """Unit vector towards the sun."""
    sun: np.ndarray
    """What a white surface that faces the sun sends back."""
    zenith: np.ndarray
    horizon: np.ndarray
    extinction: float
    """Of visible light [1/m]."""
    cloud: float
    """How much of the sky is hidden by what is in the air, 0 to 1."""
    headlight: float
    """Light of the camera's own lamp at 1 m."""
    pixel_angle: float
    """What a pixel sees of the world [rad], to blur the grain with distance."""
    below: float
    """Share of all air that is below the eye."""

    @staticmethod
    def at(environment: Environment, now_ns: int, headlight: float, pixel_angle: float, height: float) -> Air:
        """Light and air at a time, for an eye at a height [m]."""
        light = daylight(environment, now_ns)
        below = float(-np.expm1(-max(height - _LOW, 0.0) / _SCALE_HEIGHT))
        if below > 0.0:
            # Thin air is bluest: little else than what is scattered once.
            zenith = light.zenith * (1.0 - below) ** _THIN
            light = light._replace(zenith=zenith, extinction=light.extinction * (1.0 - below))
        if environment.scene.dark:
            none = np.zeros(3)
            light = light._replace(sun=none, zenith=none, horizon=none)
        return Air(*light, headlight, pixel_angle, below)

    @property
    def native(self) -> render.Air:
        """As kernels take it."""
        colours: Any = (np.ascontiguousarray(array, np.float64) for array in self[:4])
        return render.Air(*colours, *(float(number) for number in self[4:]))
