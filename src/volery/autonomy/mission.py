"""What missions of robots that find their own way have in common: stacks, scores, and an end."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.autonomy.drawing import draw
from volery.autonomy.scoring import Score, map_error
from volery.autonomy.stack import NavigationTask, Stack, StackConfig
from volery.autonomy.topics import Topics
from volery.bus.bus import Bus
from volery.errors import SimulationError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["Mission"]


class Mission:
    """Robots, their autonomy and the score; made before the loop runs, by the thread that runs it."""

    kind = "mission"
    told_by = "autonomy"
    """The module of report/ that tells it."""

    def __init__(self, simulation: Simulation, loop: Loop | None, limit: float) -> None:
        """loop: is stopped at the end; None: the caller looks at `over`. limit: it ends after so long [s]."""
        self.simulation, self.loop, self.limit = simulation, loop, limit
        self.stacks: dict[str, Stack] = {}
        self.scores: dict[str, Score] = {}
        self.ways: dict[str, list[np.ndarray]] = {}
        """Where each robot really was, ten times a second [m]."""
        self._topics: list[Topics] = []
        simulation.listeners.append(self._listen)

    def attach(self, bus: Bus | None) -> None:
        """Tell what is found on a bus, and take from it what is to come from there."""
        for stack in self.stacks.values():
            if bus is not None:
                self._topics.append(Topics(bus, stack))
            elif "bus" in (stack.config.odometry, stack.config.ways):
                raise SimulationError(f"{stack.robot} is to hear from the bus, and there is none; leave out --no-bus")

    def add(
        self, name: str, robot: str, start_W: np.ndarray, sensors: dict[str, Any], task: NavigationTask,
        config: StackConfig, physics: str = "fleet",
    ) -> Stack:  # fmt: skip
        """Bring a robot and its autonomy into the world."""
        entry = {"type": robot, "physics": physics, "position": start_W.tolist(), "sensors": sensors}
        self.simulation.spawn(name, entry)
        stack = Stack(self.simulation, name, task, config)
        # Those that came first have the right of way.
        stack.mates = list(self.stacks.values())
        self.stacks[name] = stack
        self.scores[name], self.ways[name] = Score(name), []
        self.simulation.controllers.append(self.stacks[name])
        return self.stacks[name]

    @property
    def over(self) -> bool:
        """Whether all are done, or time is up."""
        return all(s.reached for s in self.scores.values()) or self.simulation.clock.now >= self.limit

    def rows(self) -> list[list[str]]:
        """A table of what is going on: its head, and a row for each robot."""
        out = [["robot", *self.head(), "flown", "mean", "touched", "drift"]]
        for name, score in self.scores.items():
            share = f"{100 * score.drift / max(score.distance, 1.0):.2f} %"
            tail = [f"{score.distance:.0f} m", f"{score.mean_speed:.1f} m/s", str(len(score.collisions)), share]
            out.append([name, *self.cells(name), *tail])
        return out

    def head(self) -> list[str]:
        """Columns of the mission's own; none unless it says so."""
        return []

    def cells(self, name: str) -> list[str]:
        """What stands in them for a robot."""
        return []

    def result(self) -> dict[str, Any]:
        """How it stands, as plain data."""
        robots = [score.result() for score in self.scores.values()]
        now = self.simulation.clock.now
        return {"mission": self.kind, "seed": self.simulation.seed, "time": now, "robots": robots}

    def sheet(self) -> dict[str, Any]:
        """What came out, with what only the truth can tell, and maps and ways for a picture."""
        result = self.result()
        for row in result["robots"]:
            row["map_error"] = round(map_error(self.simulation, self.stacks[row["robot"]]), 3)
        parts = {
            name: {"map": stack.occupancy, "estimated": np.array(stack.path), "true": np.array(self.ways[name])}
            for name, stack in self.stacks.items()
        }
        return {"result": result, "parts": parts}

    def close(self) -> None:
        """End it; the robots stay."""
        for stack in self.stacks.values():
            if stack in self.simulation.controllers:
                self.simulation.controllers.remove(stack)
        if self._listen in self.simulation.listeners:
            self.simulation.listeners.remove(self._listen)
        for topics in self._topics:
            topics.close()
        self._topics = []

    def watch(self, simulation: Simulation) -> None:
        """After each step; for missions that have something of their own to do."""

    def _listen(self, simulation: Simulation) -> None:
        for name, stack in self.stacks.items():
            self.scores[name].watch(simulation, stack)
            draw(simulation, stack)
            if simulation.clock.steps % 10 == 0:
                self.ways[name].append(simulation.robots[name].p_WB.copy())
        for topics in self._topics:
            topics(simulation)
        self.watch(simulation)
        if self.over and self.loop is not None:
            self.loop.stop()
