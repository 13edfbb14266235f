"""The engine of fleets: thousands of multirotors as rigid bodies, flown by compiled kernels on all cores."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import CommandError
from volery.physics.agility import path_of
from volery.physics.contact.world import ContactWorld
from volery.physics.engine import Engine
from volery.physics.flightpath import FlightPath
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.flock_step import FlockStep
from volery.physics.multirotor.outcome import outcomes, touched
from volery.physics.multirotor.parameters import MultirotorModel, airframe_of, bumpers_of
from volery.physics.multirotor.spin import Spin
from volery.physics.multirotor.standing import stands
from volery.physics.multirotor.tables import Level
from volery.robots.commands import Command, Wrench
from volery.robots.kind import RobotKind
from volery.robots.kinds.multirotor import CollisionSphere, Multirotor
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["FleetEngine", "FleetSettings"]

_log = logging.getLogger("volery")
_FAR = 1e7
"""No drone is so far from home, so fast or spins so [m, m/s, rad/s]."""


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
    meet: bool = True
    """Whether they touch each other; false: they pass through one another, as drones of different runs would."""
    floor: float | None = param(None, low=-1e6, high=1e6)
    """z of a plane that stops drones dead, as the ground of the MRS simulator does [m]."""
    mrs: bool = False
    """Just as the MRS simulator: rotor speeds held within a step, loops that begin with a kick, stopped rotors that
    idle, drag that is the same from all sides, g = 9.81 m/s², air that lifts the same at all heights, and drones that
    stand until told."""


class FleetEngine(Engine):
    """Drones in the air, on the ground and against things. They hover, or stand with motors off, until told; a crashed
    one lies where it fell until it is placed anew."""

    Settings: ClassVar = FleetSettings
    changeable: ClassVar = ("step", "restitution", "friction", "crash_speed", "floor")
    takes: ClassVar = Batch.takes

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self.batch = Batch(kick=self.settings.mrs)
        self._world = ContactWorld(environment.scene)
        self._sky = FlockStep(environment, self.settings, self._world)
        self._robots: dict[str, Robot] = {}
        self._own: set[str] = set()
        """Their names."""
        self._spins: dict[str, Spin] = {}
        self._crew: tuple[int, list[tuple[Robot, Spin]], int] = (-1, [], 0)
        """Version of the batch, robots in its order, and how many rotors they show at most."""
        self._followers: dict[str, FlightPath] = {}
        self._started: dict[str, int] = {}
        self._fresh: set[str] = set()
        """Drones that were put somewhere and told nothing since: in the air they hover, on the ground they stand."""
        self._told: set[str] = set()
        """Drones whose crash was said."""

    # Robots and commands

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a drone in; with a path it starts at the path's first corner."""
        self.batch.add(robot.name, *self._build(robot))
        self._robots[robot.name], self._spins[robot.name] = robot, Spin(robot)
        self._own.add(robot.name)
        follower = path_of(robot, options) if options is not None and options.path else None
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
        self._own.discard(name)

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
        self._told.discard(name)
        self.batch.level[i] = Level.OFF
        self.batch.place(int(i), robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
        if self.settings.mrs:
            self.batch.stop(i)
            return
        self.batch.hover(i)
        self._fresh.add(name)

    def crash(self, name: str) -> None:
        """Let a drone fall, as if it had struck something; it takes no command until it is placed anew."""
        self._end_path(name)
        self.batch.level[self.batch.rows[name]] = Level.CRASHED
        self._fresh.discard(name)

    def crashed(self, name: str) -> bool:
        """Whether a drone has crashed."""
        return bool(self.batch.level[self.batch.rows[name]] == Level.CRASHED)

    def charge(self, name: str) -> float:
        """Share left in a drone's battery; 1 if it has none."""
        i = self.batch.rows[name]
        capacity = self.batch.of(i)["capacity"]
        return 1.0 if capacity == 0 else float(self.batch.state["charge"][i] / capacity)

    def change(self, settings: FleetSettings) -> None:
        """Go on with other settings."""
        before, self.settings = self.settings, settings
        self._sky.settings = settings
        if settings.floor != before.floor:
            for name in self._robots:
                self.tune(name)

    def tunes(self, name: str) -> tuple[type[RobotKind], ...]:
        """All drones can be."""
        return (Multirotor,)

    def tune(self, name: str) -> None:
        """Fly on with the block that the drone's file has now."""
        self.batch.tune(name, *self._build(self._robots[name]))

    def _build(self, robot: Robot) -> tuple[MultirotorModel, tuple[CollisionSphere, ...]]:
        """Airframe and bumpers as the robot's file and the settings have them."""
        airframe = _variant(airframe_of(robot), self.settings.mrs, self.settings.floor)
        return airframe, bumpers_of(robot) if self.settings.touch else ()

    # The step

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all drones from now to now + step, in equal steps of the engine's own."""
        if not self._robots:
            return
        for name, follower in self._followers.items():
            self.batch.follow(self.batch.rows[name], follower.at((now_ns - self._started[name]) / SECOND))
        if self._fresh:
            self._settle(self._own)
        entries = self._sky.advance(self.batch, now_ns, step_ns, self._own)
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
        out, sane = outcomes(self.batch, _FAR)
        if not sane:
            self._catch(out)
            out, entries = outcomes(self.batch)[0], entries[:0]
        if self._crew[0] != self.batch.version:
            crew = [(self._robots[name], self._spins[name]) for name in self.batch.names]
            self._crew = self.batch.version, crew, max(spin.count for _, spin in crew)
        _, crew, shown = self._crew
        motion = out["p_WB"], out["q_WB"], out["v_WB_W"], out["w_WB_W"]
        rotors = out["turns"][:, :shown], out["speeds"][:, :shown], out["power"].tolist()
        for (robot, spin), p, q, v, w, turns, speeds, power in zip(crew, *motion, *rotors, strict=True):
            robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W = p, q, v, w
            robot.contacts = ()
            spin.show(turns, speeds, power)
        if len(entries):
            for i, found in touched(entries, self.batch, self._robots, self._world).items():
                self._robots[self.batch.names[i]].contacts = found
                if found and self.batch.level[i] == Level.CRASHED:
                    self._tell_crash(self.batch.names[i], found[0].other)

    def _tell_crash(self, name: str, struck: str) -> None:
        """Say it once: a drone that lies somewhere and answers nothing is a riddle otherwise."""
        if name not in self._told:
            self._told.add(name)
            _log.warning(
                "'%s' has struck '%s' and crashed: motors off until it is placed anew", name, struck or "something"
            )

    def _catch(self, out: np.ndarray) -> None:
        """Drones thrown beyond all measure, by a push that no drone can bear, are put back where they were and crash:
        whoever pushed so must not end the run."""
        motion = np.column_stack([out[f] for f in ("p_WB", "q_WB", "v_WB_W", "w_WB_W")])
        for i in np.flatnonzero(~(np.abs(motion) < _FAR).all(axis=1)):
            name, robot = self.batch.names[i], self._robots[self.batch.names[i]]
            self.batch.state["rpm"][i], self.batch.state["turn"][i] = 0.0, 0.0
            self.batch.place(int(i), robot.p_WB, robot.q_WB_wxyz, np.zeros(3), np.zeros(3))
            self.batch.tell(int(i), Wrench())
            self.crash(name)
            _log.warning("'%s' was pushed harder than a drone can bear: it is put back, and has crashed", name)

    # Keeping

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {"batch": self.batch.keep(), "started": dict(self._started), "fresh": sorted(self._fresh)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.batch.bring_back(state["batch"])
        self._started = dict(state["started"])
        self._followers = {n: f for n, f in self._followers.items() if n in self._started}
        self._fresh = set(state["fresh"])

    def _end_path(self, name: str) -> None:
        self._followers.pop(name, None)
        self._started.pop(name, None)


@lru_cache(maxsize=256)
def _variant(airframe: MultirotorModel, mrs: bool, floor: float | None) -> MultirotorModel:
    """An airframe as the settings want it; the same object for all alike."""
    if floor is not None:
        airframe = replace(airframe, floor=floor)
    return replace(airframe, original=True, gravity=9.81, ground_effect=0.0) if mrs else airframe
