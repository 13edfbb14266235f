"""The kinds of shadow maps, and from which directions they look."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery._native.render import shadow_map

__all__ = ["SKY", "SUN", "Sheet", "basis_of", "sky_directions"]


class Sheet(NamedTuple):
    """A kind of map."""

    texel: float
    """Finest texel [m]; those of each next level are twice as large, and are used twice as far away."""
    channels: int
    most: int
    """Tiles that are kept."""


SUN, SKY = Sheet(shadow_map.SUN_TEXEL, 1, 1200), Sheet(shadow_map.SKY_TEXEL, shadow_map.SKY_CHANNELS, 600)


def sky_directions(count: int) -> np.ndarray:
    """Directions towards parts of the sky that weigh the same on what lies: overhead alone, or a ring at 45°,
    [count, 3]. With four, a wall hides two of them and a corner three."""
    if count == 1:
        return np.array([[0.0, 0.0, 1.0]])
    ring, half = np.arange(count) * (2 * np.pi / count) + 0.4, np.sqrt(0.5)
    return np.stack([np.cos(ring) * half, np.sin(ring) * half, np.full(count, half)], axis=1)


def basis_of(direction: np.ndarray) -> np.ndarray:
    """Axes of a map that is seen from a direction, [3, 3]."""
    other = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(other, direction)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(direction, u), direction])
