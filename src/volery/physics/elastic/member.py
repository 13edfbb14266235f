"""One robot of the engine: the aircraft, what flies it, and what it was told; state both ways."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import mujoco
import numpy as np

from volery.core.config import Checked, param
from volery.core.frames import matrix_from_quat, quat_from_euler, quat_from_matrix, quat_multiply, rigid_inverse
from volery.errors import CommandError, RobotError, SimulationError
from volery.physics.elastic.autopilot import Autopilot, AutopilotSetpoint, Seen
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.guidance import circling, goal_of, on_path
from volery.physics.elastic.statics import trim
from volery.physics.motion import Follower, Motion
from volery.robots.commands import BodyVelocity, Command, Cruise, Joints, Motors, Release, Wrench
from volery.robots.kinematics import compose
from volery.robots.robot import Robot

__all__ = ["Course", "ElasticMember"]

_SERVO = math.radians(60.0)
"""How fast controls turn [rad/s]."""


@dataclass(frozen=True)
class Course(Checked):
    """A robot's `motion`: how it starts, and a path to fly."""

    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Corners in W [m]; none: straight on."""
    loop: bool = True
    """Close the path and go round; else circle round its end."""
    airspeed: float | None = param(None, above=0.0, high=300.0)
    """[m/s]; none: cruise, which depends on the height."""
    flying: bool = True
    """Starts in steady level flight; else at rest."""


class ElasticMember:
    """A robot with its aircraft and autopilot."""

    def __init__(self, robot: Robot, course: Course | None, step: float, *, touch: bool, wakes: bool) -> None:
        if robot.file is None or robot.file.aircraft is None:
            raise RobotError(f"robot '{robot.name}': the engine 'elastic' moves robots with an `aircraft` block only")
        self.robot, self.aircraft = robot, robot.file.aircraft
        self.fixed = robot.file.fixed
        self.craft = ElasticAircraft(self.aircraft, step, fixed=self.fixed, touch=touch, wakes=wakes)
        self.pilot = Autopilot(self.aircraft)
        self.course = course or Course()
        self.follower = Follower(Motion(self.course.path, loop=self.course.loop)) if self.course.path else None
        self.along = 0.0
        """How far along the path [m]."""
        self.centre: np.ndarray | None = None
        """What is circled round [m]."""
        self.manual = self.fixed
        """Controls and propellers stand as they were told one by one."""
        self.pushes: dict[str, np.ndarray] = {}
        """Wrenches by body: force and torque about its origin in W, [6]."""
        self.wanted = np.zeros_like(self.craft.flaps)
        """Angles that the controls go to [c] [rad]."""
        turning = [s.name for s in self.aircraft.surfaces if s.range_deg > 0]
        self._turning = (
            np.array([robot.description.joint(n) for n in turning], np.int64),
            np.array([self.aircraft.control(n) for n in turning], np.int64),
        )
        self._electric = np.array([p.power / p.electric for p in self.aircraft.propellers], float)
        self._springs: tuple[tuple[str, ...], np.ndarray] = ((), np.zeros(0, np.int64))

    # Beginning

    def begin(self, rho: float, wind_W: np.ndarray) -> None:
        """Take over the robot's pose; one that is at rest starts in steady flight, unless its course says otherwise."""
        self.put()
        if self.fixed or not self.course.flying or self.robot.v_WB_W.any():
            return
        heading = self._heading()
        speed = self.course.airspeed or self.pilot.cruise(rho)
        lone = ElasticAircraft(self.aircraft, 0.0, wakes=self.craft.wakes)
        lone.set_air(0.0, rho)
        try:
            found = trim(lone, speed, tuple(self.aircraft.pilot.pitch))
        except SimulationError as error:
            raise RobotError(f"robot '{self.robot.name}': {error}; or give `motion: {{flying: false}}`") from None
        self.pilot.trimmed, self.pilot.pitch, self.pilot.throttle = found.flaps, found.pitch, found.throttle
        self.pilot.goal = AutopilotSetpoint(
            altitude=float(self.robot.p_WB[2]), airspeed=self.course.airspeed, heading=heading
        )
        self.craft.flaps[:] = self.wanted[:] = found.flaps
        self.craft.throttle[:] = self.craft.power_share[:] = found.throttle
        self.craft.take_air(lone)
        self.craft.qpos[self.craft.frame.spring_q] = found.qpos
        turn = np.array([0.0, -found.pitch, 0.0])
        level = quat_from_euler(np.array([0.0, 0.0, heading]))
        self.robot.set_pose(self.robot.p_WB, quat_multiply(level, quat_from_euler(turn)))
        ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
        self.robot.set_twist(speed * ahead + wind_W, np.zeros(3))
        self.put(shape=False)
        self.take()

    def _heading(self) -> float:
        """Along the path, or as the robot stands [rad]."""
        if self.follower is not None and len(self.course.path) > 1:
            way = np.subtract(self.course.path[1], self.course.path[0])
            self.robot.set_pose(np.array(self.course.path[0]), self.robot.q_WB_wxyz)
            return math.atan2(way[1], way[0])
        ahead = matrix_from_quat(self.robot.q_WB_wxyz)[:, 0]
        return math.atan2(ahead[1], ahead[0])

    # Commands

    def tell(self, command: Command) -> None:
        """Take a command, or refuse it whole."""
        if isinstance(command, Release):
            self.craft.release(command.body)
        elif isinstance(command, Wrench):
            body = self.robot.description.bodies[self.robot.description.body(command.body) if command.body else 0]
            self.pushes[body] = np.concatenate([command.force_W, command.torque_W])
        elif isinstance(command, Motors):
            self._tell_motors(command)
        elif isinstance(command, Joints):
            self._tell_controls(command)
        elif self.fixed:
            raise CommandError(f"robot '{self.robot.name}' is clamped: it takes Joints, Motors, Release and Wrench")
        else:
            self._tell_pilot(command)

    def _tell_motors(self, command: Motors) -> None:
        names = [p.name for p in self.aircraft.propellers]
        if len(command.values) != len(names) or (command.values < 0.0).any():
            known = f"{len(names)} motors ({', '.join(names)}), 0 to 1"
            raise CommandError(f"robot '{self.robot.name}' has {known}; the last command stays")
        self.craft.throttle[:] = command.values
        self.manual = True

    def _tell_controls(self, command: Joints) -> None:
        """Flaps and surfaces by name; springs obey nobody."""
        if command.velocities or command.efforts:
            raise CommandError(f"robot '{self.robot.name}': controls take positions only; the last command stays")
        told = self.wanted.copy()
        for name, value in command.positions.items():
            i = self.aircraft.control(name)
            most = self.aircraft.ranges[i]
            if abs(value) > most + 1e-9:
                raise CommandError(f"robot '{self.robot.name}': '{name}' at {value:g} is outside ±{most:g} rad")
            told[i] = value
        self.wanted, self.manual = told, True

    def _tell_pilot(self, command: Command) -> None:
        goal: Any = goal_of(command, self.seen(np.zeros(3), 1.0), self.pilot.goal)
        self.follower = self.follower if isinstance(command, Cruise) and command.heading is None else None
        self.manual, self.centre = False, None
        rho = float(self.craft.air.rho[0])
        if isinstance(command, BodyVelocity) and goal.airspeed and rho and goal.airspeed < self.pilot.slowest(rho):
            # Keys and sticks are made for drones: a speed that would not fly means "go on".
            goal.airspeed = None
        if isinstance(goal, np.ndarray):
            self.centre = goal
        else:
            self.pilot.goal = goal

    # The step

    def seen(self, wind_W: np.ndarray, rho: float) -> Seen:
        """What the autopilot knows."""
        robot = self.robot
        return Seen(robot.p_WB, robot.v_WB_W, robot.q_WB_wxyz, robot.w_WB_W, wind_W, rho)

    def steer(self, dt: float) -> None:
        """Move controls and throttle for the next dt [s]."""
        if not self.manual:
            air = self.craft.air
            seen = self.seen(air.wind.mean(axis=0), float(air.rho[0]))
            tightest = self.pilot.tightest(seen.airspeed)
            airspeed = self.course.airspeed if self.follower or self.centre is not None else None
            if self.follower is not None:
                curl = self.pilot.goal.curl
                self.pilot.goal, self.along = on_path(self.follower, self.along, seen, airspeed, tightest)
                self.pilot.goal.curl = curl
            elif self.centre is not None:
                self.pilot.goal = circling(self.centre, seen, airspeed, tightest)
            self.wanted, throttle = self.pilot.steer(seen, dt)
            self.craft.throttle[:] = throttle
        most = _SERVO * dt
        self.craft.flaps += np.clip(self.wanted - self.craft.flaps, -most, most)

    def push(self) -> None:
        """Wrenches of commands into the frame."""
        frame = self.craft.frame
        frame.pushes[:] = 0.0
        for name, wrench in self.pushes.items():
            b = frame.body[name]
            arm = frame.data.xpos[b] - frame.data.xipos[b]
            frame.pushes[b, :3] += wrench[:3]
            frame.pushes[b, 3:] += wrench[3:] + np.cross(arm, wrench[:3])

    # State both ways

    def put(self, shape: bool = True) -> None:
        """Pose, twist and, with `shape`, joints of the robot into the frame."""
        craft, robot = self.craft, self.robot
        frame = craft.frame
        if self.fixed:
            frame.model.body_pos[1], frame.model.body_quat[1] = robot.p_WB, robot.q_WB_wxyz
        else:
            craft.qpos[:3], craft.qpos[3:7] = robot.p_WB, robot.q_WB_wxyz
            craft.qvel[:3] = robot.v_WB_W
            craft.qvel[3:6] = robot.w_WB_W @ matrix_from_quat(robot.q_WB_wxyz)
        if shape:
            numbers = self._numbers()
            craft.qpos[frame.spring_q] = robot.joint_positions[numbers]
            craft.qvel[frame.spring_v] = robot.joint_velocities[numbers]

    def _numbers(self) -> np.ndarray:
        """Numbers of the frame's springs among the robot's joints; they change when a part comes off."""
        names = self.craft.frame.springs
        if names is not self._springs[0]:
            self._springs = names, np.array([self.robot.description.joint(n) for n in names], np.int64)
        return self._springs[1]

    def take(self) -> None:
        """The frame's state into the robot; fresh arrays, since others may still hold the last ones."""
        craft, robot = self.craft, self.robot
        frame = craft.frame
        if not self.fixed:
            q = craft.qpos[3:7] / np.linalg.norm(craft.qpos[3:7])
            robot.p_WB, robot.q_WB_wxyz = craft.qpos[:3].copy(), (q if q[0] >= 0 else -q) + 0.0
            robot.v_WB_W = craft.qvel[:3].copy()
            robot.w_WB_W = matrix_from_quat(q) @ craft.qvel[3:6]
        positions, speeds, efforts = (np.zeros(len(robot.description.joints)) for _ in range(3))
        numbers = self._numbers()
        positions[numbers], speeds[numbers] = craft.qpos[frame.spring_q], craft.qvel[frame.spring_v]
        efforts[numbers] = craft.spring_moments()
        positions[self._turning[0]] = craft.flaps[self._turning[1]]
        robot.joint_positions, robot.joint_velocities, robot.joint_efforts = positions, speeds, efforts
        robot.power = float(craft.power_share @ self._electric)
        if craft.released:
            self._show_released()

    def _show_released(self) -> None:
        """A bone that has come off is shown by its own pose on top of where it would be."""
        robot, frame = self.robot, self.craft.frame
        mujoco.mj_kinematics(frame.model, frame.data)
        d = robot.description
        robot.update()
        for name in self.craft.released:
            b = d.body(name)
            k = frame.body[name]
            X_WB = np.column_stack([frame.data.xmat[k].reshape(3, 3), frame.data.xpos[k]])
            X_WP, X_bone = np.empty((3, 4)), np.empty((3, 4))
            compose(robot.X_WB[int(d.parent[b])], d.X_PB[b], X_WP)
            compose(rigid_inverse(X_WP), X_WB, X_bone)
            # Through the quaternion, so that rounding cannot shear it.
            robot.set_bone(b, quat_from_matrix(X_bone[:, :3]), X_bone[:, 3])
            robot.update()

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "craft": self.craft.state(), "pilot": self.pilot.state(), "goal": asdict(self.pilot.goal),
            "following": self.follower is not None, "along": self.along,
            "centre": None if self.centre is None else self.centre.copy(), "manual": self.manual,
            "pushes": {n: w.copy() for n, w in self.pushes.items()}, "wanted": self.wanted.copy(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.craft.restore(state["craft"])
        self.pilot.restore(state["pilot"])
        goal = dict(state["goal"])
        for name in ("attitude", "sticks"):
            goal[name] = None if goal[name] is None else tuple(goal[name])
        self.pilot.goal = AutopilotSetpoint(**goal)
        self.follower = self.follower if state["following"] else None
        self.along, self.manual = state["along"], state["manual"]
        self.centre = None if state["centre"] is None else np.array(state["centre"], float)
        self.pushes = {n: np.array(w, float) for n, w in state["pushes"].items()}
        self.wanted = np.array(state["wanted"], float)
