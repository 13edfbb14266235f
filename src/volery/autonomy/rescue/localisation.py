"""Where a robot that drives is: wheels tell how far, the inertial unit which way and what is up, and walls seen by the
lidar correct both. The true pose is never looked at."""

from __future__ import annotations

import math

import numpy as np

from volery.autonomy.localisation import State
from volery.autonomy.surfels import Surfels, thinned
from volery.world.atmosphere import GRAVITY

__all__ = ["WheelLidar", "shared_walls"]

_WALL = (0.25, 0.95)
"""What is so high over the hubs is no ground [m]: rings of beams on the ground go with the robot and would hold it."""
_CELL, _THIN, _MOST = 0.4, 0.15, 900
"""Edge of the cells walls are kept in, of those of which one point is fitted [m], and points."""
_PRIOR = 1.0 / np.array([0.0005, 0.0005, 0.02, 0.03, 0.03, 0.0005]) ** 2
"""What wheels and inertial unit weigh against a sweep, of rotation and place [1/rad², 1/m²]. Walls say nothing of tilt
and height that could be believed: only a part of each is seen."""
_NEW = 0.08
"""Walls are remembered from places that are so far apart [m], or turned so much [rad]."""
_UPRIGHT, _TILTS = 0.2, 0.01
"""Share of the error in up that is mended in a second, and that is put down to the gyroscope's bias [1/s]: slow, so
that jolts do not tilt the ground that is mapped."""
_REST, _RESTS = (0.005, 0.02), 1.0
"""Wheels and gyroscope of a robot that stands tell less [m/s], [rad/s]; what it feels then is bias, learned so fast
[1/s]."""
_LAG = 0.1
"""Wheels' speed is smoothed over so long to tell how it changes [s]."""
_BIAS = 0.02
"""Share of a sweep's turn that is put down to the gyroscope's bias."""


def shared_walls() -> Surfels:
    """The walls of a team, by which its robots agree on where they are: none so far."""
    return Surfels(_CELL, np.inf)


class WheelLidar:
    """Odometry of wheels, inertial unit and lidar, of one robot."""

    def __init__(self, X_WB: np.ndarray, X_BL: np.ndarray, X_BI: np.ndarray, walls: Surfels) -> None:
        """X_WB [3, 4]: the start; X_BL, X_BI: where lidar and inertial unit are mounted; walls: of the team."""
        self.state = State(X_WB[:, 3].copy(), np.zeros(3), X_WB[:, :3].copy(), np.zeros(3))
        self._X_BL, self._R_BI = X_BL, X_BI[:, :3]
        self._surfels = walls
        self._bias, self._force_bias = np.zeros(3), np.zeros(3)
        """Of gyroscope [rad/s] and accelerometer [m/s²], in B."""
        self._rested: float | None = 0.0
        """For how long it has stood at its start, which is known [s]; None: it has moved."""
        self._speed = self._smooth = 0.0
        self._last_sweep: float | None = None
        self._kept: tuple[np.ndarray | None, np.ndarray] = (None, np.eye(3))
        """From where walls were remembered last."""

    def roll(self, speed: float) -> None:
        """The wheels say that it goes ahead so fast [m/s]."""
        self._speed = speed

    def feel(self, specific_force: np.ndarray, angular_velocity: np.ndarray, dt: float) -> None:
        """Carry the state over dt [s] by what the inertial unit has measured, in its own axes."""
        s = self.state
        w_B, force_B = self._R_BI @ angular_velocity, self._R_BI @ specific_force
        self._rest(w_B, force_B, dt)
        s.w_WB_B = w_B - self._bias
        s.R_WB = s.R_WB @ _rotation(dt * s.w_WB_B)
        # What wheels and turns pull at it is not up.
        pull = (self._speed - self._smooth) / _LAG
        self._smooth += pull * dt
        force_B = (
            force_B - self._force_bias - [pull, 0.0, 0.0] - self._speed * np.array([0.0, s.w_WB_B[2], -s.w_WB_B[1]])
        )
        up_W = s.R_WB @ force_B
        size = float(np.linalg.norm(up_W))
        if abs(size - GRAVITY) < 0.1 * GRAVITY:
            tilt = np.array([up_W[1], -up_W[0], 0.0]) / size
            s.R_WB = _rotation(_UPRIGHT * dt * tilt) @ s.R_WB
            self._bias = self._bias - _TILTS * dt * (s.R_WB.T @ tilt)
        # Wheels of a robot that lies on its side turn in the air.
        s.v_WB_W = s.R_WB[:, 0] * (self._speed if s.R_WB[2, 2] > 0.5 else 0.0)
        s.p_WB = s.p_WB + s.v_WB_W * dt

    def _rest(self, w_B: np.ndarray, force_B: np.ndarray, dt: float) -> None:
        """Learn biases while it stands: of the gyroscope anywhere, of the accelerometer at the start alone."""
        if abs(self._speed) > _REST[0] or np.linalg.norm(w_B - self._bias) > _REST[1]:
            self._rested = None if abs(self._speed) > _REST[0] else self._rested
            return
        self._bias = self._bias + _RESTS * dt * (w_B - self._bias)
        if self._rested is not None:
            self._rested += dt
            off = force_B - GRAVITY * self.state.R_WB[2] - self._force_bias
            self._force_bias = self._force_bias + dt / self._rested * off

    def see(self, points: np.ndarray, seconds: np.ndarray, now: float) -> np.ndarray:
        """Take a sweep: points [n, 3] in the lidar's axes [m], when each was fired, from the stamp, and the stamp [s].

        The same points come back in B at the stamp, without the distortion of motion."""
        s = self.state
        p_B = points.astype(float) @ self._X_BL[:, :3].T + self._X_BL[:, 3]
        tau = seconds.astype(float)[:, None]
        p_B = p_B + np.cross(tau * s.w_WB_B, p_B) + tau * np.array([self._speed, 0.0, 0.0])
        height = p_B @ s.R_WB[2]
        walls = np.ascontiguousarray(p_B[(height > _WALL[0]) & (height < _WALL[1])])
        if self._last_sweep is not None and len(walls):
            self._correct(thinned(walls, _THIN), max(now - self._last_sweep, 1e-3))
        self._last_sweep = now
        self._keep(walls)
        return p_B

    def lift(self, up: float) -> None:
        """The ground says that it is so much higher [m]."""
        self.state.p_WB = self.state.p_WB + [0.0, 0.0, up]

    def _keep(self, walls_B: np.ndarray) -> None:
        """Remember walls, only from new places: a robot that stands would drift with its own errors."""
        s, (p, R) = self.state, self._kept
        if p is not None and np.linalg.norm(s.p_WB - p) < _NEW and R[:, 0] @ s.R_WB[:, 0] > np.cos(_NEW):
            return
        self._kept = (s.p_WB.copy(), s.R_WB.copy())
        self._surfels.add(walls_B @ s.R_WB.T + s.p_WB)

    def _correct(self, p_B: np.ndarray, dt: float) -> None:
        s = self.state
        if len(p_B) > _MOST:
            p_B = p_B[np.linspace(0, len(p_B) - 1, _MOST).astype(int)]
        R, p, s.fitted = self._surfels.fit(p_B, s.R_WB, s.p_WB, _PRIOR)
        if s.fitted < 0.2:
            return
        # Heading and place are taken over alone: what a fit of upright walls tells of height and tilt adds up, sweep by
        # sweep. But wheels that slipped uphill did not climb either.
        turn = R @ s.R_WB.T
        yaw = np.array([0.0, 0.0, np.arctan2(turn[1, 0] - turn[0, 1], turn[0, 0] + turn[1, 1])])
        self._bias = self._bias - _BIAS / dt * (s.R_WB.T @ yaw)
        s.R_WB = _rotation(yaw) @ s.R_WB
        ahead, shift = s.R_WB[:, 0], (p - s.p_WB)[:2]
        level = max(float(np.hypot(ahead[0], ahead[1])), 0.5)
        s.p_WB = s.p_WB + [*shift, shift @ ahead[:2] / level * ahead[2] / level]


def _rotation(w: np.ndarray) -> np.ndarray:
    """exp([w]ₓ), by Rodrigues; for the small turns of a hundredth of a second numbers are quicker than arrays."""
    x, y, z = w.tolist()
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    a = math.sin(angle) / angle if angle > 1e-9 else 1.0
    b = (1.0 - math.cos(angle)) / square if angle > 1e-4 else 0.5
    return np.array([
        [1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
        [b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x],
        [b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y)],
    ])  # fmt: skip
