"""Robots as URDF for /robot_description, with links named as frames are, and the meshes that it refers to as STL."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from volery.bus.ros2 import FrameNames, Ros2Config
from volery.core.frames import euler_from_quat, quat_from_matrix, quat_from_vector, transform
from volery.core.geometry import Mesh
from volery.robots.description import SLIDE, Joint
from volery.robots.robot import Robot
from volery.sensors.sensor import Sensor

__all__ = ["mesh_name", "robot_urdf", "stl_of"]

_OPTICAL_RPY = (-np.pi / 2, 0.0, -np.pi / 2)
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_UNBOUND = 1e6
"""A joint that goes so far has no ends [rad or m]."""


def robot_urdf(robot: Robot, sensors: dict[str, Sensor], optical: set[str], config: Ros2Config) -> str:
    """A robot at rest: a link for each body, sensor and optical frame, without the prefix of its name.

    A robot_state_publisher with frame_prefix 'uav1/' (or none for plain frames) tells the tree that the run tells."""
    names = FrameNames(Ros2Config(frames="plain"))
    frames = [names.body(robot, b, sensors) for b in range(len(robot.description.bodies))]
    parts = [f"<robot name={quoteattr(robot.name)}>"]
    for b, frame in enumerate(frames):
        parts += [f"<link name={quoteattr(frame)}>", *_visuals(robot, b, config), "</link>"]
        if b > 0:
            parts += _way(robot, b, frames[int(robot.description.parent[b])], frame)
    for sensor in sensors.values():
        own = names.sensor(sensor)
        parts += [f"<link name={quoteattr(own)}/>", *_fixed(frames[sensor.body], own, sensor.X_BS)]
        if sensor.name in optical:
            parts.append(f"<link name={quoteattr(own + '_optical')}/>")
            parts += _joint(f"{own}_optical_joint", "fixed", own, f"{own}_optical", _origin((0, 0, 0), _OPTICAL_RPY))
    return "\n".join([*parts, "</robot>\n"])


# Joints


def _way(robot: Robot, b: int, parent: str, frame: str) -> Iterator[str]:
    """From the parent's link to a body's: through the axes of its joints, each a link of its own."""
    X = robot.description.X_PB[b]
    joints = [j for j in robot.description.joints if j.body == b]
    if not joints:
        yield from _fixed(parent, frame, X)
        return
    for k, joint in enumerate(joints):
        last = k == len(joints) - 1
        centred = not joint.anchor_B.any()
        child = frame if last and centred else f"{frame}__{joint.name}"
        if child != frame:
            yield f"<link name={quoteattr(child)}/>"
        before = np.column_stack([X[:, :3], X[:, 3] + X[:, :3] @ joint.anchor_B])
        yield from _moving(joint, parent, child, _unrested(before, joint))
        # What is after the axis lies where it lay before, seen from the axis.
        X, parent = np.column_stack([np.eye(3), -joint.anchor_B]), child
    if parent != frame:
        yield from _fixed(parent, frame, X)


def _unrested(X: np.ndarray, joint: Joint) -> np.ndarray:
    """The place of an axis when its joint is at 0, which need not be its rest."""
    if joint.kind == SLIDE:
        return np.column_stack([X[:, :3], X[:, 3] - X[:, :3] @ joint.axis_B * joint.rest])
    turned = transform(quat_from_vector(-joint.rest * np.asarray(joint.axis_B)), np.zeros(3))
    return np.column_stack([X[:, :3] @ turned[:, :3], X[:, 3]])


def _moving(joint: Joint, parent: str, child: str, X: np.ndarray) -> list[str]:
    free = joint.low < -_UNBOUND or joint.high > _UNBOUND
    kind = "prismatic" if joint.kind == SLIDE else "continuous" if free else "revolute"
    low, high = (-_UNBOUND, _UNBOUND) if free else (joint.low, joint.high)
    limit = "" if kind == "continuous" else f'<limit lower="{low:.9g}" upper="{high:.9g}" effort="0" velocity="0"/>'
    axis = f'<axis xyz="{_numbers(joint.axis_B)}"/>'
    return _joint(joint.name, kind, parent, child, f"{_placed(X)}{axis}{limit}")


def _fixed(parent: str, child: str, X: np.ndarray) -> list[str]:
    return _joint(f"{child}_joint", "fixed", parent, child, _placed(X))


def _joint(name: str, kind: str, parent: str, child: str, inner: str) -> list[str]:
    ends = f"<parent link={quoteattr(parent)}/><child link={quoteattr(child)}/>"
    return [f"<joint name={quoteattr(name)} type={quoteattr(kind)}>{ends}{inner}</joint>"]


def _placed(X: np.ndarray) -> str:
    return _origin(X[:, 3], euler_from_quat(quat_from_matrix(X[:, :3])))


def _origin(p: object, rpy: object) -> str:
    return f'<origin xyz="{_numbers(p)}" rpy="{_numbers(rpy)}"/>'


def _numbers(values: object) -> str:
    return " ".join(f"{v:.9g}" for v in np.asarray(values, float) + 0.0)


# Shapes


def mesh_name(robot: Robot, body: int, part: int) -> str:
    """The name under which one colour of a body is served; bodies of robots of one kind share theirs."""
    return f"{robot.description.path.stem}/{body}-{part}.stl"


def _shapes(robot: Robot, body: int) -> list[Mesh]:
    """What is seen of a body; a skin belongs to the root, as it was bound."""
    found = [robot.description.shapes[body]] if body in robot.description.shapes else []
    return found + ([skin.mesh for skin in robot.description.skins] if body == 0 else [])


def _parts(robot: Robot, body: int) -> list[tuple[Mesh, int]]:
    """Meshes and their materials by number: what is of one colour."""
    shapes = _shapes(robot, body)
    used = [range(1) if mesh.face_material is None else np.unique(mesh.face_material).tolist() for mesh in shapes]
    return [(mesh, int(i)) for mesh, numbers in zip(shapes, used, strict=True) for i in numbers]


def _visuals(robot: Robot, body: int, config: Ros2Config) -> Iterator[str]:
    boxed: list[Mesh] = []
    for part, (mesh, number) in enumerate(_parts(robot, body)):
        if not config.port and any(mesh is other for other in boxed):
            continue
        boxed.append(mesh)
        shape = _mesh_or_box(robot, body, part, mesh, config)
        material = mesh.materials[number]
        # RViz takes colours as sRGB; the material has linear ones.
        colour = _numbers([min(max(c, 0.0), 1.0) ** (1 / 2.2) for c in material.colour])
        name = quoteattr(f"{robot.description.path.stem} {material.name}")
        paint = f'<material name={name}><color rgba="{colour} {1 - material.transparency:.9g}"/></material>'
        yield f"<visual>{shape}{paint}</visual><collision>{shape}</collision>"


def _mesh_or_box(robot: Robot, body: int, part: int, mesh: Mesh, config: Ros2Config) -> str:
    if config.port:
        where = f"http://{config.host}:{config.port}/{mesh_name(robot, body, part)}"
        return f"<geometry><mesh filename={quoteattr(where)}/></geometry>"
    low, high = mesh.vertices.min(0), mesh.vertices.max(0)
    box = f'<geometry><box size="{_numbers(high - low)}"/></geometry>'
    return _origin((low + high) / 2, (0, 0, 0)) + box


def stl_of(robot: Robot, body: int, part: int) -> bytes | None:
    """One colour of a body as binary STL, in the body's frame [m]; None: there is no such."""
    parts = _parts(robot, body) if 0 <= body < len(robot.description.bodies) else []
    if not 0 <= part < len(parts):
        return None
    mesh, number = parts[part]
    faces = mesh.faces if mesh.face_material is None else mesh.faces[mesh.face_material == number]
    table = np.zeros(len(faces), _TRIANGLE)
    corners = mesh.vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    table["corners"] = corners
    table["normal"] = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0)
    return b"Volery".ljust(80) + len(faces).to_bytes(4, "little") + table.tobytes()
