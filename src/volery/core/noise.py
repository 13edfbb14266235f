"""Seeded gradient noise and integer hashes: pure functions of place, so a world is the same in any order of making.

Own code, not a library: coordinates must stay double precision 100 km from home, where single precision grows steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from volery._native import core as _native
from volery._native.core import hash_cell, perlin2, perlin3, uniform_cell

__all__ = ["fractal2", "fractal3", "hash_cell", "perlin2", "perlin3", "uniform_cell"]


def fractal2(x: ArrayLike, y: ArrayLike, seed: int, octaves: int = 3, frequency: float = 1.0) -> np.ndarray:
    """Sum of octaves of 2-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    all_x, all_y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    out = np.empty(all_x.size)
    flat_x, flat_y = (np.ascontiguousarray(a).ravel() for a in (all_x, all_y))
    _native.fractal2(flat_x, flat_y, seed, octaves, frequency, out)
    return out.reshape(all_x.shape)


def fractal3(
    x: ArrayLike, y: ArrayLike, z: ArrayLike, seed: int, octaves: int = 3, frequency: float = 1.0
) -> np.ndarray:
    """Sum of octaves of 3-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    every = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float), np.asarray(z, float))
    flat_x, flat_y, flat_z = (np.ascontiguousarray(a).ravel() for a in every)
    out = np.empty(flat_x.size)
    _native.fractal3(flat_x, flat_y, flat_z, seed, octaves, frequency, out)
    return out.reshape(every[0].shape)
