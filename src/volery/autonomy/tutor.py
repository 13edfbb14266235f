"""Shows how a lesson is done: flies from goal to goal, and presses with a delta arm that points ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat
from volery.errors import ScenarioError
from volery.physics.multirotor.parameters import body_of
from volery.robots.commands import Command, Pose, Press, Reach, Velocity
from volery.robots.tooltip import ToolTip
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.autonomy.lesson import Goal

__all__ = ["Tutor"]

_SPEED, _SLIDING, _GAIN = 0.5, 0.1, 1.2
"""Of the flight in the air, and along a surface [m/s]; it slows down by so much per metre that is left [1/s]."""
_BACK, _NEARER = 0.05, 0.02
"""How far the arm is drawn in before it presses, and how much nearer than its rest the robot comes [m]: the surface
pushes the robot back, and the arm must not be stretched out then."""
_THERE, _PUSHED = 0.08, 0.15
"""So near is there, in the air and against a surface [m]."""
_LEANING = 0.5
"""Time in which the robot comes to lean against the surface [s]."""
_STIFFNESS, _DAMPING = np.array([500.0, 500.0, 0.0]), np.array([6.0, 6.0, 25.0])
"""Of the arm while it presses along its z, by axis of its frame [N/m, N s/m]."""


class Tutor:
    """A controller of a simulation. Its reference runs along straight lines, and waits for the robot."""

    def __init__(self, simulation: Simulation, name: str, tip: ToolTip | None, goals: list[Goal]) -> None:
        self._name, self._goals = name, goals
        robot = simulation.robots[name]
        if Velocity not in simulation.engine_of(name).understands(name):
            raise ScenarioError(f"lesson: robot '{name}' does not fly by itself, so there is no tutor for it")
        self._block = None if robot.file is None else robot.file.delta
        if tip is not None and self._block is None:
            raise ScenarioError(f"lesson: robot '{name}' has no delta arm, so the tutor cannot press with it")
        self._tip, self._mass = tip, body_of(robot.description).mass
        self._carrot, self._lean = robot.p_WB.copy(), 0.0
        self._yaw = float(euler_from_quat(robot.q_WB_wxyz)[2])
        c, s = np.cos(self._yaw), np.sin(self._yaw)
        self._ahead = np.array([c, s, 0.0])
        self._offset = np.zeros(3) if tip is None else tip.p_WT - robot.p_WB
        self._goal, self._pressing, self._drawn_in, self._held_ns = 0, False, False, None

    def __call__(self, simulation: Simulation) -> None:
        """What it does in this step."""
        if self._goal >= len(self._goals) or self._name not in simulation.robots:
            return
        robot, goal = simulation.robots[self._name], self._goals[self._goal]
        if self._pressing != (goal.force is not None):
            self._draw_in(simulation)
        target = self._target(goal)
        v_W = self._run(target, robot.p_WB, simulation.clock.step_ns / SECOND)
        self._lean += (self._push(goal) - self._lean) * min(simulation.clock.step_ns / SECOND / _LEANING, 1.0)
        simulation.command(self._name, self._order(robot.p_WB, v_W))
        off = float(np.linalg.norm(robot.p_WB - target))
        there = not v_W.any() and off < (_PUSHED if self._pressing else _THERE)
        if there and goal.force is not None and not self._pressing:
            self._press(simulation, goal.force)
        self._move_on(simulation, there)

    def _push(self, goal: Goal) -> float:
        """What the surface gives back [N]: the robot leans against it."""
        touching = self._pressing and self._tip is not None and self._tip.touches()
        return goal.force if touching and goal.force is not None else 0.0

    def _order(self, p_WB: np.ndarray, v_W: np.ndarray) -> Command:
        """The command that follows the reference, which moves at v_W [m/s]."""
        if self._pressing:
            return Pose(self._carrot, self._yaw, v_W, self._lean / self._mass * self._ahead)
        # A place that jumps on at every step would be felt as a kick by the position loop.
        back = _GAIN * (self._carrot - p_WB)
        back *= min(1.0, _SPEED / max(float(np.linalg.norm(back)), 1e-9))
        return Velocity(v_W + back, yaw=self._yaw)

    def _run(self, target: np.ndarray, p_WB: np.ndarray, dt: float) -> np.ndarray:
        """Let the reference run on for dt [s]; its velocity [m/s], [3]. It waits for a robot that is far behind."""
        way = target - self._carrot
        left = float(np.linalg.norm(way))
        if left < 0.002 or np.linalg.norm(p_WB - self._carrot) > 0.5:
            self._carrot = target if left < 0.002 else self._carrot
            return np.zeros(3)
        v_W = way / left * min(_SLIDING if self._pressing else _SPEED, _GAIN * left)
        self._carrot = self._carrot + v_W * dt
        return v_W

    def _move_on(self, simulation: Simulation, there: bool) -> None:
        """To the next goal, when this one was held long enough with time to spare."""
        now, goal = simulation.clock.now_ns, self._goals[self._goal]
        if not there:
            self._held_ns = None
            return
        self._held_ns = now if self._held_ns is None else self._held_ns
        settle = 2.0 if goal.force is not None else 0.5
        if now - self._held_ns >= (goal.hold + settle) * SECOND:
            self._goal, self._held_ns = self._goal + 1, None

    def _target(self, goal: Goal) -> np.ndarray:
        """Where the robot's root is to be [m]."""
        if goal.force is None:
            return np.array(goal.at)
        return np.array(goal.at) - self._offset + _NEARER * self._ahead

    def _press(self, simulation: Simulation, force: float) -> None:
        home = self._home()
        simulation.command(self._name, Press(np.array([0.0, 0.0, force]), home, _STIFFNESS, _DAMPING))
        self._pressing, self._drawn_in = True, False

    def _draw_in(self, simulation: Simulation) -> None:
        if self._block is not None and not self._drawn_in:
            simulation.command(self._name, Reach(self._home() - [0.0, 0.0, _BACK]))
        self._pressing, self._drawn_in = False, True

    def _home(self) -> np.ndarray:
        assert self._block is not None
        return self._block.arm.place(np.full(3, self._block.arm.home))
