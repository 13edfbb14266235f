"""Light on the pixels of a picture, as it gathers."""

from __future__ import annotations

import numpy as np

from volery._native.render import gather_rays
from volery.render.denoise import denoise
from volery.render.rays import Painted

__all__ = ["Film"]


class Film:
    """Linear light [h·w, 3]. The room for it is made once."""

    def __init__(self, height: int, width: int, apart: bool) -> None:
        """apart: whether what rays find by lot is gathered apart, to be smoothed."""
        self._shape, self._width = (height, width, 3), width
        self._colour = np.empty((height * width, 3), np.float32)
        self._sun, self._around, self._albedo, self._normal = (
            np.empty((height * width if apart else 0, 3), np.float32) for _ in range(4)
        )

    def pixels(self, rows: slice) -> np.ndarray:
        """Room for the light of some rows."""
        return self._colour[rows.start * self._width : rows.stop * self._width]

    def clear(self, rows: slice) -> None:
        """Let some rows be dark."""
        for array in (self._colour, self._sun, self._around, self._albedo, self._normal):
            array[rows.start * self._width : rows.stop * self._width] = 0.0

    def add(self, p: Painted, ray_of: np.ndarray, over: int, weight: float, row: int) -> None:
        """Add what rays of some rows from `row` on see, over² of them for each pixel. ray_of: the ray of each place of
        the finer picture."""
        gather_rays(p.colour, ray_of, self._width, over, weight, row, self._colour)
        if len(self._sun):
            gather_rays(p.albedo * p.sun, ray_of, self._width, over, weight, row, self._sun)
            gather_rays(p.albedo * p.around, ray_of, self._width, over, weight, row, self._around)
            gather_rays(p.albedo, ray_of, self._width, over, weight, row, self._albedo)
            gather_rays(p.normal, ray_of, self._width, over, weight, row, self._normal)

    def whole(self) -> np.ndarray:
        """All of the light [h, w, 3]; what few rays found is smoothed."""
        colour = self._colour.reshape(self._shape)
        if len(self._sun):
            parts = (self._sun, self._around, self._albedo, self._normal)
            colour += denoise(*(array.reshape(self._shape) for array in parts))
        return colour
