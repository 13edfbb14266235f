"""The tunnels of the cave as lines: cell centres, the search that joins them, and the worms that crawl between.

The plane is divided into square regions of a few cells each, and a region is made knowing nothing but its own hash and
its four gates, so any piece of the endless network is found without the rest:

1. Each border between two regions has one gate, placed by the hash of that border: both neighbours find the same place.
   Gates lie in a band above all cell centres.
2. In each region a depth-first search starts at the cell next to its first gate and walks over cells (several levels
   deep), open ones only, in an order drawn by hash. It never climbs: a step leads sideways or down, and a jittered
   centre higher than the one before is lowered to its height.
3. Each gate is joined to the nearest centre that was visited, which is below it.

A region's tree is connected, its gates hang on it, and neighbours share gates: the whole cave is connected.
A worm walks by direction = 0.6 × towards its goal + 0.4 × noise, of unit length each, which always arrives; it is kept
within the box of its region, so a tunnel touches only chunks that its region (widened by a radius) touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from volery._native import generate as _native
from volery.core.noise import hash_cell, uniform_cell

__all__ = ["FLOOR", "STEP", "Network", "Region", "region"]

FLOOR = _native.FLOOR
"""The sediment floor lies this many radii below the axis."""
STEP = _native.STEP
"""Length of a worm's step [m]."""
_CELLS = 4
"""Cells along the edge of a region."""
_LIFT = 0.45
"""A chamber's axis lies higher than the tunnels', by this share of the radii's difference, so that floors meet."""
_TUNNEL_WIDTH, _CHAMBER_WIDTH = 1.25, 1.6
"""Half width over half height."""
_GATES, _CENTRES, _ORDER, _SHAPE, _WORMS = (1 << 20) * np.arange(1, 6)
"""Salts: what a random number is drawn for."""


@dataclass(frozen=True)
class Network:
    """What the tunnels are made from; equal values make equal tunnels."""

    seed: int
    cell: float
    """Edge of a cell [m]."""
    depth: float
    """The cave lies between z = -depth and 0 [m]."""
    levels: int
    openness: float
    """Share of cells that are not solid rock."""
    radius: tuple[float, float]
    """Half height of tunnels, least and greatest [m]."""
    chamber: tuple[float, float]
    """Half height of chambers, least and greatest [m]."""

    @property
    def size(self) -> float:
        """Edge of a region [m]."""
        return _CELLS * self.cell

    @property
    def greatest(self) -> float:
        """Greatest half height of a tunnel or chamber [m]."""
        return max(self.radius[1], self.chamber[1])

    @property
    def low(self) -> float:
        """Least height of an axis [m]."""
        return -self.depth + FLOOR * self.greatest + 2.0

    @property
    def high(self) -> float:
        """Greatest height of an axis [m]."""
        return -(1.0 + _LIFT) * self.greatest - 2.0

    @property
    def reach(self) -> float:
        """No tunnel or chamber leaves its region's square by more than this [m]."""
        return (0.6 + _CHAMBER_WIDTH) * self.greatest + 3.0

    def corner(self, i: int, j: int) -> np.ndarray:
        """Least x and y of region (i, j) [m]; the origin is the middle of region (0, 0)."""
        return (np.array([i, j]) - 0.5) * self.size

    def regions(self, low: np.ndarray, high: np.ndarray) -> list[Region]:
        """The regions whose tunnels may enter the rectangle low to high [m], always in the same order."""
        first = np.floor((low - self.reach) / self.size + 0.5).astype(int)
        last = np.floor((high + self.reach) / self.size + 0.5).astype(int)
        return [region(self, i, j) for i in range(first[0], last[0] + 1) for j in range(first[1], last[1] + 1)]


@dataclass(frozen=True, eq=False)
class Region:
    """The tunnels of one region."""

    nodes: np.ndarray
    """Cell centres visited, then the four gates [m], shape [n, 3]."""
    halls: np.ndarray
    """Half height of the chamber at each visited centre [m], shape [n - 4]."""
    edges: np.ndarray
    """Upper and lower node of each tunnel, shape [n - 1, 2]."""
    worms: tuple[np.ndarray, ...]
    """Axis of each tunnel from its upper to its lower node [m], shapes [k, 3]."""
    capsules: np.ndarray
    """What is carved, `_native.CaveCapsule`: tunnels, then three lobes for each chamber."""

    def way(self, start: int, goal: int) -> np.ndarray:
        """Axis points along the tunnels from one node to another [m], shape [n, 3]."""
        parent = {int(low): (int(high), k) for k, (high, low) in enumerate(self.edges[: len(self.halls) - 1])}
        parent |= {int(gate): (int(low), -1 - k) for k, (gate, low) in enumerate(self.edges[len(self.halls) - 1 :])}
        up, down = _ancestors(parent, start), _ancestors(parent, goal)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        climb = [self._worm(parent[n][1])[::-1] for n in up[:-1]]
        fall = [self._worm(parent[n][1]) for n in down[-2::-1]]
        return np.concatenate([self.nodes[start : start + 1], *(p[1:] for p in climb + fall)])

    def _worm(self, k: int) -> np.ndarray:
        """Tunnel k from the root outwards; negative: that of gate -1 - k, which is stored the other way."""
        return self.worms[k] if k >= 0 else self.worms[len(self.halls) - 2 - k][::-1]


def _ancestors(parent: dict[int, tuple[int, int]], node: int) -> list[int]:
    line = [node]
    while line[-1] in parent:
        line.append(parent[line[-1]][0])
    return line


@lru_cache(maxsize=256)
def region(net: Network, i: int, j: int) -> Region:
    """Region (i, j) of the network."""
    gates = _gates(net, i, j)
    start = tuple(np.clip((gates[0, :2] - net.corner(i, j)) // net.cell, 0, _CELLS - 1).astype(int))
    centres, tree = _search(net, i, j, (*start, 0))
    nearest = [int(np.argmin(np.linalg.norm(centres - g, axis=1))) for g in gates]
    nodes = np.concatenate([centres, gates])
    edges = np.array([*tree, *((len(centres) + k, n) for k, n in enumerate(nearest))])
    low = np.array([*net.corner(i, j), net.low])
    high = np.array([*(net.corner(i, j) + net.size), net.high])
    worms = [_native.worm(nodes[a], nodes[b], low, high, net.seed + int(_WORMS)) for a, b in edges]
    u = [uniform_cell(net.seed + int(_SHAPE), *_place(c)) for c in centres]
    halls = net.chamber[0] + (net.chamber[1] - net.chamber[0]) * np.square(u)
    lobes = [_chamber(net, c, r) for c, r in zip(centres, halls, strict=True)]
    capsules = np.concatenate([*(_tunnel(net, w) for w in worms), *lobes])
    return Region(nodes, halls, edges, tuple(worms), capsules)


def _place(p: np.ndarray) -> tuple[int, int, int]:
    """An integer cell of 1/16 m that is a point's own, for hashing [m → 1]."""
    i, j, k = (int(v) for v in np.floor(p * 16.0))
    return i, j, k


def _gates(net: Network, i: int, j: int) -> np.ndarray:
    """The gates west, east, south and north [m], shape [4, 3]; rotated so that the first is drawn by the region."""
    band = 0.12 * (net.high - net.low)
    gates = []
    for axis, di, dj in ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 0, 1)):
        x, y = net.corner(i + di, j + dj)
        along = (0.15 + 0.7 * uniform_cell(net.seed + int(_GATES), i + di, j + dj, axis)) * net.size
        z = net.high - band * uniform_cell(net.seed + int(_GATES), i + di, j + dj, axis + 2)
        gates.append((x, y + along, z) if axis == 0 else (x + along, y, z))
    return np.roll(np.array(gates), int(hash_cell(net.seed + int(_GATES), i, j, 9)) % 4, axis=0)


def _centre(net: Network, i: int, j: int, c: tuple[int, int, int]) -> np.ndarray:
    """The jittered centre of cell c (column, row, level from above) of region (i, j) [m]."""
    key = (i * _CELLS + c[0], j * _CELLS + c[1])
    u = [uniform_cell(net.seed + int(_CENTRES) + n, *key, c[2]) for n in range(3)]
    xy = net.corner(i, j) + (np.array(c[:2]) + 0.2 + 0.6 * np.array(u[:2])) * net.cell
    top = net.high - 0.12 * (net.high - net.low)
    return np.array([*xy, top - (top - net.low) * (c[2] + 0.1 + 0.7 * u[2]) / net.levels])


def _search(net: Network, i: int, j: int, start: tuple[Any, ...]) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The depth-first search: centres in the order of visit, and (before, next) of every step."""
    number, centres, tree = {start: 0}, [_centre(net, i, j, start)], []
    stack = [(start, iter(_steps(net, i, j, start)))]
    while stack:
        here, steps = stack[-1]
        there = next((c for c in steps if c not in number), None)
        if there is None:
            stack.pop()
            continue
        p = _centre(net, i, j, there)
        p[2] = min(p[2], centres[number[here]][2])
        number[there] = len(centres)
        centres.append(p)
        tree.append((number[here], number[there]))
        stack.append((there, iter(_steps(net, i, j, there))))
    return np.array(centres), tree


def _steps(net: Network, i: int, j: int, c: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Open cells beside and below cell c of region (i, j), shuffled."""
    beside = [(c[0] + a, c[1] + b, c[2] + d) for a, b, d in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1))]
    inside = [s for s in beside if 0 <= s[0] < _CELLS and 0 <= s[1] < _CELLS and s[2] < net.levels]
    at = [(i * _CELLS + s[0], j * _CELLS + s[1], s[2]) for s in inside]
    drawn = [(uniform_cell(net.seed + int(_ORDER) + 7 * c[0] + c[1], *a), s) for a, s in zip(at, inside, strict=True)]
    closed = {s for a, s in zip(at, inside, strict=True) if uniform_cell(net.seed + int(_ORDER) - 1, *a) > net.openness}
    return [s for _, s in sorted(drawn) if s not in closed]


def _tunnel(net: Network, axis: np.ndarray) -> np.ndarray:
    """Capsules along a worm, their radius from noise, shape [n - 1]."""
    axis = np.concatenate([axis[:-1:2], axis[-1:]])
    r = _native.worm_radii(axis, *net.radius, net.seed + int(_SHAPE))
    return _capsules(axis[:-1], axis[1:], r[:-1], r[1:], _TUNNEL_WIDTH)


def _capsules(a: np.ndarray, b: np.ndarray, r_a: np.ndarray, r_b: np.ndarray, width: float) -> np.ndarray:
    made = np.empty(len(a), _native.CaveCapsule)
    for name, values in zip(_native.CaveCapsule.names or (), (a, b, r_a, r_b, width), strict=True):
        made[name] = values
    return made


def _chamber(net: Network, centre: np.ndarray, radius: float) -> np.ndarray:
    """Three lobes about a centre, of different size and direction, shape [3]."""
    u = np.array(
        [[uniform_cell(net.seed + int(_SHAPE) + 3 * n + k, *_place(centre)) for k in (1, 2)] for n in range(3)]
    )
    angle = (np.arange(3) + u[:, 0]) * (2.0 * np.pi / 3.0)
    r = radius * (0.6 + 0.4 * u[:, 1])
    r[0] = radius
    a = np.tile(centre, (3, 1))
    a[:, 2] += _LIFT * np.maximum(r - net.radius[0], 0.0)
    b = a + 0.6 * radius * np.column_stack([np.cos(angle), np.sin(angle), 0.15 * (u[:, 1] - 1.0)])
    return _capsules(a, b, r, 0.8 * r, _CHAMBER_WIDTH)
