"""The hall round a rescue arena: walls, a roof, lamps over a part of it, signs, and what stands about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from volery.core.geometry import Mesh, box, merge
from volery.core.material import Material
from volery.world.generate.parts import CONCRETE, STEEL, WOOD, boxes, turn, wall
from volery.world.world import Placement, poses

__all__ = ["MARGIN", "hall"]

MARGIN = 5.0
"""From the arena to the walls [m]: robots wait in front of the entrance."""
_HEIGHT = 5.0
"""Of the walls [m]."""
_LIT = 0.55
"""Share of the length over which lamps shine; beyond them it is dark."""
_APART = 4.0
"""Between lamps [m]."""
_ROD = 1.0
"""They hang so far below the girders [m]."""
_PLASTER = Material("hall_wall", (0.52, 0.53, 0.5), label="wall", reflectivity=0.45, texture="concrete")
_ROOF = Material("hall_roof", (0.28, 0.29, 0.3), label="wall", reflectivity=0.4, texture="metal")
_LIGHT = Material("lamp", (1.0, 0.95, 0.86), label="lamp", emission=14.0, temperature=320.0)
_SHADE = Material("lamp_shade", (0.6, 0.6, 0.58), label="metal", reflectivity=0.6, texture="metal")
_SIGN = Material("sign", (0.02, 0.35, 0.12), label="sign", emission=0.6, reflectivity=0.6)
_WHITE = Material("sign_text", (0.85, 0.86, 0.84), label="sign", emission=0.8, reflectivity=0.8)
_TAPE = Material("warning_tape", (0.75, 0.55, 0.02), label="sign", reflectivity=0.6)


@cache
def _lamp() -> Mesh:
    """A strip of two tubes in a trough, on two rods; its top is at z = 0."""
    tubes = boxes([[0, y, -_ROD - 0.03] for y in (-0.08, 0.08)], (1.4, 0.05, 0.04), _LIGHT)
    trough = boxes([[0, 0, -_ROD + 0.03], [0, -0.17, -_ROD - 0.02], [0, 0.17, -_ROD - 0.02]],
                   [[1.5, 0.36, 0.03], [1.5, 0.02, 0.1], [1.5, 0.02, 0.1]], _SHADE)  # fmt: skip
    rods = boxes([[x, 0, -_ROD / 2] for x in (-0.6, 0.6)], (0.015, 0.015, _ROD), STEEL)
    return merge([tubes, trough, rods], "lamp")


@cache
def _exit() -> Mesh:
    """A lit sign over a door, facing +x: an arrow and a running man of bars."""
    plate = box((0.03, 0.9, 0.35), materials=(_SIGN,))
    bars = boxes(
        [[0.018, -0.12, 0.0], [0.018, -0.28, 0.05], [0.018, -0.28, -0.05], [0.018, 0.18, 0.0], [0.018, 0.3, 0.06]],
        [[0.01, 0.3, 0.05], [0.01, 0.12, 0.05], [0.01, 0.12, 0.05], [0.01, 0.08, 0.22], [0.01, 0.14, 0.04]],
        _WHITE,
    )
    return merge([plate, bars], "exit_sign")


@cache
def _door() -> Mesh:
    """A double steel door in its frame, facing +x."""
    leaves = boxes([[0.02, y, 1.05] for y in (-0.46, 0.46)], (0.04, 0.9, 2.1), STEEL)
    frame = boxes([[0.03, -0.97, 1.08], [0.03, 0.97, 1.08], [0.03, 0, 2.17]],
                  [[0.1, 0.08, 2.16], [0.1, 0.08, 2.16], [0.1, 2.02, 0.08]], WOOD)  # fmt: skip
    return merge([leaves, frame], "door")


@cache
def _barrier() -> Mesh:
    """A stand with tape, 2 m along y, for those who look on."""
    posts = boxes([[0, y, 0.5] for y in (-1.0, 1.0)], (0.05, 0.05, 1.0), STEEL)
    feet = boxes([[0, y, 0.02] for y in (-1.0, 1.0)], (0.4, 0.4, 0.04), STEEL)
    tape = boxes([[0, 0, z] for z in (0.85, 0.55)], (0.008, 1.95, 0.08), _TAPE)
    return merge([posts, feet, tape], "barrier")


def hall(half_x: float, half_y: float) -> Iterator[Placement]:
    """The hall round an arena of these half sizes [m], centred on the origin; its east end is dark."""
    x, y = half_x + MARGIN, half_y + MARGIN
    yield Placement.one("hall_walls", _walls(x, y))
    yield Placement.one("hall_roof", box((2 * x, 2 * y, 0.2), materials=(_ROOF,)), (0.0, 0.0, _HEIGHT + 0.1))
    beams = np.arange(-x + 2.0, x, 4.0)
    girders = boxes([[b, 0.0, _HEIGHT - 0.15] for b in beams], (0.12, 2 * y, 0.3), STEEL)
    yield Placement.one("hall_girders", girders)
    lit = -x + 2.0 * x * _LIT
    places = [
        [a, b, _HEIGHT - 0.3] for a in np.arange(-x + 2.0, lit, _APART) for b in np.arange(-y + 2.0, y - 1.0, _APART)
    ]
    yield Placement("lamps", (_lamp(),), poses(np.array(places)))
    yield Placement("doors", (_door(),), poses(np.array([[-x + 0.1, 0.0, 0.0]])))
    yield Placement("exit_signs", (_exit(),), poses(np.array([[-x + 0.12, 0.0, 2.5]])))
    stands = np.array([[a, -y + 1.0, 0.0] for a in np.arange(-half_x + 4.0, half_x, 2.4)])
    yield Placement("barriers", (_barrier(),), poses(stands, np.full(len(stands), np.pi / 2)))


def _walls(x: float, y: float) -> Mesh:
    """Four walls with a plinth, seen from within."""
    sides = [wall(2 * x, _HEIGHT, 0.2, _PLASTER).moved(p=(-x, s * (y + 0.1), 0.0)) for s in (-1, 1)]
    ends = [wall(2 * y, _HEIGHT, 0.2, _PLASTER).moved(turn(np.pi / 2), (s * (x + 0.1), -y, 0.0)) for s in (-1, 1)]
    plinth = boxes(
        [[0, -y, 0.6], [0, y, 0.6], [-x, 0, 0.6], [x, 0, 0.6]],
        [[2 * x, 0.04, 1.2], [2 * x, 0.04, 1.2], [0.04, 2 * y, 1.2], [0.04, 2 * y, 1.2]], CONCRETE,
    )  # fmt: skip
    return merge([*sides, *ends, plinth], "hall")
