"""Root to tip: poses of all bodies from the root's pose, the joints and the bones; and skins that follow bones."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["body_poses", "compose", "skin_vertices"]


@nb.njit(cache=True, nogil=True)
def compose(A: np.ndarray, B: np.ndarray, out: np.ndarray) -> None:
    """X_AC = X_AB · X_BC for 3×4 poses; `out` may not be A or B."""
    for i in range(3):
        for j in range(4):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]
        out[i, 3] += A[i, 3]


@nb.njit(cache=True, nogil=True)
def _joint_pose(kind: int, axis: np.ndarray, anchor: np.ndarray, q: float, out: np.ndarray) -> None:
    """A hinge turns about its axis through its anchor (Rodrigues); a slide shifts along it."""
    out[:] = 0.0
    if kind == 1:
        for i in range(3):
            out[i, i], out[i, 3] = 1.0, axis[i] * q
        return
    c, s = np.cos(q), np.sin(q)
    x, y, z = axis[0], axis[1], axis[2]
    t = 1.0 - c
    out[0, 0], out[0, 1], out[0, 2] = c + t * x * x, t * x * y - s * z, t * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = t * x * y + s * z, c + t * y * y, t * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = t * x * z - s * y, t * y * z + s * x, c + t * z * z
    for i in range(3):
        out[i, 3] = anchor[i] - (out[i, 0] * anchor[0] + out[i, 1] * anchor[1] + out[i, 2] * anchor[2])


@nb.njit(cache=True, nogil=True)
def _root_pose(p, q, out) -> None:
    """A 3×4 pose from a position and a unit quaternion (w, x, y, z)."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0], out[0, 1], out[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    out[0, 3], out[1, 3], out[2, 3] = p[0], p[1], p[2]


@nb.njit(cache=True, nogil=True)
def body_poses(p_WR, q_WR, parent, X_PB, joint_body, joint_kind, joint_axis, joint_anchor, q, X_bone, X_WB) -> None:
    """Fill X_WB [b, 3, 4]: parent's pose, place at rest, joints in order (q from rest), then the bone's own pose."""
    motion, here, there = np.empty((3, 4)), np.empty((3, 4)), np.empty((3, 4))
    j = 0
    for b in range(len(parent)):
        if parent[b] < 0:
            _root_pose(p_WR, q_WR, here)
        else:
            compose(X_WB[parent[b]], X_PB[b], here)
        while j < len(joint_body) and joint_body[j] == b:
            _joint_pose(joint_kind[j], joint_axis[j], joint_anchor[j], q[j], motion)
            compose(here, motion, there)
            here[:] = there
            j += 1
        compose(here, X_bone[b], X_WB[b])


@nb.njit(cache=True, nogil=True)
def skin_vertices(rest, bones, weights, X_BR_bind, X_RB, out) -> None:
    """Linear blend skinning in the root's frame: each vertex follows the bones it was bound to."""
    moved = np.empty((len(X_RB), 3, 4))
    for b in range(len(X_RB)):
        compose(X_RB[b], X_BR_bind[b], moved[b])
    for n in range(len(rest)):
        for i in range(3):
            total = 0.0
            for k in range(bones.shape[1]):
                m = moved[bones[n, k]]
                v = m[i, 0] * rest[n, 0] + m[i, 1] * rest[n, 1] + m[i, 2] * rest[n, 2] + m[i, 3]
                total += weights[n, k] * v
            out[n, i] = total
