"""Light of headlights on what a camera sees; a compiled kernel."""

# ruff: noqa: ANN001

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["spot_light"]

_BLOCK = 1024
"""Rays a thread takes at a time."""
_RIM = 0.2
"""Part of the cone, in cosine, over which the light fades."""
_NEAREST = 0.01
"""Squared distance [m²] below which it gets no brighter."""


@nb.njit(parallel=True, cache=True, nogil=True)
def spot_light(place, ahead, cosine, light, point, normal, blocked, out, threads) -> None:
    """Add light · cos(incidence) / d² inside a cone from a place [m] to out [n, 3]; points and place in one frame."""
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                if blocked[i]:
                    continue
                dx, dy, dz = point[i, 0] - place[0], point[i, 1] - place[1], point[i, 2] - place[2]
                square = dx * dx + dy * dy + dz * dz
                away = np.sqrt(square)
                along = dx * ahead[0] + dy * ahead[1] + dz * ahead[2]
                facing = -(normal[i, 0] * dx + normal[i, 1] * dy + normal[i, 2] * dz)
                if facing <= 0.0 or along <= cosine * away:
                    continue
                inside = min((along / away - cosine) / ((1.0 - cosine) * _RIM), 1.0)
                share = inside * facing / (away * max(square, _NEAREST))
                for c in range(3):
                    out[i, c] += light[c] * share
