"""Shows how a lesson is done: flies from goal to goal, docks where a force is wanted, and slides along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat
from volery.errors import ScenarioError
from volery.robots.commands import Command, Dock, Pose
from volery.robots.robot import Robot
from volery.robots.tooltip import ToolTip
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.autonomy.lesson import LessonGoal

__all__ = ["Tutor"]

_SPEED, _SLIDING, _TOUCHING, _GAIN = 0.5, 0.06, 0.1, 1.2
"""Of the flight in the air, along a surface, and of the touch [m/s]; in the air it slows down by so much per metre that
is left [1/s]."""
_BEFORE, _BEHIND = 0.15, 0.4
"""The tip stops so far before a surface and is then brought to so far behind it [m]."""
_THERE, _CALM = 0.05, 0.05
"""So near, and so slow, is there [m, m/s]."""
_FAR = 0.5
"""The reference waits for a robot that is so far behind [m]."""


class Tutor:
    """A controller of a simulation. Its reference runs along straight lines, and waits for the robot."""

    def __init__(
        self, simulation: Simulation, name: str, tip: ToolTip | None, goals: list[LessonGoal], turn: Callable[[], int]
    ) -> None:
        """tip: of the robot's tool, where goals want a force; turn: number of the goal that is in turn."""
        known = simulation.engine_of(name).understands(name)
        if Pose not in known:
            raise ScenarioError(f"lesson: robot '{name}' does not fly by itself, so there is no tutor for it")
        if tip is not None and Dock not in known:
            raise ScenarioError(
                f"lesson: robot '{name}' does not dock, so the tutor cannot press with it; take a craft with a tool, "
                "such as deltaquad"
            )
        robot = simulation.robots[name]
        self._name, self._goals, self._turn = name, goals, turn
        self._yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
        self._ahead = np.array([np.cos(self._yaw), np.sin(self._yaw), 0.0])
        self._offset = np.zeros(3) if tip is None else tip.p_WT - robot.p_WB
        self._carrot = robot.p_WB.copy()
        self._docked = False
        """The reference is the tip's, on a surface; else the robot's, in the air."""

    def __call__(self, simulation: Simulation) -> None:
        """What it does in this step."""
        if self._turn() >= len(self._goals) or self._name not in simulation.robots:
            return
        robot, dt = simulation.robots[self._name], simulation.clock.step_ns / SECOND
        goal = self._goals[self._turn()]
        if goal.force is None:
            simulation.command(self._name, self._fly(robot, np.array(goal.at), dt))
        else:
            simulation.command(self._name, self._touch(robot, goal, dt))

    def _fly(self, robot: Robot, target: np.ndarray, dt: float) -> Command:
        """On to where the robot is to be [m]."""
        if self._docked:
            self._docked, self._carrot = False, robot.p_WB.copy()
        v_W = self._run(target, robot.p_WB, _SPEED, dt)
        return Pose(self._carrot, self._yaw, v_W)

    def _touch(self, robot: Robot, goal: LessonGoal, dt: float) -> Command:
        """Before the surface first, then against it, and along it."""
        at = np.array(goal.at)
        if not self._docked:
            before = at - self._offset - _BEFORE * self._ahead
            calm = np.linalg.norm(robot.v_WB_W) < _CALM
            if not calm or np.linalg.norm(robot.p_WB - before) > _THERE:
                return self._fly(robot, before, dt)
            self._docked, self._carrot = True, at
        self._run(at, self._carrot, _SLIDING, dt)
        return Dock(self._carrot + _BEHIND * self._ahead, self._ahead, float(goal.force or 0.0), _TOUCHING, self._yaw)

    def _run(self, target: np.ndarray, p_W: np.ndarray, speed: float, dt: float) -> np.ndarray:
        """Let the reference run on for dt [s]; its velocity [m/s], [3]."""
        way = target - self._carrot
        left = float(np.linalg.norm(way))
        if left < 0.002 or np.linalg.norm(p_W - self._carrot) > _FAR:
            self._carrot = target if left < 0.002 else self._carrot
            return np.zeros(3)
        v_W = way / left * min(speed, _GAIN * left)
        self._carrot = self._carrot + v_W * dt
        return v_W
