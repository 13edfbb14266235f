"""A mission that flies nothing: a referee for drones whoever flies them, an AirSim script, the bus, an autopilot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

import numpy as np

from volery.agents.referee import Referee, ground_below
from volery.core.config import Checked
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["RefereeMission", "RefereeSettings"]


@dataclass(frozen=True)
class RefereeSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    robots: str = ""
    """Names of robots that are watched; * and ? stand for any letters; empty: all."""
    ground: str = ""
    """Name of the ground, which may be touched slowly; * and ? as above; empty: what lies below the start."""


class RefereeMission:
    """Counts collisions and near misses of robots, and keeps their ways, for a page with a map and a row for each."""

    Settings: ClassVar[type] = RefereeSettings
    told_by = "referee"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: RefereeSettings) -> None:
        self.simulation, self.settings = simulation, settings
        first = next((name for name in simulation.robots if self._mine(name)), None)
        over = simulation.world.spawn() if first is None else simulation.robots[first].p_WB
        ground, p_W = ground_below(simulation, np.array(over, float), first)
        self.referee = Referee([], settings.ground or ground, float(p_W[2]))
        simulation.listeners.append(self._listen)

    def _mine(self, name: str) -> bool:
        return fnmatchcase(name, self.settings.robots or "*")

    def _listen(self, simulation: Simulation) -> None:
        for name in simulation.robots:
            if name not in self.referee.logs and self._mine(name):
                self.referee.admit(name)
        self.referee.watch(simulation)

    def close(self) -> None:
        """Look no more."""
        if self._listen in self.simulation.listeners:
            self.simulation.listeners.remove(self._listen)

    @property
    def over(self) -> bool:
        """A run with other missions does not wait for it; one without ends by its time."""
        return len(self.simulation.scenario.agents) > 1

    def rows(self) -> list[list[str]]:
        """A head, and a row for each robot."""
        struck = Counter(n for c in self.referee.collisions for n in (c.drone, c.other))
        near = Counter(n for m in self.referee.near_misses for n in (m.drone, m.other))
        return [["robot", "flown", "fastest", "collisions", "near misses"]] + [
            [name, f"{log.distance:.1f} m", f"{log.fastest:.1f} m/s", str(struck[name]), str(near[name])]
            for name, log in self.referee.logs.items()
        ]

    def result(self) -> dict[str, Any]:
        """Numbers of the run as plain data."""
        referee = self.referee
        return {
            "scenario": self.simulation.scenario.name,
            "seed": self.simulation.seed,
            "drones": len(referee.logs),
            "collisions": referee.counts(),
            "hard": referee.hard,
            "near_drones": referee.near_drones,
            "near_things": referee.near_things,
            "distance": round(float(sum(log.distance for log in referee.logs.values())), 1),
            "time": round(self.simulation.clock.now, 2),
        }

    def sheet(self) -> dict[str, Any]:
        """All that the referee's page shows, as plain data."""
        return {"result": self.result(), **self.referee.sheet(self.simulation)}
