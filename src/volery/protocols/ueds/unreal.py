"""Unreal's frames, which clients speak: centimetres, x forward, y right, z up, rotators of pitch, yaw and roll [deg].

Unreal's zero is that of W. A rotator's matrix is S R S with S = diag(1, -1, 1) and R of the same attitude here.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from volery.core.frames import (
    enu_from_unreal,
    matrix_from_quat,
    quat_from_rotator,
    unreal_from_enu,
)
from volery.errors import SimulationError

__all__ = ["mounted", "place_of", "quaternion_of", "rotation_of", "where"]

_FARTHEST = 1e9
"""A place farther from the origin is none [cm]."""


def place_of(location: tuple[float, ...]) -> np.ndarray:
    """A point in W [m] of a location; what is not finite or beyond 10,000 km is refused."""
    if not all(math.isfinite(x) and abs(x) <= _FARTHEST for x in location):
        raise SimulationError(f"{location} is no place")
    return enu_from_unreal(np.array(location))


def where(p_W: np.ndarray) -> tuple[float, float, float]:
    """The location of a point in W [m]."""
    # Adding zero makes -0 of a mirrored zero 0.
    x, y, z = unreal_from_enu(p_W) + 0.0
    return float(x), float(y), float(z)


def quaternion_of(rotator: tuple[float, ...]) -> np.ndarray:
    """Attitude of a drone (x forward, y left, z up) in W, of a rotator; what is not finite is refused."""
    if not all(math.isfinite(x) and abs(x) <= _FARTHEST for x in rotator):
        raise SimulationError(f"{rotator} is no rotation")
    return quat_from_rotator(np.array(rotator))


@lru_cache(maxsize=64)
def rotation_of(rotator: tuple[float, ...]) -> np.ndarray:
    """The same as a matrix [3, 3], not to be written to: sensors keep theirs for a long time."""
    R = matrix_from_quat(quaternion_of(rotator))
    R.flags.writeable = False
    return R


def mounted(X_WB: np.ndarray, offset: tuple[float, ...], rotator: tuple[float, ...]) -> np.ndarray:
    """Pose in W [3, 4] of something on a drone at X_WB: offset [cm] and rotator in the drone's frame, Unreal's."""
    R_WB = X_WB[:, :3]
    p = X_WB[:, 3] + R_WB @ enu_from_unreal(np.array(offset))
    return np.concatenate([R_WB @ rotation_of(rotator), p[:, None]], axis=1)
