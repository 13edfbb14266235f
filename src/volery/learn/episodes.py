"""Episodes of a task by rows: when they begin and end, and whose chance it is. Both forms of environment use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from volery.core.config import SourceLocation, build
from volery.errors import UnknownNameError
from volery.learn.gates import GateRace
from volery.learn.hover import Hover
from volery.learn.navigation import Navigation
from volery.learn.pictures import chase
from volery.learn.task import Observations, Task
from volery.learn.waypoint import Waypoint

__all__ = ["TASKS", "Episodes", "Outcome"]

TASKS: dict[str, type[Task]] = {"hover": Hover, "waypoint": Waypoint, "navigation": Navigation, "gates": GateRace}
"""Tasks of drones by name."""


class Outcome(NamedTuple):
    """Of a step of n episodes."""

    reward: np.ndarray
    """[n]."""
    terminated: np.ndarray
    """Ended by what happened, [n]."""
    truncated: np.ndarray
    """Cut off because time is up, [n]."""
    success: np.ndarray
    """The task is done, [n]."""


class Episodes:
    """n episodes of a task, each at its own step."""

    def __init__(self, task: str, count: int, settings: dict[str, Any]) -> None:
        """settings: of the task's Config; what is unknown or out of range is refused."""
        if task not in TASKS:
            raise UnknownNameError("task", task, TASKS)
        cls = TASKS[task]
        self.config = build(cls.Config, settings, SourceLocation(path=(task,)))
        self.task = cls.made(self.config, count)
        self.steps = np.zeros(count, int)
        """Since the begin of each episode, [n]."""
        self.success = np.zeros(count, np.bool_)
        """Whether each task is done, [n]."""

    def begin(self, rows: Sequence[int] | np.ndarray, draws: Sequence[np.random.Generator]) -> None:
        """Begin anew with some rows, each by its own generator."""
        for row, draw in zip(rows, draws, strict=True):
            self.task.begin(int(row), draw)
        index = np.asarray(rows, int)
        self.steps[index], self.task.last[index], self.success[index] = 0, 0.0, False
        self.task.flock.look()
        self.task.arrange(index)

    def step(self, actions: np.ndarray) -> Outcome:
        """All rows on by one action, [n, size]; actions that are no numbers are refused before anything moves."""
        task = self.task
        task.last = task.actions.checked(actions, len(self.steps))
        task.actions.tell(task.flock.batch, task.last)
        task.flock.advance()
        reward, terminated, success = task.judge()
        terminated, self.success = terminated | task.flock.wild, success & ~task.flock.wild
        self.steps += 1
        return Outcome(reward, terminated, ~terminated & (self.steps >= self.config.steps), self.success)

    def observe(self, rows: np.ndarray | None = None) -> Observations:
        """What some rows observe, or all."""
        return self.task.observe(np.arange(len(self.steps)) if rows is None else rows)

    def picture(self, row: int) -> np.ndarray:
        """A row's drone from behind, uint8 [height, width, 3]."""
        flock = self.task.flock
        figure = flock.figure
        figure.set_pose(flock.p_WB[row], flock.q_WB_wxyz[row])
        figure.show(flock.scene)
        shown = [flock.scene.add(placement).name for placement in self.task.props(row)]
        try:
            about = self.config.picture, flock.simulation.clock.now_ns
            return chase(flock.environment, *about, flock.p_WB[row], float(flock.heading[row]))
        finally:
            for name in shown:
                flock.scene.remove(name)
            figure.hide(flock.scene)
