"""A mission: a drone explores a cave of which nothing is known, comes home and brings a map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from volery.autonomy.clearance import Terms
from volery.autonomy.explorer import Explorer
from volery.autonomy.mission import Mission
from volery.autonomy.planner import PlannerConfig
from volery.autonomy.scoring import map_error
from volery.autonomy.sensing import ALL_ROUND
from volery.autonomy.stack import StackConfig
from volery.autonomy.trajectory import MotionLimits
from volery.autonomy.truth import coverage, true_air
from volery.core.config import Checked, param
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Exploration", "ExplorationSettings"]

_CAREFUL = Terms(clear=0.8, comfort=1.6, band=None)


def _slow() -> StackConfig:
    return StackConfig(planner=PlannerConfig((14.0, 8.0), terms=_CAREFUL, limits=MotionLimits(4.0, 3.0, 2.0)))


@dataclass(frozen=True)
class ExplorationSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    size: tuple[float, float, float] = param((60.0, 60.0, 30.0), above=0)
    """Of the box round the start that is to be explored [m]."""
    limit: float = param(900.0, above=0, high=1e6)
    """It turns home after so long [s]."""
    robot: str = "x500"
    stack: StackConfig = field(default_factory=_slow)


class Exploration(Mission):
    """One drone, until nothing within the box is unknown that it can get to."""

    Settings: ClassVar[type] = ExplorationSettings
    kind = "exploration"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: ExplorationSettings) -> None:
        super().__init__(simulation, loop, 2 * settings.limit)
        self.settings = settings
        self.start_W = np.array(simulation.world.spawn(), float)
        half = 0.5 * np.array(settings.size)
        self.box_W = (self.start_W - half, self.start_W + half)
        self.explorer = Explorer(*self.box_W, self.start_W, settings.stack.planner.terms)
        self.add("uav1", settings.robot, self.start_W, ALL_ROUND, self.explorer, settings.stack)

    def head(self) -> list[str]:
        """How much is left."""
        return ["does", "ends left", "seen"]

    def cells(self, name: str) -> list[str]:
        """Of the drone."""
        does = "is home" if self.scores[name].reached else "returns" if self.explorer.returning else "explores"
        return [does, str(self.explorer.left), f"{self.stacks[name].occupancy.free_volume():.0f} m³"]

    def sheet(self) -> dict[str, Any]:
        """The truth is looked up in a world of its own, which takes seconds."""
        truth = Simulation(self.simulation.scenario, seed=self.simulation.seed)
        air = true_air(truth, self.start_W, *self.box_W, self.settings.stack.planner.terms.clear)
        sheet, stack = super().sheet(), self.stacks["uav1"]
        row = sheet["result"]["robots"][0]
        row["map_error"] = round(map_error(truth, stack), 3)
        row["reachable_m3"], row["coverage"] = len(air), round(coverage(stack.occupancy, air), 4)
        return sheet

    def watch(self, simulation: Simulation) -> None:
        """It turns home when time is up."""
        if simulation.clock.now >= self.settings.limit and not self.explorer.returning:
            self.explorer.give_up()
