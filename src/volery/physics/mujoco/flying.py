"""Drones in the common model: their autopilots and rotors push the body that MuJoCo moves."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import matrix_from_quat
from volery.physics.contact.spheres import touch
from volery.physics.contact.world import ContactWorld
from volery.physics.mujoco.assembly import Assembly
from volery.physics.mujoco.member import Member
from volery.physics.multirotor.air import Air
from volery.physics.multirotor.drones import Drones
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.robots.robot import Robot

__all__ = ["Flying", "stands"]

_STANDING = 0.03
"""A drone whose bumpers are within this of the world stands on it [m]."""


class Flying:
    """The drones of a model, substep by substep."""

    def __init__(self, drones: Drones, world: ContactWorld, assembly: Assembly, members: dict[str, Member]) -> None:
        self._drones, self._world = drones, world
        self._members = [members[n] for n in assembly.names if members[n].flies]
        self.names = [m.robot.name for m in self._members]
        spans = [assembly.spans[n] for n in self.names]
        count = len(self.names)
        self._index = drones.index(self.names)
        self._bodies = np.array([s.body for s in spans], np.int64)
        self._q, self._v = (np.array([getattr(s, x).start for s in spans], np.int64) for x in ("q", "v"))
        self._centres = np.array([airframe_of(m.robot).centre for m in self._members]).reshape(-1, 3)
        self._p, self._quat = np.zeros((count, 3)), np.zeros((count, 4))
        self._velocity, self._spin, self._wind = (np.zeros((count, 3)) for _ in range(3))
        self._ground = np.full(count, -np.inf)
        data = assembly.data
        self._motion = data.qpos, data.qvel
        self._places = data.xpos, data.xipos, data.xmat
        self._out = data.xfrc_applied

    def steer(self, now_ns: int) -> None:
        """Where drones on a path should be now."""
        for member in self._members:
            if member.follower is not None:
                seconds = (now_ns - member.started_ns) / SECOND
                self._drones.follow(member.robot.name, *member.follower.at(seconds))

    def sample(self, air: Air, now_ns: int) -> None:
        """The wind at every drone and the ground below it, for this step."""
        self._gather()
        self._wind = air.wind(self._p, now_ns)
        self._ground = self._drones.ground(self._world, self._index)

    def push(self, dt: float) -> None:
        """Add what autopilots and rotors do within the next dt [s]."""
        self._gather()
        wrench = self._drones.wrenches(self._index, self._p, self._quat, self._velocity, self._spin, self._wind, dt)
        _add_rotors(self._bodies, wrench, self._centres, *self._places, self._out)

    def show(self) -> None:
        """Turn the rotors that one sees, and add up power."""
        for member in self._members:
            joints = member.robot.power
            self._drones.show(member.robot.name)
            member.robot.power += joints

    def _gather(self) -> None:
        _gather(*self._motion, self._q, self._v, self._p, self._quat, self._velocity, self._spin)


def stands(robot: Robot, world: ContactWorld) -> bool:
    """Whether a drone touches something from above."""
    bumpers = bumpers_of(robot)
    R = matrix_from_quat(robot.q_WB_wxyz)
    centres = robot.p_WB + np.array([b.position for b in bumpers]) @ R.T
    radius, count = np.array([b.radius for b in bumpers]) + _STANDING, len(bumpers)
    normal, depth, row = np.empty((count, 3)), np.empty(count), np.empty(count, np.int64)
    touch(world.address, centres, radius, normal, depth, row)
    return bool(((row >= 0) & (normal[:, 2] > 0.5)).any())


@nb.njit(cache=True, nogil=True)
def _gather(qpos, qvel, a, b, p, q, v, w) -> None:  # noqa: ANN001
    """Places and velocities of free roots: in W, but the angular velocity in the body's axes."""
    for k in range(len(a)):
        for i in range(3):
            p[k, i] = qpos[a[k] + i]
            v[k, i] = qvel[b[k] + i]
            w[k, i] = qvel[b[k] + 3 + i]
        for i in range(4):
            q[k, i] = qpos[a[k] + 3 + i]


@nb.njit(cache=True, nogil=True)
def _add_rotors(bodies, wrench, centres, xpos, xipos, xmat, out) -> None:  # noqa: ANN001
    """Forces and torques in B about points `centres` of B, [n, 6], into out (xfrc_applied, in W, about xipos)."""
    f, t, arm = np.empty(3), np.empty(3), np.empty(3)
    for k in range(len(bodies)):
        b = bodies[k]
        for i in range(3):
            f[i] = t[i] = 0.0
            arm[i] = xpos[b, i] - xipos[b, i]
            for j in range(3):
                f[i] += xmat[b, 3 * i + j] * wrench[k, j]
                t[i] += xmat[b, 3 * i + j] * wrench[k, 3 + j]
                arm[i] += xmat[b, 3 * i + j] * centres[k, j]
        if not np.isfinite(f[0] + f[1] + f[2] + t[0] + t[1] + t[2]):
            # A motion that blew up must not spread: MuJoCo adds forces up over all robots.
            continue
        for i in range(3):
            j, h = (i + 1) % 3, (i + 2) % 3
            out[b, i] += f[i]
            out[b, 3 + i] += t[i] + arm[j] * f[h] - arm[h] * f[j]
