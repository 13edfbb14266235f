"""The cave's rock: a density field carved by capsules and roughened by noise, and its surface by marching cubes.

The density is about the distance to the rock, positive in free space [m]. A capsule acts only as far as `BAND` beyond
its wall, and capsules are always joined in the same order, so a point gets the same value, to the bit, from every chunk
that knows the capsules near it: chunks meet without gaps, and so do normals, which are the density's gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numba as nb
import numpy as np

from volery.core.noise import perlin3
from volery.world.generate.cave_paths import FLOOR

__all__ = ["BAND", "Field", "march"]

BAND = 2.5
"""Density is known this far from the surface; deeper in the rock it is -BAND [m]."""
_BLEND = 0.8
"""Two tunnels closer than this are joined smoothly [m]."""
_ROUGH = 0.3
"""Amplitude of the rock noise over the tunnel's radius; less than FLOOR, so the axis stays free."""
_BLOCK = 4.0
"""Edge of the blocks by which capsules are found [m]."""
_WAVE = 5.5
"""Longest wave of the rock noise [m]."""


@nb.njit(cache=True, nogil=True)
def _room(x: float, y: float, z: float, c: np.ndarray) -> tuple[float, float]:
    """Distance into one capsule with a flat floor, and the amplitude of noise on its wall [m]."""
    ux, uy, uz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    dx, dy, dz = x - c[0], y - c[1], z - c[2]
    t = min(max((dx * ux + dy * uy + dz * uz) / (ux * ux + uy * uy + uz * uz + 1e-12), 0.0), 1.0)
    dx, dy, dz = dx - t * ux, dy - t * uy, dz - t * uz
    r = c[6] + t * (c[7] - c[6])
    wall = r - math.sqrt((dx * dx + dy * dy) / (c[8] * c[8]) + dz * dz)
    floor = FLOOR * r + dz
    k = 0.3 * r
    h = max(k - abs(wall - floor), 0.0) / k
    flat = min(max(0.5 + (wall - floor) / r, 0.0), 1.0)
    return min(wall, floor) - 0.25 * h * h * k, _ROUGH * r * (1.0 - 0.65 * flat)


@nb.njit(cache=True, nogil=True)
def _carve(x: float, y: float, z: float, capsules: np.ndarray, near: np.ndarray) -> tuple[float, float]:
    """Smooth union of the capsules listed in `near`, and the amplitude of noise there [m]."""
    s, amplitude = -BAND, 0.0
    for n in near:
        b, a = _room(x, y, z, capsules[n])
        h = min(max(0.5 + 0.5 * (b - s) / _BLEND, 0.0), 1.0)
        if h > 0.0:
            s = s + h * (b - s) + _BLEND * h * (1.0 - h)
            amplitude += h * (a - amplitude)
    return s, amplitude


@nb.njit(cache=True, nogil=True)
def _rock(x: float, y: float, z: float, s: float, amplitude: float, seed: int) -> float:
    """Density: the carved room with noise on its walls, fading away from them; flat waves look like strata [m]."""
    fade = 1.0 - (s / BAND) ** 2
    if fade <= 0.0:
        return s
    x, y, z = x / _WAVE, y / _WAVE, 1.7 * z / _WAVE
    noise = perlin3(x, y, z, seed) + 0.5 * perlin3(2.1 * x, 2.1 * y, 2.1 * z, seed + 1)
    noise += 0.25 * perlin3(4.3 * x, 4.3 * y, 4.3 * z, seed + 2)
    return s + amplitude * fade * noise / 1.75


@nb.njit(cache=True, nogil=True)
def _density(p: np.ndarray, field: tuple) -> float:
    """Density at a point p [m]; field as of Field.data."""
    capsules, starts, items, low, seed = field
    i, j, k = int((p[0] - low[0]) // _BLOCK), int((p[1] - low[1]) // _BLOCK), int((p[2] - low[2]) // _BLOCK)
    nx, ny, nz = starts.shape[0], starts.shape[1], starts.shape[2] - 1
    if i < 0 or j < 0 or k < 0 or i >= nx or j >= ny or k >= nz:
        return -BAND
    s, amplitude = _carve(p[0], p[1], p[2], capsules, items[starts[i, j, k] : starts[i, j, k + 1]])
    return _rock(p[0], p[1], p[2], s, amplitude, seed)
