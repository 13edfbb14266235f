# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""What one sees of rotors: the turn of their joints, and the power they draw."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import layout as at
from volery.robots.robot import Robot

__all__ = ["SPIN", "Spin", "spin_of"]

SPIN = 2 * at.ROTORS + 1
"""Numbers that tell of a drone's rotors: turns [rad] and speeds [rad/s] as joints have them, and power [W]."""


@nb.njit(cache=True, nogil=True)
def spin_of(s, p, out) -> None:
    """What a drone's rotors do now, by state s and parameters p, into out [SPIN]."""
    for k in range(at.ROTORS):
        out[k] = p[at.WAY + k] * s[at.TURN + k]
        out[at.ROTORS + k] = p[at.WAY + k] * s[at.RPM + k] * (2.0 * math.pi / 60.0)
    out[2 * at.ROTORS] = s[at.POWER]


class Spin:
    """Knows which joints of a robot show its rotors."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        description = robot.description
        rotor_of = {description.body(r.body): k for k, r in enumerate(robot.file.multirotor.rotors) if r.body}
        found = [(j, rotor_of[joint.body]) for j, joint in enumerate(description.joints) if joint.body in rotor_of]
        self._joints = np.array([j for j, _ in found], np.int64)
        self._turns = np.array([k for _, k in found], np.int64)
        self._speeds = self._turns + at.ROTORS
        self._alone = len(found) == len(description.joints)
        self._count = len(found) if self._alone and self._turns.tolist() == list(range(len(found))) else 0
        """Of rotors, if they are all the joints, in the same order."""

    def show(self, spin: np.ndarray) -> None:
        """Write what `spin_of` told into the robot."""
        robot = self._robot
        robot.power = spin.item(SPIN - 1)
        if self._count:
            robot.joint_positions = spin[: self._count]
            robot.joint_velocities = spin[at.ROTORS : at.ROTORS + self._count]
            return
        turns, speeds = spin[self._turns], spin[self._speeds]
        if self._alone:
            robot.joint_positions, robot.joint_velocities = turns, speeds
            return
        robot.joint_positions, robot.joint_velocities = robot.joint_positions.copy(), robot.joint_velocities.copy()
        robot.joint_positions[self._joints], robot.joint_velocities[self._joints] = turns, speeds
