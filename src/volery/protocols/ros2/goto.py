"""Go to a place, as an action: /uav1/goto takes Nav2's NavigateToPose."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from volery.bus.actions import ABORTED, CANCELED, SUCCEEDED, ActionServer, Goal
from volery.bus.bus import Bus
from volery.bus.ros2 import MAP, FrameNames
from volery.core.clock import SECOND
from volery.core.frames import euler_from_quat, matrix_from_quat
from volery.errors import VoleryError
from volery.events import Commanded
from volery.robots.commands import Pose
from volery.robots.robot import Robot
from volery.sim import Simulation

__all__ = ["Goto"]

_TYPE = "nav2_msgs/action/NavigateToPose"
_NEAR, _SLOW, _TURNED = 0.25, 0.2, 0.15
"""There is within so much, at such a speed and heading [m, m/s, rad]."""
_TOLD_NS = SECOND // 10
"""Between two words of feedback."""
_NONE, _FAILED = 0, 1


class Goto:
    """The action of one robot: one goal at a time, a newer one or any other command ends it."""

    def __init__(self, simulation: Simulation, bus: Bus, robot: str, names: FrameNames) -> None:
        self._simulation, self._robot, self._names = simulation, robot, names
        self._goal: Goal | None = None
        self._command: Pose | None = None
        self._told_ns = 0
        self._server = ActionServer(
            bus, f"/{robot}/goto", _TYPE, self._begin, self._cancel, lambda: simulation.clock.now_ns
        )

    def close(self) -> None:
        """Answer no more."""
        self._server.close()

    def __call__(self, simulation: Simulation) -> None:
        """Look after the goal, after a step."""
        goal, command = self._goal, self._command
        if goal is None or command is None:
            return
        robot = simulation.robots.get(self._robot)
        others = [e for e in simulation.events if isinstance(e, Commanded) and e.robot == self._robot]
        if robot is None or (others and others[-1].command is not command):
            self._end(ABORTED, _FAILED, "another command took the robot" if robot else "the robot is gone")
            return
        gap, turn = self._left(robot, command)
        if gap < _NEAR and turn < _TURNED and np.linalg.norm(robot.v_WB_W) < _SLOW:
            self._end(SUCCEEDED, _NONE, "")
        elif simulation.clock.now_ns - self._told_ns >= _TOLD_NS:
            self._told_ns = simulation.clock.now_ns
            goal.tell(self._feedback(robot, goal, gap))

    # In threads of the bus

    def _begin(self, goal: Goal) -> bool:
        pose = goal.request.pose
        p, o = pose.pose.position, pose.pose.orientation
        numbers = np.array([p.x, p.y, p.z, o.w, o.x, o.y, o.z])
        if pose.header.frame_id not in ("", MAP, self._names.base(self._robot)) or not np.isfinite(numbers).all():
            return False
        self._simulation.ask(partial(self._go, goal, numbers, pose.header.frame_id), ("ros2", self._robot))
        return True

    def _cancel(self, goal: Goal) -> None:
        self._simulation.ask(partial(self._stop, goal), ("ros2", self._robot))

    # In the loop

    def _go(self, goal: Goal, numbers: np.ndarray, frame: str) -> None:
        if goal.canceling:
            goal.end(CANCELED, {})
            return
        try:
            robot = self._simulation.robot(self._robot)
            command = _command(robot, numbers, relative=frame not in ("", MAP))
            self._end(ABORTED, _FAILED, "a newer goal took the robot")
            self._simulation.command(self._robot, command)
        except VoleryError as error:
            goal.end(ABORTED, {"error_code": _FAILED, "error_msg": str(error)})
            return
        self._goal, self._command, self._told_ns = goal, command, -_TOLD_NS

    def _stop(self, goal: Goal) -> None:
        """Stay where it is."""
        if self._goal is goal and self._robot in self._simulation.robots:
            robot = self._simulation.robot(self._robot)
            self._simulation.command(self._robot, Pose(robot.p_WB.copy(), float(euler_from_quat(robot.q_WB_wxyz)[2])))
            self._end(CANCELED, _NONE, "")

    def _end(self, state: int, code: int, words: str) -> None:
        goal, self._goal, self._command = self._goal, None, None
        if goal is not None:
            goal.end(state, {"error_code": code, "error_msg": words})

    def _left(self, robot: Robot, command: Pose) -> tuple[float, float]:
        """Distance [m] and turn [rad] to go; what drives is not asked for its height."""
        flies = robot.file is not None and (robot.file.multirotor is not None or robot.file.drive is None)
        gap = np.asarray(command.p_WB) - robot.p_WB
        turn = 0.0
        if command.yaw is not None:
            turn = float(euler_from_quat(robot.q_WB_wxyz)[2]) - command.yaw
            turn = abs((turn + np.pi) % (2 * np.pi) - np.pi)
        return float(np.linalg.norm(gap if flies else gap[:2])), turn

    def _feedback(self, robot: Robot, goal: Goal, gap: float) -> dict[str, Any]:
        now, speed = self._simulation.clock.now_ns, float(np.linalg.norm(robot.v_WB_W))
        pose = {"position": robot.p_WB.tolist(), "orientation": robot.q_WB_wxyz.tolist()}
        left = gap / speed if speed > _SLOW else 0.0
        return {
            "current_pose": {"header": {"stamp": now, "frame_id": MAP}, "pose": pose},
            "navigation_time": now - goal.stamp_ns,
            "estimated_time_remaining": int(min(left, 1e6) * SECOND),
            "distance_remaining": gap,
        }


def _command(robot: Robot, numbers: np.ndarray, *, relative: bool) -> Pose:
    """The place in W; a rotation that was never filled in leaves the heading as it is."""
    p, q = numbers[:3], numbers[3:]
    length = float(np.linalg.norm(q))
    yaw = float(euler_from_quat(q / length)[2]) if length > 0.5 else None
    if relative:
        heading = float(euler_from_quat(robot.q_WB_wxyz)[2])
        p = robot.p_WB + matrix_from_quat(robot.q_WB_wxyz) @ p
        yaw = None if yaw is None else yaw + heading
    return Pose(p, yaw)
