"""An airfield: a runway with its markings, taxiways, an apron, hangars that one can fly into, a tower and a fence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cylinder, merge
from volery.core.material import Material
from volery.world.generate.parts import CONCRETE, GLASS, STEEL, along, bars, boxes, flat_ground, rolls
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Airbase"]

_GRASS = Material("mown grass", (0.09, 0.12, 0.045), label="ground", reflectivity=0.3, texture="grass")
_ASPHALT = Material("asphalt", (0.05, 0.05, 0.052), label="ground", reflectivity=0.15, texture="asphalt")
_SLABS = Material("concrete slabs", (0.3, 0.29, 0.27), label="ground", reflectivity=0.35, texture="concrete")
_WHITE = Material("white marking", (0.75, 0.75, 0.72), label="marking", reflectivity=0.8)
_YELLOW = Material("yellow marking", (0.7, 0.5, 0.05), label="marking", reflectivity=0.7)
_SHEET = Material("sheet steel", (0.32, 0.36, 0.33), label="wall", roughness=0.6, reflectivity=0.5, texture="metal")
_TRUCK = Material("truck green", (0.06, 0.08, 0.045), label="vehicle", roughness=0.5, reflectivity=0.4)

_TYRE = Material("tyre", (0.02, 0.02, 0.02), label="vehicle", roughness=0.9, reflectivity=0.1)

_RUNWAY = 45.0
"""Width [m]; all other widths and places go by what is usual beside it."""
_TAXIWAY_Y, _TAXIWAY = -150.0, 23.0
_APRON_Y, _APRON = -240.0, 110.0
_HANGARS_Y = -330.0
_RADIUS, _DEPTH = 22.0, 48.0
"""Of a hangar's arch, and how deep it is [m]."""
_THICK = 0.05
"""Of paved ground [m]; markings lie a little higher."""
_STAVES = 18
"""Of an arch."""


@dataclass(frozen=True, eq=False)
class Airbase(Checked, World):
    """A level airfield about its runway along x; the place to start is the middle of the apron."""

    seed: int = param(0, low=0, high=2**53)
    runway: float = param(1800.0, low=400.0, high=4000.0)
    """Length of the runway [m]."""
    hangars: int = param(5, low=0, high=12)
    """Along the apron; their doors are open."""
    trucks: int = param(14, low=0, high=200)
    """Parked on the apron."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """All of it, in the one chunk there is."""
        if key != (0, 0):
            return []
        return [
            Placement.one("ground", flat_ground(self.runway + 800.0, _GRASS, 50.0)),
            Placement.one("runway", self._runway()), Placement.one("markings", self._markings()),
            Placement.one("taxiways", self._taxiways()), Placement.one("apron", self._apron()),
            *self._buildings(), Placement.one("fence", self._fence()), *self._parked(),
        ]  # fmt: skip

    def spawn(self) -> tuple[float, float, float]:
        """Above the middle of the apron [m]."""
        return (0.0, _APRON_Y, 2.0)

    def start(self) -> tuple[float, float, float]:
        """The apron below it [m]."""
        return (0.0, _APRON_Y, _THICK)

    @property
    def _wide(self) -> float:
        """Length of the apron [m]."""
        return max(2.6 * _RADIUS * self.hangars, 160.0)

    def _runway(self) -> Mesh:
        return _paved((0.0, 0.0), (self.runway, _RUNWAY), _ASPHALT)

    def _markings(self) -> Mesh:
        """Of the runway, as ICAO has them: thresholds, centre line, aiming points and edges."""
        half, z = self.runway / 2, 1.5 * _THICK
        dashes = np.arange(-half + 80.0, half - 80.0, 50.0)
        centre = [((x + 15.0, 0.0, z), (30.0, 0.9, 0.01)) for x in dashes]
        sides = [((0.0, side * (_RUNWAY / 2 - 1.0), z), (self.runway, 0.9, 0.01)) for side in (-1, 1)]
        bars_ = [
            ((end * (half - 21.0), side * (2.7 + 3.4 * k), z), (30.0, 1.8, 0.01))
            for end in (-1, 1) for side in (-1, 1) for k in range(6)
        ]  # fmt: skip
        aims = [((end * (half - 322.0), side * 9.0, z), (45.0, 6.0, 0.01)) for end in (-1, 1) for side in (-1, 1)]
        found = [*centre, *sides, *bars_, *(aims if half > 400.0 else [])]
        return boxes(np.array([p for p, _ in found]), np.array([size for _, size in found]), _WHITE)

    def _taxiways(self) -> Mesh:
        """One beside the runway, with ways to its ends, its middle and the apron."""
        half, gap = self.runway / 2 - 20.0, _TAXIWAY_Y / 2
        long = _paved((0.0, _TAXIWAY_Y), (self.runway, _TAXIWAY), _ASPHALT)
        across = [_paved((x, gap), (_TAXIWAY, -_TAXIWAY_Y), _ASPHALT, 0.9) for x in (-half, 0.0, half)]
        down = _paved((0.0, (_TAXIWAY_Y + _APRON_Y) / 2), (_TAXIWAY, _TAXIWAY_Y - _APRON_Y), _ASPHALT, 0.9)
        line = boxes([(0.0, _TAXIWAY_Y, 1.5 * _THICK)], [(self.runway, 0.3, 0.01)], _YELLOW)
        return merge([long, *across, down, line], "taxiways")

    def _apron(self) -> Mesh:
        return _paved((0.0, _APRON_Y), (self._wide, _APRON), _SLABS)

    def _buildings(self) -> Iterator[Placement]:
        """Hangars in a row, the tower at the end of it."""
        x = 2.6 * _RADIUS * (np.arange(self.hangars) - (self.hangars - 1) / 2)
        if self.hangars:
            yield Placement("hangars", (_hangar(),), poses(np.column_stack([x, 0 * x + _HANGARS_Y, 0 * x])))
        yield Placement.one("tower", _tower(), (self._wide / 2 + 25.0, _HANGARS_Y + 20.0, 0.0))

    def _fence(self) -> Mesh:
        """Posts and rails all round, 2.2 m high."""
        x, y = self.runway / 2 + 250.0, 330.0
        corners = np.array([(-x, -y - 80.0), (x, -y - 80.0), (x, y), (-x, y), (-x, -y - 80.0)])
        starts, ends = [], []
        for a, b in pairwise(corners):
            count = int(np.linalg.norm(b - a) / 10.0)
            posts = a + np.linspace(0.0, 1.0, count, endpoint=False)[:, None] * (b - a)
            starts += [(*p, 0.0) for p in posts] + [(*a, z) for z in (0.3, 1.2, 2.1)]
            ends += [(*p, 2.2) for p in posts] + [(*b, z) for z in (0.3, 1.2, 2.1)]
        return bars(starts, ends, 0.07, Material("fence steel", STEEL.colour, label="fence", texture="metal"))

    def _parked(self) -> Iterator[Placement]:
        """Trucks on the apron, none within 12 m of the place to start."""
        draw = rolls(self.seed, 0xA1B)
        x, y = draw.uniform(-0.48, 0.48, 400) * self._wide, _APRON_Y + draw.uniform(-0.46, 0.46, 400) * _APRON
        free = np.flatnonzero(np.hypot(x, y - _APRON_Y) > 12.0)
        chosen: list[int] = []
        for k in free:
            if len(chosen) < self.trucks and all(np.hypot(x[k] - x[j], y[k] - y[j]) > 9.0 for j in chosen):
                chosen.append(int(k))
        if chosen:
            p = np.column_stack([x[chosen], y[chosen], np.full(len(chosen), _THICK)])
            yield Placement("trucks", (_truck(),), poses(p, draw.uniform(0.0, 2 * np.pi, len(chosen))))


def _paved(middle: tuple[float, float], size: tuple[float, float], material: Material, high: float = 1.0) -> Mesh:
    """A slab in pieces of at most 50 m, which lies on the ground; high: as a share of what all lie above it."""
    counts = [max(1, int(np.ceil(s / 50.0))) for s in size]
    x, y = ((np.arange(n) + 0.5) / n * s - s / 2 + m for n, s, m in zip(counts, size, middle, strict=True))
    X, Y = np.meshgrid(x, y, indexing="ij")
    thick = high * _THICK
    centres = np.column_stack([X.ravel(), Y.ravel(), np.full(X.size, thick / 2)])
    return boxes(centres, (size[0] / counts[0], size[1] / counts[1], thick), material)


def _hangar() -> Mesh:
    """An arch along y, open to the north (y ahead), closed behind; its middle at the origin."""
    angle = np.linspace(0.0, np.pi, _STAVES + 1)
    ring = _RADIUS * np.column_stack([np.cos(angle), np.sin(angle)])
    middle, along = (ring[1:] + ring[:-1]) / 2, np.diff(ring, axis=0)
    chord = np.linalg.norm(along, axis=1)
    lean = -np.arctan2(along[:, 1], along[:, 0])
    R = np.zeros((_STAVES, 3, 3))
    R[:, 0, 0], R[:, 0, 2], R[:, 1, 1], R[:, 2, 0], R[:, 2, 2] = (
        np.cos(lean),
        np.sin(lean),
        1.0,
        -np.sin(lean),
        np.cos(lean),
    )
    centres = np.column_stack([middle[:, 0], np.zeros(_STAVES), middle[:, 1]])
    sizes = np.column_stack([chord + 0.1, np.full(_STAVES, _DEPTH), np.full(_STAVES, 0.25)])
    roof = boxes(centres, sizes, _SHEET, R)
    x = np.linspace(-_RADIUS, _RADIUS, 45)
    tall = np.sqrt(np.maximum(_RADIUS**2 - ((x[1:] + x[:-1]) / 2) ** 2, 0.0))
    back = boxes(
        np.column_stack([(x[1:] + x[:-1]) / 2, np.full(44, -_DEPTH / 2 + 0.15), tall / 2]),
        np.column_stack([np.diff(x), np.full(44, 0.3), tall]), _SHEET,
    )  # fmt: skip
    floor = boxes([(0.0, 0.0, _THICK / 2)], [(2 * _RADIUS, _DEPTH, _THICK)], _SLABS)
    return merge([roof, back, floor], "hangar")


def _tower() -> Mesh:
    """A shaft with a glazed cabin, 30 m high."""
    shaft = boxes(
        [(0.0, 0.0, 12.0), (0.0, 0.0, 24.4), (0.0, 0.0, 28.9)], [(6, 6, 24), (10, 10, 0.8), (10.5, 10.5, 0.6)], CONCRETE
    )
    panes = boxes([(0.0, s * 4.6, 26.7) for s in (-1, 1)], [(9.2, 0.05, 3.8)] * 2, GLASS)
    sides = boxes([(s * 4.6, 0.0, 26.7) for s in (-1, 1)], [(0.05, 9.2, 3.8)] * 2, GLASS)
    corners = [(a * 4.6, b * 4.6, 24.8) for a in (-1, 1) for b in (-1, 1)]
    frame = bars(corners, [(x, y, 28.6) for x, y, _ in corners], 0.2, STEEL)
    mast = cylinder(0.08, 5.0, 8, materials=(STEEL,)).moved(p=(0.0, 0.0, 31.7))
    return merge([shaft, panes, sides, frame, mast], "tower")


def _truck() -> Mesh:
    """A lorry with a canvas back on six wheels, 7 m long."""
    body = boxes(
        [(-0.8, 0.0, 2.05), (2.6, 0.0, 1.6), (0.0, 0.0, 0.75)],
        [(4.8, 2.4, 2.2), (1.6, 2.3, 1.7), (6.8, 2.0, 0.4)],
        _TRUCK,
    )
    R = along(np.array([0.0, 1.0, 0.0]))
    wheel = cylinder(0.5, 0.35, 16, materials=(_TYRE,))
    return merge([body, *(wheel.moved(R, (x, y, 0.5)) for x in (-2.6, -1.4, 2.5) for y in (-1.0, 1.0))], "truck")
