"""A mission of one's own: sound a lagoon line by line."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery import BodyVelocity, Checked, Loop, Simulation, param
from volery.core.frames import euler_from_quat


@dataclass(frozen=True)
class SurveySettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    lines: int = param(3, low=1, high=100)
    """From west to east, evenly from south to north."""
    width: float = param(10.0, above=0, high=1000.0)
    """Edge of the square that is sounded, about the origin [m]."""
    speed: float = param(2.0, above=0, high=20.0)
    """[m/s]."""
    limit: float = param(300.0, above=0, high=1e6)
    """It ends after so long [s]."""
    robot: str = "skiff"
    """Type of the boat."""


class Survey:
    """One boat goes along parallel lines and notes the depth."""

    Settings: ClassVar[type] = SurveySettings
    name = "skiff1"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: SurveySettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        self.simulation, self.settings, self._loop = simulation, settings, loop
        rows = np.linspace(-1, 1, settings.lines) if settings.lines > 1 else np.zeros(1)
        corners = [(side * (1 if n % 2 else -1), row) for n, row in enumerate(rows) for side in (1, -1)]
        self._marks = [np.array(corner) * settings.width / 2 for corner in corners]
        self._next = 0
        self.depths: list[float] = []
        """Soundings on the lines [m]."""
        x, y = self._marks[0]
        simulation.spawn(self.name, {"type": settings.robot, "position": [float(x), float(y), 0.0]})
        simulation.controllers.append(self._steer)
        simulation.listeners.append(self._note)

    @property
    def over(self) -> bool:
        """Whether all lines are done, or the time is up."""
        return self._next >= len(self._marks) or self.simulation.clock.now >= self.settings.limit

    def close(self) -> None:
        """Let the boat be."""
        if self._steer in self.simulation.controllers:
            self.simulation.controllers.remove(self._steer)
            self.simulation.listeners.remove(self._note)

    def result(self) -> dict[str, Any]:
        """Numbers of now, as plain data."""
        depths = self.depths or [float("nan")]
        return {
            "mission": "survey", "seed": self.simulation.seed, "time": self.simulation.clock.now,
            "done": self._next >= len(self._marks), "soundings": len(self.depths),
            "deepest": max(depths), "mean depth": sum(depths) / len(depths),
        }  # fmt: skip

    def rows(self) -> list[list[str]]:
        """A head and a row for the boat."""
        return [["boat", "mark", "soundings"], [self.name, f"{self._next}/{len(self._marks)}", str(len(self.depths))]]

    def _steer(self, simulation: Simulation) -> None:
        if self.over:
            if self._loop is not None:
                self._loop.stop()
            return
        boat = simulation.robot(self.name)
        way = self._marks[self._next] - boat.p_WB[:2]
        if np.linalg.norm(way) < 0.5:
            self._next += 1
            return
        off = np.arctan2(way[1], way[0]) - euler_from_quat(boat.q_WB_wxyz)[2]
        off = (off + np.pi) % (2 * np.pi) - np.pi
        speed = self.settings.speed * max(0.3, float(np.cos(off)))
        simulation.command(self.name, BodyVelocity([speed, 0.0, 0.0], float(np.clip(2.0 * off, -1.0, 1.0))))

    def _note(self, simulation: Simulation) -> None:
        if self.over or self._next % 2 == 0:
            return
        self.depths += [float(r.data["range"][0]) for robot, _, r in simulation.fresh if robot == self.name]
