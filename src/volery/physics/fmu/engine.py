"""Engine `fmu`: robots that move as FMUs of other tools say (FMI 2 and 3, co-simulation). Needs the package: pip
install 'volery[fmu]'."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.errors import CommandError, RobotError, SimulationError
from volery.physics.engine import Engine
from volery.physics.fmu.member import FmuMember
from volery.physics.fmu.model import FmuModel
from volery.physics.multirotor.air import AmbientAir
from volery.physics.plane_pilot import FLIES_BY, Flight
from volery.robots.commands import Command, Joints
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["FmuEngine", "FmuSettings"]


@dataclass(frozen=True)
class FmuSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    step: float = param(0.01, low=1e-6, high=10.0)
    """Longest communication step [s]; a step of the simulation is cut into equal ones."""


class FmuEngine(Engine):
    """Robots with an `fmu` block, each with an instance of its own; the world's wind, air and ground are told to it."""

    Options: ClassVar[type] = Flight
    Settings: ClassVar[type] = FmuSettings
    takes: ClassVar[tuple[type[Command], ...]] = (*FLIES_BY, Joints)
    settings: FmuSettings
    example: ClassVar[str] = "engines:\n  fmu: {step: 0.01}\nrobots:\n  r1: {type: glider.yaml, physics: fmu}"

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self._air = AmbientAir(environment)
        self._members: dict[str, FmuMember] = {}

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in, at its pose; on a path it starts at the path's first corner."""
        block = None if robot.file is None else robot.file.block(FmuModel)
        if block is None:
            raise RobotError(f"robot '{robot.name}' has no 'fmu' block, which the engine 'fmu' moves it by")
        flight = options or Flight()
        member = FmuMember(robot, block, flight, self.environment)
        if flight.path and member.pilot is None:
            raise RobotError(f"robot '{robot.name}': its FMU has no sticks to fly a path with")
        if flight.path:
            way = np.subtract(flight.path[min(1, len(flight.path) - 1)], flight.path[0])
            level = np.array([0.0, 0.0, math.atan2(way[1], way[0])])
            robot.set_pose(np.array(flight.path[0]), quat_from_euler(level))
        member.begin((flight.airspeed or block.cruise) if flight.flying else 0.0)
        self._members[robot.name] = member
        robot.contacts = ()

    def remove(self, name: str) -> None:
        """Let a robot go."""
        self._members.pop(name).unit.close()

    def apply(self, name: str, command: Command) -> None:
        """Valid until the next one."""
        self.check_takes(name, command)
        member = self._members[name]
        if not isinstance(command, member.understands()):
            known = ", ".join(c.__name__ for c in member.understands()) or "no command"
            raise CommandError(
                f"robot '{name}': its FMU has no inputs for {type(command).__name__}; it takes {known}; the last "
                "command stays"
            )
        member.tell(command)

    def understands(self, name: str) -> tuple[type[Command], ...]:
        """Commands that the FMU has inputs for."""
        return self._members[name].understands()

    def place(self, name: str) -> None:
        """An FMU that can be told where it starts starts anew; another is carried there and goes on."""
        member = self._members[name]
        robot = member.robot
        if "start_x" in member.inputs:
            member.begin(float(np.linalg.norm(robot.v_WB_W)))
        else:
            member.carry(robot.p_WB, float(euler_from_quat(robot.q_WB_wxyz)[2]))

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step, in equal steps of their FMUs."""
        count = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        for member in self._members.values():
            wind = self._air.wind(member.robot.p_WB[None], now_ns)[0]
            member.run(count, step_ns / SECOND / count, wind)

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {name: member.state() for name, member in self._members.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        if set(state) != set(self._members):
            raise SimulationError("this snapshot is of other robots than there are")
        for name, inner in state.items():
            self._members[name].restore(inner)
