"""Where a robot is, from its lidar and its inertial unit alone: the true pose is never looked at.

The inertial unit carries the pose from sweep to sweep and tells how the robot moved during one; each sweep is fitted to
what was seen before, which corrects place, velocity and the unit's biases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.autonomy.surfels import Surfels, thinned
from volery.core.config import param
from volery.world.atmosphere import GRAVITY

__all__ = ["LidarInertial", "LidarInertialConfig", "State"]

_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class LidarInertialConfig:
    """How sweeps are fitted."""

    cell: float = param(0.8, above=0)
    """Edge of the cells whose points are taken together [m]."""
    reach: float = param(45.0, above=0)
    """What is farther away is forgotten [m]."""
    points: int = param(1500, low=100)
    """Most points of a sweep that are fitted."""
    thin: float = param(0.4, above=0)
    """One point in each cell of this edge is fitted [m]."""


@dataclass
class State:
    """An estimate; W is the frame in which the start was given."""

    p_WB: np.ndarray
    v_WB_W: np.ndarray
    R_WB: np.ndarray
    w_WB_B: np.ndarray
    """[rad/s]."""
    fitted: float = 1.0
    """Share of the last sweep's points that found their place."""


class LidarInertial:
    """Lidar-inertial odometry of one robot."""

    def __init__(self, config: LidarInertialConfig, X_WB: np.ndarray, X_BL: np.ndarray, X_BI: np.ndarray) -> None:
        """X_WB [3, 4]: the start; X_BL, X_BI: where lidar and inertial unit are mounted."""
        self.config = config
        self.state = State(X_WB[:, 3].copy(), np.zeros(3), X_WB[:, :3].copy(), np.zeros(3))
        self._X_BL, self._R_BI = X_BL, X_BI[:, :3]
        self._surfels = Surfels(config.cell, config.reach)
        self._gyro_bias, self._force_bias = np.zeros(3), np.zeros(3)
        self._last_sweep: float | None = None

    def feel(self, specific_force: np.ndarray, angular_velocity: np.ndarray, dt: float) -> None:
        """Carry the state over dt [s] by what the inertial unit has measured, in its own axes."""
        s = self.state
        w_B = self._R_BI @ angular_velocity - self._gyro_bias
        half = s.R_WB @ _rotation(0.5 * dt * w_B)
        a_W = half @ (self._R_BI @ specific_force - self._force_bias) - GRAVITY * _UP
        s.p_WB = s.p_WB + (s.v_WB_W + 0.5 * dt * a_W) * dt
        s.v_WB_W = s.v_WB_W + a_W * dt
        s.R_WB, s.w_WB_B = s.R_WB @ _rotation(dt * w_B), w_B

    def see(self, points: np.ndarray, seconds: np.ndarray, now: float) -> np.ndarray:
        """Take a sweep: points [n, 3] in the lidar's axes [m], when each was fired, from the stamp, and the stamp [s].

        The same points come back in B at the stamp, without the distortion of motion."""
        p_B = self._still(points, seconds)
        s = self.state
        if self._last_sweep is not None:
            self._correct(thinned(p_B, self.config.thin), max(now - self._last_sweep, 1e-3))
        self._last_sweep = now
        self._surfels.add(p_B @ s.R_WB.T + s.p_WB)
        self._surfels.forget(s.p_WB)
        return p_B

    def _still(self, points: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """Points as if all were fired at the stamp, from B."""
        s = self.state
        p = points.astype(float) @ self._X_BL[:, :3].T + self._X_BL[:, 3]
        tau = seconds.astype(float)[:, None]
        v_B, w = s.R_WB.T @ s.v_WB_W, s.w_WB_B
        turn = tau * w
        first = np.cross(turn, p)
        return p + first + 0.5 * np.cross(turn, first) + tau * v_B

    def _correct(self, p_B: np.ndarray, dt: float) -> None:
        s, most = self.state, self.config.points
        if len(p_B) > most:
            p_B = p_B[np.linspace(0, len(p_B) - 1, most).astype(int)]
        # How far the inertial unit may lead astray between two sweeps: a few mrad, and decimetres when it is disturbed.
        prior = np.array([1 / 0.01**2] * 3 + [1 / 0.3**2] * 3)
        R, p, s.fitted = self._surfels.fit(p_B, s.R_WB, s.p_WB, prior)
        if s.fitted < 0.2:
            return
        slip, turned = p - s.p_WB, _vector(s.R_WB.T @ R)
        s.v_WB_W = s.v_WB_W + 0.35 * slip / dt
        self._gyro_bias = self._gyro_bias - 0.02 * turned / dt
        self._force_bias = np.clip(self._force_bias - 0.02 * R.T @ slip / dt**2 * dt, -0.5, 0.5)
        s.R_WB, s.p_WB = R, p


def _rotation(w: np.ndarray) -> np.ndarray:
    """exp([w]ₓ)."""
    angle = float(np.sqrt(w @ w))
    K = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
    if angle < 1e-9:
        return np.eye(3) + K
    return np.eye(3) + np.sin(angle) / angle * K + (1 - np.cos(angle)) / angle**2 * K @ K


def _vector(R: np.ndarray) -> np.ndarray:
    """Of a small rotation."""
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
