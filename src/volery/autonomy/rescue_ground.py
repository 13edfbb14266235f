# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""What robots that drive know together: where the ground is, what stands on it, and what was looked at."""

from __future__ import annotations

from dataclasses import replace

import numba as nb
import numpy as np

from volery.autonomy.clearance import Terms, Terrain, survey
from volery.autonomy.occupancy import Occupancy, OccupancyConfig, Window

__all__ = ["CELL", "GroundMap"]

CELL = 0.1
"""Edge of a cell [m]."""
_MARGIN = 2.4
"""Known so far round the area [m]."""
_NEAR = 3.0
"""Heights of the ground are believed from so near [m]."""
_STEP, _ROUGH = 0.14, 0.06
"""Wheels climb no more from cell to cell, and from here on rather not [m]."""
_DEAR = 5.0
"""What rough ground costs."""
_LOW, _HIGH = 0.2, 0.6
"""Between these heights over the ground something is in the way [m]."""
_STANDS = 0.65
"""A lidar's lowest beam meets the ground so far from a robot [m]."""
_TERMS = tuple(Terms(clear=clear, comfort=0.6, unknown=1.5, band=None) for clear in (0.27, 0.2))
"""Of easy ways, and of those that are taken if there is no other."""
_DEEP = 3
"""Layers of the window that searches are given: all the same, since they look up and down as well."""


class GroundMap:
    """The map of a team, in W as the robots believe it to be."""

    def __init__(self, low_W: np.ndarray, high_W: np.ndarray, reach: float) -> None:
        """low_W, high_W [2]: corners of the area [m]; reach: beams tell of nothing farther [m]."""
        self.low, self.high = np.asarray(low_W, float), np.asarray(high_W, float)
        self.occupancy = Occupancy(OccupancyConfig(cell=CELL, reach=reach, hollow=0.45))
        self.first = np.floor((self.low - _MARGIN) / CELL).astype(np.int64)
        shape = tuple((np.ceil((self.high + _MARGIN) / CELL).astype(np.int64) - self.first).tolist())
        self.height = np.full(shape, np.nan)
        """Of the ground, [nx, ny] [m]; NaN: not seen."""
        self.looked = np.zeros(shape, bool)
        """Whether someone looked there for victims, [nx, ny]."""
        self._barred = np.zeros(shape, bool)
        """Where wheels came to nothing, [nx, ny]."""
        self._stood = np.zeros(shape, bool)
        """Where robots were, which their own lidar does not see, [nx, ny]."""

    def add(self, eye_W: np.ndarray, points_W: np.ndarray) -> None:
        """A sweep: from where [3], and what it met, [n, 3] [m]."""
        self.occupancy.add(eye_W, points_W)
        near = points_W[np.linalg.norm(points_W - eye_W, axis=1) < _NEAR]
        i = self.index(near)
        inside = self._inside(i)
        _lowest(i[inside], near[inside, 2], self.height)

    def rise(self, p: np.ndarray, points_W: np.ndarray) -> float:
        """How much higher a robot at a place must be than it believes, for ground it sees to be where it was [m]."""
        near = points_W[np.linalg.norm((points_W - p)[:, :2], axis=1) < 1.5]
        i = self.index(near)
        inside = self._inside(i)
        off = self.height[tuple(i[inside].T)] - near[inside, 2]
        off = off[np.abs(off) < 0.08]
        return 0.2 * float(np.median(off)) if len(off) > 30 else 0.0

    def bar(self, p: np.ndarray, size: float) -> None:
        """Say that there is no way through a disc about a place [m]."""
        self._barred |= self.disc(p, size)

    def stand(self, p: np.ndarray) -> None:
        """A robot stands at a place [m]: what is not known to be taken there is free."""
        self._stood |= self.disc(p, _STANDS)

    def disc(self, p: np.ndarray, size: float) -> np.ndarray:
        """Cells within so much of a place [m], bool [nx, ny]."""
        i, j = np.indices(self.height.shape)
        x, y = (i + self.first[0] + 0.5) * CELL - p[0], (j + self.first[1] + 0.5) * CELL - p[1]
        return np.hypot(x, y) < size

    def look(self, p: np.ndarray, yaw: float, width: float, far: float) -> None:
        """Someone looked from a place [m] that way [rad] over a width [rad], as far as nothing stands in between."""
        blocked = self._flat() > 0
        angles = yaw + np.linspace(-width / 2, width / 2, max(int(width * far / CELL), 2))
        _gaze(np.asarray(p[:2], float) / CELL - self.first, angles, far / CELL, blocked, self.looked)

    def terrain(self, others_W: list[np.ndarray], squeeze: bool = False) -> Terrain:
        """What planners ask for: ground that is driven on is free; others [m] stand in the way."""
        flat = self._flat()
        for p in others_W:
            flat[self.disc(p, 0.3)] = 1
        window = Window(np.repeat(flat[:, :, None], _DEEP, axis=2), np.array([*self.first, 0]), CELL)
        terrain = survey(window, _TERMS[squeeze], np.zeros(3))
        terrain.price[_steps(self.height) > _ROUGH] *= _DEAR
        return terrain

    def unlooked(self, terrain: Terrain) -> Terrain:
        """The same, in which what nobody looked at is unknown."""
        evidence = np.where(self.looked[:, :, None] | (terrain.window.evidence > 0), terrain.window.evidence, 0)
        return replace(terrain, window=terrain.window._replace(evidence=evidence))

    def index(self, p: np.ndarray) -> np.ndarray:
        """Cells of places, [n, 2 or 3] [m] → [n, 2]."""
        return np.floor(p[..., :2] / CELL).astype(np.int64) - self.first

    def walls(self) -> np.ndarray:
        """Middles of cells in which something stands, [n, 2] [m]."""
        return (np.argwhere(self._flat() > 0) + self.first + 0.5) * CELL

    def _inside(self, i: np.ndarray) -> np.ndarray:
        return ((i >= 0) & (i < self.height.shape)).all(axis=1)

    def _flat(self) -> np.ndarray:
        """Evidence seen from above, int8 [nx, ny]."""
        nx, ny = self.height.shape
        low = np.array([*(self.first * CELL + 0.5 * CELL), -0.45])
        high = low + [(nx - 1) * CELL, (ny - 1) * CELL, 2.0]
        window = self.occupancy.window(low, high)
        flat = np.zeros((nx, ny), np.int8)
        _from_above(window.evidence, float(window.corner[2]), self.height, CELL, _STEP, _LOW, _HIGH, flat)
        flat[self._stood & (flat == 0)] = -1
        flat[self._barred] = 1
        return flat


@nb.njit(cache=True, nogil=True)
def _lowest(cells, z, height) -> None:
    """The lowest of each cell's points leads; what is known follows it, down at once and up slowly."""
    least = np.full(height.shape, np.inf)
    for n in range(len(cells)):
        i, j = cells[n, 0], cells[n, 1]
        least[i, j] = min(least[i, j], z[n])
    for n in range(len(cells)):
        i, j = cells[n, 0], cells[n, 1]
        if least[i, j] == np.inf:
            continue
        old, new = height[i, j], least[i, j]
        height[i, j] = new if np.isnan(old) else old + (0.5 if new < old else 0.05) * (new - old)
        least[i, j] = np.inf


@nb.njit(cache=True, nogil=True)
def _from_above(evidence, bottom, height, cell, step, low, high, flat) -> None:
    """1: something stands there or the ground breaks off; -1: free; 0: nobody knows."""
    nx, ny, nz = evidence.shape
    for i in range(nx):
        for j in range(ny):
            ground = height[i, j]
            if np.isnan(ground):
                # Where the ground was not seen, that of the cells round it is taken.
                total, count = 0.0, 0
                for a in range(max(i - 3, 0), min(i + 4, nx)):
                    for b in range(max(j - 3, 0), min(j + 4, ny)):
                        if not np.isnan(height[a, b]):
                            total, count = total + height[a, b], count + 1
                if count == 0:
                    continue
                ground = total / count
            free = False
            for k in range(nz):
                z = (bottom + k + 0.5) * cell - ground
                if low < z < high and evidence[i, j, k] > 0:
                    flat[i, j] = 1
                    break
                if 0.0 < z < high and evidence[i, j, k] < 0:
                    free = True
            if flat[i, j] == 0 and free:
                flat[i, j] = -1
            for a in range(max(i - 1, 0), min(i + 2, nx)):
                for b in range(max(j - 1, 0), min(j + 2, ny)):
                    if not np.isnan(height[a, b]) and ground - height[a, b] > step:
                        flat[i, j] = 1


def _steps(height: np.ndarray) -> np.ndarray:
    """Largest difference of the ground from a cell to those beside it, [nx, ny] [m]; 0 where it is not known."""
    out = np.zeros(height.shape)
    for axis in (0, 1):
        step = np.nan_to_num(np.abs(np.diff(height, axis=axis)))
        for cells in ((slice(1, None), slice(None)), (slice(None, -1), slice(None))):
            at = cells if axis == 0 else cells[::-1]
            out[at] = np.maximum(out[at], step)
    return out


@nb.njit(cache=True, nogil=True)
def _gaze(start, angles, far, blocked, looked) -> None:
    for angle in angles:
        x, y = np.cos(angle), np.sin(angle)
        for n in range(int(2 * far)):
            i, j = int(np.floor(start[0] + 0.5 * n * x)), int(np.floor(start[1] + 0.5 * n * y))
            if not (0 <= i < looked.shape[0] and 0 <= j < looked.shape[1]):
                break
            looked[i, j] = True
            if blocked[i, j] and n > 6:
                break
