"""The task of docking: a ducted fan flies up to a wall, touches it with its tool, and presses with a set force."""

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
from volery.robots.tooltip import ToolTip

__all__ = ["WallDocking", "WallDockingConfig"]

_WALL = 4.0
"""x of the plate in a boiler of 8 m [m]."""
_PRIZE = 10.0
_NEAR = 0.4
"""A touch counts from so near the spot [m]."""


@dataclass(frozen=True)
class WallDockingConfig(SimulatedConfig):
    """Parameters of the task."""

    robot: str = "ductedfan"
    """A craft with a tool ahead; see docs/robots.md."""
    force: float = param(3.0, above=0, high=8.0)
    """To press with [N]."""
    within: float = param(0.75, above=0, high=8.0)
    """How near the set force counts as it [N]."""
    hold: float = param(2.0, above=0, high=60.0)
    """For so long, without a break [s]."""
    most: float = param(20.0, above=0, high=1e3)
    """More force than this breaks the tool [N]."""
    speed: float = param(0.4, above=0, high=5.0)
    """Most of an action, along each axis [m/s]."""
    yaw_rate: float = param(0.5, above=0, high=5.0)
    """Most of an action [rad/s]."""


class WallDocking(SimulatedEnv):
    """Action [4], -1 to 1: velocity forward, left, up by the heading, and turning about up; the craft's own autopilot
    follows, as a mass on a spring, which also is what presses.

    Observation [20]: way from the tool's tip to the spot on the wall in W (3) [m], velocity in W (3) [m/s], roll,
    pitch, yaw (3) [rad], angular velocity in W (3) [rad/s], force of the wall on the tool in W (3) [N], the set force
    (1) [N], last action (4). Forces are means over the last action.

    Reward of a step: metres that the spot came nearer, and while the tool touches within 0.4 m of it exp(−|f − set|)
    [N] times the period in seconds; 10 for success: a force within `within` of the set one for `hold` seconds. −10
    where another part touches anything, or the tool is pressed by more than `most`. These end the episode."""

    Config: ClassVar = WallDockingConfig
    config: WallDockingConfig

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.action_space = Box(-1.0, 1.0, (4,), np.float32)
        limits = (3, 20.0), (3, 10.0), (3, np.pi), (3, 20.0), (3, 100.0), (1, 10.0), (4, 1.0)
        self.observation_space = box(*limits)
        self._spot, self._felt, self._off, self._held = np.zeros(3), [np.zeros(3)], 0.0, 0.0
        self._bumped = False

    def scenario(self) -> dict[str, Any]:
        """A boiler without anything in the way; its plate is at x = 4 m."""
        bot = {"type": self.config.robot, "position": [2.0, 0.0, 5.0], "sensors": silent(self.config.robot)}
        return {"world": {"type": "boiler", "marks": 0, "platens": 0}, "robots": {"bot": bot}}

    def begin(self, draw: np.random.Generator) -> None:
        """0.8 to 1.6 m before the wall, nose about to it; the spot is somewhere near."""
        self._tip = ToolTip(self.robot)
        p = np.array([_WALL - 0.5 - draw.uniform(0.8, 1.6), *draw.uniform(-1.5, 1.5, 2) + [0.0, 5.0]])
        yaw = draw.uniform(-0.2, 0.2)
        self.simulation.place("bot", p, quat_from_euler(np.array([0.0, 0.0, yaw])))
        self._spot = np.array([_WALL, *p[1:] + draw.uniform(-0.5, 0.5, 2)])
        self._felt, self._held, self._bumped = [np.zeros(3)], 0.0, False
        self._off = self._distance()

    def tell(self, action: np.ndarray) -> None:
        """Fly on."""
        self._felt = []
        c = self.config
        self.simulation.command("bot", BodyVelocity(action[:3] * c.speed, float(action[3]) * c.yaw_rate))

    def watch(self) -> None:
        """Feel what the tool feels, and whether another part touches."""
        self._felt.append(self._tip.force_W(self.step_s))
        self._bumped |= any(c.body != self._tip.body for c in self.robot.contacts or ())

    @property
    def force_W(self) -> np.ndarray:
        """Of the wall on the tool, the mean over the last action, [3] [N]."""
        return np.mean(self._felt, axis=0)

    def observe(self) -> np.ndarray:
        """See the class."""
        r = self.robot
        parts = (
            self._spot - self._tip.p_WT, r.v_WB_W, euler_from_quat(r.q_WB_wxyz), r.w_WB_W, self.force_W,
            [self.config.force], self.last,
        )  # fmt: skip
        return np.concatenate(parts)

    def judge(self) -> tuple[float, bool, bool]:
        """See the class."""
        c, off = self.config, self._distance()
        reward, self._off = self._off - off, off
        pressed = float(-self.force_W[0])
        touching = pressed > 0.0 and off < _NEAR
        wrong = abs(pressed - c.force)
        if touching:
            reward += float(np.exp(-wrong)) * c.period
        self._held = self._held + c.period if touching and wrong < c.within else 0.0
        done = self._held >= c.hold - 1e-9
        broken = self._bumped or max(float(np.linalg.norm(f)) for f in self._felt) > c.most
        return reward + _PRIZE * (done and not broken) - _PRIZE * broken, done or broken, done and not broken

    def _distance(self) -> float:
        return float(np.linalg.norm(self._spot - self._tip.p_WT))
