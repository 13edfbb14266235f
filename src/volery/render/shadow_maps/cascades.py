"""Cascades of shadow maps: of the sun, and of parts of the sky; each with texels that grow with the distance."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from volery._native.render import shadow_map

__all__ = ["SKY", "SUN", "Cascades", "basis_of"]


class Cascades(NamedTuple):
    """A kind of map."""

    texel: float
    """Finest texel [m]; those of each next level are twice as large, and are used twice as far away."""
    channels: int
    most: int
    """Tiles that are kept."""


SUN, SKY = Cascades(shadow_map.SUN_TEXEL, 1, 1200), Cascades(shadow_map.SKY_TEXEL, shadow_map.SKY_CHANNELS, 600)


def basis_of(direction: np.ndarray) -> np.ndarray:
    """Axes of a map that is seen from a direction, [3, 3]; shared, not to be written to."""
    return _basis(*direction.tolist())


@lru_cache(256)
def _basis(x: float, y: float, z: float) -> np.ndarray:
    direction = np.array([x, y, z])
    other = np.array([0.0, 0.0, 1.0]) if abs(z) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(other, direction)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(direction, u), direction])
