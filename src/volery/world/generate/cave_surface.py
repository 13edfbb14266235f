"""The cave's rock: a density field carved by capsules and roughened by noise, and its surface by marching cubes.

The density is about the distance to the rock, positive in free space [m]. A capsule acts only as far as `BAND` beyond
its wall, and capsules are always joined in the same order, so a point gets the same value, to the bit, from every chunk
that knows the capsules near it: chunks meet without gaps, and so do normals, which are the density's gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numba as nb
import numpy as np

from volery.core.noise import perlin3
from volery.world.generate.cave_paths import FLOOR

__all__ = ["BAND", "Field", "density", "gradient", "march"]

BAND = 1.8
"""Density is known this far from the surface; deeper in the rock it is -BAND [m]."""
_BLEND = 0.6
"""Two tunnels closer than this are joined smoothly [m]."""
_ROUGH, _ROUGHEST = 0.45, 1.3
"""Amplitude of the rock noise over (radius - 0.5 m), and at most [m]."""
_TUBE = 0.8
"""No noise comes nearer to an axis than this [m]: a ball of 0.5 m passes wherever a worm passed."""
_BLOCK = 2.0
"""Edge of the blocks by which capsules are found [m]."""
_WAVE = 5.5
"""Longest wave of the rock noise [m]."""
_FACES = ((1, 5, 7, 3), (0, 2, 6, 4), (2, 3, 7, 6), (0, 4, 5, 1), (4, 6, 7, 5), (0, 1, 3, 2))
"""Corners of the faces of a cube, clockwise from outside; corner = x + 2 y + 4 z."""


@nb.njit(cache=True, nogil=True)
def _axis(x: float, y: float, z: float, c: np.ndarray) -> tuple[float, float, float]:
    """Nearest point of a capsule's axis: radius there, square of the (widened) distance, height above it [m]."""
    ux, uy, uz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    dx, dy, dz = x - c[0], y - c[1], z - c[2]
    t = min(max((dx * ux + dy * uy + dz * uz) * c[9], 0.0), 1.0)
    dx, dy, dz = dx - t * ux, dy - t * uy, dz - t * uz
    return c[6] + t * (c[7] - c[6]), (dx * dx + dy * dy) * c[10] + dz * dz, dz


@nb.njit(cache=True, nogil=True)
def _carve(x: float, y: float, z: np.ndarray, capsules: np.ndarray, near: np.ndarray, out: np.ndarray) -> None:
    """Up a column, the capsules with flat floors: their smooth union, amplitude of noise, distance of an axis [m]."""
    out[0], out[1], out[2] = -BAND, 0.0, math.inf
    for n in near:
        c = capsules[n]
        for m in range(len(z)):
            r, square, above = _axis(x, y, z[m], c)
            s = out[0, m]
            if square >= max(r - s + _BLEND, 0.0) ** 2:
                continue
            wall, floor = r - math.sqrt(square), FLOOR * r + above
            e = max(0.3 * r - abs(wall - floor), 0.0)
            room = min(wall, floor) - (0.25 / 0.3) * e * e / r
            flat = min(max(0.5 + (wall - floor) / r, 0.0), 1.0)
            rough = min(_ROUGH * (r - 0.5), _ROUGHEST) * (1.0 - 0.65 * flat)
            h = min(max(0.5 + (0.5 / _BLEND) * (room - s), 0.0), 1.0)
            out[0, m] = s + h * (room - s) + _BLEND * h * (1.0 - h)
            out[1, m] += h * (rough - out[1, m])
            out[2, m] = min(out[2, m], r - wall)


@nb.njit(cache=True, nogil=True)
def _rock(x: float, y: float, z: float, carved: tuple, seed: int, window: float) -> float:
    """Density [m]: the carved room with noise on its walls, scallops in flat strata, that fades away from them."""
    s, amplitude, away = carved
    a = amplitude * (1.0 - (s / BAND) ** 2)
    # Where what is left of the noise cannot bring the value within the window, it is left out.
    if a <= 0.0 or abs(s) > a + window:
        return s
    x, y, z = x / _WAVE, y / _WAVE, 1.6 * z / _WAVE
    noise = 1.2 * perlin3(x, y, z, seed) - 0.25
    if s + a * max(noise - 0.4, -1.0) < window and s + a * min(noise + 1.5, 1.0) > -window:
        noise += 1.1 * abs(perlin3(2.1 * x, 2.1 * y, 2.1 * z, seed + 1))
        if abs(s + a * noise) < window + 0.4 * a:
            noise += 0.4 * perlin3(4.3 * x, 4.3 * y, 4.3 * z, seed + 2)
    return max(s + a * min(max(noise, -1.0), 1.0), _TUBE - away)


@nb.njit(cache=True, nogil=True)
def density(x: float, y: float, z: float, field: tuple) -> float:
    """Density at a point [m]; field as of Field.data."""
    capsules, starts, ends, items, low, seed = field
    i, j, k = int((x - low[0]) / _BLOCK), int((y - low[1]) / _BLOCK), int((z - low[2]) / _BLOCK)
    if x < low[0] or y < low[1] or z < low[2] or i >= starts.shape[0] or j >= starts.shape[1] or k >= starts.shape[2]:
        return -BAND
    carved = np.empty((3, 1))
    _carve(x, y, np.array([z]), capsules, items[starts[i, j, k] : ends[i, j, k]], carved)
    return _rock(x, y, z, (carved[0, 0], carved[1, 0], carved[2, 0]), seed, math.inf)


@nb.njit(cache=True, nogil=True)
def gradient(p: np.ndarray, field: tuple) -> np.ndarray:
    """Gradient of the density at a point p [m]: on the rock about its normal."""
    x, y, z, h = p[0], p[1], p[2], 0.1
    gx = density(x + h, y, z, field) - density(x - h, y, z, field)
    gy = density(x, y + h, z, field) - density(x, y - h, z, field)
    gz = density(x, y, z + h, field) - density(x, y, z - h, field)
    return np.array([gx, gy, gz]) / (2.0 * h)


@nb.njit(cache=True, nogil=True)
def _sample(x: np.ndarray, y: np.ndarray, z: np.ndarray, voxel: float, field: tuple) -> np.ndarray:
    """Density at the lattice points x × y × z [m], exact near the surface."""
    capsules, starts, ends, items, low, seed = field
    out = np.full((len(x), len(y), len(z)), -BAND)
    carved, window = np.empty((3, len(z))), 2.2 * voxel
    cuts = np.searchsorted(z, low[2] + _BLOCK * np.arange(starts.shape[2] + 1))
    for i in range(len(x)):
        bi = math.floor((x[i] - low[0]) / _BLOCK)
        for j in range(len(y)):
            bj = math.floor((y[j] - low[1]) / _BLOCK)
            for bk in range(starts.shape[2]):
                a, b, first, last = starts[bi, bj, bk], ends[bi, bj, bk], cuts[bk], cuts[bk + 1]
                if a < b and first < last:
                    _carve(x[i], y[j], z[first:last], capsules, items[a:b], carved[:, : last - first])
                    for m in range(last - first):
                        room = (carved[0, m], carved[1, m], carved[2, m])
                        out[i, j, first + m] = _rock(x[i], y[j], z[first + m], room, seed, window)
    return out


@nb.njit(cache=True, nogil=True)
def _list(capsules: np.ndarray, low: np.ndarray, blocks: np.ndarray, place: np.ndarray, items: np.ndarray) -> None:
    """Note the capsules that may act in each block from items[place] on, and count place up; no items: only count."""
    for n in range(len(capsules)):
        reach = max(capsules[n, 6], capsules[n, 7]) + BAND + _BLEND + 0.87 * _BLOCK
        for i in range(blocks[n, 0], blocks[n, 3]):
            for j in range(blocks[n, 1], blocks[n, 4]):
                for k in range(blocks[n, 2], blocks[n, 5]):
                    x, y, z = low[0] + (i + 0.5) * _BLOCK, low[1] + (j + 0.5) * _BLOCK, low[2] + (k + 0.5) * _BLOCK
                    if _axis(x, y, z, capsules[n])[1] < reach * reach:
                        if len(items) > 0:
                            items[place[i, j, k]] = n
                        place[i, j, k] += 1


@dataclass(frozen=True, eq=False)
class Field:
    """The density of the rock in a box."""

    capsules: np.ndarray
    """All that act in the box, in an order that is the same for every box, as of Region.capsules, shape [n, 9]."""
    low: np.ndarray
    """Least corner of the box [m], shape [3]."""
    high: np.ndarray
    """Greatest corner of the box [m], shape [3]."""
    seed: int

    @cached_property
    def data(self) -> tuple:
        """The field as kernels take it: capsules, those of block (i, j, k) as items[starts:ends], low, seed."""
        c = self.capsules
        square = np.sum((c[:, 3:6] - c[:, :3]) ** 2, axis=1)
        capsules = np.column_stack([c, 1.0 / (square + 1e-12), c[:, 8] ** -2.0])
        shape = np.ceil((self.high - self.low) / _BLOCK).astype(int)
        wide = (np.max(c[:, 6:8], axis=1) + BAND + _BLEND)[:, None] * np.column_stack(
            [c[:, 8], c[:, 8], np.ones(len(c))]
        )
        first = np.floor((np.minimum(c[:, :3], c[:, 3:6]) - wide - self.low) / _BLOCK)
        last = np.floor((np.maximum(c[:, :3], c[:, 3:6]) + wide - self.low) / _BLOCK)
        blocks = np.clip(np.column_stack([first, last + 1]), 0, np.tile(shape, 2)).astype(np.int32)
        count = np.zeros(shape, np.int32)
        _list(capsules, self.low, blocks, count, np.empty(0, np.int32))
        ends = np.cumsum(count, dtype=np.int32).reshape(shape)
        starts, items = ends - count, np.empty(ends[-1, -1, -1], np.int32)
        _list(capsules, self.low, blocks, starts.copy(), items)
        return capsules, starts, ends, items, self.low, self.seed

    def sample(self, first: np.ndarray, shape: tuple[int, int, int], voxel: float) -> np.ndarray:
        """Density at the lattice points (first + index) · voxel [m], which lie within the box."""
        x, y, z = ((first[a] + np.arange(shape[a])) * voxel for a in range(3))
        return _sample(x, y, z, voxel, self.data)


@lru_cache(maxsize=1)
def _cases() -> np.ndarray:
    """Triangles of the 256 cases, as edges (axis · 8 + lower corner), then -1; corner = x + 2 y + 4 z, bit set: free.

    On each face of the cube a line leads from where a run of free corners begins to where it ends, so free corners
    across a diagonal are kept apart, in both cubes of the face alike; the lines close to loops, cut into triangles.
    """

    def edge(a: int, b: int) -> int:
        return (a ^ b).bit_length() * 8 - 8 + min(a, b)

    table = np.full((256, 16), -1, np.int8)
    for case in range(256):
        follow = {}
        for face in _FACES:
            free = [case >> c & 1 for c in face]
            for n in range(4):
                if not free[n - 1] and free[n]:
                    end = next(m for m in range(n, n + 4) if not free[(m + 1) % 4])
                    follow[edge(face[n - 1], face[n])] = edge(face[end % 4], face[(end + 1) % 4])
        triangles = [t for loop in _loops(follow) for t in _fan(loop)]
        table[case, : 3 * len(triangles)] = np.reshape(triangles, -1)
    return table


def _loops(follow: dict[int, int]) -> list[list[int]]:
    loops = []
    while follow:
        loop = [next(iter(follow))]
        while loop[-1] in follow:
            loop.append(follow.pop(loop[-1]))
        loops.append(loop[:-1])
    return loops


def _fan(loop: list[int]) -> list[tuple[int, int, int]]:
    """Triangles of a loop; if possible no diagonal lies in a face of the cube, where its neighbour may have one too."""

    def in_face(e: int, f: int) -> bool:
        a, b, c, d = e % 8, e % 8 + (1 << e // 8), f % 8, f % 8 + (1 << f // 8)
        return a & b & c & d != 0 or a | b | c | d != 7

    best = min((loop[n:] + loop[:n] for n in range(len(loop))), key=lambda t: sum(in_face(t[0], e) for e in t[2:-1]))
    return [(best[0], best[n], best[n + 1]) for n in range(1, len(best) - 1)]


@nb.njit(cache=True, nogil=True)
def _slope(d: np.ndarray, i: int, j: int, k: int) -> tuple[float, float, float]:
    return d[i + 1, j, k] - d[i - 1, j, k], d[i, j + 1, k] - d[i, j - 1, k], d[i, j, k + 1] - d[i, j, k - 1]


@nb.njit(cache=True, nogil=True)
def _vertices(d: np.ndarray, free: np.ndarray, voxel: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A vertex with its normal on each lattice edge that the surface cuts, and the vertex' number on each edge."""
    nx, ny, nz = d.shape[0] - 1, d.shape[1] - 1, d.shape[2] - 1
    number = np.empty((nx, ny, nz, 3), np.int32)
    v, g = np.empty((1 << 15, 3), np.float32), np.empty((1 << 15, 3), np.float32)
    n = 0
    for i in range(1, nx):
        for j in range(1, ny):
            for k in range(1, nz):
                own = free[i, j, k]
                if own == free[i + 1, j, k] and own == free[i, j + 1, k] and own == free[i, j, k + 1]:
                    continue
                if n + 3 > len(v):
                    v, g = np.concatenate((v, np.empty_like(v))), np.concatenate((g, np.empty_like(g)))
                for axis in range(3):
                    e, f, h = i + (axis == 0), j + (axis == 1), k + (axis == 2)
                    if own == free[e, f, h] or e == nx or f == ny or h == nz:
                        continue
                    t = min(max(d[i, j, k] / (d[i, j, k] - d[e, f, h]), 0.01), 0.99)
                    ax, ay, az = _slope(d, i, j, k)
                    bx, by, bz = _slope(d, e, f, h)
                    gx, gy, gz = ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az)
                    length = math.sqrt(gx * gx + gy * gy + gz * gz) + 1e-12
                    v[n, 0], v[n, 1], v[n, 2] = (i - 1) * voxel, (j - 1) * voxel, (k - 1) * voxel
                    v[n, axis] = ((i, j, k)[axis] - 1 + t) * voxel
                    g[n, 0], g[n, 1], g[n, 2] = gx / length, gy / length, gz / length
                    number[i, j, k, axis] = n
                    n += 1
    return v[:n].copy(), g[:n].copy(), number


@nb.njit(cache=True, nogil=True)
def _triangles(free: np.ndarray, number: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """Corner indices of the surface in every cube of the lattice."""
    faces = np.empty((1 << 16, 3), np.uint32)
    n = 0
    for i in range(1, number.shape[0] - 1):
        for j in range(1, number.shape[1] - 1):
            a, b, c, e = free[i, j], free[i + 1, j], free[i, j + 1], free[i + 1, j + 1]
            high = a[1] | b[1] << 1 | c[1] << 2 | e[1] << 3
            for k in range(1, number.shape[2] - 1):
                low, high = high, a[k + 1] | b[k + 1] << 1 | c[k + 1] << 2 | e[k + 1] << 3
                case = low | high << 4
                if case == 0 or case == 255:
                    continue
                if n + 5 > len(faces):
                    faces = np.concatenate((faces, np.empty_like(faces)))
                m = 0
                while cases[case, m] >= 0:
                    edge = cases[case, m]
                    faces[n + m // 3, m % 3] = number[
                        i + (edge & 1), j + (edge >> 1 & 1), k + (edge >> 2 & 1), edge >> 3
                    ]
                    m += 1
                n += m // 3
    return faces[:n].copy()


def march(density: np.ndarray, voxel: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The surface of a sampled density: vertices [m], normals into free space, and faces, counter-clockwise from there.

    The outermost lattice points only serve the gradient; the point [1, 1, 1] is the vertices' origin.
    """
    free = (density > 0.0).view(np.uint8)
    vertices, normals, number = _vertices(density, free, voxel)
    return vertices, normals, _triangles(free, number, _cases())
