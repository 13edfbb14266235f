"""An aircraft cut into strips: where each is, how large, and how its profile and flaps answer; plain arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from volery.robots.aircraft import Aircraft, Section, Surface
from volery.robots.airframe import Airframe, Bone

__all__ = ["PROFILE", "Strips", "flap_effect", "strips_of"]

PROFILE = ("slope", "zero_lift", "moment", "drag", "stall", "flap_lift", "flap_moment")
"""Columns of `Strips.profile`: lift slope [1/rad], angle without lift [rad], moment about the quarter chord, drag,
stall [rad], and what a flap adds: angle per angle, moment coefficient per angle [1/rad]."""


@dataclass(frozen=True, eq=False)
class Strips:
    """All strips of an aircraft, wing right to left, then surfaces; s of them."""

    bodies: tuple[str, ...]
    """Name of the body that carries each."""
    p_B: np.ndarray
    """Middle of the strip at mid-chord, in its body [s, 3] [m]."""
    R_BS: np.ndarray
    """Axes of the section in its body [s, 3, 3]: x to the leading edge, y along the span, z to the suction side."""
    half_chord: np.ndarray
    """[s] [m]."""
    length: np.ndarray
    """Along the span [s] [m]."""
    ends_B: np.ndarray
    """Both ends of its bound vortex at the quarter chord, in its body [s, 2, 3] [m]."""
    profile: np.ndarray
    """[s, 7]; see PROFILE."""
    control: np.ndarray
    """Number of the control that turns it, or -1, int64 [s]."""
    wing: np.ndarray
    """Whether it is of the wing, bool [s]."""

    def __len__(self) -> int:
        return len(self.bodies)


def flap_effect(share: float) -> tuple[float, float]:
    """What a flap of this share of the chord does per angle [rad]: angle of attack, and moment coefficient about the
    quarter chord, by thin-aerofoil theory. A surface that turns whole gives 1 and 0."""
    if share >= 1.0:
        return 1.0, 0.0
    hinge = math.acos(2 * share - 1)
    lift = (math.pi - hinge + math.sin(hinge)) / math.pi
    return lift, -0.5 * math.sin(hinge) * (1 - math.cos(hinge))


def strips_of(aircraft: Aircraft) -> Strips:
    """Strips of the wing, one for each bone and side of the root (cut where flaps begin and end), and of surfaces."""
    airframe = Airframe(aircraft)
    rows = [row for bone in _right_to_left(airframe) for row in _wing_rows(aircraft, bone)]
    rows += [row for surface in aircraft.surfaces for row in _surface_rows(aircraft, surface)]
    columns = [f.name for f in fields(Strips)]
    kinds = {"control": np.int64, "wing": np.bool_}
    return Strips(*(
        tuple(r[c] for r in rows) if c == "bodies" else np.array([r[c] for r in rows], kinds.get(c, np.float64))
        for c in columns
    ))  # fmt: skip


def _right_to_left(airframe: Airframe) -> list[Bone]:
    halves = [airframe.half(side)[:: (-1 if side < 0 else 1)] for side in airframe.aircraft.sides]
    return [bone for half in halves for bone in half]


def _wing_rows(aircraft: Aircraft, bone: Bone) -> list[dict]:
    wing = aircraft.wing
    half = wing.span / 2
    borders = {bone.start, bone.start + bone.length}
    for flap in wing.flaps:
        for share in (flap.start, flap.end):
            if bone.start + 0.05 * wing.element < share * half < bone.start + bone.length - 0.05 * wing.element:
                borders.add(share * half)
    order = sorted(borders)
    rows = [_wing_row(aircraft, bone, a, b) for a, b in pairwise(order)]
    return rows if bone.side > 0 else rows[::-1]


def _wing_row(aircraft: Aircraft, bone: Bone, start: float, end: float) -> dict:
    wing = aircraft.wing
    share = (start + end) / wing.span
    chord = wing.chord_at(share)
    turn = _nose_up(math.radians(wing.incidence_deg - wing.washout_deg * share))
    places = [np.array([0.0, bone.side * (s - bone.start), 0.0]) for s in (start, 0.5 * (start + end), end)]
    ahead = turn @ np.array([(wing.axis - 0.5) * chord, 0.0, 0.0])
    quarter = turn @ np.array([(wing.axis - 0.25) * chord, 0.0, 0.0])
    ends = [places[0] + quarter, places[2] + quarter]
    frame = (bone.p_R, bone.R_RB) if bone.number == 0 else (np.zeros(3), np.eye(3))
    control, effect = _flap_at(aircraft, bone, share)
    return _row(frame, bone.name, places[1] + ahead, turn, ends[:: bone.side], chord, end - start,
                (wing.section, control, effect, True))  # fmt: skip


def _flap_at(aircraft: Aircraft, bone: Bone, share: float) -> tuple[int, tuple[float, float]]:
    for flap in aircraft.wing.flaps:
        here = flap.side == "both" or (flap.side == "right") == (bone.side < 0)
        if here and flap.start <= share <= flap.end:
            return aircraft.control(flap.name), flap.effect or flap_effect(flap.chord)
    return -1, (0.0, 0.0)


def _surface_rows(aircraft: Aircraft, surface: Surface) -> list[dict]:
    """A fin's suction side is its right one: as on a wing, a trailing edge turned the other way pushes to it."""
    out = {"right": (0, -1, 0), "left": (0, 1, 0), "up": (0, 0, 1), "down": (0, 0, -1)}[surface.side]
    outward = np.array(out, float)
    stands = surface.side in ("up", "down")
    axes = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float) if stands else np.eye(3)
    R = axes @ _nose_up(math.radians(surface.incidence_deg))
    moves = surface.range_deg > 0
    control = aircraft.control(surface.name) if moves else -1
    effect = flap_effect(surface.flap) if moves else (0.0, 0.0)
    borders = np.linspace(0.0, surface.span, surface.strips + 1)
    forward = surface.side in ("left", "up")
    rows = []
    for a, b in pairwise(borders):
        middle = 0.5 * (a + b) * outward + R @ np.array([(surface.axis - 0.5) * surface.chord, 0, 0])
        quarter = R @ np.array([(surface.axis - 0.25) * surface.chord, 0, 0])
        ends = [a * outward + quarter, b * outward + quarter]
        rows.append(_row((np.zeros(3), np.eye(3)), surface.name, middle, R, ends if forward else ends[::-1],
                         surface.chord, b - a, (surface.section, control, effect, False)))  # fmt: skip
    return rows if forward else rows[::-1]


def _row(
    frame: tuple, body: str, p: np.ndarray, R: np.ndarray, ends: list, chord: float, length: float, rest: tuple
) -> dict:
    """p, R and ends are in a frame that is given in the body."""
    origin, axes = frame
    section, control, effect, wing = rest
    return {
        "bodies": body, "p_B": origin + axes @ p, "R_BS": axes @ R, "half_chord": chord / 2, "length": length,
        "ends_B": [origin + axes @ e for e in ends], "profile": _profile(section, effect), "control": control,
        "wing": wing,
    }  # fmt: skip


def _profile(section: Section, effect: tuple[float, float]) -> list[float]:
    angles = math.radians(section.zero_lift_deg), math.radians(section.stall_deg)
    return [section.slope, angles[0], section.moment, section.drag, angles[1], *effect]


def _nose_up(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
