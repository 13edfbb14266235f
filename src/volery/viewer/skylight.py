"""Sun, sky, air and wind for the page, as our cameras see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.errors import SimulationError
from volery.render.sky import daylight
from volery.viewer.messages import PageLight, PageSky, PageSun, PageWeather, PageWind
from volery.world.environment import Environment

__all__ = ["sky_message", "wind_at"]

_MOST_POINTS = 500
_FARTHEST = 1e7
"""From home [m]."""


def sky_message(environment: Environment, now_ns: int) -> PageSky:
    """The `sky` message of a time [ns]; what robots' cameras see as daylight."""
    light, weather = daylight(environment, now_ns), environment.weather
    return PageSky(
        sun=PageSun(light.sun_W.tolist()),
        light=PageLight(light.sun.tolist(), light.zenith.tolist(), light.horizon.tolist()),
        cloud=light.cloud,
        extinction=light.extinction,
        weather=PageWeather(weather.fog, weather.rain, weather.snow, weather.dust),
        wind=PageWind(environment.wind.steady),
    )


def wind_at(environment: Environment, now_ns: int, points: Any) -> list[list[float]]:
    """Velocity of the air [m/s] at points in W [[x, y, z], …] [m] and a time [ns]; any thread may ask."""
    try:
        p = np.array(points, float).reshape(-1, 3) if len(points) else np.zeros((0, 3))
    except (TypeError, ValueError):
        raise SimulationError("wind: points must be a list of [x, y, z]") from None
    if len(p) > _MOST_POINTS or not (np.abs(p) < _FARTHEST).all():
        raise SimulationError(f"wind: {len(p)} points; at most {_MOST_POINTS}, each of three finite numbers")
    return environment.wind.velocity(p, now_ns).tolist() if len(p) else []
