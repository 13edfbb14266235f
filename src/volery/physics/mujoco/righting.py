"""Putting a robot that lies on its side or back on its feet again: a torque from outside that knows when to end."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from volery.core.frames import quat_rotate
from volery.robots.commands import Flip
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

__all__ = ["Righting"]

_UPRIGHT = 0.2
"""Tilt at which it lets go [rad]."""
_STRENGTH = 1.0
"""Most torque, in multiples of weight times size: enough to tip it over an edge."""
_DAMPING = 1.2
"""Of the critical damping of a stick of that mass and size, so that it does not tumble over."""


class Righting:
    """Turns one robot upright after a `Flip`."""

    def __init__(self, alone: mujoco.MjModel) -> None:
        """alone: a model of the robot by itself."""
        mass, size = float(alone.body_mass.sum()), float(alone.stat.extent)
        self._most = _STRENGTH * mass * GRAVITY * size
        self._damping = 2 * _DAMPING * math.sqrt(self._most * mass * size**2 / 12)
        self._torque = 0.0
        self._left = 0.0
        """Time that it may still take [s]."""

    def begin(self, command: Flip) -> None:
        """Start anew."""
        self._torque, self._left = min(command.torque, self._most), command.seconds

    def end(self) -> None:
        """Let go."""
        self._left = 0.0

    @property
    def at_work(self) -> bool:
        """Whether it pushes."""
        return self._left > 0.0

    def wrench(self, robot: Robot, dt: float) -> np.ndarray:
        """Force and torque on the root in W, [6], for the next dt [s]."""
        z_W = quat_rotate(robot.q_WB_wxyz, np.array([0.0, 0.0, 1.0]))
        tilt = math.acos(min(max(float(z_W[2]), -1.0), 1.0))
        self._left = 0.0 if tilt < _UPRIGHT else self._left - dt
        if not self.at_work:
            return np.zeros(6)
        axis = np.cross(z_W, [0.0, 0.0, 1.0])
        length = float(np.linalg.norm(axis))
        # On its back every way is as short: it rolls about its own length.
        axis = axis / length if length > 0.05 else quat_rotate(robot.q_WB_wxyz, np.array([1.0, 0.0, 0.0]))
        torque = self._torque * min(tilt, 1.0) * axis - self._damping * robot.w_WB_W
        return np.concatenate([np.zeros(3), torque * min(1.0, self._torque / max(float(np.linalg.norm(torque)), 1e-9))])

    def state(self) -> list[float]:
        """Plain data that `restore` takes back."""
        return [self._torque, self._left]

    def restore(self, state: list[float]) -> None:
        """Continue where `state` was taken."""
        self._torque, self._left = state
