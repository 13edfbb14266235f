"""Contact against closed forms: a cube dropped, slid and tipped over an edge, and a ball rolled over triangles.

The same four tests for our engine and, where it is installed, for PyBullet, on the same triangles.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from volery.core.clock import SECOND
from volery.core.geometry import Mesh, grid, merge
from volery.core.material import Material
from volery.physics.engine import Engine
from volery.physics.mujoco.engine import MujocoEngine, MujocoSettings
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

__all__ = ["accuracy", "closed_forms"]

_STEP_NS = 2_000_000
_HALF, _MASS, _FRICTION = 0.25, 10.0, 0.5
"""Half the cube's edge and the ball's radius [m]; mass [kg]; with the ground."""
_SPEED, _BEYOND, _DROP, _RISER = 2.0, 0.05, 0.05, 0.5
"""Of sliding [m/s]; of the cube's centre beyond the edge, its fall onto it, and the height of the stair [m]."""
_ROLL = 3.0
"""Speed of rolling [m/s]."""
_GROUND = Material("bench_ground", friction=1.0)
"""The friction of a contact is the product of both surfaces', as in PyBullet."""
_MODEL = """<mujoco><worldbody><body name="{shape}"><freejoint/>
<geom type="{shape}" size="0.25 0.25 0.25" mass="10" friction="0.5 0 0"/></body></worldbody></mujoco>"""


@dataclass(frozen=True)
class _Motion:
    """One body: position [m], attitude and velocity [m/s] by step."""

    p: np.ndarray
    q_wxyz: np.ndarray
    v: np.ndarray

    @property
    def tilt(self) -> np.ndarray:
        """From the attitude at the start, by step [rad]."""
        return 2 * np.arccos(np.clip(np.abs(self.q_wxyz[:, 0]), 0, 1))


class _Runner(Protocol):
    def __call__(self, ground: Mesh, shape: str, p: np.ndarray, v: np.ndarray, seconds: float) -> _Motion: ...


def closed_forms() -> dict[str, float]:
    """What physics says, in the units of the table."""
    return {
        "drop_rest_mm": 0.0,
        "slide_m": _SPEED**2 / (2 * _FRICTION * GRAVITY),
        "tip_45_s": _tip_time(),
        "roll_vz_m_s": 0.0,
        "roll_side_mm": 0.0,
    }


def _tip_time() -> float:
    """Time until a cube that falls onto an edge and sticks to it has turned by 45° [s].

    The impact keeps the angular momentum about the edge; then the cube turns about it as a pendulum does.
    """
    radius, start = np.hypot(_BEYOND, _HALF), np.arctan2(_BEYOND, _HALF)
    inertia = (2 * _HALF) ** 2 / 6 + radius**2
    rate = _BEYOND * np.sqrt(2 * GRAVITY * _DROP) / inertia
    angle = np.linspace(0.0, np.pi / 4, 2001)
    rates = np.sqrt(rate**2 + 2 * GRAVITY * radius * (np.cos(start) - np.cos(start + angle)) / inertia)
    slowness = 1.0 / rates
    turning = float(np.sum((slowness[1:] + slowness[:-1]) / 2 * np.diff(angle)))
    return float(np.sqrt(2 * _DROP / GRAVITY)) + turning


def accuracy(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """The four tests: closed forms, ours, and PyBullet's where it is installed."""
    rows: dict[str, Any] = {"closed_form": closed_forms(), "ours": _tests(_ours, quick)}
    if peers and find_spec("pybullet") is not None:
        rows["pybullet"] = _tests(_pybullet, quick)
    return {name: {k: round(v, 5) for k, v in row.items()} for name, row in rows.items()}


def _tests(run: _Runner, quick: bool) -> dict[str, float]:
    flat, stair = _flat(), _stair()
    still = np.zeros(3)
    drop = run(flat, "box", np.array([0.13, 0.21, _HALF + 0.5]), still, 1.5 if quick else 3.0)
    slide = run(flat, "box", np.array([-2.0, 0.21, _HALF]), np.array([_SPEED, 0, 0]), 1.0)
    tip = run(stair, "box", np.array([_BEYOND, 0.0, _HALF + _DROP]), still, 0.8)
    ball = run(flat, "sphere", np.array([-4.0, 0.21, _HALF]), np.array([_ROLL, 0, 0]), 1.0 if quick else 2.1)
    settled = slice(int(0.1 * SECOND / _STEP_NS), None)
    turned = np.flatnonzero(tip.tilt > np.pi / 4)
    return {
        "drop_rest_mm": 1e3 * (drop.p[-1, 2] - _HALF),
        "slide_m": slide.p[-1, 0] + 2.0,
        "tip_45_s": (turned[0] + 1) * _STEP_NS / SECOND if len(turned) else np.inf,
        "roll_vz_m_s": float(np.abs(ball.v[settled, 2]).max()),
        "roll_side_mm": 1e3 * float(np.abs(ball.p[:, 1] - 0.21).max()),
    }


def _flat() -> Mesh:
    """Ten by ten metres in triangles of one metre."""
    return grid(np.zeros((11, 11)), 1.0, (-5.0, -5.0), materials=(_GROUND,), name="flat")


def _stair() -> Mesh:
    """A ground that is half a metre lower where x is above 0."""
    high = grid(np.zeros((6, 11)), 1.0, (-5.0, -5.0), materials=(_GROUND,))
    low = high.moved(p=(5.0, 0.0, -_RISER))
    y = np.linspace(-5.0, 5.0, 11)
    top = np.column_stack([0 * y, y, 0 * y])
    vertices = np.concatenate([top, top - [0, 0, _RISER]])
    k = np.arange(10)
    faces = np.concatenate([np.column_stack([k, k + 11, k + 12]), np.column_stack([k, k + 12, k + 1])])
    return merge([high, low, Mesh(vertices, faces, materials=(_GROUND,))], "stair")


def _ours(ground: Mesh, shape: str, p: np.ndarray, v: np.ndarray, seconds: float) -> _Motion:
    scene = Scene()
    scene.add(Placement.one("ground", ground))
    engine = MujocoEngine(Environment(scene), MujocoSettings(step=_STEP_NS / SECOND))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{shape}.xml"
        path.write_text(_MODEL.format(shape=shape), encoding="utf-8")
        file = load_robot_file(str(path))
        robot = Robot("body", file.description(), file)
        robot.set_pose(p, np.array([1.0, 0, 0, 0]))
        robot.set_twist(v, np.array([0, v[0] / _HALF, 0]) if shape == "sphere" else np.zeros(3))
        robot.show(scene)
        engine.add(robot, None, 0)
        return _record(lambda n: _advance(engine, robot, n), seconds)


def _advance(engine: Engine, robot: Robot, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    engine.advance(n * _STEP_NS, _STEP_NS)
    robot.update()
    return robot.p_WB, robot.q_WB_wxyz, robot.v_WB_W


def _pybullet(ground: Mesh, shape: str, p: np.ndarray, v: np.ndarray, seconds: float) -> _Motion:
    import pybullet as bullet

    client = bullet.connect(bullet.DIRECT)
    try:
        bullet.setGravity(0, 0, -GRAVITY)
        bullet.setTimeStep(_STEP_NS / SECOND)
        flags = bullet.GEOM_FORCE_CONCAVE_TRIMESH
        world = bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=ground.vertices.tolist(), indices=ground.faces.ravel().tolist(), flags=flags
        )
        bullet.changeDynamics(bullet.createMultiBody(0, world), -1, lateralFriction=1.0)
        size = {"halfExtents": [_HALF] * 3} if shape == "box" else {"radius": _HALF}
        kind = bullet.GEOM_BOX if shape == "box" else bullet.GEOM_SPHERE
        body = bullet.createMultiBody(_MASS, bullet.createCollisionShape(kind, **size), basePosition=p.tolist())
        bullet.changeDynamics(
            body, -1, lateralFriction=_FRICTION, rollingFriction=0, spinningFriction=0, restitution=0, linearDamping=0,
            angularDamping=0, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        )  # fmt: skip
        bullet.resetBaseVelocity(body, v.tolist(), [0, v[0] / _HALF, 0] if shape == "sphere" else [0, 0, 0])

        def step(_: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            bullet.stepSimulation()
            x, q = bullet.getBasePositionAndOrientation(body)
            return np.array(x), np.array([q[3], *q[:3]]), np.array(bullet.getBaseVelocity(body)[0])

        return _record(step, seconds)
    finally:
        bullet.disconnect(client)


def _record(step: Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]], seconds: float) -> _Motion:
    rows = [tuple(a.copy() for a in step(n)) for n in range(int(seconds * SECOND / _STEP_NS))]
    p, q, v = (np.array(column) for column in zip(*rows, strict=True))
    return _Motion(p, q, v)
