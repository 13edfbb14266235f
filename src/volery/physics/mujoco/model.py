"""The compiled robots with all that acts on them: substeps, and the way back from them."""

from __future__ import annotations

import mujoco
import numpy as np

from volery import _native
from volery.core.clock import SECOND
from volery.physics.contact import hook
from volery.physics.contact.world import ContactWorld
from volery.physics.mujoco.assembly import Assembly
from volery.physics.mujoco.crafts import Crafts
from volery.physics.mujoco.exchange import Taker, put
from volery.physics.mujoco.flying import Flying
from volery.physics.mujoco.member import MujocoMember
from volery.physics.mujoco.outside_forces import OutsideForces
from volery.physics.mujoco.touching import Touching
from volery.robots.robot import Robot

__all__ = ["CompiledModel"]


class CompiledModel:
    """The compiled robots with all that acts on them."""

    def __init__(
        self, assembly: Assembly, flying: Flying, crafts: Crafts, surroundings: OutsideForces, world: ContactWorld,
        step: _native.mujoco.Step,
    ) -> None:  # fmt: skip
        self.assembly, self.flying, self.crafts, self.solver = assembly, flying, crafts, assembly.solver
        self._surroundings, self._world, self._step = surroundings, world, step
        self._model, self._data = assembly.model, assembly.data
        hook.bind(self._model, self._data, world)
        self._touching = Touching(self._model, self._data, assembly.owner, world)
        self._takers = {name: Taker(span, self._data, step) for name, span in assembly.spans.items()}
        self._roots = np.array([s.body for s in assembly.spans.values()], np.int64)

    def put(self, name: str, robot: Robot) -> None:
        """Take over where a robot is."""
        put(robot, self.assembly.spans[name], self._model, self._data)

    def drive(self, name: str, member: MujocoMember, anew: bool = False) -> None:
        """Take over what a robot's motors were told."""
        member.actuation.write(self.assembly.spans[name], self._model, self._data, anew)

    def collect_pushes(self, members: dict[str, MujocoMember]) -> None:
        """Take over what pushes robots."""
        self._surroundings.collect_pushes(members)

    def run(self, now_ns: int, count: int) -> bool:
        """Substeps, until a robot's motion blows up; whether none did.

        Forces depend on where bodies are and how fast, so they come between the halves of MuJoCo's step.
        """
        step, data, dt, around = self._step, self._data, self.solver.step, self._surroundings
        data.time = now_ns / SECOND
        self._touching.clear()
        self._world.native.begin_step()
        try:
            for i in range(count):
                _native.mujoco.begin(step)
                if i == 0:
                    around.sample(now_ns, round(count * dt * SECOND))
                around.push(dt)
                if not _native.mujoco.finish(step):
                    return False
                if data.ncon:
                    self._touching.add(dt)
        finally:
            self._world.native.end_step()
        return True

    def motion(self) -> tuple[np.ndarray, ...]:
        """All that moves, for `go_back`."""
        data = self._data
        return data.qpos.copy(), data.qvel.copy(), data.act.copy(), data.qacc_warmstart.copy()

    def go_back(self, motion: tuple[np.ndarray, ...]) -> None:
        """To where `motion` was taken."""
        data = self._data
        data.qpos[:], data.qvel[:], data.act[:], data.qacc_warmstart[:] = motion

    def wild(self) -> list[str]:
        """Robots whose motion has blown up."""
        spans = self.assembly.spans.items()
        return [n for n, s in spans if not _native.mujoco.sound(self._data.qpos[s.q], self._data.qvel[s.v])]

    def write(self, members: dict[str, MujocoMember]) -> None:
        """The new state into the robots."""
        mujoco.mj_rnePostConstraint(self._model, self._data)
        names = self.assembly.names
        bodies = [members[n].robot.description.bodies for n in names]
        found = self._touching.contacts(names, self._roots, bodies, self._world.scene.object_name)
        for name, taker in self._takers.items():
            robot = members[name].robot
            taker.take(robot)
            robot.contacts = tuple(found.get(name, ()))
        self.flying.show()
        self.crafts.show()
