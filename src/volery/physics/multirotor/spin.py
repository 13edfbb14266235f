"""What one sees of rotors: the turn of their joints, and the power they draw."""

from __future__ import annotations

import numpy as np

from volery.physics.multirotor.parameters import shown_rotors
from volery.robots.robot import Robot

__all__ = ["Spin"]


class Spin:
    """Knows which joints of a robot show its rotors."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        block = robot.file and robot.file.multirotor
        assert block is not None, "only multirotors spin rotors"
        found = shown_rotors(robot.description, block)
        self.count = len(found)
        """Of joints that show rotors."""
        self._joints = np.array([j for j, _ in found], np.int64)
        self._alone = len(found) == len(robot.description.joints)

    def show(self, turns: np.ndarray, speeds: np.ndarray, power: float) -> None:
        """Write what came out (see outcome.py) into the robot: turns [rad] and speeds [rad/s] of joints, power [W]."""
        robot = self._robot
        robot.power = power
        if len(turns) != self.count:
            turns, speeds = turns[: self.count], speeds[: self.count]
        if self._alone:
            robot.joint_positions, robot.joint_velocities = turns, speeds
            return
        robot.joint_positions, robot.joint_velocities = robot.joint_positions.copy(), robot.joint_velocities.copy()
        robot.joint_positions[self._joints], robot.joint_velocities[self._joints] = turns, speeds
