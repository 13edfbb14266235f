"""An event camera: each pixel reports when the logarithm of its brightness has changed by a threshold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["PixelMemory", "events_of"]

_DARK = 1e-3
"""Light below which a pixel notices little."""


class PixelMemory(NamedTuple):
    """What pixels remember, by the logarithm of their brightness; nobody writes to it."""

    reference: np.ndarray
    """At which each reported last, float32 [n]."""
    last: np.ndarray
    """In the picture before, float32 [n]."""
    before_ns: int
    """When that was taken."""


def events_of(
    memory: PixelMemory | None, linear: np.ndarray, now_ns: int, threshold: float
) -> tuple[np.ndarray, PixelMemory]:
    """Events between the picture before and this one, int64 [n, 4]: time [ns], column, row, sign; by time; and what is
    remembered. At the first picture there are none.

    linear [h, w, 3]. Brightness is taken to change evenly between two pictures.
    """
    width = linear.shape[1]
    bright = np.log((linear @ np.array([0.2126, 0.7152, 0.0722], np.float32)).ravel() + np.float32(_DARK))
    if memory is None or memory.reference.shape != bright.shape:
        return np.zeros((0, 4), np.int64), PixelMemory(bright.copy(), bright, now_ns)
    change = bright - memory.reference
    count = np.floor(np.abs(change) / threshold).astype(np.int64)
    pixel = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(pixel)) - np.repeat(np.cumsum(count) - count, count) + 1
    sign = np.sign(change).astype(np.int64)
    level = memory.reference[pixel] + sign[pixel] * number * threshold
    share = (level - memory.last[pixel]) / np.where(bright == memory.last, 1.0, bright - memory.last)[pixel]
    time = memory.before_ns + np.round(np.clip(share, 0, 1) * (now_ns - memory.before_ns)).astype(np.int64)
    events = np.stack([time, pixel % width, pixel // width, sign[pixel]], axis=1)
    reference = memory.reference + sign * count * np.float32(threshold)
    # As the pixels' own numbers are, whatever the product above is.
    after = PixelMemory(reference.astype(np.float32, copy=False), bright, now_ns)
    return events[np.argsort(time, kind="stable")], after
