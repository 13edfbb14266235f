"""Light maps: how far light from the sun, and from five parts of the sky, comes down, as depth seen from there.

A map is cut into tiles that are made when a picture first needs them and kept while nothing in them changes. Their
texels grow with the distance from the camera. A tile is a pure function of its key and of what stands in the scene, so
pictures do not depend on what was seen before. Coordinates are those of the scene's cell, see world/cells.py.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numba as nb
import numpy as np

from volery.world import questions
from volery.world.cells import CELL_SIZE, Cell, cell_key
from volery.world.embree import COHERENT, address
from volery.world.hits import Hits
from volery.world.native import WIDTH, threads
from volery.world.rays import cast_rays, own_filter_address
from volery.world.scene import ALL_CHANNELS, Scene, SceneObject

__all__ = ["LEVELS", "WINDOW", "LightMaps", "Maps", "basis_of", "level_of", "lit", "mark", "sky_directions"]

LEVELS, WINDOW = 8, 9
"""Sizes of texels, each twice the one before, and tiles along an edge of what a camera can see of a level."""
_TEXELS, _BORDER = 128, 8
_BLUR = 2
"""Texels to each side over which the sky's maps are averaged."""
_EDGE = _TEXELS + 2 * _BORDER
_START = 2000.0
"""Rays start this far from the middle of the cell [m]."""
_SUN_TEXEL, _SUN_REACH = 0.04, 16.0
_SKY_TEXEL, _SKY_REACH = 0.3, 64.0
"""Finest texels [m], and up to which distance from the camera they are used [m]."""
_FAST = {"contract", "reassoc", "arcp", "nsz", "afn"}
"""Freedom for the compiler that keeps infinities; the same on every thread."""
_MOST_TILES = 1500
_AT_ONCE = 16


class Maps(NamedTuple):
    """The maps as kernels take them; direction 0 is the sun."""

    basis: np.ndarray
    """Two axes of the map and the direction towards the light, float64 [k, 3, 3]."""
    texel: np.ndarray
    """Finest texel of each [m], [k]."""
    reach: np.ndarray
    """Where the next level begins [m], [k]."""
    scale: np.ndarray
    """Tiles per metre, [k, levels]."""
    corner: np.ndarray
    """First tile of the window, int64 [k, levels, 2]."""
    index: np.ndarray
    """Tile in the pool, int32 [k, levels, window, window]; -1: not there."""
    pool: np.ndarray
    """Height of the first surface along the light [m]; for the sky its mean over a square of neighbours, their
    variance [m²], and the lowest of them [m]: [tiles, edge, edge, 3]."""


def sky_directions(count: int) -> np.ndarray:
    """Directions towards parts of the sky: overhead, then a ring at 40°, [count, 3]."""
    ring = np.arange(max(count - 1, 0)) * (2 * np.pi / max(count - 1, 1)) + 0.4
    low = np.stack([np.cos(ring) * np.cos(0.7), np.sin(ring) * np.cos(0.7), np.full(len(ring), np.sin(0.7))], axis=1)
    return np.concatenate([[[0.0, 0.0, 1.0]], low])[:count]


def basis_of(direction: np.ndarray) -> np.ndarray:
    """Axes of a map that is seen from a direction, [3, 3]."""
    other = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(other, direction)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(direction, u), direction])


@nb.njit(cache=True, nogil=True)
def level_of(maps, k, distance):
    """Level of a map at a distance from the camera [m]; LEVELS or more: beyond all."""
    level, reach = 0, maps.reach[k]
    while distance > reach:
        reach *= 2.0
        level += 1
    return level


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def _tile(maps, k, level, x, y, z):
    """Place in the window and place in the tile [texels] of a point; -1: outside."""
    b, scale = maps.basis[k], maps.scale[k, level]
    u = (b[0, 0] * x + b[0, 1] * y + b[0, 2] * z) * scale
    v = (b[1, 0] * x + b[1, 1] * y + b[1, 2] * z) * scale
    i, j = np.floor(u), np.floor(v)
    a, c = int(i) - maps.corner[k, level, 0], int(j) - maps.corner[k, level, 1]
    if a < 0 or c < 0 or a >= WINDOW or c >= WINDOW:
        return -1, 0, 0.0, 0.0
    return a, c, (u - i) * _TEXELS, (v - j) * _TEXELS


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def mark(maps, marks, distance, x, y, z) -> None:
    """Note which tiles a point needs."""
    level = level_of(maps, 0, distance)
    for k in range(maps.basis.shape[0]):
        if k == 1:
            level = level_of(maps, 1, distance)
        if level < LEVELS:
            a, c, _, _ = _tile(maps, k, level, x, y, z)
            if a >= 0:
                marks[k, level, a, c] = 1


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def lit(maps, k, level, x, y, z, nx, ny, nz, leaf) -> float:
    """Share of the light k that reaches a point with a normal, 0 to 1, softened over four texels; leaf: there is no
    inside behind it."""
    if level >= LEVELS:
        return 1.0
    a, c, s, t = _tile(maps, k, level, x, y, z)
    if a < 0 or maps.index[k, level, a, c] < 0:
        return 1.0
    b, texel = maps.basis[k], maps.texel[k] * (1 << level)
    # A step along the normal and towards the light keeps a surface from shading itself, and light of the sky that
    # is averaged over neighbours from coming through walls.
    up = b[2, 0] * nx + b[2, 1] * ny + b[2, 2] * nz
    aside = 1.2 if k == 0 else (0.0 if leaf else _BLUR + 1.0)
    height = b[2, 0] * x + b[2, 1] * y + b[2, 2] * z + (0.35 + (1.2 if up > 0 else aside) * up) * texel + 0.01
    s += aside * (b[0, 0] * nx + b[0, 1] * ny + b[0, 2] * nz) + (_BORDER - 0.5)
    t += aside * (b[1, 0] * nx + b[1, 1] * ny + b[1, 2] * nz) + (_BORDER - 0.5)
    i, j = int(s), int(t)
    p, q = s - i, t - j
    pool = maps.pool[maps.index[k, level, a, c]]
    if k == 0:
        low = (1.0 - p if pool[i, j, 0] < height else 0.0) + (p if pool[i + 1, j, 0] < height else 0.0)
        high = (1.0 - p if pool[i, j + 1, 0] < height else 0.0) + (p if pool[i + 1, j + 1, 0] < height else 0.0)
        return low * (1.0 - q) + high * q
    # The share of a neighbourhood below this height, after Chebyshev, from mean and variance alone.
    f0, f1, f2, f3 = (1.0 - p) * (1.0 - q), p * (1.0 - q), (1.0 - p) * q, p * q
    mean = f0 * pool[i, j, 0] + f1 * pool[i + 1, j, 0] + f2 * pool[i, j + 1, 0] + f3 * pool[i + 1, j + 1, 0]
    if height >= mean:
        return 1.0
    spread = f0 * pool[i, j, 1] + f1 * pool[i + 1, j, 1] + f2 * pool[i, j + 1, 1] + f3 * pool[i + 1, j + 1, 1]
    share = max(1.15 * spread / (spread + (mean - height) ** 2) - 0.15, 0.0)
    if leaf:
        return share
    # Below the lowest of all neighbours nothing comes through, such as in a room.
    lowest = f0 * pool[i, j, 2] + f1 * pool[i + 1, j, 2] + f2 * pool[i, j + 1, 2] + f3 * pool[i + 1, j + 1, 2]
    return share * min(max(2.0 * (height - lowest), 0.0), 1.0)


def _grid() -> np.ndarray:
    """Texels of a tile in the order of their rays, 4×4 at a time: places [n, 2]."""
    i, j = np.divmod(np.arange(_EDGE * _EDGE), _EDGE)
    order = np.lexsort((j, i, j // 4, i // 4))
    return np.stack([i[order], j[order]], axis=1)


class LightMaps:
    """The tiles of one scene, shared by its cameras."""

    _all: ClassVar[WeakKeyDictionary[Scene, LightMaps]] = WeakKeyDictionary()
    _texels: ClassVar[np.ndarray] = _grid()

    def __init__(self) -> None:
        self._pool = np.empty((64, _EDGE, _EDGE, 3), np.float32)
        self._slots: dict[tuple, int] = {}
        self._free = list(range(64))
        self._used: dict[tuple, int] = {}
        self._pictures = 0

    @staticmethod
    def of(scene: Scene) -> LightMaps:
        """The maps of a scene."""
        if scene not in LightMaps._all:
            LightMaps._all[scene] = LightMaps()
        return LightMaps._all[scene]

    def window(self, sun: np.ndarray, sky: int, eye: np.ndarray) -> Maps:
        """Empty maps round an eye in its cell [m], for the sun's direction and a number of sky directions."""
        directions = np.concatenate([sun[None], sky_directions(sky)])
        basis = np.stack([basis_of(d) for d in directions])
        texel = np.full(len(basis), _SKY_TEXEL)
        reach = np.full(len(basis), _SKY_REACH)
        texel[0], reach[0] = _SUN_TEXEL, _SUN_REACH
        size = texel[:, None] * _TEXELS * 2.0 ** np.arange(LEVELS)
        middle = np.einsum("kij,j->ki", basis[:, :2], eye)
        corner = np.floor(middle[:, None] / size[..., None]).astype(np.int64) - WINDOW // 2
        index = np.full((len(basis), LEVELS, WINDOW, WINDOW), -1, np.int32)
        return Maps(basis, texel, reach, 1.0 / size, corner, index, self._pool)

    def fill(self, scene: Scene, p_W: np.ndarray, maps: Maps, marks: np.ndarray) -> Maps:
        """Make the marked tiles that are missing, and enter all into the window."""
        self._pictures += 1
        place = cell_key(p_W)
        wanted: dict[tuple, list] = {}
        for k, level, a, c in np.argwhere(marks):
            i, j = maps.corner[k, level] + (a, c)
            key = (place, maps.basis[k, 2].tobytes(), int(level), int(i), int(j), float(maps.texel[k]))
            self._used[key] = self._pictures
            wanted[key] = [k, level, a, c]
        missing = [key for key in wanted if key not in self._slots]
        if missing:
            self._make(scene, p_W, missing, wanted, maps)
        for key, (k, level, a, c) in wanted.items():
            maps.index[k, level, a, c] = self._slots[key]
        return maps._replace(pool=self._pool)

    def forget(self, changed: list[SceneObject]) -> None:
        """Drop the tiles in which something came or went."""
        if not changed or not self._slots:
            return
        centre = np.array([item.body.centre for item in changed])
        radius = np.array([item.body.radius for item in changed])
        for key in list(self._slots):
            basis = basis_of(np.frombuffer(key[1]))
            size = key[5] * _TEXELS * 2.0 ** key[2]
            middle = (np.array(key[3:5]) + 0.5) * size
            away = np.abs((centre - np.array(key[0]) * CELL_SIZE) @ basis[:2].T - middle).max(axis=1)
            if (away < radius + 0.6 * size).any():
                self._drop(key)

    def _drop(self, key: tuple) -> None:
        self._free.append(self._slots.pop(key))
        self._used.pop(key, None)

    def _room(self, count: int) -> None:
        """Make room for tiles: the longest unused go, if there are very many; else the pool grows."""
        if len(self._slots) + count > _MOST_TILES:
            old = sorted((key for key in self._slots if self._used[key] < self._pictures), key=self._used.__getitem__)
            for key in old[: max(count, _MOST_TILES // 4)]:
                self._drop(key)
        short = count - len(self._free)
        if short > 0:
            size = len(self._pool)
            more = max(short, size)
            self._pool = np.concatenate([self._pool, np.empty((more, _EDGE, _EDGE, 3), np.float32)])
            self._free += range(size, size + more)

    def _make(self, scene: Scene, p_W: np.ndarray, missing: list[tuple], wanted: dict[tuple, list], maps: Maps) -> None:
        self._room(len(missing))
        with questions.kernel_lock:
            cell = scene.cell(p_W)
            for first in range(0, len(missing), _AT_ONCE):
                part = missing[first : first + _AT_ONCE]
                rays = [self._rays(key, maps.basis[wanted[key][0]]) for key in part]
                height = _heights(scene, cell, *(np.concatenate(r) for r in zip(*rays, strict=True)))
                for key, heights in zip(part, height.reshape(len(part), -1), strict=True):
                    slot = self._slots[key] = self._free.pop()
                    self._pool[slot, self._texels[:, 0], self._texels[:, 1], 0] = heights
                    if key[5] == _SKY_TEXEL:
                        _blur(self._pool[slot])

    def _rays(self, key: tuple, basis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origins and directions of the rays of a tile in its cell, float32 [n, 3]."""
        texel = key[5] * 2.0 ** key[2]
        place = (np.array(key[3:5]) * _TEXELS + self._texels - _BORDER + 0.5) * texel
        origins = place @ basis[:2] + basis[2] * _START
        return origins.astype(np.float32), np.repeat(-basis[2:], len(origins), axis=0).astype(np.float32)


def _blur(tile: np.ndarray) -> None:
    """Replace heights by their mean, variance and lowest over a square of neighbours; the rim is left out."""
    h, size = tile[..., 0].astype(np.float64), 2 * _BLUR + 1
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
    inner = tile[_BLUR:-_BLUR, _BLUR:-_BLUR]
    inner[..., 0] = sums[0] + middle
    inner[..., 1] = np.maximum(sums[1] - sums[0] ** 2, 0.0)
    n = len(inner)
    h = np.minimum.reduce([h[k : k + n] for k in range(size)])
    inner[..., 2] = np.minimum.reduce([h[:, k : k + n] for k in range(size)])


def _heights(scene: Scene, cell: Cell, origins: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Height along the light of the first thing that stands there, -infinite where the light meets nothing."""
    hits = Hits(scene, len(origins), normals=False)
    cast_rays(
        address(f"rtcIntersect{WIDTH}"), own_filter_address(), cell.static.handle if len(cell.static) else 0, 0,
        COHERENT, origins, directions, np.eye(3), np.zeros(3), np.float32(0.0), np.array([4 * _START], np.float32),
        np.uint32(ALL_CHANNELS), -1, scene.slot_rows[False], scene.slot_rows[True], scene.rows.group,
        scene.rows.normal, hits.distance, hits.row, hits.primitive, hits.normal, hits.back, threads(),
    )  # fmt: skip
    return np.float32(_START) - hits.distance
