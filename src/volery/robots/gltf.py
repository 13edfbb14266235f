"""glTF 2.0 files (.glb, .gltf) as plain arrays: nodes, skins, meshes, materials and pictures; y up, metres."""

from __future__ import annotations

import base64
import io
import json
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from volery.core.frames import transform
from volery.core.painting import linear_colours
from volery.errors import RobotError

__all__ = ["Gltf", "GltfNode", "read_gltf"]

_TYPES = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
_SHAPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_MOST = 512 * 1024 * 1024
"""A larger file is refused [bytes]."""
_KNOWN = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "KHR_materials_emissive_strength",
          "KHR_materials_specular", "KHR_materials_ior", "KHR_materials_pbrSpecularGlossiness",
          "KHR_materials_clearcoat", "KHR_materials_transmission", "KHR_materials_sheen"}  # fmt: skip
"""Extensions that a file may require: what is left out of them changes looks only."""


@dataclass(frozen=True)
class GltfNode:
    """A node of the scene."""

    name: str
    parent: int
    """-1: none."""
    X_GN: np.ndarray
    """Its frame in that of the file, scale included, [4, 4]."""
    mesh: int
    """-1: none."""
    skin: int
    """-1: none."""


class Gltf:
    """One file, checked as it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.document, self._binary = _split(path)
        required = set(self.document.get("extensionsRequired", []))
        if required - _KNOWN:
            raise RobotError(
                f"{path.name} is packed with {min(required - _KNOWN)}; unpack it: gltf-transform copy in.glb out.glb"
            )
        self._pictures: dict[int, np.ndarray] = {}

    @cached_property
    def nodes(self) -> tuple[GltfNode, ...]:
        """All nodes, in the file's order."""
        rows: list[dict[str, Any]] = self.document.get("nodes", [])
        parent = {int(c): i for i, row in enumerate(rows) for c in row.get("children", [])}
        found: dict[int, np.ndarray] = {}

        def place(i: int, depth: int) -> np.ndarray:
            if depth > len(rows):
                raise RobotError(f"{self.path.name}: its nodes form a loop; it is broken")
            if i not in found:
                local = _local(rows[i])
                found[i] = local if i not in parent else place(parent[i], depth + 1) @ local
            return found[i]

        return tuple(
            GltfNode(str(row.get("name") or f"node{i}"), parent.get(i, -1), place(i, 0), int(row.get("mesh", -1)),
                     int(row.get("skin", -1)))
            for i, row in enumerate(rows)
        )  # fmt: skip

    def accessor(self, number: int) -> np.ndarray:
        """Values [n, k] as float64, or as whole numbers where they are not normalised."""
        row = self.document["accessors"][number]
        kind, width, count = np.dtype("<" + _TYPES[row["componentType"]]), _SHAPES[row["type"]], int(row["count"])
        values = self._view(row, kind, width, count) if "bufferView" in row else np.zeros((count, width), kind)
        if "sparse" in row:
            values = self._sparse(row["sparse"], values.copy(), kind, width)
        if row.get("normalized"):
            values = np.maximum(values / np.iinfo(kind).max, -1.0)
        return values if values.dtype.kind in "iu" else values.astype(np.float64)

    def picture(self, number: int) -> np.ndarray:
        """A texture's picture, linear RGB and opacity, [rows, columns, 4]."""
        source = self.document["textures"][number].get("source")
        if source is None:
            raise RobotError(
                f"{self.path.name}: texture {number} is of a kind that is not read; store it as PNG or JPEG"
            )
        if source not in self._pictures:
            from PIL import Image

            row = self.document["images"][source]
            data = self._bytes_of(row["bufferView"]) if "bufferView" in row else _linked(self.path, row["uri"])
            pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"), np.float64) / 255
            pixels[..., :3] = linear_colours(pixels[..., :3])
            self._pictures[source] = pixels
        return self._pictures[source]

    def _view(self, row: dict[str, Any], kind: np.dtype[Any], width: int, count: int) -> np.ndarray:
        data = self._bytes_of(row["bufferView"])
        stride = self.document["bufferViews"][row["bufferView"]].get("byteStride") or kind.itemsize * width
        start = row.get("byteOffset", 0)
        if count < 1 or start + stride * (count - 1) + kind.itemsize * width > len(data):
            raise RobotError(f"{self.path.name}: an accessor reaches beyond its data; the file is cut short or broken")
        return np.ndarray((count, width), kind, data, start, (stride, kind.itemsize))

    def _sparse(self, row: dict[str, Any], values: np.ndarray, kind: np.dtype[Any], width: int) -> np.ndarray:
        count = int(row["count"])
        where = self._view(row["indices"], np.dtype("<" + _TYPES[row["indices"]["componentType"]]), 1, count)
        values[where[:, 0]] = self._view(row["values"], kind, width, count)
        return values

    def _bytes_of(self, view: int) -> bytes:
        row = self.document["bufferViews"][view]
        data = self._buffer(int(row["buffer"]))
        start = row.get("byteOffset", 0)
        if start < 0 or start + row["byteLength"] > len(data):
            raise RobotError(f"{self.path.name}: a part reaches beyond its buffer; the file is cut short or broken")
        return data[start : start + row["byteLength"]]

    def _buffer(self, number: int) -> bytes:
        uri = self.document["buffers"][number].get("uri")
        return self._binary if uri is None else _linked(self.path, uri)


def read_gltf(path: Path) -> Gltf:
    """A file; one that is broken is refused with what is wrong."""
    try:
        return Gltf(path)
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise RobotError(f"{path.name} is not a readable glTF 2.0 file ({error!r}); {path}") from None


def _split(path: Path) -> tuple[dict[str, Any], bytes]:
    """JSON and binary chunk."""
    if path.stat().st_size > _MOST:
        raise RobotError(f"{path.name} is larger than {_MOST >> 20} MB")
    data = path.read_bytes()
    if path.suffix.lower() == ".gltf":
        return _checked(path, json.loads(data)), b""
    magic, version, _ = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or version != 2:
        raise RobotError(f"{path.name} is no binary glTF of version 2")
    text, binary, at = b"", b"", 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<I4s", data, at)
        chunk = data[at + 8 : at + 8 + length]
        if len(chunk) != length:
            raise RobotError(f"{path.name} is cut short")
        text, binary = (chunk if kind == b"JSON" else text), (chunk if kind == b"BIN\0" and not binary else binary)
        at += 8 + length
    return _checked(path, json.loads(text)), binary


def _checked(path: Path, document: Any) -> dict[str, Any]:
    version = str(document.get("asset", {}).get("version", "")) if isinstance(document, dict) else ""
    if not version.startswith("2."):
        raise RobotError(f"{path.name} is glTF '{version}', not 2.0; export it anew as glTF 2.0")
    return document


def _linked(path: Path, uri: str) -> bytes:
    """Bytes beside the file, or in the text itself."""
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    file = (path.parent / unquote(uri)).resolve()
    if not file.is_relative_to(path.parent.resolve()):
        raise RobotError(f"{path.name} asks for {uri}, which is not in its folder")
    return file.read_bytes()


def _local(row: dict[str, Any]) -> np.ndarray:
    """A node in its parent, [4, 4]."""
    if "matrix" in row:
        return np.array(row["matrix"], float).reshape(4, 4).T
    x, y, z, w = (float(v) for v in row.get("rotation", (0, 0, 0, 1)))
    X = np.eye(4)
    X[:3] = transform(np.array([w, x, y, z]), np.array(row.get("translation", (0, 0, 0)), float))
    X[:3, :3] *= np.array(row.get("scale", (1, 1, 1)), float)
    return X
