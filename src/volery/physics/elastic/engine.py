"""Engine `elastic`: aircraft that bend, each in a model of its own."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.errors import SimulationError
from volery.physics.contact import hook
from volery.physics.contact.world import ContactWorld
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.frame import StructuralFrame
from volery.physics.elastic.member import Course, ElasticMember
from volery.physics.engine import Engine
from volery.physics.mujoco.touching import Touching
from volery.physics.multirotor.air import AmbientAir
from volery.robots.commands import (
    Attitude,
    BodyVelocity,
    Command,
    ControlGroup,
    Cruise,
    Joints,
    Motors,
    Pose,
    Release,
    Velocity,
    Wrench,
)  # fmt: skip
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["ElasticEngine", "ElasticSettings"]

_log = logging.getLogger("volery")


_ROOTS = np.ones(1, np.int64)
"""First body of an aircraft's own model."""


class _Ground(NamedTuple):
    """A frame bound to the world, and what it touches there."""

    frame: StructuralFrame
    world: ContactWorld
    touching: Touching
    bodies: tuple[str, ...]


@dataclass(frozen=True)
class ElasticSettings(Checked):
    """The engine's entry under `engines` in a scenario."""

    step: float = param(0.002, low=1e-4, high=0.01)
    """Longest step of its own [s]; a step of the simulation is cut into equal ones."""
    touch: bool = True
    """Aircraft touch the world and other robots."""
    wakes: bool = True
    """Strips feel the wake that all of them shed; without it there is neither induced drag nor loss at the tips."""


class ElasticEngine(Engine):
    """Each aircraft has a model of its own, so one that comes or goes does not touch the others."""

    Options: ClassVar = Course
    Settings: ClassVar = ElasticSettings
    takes: ClassVar = (
        Cruise, Velocity, BodyVelocity, Pose, Attitude, ControlGroup, Motors, Joints, Release, Wrench,
    )  # fmt: skip

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self.recoveries: dict[str, int] = {}
        """How often each aircraft had to be stopped because its motion had blown up."""
        self._air = AmbientAir(environment)
        self._members: dict[str, ElasticMember] = {}
        self._grounds: dict[str, _Ground] = {}

    def craft(self, name: str) -> ElasticAircraft:
        """The aircraft of a robot, to look at: springs, wake, strips."""
        return self._members[name].craft

    def member(self, name: str) -> ElasticMember:
        """A robot with its autopilot."""
        return self._members[name]

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; one that is at rest starts in steady flight unless its `motion` says otherwise."""
        settings = self.settings
        member = ElasticMember(robot, options, settings.step, touch=settings.touch, wakes=settings.wakes)
        wind = self._air.wind(robot.p_WB[None], now_ns)[0]
        member.begin(float(self._air.density(robot.p_WB[2])), wind)
        self._members[robot.name] = member
        robot.contacts = () if settings.touch else None

    def remove(self, name: str) -> None:
        """Let a robot go."""
        del self._members[name]
        self._grounds.pop(name, None)
        self.recoveries.pop(name, None)

    def apply(self, name: str, command: Command) -> None:
        """A command of flight ends those before it; pushes and what has come off stay."""
        self.check_takes(name, command)
        self._members[name].tell(command)

    def place(self, name: str) -> None:
        """Take a robot's pose and twist over; its shape and what it was told stay."""
        self._members[name].put()

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all aircraft from now to now + step, in equal steps of the engine's own."""
        count = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        for name in sorted(self._members):
            member = self._members[name]
            member.craft.set_step(step_ns / SECOND / count)
            places = member.craft.places()
            if np.isfinite(places).all():
                member.craft.set_air(self._air.wind(places, now_ns), self._air.density(places[:, 2]))
            member.push()
            member.steer(step_ns / SECOND)
            before = member.craft.state()
            if not self._run(member, count):
                self._stop(member, before)
            bone = member.craft.break_overloaded()
            if bone is not None:
                _log.warning("robot '%s': its wing broke at %s", name, bone)
            member.take()

    def _run(self, member: ElasticMember, count: int) -> bool:
        """Substeps; with contacts one by one, so that their impulses add up."""
        craft, robot = member.craft, member.robot
        if not self.settings.touch:
            return craft.run(count)
        ground = self._ground(member)
        ground.world.refresh(robot.p_WB[None], {robot.name})
        ground.touching.clear()
        sound = True
        for k in range(count):
            sound = sound and craft.run(1, 0.0 if k else count * craft.step)
            if sound and craft.frame.data.ncon:
                ground.touching.add(craft.step)
        found = ground.touching.contacts([robot.name], _ROOTS, [ground.bodies], ground.world.scene.object_name)
        robot.contacts = tuple(found.get(robot.name, ()))
        return sound

    def _ground(self, member: ElasticMember) -> _Ground:
        """What an aircraft touches; made anew when a part of it has come off."""
        known, frame = self._grounds.get(member.robot.name), member.craft.frame
        if known is None or known.frame is not frame:
            world = ContactWorld(self.environment.scene) if known is None else known.world
            hook.bind(frame.model, frame.data, world)
            owner = np.where(np.arange(frame.model.nbody) > 0, 0, -1).astype(np.int64)
            bodies = tuple(frame.model.body(b).name for b in range(1, frame.model.nbody))
            known = _Ground(frame, world, Touching(frame.model, frame.data, owner, world), bodies)
            self._grounds[member.robot.name] = known
        return known

    def _stop(self, member: ElasticMember, before: dict[str, Any]) -> None:
        """The motion has blown up: it is stopped where it was last sound."""
        name = member.robot.name
        member.craft.restore(before)
        member.craft.qvel[:] = 0.0
        air = member.craft.air
        air.lag[:], air.induced[:], air.tilt[:] = 0.0, 0.0, 0.0
        if name not in self.recoveries:
            _log.warning("robot '%s': its motion blew up; it was stopped where it was", name)
        self.recoveries[name] = self.recoveries.get(name, 0) + 1

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        members = {n: m.state() for n, m in sorted(self._members.items())}
        return {"members": members, "recoveries": dict(self.recoveries)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        if set(state["members"]) != set(self._members):
            raise SimulationError("this snapshot is of other aircraft than there are")
        for name, inner in state["members"].items():
            self._members[name].restore(inner)
        self.recoveries = dict(state["recoveries"])
