"""The cave's rock: a density field carved by capsules and roughened by noise, and its surface by marching cubes.

The density is about the distance to the rock, positive in free space [m]. A capsule acts only as far as `BAND` beyond
its wall, and capsules are always joined in the same order, so a point gets the same value, to the bit, from every chunk
that knows the capsules near it: chunks meet without gaps, and so do normals, which are the density's gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from volery._native import generate as _native

__all__ = ["BAND", "SIGHT", "Field", "march"]

BAND = _native.BAND
"""Density is known this far from the surface; deeper in the rock it is -BAND [m]."""
SIGHT = _native.SIGHT
"""Longest ray [m]."""
_FACES = ((1, 5, 7, 3), (0, 2, 6, 4), (2, 3, 7, 6), (0, 4, 5, 1), (4, 6, 7, 5), (0, 1, 3, 2))
"""Corners of the faces of a cube, clockwise from outside; corner = x + 2 y + 4 z."""


@dataclass(frozen=True, eq=False)
class Field:
    """The density of the rock in a box."""

    capsules: np.ndarray
    """All that act in the box, in an order that is the same for every box, as of Region.capsules, shape [n]."""
    low: np.ndarray
    """Least corner of the box [m], shape [3]."""
    high: np.ndarray
    """Greatest corner of the box [m], shape [3]."""
    seed: int

    @cached_property
    def native(self) -> _native.CaveField:
        """The field as kernels take it."""
        return _native.cave_field(self.capsules, self.low, self.high, self.seed)

    def sample(self, first: np.ndarray, shape: tuple[int, int, int], voxel: float) -> np.ndarray:
        """Density at the lattice points (first + index) · voxel [m], which lie within the box."""
        x, y, z = ((first[a] + np.arange(shape[a])) * voxel for a in range(3))
        return _native.cave_sample(self.native, x, y, z, voxel)

    def cast(self, p: np.ndarray, d: np.ndarray) -> float:
        """Distance from p along the unit vector d to the rock [m]; SIGHT if there is none nearer."""
        return _native.cave_cast(self.native, p, d)

    def gradient(self, p: np.ndarray) -> np.ndarray:
        """Gradient of the density at a point p [m]: on the rock about its normal."""
        out = np.empty(3)
        _native.cave_gradient(self.native, p, out)
        return out


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


def march(density: np.ndarray, voxel: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The surface of a sampled density: vertices [m], normals into free space, and faces, counter-clockwise from there.

    The outermost lattice points only serve the gradient; the point [1, 1, 1] is the vertices' origin.
    """
    return _native.march(density, _cases(), voxel)
