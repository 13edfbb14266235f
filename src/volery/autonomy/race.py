"""A mission: as fast as can be through gates in the aisles of a warehouse that was never seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from volery.autonomy.clearance import Terms
from volery.autonomy.mission import Mission
from volery.autonomy.planner import PlannerConfig
from volery.autonomy.sensing import ALL_ROUND
from volery.autonomy.stack import StackConfig
from volery.autonomy.tasks import Gates
from volery.autonomy.trajectory import MotionLimits
from volery.core.config import Checked, param
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Race", "RaceSettings"]

_GATE = np.array([[0, -0.8, -0.8], [0, 0.8, -0.8], [0, 0.8, 0.8], [0, -0.8, 0.8], [0, -0.8, -0.8]])
"""What people see of a gate [m]; the drone is told its middle."""


def _fast() -> StackConfig:
    terms = Terms(clear=0.8, comfort=1.6, band=None)
    return StackConfig(planner=PlannerConfig((24.0, 5.0), terms=terms, limits=MotionLimits(9.0, 6.0, 5.0)))


@dataclass(frozen=True)
class RaceSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    gates: tuple[tuple[float, float, float], ...] = ()
    """Their middles, in order [m]."""
    laps: int = param(2, low=1, high=1000)
    limit: float = param(300.0, above=0, high=1e6)
    """The race ends after so long [s]."""
    robot: str = "x500"
    stack: StackConfig = field(default_factory=_fast)


class Race(Mission):
    """One drone against the clock; it starts at the last gate."""

    Settings: ClassVar[type] = RaceSettings
    kind = "race"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: RaceSettings) -> None:
        super().__init__(simulation, loop, settings.limit)
        gates = np.array(settings.gates, float).reshape(-1, 3)
        if len(gates) == 0:
            gates = np.array([simulation.world.spawn()], float)
        self.gates = Gates(gates, settings.laps)
        self.add("uav1", settings.robot, gates[-1], ALL_ROUND, self.gates, settings.stack)
        for n, gate in enumerate(gates):
            ahead = gates[(n + 1) % len(gates)] - gates[n - 1]
            yaw = np.arctan2(ahead[1], ahead[0])
            c, s = np.cos(yaw), np.sin(yaw)
            turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
            simulation.environment.drawings.add("line", gate + _GATE @ turn.T, (1.0, 0.3, 0.1, 1.0), 6.0, owner="race")

    def head(self) -> list[str]:
        """How far it is."""
        return ["gates", "speed"]

    def cells(self, name: str) -> list[str]:
        """Of the drone."""
        speed = np.linalg.norm(self.simulation.robots[name].v_WB_W)
        return [f"{self.gates.passed} of {self.gates.count}", f"{speed:.1f} m/s"]
