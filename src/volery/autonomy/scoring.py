"""The score of autonomous flight, by the truth that the robots never see: way, speed, touches, drift and map."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from volery.autonomy.stack import Stack
from volery.core.clock import SECOND
from volery.sim import Simulation

__all__ = ["Score", "map_error"]

_AGAIN_NS = SECOND
"""A touch after so long without is another one [ns]."""
_NEAR = 30.0
"""The map is compared with the world within so much of the robot [m]."""


@dataclass
class Score:
    """Of one robot."""

    robot: str
    reached: bool = False
    time: float = 0.0
    """Until it was there, or until now [s]."""
    distance: float = 0.0
    """Flown [m]."""
    collisions: list[list[Any]] = field(default_factory=list)
    """Time [s] and what was touched."""
    drift: float = 0.0
    """Of odometry, at the end [m]."""
    worst_drift: float = 0.0
    """Over the way flown, from 50 m on, as a share."""
    fastest: float = 0.0
    """[m/s]."""

    def __post_init__(self) -> None:
        self._last_p: np.ndarray | None = None
        self._touched_ns = -_AGAIN_NS
        self.tools: set[str] = set()
        """Bodies that are there to touch: what they touch is no collision."""

    @property
    def mean_speed(self) -> float:
        """[m/s]."""
        return self.distance / self.time if self.time > 0 else 0.0

    def watch(self, simulation: Simulation, stack: Stack) -> None:
        """Look at the truth after a step."""
        robot, now_ns = simulation.robots[self.robot], simulation.clock.now_ns
        if self.reached:
            return
        self.time = now_ns / SECOND
        if self._last_p is not None:
            self.distance += float(np.linalg.norm(robot.p_WB - self._last_p))
        self._last_p = robot.p_WB.copy()
        self.fastest = max(self.fastest, float(np.linalg.norm(robot.v_WB_W)))
        self.drift = float(np.linalg.norm(stack.localisation.state.p_WB - robot.p_WB))
        if self.distance > 50.0:
            self.worst_drift = max(self.worst_drift, self.drift / self.distance)
        struck = [c.other for c in robot.contacts or () if c.body not in self.tools]
        if struck:
            if now_ns - self._touched_ns >= _AGAIN_NS:
                self.collisions.append([round(self.time, 2), struck[0]])
            self._touched_ns = now_ns
        self.reached = stack.task.done

    def result(self) -> dict[str, Any]:
        """As plain numbers."""
        return {**asdict(self), "mean_speed": round(self.mean_speed, 3)}


def map_error(simulation: Simulation, stack: Stack, most: int = 5000) -> float:
    """Median distance of the map's taken cells from real surfaces [m], of at most so many of them, near where it is:
    an endless world is there only round its robots."""
    cells = stack.occupancy.taken()
    cells = cells[np.abs(cells - stack.localisation.state.p_WB).max(axis=1) < _NEAR]
    if len(cells) == 0:
        return float("nan")
    cells = cells[np.linspace(0, len(cells) - 1, min(most, len(cells))).astype(int)]
    _, distance, _ = simulation.scene.closest_point(cells, max_distance=5.0)
    return float(np.median(np.minimum(distance, 5.0)))
