"""A mission for people: a lesson in flying and touching, with a score, and the best flight so far as a ghost beside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from volery.autonomy.lesson_score import LessonScore
from volery.autonomy.tutor import Tutor
from volery.bus.flightlog import FlightLog, read_flight, write_flight
from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import BusError, ScenarioError, UnknownNameError
from volery.loop import Loop
from volery.robots.tooltip import ToolTip
from volery.sim import Simulation

__all__ = ["Lesson", "LessonGoal", "LessonSettings"]

_WAY, _GOAL, _DONE, _GHOST = (1.0, 0.85, 0.2, 0.9), (1.0, 0.5, 0.1, 1.0), (0.3, 0.9, 0.3, 1.0), (0.75, 0.8, 1.0, 0.9)
_OWNER = "lesson"
_KEPT_NS = SECOND // 20
"""Between two places of a flight that are kept [ns]."""


@dataclass(frozen=True)
class LessonGoal(Checked):
    """A place to come to, or to touch."""

    at: tuple[float, float, float]
    """In W [m]: of the robot, or of the tip of its tool where a force is wanted."""
    near: float = param(0.2, above=0.0, high=100.0)
    """So near counts as there [m]."""
    force: float | None = param(None, above=0.0, high=1e4)
    """With which the tool is to press [N]; none: it is to fly there."""
    band: float = param(0.3, above=0.0, high=1.0)
    """Share by which the force may be off while it counts."""
    hold: float = param(0.0, low=0.0, high=600.0)
    """How long there, without a break [s]."""
    slide: bool = False
    """The tool is to stay on the surface on the way there."""


@dataclass(frozen=True)
class LessonSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    goals: list[LessonGoal] = field(default_factory=list)
    """In order."""
    robot: str = ""
    """Of the scenario; none: the first."""
    pilot: Literal["operator", "tutor"] = "operator"
    """Who flies: a person, by the page, a gamepad or a haptic device; or the simulation shows how it is done."""
    par: float = param(30.0, above=0.0, high=1e5)
    """Time that costs no points [s]."""
    limit: float = param(300.0, above=0.0, high=1e6)
    """The lesson ends after so long [s]."""
    path_limit: float = param(0.5, above=0.0, high=100.0)
    """Mean distance to the way that costs all its points [m]."""
    best: str = ""
    """File of the best flight, CSV or MCAP; none: out/lessons/<scenario>.csv. A better one is kept there."""


class Lesson:
    """One robot, one lesson; made before the loop runs, by the thread that runs it."""

    Settings: ClassVar[type] = LessonSettings
    told_by = "lesson"
    """The module of report/ that tells it."""

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: LessonSettings) -> None:
        """loop: is stopped at the end; None: the caller looks at `over`."""
        self.simulation, self.loop, self.settings = simulation, loop, settings
        if not settings.goals:
            raise ScenarioError("lesson: name at least one of 'goals'")
        self.name = settings.robot or next(iter(simulation.robots), "")
        if self.name not in simulation.robots:
            raise UnknownNameError("robot", self.name, simulation.robots)
        touching = any(g.force is not None for g in settings.goals)
        self.tip = ToolTip(simulation.robots[self.name]) if touching else None
        self.score = LessonScore(settings.par, settings.path_limit)
        self.began_ns = simulation.clock.now_ns
        self.flight: list[list[float]] = []
        """Rows of time [s], place [m] and force on the tool [N]."""
        self.best_path = Path(settings.best or f"out/lessons/{simulation.scenario.name}.csv")
        self.best, self.best_points = _best(self.best_path)
        self.improved = False
        """Whether this flight was kept as the best."""
        self._held_ns: int | None = None
        self._start = simulation.robots[self.name].p_WB.copy()
        self._tutor = None
        if settings.pilot == "tutor":
            self._tutor = Tutor(simulation, self.name, self.tip, settings.goals, lambda: self.score.goals)
            simulation.controllers.append(self._tutor)
        simulation.listeners.append(self._listen)
        self._draw()

    @property
    def over(self) -> bool:
        """Whether it is done, or time is up."""
        return self.score.goals >= len(self.settings.goals) or self.score.time >= self.settings.limit

    def result(self) -> dict[str, Any]:
        """How it stands, as plain data."""
        s = self.score
        return {
            "mission": "lesson", "lesson": self.simulation.scenario.name, "seed": self.simulation.seed, "time": s.time,
            "goals": s.goals, "of": len(self.settings.goals), "score": round(s.total(len(self.settings.goals)), 2),
            "parts": {k: round(v, 2) for k, v in s.parts().items()}, "path_error": round(s.path_error, 4),
            "force_error": None if s.force_error is None else round(s.force_error, 4), "touches": list(s.touches),
            "best": self.best_points, "improved": self.improved,
        }  # fmt: skip

    def rows(self) -> list[list[str]]:
        """A table of what is going on."""
        s, force = self.score, self._force()
        head = ["robot", "goal", "score", "off the way", "force", "touches"]
        cells = [f"{s.goals} of {len(self.settings.goals)}", f"{s.total(len(self.settings.goals)):.1f}"]
        return [head, [self.name, *cells, f"{s.path_error:.2f} m", f"{force:.2f} N", str(len(s.touches))]]

    def sheet(self) -> dict[str, Any]:
        """What came out, with the flight and the best one, for a page."""
        return {"result": self.result(), "flight": np.array(self.flight).reshape(-1, 5), "best": self.best,
                "goals": self.settings.goals, "start": self._start}  # fmt: skip

    def close(self) -> None:
        """End it; a flight better than the best takes its place."""
        if self._listen not in self.simulation.listeners:
            return
        self.simulation.listeners.remove(self._listen)
        if self._tutor is not None:
            self.simulation.controllers.remove(self._tutor)
        points = self.score.total(len(self.settings.goals))
        done = self.score.goals >= len(self.settings.goals)
        if done and points > (self.best_points or 0.0) and self.best_path.suffix == ".csv":
            rows = np.array(self.flight)
            score = np.full(len(rows), points)
            write_flight(self.best_path, rows[:, 0], rows[:, 1:4], {"force": rows[:, 4], "score": score})
            self.improved = True

    def _listen(self, simulation: Simulation) -> None:
        if self.name not in simulation.robots or self.over:
            return
        now = simulation.clock.now_ns
        self.score.time = (now - self.began_ns) / SECOND
        self._watch()
        if now % _KEPT_NS < simulation.clock.step_ns:
            self.flight.append([self.score.time, *simulation.robots[self.name].p_WB, self._force()])
            self._draw_ghost(now)
        if self._reached(now):
            self.score.goals += 1
            self._held_ns = None
            self._draw()
        if self.over and self.loop is not None:
            self.loop.stop()

    def _watch(self) -> None:
        goal, tip = self.settings.goals[self.score.goals], self.tip
        robot = self.simulation.robots[self.name]
        tool = "" if tip is None else tip.body
        touched = {(c.body, c.other) for c in robot.contacts or () if c.body != tool}
        self.score.watch_touches(touched)
        self.score.watch_path(self._place(goal), self._leg())
        force = self._force()
        if goal.force is not None and (goal.slide or self._held_ns is not None):
            self.score.watch_force(force, goal.force)

    def _reached(self, now_ns: int) -> bool:
        """Whether the goal of now has been held long enough."""
        goal = self.settings.goals[self.score.goals]
        there = float(np.linalg.norm(self._place(goal) - goal.at)) <= goal.near
        if there and goal.force is not None:
            there = abs(self._force() - goal.force) <= goal.band * goal.force
        if not there:
            self._held_ns = None
            return False
        self._held_ns = now_ns if self._held_ns is None else self._held_ns
        return now_ns - self._held_ns >= goal.hold * SECOND

    def _place(self, goal: LessonGoal) -> np.ndarray:
        """Of what is to come there: robot or tip [m]."""
        robot = self.simulation.robots[self.name]
        if goal.force is None or self.tip is None:
            return robot.p_WB
        if self.tip.robot is not robot:
            self.tip = ToolTip(robot)
        return self.tip.p_WT

    def _leg(self) -> np.ndarray:
        """From the last goal, or the start, to the one of now, [2, 3] [m]; first touches count from where they are."""
        goals, n = self.settings.goals, self.score.goals
        before = goals[n - 1] if n else None
        same = before is not None and (before.force is None) == (goals[n].force is None)
        here = (
            np.array(before.at)
            if before is not None and same
            else self._start
            if n == 0 and goals[0].force is None
            else None
        )
        end = np.array(goals[n].at)
        if here is None:
            # From the air to a surface, or back: only the last metre is straight.
            here = end + np.clip(self._place(goals[n]) - end, -1.0, 1.0) * [1.0, 0.0, 0.0]
        return np.array([here, end])

    def _force(self) -> float:
        if self.tip is None:
            return 0.0
        return float(np.linalg.norm(self.tip.force_W(self.simulation.clock.step_ns / SECOND)))

    def _draw(self) -> None:
        drawings, goals = self.simulation.environment.drawings, self.settings.goals
        drawings.clear(_OWNER)
        drawings.add("line", np.array([self._start, *(g.at for g in goals)]), _WAY, 2.0, owner=_OWNER)
        for n, goal in enumerate(goals):
            words = f"{n + 1}" if goal.force is None else f"{n + 1}: {goal.force:g} N"
            colour = _DONE if n < self.score.goals else _GOAL
            drawings.add("points", np.array([goal.at]), colour, 14.0, owner=_OWNER)
            drawings.add("text", np.array([goal.at]) + [0, 0, 0.15], colour, 16.0, words=[words], owner=_OWNER)
        if self.best is not None:
            drawings.add("line", self.best.thin(), _GHOST, 2.0, owner=_OWNER)

    def _draw_ghost(self, now_ns: int) -> None:
        """Where the best flight was at this time."""
        if self.best is not None:
            self.simulation.environment.drawings.add(
                "points", self.best.at(self.score.time), _GHOST, 18.0, now_ns + _KEPT_NS, owner=f"{_OWNER}/ghost"
            )


def _best(path: Path) -> tuple[FlightLog | None, float | None]:
    """The best flight so far and its points, if they are known."""
    if not path.is_file():
        return None, None
    flight, points = read_flight(path), None
    if path.suffix == ".csv":
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        if "score" in head.split(","):
            try:
                points = float(rows[-1].split(",")[head.split(",").index("score")])
            except (ValueError, IndexError):
                raise BusError(f"{path}: its score cannot be read; take the file away") from None
    return flight, points
