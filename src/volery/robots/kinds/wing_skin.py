"""The skin of a wing: rings of a profile along the beam, bound to bones.

Each module has a patch of its own, which follows its own bones only, so that modules can come apart. All are one mesh:
what bends costs by the mesh.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from volery.core.frames import quat_from_matrix
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.kinds.airframe import Airframe, Bone

__all__ = ["add_skin"]

_POINTS = 7
"""Of the profile, on each side, both ends included."""
_ROUND = 2 * _POINTS - 1
"""Corners of a ring: from the trailing edge over the upper side to the nose and back below."""
_OVERLAP = 0.02
"""How far a module's skin reaches under its neighbour's [m]."""
_CELLS = (0.05, 0.07, 0.17)
"""Colour of solar cells, linear RGB."""


@dataclass
class _Ring:
    """A profile at one place of the beam: its corners [m], and the bones it follows."""

    corners: np.ndarray
    weights: dict[str, float] = field(default_factory=dict)


def add_skin(root: ET.Element, airframe: Airframe) -> None:
    """Give a model the skin of its wing."""
    modules = _modules(airframe)
    rings = [ring for module in modules for ring in module]
    ends = np.cumsum([len(m) for m in modules]) - 1
    faces = []
    for r in sorted(set(range(len(rings))) - set(ends.tolist())):
        for p in range(_ROUND - 1):
            # Rings go to the left, corners forward above and aft below: this way round is outside.
            a, b = r * _ROUND + p, (r + 1) * _ROUND + p
            faces += [[a, a + 1, b], [a + 1, b + 1, b]]
    deformable = ET.SubElement(root, "deformable")
    vertices = np.concatenate([ring.corners for ring in rings])
    skin = ET.SubElement(
        deformable, "skin", name="skin", rgba=_numbers([*_CELLS, 1.0]), vertex=_numbers(vertices.ravel()),
        face=" ".join(str(i) for f in faces for i in f),
    )  # fmt: skip
    for bone in dict.fromkeys(b for ring in rings for b in ring.weights):
        ids = [
            (r * _ROUND + p, k.weights[bone]) for r, k in enumerate(rings) if bone in k.weights for p in range(_ROUND)
        ]
        at = airframe.bones.get(bone)
        place, turn = (np.zeros(3), np.eye(3)) if at is None else (at.p_R, at.R_RB)
        ET.SubElement(
            skin, "bone", body=bone, bindpos=_numbers(place), bindquat=_numbers(quat_from_matrix(turn)),
            vertid=" ".join(str(i) for i, _ in ids), vertweight=_numbers([w for _, w in ids]),
        )  # fmt: skip


def _modules(airframe: Airframe) -> list[list[_Ring]]:
    """Rings of each module from right to left; the one in the middle reaches over both halves."""
    craft = airframe.aircraft
    borders = [0, *craft.wing.cuts, craft.wing.bones + 1]
    found: list[list[_Ring]] = []
    middle: list[_Ring] = []
    for side in craft.sides:
        half = airframe.half(side)
        for first, last in pairwise(borders):
            bones = half[first:last]
            rings = [r for bone in bones for r in _rings(craft, half, bone, bone is bones[0], bone is bones[-1])]
            if first > 0:
                found.append(rings if side > 0 else rings[::-1])
            else:
                middle = [*middle, *rings] if side > 0 else rings[::-1]
    return [middle, *found]


def _rings(craft: Aircraft, half: list[Bone], bone: Bone, first: bool, last: bool) -> list[_Ring]:
    """Of one bone, root to tip; at the ends of a module the ring follows this bone alone."""
    wing = craft.wing
    n, tip = bone.number, bone.number == wing.bones
    shares = [0.5, 1.0] if not first or n == 0 else [0.0, 0.5, 1.0]
    rings = []
    for share in shares:
        at = share * bone.length
        weights = {bone.name: 1.0}
        if share == 1.0 and not last:
            weights = {bone.name: 0.5, half[n + 1].name: 0.5}
        if (share == 1.0 and last and not tip) or (share == 0.0 and n > 0):
            at += _OVERLAP if share == 1.0 else -_OVERLAP
        rings.append(_ring(craft, bone, at, 0.6 if tip and share == 1.0 else 1.0, weights))
    return rings


def _ring(craft: Aircraft, bone: Bone, at: float, size: float, weights: dict[str, float]) -> _Ring:
    """The profile at a distance from a bone's inner end, in the root's frame."""
    wing = craft.wing
    share = min((bone.start + at) / (wing.span / 2), 1.0)
    chord = wing.chord_at(share)
    angle = np.radians(wing.incidence_deg - wing.washout_deg * share)
    x, thick = _profile(wing.section.thickness)
    camber = -0.5 * np.radians(wing.section.zero_lift_deg) * 4 * x * (1 - x) * 0.5
    places = []
    for half in (thick, -thick):
        ahead = chord * (wing.at("axis", share) - (0.5 + size * (x - 0.5)))
        up = chord * (camber + half) * size
        turned = np.stack([ahead * np.cos(angle) - up * np.sin(angle), np.full_like(x, bone.side * at),
                           ahead * np.sin(angle) + up * np.cos(angle)], axis=1)  # fmt: skip
        places.append(bone.p_R + turned @ bone.R_RB.T)
    return _Ring(np.concatenate([places[0][::-1], places[1][1:]]), weights)


def _profile(thickness: float) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the chord from the leading edge, and half the thickness there, of a NACA 00xx."""
    x = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, _POINTS))
    t = 0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4
    return x, 5 * thickness * t


def _numbers(values: np.ndarray | list[Any]) -> str:
    return " ".join(f"{v:.9g}" for v in values)
