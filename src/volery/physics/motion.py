"""A path in a scenario: the same for robots that are carried along it and robots that must fly or drive it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from volery.core.config import Checked, param

__all__ = ["Follower", "Motion", "WatchedMotion"]


@dataclass(frozen=True)
class Motion(Checked):
    """A path to follow at constant speed, nose ahead; no path: stay until told."""

    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Corners in W [m]."""
    speed: float = param(5.0, above=0, high=1e5)
    """[m/s]."""
    loop: bool = True
    """Close the path and go round; else stop at its end."""
    along: Literal["path", "world"] = "path"
    """`world`: the way that the world itself knows, such as a cave's tunnels, there and back."""
    clear: float | None = param(None, above=0, high=100.0)
    """Distance that the path is to have from what stands [m]. Where something is nearer than half of it, a way round is
    found, in any world of any seed; none: the path is taken as it is."""
    height: float | None = param(None, low=0.0, high=1e4)
    """Over the ground of hills, forests and terrain, of a path that is led round things [m]; none: z of its corners."""


@dataclass(frozen=True)
class WatchedMotion(Motion):
    """The same for robots whose commands may come too late."""

    deadline: float | None = param(None, above=0, high=3600.0)
    """Told nothing for so long, a craft goes to safety (see `Safety`) [s]; none: it does as it was told last."""


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

    def ahead(self, p_W: np.ndarray, since: float, reach: float) -> tuple[float, float, np.ndarray]:
        """For robots that may be late: how far along they are, how far it still is, and the point `reach` ahead [m].

        since: how far along they were before [m]; on a closed path it counts all rounds. They are where the path, seen
        from above, comes nearest to p_W within `reach` of there, so that a path that crosses itself does not confuse.
        """
        total = self._lengths[-1]
        if total == 0.0:
            return 0.0, 0.0, self._corners[-1]
        tries = since + np.linspace(0.0, reach, 33)
        if not self.motion.loop:
            tries = np.minimum(tries, total)
        gaps = np.sum((self._places(tries) - p_W)[:, :2] ** 2, axis=1)
        along = float(tries[int(np.argmin(gaps))])
        if self.motion.loop:
            return along, np.inf, self._places(along + reach)
        return along, total - along, self._places(along + reach)

    def _places(self, s: np.ndarray | float) -> np.ndarray:
        """Points at distances along the path [m], [..., 3]."""
        s = np.mod(s, self._lengths[-1]) if self.motion.loop else np.minimum(s, self._lengths[-1])
        return np.stack([np.interp(s, self._lengths, self._corners[:, k]) for k in range(3)], axis=-1)
