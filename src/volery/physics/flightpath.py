"""A path for robots with mass that fly: when they are where, so that they can, corners rounded and braked for.

Along straight legs speed grows and falls at the craft's acceleration; corners become arcs flown at constant speed. This
is then averaged over a window of time: nothing is faster nor pushed harder than before, and acceleration has no jumps.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from volery.physics.motion import Motion

__all__ = ["Agility", "FlightPath", "Moment"]

_CUT = 0.1
"""Arcs pass a corner no farther off [m]; the rest of what a path may be missed by is the autopilot's."""
_ARC_SHARE = 1 / 3
"""Of a leg that an arc takes at most, at each end; on the rest speed can change."""
_SHARP = 1e-4
"""Arcs of smaller radius are stops [m]."""


@dataclass(frozen=True)
class Agility:
    """How a robot can fly along a path."""

    speed: float
    """At most [m/s]."""
    acceleration: float
    """In any direction [m/s²]."""
    window: float
    """Over which acceleration changes [s]."""
    lag: float = 0.0
    """Of acceleration to the sides behind what is told: told so much earlier, it comes in time [s]."""
    climb_lag: float = 0.0
    """The same up and down [s]."""


class Moment(NamedTuple):
    """What a robot on a path is told, [3] each."""

    p_W: np.ndarray
    """Place [m]."""
    v_W: np.ndarray
    """Velocity [m/s]."""
    a_W: np.ndarray
    """Acceleration [m/s²]."""
    push_W: np.ndarray
    """That to ask for now, so that it comes in time [m/s²]."""
    surge_W: np.ndarray
    """How a_W changes [m/s³]."""
    jerk_W: np.ndarray
    """How push_W changes [m/s³]."""


@dataclass(frozen=True)
class _PathSegment:
    """A leg, or an arc, from `start` [s] on: at p0, along rows of `axes` [2, 3]."""

    start: float
    p0: np.ndarray
    axes: np.ndarray
    speed: float
    gain: float = 0.0
    """Of speed along a leg [m/s²]."""
    radius: float = 0.0
    """Of an arc [m]; 0: a leg."""

    def at(self, t: float) -> np.ndarray:
        """Rows: integral of the place since the start [m s], place [m], velocity, acceleration, t after it; [4, 3]."""
        u, r, p0 = self.speed, self.radius, self.p0
        if r > 0.0:
            angle = u * t / r
            s, c = math.sin(angle), 1.0 - math.cos(angle)
            rows = [[r * r / u * c, r * t - r * r / u * s], [r * s, r * c], [u * (1.0 - c), u * s]]
            along = np.array([*rows, [-u * u / r * s, u * u / r * (1.0 - c)]]) @ self.axes
        else:
            a = self.gain
            x = np.array([[(u / 2 + a * t / 6) * t * t], [(u + a * t / 2) * t], [u + a * t], [a]])
            along = x * self.axes[0]
        along[0] += p0 * t
        along[1] += p0
        return along


@dataclass(frozen=True)
class _Corner:
    """Where two legs meet: an arc of some radius [m] that takes so much of both [m], and the most speed there [m/s]."""

    speed: float
    radius: float = 0.0
    takes: float = 0.0


class FlightPath:
    """Place, velocity and acceleration as functions of time since the start, at rest on the first corner."""

    def __init__(self, motion: Motion, agility: Agility) -> None:
        self.speed = min(motion.speed, agility.speed)
        """Kept on long legs [m/s]."""
        self.agility = agility
        corners = _distinct(np.array(motion.path, float).reshape(-1, 3), motion.loop)
        self._home = corners[0]
        self._pieces: list[_PathSegment] = []
        self._sums: list[np.ndarray] = []
        """Integral of the place over all before each piece."""
        self._now, self._sum = 0.0, np.zeros(3)
        self._round = -1
        """Number of the first piece of what repeats; −1: nothing does."""
        self._lay(corners - self._home, motion.loop)
        self._starts = [piece.start for piece in self._pieces]
        self.first = self._now if self._round < 0 else self._starts[self._round]
        """How long it takes to its end, or the first round [s]; what is flown comes later by half the window."""
        self.round = self._now - self.first
        """How long each later round takes [s]; 0: there is none."""

    def at(self, seconds: float) -> Moment:
        """Where to be, and what to tell, so long after the start [s]."""
        lag = self.agility.lag
        p, v, a, j = self._smooth(seconds)
        if lag == 0.0:
            return Moment(p + self._home, v, a, a, j, j)
        share = np.array([1.0, 1.0, self.agility.climb_lag / lag])
        _, _, later, jerk = self._smooth(seconds + lag)
        return Moment(p + self._home, v, a, a + share * (later - a), j, j + share * (jerk - j))

    def _smooth(self, t: float) -> np.ndarray:
        """Place from home, velocity, acceleration and jerk, averaged over the window before; [4, 3]."""
        return (self._raw(t) - self._raw(t - self.agility.window)) / self.agility.window

    def _raw(self, t: float) -> np.ndarray:
        """Integral of the place from home since the start, place, velocity, acceleration, not averaged; [4, 3]."""
        if t <= 0.0:
            return np.zeros((4, 3))
        rounds = 0
        if self.round > 0.0 and t > self.first:
            rounds = int((t - self.first) // self.round)
            t -= rounds * self.round
        i = bisect_right(self._starts, t) - 1
        out = self._pieces[i].at(t - self._starts[i])
        out[0] += self._sums[i]
        if rounds:
            out[0] += rounds * (self._sum - self._sums[self._round])
        return out

    def _lay(self, corners: np.ndarray, loop: bool) -> None:
        """Cut the path into pieces; on a loop a first round from rest, then the one that repeats."""
        if len(corners) > 1:
            steps = np.diff(np.vstack([corners, corners[:1]]) if loop else corners, axis=0)
            lengths = np.linalg.norm(steps, axis=1)
            ways = steps / lengths[:, None]
            n = len(lengths)
            joints = [self._corner(ways[i], ways[(i + 1) % n], min(lengths[i], lengths[(i + 1) % n])) for i in range(n)]
            if loop:
                speeds = self._speeds(lengths, joints, 2, joints[-1].speed)
                # The round that repeats ends as it begins
                speeds = self._speeds(lengths, joints, 2, speeds[n])
            else:
                joints[-1] = _Corner(0.0)
                speeds = self._speeds(lengths, joints, 1, 0.0)
            for k in range(len(speeds) - 1):
                if k == n:
                    self._round = len(self._pieces)
                before = joints[(k - 1) % n] if k else _Corner(0.0)
                self._leg(corners[k % n], ways[k % n], lengths[k % n], (before, joints[k % n]), speeds[k : k + 2])
                self._arc(joints[k % n], ways[k % n], ways[(k + 1) % n], speeds[k + 1], corners[(k + 1) % len(corners)])
        if self._round < 0:
            self._add(corners[-1], np.zeros((2, 3)), 0.0, math.inf)

    def _corner(self, way: np.ndarray, next_way: np.ndarray, shorter: float) -> _Corner:
        """How legs of two directions are joined; shorter: the length of the shorter [m]."""
        half = 0.5 * math.atan2(float(np.linalg.norm(np.cross(way, next_way))), float(way @ next_way))
        if half < 1e-7:
            return _Corner(self.speed)
        a = self.agility.acceleration
        near = _CUT / max(1.0 / math.cos(half) - 1.0, 1e-12)
        radius = min(near, _ARC_SHARE * shorter / math.tan(half), self.speed**2 / a)
        if radius < _SHARP:
            return _Corner(0.0)
        return _Corner(min(self.speed, math.sqrt(a * radius)), radius, radius * math.tan(half))

    def _speeds(self, lengths: np.ndarray, joints: Sequence[_Corner], rounds: int, last: float) -> list[float]:
        """Speed at the begin and at the corner after each leg [m/s], from rest; last: at the end at most."""
        n = len(lengths)
        twice = 2.0 * self.agility.acceleration
        free = [twice * (lengths[k % n] - joints[k % n].takes - (joints[(k - 1) % n].takes if k else 0.0))
                for k in range(rounds * n)]  # fmt: skip
        speeds = [0.0]
        for k, gain in enumerate(free):
            speeds.append(min(joints[k % n].speed, math.sqrt(speeds[-1] ** 2 + gain)))
        speeds[-1] = min(speeds[-1], last)
        for k in range(len(free) - 1, -1, -1):
            speeds[k] = min(speeds[k], math.sqrt(speeds[k + 1] ** 2 + free[k]))
        return speeds

    def _leg(
        self, corner: np.ndarray, way: np.ndarray, length: float, joints: tuple[_Corner, _Corner], speeds: list[float]
    ) -> None:
        """Faster, steady, slower."""
        a, (u, w) = self.agility.acceleration, speeds
        length -= joints[0].takes + joints[1].takes
        top = min(self.speed, math.sqrt(a * length + 0.5 * (u * u + w * w)))
        rise, fall = max(top**2 - u**2, 0.0) / (2 * a), max(top**2 - w**2, 0.0) / (2 * a)
        axes, p = np.vstack([way, np.zeros(3)]), corner + joints[0].takes * way
        self._add(p, axes, u, max(top - u, 0.0) / a, gain=a)
        self._add(p + rise * way, axes, top, max(length - rise - fall, 0.0) / top)
        self._add(p + (length - fall) * way, axes, top, max(top - w, 0.0) / a, gain=-a)

    def _arc(self, joint: _Corner, way: np.ndarray, next_way: np.ndarray, speed: float, corner: np.ndarray) -> None:
        """Round a corner."""
        if joint.radius > 0.0:
            aside = next_way - (next_way @ way) * way
            axes = np.vstack([way, aside / np.linalg.norm(aside)])
            length = joint.radius * 2.0 * math.atan(joint.takes / joint.radius)
            self._add(corner - joint.takes * way, axes, speed, length / speed, radius=joint.radius)

    def _add(
        self, p: np.ndarray, axes: np.ndarray, speed: float, lasts: float, gain: float = 0.0, radius: float = 0.0
    ) -> None:
        if lasts < 1e-9:
            return
        piece = _PathSegment(self._now, p, axes, speed, gain, radius)
        self._pieces.append(piece)
        self._sums.append(self._sum)
        if math.isfinite(lasts):
            self._now += lasts
            self._sum = self._sum + piece.at(lasts)[0]


def _distinct(corners: np.ndarray, loop: bool) -> np.ndarray:
    """Corners without those that are where the one before is; on a loop the first comes after the last."""
    kept = [corners[0]]
    for corner in corners[1:]:
        if np.linalg.norm(corner - kept[-1]) > 1e-6:
            kept.append(corner)
    if loop and len(kept) > 1 and np.linalg.norm(kept[-1] - kept[0]) <= 1e-6:
        kept.pop()
    return np.array(kept)
