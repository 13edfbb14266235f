"""Ways through the air: straight legs with corners rounded by a window of some length, and a speed that fits them.

The place at s is the mean of the polyline from s − L/2 to s + L/2, which stands still beyond its ends: so the way
starts and stops softly, cuts corners within L/2, and its velocity never jumps. L is AirSim's lookahead.
"""

from __future__ import annotations

import math

import numpy as np

__all__ = ["Way", "lookahead_of"]

_ALONG = 2.0
"""Most acceleration along the way [m/s²]."""
_ACROSS = 2.5
"""Most acceleration by the window: in corners, and at the ends [m/s²]."""
_GRAIN = 0.1
"""Distance between places at which the speed is worked out [m]."""
_MOST_PLACES = 20_000


def lookahead_of(speed: float, adaptive: bool) -> float:
    """AirSim's own choice [m] at a speed [m/s]."""
    return max(speed * 0.02 * (30.0 if adaptive else 40.0), 0.75)


class Way:
    """A way from its first to its last corner, in W."""

    def __init__(self, corners_W: np.ndarray, speed: float, window: float) -> None:
        """corners_W [n, 3] [m], the first is where one is; speed: most [m/s]; window [m]."""
        corners = np.asarray(corners_W, float)
        legs = np.linalg.norm(np.diff(corners, axis=0), axis=1)
        keep = np.concatenate([[True], legs > 1e-6])
        self._corners = corners[keep] if keep.sum() > 1 else corners[:1]
        legs = legs[legs > 1e-6]
        self._at = np.concatenate([[0.0], np.cumsum(legs)])
        self.length = float(self._at[-1])
        self.goal_W = corners[-1].copy()
        # No wider than the way: a short way is a plain to and fro.
        self._half = 0.5 * min(window, max(self.length, 0.05))
        self.s = -self._half
        self._most = speed
        if self.length > 0.0:
            self._tangents = np.diff(self._corners, axis=0) / legs[:, None]
            middles = 0.5 * (self._corners[1:] + self._corners[:-1])
            self._sums = np.vstack([np.zeros(3), np.cumsum(middles * legs[:, None], axis=0)])
            self._plan_speed()
        self.speed = 0.0 if self.length == 0.0 else float(self._speeds[0])

    @property
    def over(self) -> bool:
        """Whether its end is reached."""
        return self.length == 0.0 or self.s >= self.length + self._half - 1e-3

    def advance(self, dt: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """On by dt [s]: place [m], velocity [m/s] and acceleration [m/s²] to have."""
        if self.over:
            return self.goal_W, np.zeros(3), np.zeros(3)
        before = self.speed
        wanted = float(np.interp(self.s, self._places, self._speeds))
        self.speed = min(wanted, before + _ALONG * dt)
        self.s = min(self.s + max(self.speed, 0.02) * dt, self.length + self._half)
        change = (self.speed - before) / dt
        low, high = self._ends(self.s)
        chord = (high[0] - low[0]) / (2 * self._half)
        bend = (high[1] - low[1]) / (2 * self._half)
        place = (self._sum(self.s + self._half) - self._sum(self.s - self._half)) / (2 * self._half)
        return place, self.speed * chord, change * chord + self.speed**2 * bend

    def _ends(self, s: float) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        return self._point(s - self._half), self._point(s + self._half)

    def _point(self, s: float) -> tuple[np.ndarray, np.ndarray]:
        """Place and direction of the polyline; beyond its ends it stands."""
        if s <= 0.0:
            return self._corners[0], np.zeros(3)
        if s >= self.length:
            return self._corners[-1], np.zeros(3)
        leg = min(int(np.searchsorted(self._at, s, side="right")) - 1, len(self._tangents) - 1)
        return self._corners[leg] + self._tangents[leg] * (s - self._at[leg]), self._tangents[leg]

    def _sum(self, s: float) -> np.ndarray:
        """Integral of the place from 0 to s."""
        if s <= 0.0:
            return self._corners[0] * s
        if s >= self.length:
            return self._sums[-1] + self._corners[-1] * (s - self.length)
        leg = min(int(np.searchsorted(self._at, s, side="right")) - 1, len(self._tangents) - 1)
        on = s - self._at[leg]
        return self._sums[leg] + self._corners[leg] * on + 0.5 * self._tangents[leg] * on * on

    def _plan_speed(self) -> None:
        """The speed at places along the way: as fast as wanted, but slow enough for corners and for the end."""
        span = self.length + 2 * self._half
        count = int(min(max(span / _GRAIN, 32), _MOST_PLACES))
        self._places = np.linspace(-self._half, self.length + self._half, count)
        low, high = self._directions(self._places - self._half), self._directions(self._places + self._half)
        bend = np.linalg.norm(high - low, axis=1) / (2 * self._half)
        # A bend counts over the step to the next place too, since it may lie in between.
        bend = np.maximum(bend, np.concatenate([bend[1:], bend[-1:]]))
        v = np.minimum(self._most, np.sqrt(_ACROSS / np.maximum(bend, 1e-9)))
        grow = 2.0 * _ALONG * (self._places[1] - self._places[0])
        for i in range(count - 2, -1, -1):
            v[i] = min(v[i], math.sqrt(v[i + 1] ** 2 + grow))
        self._speeds = v

    def _directions(self, s: np.ndarray) -> np.ndarray:
        leg = np.clip(np.searchsorted(self._at, s, side="right") - 1, 0, len(self._tangents) - 1)
        return np.where(((s > 0.0) & (s < self.length))[:, None], self._tangents[leg], 0.0)
