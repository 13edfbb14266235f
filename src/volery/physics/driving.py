"""At the wheel of a robot that drives: commands and a path in, joint speeds out, for any engine that turns joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from volery.errors import CommandError
from volery.physics.motion import Follower, Motion
from volery.robots.commands import BodyVelocity, Command, Joints, Pose, Steer, Velocity, Wheels, command_of
from volery.robots.kinds.drive import Drive
from volery.robots.kinds.steering import Steering
from volery.robots.robot import Robot

__all__ = ["Driver"]

_MOST_TRIM = 2.0
"""Most that a wheel is told beyond what is wanted of it [rad/s]."""


class Driver:
    """Drives one robot: a path until the first command, then the last command; it speeds up as the robot can.

    An engine asks `joints` once a step, before it moves the robot. A motor that holds a speed gives way under a load:
    wheels that turn too slowly are told more, so that the robot stands still on a slope and climbs it at its speed.
    """

    def __init__(self, robot: Robot, drive: Drive, motion: Motion | None = None) -> None:
        self.robot = robot
        self.drive = drive
        self.steering = Steering(drive, robot.description) if drive.steers else None
        """None: it turns by its sides."""
        self._wheels = [robot.description.joint(j) for j in (*drive.left, *drive.right)]
        self._follower = Follower(motion) if motion is not None and motion.path else None
        self._along = 0.0
        self._command: Command | None = None
        self._v = self._yaw_rate = 0.0
        self._trim = [0.0] * len(self._wheels)

    @property
    def takes(self) -> tuple[type[Command], ...]:
        """Commands that it understands."""
        return (Velocity, BodyVelocity, Pose, Wheels, *(() if self.steering is None else (Steer,)))

    def apply(self, command: Command) -> None:
        """Take one of `takes`; it ends following a path. What wheels cannot do is refused."""
        if isinstance(command, BodyVelocity) and math.hypot(command.v_B[1], command.v_B[2]) > 1e-6:
            raise CommandError(
                f"robot '{self.robot.name}' has wheels: it drives ahead and back, not to the side nor up; "
                "the last command stays"
            )
        if isinstance(command, Velocity) and command.yaw is not None:
            raise CommandError(
                f"robot '{self.robot.name}' has wheels: it looks to where it drives and keeps no heading beside that; "
                "the last command stays"
            )
        if isinstance(command, Pose) and command.yaw is None:
            command = Pose(command.p_WB, self._yaw, command.v_W, command.a_W)
        self._follower, self._command = None, command

    def release(self) -> None:
        """Forget path, command and speed: someone else turns the wheels now, or the robot was put elsewhere."""
        self._follower, self._command = None, None
        self._v = self._yaw_rate = 0.0
        self._trim = [0.0] * len(self._wheels)

    def joints(self, dt: float) -> Joints:
        """Speeds that the wheels are to be told for the next dt [s]."""
        v, yaw_rate = self._wanted(self.robot.p_WB, self._yaw)
        self._v = _nearer(self._v, v, self.drive.acceleration * dt)
        self._yaw_rate = _nearer(self._yaw_rate, yaw_rate, self.drive.turn_acceleration * dt)
        # While they speed up, wheels lag behind: to count that as a load would overshoot.
        gain = self.drive.integral * dt if (self._v, self._yaw_rate) == (v, yaw_rate) else 0.0
        wanted, angles = self._turned()
        turning = self.robot.joint_velocities[self._wheels].tolist()
        told = {}
        for i, (joint, speed) in enumerate(wanted.items()):
            trim = self._trim[i] + gain * (speed - turning[i])
            self._trim[i] = min(max(trim, -_MOST_TRIM), _MOST_TRIM)
            told[joint] = speed + self._trim[i]
        return Joints(velocities=told, positions=angles)

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "following": self._follower is not None,
            "along": self._along,
            "command": None if self._command is None else self._command.state(),
            "speeds": [self._v, self._yaw_rate],
            "trim": list(self._trim),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self._follower = self._follower if state["following"] else None
        self._along = state["along"]
        self._command = None if state["command"] is None else command_of(*state["command"])
        self._v, self._yaw_rate = state["speeds"]
        self._trim = list(state["trim"])

    @property
    def _yaw(self) -> float:
        """Heading [rad]."""
        w, x, y, z = self.robot.q_WB_wxyz.tolist()
        return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))

    def _turned(self) -> tuple[dict[str, float], dict[str, float]]:
        """Speeds of wheels [rad/s] and angles of steering [rad] that make the motion of now."""
        if self.steering is None:
            return self.drive.wheel_speeds(self._v, self._yaw_rate), {}
        if isinstance(self._command, Steer):
            return self.steering.joints(self._v, self._command.front, self._command.rear)
        if isinstance(self._command, Wheels):
            return self.steering.by_sides(self._v, self._yaw_rate)
        return self.steering.joints(self._v, *self.steering.angles(self._v, self._yaw_rate))

    def _wanted(self, p: np.ndarray, yaw: float) -> tuple[float, float]:
        """Speed ahead [m/s] and yaw rate [rad/s] that path or command ask for now."""
        drive, command = self.drive, self._command
        if self._follower is not None:
            return self._follow(self._follower, p, yaw)
        if isinstance(command, Wheels):
            return drive.by_wheels(command.left, command.right)
        if isinstance(command, Steer):
            return drive.within(command.speed * drive.radius, 0.0)
        if isinstance(command, BodyVelocity):
            return drive.within(float(command.v_B[0]), command.yaw_rate)
        if isinstance(command, Velocity):
            return drive.at_velocity(yaw, command.v_W, command.yaw_rate)
        if isinstance(command, Pose) and math.hypot(command.v_W[0], command.v_W[1]) > 1e-6:
            return drive.through(p, yaw, command.p_WB, command.v_W)
        if isinstance(command, Pose):
            return drive.to_pose(p, yaw, command.p_WB, float(command.yaw or 0.0))
        return 0.0, 0.0

    def _follow(self, follower: Follower, p: np.ndarray, yaw: float) -> tuple[float, float]:
        speed = min(follower.motion.speed, self.drive.top_speed)
        self._along, left, target = follower.ahead(p, self._along, self.drive.reach(speed))
        if left < 1e-6:
            # On the last point the nose keeps its heading.
            return self.drive.to_pose(p, yaw, target, yaw)
        return self.drive.chase(p, yaw, target, min(speed, self.drive.slowed(left) + 0.02))


def _nearer(now: float, wanted: float, most: float) -> float:
    """A step towards what is wanted, no larger than the most."""
    return now + min(max(wanted - now, -most), most)
