"""What a camera measures apart from colour: depth, labels, instances, normals, flow, heat; one kernel, one pass."""

# ruff: noqa: ANN001

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_rays import project_point
from volery.sensors.camera_surface import material_of
from volery.world.scene import Scene, SceneObject

__all__ = ["Measures", "Motion", "measure", "motion_of"]

_BLOCK = 1024
_SKY_TEMPERATURE = 253.15
"""What a thermal camera sees of the sky [K]."""


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


class Motion(NamedTuple):
    """Where camera and things were at the reading before, as the kernel takes it."""

    known: bool
    R_before: np.ndarray
    p_before: np.ndarray
    row_motion: np.ndarray
    """Motion of each instance, int32 [rows]; -1: it stood."""
    motions: np.ndarray
    """From where a point is now to where it was, in W, float64 [k, 3, 4]."""


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


@nb.njit(cache=True, nogil=True)
def _flow(lens, motion, R, p, d, t, row, pixel, out) -> None:
    """How far the thing on a pixel moved over the picture since the reading before; the sky is infinitely far."""
    far = row < 0
    w = np.empty(3)
    for k in range(3):
        w[k] = R[k, 0] * d[0] + R[k, 1] * d[1] + R[k, 2] * d[2]
        if not far:
            w[k] = w[k] * t + p[k]
    if not far and motion.row_motion[row] >= 0:
        M = motion.motions[motion.row_motion[row]]
        x, y, z = w[0], w[1], w[2]
        for k in range(3):
            w[k] = M[k, 0] * x + M[k, 1] * y + M[k, 2] * z + M[k, 3]
    if not far:
        for k in range(3):
            w[k] -= motion.p_before[k]
    B = motion.R_before
    x = B[0, 0] * w[0] + B[1, 0] * w[1] + B[2, 0] * w[2]
    y = B[0, 1] * w[0] + B[1, 1] * w[1] + B[2, 1] * w[2]
    z = B[0, 2] * w[0] + B[1, 2] * w[1] + B[2, 2] * w[2]
    u, v = project_point(lens, x, y, z)
    out[pixel, 0] = pixel % lens.width + 0.5 - u
    out[pixel, 1] = pixel // lens.width + 0.5 - v


@nb.njit(parallel=True, cache=True, nogil=True)
def measure(geo, lens, motion, R, p, directions, far, pixels, hits, out, threads) -> None:
    """Fill the arrays of `out` from the hits of n rays; R, p: pose of the camera in W."""
    distance, row, primitive, normal, back = hits
    # Unpacked here: numba drops a parallel loop that writes only to members of a tuple.
    depth, planar, labels, instances, normals, flow, infrared = out
    n = len(directions)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                r, pixel, t = row[i], pixels[i], distance[i]
                material = material_of(geo, r, primitive[i]) if r >= 0 else -1
                if len(depth) > 0:
                    depth[pixel] = t
                if len(planar) > 0:
                    planar[pixel] = t * directions[i, 0] if r >= 0 else np.inf
                if len(labels) > 0:
                    labels[pixel] = geo.labels[material] if r >= 0 else 0
                if len(instances) > 0:
                    instances[pixel] = geo.row_object[r] if r >= 0 else -1
                if len(normals) > 0:
                    sign = np.float32(-1.0) if back[i] else np.float32(1.0)
                    for k in range(3):
                        normals[pixel, k] = normal[i, k] * sign
                if len(infrared) > 0:
                    infrared[pixel] = geo.materials[material, 6] if r >= 0 else _SKY_TEMPERATURE
                if len(flow) > 0:
                    if motion.known and far[i] > 0:
                        _flow(lens, motion, R, p, directions[i], t, r, pixel, flow)
                    else:
                        flow[pixel, 0], flow[pixel, 1] = np.nan, np.nan
