"""ROS 2 messages out of plain numbers and arrays. Frame 'map' is W, 'uav1' a robot's root, 'uav1/…' what it carries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from volery.bus.conversion import message_of
from volery.bus.types import message_class
from volery.core.clock import SECOND
from volery.core.frames import quat_from_matrix
from volery.sensors.outputs import cloud_fields, float_fields

__all__ = [
    "clock", "cloud", "floats", "header", "joint_state", "odometry", "packed", "point",
    "pose_stamped", "quaternion", "text", "time", "transform", "transforms", "twist_stamped", "vector",
    "wrench_stamped",
]  # fmt: skip

_UNKNOWN_36 = np.zeros(36)
Vector = Sequence[float] | np.ndarray


def time(stamp_ns: int) -> Any:
    """Simulated time."""
    return message_class("builtin_interfaces/msg/Time")(sec=int(stamp_ns // SECOND), nanosec=int(stamp_ns % SECOND))


def header(stamp_ns: int, frame: str) -> Any:
    """When and where."""
    return message_class("std_msgs/msg/Header")(stamp=time(stamp_ns), frame_id=frame)


def clock(now_ns: int) -> Any:
    """The simulation's clock."""
    return message_class("rosgraph_msgs/msg/Clock")(clock=time(now_ns))


def vector(v: Vector) -> Any:
    """A vector of three."""
    x, y, z = (float(c) for c in v)
    return message_class("geometry_msgs/msg/Vector3")(x=x, y=y, z=z)


def point(p: Vector) -> Any:
    """A place."""
    x, y, z = (float(c) for c in p)
    return message_class("geometry_msgs/msg/Point")(x=x, y=y, z=z)


def quaternion(q_wxyz: Vector) -> Any:
    """A rotation; ROS writes the scalar last."""
    w, x, y, z = (float(c) for c in q_wxyz)
    return message_class("geometry_msgs/msg/Quaternion")(x=x, y=y, z=z, w=w)


def pose(p: Vector, q_wxyz: Vector) -> Any:
    """Position and attitude."""
    return message_class("geometry_msgs/msg/Pose")(position=point(p), orientation=quaternion(q_wxyz))


def pose_stamped(stamp_ns: int, frame: str, p: Vector, q_wxyz: Vector) -> Any:
    """A pose with its time and frame."""
    return message_class("geometry_msgs/msg/PoseStamped")(header=header(stamp_ns, frame), pose=pose(p, q_wxyz))


def twist(v: Vector, w: Vector) -> Any:
    """Velocity and angular velocity."""
    return message_class("geometry_msgs/msg/Twist")(linear=vector(v), angular=vector(w))


def twist_stamped(stamp_ns: int, frame: str, v: Vector, w: Vector = (0.0, 0.0, 0.0)) -> Any:
    """A twist with its time and frame."""
    return message_class("geometry_msgs/msg/TwistStamped")(header=header(stamp_ns, frame), twist=twist(v, w))


def wrench_stamped(stamp_ns: int, frame: str, force: Vector, torque: Vector) -> Any:
    """Force and torque with their time and frame."""
    wrench = message_class("geometry_msgs/msg/Wrench")(force=vector(force), torque=vector(torque))
    return message_class("geometry_msgs/msg/WrenchStamped")(header=header(stamp_ns, frame), wrench=wrench)


def odometry(
    stamp_ns: int, frame: str, child: str, p: Vector, q_wxyz: Vector, v: Vector,
    w: Vector,
) -> Any:  # fmt: skip
    """A pose in `frame`, with the twist in the axes of `child`, as ROS wants it."""
    kinds = ("PoseWithCovariance", "TwistWithCovariance")
    with_pose, with_twist = (message_class(f"geometry_msgs/msg/{kind}") for kind in kinds)
    return message_class("nav_msgs/msg/Odometry")(
        header=header(stamp_ns, frame),
        child_frame_id=child,
        pose=with_pose(pose=pose(p, q_wxyz), covariance=_UNKNOWN_36),
        twist=with_twist(twist=twist(v, w), covariance=_UNKNOWN_36),
    )


def transform(stamp_ns: int, frame: str, child: str, X: np.ndarray) -> Any:
    """Where `child` is in `frame`, X [3, 4]."""
    inner = message_class("geometry_msgs/msg/Transform")
    moved = inner(translation=vector(X[:, 3]), rotation=quaternion(quat_from_matrix(X[:, :3])))
    kind = message_class("geometry_msgs/msg/TransformStamped")
    return kind(header=header(stamp_ns, frame), child_frame_id=child, transform=moved)


def transforms(parts: list[Any]) -> Any:
    """Many transforms at once, for /tf."""
    return message_class("tf2_msgs/msg/TFMessage")(transforms=parts)


def joint_state(
    stamp_ns: int, frame: str, names: Sequence[str], position: np.ndarray, velocity: np.ndarray, effort: np.ndarray
) -> Any:
    """Joints by name [rad or m, per second, N m or N]."""
    arrays = (np.asarray(a, np.float64) for a in (position, velocity, effort))
    return message_class("sensor_msgs/msg/JointState")(header(stamp_ns, frame), list(names), *arrays)


def cloud(stamp_ns: int, frame: str, fields: dict[str, np.ndarray]) -> Any:
    """Points as PointCloud2: one array [n] per field, packed in this order."""
    return message_of("sensor_msgs/msg/PointCloud2", cloud_fields(fields), stamp_ns, frame)


def text(words: str) -> Any:
    """Words."""
    return message_class("std_msgs/msg/String")(data=words)


def packed(data: bytes) -> Any:
    """Bytes that only we read."""
    layout = message_class("std_msgs/msg/MultiArrayLayout")(dim=[], data_offset=0)
    return message_class("std_msgs/msg/UInt8MultiArray")(layout=layout, data=np.frombuffer(data, np.uint8))


def floats(array: np.ndarray) -> Any:
    """Vector of any shape, for readings that ROS has no message for."""
    return message_of("std_msgs/msg/Float64MultiArray", float_fields(array))
