"""Places on Earth (WGS84): latitude, longitude and height, Earth-fixed axes, the plane W of a world; GPS orbits.

Geodetic coordinates are [..., 3]: latitude north [rad], longitude east [rad], height above the ellipsoid [m]. ECEF has
z to the north pole and x to 0° N 0° E. All functions are batched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

__all__ = ["FLATTENING", "SEMI_MAJOR", "Origin", "ecef_from_geodetic", "geodetic_from_ecef", "gps_satellites"]

SEMI_MAJOR = 6_378_137.0
"""Equatorial radius [m]."""
FLATTENING = 1 / 298.257223563

_E2 = FLATTENING * (2 - FLATTENING)
_SEMI_MINOR = SEMI_MAJOR * (1 - FLATTENING)
_EP2 = _E2 / (1 - _E2)

_EARTH_RATE = 7.2921151467e-5
_MU = 3.986005e14
_ORBIT = 26_559_710.0
_INCLINATION = np.radians(55.0)
_PLANES, _PER_PLANE = 6, 4
_PHASING = 2
"""Walker pattern 55°: 24/6/2, near the nominal one: 5 or more above 5° from anywhere, at all times."""


def ecef_from_geodetic(geodetic: np.ndarray) -> np.ndarray:
    """Earth-fixed coordinates [m], [..., 3]."""
    latitude, longitude, height = np.moveaxis(np.asarray(geodetic, float), -1, 0)
    s, c = np.sin(latitude), np.cos(latitude)
    across = SEMI_MAJOR / np.sqrt(1 - _E2 * s * s)
    flat = (across + height) * c
    return np.stack([flat * np.cos(longitude), flat * np.sin(longitude), (across * (1 - _E2) + height) * s], axis=-1)


def geodetic_from_ecef(p: np.ndarray) -> np.ndarray:
    """Geodetic coordinates of Earth-fixed ones [m], [..., 3]; right to a micrometre from 1000 km below ground up."""
    x, y, z = np.moveaxis(np.asarray(p, float), -1, 0)
    flat = np.hypot(x, y)
    # Bowring's formula, repeated: each pass gains some five digits
    s, c = z * SEMI_MAJOR, flat * _SEMI_MINOR
    for _ in range(4):
        length = np.hypot(s, c)
        up, out = z + _EP2 * _SEMI_MINOR * (s / length) ** 3, flat - _E2 * SEMI_MAJOR * (c / length) ** 3
        s, c = (1 - FLATTENING) * up, out
    length = np.hypot(up, out)
    s, c = up / length, out / length
    height = flat * c + z * s - SEMI_MAJOR * np.sqrt(1 - _E2 * s * s)
    return np.stack([np.arctan2(up, out), np.arctan2(y, x), height], axis=-1)


@dataclass(frozen=True)
class Origin:
    """Where the world's origin lies on Earth. W is the plane that touches there: x east, y north, z up.

    The Earth curves away from that plane: 10 km out, a place at z = 0 is 7.8 m above the ellipsoid.
    """

    latitude: float
    """North [deg], as in scenarios."""
    longitude: float
    """East [deg]."""
    altitude: float = 0.0
    """Above the ellipsoid [m]."""

    @cached_property
    def p_EW(self) -> np.ndarray:
        """The origin in Earth-fixed axes [m], [3]."""
        return ecef_from_geodetic(np.array([np.radians(self.latitude), np.radians(self.longitude), self.altitude]))

    @cached_property
    def R_EW(self) -> np.ndarray:
        """Turns vectors of W into Earth-fixed ones, [3, 3]."""
        n, e = np.radians(self.latitude), np.radians(self.longitude)
        sn, cn, se, ce = np.sin(n), np.cos(n), np.sin(e), np.cos(e)
        return np.array([[-se, -sn * ce, cn * ce], [ce, -sn * se, cn * se], [0.0, cn, sn]])

    def ecef(self, p_W: np.ndarray) -> np.ndarray:
        """Earth-fixed coordinates [m] of points in W [m], [..., 3]."""
        return self.p_EW + np.asarray(p_W, float) @ self.R_EW.T

    def enu(self, p_E: np.ndarray) -> np.ndarray:
        """Points in W [m] of Earth-fixed ones [m], [..., 3]."""
        return (np.asarray(p_E, float) - self.p_EW) @ self.R_EW

    def geodetic(self, p_W: np.ndarray) -> np.ndarray:
        """Latitude, longitude [rad] and height [m] of points in W [m], [..., 3]."""
        return geodetic_from_ecef(self.ecef(p_W))

    def enu_from_geodetic(self, geodetic: np.ndarray) -> np.ndarray:
        """Points in W [m] of geodetic coordinates, [..., 3]."""
        return self.enu(ecef_from_geodetic(geodetic))


_RISING = np.repeat(np.arange(_PLANES) * 2 * np.pi / _PLANES, _PER_PLANE)
_START = np.tile(np.arange(_PER_PLANE) * 2 * np.pi / _PER_PLANE, _PLANES) + np.repeat(
    np.arange(_PLANES) * 2 * np.pi * _PHASING / (_PLANES * _PER_PLANE), _PER_PLANE
)


def gps_satellites(seconds: float) -> np.ndarray:
    """Earth-fixed positions [m] of 24 GPS satellites on ideal circular orbits, [24, 3], at a time of the run [s]."""
    along = _START + np.sqrt(_MU / _ORBIT**3) * seconds
    node = _RISING - _EARTH_RATE * seconds
    c, s = np.cos(along), np.sin(along)
    flat = s * np.cos(_INCLINATION)
    cn, sn = np.cos(node), np.sin(node)
    return _ORBIT * np.stack([c * cn - flat * sn, c * sn + flat * cn, s * np.sin(_INCLINATION)], axis=-1)
