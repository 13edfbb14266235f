"""Small laws that manoeuvres share: where the nose goes, how fast to close a gap, how much to push."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from volery.core.frames import matrix_from_quat
from volery.physics.multirotor.parameters import airframe_of
from volery.protocols.airsim.arguments import YawMode
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

__all__ = ["FULL_THROTTLE", "Nose", "Pushing", "climb", "heading", "wrap"]

_TURN = 0.9
"""Rate at which a heading is brought round [rad/s]; the autopilot's own limit is 1."""
_CLOSE = 0.8
"""Speed per metre of a gap [1/s]: slow enough for the loop of the velocity, so that nothing overshoots."""
_RISE = 4.0
"""Most speed up and down to hold a height [m/s]."""
FULL_THROTTLE = 0.5
"""AirSim's throttle of 1, as a share of what the rotors of `simpleflight` can give."""
_MOVES = 0.5
"""Slower than this there is no direction of travel [m/s]."""


def wrap(angle: float) -> float:
    """The same angle from -π to π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def heading(robot: Robot) -> float:
    """Where the nose points to, counter-clockwise from east [rad]."""
    w, x, y, z = robot.q_WB_wxyz.tolist()
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def climb(gap: float, most: float = _RISE) -> float:
    """Speed up [m/s] that closes a gap of height [m]."""
    return min(max(_CLOSE * gap, -most), most)


class Nose:
    """The heading to have on a way, brought to what the yaw mode asks for without haste."""

    def __init__(self, robot: Robot, mode: YawMode, ahead: bool) -> None:
        """ahead: the nose points where the drone goes, plus the angle of the mode."""
        self._mode = mode
        self._ahead = ahead
        self.yaw = heading(robot)
        self._goal = self.yaw

    def turn(self, dt: float, v_W: np.ndarray) -> float:
        """Heading in W [rad] after dt [s] of going at v_W."""
        if self._mode.is_rate:
            # Clockwise is negative here.
            self.yaw = wrap(self.yaw - self._mode.value * dt)
            return self.yaw
        if not self._ahead:
            self._goal = wrap(math.pi / 2 - self._mode.value)
        elif math.hypot(v_W[0], v_W[1]) > _MOVES:
            self._goal = wrap(math.atan2(v_W[1], v_W[0]) - self._mode.value)
        off = wrap(self._goal - self.yaw)
        self.yaw = wrap(self.yaw + min(max(off, -_TURN * dt), _TURN * dt))
        return self.yaw

    def rate(self, robot: Robot, dt: float, v_W: np.ndarray) -> float:
        """Rate of turning [rad/s] that follows the heading, for commands that take a rate."""
        if self._mode.is_rate:
            return -self._mode.value
        return 3.0 * wrap(self.turn(dt, v_W) - heading(robot))


class Pushing(NamedTuple):
    """How strong a drone is."""

    mass: float
    """[kg]."""
    most: float
    """Of all rotors together, in the reference air [N]."""

    @staticmethod
    def of(robot: Robot) -> Pushing:
        """From its airframe."""
        frame = airframe_of(robot)
        return Pushing(frame.mass, float(frame.effect[2].sum()) * frame.most_rpm**2)

    def share(self, robot: Robot, throttle: float | None, z: float | None) -> float:
        """Share of thrust for AirSim's throttle 0 to 1, or to hold a height in W [m] if that is given."""
        return self.hold(robot, z) if z is not None else FULL_THROTTLE * min(max(throttle or 0.0, 0.0), 1.0)

    def hold(self, robot: Robot, z: float) -> float:
        """Share of thrust that brings a drone at any attitude to a height [m] and keeps it there."""
        wanted = climb(z - float(robot.p_WB[2]))
        lift = self.mass * (GRAVITY + 2.5 * (wanted - float(robot.v_WB_W[2])))
        upright = max(float(matrix_from_quat(robot.q_WB_wxyz)[2, 2]), 0.3)
        return min(max(lift / (upright * self.most), 0.05), 1.0)
