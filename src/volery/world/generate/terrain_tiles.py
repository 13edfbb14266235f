"""Ground from a folder of tiles too large for memory: pages are read when a chunk needs them, and forgotten again."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from volery.core.config import param
from volery.errors import WorldError
from volery.world.generate.terrain import HeightField, clean, is_png, png_size, read_png
from volery.world.geotiff import GeoReference, GeoTiff, open_geotiff

__all__ = ["ByteCache", "TerrainTiles"]

_PAGE = 1024
"""Rows and columns of a page of a GeoTIFF, about; a PNG is one page, since it can only be decoded whole."""
_MOST_TILES = 200_000
_PLACE = re.compile(r"x?(-?\d+)[_,]y?(-?\d+)$", re.IGNORECASE)


class ByteCache:
    """The latest used arrays, together never above a number of bytes. Safe to share between threads."""

    def __init__(self, limit: int) -> None:
        self.limit, self.bytes = limit, 0
        self._items: OrderedDict[Hashable, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], np.ndarray]) -> np.ndarray:
        """The array of this key; made outside the lock, so that two threads may make it twice, which is harmless."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key]
        value = make()
        value.setflags(write=False)
        with self._lock:
            if key not in self._items and value.nbytes <= self.limit:
                self._items[key] = value
                self.bytes += value.nbytes
            while self.bytes > self.limit:
                self.bytes -= self._items.popitem(last=False)[1].nbytes
        return value


@dataclass(frozen=True, eq=False)
class TerrainTiles(HeightField):
    """Ground from a folder of GeoTIFF tiles on one pixel grid, or of PNG tiles …<column>_<row>.png, rows southward.

    `path` may also be a single GeoTIFF of any size. Where tiles overlap, the first by name that has data wins. Voids
    are filled within a page (about 1024 × 1024 pixels); missing tiles and pages without any data stay holes.
    """

    cache_megabytes: float = param(256.0, low=8.0, high=1e6)
    """Memory for pages."""

    @cached_property
    def raster(self) -> _Mosaic:
        """The tiles as one raster; only headers are read now."""
        return _Mosaic(self)


@dataclass(frozen=True, eq=False)
class _RasterTile:
    path: Path
    shape: tuple[int, int]
    geo: GeoReference
    tiff: GeoTiff | None

    @property
    def page(self) -> tuple[int, int]:
        """Rows and columns of a page: whole blocks of the file, so that none is decoded for two pages in vain."""
        if self.tiff is None:
            return self.shape
        rows, columns = (min(-(-_PAGE // b) * b, s) for b, s in zip(self.tiff.block, self.shape, strict=True))
        return rows, columns


class _Mosaic:
    """Many tiles as one raster, read by pages through a cache."""

    def __init__(self, world: TerrainTiles) -> None:
        self._world = world
        self._tiles = _tiles(Path(world.path))
        self._corners = _corners(self._tiles)
        sizes = np.array([t.shape for t in self._tiles])
        low, high = self._corners.min(axis=0), (self._corners + sizes).max(axis=0)
        self._corners, self._ends = self._corners - low, self._corners + sizes - low
        self.shape = (int(high[0] - low[0]), int(high[1] - low[1]))
        first = self._tiles[0].geo
        a, b, c, d, e, f = first.affine
        row, col = (int(v) for v in low)
        self.geo = GeoReference(
            (a, b, c + a * col + b * row, d, e, f + d * col + e * row), first.kind, first.epsg, first.unit
        )
        self.cache = ByteCache(int(world.cache_megabytes * 1e6))

    def window(self, row: int, col: int, rows: int, cols: int) -> np.ndarray:
        """Heights [m], float32, shape [rows, cols]; NaN where no tile has any."""
        out = np.full((rows, cols), np.nan, np.float32)
        start, end = np.array([row, col]), np.array([row + rows, col + cols])
        for index in np.flatnonzero(((self._corners < end) & (self._ends > start)).all(axis=1)):
            at = self._corners[index]
            lo, hi = np.maximum(start, at) - at, np.minimum(end, self._ends[index]) - at
            ph, pw = self._tiles[index].page
            for i in range(lo[0] // ph, (hi[0] - 1) // ph + 1):
                for j in range(lo[1] // pw, (hi[1] - 1) // pw + 1):
                    page = self._page(int(index), i, j)
                    r0, c0 = max(lo[0], i * ph), max(lo[1], j * pw)
                    r1, c1 = min(hi[0], i * ph + page.shape[0]), min(hi[1], j * pw + page.shape[1])
                    part = page[r0 - i * ph : r1 - i * ph, c0 - j * pw : c1 - j * pw]
                    r, c = r0 + at[0] - row, c0 + at[1] - col
                    target = out[r : r + r1 - r0, c : c + c1 - c0]
                    np.copyto(target, part, where=np.isnan(target))
        return out

    def _page(self, index: int, i: int, j: int) -> np.ndarray:
        tile, world = self._tiles[index], self._world
        ph, pw = tile.page

        def make() -> np.ndarray:
            if tile.tiff is None:
                h = read_png(tile.path, world.low, world.high)
            else:
                rows, cols = min(ph, tile.shape[0] - i * ph), min(pw, tile.shape[1] - j * pw)
                h = tile.tiff.read(i * ph, j * pw, rows, cols)
            return clean(h, world, tile.path.name, empty=True)

        return self.cache.get((index, i, j), make)


def _tiles(path: Path) -> list[_RasterTile]:
    """Every tile's header, in the order of names."""
    names = [path] if path.is_file() else []
    if path.is_dir():
        names = sorted(p for p in path.iterdir() if p.suffix.lower() in (".tif", ".tiff", ".png"))
    if not 0 < len(names) <= _MOST_TILES:
        raise WorldError(f"terrain tiles: '{path}' holds {len(names)} .tif or .png files; expected 1 to {_MOST_TILES}")
    tiles = []
    for name in names:
        if is_png(name):
            tiles.append(_RasterTile(name, png_size(name), GeoReference(), None))
        else:
            tiff = open_geotiff(name)
            tiles.append(_RasterTile(name, tiff.shape, tiff.geo, tiff))
    return tiles


def _corners(tiles: list[_RasterTile]) -> np.ndarray:
    """Row and column of each tile's first pixel, counted from that of the first tile, int64, shape [n, 2]."""
    first = tiles[0]
    if len(tiles) == 1:
        return np.zeros((1, 2), np.int64)
    if first.geo.kind == "none":
        return _corners_by_name(tiles)
    a, b, c, d, e, f = first.geo.affine
    inverse = np.linalg.inv([[a, b], [d, e]])
    corners = []
    for tile in tiles:
        geo = tile.geo
        same = (geo.kind, geo.epsg, geo.unit) == (first.geo.kind, first.geo.epsg, first.geo.unit)
        linear = np.allclose(np.array(geo.affine)[[0, 1, 3, 4]], [a, b, d, e], rtol=1e-6, atol=1e-15)
        col, row = inverse @ [geo.affine[2] - c, geo.affine[5] - f]
        exact = np.round([row, col])
        if not same or not linear or np.abs([row, col] - exact).max() > 0.05 or np.abs(exact).max() > 1e8:
            raise WorldError(
                f"terrain tiles: '{tile.path.name}' is not on the pixel grid of '{first.path.name}' (system, "
                f"pixel size or offset differ); warp them together first: gdalwarp -tap -tr … -t_srs …"
            )
        corners.append(exact.astype(np.int64))
    return np.array(corners)


def _corners_by_name(tiles: list[_RasterTile]) -> np.ndarray:
    places = []
    for tile in tiles:
        match = _PLACE.search(tile.path.stem)
        if not match or tile.shape != tiles[0].shape or tile.geo.kind != "none":
            raise WorldError(
                f"terrain tiles: '{tile.path.name}' has neither a georeference nor a name …<column>_<row>, or is "
                f"not of the size {tiles[0].shape} of the first"
            )
        places.append([int(match[2]), int(match[1])])
    corners = np.array(places, np.float64) * tiles[0].shape
    if np.abs(corners).max() > 1e8:
        raise WorldError(f"terrain tiles: column or row numbers such as in '{tiles[-1].path.name}' are too large")
    return corners.astype(np.int64) - corners[0].astype(np.int64)
