"""Where the sun stands by date, time and place, and the colours it gives to light and sky.

Position after Meeus, Astronomical Algorithms, chapters 12, 22 and 25 (low precision, 0.01°, 1950–2050), with refraction
after Sæmundsson. Colours: Beer's law at 680, 550 and 440 nm along Kasten and Young's air mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

import numpy as np

from volery.core.config import Checked, param
from volery.errors import WorldError

__all__ = ["ClearSkyLight", "Sky", "Sun", "sun_position"]

_J2000 = datetime(2000, 1, 1, 12, tzinfo=UTC)
_WAVELENGTH = np.array([0.680, 0.550, 0.440])
"""Of red, green and blue [µm]."""
_RAYLEIGH = 0.00879 * _WAVELENGTH**-4.09
_OZONE = np.array([0.013, 0.029, 0.001])
_SOLAR = np.array([1.0, 1.03, 1.0])
"""Sunlight outside the air, as linear RGB."""
_NIGHT = np.array([4e-6, 5e-6, 8e-6])
"""Starlight and airglow."""


class Sun(NamedTuple):
    """Where the sun is seen."""

    direction: np.ndarray
    """Unit vector towards the sun in W (east, north, up), shape [3]."""
    elevation: float
    """Above the horizon, refraction included [rad]."""
    azimuth: float
    """Clockwise from north [rad], 0 to 2π."""


class ClearSkyLight(NamedTuple):
    """Linear RGB, each [3]; 1 is about the sun's light on a clear noon."""

    sun: np.ndarray
    """Light of the sun on a surface that faces it."""
    zenith: np.ndarray
    """Sky overhead."""
    horizon: np.ndarray
    """Sky just above the horizon."""


@dataclass(frozen=True)
class Sky(Checked):
    """Sun and sky over a place on Earth."""

    start: str = "2024-06-20T10:00:00+00:00"
    """Date and time when the simulation's clock is zero, ISO 8601; without an offset it is UTC."""
    latitude: float = param(48.0, low=-90.0, high=90.0)
    """North [deg]."""
    longitude: float = param(11.0, low=-180.0, high=180.0)
    """East [deg]."""
    haze: float = param(0.08, low=0.0, high=2.0)
    """Optical depth of aerosol at 1 µm: 0.02 very clear, 0.08 usual, 0.3 hazy."""
    clouds: float = param(0.0, low=0.0, high=1.0)
    """Share of the sky that thick clouds cover: 0.5 cloudy, 1 overcast. They dim the sun, grey the sky and take
    shadows away, the same all over."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._start

    @cached_property
    def _start(self) -> datetime:
        try:
            time = datetime.fromisoformat(self.start)
        except ValueError as error:
            raise WorldError(f"sky: start '{self.start}' is not like 2024-06-20T10:00:00+02:00 ({error})") from None
        return time if time.tzinfo else time.replace(tzinfo=UTC)

    def time(self, t_ns: int) -> datetime:
        """What clocks show at a time of the simulation [ns]."""
        try:
            return self._start + timedelta(microseconds=t_ns / 1000)
        except OverflowError:
            raise WorldError(f"sky: {t_ns} ns after {self.start} is beyond the calendar") from None

    def sun(self, t_ns: int) -> Sun:
        """The sun at a time of the simulation [ns]."""
        time = self.time(t_ns)
        azimuth, elevation = sun_position(time, self.latitude, self.longitude)
        flat = np.cos(elevation)
        direction = np.array([flat * np.sin(azimuth), flat * np.cos(azimuth), np.sin(elevation)])
        return Sun(direction, elevation, azimuth)

    def light(self, t_ns: int) -> ClearSkyLight:
        """Colours at a time of the simulation [ns]."""
        return self.light_at(self.sun(t_ns).elevation)

    def light_at(self, elevation: float) -> ClearSkyLight:
        """Colours with the sun at an elevation [rad], from noon through dusk to night."""
        degrees = np.degrees(elevation)
        aerosol = self.haze * _WAVELENGTH**-1.3
        depth = _RAYLEIGH + aerosol + _OZONE
        direct = _SOLAR * np.exp(-depth * _air_mass(degrees))
        # The disc is half a degree wide; below the horizon only the high air is lit, and fades e-fold each 1.7°
        sun = direct * np.clip((degrees + 0.27) / 0.54, 0, 1)
        dusk = np.exp(np.minimum(degrees, 0.0) / 1.7)
        # Overhead shines the air above the haze, at the horizon the reddened light itself
        lit = _SOLAR * np.exp(-0.3 * (_RAYLEIGH + _OZONE) * min(_air_mass(degrees), 12.0))
        bright = dusk * (0.25 + 0.75 * np.sqrt(max(np.sin(elevation), 0.0)))
        zenith = _NIGHT + bright * 0.9 * lit * -np.expm1(-_RAYLEIGH - 0.2 * aerosol)
        horizon = _NIGHT + bright * 0.6 * (0.3 * lit + 0.7 * direct**0.3) * -np.expm1(-10 * _RAYLEIGH - 4 * aerosol)
        return ClearSkyLight(sun, zenith, horizon)


def sun_position(time: datetime, latitude: float, longitude: float) -> tuple[float, float]:
    """Azimuth clockwise from north and apparent elevation of the sun [rad] at a place north and east [deg]."""
    days = (time - _J2000) / timedelta(days=1)
    right_ascension, declination = _equatorial(days)
    sidereal = np.radians((280.46061837 + 360.98564736629 * days) % 360 + longitude)
    hour, north = sidereal - right_ascension, np.radians(latitude)
    up = np.sin(north) * np.sin(declination) + np.cos(north) * np.cos(declination) * np.cos(hour)
    east = -np.cos(declination) * np.sin(hour)
    ahead = np.cos(north) * np.sin(declination) - np.sin(north) * np.cos(declination) * np.cos(hour)
    elevation = np.arctan2(up, np.hypot(east, ahead))
    return float(np.arctan2(east, ahead) % (2 * np.pi)), float(elevation + _refraction(elevation))


def _equatorial(days: float) -> tuple[float, float]:
    """Apparent right ascension and declination [rad], days after J2000."""
    t = (days + 69.2 / 86_400) / 36_525  # terrestrial time runs ahead of UTC
    mean = 280.46646 + 36_000.76983 * t + 0.0003032 * t * t
    m = np.radians(357.52911 + 35_999.05029 * t - 0.0001537 * t * t)
    centre = (1.914602 - 0.004817 * t) * np.sin(m) + 0.019993 * np.sin(2 * m) + 0.000289 * np.sin(3 * m)
    node = np.radians(125.04 - 1934.136 * t)
    longitude = np.radians(mean + centre - 0.00569 - 0.00478 * np.sin(node))
    tilt = np.radians(23.439291 - 0.0130042 * t + 0.00256 * np.cos(node))
    return np.arctan2(np.cos(tilt) * np.sin(longitude), np.cos(longitude)), np.arcsin(np.sin(tilt) * np.sin(longitude))


def _refraction(elevation: float) -> float:
    """How much the air lifts the sun [rad]; fades below the horizon, where nothing is seen."""
    degrees = np.degrees(elevation)
    lifted = 1.02 / np.tan(np.radians(max(degrees, -1.0) + 10.3 / (max(degrees, -1.0) + 5.11)))
    return float(np.radians(max(lifted, 0.0) / 60) * np.clip(1 + (degrees + 1) / 4, 0, 1))


def _air_mass(degrees: float) -> float:
    """Air along the sun's rays as a multiple of that overhead; 38 at the horizon."""
    e = max(degrees, 0.0)
    return float(1 / (np.sin(np.radians(e)) + 0.50572 * (e + 6.07995) ** -1.6364))
