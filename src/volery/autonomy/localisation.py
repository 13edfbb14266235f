"""Where a robot is, from its lidar and its inertial unit alone: the true pose is never looked at.

The inertial unit carries the pose from sweep to sweep and tells how the robot moved during one; each sweep is fitted to
what was seen before, which corrects place, velocity and the gyroscope's bias.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from volery.autonomy.surfels import Surfels, thinned
from volery.core.config import param
from volery.world.atmosphere import GRAVITY

__all__ = ["LidarInertial", "LidarInertialConfig", "State"]

_UP = np.array([0.0, 0.0, 1.0])
_LEVEL = 60
"""Sweeps whose mean specific force says what is up."""
_LEVELLING = 0.03
"""Share of the error in up that is mended with each sweep."""


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
    """Lidar-inertial odometry of one robot.

    Sweeps are fitted in a frame O of their own, which tilts slowly as errors add up; W follows what the accelerometers
    say is up, so heights stay true over a long way."""

    def __init__(self, config: LidarInertialConfig, X_WB: np.ndarray, X_BL: np.ndarray, X_BI: np.ndarray) -> None:
        """X_WB [3, 4]: the start; X_BL, X_BI: where lidar and inertial unit are mounted."""
        self.config = config
        self._own = State(X_WB[:, 3].copy(), np.zeros(3), X_WB[:, :3].copy(), np.zeros(3))
        """In O, which is W at the start."""
        self._R_WO = np.eye(3)
        self._base_W, self._base_O = X_WB[:, 3].copy(), X_WB[:, 3].copy()
        """The last sweep's place in both."""
        self._X_BL, self._R_BI = X_BL, X_BI[:, :3]
        self._surfels = Surfels(config.cell, config.reach)
        self._gyro_bias = np.zeros(3)
        self._last_sweep: float | None = None
        self._felt, self._felt_for, self._felt_before = np.zeros(3), 0.0, False
        self._past: deque[tuple[np.ndarray, float, np.ndarray]] = deque(maxlen=_LEVEL)
        """Of the last sweeps: specific force in O over the time before it, that time, and velocity."""

    @property
    def state(self) -> State:
        """Now, in W."""
        s, R = self._own, self._R_WO
        p_W = self._base_W + R @ (s.p_WB - self._base_O)
        return State(p_W, R @ s.v_WB_W, R @ s.R_WB, s.w_WB_B, s.fitted)

    def feel(self, specific_force: np.ndarray, angular_velocity: np.ndarray, dt: float) -> None:
        """Carry the state over dt [s] by what the inertial unit has measured, in its own axes."""
        s = self._own
        w_B = self._R_BI @ angular_velocity - self._gyro_bias
        # The unit tells the rate of now; the mean since the last reading is what turned the robot.
        mean = 0.5 * (w_B + s.w_WB_B) if self._felt_before else w_B
        self._felt_before = True
        half = s.R_WB @ _rotation(0.5 * dt * mean)
        force = half @ (self._R_BI @ specific_force)
        a = force - GRAVITY * self._R_WO[2]
        s.p_WB = s.p_WB + (s.v_WB_W + 0.5 * dt * a) * dt
        s.v_WB_W = s.v_WB_W + a * dt
        s.R_WB, s.w_WB_B = s.R_WB @ _rotation(dt * mean), w_B
        self._felt, self._felt_for = self._felt + force * dt, self._felt_for + dt

    def see(self, points: np.ndarray, seconds: np.ndarray, now: float) -> np.ndarray:
        """Take a sweep: points [n, 3] in the lidar's axes [m], when each was fired, from the stamp, and the stamp [s].

        The same points come back in B at the stamp, without the distortion of motion."""
        p_B = self._still(points, seconds)
        s = self._own
        if self._last_sweep is not None:
            self._correct(thinned(p_B, self.config.thin), max(now - self._last_sweep, 1e-3))
        self._last_sweep = now
        self._surfels.add(p_B @ s.R_WB.T + s.p_WB)
        self._surfels.forget(s.p_WB)
        self._base_W = self._base_W + self._R_WO @ (s.p_WB - self._base_O)
        self._base_O = s.p_WB.copy()
        self._level()
        return p_B

    def _level(self) -> None:
        """Turn W a little towards what was up on the average of the last sweeps."""
        self._past.append((self._felt, self._felt_for, self._own.v_WB_W.copy()))
        self._felt, self._felt_for = np.zeros(3), 0.0
        if len(self._past) < _LEVEL:
            return
        felt = sum((f for f, _, _ in list(self._past)[1:]), np.zeros(3))
        up_W = self._R_WO @ (felt - (self._past[-1][2] - self._past[0][2]))
        size = float(np.linalg.norm(up_W))
        if size > 1e-6:
            self._R_WO = _rotation(_LEVELLING * np.cross(up_W / size, _UP)) @ self._R_WO

    def _still(self, points: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """Points as if all were fired at the stamp, from B."""
        s = self._own
        p = points.astype(float) @ self._X_BL[:, :3].T + self._X_BL[:, 3]
        tau = seconds.astype(float)[:, None]
        v_B, w = s.R_WB.T @ s.v_WB_W, s.w_WB_B
        turn = tau * w
        first = np.cross(turn, p)
        return p + first + 0.5 * np.cross(turn, first) + tau * v_B

    def _correct(self, p_B: np.ndarray, dt: float) -> None:
        s, most = self._own, self.config.points
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
