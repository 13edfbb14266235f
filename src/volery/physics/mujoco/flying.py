"""Drones in the common model: their autopilots and rotors push the body that MuJoCo moves."""

from __future__ import annotations

import numpy as np

from volery import _native
from volery.core.clock import SECOND
from volery.core.frames import matrix_from_quat
from volery.physics.contact.world import ContactWorld
from volery.physics.mujoco.assembly import Assembly
from volery.physics.mujoco.member import MujocoMember
from volery.physics.multirotor.air import AmbientAir
from volery.physics.multirotor.drones import Drones
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.robots.robot import Robot

__all__ = ["Flying", "stands"]

_STANDING = 0.03
"""A drone whose bumpers are within this of the world stands on it [m]."""


class Flying:
    """The drones of a model, substep by substep."""

    def __init__(
        self, drones: Drones, world: ContactWorld, assembly: Assembly, members: dict[str, MujocoMember],
        step: _native.mujoco.Step,
    ) -> None:  # fmt: skip
        self._drones, self._world, self._step = drones, world, step
        self._members = [members[n] for n in assembly.names if members[n].flies]
        self.names = [m.robot.name for m in self._members]
        spans = [assembly.spans[n] for n in self.names]
        count = len(self.names)
        self._index = drones.index(self.names)
        self._bodies = np.zeros(count, _native.mujoco.FlyingBody)
        for row, span, member in zip(self._bodies, spans, self._members, strict=True):
            row["body"], row["q"], row["v"] = span.body, span.q.start, span.v.start
            row["centre_B"] = airframe_of(member.robot).centre
        self._p, self._quat = np.zeros((count, 3)), np.zeros((count, 4))
        self._velocity, self._spin, self._wind = (np.zeros((count, 3)) for _ in range(3))
        self._ground = np.full(count, -np.inf)

    def steer(self, now_ns: int) -> None:
        """Where drones on a path should be now."""
        for member in self._members:
            if member.follower is not None:
                seconds = (now_ns - member.started_ns) / SECOND
                self._drones.follow(member.robot.name, member.follower.at(seconds))

    def sample(self, air: AmbientAir, now_ns: int) -> None:
        """The wind at every drone and the ground below it, for this step."""
        self._gather()
        self._wind = air.wind(self._p, now_ns)
        self._ground = self._drones.ground(self._world, self._index)

    def push(self, dt: float) -> None:
        """Add what autopilots and rotors do within the next dt [s]."""
        self._gather()
        wrench = self._drones.wrenches(self._index, self._p, self._quat, self._velocity, self._spin, self._wind, dt)
        _native.mujoco.push_flying(self._step, self._bodies, wrench)

    def show(self) -> None:
        """Turn the rotors that one sees, and add up power."""
        for member in self._members:
            joints = member.robot.power
            self._drones.show(member.robot.name)
            member.robot.power += joints

    def _gather(self) -> None:
        _native.mujoco.gather_flying(self._step, self._bodies, self._p, self._quat, self._velocity, self._spin)


def stands(robot: Robot, world: ContactWorld) -> bool:
    """Whether a drone touches something from above."""
    bumpers = bumpers_of(robot)
    R = matrix_from_quat(robot.q_WB_wxyz)
    centres = robot.p_WB + np.array([b.position for b in bumpers]) @ R.T
    radius, count = np.array([b.radius for b in bumpers]) + _STANDING, len(bumpers)
    normal, depth, row = np.empty((count, 3)), np.empty(count), np.empty(count, np.int64)
    _native.contact.touch(world.native, centres, radius, normal, depth, row)
    return bool(((row >= 0) & (normal[:, 2] > 0.5)).any())
