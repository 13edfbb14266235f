"""Autopilots, motors, rotors and air of drones whose bodies another engine moves: the same kernels as the fleet's."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery import _native
from volery.physics.contact.world import ContactWorld
from volery.physics.flightpath import Moment
from volery.physics.multirotor.air import AmbientAir
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.parameters import airframe_of
from volery.physics.multirotor.spin import Spin
from volery.physics.multirotor.tables import AIR, OUTCOME
from volery.robots.commands import Command, Pose, Wrench
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["Drones"]


class Drones:
    """All of a drone but its body. Rows move when a drone goes: ask `index` again then."""

    takes = tuple(kind for kind in Batch.takes if kind is not Wrench)
    """Commands of flight; pushes from outside are the other engine's."""

    def __init__(self, environment: Environment) -> None:
        self._batch = Batch()
        self._air = AmbientAir(environment)
        self._robots: dict[str, Robot] = {}
        self._spins: dict[str, Spin] = {}

    def __len__(self) -> int:
        return len(self._batch)

    def add(self, robot: Robot) -> None:
        """Take a drone in; it hovers where it is until told otherwise."""
        self._batch.add(robot.name, airframe_of(robot))
        self._robots[robot.name], self._spins[robot.name] = robot, Spin(robot)
        self.place(robot.name)

    def remove(self, name: str) -> None:
        """Let a drone go."""
        self._batch.remove(name)
        del self._robots[name], self._spins[name]

    def tune(self, name: str) -> None:
        """Take over what the drone's file says now."""
        self._batch.tune(name, airframe_of(self._robots[name]))

    def index(self, names: list[str]) -> np.ndarray:
        """Rows of drones, for `wrenches`."""
        return np.array([self._batch.rows[name] for name in names], np.int64)

    def place(self, name: str) -> None:
        """The drone was put elsewhere: it hovers there."""
        i, robot = self._batch.rows[name], self._robots[name]
        self._batch.place(i, robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
        self._batch.hover(i)

    def apply(self, name: str, command: Command) -> None:
        """Give a drone one of `takes`; one it cannot follow is refused, the last one stays."""
        i, robot = self._batch.rows[name], self._robots[name]
        if isinstance(command, Pose) and command.yaw is None:
            # What the batch knows of the attitude is as old as the last step
            self._batch.state["q_WB"][i] = robot.q_WB_wxyz
        self._batch.tell(i, command)

    def follow(self, name: str, now: Moment) -> None:
        """Be on a path, nose ahead; once a step, for a drone on one."""
        self._batch.follow(self._batch.rows[name], now)

    def stop(self, name: str) -> None:
        """Motors off, until the next command: for a drone that stands, or that crashed."""
        self._batch.stop(self._batch.rows[name])

    def wrenches(
        self, index: np.ndarray, p_W: np.ndarray, q_wxyz: np.ndarray, v_W: np.ndarray, w_B: np.ndarray,
        wind_W: np.ndarray, dt: float, ground: np.ndarray | None = None,
    ) -> np.ndarray:  # fmt: skip
        """Advance autopilots and motors by dt [s]; force and torque about the centre of mass, in B, [n, 6] [N, N m].

        index [n]: rows; p_W [n, 3], v_W [n, 3]: of the roots' origins [m, m/s]; q_wxyz [n, 4]; w_B [n, 3] [rad/s];
        wind_W [n, 3] [m/s]; ground [n]: z of the ground below [m], if it is near. To hold for dt: rotors count with
        what they give half way.
        """
        b, out = self._batch, np.empty((len(index), 6))
        air = np.empty(len(index), AIR)
        air["wind_W"], air["ground"] = wind_W, -np.inf if ground is None else ground
        air["share"] = self._air.density(p_W[:, 2]) / b.parameters["air_density"][b.kind[index]]
        _native.multirotor.wrenches(index, b.state, b.reference, b.parameters, p_W, q_wxyz, v_W, w_B, air, dt, out)
        return out

    def ground(self, world: ContactWorld, index: np.ndarray) -> np.ndarray:
        """z of what lies straight below each drone [m], −inf where it is too far to be felt, [n]; see `wrenches`."""
        b, n = self._batch, len(self._batch)
        air = np.empty(n, AIR)
        _native.multirotor.survey(world.native, b.state, b.parameters, 0.0, np.empty(n, np.bool_), air)
        return air["ground"][index]

    def show(self, name: str) -> None:
        """Write the spin of a drone's rotors and the power drawn into its robot."""
        i = self._batch.rows[name]
        out = np.empty(1, OUTCOME)
        _native.multirotor.outcomes(self._batch.state[i : i + 1], self._batch.parameters, np.inf, out)
        self._spins[name].show(out["turns"][0], out["speeds"][0], out["power"].item())

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return self._batch.keep()

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken; its drones have been added already."""
        self._batch.bring_back(state)
