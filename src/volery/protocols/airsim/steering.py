"""Small laws that manoeuvres share: where the nose goes, how fast to close a gap, how much to push."""

from __future__ import annotations

import math

import numpy as np

from volery.protocols.airsim.arguments import YawMode
from volery.robots.kinds.multirotor import SimpleFlight
from volery.robots.robot import Robot

__all__ = ["HeightLoop", "Nose", "autopilot_of", "closing", "heading", "wrap"]

_MOVES = 0.5
"""Shorter ways [m], and slower velocities [m/s], have no direction that a nose could point to."""


def wrap(angle: float) -> float:
    """The same angle from -π to π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def heading(robot: Robot) -> float:
    """Where the nose points to, counter-clockwise from east [rad]."""
    w, x, y, z = robot.q_WB_wxyz.tolist()
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def autopilot_of(robot: Robot) -> SimpleFlight:
    """Gains and limits of a drone's autopilot."""
    block = None if robot.file is None else robot.file.multirotor
    return SimpleFlight() if block is None or block.simple_flight is None else block.simple_flight


def closing(gap: np.ndarray, autopilot: SimpleFlight) -> np.ndarray:
    """Velocity [m/s] that closes a gap [m], as the autopilot's own loop of the position does."""
    share: np.ndarray = np.clip(np.multiply(autopilot.position.kp, gap), -1.0, 1.0)
    return autopilot.most_speed * share


class Nose:
    """What a drone is told of its heading: a rate, an angle, or an angle against its way."""

    def __init__(self, mode: YawMode, ahead: bool) -> None:
        """ahead: the nose points where the drone goes, plus the angle of the mode."""
        self._mode = mode
        self._ahead = ahead

    def told(self, way_W: np.ndarray) -> dict[str, float]:
        """`yaw` or `yaw_rate` of a command, in W [rad, rad/s]; way_W: where the drone goes, of any length."""
        if self._mode.is_rate:
            # Clockwise is negative here.
            return {"yaw_rate": -self._mode.value}
        if not self._ahead:
            return {"yaw": wrap(math.pi / 2 - self._mode.value)}
        if math.hypot(way_W[0], way_W[1]) <= _MOVES:
            return {"yaw_rate": 0.0}
        return {"yaw": wrap(math.atan2(way_W[1], way_W[0]) - self._mode.value)}


class HeightLoop:
    """The throttle that holds a height while somebody else sets the attitude: the autopilot's loops of height and
    climb."""

    def __init__(self, robot: Robot, z: float) -> None:
        """z: in W [m]."""
        self._robot = robot
        self._z = z
        self._sum = 0.0

    def throttle(self, dt: float) -> float:
        """Share of all thrust, 0 to 1, for the next dt [s]."""
        auto, robot = autopilot_of(self._robot), self._robot
        climb = closing(np.array([0.0, 0.0, self._z - robot.p_WB[2]]), auto)[2]
        gap = float(climb - robot.v_WB_W[2])
        kept = self._sum * math.exp(-auto.leak * dt) + auto.velocity.ki[2] * gap * dt
        self._sum = min(max(kept, -1.0), 1.0)
        share = min(max(auto.velocity.kp[2] * gap + self._sum, -1.0), 1.0)
        return max(0.5 * (share + 1.0), auto.least_throttle)
