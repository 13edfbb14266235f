"""One robot and its FMU: what it is told of the world, and where it says the robot is."""

from __future__ import annotations

import logging
import math
from pathlib import Path
from typing import Any

import numpy as np

from volery.core.frames import (
    enu_from_ned,
    euler_from_quat,
    matrix_from_quat,
    ned_from_enu,
    q_enu_flu_from_ned_frd,
    quat_from_euler,
    quat_multiply,
    quat_rotate,
)
from volery.errors import CommandError
from volery.physics.elastic.autopilot import Seen
from volery.physics.fmu.model import INPUTS, OUTPUTS, FmuModel
from volery.physics.fmu.unit import FmuUnit
from volery.physics.input_log import InputLog
from volery.physics.obstacles import Obstacles
from volery.physics.plane_pilot import FLIES_BY, AeroplanePilot, Flight, Sticks
from volery.robots.commands import BodyVelocity, Command, Joints, Motors, Velocity
from volery.robots.robot import Robot
from volery.world.atmosphere import GAS, geopotential
from volery.world.environment import Environment

__all__ = ["FmuMember"]

_log = logging.getLogger("volery")
_STICKS = ("roll_stick", "pitch_stick", "yaw_stick")
_SPEEDS = ("v_x", "v_y", "v_z", "yaw_rate")
_STARTS = ("start_x", "start_y", "start_z", "start_yaw", "start_speed")


class FmuMember:
    """A robot moved by an FMU of its own."""

    def __init__(self, robot: Robot, block: FmuModel, flight: Flight, environment: Environment) -> None:
        self.robot, self.block, self.environment = robot, block, environment
        near = Path(robot.file.source).parent if robot.file is not None else Path()
        self.unit = FmuUnit(near / block.path, robot.name)
        self.inputs = block.meanings(block.inputs, self.unit.names("input", "parameter"), INPUTS)
        self.outputs = block.meanings(block.outputs, self.unit.names("output", "local"), OUTPUTS)
        self.obstacles = Obstacles(environment.scene, robot)
        self.pilot = AeroplanePilot(block.gains, block.cruise, flight, 1) if self._by_sticks else None
        if self.pilot is not None:
            t = block.trim
            roll, pitch, yaw, throttle = (t.get(n, 0.0) for n in (*_STICKS, "throttle"))
            self.pilot.trim = Sticks(roll, pitch, yaw, (throttle,))
            self.pilot.pitch = t.get("pitch", 0.0)
        self.log = InputLog()
        self.told: dict[str, float] = {}
        """Inputs by commands, by what they mean."""
        self.start: dict[str, float] = {}
        """Start values, by the FMU's variables."""
        self.struck, self.dt = False, 0.0
        self.offset: tuple[np.ndarray, np.ndarray] = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        """Place and attitude in W of the FMU's own frame."""

    @property
    def _by_sticks(self) -> bool:
        return any(name in self.inputs for name in _STICKS)

    def understands(self) -> tuple[type[Command], ...]:
        """Commands that its inputs can carry."""
        found: list[type[Command]] = []
        if self._by_sticks:
            found += [c for c in FLIES_BY if c is not Motors]
        elif any(name in self.inputs for name in _SPEEDS):
            found += [Velocity, BodyVelocity]
        if any(name.startswith("motor:") for name in self.inputs) or (self._by_sticks and "throttle" in self.inputs):
            found.append(Motors)
        return (*found, Joints) if any(name.startswith("joint:") for name in self.inputs) else tuple(found)

    # Beginning

    def begin(self, speed: float | None) -> None:
        """Start at the robot's pose; an FMU that cannot be told where is carried there. speed: [m/s]."""
        robot, frame = self.robot, self.block.frame
        yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
        place = robot.p_WB if frame == "enu_flu" else ned_from_enu(robot.p_WB)
        heading = yaw if frame == "enu_flu" else math.pi / 2 - yaw
        starts = dict(zip(_STARTS, (*place.tolist(), heading, speed or 0.0), strict=True))
        self.start = {v: starts[what] for what, v in self.inputs.items() if what in starts}
        self.start.update(self.block.parameters)
        self.log, self.told, self.struck = InputLog(keeps=not self.unit.keeps_state), {}, False
        self.unit.start(self.start)
        if "start_x" in self.inputs:
            self.offset = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
            self._write(self._motion())
        else:
            self.carry(robot.p_WB, yaw)

    def carry(self, p_WB: np.ndarray, yaw: float) -> None:
        """Move the FMU's own frame so that the robot is at this place and heading."""
        self.offset = (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        p, q, *_ = self._motion()
        turn = quat_from_euler(np.array([0.0, 0.0, yaw - euler_from_quat(q)[2]]))
        self.offset = (p_WB - quat_rotate(turn, p), turn)
        self.struck = False
        self._write(self._motion())

    # Commands

    def tell(self, command: Command) -> None:
        """Take a command, or refuse it whole."""
        if isinstance(command, Motors) and not self._by_sticks:
            names = sorted((n for n in self.inputs if n.startswith("motor:")), key=lambda n: int(n[6:]))
            if len(names) != len(command.values):
                raise CommandError(f"robot '{self.robot.name}' has {len(names)} motors; the last command stays")
            self.told.update(zip(names, command.values.tolist(), strict=True))
        elif isinstance(command, Joints):
            if command.velocities or command.efforts or any(f"joint:{n}" not in self.inputs for n in command.positions):
                known = ", ".join(n[6:] for n in self.inputs if n.startswith("joint:"))
                raise CommandError(f"robot '{self.robot.name}': positions of {known} can be told; the last stays")
            self.told.update({f"joint:{n}": v for n, v in command.positions.items()})
        elif self.pilot is not None:
            self.pilot.tell(self.robot.name, command, self._seen(np.zeros(3)))
        else:
            assert isinstance(command, Velocity | BodyVelocity), "checked before"
            self._tell_speed(command)

    def _tell_speed(self, command: Velocity | BodyVelocity) -> None:
        if isinstance(command, Velocity):
            v_W = command.v_W
        else:
            turn = np.array([0.0, 0.0, euler_from_quat(self.robot.q_WB_wxyz)[2]])
            v_W = quat_rotate(quat_from_euler(turn), command.v_B)
        self.told.update(zip(_SPEEDS, (*self._own(v_W).tolist(), self._own_yaw_rate(command.yaw_rate)), strict=True))

    # The step

    def run(self, count: int, dt: float, wind_W: np.ndarray) -> None:
        """Move on by so many steps of the FMU."""
        if self.struck:
            return
        before, self.dt = self.obstacles.places(), dt
        told = {**self.told, **self._air(wind_W)}
        if self.pilot is not None:
            sticks = self.pilot.fly(self._seen(wind_W), count * dt)
            told |= {"roll_stick": sticks.roll, "pitch_stick": sticks.pitch, "yaw_stick": sticks.yaw,
                     "throttle": sticks.throttle[0]}  # fmt: skip
        self.unit.set(self.log.changed({self.inputs[what]: v for what, v in told.items() if what in self.inputs}))
        for _ in range(count):
            self.unit.step(dt)
            self.log.stepped()
        self._write(self._motion())
        self._touch(before)

    def _air(self, wind_W: np.ndarray) -> dict[str, float]:
        """What it may want to know of the world; only what it asks for is found out."""
        told, wanted = {}, self.inputs
        if {"wind_x", "wind_y", "wind_z"} & set(wanted):
            told = dict(zip(("wind_x", "wind_y", "wind_z"), self._own(wind_W).tolist(), strict=True))
        if {"density", "pressure", "temperature"} & set(wanted):
            air = self.environment.atmosphere.at(geopotential(np.clip(self.robot.p_WB[2], -2000.0, 32_000.0)))
            told |= {"density": float(air.pressure / (GAS * air.temperature)), "pressure": float(air.pressure),
                     "temperature": float(air.temperature)}  # fmt: skip
        if "ground" in wanted:
            found = self.obstacles.ground(self.robot.p_WB + [0.0, 0.0, 0.5])
            height = -1e4 if found is None else float(found.p_W[2]) - self.offset[0][2]
            told["ground"] = height if self.block.frame == "enu_flu" else -height
        return told

    def _touch(self, before: np.ndarray) -> None:
        robot = self.robot
        robot.update()
        struck = self.obstacles.struck(before, self.block.mass)
        robot.contacts = () if struck is None else (struck,)
        if struck is not None:
            self.struck = True
            robot.set_twist(np.zeros(3), np.zeros(3))
            _log.warning("robot '%s' has run into %s; it stays there until it is placed", robot.name, struck.other)

    def _seen(self, wind_W: np.ndarray) -> Seen:
        robot = self.robot
        return Seen(robot.p_WB, robot.v_WB_W, robot.q_WB_wxyz, robot.w_WB_W, wind_W, 1.225)

    def _own(self, v_W: np.ndarray) -> np.ndarray:
        """A vector of W in the FMU's axes."""
        v = quat_rotate(self.offset[1] * [1, -1, -1, -1], v_W)
        return v if self.block.frame == "enu_flu" else ned_from_enu(v)

    def _own_yaw_rate(self, rate: float) -> float:
        return rate if self.block.frame == "enu_flu" else -rate

    # What it says

    def _motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, float]]:
        """Pose, twist in W, and all outputs by what they mean."""
        found = self.unit.get(self.outputs.values())
        said = {what: found[variable] for what, variable in self.outputs.items()}
        p = np.array([said.get(n, 0.0) for n in "xyz"])
        q = self._attitude(said)
        w_B = np.array([said.get(n, 0.0) for n in "pqr"])
        if "u" in said:
            v = matrix_from_quat(q) @ np.array([said.get(n, 0.0) for n in "uvw"])
        else:
            v = np.array([said.get(n, 0.0) for n in ("vx", "vy", "vz")])
        w = matrix_from_quat(q) @ w_B
        if self.block.frame == "ned_frd":
            p, v, w, q = enu_from_ned(p), enu_from_ned(v), enu_from_ned(w), q_enu_flu_from_ned_frd(q)
        place, turn = self.offset
        return (
            place + quat_rotate(turn, p), quat_multiply(turn, q), quat_rotate(turn, v), quat_rotate(turn, w), said,
        )  # fmt: skip

    @staticmethod
    def _attitude(said: dict[str, float]) -> np.ndarray:
        if "qw" in said:
            return np.array([said.get(n, 0.0) for n in ("qw", "qx", "qy", "qz")])
        return quat_from_euler(np.array([said.get(n, 0.0) for n in ("roll", "pitch", "yaw")]))

    def _write(self, motion: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, float]]) -> None:
        p, q, v, w, said = motion
        robot = self.robot
        robot.set_pose(p, q)
        robot.set_twist(v, w)
        robot.power = said.get("power", 0.0)
        for what, value in said.items():
            if what.startswith("joint:"):
                robot.set_joint(what[6:], value)

    # State

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        keeps = self.unit.keeps_state
        return {
            "start": dict(self.start), "told": dict(self.told), "struck": self.struck, "now": self.unit.now,
            "offset": [v.copy() for v in self.offset], "pilot": None if self.pilot is None else self.pilot.state(),
            "unit": self.unit.state() if keeps else b"", "log": self.log.state(), "dt": self.dt,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken: by the FMU's own state, or by running it again with the same inputs."""
        self.start, self.told, self.struck = dict(state["start"]), dict(state["told"]), state["struck"]
        self.offset = (np.array(state["offset"][0]), np.array(state["offset"][1]))
        self.dt = state["dt"]
        self.log = InputLog.of(state["log"], keeps=not self.unit.keeps_state)
        if self.pilot is not None:
            self.pilot.restore(state["pilot"])
        self.unit.start(self.start)
        if state["unit"]:
            self.unit.restore(state["unit"], state["now"])
            return
        for changes in self.log.told():
            self.unit.set(changes)
            self.unit.step(self.dt)
        self.unit.now = state["now"]
