"""What a robot is made of, read from MJCF or URDF by MuJoCo's own parser: bodies, joints, sites, shapes and skins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import mujoco
import numpy as np

from volery.core.frames import quat_normalise, rigid_inverse, transform
from volery.core.geometry import Mesh, merge
from volery.core.material import Material
from volery.errors import RobotError, UnknownNameError
from volery.robots.modeltext import edited_model, file_of, model_text, rigged_file
from volery.robots.rigged import RiggedMesh, load_rigged
from volery.robots.shapes import body_mesh, colour_material, visible_geoms

__all__ = ["HINGE", "SLIDE", "Description", "Joint", "Site", "Skin", "load_description", "load_spec"]

HINGE, SLIDE = 0, 1
_FREE, _BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
_KINDS = {int(mujoco.mjtJoint.mjJNT_HINGE): HINGE, int(mujoco.mjtJoint.mjJNT_SLIDE): SLIDE}


@dataclass(frozen=True)
class Joint:
    """A hinge [rad] or a slide [m] that moves a body against its parent."""

    name: str
    body: int
    kind: int
    axis_B: np.ndarray
    anchor_B: np.ndarray
    low: float
    high: float
    rest: float


@dataclass(frozen=True)
class Site:
    """A named place on a body, such as where a camera sits."""

    body: int
    X_BS: np.ndarray


@dataclass(frozen=True, eq=False)
class Skin:
    """A surface that bends with bones: linear blend of up to 4 bones a vertex."""

    mesh: Mesh
    """As bound, in the root's frame."""
    bones: np.ndarray
    """Body numbers, int32 [n, 4]."""
    weights: np.ndarray
    """Sum 1, float64 [n, 4]."""
    X_BR_bind: np.ndarray
    """The root frame in each bone's frame when the skin was bound, [b, 3, 4]."""


@dataclass(frozen=True, eq=False)
class Description:
    """A robot's structure. Body 0 is the root, parents come before children; bones are bodies by another name."""

    source: str
    path: Path
    """The file it was read from."""
    bodies: tuple[str, ...]
    parent: np.ndarray
    """[b], -1 for the root."""
    X_PB: np.ndarray
    """Place of each body in its parent at rest, [b, 3, 4]; identity for the root."""
    joints: tuple[Joint, ...]
    sites: dict[str, Site]
    shapes: dict[int, Mesh]
    """What rays see of a body, in the body's frame."""
    skins: tuple[Skin, ...]

    def body(self, name: str | int) -> int:
        """Number of a body or bone, by name or number."""
        if isinstance(name, int | np.integer):
            if not 0 <= name < len(self.bodies):
                raise RobotError(
                    f"{self.source}: there is no bone {name}; they are numbered 0 to {len(self.bodies) - 1}"
                )
            return int(name)
        if name not in self.bodies:
            raise UnknownNameError("body", name, self.bodies)
        return self.bodies.index(name)

    def joint(self, name: str | int) -> int:
        """Number of a joint, by name or number."""
        names = [j.name for j in self.joints]
        if isinstance(name, int | np.integer):
            if not 0 <= name < len(names):
                raise RobotError(f"{self.source}: there is no joint {name}; they are numbered 0 to {len(names) - 1}")
            return int(name)
        if name not in names:
            raise UnknownNameError("joint", name, names)
        return names.index(name)

    def site(self, name: str) -> Site:
        """A named place; the name of a body stands for its origin."""
        if name in self.sites:
            return self.sites[name]
        if name in self.bodies:
            return Site(self.body(name), np.eye(3, 4))
        raise UnknownNameError("site or body", name, [*self.sites, *self.bodies])

    def X_RS(self, name: str) -> np.ndarray:
        """A site or body in the root's frame with all joints at rest, [3, 4]."""
        site = self.site(name)
        X, body = site.X_BS, site.body
        while body > 0:
            P = self.X_PB[body]
            X, body = np.column_stack([P[:, :3] @ X[:, :3], P[:, :3] @ X[:, 3] + P[:, 3]]), int(self.parent[body])
        return X


def load_description(path: Path | str, materials: Iterable[Material] = ()) -> Description:
    """Read a robot from an MJCF or URDF file; materials take the place of the file's own of the same names."""
    path = Path(path)
    file = file_of(path)
    if not file.is_file():
        raise RobotError(f"robot model {file} does not exist")
    return _load(path.resolve(), file.stat().st_mtime_ns, tuple(materials))


@lru_cache(maxsize=64)
def _load(path: Path, _modified: int, materials: tuple[Material, ...]) -> Description:
    try:
        model = load_spec(path).compile()
    except (ValueError, mujoco.FatalError) as error:
        raise RobotError(f"{path}: {str(error).strip()}") from None
    known = [model.mat(i).name for i in range(model.nmat)]
    for material in materials:
        if material.name not in known and rigged_file(path) is None:
            raise RobotError(f"{path}: {UnknownNameError('material', material.name, known)}")
    rigged = rigged_file(path)
    if rigged is not None:
        return _dressed(_describe(model, path, {}, bare=True), load_rigged(rigged), {m.name: m for m in materials})
    return _describe(model, path, {m.name: m for m in materials})


def _dressed(bare: Description, rig: RiggedMesh, materials: dict[str, Material]) -> Description:
    """A skeleton with what its file shows of it."""

    def made_of(mesh: Mesh) -> Mesh:
        return mesh.of(*(materials.get(m.name, m) for m in mesh.materials))

    skins = tuple(Skin(made_of(k.mesh), k.bones, k.weights, k.X_BR_bind) for k in rig.skins)
    shapes = {body: made_of(mesh) for body, mesh in rig.shapes.items()}
    known = [m.name for mesh in (*(k.mesh for k in skins), *shapes.values()) for m in mesh.materials]
    for name in materials:
        if name not in known:
            raise RobotError(f"{bare.source}: {UnknownNameError('material', name, known)}")
    return replace(bare, shapes=shapes, skins=skins)


def load_spec(path: Path) -> mujoco.MjSpec:
    """A robot file as MuJoCo's editable model."""
    edited = edited_model(path)
    if edited is not None:
        model, blocks = edited
        spec = load_spec(model)
        for block in blocks.values():
            block.put_on(spec, blocks)
        return spec
    text = model_text(path)
    try:
        return mujoco.MjSpec.from_file(str(path)) if text is None else mujoco.MjSpec.from_string(text)
    except (ValueError, mujoco.FatalError) as error:
        raise RobotError(f"{path}: {str(error).strip()}") from None


def _describe(model: mujoco.MjModel, path: Path, materials: dict[str, Material], *, bare: bool = False) -> Description:
    """The description of a compiled model that holds one robot; bare: nothing need be seen of it."""
    source = path.name
    first = _root(model, source)
    count = model.nbody - first
    parent = model.body_parentid[first:].astype(np.int32) - first
    parent[0] = -1
    X_PB = transform(quat_normalise(model.body_quat[first:]), model.body_pos[first:])
    X_PB[0] = np.eye(3, 4)
    names = tuple(model.body(first + i).name or f"body{i}" for i in range(count))
    shapes = {}
    for body in range(count):
        geoms = visible_geoms(model, first + body)
        if geoms:
            shapes[body] = merge([body_mesh(model, g, materials) for g in geoms], name=f"{source}/{names[body]}")
    description = Description(
        source=source,
        path=path,
        bodies=names,
        parent=parent,
        X_PB=X_PB,
        joints=tuple(_joints(model, first, source)),
        sites=_sites(model, first),
        shapes=shapes,
        skins=_joined([_skin(model, i, first, materials) for i in range(model.nskin)]),
    )
    if not (bare or shapes or description.skins):
        raise RobotError(f"{source}: the robot has no visible shape; give a body a geom or a skin")
    return description


def _root(model: mujoco.MjModel, source: str) -> int:
    """The one body under the world; a URDF's root link is merged into the world itself."""
    children = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0]
    if len(children) == 1 and not visible_geoms(model, 0):
        return children[0]
    free = [j for j in range(model.njnt) if model.jnt_type[j] == _FREE]
    if free or (not children and not visible_geoms(model, 0)):
        raise RobotError(
            f"{source}: a robot file must hold exactly one robot, found {len(children)} bodies under the world"
        )
    return 0


def _joints(model: mujoco.MjModel, first: int, source: str) -> list[Joint]:
    joints = []
    for j in range(model.njnt):
        body, kind = int(model.jnt_bodyid[j]) - first, int(model.jnt_type[j])
        name = model.joint(j).name or f"joint{j}"
        if kind == _FREE and body == 0:
            continue
        if kind == _BALL:
            # A ball is set as a bone: its rotation is the bone's.
            continue
        if kind not in _KINDS:
            raise RobotError(f"{source}: joint '{name}': only the root may have a free joint")
        low, high = model.jnt_range[j] if model.jnt_limited[j] else (-np.inf, np.inf)
        rest = float(model.qpos0[model.jnt_qposadr[j]])
        joints.append(
            Joint(name, body, _KINDS[kind], model.jnt_axis[j].copy(), model.jnt_pos[j].copy(), low, high, rest)
        )
    return joints


def _sites(model: mujoco.MjModel, first: int) -> dict[str, Site]:
    sites = {}
    for i in range(model.nsite):
        body = int(model.site_bodyid[i]) - first
        if body >= 0:
            X = transform(quat_normalise(model.site_quat[i]), model.site_pos[i])
            sites[model.site(i).name or f"site{i}"] = Site(body, X)
    return sites


def _joined(skins: list[Skin]) -> tuple[Skin, ...]:
    """All as one, if they were bound in the same pose: what bends costs by the mesh."""
    if len(skins) < 2:
        return tuple(skins)
    X_BR = skins[0].X_BR_bind.copy()
    for skin in skins:
        followed = np.unique(skin.bones[skin.weights > 0.0])
        known = np.unique(np.concatenate([s.bones[s.weights > 0.0] for s in skins if s is not skin]))
        for b in followed:
            if b in known and any(_bound_apart(skin, s, int(b)) for s in skins):
                return tuple(skins)
            X_BR[b] = skin.X_BR_bind[b]
    starts = np.cumsum([0, *(len(s.mesh.vertices) for s in skins)])
    faces = np.concatenate([s.mesh.faces + start for s, start in zip(skins, starts.tolist(), strict=False)])
    kinds = np.repeat(np.arange(len(skins)), [len(s.mesh.faces) for s in skins]).astype(np.uint8)
    vertices = np.concatenate([s.mesh.vertices for s in skins])
    materials = tuple(s.mesh.materials[0] for s in skins)
    mesh = Mesh(vertices, faces, materials=materials, face_material=kinds, name="skin")
    return (Skin(mesh, np.concatenate([s.bones for s in skins]), np.concatenate([s.weights for s in skins]), X_BR),)


def _bound_apart(one: Skin, other: Skin, body: int) -> bool:
    """Whether both follow a body that stood elsewhere when each was bound."""
    follows = bool((other.bones[other.weights > 0.0] == body).any())
    return follows and not np.allclose(one.X_BR_bind[body], other.X_BR_bind[body])


def _skin(model: mujoco.MjModel, i: int, first: int, materials: dict[str, Material]) -> Skin:
    """A MuJoCo skin with at most 4 weights a vertex."""
    verts = slice(model.skin_vertadr[i], model.skin_vertadr[i] + model.skin_vertnum[i])
    faces = slice(model.skin_faceadr[i], model.skin_faceadr[i] + model.skin_facenum[i])
    vertices = model.skin_vert[verts]
    count = max(model.nbody - first, 4)
    weight = np.zeros((len(vertices), count))
    X_BR = np.tile(np.eye(3, 4), (count, 1, 1))
    for bone in range(model.skin_boneadr[i], model.skin_boneadr[i] + model.skin_bonenum[i]):
        body = model.skin_bonebodyid[bone] - first
        span = slice(model.skin_bonevertadr[bone], model.skin_bonevertadr[bone] + model.skin_bonevertnum[bone])
        weight[model.skin_bonevertid[span], body] += model.skin_bonevertweight[span]
        bind = transform(quat_normalise(model.skin_bonebindquat[bone]), model.skin_bonebindpos[bone])
        X_BR[body] = rigid_inverse(bind)
    bones = np.argsort(-weight, axis=1, kind="stable")[:, :4].astype(np.int32)
    best = np.take_along_axis(weight, bones, axis=1)
    bones[best == 0.0] = 0
    material = colour_material(model.skin_rgba[i], model.skin_matid[i], model, materials)
    mesh = Mesh(vertices, model.skin_face[faces], materials=(material,), name="skin")
    return Skin(mesh, bones, best / best.sum(axis=1, keepdims=True), X_BR[: model.nbody - first])
