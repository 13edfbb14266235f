"""What a warehouse is full of: racks, pallets and their loads, trusses, gates, a forklift, a conveyor."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from volery.core.geometry import Mesh, box, cylinder, merge
from volery.core.material import Material
from volery.world.generate.parts import STEEL, WOOD, bars, boxes, lattice, rolls, tube, turn

__all__ = [
    "BAY",
    "CARTONS",
    "LEVEL",
    "LOADS",
    "RACK_DEPTH",
    "column",
    "conveyor",
    "dock_door",
    "door",
    "extinguisher",
    "forklift",
    "gate_leg",
    "lamp",
    "load",
    "race_gate",
    "rack_bay",
    "rack_end",
    "truss",
]

BAY = 2.8
"""Length of a rack's bay [m], for three pallets."""
LEVEL = 1.75
"""Height between the levels of a rack [m]."""
RACK_DEPTH = 1.1
"""Depth of a rack [m]."""
LOADS = 14
"""How many different pallet loads there are."""


def _paint(name: str, colour: tuple[float, float, float], label: str, texture: str = "", **more: float) -> Material:
    about: dict[str, Any] = {"roughness": 0.6, "reflectivity": 0.45, **more}
    return Material(name, colour, label=label, texture=texture, **about)


_UPRIGHT = _paint("rack_blue", (0.04, 0.1, 0.3), "rack", "metal")
_BEAM = _paint("rack_orange", (0.7, 0.2, 0.02), "rack", "metal")
_DECKING = _paint("decking", (0.4, 0.4, 0.41), "rack", "metal")
CARTONS = tuple(
    _paint(f"cardboard_{k}", c, "box", "cardboard")
    for k, c in enumerate(((0.36, 0.24, 0.13), (0.42, 0.3, 0.18), (0.3, 0.19, 0.1), (0.62, 0.6, 0.56)))
)
_BIN = _paint("bin", (0.03, 0.12, 0.4), "box")
_GREY_BIN = _paint("grey_bin", (0.22, 0.23, 0.25), "box")
_FILM = _paint("film", (0.5, 0.53, 0.55), "box", roughness=0.2, reflectivity=0.3)
_SACK = _paint("sack", (0.6, 0.56, 0.46), "box", "cloth")
_DRUM = _paint("drum", (0.03, 0.18, 0.1), "box", "metal")
_RED = _paint("fire_red", (0.55, 0.02, 0.02), "extinguisher", "metal")
_BLACK = _paint("rubber", (0.02, 0.02, 0.02), "vehicle", roughness=0.9, reflectivity=0.08)
_YELLOW = _paint("machine_yellow", (0.75, 0.45, 0.02), "vehicle", "metal")
_LIGHT = Material("lamp", (1.0, 0.96, 0.88), label="lamp", emission=8.0, temperature=320.0)
_DOOR = _paint("door_panel", (0.45, 0.47, 0.5), "door", "metal")
_GATE_A = _paint("gate_orange", (0.85, 0.25, 0.01), "gate", "cloth")
_GATE_B = _paint("gate_blue", (0.02, 0.12, 0.55), "gate", "cloth")


def _upright(levels: int) -> Mesh:
    """The frame between two bays: two posts across y, braced; it stands on z = 0."""
    top, d = levels * LEVEL + 0.3, RACK_DEPTH / 2
    posts = boxes([[0, y, top / 2] for y in (-d, d)], (0.09, 0.08, top), _UPRIGHT)
    z = np.arange(0.2, top - 0.8, 0.8)
    s = np.where(np.arange(len(z)) % 2 == 0, d, -d)
    braces = bars(np.column_stack([0 * z, -s, z]), np.column_stack([0 * z, s, z + 0.8]), 0.035, _UPRIGHT)
    feet = boxes([[0, y, 0.01] for y in (-d, d)], (0.16, 0.14, 0.02), _UPRIGHT)
    guard = boxes([[0, y, 0.2] for y in (-d - 0.08, d + 0.08)], (0.16, 0.06, 0.4), _YELLOW)
    return merge([posts, braces, feet, guard], "rack_upright")


@cache
def rack_end(levels: int) -> Mesh:
    """The last frame of a row of racks."""
    return _upright(levels)


@cache
def rack_bay(levels: int) -> Mesh:
    """One bay along x from its origin: beams and wire decks for `levels` levels of pallets, the lowest on the floor."""
    d = RACK_DEPTH / 2
    z = np.arange(1, levels) * LEVEL
    both = np.array([[BAY / 2, y, h - 0.06] for h in z for y in (-d, d)]).reshape(-1, 3)
    parts = [_upright(levels)]
    if len(both):
        parts.append(boxes(both, (BAY - 0.09, 0.05, 0.12), _BEAM))
    mesh = lattice(BAY - 0.2, RACK_DEPTH - 0.06, 0.13, 0.012, _DECKING).moved(
        turn(0, 0, -np.pi / 2), (0.1, -d + 0.03, 0)
    )
    return merge([*parts, *(mesh.moved(p=(0, 0, h - 0.012)) for h in z)], "rack_bay")


def _pallet() -> Mesh:
    """A euro pallet, 0.8 m along x and 1.2 m along y, standing on z = 0."""
    x, y = np.array([-0.3275, 0.0, 0.3275]), np.array([-0.53, 0.0, 0.53])
    blocks = boxes([[a, b, 0.06] for a in x for b in y], (0.1, 0.14, 0.08), WOOD)
    runners = boxes([[a, 0, 0.011] for a in x], (0.1, 1.2, 0.022), WOOD)
    stringers = boxes([[0, b, 0.111] for b in y], (0.8, 0.14, 0.022), WOOD)
    deck = boxes([[a, 0, 0.133] for a in np.linspace(-0.34, 0.34, 5)], (0.12, 1.2, 0.022), WOOD)
    return merge([blocks, runners, stringers, deck], "pallet")


_TOP = 0.144
"""Height of an empty pallet [m]."""


def _stack(draw: np.random.Generator, materials: tuple[Material, ...], n: tuple[int, int, int]) -> list[Mesh]:
    """Equal boxes in layers, a little askew, the top layer not full."""
    size = np.array([0.8, 1.2, 1.3]) / n
    at = np.argwhere(np.ones(n)) + 0.5
    keep = (at[:, 2] < n[2] - 1) | (draw.random(len(at)) < 0.7)
    at = at[keep]
    p = (at - np.array([n[0] / 2, n[1] / 2, 0])) * size + np.array([0, 0, _TOP])
    R = np.array([turn(a) for a in draw.normal(0, 0.012, len(at))])
    colour = draw.integers(len(materials), size=len(at))
    return [
        boxes(p[colour == k], size * 0.975, m, R[colour == k]) for k, m in enumerate(materials) if (colour == k).any()
    ]


def _mixed(draw: np.random.Generator) -> list[Mesh]:
    """Piles of boxes of different sizes."""
    parts = []
    for x in (-0.2, 0.2):
        for y in (-0.4, 0.0, 0.4):
            z, top = _TOP, draw.uniform(0.5, 1.4)
            while z < top:
                size = np.array([draw.uniform(0.25, 0.38), draw.uniform(0.25, 0.38), draw.uniform(0.12, 0.4)])
                material = CARTONS[int(draw.integers(4))]
                R = turn(draw.normal(0, 0.08))
                parts.append(box(size, materials=(material,)).moved(R, (x, y, z + size[2] / 2)))
                z += size[2]
    return parts


def _drums() -> list[Mesh]:
    spots = [(x, y, _TOP + 0.31 + k * 0.63) for x in (-0.2, 0.2) for y in (-0.4, 0, 0.4) for k in (0, 1)]
    drum = cylinder(0.185, 0.62, 18, materials=(_DRUM,))
    rims = [cylinder(0.192, 0.02, 18, materials=(STEEL,)).moved(p=(0, 0, z)) for z in (-0.3, -0.1, 0.1, 0.3)]
    one = merge([drum, *rims])
    return [one.moved(p=p) for p in spots]


def _sacks(draw: np.random.Generator) -> list[Mesh]:
    sack = cylinder(0.5, 1.0, 10, materials=(_SACK,)).moved(turn(0, np.pi / 2))
    spots = [(s * 0.19, y, _TOP + 0.07 + 0.13 * k) for k in range(7) for s in (-1, 1) for y in (-0.39, 0, 0.39)]
    return [sack.moved(p=np.add(p, draw.normal(0, 0.01, 3)), scale=(0.36, 0.4, 0.15)) for p in spots]


def _crate() -> list[Mesh]:
    z = np.arange(7) * 0.15 + _TOP + 0.08
    long = boxes([[x, 0, h] for h in z for x in (-0.385, 0.385)], (0.02, 1.16, 0.13), WOOD)
    short = boxes([[0, y, h] for h in z for y in (-0.575, 0.575)], (0.75, 0.02, 0.13), WOOD)
    corners = boxes([[x, y, 0.67] for x in (-0.36, 0.36) for y in (-0.55, 0.55)], (0.06, 0.06, 1.04), WOOD)
    return [long, short, corners, boxes((0, 0, 1.2), (0.82, 1.2, 0.02), WOOD)]


@cache
def load(variant: int) -> Mesh:
    """A loaded pallet, one of LOADS, at most 1.5 m high."""
    draw = rolls(variant, 0x10AD)
    brown = CARTONS[:3]
    makers = (
        lambda: _stack(draw, brown, (2, 3, 4)),
        lambda: _stack(draw, brown[1:2], (2, 3, 3)),
        lambda: _stack(draw, brown[:1], (3, 4, 5)),
        lambda: _stack(draw, CARTONS[3:], (2, 2, 4)),
        lambda: _stack(draw, (_BIN,), (2, 2, 5)),
        lambda: _stack(draw, (_BIN, _GREY_BIN), (2, 3, 5)),
        lambda: _mixed(draw),
        lambda: _mixed(draw),
        lambda: _mixed(draw),
        _drums,
        lambda: _sacks(draw),
        _crate,
        lambda: [boxes((0, 0, _TOP + 0.6), (0.78, 1.17, 1.2), _FILM)],
        lambda: _stack(draw, (_FILM,), (1, 1, 2)),
    )
    return merge([_pallet(), *makers[variant]()], f"load_{variant}")


@cache
def truss(span: float, depth: float = 1.2) -> Mesh:
    """A roof truss along y, centred, its lower chord at z = 0 [m]."""
    n = max(2, round(span / 2.0 / 2) * 2)
    y = np.linspace(-span / 2, span / 2, n + 1)
    zero = 0 * y
    chords = bars([[0, -span / 2, 0], [0, -span / 2, depth]], [[0, span / 2, 0], [0, span / 2, depth]], 0.14, STEEL)
    rise = np.where(np.arange(n + 1) % 2 == 0, depth, 0.0)
    joints = np.column_stack([zero, y, rise])
    posts = bars(np.column_stack([zero, y, zero]), np.column_stack([zero, y, zero + depth]), 0.06, STEEL)
    return merge([chords, bars(joints[:-1], joints[1:], 0.08, STEEL), posts], "truss")


@cache
def column(height: float, guarded: bool) -> Mesh:
    """A steel column of H section, slim enough to stand between racks; with a yellow guard at its foot if `guarded`."""
    flanges = boxes([[x, 0, height / 2] for x in (-0.14, 0.14)], (0.025, 0.2, height), STEEL)
    web = boxes((0, 0, height / 2), (0.28, 0.02, height), STEEL)
    guard = boxes([[x, y, 0.4] for x in (-0.22, 0.22) for y in (-0.22, 0.22)], (0.06, 0.06, 0.8), _YELLOW)
    rail = boxes([[0, y, 0.6] for y in (-0.22, 0.22)], (0.5, 0.04, 0.15), _YELLOW)
    return merge([flanges, web, *([guard, rail] if guarded else [])], "column")


@cache
def lamp() -> Mesh:
    """A high-bay lamp hung by two rods of 0.5 m; its top is at z = 0."""
    tubes = boxes([[0, y, -0.56] for y in (-0.07, 0.07)], (1.4, 0.06, 0.03), _LIGHT)
    shade = boxes((0, 0, -0.52), (1.5, 0.3, 0.05), _DECKING)
    return merge([tubes, shade, boxes([[x, 0, -0.25] for x in (-0.5, 0.5)], (0.012, 0.012, 0.5), STEEL)], "lamp")


@cache
def extinguisher() -> Mesh:
    """A fire extinguisher on a bracket with its sign above, its back on the plane x = 0, at 1 m."""
    bottle = cylinder(0.08, 0.45, 16, materials=(_RED,)).moved(p=(0.1, 0, 1.0))
    head = cylinder(0.03, 0.12, 10, materials=(_BLACK,)).moved(p=(0.1, 0, 1.28))
    hose = tube(np.array([[0.1, 0.03, 1.3], [0.1, 0.12, 1.2], [0.1, 0.12, 0.9]]), 0.012, _BLACK, 6)
    return merge([bottle, head, hose, boxes((0.005, 0, 1.9), (0.01, 0.3, 0.3), _RED)], "extinguisher")


@cache
def dock_door(width: float, height: float, raised: float) -> Mesh:
    """A sectional door along y, centred on x = 0: the share `raised` of its panels is out of the way."""
    n = 8
    shut = np.arange(round(n * raised), n)
    panels = [[0.0, 0, (k + 0.5) * height / n] for k in shut]
    frame = boxes([[0, y, height / 2] for y in (-width / 2 - 0.1, width / 2 + 0.1)], (0.3, 0.2, height), _YELLOW)
    lintel = boxes((0, 0, height + 0.1), (0.3, width + 0.4, 0.2), _YELLOW)
    leaf = [boxes(panels, (0.05, width, height / n - 0.015), _DOOR)] if len(shut) else []
    buffers = boxes([[0.25, y, 0.3] for y in (-width / 2 - 0.2, width / 2 + 0.2)], (0.2, 0.25, 0.5), _BLACK)
    return merge([frame, lintel, buffers, *leaf], "dock_door")


@cache
def forklift() -> Mesh:
    """A counterbalance forklift that looks along +x, with a loaded pallet on its forks."""
    middles = [[-0.35, 0, 0.6], [-0.95, 0, 0.75], [0.1, 0, 0.42]]
    body = boxes(middles, [[1.0, 1.05, 0.6], [0.45, 1.1, 0.8], [0.9, 1.0, 0.3]], _YELLOW)
    cage = bars(
        [[x, y, 0.9] for x in (-0.75, 0.35) for y in (-0.48, 0.48)],
        [[x, y, 2.1] for x in (-0.7, 0.2) for y in (-0.48, 0.48)],
        0.06,
        _BLACK,
    )
    roof = lattice(1.0, 1.0, 0.14, 0.03, _BLACK).moved(turn(0, 0, -np.pi / 2), (-0.75, -0.5, 2.1))
    seat = boxes([[-0.35, 0, 1.0], [-0.58, 0, 1.3]], [[0.5, 0.5, 0.15], [0.12, 0.5, 0.55]], _BLACK)
    wheel = [cylinder(r, 0.24, 20, materials=(_BLACK,)).moved(turn(0, 0, np.pi / 2), (x, y, r))
             for x, r in ((0.45, 0.33), (-0.85, 0.27)) for y in (-0.48, 0.48)]  # fmt: skip
    mast = boxes([[0.78, y, 1.15] for y in (-0.35, 0.35)], (0.12, 0.1, 2.2), STEEL)
    carriage = boxes([[0.86, 0, z] for z in (0.35, 0.75, 2.2)], (0.06, 0.9, 0.1), STEEL)
    forks = boxes([[1.45, y, 0.22] for y in (-0.25, 0.25)], (1.15, 0.12, 0.05), STEEL)
    cargo = load(6).moved(turn(np.pi / 2), (1.5, 0, 0.16))
    return merge([body, cage, roof, seat, *wheel, mast, carriage, forks, cargo], "forklift")


@cache
def conveyor(length: float = 3.0) -> Mesh:
    """A roller conveyor along x from its origin, 0.75 m high and 0.7 m wide."""
    x = np.arange(0.06, length, 0.12)
    roller = cylinder(0.03, 0.62, 10, materials=(STEEL,)).moved(turn(0, 0, np.pi / 2))
    rollers = [roller.moved(p=(a, 0, 0.72)) for a in x]
    rails = boxes([[length / 2, y, 0.72] for y in (-0.34, 0.34)], (length, 0.04, 0.14), _UPRIGHT)
    legs = boxes([[a, y, 0.33] for a in (0.3, length - 0.3) for y in (-0.34, 0.34)], (0.06, 0.06, 0.66), _UPRIGHT)
    return merge([*rollers, rails, legs], "conveyor")


@cache
def race_gate(size: float = 1.5) -> Mesh:
    """A square gate across x, its opening of `size` [m] centred on its origin."""
    r, b = size / 2 + 0.15, 0.3
    sides = boxes([[0, y, 0] for y in (-r, r)], (0.06, b, size), _GATE_A)
    ends = boxes([[0, 0, z] for z in (-r, r)], (0.06, size + 2 * b, b), _GATE_B)
    return merge([sides, ends], "race_gate")


@cache
def gate_leg() -> Mesh:
    """A leg of unit size, to be stretched, standing on its origin."""
    return box((1, 1, 1), materials=(STEEL,)).moved(p=(0, 0, 0.5))


@cache
def door() -> Mesh:
    """A door leaf of 1.1 × 2.2 m along x from its hinge, with a handle on both sides."""
    leaf = boxes((0.55, 0, 1.1), (1.08, 0.05, 2.18), _DOOR)
    return merge([leaf, boxes([[0.98, y, 1.05] for y in (-0.06, 0.06)], (0.14, 0.03, 0.03), STEEL)], "door")
