"""A warehouse: a hall of high racks with goods under steel trusses, with docks, vehicles and, if wanted, race gates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, merge
from volery.core.material import Material
from volery.world.generate import warehouse_parts as parts
from volery.world.generate.parts import GLASS, boxes, flat_ground, rolls, stretch, tube, turn, wall
from volery.world.generate.warehouse_parts import BAY, LEVEL, LOADS, RACK_DEPTH
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Warehouse"]

_FLOOR = Material(
    "hall_floor", (0.28, 0.28, 0.27), label="ground", roughness=0.3, reflectivity=0.35, texture="concrete"
)
_YARD = Material("asphalt", (0.08, 0.08, 0.085), label="ground", reflectivity=0.15, texture="asphalt")
_LINE = Material("line", (0.72, 0.52, 0.03), label="marking", roughness=0.6, reflectivity=0.5)
_CLADDING = Material("cladding", (0.58, 0.6, 0.61), label="wall", roughness=0.5, reflectivity=0.5, texture="metal")
_PLINTH = Material("plinth", (0.33, 0.33, 0.32), label="wall", reflectivity=0.4, texture="concrete")
_ROOF = Material("roof", (0.5, 0.52, 0.54), label="roof", reflectivity=0.45, texture="metal")
_SPRINKLER = Material("sprinkler", (0.5, 0.03, 0.03), label="pipe", roughness=0.5, reflectivity=0.4, texture="metal")

_YARD_END = 13.0
"""Free floor in front of the docks, at the eastern end [m]."""
_DOCK = (3.6, 4.2)
"""Width and height of a dock's opening [m]."""
_AISLE_LEAST = 3.4
"""Narrowest aisle between racks [m]."""


@dataclass(frozen=True, eq=False)
class Warehouse(Checked, World):
    """A hall centred on the origin: double rows of racks along x, a cross aisle in the middle, docks in the east."""

    seed: int = 0
    length: float = param(60.0, low=26.0, high=300.0)
    """Along x [m]."""
    width: float = param(40.0, low=14.0, high=300.0)
    """Along y [m]."""
    height: float = param(10.0, low=6.0, high=30.0)
    """To the roof [m]."""
    fill: float = param(0.8, low=0.0, high=1.0)
    """Share of pallet places that hold goods."""
    roof: bool = True
    """False: open to the sky, for a look from above."""
    gates: int = param(0, low=0, high=200)
    """Race gates along the aisles."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole hall, in the one chunk there is."""
        if key != (0, 0):
            return []
        return [*self._hall(), *self._racks(), *self._goods(), *self._steel(), *self._equipment(), *self._race()]

    def spawn(self) -> tuple[float, float, float]:
        """On the free floor in front of the docks [m]."""
        return (self.length / 2 - 7.0, 0.0, 1.0)

    @property
    def gate_poses(self) -> np.ndarray:
        """Middle x, y, z [m] and yaw [rad] of every race gate, in flying order along the aisles, shape [gates, 4]."""
        if not self.gates:
            return np.zeros((0, 4))
        west, east = -self.length / 2 + 2.5, self.length / 2 - _YARD_END + 1.5
        aisles = self._aisles if len(self._aisles) % 2 == 0 else self._aisles[:-1]
        turns = [(x, y) for k, y in enumerate(aisles) for x in ((east, west) if k % 2 == 0 else (west, east))]
        line = np.array([*turns, (self.length / 2 - 5.0, turns[-1][1]), (self.length / 2 - 5.0, turns[0][1]), turns[0]])
        legs = np.linalg.norm(np.diff(line, axis=0), axis=1)
        s = (np.arange(self.gates) + 0.5) / self.gates * legs.sum()
        leg = np.minimum(np.searchsorted(np.cumsum(legs), s, side="right"), len(legs) - 1)
        rest = (s - (np.cumsum(legs) - legs)[leg]) / legs[leg]
        step = np.diff(line, axis=0)[leg]
        z = 1.9 + rolls(self.seed, 0x6A7E).uniform(0, 1.0, self.gates) * min(2.0, self.height - 5.0)
        return np.column_stack([line[leg] + rest[:, None] * step, z, np.arctan2(step[:, 1], step[:, 0])])

    @property
    def _levels(self) -> int:
        return max(1, int((self.height - 2.2) / LEVEL))

    @property
    def _rows(self) -> np.ndarray:
        """y of the middle of every double row of racks [m]."""
        depth = 2 * RACK_DEPTH + 0.3
        n = max(1, int((self.width - 1.0 - _AISLE_LEAST) / (depth + _AISLE_LEAST)))
        pitch = self.width / n
        return (np.arange(n) - (n - 1) / 2) * pitch

    @property
    def _aisles(self) -> np.ndarray:
        """y of the middle of the aisles, those along the walls included [m]."""
        rows, edge = self._rows, self.width / 2
        outer = (rows[-1] + RACK_DEPTH + edge) / 2
        return np.array([-outer, *(rows[:-1] + rows[1:]) / 2, outer])

    @property
    def _bays(self) -> np.ndarray:
        """x of the western end of every bay [m]; the cross aisle is left out."""
        west, east = -self.length / 2 + 4.0, self.length / 2 - _YARD_END
        n = int((east - west) / BAY)
        x = west + np.arange(n) * BAY
        return np.delete(x, n // 2) if n > 6 else x

    def _hall(self) -> Iterator[Placement]:
        """Floor, markings, walls with docks and doors, the roof."""
        long, wide, high = self.length, self.width, self.height
        yield Placement.one("yard", flat_ground(2 * max(long, wide) + 100, _YARD, z=-0.25))
        yield Placement.one("floor", _slab(long, wide))
        yield Placement.one("markings", self._markings())
        band = ((1.5, long - 1.5, high - 1.6, high - 0.7),)
        side = merge(
            [_clad(long, high, band), wall(long - 3, 0.9, 0.02, GLASS).moved(p=(1.5, 0, high - 1.6))], "side_wall"
        )
        p = np.array([[-long / 2, -wide / 2, 0], [-long / 2, wide / 2, 0]])
        yield Placement("side_walls", (side,), poses(p))
        west = _clad(wide, high, ((1.5, 2.6, 0.0, 2.2), (wide - 2.6, wide - 1.5, 0.0, 2.2)))
        docks = tuple((y + wide / 2 - _DOCK[0] / 2, y + wide / 2 + _DOCK[0] / 2, 0.0, _DOCK[1]) for y in self._docks)
        ends = np.array([[-long / 2, -wide / 2, 0], [long / 2, -wide / 2, 0]])
        yield Placement("end_walls", (west, _clad(wide, high, docks)), poses(ends, np.pi / 2), np.array([0, 1]))
        hinges = np.array([[-long / 2, -wide / 2 + 1.5, 0], [-long / 2, wide / 2 - 2.6, 0]])
        yield Placement("doors", (parts.door(),), poses(hinges, np.array([0.2, np.pi / 2])))
        doors = tuple(parts.dock_door(*_DOCK, raised) for raised in (0.0, 0.45, 1.0))
        at = np.array([[long / 2, y, 0] for y in self._docks])
        yield Placement("dock_doors", doors, poses(at), np.arange(len(at)) % 3)
        if self.roof:
            yield Placement.one("roof", self._roof())

    @property
    def _docks(self) -> np.ndarray:
        """y of the docks' middles [m]."""
        n = max(2, int(self.width / 9))
        return (np.arange(n) - (n - 1) / 2) * (self.width / n)

    def _markings(self) -> Mesh:
        """Lines along the racks, frames for goods in front of the docks, a zebra across the yard end."""
        half = RACK_DEPTH + 0.15 + 0.35
        west, east = self._bays[0], self._bays[-1] + BAY
        rows = [[(west + east) / 2, y + s * half, 0] for y in self._rows for s in (-1, 1)]
        lines = [boxes(rows, (east - west, 0.1, 0.004), _LINE)]
        x = self.length / 2 - 3.5
        for y in self._docks:
            lines.append(boxes([[x + a, y, 0] for a in (-1.5, 1.5)], (0.1, 3.1, 0.004), _LINE))
            lines.append(boxes([[x, y + b, 0] for b in (-1.5, 1.5)], (3.1, 0.1, 0.004), _LINE))
        stripes = np.arange(-self.width / 2 + 1, self.width / 2 - 1, 1.0)
        lines.append(boxes([[east + 1.6, y, 0] for y in stripes], (1.6, 0.45, 0.004), _LINE))
        return merge(lines, "markings")

    def _roof(self) -> Mesh:
        """A roof with strips of glass across."""
        n = max(2, int(self.length / 10))
        x = (np.arange(n) + 0.5) * self.length / n
        holes = tuple((a - 0.8, a + 0.8, 2.0, self.width - 2.0) for a in x)
        flat = wall(self.length, self.width, 0.15, _ROOF, holes)
        panes = boxes([[a, 0, self.width / 2] for a in x], (1.6, 0.02, self.width - 4.0), GLASS)
        lying = merge([flat, panes], "roof").moved(turn(0, 0, -np.pi / 2))
        return lying.moved(p=(-self.length / 2, -self.width / 2, self.height + 0.08))

    def _racks(self) -> Iterator[Placement]:
        """Bays back to back, and the frame that ends each row."""
        bays, offset = self._bays, RACK_DEPTH / 2 + 0.15
        y = np.concatenate([self._rows - offset, self._rows + offset])
        p = np.array([[a, b, 0.0] for b in y for a in bays])
        yield Placement("racks", (parts.rack_bay(self._levels),), poses(p))
        last = [a + BAY for a in bays if not np.isclose(bays, a + BAY).any()]
        yield Placement(
            "rack_ends", (parts.rack_end(self._levels),), poses(np.array([[a, b, 0.0] for b in y for a in last]))
        )

    def _goods(self) -> Iterator[Placement]:
        """Loaded pallets in the racks and on the floor in front of the docks."""
        draw = rolls(self.seed, 0x600D5)
        offset = RACK_DEPTH / 2 + 0.15
        y = np.concatenate([self._rows - offset, self._rows + offset])
        x = (self._bays[:, None] + BAY * (np.arange(3) + 0.5) / 3).ravel()
        z = np.arange(self._levels) * LEVEL
        places = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
        places = places[draw.random(len(places)) < self.fill]
        if len(places):
            X = poses(places, np.round(draw.random(len(places))) * np.pi + draw.normal(0, 0.02, len(places)))
            yield Placement("goods", _loads(), X, draw.integers(LOADS, size=len(places)))
        spots = np.array(
            [[self.length / 2 - 3.5 + a, b + c, 0] for b in self._docks[1:] for a in (-0.7, 0.7) for c in (-0.7, 0.7)]
        )
        X = poses(spots, draw.normal(0, 0.06, len(spots)))
        yield Placement("staged_goods", _loads(), X, draw.integers(LOADS, size=len(spots)))

    def _steel(self) -> Iterator[Placement]:
        """Columns, trusses, lamps between them, sprinkler pipes."""
        n = max(2, round(self.length / 6))
        x = (np.arange(n + 1) / n - 0.5) * (self.length - 0.6)
        low = self.height - 1.4
        yield Placement("trusses", (parts.truss(self.width - 0.4),), poses(np.array([[a, 0, low] for a in x])))
        inner = [[a, y, 0] for a in x[2:-2:2] for y in self._rows[:: max(1, len(self._rows) - 1)]]
        outer = [[a, s * (self.width / 2 - 0.25), 0] for a in x for s in (-1, 1)]
        yield Placement("columns", (parts.column(low, True),), poses(np.array(outer)))
        if inner:
            yield Placement("inner_columns", (parts.column(low, False),), poses(np.array(inner)))
        lamps = [[(a + b) / 2, y, low] for a, b in pairwise(x) for y in self._aisles]
        yield Placement("lamps", (parts.lamp(),), poses(np.array(lamps)))
        pipe = tube(np.array([[-self.length / 2, 0, 0], [self.length / 2, 0, 0]]), 0.05, _SPRINKLER, 8)
        yield Placement("sprinkler_pipes", (pipe,), poses(np.array([[0, y + 0.6, low + 0.2] for y in self._aisles])))

    def _equipment(self) -> Iterator[Placement]:
        """Forklifts, the conveyor with boxes on it, fire extinguishers."""
        end = self.length / 2
        spots = [(end - _YARD_END + 3.0, self._aisles[-1] - 1.5, 2.6)]
        gap = np.flatnonzero(np.diff(self._bays) > 1.5 * BAY)
        spots += [(self._bays[k] + 1.5 * BAY, self._rows[0], np.pi / 2) for k in gap]
        p = np.array([[a, b, 0] for a, b, _ in spots])
        yield Placement("forklifts", (parts.forklift(),), poses(p, np.array([c for _, _, c in spots])))
        y = np.arange(4) * 3.0 - self.width / 2 + 3.0
        y = y[y < self.width / 2 - 4]
        line = np.column_stack([np.full(len(y), end - 8.5), y, 0 * y])
        yield Placement("conveyor", (parts.conveyor(),), poses(line, np.pi / 2))
        carton = boxes((0, 0, 0.9), (0.5, 0.4, 0.3), parts.CARTONS[0])
        cargo = np.column_stack([np.full(5, end - 8.5), np.linspace(y[0] + 0.4, y[-1] + 2.5, 5), np.zeros(5)])
        yield Placement("conveyor_boxes", (carton,), poses(cargo, rolls(self.seed, 0xC0).normal(0, 0.2, 5)))
        x = np.arange(-end + 6, end - 4, 12.0)
        walls = [(a, s * (self.width / 2 - 0.08), -s * np.pi / 2) for a in x for s in (-1, 1)]
        p = np.array([[a, b, 0] for a, b, _ in walls])
        yield Placement("extinguishers", (parts.extinguisher(),), poses(p, np.array([c for _, _, c in walls])))

    def _race(self) -> Iterator[Placement]:
        """Every gate on two legs that reach the floor."""
        for n, (x, y, z, yaw) in enumerate(self.gate_poses):
            side = turn(yaw) @ np.array([0.0, 0.9, 0.0])
            legs = [stretch((x + s * side[0], y + s * side[1], 0), (0.05, 0.05, z - 1.05), yaw) for s in (-1, 1)]
            X = np.concatenate([poses(np.array([[x, y, z]]), yaw), *legs])
            yield Placement(f"gate_{n + 1}", (parts.race_gate(), parts.gate_leg()), X, np.array([0, 1, 1]))


def _loads() -> tuple[Mesh, ...]:
    return tuple(parts.load(k) for k in range(LOADS))


def _slab(length: float, width: float) -> Mesh:
    """The hall's floor, its top at z = 0, raised above the yard."""
    return boxes((0, 0, -0.15), (length + 0.3, width + 0.3, 0.3), _FLOOR)


def _clad(length: float, height: float, openings: tuple[Any, ...]) -> Mesh:
    """A wall of sheet metal on a plinth of concrete, with openings (x from, x to, z from, z to) [m]."""
    low = tuple((a, b, 0.0, 1.0) for a, b, z, _ in openings if z < 1.0)
    high = tuple((a, b, max(0.0, c - 1.0), d - 1.0) for a, b, c, d in openings)
    upper = wall(length, height - 1.0, 0.12, _CLADDING, high).moved(p=(0, 0, 1.0))
    return merge([wall(length, 1.0, 0.2, _PLINTH, low), upper], "cladding")
