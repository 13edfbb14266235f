"""The same robots in PyBullet, PyFlyt and RotorPy, measured only where they are installed."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from volery.tools.bench.near import NearScene
from volery.world.atmosphere import GRAVITY

__all__ = ["bullet_quads", "bullet_skid", "installed", "pyflyt_quads", "rotorpy_quads", "solid_triangles"]

_DT = 0.002
"""Step of PyBullet, the same as ours [s]."""
_OBJ_LIMIT = 200_000
"""Faces of one of PyBullet's files."""


def installed(name: str) -> bool:
    """Whether a peer can be imported here."""
    return find_spec(name) is not None


@contextmanager
def _hushed() -> Iterator[None]:
    """Let native libraries talk to stderr: stdout is for results."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _steps_per_second(step: Callable[[], object], seconds: float) -> float:
    """Calls per second of processor time, after as many to warm up as fit a fifth of the time."""
    began = time.process_time()
    while time.process_time() - began < seconds / 5:
        step()
    count, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        step()
        count += 1
    return count / (time.process_time() - began)


def bullet_quads(count: int, seconds: float) -> dict[str, Any]:
    """Quadrotors that only feel four constant thrusts: what PyBullet takes for the bodies alone."""
    import pybullet as bullet

    with _hushed():
        client = bullet.connect(bullet.DIRECT)
    try:
        bullet.setGravity(0, 0, -GRAVITY)
        bullet.setTimeStep(_DT)
        shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.15, 0.15, 0.05])
        bodies = [
            bullet.createMultiBody(1.5, shape, basePosition=[2.0 * (i % 10), 2.0 * (i // 10), 10.0])
            for i in range(count)
        ]
        thrust = [0.0, 0.0, 1.5 * GRAVITY / 4]
        arms = [[x, y, 0.0] for x in (-0.177, 0.177) for y in (-0.177, 0.177)]

        def step() -> None:
            for body in bodies:
                for arm in arms:
                    bullet.applyExternalForce(body, -1, thrust, arm, bullet.LINK_FRAME)
            bullet.stepSimulation()

        rate = _steps_per_second(step, seconds) * count
        return {"step_s": _DT, "drone_steps_per_cpu_s": round(rate), "without": "control, motors, drag, wind, contact"}
    finally:
        bullet.disconnect(client)


def bullet_skid(vertices: np.ndarray, faces: np.ndarray, p: np.ndarray, seconds: float) -> float:
    """Steps per second of a skid-steered robot driven about on triangles, dropped at p [m]."""
    import pybullet as bullet

    with _hushed():
        client = bullet.connect(bullet.DIRECT)
    try:
        bullet.setGravity(0, 0, -GRAVITY)
        bullet.setTimeStep(_DT)
        with tempfile.TemporaryDirectory() as folder:
            for i in range(0, len(faces), _OBJ_LIMIT):
                _add_mesh(bullet, Path(folder) / f"{i}.obj", vertices, faces[i : i + _OBJ_LIMIT])
        robot, turn, wheels = _skid(bullet, p), 0, range(4)
        for _ in range(500):
            bullet.stepSimulation()

        def step() -> None:
            nonlocal turn
            if turn % 500 == 0:
                left, right = ((4, 4), (4, 1), (3, 3), (1, 4), (-3, -3))[turn // 500 % 5]
                for j in wheels:
                    speed = left if j % 2 == 0 else right
                    bullet.setJointMotorControl2(robot, j, bullet.VELOCITY_CONTROL, targetVelocity=speed, force=10)
            turn += 1
            bullet.stepSimulation()

        return _steps_per_second(step, seconds)
    finally:
        bullet.disconnect(client)


def _add_mesh(bullet: Any, path: Path, vertices: np.ndarray, faces: np.ndarray) -> None:
    used, index = np.unique(faces, return_inverse=True)
    index = index.reshape(faces.shape) + 1
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}\n" for x, y, z in vertices[used]]
    path.write_text("".join(lines) + "".join(f"f {a} {b} {c}\n" for a, b, c in index), encoding="ascii")
    shape = bullet.createCollisionShape(bullet.GEOM_MESH, fileName=str(path), flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH)
    bullet.createMultiBody(0, shape)


def _skid(bullet: Any, p: np.ndarray) -> int:
    """The robot `skid` as PyBullet has it: a box on four cylinders."""
    hull = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.245, 0.14, 0.065])
    wheel = bullet.createCollisionShape(bullet.GEOM_CYLINDER, radius=0.1075, height=0.09)
    upright = bullet.getQuaternionFromEuler([np.pi / 2, 0, 0])
    at = [[x, y, -0.03] for x in (0.134, -0.134) for y in (0.2, -0.2)]
    return bullet.createMultiBody(
        9.2, hull, basePosition=p.tolist(), linkMasses=[1.2] * 4, linkCollisionShapeIndices=[wheel] * 4,
        linkVisualShapeIndices=[-1] * 4, linkPositions=at, linkOrientations=[upright] * 4,
        linkInertialFramePositions=[[0, 0, 0]] * 4, linkInertialFrameOrientations=[[0, 0, 0, 1]] * 4,
        linkParentIndices=[0] * 4, linkJointTypes=[bullet.JOINT_REVOLUTE] * 4, linkJointAxis=[[0, 0, -1]] * 4,
    )  # fmt: skip


def pyflyt_quads(count: int, seconds: float) -> dict[str, Any]:
    """PyFlyt's quadrotors that hold their places."""
    with _hushed():
        from PyFlyt.core import Aviary

        p = np.column_stack([2.0 * np.arange(count), np.zeros(count), np.full(count, 2.0)])
        aviary = Aviary(start_pos=p, start_orn=np.zeros((count, 3)), drone_type="quadx", render=False)
        try:
            aviary.set_mode(7)
            for i in range(count):
                aviary.set_setpoint(i, np.array([p[i, 0], p[i, 1], 0.0, p[i, 2]]))
            rate = _steps_per_second(aviary.step, seconds)
            each = rate * aviary.updates_per_step * count
            return {"step_s": aviary.physics_period, "drone_steps_per_cpu_s": round(each)}
        finally:
            aviary.disconnect()


def rotorpy_quads(count: int, seconds: float) -> dict[str, Any]:
    """RotorPy's quadrotors that hold their places, one after the other: its own integrator and geometric control."""
    with _hushed():
        from rotorpy.controllers.quadrotor_control import SE3Control
        from rotorpy.vehicles.crazyflie_params import quad_params
        from rotorpy.vehicles.multirotor import Multirotor

    vehicle, control, step_s = Multirotor(quad_params), SE3Control(quad_params), 0.01
    still = dict.fromkeys(("x_dot", "x_ddot", "x_dddot", "x_ddddot"), np.zeros(3))
    goal = {"x": np.array([0.5, 0.0, 0.5]), **still, "yaw": 0.0, "yaw_dot": 0.0, "yaw_ddot": 0.0}
    start = {"x": np.zeros(3), "v": np.zeros(3), "q": np.array([0.0, 0, 0, 1]), "w": np.zeros(3), "wind": np.zeros(3),
             "rotor_speeds": np.full(4, 1788.5)}  # fmt: skip
    states = [{k: v.copy() for k, v in start.items()} for _ in range(count)]

    def step() -> None:
        for i, state in enumerate(states):
            states[i] = vehicle.step(state, control.update(0.0, state, goal), step_s)

    return {"step_s": step_s, "drone_steps_per_cpu_s": round(_steps_per_second(step, seconds) * count)}


def solid_triangles(scene: NearScene) -> tuple[np.ndarray, np.ndarray]:
    """Vertices [n, 3] and faces [m, 3] of what is solid near a world's spawn place."""
    vertices, faces, start = [], [], 0
    for mesh, X in scene.instances:
        v = mesh.vertices.astype(float) @ X[:, :3].T + X[:, 3]
        index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
        solid = np.array([m.solid for m in mesh.materials])[index]
        near = np.linalg.norm(v[mesh.faces].mean(axis=1) - scene.eye, axis=1) < scene.distance
        vertices.append(v)
        faces.append(mesh.faces[solid & near].astype(np.int64) + start)
        start += len(v)
    return np.concatenate(vertices), np.concatenate(faces)
