"""How plants branch: limbs grow order by order, all of an order at once; wood is tubes, leaves are folded rhombi."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery._native import generate as _native
from volery.core.geometry import Mesh
from volery.core.material import Material

__all__ = ["Limbs", "ShootOrder", "blades", "branch", "reach_out", "tubes"]


@dataclass(frozen=True)
class ShootOrder:
    """How the shoots of one order stand on their parents."""

    count: int
    """Shoots per parent."""
    reach: float
    """Length of the longest shoot as a share of its parent's length."""
    start: float = 0.2
    """Share of the parent's length below which it is bare."""
    angle: tuple[float, float] = (1.0, 0.6)
    """Between shoot and parent, at the first shoot and at the last [rad]."""
    bend: tuple[float, float] = (0.0, 0.04)
    """Pull upwards per segment, at the shoot's foot and at its tip."""
    wander: float = 0.1
    """Random turn per segment [rad]."""
    shape: tuple[float, float] = (0.0, 0.5)
    """Outline a, b: a shoot at the share u of the bearing part has the length u^a·(1−u)^b."""
    whorl: int = 1
    """Shoots that spring from one height."""
    flat: bool = False
    """Shoots stand to the left and right only, as in the sprays of beech and spruce."""
    thickness: float = 0.014
    """Radius of the shoot's foot as a share of its length."""
    segments: int = 5
    sides: int = 5
    """Corners of the wood's cross-section; 0: too thin to show."""


@dataclass(frozen=True, eq=False)
class Limbs:
    """Limbs of one order: points [m], shape [n, s+1, 3], and radii [m], shape [n, s+1]."""

    points: np.ndarray
    radii: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """[m], shape [n]."""
        return np.linalg.norm(np.diff(self.points, axis=1), axis=2).sum(axis=1)

    def at(self, rows: np.ndarray | int, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Place, direction and radius at the shares s of the lengths of the limbs `rows`, of any shape."""
        last = self.points.shape[1] - 1
        i = np.minimum((s * last).astype(int), last - 1)
        a, step = self.points[rows, i], self.points[rows, i + 1] - self.points[rows, i]
        part = s * last - i
        radius = self.radii[rows, i] * (1 - part) + self.radii[rows, i + 1] * part
        return a + step * part[..., None], _unit(step), radius


def _unit(v: np.ndarray) -> np.ndarray:
    return v / (np.sqrt(np.einsum("...i,...i", v, v))[..., None] + 1e-12)


def _sideways(d: np.ndarray) -> np.ndarray:
    """A unit vector across each direction, level unless the direction is upright."""
    up = np.where(np.abs(d[..., 2:]) < 0.95, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    return _unit(np.cross(up, d))


def reach_out(
    p: np.ndarray, d: np.ndarray, length: np.ndarray, radius: np.ndarray, order: ShootOrder, rng: np.random.Generator
) -> Limbs:
    """Limbs that start at p towards d, wander, and bend to the light or their own weight."""
    n, steps = len(p), order.segments
    points = [p]
    for pull in np.linspace(*order.bend, steps):
        d = d + rng.normal(size=(n, 3)) * order.wander
        d[:, 2] += pull
        d = _unit(d)
        points.append(points[-1] + d * (length / steps)[:, None])
    taper = 1.0 - 0.88 * np.linspace(0.0, 1.0, steps + 1) ** 1.4
    return Limbs(np.stack(points, axis=1), radius[:, None] * taper)


def branch(parents: Limbs, order: ShootOrder, rng: np.random.Generator) -> Limbs:
    """The shoots of all parents."""
    n, m = len(parents.points), order.count
    node = np.arange(m) // order.whorl
    u = (node + rng.random((n, m)) * (1.0 if order.whorl == 1 else 0.3)) / (node[-1] + 1)
    p, d, radius = parents.at(np.arange(n)[:, None], order.start + (0.99 - order.start) * u)
    side = _sideways(d)
    around = np.pi * np.arange(m) if order.flat else 2.39996 * np.arange(m) + rng.uniform(0, 2 * np.pi, (n, 1))
    around = (around + rng.normal(size=(n, m)) * 0.3)[..., None]
    off = side * np.cos(around) + np.cross(d, side) * np.sin(around)
    angle = (order.angle[0] + np.diff(order.angle) * u + rng.normal(size=(n, m)) * 0.12)[..., None]
    a, b = order.shape
    peak = a / (a + b) if a + b else 0.0
    outline = u**a * (1 - u) ** b / (peak**a * (1 - peak) ** b)
    length = parents.lengths[:, None] * order.reach * np.maximum(outline, 0.08) * rng.uniform(0.75, 1.15, (n, m))
    thick = np.clip(length * order.thickness, 0.004, radius * 0.65 + 0.002)
    flat = (v.reshape(n * m, *v.shape[2:]) for v in (p, d * np.cos(angle) + off * np.sin(angle), length, thick))
    starts, ways, lengths, radii = flat
    return reach_out(starts, ways, lengths, radii, order, rng)


def tubes(limbs: Limbs, sides: int, materials: tuple[Material, ...], lobes: np.ndarray | float = 1.0) -> Mesh:
    """The wood of limbs: one tube each, open at the ends; lobes: factors on the radius, shape [n, s+1, sides].

    Faces come in pairs, one pair per quadrilateral.
    """
    a = np.arange(sides) * (2 * np.pi / sides)
    radii = limbs.radii[:, :, None] * lobes
    vertices, faces, normals = _native.wood_tubes(limbs.points, radii, np.stack([np.cos(a), np.sin(a)], axis=1))
    return Mesh(vertices, faces, materials=materials, normals=normals, robust=False, name="wood")


def blades(
    base: np.ndarray,
    axis: np.ndarray,
    up: np.ndarray,
    length: np.ndarray,
    width: np.ndarray,
    materials: tuple[Material, ...],
    fold: float = 0.25,
) -> Mesh:
    """Leaves: folded rhombi from base [n, 3] along axis, faces towards up; length and width [m], shape [n]."""
    n = len(base)
    axis = _unit(axis)
    side = _unit(np.cross(axis, up))
    normal = np.cross(side, axis)
    middle = base + axis * (length * 0.45)[:, None] + normal * (width * fold)[:, None]
    half = side * (width * 0.5)[:, None]
    vertices = np.stack([base, middle + half, base + axis * length[:, None], middle - half], axis=1)
    faces = (np.arange(n) * 4)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(
        vertices.reshape(-1, 3),
        faces.reshape(-1, 3),
        materials=materials,
        face_material=np.repeat(np.arange(n) * 7 // 3 % len(materials), 2),
        normals=np.repeat(normal, 4, axis=0),
        robust=False,
        name="leaves",
    )
