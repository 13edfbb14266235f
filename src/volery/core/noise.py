"""Seeded gradient noise and integer hashes: pure functions of place, so a world is the same in any order of making.

Own code, not a library: coordinates must stay double precision 100 km from home, where single precision grows steps.
"""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["fractal2", "fractal3", "hash_cell", "perlin2", "perlin3", "uniform_cell"]


@nb.njit("uint64(uint64)", cache=True, nogil=True, inline="always")
def _mix(h: int) -> int:
    """The finaliser of splitmix64: every input bit reaches every output bit."""
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@nb.njit("uint64(int64, int64, int64, int64)", cache=True, nogil=True)
def hash_cell(seed: int, i: int, j: int, k: int) -> int:
    """64 random bits that belong to an integer cell and a seed."""
    h = _mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    h = _mix(h ^ (np.uint64(i) * np.uint64(0xD6E8FEB86659FD93)))
    h = _mix(h ^ (np.uint64(j) * np.uint64(0xA0761D6478BD642F)))
    return _mix(h ^ (np.uint64(k) * np.uint64(0xE7037ED1A0B428DB)))


@nb.njit("float64(int64, int64, int64, int64)", cache=True, nogil=True)
def uniform_cell(seed: int, i: int, j: int, k: int) -> float:
    """A number in [0, 1) that belongs to an integer cell and a seed."""
    return (hash_cell(seed, i, j, k) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@nb.njit("float64(float64)", cache=True, nogil=True, inline="always")
def _fade(t: float) -> float:
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


_COMPASS = np.column_stack([np.cos(np.arange(256) * (np.pi / 128)), np.sin(np.arange(256) * (np.pi / 128))])
"""Directions of the plane all round; looked up, since sines would take most of the time."""


@nb.njit("float64(int64, int64, int64, float64, float64)", cache=True, nogil=True)
def _gradient2(seed: int, i: int, j: int, x: float, y: float) -> float:
    h = hash_cell(seed, i, j, 0) & np.uint64(255)
    return _COMPASS[h, 0] * x + _COMPASS[h, 1] * y


@nb.njit("float64(float64, float64, int64)", cache=True, nogil=True)
def perlin2(x: float, y: float, seed: int) -> float:
    """Perlin noise of the plane: smooth, zero at whole numbers, within ±0.71."""
    i, j = int(np.floor(x)), int(np.floor(y))
    fx, fy = x - i, y - j
    u, v = _fade(fx), _fade(fy)
    a = _gradient2(seed, i, j, fx, fy)
    b = _gradient2(seed, i + 1, j, fx - 1, fy)
    c = _gradient2(seed, i, j + 1, fx, fy - 1)
    d = _gradient2(seed, i + 1, j + 1, fx - 1, fy - 1)
    ab, cd = a + u * (b - a), c + u * (d - c)
    return ab + v * (cd - ab)


_EDGES = np.array(
    [
        *[[1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0], [1, 0, 1], [-1, 0, 1], [1, 0, -1], [-1, 0, -1]],
        *[[0, 1, 1], [0, -1, 1], [0, 1, -1], [0, -1, -1], [1, 1, 0], [0, -1, 1], [-1, 1, 0], [0, -1, -1]],
    ],
    float,
)
"""The twelve edge directions of a cube, four of them twice, after Perlin 2002."""


@nb.njit("float64(int64, int64, int64, int64, float64, float64, float64)", cache=True, nogil=True)
def _gradient3(seed: int, i: int, j: int, k: int, x: float, y: float, z: float) -> float:
    """One of the edge directions by table: branches on a hash are guessed wrong half of the time."""
    h = hash_cell(seed, i, j, k) & np.uint64(15)
    return _EDGES[h, 0] * x + _EDGES[h, 1] * y + _EDGES[h, 2] * z


@nb.njit("float64(float64, float64, float64, int64)", cache=True, nogil=True)
def perlin3(x: float, y: float, z: float, seed: int) -> float:
    """Perlin noise of space: smooth, zero at whole numbers, within ±1."""
    i, j, k = int(np.floor(x)), int(np.floor(y)), int(np.floor(z))
    fx, fy, fz = x - i, y - j, z - k
    u, v, w = _fade(fx), _fade(fy), _fade(fz)
    low = high = 0.0
    for dk in range(2):
        a = _gradient3(seed, i, j, k + dk, fx, fy, fz - dk)
        b = _gradient3(seed, i + 1, j, k + dk, fx - 1, fy, fz - dk)
        c = _gradient3(seed, i, j + 1, k + dk, fx, fy - 1, fz - dk)
        d = _gradient3(seed, i + 1, j + 1, k + dk, fx - 1, fy - 1, fz - dk)
        ab, cd = a + u * (b - a), c + u * (d - c)
        low, high = (ab + v * (cd - ab), high) if dk == 0 else (low, ab + v * (cd - ab))
    return low + w * (high - low)


@nb.njit("void(float64[::1], float64[::1], int64, int64, float64, float64[::1])", cache=True, nogil=True)
def _fractal2(x: np.ndarray, y: np.ndarray, seed: int, octaves: int, frequency: float, out: np.ndarray) -> None:
    for n in range(len(x)):
        total, weight, f = 0.0, 1.0, frequency
        for octave in range(octaves):
            total += weight * perlin2(x[n] * f, y[n] * f, seed + octave)
            weight *= 0.5
            f *= 2.0
        out[n] = total


@nb.njit("void(float64[::1], float64[::1], float64[::1], int64, int64, float64, float64[::1])", cache=True, nogil=True)
def _fractal3(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, seed: int, octaves: int, frequency: float, out: np.ndarray
) -> None:
    for n in range(len(x)):
        total, weight, f = 0.0, 1.0, frequency
        for octave in range(octaves):
            total += weight * perlin3(x[n] * f, y[n] * f, z[n] * f, seed + octave)
            weight *= 0.5
            f *= 2.0
        out[n] = total


def fractal2(x: np.ndarray, y: np.ndarray, seed: int, octaves: int = 3, frequency: float = 1.0) -> np.ndarray:
    """Sum of octaves of 2-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    out = np.empty(x.size)
    _fractal2(np.ascontiguousarray(x).ravel(), np.ascontiguousarray(y).ravel(), seed, octaves, frequency, out)
    return out.reshape(x.shape)


def fractal3(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, seed: int, octaves: int = 3, frequency: float = 1.0
) -> np.ndarray:
    """Sum of octaves of 3-D Perlin noise, each of half the weight and twice the frequency [1/m] of the one before."""
    x, y, z = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float), np.asarray(z, float))
    flat = [np.ascontiguousarray(a).ravel() for a in (x, y, z)]
    out = np.empty(x.size)
    _fractal3(*flat, seed, octaves, frequency, out)
    return out.reshape(x.shape)
