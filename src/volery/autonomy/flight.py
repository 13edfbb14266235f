"""A mission: drones fly through unknown woods to a place far away, each by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from volery.autonomy.mission import Mission
from volery.autonomy.places import free_starts
from volery.autonomy.sensing import SENSORS
from volery.autonomy.stack import StackConfig
from volery.autonomy.tasks import GoTo
from volery.core.config import Checked, param
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["FlightSettings", "GoalFlight"]


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


class GoalFlight(Mission):
    """Each drone to a goal of its own, side by side."""

    Settings: ClassVar[type] = FlightSettings
    kind = "flight"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: FlightSettings) -> None:
        super().__init__(simulation, loop, settings.limit)
        self.goals: dict[str, np.ndarray] = {}
        for i, start_W in enumerate(free_starts(simulation, settings.drones, settings.spacing)):
            name = f"uav{i + 1}"
            self.goals[name] = start_W + [settings.distance, 0.0, 0.0]
            self.add(name, settings.robot, start_W, SENSORS, GoTo(self.goals[name]), settings.stack)

    def head(self) -> list[str]:
        """How far it is."""
        return ["to go", "speed"]

    def cells(self, name: str) -> list[str]:
        """Of a drone."""
        robot = self.simulation.robots[name]
        rest = float(np.linalg.norm((self.goals[name] - robot.p_WB)[:2]))
        return ["there" if self.scores[name].reached else f"{rest:.0f} m", f"{np.linalg.norm(robot.v_WB_W):.1f} m/s"]
