"""What all drones of a flock see, by one batch of rays: depth pictures or lidar sweeps."""

from __future__ import annotations

import numpy as np

from volery.learn.flock import Flock
from volery.render.lens import lens_of, pattern_of
from volery.sensors.patterns import spinning
from volery.world.cast.batch import Cast, cast_all
from volery.world.cast.hits import Hits

__all__ = ["BatchedRays", "depth_camera", "lidar"]

_FINE = 0.3
"""Pixels nearer to each other than this see the same things [degrees]; at 1.4, coherent rays cost a fifth more."""


class BatchedRays:
    """Rays from the middle of each drone. They see the world, not the other drones, which are in other episodes."""

    def __init__(
        self, flock: Flock, directions_B: np.ndarray, reach: float, shape: tuple[int, int], *,
        order: np.ndarray | None = None, planar: bool = False, coherent: bool = False,
    ) -> None:  # fmt: skip
        """directions_B: unit, float32 [k, 3]; reach: [m]; order [k]: place of each ray in an array of the shape;
        planar: distances are those along x; coherent: neighbours go the same way."""
        self._flock, self.reach, self.shape = flock, reach, shape
        count, k = len(flock), len(directions_B)
        self._directions, self._start = directions_B, np.zeros((1, 3), np.float32)
        self._along = directions_B[:, 0].copy() if planar else np.ones(k, np.float32)
        self._far = (reach / self._along).astype(np.float32)
        self._order = np.arange(k) if order is None else order
        self._coherent = coherent
        self._distance = np.empty((count, k), np.float32)
        # So that all answers are one array.
        self._hits = [Hits(flock.scene, k, normals=False, distance=own) for own in self._distance]

    def measure(self, rows: np.ndarray) -> np.ndarray:
        """Distances that some drones see, float32 [m, *shape] [m]; nothing within reach: the reach."""
        f = self._flock
        cast_all(f.scene, [
            Cast(self._start, self._directions, f.R_WB[i], f.p_WB[i], self._far, self._hits[k], coherent=self._coherent)
            for k, i in enumerate(rows)
        ])  # fmt: skip
        found = np.minimum(self._distance[: len(rows)] * self._along, np.float32(self.reach))
        out = np.empty_like(found)
        out[:, self._order] = found
        return out.reshape(len(rows), *self.shape)


def depth_camera(flock: Flock, size: tuple[int, int], fov_deg: float, reach: float) -> BatchedRays:
    """A pinhole that looks ahead; size: width and height [pixels]; fov_deg: horizontal [degrees]. Its picture [h, w] is
    the distance along its axis, rows from the top."""
    lens = lens_of("pinhole", *size, np.radians(fov_deg))
    rays = pattern_of(lens, reach)
    fine = fov_deg / size[0] < _FINE
    return BatchedRays(flock, rays.directions, reach, size[::-1], order=rays.pixel, planar=True, coherent=fine)


def lidar(flock: Flock, lines: int, columns: int, reach: float, span_deg: float = 30.0) -> BatchedRays:
    """Lines all round, lowest first, within ±span_deg/2 of level [degrees]; azimuths from behind counter-clockwise."""
    elevations = np.linspace(-span_deg / 2, span_deg / 2, lines).tolist() if lines > 1 else [0.0]
    return BatchedRays(flock, spinning(elevations, columns).directions, reach, (lines, columns))
