"""Smoothing light that few rays found, guided by what is seen: Intel's OIDN if it is installed, else an own filter."""

# ruff: noqa: ANN001

from __future__ import annotations

import functools
import logging
from collections.abc import Callable

import numba as nb
import numpy as np

from volery.world.native import kernel_lock, threads

__all__ = ["denoise"]

_LOG = logging.getLogger(__name__)
_ROUNDS = 5
"""Rounds of the own filter, each with twice the reach of the one before."""
_FLOOR = 0.01


@functools.cache
def _oidn() -> Callable[..., np.ndarray] | None:
    """OIDN's filter, or None, which is said once."""
    try:
        import pyoidn
    except ImportError:
        _LOG.info("quality best: pyoidn is not installed, so an own filter smooths the light; pip install volery[best]")
        return None
    return pyoidn.denoise


def denoise(sun: np.ndarray, around: np.ndarray, albedo: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Light of the sun and from all round together, as seen, without the noise of few rays.

    All [h, w, 3]; albedo, normal: what it fell on.
    """
    filter_ = _oidn()
    if filter_ is not None:
        guide = np.clip(albedo, 0.0, 1.0)
        return np.asarray(
            filter_(sun + around, albedo=guide, normal=normal, hdr=True, clean_aux=True, quality="balanced")
        )
    # Shadows of the sun are sharp and its few rays leave little noise.
    return smooth(sun, albedo, normal, 1) + smooth(around, albedo, normal, _ROUNDS)


def smooth(light: np.ndarray, albedo: np.ndarray, normal: np.ndarray, rounds: int) -> np.ndarray:
    """The own filter: light on surfaces is averaged over neighbours of like normal, colour and light (à-trous wavelets
    of Dammertz 2010), then falls on the colours again."""
    base = albedo + np.float32(_FLOOR)
    now = np.ascontiguousarray(light / base)
    other = np.empty_like(now)
    with kernel_lock:
        for k in range(rounds):
            _spread(now, albedo, normal, 1 << k, np.float32(4.0 * 0.5**k), other, threads())
            now, other = other, now
    return now * base


@nb.njit(parallel=True, cache=True, nogil=True)
def _spread(light, albedo, normal, step, tolerance, out, threads) -> None:
    """One round: a weighted mean over 5×5 neighbours, `step` pixels apart."""
    height, width = light.shape[0], light.shape[1]
    kernel = np.array([1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16], np.float32)
    tasks = min(height, threads)
    for task in nb.prange(tasks):
        for row in range(task, height, tasks):
            for column in range(width):
                _mean(light, albedo, normal, step, tolerance, kernel, row, column, out)


@nb.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "arcp", "nsz", "afn"})
def _mean(light, albedo, normal, step, tolerance, kernel, row, column, out) -> None:
    height, width = light.shape[0], light.shape[1]
    nx, ny, nz = normal[row, column, 0], normal[row, column, 1], normal[row, column, 2]
    r, g, b = albedo[row, column, 0], albedo[row, column, 1], albedo[row, column, 2]
    l0, l1, l2 = light[row, column, 0], light[row, column, 1], light[row, column, 2]
    own = l0 + l1 + l2
    weights, s0, s1, s2 = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
    for a in range(-2, 3):
        y = row + a * step
        if y < 0 or y >= height:
            continue
        for c in range(-2, 3):
            x = column + c * step
            if x < 0 or x >= width:
                continue
            ex, ey, ez = normal[y, x, 0] - nx, normal[y, x, 1] - ny, normal[y, x, 2] - nz
            er, eg, eb = albedo[y, x, 0] - r, albedo[y, x, 1] - g, albedo[y, x, 2] - b
            other = light[y, x, 0] + light[y, x, 1] + light[y, x, 2]
            apart = np.float32(3.0) * (ex * ex + ey * ey + ez * ez)
            apart += np.float32(60.0) * (er * er + eg * eg + eb * eb) / (r * r + g * g + b * b + np.float32(0.01))
            apart += abs(other - own) / (tolerance * (other + own) + np.float32(1e-4))
            w = kernel[a + 2] * kernel[c + 2] * np.exp(-apart)
            weights += w
            s0 += w * light[y, x, 0]
            s1 += w * light[y, x, 1]
            s2 += w * light[y, x, 2]
    out[row, column, 0], out[row, column, 1], out[row, column, 2] = s0 / weights, s1 / weights, s2 / weights
