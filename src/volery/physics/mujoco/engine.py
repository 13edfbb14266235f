"""The engine of articulated robots that touch things: MuJoCo, with the world's own triangles to stand on."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import mujoco
import numpy as np

from volery import _native
from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import SimulationError
from volery.physics.contact import hook
from volery.physics.contact.world import ContactWorld
from volery.physics.craft.flight import CraftFlight
from volery.physics.engine import Engine
from volery.physics.motion import WatchedMotion
from volery.physics.mujoco.assembly import Assembly, Solver
from volery.physics.mujoco.crafts import Crafts
from volery.physics.mujoco.exchange import rest
from volery.physics.mujoco.flying import Flying, stands
from volery.physics.mujoco.library import library_path
from volery.physics.mujoco.member import MujocoMember
from volery.physics.mujoco.model import CompiledModel
from volery.physics.mujoco.outside_forces import OutsideForces
from volery.physics.multirotor.air import AmbientAir
from volery.physics.multirotor.drones import Drones
from volery.robots.commands import (
    Attitude,
    BodyVelocity,
    Command,
    Dock,
    Effort,
    Flip,
    Joints,
    Motors,
    Pose,
    Press,
    Reach,
    Steer,
    Velocity,
    Wheels,
    Wrench,
)  # fmt: skip
from volery.robots.kind import RobotKind
from volery.robots.kinds.multirotor import Multirotor
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["MujocoEngine", "MujocoSettings"]

_log = logging.getLogger("volery")
_TRIES = 3
_STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_WARMSTART | mujoco.mjtState.mjSTATE_EQ_ACTIVE


@dataclass(frozen=True)
class MujocoSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    step: float = param(0.002, low=1e-5, high=0.02)
    """Longest step of its own [s]; a step of the simulation is cut into equal ones."""
    integrator: Literal["implicitfast", "implicit"] = "implicitfast"
    noslip: int = param(3, low=0, high=100)
    """Rounds that take out the slow creep of things at rest on slopes: 0.35 mm/s with none, 4 µm/s with 3."""


class MujocoEngine(Engine):
    """All its robots are in one model, which is made anew when one comes or goes; what was moving goes on moving."""

    Options: ClassVar = WatchedMotion
    Settings: ClassVar = MujocoSettings
    changeable: ClassVar = ("step", "integrator", "noslip")
    takes: ClassVar = (
        *(Velocity, BodyVelocity, Pose, Attitude, Motors, Joints, Wheels, Steer, Flip, Wrench),
        *(Reach, Press, Dock, Effort),
    )

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        hook.install()
        mujoco.set_mju_user_warning(_log.debug)
        self.recoveries: dict[str, int] = {}
        """How often each robot had to be stopped because its motion had blown up."""
        self._world = ContactWorld(environment.scene)
        self._drones = Drones(environment)
        self._air = AmbientAir(environment)
        self._members: dict[str, MujocoMember] = {}
        self._model = self._compile(Solver(self.settings.step, self.settings.integrator, self.settings.noslip))
        self._changed = False
        self._moved: set[str] = set()
        """Robots that were put somewhere, which the model has yet to learn."""
        self._told: set[str] = set()
        """Robots that have a new command."""
        self._waiting: set[str] = set()
        """Drones that were put somewhere and told nothing since: in the air they hover, on the ground they stand."""

    # Robots and commands

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; it enters the model with the next step."""
        member = MujocoMember(robot, options, now_ns)
        if member.flies:
            self._drones.add(robot)
            self._waiting |= {robot.name} if member.follower is None else set()
        self._members[robot.name] = member
        robot.contacts = ()
        self._moved.add(robot.name)
        self._changed = True

    def remove(self, name: str) -> None:
        """Let a robot go."""
        if self._members.pop(name).flies:
            self._drones.remove(name)
        self._moved.discard(name)
        self._told.discard(name)
        self._waiting.discard(name)
        self.recoveries.pop(name, None)
        self._changed = True

    def apply(self, name: str, command: Command) -> None:
        """A command of flight or driving ends following a path; other joints and pushes go on beside it."""
        self.check_takes(name, command)
        member = self._members[name]
        member.check_takes(command)
        if member.flies and isinstance(command, Drones.takes):
            self._drones.apply(name, command)
            member.follower = None
            self._waiting.discard(name)
        else:
            member.tell(command)
            self._told.add(name)

    def place(self, name: str) -> None:
        """Take a robot's pose and twist over; joints stop where they are, commands and a path end, pushes stay."""
        self._members[name].place()
        if self._members[name].flies:
            self._drones.place(name)
            self._waiting.add(name)
        self._moved.add(name)
        self._told.add(name)

    def understands(self, name: str) -> tuple[type[Command], ...]:
        """By its rotors, wheels, joints and motors."""
        return self._members[name].takes

    def craft(self, name: str) -> CraftFlight:
        """How a craft of its flies now; one that is none is refused."""
        found = self._members[name].craft if name in self._members else None
        if found is None:
            raise SimulationError(f"robot '{name}' is no craft of this engine")
        return found

    def tunes(self, name: str) -> tuple[type[RobotKind], ...]:
        """Those that fly, by their rotors."""
        return (Multirotor,) if self._members[name].flies else ()

    def tune(self, name: str) -> None:
        """Fly on with the block that the robot's file has now."""
        self._drones.tune(name)

    # The step

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step, in equal steps of the engine's own."""
        if not self._members:
            return
        count = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        self._catch_up(self._solver(count, step_ns))
        self._world.refresh(np.array([m.robot.p_WB for m in self._members.values()]), set(self._members))
        self._steer(now_ns, step_ns)
        before = self._model.motion()
        if not self._model.run(now_ns, count):
            self._recover(before, now_ns, count)
        self._model.write(self._members)

    def _compile(self, solver: Solver) -> CompiledModel:
        robots = {n: (m.template, m.robot.description) for n, m in self._members.items()}
        assembly = Assembly(robots, solver)
        step = _native.mujoco.Step(assembly.model, assembly.data, library_path())
        flying = Flying(self._drones, self._world, assembly, self._members, step)
        crafts = Crafts(assembly, self._members, self._world, step)
        surroundings = OutsideForces(self._air, flying, crafts, assembly, self._members, step)
        return CompiledModel(assembly, flying, crafts, surroundings, self._world, step)

    def _solver(self, count: int, step_ns: int) -> Solver:
        now, settings = self._model.solver, self.settings
        step = step_ns / SECOND / count
        if (now.step, now.integrator, now.noslip) == (step, settings.integrator, settings.noslip):
            return now
        return Solver(step, settings.integrator, settings.noslip)

    def _catch_up(self, solver: Solver) -> None:
        """Bring the model up to robots that came, went, were moved or told something since the last step."""
        anew = self._changed or solver != self._model.solver
        if not (anew or self._moved or self._told):
            return
        if anew:
            old, self._model = self._model, self._compile(solver)
            stayed = [n for n in self._members if n in old.assembly.spans and n not in self._moved]
            self._model.assembly.carry_over(old.assembly, stayed)
            self._told = set(self._members)
        for name in sorted(self._moved):
            self._model.put(name, self._members[name].robot)
        for name in sorted(self._told):
            self._model.drive(name, self._members[name], anew=anew)
        if self._told:
            self._model.collect_pushes(self._members)
        self._changed, self._moved, self._told = False, set(), set()

    def _steer(self, now_ns: int, step_ns: int) -> None:
        """What drivers and paths want this step; drones that were put on the ground stop their motors."""
        if self._waiting:
            for name in sorted(self._waiting):
                if stands(self._members[name].robot, self._world):
                    self._drones.stop(name)
            self._waiting.clear()
        self._model.flying.steer(now_ns)
        self._model.crafts.steer(now_ns)
        for name, member in self._members.items():
            if member.flies and not member.robot.powered:
                self._drones.stop(name)
            if member.steer(step_ns / SECOND):
                self._model.drive(name, member)
        if any([member.rights(step_ns / SECOND) for member in self._members.values()]):
            self._model.collect_pushes(self._members)

    def _recover(self, before: tuple[np.ndarray, ...], now_ns: int, count: int) -> None:
        """Some robot's motion has blown up: take the step again with it at rest where it last was sound."""
        for _ in range(_TRIES):
            wild = self._model.wild()
            self._model.go_back(before)
            for name in wild:
                self._stop(name)
            before = self._model.motion()
            if self._model.run(now_ns, count):
                return
        for name in self._model.wild():
            # Even from rest: it is held, and what is left of this step is lost for all.
            self._stop(name)

    def _stop(self, name: str) -> None:
        member = self._members[name]
        rest(member.robot)
        member.pushes.clear()
        self.place(name)
        self._model.put(name, member.robot)
        self._model.drive(name, member)
        self._model.collect_pushes(self._members)
        self._moved.discard(name)
        self._told.discard(name)
        if name not in self.recoveries:
            _log.warning("robot '%s': its motion blew up; it was stopped where it was, its commands dropped", name)
        self.recoveries[name] = self.recoveries.get(name, 0) + 1

    # Snapshots

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        self._catch_up(self._model.solver)
        assembly = self._model.assembly
        model, data = assembly.model, assembly.data
        physics = np.empty(mujoco.mj_stateSize(model, _STATE))
        mujoco.mj_getState(model, data, physics, _STATE)
        roots = {
            n: np.concatenate([model.body_pos[s.body], model.body_quat[s.body]]) for n, s in assembly.spans.items()
        }
        return {
            "step": assembly.solver.step, "physics": physics, "roots": roots,
            "members": {n: m.state() for n, m in self._members.items()},
            "drones": self._drones.state(), "waiting": sorted(self._waiting), "recoveries": dict(self.recoveries),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for name, inner in state["members"].items():
            self._members[name].restore(inner)
        self._drones.restore(state["drones"])
        self._changed, self._told = True, set(self._members)
        self._catch_up(Solver(state["step"], self.settings.integrator, self.settings.noslip))
        assembly = self._model.assembly
        if mujoco.mj_stateSize(assembly.model, _STATE) != len(state["physics"]):
            raise SimulationError("this snapshot is of other robots than there are; were their files changed?")
        mujoco.mj_setState(assembly.model, assembly.data, state["physics"], _STATE)
        for name, root in state["roots"].items():
            body = assembly.spans[name].body
            assembly.model.body_pos[body], assembly.model.body_quat[body] = root[:3], root[3:]
        self._waiting = set(state["waiting"])
        self.recoveries = dict(state["recoveries"])
