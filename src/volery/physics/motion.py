"""A path in a scenario: the same for robots that are carried along it and robots that must fly or drive it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from volery.core.config import Checked, param

__all__ = ["Follower", "Motion"]


@dataclass(frozen=True)
class Motion(Checked):
    """A path to follow at constant speed, nose ahead; no path: stay until told."""

    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Corners in W [m]."""
    speed: float = param(5.0, above=0, high=1e5)
    """[m/s]."""
    loop: bool = True
    """Close the path and go round; else stop at its end."""


class Follower:
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
