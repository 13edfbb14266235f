"""Triangles on their way to the page: a mesh, or fewer triangles in its place, and their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from volery._native.viewer import blend, crease_normals, part, weld
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.viewer.messages import PagePrimitive
from volery.viewer.page_materials import PageMaterial, page_material, srgb

__all__ = ["MeshBuffer", "PackedMesh", "buffer_of", "pack_mesh"]

_CREASE = np.cos(np.radians(35.0))
"""Faces of a flat mesh that meet at less than this are shown as one round surface."""
_MOST = 32767
"""Of an int16."""
_FINEST = -20
"""Smallest step of a place, as a power of two [m]: a micrometre."""
_SHORT_INDEX = 65_535
"""So many vertices have an index of two bytes."""


@dataclass(frozen=True, eq=False)
class MeshBuffer:
    """Triangles with materials."""

    vertices: np.ndarray
    """[m], float32 [n, 3]."""
    faces: np.ndarray
    """uint32 [m, 3]."""
    material: np.ndarray
    """Index into `materials` of each face, uint8 [m]."""
    materials: tuple[Material, ...]
    normals: np.ndarray | None
    """Unit, float32 [n, 3]; None: from the faces, round below a crease."""
    colours: np.ndarray | None
    """Linear RGB of each vertex [n, 3]; None: each face has its material's."""
    filled: bool = False
    """Ground and cave walls, which meet those of the next chunk."""

    @cached_property
    def page_materials(self) -> tuple[list[PageMaterial], np.ndarray]:
        """The different materials of the page, and which of them each face has [m]."""
        found = list(dict.fromkeys(page_material(m) for m in self.materials))
        return found, np.array([found.index(page_material(m)) for m in self.materials], np.uint8)[self.material]


@dataclass(frozen=True, eq=False)
class PackedMesh:
    """A buffer as the page wants it."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]
    source: np.ndarray
    """Which of the buffer's vertices each one comes from, uint32 [k]."""


def buffer_of(mesh: Mesh) -> MeshBuffer:
    """A mesh; where ground of different soils meets, their colours run into each other."""
    material = np.zeros(len(mesh.faces), np.uint8) if mesh.face_material is None else mesh.face_material
    colours = mesh.colours
    if colours is None and mesh.filled and len(mesh.materials) > 1:
        values = np.array([m.colour for m in mesh.materials])[material]
        colours = blend(mesh.faces.ravel(), values, len(mesh.vertices))
    return MeshBuffer(mesh.vertices, mesh.faces, material, mesh.materials, mesh.normals, colours, mesh.filled)


def pack_mesh(buffer: MeshBuffer) -> PackedMesh:
    """Vertices as whole numbers, parted where colour, look or a crease asks for it; indices in ranges by look."""
    page_materials, look = buffer.page_materials
    order = np.argsort(look, kind="stable") if len(page_materials) > 1 else slice(None)
    faces, material, look = buffer.faces[order], buffer.material[order], look[order]
    corners = faces.ravel()
    keys = np.repeat((material if buffer.colours is None else look).astype(np.int64), 3)
    if buffer.normals is None:
        welded = weld(buffer.vertices + np.float32(0.0))
        shown = _bytes(crease_normals(buffer.vertices, faces, welded, _CREASE))
        index, source = part(welded[corners], keys << 24 | _merged(shown), len(buffer.vertices))
        normal = shown[source]
    else:
        index, source = part(corners, keys, len(buffer.vertices))
        normal = _bytes(buffer.normals[corners[source]])
    vertex = corners[source]
    about, position = _places(buffer.vertices[vertex])
    header = {**about, "primitives": _ranges(page_materials, look)}
    arrays = {
        "position": position,
        "normal": normal,
        "colour": _colours(buffer, material, source, vertex),
        "index": index.astype(np.uint16) if len(source) <= _SHORT_INDEX else index,
    }
    return PackedMesh(header, arrays, vertex)


def _bytes(normals: np.ndarray) -> np.ndarray:
    return np.rint(normals * np.float32(127.0)).astype(np.int8)


def _merged(shown: np.ndarray) -> np.ndarray:
    """Three signed bytes as one number below 2²⁴."""
    n = shown.astype(np.int64) & 255
    return n[:, 0] << 16 | n[:, 1] << 8 | n[:, 2]


def _places(vertices: np.ndarray) -> tuple[dict[str, Any], np.ndarray]:
    """Header and int16 places of vertices [n, 3] [m].

    Steps are powers of two and the centre is a whole number of them: chunks that share a border round it alike.
    """
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    step = 2.0 ** np.maximum(np.ceil(np.log2(np.maximum(high - low, 1e-9) / (2 * _MOST - 2))), _FINEST)
    centre = np.rint(0.5 * (low + high) / step) * step
    # Halves go up everywhere: to even numbers they would go up here and down there.
    position = np.floor((vertices - centre) / step + 0.5).astype(np.int16)
    about = {"centre": centre.tolist(), "half": (_MOST * step).tolist(), "bounds": [low.tolist(), high.tolist()]}
    return about, position


def _ranges(page_materials: list[PageMaterial], look: np.ndarray) -> list[PagePrimitive]:
    """Ranges of the index by look; a material that no face has is left out."""
    counts = np.bincount(look, minlength=len(page_materials))
    starts = np.cumsum(counts) - counts
    return [
        PagePrimitive(**page_materials[i].header(), first=int(3 * starts[i]), count=int(3 * counts[i]))
        for i in np.flatnonzero(counts)
    ]


def _colours(buffer: MeshBuffer, material: np.ndarray, source: np.ndarray, vertex: np.ndarray) -> np.ndarray:
    """sRGB and 255, uint8 [k, 4]."""
    out = np.full((len(source), 4), 255, np.uint8)
    if buffer.colours is None:
        out[:, :3] = srgb(np.array([m.colour for m in buffer.materials]))[material[source // 3]]
    else:
        out[:, :3] = srgb(buffer.colours[vertex])
    return out
