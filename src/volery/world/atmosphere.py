"""The air at rest and how rough it is: the standard atmosphere (ISO 2533, to 32 km), turbulence after MIL-F-8785C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from volery.core.config import Checked, param
from volery.errors import WorldError

__all__ = ["AirState", "Atmosphere", "dryden", "geopotential", "von_karman"]

GRAVITY = 9.80665
"""[m/s²]."""
GAS = 287.05287
"""Specific gas constant of dry air [J/(kg·K)]."""
RATIO = 1.4
"""Of specific heats."""
_EARTH = 6_356_766.0
_LOWEST, _HIGHEST = -2000.0, 32_000.0
_FOOT = 0.3048

_WIND_20FT = {"none": 0.0, "light": 7.717, "moderate": 15.433, "severe": 23.150}
"""Wind at 20 ft that goes with each severity [m/s]: 15, 30 and 45 knots."""
_ALOFT_HEIGHT = np.array([1.75e3, 3.75e3, 7.5e3, 15e3, 25e3, 35e3, 45e3, 55e3, 65e3, 75e3, 80e3]) * _FOOT
_ALOFT = {  # figure 7 of the specification [ft/s]: exceeded with probability 1e-2, 1e-3, 1e-5
    "none": np.zeros(11),
    "light": np.array([6.9, 7.4, 6.7, 4.6, 2.7, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "moderate": np.array([9.6, 10.6, 10.1, 8.0, 6.6, 5.0, 4.2, 2.7, 0.0, 0.0, 0.0]),
    "severe": np.array([17.6, 23.0, 23.6, 22.1, 20.0, 16.0, 15.1, 12.1, 7.9, 6.2, 5.1]),
}


class AirState(NamedTuple):
    """The state of the air at some heights; each of the shape of the heights."""

    temperature: np.ndarray
    """[K]."""
    pressure: np.ndarray
    """[Pa]."""
    density: np.ndarray
    """[kg/m³]."""
    sound_speed: np.ndarray
    """[m/s]."""


@dataclass(frozen=True)
class Atmosphere(Checked):
    """The standard atmosphere, or one that is warmer or under another pressure."""

    sea_level_pressure: float = param(101_325.0, low=80_000.0, high=120_000.0)
    """[Pa]."""
    temperature_offset: float = param(0.0, low=-80.0, high=60.0)
    """Warmer than standard at every height by this [K]; pressure stays that of the standard column."""

    def at(self, height: np.ndarray | float) -> AirState:
        """The air at geopotential heights above the sea, −2 to 32 km [m]; see `geopotential` for geometric ones."""
        h = np.asarray(height, np.float64)
        if not ((h >= _LOWEST) & (h <= _HIGHEST)).all():
            raise WorldError(f"atmosphere: a height is outside {_LOWEST:g} to {_HIGHEST:g} m, or NaN")
        # Three layers: falling 6.5 K/km, constant from 11 km, rising 1 K/km from 20 km
        low, mid, top = np.minimum(h, 11e3), np.clip(h - 11e3, 0, 9e3), np.maximum(h - 20e3, 0)
        standard = 288.15 - 0.0065 * low + 0.001 * top
        pressure = self.sea_level_pressure * ((288.15 - 0.0065 * low) / 288.15) ** (GRAVITY / (GAS * 0.0065))
        pressure = pressure * np.exp(-GRAVITY * mid / (GAS * 216.65))
        pressure = pressure * (1 + 0.001 * top / 216.65) ** (-GRAVITY / (GAS * 0.001))
        temperature = standard + self.temperature_offset
        return AirState(temperature, pressure, pressure / (GAS * temperature), np.sqrt(RATIO * GAS * temperature))


def geopotential(z: np.ndarray | float) -> np.ndarray:
    """Geopotential height [m] of a geometric height above the sea [m]: gravity weakens, 63 m less at 20 km."""
    z = np.asarray(z, np.float64)
    return _EARTH * z / (_EARTH + z)


def dryden(height: np.ndarray | float, severity: str) -> tuple[np.ndarray, np.ndarray]:
    """Strengths σ [m/s] and scales L [m] of turbulence, each [n, 2] (level, vertical), at heights above ground [m].

    MIL-F-8785C: the low-altitude model up to 1000 ft, the medium/high-altitude one from 2000 ft, linear between.
    MIL-HDBK-1797 halves the scales across and doubles them in its formulas: the same spectra.
    """
    return _rough(height, severity, 1750 * _FOOT)


def von_karman(height: np.ndarray | float, severity: str) -> tuple[np.ndarray, np.ndarray]:
    """The same for von Kármán's form: from 2000 ft its scale is 2500 ft; Dryden's is 1750 ft."""
    return _rough(height, severity, 2500 * _FOOT)


def _rough(height: np.ndarray | float, severity: str, far_scale: float) -> tuple[np.ndarray, np.ndarray]:
    h = np.atleast_1d(np.asarray(height, np.float64))
    low = np.clip(h, 10 * _FOOT, 1000 * _FOOT)
    bend = 0.177 + 0.000823 * low / _FOOT
    near_sigma = 0.1 * _WIND_20FT[severity] * np.stack([bend**-0.4, np.ones_like(bend)], axis=1)
    near_scale = low[:, None] * np.stack([bend**-1.2, np.ones_like(bend)], axis=1)
    far_sigma = np.interp(h, _ALOFT_HEIGHT, _ALOFT[severity] * _FOOT)[:, None]
    share = np.clip(h / (1000 * _FOOT) - 1, 0, 1)[:, None]
    return near_sigma + share * (far_sigma - near_sigma), near_scale + share * (far_scale - near_scale)
