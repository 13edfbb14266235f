"""Small building parts that the built worlds share: bars, tubes, walls with openings, masonry, fences, rocks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volery.core.geometry import Mesh, box, cylinder, grid, merge, sphere
from volery.core.material import Material
from volery.core.noise import fractal3, hash_cell

__all__ = [
    "CONCRETE",
    "GLASS",
    "MIRROR",
    "STEEL",
    "WOOD",
    "along",
    "bars",
    "boxes",
    "curtain",
    "flat_ground",
    "lattice",
    "rock",
    "rolls",
    "stretch",
    "tube",
    "turn",
    "wall",
    "wedge",
]

CONCRETE = Material("concrete", (0.35, 0.34, 0.32), label="wall", reflectivity=0.4, texture="concrete")
STEEL = Material(
    "steel", (0.42, 0.43, 0.45), label="metal", roughness=0.4, reflectivity=0.5, friction=0.5, texture="metal"
)
WOOD = Material("wood", (0.38, 0.25, 0.13), label="wood", reflectivity=0.45, texture="wood")
GLASS = Material(
    "glass", (0.75, 0.85, 0.82), label="glass", roughness=0.05, reflectivity=0.08, transparency=0.9, friction=0.4
)
MIRROR = Material("mirror", (0.9, 0.9, 0.9), label="mirror", roughness=0.0, reflectivity=0.05, mirror=1.0, friction=0.4)

_CORNERS = box((1, 1, 1)).vertices.astype(float)
_FACES = box((1, 1, 1)).faces.astype(np.int64)


def rolls(seed: int, salt: int, i: int = 0, j: int = 0) -> np.random.Generator:
    """The random numbers of one part of a world: nothing but seed, salt and place decides them."""
    return np.random.Generator(np.random.Philox(key=int(hash_cell(seed, i, j, salt))))


def turn(yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> np.ndarray:
    """Rotation matrix [3, 3]: roll about x, then pitch about y, then yaw about z [rad]."""
    (cy, sy), (cp, sp), (cr, sr) = ((np.cos(a), np.sin(a)) for a in (yaw, pitch, roll))
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    return z @ y @ x


def along(direction: np.ndarray) -> np.ndarray:
    """Rotation [3, 3] that turns z into `direction`."""
    z = np.asarray(direction, float) / np.linalg.norm(direction)
    x = np.cross((0.0, 1.0, 0.0) if abs(z[1]) < 0.9 else (1.0, 0.0, 0.0), z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def stretch(p: np.ndarray | tuple[Any, ...], size: np.ndarray | tuple[Any, ...], yaw: float = 0.0) -> np.ndarray:
    """Place [1, 3, 4] of a unit mesh: stretched to `size` [m], turned by yaw [rad], its origin at p [m]."""
    X = np.empty((1, 3, 4))
    X[0, :, :3] = turn(yaw) * np.asarray(size, float)
    X[0, :, 3] = p
    return X


def boxes(centres: ArrayLike, sizes: ArrayLike, material: Material, R: np.ndarray | None = None) -> Mesh:
    """Many boxes as one mesh: centres and sizes [m] broadcast to [n, 3], optionally turned by R [n, 3, 3]."""
    p, size = np.broadcast_arrays(np.atleast_2d(np.asarray(centres, float)), np.asarray(sizes, float))
    local = _CORNERS[None] * size[:, None]
    if R is not None:
        local = local @ np.swapaxes(np.asarray(R), -1, -2)
    n = len(p)
    faces = _FACES[None] + 8 * np.arange(n)[:, None, None]
    return Mesh((local + p[:, None]).reshape(-1, 3), faces.reshape(-1, 3), (material,), name="boxes")


def bars(starts: ArrayLike, ends: ArrayLike, width: float, material: Material) -> Mesh:
    """Square bars of `width` [m] from starts to ends [m], both [n, 3]."""
    first, last = np.atleast_2d(np.asarray(starts, float)), np.atleast_2d(np.asarray(ends, float))
    span = last - first
    length = np.linalg.norm(span, axis=1)
    sizes = np.stack([np.full_like(length, width), np.full_like(length, width), length], axis=1)
    return boxes((first + last) / 2, sizes, material, np.array([along(s) for s in span]))


def tube(points: np.ndarray, radius: float, material: Material, segments: int = 10) -> Mesh:
    """A pipe of round bars through the points [n, 3], with a ball in every bend [m]."""
    p = np.asarray(points, float)
    runs = [
        cylinder(radius, float(np.linalg.norm(b - a)), segments, materials=(material,)).moved(along(b - a), (a + b) / 2)
        for a, b in pairwise(p)
    ]
    bends = [sphere(radius * 1.02, segments, materials=(material,)).moved(p=q) for q in p[1:-1]]
    return merge(runs + bends, "tube")


def wall(
    length: float,
    height: float,
    thickness: float,
    material: Material,
    openings: tuple[tuple[float, float, float, float], ...] = (),
) -> Mesh:
    """A wall along x from the origin, centred on y = 0, with openings (x from, x to, z from, z to) [m]."""
    xs = sorted({0.0, length, *(x for o in openings for x in o[:2])})
    centres, sizes = [], []
    for a, b in pairwise(xs):
        holes = sorted(o[2:] for o in openings if o[0] <= a and b <= o[1])
        z = 0.0
        for low, high in [*holes, (height, height)]:
            if low - z > 1e-6:
                centres.append(((a + b) / 2, 0.0, (z + low) / 2))
                sizes.append((b - a, thickness, low - z))
            z = max(z, high)
    return boxes(np.array(centres), np.array(sizes), material)


def curtain(path: np.ndarray, low: np.ndarray, high: np.ndarray, thickness: float, material: Material) -> Mesh:
    """Masonry that stands on a line of points [n, 2], between lower and upper edges [n] [m]: ragged walls, arches.

    The line is bevelled at its corners; a column where both edges meet closes to a line.
    """
    path = np.asarray(path, float)
    forward = np.gradient(path, axis=0)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    side = np.stack([-forward[:, 1], forward[:, 0]], axis=1) * (thickness / 2)
    low, high = np.broadcast_to(low, len(path)), np.broadcast_to(high, len(path))
    rings = [np.column_stack([path + s * side, z]) for s, z in ((-1, low), (-1, high), (1, high), (1, low))]
    n = len(path)
    i = np.arange(n - 1)
    faces = []
    for k in range(4):
        a, b = k * n + i, ((k + 1) % 4) * n + i
        faces += [np.stack([a, a + 1, b + 1], axis=1), np.stack([a, b + 1, b], axis=1)]
    first, last = np.arange(4) * n, np.arange(4) * n + n - 1
    ends = [first[[0, 1, 2]], first[[0, 2, 3]], last[[0, 2, 1]], last[[0, 3, 2]]]
    return Mesh(np.concatenate(rings), np.concatenate([*faces, np.array(ends)]), (material,), name="curtain")


def wedge(length: float, width: float, rise: float, material: Material) -> Mesh:
    """A closed ramp on z = 0, centred on its origin, that climbs `rise` over `length` along +x [m]."""
    x, y = length / 2, width / 2
    v = [[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0], [x, -y, rise], [x, y, rise]]
    f = [[0, 2, 1], [0, 3, 2], [0, 4, 5], [0, 5, 3], [1, 2, 5], [1, 5, 4], [0, 1, 4], [2, 3, 5]]
    return Mesh(np.array(v), np.array(f), (material,), name="wedge")


def lattice(width: float, height: float, pitch: float, wire: float, material: Material) -> Mesh:
    """A grid fence along x from the origin, standing on z = 0: real bars of thickness `wire`, a mesh of `pitch` [m]."""
    nx, nz = max(1, round(width / pitch)), max(1, round(height / pitch))
    x, z = np.linspace(0, width, nx + 1), np.linspace(0, height, nz + 1)
    upright = boxes(np.stack([x, 0 * x, 0 * x + height / 2], axis=1), (wire, wire, height), material)
    level = boxes(np.stack([0 * z + width / 2, 0 * z, z], axis=1), (width, wire, wire), material)
    return merge([upright, level], "lattice")


def flat_ground(size: float, material: Material, cell: float = 50.0, z: float = 0.0) -> Mesh:
    """A level square of edge `size` [m] about the origin; in cells, since single precision dislikes huge triangles."""
    n = max(1, round(size / cell))
    return grid(np.full((n + 1, n + 1), z), size / n, (-size / 2, -size / 2), materials=(material,), name="ground")


def rock(seed: int, material: Material, rough: float = 0.35, segments: int = 16, facets: int = 0) -> Mesh:
    """A stone of about unit radius: a ball pushed in and out by noise, cut by `facets` planes as broken concrete is."""
    ball = sphere(1.0, segments, materials=(material,), name="rock")
    v = ball.vertices.astype(float)
    v *= 1 + rough * fractal3(v[:, 0] + 7.3, v[:, 1], v[:, 2], seed, octaves=3, frequency=1.1)[:, None]
    draw = rolls(seed, 0x70C5)
    normals = draw.normal(size=(facets, 3))
    for n in normals / np.linalg.norm(normals, axis=1, keepdims=True) if facets else ():
        excess = np.maximum(v @ n - draw.uniform(0.45, 0.75), 0.0)
        v -= excess[:, None] * n
    return replace(ball, vertices=v)
