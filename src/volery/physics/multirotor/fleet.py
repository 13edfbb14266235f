"""The engine of fleets: thousands of multirotors as rigid bodies, flown by compiled kernels on all cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import CommandError
from volery.physics.contact.world import ContactWorld
from volery.physics.engine import Engine
from volery.physics.motion import Follower
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.outcome import roots, touched
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.physics.multirotor.sky import Sky
from volery.physics.multirotor.spin import Spin, Spins
from volery.physics.multirotor.standing import stands
from volery.robots.commands import Command, Wrench
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["FleetEngine", "FleetSettings"]


@dataclass(frozen=True)
class FleetSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    step: float = param(0.001, low=1e-5, high=0.02)
    """Longest step of its own, at which autopilots look too [s]; a step of the simulation is cut into equal ones."""
    restitution: float = param(0.2, low=0.0, high=1.0)
    """Share of the speed with which drones rebound."""
    friction: float = param(0.8, low=0.0, high=10.0)
    """Of drones; times that of the material they touch."""
    crash_speed: float = param(2.0, low=0.0, high=1e3)
    """A drone that strikes something faster crashes: its motors stop for good [m/s]; 0: never."""
    touch: bool = True
    """Whether drones touch the world and each other."""


class FleetEngine(Engine):
    """Drones in the air, on the ground and against things. They hover, or stand with motors off, until told; a crashed
    one lies where it fell until it is placed anew."""

    Settings: ClassVar = FleetSettings
    takes: ClassVar = Batch.takes

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self.batch = Batch()
        self._world = ContactWorld(environment.scene)
        self._sky = Sky(environment, self.settings, self._world)
        self._robots: dict[str, Robot] = {}
        self._spins: dict[str, Spin] = {}
        self._followers: dict[str, Follower] = {}
        self._started: dict[str, int] = {}
        self._fresh: set[str] = set()
        """Drones that were put somewhere and told nothing since: in the air they hover, on the ground they stand."""

    # Robots and commands

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a drone in; with a path it starts at the path's first corner."""
        airframe = airframe_of(robot)
        self.batch.add(robot.name, airframe, bumpers_of(robot) if self.settings.touch else ())
        self._robots[robot.name], self._spins[robot.name] = robot, Spin(robot)
        follower = Follower(options) if options is not None and options.path else None
        if follower is not None:
            robot.set_pose(follower.at(0.0)[0], robot.q_WB_wxyz)
        self.place(robot.name)
        if follower is not None:
            self._fresh.discard(robot.name)
            self._followers[robot.name], self._started[robot.name] = follower, now_ns

    def remove(self, name: str) -> None:
        """Let a drone go."""
        self.batch.remove(name)
        self._end_path(name)
        self._fresh.discard(name)
        del self._robots[name], self._spins[name]

    def apply(self, name: str, command: Command) -> None:
        """Anything but a push ends following a path. A crashed drone does not answer."""
        self.check_takes(name, command)
        if isinstance(command, Wrench):
            description = self._robots[name].description
            if command.body and description.body(command.body) != 0:
                raise CommandError(f"robot '{name}' is one rigid body here; push its root, '{description.bodies[0]}'")
        self.batch.tell(self.batch.rows[name], command)
        if not isinstance(command, Wrench):
            self._end_path(name)
            self._fresh.discard(name)

    def place(self, name: str) -> None:
        """A drone put elsewhere is whole again; path and command end, pushes stay."""
        i, robot = self.batch.rows[name], self._robots[name]
        self._end_path(name)
        self.batch.level[i] = at.OFF
        self.batch.place(i, robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
        self.batch.hover(i)
        self._fresh.add(name)

    def crashed(self, name: str) -> bool:
        """Whether a drone has crashed."""
        return bool(self.batch.level[self.batch.rows[name]] == at.CRASHED)

    def charge(self, name: str) -> float:
        """Share left in a drone's battery; 1 if it has none."""
        i = self.batch.rows[name]
        capacity = self.batch.parameters[self.batch.kind[i], at.CAPACITY]
        return 1.0 if capacity == 0 else float(self.batch.state[i, at.CHARGE] / capacity)

    # The step

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all drones from now to now + step, in equal steps of the engine's own."""
        if not self._robots:
            return
        for name, follower in self._followers.items():
            p, v = follower.at((now_ns - self._started[name]) / SECOND)
            self.batch.follow(self.batch.rows[name], p, v)
        own = set(self._robots)
        if self._fresh:
            self._settle(own)
        entries = self._sky.advance(self.batch, now_ns, step_ns, own)
        self._write(entries)

    def _settle(self, own: set[str]) -> None:
        """Of the drones that were put somewhere, those that touch something stand with motors off."""
        if self.settings.touch:
            self._world.refresh(np.array([self._robots[n].p_WB for n in sorted(self._fresh)]), own)
            for name in sorted(self._fresh):
                if stands(self._robots[name], self._world):
                    self.batch.stop(self.batch.rows[name])
        self._fresh.clear()

    def _write(self, entries: np.ndarray) -> None:
        """State of the tables into the robots. Fresh arrays each step: others may keep what they were given."""
        batch = self.batch
        spins, contacts = Spins(batch, 0, len(batch)), touched(entries, batch, self._robots, self._world)
        for i, (name, p, q, v, w) in enumerate(zip(batch.names, *roots(batch), strict=True)):
            robot = self._robots[name]
            robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W = p, q, v, w
            robot.contacts = contacts.get(i, ())
            self._spins[name].show(spins, i)

    # Keeping

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        return {"batch": self.batch.keep(), "started": dict(self._started), "fresh": sorted(self._fresh)}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        self.batch.bring_back(state["batch"])
        self._started = dict(state["started"])
        self._followers = {n: f for n, f in self._followers.items() if n in self._started}
        self._fresh = set(state["fresh"])

    def _end_path(self, name: str) -> None:
        self._followers.pop(name, None)
        self._started.pop(name, None)
