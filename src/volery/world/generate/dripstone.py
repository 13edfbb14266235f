"""Dripstone: stalactites where rays cast upwards meet a dripping ceiling, stalagmites below, columns where both met."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from volery._native import generate as _native
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.core.noise import uniform_cell
from volery.world.generate.cave_surface import Field
from volery.world.world import Placement, poses

__all__ = ["CLEAR", "DRIPSTONE", "grow", "models"]

DRIPSTONE = Material(
    "dripstone",
    (0.42, 0.35, 0.26),
    "dripstone",
    roughness=0.45,
    reflectivity=0.45,
    temperature=283.0,
    texture="dripstone",
)
CLEAR = _native.CLEAR
"""Dripstone keeps this far from every point of a tunnel's axis [m]."""
_SHAPES = 5
"""Models of each sort."""
_SEGMENTS = 9


def _clear(top: np.ndarray, length: np.ndarray, radius: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Whether a vertical stone from top [n, 3] downwards keeps off all axis points [m]."""
    out = np.empty(len(top), bool)
    _native.stones_clear(np.ascontiguousarray(top), length, radius, axis, out)
    return out


def grow(
    field: Field, sources: np.ndarray, rays: np.ndarray, axis: np.ndarray, *, seed: int, abundance: float
) -> list[Placement]:
    """Dripstone seen by rays from sources [n, 3], so many from each, that keeps off the axis points [m, 3] [m]."""
    drips = np.empty(rays.sum(), _native.Drip)
    drips = drips[: _native.find_drips(field.native, sources, rays, seed, 1.0 - 1.6 * abundance, drips)]
    top, floor, slope, strength, u, v = (drips[name] for name in _native.Drip.names or ())
    height = top[:, 2] - floor
    kind = (v * _SHAPES).astype(np.int32)
    length = np.clip(height * (0.07 + 2.0 * strength * u * u), 0.15, 0.6 * height)
    column = (height < 6.0) & (u > 0.8) & (slope > 0.5)
    column &= _clear(top, height, 0.12 * height, axis)
    hang = ~column & _clear(top, length, 0.2 * length, axis)
    foot = np.column_stack([top[:, :2], floor])
    rise = np.minimum(length * (0.3 + 0.6 * v), 0.35 * height)
    stand = hang & (slope > 0.5) & (length > 0.35) & _clear(foot + rise[:, None] * [0, 0, 1], rise, 0.3 * rise, axis)
    sorts = [(hang, top, length, 0), (stand, foot, rise, _SHAPES), (column, foot, height, 2 * _SHAPES)]
    X = np.concatenate([poses(p[m], 2.0 * np.pi * u[m], s[m]) for m, p, s, _ in sorts])
    kinds = np.concatenate([kind[m] + first for m, _, _, first in sorts])
    return [Placement("dripstone", models(), X, kinds)] if len(X) else []


@lru_cache(maxsize=1)
def models() -> tuple[Mesh, ...]:
    """Stalactites hanging from their origin, then stalagmites and columns standing on it, each of length 1 m."""
    t = np.linspace(0.0, 1.0, 13)
    meshes = []
    for n in range(_SHAPES):
        slim = 0.05 + 0.03 * n
        icicle = slim * ((1.0 - t) ** (0.7 + 0.1 * n) + 0.8 * np.exp(-9.0 * t)) + 0.012 * (1.0 - t**8)
        meshes.append(_turned(icicle, np.concatenate([[0.25], -t[1:]]), n, "stalactite"))
    for n in range(_SHAPES):
        stump = (0.13 + 0.035 * n) * ((1.0 - t**2.2) ** 0.6 + 0.9 * np.exp(-7.0 * t)) + 0.01
        meshes.append(_turned(stump[::-1], np.concatenate([t[:0:-1], [-0.15]]), _SHAPES + n, "stalagmite"))
    for n in range(_SHAPES):
        pillar = (0.05 + 0.012 * n) * (1.0 + 1.1 * np.exp(-8.0 * t) + 1.3 * np.exp(-8.0 * (1.0 - t)))
        meshes.append(_turned(pillar[::-1], np.linspace(1.15, -0.1, 13), 2 * _SHAPES + n, "column"))
    return tuple(meshes)


def _turned(radii: np.ndarray, heights: np.ndarray, number: int, name: str) -> Mesh:
    """An uneven body of revolution about z, rings from top to bottom, closed by poles."""
    rings, k = len(radii), _SEGMENTS
    r, a = np.arange(rings), np.arange(k)
    bump = np.array([[uniform_cell(number, int(i), int(j), 1) for j in a] for i in r]) - 0.5
    waist = np.array([uniform_cell(number, int(i), 0, 2) for i in r]) - 0.5
    radius = radii[:, None] * (1.0 + 0.2 * bump + 0.16 * waist[:, None])
    angle = a * (2.0 * np.pi / k)
    lean = 0.03 * np.cumsum(waist[::-1])[:, None] * (np.abs(heights)[:, None] < 1.0)
    v = np.stack([radius * np.cos(angle) + lean, radius * np.sin(angle) - lean, np.tile(heights[:, None], k)], axis=-1)
    poles = np.array([v[0].mean(axis=0), v[-1].mean(axis=0)])
    i, j = (r[:-1, None] * k + a).ravel(), (r[:-1, None] * k + (a + 1) % k).ravel()
    side = [np.stack([i, i + k, j + k], axis=1), np.stack([i, j + k, j], axis=1)]
    top, bottom, last = rings * k, rings * k + 1, (rings - 1) * k
    caps = [
        np.stack([a * 0 + top, a, (a + 1) % k], axis=1),
        np.stack([a * 0 + bottom, last + (a + 1) % k, last + a], axis=1),
    ]
    vertices, faces = np.concatenate([v.reshape(-1, 3), poles]), np.concatenate([*side, *caps])
    return Mesh(vertices, faces, (DRIPSTONE,), normals=_smooth(vertices, faces), name=name)


def _smooth(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Unit normals of vertices, the mean of their faces' by area."""
    a, b, c = (vertices[faces[:, n]] for n in range(3))
    normals = np.zeros_like(vertices)
    for n in range(3):
        np.add.at(normals, faces[:, n], np.cross(b - a, c - a))
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)
