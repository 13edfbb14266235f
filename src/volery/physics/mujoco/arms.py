"""Delta arms in the common model: what their motors give, substep by substep, to hold a place or to press."""

from __future__ import annotations

from typing import Any

import mujoco
import numba as nb
import numpy as np

from volery.errors import CommandError
from volery.physics.mujoco.assembly import Assembly
from volery.robots.commands import Command, Joints, Press, Reach
from volery.robots.delta import DeltaMount
from volery.world.atmosphere import GRAVITY

__all__ = ["Arm", "Arms"]

_BANDWIDTH = 2 * np.pi * 6.0
"""Of motors that hold an angle [rad/s]."""
_IDLE, _REACH, _PRESS = 0.0, 1.0, 2.0
_ORDER = 16
"""Numbers of an order: kind, then angles [3], or place, stiffness, damping and force [3 each] from 4 on."""


class Arm:
    """What one robot's arm was told. Its motors carry its weight in any attitude of the robot."""

    takes = (Reach, Press)

    def __init__(self, robot: str, mount: DeltaMount) -> None:
        self._robot, self.mount = robot, mount
        self.geometry = _geometry(mount)
        self.order = np.zeros(_ORDER)
        """As the kernel reads it; written in place."""
        self.joints = tuple(f"{mount.prefix}_arm{i}" for i in (1, 2, 3))

    def tell(self, command: Command) -> None:
        """Go to a place or press; one that cannot be reached is refused, the last one stays."""
        if isinstance(command, Reach):
            self._hold(self.mount.arm.angles(command.p_DT))
            return
        assert isinstance(command, Press)
        if (command.stiffness > 0.0).any() and command.p_DT is None:
            raise CommandError(f"robot '{self._robot}': Press with a stiffness needs the place that it pulls to")
        place = np.zeros(3) if command.p_DT is None else command.p_DT
        self.order[0] = _PRESS
        self.order[4:] = np.concatenate([place, command.stiffness, command.damping, command.force_D])

    def told(self, now_DT: np.ndarray) -> np.ndarray:
        """Where the tip is to be in D [m], [3]; along axes that are free it is where it is now."""
        if self.order[0] == _REACH:
            return self.mount.arm.place(self.order[1:4])
        return np.where((self.order[0] == _PRESS) & (self.order[7:10] > 0.0), self.order[4:7], now_DT)

    def hold(self, names: list[str], positions: np.ndarray) -> None:
        """Stay where the joints of the robot are, [j] [rad or m]."""
        self._hold(np.array([positions[names.index(n)] for n in self.joints]))

    def lets_go(self, command: Joints) -> None:
        """Someone commands the motors one by one: no more of it from here."""
        if not {*command.positions, *command.velocities, *command.efforts}.isdisjoint(self.joints):
            self.order[:] = _IDLE

    def state(self) -> list[float]:
        """Plain data that `restore` takes back."""
        return self.order.tolist()

    def restore(self, state: Any) -> None:
        """Continue where `state` was taken."""
        self.order[:] = state

    def _hold(self, theta: np.ndarray) -> None:
        self.order[0], self.order[1:4] = _REACH, theta


class Arms:
    """All arms of a model."""

    def __init__(self, assembly: Assembly, arms: dict[str, Arm]) -> None:
        """arms: by the name of their robots."""
        model, data = assembly.model, assembly.data
        self._arrays = data.qpos, data.qvel, data.xmat, data.ctrl
        self._rows = [(arm.geometry, arm.order, *_addresses(model, name, arm)) for name, arm in arms.items()]

    def push(self) -> None:
        """Set the motors for the next substep."""
        for row in self._rows:
            _drive(*row, *self._arrays)


def _addresses(model: mujoco.MjModel, robot: str, arm: Arm) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    prefix = f"{robot}/{arm.mount.prefix}"
    joints = [model.joint(f"{prefix}_arm{i}").id for i in (1, 2, 3)]
    motors = [model.actuator(f"{prefix}_motor{i}").id for i in (1, 2, 3)]
    return (
        model.body(f"{prefix}_plate").id, model.jnt_qposadr[joints].astype(np.int64),
        model.jnt_dofadr[joints].astype(np.int64), model.actuator_ctrladr[motors].astype(np.int64),
    )  # fmt: skip


def _geometry(mount: DeltaMount) -> np.ndarray:
    """base, tool, upper, fore, stick, weight of its own and carried over g [kg], stiffness, damping and most torque."""
    a = mount.arm
    carried = a.tool_mass + 1.5 * a.fore_mass
    inertia = a.armature + (a.upper_mass / 3 + a.fore_mass / 2 + carried / 3) * a.upper**2
    stiff, damp = inertia * _BANDWIDTH**2, 2 * inertia * _BANDWIDTH
    own = (a.upper_mass + a.fore_mass) / 2
    return np.array([a.base, a.tool, a.upper, a.fore, a.stick, own, carried, stiff, damp, a.torque])


@nb.njit(cache=True, nogil=True)
def _cross(a, b, out) -> None:  # noqa: ANN001
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@nb.njit(cache=True, nogil=True)
def _spheres(geometry, theta, S, lever) -> None:  # noqa: ANN001
    """Middles of the spheres that the platform lies on, and what an elbow moves by per angle, [3, 3] each."""
    for i in range(3):
        c, s = np.cos(theta[i]), np.sin(theta[i])
        u, v = np.cos(i * 2 * np.pi / 3), np.sin(i * 2 * np.pi / 3)
        out = geometry[0] - geometry[1] + geometry[2] * c
        S[i, 0], S[i, 1], S[i, 2] = out * u, out * v, geometry[2] * s
        lever[i, 0], lever[i, 1], lever[i, 2] = -geometry[2] * s * u, -geometry[2] * s * v, geometry[2] * c


@nb.njit(cache=True, nogil=True)
def _platform(S, fore, p) -> bool:  # noqa: ANN001
    """Where three spheres of a radius meet; whether they do. The same as `Delta.place`."""
    a, b = S[1] - S[0], S[2] - S[0]
    n, m = np.empty(3), np.empty(3)
    _cross(a, b, n)
    nn, aa, bb = (n * n).sum(), (a * a).sum(), (b * b).sum()
    _cross(aa * b - bb * a, n, m)
    m /= 2.0 * nn
    left = fore * fore - (m * m).sum()
    if not left > 0.0:
        return False
    for i in range(3):
        p[i] = S[0, i] + m[i] + np.sqrt(left / nn) * n[i]
    return True


@nb.njit(cache=True, nogil=True)
def _pull(geometry, order, p, v, g, f) -> None:  # noqa: ANN001
    """Force that the motors are to give at the tip, its load's weight included; p, v: of the tip in D."""
    for i in range(3):
        f[i] = -geometry[6] * g[i]
        if order[0] == 2.0:
            f[i] += order[13 + i] + order[7 + i] * (order[4 + i] - p[i]) - order[10 + i] * v[i]


@nb.njit(cache=True, nogil=True)
def _drive(geometry, order, plate, q, w, motors, qpos, qvel, xmat, ctrl) -> None:  # noqa: ANN001
    """Torques of one arm into the model's controls; one that is told nothing is left alone."""
    if order[0] == 0.0:
        return
    theta, rate, g = np.empty(3), np.empty(3), np.empty(3)
    for i in range(3):
        theta[i], rate[i] = qpos[q[i]], qvel[w[i]]
        g[i] = -GRAVITY * xmat[plate, 6 + i]
    S, lever, p, f = np.empty((3, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    inverse, gain, v = np.empty((3, 3)), np.empty(3), np.zeros(3)
    _spheres(geometry, theta, S, lever)
    if not _platform(S, geometry[3], p):
        return
    rod = S - p
    for i in range(3):
        _cross(rod[(i + 1) % 3], rod[(i + 2) % 3], inverse[i])
        gain[i] = (rod[i] * lever[i]).sum()
    det = (rod[0] * inverse[0]).sum()
    if abs(det) < 1e-4 * geometry[3] ** 3:
        return
    for i in range(3):
        v += inverse[i] * (gain[i] * rate[i] / det)
    p[2] += geometry[4]
    _pull(geometry, order, p, v, g, f)
    for i in range(3):
        torque = gain[i] * (inverse[i] * f).sum() / det - geometry[5] * (lever[i] * g).sum()
        if order[0] == 1.0:
            torque += geometry[7] * (order[1 + i] - theta[i]) - geometry[8] * rate[i]
        ctrl[motors[i]] = min(max(torque, -geometry[9]), geometry[9])
