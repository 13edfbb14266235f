"""The tiles of lamps' maps: depth of what stands, seen from a lamp, made when a picture first needs it.

A tile is a pure function of the lamp's place and of what stands, as those of sun and sky, see tiles.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from volery._native.render import trace_standing
from volery._native.render.lamp_map import ACROSS, FACE, REACH, RIM, SIDE, TILE, TILES
from volery.render.shadow_maps.pool import FREE, TilePool, texel_order
from volery.world.scene.floating_origin import Cell, cell_key
from volery.world.scene.scene import Scene

__all__ = ["LampTiles"]

_HOUSING = 0.25
"""What is so near to a lamp's middle [m] belongs to the lamp, and throws no shadow."""
_MOST = 2000
_AT_ONCE = 32


class LampTiles(TilePool):
    """Tiles of all lamps. Their keys are the lamp, the tile on its cube, and twice 0."""

    def __init__(self) -> None:
        super().__init__((SIDE, SIDE), _MOST)
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._places: list[np.ndarray] = []

    def numbers(self, p_W: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Numbers of lamps at places [k, 3] in W [m] for an eye in W: the same ones each time they are asked for."""
        cell = cell_key(p_W)
        numbers = np.empty(len(places), np.int64)
        for k, place in enumerate(places):
            key = (cell, place.tobytes())
            if key not in self._numbers:
                self._numbers[key] = len(self._places)
                self._places.append(place.copy())
            numbers[k] = self._numbers[key]
        return numbers

    def index(self, lamps: np.ndarray) -> np.ndarray:
        """The tiles of lamps that are there, int32 [k, TILES]; -1: not there."""
        index = np.full((len(lamps), TILES), -1, np.int32)
        for k, lamp in enumerate(lamps):
            tiles = np.flatnonzero(self._keys[:, 0] == lamp)
            index[k, self._keys[tiles, 1]] = tiles
        return index

    def make(self, scene: Scene, cell: Cell, lamps: np.ndarray, wanted: np.ndarray, picture: int) -> np.ndarray:
        """Make tiles given as pairs of a lamp of `lamps` and a tile of its cube [n, 2]; returns their numbers."""
        keys = np.zeros((len(wanted), 4), np.int64)
        keys[:, 0], keys[:, 1] = lamps[wanted[:, 0]], wanted[:, 1]
        tiles = self._room(keys, picture)
        for first in range(0, len(keys), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            places = np.stack([self._places[key[0]] for key in keys[part]]) - cell.origin
            ways = np.concatenate([_ways(int(key[1]), _TEXELS - RIM + 0.5) for key in keys[part]])
            deep = _met(scene, cell, np.repeat(places, len(_TEXELS), axis=0), ways)
            self.pool[tiles[part, None], _TEXELS[:, 0], _TEXELS[:, 1]] = deep.reshape(len(places), -1)
        return tiles

    def forget(self, centre: np.ndarray, radius: np.ndarray) -> None:
        """Drop the tiles that see spheres [n, 3], [n] in which something came, moved or went."""
        for number in np.unique(self._keys[self._keys[:, 0] != FREE, 0]):
            way = centre - self._places[number]
            away = np.linalg.norm(way, axis=1)
            near = away - radius < 2 * REACH
            if not near.any():
                continue
            way, away, size = way[near], away[near], radius[near]
            wide = np.where(away > size, np.arcsin(np.minimum(size / np.maximum(away, 1e-9), 1.0)), np.pi)
            aside = np.arccos(np.clip(_MIDDLES @ (way / np.maximum(away, 1e-9)[:, None]).T, -1.0, 1.0))
            seen = (aside < wide + _HALF_WIDTHS[:, None]).any(axis=1)
            tiles = np.flatnonzero(self._keys[:, 0] == number)
            self._keys[tiles[seen[self._keys[tiles, 1]]], 0] = FREE


def _met(scene: Scene, cell: Cell, origins: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Depth [m] along the axis of its face of the first thing that stands in each way, infinite if there is none."""
    count, length = len(ways), np.linalg.norm(ways, axis=1)
    distance, row, primitive = np.empty(count, np.float32), np.empty(count, np.int32), np.empty(count, np.int32)
    starts, directions = origins.astype(np.float32), (ways / length[:, None]).astype(np.float32)
    trace_standing(scene.tables, cell.rays, starts, directions, _HOUSING, 2 * REACH, distance, row, primitive)
    return distance / length.astype(np.float32)


def _ways(tile: int, grid: np.ndarray) -> np.ndarray:
    """Directions of places [n, 2] on a tile [texels from its corner], 1 along the axis of its face, [n, 3]."""
    face, rest = divmod(tile, ACROSS**2)
    axis, corner = face // 2, np.array(divmod(rest, ACROSS)) * TILE
    ways = np.empty((len(grid), 3))
    ways[:, axis] = 1.0 - 2.0 * (face % 2)
    ways[:, [(axis + 1) % 3, (axis + 2) % 3]] = (corner + grid) * (2.0 / FACE) - 1.0
    return ways


def _cones() -> tuple[np.ndarray, np.ndarray]:
    """Cones round the tiles: unit axes [TILES, 3] and half their angles [rad]."""
    ends = np.array([-RIM, TILE + RIM])
    corners = np.stack([_ways(tile, np.array([[a, b] for a in ends for b in ends])) for tile in range(TILES)])
    corners /= np.linalg.norm(corners, axis=2, keepdims=True)
    middle = corners.sum(axis=1)
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    return middle, np.arccos(np.einsum("tnc,tc->tn", corners, middle).min(axis=1))


_TEXELS = texel_order(SIDE)
_MIDDLES, _HALF_WIDTHS = _cones()
