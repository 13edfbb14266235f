"""A ruin by a pond: thin walls, arches and a broken tower with its stairs, on hilly ground with rocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cylinder, grid, merge, plane
from volery.core.material import Material
from volery.core.noise import fractal2
from volery.world.generate.parts import boxes, curtain, rock, rolls, turn
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Ruin"]

_SOIL = Material("soil", (0.12, 0.085, 0.05), label="ground", reflectivity=0.25, texture="soil")
_GRASS = Material("meadow", (0.09, 0.13, 0.04), label="ground", reflectivity=0.4, texture="grass")
_STONE = Material("masonry", (0.33, 0.3, 0.25), label="wall", reflectivity=0.4, texture="brick")
_PALE = Material("plaster", (0.45, 0.42, 0.36), label="wall", reflectivity=0.45, texture="concrete")
_ROCK = Material("rock", (0.23, 0.22, 0.2), label="rock", reflectivity=0.35, texture="rock")
_WATER = Material(
    "water",
    (0.03, 0.07, 0.08),
    label="water",
    roughness=0.05,
    reflectivity=0.03,
    mirror=0.05,
    transparency=0.6,
    solid=False,
    texture="water",
)

_TOWER = (22.0, 6.0)
"""Middle of the tower [m]."""
_POND = (-14.0, 12.0)
"""Middle of the pond [m]."""
_COURT = (12.0, -16.0)
"""Middle of the walled court [m]."""
_CELL = 0.5
"""Least spacing of the ground's grid [m]."""


@dataclass(frozen=True, eq=False)
class Ruin(Checked, World):
    """A meadow of gentle hills with a pond, rocks, a row of arches, a court of thin walls, and a ruined round tower.

    The scenes in which an elastic aircraft is tried: a sparse scanner may miss thin walls, water gives few echoes, and
    the tower's broken edge has no flat side. The middle is free for take-off.
    """

    seed: int = 0
    size: float = param(120.0, low=80.0, high=1000.0)
    """Edge of the ground [m]."""
    hills: float = param(1.5, low=0.0, high=20.0)
    """Amplitude of the hills [m]; the ruins stand on levelled ground."""
    wall_thickness: float = param(0.1, low=0.02, high=1.0)
    """Of the court's walls [m]."""
    tower_height: float = param(14.0, low=4.0, high=60.0)
    """Of the highest tooth of the tower [m]."""
    tower_radius: float = param(4.0, low=2.0, high=8.0)
    """Outside [m]."""
    rocks: int = param(120, low=0, high=20_000)
    """Rocks on the ground."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole scene, in the one chunk there is."""
        if key != (0, 0):
            return []
        return [*self._land(), *self._rocks(), *self._tower(), *self._court(), *self._arcade()]

    def spawn(self) -> tuple[float, float, float]:
        """Above the meadow in the middle [m]."""
        return (0.0, 0.0, float(self.ground(np.zeros(1), np.zeros(1))[0]) + 2.0)

    def ground(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Height of the ground at x, y [m]; level where ruins stand, hollow where the pond is."""
        hill = self.hills * (1.6 * fractal2(x, y, self.seed, 3, 0.03) + 0.3)
        for middle, radius in ((_TOWER, self.tower_radius + 2), (_COURT, 11.0), ((0, 0), 4.0)):
            hill = hill * _smooth(np.hypot(x - middle[0], y - middle[1]), radius, radius + 9)
        away = np.hypot((x - _POND[0]) / 1.3, y - _POND[1])
        hill = hill + (1 - _smooth(away, 16, 30)) * (np.maximum(hill, -0.3) - hill)
        shore = 9.0 + 2.5 * fractal2(x, y, self.seed + 5, 2, 0.12)
        hollow = 1 - _smooth(away, shore - 5, shore + 5)
        return hill * (1 - hollow) - 2.2 * hollow

    def _land(self) -> Iterator[Placement]:
        """The ground, and the water in its hollow."""
        cell = max(_CELL, self.size / 400)
        n = round(self.size / cell)
        x = (np.arange(n + 1) - n / 2) * cell
        X, Y = np.meshgrid(x, x, indexing="ij")
        Z = self.ground(X, Y) + 0.06 * fractal2(X, Y, self.seed + 2, 2, 0.6)
        land = grid(Z, cell, (x[0], x[0]), materials=(_GRASS, _SOIL), name="ground")
        bare = fractal2(X, Y, self.seed + 3, 3, 0.08) + 0.35 * (Z < -0.45) > 0.22
        kind = bare.ravel()[land.faces[:, 0]].astype(np.uint8)
        yield Placement.one("ground", Mesh(land.vertices, land.faces, land.materials, kind, filled=True, name="ground"))
        yield Placement.one("water", plane(34.0, materials=(_WATER,), name="water"), (*_POND, -0.75))

    def _rocks(self) -> Iterator[Placement]:
        """Rocks strewn about, more of them around the pond and the tower."""
        if not self.rocks:
            return
        draw = rolls(self.seed, 0x40C5)
        n = self.rocks
        xy = draw.uniform(-0.47, 0.47, (n, 2)) * self.size
        shore = draw.random(n) < 0.3
        a = draw.uniform(0, 2 * np.pi, n)
        ring = np.column_stack([1.3 * np.cos(a), np.sin(a)]) * draw.normal(9.0, 1.2, n)[:, None] + _POND
        xy = np.where(shore[:, None], ring, xy)
        size = 0.15 + 0.25 * draw.pareto(2.5, n).clip(0, 6)
        keep = np.hypot(*xy.T) > 4.0 + 2 * size
        for middle, free in ((_TOWER, self.tower_radius), (_COURT, 9.5)):
            keep &= np.hypot(*(xy - middle).T) > free + 2 * size
        xy, size = xy[keep], size[keep]
        z = self.ground(xy[:, 0], xy[:, 1]) - 0.1 * size
        R = np.array([turn(*draw.uniform(-1, 1, 3) * (np.pi, 0.4, 0.4)) for _ in xy])
        X = poses(np.column_stack([xy, z]), scale=size, R=R)
        yield Placement("rocks", _stones(), X, draw.integers(len(_stones()), size=len(xy)))

    def _tower(self) -> Iterator[Placement]:
        """A round tower torn open on one side, stairs winding up inside, its stones around its foot."""
        draw = rolls(self.seed, 0x70E4)
        yield Placement.one("tower", _tower_wall(self.tower_radius, self.tower_height, draw), (*_TOWER, -0.2))
        yield Placement.one("tower_stairs", _winding_stairs(self.tower_radius, self.tower_height), (*_TOWER, 0))
        n = 90
        a = draw.normal(np.pi, 0.8, n)
        r = self.tower_radius + draw.gamma(1.5, 1.4, n)
        xy = np.column_stack([r * np.cos(a), r * np.sin(a)]) + _TOWER
        z = self.ground(xy[:, 0], xy[:, 1]) + 0.08
        R = np.array([turn(*v) for v in draw.uniform(-1, 1, (n, 3)) * (np.pi, 0.5, 0.5)])
        X = poses(np.column_stack([xy, z]), scale=draw.uniform(0.6, 1.6, n), R=R)
        yield Placement("fallen_stones", (boxes((0, 0, 0), (0.5, 0.32, 0.28), _STONE),), X)

    def _court(self) -> Iterator[Placement]:
        """Thin walls with windows and gaps around a court, ragged at the top."""
        draw = rolls(self.seed, 0xC047)
        x, y = _COURT
        sides = [
            ((-8, -6), (8, -6)),
            ((8, -6), (8, 6)),
            ((8, 6), (1, 6)),
            ((-3, 6), (-8, 6)),
            ((-8, 6), (-8, -6)),
            ((0, -6), (0, 1)),
        ]
        for n, (a, b) in enumerate(sides):
            wall = _ragged_wall(np.array(a, float), np.array(b, float), self.wall_thickness, draw)
            yield Placement.one(f"thin_wall_{n + 1}", wall, (x, y, -0.2))
        post = boxes((0, 0, 1.0), (0.5, 0.5, 2.4), _PALE)
        corners = np.array([[-8, -6, 0], [8, -6, 0], [8, 6, 0], [-8, 6, 0]]) + np.array([x, y, 0.0])
        yield Placement("pillars", (post,), poses(corners))

    def _arcade(self) -> Iterator[Placement]:
        """A row of arches down to the pond, the last of them broken off."""
        k = np.arange(5)
        p = np.column_stack([-4.0 - 3.2 * k * 0.6, -9.0 - 3.2 * k * 0.8, 0 * k])
        p[:, 2] = self.ground(p[:, 0], p[:, 1]) - 0.3
        kinds = np.array([0, 0, 0, 1, 2])
        yield Placement("arches", (_arch(), _arch(0.55), _arch(0.0)), poses(p, np.arctan2(-0.8, -0.6)), kinds)


def _smooth(x: np.ndarray, low: np.ndarray | float, high: np.ndarray | float) -> np.ndarray:
    """0 below low, 1 above high, smooth between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


@cache
def _stones() -> tuple[Mesh, ...]:
    return tuple(rock(k, _ROCK, 0.55, 18, 4).moved(scale=(1.0, 0.85, 0.65)) for k in range(6))


def _broken(length: np.ndarray, mean: np.ndarray, depth: float, draw: np.random.Generator) -> np.ndarray:
    """A ragged edge about `mean`: teeth of one stone's height [m]."""
    wave = depth * fractal2(length, 0 * length, int(draw.integers(1 << 30)), 4, 0.45)
    return np.round((mean + wave) / 0.22) * 0.22


def _tower_wall(radius: float, height: float, draw: np.random.Generator) -> Mesh:
    """The wall around, highest in the east and torn down to a breach in the west, with arrow slits and a doorway."""
    n, thick = 145, 0.6
    a = np.linspace(-np.pi, np.pi, n)
    path = (radius - thick / 2) * np.column_stack([np.cos(a), np.sin(a)])
    top = height * (0.12 + 0.88 * _smooth(np.abs(np.abs(a) - np.pi), 0.35, 2.1))
    top = np.clip(_broken(a * radius, top, 0.16 * height, draw), 0.6, height)
    parts = []
    slits = [(s, z) for z in np.arange(3.0, height - 2, 3.5) for s in (-1.2 + 0.3 * z % 1, 0.1, 1.3 - 0.2 * z % 1)]
    for i in range(0, n - 1, 4):
        columns = slice(i, i + 5)
        middle = a[min(i + 2, n - 1)]
        holes = sorted(z for s, z in slits if abs(middle - s) < 0.087)
        edges = [0.0, *(e for z in holes for e in (z, z + 1.1))]
        for low, high in zip(edges[::2], [*edges[1::2], np.inf], strict=True):
            if (top[columns] > low + 0.05).any():
                high_edge = np.maximum(np.minimum(top[columns], high), low)
                parts.append(curtain(path[columns], np.full(len(path[columns]), low), high_edge, thick, _STONE))
    ledges = [cylinder(radius + 0.08, 0.25, 48, materials=(_PALE,)).moved(p=(0, 0, 0.15))]
    return merge([*parts, *ledges], "tower")


def _winding_stairs(radius: float, height: float) -> Mesh:
    """Steps of stone out of the wall, winding up to two thirds of the height, and what is left of a floor."""
    rise, inner = 0.2, radius - 0.6
    n = int(0.7 * height / rise)
    a = -1.9 + np.arange(n) * (0.3 / (inner - 0.5))
    a = -1.9 + np.abs((a + 1.9 + 3.8) % 7.6 - 3.8)
    width = min(1.1, inner * 0.5)
    r = inner - width / 2 + 0.1
    p = np.column_stack([r * np.cos(a), r * np.sin(a), (np.arange(n) + 0.5) * rise])
    return boxes(p, (width + 0.2, 0.42, rise + 0.06), _PALE, np.array([turn(t) for t in a]))


def _ragged_wall(a: np.ndarray, b: np.ndarray, thickness: float, draw: np.random.Generator) -> Mesh:
    """A thin wall from a to b [m] with windows, its upper edge broken."""
    length = float(np.linalg.norm(b - a))
    s = np.linspace(0, length, max(9, int(length / 0.22)))
    path = a + (b - a) * (s / length)[:, None]
    top = np.clip(_broken(s + 31 * draw.random(), np.full_like(s, 2.6), 2.2, draw), 0.5, 3.6) + 0.2
    middles = np.arange(2.0, length - 1.0, 3.0)
    window: np.ndarray = np.any(np.abs(s[:, None] - middles[None]) < 0.5, axis=1)
    parts = []
    cuts = [0, *(np.flatnonzero(np.diff(window.astype(int))) + 1), len(s) - 1]
    for i, j in pairwise(cuts):
        c = slice(i, j + 1)
        if j <= i:
            continue
        if window[(i + j) // 2]:
            sill = np.minimum(top[c], 1.1)
            parts.append(curtain(path[c], 0 * sill, sill, thickness, _PALE))
            if (top[c] > 2.3).all():
                parts.append(curtain(path[c], 0 * sill + 2.2, top[c], thickness, _PALE))
        else:
            parts.append(curtain(path[c], 0 * top[c], top[c], thickness, _PALE))
    return merge(parts, "thin_wall")


@cache
def _arch(kept: float = 1.0) -> Mesh:
    """A pier and the share `kept` of the round arch from it along x, 3.2 m wide, 4 m high."""
    pier = boxes([[0, 0, 1.1], [0, 0, 2.25]], [[0.7, 0.8, 2.4], [0.85, 0.95, 0.2]], _STONE)
    if kept <= 0:
        return merge([pier], "pier")
    a = np.linspace(np.pi, np.pi * (1 - kept), 17)
    x, low = 1.6 + 1.25 * np.cos(a), 2.3 + 1.25 * np.sin(a)
    high = np.full_like(x, 4.0) if kept == 1 else np.minimum(4.0, low + np.linspace(1.6, 0.25, 17))
    crown = curtain(np.column_stack([x, 0 * x]), low, high, 0.7, _STONE)
    spandrel = boxes((0, 0, 3.15), (0.7, 0.7, 1.7), _STONE)
    far = boxes([[3.2, 0, 1.1], [3.2, 0, 3.15]], [[0.7, 0.8, 2.4], [0.7, 0.7, 1.7]], _STONE)
    return merge([pier, crown, spandrel, *([far] if kept == 1 else [])], "arch")
