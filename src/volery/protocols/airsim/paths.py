"""Following a path as AirSim does: a carrot goes ahead along its legs, and the drone flies at it, no matter how it got
where it is. Only the end is flown by a law of our own, which comes to rest there."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["PERIOD", "PathFollower", "lookahead_of"]

PERIOD = 0.02
"""AirSim's period of control: the carrot moves on so often, and its lookahead counts in it [s]."""
_ACCURACY = 0.5
"""How near AirSim takes a drone to come to a place [m]; its least lookahead is half as much again."""
_BRAKE = 3.0
"""Deceleration at the end [m/s²]: half of what the most tilt gives."""
_CLOSE = 1.0
"""Speed per distance right before the end [1/s]."""
_FIRM = 3.0
"""Acceleration per error of velocity on the way to rest [1/s]."""


def lookahead_of(speed: float, adaptive: bool) -> float:
    """AirSim's own choice [m] at a speed [m/s]."""
    return max(speed * PERIOD * (30.0 if adaptive else 40.0), 1.5 * _ACCURACY)


class PathFollower:
    """A carrot on the straight legs between corners, and what velocity to have towards it."""

    def __init__(self, corners_W: np.ndarray, speed: float, lookahead: float, adaptive: float) -> None:
        """corners_W [n, 3] [m], the first is where one is; speed [m/s]; adaptive: how much of the distance from the
        path
        the carrot goes further ahead."""
        corners = np.asarray(corners_W, float)
        legs = np.linalg.norm(np.diff(corners, axis=0), axis=1)
        keep = np.concatenate([[True], legs > 1e-6])
        self._corners, legs = corners[keep], legs[legs > 1e-6]
        self._at = np.concatenate([[0.0], np.cumsum(legs)])
        self.length = float(self._at[-1])
        self.goal_W = corners[-1].copy()
        self.s = 0.0
        """How far along the path the drone has come [m]; it never goes back."""
        self._speed, self._lookahead, self._adaptive = speed, lookahead, adaptive
        self._ahead = min(lookahead, self.length)

    def point(self, s: float) -> np.ndarray:
        """Place on the path [m]."""
        return np.array([np.interp(s, self._at, self._corners[:, k]) for k in range(3)])

    def advance(self, p_W: np.ndarray) -> np.ndarray:
        """Where the carrot is, for a drone at a place [m]."""
        here = self.point(self.s)
        chord = self.point(self._ahead) - here
        length, beside = float(np.linalg.norm(chord)), 0.0
        if length > 1e-9:
            gone = p_W - here
            along = float(gone @ chord) / length
            beside = float(np.linalg.norm(gone - along / length * chord)) * self._adaptive
            self.s = min(self.s + max(along, 0.0), self.length)
        self._ahead = min(self.s + self._lookahead + beside, self.length)
        return self.point(self._ahead)

    def velocity(self, p_W: np.ndarray, v_W: np.ndarray, carrot_W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocity [m/s] and acceleration [m/s²] to have, for a drone at a place with a velocity."""
        way = carrot_W - p_W
        left = float(np.linalg.norm(way))
        rest = left if self._ahead >= self.length else left + self.length - self._ahead
        slowed = _approach(rest)
        if slowed >= self._speed:
            return way * (self._speed / max(left, 1e-9)), np.zeros(3)
        # To rest: the speed falls as it must, and what is missing is asked for as an acceleration
        wanted = way * (slowed / max(left, 1e-9))
        slope = _CLOSE if rest < _BRAKE / _CLOSE**2 else _BRAKE / max(slowed, 1e-9)
        push = _FIRM * (wanted - v_W) - slope * wanted
        size = float(np.linalg.norm(push))
        return v_W, push * min(1.0, 2.0 * _BRAKE / max(size, 1e-9))


def _approach(rest: float) -> float:
    """Speed [m/s] from which a drone can come to rest in a distance [m]: steady braking, and softly at the end."""
    soft = _BRAKE / _CLOSE**2
    return _CLOSE * rest if rest < soft else math.sqrt(2.0 * _BRAKE * (rest - 0.5 * soft))
