"""Ground from a file: a heightmap (PNG, 8 or 16 bit) or a GeoTIFF with its georeference, cut into chunks.

The middle of the raster is the world's origin; east and north of the file are x and y. Degrees become metres of the
WGS 84 ellipsoid around the middle: exact there, eastings 0.16 % off at 10 km further north in latitude 45°.
"""

from __future__ import annotations

import struct
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import numpy as np
from PIL import Image

from volery.core.config import Checked, param
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.core.noise import fractal2
from volery.errors import WorldError
from volery.world.geotiff import GeoReference, open_geotiff
from volery.world.world import ChunkKey, Placement, World

__all__ = ["HeightField", "Raster", "RasterOrigin", "Terrain", "clean", "fill_voids", "is_png", "png_size", "read_png"]

GRASS = Material("meadow", (0.10, 0.15, 0.045), "ground", 0.95, 0.45, texture="grass")
SOIL = Material("earth", (0.17, 0.125, 0.075), "ground", 0.95, 0.35, texture="soil")
ROCK = Material("crag", (0.23, 0.215, 0.195), "rock", 0.9, 0.3, texture="rock")
SNOW = Material("snowfield", (0.82, 0.85, 0.9), "snow", 0.7, 0.8, friction=0.3, texture="snow")
_LARGEST_PNG = 89_000_000
_LARGEST_WINDOW = 1 << 24
_FINEST = 1.0 / 4096
"""Heights are whole multiples of this [m]: a vertex is then the same double, whichever chunk's frame it is told in."""


class Raster(Protocol):
    """Heights on a grid of pixels, read by windows."""

    shape: tuple[int, int]
    """Rows and columns."""
    geo: GeoReference

    def window(self, row: int, col: int, rows: int, cols: int) -> np.ndarray:
        """Heights [m], float32, shape [rows, cols]; NaN where there are none."""


class RasterOrigin(NamedTuple):
    """What lies at the world's (0, 0) in the file's coordinates."""

    kind: str
    """'geographic': x, y are longitude and latitude [deg]; 'projected': easting and northing; 'none': pixels."""
    x: float
    y: float
    epsg: int
    """Code of the coordinate reference system; 0: unknown."""


@dataclass(frozen=True, eq=False)
class HeightField(Checked, World):
    """A world that is a height over the plane. Subclasses say where the raster comes from."""

    path: str | Path
    chunk_size: float = param(128.0, low=1.0, high=10_000.0)
    """[m]."""
    resolution: float | None = param(None, above=0.0, high=1000.0)
    """Distance of the mesh's corners [m]; None: that of the file's pixels."""
    spacing: float = param(1.0, low=1e-3, high=1e4)
    """Edge of a pixel where the file has no georeference [m]."""
    low: float = param(0.0, low=-3e4, high=3e4)
    """Height of black in a PNG [m]."""
    high: float = param(100.0, low=-3e4, high=3e4)
    """Height of white in a PNG [m]."""
    datum: float = param(0.0, low=-3e4, high=3e4)
    """Height in the file that becomes z = 0 [m]."""
    voids: Literal["fill", "leave"] = "fill"
    """Samples without data are filled smoothly from around, or left out as holes."""
    nodata: float | None = None
    """A value that means no data [m], besides the one the file itself names."""
    snow_line: float | None = param(None, low=-3e4, high=3e4)
    """Height in the file above which flat ground is white [m]; None: nowhere."""
    seed: int = 0
    """Of the patches of grass and bare earth."""

    def __post_init__(self) -> None:
        super().__post_init__()
        # A chunk's edge that float32 holds exactly: neighbours then meet without the smallest gap
        object.__setattr__(self, "chunk_size", float(np.float32(self.chunk_size)))
        _ = self._cells

    @property
    @abstractmethod
    def raster(self) -> Raster:
        """The file, opened; nothing but its header is read."""

    @cached_property
    def origin(self) -> RasterOrigin:
        """The file's coordinates of the world's (0, 0): the middle of the raster."""
        (rows, cols), geo = self.raster.shape, self.raster.geo
        a, b, c, d, e, f = geo.affine
        return RasterOrigin(geo.kind, (a * cols + b * rows) / 2 + c, (d * cols + e * rows) / 2 + f, geo.epsg)

    @cached_property
    def pixels_to_metres(self) -> np.ndarray:
        """Metres east and north per column and row, shape [2, 2]."""
        geo = self.raster.geo
        a, b, _, d, e, _ = geo.affine
        scale = geo.scale(self.origin.y) if geo.kind != "none" else (self.spacing, self.spacing)
        return np.array([[a, b], [d, e]]) * np.array(scale)[:, None]

    @cached_property
    def _cells(self) -> int:
        """Quads along a chunk's edge."""
        with np.errstate(over="ignore"):
            pixel = float(np.sqrt(abs(np.linalg.det(self.pixels_to_metres))))
        name = Path(self.path).name
        if not 1e-4 < pixel * max(self.raster.shape) < 4e7:
            raise WorldError(f"{name}: pixels of {pixel:g} m cannot be; is the georeference right?")
        quads = int(np.ceil(self.chunk_size / (self.resolution or pixel) - 1e-6))
        if max(quads, self.chunk_size / pixel) > 2048:
            raise WorldError(f"{name}: a chunk of {quads} quads, {self.chunk_size / pixel:.0f} pixels; at most 2048")
        return max(quads, 1)

    def height(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """z of the ground [m] at places of one neighbourhood, in any shape; NaN off the raster and in holes."""
        x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        (rows, cols), inverse = self.raster.shape, np.linalg.inv(self.pixels_to_metres)
        # Coordinates whose whole numbers are the pixels' middles
        u = inverse[0, 0] * x + inverse[0, 1] * y + (cols / 2 - 0.5)
        v = inverse[1, 0] * x + inverse[1, 1] * y + (rows / 2 - 0.5)
        outside = ~((np.abs(u - (cols - 1) / 2) <= cols / 2) & (np.abs(v - (rows - 1) / 2) <= rows / 2))
        if outside.all():
            return np.full(x.shape, np.nan)
        u, v = np.clip(np.nan_to_num(u), 0, cols - 1), np.clip(np.nan_to_num(v), 0, rows - 1)
        i, j = np.floor(v).astype(np.int64), np.floor(u).astype(np.int64)
        row, col = int(i[~outside].min()), int(j[~outside].min())
        size = (min(int(i[~outside].max()) + 2, rows) - row, min(int(j[~outside].max()) + 2, cols) - col)
        if size[0] * size[1] > _LARGEST_WINDOW:
            raise WorldError(f"height: the places asked for span {size[0]} × {size[1]} pixels; ask for fewer at once")
        z = self._bilinear(self.raster.window(row, col, *size), i - row, j - col, v - i, u - j)
        z[outside] = np.nan
        return z - self.datum

    @staticmethod
    def _bilinear(h: np.ndarray, i: np.ndarray, j: np.ndarray, fv: np.ndarray, fu: np.ndarray) -> np.ndarray:
        """Between four samples; one of no weight does not count, though it were NaN."""
        z = np.zeros(i.shape)
        for di, wi in ((0, 1 - fv), (1, fv)):
            for dj, wj in ((0, 1 - fu), (1, fu)):
                near = h[np.clip(i + di, 0, h.shape[0] - 1), np.clip(j + dj, 0, h.shape[1] - 1)].astype(np.float64)
                weight = wi * wj
                z += np.where(weight > 0, near * weight, 0.0)
        return z

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The ground of one chunk: a grid of quads with smooth normals, nothing outside the raster."""
        n = self._cells
        step = self.chunk_size / n
        x, y = ((k * n + np.arange(-1, n + 2)) * step for k in key)
        z = self.height(x[:, None], y[None, :])
        inner = np.round(z[1:-1, 1:-1] / _FINEST) * _FINEST
        if not np.isfinite(inner).any():
            return []
        p_WO = np.array([key[0] * self.chunk_size, key[1] * self.chunk_size, np.floor(np.nanmin(inner))])
        edge = np.arange(n + 1) * step
        corners = np.stack(np.broadcast_arrays(edge[:, None], edge, inner - p_WO[2]), axis=-1).reshape(-1, 3)
        faces, normals = _quads(n), _normals(z, step).reshape(-1, 3)
        if not np.isfinite(inner).all():
            used, faces = np.unique(faces[np.isfinite(corners[faces, 2]).all(axis=1)], return_inverse=True)
            corners, normals, faces = corners[used], normals[used], faces.reshape(-1, 3)
        if len(faces) == 0:
            return []
        kinds = self._kinds(corners[faces], p_WO)
        mesh = Mesh(corners, faces, (GRASS, SOIL, ROCK, SNOW), kinds, normals, filled=True, name="terrain")
        return [Placement.one("terrain", mesh, p_WO)]

    def _kinds(self, corners: np.ndarray, p_WO: np.ndarray) -> np.ndarray:
        """Material of each face: rock where it is steep, snow where high, else grass with bare patches."""
        middle = corners.mean(axis=1) + p_WO
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        flat = across[:, 2] / np.linalg.norm(across, axis=1)
        patch = fractal2(middle[:, 0], middle[:, 1], self.seed, octaves=4, frequency=0.02)
        kind = np.where(patch > 0.22, 1, 0)
        kind[flat + 0.12 * patch < 0.80] = 2
        if self.snow_line is not None:
            kind[(middle[:, 2] + self.datum + 40 * patch > self.snow_line) & (flat > 0.68)] = 3
        return kind.astype(np.uint8)

    def spawn(self) -> tuple[float, float, float]:
        """Two metres above the middle."""
        return (0.0, 0.0, 2.0 + float(np.nan_to_num(self.height(np.zeros(1), np.zeros(1))[0])))


@dataclass(frozen=True, eq=False)
class Terrain(HeightField):
    """Ground from one file that fits into memory; for a larger one see `TerrainTiles`."""

    max_megabytes: float = param(1024.0, low=1.0, high=1e6)
    """A raster that would take more memory is refused."""

    @cached_property
    def raster(self) -> Raster:
        """The file; its header is read now, its samples when the first chunk is asked for."""
        return _WholeFile(self)


class _WholeFile:
    """A raster in memory."""

    def __init__(self, world: Terrain) -> None:
        path = Path(world.path)
        self._world, self._tiff = world, None if is_png(path) else open_geotiff(path)
        self.shape = png_size(path) if self._tiff is None else self._tiff.shape
        self.geo = GeoReference() if self._tiff is None else self._tiff.geo
        megabytes = self.shape[0] * self.shape[1] * 4 / 1e6
        if megabytes > world.max_megabytes:
            raise WorldError(f"{path.name} takes {megabytes:.0f} MB; use TerrainTiles, or raise max_megabytes; {path}")

    @cached_property
    def _heights(self) -> np.ndarray:
        world = self._world
        h = read_png(Path(world.path), world.low, world.high) if self._tiff is None else self._tiff.read()
        return clean(h, world, Path(world.path).name)

    def window(self, row: int, col: int, rows: int, cols: int) -> np.ndarray:
        """A view of the heights."""
        return self._heights[row : row + rows, col : col + cols]


def clean(h: np.ndarray, world: HeightField, name: str, empty: bool = False) -> np.ndarray:
    """Heights with the world's own no-data value and its wish for voids applied."""
    if world.nodata is not None:
        h[h == np.float32(world.nodata)] = np.nan
    if not empty and not np.isfinite(h).any():
        raise WorldError(f"{name}: no sample of it has data")
    return fill_voids(h) if world.voids == "fill" else h


def fill_voids(h: np.ndarray) -> np.ndarray:
    """NaNs replaced from coarser and coarser means of what is around them; all NaN stays."""
    void = np.isnan(h)
    if not void.any() or void.all():
        return h
    padded = np.pad(h, [(0, n % 2) for n in h.shape], constant_values=np.nan)
    quads = padded.reshape(padded.shape[0] // 2, 2, -1, 2)
    count = np.isfinite(quads).sum(axis=(1, 3))
    mean = np.nansum(quads, axis=(1, 3)) / np.maximum(count, 1)
    fine = coarse = fill_voids(np.where(count > 0, mean, np.nan).astype(np.float32))
    for axis in (0, 1):
        last = fine.shape[axis] - 1
        beside = [np.take(fine, np.clip(np.arange(last + 1) + s, 0, last), axis) for s in (-1, 1)]
        fine = np.stack([0.75 * fine + 0.25 * b for b in beside], axis + 1)
        fine = fine.reshape([-1, coarse.shape[1]] if axis == 0 else [fine.shape[0], -1])
    return np.where(void, fine[: h.shape[0], : h.shape[1]], h)


def _quads(n: int) -> np.ndarray:
    """Two triangles, facing up, for each of n × n quads of a grid of (n + 1)² corners."""
    i = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (q.ravel() for q in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    return np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3)


def _normals(z: np.ndarray, step: float) -> np.ndarray:
    """Unit normals of the inner samples by central differences; beside a hole its rim counts as level."""
    middle = z[1:-1, 1:-1]
    w, e, s, n = (np.where(np.isnan(q), middle, q) for q in (z[:-2, 1:-1], z[2:, 1:-1], z[1:-1, :-2], z[1:-1, 2:]))
    normal = np.stack([(w - e) / (2 * step), (s - n) / (2 * step), np.ones_like(middle)], axis=-1)
    return normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def is_png(path: Path) -> bool:
    """True for a PNG, by its first bytes."""
    try:
        with open(path, "rb") as file:
            return file.read(8) == b"\x89PNG\r\n\x1a\n"
    except OSError as error:
        raise WorldError(f"terrain: '{path}' cannot be read: {error.strerror}") from None


def png_size(path: Path) -> tuple[int, int]:
    """Rows and columns, from the header alone."""
    with open(path, "rb") as file:
        head = file.read(24)
    cols, rows = struct.unpack(">II", head[16:24]) if len(head) == 24 else (0, 0)
    if not 0 < rows * cols <= _LARGEST_PNG:
        raise WorldError(f"{path.name}: a PNG of {rows} × {cols} pixels; at most {_LARGEST_PNG:.2g}: cut it into tiles")
    return rows, cols


def read_png(path: Path, low: float, high: float) -> np.ndarray:
    """Heights [m], float32, shape [rows, cols], of a grey PNG whose black is `low` and white is `high`."""
    try:
        with Image.open(path, formats=["PNG"]) as image:
            mode, samples = image.mode, np.asarray(image)
    except Exception as error:  # Pillow raises a dozen kinds for broken files
        raise WorldError(f"{path.name}: not a readable PNG ({error}); {path}") from None
    if mode not in ("L", "I", "I;16", "I;16B") or samples.ndim != 2:
        raise WorldError(f"{path.name}: a heightmap is grey, of 8 or 16 bit; this PNG is of mode {mode}")
    return np.float32(low) + samples.astype(np.float32) * np.float32((high - low) / (255 if mode == "L" else 65535))
