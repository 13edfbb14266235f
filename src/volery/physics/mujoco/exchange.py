"""State both ways: from a robot into MuJoCo's arrays when it comes or is put elsewhere, and back after every step."""

from __future__ import annotations

import mujoco
import numpy as np

from volery import _native
from volery.core.frames import matrix_from_quat, quat_from_matrix
from volery.physics.mujoco.assembly import Span
from volery.robots.robot import Robot

__all__ = ["Taker", "put", "rest"]


def put(robot: Robot, span: Span, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Pose, twist and joints of a robot into the model; whatever drove it before is forgotten."""
    q, v = data.qpos, data.qvel
    v[span.v] = 0.0
    data.act[span.act] = 0.0
    data.qacc_warmstart[span.v] = 0.0
    if span.free:
        a, b = span.q.start, span.v.start
        q[a : a + 3], q[a + 3 : a + 7] = robot.p_WB, robot.q_WB_wxyz
        v[b : b + 3] = robot.v_WB_W
        v[b + 3 : b + 6] = robot.w_WB_W @ matrix_from_quat(robot.q_WB_wxyz)
    else:
        model.body_pos[span.body], model.body_quat[span.body] = robot.p_WB, robot.q_WB_wxyz
    q[span.joint_q] = robot.joint_positions[span.joints]
    v[span.joint_v] = robot.joint_velocities[span.joints]
    for body, at, _ in span.balls:
        q[at : at + 4] = quat_from_matrix(robot.X_bone[body, :, :3])


def rest(robot: Robot) -> None:
    """Stop a robot where it is, its joints within their ranges."""
    robot.set_twist(np.zeros(3), np.zeros(3))
    robot.joint_velocities = np.zeros_like(robot.joint_velocities)
    low, high = ([getattr(j, side) for j in robot.description.joints] for side in ("low", "high"))
    robot.joint_positions = np.clip(robot.joint_positions, low, high)


class Taker:
    """State of one robot out of a model, after every step."""

    def __init__(self, span: Span, data: mujoco.MjData, step: _native.mujoco.Step) -> None:
        self._span, self._data, self._step = span, data, step
        q, v = (span.q.start, span.v.start) if span.free else (-1, -1)
        self._native = _native.mujoco.Span(
            step, span.body, span.bodies, q, v, span.joints, span.joint_q, span.joint_v
        )  # fmt: skip

    def take(self, robot: Robot) -> None:
        """Pose, twist, joints, and what passes through the joints; fresh arrays, since others may still hold the last
        ones. Joints that the model does not have stay."""
        span = self._span
        root, joints = np.empty(13), np.empty((3, len(robot.joint_positions)))
        wrenches = np.empty((span.bodies, 6))
        robot.power = _native.mujoco.take(
            self._step, self._native, robot.joint_positions, robot.joint_velocities, robot.joint_efforts, root,
            joints, wrenches,
        )  # fmt: skip
        if span.free:
            robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W = root[:3], root[3:7], root[7:10], root[10:]
        robot.joint_positions, robot.joint_velocities, robot.joint_efforts = joints
        for body, at, anchor in span.balls:
            R = matrix_from_quat(self._data.qpos[at : at + 4])
            robot.X_bone[body] = np.column_stack([R, anchor - R @ anchor])
        robot.wrenches = wrenches
