"""An aircraft cut into strips: where each is, how large, and how its profile and flaps answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from volery import _native
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Surface
from volery.robots.kinds.airframe import Airframe, Bone

__all__ = ["Strips", "flap_effect", "strips_of"]


@dataclass(frozen=True, eq=False)
class Strips:
    """All strips of an aircraft, wing right to left, then surfaces; s of them."""

    bodies: tuple[str, ...]
    """Name of the body that carries each."""
    rows: np.ndarray
    """`Strip` [s], but for the numbers of bodies and parts, which the model gives: place `p_B` of the middle at
    mid-chord and axes `R_BS` of the section in its body, x to the leading edge, y along the span, z to the suction
    side; `ends_B` [2, 3] of its bound vortex at the quarter chord; `half_chord` and `length` along the span [m]; lift
    `slope` [1/rad], angle `zero_lift` without lift [rad], `moment` about the quarter chord, `drag`, `stall` [rad], and
    what a flap adds: `flap_lift` angle per angle, `flap_moment` coefficient per angle [1/rad]; the number of the
    `control` that turns it, or -1."""
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
    made = np.zeros(len(rows), _native.elastic.Strip)
    for place, (_, row, _) in zip(made, rows, strict=True):
        for name, value in row.items():
            place[name] = value
    return Strips(tuple(body for body, _, _ in rows), made, np.array([wing for _, _, wing in rows], np.bool_))


def _right_to_left(airframe: Airframe) -> list[Bone]:
    halves = [airframe.half(side)[:: (-1 if side < 0 else 1)] for side in airframe.aircraft.sides]
    return [bone for half in halves for bone in half]


def _wing_rows(aircraft: Aircraft, bone: Bone) -> list[tuple[Any, ...]]:
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


def _wing_row(aircraft: Aircraft, bone: Bone, start: float, end: float) -> tuple[Any, ...]:
    wing = aircraft.wing
    share = (start + end) / wing.span
    chord = wing.chord_at(share)
    turn = _nose_up(math.radians(wing.incidence_deg - wing.washout_deg * share))
    places = [np.array([0.0, bone.side * (s - bone.start), 0.0]) for s in (start, 0.5 * (start + end), end)]
    ahead = turn @ np.array([(wing.at("axis", share) - 0.5) * chord, 0.0, 0.0])
    quarter = turn @ np.array([(wing.at("axis", share) - 0.25) * chord, 0.0, 0.0])
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


def _surface_rows(aircraft: Aircraft, surface: Surface) -> list[tuple[Any, ...]]:
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
    frame: tuple[Any, ...],
    body: str,
    p: np.ndarray,
    R: np.ndarray,
    ends: list[Any],
    chord: float,
    length: float,
    rest: tuple[Any, ...],
) -> tuple[str, dict[str, Any], bool]:
    """Its body, fields of `Strip`, and whether it is of the wing. p, R and ends are in a frame given in the body."""
    origin, axes = frame
    section, control, effect, wing = rest
    return body, {
        "p_B": origin + axes @ p, "R_BS": axes @ R, "half_chord": chord / 2, "length": length,
        "ends_B": [origin + axes @ e for e in ends], "control": control, **_profile(section, effect),
    }, wing  # fmt: skip


def _profile(section: AirfoilSection, effect: tuple[float, float]) -> dict[str, float]:
    return {
        "slope": section.slope, "zero_lift": math.radians(section.zero_lift_deg), "moment": section.moment,
        "drag": section.drag, "stall": math.radians(section.stall_deg), "flap_lift": effect[0],
        "flap_moment": effect[1],
    }  # fmt: skip


def _nose_up(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
