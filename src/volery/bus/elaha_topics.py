"""The 21 topics of the ELAHA platform: names, types, directions and how often."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TOPICS", "ElahaTopic", "face_name"]


_FACES = ("x_pos", "x_neg", "y_pos", "y_neg", "z_pos", "z_neg")


def face_name(face: str) -> str:
    """Of the topic of a face of the scanner."""
    axis, side = face.split("_")
    return f"ScannerFace{axis.upper()}{side.capitalize()}"


class ElahaTopic(NamedTuple):
    """One of the platform's topics."""

    name: str
    type: str
    out: bool
    """Whether the platform says it; else it hears it."""
    when: str
    """How often."""
    about: str


def _topics() -> dict[str, ElahaTopic]:
    point, turn, move = "geometry_msgs/msg/Point", "geometry_msgs/msg/Quaternion", "geometry_msgs/msg/Transform"
    many, alive, cloud = "std_msgs/msg/Float64MultiArray", "std_msgs/msg/Bool", "sensor_msgs/msg/PointCloud2"
    step, scan, told = "every step", "every box scan", "when told"
    rows = [
        ElahaTopic("PlanePosition", point, True, step, "place of the root in W [m]"),
        ElahaTopic("PlaneOrientation", turn, True, step, "attitude of the root"),
        ElahaTopic("PositionSimulation", point, True, step, "the same, as physics has it"),
        ElahaTopic("TrafoToCollision", move, True, step, "the root in W"),
        ElahaTopic("TrafoPCToCollision", move, True, scan, "points of the clouds, in W, into the axes of the root"),
        ElahaTopic("volume", "geometry_msgs/msg/Vector3", True, scan, "edges of the scanned box [m]"),
        ElahaTopic("Joystick", "sensor_msgs/msg/Joy", True, step, "stick of keys and gamepad: forward, left, up, turn"),
        ElahaTopic("UE4Online", alive, True, "once a second", "heartbeat"),
        *(ElahaTopic(face_name(f), cloud, True, scan, "a face of the box in W") for f in _FACES),
        ElahaTopic("NewPlanePosition", point, False, told, "put the root there [m]"),
        ElahaTopic("NewPlaneOrientation", turn, False, told, "turn the root so"),
        ElahaTopic("NewBonePositions", many, False, told, "[b, 2]: bend up and twist of bones 1 … b [rad]"),
        ElahaTopic("Thermal", many, False, told, "x, y [m], strength [m/s], radius [m] of rising air; drawn"),
        ElahaTopic("Vector", many, False, told, "x, y, z, dx, dy, dz in W [m]; drawn"),
        ElahaTopic("vector_elaha", many, False, told, "the same in the axes of the root, on which it rides; drawn"),
        ElahaTopic("MatlabOnline", alive, False, told, "the other side's heartbeat"),
    ]
    return {row.name: row for row in rows}


TOPICS: dict[str, ElahaTopic] = _topics()
