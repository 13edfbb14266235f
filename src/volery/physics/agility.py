"""How robots that fly can follow a path: from thrust, weight, drag and how fast their autopilots answer."""

from __future__ import annotations

import logging
import math

import numpy as np

from volery.physics.flightpath import Agility, FlightPath
from volery.physics.motion import Motion
from volery.physics.multirotor.parameters import MultirotorModel, airframe_of, body_of
from volery.robots.kinds.craft import Craft
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

__all__ = ["agility_of", "path_of"]

_log = logging.getLogger("volery")
_LIVELY = 2.0
"""No path is flown at higher accelerations [m/s²]."""
_SHARE = 0.4
"""Of what a robot's thrust and tilt can give beyond its weight, to change speed; the rest holds against air."""
_TILT = math.radians(35.0)
"""No multirotor leans farther on a path."""
_AIR = 1.225
"""Density for which speeds are reckoned [kg/m³]."""


def path_of(robot: Robot, motion: Motion) -> FlightPath:
    """The path of a robot that flies, as it can fly it; it says so where that is slower than asked."""
    agility = agility_of(robot)
    if motion.speed > agility.speed and len(motion.path) > 1:
        _log.warning(
            "robot '%s': it can fly its path at %.3g m/s, not at %.3g; it does", robot.name, agility.speed, motion.speed
        )
    return FlightPath(motion, agility)


def agility_of(robot: Robot) -> Agility:
    """Of a robot with a `craft` or a `multirotor` block."""
    if robot.file is not None and robot.file.craft is not None:
        return _of_craft(robot, robot.file.craft)
    return _of_airframe(airframe_of(robot))


def _of_airframe(airframe: MultirotorModel) -> Agility:
    control = airframe.control
    row = airframe.row()[0]
    torque = np.diag(airframe.effect[3:] @ airframe.mixer[:, :3])[:2]
    slope = 2.0 * airframe.hover_rpm * (airframe.most_rpm - airframe.least_rpm)
    bandwidth = float((row["rate_kp"][:2] * torque * slope / np.diag(airframe.inertia)[:2]).min())
    lag = airframe.tau + 1.0 / max(bandwidth, 1.0) + 1.0 / max(control.attitude.kp, 1.0)
    lift = float(airframe.effect[2].sum()) * airframe.most_rpm**2 / (airframe.mass * airframe.gravity)
    drag = 0.5 * _AIR * max(airframe.drag.area[:2]), max(airframe.drag.linear[:2]) + airframe.drag.rotor
    return _agility(airframe.mass, lift, _TILT, drag, (lag, airframe.tau))


def _of_craft(robot: Robot, craft: Craft) -> Agility:
    mass = body_of(robot.description).mass
    lifting = [(fan, fan.axis[2] / float(np.linalg.norm(fan.axis))) for fan in craft.fans if fan.axis[2] > 0.0]
    lift = sum(fan.most_thrust * up for fan, up in lifting) / (mass * GRAVITY)
    thrust_lag = max((fan.time_constant for fan, _ in lifting), default=0.0)
    turning = [fan.flapping.time_constant for fan, _ in lifting if fan.flapping is not None]
    turning += [fan.vanes.time_constant for fan, _ in lifting if fan.vanes is not None]
    # A fan alone turns its craft by vanes or its disc; several by the difference of their thrusts, too
    lag = max(turning) if turning and len(lifting) == 1 else max([thrust_lag, *turning])
    area = 0.0 if robot.file is None or robot.file.drag_area is None else robot.file.drag_area
    tilt = 0.8 * math.radians(craft.control.most_tilt_deg)
    return _agility(mass, lift, tilt, (0.5 * _AIR * area, 0.0), (lag + 2.0 / craft.control.attitude[0], thrust_lag))


def _agility(mass: float, lift: float, tilt: float, drag: tuple[float, float], lags: tuple[float, float]) -> Agility:
    """lift: most thrust over weight; drag: per square of speed, and per speed; lags: to the sides, and up [s]."""
    spare = max(lift - 1.0, 0.02)
    most = GRAVITY * min(math.tan(tilt), math.sqrt((1.0 + spare) ** 2 - 1.0))
    acceleration = min(_LIVELY, _SHARE * most, _SHARE * GRAVITY * spare)
    # drag at the speed leaves enough to brake
    square, linear, force = drag[0], drag[1], mass * (most - acceleration)
    root = linear + math.sqrt(linear**2 + 4.0 * square * force)
    return Agility(2.0 * force / root if root > 0.0 else 1e5, acceleration, max(0.4, 2.0 * lags[0]), *lags)
