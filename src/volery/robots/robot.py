"""A robot in a run: where its bodies are, and what rays see of it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volery import _native
from volery.core.frames import quat_normalise, rigid_inverse, transform
from volery.core.state import check_alike
from volery.errors import RobotError, SimulationError
from volery.robots.description import Description, Skin
from volery.robots.kinematics import body_poses, compose, skin_vertices
from volery.robots.library import RobotFile
from volery.world.scene.scene import Scene, SceneObject
from volery.world.world import Placement

__all__ = ["Contact", "Robot"]

_STATE = (
    *("p_WB", "q_WB_wxyz", "v_WB_W", "w_WB_W", "joint_positions", "joint_velocities", "joint_efforts"),
    *("X_bone", "wrenches", "power", "powered"),
)
_MOTION = _STATE[:6]
_POINT = np.zeros(3)


@dataclass(frozen=True, eq=False)
class Contact:
    """What a robot touched within a step: one for each body of it and each thing."""

    other: str
    """Name of the scene's object, or of the other robot."""
    body: str
    """Name of the robot's own body."""
    p_W: np.ndarray
    """Where, at its deepest [m]."""
    normal_W: np.ndarray
    """Unit, from the thing to the robot."""
    depth: float
    """How far the two overlap at most [m]."""
    impulse_W: np.ndarray
    """On the robot, over the step [N s]."""

    def state(self) -> list[Any]:
        """Plain data that `of` takes back."""
        return [self.other, self.body, self.p_W, self.normal_W, self.depth, self.impulse_W]

    @staticmethod
    def of(state: list[Any]) -> Contact:
        """The contact of a `state`."""
        check_alike(state, ["", "", _POINT, _POINT, 0.0, _POINT], "contact")
        if any(len(v) != 3 for v in (state[2], state[3], state[5])):
            raise SimulationError("this snapshot is damaged: a contact's vectors have three numbers")
        return Contact(*state)


class Robot:
    """One robot: a description in a state. Physics, a script or an outside process sets the state; rays follow."""

    def __init__(self, name: str, description: Description, file: RobotFile | None = None) -> None:
        """file: the robot file it comes from, which tells engines of rotors and wheels; None: a bare model."""
        self.name = name
        self.description = description
        self.file = file
        joints = description.joints
        self._joints = np.zeros(len(joints), _native.robots.Joint)
        for row, j in zip(self._joints, joints, strict=True):
            row["axis_B"], row["anchor_B"], row["rest"], row["body"], row["kind"] = (
                j.axis_B, j.anchor_B, j.rest, j.body, j.kind,
            )  # fmt: skip
        self.p_WB = np.zeros(3)
        """Root position [m]."""
        self.q_WB_wxyz = np.array([1.0, 0.0, 0.0, 0.0])
        """Root attitude."""
        self.v_WB_W = np.zeros(3)
        """Root velocity [m/s]."""
        self.w_WB_W = np.zeros(3)
        """Root angular velocity [rad/s]."""
        self.wrenches: np.ndarray | None = None
        """Per body, [b, 6]: force [N] and torque about its origin [N·m], in W, that it and all it carries exert on its
        parent; engines that know fill it in."""
        self.power = 0.0
        """Drawn by motors and computers [W]; engines that know fill it in."""
        self.powered = True
        """Whether its battery gives anything: without, its motors stop and it obeys nothing."""
        self.contacts: tuple[Contact, ...] | None = None
        """What it touched in the last step; None: its engine does not know."""
        self.joint_positions = self._joints["rest"].copy()
        """Per joint [rad or m]."""
        self.joint_velocities = np.zeros(len(joints))
        """Per joint [rad/s or m/s]; engines that know fill it in."""
        self.joint_efforts = np.zeros(len(joints))
        """Per joint, of its motor [N m or N]; engines that know fill it in."""
        self.X_bone = np.tile(np.eye(3, 4), (len(description.bodies), 1, 1))
        """Each bone's own pose on top of rest and joints, [b, 3, 4]."""
        self.X_WB = np.empty_like(self.X_bone)
        """Poses of all bodies in W, [b, 3, 4]; brought up to date by `update`."""
        self._shown: list[SceneObject] = []
        self._skins: list[tuple[SceneObject, Skin, np.ndarray]] = []
        self.update()

    def __repr__(self) -> str:
        (x, y, z), speed = self.p_WB.tolist(), np.linalg.norm(self.v_WB_W)
        return f"<Robot {self.name!r} ({self.description.path.stem}) at ({x:.2f}, {y:.2f}, {z:.2f}) m, {speed:.2f} m/s>"

    @property
    def position(self) -> np.ndarray:
        """Where its root is in the world, x east, y north, z up [m], [3]: a copy of `p_WB`; `Simulation.place` moves
        it."""
        return self.p_WB.copy()

    @property
    def orientation(self) -> np.ndarray:
        """Attitude of its root in the world: a unit quaternion w, x, y, z, [4], that turns vectors from the body's axes
        (x forward, y left, z up) to the world's. A copy of `q_WB_wxyz`."""
        return self.q_WB_wxyz.copy()

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of its root, in the world's axes [m/s], [3]: a copy of `v_WB_W`."""
        return self.v_WB_W.copy()

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocity of its root, in the world's axes [rad/s], [3]: a copy of `w_WB_W`."""
        return self.w_WB_W.copy()

    # State

    def set_pose(self, p_WB: ArrayLike, q_WB_wxyz: ArrayLike) -> None:
        """Put the root at a place [m] and attitude; a bad one is refused and nothing changes."""
        p, q = self._finite(p_WB, (3,), "position"), self._finite(q_WB_wxyz, (4,), "attitude")
        if not 0.5 < np.linalg.norm(q) < 2.0:
            raise RobotError(f"robot '{self.name}': attitude {q.tolist()} is not a unit quaternion (w, x, y, z)")
        self.p_WB, self.q_WB_wxyz = p, quat_normalise(q)

    def set_twist(self, v_WB_W: ArrayLike, w_WB_W: ArrayLike) -> None:
        """Velocity [m/s] and angular velocity [rad/s] of the root, in W."""
        v, w = self._finite(v_WB_W, (3,), "velocity"), self._finite(w_WB_W, (3,), "angular velocity")
        self.v_WB_W, self.w_WB_W = v, w

    def set_joint(self, joint: str | int, position: float) -> None:
        """Move a joint to a position [rad or m]; beyond its range it is refused."""
        i = self.description.joint(joint)
        j = self.description.joints[i]
        value = float(self._finite(position, (), f"joint '{j.name}'"))
        if not j.low - 1e-9 <= value <= j.high + 1e-9:
            raise RobotError(f"robot '{self.name}': joint '{j.name}' at {value:g} is outside {j.low:g} to {j.high:g}")
        self.joint_positions[i] = value

    def set_joints(self, positions: ArrayLike) -> None:
        """Move all joints at once [j]; one bad value refuses them all."""
        positions = self._finite(positions, self.joint_positions.shape, "joint positions")
        before = self.joint_positions.copy()
        try:
            for i, value in enumerate(positions):
                self.set_joint(i, value)
        except RobotError:
            self.joint_positions = before
            raise

    def set_bone(self, bone: str | int, q_wxyz: ArrayLike, p: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Turn (and shift [m]) a bone against where rest and joints put it, in its own frame."""
        i = self.description.body(bone)
        q = self._finite(q_wxyz, (4,), f"bone {bone}")
        if not 0.5 < np.linalg.norm(q) < 2.0:
            raise RobotError(f"robot '{self.name}': bone {bone}: {q.tolist()} is not a unit quaternion (w, x, y, z)")
        self.X_bone[i] = transform(quat_normalise(q), self._finite(p, (3,), f"bone {bone}"))

    def set_bones(self, q_wxyz: ArrayLike) -> None:
        """Turn all bones at once, root to tip, [b, 4]."""
        q = self._finite(q_wxyz, (len(self.X_bone), 4), "bones")
        self.X_bone[:, :, :3] = transform(quat_normalise(q), np.zeros((len(q), 3)))[:, :, :3]

    def update(self) -> None:
        """Recompute the poses of all bodies and show them to the rays."""
        d = self.description
        body_poses(
            self.p_WB, self.q_WB_wxyz, d.parent, d.X_PB, self._joints, self.joint_positions, self.X_bone, self.X_WB
        )  # fmt: skip
        for item in self._shown:
            item.move(self.X_WB[list(self.description.shapes)])
        if self._skins:
            X_RW, X_RB = rigid_inverse(self.X_WB[0]), np.empty_like(self.X_WB)
            for b in range(len(X_RB)):
                compose(X_RW, self.X_WB[b], X_RB[b])
            for item, skin, vertices in self._skins:
                self._bend(item, skin, vertices, X_RB)

    def X_WS(self, body: int, X_BS: np.ndarray) -> np.ndarray:
        """Pose in W of something mounted on a body, [3, 4]."""
        out = np.empty((3, 4))
        compose(self.X_WB[body], X_BS, out)
        return out

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        contacts = None if self.contacts is None else [c.state() for c in self.contacts]
        return {**{name: copy(getattr(self, name)) for name in _STATE}, "contacts": contacts}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for name in _STATE:
            setattr(self, name, copy(state[name]))
        if not all(np.isfinite(state[name]).all() for name in _MOTION):
            raise SimulationError(f"this snapshot is damaged: the motion of robot '{self.name}' is not finite")
        self.contacts = None if state["contacts"] is None else tuple(map(Contact.of, state["contacts"]))
        self.update()

    # What rays see

    def show(self, scene: Scene) -> None:
        """Enter a scene: rigid parts as instances, skins as meshes that bend."""
        shapes = self.description.shapes
        if shapes:
            kinds = np.arange(len(shapes), dtype=np.int32)
            placement = Placement(self.name, tuple(shapes.values()), self.X_WB[list(shapes)], kinds)
            self._shown.append(scene.add(placement, moving=True, group=self.name))
        for i, skin in enumerate(self.description.skins):
            # Its own copy of the mesh, since it bends on its own.
            mesh = replace(skin.mesh)
            placement = Placement(f"{self.name}/skin{i}", (mesh,), self.X_WB[:1])
            item = scene.add(placement, moving=True, group=self.name, deforms=True)
            self._skins.append((item, skin, mesh.vertices.copy()))
        self.update()

    def hide(self, scene: Scene) -> None:
        """Leave the scene."""
        for item in [*self._shown, *(s[0] for s in self._skins)]:
            scene.remove(item.name)
        self._shown, self._skins = [], []

    def _bend(self, item: SceneObject, skin: Skin, vertices: np.ndarray, X_RB: np.ndarray) -> None:
        skin_vertices(skin.mesh.vertices, skin.bones, skin.weights, skin.X_BR_bind, X_RB, vertices)
        item.deform(vertices, _bent_normals(skin, X_RB))
        item.move(self.X_WB[0])

    def _finite(self, value: object, shape: tuple[int, ...], what: str) -> np.ndarray:
        array = np.array(value, float)
        if array.shape != shape or not np.isfinite(array).all():
            raise RobotError(
                f"robot '{self.name}': {what} must be finite numbers of shape {list(shape)}, got {value!r}"
            )
        return array


def _bent_normals(skin: Skin, X_RB: np.ndarray) -> np.ndarray | None:
    """Normals of a smooth skin where its bones [b, 3, 4] have turned them, float32 [n, 3]."""
    if skin.mesh.normals is None:
        return None
    turned = np.empty_like(skin.mesh.normals)
    still = np.array([1.0, 1.0, 1.0, 0.0])
    skin_vertices(skin.mesh.normals, skin.bones, skin.weights, skin.X_BR_bind * still, X_RB * still, turned)
    return turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), np.float32(1e-9))
