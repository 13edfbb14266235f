"""Streets between houses: a grid of level roads that drones fly along and cars drive on, as in AirSim's
Neighborhood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cone, cylinder, merge, sphere
from volery.core.material import Material
from volery.world.generate.parts import bars, boxes, flat_ground, rolls, stretch
from volery.world.world import ChunkKey, Placement, World

__all__ = ["Streets"]

_GRASS = Material("lawn", (0.09, 0.13, 0.045), label="ground", reflectivity=0.3, texture="grass")
_ASPHALT = Material("asphalt", (0.055, 0.055, 0.057), label="road", reflectivity=0.15, texture="asphalt")
_PAINT = Material("road paint", (0.7, 0.69, 0.64), label="road", reflectivity=0.6)
_PAVEMENT = Material("pavement", (0.3, 0.29, 0.27), label="pavement", reflectivity=0.35, texture="concrete")
_ROOF = Material("roof tiles", (0.2, 0.075, 0.05), label="wall", roughness=0.8, reflectivity=0.3, texture="brick")
_GLASS = Material("window pane", (0.05, 0.07, 0.09), label="window", roughness=0.2, reflectivity=0.2)
_DOOR = Material("front door", (0.14, 0.06, 0.03), label="door", reflectivity=0.3, texture="wood")
_BARK = Material("street bark", (0.13, 0.09, 0.06), label="trunk", reflectivity=0.3, texture="bark")
_LEAF = Material("street leaves", (0.06, 0.13, 0.03), label="leaf", reflectivity=0.4)
_STEEL = Material("lamp post", (0.2, 0.21, 0.22), label="lamp", roughness=0.5, reflectivity=0.5, texture="metal")
_BULB = Material("street lamp", (0.8, 0.78, 0.7), label="lamp", emission=0.6)
_WALLS = tuple(
    Material(f"plaster {name}", colour, label="wall", roughness=0.9, reflectivity=0.5)
    for name, colour in (
        ("white", (0.62, 0.6, 0.55)),
        ("sand", (0.55, 0.45, 0.3)),
        ("blue", (0.3, 0.38, 0.45)),
        ("brick", (0.36, 0.16, 0.11)),
    )
)
_EAVES, _DEPTH, _SETBACK = 5.2, 9.0, 7.0
"""Of a house: height of its walls, depth, and distance from the pavement [m]."""


@dataclass(frozen=True, eq=False)
class Streets(Checked, World):
    """Level streets in a grid, with pavements, houses, trees and lamps. The start is at a crossing; over streets
    there is
    nothing, and they end at walls."""

    seed: int = 0
    east: float = param(130.0, low=60.0, high=500.0)
    """Between streets that go north [m]."""
    north: float = param(125.0, low=60.0, high=500.0)
    """Between streets that go east [m]."""
    reach: int = param(1, low=1, high=4)
    """Streets to each side of those through the start."""
    width: float = param(9.0, low=5.0, high=30.0)
    """Of a street [m]."""
    pavement: float = param(2.0, low=0.5, high=10.0)
    """Width of the pavements beside it [m]."""
    lot: float = param(18.0, low=14.0, high=60.0)
    """Of street that a house has [m]."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """Everything, in the one chunk there is."""
        if key != (0, 0):
            return []
        wide, deep = (2 * self.reach + 1) * self.east, (2 * self.reach + 1) * self.north
        return [
            Placement.one("Ground", flat_ground(3 * max(wide, deep), _GRASS)),
            *self._roads(wide, deep), *self._ends(wide, deep), *self._lots(), *self._lamps(),
        ]  # fmt: skip

    def lights(self) -> list[tuple[str, tuple[float, float, float]]]:
        """Lamps that clients find by name and can dim, and where they hang [m]: those round the start."""
        far = self._kerb + 0.5
        return [(f"PointLight_{i + 1}", (x * far, y * far, 5.6)) for i, (x, y) in enumerate(((1, 1), (-1, -1)))]

    @property
    def _kerb(self) -> float:
        """From the middle of a street to the far side of its pavement [m]."""
        return self.width / 2 + self.pavement

    def _roads(self, wide: float, deep: float) -> Iterator[Placement]:
        """Asphalt and paint are thin sheets on the ground, pavements low slabs that leave crossings free."""
        numbers = range(-self.reach, self.reach + 1)
        for k in numbers:
            yield Placement.one(
                f"Road_north_{k}", boxes((k * self.east, 0, 0.004), (self.width, deep, 0.008), _ASPHALT)
            )
            yield Placement.one(
                f"Road_east_{k}", boxes((0, k * self.north, 0.006), (wide, self.width, 0.008), _ASPHALT)
            )
        dashes = self._dashes(deep, self.north)
        lines = np.array([(k * self.east, y, 0.011) for k in numbers for y in dashes])
        yield Placement.one("Paint_north", boxes(lines, (0.15, 3.0, 0.006), _PAINT))
        dashes = self._dashes(wide, self.east)
        lines = np.array([(x, k * self.north, 0.013) for k in numbers for x in dashes])
        yield Placement.one("Paint_east", boxes(lines, (3.0, 0.15, 0.006), _PAINT))
        w, d, p = self.east - self.width, self.north - self.width, self.pavement
        for name, i, j in self._blocks():
            x, y = (i + 0.5) * self.east, (j + 0.5) * self.north
            centres = [(x, y - (d - p) / 2), (x, y + (d - p) / 2), (x - (w - p) / 2, y), (x + (w - p) / 2, y)]
            sizes = [(w, p, 0.12), (w, p, 0.12), (p, d - 2 * p, 0.12), (p, d - 2 * p, 0.12)]
            slabs = boxes(np.column_stack([centres, np.full(4, 0.06)]), np.array(sizes), _PAVEMENT)
            yield Placement.one(f"Pavement_{name}", slabs)

    def _dashes(self, length: float, apart: float) -> np.ndarray:
        """Middles of the dashes of a street that others cross at a distance, none of them in a crossing."""
        middles = np.arange(-length / 2 + 2, length / 2 - 2, 8.0)
        return middles[np.abs((middles + apart / 2) % apart - apart / 2) > self.width / 2 + 2.0]

    def _blocks(self) -> Iterator[tuple[str, int, int]]:
        """Land between four streets: a name, and its lower streets."""
        for i in range(-self.reach, self.reach):
            for j in range(-self.reach, self.reach):
                yield f"{i + self.reach}_{j + self.reach}", i, j

    def _ends(self, wide: float, deep: float) -> Iterator[Placement]:
        """A wall of blocks across each end of a street, so that nobody drives off the map."""
        for k in range(-self.reach, self.reach + 1):
            for side in (-1, 1):
                end = "north" if side > 0 else "south"
                wall = boxes((k * self.east, side * deep / 2, 1.25), (self.width + 4, 1.0, 2.5), _WALLS[3])
                yield Placement.one(f"Wall_{end}_{k}", wall)
                end = "east" if side > 0 else "west"
                wall = boxes((side * wide / 2, k * self.north, 1.25), (1.0, self.width + 4, 2.5), _WALLS[3])
                yield Placement.one(f"Wall_{end}_{k}", wall)

    def _lots(self) -> Iterator[Placement]:
        """Houses along the streets to the east and west of each block, and a tree before every other one."""
        draw, number = rolls(self.seed, 0x57EE7), 0
        first = self._kerb + _SETBACK + _DEPTH / 2
        for name, i, j in self._blocks():
            count = int((self.north - 2 * self._kerb) // self.lot)
            ys = (j + 0.5) * self.north + (np.arange(count) - (count - 1) / 2) * self.lot
            for x, yaw in ((i * self.east + first, np.pi), ((i + 1) * self.east - first, 0.0)):
                for y in ys:
                    number += 1
                    size = float(draw.uniform(0.85, 1.1))
                    mesh = _house(int(draw.integers(len(_WALLS))))
                    yield Placement(f"House_{number}", (mesh,), stretch((x, y, 0), (1.0, size, size), yaw))
            front, back = (self._kerb + 2.5 + k for k in (i * self.east, -(i + 1) * self.east))
            trees = [(x, y + self.lot / 2) for x in (front, -back) for y in ys[:-1:2]]
            for n, (x, y) in enumerate(trees):
                tall = float(draw.uniform(0.8, 1.25))
                yield Placement(f"Tree_{name}_{n}", (_tree(),), stretch((x, y, 0), (tall, tall, tall)))

    def _lamps(self) -> Iterator[Placement]:
        """Posts at two corners of every crossing."""
        for i in range(-self.reach, self.reach + 1):
            for j in range(-self.reach, self.reach + 1):
                far = self._kerb + 0.5
                spots = [(i * self.east + s * far, j * self.north + s * far, 0.0) for s in (1, -1)]
                for n, spot in enumerate(spots):
                    yield Placement.one(f"Lamp_{i + self.reach}_{j + self.reach}_{n}", _lamp(), spot)


@cache
def _house(wall: int) -> Mesh:
    """A house that looks along x: walls, a roof with a ridge along y, windows, a door."""
    depth, length, high = _DEPTH, 11.0, _EAVES
    roof_x, roof_y, ridge = depth / 2 + 0.5, length / 2 + 0.4, high + 3.0
    corners = [(s * roof_x, t * roof_y, high) for t in (-1, 1) for s in (-1, 1)] + [
        (0, t * roof_y, ridge) for t in (-1, 1)
    ]
    faces = [(0, 1, 3), (0, 3, 2), (0, 2, 5), (0, 5, 4), (1, 5, 3), (1, 4, 5), (0, 4, 1), (2, 3, 5)]
    panes = [(depth / 2 + 0.02, y, z) for z in (1.6, 4.0) for y in (-3.5, 0.0, 3.5) if (y, z) != (0.0, 1.6)]
    return merge([
        boxes((0, 0, high / 2), (depth, length, high), _WALLS[wall]),
        Mesh(np.array(corners, float), np.array(faces), (_ROOF,), name="roof"),
        boxes(np.array(panes), (0.06, 1.3, 1.2), _GLASS),
        boxes(np.array([(-x, y, z) for x, y, z in panes]), (0.06, 1.3, 1.2), _GLASS),
        boxes((depth / 2 + 0.03, 0, 1.05), (0.08, 1.0, 2.1), _DOOR),
    ], "house")  # fmt: skip


@cache
def _tree() -> Mesh:
    """A round tree of 6 m."""
    crown = [((0, 0, 4.2), 1.7), ((0.9, 0.3, 3.6), 1.1), ((-0.7, 0.6, 3.5), 1.2), ((0.0, -0.9, 3.7), 1.1)]
    parts = [sphere(r, 12, materials=(_LEAF,)).moved(p=np.array(p)) for p, r in crown]
    return merge([cylinder(0.16, 3.2, 10, materials=(_BARK,)).moved(p=(0, 0, 1.6)), *parts], "tree")


@cache
def _lamp() -> Mesh:
    """A post of 5.6 m with a lantern on it."""
    post = bars([[0, 0, 0]], [[0, 0, 5.2]], 0.12, _STEEL)
    lantern = cylinder(0.22, 0.4, 10, materials=(_BULB,)).moved(p=(0, 0, 5.4))
    return merge([post, lantern, cone(0.32, 0.25, 10, materials=(_STEEL,)).moved(p=(0, 0, 5.6))], "street lamp")
