"""An event camera: each pixel reports when the logarithm of its brightness has changed by a threshold."""

from __future__ import annotations

import numpy as np

__all__ = ["Events"]

_DARK = 1e-3
"""Light below which a pixel notices little."""


class Events:
    """The pixels' memory: the brightness at which each reported last."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._reference: np.ndarray | None = None
        self._last = np.zeros(0, np.float32)
        self._before_ns = 0

    def of(self, linear: np.ndarray, now_ns: int) -> np.ndarray:
        """Events between the picture before and this one, int64 [n, 4]: time [ns], column, row, sign; by time.

        linear [h, w, 3]. Brightness is taken to change evenly between two pictures.
        """
        width = linear.shape[1]
        bright = np.log((linear @ np.array([0.2126, 0.7152, 0.0722], np.float32)).ravel() + np.float32(_DARK))
        if self._reference is None or self._reference.shape != bright.shape:
            self._reference, self._last, self._before_ns = bright.copy(), bright, now_ns
            return np.zeros((0, 4), np.int64)
        change = bright - self._reference
        count = np.floor(np.abs(change) / self._threshold).astype(np.int64)
        pixel = np.repeat(np.arange(len(count)), count)
        number = np.arange(len(pixel)) - np.repeat(np.cumsum(count) - count, count) + 1
        sign = np.sign(change).astype(np.int64)
        level = self._reference[pixel] + sign[pixel] * number * self._threshold
        share = (level - self._last[pixel]) / np.where(bright == self._last, 1.0, bright - self._last)[pixel]
        time = self._before_ns + np.round(np.clip(share, 0, 1) * (now_ns - self._before_ns)).astype(np.int64)
        events = np.stack([time, pixel % width, pixel // width, sign[pixel]], axis=1)
        self._reference += sign * count * np.float32(self._threshold)
        self._last, self._before_ns = bright, now_ns
        return events[np.argsort(time, kind="stable")]

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        reference = None if self._reference is None else self._reference.copy()
        return {"reference": reference, "last": self._last.copy(), "before_ns": self._before_ns}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        self._reference = None if state["reference"] is None else np.array(state["reference"])
        self._last, self._before_ns = np.array(state["last"]), state["before_ns"]
