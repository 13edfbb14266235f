"""Glass and mirrors, which a lidar looks through: sonars hear them, and tell where they stand."""

from __future__ import annotations

import numpy as np

from volery._native import autonomy as _native

__all__ = ["Panes", "unseen"]

_SURE = 4
"""Of this much a pane is believed: echoes of two readings, since that of one may be half a cone aside."""
_FAR = 1.6
"""Echoes from farther off tell too little of where they come from [m]."""
_AHEAD = 0.15
"""An echo from so much nearer than all that the lidar sees is of a pane [m]: more than its noise, and a robot drives
5 cm between sweep and echo."""
_WIDER = 0.1
"""The lidar is asked over the cone and so much on each side [rad]: the robot turns so far in a sweep."""


def unseen(p_S: np.ndarray, echo: float, half_angle: float) -> bool:
    """Whether an echo [m] in a sonar's cone about its x axis is of something that a sweep [n, 3] [m] does not show."""
    far = np.linalg.norm(p_S, axis=1)
    inside = p_S[:, 0] > np.cos(half_angle + _WIDER) * far
    return bool(echo < far[inside].min(initial=np.inf) - _AHEAD)


class Panes:
    """Of a team, seen from above."""

    def __init__(self, shape: tuple[int, int], corner: np.ndarray, cell: float) -> None:
        """A grid of so many cells from a corner [2] [m] on, of an edge [m]."""
        self._votes = np.zeros(shape, np.int8)
        self._corner, self._cell = np.asarray(corner, float), cell

    @property
    def taken(self) -> np.ndarray:
        """Where one stands, bool [nx, ny]."""
        return self._votes >= _SURE

    def hear(self, p: np.ndarray, yaw: float, half_angle: float, echo: float, pane: bool) -> None:
        """A sonar at a place [m] hears an echo [m] within a cone about a direction [rad]; pane: the lidar shows nothing
        there. Before the echo there is nothing."""
        start = (np.asarray(p[:2], float) - self._corner) / self._cell
        pane = bool(pane and echo < _FAR)
        _native.hear_pane(self._votes, start, yaw, half_angle, min(echo, _FAR) / self._cell, pane)

    def hidden(self, eye_W: np.ndarray, points_W: np.ndarray) -> np.ndarray:
        """Whether there is a pane between an eye and each of some points [n, 3] [m], bool [n]: they are what it
        mirrors, or what is behind it."""
        taken = self.taken
        out = np.zeros(len(points_W), bool)
        if taken.any():
            eye, ends = (eye_W[:2] - self._corner) / self._cell, (points_W[:, :2] - self._corner) / self._cell
            _native.hidden_by(taken, eye, ends, out)
        return out
