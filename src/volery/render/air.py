"""Light and air at an instant, as pictures take them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volery._native import render
from volery.render.sky import daylight
from volery.world.environment import Environment

__all__ = ["Air"]


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

    @staticmethod
    def at(environment: Environment, now_ns: int, headlight: float, pixel_angle: float) -> Air:
        """Light and air at a time."""
        light = daylight(environment, now_ns)
        if environment.scene.dark:
            none = np.zeros(3)
            light = light._replace(sun=none, zenith=none, horizon=none)
        return Air(*light, headlight, pixel_angle)

    @property
    def native(self) -> render.Air:
        """As kernels take it."""
        colours: Any = (np.ascontiguousarray(array, np.float64) for array in self[:4])
        return render.Air(*colours, *(float(number) for number in self[4:]))
