"""Delta arms in the common model: what their motors give, substep by substep, to hold a place or to press."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from volery import _native
from volery._native.mujoco import ArmTask
from volery.errors import CommandError
from volery.physics.mujoco.assembly import Assembly
from volery.robots.commands import Command, Joints, Press, Reach
from volery.robots.kinds.delta import DeltaMount

__all__ = ["Arm", "Arms"]

_BANDWIDTH = 2 * np.pi * 6.0
"""Of motors that hold an angle [rad/s]."""


class Arm:
    """What one robot's arm was told. Its motors carry its weight in any attitude of the robot."""

    takes = (Reach, Press)

    def __init__(self, robot: str, mount: DeltaMount) -> None:
        self._robot, self.mount = robot, mount
        self.order = np.zeros(1, _native.mujoco.ArmOrder)
        """`ArmOrder` [1], as the kernel reads it; written in place."""
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
        order = self.order[0]
        order["task"], order["place"], order["force"] = ArmTask.PRESS, place, command.force_D
        order["stiffness"], order["damping"] = command.stiffness, command.damping

    def told(self, now_DT: np.ndarray) -> np.ndarray:
        """Where the tip is to be in D [m], [3]; along axes that are free it is where it is now."""
        order = self.order[0]
        if order["task"] == ArmTask.REACH:
            return self.mount.arm.place(order["angles"])
        return np.where((order["task"] == ArmTask.PRESS) & (order["stiffness"] > 0.0), order["place"], now_DT)

    def hold(self, names: list[str], positions: np.ndarray) -> None:
        """Stay where the joints of the robot are, [j] [rad or m]."""
        self._hold(np.array([positions[names.index(n)] for n in self.joints]))

    def lets_go(self, command: Joints) -> None:
        """Someone commands the motors one by one: no more of it from here."""
        if not {*command.positions, *command.velocities, *command.efforts}.isdisjoint(self.joints):
            self.order[:] = 0

    def state(self) -> dict[str, np.ndarray]:
        """Plain data that `restore` takes back."""
        return {name: self.order[name].copy() for name in self.order.dtype.names or ()}

    def restore(self, state: Any) -> None:
        """Continue where `state` was taken."""
        for name, value in state.items():
            self.order[name] = value

    def _hold(self, theta: np.ndarray) -> None:
        self.order["task"], self.order["angles"] = ArmTask.REACH, theta


class Arms:
    """All arms of a model."""

    def __init__(self, assembly: Assembly, arms: dict[str, Arm], step: _native.mujoco.Step) -> None:
        """arms: by the name of their robots."""
        self._step = step
        self._rows = [(_placed(assembly.model, name, arm), arm.order) for name, arm in arms.items()]

    def __bool__(self) -> bool:
        return bool(self._rows)

    def push(self) -> None:
        """Set the motors for the next substep."""
        for arm, order in self._rows:
            _native.mujoco.drive_arm(self._step, arm, order)


def _placed(model: mujoco.MjModel, robot: str, arm: Arm) -> np.ndarray:
    """An arm in the model, `DeltaArm` [1]."""
    prefix, a = f"{robot}/{arm.mount.prefix}", arm.mount.arm
    joints = [model.joint(f"{prefix}_arm{i}").id for i in (1, 2, 3)]
    motors = [model.actuator(f"{prefix}_motor{i}").id for i in (1, 2, 3)]
    table = np.zeros(1, _native.mujoco.DeltaArm)
    row = table[0]
    row["plate"], row["motor"] = model.body(f"{prefix}_plate").id, model.actuator_ctrladr[motors]
    row["q"], row["v"] = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    for name in ("base", "tool", "upper", "fore", "stick", "torque"):
        row[name] = getattr(a, name)
    carried = a.tool_mass + 1.5 * a.fore_mass
    inertia = a.armature + (a.upper_mass / 3 + a.fore_mass / 2 + carried / 3) * a.upper**2
    row["own"], row["carried"] = (a.upper_mass + a.fore_mass) / 2, carried
    row["stiffness"], row["damping"] = inertia * _BANDWIDTH**2, 2 * inertia * _BANDWIDTH
    return table
