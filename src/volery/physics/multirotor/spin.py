"""What one sees of rotors: the turn of their joints, and the power they draw."""

from __future__ import annotations

import numpy as np

from volery.physics.multirotor import layout as at
from volery.physics.multirotor.batch import Batch
from volery.robots.robot import Robot

__all__ = ["Spin", "Spins"]


class Spins:
    """Turns and speeds of the rotors of drones now, as their joints have them; arrays of their own."""

    def __init__(self, batch: Batch, first: int, end: int) -> None:
        rows = slice(first, end)
        ways = batch.parameters[batch.kind[rows], at.WAY : at.WAY + at.ROTORS]
        self.turns = ways * batch.state[rows, at.TURN : at.TURN + at.ROTORS]
        """[n, 8] [rad]."""
        self.speeds = (2 * np.pi / 60) * ways * batch.state[rows, at.RPM : at.RPM + at.ROTORS]
        """[n, 8] [rad/s]."""
        self.powers: list[float] = batch.state[rows, at.POWER].tolist()
        """[W]."""


class Spin:
    """Knows which joints of a robot show its rotors."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        description = robot.description
        rotor_of = {description.body(r.body): k for k, r in enumerate(robot.file.multirotor.rotors) if r.body}
        found = [(j, rotor_of[joint.body]) for j, joint in enumerate(description.joints) if joint.body in rotor_of]
        self._joints = np.array([j for j, _ in found], np.int64)
        self._rotors = np.array([k for _, k in found], np.int64)
        self._alone = len(found) == len(description.joints)

    def show(self, spins: Spins, i: int) -> None:
        """Write what row i tells into the robot."""
        robot = self._robot
        robot.power = spins.powers[i]
        turns, speeds = spins.turns[i].take(self._rotors), spins.speeds[i].take(self._rotors)
        if self._alone:
            robot.joint_positions, robot.joint_velocities = turns, speeds
            return
        robot.joint_positions, robot.joint_velocities = robot.joint_positions.copy(), robot.joint_velocities.copy()
        robot.joint_positions[self._joints], robot.joint_velocities[self._joints] = turns, speeds
