"""A mission: a drone explores a cave of which nothing is known, comes home and brings a map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from volery.autonomy.clearance import Terms
from volery.autonomy.drawing import draw
from volery.autonomy.explorer import Explorer
from volery.autonomy.planner import PlannerConfig
from volery.autonomy.scoring import Score, map_error
from volery.autonomy.sensing import ALL_ROUND
from volery.autonomy.stack import Stack, StackConfig
from volery.autonomy.trajectory import Limits
from volery.autonomy.truth import coverage, true_air
from volery.core.config import Checked, param
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Exploration", "ExplorationSettings"]

_CAREFUL = Terms(clear=0.8, comfort=1.6, band=None)


def _slow() -> StackConfig:
    return StackConfig(planner=PlannerConfig((14.0, 8.0), terms=_CAREFUL, limits=Limits(4.0, 3.0, 2.0)))


@dataclass(frozen=True)
class ExplorationSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    size: tuple[float, float, float] = param((60.0, 60.0, 30.0), above=0)
    """Of the box round the start that is to be explored [m]."""
    limit: float = param(900.0, above=0, high=1e6)
    """It turns home after so long [s]."""
    robot: str = "x500"
    stack: StackConfig = field(default_factory=_slow)


class Exploration:
    """The robot, its autonomy and the score; made before the loop runs."""

    Settings: ClassVar[type] = ExplorationSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: ExplorationSettings) -> None:
        """loop: is stopped when the robot is home; None: the caller looks at `over`."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        self.start_W = np.array(simulation.world.spawn(), float)
        half = 0.5 * np.array(settings.size)
        self.box_W = (self.start_W - half, self.start_W + half)
        entry = {"type": settings.robot, "physics": "fleet", "position": self.start_W.tolist(), "sensors": ALL_ROUND}
        simulation.spawn("uav1", entry)
        self.explorer = Explorer(*self.box_W, self.start_W, settings.stack.planner.terms)
        self.stack = Stack(simulation, "uav1", self.explorer, settings.stack)
        self.score = Score("uav1")
        simulation.controllers.append(self.stack)
        simulation.listeners.append(self._listen)

    @property
    def over(self) -> bool:
        """Whether it is home, or does not come home."""
        return self.score.reached or self.simulation.clock.now >= 2 * self.settings.limit

    def rows(self) -> list[list[str]]:
        """What is going on."""
        volume = self.stack.occupancy.free_volume()
        doing = "home" if self.score.reached else "returns" if self.explorer.returning else "explores"
        return [
            ["drone", "", "ends left", "seen", "flown", "touched", "drift"],
            ["uav1", doing, str(self.explorer.left), f"{volume:.0f} m³", f"{self.score.distance:.0f} m",
             str(len(self.score.collisions)), f"{self.score.drift:.2f} m"],
        ]  # fmt: skip

    def result(self) -> dict[str, Any]:
        """The score as plain data; the truth is looked up in a world of its own, which takes seconds."""
        truth = Simulation(self.simulation.scenario, seed=self.simulation.seed)
        terms = self.settings.stack.planner.terms
        air = true_air(truth, self.start_W, *self.box_W, terms.clear)
        return {
            "mission": "exploration", "seed": self.simulation.seed, **self.score.result(),
            "map_error": round(map_error(truth, self.stack), 3), "reachable": len(air),
            "coverage": round(coverage(self.stack.occupancy, air), 4), "home": self.score.reached,
        }  # fmt: skip

    def close(self) -> None:
        """End it; the robot stays."""
        if self.stack in self.simulation.controllers:
            self.simulation.controllers.remove(self.stack)
        if self._listen in self.simulation.listeners:
            self.simulation.listeners.remove(self._listen)

    def _listen(self, simulation: Simulation) -> None:
        self.score.watch(simulation, self.stack)
        draw(simulation, self.stack)
        if simulation.clock.now >= self.settings.limit and not self.explorer.returning:
            self.explorer.give_up()
        if self.over and self.loop is not None:
            self.loop.stop()
