"""What a camera measures apart from colour: depth, labels, instances, normals, flow, heat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery._native.render import MeasureArrays, Motion
from volery.world.scene.scene import Scene, SceneObject

__all__ = ["Measures", "motion_of"]


class Measures(NamedTuple):
    """Arrays to fill, by pixel; those not wanted have length 0."""

    depth: np.ndarray
    depth_planar: np.ndarray
    labels: np.ndarray
    instances: np.ndarray
    normals: np.ndarray
    flow: np.ndarray
    infrared: np.ndarray

    @staticmethod
    def of(wanted: tuple[str, ...], count: int) -> Measures:
        """Fresh arrays for a picture of so many pixels."""

        def fresh(name: str, kind: type, *shape: int) -> np.ndarray:
            return np.empty((count if name in wanted else 0, *shape), kind)

        return Measures(
            fresh("depth", np.float32), fresh("depth_planar", np.float32), fresh("labels", np.int32),
            fresh("instances", np.int32), fresh("normals", np.float32, 3), fresh("flow", np.float32, 2),
            fresh("infrared", np.float32),
        )  # fmt: skip

    @property
    def native(self) -> MeasureArrays:
        """As kernels take them."""
        return MeasureArrays(*self)


def motion_of(
    scene: Scene, before: np.ndarray | None, poses: dict[str, np.ndarray], moving: list[SceneObject]
) -> Motion:
    """The motion since a reading at camera pose `before` [3, 4], with poses of moving objects by name [k, 3, 4]."""
    row_motion = np.full(len(scene.rows.mesh), -1, np.int32)
    motions = [np.zeros((0, 3, 4))]
    count = 0
    for item in moving if before is not None else []:
        past = poses.get(item.name)
        if past is None or past.shape != item.X_WO.shape or np.array_equal(past, item.X_WO):
            continue
        turn = past[:, :, :3] @ np.linalg.inv(item.X_WO[:, :, :3])
        shift = past[:, :, 3] - np.einsum("kij,kj->ki", turn, item.X_WO[:, :, 3])
        motions.append(np.concatenate([turn, shift[:, :, None]], axis=2))
        row_motion[item.first_row : item.first_row + len(past)] = count + np.arange(len(past))
        count += len(past)
    X = np.eye(3, 4) if before is None else before
    return Motion(
        before is not None, np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3]), row_motion,
        np.concatenate(motions),
    )  # fmt: skip
