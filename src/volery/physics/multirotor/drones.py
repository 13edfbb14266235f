# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Autopilots, motors, rotors and air of drones whose bodies another engine moves: the same kernels as the fleet's."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.air import Air
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.body import air_force, constants, wrench_at
from volery.physics.multirotor.control import rotation
from volery.physics.multirotor.lanes import BLOCK, EARLY, load, store
from volery.physics.multirotor.parameters import airframe_of
from volery.physics.multirotor.rotors import lift_factor, motors, spin_up, sums
from volery.physics.multirotor.spin import SPIN, Spin, spin_of
from volery.physics.multirotor.survey import survey
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
        self._air = Air(environment)
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
            self._batch.state[i, at.QUAT : at.QUAT + 4] = robot.q_WB_wxyz
        self._batch.tell(i, command)

    def follow(self, name: str, p_W: np.ndarray, v_W: np.ndarray) -> None:
        """Be at p_W [m] now and move on at v_W [m/s], nose ahead; once a step, for a drone on a path."""
        self._batch.follow(self._batch.rows[name], p_W, v_W)

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
        share = self._air.density(p_W[:, 2]) / b.parameters[b.kind[index], at.AIR]
        low = np.full(len(index), -np.inf) if ground is None else ground
        _wrenches(index, b.state, b.reference, b.level, b.kind, b.parameters, p_W, q_wxyz, v_W, w_B, wind_W, share,
                  low, dt, out)  # fmt: skip
        return out

    def ground(self, world: ContactWorld, index: np.ndarray) -> np.ndarray:
        """z of what lies straight below each drone [m], −inf where it is too far to be felt, [n]; see `wrenches`."""
        b, n = self._batch, len(self._batch)
        ground = np.empty(n)
        survey(world.address, b.state, b.kind, b.parameters, 0.0, np.empty(n, np.bool_), ground)
        return ground[index]

    def show(self, name: str) -> None:
        """Write the spin of a drone's rotors and the power drawn into its robot."""
        i = self._batch.rows[name]
        out = np.empty(SPIN)
        spin_of(self._batch.state[i], self._batch.parameters[self._batch.kind[i]], out)
        self._spins[name].show(out)

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        return self._batch.keep()

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken; its drones have been added already."""
        self._batch.bring_back(state)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _wrenches(index, S, C, level, kind, P, p_W, q, v_W, w_B, wind, air, ground, dt, out) -> None:
    b = np.zeros(BLOCK)
    for j in range(len(index)):
        i = index[j]
        s, r, p = S[i], C[i], P[kind[i]]
        _take_over(s, p, p_W[j], q[j], v_W[j], w_B[j])
        load(b, 0, s, r, wind[j], air[j], ground[j])
        motors(b, 1, level[i], p, dt)
        sums(b, 1, p, np.exp(-0.5 * dt / p[at.TAU]), EARLY)
        spin_up(b, 1, p, np.exp(-dt / p[at.TAU]), dt)
        store(b, 0, s, r)
        for a in range(3):
            r[at.REF_P + a] += r[at.DRIFT + a] * dt
        lift = lift_factor(s[at.POS + 2], air[j], ground[j], p[at.GROUND], p[at.HUB])
        f = wrench_at(b, EARLY, lift)
        R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
        v0, v1, v2 = s[at.VEL] - wind[j, 0], s[at.VEL + 1] - wind[j, 1], s[at.VEL + 2] - wind[j, 2]
        d = air_force(R, v0, v1, v2, constants(p), air[j], f[6])
        for a in range(3):
            out[j, a], out[j, 3 + a] = f[a] + d[a], f[3 + a]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _take_over(s, p, p_W, q, v_W, w_B) -> None:
    """Write where another engine has the root into a row, as motion of the centre of mass."""
    R = rotation(q[0], q[1], q[2], q[3])
    m0, m1, m2 = p[at.CENTRE], p[at.CENTRE + 1], p[at.CENTRE + 2]
    # Velocity of the centre of mass against the root, in B
    u0, u1, u2 = w_B[1] * m2 - w_B[2] * m1, w_B[2] * m0 - w_B[0] * m2, w_B[0] * m1 - w_B[1] * m0
    for i in range(3):
        s[at.POS + i] = p_W[i] + R[3 * i] * m0 + R[3 * i + 1] * m1 + R[3 * i + 2] * m2
        s[at.VEL + i] = v_W[i] + R[3 * i] * u0 + R[3 * i + 1] * u1 + R[3 * i + 2] * u2
        s[at.SPIN + i] = w_B[i]
    for i in range(4):
        s[at.QUAT + i] = q[i]
