"""Smoothing light that few rays found, guided by what is seen: Intel's OIDN if it is installed, else an own filter."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable

import numpy as np

from volery._native.render import smooth_light

__all__ = ["denoise"]

_LOG = logging.getLogger(__name__)
_ROUNDS = 5
"""Rounds of the own filter, each with twice the reach of the one before."""


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
    out = np.empty_like(light)
    smooth_light(light, albedo, normal, rounds, out)
    return out
