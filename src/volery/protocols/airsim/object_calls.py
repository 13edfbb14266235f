"""Calls about things: which there are, where, how large, of what, and ones that come and go."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_matrix
from volery.core.palette import PALETTE
from volery.core.patterns import TextPattern
from volery.errors import SimulationError, UnknownNameError
from volery.protocols.airsim.arguments import NedPose, finite, finite_pose, finite_vector, flag, pose, rpc, text, whole
from volery.protocols.airsim.codec import PackedValue, floats, packed_list, packed_map, whole_numbers
from volery.protocols.airsim.ned import (
    ned_pose,
    pose_map,
    quaternion_enu,
    quaternion_map,
    to_enu,
    unreal,
    unreal_quaternion,
    vector_map,
)
from volery.protocols.airsim.objects import SKY
from volery.protocols.airsim.textures import mean_colour
from volery.world.scene.edits import ASSETS
from volery.world.scene.scene import SceneObject

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["box_of", "check_room", "object_pose"]

_NOWHERE = pose_map(np.full(3, np.nan), np.full(4, np.nan))
_DENSITY = 400.0
"""Of things that physics moves [kg/m³]."""
_MOST_SCALE = 1e4
_MOST_MADE = 10_000
"""Things that clients made and that are there."""
_MOST_BODIES = 256
"""Robots, those that are things included, beyond which clients add none."""
_MOST_SHAPES = 1000
_MOST_TAGS = 100


def _scale(X_WO: np.ndarray) -> np.ndarray:
    return np.linalg.norm(X_WO[:, :3], axis=0)


def _rigid(X_WO: np.ndarray) -> np.ndarray:
    """A pose without its scale."""
    return np.concatenate([X_WO[:, :3] / _scale(X_WO), X_WO[:, 3:]], axis=1)


def _pose_W(door: AirSim, where: NedPose, scale: np.ndarray) -> np.ndarray:
    """A pose in world NED as ours, with a scale, [3, 4]."""
    R = matrix_from_quat(quaternion_enu(where.q_wxyz)) * scale
    return np.concatenate([R, (door.origin_W + to_enu(where.p))[:, None]], axis=1)


def _item(door: AirSim, name: str) -> SceneObject | None:
    return door.simulation.scene.objects.get(name)


def box_of(item: SceneObject) -> np.ndarray:
    """Corners in W of the boxes round a thing's parts, [8·k, 3]."""
    pick = np.array([[(i >> k) & 1 for k in range(3)] for i in range(8)])
    corners = []
    for X, kind in zip(item.X_WO, item.body.kinds, strict=True):
        bounds = item.meshes[kind].bounds
        corners.append(np.where(pick, bounds[1], bounds[0]) @ X[:, :3].T + X[:, 3])
    return np.concatenate(corners)


def object_pose(door: AirSim, name: str) -> dict[str, Any]:
    """A thing's pose in world NED; NaN if there is none."""
    item = _item(door, name)
    return _NOWHERE if item is None else pose_map(*ned_pose(_rigid(item.X_WO[0]), door.origin_W))


@rpc("simListSceneObjects", text, where="work")
def list_objects(door: AirSim, regex: str) -> list[str]:
    """Names that a pattern fits."""
    pattern = TextPattern(regex)
    return [n for n in door.in_loop(door.objects.names) if pattern.fits(n)]


@rpc("simListAssets", where="now")
def list_assets(door: AirSim) -> list[str]:
    """What can be spawned."""
    return sorted(ASSETS)


@rpc("simGetObjectPose", text, flag, least=1)
def get_pose(door: AirSim, name: str, in_ned: bool = True) -> dict[str, Any]:
    """Where a thing is."""
    item = _item(door, name)
    if item is None or in_ned:
        return object_pose(door, name)
    X = _rigid(item.X_WO[0])
    return {"position": vector_map(unreal(X[:, 3])), "orientation": quaternion_map(unreal_quaternion(X[:, :3]))}


@rpc("simSetObjectPose", text, pose, flag)
def set_pose(door: AirSim, name: str, where: NedPose, teleport: bool) -> bool:
    """Put a thing elsewhere; without teleport it stops at what is in its way."""
    item = _item(door, name)
    if item is None:
        return False
    X = item.X_WO[0]
    p_now, _ = ned_pose(_rigid(X), door.origin_W)
    p = np.where(np.isnan(where.p), p_now, where.p)
    R = X[:, :3] if np.isnan(where.q_wxyz).any() else matrix_from_quat(quaternion_enu(where.q_wxyz)) * _scale(X)
    goal = np.concatenate([R, (door.origin_W + to_enu(p))[:, None]], axis=1)
    if not teleport:
        goal[:, 3] = _swept(door, item, goal[:, 3])
    if name in door.simulation.robots:
        door.simulation.place(name, goal[:, 3], quat_from_matrix(_rigid(goal)[:, :3]))
        if name in door.vehicles:
            door.vehicles[name].look()
    else:
        door.simulation.alter("move", name, goal)
    return True


def _swept(door: AirSim, item: SceneObject, goal: np.ndarray) -> np.ndarray:
    """How far a thing gets on the straight way to a place: the first of its corners that meets another stops it."""
    way = goal - item.X_WO[0][:, 3]
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return goal
    starts = box_of(item)
    # From just outside its own box, so that its own surface is not in the way.
    hits = door.simulation.scene.cast(starts + way / length * 0.01, np.tile(way, (len(starts), 1)), max_range=length)
    others = np.array([n is not None and n != item.name for n in hits.names])
    free = float(hits.distance[others].min(initial=length))
    return item.X_WO[0][:, 3] + way / length * min(free, length)


@rpc("simGetObjectScale", text)
def get_scale(door: AirSim, name: str) -> dict[str, float]:
    """How large a thing is against its mesh; zeros if there is none."""
    item = _item(door, name)
    return vector_map(np.zeros(3) if item is None else _scale(item.X_WO[0]))


def _checked_scale(scale: np.ndarray) -> np.ndarray:
    if not ((np.abs(scale) > 1e-4) & (np.abs(scale) < _MOST_SCALE)).all():
        raise SimulationError(f"a scale of {scale.tolist()}: each must be 0.0001 to {_MOST_SCALE:g}")
    return np.abs(scale)


@rpc("simSetObjectScale", text, finite_vector)
def set_scale(door: AirSim, name: str, scale: np.ndarray) -> bool:
    """Make a thing larger or smaller."""
    item = _item(door, name)
    if item is None or name in door.simulation.robots:
        return False
    X = _rigid(item.X_WO[0])
    door.simulation.alter("move", name, np.concatenate([X[:, :3] * _checked_scale(scale), X[:, 3:]], axis=1))
    return True


@rpc("simSpawnObject", text, text, finite_pose, finite_vector, flag, flag, least=4)
def spawn(
    door: AirSim,
    name: str,
    asset: str,
    where: NedPose,
    scale: np.ndarray,
    physics: bool = False,
    blueprint: bool = False,
) -> str:
    """A new thing; returns the name that it got."""
    if asset not in ASSETS:
        raise UnknownNameError("asset", asset, ASSETS)
    if not name or len(name) > 200:
        raise SimulationError("a thing needs a name of 1 to 200 characters")
    moves = physics and ASSETS[asset] in _SOLID
    if moves:
        # What physics moves is a robot, and named like one.
        name = re.sub(r"[^A-Za-z0-9_-]", "_", name if name[0].isalpha() else f"Thing_{name}")
    check_room(door, 0 if moves else len(door.simulation.environment.edits.made))
    final = _free_name(door, name)
    X = _pose_W(door, where, _checked_scale(scale))
    if moves:
        _spawn_body(door, final, ASSETS[asset], X)
    else:
        door.simulation.alter("make", final, asset, X)
    return final


def check_room(door: AirSim, made: int = 0) -> None:
    """Refuse a robot or a thing more if there are very many. made: things that are there already."""
    if len(door.simulation.robots) >= _MOST_BODIES:
        raise SimulationError(f"there are {_MOST_BODIES} robots; take some away first")
    if made >= _MOST_MADE:
        raise SimulationError(f"there are {_MOST_MADE} things that clients made; take some away first")


def _free_name(door: AirSim, name: str) -> str:
    names = door.simulation.scene.objects
    if not any(name in other for other in names):
        return name
    number = 1
    while f"{name}{number}" in names:
        number += 1
    return f"{name}{number}"


_SOLID = {"cube": "box", "chamfered": "box", "ball": "sphere", "cylinder": "cylinder", "cone": "cylinder"}


def _spawn_body(door: AirSim, name: str, kind: str, X: np.ndarray) -> None:
    """A thing that falls, rolls and can be pushed: a robot without sensors."""
    half = _scale(X) / 2
    size = {"box": half, "sphere": half[:1], "cylinder": half[[0, 2]]}[_SOLID[kind]]
    shape = f'<geom type="{_SOLID[kind]}" size="{" ".join(f"{s:.6g}" for s in size)}" density="{_DENSITY:g}"'
    model = (
        f'<mujoco model="{kind}"><worldbody><body name="base"><freejoint/>{shape} rgba="0.55 0.55 0.54 1"/>'
        "</body></worldbody></mujoco>"
    )
    file = _model_file(door, kind, model)
    angles = np.degrees(euler_from_quat(quat_from_matrix(_rigid(X)[:, :3]))).tolist()
    entry = {"type": str(file), "position": X[:, 3].tolist(), "attitude_deg": angles, "physics": "mujoco"}
    door.simulation.spawn(name, entry)


def _model_file(door: AirSim, kind: str, model: str) -> Path:
    """The file of a thing's shape: things of one shape share it, and a rerun finds it again."""
    folder = door.out.absolute() / "things"
    file = folder / f"{kind}-{hashlib.sha256(model.encode()).hexdigest()[:12]}.xml"
    if file.exists():
        return file
    if folder.exists() and len(os.listdir(folder)) >= _MOST_SHAPES:
        raise SimulationError(f"{folder} holds {_MOST_SHAPES} shapes of things; take one of a size that was there")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(model, encoding="utf-8")
    return file


@rpc("simDestroyObject", text)
def destroy(door: AirSim, name: str) -> bool:
    """Take a thing away."""
    if name in door.vehicles or _item(door, name) is None:
        return False
    if name in door.simulation.robots:
        door.simulation.remove(name)
    else:
        door.simulation.alter("destroy", name)
    return True


# Ids and looks


@rpc("simSetSegmentationObjectID", text, whole, flag)
def set_id(door: AirSim, name: str, number: int, regex: bool) -> bool:
    """Give things an id, 0 to 255; −1 takes them out of the picture."""
    if not -1 <= number <= 255:
        raise SimulationError(f"an id of {number}: must be -1 to 255")
    found = door.objects.named(name, regex)
    for one in found:
        door.objects.ids.set(one, number)
    return bool(found)


@rpc("simGetSegmentationObjectID", text)
def get_id(door: AirSim, name: str) -> int:
    """A thing's id; −1 if there is none."""
    found = next((n for n in door.objects.names() if name in (n, n.lower())), None)
    return -1 if found is None else door.objects.ids.of(found)


def _paint(door: AirSim, name: str, colour: tuple[float, float, float]) -> bool:
    if _item(door, name) is None or name in door.simulation.robots:
        return False
    door.simulation.alter("paint", name, colour)
    return True


@rpc("simSwapTextures", text, whole, whole, whole, least=1)
def swap_textures(door: AirSim, tags: str, texture: int = 0, component: int = 0, material: int = 0) -> list[str]:
    """Paint all things whose names begin with one of the tags, in the colour of a number; their names."""
    wanted = tuple(t.strip() for t in tags.split(",", _MOST_TAGS + 1) if t.strip())
    if len(wanted) > _MOST_TAGS:
        raise SimulationError(f"more than {_MOST_TAGS} tags; name fewer at a time")
    red, green, blue = (PALETTE[texture % 255 + 1] / 255.0) ** 2.2
    names = [n for n in door.objects.names() if wanted and n.startswith(wanted) and n != SKY]
    return [n for n in names if _paint(door, n, (float(red), float(green), float(blue)))]


@rpc("simSetObjectMaterial", text, text, whole, least=2)
def set_material(door: AirSim, name: str, material: str, component: int = 0) -> bool:
    """Make a thing of a material that is in the world, by its name: it takes the colour."""
    known = {m.name: m for m in door.simulation.scene.materials.all}
    return material in known and _paint(door, name, known[material].colour)


@rpc("simSetObjectMaterialFromTexture", text, text, whole, least=2, where="work")
def set_texture(door: AirSim, name: str, path: str, component: int = 0) -> bool:
    """Paint a thing in the mean colour of a picture on this machine's disk, below `--out`."""
    colour = mean_colour(door.files, path)
    return colour is not None and door.in_loop(lambda: _paint(door, name, colour))


@rpc("simSetLightIntensity", text, finite)
def set_light(door: AirSim, name: str, intensity: float) -> bool:
    """How strongly a lamp shines; Unreal's 5000 is our 1."""
    if name not in door.simulation.environment.edits.lamps or intensity < 0.0:
        return False
    door.simulation.alter("dim", name, intensity / 5000.0)
    return True


# The whole


@rpc("simGetMeshPositionVertexBuffers", where="picture")
def meshes(door: AirSim) -> Generator[None, None, PackedValue]:
    """All triangles, in Unreal's coordinates; others have their turn between things."""
    items = door.in_loop(lambda: [
        (i.name, i.meshes, i.X_WO.copy(), i.body.kinds) for i in door.simulation.scene.objects.values()
        if i.name not in door.vehicles
    ])  # fmt: skip
    found = []
    for name, own, poses, kinds in items:
        for X, kind in zip(poses, kinds, strict=True):
            found.append(_mesh_map(name.lower(), own[kind], X, door.origin_W))
        yield
    return packed_list(found)


def _mesh_map(name: str, mesh: Any, X: np.ndarray, zero: np.ndarray) -> PackedValue:
    return packed_map({
        "position": vector_map(unreal(X[:, 3] - zero)),
        "orientation": quaternion_map(unreal_quaternion(_rigid(X)[:, :3])),
        "vertices": floats(unreal(mesh.vertices * _scale(X))),
        # Mirrored axes turn triangles inside out: their corners are told the other way round.
        "indices": whole_numbers(mesh.faces[:, ::-1]),
        "name": name,
    })  # fmt: skip
