"""The skin of a wing: film over ribs and spar, solar cells, and the gaps round its flaps, bound to bones.

Each module has patches of its own, which follow its own bones only, so that modules can come apart. What has one colour
is one mesh: what bends costs by the mesh.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from volery.core.frames import quat_from_matrix
from volery.robots.kinds.aircraft import Aircraft
from volery.robots.kinds.airframe import Airframe, Bone

__all__ = ["add_skin"]

_UPPER = (0.0, 0.006, 0.025, 0.06, 0.10, 0.30, 0.50, 0.70, 1.0)
"""Shares of the chord at which the upper side has corners; cells lie between those from `_ROWS` on."""
_LOWER = (0.012, 0.05, 0.15, 0.35, 0.7, 1.0)
_ROWS = ((0.10, 0.30), (0.30, 0.50), (0.50, 0.70))
"""Rows of cells, from and to."""
_CELL, _APART = 0.53, 0.035
"""Length of a module of cells along the span, about, and what is free between two [m]."""
_PROUD = 0.006
"""How far cells and lines stand over the film [m]."""
_SPAR = (0.30, 0.36)
_OVERLAP = 0.02
"""How far a module's skin reaches under its neighbour's [m]."""
_COLOURS = {"film": (0.66, 0.66, 0.62), "cells": (0.012, 0.022, 0.085), "lines": (0.06, 0.06, 0.065)}
"""Linear RGB."""


@dataclass
class _Sheet:
    """All that has one colour: corners with the bones that each follows, and faces."""

    corners: list[np.ndarray] = field(default_factory=list)
    weights: list[dict[str, float]] = field(default_factory=list)
    faces: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, p: np.ndarray, weights: dict[str, float]) -> int:
        """A corner; its number."""
        self.corners.append(p)
        self.weights.append(weights)
        return len(self.corners) - 1

    def quad(self, a: int, b: int, c: int, d: int) -> None:
        """Two faces, counter-clockwise from outside."""
        self.faces += [(a, b, c), (a, c, d)]


class _Stretch:
    """One bone's part of the wing and what its skin follows there."""

    def __init__(self, craft: Aircraft, bone: Bone, inner: Bone | None, outer: Bone | None) -> None:
        """inner, outer: neighbours of the same module, if there are any."""
        self.craft, self.bone, self.inner, self.outer = craft, bone, inner, outer
        self.tip = bone.number == craft.wing.bones
        # What ends a module reaches under the next one; the middle's two halves meet without.
        self.start = -_OVERLAP if inner is None and bone.number > 0 else 0.0
        self.end = bone.length + (_OVERLAP if outer is None and not self.tip else 0.0)

    def weights(self, at: float) -> dict[str, float]:
        """Of the bones that skin at a distance from the bone's inner end follows."""
        half = 0.5 * self.bone.length
        inward = self.inner if at < half else self.outer
        if inward is None or (self.bone.number == 0 and at < half):
            return {self.bone.name: 1.0}
        own = 0.5 + 0.5 * min(at if at < half else self.bone.length - at, half) / half
        return {self.bone.name: own, inward.name: 1.0 - own} if own < 1.0 else {self.bone.name: 1.0}

    def place(self, at: float, x: float, above: bool, proud: float = 0.0) -> np.ndarray:
        """A point of the profile at a share of the chord, in the root's frame [m]."""
        wing, bone = self.craft.wing, self.bone
        share = min((bone.start + at) / (wing.span / 2), 1.0)
        size = 1.0 - 0.4 * max(0.0, at / bone.length - 0.5) * 2 if self.tip else 1.0
        chord, angle = wing.chord_at(share), np.radians(wing.incidence_deg - wing.washout_deg * share)
        t = 0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4
        camber = -0.5 * np.radians(wing.section.zero_lift_deg) * 4 * x * (1 - x) * 0.5
        side = 1.0 if above else -1.0
        ahead = chord * (wing.at("axis", share) - (0.5 + size * (x - 0.5)))
        up = chord * (camber + side * 5 * wing.section.thickness * t) * size + side * proud
        c, s = np.cos(angle), np.sin(angle)
        return bone.p_R + bone.R_RB @ [ahead * c - up * s, bone.side * at, ahead * s + up * c]

    def quad(self, sheet: _Sheet, x: tuple[float, float], at: tuple[float, float], above: bool) -> None:
        """A piece that stands over the film, with edges where that has some."""
        shares = sorted({*x, *(c for c in (_UPPER if above else _LOWER) if x[0] < c < x[1])})
        places = sorted({*at, *(m for m in (0.5 * self.bone.length,) if at[0] < m < at[1])})
        rows = [[sheet.add(self.place(y, share, above, _PROUD), self.weights(y)) for share in shares] for y in places]
        for one, other in pairwise(rows if (self.bone.side > 0) == above else rows[::-1]):
            for k in range(len(one) - 1):
                sheet.quad(one[k], other[k], other[k + 1], one[k + 1])


def add_skin(root: ET.Element, airframe: Airframe) -> None:
    """Give a model the skin of its wing."""
    sheets = {name: _Sheet() for name in _COLOURS}
    for module in _modules(airframe):
        for stretches in module:
            _add_film(sheets["film"], stretches)
            for stretch in stretches:
                _add_cells(sheets["cells"], stretch)
                _add_lines(sheets["lines"], stretch)
    deformable = ET.SubElement(root, "deformable")
    for name, sheet in sheets.items():
        if sheet.faces:
            _write(deformable, name, sheet, airframe)


def _modules(airframe: Airframe) -> list[list[list[_Stretch]]]:
    """Stretches of each module, root to tip, by half; the module in the middle has two halves."""
    craft = airframe.aircraft
    borders = [0, *craft.wing.cuts, craft.wing.bones + 1]
    middle: list[list[_Stretch]] = []
    found: list[list[list[_Stretch]]] = []
    for side in craft.sides:
        half = airframe.half(side)
        for first, last in pairwise(borders):
            bones = half[first:last]
            padded: list[Bone | None] = [None, *bones, None]
            stretches = [_Stretch(craft, bone, padded[k], padded[k + 2]) for k, bone in enumerate(bones)]
            if first == 0:
                middle.append(stretches)
            else:
                found.append([stretches])
    return [middle, *found]


def _add_film(sheet: _Sheet, stretches: list[_Stretch]) -> None:
    """Rings of the whole profile, at ends and middles of bones."""
    rings: list[list[int]] = []
    for stretch in stretches:
        for at in (stretch.start, 0.5 * stretch.bone.length, stretch.end):
            if rings and at == stretch.start:
                continue
            corners = [(x, True) for x in _UPPER[::-1]] + [(x, False) for x in _LOWER]
            rings.append([sheet.add(stretch.place(at, x, above), stretch.weights(at)) for x, above in corners])
    for one, other in pairwise(rings if stretches[0].bone.side > 0 else rings[::-1]):
        for p in range(len(one) - 1):
            sheet.quad(one[p], one[p + 1], other[p + 1], other[p])


def _add_cells(sheet: _Sheet, stretch: _Stretch) -> None:
    """Modules of cells between the ribs."""
    count = max(round(stretch.bone.length / _CELL), 1)
    if stretch.craft.panels == 0.0 or (stretch.tip and count == 1):
        return
    borders = np.linspace(0.0, stretch.bone.length, count + 1)
    for start, end in pairwise(borders[: -1 if stretch.tip else None].tolist()):
        for fore, aft in _ROWS:
            inset = 0.5 * _APART / stretch.craft.wing.chord
            ends = (start + 0.5 * _APART, end - 0.5 * _APART)
            stretch.quad(sheet, (fore + inset, aft - inset), ends, above=True)


def _add_lines(sheet: _Sheet, stretch: _Stretch) -> None:
    """Spar and ribs below, where they show through the film, and the gaps round flaps."""
    wing, bone = stretch.craft.wing, stretch.bone
    stretch.quad(sheet, _SPAR, (0.0, bone.length), above=False)
    for rib in np.arange(0.25, 1.0, 0.5) * bone.length:
        stretch.quad(sheet, (0.06, 0.97), (rib - 0.01, rib + 0.01), above=False)
    half, name = wing.span / 2, "right" if bone.side < 0 else "left"
    for flap in wing.flaps:
        if flap.side not in ("both", name):
            continue
        start, end = (min(max(share * half - bone.start, 0.0), bone.length) for share in (flap.start, flap.end))
        hinge = 1.0 - flap.chord
        if end - start > 0.05:
            for above in (True, False):
                stretch.quad(sheet, (hinge - 0.006, hinge + 0.006), (start, end), above)
                for at in (flap.start * half - bone.start, flap.end * half - bone.start):
                    if 0.0 <= at <= bone.length:
                        stretch.quad(sheet, (hinge, 1.0), (at - 0.008, at + 0.008), above)


def _write(deformable: ET.Element, name: str, sheet: _Sheet, airframe: Airframe) -> None:
    skin = ET.SubElement(
        deformable, "skin", name=name, rgba=_numbers([*_COLOURS[name], 1.0]),
        vertex=_numbers(np.concatenate(sheet.corners)), face=" ".join(str(i) for f in sheet.faces for i in f),
    )  # fmt: skip
    for bone in dict.fromkeys(b for weights in sheet.weights for b in weights):
        followers = [(i, w[bone]) for i, w in enumerate(sheet.weights) if bone in w]
        at = airframe.bones.get(bone)
        place, turn = (np.zeros(3), np.eye(3)) if at is None else (at.p_R, at.R_RB)
        ET.SubElement(
            skin, "bone", body=bone, bindpos=_numbers(place), bindquat=_numbers(quat_from_matrix(turn)),
            vertid=" ".join(str(i) for i, _ in followers), vertweight=_numbers([w for _, w in followers]),
        )  # fmt: skip


def _numbers(values: np.ndarray | list[float]) -> str:
    return " ".join(f"{v:.9g}" for v in values)
