"""Where to go: to a place, along gates, or wherever nobody has looked yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from volery.autonomy.stack import Stack

__all__ = ["Gates", "GoTo"]


class GoTo:
    """To one place, at any height."""

    def __init__(self, goal_W: np.ndarray, near: float = 1.5) -> None:
        """near: the place is reached from so far, to the sides [m]."""
        self.place_W, self._near = np.asarray(goal_W, float), near
        self.done = False

    def goal(self, stack: Stack, now: float) -> np.ndarray | None:
        """That place, at the height of now."""
        p = stack.localisation.state.p_WB
        self.done = self.done or bool(np.linalg.norm((p - self.place_W)[:2]) < self._near)
        return None if self.done else np.array([self.place_W[0], self.place_W[1], p[2]])


class Gates:
    """Through places one after the other, without stopping."""

    def __init__(self, gates_W: np.ndarray, laps: int = 1, near: float = 1.0) -> None:
        """gates_W [n, 3]: middles of gates [m]; near: a gate counts from so far [m]."""
        self._gates, self._near = np.asarray(gates_W, float), near
        self.passed, self.count = 0, laps * len(gates_W)
        """Gates passed, and to be passed."""

    @property
    def done(self) -> bool:
        """Whether the last gate was passed."""
        return self.passed >= self.count

    def goal(self, stack: Stack, now: float) -> np.ndarray | None:
        """The next gate."""
        p = stack.localisation.state.p_WB
        if not self.done and np.linalg.norm(p - self._next) < self._near:
            self.passed += 1
        return None if self.done else self._next

    @property
    def _next(self) -> np.ndarray:
        return self._gates[self.passed % len(self._gates)]
