# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""From thrusts, angles of vanes and tilts of discs to the force and torque on a craft: the same for all prototypes."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.craft import layout as at
from volery.physics.craft.airfoil import coefficients
from volery.robots.craft import Craft

__all__ = ["fan_table", "follow", "outflow", "power", "vane_table", "wrench"]

_WAY = {"ccw": -1.0, "cw": 1.0, "none": 0.0}
"""A fan that turns counter-clockwise twists its craft clockwise."""


def fan_table(craft: Craft) -> np.ndarray:
    """Constants of all fans, [n, FAN]."""
    rows = np.zeros((len(craft.fans), at.FAN))
    for row, fan in zip(rows, craft.fans, strict=True):
        row[at.POS : at.POS + 3] = fan.position
        row[at.AXIS : at.AXIS + 3] = np.array(fan.axis) / np.linalg.norm(fan.axis)
        row[at.AREA], row[at.RADIUS] = math.pi * fan.radius**2, fan.radius
        row[at.LEAST], row[at.MOST], row[at.LAG] = fan.least_thrust, fan.most_thrust, fan.time_constant
        row[at.RATIO] = _WAY[fan.spin] * fan.torque_ratio
        row[at.TILT_LAG] = 1.0
        if fan.flapping is not None:
            row[at.MOST_TILT] = math.radians(fan.flapping.most_deg)
            row[at.TILT_LAG], row[at.HUB] = fan.flapping.time_constant, fan.flapping.stiffness
    return rows


def vane_table(craft: Craft) -> np.ndarray:
    """Constants of all vanes of all fans in order, [m, VANE]; for fans whose axis is the robot's z."""
    rows = []
    for k, fan in enumerate(craft.fans):
        if fan.vanes is None:
            continue
        v = fan.vanes
        for i in range(v.count):
            turn = math.radians(v.first_deg) + 2 * math.pi * i / v.count - math.pi / 4
            out = np.array([math.sin(turn), -math.cos(turn), 0.0])
            p = np.array(fan.position) + 0.5 * v.spread * out - [0.0, 0.0, v.drop]
            rows.append([k, *p, -out[1], out[0], 0.0, v.area, math.radians(v.most_deg), v.time_constant])
    return np.array(rows, float).reshape(-1, at.VANE)


@nb.njit(cache=True, nogil=True)
def outflow(thrust, area, density, climb) -> float:
    """Speed of a duct's outflow by momentum theory [m/s], from thrust = density · area · v · (v − climb).

    thrust [N], area of the outlet [m²], density [kg/m³], climb: speed along the axis through the air [m/s].
    """
    return max(0.5 * climb + math.sqrt(0.25 * climb * climb + max(thrust, 0.0) / (density * area)), 0.0)


@nb.njit(cache=True, nogil=True)
def wrench(fans, vanes, thrust, angle, tilt, gain, density, climb, out) -> None:
    """Force [N] and torque [N m] about the root's origin, both in B, into out [6].

    thrust [n] [N], angle of vanes [m] [rad], tilt of discs about x and y of B [n, 2] [rad]; gain [n]: of the thrust by
    ground and ceilings near; density of the air [kg/m³]; climb [n]: speed of each fan along its axis through the air.
    """
    out[:] = 0.0
    for k in range(len(fans)):
        f = fans[k]
        b, a = tilt[k, 0], tilt[k, 1]
        push = thrust[k] * gain[k]
        # The axis turned about x by b and about y by a
        x = f[at.AXIS] + f[at.AXIS + 2] * math.sin(a)
        y = f[at.AXIS + 1] - f[at.AXIS + 2] * math.sin(b)
        z = f[at.AXIS + 2] * math.cos(a) * math.cos(b)
        _add(out, f[at.POS], f[at.POS + 1], f[at.POS + 2], push * x, push * y, push * z)
        for i in range(3):
            out[3 + i] += f[at.RATIO] * thrust[k] * f[at.AXIS + i]
        out[3] += f[at.HUB] * b
        out[4] += f[at.HUB] * a
    for j in range(len(vanes)):
        v = vanes[j]
        k = int(v[at.V_FAN])
        speed = outflow(thrust[k], fans[k, at.AREA], density, climb[k])
        force = 0.5 * density * speed * speed * v[at.V_AREA]
        lift, drag = coefficients(angle[j])
        _add(out, v[at.V_POS], v[at.V_POS + 1], v[at.V_POS + 2], force * lift * v[at.V_LIFT],
             force * lift * v[at.V_LIFT + 1], -force * drag)  # fmt: skip


@nb.njit(cache=True, nogil=True)
def _add(out, px, py, pz, fx, fy, fz) -> None:
    """A force at a place."""
    out[0] += fx
    out[1] += fy
    out[2] += fz
    out[3] += py * fz - pz * fy
    out[4] += pz * fx - px * fz
    out[5] += px * fy - py * fx


@nb.njit(cache=True, nogil=True)
def follow(fans, vanes, told_thrust, told_angle, told_tilt, dt, thrust, angle, tilt) -> None:
    """Motors, servos and discs come nearer to what they were told, within their limits, for dt [s]."""
    for k in range(len(fans)):
        f = fans[k]
        goal = min(max(told_thrust[k], f[at.LEAST]), f[at.MOST])
        thrust[k] += (goal - thrust[k]) * -math.expm1(-dt / f[at.LAG])
        for i in range(2):
            goal = min(max(told_tilt[k, i], -f[at.MOST_TILT]), f[at.MOST_TILT])
            tilt[k, i] += (goal - tilt[k, i]) * -math.expm1(-dt / f[at.TILT_LAG])
    for j in range(len(vanes)):
        v = vanes[j]
        goal = min(max(told_angle[j], -v[at.V_MOST]), v[at.V_MOST])
        angle[j] += (goal - angle[j]) * -math.expm1(-dt / v[at.V_LAG])


@nb.njit(cache=True, nogil=True)
def power(fans, thrust, density) -> float:
    """Ideal power of all fans at rest in the air, by momentum theory [W]."""
    total = 0.0
    for k in range(len(fans)):
        t = abs(thrust[k])
        total += 0.5 * t * math.sqrt(t / (density * fans[k, at.AREA]))
    return total
