"""Joints of a rigged mesh: which bones turn about which axes, and how far; the others are free bones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.core.frames import matrix_from_quat, quat_normalise
from volery.errors import RobotError, UnknownNameError
from volery.robots.kind import RobotKind

if TYPE_CHECKING:
    import mujoco

__all__ = ["Rig", "RigJoint"]


@dataclass(frozen=True)
class RigJoint(Checked):
    """A bone that turns, or slides, about one axis."""

    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """In the frame that `of` names."""
    of: Literal["bone", "robot"] = "robot"
    """Axes of the bone as the file has it, or of the robot at rest: x ahead, y left, z up."""
    slides: bool = False
    """Along the axis, instead of turning about it."""
    range: tuple[float, float] | None = None
    """Least and most [deg, or m if it slides]; none: any."""
    damping: float = param(0.0, low=0.0, high=1e6)
    """For engines with forces [N m s/rad, or N s/m]."""


@dataclass(frozen=True)
class Rig(RobotKind):
    """What turns a rigged mesh (glTF) into a robot with joints, and what its bones weigh."""

    edits_model: ClassVar[bool] = True
    mobile: ClassVar[bool] = False
    joints: dict[str, RigJoint] = field(default_factory=dict)
    """Joints by the names of their bones; they are called as the bones."""
    mass: float = param(1.0, above=0.0, high=1e6)
    """Of the whole, shared out by the size of the bones [kg]."""

    def put_on(self, spec: mujoco.MjSpec, others: Mapping[str, RobotKind]) -> None:
        """Give the bones their joints."""
        bodies = {body.name: body for body in spec.bodies[1:]}
        for name, joint in self.joints.items():
            if name not in bodies:
                raise RobotError(f"rig: {UnknownNameError('bone', name, bodies)}")
            if not np.linalg.norm(joint.axis) > 1e-9:
                raise RobotError(f"rig: joint '{name}': its axis is a null vector")
            self._add(spec, bodies, name, joint)
        spec.compiler.settotalmass = self.mass

    @staticmethod
    def _add(spec: mujoco.MjSpec, bodies: Mapping[str, mujoco.MjsBody], name: str, joint: RigJoint) -> None:
        import mujoco

        axis = np.array(joint.axis, float)
        if joint.of == "robot":
            axis = _R_RB(bodies[name]).T @ axis
        kind = mujoco.mjtJoint.mjJNT_SLIDE if joint.slides else mujoco.mjtJoint.mjJNT_HINGE
        made = bodies[name].add_joint(name=name, type=kind, axis=axis / np.linalg.norm(axis), damping=joint.damping)
        if joint.range is not None:
            scale = 1.0 if joint.slides or spec.compiler.degree else math.pi / 180.0
            made.limited, made.range = mujoco.mjtLimited.mjLIMITED_TRUE, [scale * r for r in joint.range]


def _R_RB(body: mujoco.MjsBody) -> np.ndarray:
    """Attitude of a body at rest in the robot's root, [3, 3]."""
    R = np.eye(3)
    while body.parent is not None and body.parent.name != "world":
        R = matrix_from_quat(quat_normalise(np.array(body.quat, float))) @ R
        body = body.parent
    return R
