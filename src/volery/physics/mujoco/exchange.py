"""State both ways: from a robot into MuJoCo's arrays when it comes or is put elsewhere, and back after every step."""

from __future__ import annotations

import mujoco
import numba as nb
import numpy as np

from volery.core.frames import matrix_from_quat, quat_from_matrix
from volery.physics.mujoco.assembly import Span
from volery.robots.robot import Robot

__all__ = ["put", "rest", "sound", "take"]

_WILD = 1e6
"""Speeds and places beyond this [m/s, rad/s, m, rad] are a model that has blown up."""


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


def take(robot: Robot, span: Span, data: mujoco.MjData) -> None:
    """Pose, twist, joints, and what passes through the joints, out of the model into a robot."""
    if span.free:
        root = np.empty(13)
        _root(data.qpos, data.qvel, span.q.start, span.v.start, root)
        robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W, robot.w_WB_W = root[:3], root[3:7], root[7:10], root[10:]
    robot.power = 0.0
    if len(span.joints):
        _joints(data.qpos, data.qvel, data.qfrc_actuator, span, robot)
    for body, at, anchor in span.balls:
        R = matrix_from_quat(data.qpos[at : at + 4])
        robot.X_bone[body] = np.column_stack([R, anchor - R @ anchor])
    wrenches = np.empty((span.bodies, 6))
    _wrenches(data.cfrc_int, data.subtree_com, data.xpos, span.body, wrenches)
    robot.wrenches = wrenches


def _joints(qpos: np.ndarray, qvel: np.ndarray, effort: np.ndarray, span: Span, robot: Robot) -> None:
    """Fresh arrays, since others may still hold the last ones; joints that the model does not have stay."""
    for name, source, places in (
        ("joint_positions", qpos, span.joint_q),
        ("joint_velocities", qvel, span.joint_v),
        ("joint_efforts", effort, span.joint_v),
    ):
        values = getattr(robot, name).copy()
        values[span.joints] = source[places]
        setattr(robot, name, values)
    robot.power = float(np.abs(robot.joint_efforts * robot.joint_velocities).sum())


@nb.njit(cache=True, nogil=True)
def _root(qpos: np.ndarray, qvel: np.ndarray, a: int, b: int, out: np.ndarray) -> None:
    """Position, attitude (its first part other than 0 positive), velocity and angular velocity in W, [13].

    MuJoCo has the origin's velocity in W, but the angular velocity in the body's own axes.
    """
    w, x, y, z = qpos[a + 3], qpos[a + 4], qpos[a + 5], qpos[a + 6]
    scale = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    for part in (w, x, y, z):
        if part != 0.0:
            scale = -scale if part < 0.0 else scale
            break
    w, x, y, z = w * scale, x * scale, y * scale, z * scale
    for i in range(3):
        out[i] = qpos[a + i]
        out[7 + i] = qvel[b + i]
    out[3], out[4], out[5], out[6] = w + 0.0, x + 0.0, y + 0.0, z + 0.0
    p, q, r = qvel[b + 3], qvel[b + 4], qvel[b + 5]
    out[10] = (1 - 2 * (y * y + z * z)) * p + 2 * (x * y - w * z) * q + 2 * (x * z + w * y) * r
    out[11] = 2 * (x * y + w * z) * p + (1 - 2 * (x * x + z * z)) * q + 2 * (y * z - w * x) * r
    out[12] = 2 * (x * z - w * y) * p + 2 * (y * z + w * x) * q + (1 - 2 * (x * x + y * y)) * r


@nb.njit(cache=True, nogil=True)
def _wrenches(cfrc: np.ndarray, com: np.ndarray, xpos: np.ndarray, root: int, out: np.ndarray) -> None:
    """What each body exerts on its parent, about its own origin; MuJoCo has torque before force, of the parent on the
    body, about the centre of mass of the whole robot."""
    for i in range(len(out)):
        b = root + i
        fx, fy, fz = cfrc[b, 3], cfrc[b, 4], cfrc[b, 5]
        x, y, z = com[root, 0] - xpos[b, 0], com[root, 1] - xpos[b, 1], com[root, 2] - xpos[b, 2]
        out[i, 0], out[i, 1], out[i, 2] = -fx, -fy, -fz
        out[i, 3] = -(cfrc[b, 0] + y * fz - z * fy)
        out[i, 4] = -(cfrc[b, 1] + z * fx - x * fz)
        out[i, 5] = -(cfrc[b, 2] + x * fy - y * fx)


@nb.njit(cache=True, nogil=True)
def sound(qpos: np.ndarray, qvel: np.ndarray) -> bool:
    """Whether all is finite and nothing has blown up."""
    for i in range(len(qvel)):
        if not abs(qvel[i]) < _WILD:
            return False
    for i in range(len(qpos)):
        if not abs(qpos[i]) < 1e3 * _WILD:
            return False
    return True
