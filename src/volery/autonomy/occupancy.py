# ruff: noqa: ANN001, ANN202 (numba infers the types of kernel arguments)
"""What is free, what is taken and what nobody has seen: a grid without end, in blocks that are there when needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba as nb
import numpy as np

from volery.autonomy.hashing import cell_key, find, insert, new_table, rehash
from volery.core.config import param

__all__ = ["Occupancy", "OccupancyConfig", "Window"]

_EDGE = 8
"""Cells along an edge of a block."""
_CELLS = _EDGE**3
_MISS, _HIT = -1, 5
_LOW, _HIGH = -4, 15
"""Evidence of a sweep that passes or ends in a cell, and the most that is believed either way: one hit is enough to be
careful. 0: unknown."""


@dataclass(frozen=True)
class OccupancyConfig:
    """The grid."""

    cell: float = param(0.4, above=0)
    """Edge of a cell [m]."""
    reach: float = param(30.0, above=0)
    """Beams are followed so far [m]."""
    hollow: float = param(0.6, low=0)
    """What is nearer than this is the robot itself [m]."""


class Window(NamedTuple):
    """A box of the grid, copied."""

    evidence: np.ndarray
    """int8 [nx, ny, nz]: above 0 taken, below 0 free, 0 unknown."""
    corner: np.ndarray
    """Number of the first cell, int64 [3]."""
    cell: float

    def middle(self, index: np.ndarray) -> np.ndarray:
        """Middles of cells of the window, [n, 3] → [m]."""
        return (index + self.corner + 0.5) * self.cell

    def index(self, p: np.ndarray) -> np.ndarray:
        """Cells of the window in which points [n, 3] lie [m]; may be outside."""
        return np.floor(np.asarray(p) / self.cell).astype(np.int64) - self.corner


class Occupancy:
    """The map of one robot."""

    def __init__(self, config: OccupancyConfig) -> None:
        self.config = config
        self._keys, self._values = new_table(1 << 12)
        self._blocks = np.zeros((1 << 10, _CELLS), np.int8)
        self._sweeps = np.zeros((1 << 10, _CELLS), np.uint8)
        """The last sweep that told of each cell: of all its beams only one counts, and one that ends there before all
        that pass, or a twig would never be seen."""
        self._places = np.zeros((1 << 10, 3), np.int64)
        self._sweep = 0
        self._count = np.zeros(1, np.int64)

    def add(self, origin: np.ndarray, ends: np.ndarray) -> None:
        """A sweep of beams from a place to where they ended, [3] and [n, 3] [m]."""
        origin, ends = np.asarray(origin, float), np.ascontiguousarray(ends, float)
        self._sweep = self._sweep % 255 + 1
        for kernel in (_hits, _misses):
            done = 0
            while done < len(ends):
                self._reserve()
                done = kernel(
                    origin, ends, done, self.config.cell, self.config.reach, self.config.hollow, self._sweep,
                    self._keys, self._values, self._blocks, self._sweeps, self._places, self._count,
                )  # fmt: skip

    def window(self, low: np.ndarray, high: np.ndarray) -> Window:
        """A box of the world [m] as a dense grid."""
        first = np.floor(np.asarray(low) / self.config.cell).astype(np.int64)
        shape = np.floor(np.asarray(high) / self.config.cell).astype(np.int64) - first + 1
        out = np.zeros(tuple(int(n) for n in shape), np.int8)
        _copy(self._keys, self._values, self._blocks, first, out)
        return Window(out, first, self.config.cell)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Of all that was seen [m]."""
        n = int(self._count[0])
        if n == 0:
            return np.zeros(3), np.zeros(3)
        edge = _EDGE * self.config.cell
        return self._places[:n].min(axis=0) * edge, (self._places[:n].max(axis=0) + 1) * edge

    def taken(self) -> np.ndarray:
        """Middles of all cells in which something is, [n, 3] [m]."""
        return self._where(self._blocks[: int(self._count[0])] > 0)

    def free(self) -> np.ndarray:
        """Middles of all cells that are known to be free, [n, 3] [m]."""
        return self._where(self._blocks[: int(self._count[0])] < 0)

    def _where(self, chosen: np.ndarray) -> np.ndarray:
        block, cell = np.nonzero(chosen)
        inner = np.stack(np.unravel_index(cell, (_EDGE,) * 3), axis=1)
        return (self._places[block] * _EDGE + inner + 0.5) * self.config.cell

    def free_volume(self) -> float:
        """Of all that is known to be free [m³]."""
        return float(np.count_nonzero(self._blocks[: int(self._count[0])] < 0)) * self.config.cell**3

    def _reserve(self) -> None:
        """Room for the blocks of at least one beam."""
        room = 4 * int(self.config.reach / (self.config.cell * _EDGE) + 2)
        if self._count[0] + room <= len(self._blocks):
            return
        more = len(self._blocks)
        self._blocks = np.concatenate([self._blocks, np.zeros((more, _CELLS), np.int8)])
        self._sweeps = np.concatenate([self._sweeps, np.zeros((more, _CELLS), np.uint8)])
        self._places = np.concatenate([self._places, np.zeros((more, 3), np.int64)])
        keys, values = new_table(2 * len(self._keys))
        rehash(self._keys, self._values, keys, values)
        self._keys, self._values = keys, values


@nb.njit(cache=True, nogil=True)
def _hits(origin, ends, first, cell, reach, hollow, sweep, keys, values, blocks, sweeps, places, count):
    """Ends of beams from `first` on, until room for blocks runs short; the number of the next beam."""
    at = np.empty(3, np.int64)
    for i in range(first, len(ends)):
        if count[0] + 1 > len(blocks):
            return i
        d = ends[i] - origin
        if not hollow * hollow < d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach:
            continue
        for k in range(3):
            at[k] = np.int64(np.floor(ends[i, k] / cell))
        row = _block(cell_key(at[0] >> 3, at[1] >> 3, at[2] >> 3), at, keys, values, places, count)
        _believe(blocks, sweeps, row, ((at[0] & 7) << 6) | ((at[1] & 7) << 3) | (at[2] & 7), _HIT, sweep)
    return len(ends)


@nb.njit(cache=True, nogil=True)
def _misses(origin, ends, first, cell, reach, hollow, sweep, keys, values, blocks, sweeps, places, count):
    """What beams pass from `first` on, until room for blocks runs short; the number of the next beam."""
    room = 4 * np.int64(reach / (cell * _EDGE) + 2)
    for i in range(first, len(ends)):
        if count[0] + room > len(blocks):
            return i
        d = ends[i] - origin
        length = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        if length > hollow:
            far = min(length, reach) - 0.5 * cell
            _pass(origin, d / length, far, cell, sweep, keys, values, blocks, sweeps, places, count)
    return len(ends)


@nb.njit(cache=True, nogil=True)
def _pass(origin, way, far, cell, sweep, keys, values, blocks, sweeps, places, count) -> None:
    """All cells of a beam up to a distance are passed."""
    at, step = np.empty(3, np.int64), np.empty(3, np.int64)
    cross, gap = np.empty(3), np.empty(3)
    for k in range(3):
        at[k] = np.int64(np.floor(origin[k] / cell))
        step[k] = 1 if way[k] > 0 else -1
        edge = (at[k] + (1 if way[k] > 0 else 0)) * cell
        cross[k] = (edge - origin[k]) / way[k] if abs(way[k]) > 1e-12 else 1e18
        gap[k] = cell / abs(way[k]) if abs(way[k]) > 1e-12 else 1e18
    last, row = np.int64(-1), np.int64(-1)
    while True:
        k = 0 if cross[0] <= cross[1] and cross[0] <= cross[2] else (1 if cross[1] <= cross[2] else 2)
        if cross[k] > far:
            break
        key = cell_key(at[0] >> 3, at[1] >> 3, at[2] >> 3)
        if key != last:
            last, row = key, _block(key, at, keys, values, places, count)
        _believe(blocks, sweeps, row, ((at[0] & 7) << 6) | ((at[1] & 7) << 3) | (at[2] & 7), _MISS, sweep)
        at[k] += step[k]
        cross[k] += gap[k]


@nb.njit(cache=True, nogil=True, inline="always")
def _block(key, at, keys, values, places, count):
    row = insert(keys, values, key, count[0])
    if row == count[0]:
        for k in range(3):
            places[row, k] = at[k] >> 3
        count[0] += 1
    return row


@nb.njit(cache=True, nogil=True, inline="always")
def _believe(blocks, sweeps, row, inner, evidence, sweep) -> None:
    """Add to what is believed, once a sweep; never back to 0, which is unknown."""
    if sweeps[row, inner] == sweep:
        return
    sweeps[row, inner] = sweep
    new = np.int64(blocks[row, inner]) + evidence
    if new == 0:
        new = 1 if evidence > 0 else -1
    blocks[row, inner] = min(max(new, _LOW), _HIGH)


@nb.njit(cache=True, nogil=True)
def _copy(keys, values, blocks, first, out) -> None:
    nx, ny, nz = out.shape
    for bx in range(first[0] >> 3, ((first[0] + nx - 1) >> 3) + 1):
        for by in range(first[1] >> 3, ((first[1] + ny - 1) >> 3) + 1):
            for bz in range(first[2] >> 3, ((first[2] + nz - 1) >> 3) + 1):
                row = find(keys, values, cell_key(bx, by, bz))
                if row >= 0:
                    _paste(blocks[row], bx * 8 - first[0], by * 8 - first[1], bz * 8 - first[2], out)


@nb.njit(cache=True, nogil=True)
def _paste(block, x0, y0, z0, out) -> None:
    nx, ny, nz = out.shape
    for i in range(max(0, -x0), min(_EDGE, nx - x0)):
        for j in range(max(0, -y0), min(_EDGE, ny - y0)):
            for k in range(max(0, -z0), min(_EDGE, nz - z0)):
                out[x0 + i, y0 + j, z0 + k] = block[(i << 6) | (j << 3) | k]
