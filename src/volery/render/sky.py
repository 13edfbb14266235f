"""The sky as light: sun, zenith, horizon and haze by time and weather, the same for cameras and for the page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.world.environment import Environment

__all__ = ["Daylight", "daylight"]

_CLEAR_AIR = 1 / 2500.0
"""Extinction on a clear day [1/m]; more than in nature, since haze tells depth."""
_THROUGH = 0.4
"""Share of the light from above that thick clouds let through."""
_DEPTH = {"fog": 100.0, "dust": 500.0, "rain": 1500.0, "snow": 1500.0}
"""How high weather stands over a camera [m]: fog lies on the ground, so the sun comes through where it is thin."""


class Daylight(NamedTuple):
    """Light and air at an instant; colours are linear RGB [3], 1 for a white surface in the sun of a clear noon."""

    sun_W: np.ndarray
    """Unit vector towards the sun, [3]."""
    sun: np.ndarray
    """What a white surface that faces the sun sends back."""
    zenith: np.ndarray
    horizon: np.ndarray
    extinction: float
    """Of visible light [1/m]."""
    cloud: float
    """How much of the sky is hidden by what is in the air, 0 to 1."""


def daylight(environment: Environment, now_ns: int) -> Daylight:
    """Light and air at a time [ns]."""
    light = environment.sky.light(now_ns)
    sun = environment.sky.sun(now_ns).direction
    sigma = environment.weather.extinctions(550.0)
    cloud = float(-np.expm1(-sum(_DEPTH[kind] * value for kind, value in sigma.items())))
    # Droplets send on all the light there is, whatever its colour.
    down = light.sun * max(sun[2], 0.0) + 0.2 * light.horizon + 0.8 * light.zenith
    horizon = light.horizon + cloud * (0.5 * down - light.horizon)
    zenith = light.zenith + cloud * (horizon - light.zenith)
    cover = environment.sky.clouds
    if cover > 0.0:
        # What comes through is without colour, and three times as bright overhead: the CIE's overcast sky.
        through = _THROUGH * float(down.mean())
        zenith = zenith + cover * (1.5 * through - zenith)
        horizon = horizon + cover * (0.5 * through - horizon)
    direct = light.sun * (1.0 - 0.9 * cloud) * (1.0 - 0.98 * cover)
    hidden = 1.0 - (1.0 - cloud) * (1.0 - cover)
    return Daylight(sun, direct, zenith, horizon, _CLEAR_AIR + sum(sigma.values()), hidden)
