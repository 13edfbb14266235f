"""Bodies that have only velocities, places and motors to command: how they take off, turn, stay and land by themselves.

A simulator that has these manoeuvres, as AirSim has, needs none of this.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from volery.agents.agent import wrap
from volery.agents.body import Body
from volery.agents.influences import Influence, Land, MoveByVelocity, RotateToYaw, Takeoff
from volery.core.clock import SECOND, nanoseconds
from volery.robots.commands import Motors, Pose, Velocity

__all__ = ["Flown", "PilotedBody"]

Flown = Velocity | Pose | Motors
"""What such a body is commanded by."""
_RISE = 2.0
"""Height of a takeoff [m]."""
_CLIMB, _SINK = 1.5, 0.3
"""Fastest on takeoff, and slowest on landing [m/s]."""
_STILL = 0.2
"""A drone that has touched the ground for so long has landed [s]."""
_SLOW = 0.3
"""Below this speed a drone holds its place [m/s]."""


class PilotedBody(Body):
    """A multirotor that follows influences by `control`: called at every step, or when something is new."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._doing: Influence | None = None
        self._until_ns = 0
        self._place = np.zeros(3)
        self._touching = 0.0
        self._resting = True
        """Whether it stands with motors off."""
        self._held = True
        self._last_ns = 0

    # How it is

    @property
    @abstractmethod
    def now_ns(self) -> int:
        """Simulated time [ns]."""

    @property
    @abstractmethod
    def p_W(self) -> np.ndarray:
        """Where it is, [3] [m]."""

    @property
    @abstractmethod
    def v_W(self) -> np.ndarray:
        """How fast, [3] [m/s]."""

    @property
    @abstractmethod
    def turn(self) -> tuple[float, float]:
        """Heading [rad] and how fast it turns [rad/s]."""

    @property
    @abstractmethod
    def height(self) -> float:
        """Of its feet over what is below, as far as it knows [m]."""

    @property
    @abstractmethod
    def touches(self) -> bool:
        """Whether it touches something, as far as it knows."""

    @abstractmethod
    def command(self, command: Flown) -> None:
        """Have its autopilot do it."""

    # What it does

    def apply(self, influence: Influence) -> None:
        """Begin to follow an influence."""
        self._doing, self._place, self._held = influence, self.p_W.copy(), False
        self._touching = 0.0
        if isinstance(influence, MoveByVelocity):
            self._until_ns = self.now_ns + nanoseconds(influence.duration)
            self._tell(Velocity(influence.v_W))
        elif isinstance(influence, RotateToYaw):
            self._until_ns = self.now_ns + nanoseconds(influence.timeout)
            self._tell(Pose(self._place, influence.yaw))
        elif isinstance(influence, Takeoff):
            self._place[2] += _RISE

    def control(self) -> None:
        """Go on with what it is doing."""
        now_ns, doing = self.now_ns, self._doing
        step, self._last_ns = (now_ns - self._last_ns) / SECOND, now_ns
        late = now_ns >= self._until_ns
        if isinstance(doing, Takeoff):
            self._take_off()
        elif isinstance(doing, Land):
            self._sink(step)
        elif isinstance(doing, RotateToYaw):
            yaw, rate = self.turn
            if late or (abs(wrap(yaw - doing.yaw)) <= doing.margin and abs(rate) < 0.05):
                self._doing = None
        elif isinstance(doing, MoveByVelocity) and late:
            self._doing = None
        if self._doing is None and not self._resting and not self._held:
            self._hold()

    def _take_off(self) -> None:
        gap = self._place - self.p_W
        if abs(gap[2]) < 0.15:
            self._doing = None
            return
        drift = np.clip(0.8 * gap[:2], -1.0, 1.0)
        self._tell(Velocity([drift[0], drift[1], np.clip(1.5 * gap[2], -_CLIMB, _CLIMB)]))

    def _sink(self, step: float) -> None:
        """Slower the nearer the ground is; at rest on it the motors stop."""
        still = self.touches and abs(float(self.v_W[2])) < 0.1
        self._touching = self._touching + step if still else 0.0
        if self._touching >= _STILL:
            self._tell(Motors(np.zeros(4)))
            self._doing, self._resting = None, True
            return
        drift = np.clip(0.8 * (self._place - self.p_W), -1.0, 1.0)
        self._tell(Velocity([drift[0], drift[1], -np.clip(0.7 * self.height, _SINK, 2.0)]))

    def _hold(self) -> None:
        """Brake, then keep the place."""
        if float(np.linalg.norm(self.v_W)) < _SLOW:
            self._tell(Pose(self.p_W))
            self._held = True
        else:
            self._tell(Velocity())

    def _tell(self, command: Flown) -> None:
        self._resting = False
        self.command(command)
