"""A robot from a rigged mesh (glTF 2.0): its bones as bodies, its skins and rigid parts as what is seen of them.

The file has y up and looks along +z; the robot has x ahead, y left, z up. Body 0, `root`, is the file's origin; bones
follow it, parents before children, in the file's order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from volery.core.frames import quat_from_matrix, rigid_inverse
from volery.core.geometry import Mesh, merge
from volery.core.material import Material
from volery.core.painting import painted
from volery.errors import RobotError, VoleryError
from volery.robots.gltf import Gltf, read_gltf

__all__ = ["RIGGED", "RiggedMesh", "load_rigged", "rigged_mjcf"]

RIGGED = (".glb", ".gltf")
R_RG = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""The file's axes in the robot's: its +z is ahead, its +x left, its +y up."""
_MOST_FACES = 60_000
"""Of a mesh whose triangles are cut for its texture."""
_TEMPERATURE = 303.15


@dataclass(frozen=True, eq=False)
class BoundMesh:
    """A mesh bound to bones."""

    mesh: Mesh
    bones: np.ndarray
    weights: np.ndarray
    X_BR_bind: np.ndarray


class RiggedMesh:
    """What a file holds, as a robot."""

    def __init__(self, path: Path) -> None:
        self.file: Gltf = read_gltf(path)
        self.path = path
        try:
            self._check()
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise RobotError(f"{path.name}: its parts do not fit together ({error!r}); it is broken") from None

    def _check(self) -> None:
        if not any(n.mesh >= 0 for n in self.file.nodes):
            raise RobotError(f"{self.path.name}: there is no mesh in it")
        _ = self.X_RB, self.names, self.shapes, self.skins

    @cached_property
    def bones(self) -> tuple[int, ...]:
        """Nodes that are bodies after the root: the skins' joints and what lies between them; without a skin, all."""
        nodes, skins = self.file.nodes, self.file.document.get("skins", [])
        chosen = {int(j) for skin in skins for j in skin["joints"]} or set(range(len(nodes)))
        depth = {i: self._depth(i) for i in range(len(nodes))}
        return tuple(sorted(chosen, key=lambda i: (depth[i], i)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all bodies; a name that comes twice gets a number."""
        names, seen = ["root"], {"root": 1}
        for i in self.bones:
            name = self.file.nodes[i].name
            seen[name] = seen.get(name, 0) + 1
            names.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
        return tuple(names)

    @cached_property
    def parent(self) -> tuple[int, ...]:
        """Of each body, -1 for the root."""
        place = {node: i + 1 for i, node in enumerate(self.bones)}
        return (-1, *(place.get(self._above(node), 0) for node in self.bones))

    @cached_property
    def X_RB(self) -> np.ndarray:
        """Rigid poses of all bodies in the root's frame at rest, [b, 3, 4]."""
        X = np.tile(np.eye(3, 4), (len(self.bones) + 1, 1, 1))
        for i, node in enumerate(self.bones):
            X_GN = self.file.nodes[node].X_GN
            R = X_GN[:3, :3] / np.linalg.norm(X_GN[:3, :3], axis=0)
            if not np.isfinite(R).all() or abs(np.linalg.det(R) - 1) > 1e-3:
                raise RobotError(
                    f"{self.path.name}: bone '{self.names[i + 1]}' is sheared, mirrored or of no size; apply its scale "
                    "before exporting"
                )
            X[i + 1] = np.column_stack([R_RG @ R, R_RG @ X_GN[:3, 3]])
        return X

    @cached_property
    def shapes(self) -> dict[int, Mesh]:
        """Rigid meshes by body, in its frame."""
        parts: dict[int, list[Mesh]] = {}
        place = {node: i + 1 for i, node in enumerate(self.bones)}
        for number, node in enumerate(self.file.nodes):
            if node.mesh < 0 or node.skin >= 0:
                continue
            body = place.get(number) or place.get(self._above(number), 0)
            X_BR = rigid_inverse(self.X_RB[body])
            X_BG = np.column_stack([X_BR[:, :3] @ R_RG, X_BR[:, 3]])
            X_BN = X_BG @ node.X_GN
            parts.setdefault(body, []).extend(_moved(mesh, X_BN) for mesh, _ in self._primitives(node.mesh))
        return {body: merge(meshes, name=f"{self.path.name}/{self.names[body]}") for body, meshes in parts.items()}

    @cached_property
    def skins(self) -> list[BoundMesh]:
        """Meshes that bend with bones."""
        return [
            self._bound(node.skin, mesh, found)
            for node in self.file.nodes if node.mesh >= 0 and node.skin >= 0
            for mesh, found in self._primitives(node.mesh)
        ]  # fmt: skip

    def _bound(self, skin: int, mesh: Mesh, corners: dict[str, np.ndarray]) -> BoundMesh:
        """A primitive in the root's frame as it is bound; how bones move it is exact for any pose at rest."""
        row = self.file.document["skins"][skin]
        joints = [int(j) for j in row["joints"]]
        inverse = np.tile(np.eye(4), (len(joints), 1, 1))
        if "inverseBindMatrices" in row:
            inverse = self.file.accessor(row["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        place = {node: i + 1 for i, node in enumerate(self.bones)}
        numbers = np.array([place[j] for j in joints], np.int32)
        X_RG = np.eye(4)
        X_RG[:3, :3] = R_RG
        carried = np.array([X_RG @ self.file.nodes[j].X_GN @ m for j, m in zip(joints, inverse, strict=True)])
        bones, weights = _strongest(corners, len(joints))
        first = carried[int(np.bincount(bones.ravel(), weights.ravel(), minlength=len(joints)).argmax())]
        X_BR = np.tile(np.eye(3, 4), (len(self.names), 1, 1))
        X_BR[:] = rigid_inverse(self.X_RB)
        for number, X in zip(numbers, carried, strict=True):
            X_BR[number] = rigid_inverse(self.X_RB[number]) @ _square(X @ np.linalg.inv(first))
        return BoundMesh(_moved(mesh, first[:3]), numbers[bones].astype(np.int32), weights, X_BR)

    def _primitives(self, number: int) -> list[tuple[Mesh, dict[str, np.ndarray]]]:
        """Triangles of a mesh of the file, in its own frame, and bones and weights of their corners."""
        found = []
        for row in self.file.document["meshes"][number]["primitives"]:
            if row.get("mode", 4) == 4:
                found.append(self._primitive(row, str(self.file.document["meshes"][number].get("name", "mesh"))))
        if not found:
            raise RobotError(f"{self.path.name}: mesh {number} has no triangles; points, lines and strips are not read")
        return found

    def _primitive(self, row: dict[str, Any], name: str) -> tuple[Mesh, dict[str, np.ndarray]]:
        have = {k: self.file.accessor(v) for k, v in row["attributes"].items()}
        corners = {"POSITION": have["POSITION"].astype(np.float64)}
        count = len(corners["POSITION"])
        index = self.file.accessor(row["indices"]).reshape(-1) if "indices" in row else np.arange(count)
        faces: np.ndarray = index[: len(index) // 3 * 3].reshape(-1, 3).astype(np.int64)
        keys = [k for k in have if k.split("_")[0] in ("JOINTS", "WEIGHTS") or k in ("NORMAL", "COLOR_0")]
        corners |= {k: have[k].astype(np.float64) for k in keys}
        corners |= _dense(corners, count)
        material, base, texture = self._material(row.get("material"), name)
        if texture is not None and f"TEXCOORD_{texture[1]}" in have:
            corners["uv"] = _placed_uv(have[f"TEXCOORD_{texture[1]}"].astype(np.float64), texture[2])
            pixels = self.file.picture(texture[0])[..., :3] * base
            corners, faces, colours = painted(corners, faces, pixels, max(_MOST_FACES, len(faces)))
        else:
            colours = np.tile(base, (count, 1))
        if "COLOR_0" in corners:
            colours = colours * corners["COLOR_0"][:, :3]
        flat = "NORMAL" not in corners
        if flat:
            corners = {k: v[faces.ravel()] for k, v in corners.items()}
            colours, faces = colours[faces.ravel()], np.arange(3 * len(faces)).reshape(-1, 3)
        normals = _face_normals(corners["POSITION"], faces) if flat else _unit(corners["NORMAL"])
        plain = texture is None and "COLOR_0" not in corners
        mesh = Mesh(
            corners["POSITION"], faces, materials=(material,), normals=normals, name=name,
            colours=None if plain else np.clip(colours, 0, 1),
        )  # fmt: skip
        return mesh, corners

    def _material(self, number: int | None, name: str) -> tuple[Material, np.ndarray, tuple[int, int, Any] | None]:
        """Material, linear base colour [3], and its texture: number, set of coordinates, transform."""
        row: dict[str, Any] = {} if number is None else self.file.document["materials"][number]
        pbr = row.get("pbrMetallicRoughness", {})
        base = np.array(pbr.get("baseColorFactor", (0.8, 0.8, 0.8, 1.0) if number is None else (1, 1, 1, 1)), float)
        told = pbr.get("baseColorTexture")
        texture = None
        mean = base[:3]
        if told is not None:
            more = told.get("extensions", {}).get("KHR_texture_transform")
            texture = (int(told["index"]), int(told.get("texCoord", 0)), more)
            mean = base[:3] * self.file.picture(texture[0])[..., :3].mean(axis=(0, 1))
        metal, rough = float(pbr.get("metallicFactor", 1.0 if pbr else 0.0)), float(pbr.get("roughnessFactor", 1.0))
        glow = np.array(row.get("emissiveFactor", (0, 0, 0)), float)
        red, green, blue = (round(float(c), 4) for c in np.clip(mean, 0, 1))
        material = Material(
            str(row.get("name") or f"{name} #{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"),
            colour=(red, green, blue), label="robot", roughness=min(max(rough, 0.0), 1.0),
            reflectivity=float(np.clip(0.1 + 0.8 * mean.mean(), 0, 1)),
            mirror=float(np.clip(0.9 * metal * (1 - rough), 0, 1)),
            transparency=float(1 - base[3]) if row.get("alphaMode") == "BLEND" else 0.0,
            emission=float(glow.max()), temperature=_TEMPERATURE,
        )  # fmt: skip
        return material, base[:3], texture

    def _above(self, node: int) -> int:
        """The nearest node above that is a bone; -1: none."""
        known, above = set(self.bones), self.file.nodes[node].parent
        while above >= 0 and above not in known:
            above = self.file.nodes[above].parent
        return above

    def _depth(self, node: int) -> int:
        depth = 0
        while (node := self.file.nodes[node].parent) >= 0:
            depth += 1
        return depth


def load_rigged(path: Path) -> RiggedMesh:
    """A file, read once while it stays as it is."""
    if not path.is_file():
        raise RobotError(f"robot model {path} does not exist")
    return _load(path.resolve(), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _load(path: Path, _modified: int) -> RiggedMesh:
    try:
        return RiggedMesh(path)
    except RecursionError:
        raise RobotError(f"{path.name}: its nodes form a loop; it is broken") from None


def rigged_mjcf(path: Path) -> str:
    """Bones as bodies without joints, each with a capsule to its children that touches, as MuJoCo reads it."""
    rig = load_rigged(path)
    root = ElementTree.Element("mujoco", model=path.stem)
    world = ElementTree.SubElement(root, "worldbody")
    elements: list[ElementTree.Element] = []
    for i, name in enumerate(rig.names):
        above = world if i == 0 else elements[rig.parent[i]]
        X = rig.X_RB[i] if i == 0 else _within(rig.X_RB[rig.parent[i]], rig.X_RB[i])
        body = ElementTree.SubElement(
            above, "body", name=name, pos=_numbers(X[:, 3]), quat=_numbers(quat_from_matrix(X[:, :3]))
        )
        elements.append(body)
        if i == 0:
            ElementTree.SubElement(body, "freejoint", name="root")
        _add_hull(body, rig, i)
    return ElementTree.tostring(root, encoding="unicode")


def _add_hull(body: ElementTree.Element, rig: RiggedMesh, i: int) -> None:
    """What touches of a bone: a capsule to each child, a ball at its end; a tenth as thick as long."""
    ends = [_within(rig.X_RB[i], rig.X_RB[k])[:, 3] for k, above in enumerate(rig.parent) if above == i]
    lengths = [float(np.linalg.norm(e)) for e in ends]
    for end, length in zip(ends, lengths, strict=True):
        if length > 1e-3 and i > 0:
            ElementTree.SubElement(body, "geom", type="capsule", group="3", size=f"{0.1 * length:g}",
                                   fromto=_numbers(np.concatenate([np.zeros(3), end])))  # fmt: skip
    if i == 0 or not any(length > 1e-3 for length in lengths):
        ElementTree.SubElement(body, "geom", type="sphere", group="3", size="0.02")


def _within(X_RA: np.ndarray, X_RB: np.ndarray) -> np.ndarray:
    X = rigid_inverse(X_RA)
    return np.column_stack([X[:, :3] @ X_RB[:, :3], X[:, :3] @ X_RB[:, 3] + X[:, 3]])


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{v:.9g}" for v in values)


def _square(X: np.ndarray) -> np.ndarray:
    return np.vstack([X[:3], [0, 0, 0, 1]])


def _moved(mesh: Mesh, X: np.ndarray) -> Mesh:
    """A mesh by any linear map and a shift [3, 4]; a mirrored one still faces outward."""
    A = X[:, :3]
    vertices = mesh.vertices.astype(np.float64) @ A.T + X[:, 3]
    if not np.isfinite(vertices).all() or abs(np.linalg.det(A)) < 1e-30:
        raise RobotError(f"mesh '{mesh.name}' is flattened to nothing by its node's scale")
    normals = None if mesh.normals is None else _unit(mesh.normals @ np.linalg.inv(A))
    faces = mesh.faces[:, ::-1] if np.linalg.det(A) < 0 else mesh.faces
    return Mesh(vertices, faces, materials=mesh.materials, normals=normals, colours=mesh.colours, name=mesh.name)


def _unit(v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(length > 1e-12, v / np.maximum(length, 1e-12), [0.0, 0.0, 1.0])


def _face_normals(p: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Of corners that belong to one face each."""
    a, b, c = (p[faces[:, k]] for k in range(3))
    return np.repeat(_unit(np.cross(b - a, c - a)), 3, axis=0)


def _placed_uv(uv: np.ndarray, told: dict[str, Any] | None) -> np.ndarray:
    """Coordinates as KHR_texture_transform has them."""
    if not told:
        return uv
    angle = float(told.get("rotation", 0.0))
    c, s = np.cos(angle), np.sin(angle)
    scaled = uv * np.array(told.get("scale", (1, 1)), float)
    return scaled @ np.array([[c, s], [-s, c]]).T + np.array(told.get("offset", (0, 0)), float)


def _dense(corners: dict[str, np.ndarray], count: int) -> dict[str, np.ndarray]:
    """Weights by joint [n, j] in the place of numbers, so that corners between two can be their mean."""
    sets = sorted(k for k in corners if k.startswith("JOINTS_"))
    if not sets:
        return {}
    most = int(max(corners[k].max() for k in sets)) + 1
    weight = np.zeros((count, most))
    for k in sets:
        for c in range(4):
            np.add.at(weight, (np.arange(count), corners[k][:, c].astype(int)), corners[f"WEIGHTS_{k[7:]}"][:, c])
    for k in sets:
        del corners[k], corners[f"WEIGHTS_{k[7:]}"]
    return {"bones": weight}


def _strongest(corners: dict[str, np.ndarray], joints: int) -> tuple[np.ndarray, np.ndarray]:
    """The four joints that move each corner most, and their shares."""
    if "bones" not in corners:
        raise VoleryError("a mesh with a skin has no joints and weights; it is broken")
    weight = corners["bones"]
    if weight.shape[1] > joints:
        raise RobotError("a corner follows a joint that its skin does not have; the file is broken")
    weight = np.pad(weight, ((0, 0), (0, max(4 - weight.shape[1], 0))))
    bones = np.argsort(-weight, axis=1, kind="stable")[:, :4]
    best = np.take_along_axis(weight, bones, axis=1)
    bones = np.where(best > 0.0, bones, bones[:, :1])
    total = best.sum(axis=1, keepdims=True)
    return bones, np.where(total > 0, best / np.maximum(total, 1e-12), [1.0, 0.0, 0.0, 0.0])
