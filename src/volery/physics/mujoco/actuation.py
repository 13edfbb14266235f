"""Commands to joints and motors: the file's own actuators where they fit, else a servo with gains from the inertia."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from volery.errors import CommandError, RobotError
from volery.physics.mujoco.assembly import Span
from volery.physics.mujoco.template import Template
from volery.robots.commands import Joints, Motors
from volery.robots.description import Description

__all__ = ["Actuation"]

_BANDWIDTH = 2 * np.pi * 10.0
"""Of the servos that are added [rad/s]: 10 Hz, critically damped, for what a joint carries in the file's pose."""
_GRIP = 1000.0
"""How fast a joint comes to a speed that an added servo is told [1/s], if it has the strength."""
_KINDS = ("positions", "velocities", "efforts")
_SILENT = np.zeros(2)


class Actuation:
    """What one robot's motors are told. It holds through changes of the common model, which it is written into."""

    def __init__(self, name: str, template: Template, description: Description) -> None:
        self.name = name
        self._description = description
        self._motors = [_Motor(template.model, m) for m in template.motors]
        self._servos = {
            i: _Servo(template.model, j.name, self._motors)
            for i, j in enumerate(description.joints)
            if mujoco.mj_name2id(template.model, mujoco.mjtObj.mjOBJ_JOINT, f"/{j.name}") >= 0
        }
        self._numbers = {j.name: i for i, j in enumerate(description.joints)}
        self._told: dict[int, tuple[str, float]] = {}
        """By joint: positions, velocities or efforts, and the value."""
        self._values = np.full(len(self._motors), np.nan)
        """Controls of the file's own actuators; NaN: none, which is 0."""
        self._quick: tuple[np.ndarray, np.ndarray] | None = None
        """Places in the model's controls of the joints told, and what to multiply their values by; None: write all."""

    @property
    def has_joints(self) -> bool:
        """Whether any joint can be told something."""
        return bool(self._servos)

    @property
    def has_motors(self) -> bool:
        """Whether the robot's file has actuators of its own."""
        return bool(self._motors)

    def tell_joints(self, command: Joints) -> None:
        """Take a command, or refuse it whole."""
        told = {}
        for kind in _KINDS:
            for name, value in getattr(command, kind).items():
                told[self._joint(name, kind, value)] = (kind, float(value))
        if any(self._told.get(i, ("",))[0] != kind for i, (kind, _) in told.items()):
            self._quick = None
        self._told.update(told)

    def tell_motors(self, command: Motors) -> None:
        """Set all of the file's own actuators, as shares of their ranges; joints without one keep what they had."""
        if len(command.values) != len(self._motors):
            names = ", ".join(m.name for m in self._motors)
            raise CommandError(
                f"robot '{self.name}' has {len(self._motors)} motors ({names}), not {len(command.values)}; "
                "the last command stays"
            )
        boundless = [m.name for m in self._motors if not m.bounded]
        if boundless:
            raise CommandError(
                f"robot '{self.name}': actuator '{boundless[0]}' has no ctrlrange, so a share of it means nothing; "
                "give it one in the model, or command the joint"
            )
        self._values = np.array([m.control(v) for m, v in zip(self._motors, command.values, strict=True)])
        driven = {m.joint for m in self._motors}
        self._told = {i: t for i, t in self._told.items() if self._description.joints[i].name not in driven}
        self._quick = None

    def release(self, joints: tuple[str, ...]) -> None:
        """Forget what these joints were told."""
        self._told = {i: t for i, t in self._told.items() if self._description.joints[i].name not in joints}
        self._quick = None

    def hold(self, positions: np.ndarray) -> None:
        """Forget all commands; position actuators of the file hold these joint positions [j]."""
        self._told, self._values, self._quick = {}, np.full(len(self._motors), np.nan), None
        for i, motor in enumerate(self._motors):
            if motor.kind == "positions":
                joint = self._description.joint(motor.joint)
                self._values[i] = motor.gear * positions[joint]

    def write(self, span: Span, model: mujoco.MjModel, data: mujoco.MjData, anew: bool = False) -> None:
        """Bring the model's actuators up to what was told; `anew`: the model has changed."""
        if self._quick is not None and not anew:
            places, factors = self._quick
            data.ctrl[places] = np.array([value for _, value in self._told.values()]) * factors
            return
        self._write_all(span, model, data)

    def _write_all(self, span: Span, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        for motor, value, at in zip(self._motors, self._values, span.motors, strict=True):
            motor.write(at, 0.0 if np.isnan(value) else value, model, data)
        for i, at in zip(span.joints, span.servos, strict=True):
            kind, value = self._told.get(int(i), ("", 0.0))
            self._servos[int(i)].write(at, kind, value, span, model, data)
        servo_of = dict(zip(span.joints.tolist(), span.servos.tolist(), strict=True))
        routes = [self._servos[i].route(kind, servo_of[i], span) for i, (kind, _) in self._told.items()]
        places = model.actuator_ctrladr[[at for at, _ in routes]] if routes else np.zeros(0, int)
        self._quick = places, np.array([factor for _, factor in routes])

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {"told": {i: list(t) for i, t in self._told.items()}, "values": self._values.copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self._told = {int(i): (t[0], t[1]) for i, t in state["told"].items()}
        self._values, self._quick = np.array(state["values"], float), None

    def _joint(self, name: str, kind: str, value: float) -> int:
        """Number of a joint that can be told this."""
        i = self._numbers[name] if name in self._numbers else self._description.joint(name)
        joint = self._description.joints[i]
        if i not in self._servos:
            raise CommandError(f"robot '{self.name}': joint '{name}' is a rotor's; command the motors")
        if kind == "positions" and not joint.low - 1e-9 <= value <= joint.high + 1e-9:
            raise RobotError(
                f"robot '{self.name}': joint '{name}' at {value:g} is outside {joint.low:g} to {joint.high:g}"
            )
        return i


class _Motor:
    """An actuator of the robot's own file."""

    def __init__(self, model: mujoco.MjModel, name: str) -> None:
        self.name = name
        a = model.actuator(f"/{name}").id
        self.bounded = bool(model.actuator_ctrllimited[a])
        self.low, self.high = (float(x) for x in model.actuator_ctrlrange[a])
        self.gear = float(model.actuator_gear[a, 0])
        self.gain = float(model.actuator_gainprm[a, 0])
        self.limited = int(model.actuator_forcelimited[a])
        self.range = model.actuator_forcerange[a].copy()
        self.controls = int(model.actuator_ctrlnum[a])
        on_joint = model.actuator_trntype[a] == int(mujoco.mjtTrn.mjTRN_JOINT)
        self.joint = model.joint(int(model.actuator_trnid[a, 0])).name[1:] if on_joint else ""
        self.kind = _kind(model, a) if on_joint else ""

    @property
    def most(self) -> float:
        """Strongest effort on its joint, if it has a limit [N m or N]; else infinite."""
        limits = [np.abs(self.range).max()] if self.limited else []
        if self.kind == "efforts" and self.bounded:
            limits.append(abs(self.gain) * max(abs(self.low), abs(self.high)))
        return abs(self.gear) * min(limits, default=np.inf)

    def control(self, share: float) -> float:
        """The control for a share of -1 to 1: 0 stays 0, ±1 are the ends of its range."""
        return float(np.clip(share * (self.high if share >= 0 else -self.low), self.low, self.high))

    def write(self, at: int, value: float, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """As the file has it, with this control."""
        first = int(model.actuator_ctrladr[at])
        data.ctrl[first : first + self.controls] = value
        model.actuator_forcelimited[at], model.actuator_forcerange[at] = self.limited, self.range


class _Servo:
    """What turns one joint on command: an actuator of the file that fits, or else the one that was added."""

    def __init__(self, model: mujoco.MjModel, joint: str, motors: list[_Motor]) -> None:
        dof = int(model.jnt_dofadr[model.joint(f"/{joint}").id])
        self.inertia = float(model.dof_M0[dof])
        self.own = {i: m for i, m in enumerate(motors) if m.joint == joint}
        self.by_kind = {m.kind: i for i, m in reversed(self.own.items()) if m.kind}
        self.most = max((m.most for m in self.own.values()), default=np.inf)

    def write(self, at: int, kind: str, value: float, span: Span, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Follow what was told; nothing: let the joint to itself and the file's own actuators."""
        limited = bool(np.isfinite(self.most))
        model.actuator_gainprm[at, 0], model.actuator_biasprm[at, :3] = 0.0, np.zeros(3)
        model.actuator_forcelimited[at] = limited
        model.actuator_forcerange[at] = (-self.most, self.most) if limited else _SILENT
        data.ctrl[model.actuator_ctrladr[at]] = 0.0
        if not kind:
            return
        place, factor = self.route(kind, at, span)
        for other in span.motors[list(self.own)]:
            if other != place:
                model.actuator_forcelimited[other], model.actuator_forcerange[other] = 1, _SILENT
        if place == at:
            model.actuator_gainprm[at, 0], model.actuator_biasprm[at, :3] = self._gains(kind)
        data.ctrl[model.actuator_ctrladr[place]] = value * factor

    def route(self, kind: str, at: int, span: Span) -> tuple[int, float]:
        """The actuator that does it, and what its control is per value told."""
        if kind not in self.by_kind:
            return at, 1.0
        i = self.by_kind[kind]
        motor = self.own[i]
        return int(span.motors[i]), 1.0 / (motor.gear * motor.gain) if kind == "efforts" else motor.gear

    def _gains(self, kind: str) -> tuple[float, np.ndarray]:
        """Gain on the control, and constant, position and velocity terms."""
        stiff, damp = self.inertia * _BANDWIDTH**2, 2 * self.inertia * _BANDWIDTH
        if kind == "positions":
            return stiff, np.array([0.0, -stiff, -damp])
        if kind == "velocities":
            return self.inertia * _GRIP, np.array([0.0, 0.0, -self.inertia * _GRIP])
        return 1.0, np.zeros(3)


def _kind(model: mujoco.MjModel, a: int) -> str:
    """What an actuator's control means for its joint; empty: something else, such as a muscle."""
    if model.actuator_gaintype[a] != int(mujoco.mjtGain.mjGAIN_FIXED) or model.actuator_gainprm[a, 0] == 0.0:
        return ""
    gain, (constant, position, velocity) = model.actuator_gainprm[a, 0], model.actuator_biasprm[a, :3]
    if model.actuator_biastype[a] == int(mujoco.mjtBias.mjBIAS_NONE):
        return "efforts" if model.actuator_dyntype[a] == int(mujoco.mjtDyn.mjDYN_NONE) else ""
    if constant != 0.0 or model.actuator_biastype[a] != int(mujoco.mjtBias.mjBIAS_AFFINE):
        return ""
    if np.isclose(position, -gain):
        return "velocities" if model.actuator_dyntype[a] == int(mujoco.mjtDyn.mjDYN_INTEGRATOR) else "positions"
    return "velocities" if position == 0.0 and np.isclose(velocity, -gain) else ""
