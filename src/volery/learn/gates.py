"""The task of racing: round a course through gates, whose frames can be seen and hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.config import param
from volery.core.frames import quat_from_euler
from volery.core.geometry import Mesh, box, merge
from volery.core.material import Material
from volery.learn.flock import Flock
from volery.learn.task import Task, TaskConfig, Verdict, fitted
from volery.world.world import Placement, poses

__all__ = ["GateRace", "GateRaceConfig"]

_PRIZE = 10.0
_FRAME = Material("gate", (0.85, 0.25, 0.02), label="gate", roughness=0.5, emission=0.1)
_BAR = 0.1
"""Thickness of a frame [m]."""
_AHEAD = 40.0
"""Most that is observed [m]."""


@dataclass(frozen=True)
class GateRaceConfig(TaskConfig):
    """Parameters of the task."""

    seconds: float = param(20.0, above=0, high=3600.0)
    gates: int = param(6, low=2, high=100)
    """Of a lap."""
    laps: int = param(1, low=1, high=100)
    size: float = param(1.6, low=0.5, high=20.0)
    """Of a gate's opening, a square [m]."""
    radii: tuple[float, float] = param((9.0, 6.0), low=3.0, high=500.0)
    """Of the course, an ellipse, east and north [m]."""
    heights: tuple[float, float] = param((2.0, 3.5), low=0.5, high=100.0)
    """Of the gates' middles, lowest and highest, up and down along the course [m]."""
    start: float = param(0.3, low=0.0, high=2.0)
    """Episodes begin at most so far off the middle between two gates, along each axis [m]."""


class GateRace(Task):
    """Observation [25]: way to the next gate's middle (3) [m] and its direction (3), the same of the gate after it (6),
    the vertical (3), velocity (3) [m/s], angular velocity (3) [rad/s], all in B; last action (4).

    Reward of a step: metres that the next gate came nearer, 10 for each gate flown through, −10 for touching anything
    and for passing a gate outside of it, which end the episode. Success, and the end: all gates of all laps.
    Episodes begin before any of the gates."""

    Config: ClassVar = GateRaceConfig
    config: GateRaceConfig

    def __init__(self, config: GateRaceConfig, flock: Flock) -> None:
        super().__init__(config, flock)
        self.observation_space = self.space((3, _AHEAD), (3, 1.0), (3, _AHEAD), (3, 1.0))
        turns = 2.0 * np.pi * np.arange(config.gates) / config.gates
        low, high = config.heights
        z = low + (high - low) * 0.5 * (1.0 - np.cos(2.0 * turns))
        a, b = config.radii
        self.middles = np.stack([a * np.sin(turns), -b * np.cos(turns), z], axis=1)
        """Of the gates, [g, 3] [m]."""
        ahead = np.stack([a * np.cos(turns), b * np.sin(turns), np.zeros(config.gates)], axis=1)
        self.ahead = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
        """Which way they are flown through, unit, [g, 3]."""
        yaw = np.arctan2(self.ahead[:, 1], self.ahead[:, 0])
        flock.scene.add(Placement("gates", (_frame(config.size),), poses(self.middles, yaw)))
        self.next, self.passed = np.zeros((2, len(flock)), int)
        """Of each drone, its next gate and how many it has flown through, [n]."""
        self._before = np.zeros((len(flock), 3))

    @classmethod
    def made(cls, config: GateRaceConfig, count: int) -> GateRace:
        """Over level ground."""
        step: dict[str, Any] = {"period": config.period, "step": config.physics_step}
        return cls(config, Flock(count, config.robot, "empty", **step, touch=True))

    def begin(self, row: int, draw: np.random.Generator) -> None:
        """At rest between two gates, nose to the next."""
        k = int(draw.integers(self.config.gates))
        self.next[row], self.passed[row] = k, 0
        way = self.middles[k] - self.middles[k - 1]
        p = self.middles[k] - 0.5 * way + draw.uniform(-1.0, 1.0, 3) * self.config.start
        q = quat_from_euler(np.array([0.0, 0.0, np.arctan2(way[1], way[0])]))
        self.flock.place(row, p, q, np.zeros(3), np.zeros(3))

    def arrange(self, rows: np.ndarray) -> None:
        """Remember where they are."""
        self._before[rows] = self.flock.p_WB[rows]

    def observe(self, rows: np.ndarray) -> np.ndarray:
        """See the class."""
        f, k = self.flock, self.next[rows]
        after = (k + 1) % self.config.gates
        p = f.p_WB[rows]
        gates = self.middles[k] - p, self.ahead[k], self.middles[after] - p, self.ahead[after]
        return fitted(self.observation_space, self.seen_by(rows, *gates))

    def judge(self) -> Verdict:
        """See the class."""
        p, q, k = self.flock.p_WB, self._before, self.next
        middle, ahead = self.middles[k], self.ahead[k]
        reward = np.linalg.norm(q - middle, axis=1) - np.linalg.norm(p - middle, axis=1)
        crossed, inside = self._crossing(q - middle, p - middle, ahead)
        through = crossed & inside & ~self.flock.touched
        lost = self.flock.touched | (crossed & ~inside)
        self.passed[through] += 1
        self.next = np.where(through, (k + 1) % self.config.gates, k)
        done = self.passed >= self.config.gates * self.config.laps
        self._before = p.copy()
        return Verdict(reward + _PRIZE * through - _PRIZE * lost, lost | done, done & ~lost)

    def _crossing(self, q: np.ndarray, p: np.ndarray, ahead: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether ways from q to p, seen from the gates' middles, [n, 3], cross the gates' planes ahead; and whether
        within the openings."""
        a, b = np.einsum("ni,ni->n", q, ahead), np.einsum("ni,ni->n", p, ahead)
        crossed = (a < 0.0) & (b >= 0.0)
        share = np.where(crossed, -a / np.where(crossed, b - a, 1.0), 0.0)
        at = q + share[:, None] * (p - q)
        side = np.abs(at[:, 1] * ahead[:, 0] - at[:, 0] * ahead[:, 1])
        half = 0.5 * self.config.size
        # What is passed far off is no gate that was missed: the course comes by there on its way elsewhere
        near = np.linalg.norm(at, axis=1) < 3.0 * self.config.size
        return crossed & near, (side < half) & (np.abs(at[:, 2]) < half)

    def goal(self, row: int) -> np.ndarray:
        """The next gate."""
        return self.middles[self.next[row]]


def _frame(size: float) -> Mesh:
    """Four bars round a square opening about the origin, across x."""
    out, long = 0.5 * (size + _BAR), size + 2.0 * _BAR
    bars = [(0.0, sign * out, 0.0) for sign in (-1, 1)], [(0.0, 0.0, sign * out) for sign in (-1, 1)]
    upright, level = box((_BAR, _BAR, long), materials=(_FRAME,)), box((_BAR, long, _BAR), materials=(_FRAME,))
    return merge([*(upright.moved(p=p) for p in bars[0]), *(level.moved(p=p) for p in bars[1])], "gate")
