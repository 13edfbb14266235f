"""Ambient light: parts of the sky that maps look at, as that of the sun does, to know how much of each a place sees."""

from __future__ import annotations

import numpy as np

__all__ = ["sky_directions"]


def sky_directions(count: int) -> np.ndarray:
    """Directions towards parts of the sky that weigh the same on what lies: overhead alone, or a ring at 45°,
    [count, 3]. With four, a wall hides two of them and a corner three."""
    if count == 1:
        return np.array([[0.0, 0.0, 1.0]])
    ring, half = np.arange(count) * (2 * np.pi / count) + 0.4, np.sqrt(0.5)
    return np.stack([np.cos(ring) * half, np.sin(ring) * half, np.full(count, half)], axis=1)
