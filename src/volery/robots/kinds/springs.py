"""Springs between the bones of a beam: stiffness from its tables, coupled bending and twisting as hinges askew."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from volery.robots.kinds.airframe import Bone
from volery.robots.kinds.wing import Wing

__all__ = ["Spring", "wing_moments", "wing_springs"]


@dataclass(frozen=True)
class Spring:
    """A hinge with a spring at a bone's inner end."""

    kind: str
    """'edge', 'bend' or 'twist'; with bend-twist coupling the latter two stand askew, by `lean`."""
    axis: tuple[float, float, float]
    """Unit vector in the bone's frame."""
    stiffness: float
    """[N m/rad]."""
    lean: float = 0.0
    """From the axis of bending towards that of twisting [rad]."""


def wing_springs(wing: Wing, bone: Bone) -> list[Spring]:
    """Of a wing's bone, for the length of beam whose middle its inner end is."""
    start, end = (bone.number - 1) * wing.element, bone.number * wing.element
    (bend, coupled), (_, twist) = _bend_twist(wing, start, end)
    # The angle that makes the two independent; within 45°, so that bending stays mostly bending.
    lean = 0.0
    if coupled:
        lean = 0.5 * math.atan(2 * coupled / (bend - twist)) if bend != twist else math.copysign(math.pi / 4, coupled)
    c, s = math.cos(lean), math.sin(lean)
    springs = []
    if wing.has("edge_stiffness"):
        springs.append(Spring("edge", (0.0, 0.0, -bone.side), _edge(wing, start, end)))
    first = c * c * bend + 2 * c * s * coupled + s * s * twist
    second = s * s * bend - 2 * c * s * coupled + c * c * twist
    springs.append(Spring("bend", (c * bone.side, 0.0 - s, 0.0), first, lean))
    springs.append(Spring("twist", (0.0 - s * bone.side, -c, 0.0), second, lean))
    # Large turns about different axes do not commute: what a bone gets wrong by the order of its hinges, the next
    # undoes by the other order, so that shapes and modes converge with the square of a bone's length.
    return springs if bone.number % 2 else springs[::-1]


def wing_moments(bend: float, twist: float, lean: float) -> tuple[float, float]:
    """Moments up and nose up from those of the two hinges of a bone [N m]."""
    c, s = math.cos(lean), math.sin(lean)
    return c * bend - s * twist, s * bend + c * twist


def _bend_twist(wing: Wing, start: float, end: float) -> np.ndarray:
    """Stiffness of bending and twisting [2, 2] [N m/rad]."""
    if not wing.stations:
        even = [[wing.bend_stiffness, wing.bend_twist], [wing.bend_twist, wing.twist_stiffness]]
        return np.array(even) / wing.element
    total = np.zeros((2, 2))
    for y, length in wing.pieces(start, end):
        share = y / (wing.span / 2)
        bend, twist, coupled = (wing.at(n, share) for n in ("bend_stiffness", "twist_stiffness", "bend_twist"))
        total += length * np.linalg.inv([[bend, coupled], [coupled, twist]])
    return np.linalg.inv(total)


def _edge(wing: Wing, start: float, end: float) -> float:
    """Stiffness fore and aft [N m/rad]."""
    if not wing.stations:
        return wing.at("edge_stiffness", 0.0) / wing.element
    return 1 / sum(n / wing.at("edge_stiffness", y / (wing.span / 2)) for y, n in wing.pieces(start, end))
