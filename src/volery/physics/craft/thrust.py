"""What fans and vanes of a craft's file are to the kernels."""

from __future__ import annotations

import math

import numpy as np

from volery import _native
from volery.robots.kinds.craft import Craft

__all__ = ["fan_table", "vane_table"]

_WAY = {"ccw": -1.0, "cw": 1.0, "none": 0.0}
"""A fan that turns counter-clockwise twists its craft clockwise."""


def fan_table(craft: Craft) -> np.ndarray:
    """Constants of all fans, `Fan` [n]."""
    rows = np.zeros(len(craft.fans), _native.craft.Fan)
    for row, fan in zip(rows, craft.fans, strict=True):
        row["p_B"], row["axis_B"] = fan.position, np.array(fan.axis) / np.linalg.norm(fan.axis)
        row["area"], row["radius"] = math.pi * fan.radius**2, fan.radius
        row["least"], row["most"], row["lag"] = fan.least_thrust, fan.most_thrust, fan.time_constant
        row["ratio"], row["tilt_lag"] = _WAY[fan.spin] * fan.torque_ratio, 1.0
        row["speed"] = -fan.speed if fan.spin == "cw" else fan.speed
        if fan.flapping is not None:
            row["most_tilt"] = math.radians(fan.flapping.most_deg)
            row["tilt_lag"], row["hub"] = fan.flapping.time_constant, fan.flapping.stiffness
    return rows


def vane_table(craft: Craft) -> np.ndarray:
    """Constants of all vanes of all fans in order, `Vane` [m]; for fans whose axis is the robot's z."""
    rows = np.zeros(sum(fan.vanes.count for fan in craft.fans if fan.vanes is not None), _native.craft.Vane)
    places = iter(rows)
    for k, fan in enumerate(craft.fans):
        v = fan.vanes
        if v is None:
            continue
        for i in range(v.count):
            row = next(places)
            turn = math.radians(v.first_deg) + 2 * math.pi * i / v.count - math.pi / 4
            out = np.array([math.sin(turn), -math.cos(turn), 0.0])
            row["fan"], row["p_B"] = k, np.array(fan.position) + 0.5 * v.spread * out - [0.0, 0.0, v.drop]
            row["lift_B"] = -out[1], out[0], 0.0
            row["area"], row["most"], row["lag"] = v.area, math.radians(v.most_deg), v.time_constant
    return rows
