"""AirSim's frames: north, east, down in metres; bodies forward, right, down. The only place where they meet ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.core.frames import (
    enu_from_ned,
    frd_from_flu,
    ned_from_enu,
    q_enu_flu_from_ned_frd,
    q_ned_frd_from_enu_flu,
    quat_from_euler,
    quat_from_matrix,
    quat_normalise,
)

__all__ = [
    "attitude", "flu", "frd", "geo_map", "ned", "ned_pose", "pose_map", "quaternion_enu", "quaternion_map",
    "quaternion_ned", "to_enu",
    "unreal", "unreal_quaternion", "vector_map", "yaw_enu", "yaw_ned",
]  # fmt: skip

ned, to_enu, frd, flu = ned_from_enu, enu_from_ned, frd_from_flu, frd_from_flu
quaternion_ned, quaternion_enu = q_ned_frd_from_enu_flu, q_enu_flu_from_ned_frd


def yaw_ned(yaw: float) -> float:
    """Clockwise from north [rad], -π to π, of an angle counter-clockwise from east [rad]."""
    return float((np.pi / 2 - yaw + np.pi) % (2 * np.pi) - np.pi)


yaw_enu = yaw_ned
"""Counter-clockwise from east of an angle clockwise from north: the same exchange."""


def vector_map(v: np.ndarray | list[Any]) -> dict[str, float]:
    """Three numbers as AirSim's Vector3r."""
    x, y, z = v.tolist() if isinstance(v, np.ndarray) else v
    return {"x_val": x, "y_val": y, "z_val": z}


def quaternion_map(q_wxyz: np.ndarray) -> dict[str, float]:
    """A quaternion as AirSim's Quaternionr."""
    w, x, y, z = q_wxyz.tolist()
    return {"w_val": w, "x_val": x, "y_val": y, "z_val": z}


def pose_map(p_ned: np.ndarray, q_ned: np.ndarray) -> dict[str, Any]:
    """A place and an attitude as AirSim's Pose."""
    return {"position": vector_map(p_ned), "orientation": quaternion_map(q_ned)}


def ned_pose(X_WB: np.ndarray, origin_W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position [m] and attitude, NED from an origin, of an FLU body at a pose in W [3, 4]."""
    return ned(X_WB[:, 3] - origin_W), quaternion_ned(quat_from_matrix(X_WB[:, :3]))


def geo_map(geodetic: np.ndarray) -> dict[str, float]:
    """Latitude, longitude [rad] and height [m] as AirSim's GeoPoint, in degrees."""
    latitude, longitude, height = np.asarray(geodetic, float).tolist()
    return {"latitude": np.degrees(latitude).item(), "longitude": np.degrees(longitude).item(), "altitude": height}


def unreal(p_W: np.ndarray) -> np.ndarray:
    """Points in W [m] as Unreal has them for AirSim: north, east, up in centimetres (left-handed), [..., 3]."""
    return np.asarray(p_W, float)[..., [1, 0, 2]] * 100.0


def unreal_quaternion(R_WO: np.ndarray) -> np.ndarray:
    """Attitude of a thing in Unreal's axes (w, x, y, z), its own axes exchanged likewise."""
    exchange = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return quat_from_matrix(exchange @ R_WO @ exchange)


def attitude(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """q_WB_wxyz of NED angles [rad]: right side down, nose up, clockwise from north."""
    return quaternion_enu(quat_normalise(quat_from_euler(np.array([roll, pitch, yaw]))))
