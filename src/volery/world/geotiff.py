"""Height rasters out of GeoTIFF files, block by block, so that a window of a file of any size can be read.

Own code on numpy, zlib and the native core: `tifffile` needs `imagecodecs` for LZW, a 26 MB wheel, and Pillow decodes
whole images only. Read: classic and BigTIFF, both byte orders, strips and tiles, 8 to 64 bit, no compression, LZW or
Deflate, all predictors, sparse blocks, no-data. Everything is checked against the file's size before memory is taken.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from volery._native import world as _native
from volery.errors import WorldError

__all__ = ["GeoReference", "GeoTiff", "open_geotiff"]

_CODES = dict(zip((1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 16), "u1 u1 u2 u4 i1 u1 i2 i4 f4 f8 u4 u8".split(), strict=True))
"""Types of tag values that are read."""
_UNITS = {9001: 1.0, 9002: 0.3048, 9003: 1200 / 3937, 9036: 1000.0}
"""Metres per linear unit, by EPSG code."""
_LARGEST_BLOCK, _WIDEST = 1 << 28, 1 << 24
_CONVERT = "convert it with: gdal_translate -b 1 -co COMPRESS=DEFLATE -co TILED=YES in.tif out.tif"
_ABSURD = 30_000.0
"""No ground is higher or deeper [m]; such values (−32768, 3.4e38) are voids even where the file does not say so."""


@dataclass(frozen=True)
class GeoReference:
    """Where pixels are: X = a·col + b·row + c, Y = d·col + e·row + f, pixel (0, 0) spanning [0, 1] × [0, 1]."""

    affine: tuple[float, float, float, float, float, float] = (1.0, 0.0, 0.0, 0.0, -1.0, 0.0)
    kind: str = "none"
    """'projected' (easting, northing in `unit`), 'geographic' (longitude, latitude in degrees) or 'none' (pixels)."""
    epsg: int = 0
    """Code of the coordinate reference system; 0: unknown."""
    unit: float = 1.0
    """Metres per unit of X and Y, if not geographic."""

    def scale(self, latitude: float) -> tuple[float, float]:
        """Metres per unit of X and of Y; for degrees on the WGS 84 ellipsoid at this latitude [deg]."""
        if self.kind != "geographic":
            return self.unit, self.unit
        e2, s = 6.69437999014e-3, np.sin(np.radians(latitude))
        n = 6_378_137.0 / np.sqrt(1 - e2 * s * s)
        m = n * (1 - e2) / (1 - e2 * s * s)
        return float(np.radians(n * np.cos(np.radians(latitude)))), float(np.radians(m))


@dataclass(frozen=True, eq=False)
class GeoTiff:
    """The header of a height raster; `read` fetches a window of it."""

    path: Path
    shape: tuple[int, int]
    """Rows and columns."""
    geo: GeoReference
    dtype: np.dtype
    block: tuple[int, int]
    """Rows and columns of one strip or tile."""
    tiled: bool
    compression: int
    predictor: int
    nodata: float | None
    height_unit: float
    """Metres per unit of the values."""
    offsets: np.ndarray
    counts: np.ndarray

    def read(self, row: int = 0, col: int = 0, rows: int | None = None, cols: int | None = None) -> np.ndarray:
        """Heights [m] of a window, float32, shape [rows, cols]; NaN where there are none."""
        rows = self.shape[0] - row if rows is None else rows
        cols = self.shape[1] - col if cols is None else cols
        if row < 0 or col < 0 or rows < 1 or cols < 1 or row + rows > self.shape[0] or col + cols > self.shape[1]:
            raise WorldError(f"{self.path.name}: window {row}+{rows}, {col}+{cols} is outside its {self.shape} samples")
        out = np.full((rows, cols), np.nan, np.float32)
        bh, bw = self.block
        with _clear(self.path), open(self.path, "rb") as file:
            for i in range(row // bh, (row + rows - 1) // bh + 1):
                for j in range(col // bw, (col + cols - 1) // bw + 1):
                    r0, r1 = max(row, i * bh), min(row + rows, (i + 1) * bh)
                    c0, c1 = max(col, j * bw), min(col + cols, (j + 1) * bw)
                    data = self._block(file, i, j)
                    if data is not None:
                        part = data[r0 - i * bh : r1 - i * bh, c0 - j * bw : c1 - j * bw]
                        out[r0 - row : r1 - row, c0 - col : c1 - col] = self._metres(part)
        return out

    def _block(self, file: BinaryIO, i: int, j: int) -> np.ndarray | None:
        """Raw samples of a strip or tile; None for one that the file leaves out."""
        index = i * -(-self.shape[1] // self.block[1]) + j
        count = int(self.counts[index])
        if count == 0:
            return None
        bh, bw = self.block
        bh = bh if self.tiled else min(bh, self.shape[0] - i * bh)
        file.seek(int(self.offsets[index]))
        raw = _unpack(file.read(count), bh * bw * self.dtype.itemsize, self.compression)
        return _undo_predictor(raw, (bh, bw), self.dtype, self.predictor)

    def _metres(self, values: np.ndarray) -> np.ndarray:
        void = np.zeros(values.shape, bool) if self.nodata is None else values == np.array(self.nodata, np.float64)
        if self.nodata is not None and values.dtype.kind == "f":
            void |= values == values.dtype.type(self.nodata)
        with np.errstate(over="ignore", invalid="ignore"):
            metres = (values.astype(np.float64) * self.height_unit).astype(np.float32)
            metres[void | ~(np.abs(metres) <= _ABSURD)] = np.nan
        return metres


@contextmanager
def _clear(path: Path) -> Iterator[None]:
    """Whatever a broken file makes the parser stumble over becomes one clear error."""
    try:
        yield
    except (OSError, struct.error, zlib.error, ValueError, OverflowError, IndexError, TypeError, MemoryError) as error:
        raise WorldError(f"{path.name}: not a readable GeoTIFF ({error}); {_CONVERT}; {path}") from None


def open_geotiff(path: str | Path) -> GeoTiff:
    """Read and check a file's header; no sample is read yet."""
    path = Path(path)
    with _clear(path), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        return _layout(path, _tags(file, size), size)


def _tags(file: BinaryIO, size: int) -> dict[int, np.ndarray]:
    """The first directory of the file: tag → its values."""
    head = file.read(16)
    order = {b"II": "<", b"MM": ">"}.get(head[:2])
    version = struct.unpack(f"{order}H", head[2:4])[0] if order and len(head) >= 8 else 0
    if version not in (42, 43) or (version == 43 and head[4:6] != struct.pack(f"{order}H", 8)):
        raise ValueError("it does not start like a TIFF")
    big = version == 43
    (at,) = struct.unpack(f"{order}{'Q' if big else 'I'}", head[8:16] if big else head[4:8])
    file.seek(min(at, size))
    entry, room = ("HHQ8s", 8) if big else ("HHI4s", 4)
    (count,) = struct.unpack(f"{order}{'Q' if big else 'H'}", file.read(8 if big else 2))
    if count > 4096:
        raise ValueError(f"its directory claims {count} entries")
    length = struct.calcsize(f"{order}{entry}")
    table = file.read(length * count)
    tags = {}
    for tag, kind, n, value in struct.iter_unpack(f"{order}{entry}", table):
        if kind not in _CODES:
            continue
        total = n * int(_CODES[kind][1])
        if total > size:
            raise ValueError(f"tag {tag} claims {total} bytes of a file of {size}")
        if total > room:
            file.seek(min(struct.unpack(f"{order}{'Q' if big else 'I'}", value)[0], size))
            value = file.read(total)
        tags[tag] = np.frombuffer(value[:total], f"{order}{_CODES[kind]}", count=n)
    tags[0] = np.array([order == ">"])
    return tags


def _one(tags: dict[int, np.ndarray], tag: int, default: int | None = None) -> int:
    if tag in tags and len(tags[tag]):
        return int(tags[tag][0])
    if default is None:
        raise ValueError(f"tag {tag} is missing")
    return default


def _layout(path: Path, tags: dict[int, np.ndarray], size: int) -> GeoTiff:
    cols, rows, tiled = _one(tags, 256), _one(tags, 257), 322 in tags
    block = (_one(tags, 323), _one(tags, 322)) if tiled else (min(_one(tags, 278, rows), rows), cols)
    if not (0 < rows <= _WIDEST and 0 < cols <= _WIDEST and min(block) > 0):
        raise ValueError(f"it claims {rows} × {cols} samples in blocks of {block[0]} × {block[1]}")
    if _one(tags, 277, 1) != 1 and _one(tags, 284, 1) != 2:
        raise ValueError(f"it has {_one(tags, 277)} interleaved bands; heights are one band")
    bits, form = _one(tags, 258, 1), _one(tags, 339, 1)
    if form not in (1, 2, 3) or bits not in (8, 16, 32, 64) or (form == 3 and bits == 8):
        raise ValueError(f"samples of {bits} bits and format {form} are not heights")
    dtype = np.dtype(f"{'>' if tags[0][0] else '<'}{' uif'[form]}{bits // 8}")
    compression, predictor = _one(tags, 259, 1), _one(tags, 317, 1)
    if compression not in (1, 5, 8, 32946) or predictor not in (1, 2, 3) or (predictor == 3 and form != 3):
        raise ValueError(f"compression {compression} with predictor {predictor} is not supported")
    if block[0] * block[1] * dtype.itemsize > _LARGEST_BLOCK:
        raise ValueError(f"one block of {block[0]} × {block[1]} samples is too large to hold; tile it")
    offsets, counts = (tags.get(t, np.zeros(0)).astype(np.int64) for t in ((324, 325) if tiled else (273, 279)))
    needed = -(-rows // block[0]) * -(-cols // block[1])
    if min(len(offsets), len(counts)) < needed:
        raise ValueError(f"it has {min(len(offsets), len(counts))} blocks of {needed}")
    ends = offsets[:needed].astype(np.float64) + counts[:needed]
    if (offsets[:needed] < 0).any() or (counts[:needed] < 0).any() or ends.max() > size:
        raise ValueError(f"blocks reach to byte {ends.max():.0f} of {size}: the file is cut short")
    text = bytes(tags.get(42113, np.zeros(0, "u1"))).split(b"\0")[0].strip()
    nodata = float(text) if text else None
    geo, height_unit = _georeference(tags)
    return GeoTiff(
        path, (rows, cols), geo, dtype, block, tiled, compression, predictor, nodata, height_unit,
        offsets[:needed], counts[:needed],
    )  # fmt: skip


def _georeference(tags: dict[int, np.ndarray]) -> tuple[GeoReference, float]:
    """Place of the pixels, and metres per unit of height."""
    words = tags.get(34735, np.zeros(0, "u2")).astype(int)
    keys = {int(k): int(v) for k, where, _, v in words[4 : len(words) // 4 * 4].reshape(-1, 4) if where == 0}
    if 34264 in tags:
        m = tags[34264].reshape(4, 4)
        affine = [m[0, 0], m[0, 1], m[0, 3], m[1, 0], m[1, 1], m[1, 3]]
    elif 33550 in tags and 33922 in tags:
        (sx, sy), (i, j, _, x, y) = tags[33550][:2], tags[33922][:5]
        affine = [sx, 0.0, x - sx * i, 0.0, -sy, y + sy * j]
    else:
        return GeoReference(), 1.0
    a, b, c, d, e, f = (float(v) for v in affine)
    if keys.get(1025) == 2:  # coordinates are of the pixels' middles
        c, f = c - 0.5 * (a + b), f - 0.5 * (d + e)
    if not np.isfinite([a, b, c, d, e, f]).all() or abs(a * e - b * d) < 1e-18:
        raise ValueError("its georeference is degenerate")
    kind = "geographic" if keys.get(1024, 1) == 2 else "projected"
    codes = [keys.get(k, 9001) for k in (3076, 4099)]
    unit, height_unit = (_UNITS.get(code, 0.0 if code < 32767 else 1.0) for code in codes)
    if not unit or not height_unit:
        raise ValueError(f"linear units {codes} are not known")
    epsg = keys.get(2048 if kind == "geographic" else 3072, 0)
    if kind == "geographic" and not -90.5 <= f <= 90.5:
        raise ValueError(f"it claims latitude {f:g}")
    return GeoReference((a, b, c, d, e, f), kind, epsg if epsg < 32767 else 0, unit), height_unit


def _unpack(data: bytes, size: int, compression: int) -> np.ndarray:
    """Exactly `size` bytes of a block, uncompressed; neither LZW nor Deflate can pack more than 1 : 2000."""
    if size > len(data) * 2000:
        raise ValueError(f"a block of {len(data)} bytes cannot hold {size}")
    if compression == 1:
        raw = np.frombuffer(data, np.uint8)[:size].copy()
    elif compression == 5:
        raw = np.zeros(size, np.uint8)
        raw = raw[: max(_native.unpack_lzw(np.frombuffer(data, np.uint8), raw), 0)]
    else:
        raw = np.frombuffer(bytearray(zlib.decompressobj().decompress(data, size)), np.uint8)
    if len(raw) != size:
        raise ValueError(f"a block holds {len(raw)} bytes of {size}")
    return raw


def _undo_predictor(raw: np.ndarray, shape: tuple[int, int], dtype: np.dtype, predictor: int) -> np.ndarray:
    if predictor == 3:  # byte planes, most significant first, each byte the difference to the one before
        planes = np.cumsum(raw.reshape(shape[0], -1), axis=1, dtype=np.uint8)
        planes = planes.reshape(shape[0], dtype.itemsize, shape[1]).transpose(0, 2, 1)
        return np.ascontiguousarray(planes).view(dtype.newbyteorder(">"))[..., 0]
    values = raw.view(dtype).reshape(shape)
    if predictor == 2:
        whole = values.astype(dtype.newbyteorder("=")).view(f"u{dtype.itemsize}")
        return np.cumsum(whole, axis=1, dtype=whole.dtype).view(dtype.newbyteorder("="))
    return values
