"""From light to a picture: lamps, rays to pixels, exposure; compiled kernels."""

# ruff: noqa: ANN001

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["expose", "lamp_light", "settle"]

_BLOCK = 1024
"""Rays a thread takes at a time."""


@nb.njit(parallel=True, cache=True, nogil=True)
def expose(linear, over, gain, table, rgb, threads) -> None:
    """Display colours uint8 [h·w, 3] of linear ones [h·over·w·over, 3]; table: display value by brightness 0 to 1."""
    height, width = rgb.shape[0], rgb.shape[1]
    tasks = min(height, threads)
    for task in nb.prange(tasks):
        for row in range(task, height, tasks):
            for column in range(width):
                for c in range(3):
                    total = 0.0
                    for a in range(over):
                        for b in range(over):
                            x = linear[((row * over + a) * width + column) * over + b, c] * gain
                            # Each sample is compressed by itself, or one bright speck would fill its pixel.
                            total += x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)
                    x = min(max(total / (over * over), 0.0), 1.0)
                    rgb[row, column, c] = table[int(x * 4095.0 + 0.5)]


@nb.njit(parallel=True, cache=True, nogil=True)
def lamp_light(place, power, point, normal, blocked, out, threads) -> None:
    """Add the light of a lamp, taken as a point [m] in the cell, to out [n, 3]."""
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                dx, dy, dz = place[0] - point[i, 0], place[1] - point[i, 1], place[2] - point[i, 2]
                square = dx * dx + dy * dy + dz * dz
                # What walls send on also reaches where the lamp itself is hidden.
                share = 0.2 / (square + 9.0)
                if not blocked[i]:
                    facing = max(normal[i, 0] * dx + normal[i, 1] * dy + normal[i, 2] * dz, 0.0) / np.sqrt(square)
                    share += facing / max(square, 0.1)
                for c in range(3):
                    out[i, c] += power[c] * share


@nb.njit(parallel=True, cache=True, nogil=True)
def settle(colour, pixel, weight, linear, threads) -> None:
    """Add colours of rays [n, 3], weighted, to their places in the picture [pixels, 3]."""
    n = len(colour)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                for c in range(3):
                    linear[pixel[i], c] += weight * colour[i, c]
