"""From linear light to a picture that a display shows: automatic exposure and a film curve."""

from __future__ import annotations

import numpy as np

from volery._native import render
from volery._native.render import mean_brightness

__all__ = ["exposure_gain", "tone_map"]

_GAIN = 1.3
"""Display brightness of linear light at exposure 0."""
_GREY = 0.11
"""Where automatic exposure puts the mean (of logarithms) of the picture."""
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


def exposure_gain(linear: np.ndarray, stops: float, *, automatic: bool) -> float:
    """Display brightness of linear light for a picture [h, w, 3], so many stops [EV] brighter than usual."""
    gain = _GAIN * 2.0**stops
    if automatic:
        # Not all the way: night should look darker than day.
        gain *= float(np.clip(_GREY / (mean_brightness(linear) * _GAIN), 0.25, 1e4) ** 0.75)
    return gain


def tone_map(linear: np.ndarray, gain: float) -> np.ndarray:
    """Display colours uint8 [h, w, 3] of linear ones [h, w, 3]."""
    rgb = np.empty(linear.shape, np.uint8)
    render.expose(linear, gain, _TABLE, _FIRST << _STEPS, 23 - _STEPS, rgb)
    return rgb
