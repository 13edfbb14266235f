"""No forces: robots follow a path, a commanded velocity, or whatever pose they are given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.errors import SimulationError
from volery.physics.engine import Engine, Velocity
from volery.robots.robot import Robot

__all__ = ["KinematicEngine", "Motion"]


@dataclass(frozen=True)
class Motion(Checked):
    """A path to follow at constant speed, nose ahead; no path: stay until told."""

    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Corners in W [m]."""
    speed: float = param(5.0, above=0, high=1e5)
    """[m/s]."""
    loop: bool = True
    """Close the path and go round; else stop at its end."""


class _Follower:
    """Place and direction on a polyline by distance travelled."""

    def __init__(self, motion: Motion) -> None:
        corners = np.array(motion.path, float).reshape(-1, 3)
        if motion.loop and len(corners) > 1:
            corners = np.vstack([corners, corners[:1]])
        self._corners = corners
        self._lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
        self.motion = motion

    def at(self, seconds: float) -> tuple[np.ndarray, np.ndarray]:
        """Position [m] and velocity [m/s] after so many seconds."""
        total = self._lengths[-1]
        s = self.motion.speed * seconds
        if total == 0.0 or (not self.motion.loop and s >= total):
            return self._corners[-1], np.zeros(3)
        s = s % total
        i = int(np.searchsorted(self._lengths, s, side="right")) - 1
        step = self._corners[i + 1] - self._corners[i]
        direction = step / np.linalg.norm(step)
        return self._corners[i] + direction * (s - self._lengths[i]), direction * self.motion.speed


class KinematicEngine(Engine):
    """Robots without mass. A path is a function of time, so it does not drift."""

    Options = Motion

    def __init__(self) -> None:
        self._robots: dict[str, Robot] = {}
        self._followers: dict[str, _Follower] = {}
        self._started: dict[str, int] = {}
        self._velocities: dict[str, Velocity] = {}

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; with a path it starts at the path's first corner."""
        self._robots[robot.name] = robot
        if options is not None and options.path:
            self._followers[robot.name] = _Follower(options)
            self._started[robot.name] = now_ns
            self._place(robot, *self._followers[robot.name].at(0.0), dt=0.0)

    def remove(self, name: str) -> None:
        """Let a robot go."""
        for table in (self._robots, self._followers, self._started, self._velocities):
            table.pop(name, None)

    def apply(self, name: str, command: Any) -> None:
        """A velocity ends following a path."""
        if not isinstance(command, Velocity):
            raise SimulationError(f"robot '{name}': kinematic motion takes a Velocity, not {type(command).__name__}")
        if not (np.isfinite(command.v_W).all() and np.isfinite(command.yaw_rate)):
            raise SimulationError(f"robot '{name}': a velocity must be finite; the last good one stays")
        self._followers.pop(name, None)
        self._velocities[name] = command

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step."""
        for name, robot in self._robots.items():
            if name in self._followers:
                seconds = (now_ns + step_ns - self._started[name]) / SECOND
                self._place(robot, *self._followers[name].at(seconds), dt=step_ns / SECOND)
            elif name in self._velocities:
                self._drift(robot, self._velocities[name], step_ns / SECOND)

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        velocities = {n: [v.v_W.copy(), v.yaw_rate] for n, v in self._velocities.items()}
        return {"started": dict(self._started), "following": sorted(self._followers), "velocities": velocities}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        self._started = dict(state["started"])
        self._followers = {n: f for n, f in self._followers.items() if n in state["following"]}
        self._velocities = {n: Velocity(v, w) for n, (v, w) in state["velocities"].items()}

    @staticmethod
    def _place(robot: Robot, p: np.ndarray, v: np.ndarray, dt: float) -> None:
        before = euler_from_quat(robot.q_WB_wxyz)[2]
        yaw = np.arctan2(v[1], v[0]) if np.hypot(v[0], v[1]) > 1e-9 else before
        robot.set_pose(p, quat_from_euler(np.array([0.0, 0.0, yaw])))
        # At a corner the nose swings round within a step.
        turn = (yaw - before + np.pi) % (2 * np.pi) - np.pi
        robot.set_twist(v, np.array([0.0, 0.0, turn / dt if dt > 0 else 0.0]))

    @staticmethod
    def _drift(robot: Robot, velocity: Velocity, dt: float) -> None:
        roll, pitch, yaw = euler_from_quat(robot.q_WB_wxyz)
        q = quat_from_euler(np.array([roll, pitch, yaw + velocity.yaw_rate * dt]))
        robot.set_pose(robot.p_WB + velocity.v_W * dt, q)
        robot.set_twist(velocity.v_W, np.array([0.0, 0.0, velocity.yaw_rate]))
