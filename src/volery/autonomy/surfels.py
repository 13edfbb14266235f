"""What surrounds a sensor, as the mean and spread of the points in each cell of a grid, and how a sweep fits to it.

Registration is from points to distributions (NDT): each point is drawn to the mean of its cell, the harder the thinner
the cell is along that direction, so walls, ground and trunks hold and leaves hardly do.
"""

from __future__ import annotations

import numpy as np

from volery._native import autonomy as _native

__all__ = ["Surfels", "thinned"]


class Surfels:
    """Cells within reach of the sensor; far ones are forgotten."""

    def __init__(self, cell: float, reach: float) -> None:
        """cell, reach: edge of a cell, and how far the sensor may be from what is kept [m]."""
        self.cell, self.reach = cell, reach
        self._map = _native.SurfelMap(cell)

    def add(self, p: np.ndarray) -> None:
        """Take points in, [n, 3] [m]."""
        _native.surfels_add(self._map, np.ascontiguousarray(p, float))

    def forget(self, here: np.ndarray) -> None:
        """Let go of what is out of reach of a place [m]."""
        _native.surfels_forget(self._map, np.ascontiguousarray(here, float), self.reach)

    def fit(
        self, p: np.ndarray, R: np.ndarray, t: np.ndarray, prior: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """The pose from which points [n, 3] are seen as they are here, near a guess; prior: what the guess weighs, of
        rotation and place [6] [1/rad², 1/m²]. Also the share of points that found their place."""
        R, t = np.array(R, float, order="C"), np.array(t, float)
        share = _native.surfels_fit(self._map, np.ascontiguousarray(p, float), prior, R, t)
        return R, t, share


def thinned(p: np.ndarray, cell: float) -> np.ndarray:
    """One point of each cell, the first that falls into it, [m, 3]."""
    return _native.thinned(np.ascontiguousarray(p, float), cell)
