"""The score of a lesson: time, path, force and touches, and the flight that it was given for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from volery.core.paths import distance_to_path

__all__ = ["LessonScore", "Weights"]


@dataclass(frozen=True)
class Weights:
    """Points that each part is worth; together 100."""

    time: float = 20.0
    path: float = 30.0
    force: float = 30.0
    touches: float = 20.0


class LessonScore:
    """Counts while the lesson runs. Each part is worth all its points if nothing is wrong, and none at a limit."""

    def __init__(self, par: float, path_limit: float, weights: Weights | None = None) -> None:
        """par: time that costs nothing [s], twice that costs all; path_limit: mean distance that costs all [m]."""
        self.par, self.path_limit, self.weights = par, path_limit, weights or Weights()
        self.time = 0.0
        """Since the beginning [s]."""
        self.goals = 0
        """Reached so far."""
        self.touches: list[list[Any]] = []
        """Time [s], own body and thing touched that was not to be touched."""
        self._off: list[float] = []
        self._forces: list[float] = []
        self._at: set[tuple[str, str]] = set()

    def watch_path(self, p_W: np.ndarray, leg: np.ndarray) -> None:
        """A place [3] on a leg of the way, [2, 3] [m]."""
        self._off.append(float(distance_to_path(p_W, leg)[0]))

    def watch_force(self, force: float, wanted: float) -> None:
        """A force where another was wanted [N]."""
        self._forces.append(abs(force - wanted) / wanted)

    def watch_touches(self, now: set[tuple[str, str]]) -> None:
        """Own bodies and things that they touch now, other than the tool's."""
        for body, thing in sorted(now - self._at):
            self.touches.append([round(self.time, 3), body, thing])
        self._at = now

    @property
    def path_error(self) -> float:
        """Mean distance to the way [m]."""
        return float(np.mean(self._off)) if self._off else 0.0

    @property
    def force_error(self) -> float | None:
        """Mean error as a share of the force wanted; None: none was."""
        return float(np.mean(self._forces)) if self._forces else None

    def parts(self) -> dict[str, float]:
        """Points by part."""
        w = self.weights
        late = np.clip(self.time / self.par - 1.0, 0.0, 1.0)
        off = np.clip(self.path_error / self.path_limit, 0.0, 1.0)
        wrong = np.clip(self.force_error or 0.0, 0.0, 1.0)
        hits = np.clip(len(self.touches) / 4.0, 0.0, 1.0)
        return {
            "time": w.time * float(1 - late), "path": w.path * float(1 - off), "force": w.force * float(1 - wrong),
            "touches": w.touches * float(1 - hits),
        }  # fmt: skip

    def total(self, goals: int) -> float:
        """Points of 100; of a lesson that was not finished only for the goals reached."""
        return sum(self.parts().values()) * self.goals / max(goals, 1)
