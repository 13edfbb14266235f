"""One robot in the engine: what it is made of, what it was told, and what it answers to."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.errors import CommandError, RobotError
from volery.physics.agility import path_of
from volery.physics.craft.flight import CraftFlight
from volery.physics.driving import Driver
from volery.physics.motion import Motion, WatchedMotion
from volery.physics.mujoco.actuation import Actuation
from volery.physics.mujoco.arms import Arm
from volery.physics.mujoco.righting import Righting
from volery.physics.mujoco.template import template_of
from volery.physics.multirotor.drones import Drones
from volery.robots.commands import Command, Flip, Joints, Motors, Wrench
from volery.robots.robot import Robot

__all__ = ["MujocoMember"]


class MujocoMember:
    """A robot with its template, motors and driver. Drones have their motors and autopilot elsewhere."""

    def __init__(self, robot: Robot, motion: Motion | None, now_ns: int) -> None:
        file = robot.file
        self.robot = robot
        self.flies = file is not None and file.multirotor is not None
        fixed = file is not None and file.fixed
        self.template = template_of(robot.description, fixed, _rotor_joints(robot))
        self.actuation = Actuation(robot.name, self.template, robot.description)
        drive = None if file is None else file.drive
        path = motion is not None and bool(motion.path)
        self.driver = None if drive is None else Driver(robot, drive, motion)
        self.drives = drive is not None
        """The driver turns the wheels; not once joints or motors were commanded one by one."""
        deadline = motion.deadline if isinstance(motion, WatchedMotion) else None
        block = None if file is None else file.craft
        self.craft = None if block is None else CraftFlight(robot, block, deadline)
        by_air = self.flies or self.craft is not None
        self.follower = path_of(robot, motion) if motion is not None and path and by_air else None
        self.started_ns = now_ns
        self.pushes: dict[int, np.ndarray] = {}
        """Wrenches of commands by body: force and torque about its origin, in W, [6]."""
        self.righting = Righting(self.template.model) if self.template.free and not by_air else None
        self._lift = np.zeros(6)
        """What puts it on its feet now, on the root."""
        self._rests = False
        """Its motors have stopped for want of power."""
        self.arm = None if file is None or file.delta is None else Arm(robot.name, file.delta)
        self.areas = np.zeros((0, 3)) if self.flies else _drag_areas(self)
        if path and self.driver is None and not by_air:
            raise RobotError(f"robot '{robot.name}' has neither rotors nor driven wheels to follow a path with")
        if deadline is not None and self.craft is None:
            raise RobotError(f"robot '{robot.name}' has no 'craft' block, so a deadline of its motion means nothing")
        if self.follower is not None:
            robot.set_pose(self.follower.at(0.0)[0], robot.q_WB_wxyz)
            if self.craft is not None:
                self.craft.place()
        self._hold_joints()

    @property
    def takes(self) -> tuple[type[Command], ...]:
        """Commands that this robot understands."""
        kinds: list[type[Command]] = list(Drones.takes) if self.flies else []
        if self.driver is not None:
            kinds += self.driver.takes
        if self.actuation.has_joints:
            kinds.append(Joints)
        if self.actuation.has_motors and not self.flies:
            kinds.append(Motors)
        if self.righting is not None:
            kinds.append(Flip)
        if self.arm is not None:
            kinds += self.arm.takes
        if self.craft is not None:
            kinds += self.craft.takes
        return (*kinds, Wrench)

    def check_takes(self, command: Command) -> None:
        """Refuse what this robot has no means for."""
        if not isinstance(command, self.takes):
            known = ", ".join(kind.__name__ for kind in self.takes)
            raise CommandError(
                f"robot '{self.robot.name}' takes {known}, not {type(command).__name__}; the last command stays"
            )

    def tell(self, command: Command) -> None:
        """Take a command of wheels, joints, motors, or a push; without power only what comes from outside."""
        if not self.robot.powered and not isinstance(command, (Wrench, Flip)):
            return
        if isinstance(command, Wrench):
            self._push(command)
        elif isinstance(command, Flip):
            assert self.righting is not None
            self.righting.begin(command)
        elif self.craft is not None and isinstance(command, self.craft.takes):
            self.craft.tell(command)
            self.follower = None
        elif self.arm is not None and isinstance(command, self.arm.takes):
            self.arm.tell(command)
            self.actuation.release(self.arm.joints)
            self._carry()
        elif isinstance(command, Joints):
            self.actuation.tell_joints(command)
            if self.arm is not None:
                self.arm.lets_go(command)
            if self.driver is not None and self._wheels(command):
                self._drive(False)
        elif isinstance(command, Motors):
            self.actuation.tell_motors(command)
            self._drive(False)
        elif self.driver is not None:
            self.driver.apply(command)
            self.drives = True

    def steer(self, dt: float) -> bool:
        """Have the driver turn the wheels for the next dt [s]; whether it did. Without power they are at rest."""
        tired, self._rests = not (self.robot.powered or self._rests), not self.robot.powered
        if tired:
            self._hold_joints()
            self._drive(False)
        if self._rests:
            return tired
        if self.driver is None or not self.drives:
            return False
        self.actuation.tell_joints(self.driver.joints(dt))
        return True

    def rights(self, dt: float) -> bool:
        """Go on with a flip for the next dt [s]; whether its push has changed."""
        if self.righting is None or not (self.righting.at_work or self._lift.any()):
            return False
        self._lift = self.righting.wrench(self.robot, dt) if self.righting.at_work else np.zeros(6)
        return True

    def all_pushes(self) -> list[tuple[int, np.ndarray]]:
        """Wrenches from outside by body, in order."""
        lift = [(0, self._lift)] if self._lift.any() else []
        return lift + sorted(self.pushes.items())

    def place(self) -> None:
        """The robot was put elsewhere: nothing goes on that would carry it back."""
        self.follower = None
        if self.craft is not None:
            self.craft.place()
        if self.righting is not None:
            self.righting.end()
        self.robot.joint_velocities = np.zeros_like(self.robot.joint_velocities)
        self._hold_joints()
        self._drive(self.driver is not None)

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "actuation": self.actuation.state(),
            "driver": None if self.driver is None else self.driver.state(),
            "drives": self.drives,
            "following": self.follower is not None,
            "started": self.started_ns,
            "pushes": dict(self.pushes),
            "righting": None if self.righting is None else self.righting.state(),
            "lift": self._lift.copy(),
            "arm": None if self.arm is None else self.arm.state(),
            "craft": None if self.craft is None else self.craft.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.actuation.restore(state["actuation"])
        if self.driver is not None:
            self.driver.restore(state["driver"])
        self.drives = state["drives"]
        self.follower = self.follower if state["following"] else None
        self.started_ns = state["started"]
        self.pushes = {int(b): np.array(w, float) for b, w in state["pushes"].items()}
        if self.righting is not None:
            self.righting.restore(state["righting"])
        self._lift = np.array(state["lift"], float)
        if self.arm is not None:
            self.arm.restore(state["arm"])
        if self.craft is not None:
            self.craft.restore(state["craft"])

    def _hold_joints(self) -> None:
        """Motors that hold a place hold the one of now."""
        self.actuation.hold(self.robot.joint_positions)
        if self.arm is not None:
            self.arm.hold([j.name for j in self.robot.description.joints], self.robot.joint_positions)
            self._carry()

    def _carry(self) -> None:
        """Tell a craft where its arm is to hold the tool."""
        if self.craft is None or self.arm is None:
            return
        prefix, description = self.arm.mount.prefix, self.robot.description
        now = self.robot.joint_positions[[description.joint(f"{prefix}_{axis}") for axis in "xyz"]]
        X = description.X_RS(f"{prefix}_plate")
        self.craft.carry(X[:, :3] @ self.arm.told(now) + X[:, 3])

    def _drive(self, on: bool) -> None:
        """Begin anew with standing still, or let go of the wheels."""
        if self.driver is not None:
            self.driver.release()
        self.drives = on

    def _push(self, command: Wrench) -> None:
        body = self.robot.description.body(command.body) if command.body else 0
        self.pushes.pop(body, None)
        wrench = np.concatenate([command.force_W, command.torque_W])
        if wrench.any():
            self.pushes[body] = wrench

    def _wheels(self, command: Joints) -> bool:
        assert self.driver is not None
        drive = self.driver.drive
        wheels = {*drive.left, *drive.right, *drive.steer_front, *drive.steer_rear}
        return not wheels.isdisjoint([*command.positions, *command.velocities, *command.efforts])


def _rotor_joints(robot: Robot) -> tuple[str, ...]:
    """Joints that only show a rotor's spin, or the angle of a vane."""
    description = robot.description
    if robot.file is not None and robot.file.craft is not None:
        return tuple(description.joints[j].name for j in sorted(robot.file.craft.shown(description)))
    if robot.file is None or robot.file.multirotor is None:
        return ()
    bodies = {description.body(r.body) for r in robot.file.multirotor.rotors if r.body}
    return tuple(j.name for j in description.joints if j.body in bodies)


def _drag_areas(member: MujocoMember) -> np.ndarray:
    """Per body, [b, 3] [m²]: of the boxes round its shapes; a robot file's `drag_area` is shared out among them."""
    areas, file = member.template.areas, member.robot.file
    if file is None or file.drag_area is None:
        return areas
    share = areas.sum(axis=1, keepdims=True) / max(areas.sum(), 1e-12)
    return np.repeat(share * file.drag_area, 3, axis=1)
