"""A mission of an aerial service robot: fly among things to walls, touch them with a set force, and hold it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from volery.autonomy.clearance import Terms
from volery.autonomy.mission import Mission
from volery.autonomy.occupancy import OccupancyConfig
from volery.autonomy.planner import PlannerConfig
from volery.autonomy.stack import StackConfig
from volery.autonomy.tooling import Captured, Rounds, Stop, ToolPilot
from volery.autonomy.trajectory import MotionLimits
from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import euler_from_quat
from volery.errors import ScenarioError
from volery.loop import Loop
from volery.physics.craft.flight import CraftFlight
from volery.physics.mujoco.engine import MujocoEngine
from volery.robots.tooltip import ToolTip
from volery.sim import Simulation

__all__ = ["Service", "ServiceSettings"]

_NAME = "mav1"
_SERIES = ("time", "phase", "p", "attitude", "force", "tool", "lift", "pull", "thrust")


def _sensors() -> dict[str, Any]:
    lidar = {"type": "lidar", "rate": 5, "elevations_deg": [-60, -45, -35, -28, -21, -14, -7, 0, 7, 14, 21, 28, 40, 55],
             "columns": 160, "max_range": 15, "mount": {"site": "top"}}  # fmt: skip
    return {"mocap": {"type": "motion_capture", "rate": 100}, "imu": {"type": "imu", "rate": 100}, "lidar": lidar}


def _slow() -> StackConfig:
    terms = Terms(clear=0.75, comfort=1.3, band=None)
    planner = PlannerConfig((8.0, 5.0), terms=terms, limits=MotionLimits(0.8, 0.5, 0.4, 1.0))
    return StackConfig(planner=planner, occupancy=OccupancyConfig(cell=0.2, reach=12.0, hollow=0.7))


@dataclass(frozen=True)
class ServiceSettings(Checked):
    """The mission's entry under `agents` in a scenario."""

    stops: tuple[Stop, ...] = ()
    """Where to go, and where to touch, in order."""
    robot: str = "ductedfan"
    """A craft with a tool and sites `top` and `tool`."""
    law: Literal["", "hunt_crossley", "spring_damper", "virtual_mass"] = ""
    """By which surfaces press on the tool; empty: as the robot's file says."""
    wall: float | None = param(None, low=0.0, high=1.0)
    """How strongly walls pull at fans near them (`nearness` of a craft); none: as the robot's file says, 0: not."""
    start: tuple[float, float, float] = (0.0, 0.0, 1.5)
    """[m]."""
    limit: float = param(240.0, above=0, high=1e6)
    """The mission is given up after so long [s]."""
    stack: StackConfig = field(default_factory=_slow)


class Service(Mission):
    """One craft on its round; motion capture tells where it is, its lidar what is in the way."""

    Settings: ClassVar[type] = ServiceSettings
    kind = "service"
    told_by = "airobots"

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: ServiceSettings) -> None:
        super().__init__(simulation, loop, settings.limit)
        self.rounds = Rounds(settings.stops)
        start = np.array(settings.start, float)
        stack = self.add(_NAME, settings.robot, start, _sensors(), self.rounds, settings.stack, physics="mujoco")
        self.flight = _flight(simulation, settings.robot)
        self.located = Captured(simulation, _NAME, "mocap", stack.mounts[0])
        stack.localisation = self.located  # type: ignore[assignment]
        stack.pilot = ToolPilot(settings.stack.pilot, start, stack.pilot.yaw)
        tool = self.flight.craft.tool
        assert tool is not None
        if settings.law:
            self.flight.use(replace(tool, law=settings.law))
        if settings.wall is not None:
            self.flight.surfaces.nearness = replace(self.flight.craft.nearness, wall=settings.wall)
        self._tip = ToolTip(simulation.robot(_NAME), tool.site)
        self.scores[_NAME].tools = {self._tip.body}
        self.series: dict[str, list[Any]] = {name: [] for name in _SERIES}
        """What happened, step by step; see `sheet`."""

    def watch(self, simulation: Simulation) -> None:
        """Go on with the round, and note down what happened."""
        robot, dt = simulation.robots[_NAME], simulation.clock.step_ns / SECOND
        self.located.look()
        self.rounds.go_on(self.stacks[_NAME], self._tip.touches(), dt)
        R, flight = robot.X_WB[0][:, :3], self.flight
        values = (
            simulation.clock.now, self.rounds.phase, robot.p_WB.copy(), euler_from_quat(robot.q_WB_wxyz),
            -self._tip.force_W(dt), self._tip.p_WT, flight.lift,
            R @ (flight.thrust @ flight.surfaces.pull), float(flight.thrust.sum()),
        )  # fmt: skip
        for name, value in zip(_SERIES, values, strict=True):
            self.series[name].append(value)

    def head(self) -> list[str]:
        """What it does, and how hard it presses."""
        return ["stop", "does", "force", "set"]

    def cells(self, name: str) -> list[str]:
        """Of the craft."""
        force = float(np.linalg.norm(self.series["force"][-1])) if self.series["force"] else 0.0
        stop = self.rounds.stop
        count = f"{min(self.rounds.number + 1, len(self.rounds.stops))} of {len(self.rounds.stops)}"
        return [count, self.rounds.phase, f"{force:.2f} N", f"{stop.force:.2f} N" if stop.touches else "–"]

    def sheet(self) -> dict[str, Any]:
        """The result, the stops that were touched, and what happened step by step: arrays of equal length of time [s],
        phase, place [m], attitude [rad], force of the tool on what it touches [N], place of the tool [m], lift along
        the craft's z [N], pull of walls [N] and thrust [N]; all in W."""
        craft = self.flight.craft
        touches = [
            {"way": np.array(s.way) / np.linalg.norm(s.way), "force": s.force} for s in self.rounds.stops if s.touches
        ]
        about = {
            "robot": getattr(self.simulation.robot(_NAME).file, "about", ""),
            "mass": float(self.flight.gains["mass"][0]), "law": craft.tool.law if craft.tool else "",
            "stiffness": craft.tool.stiffness if craft.tool else 0.0,
        }  # fmt: skip
        return {
            "result": self.result(), "about": about, "touches": touches,
            "series": {name: np.array(values) for name, values in self.series.items()},
        }  # fmt: skip


def _flight(simulation: Simulation, robot: str) -> CraftFlight:
    engine = simulation.engine_of(_NAME)
    file = simulation.robot(_NAME).file
    if not isinstance(engine, MujocoEngine) or file is None or file.craft is None or file.craft.tool is None:
        raise ScenarioError(f"service: '{robot}' is no craft with a tool; try ductedfan, doubleduct or helicopter")
    return engine.craft(_NAME)
