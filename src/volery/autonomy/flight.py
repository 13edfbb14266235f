"""A mission: drones fly through unknown woods to a place far away, each by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from volery.autonomy.drawing import draw
from volery.autonomy.places import free_starts
from volery.autonomy.scoring import Score, map_error
from volery.autonomy.sensing import SENSORS
from volery.autonomy.stack import Stack, StackConfig
from volery.autonomy.tasks import GoTo
from volery.core.config import Checked, param
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Flight", "FlightSettings"]


@dataclass(frozen=True)
class FlightSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    drones: int = param(3, low=1, high=50)
    distance: float = param(1000.0, low=10.0, high=1e5)
    """To the goal, east of the start [m]."""
    spacing: float = param(10.0, low=3.0, high=1000.0)
    """Between drones at the start, from south to north [m]."""
    limit: float = param(900.0, above=0, high=1e6)
    """The mission is given up after so long [s]."""
    robot: str = "x500"
    stack: StackConfig = field(default_factory=StackConfig)


class Flight:
    """Robots, their autonomy and the score; made before the loop runs."""

    Settings: ClassVar[type] = FlightSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: FlightSettings) -> None:
        """loop: is stopped when all are there; None: the caller looks at `over`."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        self.stacks: dict[str, Stack] = {}
        self.scores: dict[str, Score] = {}
        starts = free_starts(simulation, settings.drones, settings.spacing)
        for i, start in enumerate(starts):
            name = f"uav{i + 1}"
            entry = {"type": settings.robot, "physics": "fleet", "position": start.tolist(), "sensors": SENSORS}
            simulation.spawn(name, entry)
            goal = start + [settings.distance, 0.0, 0.0]
            self.stacks[name] = Stack(simulation, name, GoTo(goal), settings.stack)
            self.scores[name] = Score(name)
        simulation.controllers += list(self.stacks.values())
        simulation.listeners.append(self._listen)

    @property
    def over(self) -> bool:
        """Whether all are there, or time is up."""
        return all(s.reached for s in self.scores.values()) or self.simulation.clock.now >= self.settings.limit

    def rows(self) -> list[list[str]]:
        """What is going on, a row for each drone."""
        out = [["drone", "to go", "speed", "mean", "touched", "drift"]]
        for name, score in self.scores.items():
            robot = self.simulation.robots[name]
            goal = self.stacks[name].task.place_W
            togo = float(np.linalg.norm((goal - robot.p_WB)[:2]))
            speed = float(np.linalg.norm(robot.v_WB_W))
            share = f"{100 * score.drift / max(score.distance, 1.0):.2f} %"
            out.append(
                [name, "there" if score.reached else f"{togo:.0f} m", f"{speed:.1f} m/s", f"{score.mean_speed:.1f} m/s",
                 str(len(score.collisions)), share]
            )  # fmt: skip
        return out

    def result(self) -> dict[str, Any]:
        """The score as plain data."""
        drones = [
            {**score.result(), "map_error": round(map_error(self.simulation, self.stacks[name]), 3)}
            for name, score in self.scores.items()
        ]
        return {"mission": "flight", "seed": self.simulation.seed, "drones": drones}

    def close(self) -> None:
        """End it; the robots stay."""
        for stack in self.stacks.values():
            if stack in self.simulation.controllers:
                self.simulation.controllers.remove(stack)
        if self._listen in self.simulation.listeners:
            self.simulation.listeners.remove(self._listen)

    def _listen(self, simulation: Simulation) -> None:
        for name, stack in self.stacks.items():
            self.scores[name].watch(simulation, stack)
            draw(simulation, stack)
        if self.over and self.loop is not None:
            self.loop.stop()
