"""A robot's file made ready for the common model: named, driven, free to move, and checked."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import mujoco
import numpy as np

from volery.core.frames import matrix_from_quat, quat_normalise
from volery.errors import RobotError
from volery.robots.description import Description, load_spec
from volery.robots.modeltext import file_of

__all__ = ["ROOT", "SERVO", "Template", "attach", "template_of"]

_log = logging.getLogger("volery")

SERVO = "volery-servo/"
"""Names of the motors that are added for commands begin with this; the joint's name follows."""
ROOT = "volery-root"
"""Name of joints and bodies that make a robot's root free."""
_PLANE, _MESH = int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_MESH)
_HOLLOW = 1.3
"""A hull so many times as large as its mesh is worth a word."""
_FREE, _BALL = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL
_OPTIONS = tuple(name for name in dir(mujoco.MjSpec().option) if not name.startswith("_"))
_INERTIA_OF_ALL = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
_UNSUPPORTED = {
    "nflex": "deformable flexes: build it of bones (bodies with spring joints)",
    "nplugin": "plugins: their state cannot be carried over when robots come and go",
    "nhistory": "delays of actuators or sensors: give sensors their delay in the robot file",
    "nplastic": "springs that yield (springyield): leave it out",
    "nmocap": "mocap bodies: make that part a robot of its own",
}


@dataclass(frozen=True, eq=False)
class Template:
    """One kind of robot as it enters the model; robots of a kind share it."""

    path: Path
    spec: mujoco.MjSpec
    """To be copied, since attaching eats it up."""
    whole: bool
    """The root is all that the file has under the world, not one body of it."""
    free: bool
    """The root moves freely; else it is fixed to the world, or hangs in it by joints of its own."""
    motors: tuple[str, ...]
    """Actuators of the file itself, in order."""
    collides: tuple[str, ...]
    """Geoms that touch other robots."""
    moves: tuple[str, ...]
    """Those of them that may move, and so touch the world."""
    model: mujoco.MjModel
    """The robot alone, its names prefixed by a '/'."""
    areas: np.ndarray
    """What the box round each body shows to the wind along the body's axes, [b, 3] [m²]."""


def template_of(description: Description, fixed: bool = False, rotors: tuple[str, ...] = ()) -> Template:
    """The template of a robot; rotors: joints that do not turn in it, since a model of their own makes their thrust."""
    path = description.path
    try:
        return _template(path, file_of(path).stat().st_mtime_ns, description.bodies, fixed, rotors)
    except (ValueError, mujoco.FatalError) as error:
        said = " ".join(str(error).split()).replace("name '/", "name '")
        raise RobotError(f"{path}: {said}") from None


def attach(parent: mujoco.MjSpec, template: Template, prefix: str) -> None:
    """Put a robot of this kind into a model; all its names get the prefix."""
    holder = parent.worldbody
    if template.whole:
        holder = holder.add_body(name=prefix + ROOT)
        if template.free:
            holder.add_freejoint(name=f"{prefix}{ROOT}-joint")
    child = template.spec.copy()
    for name in _OPTIONS:
        # Gravity, the step and how it is solved are not a robot's business.
        setattr(child.option, name, getattr(parent.option, name))
    parent.attach(child, prefix=prefix, frame=holder.add_frame())


@lru_cache(maxsize=64)
def _template(path: Path, _modified: int, bodies: tuple[str, ...], fixed: bool, rotors: tuple[str, ...]) -> Template:
    spec = load_spec(path)
    alone = spec.compile()
    whole = alone.nbody == len(bodies)
    _refuse_unsupported(alone, path)
    _name_all(spec, bodies)
    areas = _areas(alone, len(bodies))
    _strip(spec, whole)
    for name in rotors:
        spec.delete(spec.joint(name))
    free = not fixed if whole else _set_free(spec, fixed)
    motors = tuple(a.name for a in spec.actuators)
    for joint in spec.joints:
        if joint.type not in (_FREE, _BALL):
            _add_servo(spec, joint.name)
    collides = tuple(g.name for g in spec.geoms if g.contype or g.conaffinity)
    trial = mujoco.MjSpec()
    draft = Template(path, spec, whole, free, motors, collides, (), alone, areas)
    attach(trial, draft, "/")
    model = trial.compile()
    _check_balls(model, path)
    _note_hulls(model, path)
    moves = tuple(g for g in collides if model.body_weldid[model.geom(f"/{g}").bodyid[0]] != 0)
    return replace(draft, moves=moves, model=model)


def _refuse_unsupported(model: mujoco.MjModel, path: Path) -> None:
    for size, what in _UNSUPPORTED.items():
        if getattr(model, size):
            raise RobotError(f"{path}: the engine 'mujoco' does not take {what}")


def _name_all(spec: mujoco.MjSpec, bodies: tuple[str, ...]) -> None:
    """Names for what the file left unnamed, the same ones that the robot's description gives."""
    first = len(spec.bodies) - len(bodies)
    for body in spec.bodies:
        if body.id >= max(first, 1):
            body.name = bodies[body.id - first]
    for kind in ("joint", "geom", "actuator"):
        items = list(getattr(spec, f"{kind}s"))
        taken = {i.name for i in items}
        for item in items:
            while not item.name:
                item.name = _free_name(f"{kind}{item.id}", taken)


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def _strip(spec: mujoco.MjSpec, whole: bool) -> None:
    """Take out what physics does not need, and a ground that some files bring along: that is the world's business."""
    lists = ("keys", "sensors", "skins", "lights", "cameras", "tuples", "numerics", "texts")
    for item in [i for name in lists for i in getattr(spec, name)]:
        spec.delete(item)
    if not whole:
        for geom in list(spec.worldbody.geoms):
            spec.delete(geom)
    if spec.compiler.inertiafromgeom != _INERTIA_OF_ALL:
        # Masses stay those of all shapes; a step need not carry along the ones that only show.
        spec.discard_visual()


def _set_free(spec: mujoco.MjSpec, fixed: bool) -> bool:
    """Give the root a free joint, or take it away; a root with joints of its own hangs by those."""
    root = spec.worldbody.bodies[0]
    joints = list(root.joints)
    if fixed and joints and joints[0].type == _FREE:
        spec.delete(joints[0])
        return False
    if not fixed and not joints:
        root.add_freejoint(name=ROOT)
        return True
    return bool(joints) and joints[0].type == _FREE


def _add_servo(spec: mujoco.MjSpec, joint: str) -> None:
    """A motor that is idle until a command gives it gains; nothing of the file's defaults may reach it."""
    spec.add_actuator(
        name=SERVO + joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT, gainprm=np.zeros(10),
        biasprm=np.zeros(10), gaintype=mujoco.mjtGain.mjGAIN_FIXED, biastype=mujoco.mjtBias.mjBIAS_AFFINE,
        dyntype=mujoco.mjtDyn.mjDYN_NONE, gear=[1.0, 0, 0, 0, 0, 0], ctrllimited=0, forcelimited=0, actlimited=0,
    )  # fmt: skip


def _check_balls(model: mujoco.MjModel, path: Path) -> None:
    """A ball shows as a bone, which comes after all joints of its body."""
    for j in np.flatnonzero(model.jnt_type == int(_BALL)):
        body = int(model.jnt_bodyid[j])
        if j != model.body_jntadr[body] + model.body_jntnum[body] - 1:
            name = model.joint(int(j)).name.lstrip("/")
            raise RobotError(f"{path}: joint '{name}': a ball must be the last joint of its body")


def _areas(model: mujoco.MjModel, bodies: int) -> np.ndarray:
    """Sides of the box round all shapes of each body, across its axes, [b, 3] [m²]."""
    first = model.nbody - bodies
    areas = np.zeros((bodies, 3))
    for b in range(bodies):
        geoms = np.flatnonzero((model.geom_bodyid == first + b) & (model.geom_type != _PLANE))
        if len(geoms) == 0:
            continue
        R = matrix_from_quat(quat_normalise(model.geom_quat[geoms]))
        middle, half = model.geom_aabb[geoms, :3], model.geom_aabb[geoms, 3:]
        centre = model.geom_pos[geoms] + np.einsum("nij,nj->ni", R, middle)
        reach = np.einsum("nij,nj->ni", np.abs(R), half)
        x, y, z = (centre + reach).max(axis=0) - (centre - reach).min(axis=0)
        areas[b] = y * z, z * x, x * y
    return areas


def _note_hulls(model: mujoco.MjModel, path: Path) -> None:
    """Say once where a mesh touches things with far more than itself, since it collides as its convex hull."""
    touching = (model.geom_type == _MESH) & ((model.geom_contype != 0) | (model.geom_conaffinity != 0))
    for mesh in np.unique(model.geom_dataid[touching]).tolist():
        corners = model.mesh_vert[model.mesh_vertadr[mesh] : model.mesh_vertadr[mesh] + model.mesh_vertnum[mesh]]
        start, graph = int(model.mesh_faceadr[mesh]), int(model.mesh_graphadr[mesh])
        if graph < 0:
            continue
        # MuJoCo's graph of a hull: numbers of corners and faces, two lists by corner, one by edge, then the faces
        count, faces = model.mesh_graph[graph : graph + 2].tolist()
        first = graph + 2 + 3 * count + 3 * faces
        hull = _volume(corners, model.mesh_graph[first : first + 3 * faces].reshape(-1, 3))
        own = _volume(corners, model.mesh_face[start : start + int(model.mesh_facenum[mesh])])
        if hull > _HOLLOW * own:
            name = model.mesh(mesh).name.lstrip("/")
            _log.warning(
                "%s: mesh '%s' is not convex: it touches things as its convex hull, %.1f times as large; "
                "give it several convex geoms instead", path, name, hull / max(own, 1e-12),
            )  # fmt: skip


def _volume(corners: np.ndarray, faces: np.ndarray) -> float:
    """Of a closed surface [m³]."""
    a, b, c = (corners[faces[:, i]].astype(float) for i in range(3))
    return abs(float(np.einsum("ni,ni->", a, np.cross(b, c)))) / 6.0
