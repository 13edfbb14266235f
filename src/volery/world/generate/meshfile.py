"""A world from a model file: glTF, GLB, OBJ, STL or PLY, with its colours, and repeated parts kept as instances."""

from __future__ import annotations

import json
import re
import struct
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import trimesh

from volery.core.config import Checked, param
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.core.painting import linear_colours, painted
from volery.errors import VoleryError, WorldError
from volery.world.world import ChunkKey, Placement, World

__all__ = ["MeshFile"]

_KINDS = (".glb", ".gltf", ".obj", ".stl", ".ply")
_MOST_FACES = 200_000
"""Of a mesh whose triangles are cut for its texture."""
_PACKED = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}
_Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


@dataclass(frozen=True, eq=False)
class MeshFile(Checked, World):
    """Everything in one model file, as one piece."""

    path: str | Path
    scale: float = param(1.0, above=0.0, high=1e6)
    """Metres per unit of the file."""
    up: Literal["auto", "y", "z"] = "auto"
    """The file's upward axis; auto: y for glTF, as its standard says, and z for the others."""
    home: Literal["file", "centre"] = "file"
    """Where the origin is: as in the file, or below the middle of the model, its lowest point at z = 0."""
    position: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=-1e7, high=1e7)
    """Shift of the whole, after the above [m]."""
    yaw: float = param(0.0, low=-7.0, high=7.0)
    """Turn of the whole about z [rad]."""
    smooth: bool | None = None
    """Shade with normals blended over shared corners; None: for glTF only, which splits corners at hard edges."""
    label: str = ""
    """Segmentation class of everything; empty: the names of the file's materials."""
    max_megabytes: float = param(2048.0, low=0.001, high=1e5)
    """A larger file is refused."""
    seed: int = 0
    """Nothing here is random; every world has one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_file(Path(self.path), self.max_megabytes)

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole model at (0, 0), nothing elsewhere."""
        return list(self._placements) if key == (0, 0) else []

    def spawn(self) -> tuple[float, float, float]:
        """Two metres above the middle of the model."""
        low, high = self.bounds
        return (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(high[2]) + 2.0)

    @cached_property
    def bounds(self) -> np.ndarray:
        """Lowest and highest corner in W [m], shape [2, 3]."""
        return _bounds(self._placements)

    @cached_property
    def _placements(self) -> list[Placement]:
        path = Path(self.path)
        try:
            with np.errstate(all="ignore"):  # Mesh and Placement refuse what is not finite
                parts = self._parts(trimesh.load_scene(path, process=False))
        except VoleryError as error:
            raise WorldError(f"{path.name}: {error}") from None
        except Exception as error:  # the loaders raise whatever a broken file makes them stumble over
            raise WorldError(f"{path.name}: not a readable {path.suffix[1:]} model ({error!r}); {path}") from None
        if not parts:
            raise WorldError(f"{path.name}: there is no triangle in it")
        return self._at_home(parts)

    def _parts(self, scene: trimesh.Scene) -> list[Placement]:
        """One placement per geometry of the file, all of its instances in it."""
        linear = Path(self.path).suffix.lower() in (".glb", ".gltf")
        turn = _Y_UP if self.up == "y" or (self.up == "auto" and linear) else np.eye(4)
        X_WF = np.diag([self.scale, self.scale, self.scale, 1.0]) @ turn
        places = defaultdict(list)
        for node in scene.graph.nodes_geometry:
            X_FN, name = scene.graph[node]
            places[name].append(X_WF @ X_FN)
        parts = []
        for name, geometry in scene.geometry.items():
            if isinstance(geometry, trimesh.Trimesh) and len(geometry.faces) and places[name]:
                parts.append(self._part(name, geometry, np.array(places[name]), linear))
        return parts

    def _part(self, name: str, geometry: trimesh.Trimesh, X_WG: np.ndarray, linear: bool) -> Placement:
        """Instances of one geometry. Its corners are told from its middle, since float32 has seven digits."""
        corners = np.asarray(geometry.vertices, np.float64)
        middle = np.round((corners.min(axis=0) + corners.max(axis=0)) / 2)
        materials, index = self._materials(name, geometry, linear)
        smooth = linear if self.smooth is None else self.smooth
        normals = np.array(geometry.vertex_normals) if smooth else None
        about: dict[str, Any] = {"materials": materials, "face_material": index, "name": name}
        faces = np.asarray(geometry.faces)
        mesh = Mesh(corners - middle, faces, normals=normals, **about)
        if smooth:
            mesh = _textured(mesh, geometry, linear)
        X_WO = X_WG[:, :3].copy()
        X_WO[:, :, 3] += X_WG[:, :3, :3] @ middle
        # A mirrored instance would show its inside: it gets the same triangles, wound the other way
        mirrored = np.linalg.det(X_WG[:, :3, :3]) < 0
        meshes = (mesh, replace(mesh, faces=mesh.faces[:, ::-1])) if mirrored.any() else (mesh,)
        return Placement(f"{Path(self.path).stem}/{name}", meshes, X_WO, mirrored.astype(np.int32))

    def _at_home(self, parts: list[Placement]) -> list[Placement]:
        low, high = _bounds(parts)
        home = (
            np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]) if self.home == "centre" else np.zeros(3)
        )
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        moved = []
        for part in parts:
            X = part.X_WO.copy()
            X[:, :, 3] -= home
            X = R @ X
            X[:, :, 3] += self.position
            moved.append(Placement(part.name, part.meshes, X, part.kinds))
        return moved

    def _materials(self, name: str, geometry: trimesh.Trimesh, linear: bool) -> tuple[tuple[Material, ...], np.ndarray]:
        """Materials of a geometry and the one of each face; a few hundred different colours become fewer."""
        source = getattr(geometry.visual, "material", None)
        rgba = _face_colours(geometry, source, linear)
        for bits in (8, 6, 5, 4, 3, 2):
            levels = 2**bits - 1
            palette, index = np.unique(np.round(rgba * levels).astype(np.int32), axis=0, return_inverse=True)
            if len(palette) <= 256:
                break
        colours = palette / levels
        title = str(getattr(source, "name", None) or name)
        materials = [
            _material(title if len(colours) == 1 else f"{title}-{i}", self.label or title, c, source)
            for i, c in enumerate(colours)
        ]
        return tuple(materials), index.reshape(-1).astype(np.uint8)


def _material(name: str, label: str, rgba: np.ndarray, source: object) -> Material:
    metal, rough = (getattr(source, a, None) for a in ("metallicFactor", "roughnessFactor"))
    rough = 0.8 if rough is None else float(rough)
    metal = 0.0 if metal is None else float(metal)
    glow = getattr(source, "emissiveFactor", None)
    red, green, blue = (float(c) for c in rgba[:3])
    colour = (red, green, blue)
    return Material(
        name,
        colour,
        label,
        roughness=min(max(rough, 0.0), 1.0),
        reflectivity=float(np.clip(0.1 + 0.8 * np.mean(colour), 0, 1)),
        mirror=float(np.clip(0.9 * metal * (1 - rough), 0, 1)),
        transparency=float(1 - rgba[3]),
        emission=0.0 if glow is None else float(np.max(glow)),
    )


def _face_colours(geometry: trimesh.Trimesh, source: object, linear: bool) -> np.ndarray:
    """Linear RGB and opacity of each face, 0 to 1, shape [m, 4]: its texture in the middle, its corners or its own."""
    visual: Any = geometry.visual
    count = len(geometry.faces)
    if visual.kind == "face":
        rgba = np.asarray(visual.face_colors, np.float64) / 255
    elif visual.kind == "vertex":
        rgba = (np.asarray(visual.vertex_colors, np.float64) / 255)[geometry.faces].mean(axis=1)
    else:
        base = next(
            (c for c in (getattr(source, a, None) for a in ("baseColorFactor", "diffuse")) if c is not None), None
        )
        rgba = np.tile(
            np.array([0.6, 0.6, 0.6, 1.0]) if base is None else np.asarray(base, np.float64) / 255, (count, 1)
        )
        image = next(
            (i for i in (getattr(source, a, None) for a in ("baseColorTexture", "image")) if i is not None), None
        )
        if image is not None and getattr(visual, "uv", None) is not None:
            texels = _texels(image, np.asarray(visual.uv)[geometry.faces].mean(axis=1))
            texels[:, :3] = linear_colours(texels[:, :3])
            rgba = texels * (1.0 if base is None or not linear else rgba)
            linear = True
        if getattr(source, "alphaMode", "BLEND") != "BLEND":
            rgba[:, 3] = 1.0
    rgba = np.clip(np.nan_to_num(rgba), 0, 1)
    return rgba if linear else np.column_stack([linear_colours(rgba[:, :3]), rgba[:, 3]])


def _textured(mesh: Mesh, geometry: trimesh.Trimesh, linear: bool) -> Mesh:
    """A mesh with its texture as colours of its corners, its triangles cut where the picture asks for it."""
    source, uv = getattr(geometry.visual, "material", None), getattr(geometry.visual, "uv", None)
    image = next((i for i in (getattr(source, a, None) for a in ("baseColorTexture", "image")) if i is not None), None)
    if image is None or uv is None or mesh.normals is None:
        return mesh
    pixels = np.asarray(image.convert("RGB"), np.float64) / 255
    base = getattr(source, "baseColorFactor", None)
    tint = np.ones(3) if base is None or not linear else np.asarray(base, np.float64)[:3] / 255
    index = np.zeros(len(mesh.faces), np.uint8) if mesh.face_material is None else mesh.face_material
    corners = {"p": mesh.vertices.astype(np.float64), "n": mesh.normals.astype(np.float64),
               "uv": np.asarray(uv, np.float64) * [1, -1]}  # fmt: skip
    corners, faces, colours = painted(
        corners, mesh.faces.astype(np.int64), linear_colours(pixels) * tint, max(_MOST_FACES, len(mesh.faces))
    )
    normals = corners["n"] / np.maximum(np.linalg.norm(corners["n"], axis=1, keepdims=True), 1e-12)
    # What a face is made of besides its colour: of the material that most of the mesh is made of.
    common = int(np.bincount(index).argmax())
    return replace(
        mesh, vertices=corners["p"], faces=faces, normals=normals, colours=np.clip(colours, 0, 1),
        materials=(mesh.materials[common],), face_material=None,
    )  # fmt: skip


def _texels(image: Any, uv: np.ndarray) -> np.ndarray:
    pixels = np.asarray(image.convert("RGBA"), np.float64) / 255
    uv = np.nan_to_num(uv) % 1.0
    rows, cols = pixels.shape[:2]
    return pixels[
        np.minimum(((1 - uv[:, 1]) * rows).astype(int), rows - 1), np.minimum((uv[:, 0] * cols).astype(int), cols - 1)
    ]


def _bounds(parts: list[Placement]) -> np.ndarray:
    corners = []
    for part in parts:
        for k, mesh in enumerate(part.meshes):
            X = part.X_WO[part.kinds == k]
            pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
            box = np.stack([mesh.bounds[pick[:, a], a] for a in range(3)], axis=1)
            corners.append((np.einsum("kij,nj->kni", X[:, :, :3], box) + X[:, None, :, 3]).reshape(-1, 3))
    points = np.concatenate(corners)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _check_file(path: Path, max_megabytes: float) -> None:
    """Refuse what is missing, of another kind, too large, or claims more than its bytes can hold."""
    if path.suffix.lower() not in _KINDS:
        raise WorldError(f"'{path.name}' is not one of {', '.join(_KINDS)}; {path}")
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            head = file.read(1 << 16)
            document = _gltf_json(path, head, size)
    except (OSError, ValueError, RecursionError, struct.error) as error:
        raise WorldError(f"'{path.name}' cannot be read ({error}); {path}") from None
    if size > max_megabytes * 1e6:
        raise WorldError(f"'{path.name}' has {size / 1e6:.0f} MB, more than max_megabytes = {max_megabytes:g}; {path}")
    if path.suffix.lower() == ".ply":
        for count in re.findall(rb"^element\s+\w+\s+(\d+)", head.split(b"end_header")[0], re.MULTILINE):
            if int(count) > size:
                raise WorldError(
                    f"'{path.name}' claims {int(count)} elements in {size} bytes; it is cut short or broken"
                )
    if document is not None:
        _check_gltf(path, document, size)


def _gltf_json(path: Path, head: bytes, size: int) -> dict[str, Any] | None:
    """The JSON of a glTF or GLB, else None."""
    if path.suffix.lower() == ".gltf":
        return json.loads(path.read_bytes())
    if path.suffix.lower() != ".glb":
        return None
    magic, _, _, length, kind = struct.unpack_from("<4sIIII", head)
    if magic != b"glTF" or kind != 0x4E4F534A or length > size:
        raise ValueError("it does not start like a GLB")
    with open(path, "rb") as file:
        file.seek(20)
        return json.loads(file.read(length))


def _check_gltf(path: Path, document: dict[str, Any], size: int) -> None:
    """Accessors without data would be allotted as zeros, and a node inside itself followed for ever."""
    try:
        packed = _PACKED & set(document.get("extensionsRequired", []))
        if packed:
            raise WorldError(
                f"'{path.name}' is packed with {packed.pop()}; unpack it: gltf-transform copy in.glb out.glb"
            )
        empty = sum(a["count"] for a in document.get("accessors", []) if "bufferView" not in a)
        children = [c for node in document.get("nodes", []) for c in node.get("children", [])]
        roots = set(range(len(document.get("nodes", [])))) - set(children)
        reached, stack = 0, list(roots)
        while stack:
            reached += 1
            stack += document["nodes"][stack.pop()].get("children", [])
            if reached > len(document["nodes"]):
                break
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as error:
        raise WorldError(f"'{path.name}' is not a glTF scene ({error!r}); {path}") from None
    if empty > max(size, 1 << 20):
        raise WorldError(f"'{path.name}' claims {empty} values without data; it is broken")
    if len(children) != len(set(children)) or reached != len(document.get("nodes", [])):
        raise WorldError(f"'{path.name}': its nodes form a loop, or one has two parents; it is broken")
