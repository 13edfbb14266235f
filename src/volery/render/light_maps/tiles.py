"""The tiles of light maps: depth seen from the sun and from parts of the sky, made when a picture first needs them.

A tile is a pure function of its place and of what stands in the scene, so pictures do not depend on what was seen
before. It is kept while nothing in it comes, goes or moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery._native.render import LampMapWindow, LightMapWindow, find_leaves, trace_standing
from volery._native.render.light_map import BLUR, BORDER, EDGE, LEVELS, NO_ROOF, TEXELS, WINDOW
from volery.render.light_maps.lamp_tiles import LampTiles
from volery.render.light_maps.pool import FREE, TilePool, texel_order
from volery.render.light_maps.sheets import SKY, SUN, Sheet, basis_of, sky_directions
from volery.render.scene import RenderScene
from volery.world.cells import CELL_SIZE, Cell, cell_key
from volery.world.scene import Scene

__all__ = ["LampWindow", "LightMaps", "MapWindow"]

_START = 2000.0
"""Rays start this far from the middle of the cell [m]."""
_AT_ONCE = 16


class _View(NamedTuple):
    """From where a sheet of tiles is seen: a direction, in the frame of a cell."""

    origin: np.ndarray
    basis: np.ndarray


class _Tiles(TilePool):
    """Tiles of one kind. A tile's key is a view, a level and two indices."""

    def __init__(self, kind: Sheet) -> None:
        super().__init__((EDGE, EDGE, kind.channels), kind.most)
        self.kind = kind
        self._views: list[_View] = []
        self._numbers: dict[tuple, int] = {}

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

    def make(self, scene: Scene, cell: Cell, keys: np.ndarray, picture: int) -> np.ndarray:
        """Make tiles of keys [n, 4]; returns their numbers."""
        tiles = self._room(keys, picture)
        for first in range(0, len(keys), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            rays = [self._rays(key) for key in keys[part]]
            height, leaf = self._met(scene, cell, *(np.concatenate(r) for r in zip(*rays, strict=True)))
            for k, tile in enumerate(tiles[part]):
                texels = slice(k * EDGE * EDGE, (k + 1) * EDGE * EDGE)
                self.pool[tile, _TEXELS[:, 0], _TEXELS[:, 1], 0] = height[texels]
                if self.kind.channels > 1:
                    leafy = np.empty((EDGE, EDGE), bool)
                    leafy[_TEXELS[:, 0], _TEXELS[:, 1]] = leaf[texels]
                    _blur(self.pool[tile], leafy)
        return tiles

    def _rays(self, key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origins and directions of the rays of a tile in its cell, float32 [n, 3]."""
        basis, texel = self._views[key[0]].basis, self.kind.texel * 2.0 ** key[1]
        place = (key[2:] * TEXELS + _TEXELS - BORDER + 0.5) * texel
        origins = place @ basis[:2] + basis[2] * _START
        return origins.astype(np.float32), np.repeat(-basis[2:], len(origins), axis=0).astype(np.float32)

    def _met(
        self, scene: Scene, cell: Cell, origins: np.ndarray, directions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Height along the light [m] of the first thing that stands in the way of rays in a cell, -infinite where
        there is none, float32 [n], and whether it is a leaf, bool [n], if that matters."""
        count = len(origins)
        distance, leaf = np.empty(count, np.float32), np.zeros(count, bool)
        row, primitive = np.empty(count, np.int32), np.empty(count, np.int32)
        trace_standing(scene.tables, cell.rays, origins, directions, 0.0, 4 * _START, distance, row, primitive)
        if self.kind.channels > 1:
            find_leaves(RenderScene.of(scene).surfaces, row, primitive, leaf)
        return np.float32(_START) - distance, leaf


class MapWindow(NamedTuple):
    """The maps round a camera; direction 0 is the sun."""

    basis: np.ndarray
    """Two axes of the map and the direction towards the light, float64 [k, 3, 3]."""
    corner: np.ndarray
    """First tile of the window, int64 [k, levels, 2]."""
    index: np.ndarray
    """Tile in the pool, int32 [k, levels, window, window]; -1: not there."""


class LampWindow(NamedTuple):
    """The maps of lamps."""

    lamps: np.ndarray
    origin_W: np.ndarray
    """Of the cell [m]."""
    index: np.ndarray
    """Tile in the pool, int32 [k, tiles of a cube]; -1: not there."""


class LightMaps:
    """The maps of one scene, shared by its cameras."""

    def __init__(self) -> None:
        self._sun, self._sky, self._lamps = _Tiles(SUN), _Tiles(SKY), LampTiles()
        self._pictures = 0

    @staticmethod
    def of(scene: Scene) -> LightMaps:
        """The maps of a scene."""
        if LightMaps not in scene.companions:
            scene.companions[LightMaps] = LightMaps()
        return scene.companions[LightMaps]

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

    def native(self, maps: MapWindow, lamps: LampWindow) -> tuple[LightMapWindow, LampMapWindow]:
        """As kernels take them; valid until tiles are made."""
        sun, sky = self._sun.pool.reshape(-1, EDGE, EDGE), self._sky.pool
        return LightMapWindow(*maps, sun, sky), LampMapWindow(*lamps, self._lamps.pool)

    def fill(self, scene: Scene, p_W: np.ndarray, maps: MapWindow, wanted: np.ndarray) -> None:
        """Make the wanted tiles that are missing."""
        missing = wanted & (maps.index < 0)
        for k in range(len(maps.basis)):
            self._tiles(k).touch(maps.index[k][wanted[k] & ~missing[k]], self._pictures)
        if not missing.any():
            return
        place, cell = cell_key(p_W), scene.cell(p_W)
        for k in np.flatnonzero(missing.any(axis=(1, 2, 3))):
            tiles, where = self._tiles(k), np.argwhere(missing[k])
            keys = np.empty((len(where), 4), np.int64)
            keys[:, 0] = tiles.view(place, maps.basis[k, 2])
            keys[:, 1] = where[:, 0]
            keys[:, 2:] = maps.corner[k, where[:, 0]] + where[:, 1:]
            maps.index[k][tuple(where.T)] = tiles.make(scene, cell, keys, self._pictures)

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

    def forget(self, centre: np.ndarray, radius: np.ndarray) -> None:
        """Drop what was seen through spheres round [n, 3] of radius [n], in which the world has changed."""
        if len(radius):
            self._sun.forget(centre, radius)
            self._sky.forget(centre, radius)
            self._lamps.forget(centre, radius)

    def _tiles(self, k: int) -> _Tiles:
        return self._sky if k else self._sun


_TEXELS = texel_order(EDGE)


def _blur(tile: np.ndarray, leafy: np.ndarray) -> None:
    """Replace heights by their mean, variance and lowest over a square of neighbours; the rim is left out.

    Leaves [edge, edge] are no roof: some light always finds a way past them.
    """
    h, size = tile[..., 0].astype(np.float64), 2 * BLUR + 1
    met = np.isfinite(h)
    # Where there is nothing at all, the world ends: as if its ground went on.
    h[~met] = h[met].min() if met.any() else -_START
    middle = h.mean()
    sums = []
    for values in (h - middle, (h - middle) ** 2):
        for axis in (0, 1):
            total = np.insert(np.cumsum(values, axis=axis), 0, 0.0, axis=axis)
            values = np.take(total, range(size, total.shape[axis]), axis) - np.take(
                total, range(total.shape[axis] - size), axis
            )
        sums.append(values / size**2)
    inner = tile[BLUR:-BLUR, BLUR:-BLUR]
    inner[..., 0] = sums[0] + middle
    inner[..., 1] = np.maximum(sums[1] - sums[0] ** 2, 0.0)
    n = len(inner)
    h[leafy] = NO_ROOF
    h = np.minimum.reduce([h[k : k + n] for k in range(size)])
    inner[..., 2] = np.minimum.reduce([h[:, k : k + n] for k in range(size)])
