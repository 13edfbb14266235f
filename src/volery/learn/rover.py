"""The task of driving: a rover finds its way between posts to a goal, by a laser in one plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box

from volery.core.config import param
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.learn.simulated import SimulatedConfig, SimulatedEnv, silent
from volery.learn.task import box
from volery.robots.commands import BodyVelocity

__all__ = ["RoverToGoal", "RoverToGoalConfig"]

_PRIZE = 10.0
_POST = (0.3, 0.3, 1.2)
"""Width, depth and height [m]."""
_CLEAR = 0.9
"""No post is nearer to the begin, to the goal, or to another post [m]."""
_UP = 0.09
"""Of the rover's origin at the begin [m]."""


@dataclass(frozen=True)
class RoverToGoalConfig(SimulatedConfig):
    """Parameters of the task."""

    robot: str = "rover"
    """A robot that drives; see docs/usar_robots.md."""
    seconds: float = param(40.0, above=0, high=3600.0)
    period: float = param(0.1, low=0.001, high=1.0)
    posts: int = param(8, low=0, high=100)
    distance: tuple[float, float] = param((4.0, 6.0), above=0, high=1000.0)
    """From the begin to the goal, least and most [m]."""
    near: float = param(0.4, above=0, high=10.0)
    """The goal is reached from so far [m]."""
    beams: int = param(36, low=4, high=4000)
    """Of the laser, over 270 degrees ahead."""
    reach: float = param(6.0, above=0, high=100.0)
    """Of the laser [m]."""
    speed: float = param(0.5, above=0, high=20.0)
    """Most of an action [m/s]."""
    yaw_rate: float = param(0.8, above=0, high=20.0)
    """Most of an action [rad/s]."""


class RoverToGoal(SimulatedEnv):
    """Action [2], -1 to 1: speed forward and turning; steered wheels turn only while they roll.

    Observation [7 + beams]: way to the goal forward and left (2) [m], speed forward (1) [m/s], turning (1) [rad/s],
    roll and pitch (2) [rad], distance to the goal (1) [m], the laser's ranges from right to left, its reach where
    nothing is [m].

    Reward of a step: metres that the goal came nearer; 10 for reaching it, −10 for touching a post or lying on the
    side, which end the episode."""

    Config: ClassVar = RoverToGoalConfig
    config: RoverToGoalConfig
    away = 3.0

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        c = self.config
        self.action_space = Box(-1.0, 1.0, (2,), np.float32)
        low = box((2, 100.0), (1, 10.0), (1, 10.0), (2, np.pi), (1, 100.0))
        high = np.concatenate([low.high, np.full(c.beams, c.reach, np.float32)])
        least = np.concatenate([low.low, np.zeros(c.beams, np.float32)])
        least[6] = 0.0
        self.observation_space = Box(least, high, dtype=np.float32)
        self._goal, self._off = np.zeros(2), 0.0

    def scenario(self) -> dict[str, Any]:
        """Level ground; only the laser of all sensors."""
        laser = {
            "type": "lidar", "elevations_deg": [0.0], "columns": self.config.beams, "field_deg": [-135, 135],
            "min_range": 0.01, "max_range": self.config.reach, "rate": 1.0 / self.config.period,
            "mount": {"position": [0.15, 0.0, 0.3]},
        }  # fmt: skip
        sensors = {**silent(self.config.robot), "laser": laser}
        bot = {"type": self.config.robot, "position": [0.0, 0.0, _UP], "sensors": sensors}
        return {"world": {"type": "empty", "size": 200.0}, "robots": {"bot": bot}}

    def begin(self, draw: np.random.Generator) -> None:
        """At the origin, nose about to the goal, posts in between and around."""
        turn, far = draw.uniform(-np.pi, np.pi), draw.uniform(*self.config.distance)
        self._goal = far * np.array([np.cos(turn), np.sin(turn)])
        taken = [np.zeros(2), self._goal]
        for number in range(self.config.posts):
            self._post(number, taken, draw)
        yaw = turn + draw.uniform(-0.8, 0.8)
        self.simulation.place("bot", np.array([0.0, 0.0, _UP]), quat_from_euler(np.array([0.0, 0.0, yaw])))
        # A moment to stand on its wheels, and for the laser to see the posts
        self.simulation.run(self._per_action)
        self._off = self._distance()

    def _post(self, number: int, taken: list[np.ndarray], draw: np.random.Generator) -> None:
        """One more, where there is room for it; after many tries it is left out."""
        for _ in range(50):
            p = draw.uniform(0.0, 1.0) * self._goal + draw.normal(0.0, 1.2, 2)
            if min(float(np.linalg.norm(p - q)) for q in taken) > _CLEAR:
                taken.append(p)
                X = np.column_stack([np.diag(_POST), [*p, _POST[2] / 2]])
                self.simulation.alter("make", f"post_{number}", "Cylinder", X)
                return

    def tell(self, action: np.ndarray) -> None:
        """Drive on."""
        c = self.config
        self.simulation.command("bot", BodyVelocity([float(action[0]) * c.speed, 0, 0], float(action[1]) * c.yaw_rate))

    def observe(self) -> np.ndarray:
        """See the class."""
        r, reading = self.robot, self.simulation.sensor("bot", "laser").latest
        roll, pitch, yaw = euler_from_quat(r.q_WB_wxyz)
        c, s, (x, y) = np.cos(yaw), np.sin(yaw), self._goal - r.p_WB[:2]
        ahead = c * r.v_WB_W[0] + s * r.v_WB_W[1]
        state = [c * x + s * y, c * y - s * x, ahead, r.w_WB_W[2], roll, pitch, self._distance()]
        assert reading is not None
        ranges = np.nan_to_num(reading.data["range"], nan=self.config.reach, posinf=self.config.reach)
        return np.concatenate([state, ranges])

    def judge(self) -> tuple[float, bool, bool]:
        """See the class."""
        off = self._distance()
        reward, self._off = self._off - off, off
        struck = any(contact.other.startswith("post_") for contact in self.robot.contacts or ())
        lost = struck or self.robot.X_WB[0, 2, 2] < 0.3
        reached = off < self.config.near and not lost
        return reward + _PRIZE * reached - _PRIZE * lost, lost or reached, reached

    def _distance(self) -> float:
        return float(np.linalg.norm(self._goal - self.robot.p_WB[:2]))
