"""Keeps a robot on its trajectory, by the estimated state: accelerations that the robot's own attitude loop flies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.autonomy.localisation import State
from volery.autonomy.trajectory import Reference, Trajectory
from volery.core.config import param
from volery.robots.commands import Acceleration, Command

__all__ = ["PilotConfig", "TrajectoryPilot"]


@dataclass(frozen=True)
class PilotConfig:
    """How hard errors are fought."""

    place: float = param(4.0, above=0)
    """Of place [1/s²]."""
    speed: float = param(3.2, above=0)
    """Of velocity [1/s]."""
    most: float = param(9.0, above=0)
    """Largest acceleration asked for [m/s²]."""
    lead: float = param(0.15, low=0)
    """Accelerations are asked for so much earlier [s]: a robot must tilt first."""
    turn: float = param(1.2, above=0)
    """Rate at which the heading follows the way [rad/s]."""


class TrajectoryPilot:
    """Flies one trajectory after the other."""

    def __init__(self, config: PilotConfig, p: np.ndarray, yaw: float) -> None:
        """p, yaw: where it waits for the first [m], [rad]."""
        self.config = config
        self.yaw = yaw
        self.trajectory: Trajectory | None = None
        self._rest = Reference(p.copy(), np.zeros(3), np.zeros(3))
        self._began = 0.0

    def fly(self, trajectory: Trajectory, now: float) -> None:
        """Follow a trajectory from now on [s]."""
        self.trajectory, self._began = trajectory, now

    def reference(self, now: float) -> Reference:
        """Where it should be."""
        return self._rest if self.trajectory is None else self.trajectory.at(now - self._began)

    def remaining(self, now: float) -> float:
        """Until the trajectory ends [s]."""
        return 0.0 if self.trajectory is None else max(self.trajectory.duration - (now - self._began), 0.0)

    def steer(self, state: State, now: float, dt: float) -> Command:
        """What to tell the robot for the next dt [s]."""
        r, c = self.reference(now), self.config
        a = self.reference(now + c.lead).a + c.speed * (r.v - state.v_WB_W) + c.place * (r.p - state.p_WB)
        size = float(np.linalg.norm(a))
        if size > c.most:
            a = a * (c.most / size)
        if np.hypot(r.v[0], r.v[1]) > 1.0:
            away = (np.arctan2(r.v[1], r.v[0]) - self.yaw + np.pi) % (2 * np.pi) - np.pi
            self.yaw += float(np.clip(away, -c.turn * dt, c.turn * dt))
        return Acceleration(a, yaw=self.yaw)
