"""A way with its timing: as fast as limits of speed, acceleration and sight allow, and standing still at its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery._native import autonomy as _native
from volery.core.config import param

__all__ = ["MotionLimits", "Reference", "Trajectory", "timed"]


@dataclass(frozen=True)
class MotionLimits:
    """What a robot may do."""

    speed: float = param(5.5, above=0)
    """[m/s]."""
    acceleration: float = param(4.0, above=0)
    """Along the way and across it, each [m/s²]."""
    narrow: float = param(4.0, above=0)
    """Speed where there is just room enough [m/s]."""
    emergency: float = param(6.0, above=0)
    """Deceleration when something has come up [m/s²]."""


@dataclass(frozen=True, eq=False)
class Reference:
    """Where to be at an instant, in W."""

    p: np.ndarray
    v: np.ndarray
    a: np.ndarray


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Points of a way, in even steps, with the time at which each is passed."""

    p: np.ndarray
    """[n, 3] [m]."""
    v: np.ndarray
    """Speed at each [m/s]."""
    t: np.ndarray
    """[s], from 0."""
    spacing: float
    """Between points [m]."""
    hurry: float = 1.0
    """How much faster than it should be it is at worst, since it cannot slow down in time."""

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.t[-1])

    def at(self, seconds: float) -> Reference:
        """Where to be a time after the beginning [s]; after the end, there at rest."""
        if len(self.t) < 2 or seconds >= self.t[-1]:
            return Reference(self.p[-1], np.zeros(3), np.zeros(3))
        i = min(max(int(np.searchsorted(self.t, seconds, side="right")) - 1, 0), len(self.t) - 2)
        dt, u = self.t[i + 1] - self.t[i], seconds - self.t[i]
        a = (self.v[i + 1] - self.v[i]) / dt
        v = self.v[i] + a * u
        f = min((self.v[i] * u + 0.5 * a * u * u) / self.spacing, 1.0)
        way = (1 - f) * self._tangent(i) + f * self._tangent(i + 1)
        way /= max(float(np.linalg.norm(way)), 1e-9)
        bend = (self._tangent(i + 1) - self._tangent(i)) / self.spacing
        p = self.p[i] + f * (self.p[i + 1] - self.p[i])
        return Reference(p, v * way, a * way + v * v * bend)

    def _tangent(self, i: int) -> np.ndarray:
        d = self.p[min(i + 1, len(self.p) - 1)] - self.p[max(i - 1, 0)]
        return d / max(float(np.linalg.norm(d)), 1e-9)


def timed(p: np.ndarray, room: np.ndarray, sight: int, v0: float, limits: MotionLimits) -> Trajectory:
    """The timing of a way of points [n, 3] in even steps [m]. room: 0 (just enough) to 1 (plenty) at each; sight: the
    last point that may be flown to for now; v0: speed at the beginning [m/s]."""
    p = np.ascontiguousarray(p[: max(sight + 1, 2)])
    spacing = float(np.linalg.norm(np.diff(p, axis=0), axis=1).mean())
    v = np.empty(len(p))
    hurry = _native.speed_profile(p, room, spacing, v0, limits.speed, limits.narrow, limits.acceleration, v)
    middle = np.maximum(0.5 * (v[1:] + v[:-1]), 1e-2)
    return Trajectory(p, v, np.concatenate([[0.0], np.cumsum(spacing / middle)]), max(spacing, 1e-6), hurry)
