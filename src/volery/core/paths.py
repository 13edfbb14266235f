"""How far places are from a path of straight pieces."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

__all__ = ["distance_to_path"]


def distance_to_path(p: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Distance of points [n, 3] to the nearest place of a path through corners [m, 3], m ≥ 1: [n] [m]."""
    p, way = np.asarray(p, float).reshape(-1, 3), np.asarray(way, float).reshape(-1, 3)
    least = np.linalg.norm(p - way[0], axis=1)
    for a, b in pairwise(way):
        along = b - a
        length = max(float(along @ along), 1e-18)
        share = np.clip((p - a) @ along / length, 0.0, 1.0)
        least = np.minimum(least, np.linalg.norm(p - a - share[:, None] * along, axis=1))
    return least
