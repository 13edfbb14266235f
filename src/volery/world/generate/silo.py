"""A silo: a tall round shaft of concrete to be inspected in flight, with ladder, platforms, pipes and cracks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cylinder, grid, merge, sphere
from volery.core.material import Material
from volery.core.noise import fractal2
from volery.errors import WorldError
from volery.world.generate.parts import STEEL, bars, boxes, flat_ground, lattice, rolls, tube, turn
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Crack", "Silo"]

_SHELL = Material("silo_concrete", (0.32, 0.31, 0.29), label="wall", reflectivity=0.4, texture="concrete")
_STAIN = Material("silo_stain", (0.2, 0.185, 0.165), label="wall", reflectivity=0.3, texture="concrete")
_BAND = Material("silo_joint", (0.25, 0.245, 0.235), label="wall", reflectivity=0.35, texture="concrete")
_CRACK = Material("crack", (0.025, 0.022, 0.02), label="crack", reflectivity=0.05)
_RUST = Material("rusty_steel", (0.24, 0.11, 0.05), label="metal", reflectivity=0.3, texture="metal")
_PIPE = Material("pipe", (0.12, 0.2, 0.24), label="pipe", roughness=0.5, reflectivity=0.4, texture="metal")
_GRAIN = Material("grain", (0.42, 0.3, 0.12), label="ground", reflectivity=0.45, texture="soil")
_GROUND = Material("silo_ground", (0.13, 0.11, 0.08), label="ground", reflectivity=0.25, texture="soil")
_LAMP = Material("lamp", (1.0, 0.9, 0.7), label="lamp", emission=6.0, temperature=320.0)

_DOOR = (1.6, 2.1)
"""Width and height of the doorway [m]."""


@dataclass(frozen=True)
class Crack:
    """A crack to be found by inspection."""

    points: tuple[tuple[float, float, float], ...]
    """Its line on the inner wall [m]."""
    width: float
    """[m]."""


@dataclass(frozen=True, eq=False)
class Silo(Checked, World):
    """A round shaft about the z axis, its floor at z = 0, entered by a door at its foot or through its top."""

    seed: int = 0
    radius: float = param(6.0, low=2.5, high=50.0)
    """Inside [m]."""
    height: float = param(30.0, low=8.0, high=200.0)
    """From floor to rim [m]."""
    thickness: float = param(0.3, low=0.05, high=2.0)
    """Of the shell [m]."""
    top: Literal["open", "hatch"] = "hatch"
    """Open to the sky, or a lid with a hatch of 1.6 m."""
    platforms: int = param(3, low=0, high=20)
    """Half-round gratings at equal heights."""
    cracks: int = param(8, low=0, high=200)
    """Cracks on the inner wall, listed in `marks`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.height < 3.0 * (self.platforms + 1):
            most = int(self.height / 3.0) - 1
            raise WorldError(f"Silo: {self.platforms} platforms need 3 m each; {self.height:g} m leave room for {most}")

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole silo, in the one chunk there is."""
        if key != (0, 0):
            return []
        return [*self._shell(), *self._fittings(), *self._pipes(), *self._crack_meshes()]

    def spawn(self) -> tuple[float, float, float]:
        """Above the floor in the middle [m]."""
        return (0.0, 0.0, 1.5)

    @cached_property
    def marks(self) -> tuple[Crack, ...]:
        """The ground truth of the cracks."""
        return tuple(self._crack(n) for n in range(self.cracks))

    def _shell(self) -> Iterator[Placement]:
        """The ground outside, the floor with its cone of grain, the wall, the lid."""
        yield Placement.one("ground", flat_ground(100 + 8 * self.radius, _GROUND, 10.0, z=-0.1))
        floor = cylinder(self.radius + self.thickness + 0.6, 0.2, 64, materials=(_SHELL,))
        yield Placement.one("floor", floor, (0, 0, -0.1))
        yield Placement.one("wall", _wall(self.radius, self.thickness, self.height))
        yield Placement.one("stains", _stains(self.radius, self.height, rolls(self.seed, 0x57A1)))
        if self.top == "hatch":
            yield Placement.one("lid", _lid(self.radius, self.thickness), (0, 0, self.height))
        yield Placement.one("grain", _heap(0.55 * self.radius, 0.16 * self.radius, self.seed))

    def _fittings(self) -> Iterator[Placement]:
        """Ladder, platforms with rails, lamps."""
        yield Placement.one("ladder", _ladder(self.height - 0.5), (-self.radius + 0.35, 0, 0.3))
        levels = self._levels
        if len(levels):
            yaw = np.arange(len(levels)) * 2.1
            yield Placement(
                "platforms", (_platform(self.radius),), poses(np.column_stack([0 * levels, 0 * levels, levels]), yaw)
            )
        z = np.arange(2.5, self.height - 1, 6.0)
        a = 0.8 + np.arange(len(z)) * 2.4
        r = self.radius - 0.12
        lamp = merge([sphere(0.1, 12, materials=(_LAMP,)), boxes((0.08, 0, 0), (0.1, 0.16, 0.3), STEEL)], "lamp")
        yield Placement("lamps", (lamp,), poses(np.column_stack([r * np.cos(a), r * np.sin(a), z]), a))

    @property
    def _levels(self) -> np.ndarray:
        return self.height * (np.arange(self.platforms) + 1) / (self.platforms + 1)

    def _pipes(self) -> Iterator[Placement]:
        """Pipes up the wall with brackets, and a chute across."""
        z = np.arange(1.5, 0.8 * self.height, 2.5)
        for n, (a, r) in enumerate(((1.9, 0.09), (2.05, 0.06), (-1.2, 0.14))):
            at, high = (self.radius - r - 0.12) * np.array([np.cos(a), np.sin(a)]), 0.82 * self.height
            line = np.array([[*at, 0.0], [*at, high], [*1.3 * at, high]])
            brackets = boxes(np.column_stack([np.tile(at, (len(z), 1)), z]), (2.6 * r, 2.6 * r, 0.05), _RUST)
            yield Placement.one(f"pipe_{n + 1}", merge([tube(line, r, _PIPE, 14), brackets], "pipe"))
        fall = np.array([[-0.98, -0.3, 0.0], [-0.3, -0.05, -0.5]]) * self.radius + _up(0.72 * self.height)
        yield Placement.one("chute", tube(fall, 0.22, _RUST, 16))

    def _crack(self, n: int) -> Crack:
        """A branchless crack that wanders up the wall."""
        draw = rolls(self.seed, 0xC4AC, n)
        angle, z = draw.uniform(-2.6, 2.6), draw.uniform(0.1, 0.8) * self.height
        lean = draw.normal(0, 0.5)
        points = []
        for _ in range(int(draw.integers(8, 20))):
            r = self.radius - 0.002
            points.append((float(r * np.cos(angle)), float(r * np.sin(angle)), float(z)))
            angle += (lean * 0.2 + draw.normal(0, 0.16)) / self.radius
            z = min(z + draw.uniform(0.08, 0.3), 0.98 * self.height)
        return Crack(tuple(points), float(draw.uniform(0.004, 0.03)))

    def _crack_meshes(self) -> Iterator[Placement]:
        for n, crack in enumerate(self.marks):
            p = np.array(crack.points)
            middles, long = (p[:-1] + p[1:]) / 2, np.linalg.norm(np.diff(p, axis=0), axis=1)
            wide = crack.width * np.sin(np.linspace(0.25, np.pi - 0.25, len(long))) + 0.002
            R = np.array([_towards(a, b) for a, b in pairwise(p)])
            mesh = boxes(middles, np.column_stack([0 * long + 0.02, wide, long + 0.01]), _CRACK, R)
            yield Placement.one(f"crack_{n + 1}", mesh)


def _up(h: float) -> np.ndarray:
    return np.array([0.0, 0.0, h])


def _towards(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rotation whose z runs from a to b and whose x is as radial as can be [3, 3]."""
    z = (b - a) / np.linalg.norm(b - a)
    y = np.cross(z, [a[0], a[1], 0.0])
    y /= np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1)


def _wall(radius: float, thickness: float, height: float) -> Mesh:
    """The shell, cast in lifts of 2.8 m whose joints show: inner and outer face, rim, doorway."""
    n = max(64, int(radius * 10) // 4 * 4)
    lifts = np.arange(2.8, height - 0.5, 2.8)
    z = np.unique(np.concatenate([[0, _DOOR[1], height], lifts, lifts + 0.25]))
    A, Z = np.meshgrid(np.arange(n) * (2 * np.pi / n) - np.pi / 2, z, indexing="ij")
    outside = _tube_wall(radius + thickness, A, Z, radius)
    inside = _tube_wall(radius, A, Z, radius)
    joint = np.isin(z, lifts)[outside.faces[:, 0] % len(z)]
    outside = replace(outside, materials=(_SHELL, _BAND), face_material=joint)
    inside = replace(inside, faces=inside.faces[:, ::-1], materials=(_SHELL, _BAND), face_material=joint)
    return merge([inside, outside, _rim(radius, radius + thickness, height, n), *_frame(radius, thickness)], "wall")


def _stains(radius: float, height: float, draw: np.random.Generator) -> Mesh:
    """Where water has run down the wall: streaks that start wide and end thin."""
    t, parts = np.linspace(0, 1, 9), []
    for _ in range(int(2.5 * radius)):
        length, half = draw.uniform(1.0, 0.35 * height), draw.uniform(0.05, 0.3)
        top = draw.uniform(length, height)
        middle = draw.uniform(-np.pi, np.pi) + np.cumsum(draw.normal(0, 0.03, 9)) / radius
        reach = half * np.sqrt(np.minimum(1, 8 * t)) * (1 - t) ** 0.6 * draw.uniform(0.7, 1.0, 9) / radius
        a = np.concatenate([middle - reach, middle + reach])
        v = np.column_stack([np.cos(a) * (radius - 0.012), np.sin(a) * (radius - 0.012), np.tile(top - t * length, 2)])
        i = np.arange(8)
        faces = np.concatenate([np.column_stack([i, i + 9, i + 10]), np.column_stack([i, i + 10, i + 1])])
        parts.append(Mesh(v, faces, (_STAIN,)))
    return merge(parts, "stains")


def _tube_wall(r: float, A: np.ndarray, Z: np.ndarray, radius: float) -> Mesh:
    """A face of revolution seen from outside, on angles A [rad] and heights Z [m] of shape [n, m], less the doorway."""
    n, m = A.shape
    v = np.stack([r * np.cos(A), r * np.sin(A), Z], axis=-1).reshape(-1, 3)
    i, k = (g.ravel() for g in np.meshgrid(np.arange(n), np.arange(m - 1), indexing="ij"))
    j = (i + 1) % n
    half = np.arcsin(min(1.0, _DOOR[0] / 2 / radius))
    shut = (np.abs(i + 0.5 - n * (i > n / 2)) * (2 * np.pi / n) > half) | (Z[0, k + 1] > _DOOR[1] + 1e-6)
    a, b, c, d = i * m + k, j * m + k, j * m + k + 1, i * m + k + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1)[shut], np.stack([a, c, d], axis=1)[shut]])
    return Mesh(v, faces, name="tube")


def _rim(inner: float, outer: float, z: float, n: int) -> Mesh:
    """A flat ring that faces up."""
    a = np.arange(n) * (2 * np.pi / n) - np.pi / 2
    v = np.concatenate([np.column_stack([r * np.cos(a), r * np.sin(a), 0 * a + z]) for r in (inner, outer)])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    faces = np.concatenate([np.column_stack([i, i + n, j + n]), np.column_stack([i, j + n, j])])
    return Mesh(v, faces, (_SHELL,), name="rim")


def _frame(radius: float, thickness: float) -> list[Mesh]:
    """Jambs, lintel and an open steel door in the doorway to the south."""
    (w, h), y, d = _DOOR, -radius - thickness / 2, thickness + 0.3
    jambs = boxes([[s * w / 2, y, h / 2] for s in (-1, 1)], (0.3, d, h), _BAND)
    lintel = boxes((0, y, h), (w + 0.3, d, 0.3), _BAND)
    leaf = boxes((0, 0, h / 2), (w - 0.3, 0.06, h - 0.2), _RUST).moved(
        turn(2.0), (-w / 2 - 0.2, -radius - thickness - 0.7, 0)
    )
    return [jambs, lintel, leaf]


def _lid(radius: float, thickness: float, segments: int = 64) -> Mesh:
    """A flat cone above the rim with a hatch in its middle, whose cover stands open, and steel rafters below."""
    outer, inner, rise = radius + thickness, 0.8, 0.18 * radius
    a = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    rings = [np.column_stack([r * np.cos(a), r * np.sin(a), 0 * a + z])
             for r, z in ((outer, 0.0), (inner, rise), (inner, rise - 0.15), (outer, -0.15))]  # fmt: skip
    i, j = np.arange(segments), (np.arange(segments) + 1) % segments
    faces = []
    for k in range(4):
        p, q = k * segments, (k + 1) % 4 * segments
        faces += [np.column_stack([p + i, p + j, q + j]), np.column_stack([p + i, q + j, q + i])]
    cone = Mesh(np.concatenate(rings), np.concatenate(faces), (_BAND,), name="lid").moved(p=(0, 0, 0.15))
    b = np.arange(12) * (np.pi / 6)
    low = np.column_stack([radius * np.cos(b), radius * np.sin(b), 0 * b])
    high = np.column_stack([inner * np.cos(b), inner * np.sin(b), 0 * b + rise])
    cover = cylinder(0.85, 0.06, 24, materials=(_RUST,)).moved(turn(0, 1.9), (-1.1, 0, rise + 1.0))
    return merge([cone, bars(low + _up(-0.1), high + _up(-0.1), 0.12, _RUST), cover], "lid")


def _heap(radius: float, height: float, seed: int) -> Mesh:
    """Grain left on the floor."""
    x = np.linspace(-1, 1, 41)
    X, Y = np.meshgrid(x, x, indexing="ij")
    z = height * (1 - np.hypot(X, Y)) + 0.15 * height * fractal2(X, Y, seed, 3, 2.0)
    return grid(np.maximum(z, -0.02), radius / 20, (-radius, -radius), materials=(_GRAIN,), name="grain")


def _ladder(height: float) -> Mesh:
    """A ladder along z with a cage of hoops, its back to -x."""
    z = np.arange(0, height, 0.28)
    rungs = boxes(np.column_stack([0 * z, 0 * z, z]), (0.025, 0.4, 0.025), STEEL)
    rails = boxes([[0, y, height / 2] for y in (-0.2, 0.2)], (0.05, 0.03, height), STEEL)
    a = np.linspace(-1.9, 1.9, 9)
    hoop = np.column_stack([0.33 + 0.36 * np.cos(a), 0.36 * np.sin(a), 0 * a])
    levels = np.arange(2.5, height, 0.9)
    arcs = [bars(hoop[:-1] + _up(h), hoop[1:] + _up(h), 0.03, STEEL) for h in levels]
    straps = [boxes([*p[:2], (2.5 + height) / 2], (0.02, 0.03, height - 2.5), STEEL) for p in hoop[1:-1:2]]
    stays = np.arange(0.5, height, 2.5)
    ties = boxes(np.array([[-0.18, y, h] for h in stays for y in (-0.2, 0.2)]), (0.36, 0.03, 0.03), STEEL)
    return merge([rungs, rails, *arcs, *straps, ties], "ladder")


def _platform(radius: float) -> Mesh:
    """A grating along a third of the wall, 1.2 m wide, with a rail, on brackets."""
    n = max(10, int(radius * 2.5))
    a = np.linspace(-1.05, 1.05, n + 1)
    middle, step = (a[:-1] + a[1:]) / 2, a[1] - a[0]
    plate = lattice(1.2, step * radius, 0.1, 0.018, STEEL).moved(turn(0, 0, -np.pi / 2), (-0.6, -step * radius / 2, 0))
    r = radius - 0.62
    deck = [plate.moved(turn(t), (r * np.cos(t), r * np.sin(t), 0)) for t in middle]
    edge = np.column_stack([(radius - 1.2) * np.cos(a), (radius - 1.2) * np.sin(a), 0 * a])
    wall_side = np.column_stack([radius * np.cos(a), radius * np.sin(a), 0 * a - 0.9])
    rails = [bars(edge[:-1] + _up(h), edge[1:] + _up(h), 0.04, _RUST) for h in (0.0, 0.55, 1.1)]
    posts = bars(edge, edge + _up(1.1), 0.04, _RUST)
    return merge([*deck, *rails, posts, bars(wall_side, edge, 0.06, _RUST)], "platform")
