"""No forces: robots follow a path, a commanded velocity, or whatever pose they are given."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat, quat_from_euler
from volery.errors import CommandError, VoleryError
from volery.physics.engine import Engine
from volery.physics.motion import Follower
from volery.robots.commands import BodyVelocity, Bones, Command, Joints, Pose, Velocity, command_of
from volery.robots.robot import Robot
from volery.world.environment import Environment

__all__ = ["KinematicEngine"]


class KinematicEngine(Engine):
    """Robots without mass. A path is a function of time, so it does not drift."""

    takes: ClassVar = (Velocity, BodyVelocity, Pose, Joints, Bones)

    def __init__(self, environment: Environment, settings: Any = None) -> None:
        super().__init__(environment, settings)
        self._robots: dict[str, Robot] = {}
        self._followers: dict[str, Follower] = {}
        self._started: dict[str, int] = {}
        self._commands: dict[str, Command] = {}
        self._joint_speeds: dict[str, dict[str, float]] = {}
        self._held: dict[str, set[str]] = {}
        """Joints that were commanded, and so swing no more by themselves."""

    def add(self, robot: Robot, options: Any, now_ns: int) -> None:
        """Take a robot in; with a path it starts at the path's first corner."""
        self._robots[robot.name] = robot
        if options is not None and options.path:
            self._followers[robot.name] = Follower(options)
            self._started[robot.name] = now_ns
            self._carry(robot, *self._followers[robot.name].at(0.0), dt=0.0)

    def remove(self, name: str) -> None:
        """Let a robot go."""
        for table in (self._robots, self._followers, self._started, self._commands, self._joint_speeds, self._held):
            table.pop(name, None)

    def apply(self, name: str, command: Command) -> None:
        """A velocity or a pose ends following a path; joints move beside it."""
        self.check_takes(name, command)
        robot = self._robots[name]
        if isinstance(command, Joints):
            self._apply_joints(robot, command)
            return
        if isinstance(command, Bones):
            _turn_bones(robot, command)
            return
        self._followers.pop(name, None)
        self._commands.pop(name, None)
        if isinstance(command, Pose):
            yaw = euler_from_quat(robot.q_WB_wxyz)[2] if command.yaw is None else command.yaw
            robot.set_pose(command.p_WB, quat_from_euler(np.array([0.0, 0.0, yaw])))
            robot.set_twist(command.v_W, np.zeros(3))
        else:
            self._commands[name] = command

    def place(self, name: str) -> None:
        """Nothing is kept here beside the robot itself, but a path would carry it back: it ends."""
        self._followers.pop(name, None)

    def advance(self, now_ns: int, step_ns: int) -> None:
        """Move all robots from now to now + step."""
        dt = step_ns / SECOND
        for name, robot in self._robots.items():
            if name in self._followers:
                seconds = (now_ns + step_ns - self._started[name]) / SECOND
                self._carry(robot, *self._followers[name].at(seconds), dt=dt)
            elif name in self._commands:
                self._drift(robot, self._commands[name], dt)
            self._swing(robot, (now_ns + step_ns) / SECOND)
            for joint, speed in self._joint_speeds.get(name, {}).items():
                self._turn(robot, joint, speed * dt)

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "started": dict(self._started),
            "following": sorted(self._followers),
            "commands": {n: c.state() for n, c in self._commands.items()},
            "joint_speeds": {n: dict(s) for n, s in self._joint_speeds.items()},
            "held": {n: sorted(s) for n, s in self._held.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self._started = dict(state["started"])
        self._followers = {n: f for n, f in self._followers.items() if n in state["following"]}
        self._commands = {n: command_of(*c) for n, c in state["commands"].items()}
        self._joint_speeds = {n: dict(s) for n, s in state["joint_speeds"].items()}
        self._held = {n: set(s) for n, s in state["held"].items()}

    def _apply_joints(self, robot: Robot, command: Joints) -> None:
        if command.efforts:
            raise CommandError(
                f"robot '{robot.name}' has no mass: its joints take positions and velocities, not efforts"
            )
        for joint in command.velocities:
            robot.description.joint(joint)
        before = robot.joint_positions.copy()
        try:
            for joint, position in command.positions.items():
                robot.set_joint(joint, position)
        except VoleryError:
            robot.joint_positions = before
            raise
        speeds = self._joint_speeds.setdefault(robot.name, {})
        for joint in command.positions:
            speeds.pop(joint, None)
        speeds.update(command.velocities)
        self._held.setdefault(robot.name, set()).update(command.positions, command.velocities)

    def _swing(self, robot: Robot, seconds: float) -> None:
        """Joints that move by themselves, as a function of the run's time."""
        held = self._held.get(robot.name, ())
        for swing in robot.file.animation if robot.file is not None else ():
            if swing.joint not in held:
                i = robot.description.joint(swing.joint)
                robot.joint_positions[i], robot.joint_velocities[i] = swing.at(seconds)

    @staticmethod
    def _turn(robot: Robot, joint: str, by: float) -> None:
        j = robot.description.joints[robot.description.joint(joint)]
        now = robot.joint_positions[robot.description.joint(joint)]
        robot.set_joint(joint, float(np.clip(now + by, j.low, j.high)))

    @staticmethod
    def _carry(robot: Robot, p: np.ndarray, v: np.ndarray, dt: float) -> None:
        before = euler_from_quat(robot.q_WB_wxyz)[2]
        yaw = np.arctan2(v[1], v[0]) if np.hypot(v[0], v[1]) > 1e-9 else before
        robot.set_pose(p, quat_from_euler(np.array([0.0, 0.0, yaw])))
        # At a corner the nose swings round within a step.
        turn = (yaw - before + np.pi) % (2 * np.pi) - np.pi
        robot.set_twist(v, np.array([0.0, 0.0, turn / dt if dt > 0 else 0.0]))

    @staticmethod
    def _drift(robot: Robot, command: Any, dt: float) -> None:
        roll, pitch, yaw = euler_from_quat(robot.q_WB_wxyz)
        v_W = command.v_W if isinstance(command, Velocity) else _turned(command.v_B, yaw)
        kept = command.yaw if isinstance(command, Velocity) else None
        ahead = yaw + command.yaw_rate * dt if kept is None else kept
        robot.set_pose(robot.p_WB + v_W * dt, quat_from_euler(np.array([roll, pitch, ahead])))
        robot.set_twist(v_W, np.array([0.0, 0.0, command.yaw_rate]))


def _turn_bones(robot: Robot, command: Bones) -> None:
    """By name, or by number where no bone has the name."""
    names, found = robot.description.bodies, {}
    for bone in dict.fromkeys([*command.rotations, *command.shifts]):
        found[bone] = robot.description.body(int(bone) if bone.isdecimal() and bone not in names else bone)
    for bone, number in found.items():
        rotation, shift = command.rotations.get(bone, [1.0, 0.0, 0.0, 0.0]), command.shifts.get(bone, [0.0, 0.0, 0.0])
        robot.set_bone(number, rotation, shift)


def _turned(v_B: np.ndarray, yaw: float) -> np.ndarray:
    """A vector in axes that turn with the heading, in W."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([c * v_B[0] - s * v_B[1], s * v_B[0] + c * v_B[1], v_B[2]])
