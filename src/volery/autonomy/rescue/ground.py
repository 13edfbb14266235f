"""What robots that drive know together: where the ground is, what stands on it, and what was looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from volery._native import autonomy as _native
from volery.autonomy.clearance import ClearanceMap, Terms, clearance_map
from volery.autonomy.occupancy import Occupancy, OccupancyConfig, Window
from volery.autonomy.rescue.looked import Looked
from volery.autonomy.rescue.panes import Panes

__all__ = ["CELL", "GroundMap"]

CELL = 0.1
"""Edge of a cell [m]."""
_MARGIN = 2.4
"""Known so far round the area [m]."""
_NEAR = 3.0
"""Heights of the ground are believed from so near [m]."""
_SURE = 1.5
"""From so near rings of beams are as close as cells, and tell an edge from a ramp [m]."""
_TALL = 0.25
"""What rises more within a cell is in the way from wherever it is seen [m]."""
_MEMORY = 20
"""Heights are the mean of about so many sweeps."""
_THICK = _native.GROUND_THICK
"""What is so much higher than the lowest point of a cell is no ground [m]."""
_SMOOTH = 0.05
"""What rises less within a cell is bare ground, be it a ramp, with the lidar's noise [m]."""
_ROUGH = 0.05
"""Wheels rather climb no more from cell to cell [m]."""
_STEEP = np.tan(np.radians(22.0))
"""Slopes from which on the ground is in the way: ramps of an arena have 16°, and wheels slip from some 30° on."""
_DEAR = 5.0
"""What rough ground costs."""
_STANDS = 0.65
"""A lidar's lowest beam meets the ground so far from a robot [m]."""
_TERMS = tuple(Terms(clear=clear, comfort=0.6, unknown=1.5, band=None) for clear in (0.36, 0.28))
"""Of easy ways, on which a robot of 0.5 × 0.5 m turns freely, and of those that are taken if there is no other."""
_LANE = 1.2
"""Of arenas [m]."""
_DEEP = 3
"""Layers of the window that searches are given: all the same, since they look up and down as well."""


class GroundMap:
    """The map of a team, in W as the robots believe it to be."""

    def __init__(self, low_W: np.ndarray, high_W: np.ndarray, reach: float, climbs: float) -> None:
        """low_W, high_W [2]: corners of the area [m]; reach: beams tell of nothing farther [m]; climbs: higher edges
        of the ground are in the way [m]."""
        self.climbs = climbs
        self.low, self.high = np.asarray(low_W, float), np.asarray(high_W, float)
        self.occupancy = Occupancy(OccupancyConfig(cell=CELL, reach=reach, hollow=0.2))
        self.first = np.floor((self.low - _MARGIN) / CELL).astype(np.int64)
        shape = tuple((np.ceil((self.high + _MARGIN) / CELL).astype(np.int64) - self.first).tolist())
        self.height = np.full(shape, np.nan)
        """Of the ground, [nx, ny] [m]; NaN: not seen."""
        self._top = np.full(shape, np.nan)
        """Of what lies on it, up to a robot's height, [nx, ny] [m]."""
        self._sweeps = np.zeros(shape, np.int64)
        """That told of it, [nx, ny]."""
        self._near = np.zeros(shape, bool)
        """Where it was seen from near, [nx, ny]: what is seen from afar counts no more there, be it in a mirror."""
        self._looked = Looked(shape, self.first * CELL, CELL)
        self._barred = np.zeros(shape, bool)
        """Where wheels came to nothing, [nx, ny]."""
        self._stood = np.zeros(shape, bool)
        """Where robots were, which their own lidar does not see, [nx, ny]."""
        self.panes = Panes(shape, self.first * CELL, CELL)

    def add(self, eye_W: np.ndarray, points_W: np.ndarray) -> None:
        """A sweep: from where [3], and what it met, [n, 3] [m]."""
        points_W = points_W[~self.panes.hidden(eye_W, points_W)]
        self.occupancy.add(eye_W, points_W)
        height, top = self._ground_of(points_W, eye_W, _NEAR)
        seen, near = np.isfinite(height), self.disc(eye_W, _SURE)
        self._sweeps[seen & near & ~self._near] = 0
        seen &= near | ~self._near
        self._near |= seen & near
        self._sweeps[seen] += 1
        share = 1.0 / np.minimum(self._sweeps[seen], _MEMORY)
        for own, told in ((self.height, height), (self._top, top)):
            own[seen] = np.where(share == 1.0, told[seen], own[seen] + share * (told[seen] - own[seen]))

    def rise(self, eye_W: np.ndarray, points_W: np.ndarray) -> float:
        """How much higher a robot must be than it believes, for ground it sees from an eye to be where it was [m]."""
        height, top = self._ground_of(points_W, eye_W, 1.5)
        # At the foot of walls the mean hangs on how much of the wall is seen, and from afar that is more.
        smooth = (self._sweeps >= 3) & (self._top - self.height < _SMOOTH) & (top - height < _SMOOTH)
        off = (self.height - height)[smooth]
        off = off[np.abs(off) < _THICK]
        return float(np.median(off)) if len(off) > 20 else 0.0

    def _ground_of(self, points_W: np.ndarray, eye_W: np.ndarray, far: float) -> tuple[np.ndarray, np.ndarray]:
        """Height of the ground, and of what lies on it, in each cell by the points within so much of an eye and below
        it, [nx, ny] each [m]; NaN where there is none. The mean, since a least height would fall with more points."""
        height, top = np.full(self.height.shape, np.nan), np.full(self.height.shape, np.nan)
        points_W, eye_W = np.ascontiguousarray(points_W, float), np.ascontiguousarray(eye_W, float)
        corner = np.asarray(self.first * CELL, np.float64)
        _native.ground_heights(points_W, eye_W, far, corner, CELL, height, top)
        return height, top

    def over(self, points_W: np.ndarray) -> np.ndarray:
        """How high points [n, 3] are over the ground of their cells, [n] [m]; NaN where none is known. In cells of
        walls and posts, which hide it, it is the lowest of those round them."""
        low = self.height.copy()
        for axis in (0, 1):
            for shift in (1, -1):
                low = np.fmin(low, np.roll(self.height if axis == 0 else low, shift, axis))
        low = np.where(self._top - self.height < _SMOOTH, self.height, low)
        cells = self.index(points_W)
        inside = ((cells >= 0) & (cells < low.shape)).all(axis=1)
        out = np.full(len(points_W), np.nan)
        out[inside] = points_W[inside, 2] - low[tuple(cells[inside].T)]
        return out

    def bar(self, p: np.ndarray, size: float) -> None:
        """Say that there is no way through a disc about a place [m]."""
        self._barred |= self.disc(p, size)

    def unbar(self, p: np.ndarray, size: float) -> None:
        """Take back what was barred about a place [m]."""
        self._barred &= ~self.disc(p, size)

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
        self._looked.look(p, yaw, width, far, self._flat() > 0)
        panes = self.panes.taken
        if self._looked.take_back(panes):
            # It may be what a mirror showed; if not, it will be seen again.
            behind = self._looked.behind(_NEAR, panes)
            self.height[behind] = self._top[behind] = np.nan
            self._sweeps[behind], self._near[behind] = 0, False

    @property
    def looked(self) -> np.ndarray:
        """Whether someone looked there for victims, bool [nx, ny]."""
        return self._looked.cells

    def looked_round(self, p: np.ndarray) -> bool:
        """Whether all that is known to be free within a lane's width of a place [m] was looked at."""
        near = self.disc(p, _LANE) & ~self.looked
        return not (self._flat()[near] < 0).any() if near.any() else True

    def terrain(self, others_W: list[np.ndarray], squeeze: bool = False) -> ClearanceMap:
        """What planners ask for: ground that is driven on is free; others [m] stand in the way."""
        flat = self._flat()
        for p in others_W:
            flat[self.disc(p, 0.3)] = 1
        window = Window(np.repeat(flat[:, :, None], _DEEP, axis=2), np.array([*self.first, 0]), CELL)
        terrain = clearance_map(window, _TERMS[squeeze], np.zeros(3))
        terrain.price[_steps(self.height) > _ROUGH] *= _DEAR
        return terrain

    def unlooked(self, terrain: ClearanceMap) -> ClearanceMap:
        """The same, in which what nobody looked at is unknown."""
        evidence = np.where(self.looked[:, :, None] | (terrain.window.evidence > 0), terrain.window.evidence, 0)
        return replace(terrain, window=terrain.window._replace(evidence=evidence))

    def index(self, p: np.ndarray) -> np.ndarray:
        """Cells of places, [n, 2 or 3] [m] → [n, 2]."""
        return np.floor(p[..., :2] / CELL).astype(np.int64) - self.first

    def walls(self) -> np.ndarray:
        """Middles of cells in which something stands, [n, 2] [m]."""
        return (np.argwhere(self._flat() > 0) + self.first + 0.5) * CELL

    def _flat(self) -> np.ndarray:
        """Evidence seen from above, int8 [nx, ny]."""
        nx, ny = self.height.shape
        low = np.array([*(self.first * CELL + 0.5 * CELL), -0.45])
        high = low + [(nx - 1) * CELL, (ny - 1) * CELL, 2.0]
        window = self.occupancy.window(low, high)
        flat = np.zeros((nx, ny), np.int8)
        sure = np.where(self._near, self.height, np.nan)
        bottom = float(window.corner[2])
        _native.seen_from_above(window.evidence, bottom, self.height, sure, CELL, self.climbs, flat)
        edges = self._top - self.height > np.where(self._near, self.climbs, _TALL)
        flat[edges | (_slope(np.where(edges, np.nan, sure)) > _STEEP)] = 1
        flat[self._stood & (flat == 0)] = -1
        flat[self._barred | self.panes.taken] = 1
        return flat


def _slope(height: np.ndarray) -> np.ndarray:
    """Of the ground over four cells, [nx, ny]; 0 where it is not known."""
    out = np.zeros(height.shape)
    along_x, along_y = height[4:, 2:-2] - height[:-4, 2:-2], height[2:-2, 4:] - height[2:-2, :-4]
    out[2:-2, 2:-2] = np.nan_to_num(np.hypot(along_x, along_y)) / (4 * CELL)
    return out


def _steps(height: np.ndarray) -> np.ndarray:
    """Largest difference of the ground from a cell to those beside it, [nx, ny] [m]; 0 where it is not known."""
    out = np.zeros(height.shape)
    for axis in (0, 1):
        step = np.nan_to_num(np.abs(np.diff(height, axis=axis)))
        for cells in ((slice(1, None), slice(None)), (slice(None, -1), slice(None))):
            at = cells if axis == 0 else cells[::-1]
            out[at] = np.maximum(out[at], step)
    return out
