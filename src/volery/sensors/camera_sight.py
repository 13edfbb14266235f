"""What the pixels of a camera meet: by drawing triangles where few of them are in sight, else by rays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from volery.sensors.camera_clusters import CLUSTER, ClusterTables
from volery.sensors.camera_parts import Rays
from volery.sensors.camera_raster import draw
from volery.sensors.camera_seen import seen
from volery.sensors.camera_tables import SceneTables
from volery.sensors.camera_visible import TILE, Grid, cover, in_sight, list_clusters
from volery.world.hits import Hits
from volery.world.native import kernel_lock, workers
from volery.world.scene import Scene

__all__ = ["Drawn", "Sight"]

_WORTH = 6
"""Triangles in sight per ray up to which drawing them is faster than casting rays (measured)."""


_FIRST_ROUND = 256
"""Clusters that are drawn before it is asked what they hide."""


class Drawn(NamedTuple):
    """A picture of which triangle each pixel sees, as kernels take it."""

    order: np.ndarray
    """As in Clusters."""
    listed: np.ndarray
    """Instance and cluster of the triangles whose names begin with the number of each row, int32 [n, 2]."""
    ys: np.ndarray
    zs: np.ndarray
    """Where the columns and rows of pixels are on the plane at x = 1 in C."""
    near: np.ndarray
    """1/x in C [1/m], 0 for nothing, float32 [k, pixels]: of k pictures, each of a part of the triangles, the nearest
    counts."""
    which: np.ndarray
    """Names of triangles, uint32 [k, pixels]."""


class Sight:
    """Finds what rays of a camera meet. Both ways give the same surfaces at the same depth."""

    def __init__(self, scene: Scene, mask: int) -> None:
        self._scene = scene
        self._mask = mask
        self._tables = SceneTables.of(scene)
        self._clusters = ClusterTables.of(scene)
        self._near, self._which = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.uint32)
        self._listed, self._places = np.zeros((0, 2), np.int32), np.zeros((0, 4))

    def find(self, rays: Rays, hits: Hits, *, coherent: bool) -> None:
        """Fill in the hits of rays."""
        drawn = self.draw(rays)
        if drawn is None:
            self._scene.cast_pattern(
                rays.origins, rays.directions, rays.R_WC, rays.p_WC, rays.far, hits, mask=self._mask,
                ignore=rays.ignore, coherent=coherent,
            )  # fmt: skip
            return
        geo = self._tables.geometry(self._scene, rays.p_WC)
        out = (hits.distance, hits.row, hits.primitive, hits.normal, hits.back)
        with kernel_lock:
            seen(drawn, geo, rays.grid, rays.R_WC, rays.directions, rays.far, rays.pixel, out, workers(len(hits)))

    def draw(self, rays: Rays) -> Drawn | None:
        """What the rays of a grid meet, drawn; None if casting them is quicker. Valid until the next call."""
        grid = rays.grid
        if grid is None:
            return None
        geo, far = self._tables.geometry(self._scene, rays.p_WC), float(rays.far.max())
        found = self._in_sight(rays, grid, geo, far)
        if found is None:
            return None
        listed, places = found
        clusters, pixels = self._clusters.sync(self._scene), (grid.bottom - grid.top) * grid.width
        tasks = workers(pixels)
        if self._near.shape != (tasks, pixels):
            self._near, self._which = (np.empty((tasks, pixels), kind) for kind in (np.float32, np.uint32))
        ys = (grid.width / 2 - 0.5 - np.arange(grid.width)) / grid.focal
        zs = (grid.height / 2 - 0.5 - np.arange(grid.top, grid.bottom)) / grid.focal
        covered = np.empty((-(-(grid.bottom - grid.top) // TILE), -(-grid.width // TILE)), np.float32)
        with kernel_lock:
            for first, last in _rounds(len(listed)):
                draw(
                    clusters, geo, rays.R_WC, rays.p_WC, grid, listed, places, first, last, ys, zs, self._near,
                    self._which, covered, tasks,
                )  # fmt: skip
                if last < len(listed):
                    cover(grid, self._near, covered, tasks)
        return Drawn(clusters.order, listed, ys, zs, self._near, self._which)

    def _in_sight(self, rays: Rays, grid: Grid, geo: tuple, far: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Clusters in sight [n, 2] and their spheres in C [n, 4], the nearest first; None if there are too many."""
        clusters, table = self._clusters.sync(self._scene), self._scene.rows
        distance = np.empty(len(clusters.rows))
        in_sight(
            clusters, clusters.rows, geo, rays.R_WC, rays.p_WC, grid, far, np.uint32(self._mask), rays.ignore,
            table.mask, table.group, distance,
        )  # fmt: skip
        near = np.flatnonzero(distance >= 0.0)
        rows = clusters.rows[near]
        # What stands at the same distance comes in an order that does not hang on what came first into the world.
        rows = rows[np.lexsort((rows, table.object[rows], distance[near]))]
        most = _WORTH * len(rays.directions) // CLUSTER
        if len(rows) > most:
            return None
        self._clusters.cut(np.unique(table.mesh[rows]))
        if len(self._listed) != most:
            self._listed, self._places = np.empty((most, 2), np.int32), np.empty((most, 4))
        count = list_clusters(clusters, rows, geo, rays.R_WC, rays.p_WC, grid, far, self._listed, self._places)
        if count < 0:
            return None
        places = self._places[:count]
        order = np.argsort(places[:, 0] - places[:, 3], kind="stable")
        return self._listed[order], places[order]


def _rounds(count: int) -> Iterator[tuple[int, int]]:
    """Parts of a list, each twice as long as the one before: what the first ones hide, the next ones need not draw."""
    first, last = 0, min(_FIRST_ROUND, count)
    yield first, last
    while last < count:
        first, last = last, min(2 * last, count)
        yield first, last
