"""From light to a picture: rays to pixels, and exposure; compiled kernels."""

# ruff: noqa: ANN001

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["bright_of", "expose", "gather"]

_FIRST, _LAST = 103, 131
"""Exponents of the light for which the table of display values has entries: 2⁻²⁴ to 2⁴."""
_STEPS = 10
"""Bits of the light's fraction that it has."""


def _display() -> np.ndarray:
    """Display value by the bits of a float32 of linear light: a film curve (after Narkowicz 2015), then gamma."""
    bits = (np.arange((_LAST - _FIRST) << _STEPS, dtype=np.uint32) + (_FIRST << _STEPS)) << (23 - _STEPS)
    x = bits.view(np.float32).astype(np.float64) * (1 + 0.5 / (1 << _STEPS))
    y = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)
    return np.round(255.0 * y ** (1 / 2.2)).astype(np.uint8)


_TABLE = _display()


@nb.njit(parallel=True, cache=True, nogil=True)
def gather(colour, rays, width, over, weight, first, linear, threads) -> None:
    """Add colours of rays [n, 3] to pixels [h·w, 3] from row `first` on, the mean of over² rays times a weight.

    rays [rows·over·width·over]: which ray each place of the finer picture has, row by row.
    """
    rows = len(rays) // (width * over * over)
    share = np.float32(weight / (over * over))
    tasks = min(rows, threads)
    for task in nb.prange(tasks):
        for row in range(task, rows, tasks):
            for column in range(width):
                pixel = (first + row) * width + column
                for a in range(over):
                    for b in range(over):
                        i = rays[((row * over + a) * width + column) * over + b]
                        for c in range(3):
                            linear[pixel, c] += share * colour[i, c]


@nb.njit(parallel=True, cache=True, nogil=True)
def _log_sums(linear, sums, threads) -> None:
    """Sum of the logarithms of green in every second pixel, by row, of a picture [h, w, 3]."""
    tasks = min(len(sums), threads)
    for task in nb.prange(tasks):
        for row in range(task, len(sums), tasks):
            total, product = 0.0, 1.0
            for column in range(0, linear.shape[1], 2):
                product *= linear[row, column, 1] + 1e-5
                # One logarithm for several pixels.
                if product < 1e-100 or product > 1e100:
                    total += np.log(product)
                    product = 1.0
            sums[row] = total + np.log(product)


def bright_of(linear: np.ndarray, threads: int) -> float:
    """Geometric mean of the brightness of a picture [h, w, 3], by every second row and column."""
    some = linear[::2]
    sums = np.empty(len(some))
    _log_sums(some, sums, threads)
    return float(np.exp(sums.sum() / (len(some) * -(-linear.shape[1] // 2))))


@nb.njit(parallel=True, cache=True, nogil=True)
def _expose(linear, gain, table, rgb, threads) -> None:
    last = np.int64(len(table) - 1)
    first, shift = np.int64(_FIRST << _STEPS), np.uint32(23 - _STEPS)
    tasks = min(len(linear), threads)
    for task in nb.prange(tasks):
        light = np.empty(linear.shape[1], np.float32)
        bits = light.view(np.uint32)
        for row in range(task, len(linear), tasks):
            for k in range(len(light)):
                light[k] = max(linear[row, k] * gain, np.float32(0.0))
            for k in range(len(light)):
                rgb[row, k] = table[min(max(np.int64(bits[k] >> shift) - first, 0), last)]


def expose(linear: np.ndarray, gain: float, threads: int) -> np.ndarray:
    """Display colours uint8 [h, w, 3] of linear ones [h, w, 3]."""
    rgb = np.empty(linear.shape, np.uint8)
    height = len(linear)
    _expose(linear.reshape(height, -1), np.float32(gain), _TABLE, rgb.reshape(height, -1), threads)
    return rgb
