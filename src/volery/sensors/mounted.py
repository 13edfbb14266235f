"""How the place where a sensor sits moves: with the robot's root, and against it by joints and bones."""

from __future__ import annotations

from typing import ClassVar

import numba as nb
import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import rigid_inverse
from volery.robots.kinematics import compose
from volery.sensors.sensor import Sensor

__all__ = ["Mounted", "turned"]


@nb.njit(cache=True, nogil=True)
def turned(R0, R1, out) -> None:  # noqa: ANN001
    """Rotation vector [rad] from R0 to R1, in the frame both are given in; below half a turn."""
    # Written out: numba's matrix product needs scipy.
    M = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            M[i, j] = R1[i, 0] * R0[j, 0] + R1[i, 1] * R0[j, 1] + R1[i, 2] * R0[j, 2]
    n = np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]]) * 0.5
    s = np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    angle = np.arctan2(s, 0.5 * (M[0, 0] + M[1, 1] + M[2, 2] - 1.0))
    for i in range(3):
        out[i] = n[i] * (angle / s if s > 1e-12 else 1.0)


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
        X_WR, X_RS, turn = self.robot.X_WB[0], np.empty((3, 4)), np.empty(3)
        compose(rigid_inverse(X_WR), X_WS, X_RS)
        before = self._last_X_RS
        if self._moved_ns is not None and now_ns > self._moved_ns:
            hertz = SECOND / (now_ns - self._moved_ns)
            turned(np.ascontiguousarray(before[:, :3]), np.ascontiguousarray(X_RS[:, :3]), turn)
            v += X_WR[:, :3] @ (X_RS[:, 3] - before[:, 3]) * hertz
            w += X_WR[:, :3] @ turn * hertz
        self._moved_ns, self._last_X_RS = now_ns, X_RS
