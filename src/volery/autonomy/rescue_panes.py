# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Glass and mirrors, which a lidar looks through: sonars hear them, and tell where they stand."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["Panes", "unseen"]

_HEARD, _MISSED, _MOST = 2, -1, 6
"""What an echo tells of each cell that it may come from, and of those before it, and the most that is believed."""
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
        _hear(self._votes, start, yaw, half_angle, min(echo, _FAR) / self._cell, pane and echo < _FAR)

    def hidden(self, eye_W: np.ndarray, points_W: np.ndarray) -> np.ndarray:
        """Whether there is a pane between an eye and each of some points [n, 3] [m], bool [n]: they are what it
        mirrors, or what is behind it."""
        taken = self.taken
        out = np.zeros(len(points_W), bool)
        if taken.any():
            eye, ends = (eye_W[:2] - self._corner) / self._cell, (points_W[:, :2] - self._corner) / self._cell
            _hidden(taken, eye, ends, out)
        return out


@nb.njit(cache=True, nogil=True)
def _hear(votes, start, yaw, half, echo, pane) -> None:
    nx, ny = votes.shape
    reach = int(echo) + 2
    for i in range(max(int(start[0]) - reach, 0), min(int(start[0]) + reach + 1, nx)):
        for j in range(max(int(start[1]) - reach, 0), min(int(start[1]) + reach + 1, ny)):
            x, y = i + 0.5 - start[0], j + 0.5 - start[1]
            far = np.hypot(x, y)
            off = abs((np.arctan2(y, x) - yaw + np.pi) % (2 * np.pi) - np.pi)
            if far > echo + 0.5 or off * far > half * far + 0.5:
                continue
            if far > echo - 0.5:
                if pane:
                    votes[i, j] = min(votes[i, j] + _HEARD, _MOST)
            elif off < half and far < echo - 1.0:
                votes[i, j] = max(votes[i, j] + _MISSED, 0)


@nb.njit(cache=True, nogil=True)
def _hidden(taken, eye, ends, out) -> None:
    nx, ny = taken.shape
    for n in range(len(ends)):
        x, y = ends[n, 0] - eye[0], ends[n, 1] - eye[1]
        far = np.hypot(x, y)
        # What ends in the pane or beside it is its own frame.
        for k in range(2 * int(far) - 3):
            i, j = int(np.floor(eye[0] + 0.5 * k * x / far)), int(np.floor(eye[1] + 0.5 * k * y / far))
            if 0 <= i < nx and 0 <= j < ny and taken[i, j]:
                out[n] = True
                break
