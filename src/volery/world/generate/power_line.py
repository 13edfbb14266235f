"""A power line over open hills: lattice towers with three arms, six conductors and an earth wire that sag."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from volery.core.config import param
from volery.core.geometry import Mesh, merge
from volery.core.material import Material
from volery.world.generate.hills import Hills
from volery.world.generate.parts import bars
from volery.world.world import ChunkKey, Placement, poses

__all__ = ["PowerLine"]

_STEEL = Material(
    "galvanised steel", (0.46, 0.48, 0.5), label="tower", roughness=0.5, reflectivity=0.5, texture="metal"
)
_WIRE = Material("conductor", (0.32, 0.33, 0.35), label="wire", roughness=0.4, reflectivity=0.5)
_INSULATOR = Material("insulator", (0.13, 0.09, 0.06), label="tower", roughness=0.2, reflectivity=0.3)

_ARMS = ((0.62, 0.14), (0.76, 0.18), (0.9, 0.13))
"""Height of each pair of arms, and how far they reach, both as shares of the tower's height."""
_FOOT, _WAIST, _WAIST_AT, _TOP = 0.1, 0.03, 0.58, 0.022
"""Half the tower's width at the foot, at the waist and at the top, and where the waist is, as shares of its height."""
_STORIES = 12
_HANGING = 1.6
"""Length of an insulator [m]."""
_PIECES = 24
"""Of a wire from tower to tower."""


@dataclass(frozen=True, eq=False)
class PowerLine(Hills):
    """A line along x without end. `wires` tells where each wire hangs."""

    hilliness: float = param(4.0, low=0.0, high=500.0)
    """Amplitude of the terrain's noise [m]."""
    span: float = param(250.0, low=60.0, high=600.0)
    """From tower to tower [m]."""
    tower: float = param(34.0, low=15.0, high=90.0)
    """Height of towers [m]."""
    sag: float = param(0.03, low=0.0, high=0.1)
    """How far a wire hangs through in the middle, as a share of the span."""
    wire: float = param(0.028, low=0.005, high=0.1)
    """Thickness of a conductor [m]; the earth wire has half of it."""
    offset: float = param(30.0, low=-1000.0, high=1000.0)
    """y of the line [m]: the place to start is at the origin."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """Ground, towers and pieces of wires of the chunk."""
        x0, y0, x1, y1 = self.box(key)
        placed = [self.ground(key)]
        first, last = int(np.floor(x0 / self.span)) - 1, int(np.ceil(x1 / self.span)) + 1
        if y0 <= self.offset < y1:
            feet = [self.foot(i) for i in range(first, last + 1) if x0 <= i * self.span < x1]
            placed += [Placement("towers", (_tower(self.tower),), poses(np.array(feet)))] if feet else []
        wires = self._pieces(first, last, (x0, y0, x1, y1))
        return [*placed, wires] if wires is not None else placed

    def foot(self, number: int) -> tuple[float, float, float]:
        """Where a tower stands [m]; tower 0 stands at x = 0."""
        x = number * self.span
        return x, self.offset, float(self.height(x, self.offset))

    def wires(self, number: int) -> np.ndarray:
        """The seven wires from a tower to the next, earth wire last, as points on each [7, n, 3] [m]."""
        ends = np.stack([_hooks(self.tower) + self.foot(i) for i in (number, number + 1)])
        t = np.linspace(0.0, 1.0, _PIECES + 1)[:, None]
        points = ends[0][:, None] * (1 - t) + ends[1][:, None] * t
        # A parabola is a catenary to a hundredth of the sag here; the earth wire is drawn tighter.
        sag = self.sag * self.span * np.where(np.arange(len(points)) < 6, 1.0, 0.7)
        points[:, :, 2] -= (4.0 * sag[:, None] * (t * (1 - t))[:, 0]).astype(float)
        return points

    def _pieces(self, first: int, last: int, box: tuple[float, float, float, float]) -> Placement | None:
        """Pieces of wires whose middles lie over the chunk."""
        x0, y0, x1, y1 = box
        corner = np.array([x0, y0, 0.0])
        meshes = []
        for number in range(first, last):
            points = self.wires(number)
            starts, ends = points[:, :-1], points[:, 1:]
            middle = (starts + ends) / 2
            here = (middle[..., 0] >= x0) & (middle[..., 0] < x1) & (middle[..., 1] >= y0) & (middle[..., 1] < y1)
            for wires, thick in ((slice(0, 6), self.wire), (slice(6, 7), self.wire / 2)):
                own = here[wires]
                if own.any():
                    meshes.append(bars(starts[wires][own] - corner, ends[wires][own] - corner, thick, _WIRE))
        return Placement("wires", (merge(meshes, "wires"),), poses(corner[None])) if meshes else None


def _hooks(height: float) -> np.ndarray:
    """Where wires hang on a tower, from its foot: two on each pair of arms, then the earth wire at the top [7, 3]."""
    arms = [(0.0, side * reach * height, at * height - _HANGING) for at, reach in _ARMS for side in (-1.0, 1.0)]
    return np.array([*arms, (0.0, 0.0, height)])


def _half(share: float) -> float:
    """Half the width of a tower at a share of its height, as a share of its height."""
    return float(np.interp(share, (0.0, _WAIST_AT, 1.0), (_FOOT, _WAIST, _TOP)))


@cache
def _tower(height: float) -> Mesh:
    """Four legs, braced crosswise, with three pairs of arms and their insulators; its foot at the origin."""
    levels = np.concatenate(
        [np.linspace(0.0, _WAIST_AT, _STORIES // 2 + 1), np.linspace(_WAIST_AT, 1.0, _STORIES // 2 + 1)[1:]]
    )
    corners = [
        np.array([(a * _half(s), b * _half(s), s) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]) for s in levels
    ]
    legs, braces = [], []
    for low, high in pairwise(corners):
        legs += list(zip(low, high, strict=True))
        for k in range(4):
            n = (k + 1) % 4
            braces += [(low[k], high[n]), (low[n], high[k]), (high[k], high[n])]
    for at, reach in _ARMS:
        for side in (-1.0, 1.0):
            tip, half = np.array([0.0, side * reach, at]), _half(at)
            braces += [(np.array([a * half, side * half, at + up]), tip) for a in (-1.0, 1.0) for up in (-0.004, 0.035)]
    hooks = _hooks(height)[:6]
    parts = [
        _bars(legs, 0.005 * height, height, _STEEL), _bars(braces, 0.0022 * height, height, _STEEL),
        bars(hooks, hooks + [0.0, 0.0, _HANGING], 0.12, _INSULATOR),
    ]  # fmt: skip
    return merge(parts, "tower")


def _bars(ends: list[tuple[np.ndarray, np.ndarray]], width: float, height: float, material: Material) -> Mesh:
    return bars(height * np.array([a for a, _ in ends]), height * np.array([b for _, b in ends]), width, material)
