"""People to be found in rescue arenas: where they are, and simple warm figures of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from volery.core.geometry import Mesh, box, merge
from volery.core.material import Material
from volery.world.generate.parts import CONCRETE, WOOD, boxes, turn, wall
from volery.world.generate.victim_figure import LOOKS, body

__all__ = ["BOX_HEAD", "FIGURES", "KINDS", "SHELTERS", "STATES", "Victim", "animated", "figure", "shelter"]

KINDS: tuple[Literal["surface", "trapped", "void", "entombed"], ...] = ("surface", "trapped", "void", "entombed")
"""In the open; under something heavy; in a hollow; closed in, seen through a hole."""
STATES: tuple[Literal["aware", "semi-conscious", "unaware"], ...] = ("aware", "semi-conscious", "unaware")
"""How much a victim notices."""


@dataclass(frozen=True)
class Victim:
    """One person to be found."""

    name: str
    p: tuple[float, float, float]
    """The middle of the floor below [m]; of the head for those in boxes."""
    yaw: float
    """Where the open side of the place looks [rad]: from there the victim can be seen."""
    kind: Literal["surface", "trapped", "void", "entombed"]
    state: Literal["aware", "semi-conscious", "unaware"]
    """The aware call for help: their face has sound."""


def _face(kind: str, state: str) -> Material:
    """Skin of the face, which tells the state of the person."""
    power = {"aware": 1e-4, "semi-conscious": 1e-6, "unaware": 0.0}[state]
    r, g, b = (1.02 * c for c in LOOKS[kind].skin)
    return Material(f"skin_{state}", (r, g, b), label="victim", reflectivity=0.5, temperature=306.0, sound=power)


_SITTING = {
    "hip": (-0.3, 0, 0.14), "chest": (-0.38, 0, 0.5), "head": (-0.36, 0, 0.8), "side": (0, 1, 0),
    "left_elbow": (-0.3, 0.28, 0.35), "left_hand": (-0.05, 0.22, 0.3),
    "right_elbow": (-0.3, -0.28, 0.6), "right_hand": (-0.2, -0.34, 0.88),
    "left_knee": (0.05, 0.12, 0.36), "left_foot": (0.28, 0.12, 0.06),
    "right_knee": (0.1, -0.12, 0.12), "right_foot": (0.42, -0.16, 0.06),
}  # fmt: skip
_CURLED = {
    "hip": (0.3, 0.05, 0.14), "chest": (-0.12, 0.05, 0.16), "head": (-0.42, -0.04, 0.13), "side": (0, 0.5, 0.7),
    "left_elbow": (-0.1, -0.22, 0.22), "left_hand": (-0.32, -0.3, 0.1),
    "right_elbow": (-0.2, -0.2, 0.06), "right_hand": (-0.42, -0.32, 0.06),
    "left_knee": (0.12, -0.32, 0.2), "left_foot": (0.45, -0.34, 0.1),
    "right_knee": (0.06, -0.3, 0.08), "right_foot": (0.4, -0.4, 0.06),
}  # fmt: skip
_PRONE = {
    "hip": (-0.3, 0, 0.15), "chest": (0.1, 0, 0.16), "head": (0.38, 0, 0.14), "side": (0, 1, 0),
    "left_elbow": (0.3, 0.3, 0.06), "left_hand": (0.52, 0.22, 0.05),
    "right_elbow": (0.12, -0.36, 0.06), "right_hand": (0.38, -0.4, 0.05),
}  # fmt: skip
_DOLL = {
    "hip": (-0.06, 0, -0.4), "chest": (-0.06, 0, -0.22), "head": (0, 0, 0.0), "side": (0, 0.6, 0),
    "left_elbow": (0.08, 0.2, -0.25), "left_hand": (0.2, 0.1, -0.12),
    "right_elbow": (0.06, -0.2, -0.25), "right_hand": (0.14, -0.16, -0.2),
}  # fmt: skip
FIGURES = {"surface": _SITTING, "trapped": _PRONE, "void": _CURLED, "entombed": _DOLL}
"""Joints [m] of the figure of each kind; x looks to where it can be seen from."""


@cache
def figure(kind: str, state: str) -> Mesh:
    """A person in the pose that belongs to the kind of place; all of it is at 306 K."""
    if kind == "entombed":
        return body(_DOLL, LOOKS[kind], _face(kind, state), (-1, 0, 0.3)).moved(scale=0.45)
    back = {"surface": (-1, 0, 0.3), "void": (0.2, 1, 0.3), "trapped": (-0.3, 0, 1)}[kind]
    return body(FIGURES[kind], LOOKS[kind], _face(kind, state), back)


_POSES = {"surface": "sitting", "trapped": "prone", "void": "curled", "entombed": "doll"}
_MOVING = {"aware": "aware", "semi-conscious": "dazed"}


def animated(kind: str, state: str) -> str:
    """Name of the robot that is the same figure in motion (robots/models/people); empty: it lies still."""
    return f"victim_{_POSES[kind]}_{_MOVING[state]}" if state in _MOVING else ""


BOX_HEAD = 0.68
"""Height of the head of the one in the upper box [m]."""


def _box_stack() -> Mesh:
    """Two boxes of 0.4 m; the upper one has a hole of 15 cm, behind which the victim is."""
    t = 0.015
    front = wall(0.4, 0.4, t, WOOD, ((0.125, 0.275, 0.2, 0.35),)).moved(turn(np.pi / 2), (0.2, -0.2, 0))
    back = wall(0.4, 0.4, t, WOOD).moved(turn(np.pi / 2), (-0.2, -0.2, 0))
    sides = boxes([[0, y, 0.2] for y in (-0.2, 0.2)], (0.4, t, 0.4), WOOD)
    lids = boxes([[0, 0, z] for z in (0.01, 0.395)], (0.4, 0.4, t), WOOD)
    upper = merge([front, back, sides, lids]).moved(p=(0, 0, 0.4))
    lower = box((0.4, 0.4, 0.4), materials=(WOOD,)).moved(p=(0, 0, 0.2))
    return merge([lower, upper], "victim_box")


def _lean_to() -> Mesh:
    """A broken floor that leans on two stubs, with a hollow below that is open to x."""
    slab = box((1.25, 1.1, 0.06), materials=(CONCRETE,)).moved(turn(0, np.radians(50)), (0.02, 0, 0.5))
    stubs = boxes([[-0.36, y, 0.45] for y in (-0.48, 0.48)], (0.1, 0.1, 0.9), CONCRETE)
    return merge([slab, stubs], "lean_to").moved(turn(np.pi / 2))


def _fallen_slab() -> Mesh:
    """A slab and a beam that lie across the legs of a person."""
    slab = box((0.5, 0.95, 0.08), materials=(CONCRETE,)).moved(turn(0.12, 0.18, 0.06), (-0.34, 0.02, 0.36))
    beam = box((0.12, 1.1, 0.14), materials=(WOOD,)).moved(turn(-0.2), (-0.48, 0, 0.12))
    return merge([slab, beam], "fallen_slab")


SHELTERS = {"trapped": _fallen_slab, "void": _lean_to, "entombed": _box_stack}
"""What stands around the victim of each kind."""


@cache
def shelter(kind: str) -> Mesh:
    """The mesh of one of SHELTERS, x looking to where the victim can be seen from."""
    return SHELTERS[kind]()
