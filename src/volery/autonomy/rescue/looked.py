"""What a team has looked at for victims, seen from above; what was seen in a mirror is taken back."""

from __future__ import annotations

import numpy as np

from volery._native import autonomy as _native

__all__ = ["Looked"]

_GROWN = 3
"""Panes that have grown by so many cells are asked again what they hid."""
_APART = 0.2
"""Places so near to each other see the same [m]."""


class Looked:
    """A grid of so many cells from a corner on."""

    def __init__(self, shape: tuple[int, int], corner: np.ndarray, cell: float) -> None:
        """corner: [2] [m]; cell: edge of one [m]."""
        self.cells = np.zeros(shape, bool)
        """Whether someone looked there, [nx, ny]."""
        self._corner, self._cell = np.asarray(corner, float), cell
        self._gazes: dict[tuple[float, float], list[tuple[float, float, float]]] = {}
        """By width [rad] and reach [m]: from where [m] and which way [rad] people were looked for."""
        self._panes = np.zeros(shape, bool)
        """Those that were asked, [nx, ny]."""

    def look(self, p: np.ndarray, yaw: float, width: float, far: float, blocked: np.ndarray) -> None:
        """Someone looked from a place [m] that way [rad] over a width [rad], so far [m], as far as nothing that is
        blocked [nx, ny] stands in between."""
        x, y = float(p[0]), float(p[1])
        self._gazes.setdefault((width, far), []).append((x, y, yaw))
        self._gaze(np.array([[x, y, yaw]]), width, far, blocked, self.cells)

    def take_back(self, panes: np.ndarray) -> bool:
        """Panes [nx, ny] stand there, as is known now: nobody looked at what is behind them. Whether they have grown
        since this was said last."""
        if int((panes & ~self._panes).sum()) < _GROWN:
            return False
        self._panes |= panes
        seen = np.zeros_like(self.cells)
        for (width, far), gazes in self._gazes.items():
            self._gaze(np.array(gazes), width, far, panes, seen)
        self.cells &= seen
        return True

    def behind(self, far: float, panes: np.ndarray) -> np.ndarray:
        """What was seen through panes [nx, ny], all round and so far [m], from the places where someone looked, bool
        [nx, ny]."""
        out = np.zeros_like(self.cells)
        for gazes in self._gazes.values():
            places = np.array(gazes)[:, :2]
            _, first = np.unique((places / _APART).astype(int), axis=0, return_index=True)
            starts = (places[np.sort(first)] - self._corner) / self._cell
            turns = np.linspace(-np.pi, np.pi, int(2 * np.pi * far / self._cell))
            _native.seen_behind(starts, turns, far / self._cell, panes, out)
        return out

    def _gaze(self, gazes: np.ndarray, width: float, far: float, blocked: np.ndarray, out: np.ndarray) -> None:
        turns = np.linspace(-width / 2, width / 2, max(int(width * far / self._cell), 2))
        in_cells = np.column_stack([(gazes[:, :2] - self._corner) / self._cell, gazes[:, 2]])
        _native.gaze(in_cells, turns, far / self._cell, blocked, out)
