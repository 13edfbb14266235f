"""What stands close to a robot that drives, by its last sweep and echoes: motions that would touch it are not made."""

from __future__ import annotations

import numpy as np

__all__ = ["SLOW", "VirtualBumper"]

SLOW = (0.15, 0.4)
"""Speed ahead [m/s] and yaw rate [rad/s] with which a robot gets out of narrow places."""
_HALF = np.array([0.25, 0.245])
"""Half of a P2AT's length and width [m]."""
_ROOM = 0.04
"""Kept to what stands there [m]: four times the lidar's noise."""
_BAND = (0.17, 0.55)
"""Heights over the ground between which something would be touched [m]; below it is driven over, or mapped."""
_HUB = 0.1075
"""Of the hubs over the ground, where that is not mapped [m]."""
_NEAR = 1.0
"""What is farther is not met soon [m]."""
_TIMES = (0.15, 0.3, 0.45)
"""When a motion is looked at [s]: it is chosen anew 20 times a second, and the last stops the robot from 0.5 m/s."""
_DEEPER = 0.001
"""What is close already must not come closer than by this [m]: small, since it adds up 20 times a second."""


class VirtualBumper:
    """Of one robot."""

    def __init__(self) -> None:
        self._p, self._yaw = np.zeros(3), 0.0
        self._seen_W = np.zeros((0, 2))
        self._heard_W: dict[str, np.ndarray] = {}
        """By sonar: where it heard something that is not seen, [2] [m]."""
        self._placed: np.ndarray | None = None

    def place(self, p: np.ndarray, yaw: float) -> None:
        """Where the robot is now [m], [rad]: in a tenth of a second it goes as far as it keeps from things."""
        self._p, self._yaw, self._placed = np.array(p, float), yaw, None

    @property
    def _points(self) -> np.ndarray:
        """All of it ahead of the robot and to its left, [n, 2] [m]: level, since a wall beside one that stands aslant
        leans over it, higher than it is."""
        if self._placed is None:
            all_W = np.concatenate([self._seen_W, *(h[None] for h in self._heard_W.values())])
            self._placed = (all_W - self._p[:2]) @ self._R
        return self._placed

    def see(self, p_W: np.ndarray, over: np.ndarray | None = None) -> None:
        """A sweep, [n, 3] [m], and how high each of its points is over the ground as it is mapped, [n] [m]; NaN where
        it is not: in a valley the ramp ahead is as high over the hubs as a wall."""
        level = p_W[:, 2] - self._p[2] + _HUB
        z = level if over is None else np.where(np.isnan(over), level, over)
        xy = p_W[(z > _BAND[0]) & (z < _BAND[1]), :2]
        self._seen_W = xy[np.abs(xy - self._p[:2]).max(axis=1, initial=0.0) < _NEAR]
        self.place(self._p, self._yaw)

    def hear(self, sonar: str, arc_W: np.ndarray | None) -> None:
        """Where a sonar may hear something that the lidar does not see, [n, 2] [m]; None: nowhere. What is farthest to
        the side is taken: along a pane echoes come from that rim of the cone, and what is ahead others hear."""
        self._heard_W.pop(sonar, None)
        if arc_W is not None:
            self._heard_W[sonar] = arc_W[np.argmax(np.abs(((arc_W - self._p[:2]) @ self._R)[:, 1]))]
        self.place(self._p, self._yaw)

    def allows(self, v: float, w: float) -> bool:
        """Whether it can drive at v [m/s] and turn at w [rad/s] for a moment and touch nothing."""
        if len(self._points) == 0:
            return True
        now = _depth(self._points)
        # Along a wall that is close already the rest of it may come as close; slowly it goes nearer, or it would never
        # turn away from one.
        slow = abs(v) <= SLOW[0] and abs(w) <= SLOW[1]
        limit = np.maximum(now + _DEEPER, 0.75 * _ROOM if slow else np.clip(now.max(), 0.0, 0.5 * _ROOM))
        return all(bool((_depth(self._after(v, w, t)) <= limit).all()) for t in _TIMES)

    def first(self, motions: list[tuple[float, float]]) -> tuple[float, float]:
        """The first of some motions that can be made; else none."""
        return next((m for m in motions if self.allows(*m)), (0.0, 0.0))

    @property
    def _R(self) -> np.ndarray:
        c, s = np.cos(self._yaw), np.sin(self._yaw)
        return np.array([[c, -s], [s, c]])

    def _after(self, v: float, w: float, t: float) -> np.ndarray:
        """Where every point is, as the robot sees it after t [s], [n, 2] [m]."""
        angle = w * t
        c, s = np.cos(angle), np.sin(angle)
        # Along the chord of the arc
        moved = self._points - v * t * np.sinc(angle / (2 * np.pi)) * np.array([np.cos(angle / 2), np.sin(angle / 2)])
        return moved @ np.array([[c, -s], [s, c]])


def _depth(xy: np.ndarray) -> np.ndarray:
    """How deep points [n, 2] are inside the robot with the room about it, [n] [m]; below 0: outside."""
    return (_HALF + _ROOM - np.abs(xy)).min(axis=1)
