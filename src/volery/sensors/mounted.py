"""How the place where a sensor sits moves: with the robot's root, and against it by joints and bones."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import rigid_inverse
from volery.robots.kinematics import compose, turned
from volery.sensors.sensor import Sensor

__all__ = ["Mounted"]


class Mounted(Sensor):
    """A sensor that needs to know its own velocity. What joints and bones add is the mean since its last reading."""

    keeps: ClassVar[tuple[str, ...]] = ("_moved_ns", "_last_X_RS")

    def prepare(self) -> None:
        """Begin without a last reading."""
        self._moved_ns: int | None = None
        self._last_X_RS = np.eye(3, 4)

    def motion(self, X_WS: np.ndarray, now_ns: int) -> tuple[np.ndarray, np.ndarray]:
        """Velocity [m/s] and angular velocity [rad/s] of the sensor at X_WS in W, [3] each; once a reading."""
        robot = self.robot
        v, w, r = robot.v_WB_W, robot.w_WB_W.copy(), X_WS[:, 3] - robot.p_WB
        v = np.array(
            [v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0]]
        )
        if self._body != 0:
            self._add_joints(X_WS, now_ns, v, w)
        return v, w

    def _add_joints(self, X_WS: np.ndarray, now_ns: int, v: np.ndarray, w: np.ndarray) -> None:
        """Add the motion against the root R, from the places in R now and at the last reading."""
        X_WR, X_RS = self.robot.X_WB[0], np.empty((3, 4))
        compose(rigid_inverse(X_WR), X_WS, X_RS)
        before = self._last_X_RS
        if self._moved_ns is not None and now_ns > self._moved_ns:
            hertz = SECOND / (now_ns - self._moved_ns)
            v += X_WR[:, :3] @ (X_RS[:, 3] - before[:, 3]) * hertz
            w += X_WR[:, :3] @ turned(before, X_RS) * hertz
        self._moved_ns, self._last_X_RS = now_ns, X_RS
