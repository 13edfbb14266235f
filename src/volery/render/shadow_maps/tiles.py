"""The tiles of shadow maps: depth seen from the sun and from parts of the sky, drawn when a picture first needs them.

A tile is a pure function of its place and of what stands in the scene, so pictures do not depend on what was seen
before. It is kept while nothing in it comes, goes or moves.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from volery._native.render import LampMapWindow, ShadowMapWindow, draw_sky_tiles, draw_sun_tiles
from volery._native.render.shadow_map import EDGE, LEVELS, TEXELS, WINDOW
from volery.render.scene import RenderScene
from volery.render.shadow_maps.ambient import sky_directions
from volery.render.shadow_maps.cascades import SKY, SUN, Cascades, basis_of
from volery.render.shadow_maps.lamp_tiles import LampTiles
from volery.render.shadow_maps.pool import FREE, TilePool
from volery.render.visibility.clusters import Clusters
from volery.world.scene.floating_origin import CELL_SIZE, cell_key
from volery.world.scene.scene import Scene

__all__ = ["LampWindow", "MapWindow", "ShadowMaps"]

_ROUGH = 1.5
"""Things so small [texels] may be drawn by a coarser level of detail."""


class _View(NamedTuple):
    """From where a map of tiles is seen: a direction, in the frame of a cell."""

    origin: np.ndarray
    basis: np.ndarray


class _Tiles(TilePool):
    """Tiles of one kind. A tile's key is a view, a level and two indices."""

    def __init__(self, kind: Cascades) -> None:
        super().__init__((EDGE, EDGE, kind.channels), kind.most)
        self.kind = kind
        self._views: list[_View] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def view(self, cell: tuple[int, int, int], direction: np.ndarray) -> int:
        """Number of a view; the same one each time it is asked for."""
        key = (cell, direction.tobytes())
        if key not in self._numbers:
            self._numbers[key] = len(self._views)
            self._views.append(_View(np.array(cell) * CELL_SIZE, basis_of(direction)))
        return self._numbers[key]

    def enter(self, view: int, corner: np.ndarray, index: np.ndarray) -> None:
        """Write the tiles of a view that are there into a window [levels, window, window] from corner [levels, 2]."""
        tiles = np.flatnonzero(self._keys[:, 0] == view)
        level = self._keys[tiles, 1]
        place = self._keys[tiles, 2:] - corner[level]
        seen = ((place >= 0) & (place < WINDOW)).all(axis=1)
        index[level[seen], place[seen, 0], place[seen, 1]] = tiles[seen]

    def forget(self, centre: np.ndarray, radius: np.ndarray) -> None:
        """Drop the tiles over spheres [n, 3], [n] in which something came, moved or went."""
        for number in np.unique(self._keys[self._keys[:, 0] != FREE, 0]):
            view = self._views[number]
            tiles = np.flatnonzero(self._keys[:, 0] == number)
            size = self.kind.texel * TEXELS * 2.0 ** self._keys[tiles, 1]
            middle = (self._keys[tiles, 2:] + 0.5) * size[:, None]
            away = np.abs(((centre - view.origin) @ view.basis[:2].T)[None] - middle[:, None]).max(axis=2)
            # A tile reaches half its size from its middle, and its rim a little farther.
            touched = (away < radius[None] + 0.6 * size[:, None]).any(axis=1)
            self._keys[tiles[touched], 0] = FREE

    def make(self, scene: Scene, keys: np.ndarray, picture: int) -> np.ndarray:
        """Make tiles of keys [n, 4], all of one view; returns their numbers."""
        tiles, view = self._room(keys, picture), self._views[keys[0, 0]]
        clusters, surfaces = Clusters.of(scene).synced(scene), RenderScene.of(scene).surfaces
        place = np.ascontiguousarray(view.origin, np.float64), view.basis, self.kind.texel, _ROUGH
        if self.kind is SUN:
            pool = self.pool.reshape(-1, EDGE, EDGE)
            draw_sun_tiles(clusters, surfaces, *place, np.ascontiguousarray(keys[:, 1:]), tiles, pool)
        else:
            draw_sky_tiles(clusters, surfaces, *place, np.ascontiguousarray(keys[:, 1:]), tiles, self.pool)
        return tiles


class MapWindow(NamedTuple):
    """The maps round a camera; direction 0 is the sun."""

    basis: np.ndarray
    """Two axes of the map and the direction towards the light, float64 [k, 3, 3]."""
    corner: np.ndarray
    """First tile of the window, int64 [k, levels, 2]."""
    index: np.ndarray  # type: ignore[assignment]
    """Tile in the pool, int32 [k, levels, window, window]; -1: not there."""


class LampWindow(NamedTuple):
    """The maps of lamps."""

    lamps: np.ndarray
    origin_W: np.ndarray
    """Of the cell [m]."""
    index: np.ndarray  # type: ignore[assignment]
    """Tile in the pool, int32 [k, tiles of a cube]; -1: not there."""


class ShadowMaps:
    """The maps of one scene, shared by its cameras."""

    def __init__(self) -> None:
        self._sun, self._sky, self._lamps = _Tiles(SUN), _Tiles(SKY), LampTiles()
        self._pictures = 0
        self._version = -1
        self._changes: deque[tuple[int, np.ndarray, np.ndarray]] = deque()
        self._lock = threading.Lock()

    @staticmethod
    def of(scene: Scene) -> ShadowMaps:
        """The maps of a scene."""
        if ShadowMaps not in scene.companions:
            scene.companions[ShadowMaps] = ShadowMaps()
        return scene.companions[ShadowMaps]

    def window(self, sun: np.ndarray, sky: int, p_W: np.ndarray, origin: np.ndarray) -> MapWindow:
        """What is there round an eye in W [m], for the sun's direction and a number of sky directions."""
        self._pictures += 1
        directions = np.concatenate([sun[None], sky_directions(sky)])
        basis = np.stack([basis_of(d) for d in directions])
        corner = np.empty((len(basis), LEVELS, 2), np.int64)
        index = np.full((len(basis), LEVELS, WINDOW, WINDOW), -1, np.int32)
        cell = cell_key(p_W)
        for k, direction in enumerate(directions):
            tiles = self._tiles(k)
            size = tiles.kind.texel * TEXELS * 2.0 ** np.arange(LEVELS)
            corner[k] = np.floor((basis[k, :2] @ (p_W - origin)) / size[:, None]).astype(np.int64) - WINDOW // 2
            tiles.enter(tiles.view(cell, direction), corner[k], index[k])
        return MapWindow(basis, corner, index)

    def native(self, maps: MapWindow, lamps: LampWindow) -> tuple[ShadowMapWindow, LampMapWindow]:
        """As kernels take them; valid until tiles are made."""
        sun, sky = self._sun.pool.reshape(-1, EDGE, EDGE), self._sky.pool
        return ShadowMapWindow(*maps, sun, sky), LampMapWindow(*lamps, self._lamps.pool)

    def fill(self, scene: Scene, p_W: np.ndarray, maps: MapWindow, wanted: np.ndarray) -> None:
        """Make the wanted tiles that are missing."""
        missing = wanted & (maps.index < 0)
        for k in range(len(maps.basis)):
            self._tiles(k).touch(maps.index[k][wanted[k] & ~missing[k]], self._pictures)
        if not missing.any():
            return
        place = cell_key(p_W)
        for k in np.flatnonzero(missing.any(axis=(1, 2, 3))).tolist():
            tiles, where = self._tiles(k), np.argwhere(missing[k])
            keys = np.empty((len(where), 4), np.int64)
            keys[:, 0] = tiles.view(place, maps.basis[k, 2])
            keys[:, 1] = where[:, 0]
            keys[:, 2:] = maps.corner[k, where[:, 0]] + where[:, 1:]
            maps.index[k][tuple(where.T)] = tiles.make(scene, keys, self._pictures)

    def lamp_window(self, lamps: np.ndarray, p_W: np.ndarray, origin: np.ndarray) -> LampWindow:
        """What is there of the maps of lamps for an eye in W."""
        return LampWindow(lamps, origin, self._lamps.index(self._lamps.numbers(p_W, lamps["p_W"])))

    def fill_lamps(self, scene: Scene, p_W: np.ndarray, window: LampWindow, wanted: np.ndarray) -> None:
        """Make the wanted tiles of lamps that are missing."""
        missing = wanted & (window.index < 0)
        self._lamps.touch(window.index[wanted & ~missing], self._pictures)
        if missing.any():
            where, numbers = np.argwhere(missing), self._lamps.numbers(p_W, window.lamps["p_W"])
            window.index[missing] = self._lamps.make(scene, scene.cell(p_W), numbers, where, self._pictures)

    def note(self, version: int, centre: np.ndarray, radius: np.ndarray) -> None:
        """The world has changed in spheres round [n, 3] of radius [n], up to a version of the scene."""
        if len(radius):
            self._changes.append((version, centre, radius))

    @contextmanager
    def of_version(self, version: int) -> Iterator[ShadowMaps]:
        """The maps as a version of the scene has them, for one picture at a time; those of the past are made anew."""
        with self._lock:
            if version < self._version:
                yield ShadowMaps()
                return
            self._version = version
            while self._changes and self._changes[0][0] <= version:
                self._forget(*self._changes.popleft()[1:])
            yield self

    def _forget(self, centre: np.ndarray, radius: np.ndarray) -> None:
        """Drop what was seen through spheres."""
        self._sun.forget(centre, radius)
        self._sky.forget(centre, radius)
        self._lamps.forget(centre, radius)

    def _tiles(self, k: int) -> _Tiles:
        return self._sky if k else self._sun
