"""What is free, what is taken and what nobody has seen: a grid without end, in blocks that are there when needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from volery._native import autonomy as _native
from volery.core.config import param

__all__ = ["Occupancy", "OccupancyConfig", "Window"]


@dataclass(frozen=True)
class OccupancyConfig:
    """The grid."""

    cell: float = param(0.4, above=0)
    """Edge of a cell [m]."""
    reach: float = param(30.0, above=0)
    """Beams are followed so far [m]."""
    hollow: float = param(0.6, low=0)
    """What is nearer than this is the robot itself [m]."""


class Window(NamedTuple):
    """A box of the grid, copied."""

    evidence: np.ndarray
    """int8 [nx, ny, nz]: above 0 taken, below 0 free, 0 unknown."""
    corner: np.ndarray
    """Number of the first cell, int64 [3]."""
    cell: float

    def middle(self, index: np.ndarray) -> np.ndarray:
        """Middles of cells of the window, [n, 3] → [m]."""
        return (index + self.corner + 0.5) * self.cell

    def index(self, p: np.ndarray) -> np.ndarray:  # type: ignore[override]
        """Cells of the window in which points [n, 3] lie [m]; may be outside."""
        return np.floor(np.asarray(p) / self.cell).astype(np.int64) - self.corner


class Occupancy:
    """The map of one robot."""

    def __init__(self, config: OccupancyConfig) -> None:
        self.config = config
        self._grid = _native.OccupancyGrid(config.cell, config.reach, config.hollow)

    def add(self, origin: np.ndarray, ends: np.ndarray) -> None:
        """A sweep of beams from a place to where they ended, [3] and [n, 3] [m]."""
        _native.occupancy_add(self._grid, np.ascontiguousarray(origin, float), np.ascontiguousarray(ends, float))

    def window(self, low: np.ndarray, high: np.ndarray) -> Window:
        """A box of the world [m] as a dense grid."""
        first = np.floor(np.asarray(low) / self.config.cell).astype(np.int64)
        shape = np.floor(np.asarray(high) / self.config.cell).astype(np.int64) - first + 1
        out = np.zeros(tuple(int(n) for n in shape), np.int8)
        _native.occupancy_window(self._grid, first, out)
        return Window(out, first, self.config.cell)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Of all that was seen [m]."""
        cells = _native.occupancy_bounds(self._grid)
        if len(cells) == 0:
            return np.zeros(3), np.zeros(3)
        return cells[0] * self.config.cell, (cells[1] + 1) * self.config.cell

    def taken(self) -> np.ndarray:
        """Middles of all cells in which something is, [n, 3] [m]."""
        return _native.occupancy_middles(self._grid, True)

    def free(self) -> np.ndarray:
        """Middles of all cells that are known to be free, [n, 3] [m]."""
        return _native.occupancy_middles(self._grid, False)

    def free_volume(self) -> float:
        """Of all that is known to be free [m³]."""
        return _native.occupancy_count(self._grid, False) * self.config.cell**3
