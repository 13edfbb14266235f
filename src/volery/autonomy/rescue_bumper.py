"""What stands close to a robot that drives, by its last sweep: motions that would touch it are not made."""

from __future__ import annotations

import numpy as np

__all__ = ["Bumper"]

_HALF = np.array([0.25, 0.245])
"""Half of a P2AT's length and width [m]."""
_ROOM = 0.03
"""Kept to what stands there [m]: three times the lidar's noise."""
_BAND = (0.12, 0.45)
"""Heights over the hubs between which something would be touched [m]; below it is ground, be it a ramp."""
_NEAR = 1.0
"""What is farther is not met soon [m]."""
_TIMES = (0.15, 0.3, 0.45)
"""When a motion is looked at [s]: it is chosen anew 20 times a second, and the last stops the robot from 0.5 m/s."""
_DEEPER = 0.001
"""What is close already must not come closer than by this [m]: small, since it adds up 20 times a second."""


class Bumper:
    """Of one robot."""

    def __init__(self) -> None:
        self._points = np.zeros((0, 2))

    def see(self, p_B: np.ndarray) -> None:
        """A sweep, [n, 3] in B [m]."""
        high = (p_B[:, 2] > _BAND[0]) & (p_B[:, 2] < _BAND[1])
        xy = p_B[high, :2]
        own = (np.abs(xy) < _HALF - 0.01).all(axis=1)
        self._points = xy[~own & (np.abs(xy).max(axis=1, initial=0.0) < _NEAR)]

    def allows(self, v: float, w: float) -> bool:
        """Whether it can drive at v [m/s] and turn at w [rad/s] for a moment and touch nothing."""
        if len(self._points) == 0:
            return True
        limit = np.maximum(self._depth(0.0, 0.0, 0.0) + _DEEPER, 0.0)
        return all(bool((self._depth(v, w, t) <= limit).all()) for t in _TIMES)

    def first(self, motions: list[tuple[float, float]]) -> tuple[float, float]:
        """The first of some motions that can be made; else none."""
        return next((m for m in motions if self.allows(*m)), (0.0, 0.0))

    def _depth(self, v: float, w: float, t: float) -> np.ndarray:
        """How deep every point is inside the robot with the room about it, after t [s], [n] [m]; below 0: outside."""
        angle = w * t
        c, s = np.cos(angle), np.sin(angle)
        # Along the chord of the arc
        moved = self._points - v * t * np.sinc(angle / (2 * np.pi)) * np.array([np.cos(angle / 2), np.sin(angle / 2)])
        turned = moved @ np.array([[c, -s], [s, c]])
        return (_HALF + _ROOM - np.abs(turned)).min(axis=1)
