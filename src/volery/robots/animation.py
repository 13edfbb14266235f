"""Bodies that move by themselves, such as a victim that waves: joints that swing between two ends at a rate."""

from __future__ import annotations

from dataclasses import dataclass

from volery.core.config import Checked, param
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import Description

__all__ = ["Swing", "check_swings"]


@dataclass(frozen=True)
class Swing(Checked):
    """One joint: from low to high at a rate, a pause, back, a pause, and again."""

    joint: str
    low: float
    """[rad or m]."""
    high: float
    """[rad or m]."""
    rate: float = param(1.0, above=0.0, high=1e3)
    """[rad/s or m/s]."""
    pause: float = param(0.0, low=0.0, high=1e4)
    """At each end [s]."""
    phase: float = param(0.0, low=0.0, high=1e4)
    """How far into it the motion begins [s]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            raise RobotError(f"animation: joint '{self.joint}' must swing from a low end to a higher one")

    def at(self, seconds: float) -> tuple[float, float]:
        """Position [rad or m] and speed [1/s of it] after so many seconds."""
        way = (self.high - self.low) / self.rate
        t = (seconds + self.phase) % (2 * (way + self.pause))
        if t < way:
            return self.low + self.rate * t, self.rate
        if t < way + self.pause:
            return self.high, 0.0
        t -= way + self.pause
        return (self.high - self.rate * t, -self.rate) if t < way else (self.low, 0.0)


def check_swings(swings: list[Swing], description: Description) -> None:
    """Refuse joints that the robot does not have or that do not go so far."""
    for swing in swings:
        try:
            joint = description.joints[description.joint(swing.joint)]
        except UnknownNameError as error:
            raise RobotError(f"animation: {error}") from None
        if swing.low < joint.low - 1e-9 or swing.high > joint.high + 1e-9:
            raise RobotError(f"animation: joint '{swing.joint}' goes from {joint.low:g} to {joint.high:g} only")
