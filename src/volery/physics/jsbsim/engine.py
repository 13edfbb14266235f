"""Engine `jsbsim`: aircraft of JSBSim's own models fly in our worlds. Needs the package: pip install 'volery[jsbsim]'.

JSBSim's Earth is WGS84; W is the plane that touches it at the sky's latitude and longitude, as a GPS receiver has it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import quat_from_euler
from volery.errors import RobotError, SimulationError
from volery.physics.engine import Engine
from volery.physics.jsbsim.aircraft import JsbsimAircraft
from volery.physics.jsbsim.member import JsbsimMember
from volery.physics.multirotor.air import AmbientAir
from volery.physics.plane_pilot import FLIES_BY, Flight
from volery.robots.commands import Command
from volery.robots.kind import RobotKind
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["JsbsimEngine", "JsbsimSettings"]


@dataclass(frozen=True)
class JsbsimSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    step: float = param(0.005, low=1e-4, high=0.05)
    """Longest step of JSBSim [s]; a step of the simulation is cut into equal ones."""


class JsbsimEngine(Engine):
    """Aircraft with a `jsbsim` block, each in a JSBSim of its own; the world's ground, wind and air are told to it."""

    Options: ClassVar[type] = Flight
    Settings: ClassVar[type] = JsbsimSettings
    takes: ClassVar[tuple[type[Command], ...]] = FLIES_BY
    settings: JsbsimSettings
    example: ClassVar[str] = "engines:\n  jsbsim: {step: 0.005}\nrobots:\n  r1: {type: c172, position: [0, 0, 500]}"

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self._air = AmbientAir(environment)
        self._members: dict[str, JsbsimMember] = {}

    def fdm(self, name: str) -> Any:
        """JSBSim's own `FGFDMExec` of a robot, to look at its properties."""
        return self._members[name].fdm

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; one that is at rest starts in steady flight unless its `motion` says otherwise."""
        block = None if robot.file is None else robot.file.block(JsbsimAircraft)
        if block is None:
            raise RobotError(f"robot '{robot.name}' has no 'jsbsim' block, which the engine 'jsbsim' flies by")
        flight = options or Flight()
        member = JsbsimMember(robot, block, flight, self.environment, self.settings.step)
        if flight.path:
            way = np.subtract(flight.path[min(1, len(flight.path) - 1)], flight.path[0])
            level = np.array([0.0, 0.0, math.atan2(way[1], way[0])])
            robot.set_pose(np.array(flight.path[0]), quat_from_euler(level))
        wind = self._air.wind(robot.p_WB[None], now_ns)[0]
        member.begin(flight.flying and not robot.v_WB_W.any(), wind)
        self._members[robot.name] = member
        robot.contacts = ()

    def remove(self, name: str) -> None:
        """Let a robot go."""
        del self._members[name]

    def apply(self, name: str, command: Command) -> None:
        """A command of flight ends those before it; `Motors` sets throttles beside it."""
        self.check_takes(name, command)
        member = self._members[name]
        member.pilot.tell(name, command, member.seen(np.zeros(3)))

    def place(self, name: str) -> None:
        """Fly on from where the robot was put, at its velocity."""
        member = self._members[name]
        member.pilot.follower, member.pilot.centre = None, None
        member.begin(False, np.zeros(3))

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all aircraft from now to now + step, in equal steps of JSBSim."""
        count = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        for member in self._members.values():
            wind = self._air.wind(member.robot.p_WB[None], now_ns)[0]
            member.run(count, step_ns / SECOND / count, wind)

    def tunes(self, name: str) -> tuple[type[RobotKind], ...]:
        """Flaps, gear and brakes may change while it runs."""
        return (JsbsimAircraft,)

    def tune(self, name: str) -> None:
        """Take over flaps, gear and brakes."""
        member = self._members[name]
        block = None if member.robot.file is None else member.robot.file.block(JsbsimAircraft)
        member.block = block or member.block

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {name: member.state() for name, member in self._members.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken; what was flown since the start is flown again."""
        if set(state) != set(self._members):
            raise SimulationError("this snapshot is of other aircraft than there are")
        for name, inner in state.items():
            self._members[name].restore(inner)
