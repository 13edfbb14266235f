"""What kernels look up by number: one row per instance, one entry per mesh, one id per material."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from dataclasses import dataclass
from functools import partial

import numpy as np

from volery._native.rays import Device, SceneTables, TriangleScene, settle
from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.world.scene.solidity import face_sides

__all__ = ["Materials", "MeshHierarchies", "RowRanges", "Rows"]


class RowRanges:
    """Hands out runs of whole numbers and takes them back; neighbours are joined again."""

    def __init__(self) -> None:
        self._free: list[tuple[int, int]] = []
        self.end = 0

    def take(self, count: int) -> int:
        """First number of a free run of `count`."""
        for i, (start, length) in enumerate(self._free):
            if length >= count:
                self._free[i : i + 1] = [(start + count, length - count)] if length > count else []
                return start
        start = self.end
        if self._free and sum(self._free[-1]) == self.end:
            start = self._free.pop()[0]
        self.end = start + count
        return start

    def give(self, start: int, count: int) -> None:
        """Take a run back."""
        runs = sorted([*self._free, (start, count)])
        joined: list[tuple[int, int]] = []
        for first, length in runs:
            if joined and sum(joined[-1]) == first:
                joined[-1] = (joined[-1][0], joined[-1][1] + length)
            else:
                joined.append((first, length))
        self._free = joined


def _grown(array: np.ndarray, length: int) -> np.ndarray:
    """The array with room for `length` entries, at least doubled."""
    if length <= len(array):
        return array
    bigger = np.zeros((max(length, 2 * len(array)), *array.shape[1:]), array.dtype)
    bigger[: len(array)] = array
    return bigger


class Rows:
    """One row per instance: where it stands, what it shows, whose it is and who sees it."""

    def __init__(self, tables: SceneTables) -> None:
        self._tables = tables
        self._ranges = RowRanges()
        self.X = np.zeros((64, 3, 4))
        """Pose in W, float64."""
        self.normal = np.zeros((64, 3, 3), np.float32)
        """Inverse transposed of the linear part: turns normals into W."""
        self.mesh = np.zeros(64, np.int32)
        self.object = np.zeros(64, np.int32)
        self.group = np.full(64, -1, np.int32)
        self.mask = np.zeros(64, np.uint32)
        self._tell()

    @property
    def count(self) -> int:
        """One past the last row that is in use."""
        return self._ranges.end

    def take(self, count: int) -> int:
        """First of `count` fresh rows in a run."""
        start = self._ranges.take(count)
        if start + count > len(self.X):
            for name in ("X", "normal", "mesh", "object", "group", "mask"):
                setattr(self, name, _grown(getattr(self, name), start + count))
            self._tell()
        return start

    def _tell(self) -> None:
        self._tables.set_rows(self.X, self.normal, self.mesh, self.object, self.group, self.mask)

    def give(self, start: int, count: int) -> None:
        """Rows that are no longer used."""
        self._ranges.give(start, count)

    def place(self, start: int, X: np.ndarray) -> tuple[np.ndarray, float, float]:
        """Set the poses [k, 3, 4] of a run of rows; returns middle and radius of their origins [m], and largest scale.

        Poses that are not finite or have no volume set nothing, and give a scale of 0.
        """
        end = start + len(X)
        x, y, z, radius, scale = settle(np.ascontiguousarray(X), self.X[start:end], self.normal[start:end])
        return np.array((x, y, z)), radius, scale


class Materials:
    """Materials by number, in the order in which they were first seen: the number is for kernels, not for readings."""

    def __init__(self) -> None:
        self.all: list[Material] = []
        self.labels: dict[int, str] = {}
        """Segmentation classes seen so far, by number."""
        self._ids: dict[Material, int] = {}

    def id(self, material: Material) -> int:
        """The material's number."""
        if material not in self._ids:
            self._ids[material] = len(self.all)
            self.all.append(material)
            self.labels[material.label_number] = material.label_name
        return self._ids[material]

    def label_id(self, material: Material) -> int:
        """Number of the material's segmentation class."""
        return material.label_number


@dataclass(eq=False)
class MeshEntry:
    """A mesh as built for rays."""

    id: int
    scene: TriangleScene
    face_material: np.ndarray
    """Material number per face, uint16 [m], then of its coarser levels; length 1 if all faces are alike."""
    face_side: np.ndarray
    """What lies behind each face, int8 [m] (see world/scene/solidity.py); length 1 if all faces are alike."""


class MeshHierarchies:
    """Hierarchies by mesh, each built once and kept as long as the mesh itself lives."""

    def __init__(self, device: Device, materials: Materials, tables: SceneTables) -> None:
        self._device = device
        self._tables = tables
        self._materials = materials
        self._entries: weakref.WeakKeyDictionary[Mesh, MeshEntry] = weakref.WeakKeyDictionary()
        self._ranges = RowRanges()
        self._gone: deque[int] = deque()
        self._living: dict[int, weakref.ref[Mesh]] = {}
        self._lock = threading.RLock()
        self._meshes: weakref.WeakValueDictionary[int, Mesh] = weakref.WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, mesh: Mesh) -> bool:
        return mesh in self._entries

    def entry(self, mesh: Mesh, deforms: bool = False) -> MeshEntry:
        """The mesh built for rays; any thread may ask, so that streamed chunks are ready before they are placed."""
        found = self._entries.get(mesh)
        if found is not None:
            return found
        scene = TriangleScene(self._device, mesh.vertices, mesh.faces, robust=mesh.robust, deforms=deforms)
        sides = face_sides(mesh)
        with self._lock:
            return self._entries.get(mesh) or self._register(mesh, scene, sides)

    def _register(self, mesh: Mesh, scene: TriangleScene, sides: np.ndarray) -> MeshEntry:
        while self._gone:
            number = self._gone.popleft()
            self._tables.forget_mesh(number)
            self._ranges.give(number, 1)
        number = self._ranges.take(1)
        entry = MeshEntry(number, scene, self._face_materials(mesh.levels), sides)
        self._tables.set_mesh(number, scene, entry.face_material, sides, *_coarser(mesh))
        self._entries[mesh] = entry
        self._meshes[number] = mesh
        # Kept here, so that it goes with this table: the mesh may outlive it, since models are shared by simulations.
        self._living[number] = weakref.ref(mesh, partial(_note, self._gone, number))
        return entry

    def _face_materials(self, levels: list[Mesh]) -> np.ndarray:
        """Material number per face of all levels of detail; length 1 if there is one level, of one material."""
        found = []
        for level in levels:
            ids = np.array([self._materials.id(m) for m in level.materials], np.uint16)
            index = np.zeros(1, np.uint8) if level.face_material is None else level.face_material
            found.append(ids[index] if len(levels) == 1 else np.broadcast_to(ids[index], len(level.faces)))
        return np.concatenate(found)

    def mesh(self, number: int) -> Mesh:
        """The mesh of a number."""
        return self._meshes[number]

    def face_material(self, number: int) -> np.ndarray:
        """Material number per face of a mesh, then of its coarser levels, uint16; length 1 if all faces are alike."""
        return self._entries[self._meshes[number]].face_material


def _note(gone: deque[int], number: int, _: object) -> None:
    """A mesh is gone. The garbage collector may call this at any time, so its number only waits here."""
    gone.append(number)


def _coarser(mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The coarser levels of a mesh as tables take them: corners, faces, numbers of faces, details [m]."""
    levels = mesh.levels[1:]
    starts = len(mesh.vertices) + np.cumsum([0] + [len(level.vertices) for level in levels])
    vertices = [np.zeros((0, 3), np.float32), *(level.vertices for level in levels)]
    faces = [np.zeros((0, 3), np.uint32), *(m.faces + np.uint32(s) for m, s in zip(levels, starts, strict=False))]
    counts = np.array([len(level.faces) for level in levels], np.int64)
    return np.concatenate(vertices), np.concatenate(faces), counts, np.array([m.detail for m in levels], np.float32)
