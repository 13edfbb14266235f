# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""What one sees of rotors: the turn of their joints, and the power they draw."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import layout as at
from volery.physics.multirotor.parameters import shown_rotors
from volery.robots.robot import Robot

__all__ = ["SPIN", "Spin", "spin_of"]

SPIN = 2 * at.ROTORS + 1
"""Numbers that tell of a drone's rotors: turns [rad] and speeds [rad/s] of the joints that show them, and power [W]."""


@nb.njit(cache=True, nogil=True)
def spin_of(s, p, out) -> None:
    """What a drone's rotors do now, by state s and parameters p, into out [SPIN]."""
    for k in range(at.ROTORS):
        rotor = int(p[at.SHOWN + k])
        out[k] = p[at.WAY + rotor] * s[at.TURN + rotor]
        out[at.ROTORS + k] = p[at.WAY + rotor] * s[at.RPM + rotor] * (2.0 * math.pi / 60.0)
    out[2 * at.ROTORS] = s[at.POWER]


class Spin:
    """Knows which joints of a robot show its rotors."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        found = shown_rotors(robot.description, robot.file.multirotor)
        self._count = len(found)
        self._joints = np.array([j for j, _ in found], np.int64)
        self._alone = len(found) == len(robot.description.joints)

    def show(self, spin: np.ndarray) -> None:
        """Write what `spin_of` told into the robot."""
        robot = self._robot
        robot.power = spin.item(SPIN - 1)
        turns, speeds = spin[: self._count], spin[at.ROTORS : at.ROTORS + self._count]
        if self._alone:
            robot.joint_positions, robot.joint_velocities = turns, speeds
            return
        robot.joint_positions, robot.joint_velocities = robot.joint_positions.copy(), robot.joint_velocities.copy()
        robot.joint_positions[self._joints], robot.joint_velocities[self._joints] = turns, speeds
