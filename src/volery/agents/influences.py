"""What agents can do: wishes that a controller collects and has their bodies follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.errors import CommandError

__all__ = ["Influence", "Land", "MoveByVelocity", "RotateToYaw", "Takeoff"]


@dataclass(frozen=True, eq=False)
class Influence:
    """A wish of an agent; the next one of the same agent takes its place."""

    by_body: ClassVar[bool] = True
    """Whether a body follows it; else a law has to settle it, such as who takes a thing."""


@dataclass(frozen=True, eq=False)
class Takeoff(Influence):
    """Go straight up by 2 m and stay."""


@dataclass(frozen=True, eq=False)
class Land(Influence):
    """Sink to what is below and stop the motors."""


@dataclass(frozen=True, eq=False)
class MoveByVelocity(Influence):
    """Fly at a velocity for some time with the nose as it is, then stay."""

    v_W: np.ndarray
    """[m/s]."""
    duration: float
    """[s] of simulated time."""

    def __post_init__(self) -> None:
        v_W = np.array(self.v_W, float)
        if v_W.shape != (3,) or not np.isfinite(v_W).all() or not 0.0 < self.duration < 1e6:
            raise CommandError(
                f"MoveByVelocity: {self.v_W!r} for {self.duration!r} s must be 3 finite numbers for > 0 s"
            )
        object.__setattr__(self, "v_W", v_W)


@dataclass(frozen=True, eq=False)
class RotateToYaw(Influence):
    """Stay in place and turn the nose to a heading, the shorter way."""

    yaw: float
    """Counter-clockwise from east [rad]."""
    timeout: float = 5.0
    """Given up after that [s]."""
    margin: float = np.radians(3.0)
    """Near enough [rad]."""

    def __post_init__(self) -> None:
        if not np.isfinite([self.yaw, self.timeout, self.margin]).all():
            raise CommandError(f"RotateToYaw: {self.yaw!r} rad within {self.timeout!r} s must be finite")
