"""Seeded gradient noise and integer hashes: pure functions of place, so a world is the same in any order of making.

Own code, not a library: coordinates must stay double precision 100 km from home, where single precision grows steps.
"""

from __future__ import annotations

import numpy as np

from volery._native import core as _native
from volery._native.core import hash_cell, perlin2, perlin3, uniform_cell

__all__ = ["fractal2", "fractal3", "hash_cell", "perlin2", "perlin3", "uniform_cell"]


def fractal2(x: np.ndarray, y: np.ndarray, seed: int, octaves: int = 3, frequency: float = 1.0) -> np.ndarray:
    """Sum of octaves of 2-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    out = np.empty(x.size)
    _native.fractal2(np.ascontiguousarray(x).ravel(), np.ascontiguousarray(y).ravel(), seed, octaves, frequency, out)
    return out.reshape(x.shape)


def fractal3(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, seed: int, octaves: int = 3, frequency: float = 1.0
) -> np.ndarray:
    """Sum of octaves of 3-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    x, y, z = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float), np.asarray(z, float))
    flat_x, flat_y, flat_z = (np.ascontiguousarray(a).ravel() for a in (x, y, z))
    out = np.empty(x.size)
    _native.fractal3(flat_x, flat_y, flat_z, seed, octaves, frequency, out)
    return out.reshape(x.shape)
