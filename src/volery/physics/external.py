"""Physics that runs elsewhere: another process moves the robot, or pushes it; we tell it where the robot is."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import mujoco
import numpy as np

from volery.core.clock import SECOND
from volery.core.config import Checked, param
from volery.core.frames import quat_from_vector, quat_multiply, quat_normalise
from volery.errors import CommandError, RobotError, SimulationError, VoleryError
from volery.physics.engine import Engine
from volery.physics.packets import MotionPacket, Packet, StatePacket, WrenchPacket
from volery.robots.commands import Command
from volery.robots.description import load_spec
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["ExternalEngine", "ExternalSettings", "Link"]

_log = logging.getLogger("volery")
_AGAIN = 0.1
"""How long an answer is waited for before the state is told once more [s]."""


class Link(ABC):
    """The way to the other side. Its methods are called by the loop and do not wait, but for `wait`."""

    @abstractmethod
    def send(self, packet: StatePacket) -> None:
        """Tell the other side where a robot is."""

    @abstractmethod
    def newest(self, robot: str) -> Packet | None:
        """The newest motion or wrench that came for a robot, new or not."""

    def close(self) -> None:  # noqa: B027
        """End the connection."""

    @abstractmethod
    def wait(self, robot: str, step: int, timeout: float) -> Packet | None:
        """The answer to a step; waits for it, at most so long [s]. None: it did not come."""


@dataclass(frozen=True)
class ExternalSettings(Checked):
    """How the loop and the other side go together."""

    exchange: Literal["free", "lockstep"] = "free"
    """free: the newest data counts and the loop never waits; lockstep: every step waits for its answer."""
    link: Literal["bus", "udp"] = "bus"
    """How the other side is reached."""
    timeout: float = param(1.0, above=0, high=3600.0)
    """The other side counts as gone when it is silent for so long: wall time in lockstep, simulated time else [s]."""
    gone: Literal["hold", "coast", "stop"] = "hold"
    """What then: the robot stays where it is, goes on at its last velocity, or the run ends with an error."""
    port: int = param(9870, low=0, high=65_535)
    """Of UDP, on loopback; 0: any that is free."""
    step: float = param(0.001, above=0, high=0.1)
    """Longest step when a robot is pushed by wrenches [s]."""


class _PushedBody:
    """A robot that is pushed by wrenches: its own small rigid-body model, without contact."""

    def __init__(self, robot: Robot) -> None:
        spec = load_spec(robot.description.path)
        root = spec.worldbody.first_body()
        if not any(j.type == mujoco.mjtJoint.mjJNT_FREE for j in root.joints):
            root.add_freejoint()
        for actuator in list(spec.actuators):
            spec.delete(actuator)
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        spec.option.gravity = [0.0, 0.0, -9.80665]
        try:
            self.model = spec.compile()
        except (ValueError, mujoco.FatalError) as error:
            raise RobotError(f"{robot.description.path}: {str(error).strip()}") from None
        self.data = mujoco.MjData(self.model)

    def advance(self, robot: Robot, wrench: np.ndarray, dt: float, longest: float) -> None:
        """Move the robot on by dt [s] under a wrench [6] at its origin, in W."""
        m, d = self.model, self.data
        d.qpos[:3], d.qpos[3:7] = robot.p_WB, robot.q_WB_wxyz
        d.qvel[:3] = robot.v_WB_W
        mujoco.mju_rotVecQuat(d.qvel[3:6], robot.w_WB_W, robot.q_WB_wxyz * [1, -1, -1, -1])
        count = int(np.ceil(dt / longest - 1e-9))
        m.opt.timestep = dt / count
        for _ in range(count):
            mujoco.mj_kinematics(m, d)
            mujoco.mj_comPos(m, d)
            d.qfrc_applied[:] = 0.0
            mujoco.mj_applyFT(m, d, wrench[:3], wrench[3:], d.xpos[1], 1, d.qfrc_applied)
            mujoco.mj_step(m, d)
        w_W = np.empty(3)
        mujoco.mju_rotVecQuat(w_W, d.qvel[3:6], quat_normalise(d.qpos[3:7]))
        robot.set_pose(d.qpos[:3], d.qpos[3:7])
        robot.set_twist(d.qvel[:3], w_W)


class ExternalEngine(Engine):
    """Robots that another process moves (motion packets) or pushes (wrench packets); see `volery.physics.packets`."""

    Settings: ClassVar[type] = ExternalSettings
    changeable: ClassVar = ("exchange", "timeout", "gone", "step")
    settings: ExternalSettings
    link: Link | None
    """Without one, robots do as if the other side were gone."""

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self._robots: dict[str, Robot] = {}
        self._pushed: dict[str, _PushedBody] = {}
        self._step = 0
        self._heard: dict[str, tuple[int, int]] = {}
        """Per robot: step number of the newest answer, and when it came [ns]."""
        self._wrenches: dict[str, np.ndarray] = {}
        self._silent: set[str] = set()
        self._refused: set[str] = set()
        self._last_said: dict[str, int] = {}
        """Of those that are gone: the step of the last thing heard, late or not."""

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; it stays until the other side says something."""
        if options is not None and options.path:
            raise RobotError(f"robot '{robot.name}': its motion comes from outside; take `motion` away")
        self._robots[robot.name] = robot
        self._heard[robot.name] = (-1, now_ns)

    def remove(self, name: str) -> None:
        """Let a robot go."""
        for table in (self._robots, self._pushed, self._heard, self._wrenches, self._last_said):
            table.pop(name, None)
        self._silent.discard(name)

    def apply(self, name: str, command: Command) -> None:
        """Commands are for the other side to give."""
        raise CommandError(f"robot '{name}' is moved by another process: command that one")

    def place(self, name: str) -> None:
        """The other side hears of it with the next state."""

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Tell where all robots are, then do what the other side says."""
        self._step += 1
        for robot in self._robots.values():
            self._tell(robot, now_ns)
        for name, robot in self._robots.items():
            answer = self._answer(name, now_ns)
            try:
                self._follow(robot, answer, step_ns / SECOND)
            except VoleryError as error:
                if str(error) not in self._refused and len(self._refused) < 1000:
                    self._refused.add(str(error))
                    _log.warning("refused: %s", error)

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "step": self._step,
            "heard": {n: list(h) for n, h in self._heard.items()},
            "wrenches": {n: w.copy() for n, w in self._wrenches.items()},
            "silent": sorted(self._silent),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self._step = state["step"]
        self._heard = {n: (h[0], h[1]) for n, h in state["heard"].items()}
        self._wrenches = {n: w.copy() for n, w in state["wrenches"].items()}
        self._silent, self._last_said = set(state["silent"]), {}

    def _tell(self, robot: Robot, now_ns: int) -> None:
        if self.link is None:
            return
        wind = self.environment.wind.velocity(robot.p_WB[None], now_ns)[0]
        pose = (robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W)
        self.link.send(StatePacket(robot.name, self._step, now_ns, *pose, wind, robot.joint_positions))

    def _answer(self, name: str, now_ns: int) -> Packet | None:
        """What the other side says for this step; None: nothing new, or it is gone."""
        if self.link is None:
            return None
        if self.settings.exchange == "lockstep":
            patience = self.settings.timeout if self._speaks(name) else 0.0
            answer = self._wait(name, now_ns, patience)
            self._note(name, answer is not None)
            if answer is not None:
                self._heard[name] = (answer.step, now_ns)
            return answer
        answer = self.link.newest(name)
        step, came = self._heard[name]
        if answer is not None and answer.step != step:
            self._note(name, True)
            self._heard[name] = (answer.step, now_ns)
            return answer
        if now_ns - came > self.settings.timeout * SECOND:
            self._note(name, False)
        return None

    def _speaks(self, name: str) -> bool:
        """Whether an answer is worth waiting for: one that is gone is not waited for again until it says something,
        an answer to a step that is over included."""
        assert self.link is not None, "without a link nobody speaks"
        if name not in self._silent:
            return True
        said = self.link.newest(name)
        if said is None or said.step <= self._last_said.get(name, self._heard[name][0]):
            return False
        self._last_said[name] = said.step
        return True

    def _wait(self, name: str, now_ns: int, patience: float) -> Packet | None:
        """The answer to this step; the state is told again and again, since the other side may have come late."""
        link, left = self.link, patience
        assert link is not None, "without a link nothing is waited for"
        while (answer := link.wait(name, self._step, min(left, _AGAIN))) is None and left > 0.0:
            left -= _AGAIN
            self._tell(self._robots[name], now_ns)
        return answer

    def _note(self, name: str, there: bool) -> None:
        if there:
            if name in self._silent:
                _log.warning(
                    "robot '%s': the other side is back; %d steps went unanswered", name, self._unanswered(name)
                )
            self._silent.discard(name)
            self._last_said.pop(name, None)
        elif name not in self._silent:
            self._silent.add(name)
            text = f"robot '{name}': nothing came from outside for {self.settings.timeout:g} s"
            if self._heard[name][0] >= 0:
                text += f", {self._unanswered(name)} steps went unanswered so far"
            if self.settings.gone == "stop":
                raise SimulationError(f"{text}; the run ends, as `gone: stop` says")
            _log.warning("%s: %s", text, {"hold": "it stays where it is", "coast": "it goes on"}[self.settings.gone])

    def _unanswered(self, name: str) -> int:
        """Steps that nothing was heard of since the last answer."""
        return max(self._step - max(self._heard[name][0], 0) - 1, 0)

    def _follow(self, robot: Robot, answer: Packet | None, dt: float) -> None:
        if isinstance(answer, MotionPacket):
            self._wrenches.pop(robot.name, None)
            robot.set_pose(answer.p_WB, answer.q_WB_wxyz)
            robot.set_twist(answer.v_WB_W, answer.w_WB_W)
            if len(answer.joints):
                robot.set_joints(answer.joints)
            if len(answer.bones):
                robot.set_bones(answer.bones)
            return
        if isinstance(answer, WrenchPacket):
            self._wrenches[robot.name] = np.concatenate([answer.force_W, answer.torque_W])
        if robot.name in self._silent:
            self._without(robot, dt)
        elif robot.name in self._wrenches:
            pushed = self._pushed.get(robot.name) or self._pushed.setdefault(robot.name, _PushedBody(robot))
            pushed.advance(robot, self._wrenches[robot.name], dt, self.settings.step)

    def _without(self, robot: Robot, dt: float) -> None:
        """The other side is gone."""
        if self.settings.gone == "hold":
            robot.set_twist(np.zeros(3), np.zeros(3))
            return
        turn = quat_from_vector(robot.w_WB_W * dt)
        robot.set_pose(robot.p_WB + robot.v_WB_W * dt, quat_multiply(turn, robot.q_WB_wxyz))
