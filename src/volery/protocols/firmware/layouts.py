"""Where flight firmwares have their motors and which way each turns, and the rotor of a robot that each of them is.

Angles are clockwise from the nose seen from above [deg], as the firmwares' documents draw them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from volery.errors import RobotError
from volery.robots.robot import Robot

__all__ = ["LAYOUTS", "Fit", "MotorLayout", "fit"]

_NEAR = 12.0
"""A rotor is where a layout has a motor if it is within this of its angle [deg]."""


@dataclass(frozen=True)
class MotorLayout:
    """The motors of one frame of a firmware, in the firmware's order."""

    name: str
    motors: tuple[tuple[float, str], ...]
    """Angle, and `ccw` or `cw` seen from above."""
    parameters: tuple[tuple[str, float], ...] = ()
    """What the firmware must be told for it."""
    coaxial: bool = False
    """Whether two motors share each angle."""


@dataclass(frozen=True)
class Fit:
    """How a robot is wired to a firmware's outputs."""

    layout: MotorLayout
    order: tuple[int, ...]
    """Number of the robot's rotor for each of the firmware's motors."""
    turned: bool
    """Whether all propellers must be changed for such as turn the other way."""


def _layout(name: str, motors: str, coaxial: bool = False, **parameters: float) -> MotorLayout:
    """From words such as `45ccw -135ccw -45cw 135cw`."""
    pairs = tuple((float(w.rstrip("cw")), "ccw" if w.endswith("ccw") else "cw") for w in motors.split())
    return MotorLayout(name, pairs, tuple(parameters.items()), coaxial)


_HEXA_X = "90cw -90ccw -30cw 150ccw 30ccw -150cw"
_HEXA_PLUS = "0cw 180ccw -120cw 60ccw -60ccw 120cw"
_OCTO_X = "22.5cw -157.5cw 67.5ccw 157.5ccw -22.5ccw -112.5ccw -67.5cw 112.5cw"
_OCTO_PLUS = "0cw 180cw 45ccw 135ccw -45ccw -135ccw -90cw 90cw"
_COAXIAL = "45ccw -45cw -135ccw 135cw -45ccw 45cw 135ccw -135cw"

LAYOUTS: dict[str, tuple[MotorLayout, ...]] = {
    "ardupilot": (
        _layout("quad x", "45ccw -135ccw -45cw 135cw", FRAME_CLASS=1, FRAME_TYPE=1),
        _layout("quad plus", "90ccw -90ccw 0cw 180cw", FRAME_CLASS=1, FRAME_TYPE=0),
        _layout("quad h", "45cw -135cw -45ccw 135ccw", FRAME_CLASS=1, FRAME_TYPE=3),
        _layout("hexa x", _HEXA_X, FRAME_CLASS=2, FRAME_TYPE=1),
        _layout("hexa plus", _HEXA_PLUS, FRAME_CLASS=2, FRAME_TYPE=0),
        _layout("octo x", _OCTO_X, FRAME_CLASS=3, FRAME_TYPE=1),
        _layout("octo plus", _OCTO_PLUS, FRAME_CLASS=3, FRAME_TYPE=0),
        _layout("octoquad x", _COAXIAL, coaxial=True, FRAME_CLASS=4, FRAME_TYPE=1),
    ),
    "px4": (
        _layout("4001 quad x", "45ccw -135ccw -45cw 135cw"),
        _layout("5001 quad +", "90ccw -90ccw 0cw 180cw"),
        _layout("6001 hexa x", _HEXA_X),
        _layout("7001 hexa +", _HEXA_PLUS),
        _layout("8001 octo x", _OCTO_X),
        _layout("9001 octo +", _OCTO_PLUS),
        _layout("12001 octo coaxial", _COAXIAL, coaxial=True),
    ),
    "betaflight": (
        _layout("QUADX", "135cw 45ccw -135ccw -45cw"),
        _layout("QUADX, yaw_motors_reversed", "135ccw 45cw -135cw -45ccw"),
        _layout("QUADP", "180cw 90ccw -90ccw 0cw"),
        _layout("HEX6X", "150ccw 30ccw -150cw -30cw 90cw -90ccw"),
        _layout("HEX6", "120ccw 60cw -120ccw -60cw 0ccw 180cw"),
        _layout("OCTOFLATX", "-67.5ccw 22.5ccw 112.5ccw -157.5ccw -22.5cw 67.5cw 157.5cw -112.5cw"),
        _layout("OCTOFLATP", "-45ccw 45ccw 135ccw -135ccw 0cw 90cw 180cw -90cw"),
        _layout("OCTOX8", "135cw 45ccw -135ccw -45cw 135ccw 45cw -135cw -45ccw", coaxial=True),
    ),
}
"""By firmware: ArduPilot's frame classes and types, PX4's airframes, Betaflight's mixers."""


def fit(firmware: str, robot: Robot) -> Fit:
    """How the motors of a firmware are those of a robot. If no layout fits as it is, propellers are turned round."""
    assert robot.file is not None and robot.file.multirotor is not None
    rotors = robot.file.multirotor.rotors
    hubs = np.array([rotor.hub(robot.description) for rotor in rotors])
    middle = hubs.mean(axis=0)
    angles = [math.degrees(math.atan2(-(h - middle)[1], (h - middle)[0])) for h in hubs]
    spins = [rotor.spin for rotor in rotors]
    other = {"ccw": "cw", "cw": "ccw"}
    for turned in (False, True):
        ways = [other[s] if turned else s for s in spins]
        for layout in LAYOUTS[firmware]:
            order = _order(layout, angles, ways)
            if order is not None:
                return Fit(layout, order, turned)
    known = ", ".join(layout.name for layout in LAYOUTS[firmware])
    places = ", ".join(f"{a:.0f}° {s}" for a, s in zip(angles, spins, strict=True))
    raise RobotError(
        f"robot '{robot.name}' has rotors at {places} (clockwise from the nose); none of {firmware}'s frames has such: "
        f"{known}"
    )


def _order(layout: MotorLayout, angles: list[float], spins: list[str]) -> tuple[int, ...] | None:
    """The rotor of each motor, each rotor once."""
    if len(layout.motors) != len(angles):
        return None
    order: list[int] = []
    for angle, spin in layout.motors:
        near = [
            k
            for k, (a, s) in enumerate(zip(angles, spins, strict=True))
            if s == spin and k not in order and abs((a - angle + 180.0) % 360.0 - 180.0) < _NEAR
        ]
        if len(near) != 1:
            return None
        order.append(near[0])
    return tuple(order)
