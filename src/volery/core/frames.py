"""Rotations, poses, and the only place where other people's frames are defined.

Inside Volery: world W is ENU (x east, y north, z up), body B is FLU (x forward, y left, z up), metres and radians,
quaternions scalar first. Names carry frames: R_WB turns vectors of B into W, q_WB_wxyz likewise. All functions are
batched: quaternions [..., 4], vectors [..., 3], matrices [..., 3, 3].
"""

from __future__ import annotations

import numpy as np

__all__ = [
    "cross",
    "enu_from_ned",
    "enu_from_unreal",
    "euler_from_quat",
    "flu_from_frd",
    "frd_from_flu",
    "matrix_from_quat",
    "ned_from_enu",
    "q_enu_flu_from_ned_frd",
    "q_ned_frd_from_enu_flu",
    "quat_conjugate",
    "quat_from_axis_angle",
    "quat_from_euler",
    "quat_from_matrix",
    "quat_from_rotator",
    "quat_from_vector",
    "quat_multiply",
    "quat_normalise",
    "quat_rotate",
    "rigid_inverse",
    "rotator_from_quat",
    "transform",
    "unreal_from_enu",
]

_HALF = np.sqrt(0.5)
_Q_NED_ENU = np.array([0.0, _HALF, _HALF, 0.0])
_Q_FLU_FRD = np.array([0.0, 1.0, 0.0, 0.0])
_MIRROR_Y = np.array([1.0, -1.0, 1.0])
_CENTIMETRES = 100.0


def quat_normalise(q: np.ndarray) -> np.ndarray:
    """Unit quaternion whose first part other than 0 is positive: the one name of its rotation."""
    q = np.asarray(q, float)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    lead = np.take_along_axis(q, np.argmax(q != 0, axis=-1)[..., None], axis=-1)
    return np.where(lead < 0, -q, q) + 0.0


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of vectors [..., 3], as np.cross gives it, but sooner for single ones."""
    ax, ay, az, bx, by, bz = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def quat_conjugate(q: np.ndarray) -> np.ndarray:
    """The inverse rotation."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def quat_multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """First b, then a: q_AC = q_AB · q_BC."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    scalar = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([scalar, aw * bv + bw * av + cross(av, bv)], axis=-1)


def quat_rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Turn vectors: v_A = q_AB · v_B."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    t = 2.0 * cross(q[..., 1:], v)
    return v + q[..., :1] * t + cross(q[..., 1:], t)


def quat_from_axis_angle(axis: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
    """Rotation by an angle [rad] about an axis of any length > 0."""
    axis = np.asarray(axis, float)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    half = np.asarray(angle, float)[..., None] / 2
    return np.concatenate([np.cos(half) + 0 * axis[..., :1], np.sin(half) * axis], axis=-1)


def quat_from_vector(v: np.ndarray) -> np.ndarray:
    """Rotation by |v| [rad] about v, [..., 3]; none for a null vector."""
    v = np.asarray(v, float)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    # sin(a/2)/a tends to 1/2.
    return np.concatenate([np.cos(angle / 2), v * np.sinc(angle / (2 * np.pi)) / 2], axis=-1)


def quat_from_euler(rpy: np.ndarray) -> np.ndarray:
    """Roll, pitch, yaw [rad], [..., 3]: yaw about z, then pitch about the new y, then roll about the new x."""
    half = np.asarray(rpy, float) / 2
    (cr, cp, cy), (sr, sp, sy) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    return np.stack(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ],
        axis=-1,
    )


def euler_from_quat(q: np.ndarray) -> np.ndarray:
    """Roll, pitch, yaw [rad], [..., 3]; at a pitch of ±90° roll is 0 and yaw takes all."""
    R = matrix_from_quat(q)
    sin_pitch = np.clip(-R[..., 2, 0], -1.0, 1.0)
    pitch = np.arcsin(sin_pitch)
    locked = np.abs(sin_pitch) > 1.0 - 1e-12
    roll = np.where(locked, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    yaw = np.where(locked, np.arctan2(-R[..., 0, 1], R[..., 1, 1]), np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    return np.stack([roll, pitch, yaw], axis=-1)


def matrix_from_quat(q: np.ndarray) -> np.ndarray:
    """Rotation matrix [..., 3, 3] of a unit quaternion."""
    q = np.asarray(q, float)
    w, x, y, z = (q[..., i] for i in range(4))
    R = np.empty((*q.shape[:-1], 3, 3))
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return R


def quat_from_matrix(R: np.ndarray) -> np.ndarray:
    """Unit quaternion of a rotation matrix, from its largest component (Shepperd)."""
    R = np.asarray(R, float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    # Four times the products of the components: each row is the quaternion, times four of its own component.
    products = np.empty((*R.shape[:-2], 4, 4))
    products[..., 0, 0], products[..., 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    products[..., 2, 2], products[..., 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    products[..., 0, 1] = products[..., 1, 0] = R[..., 2, 1] - R[..., 1, 2]
    products[..., 0, 2] = products[..., 2, 0] = R[..., 0, 2] - R[..., 2, 0]
    products[..., 0, 3] = products[..., 3, 0] = R[..., 1, 0] - R[..., 0, 1]
    products[..., 1, 2] = products[..., 2, 1] = R[..., 1, 0] + R[..., 0, 1]
    products[..., 1, 3] = products[..., 3, 1] = R[..., 2, 0] + R[..., 0, 2]
    products[..., 2, 3] = products[..., 3, 2] = R[..., 2, 1] + R[..., 1, 2]
    best = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    return quat_normalise(np.take_along_axis(products, best[..., None, None], axis=-2)[..., 0, :])


def transform(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Pose matrices [..., 3, 4] from quaternions and positions."""
    return np.concatenate([matrix_from_quat(q), np.asarray(p, float)[..., None]], axis=-1)


def rigid_inverse(X: np.ndarray) -> np.ndarray:
    """X_BA from X_AB, for rigid poses [..., 3, 4]."""
    R = np.swapaxes(X[..., :3], -1, -2)
    return np.concatenate([R, -(R @ X[..., 3:])], axis=-1)


def ned_from_enu(v: np.ndarray) -> np.ndarray:
    """East, north, up → north, east, down."""
    v = np.asarray(v, float)
    return np.stack([v[..., 1], v[..., 0], -v[..., 2]], axis=-1)


enu_from_ned = ned_from_enu
"""North, east, down → east, north, up: the same exchange."""


def frd_from_flu(v: np.ndarray) -> np.ndarray:
    """Forward, left, up → forward, right, down."""
    return np.asarray(v, float) * np.array([1.0, -1.0, -1.0])


flu_from_frd = frd_from_flu
"""Forward, right, down → forward, left, up: the same exchange."""


def q_ned_frd_from_enu_flu(q: np.ndarray) -> np.ndarray:
    """Attitude of an FLU body in ENU → of the same body as FRD in NED."""
    return quat_normalise(quat_multiply(quat_multiply(_Q_NED_ENU, q), _Q_FLU_FRD))


def q_enu_flu_from_ned_frd(q: np.ndarray) -> np.ndarray:
    """Attitude of an FRD body in NED → of the same body as FLU in ENU."""
    return quat_normalise(quat_multiply(quat_multiply(quat_conjugate(_Q_NED_ENU), q), quat_conjugate(_Q_FLU_FRD)))


def unreal_from_enu(v: np.ndarray) -> np.ndarray:
    """Metres, right-handed → Unreal centimetres, left-handed: x kept, y mirrored."""
    return np.asarray(v, float) * _MIRROR_Y * _CENTIMETRES


def enu_from_unreal(v: np.ndarray) -> np.ndarray:
    """Unreal centimetres, left-handed → metres, right-handed."""
    return np.asarray(v, float) * _MIRROR_Y / _CENTIMETRES


def rotator_from_quat(q: np.ndarray) -> np.ndarray:
    """Attitude → Unreal's rotator: pitch (nose up), yaw (clockwise), roll (right side down) [degrees]."""
    roll, pitch, yaw = np.moveaxis(euler_from_quat(q), -1, 0)
    return np.degrees(np.stack([-pitch, -yaw, roll], axis=-1))


def quat_from_rotator(rotator: np.ndarray) -> np.ndarray:
    """Unreal's rotator (pitch, yaw, roll) [degrees] → attitude."""
    pitch, yaw, roll = np.moveaxis(np.radians(np.asarray(rotator, float)), -1, 0)
    return quat_from_euler(np.stack([roll, -pitch, -yaw], axis=-1))
