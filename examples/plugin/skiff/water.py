"""An engine of one's own: boats on still or running water."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from skiff.hull import Hull
from volery import BodyVelocity, Checked, Command, Engine, Environment, Robot, RobotError, RobotKind, param
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat, quat_from_euler


@dataclass(frozen=True)
class WaterSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    current: tuple[float, float] = param((0.0, 0.0), low=-10.0, high=10.0)
    """Of the water, east and north [m/s]."""


class WaterEngine(Engine):
    """Boats with a `hull`, on the water's surface at z = 0: thrust against drag, a rudder, and the current."""

    Settings: ClassVar[type] = WaterSettings
    changeable: ClassVar[tuple[str, ...]] = ("current",)
    takes: ClassVar[tuple[type[Command], ...]] = (BodyVelocity,)

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self._boats: dict[str, tuple[Robot, Hull]] = {}
        self._wanted: dict[str, tuple[float, float]] = {}
        """Speed ahead [m/s] and rate of turning [rad/s] that each boat was told."""
        self._speeds: dict[str, float] = {}
        """Through the water [m/s]."""

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a boat in."""
        hull = None if robot.file is None else robot.file.block(Hull)
        if hull is None:
            raise RobotError(f"robot '{robot.name}' has no 'hull' block; the engine 'water' moves boats only")
        self._boats[robot.name] = (robot, hull)
        self._wanted[robot.name], self._speeds[robot.name] = (0.0, 0.0), 0.0

    def remove(self, name: str) -> None:
        """Let a boat go."""
        for table in (self._boats, self._wanted, self._speeds):
            del table[name]

    def apply(self, name: str, command: Command) -> None:
        """Speed ahead and rate of turning; what the hull cannot do it does as well as it can."""
        self.check_takes(name, command)
        self._wanted[name] = (float(command.v_B[0]), float(command.yaw_rate))

    def place(self, name: str) -> None:
        """A boat that was put elsewhere lies still."""
        self._speeds[name] = 0.0

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all boats by a step."""
        dt = step_ns / SECOND
        for name, (robot, hull) in self._boats.items():
            speed, (wanted, turn) = self._speeds[name], self._wanted[name]
            push = np.clip(
                hull.mass * (wanted - speed) / 0.5 + hull.drag * speed * abs(speed), -hull.thrust, hull.thrust
            )
            speed += (push - hull.drag * speed * abs(speed)) / hull.mass * dt
            turn = float(np.clip(turn, -hull.turn, hull.turn)) * min(1.0, abs(speed))
            yaw = euler_from_quat(robot.q_WB_wxyz)[2] + turn * dt
            v_W = np.array([speed * np.cos(yaw), speed * np.sin(yaw), 0.0]) + [*self.settings.current, 0.0]
            p_WB = robot.p_WB + v_W * dt
            robot.set_pose(np.array([p_WB[0], p_WB[1], 0.0]), quat_from_euler(np.array([0.0, 0.0, yaw])))
            robot.set_twist(v_W, np.array([0.0, 0.0, turn]))
            self._speeds[name] = float(speed)

    def tunes(self, name: str) -> tuple[type[RobotKind], ...]:
        """Thrust and drag may change while it runs."""
        return (Hull,)

    def tune(self, name: str) -> None:
        """Take over the hull that the robot's file has now."""
        robot, hull = self._boats[name]
        self._boats[name] = (robot, robot.file.block(Hull) or hull)

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        return {"wanted": {n: list(w) for n, w in self._wanted.items()}, "speeds": dict(self._speeds)}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        self._wanted = {n: (w[0], w[1]) for n, w in state["wanted"].items()}
        self._speeds = dict(state["speeds"])
