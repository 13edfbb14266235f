"""Flat tables of a scene for the camera's kernels, kept up to date as objects come and go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.core.geometry import Mesh
from volery.sensors.camera_grain import GRAIN, PLAIN
from volery.world.scene import Scene, SceneObject

__all__ = ["COLUMNS", "Geometry", "SceneTables"]

COLUMNS = {name: i for i, name in enumerate(
    ("r", "g", "b", "emission", "thin", "gloss", "temperature", "grain", "frequency", "texture", "mirror", "glass")
)}  # fmt: skip
"""Columns of the material table."""
_LEAF_LIGHT = 0.55
"""Light a leaf lets through, as a multiple of what it sends back, if its material does not say."""
_LEAVES = ("leaf", "leaves", "foliage", "grass", "fern", "bush", "needle")
_FAINTEST = 1.0
"""What shines less is only seen, and lights nothing."""


class Geometry(NamedTuple):
    """What kernels look up about what a ray hit. Addresses are 0 where there is nothing."""

    row_X: np.ndarray
    row_normal: np.ndarray
    row_mesh: np.ndarray
    row_object: np.ndarray
    row_moving: np.ndarray
    """1 where a thing moves, uint8."""
    vertices: np.ndarray
    faces: np.ndarray
    face_material: np.ndarray
    """Address of material numbers, uint16 per face, by mesh."""
    one_material: np.ndarray
    """The material of meshes that have one, else -1."""
    normals: np.ndarray
    """Address of smooth normals, float32 [n, 3], by mesh."""
    colours: np.ndarray
    """Address of colours of the corners, float32 [n, 3], by mesh: of ground, whose kinds run into each other."""
    materials: np.ndarray
    """float32 [m, columns]."""
    labels: np.ndarray
    """Label number by material."""
    origin: np.ndarray
    """Of the cell in which rays are cast, in W [m]."""


class SceneTables:
    """The tables of one scene, shared by its cameras."""

    def __init__(self) -> None:
        self._version = -1
        self._known: dict[SceneObject, tuple[int, np.ndarray, float]] = {}
        self._moving_rows = np.zeros(0, np.uint8)
        self.moving: list[SceneObject] = []
        self.lamps: list[tuple[SceneObject, int, np.ndarray, np.ndarray]] = []
        self._held: dict[int, tuple] = {}
        self._face_material = np.zeros(64, np.int64)
        self._one_material = np.full(64, -1, np.int32)
        self._normals = np.zeros(64, np.int64)
        self._colours = np.zeros(64, np.int64)
        self._materials = np.zeros((0, len(COLUMNS)), np.float32)
        self._labels = np.zeros(0, np.int32)

    @staticmethod
    def of(scene: Scene) -> SceneTables:
        """The tables of a scene; call `sync` before use."""
        if SceneTables not in scene.companions:
            scene.companions[SceneTables] = SceneTables()
        return scene.companions[SceneTables]

    def sync(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """Bring the tables up to date; returns spheres, middles [n, 3] in W and radii [n] [m], in which what stands
        came, moved or went since the last time."""
        changed: list[tuple[int, np.ndarray, float]] = []
        if self._version != scene.version:
            self._version = scene.version
            now = scene.objects.values()
            known = {item: (item.version, item.body.centre, item.body.radius) for item in now}
            for item in now:
                if item not in self._known:
                    self._enter(scene, item)
            for item in self._known.keys() | known.keys():
                old, new = self._known.get(item), known.get(item)
                if not item.body.moving and (old is None or new is None or old[0] != new[0]):
                    changed += [sphere for sphere in (old, new) if sphere is not None]
            if self._known.keys() - known.keys():
                self._forget(scene)
            self._known = known
            self.moving = [item for item in now if item.body.moving]
            self.lamps = [lamp for lamp in self.lamps if lamp[0] in known]
            self._moving_rows = np.zeros(len(scene.rows.mesh), np.uint8)
            for item in self.moving:
                self._moving_rows[item.first_row : item.first_row + len(item.X_WO)] = 1
            self._read_materials(scene)
        return np.array([c[1] for c in changed]).reshape(-1, 3), np.array([c[2] for c in changed])

    def geometry(self, scene: Scene, origin: np.ndarray) -> Geometry:
        """The tables as kernels take them, for rays in a cell of that origin in W [m]."""
        rows, meshes = scene.rows, scene.meshes
        return Geometry(
            rows.X, rows.normal, rows.mesh, rows.object, self._moving_rows, meshes.vertices, meshes.faces,
            self._face_material, self._one_material, self._normals, self._colours, self._materials, self._labels,
            origin,
        )  # fmt: skip

    def _enter(self, scene: Scene, item: SceneObject) -> None:
        for kind, mesh in enumerate(item.meshes):
            number = scene.meshes.entry(mesh).id
            if number >= len(self._normals):
                self._grow(number + 1)
            table = scene.meshes.face_material(number)
            single = len(table) == 1
            colours = _blended(mesh)
            self._held[number] = (table, mesh.normals, colours)
            self._colours[number] = 0 if colours is None else colours.ctypes.data
            self._face_material[number] = 0 if single else table.ctypes.data
            self._one_material[number] = int(table[0]) if single else -1
            self._normals[number] = 0 if mesh.normals is None else mesh.normals.ctypes.data
            power, middle = _lamp_of(mesh)
            if power.any():
                self.lamps.append((item, kind, power, middle))

    def _forget(self, scene: Scene) -> None:
        """Let go of what meshes had that are no longer in the scene."""
        shown = {scene.meshes.entry(mesh).id for item in scene.objects.values() for mesh in item.meshes}
        for number in self._held.keys() - shown:
            del self._held[number]

    def _grow(self, length: int) -> None:
        more = max(length, 2 * len(self._normals)) - len(self._normals)
        self._face_material = np.concatenate([self._face_material, np.zeros(more, np.int64)])
        self._one_material = np.concatenate([self._one_material, np.full(more, -1, np.int32)])
        self._normals = np.concatenate([self._normals, np.zeros(more, np.int64)])
        self._colours = np.concatenate([self._colours, np.zeros(more, np.int64)])

    def _read_materials(self, scene: Scene) -> None:
        kinds = scene.materials.all
        if len(kinds) == len(self._materials):
            return
        table = np.zeros((len(kinds), len(COLUMNS)), np.float32)
        for i, m in enumerate(kinds):
            grain, frequency, texture = GRAIN.get(m.texture, PLAIN)
            leaf = m.label_name in _LEAVES[:3] or (not m.solid and m.label_name in _LEAVES)
            # A leaf's transparency is that of its brightest colour: what passes is greener than what is sent back.
            passing = m.transparency / max(*m.colour, 0.05) if m.transparency else _LEAF_LIGHT
            thin = passing if leaf else 0.0
            glass = 0.0 if leaf else m.transparency
            table[i] = [
                *m.colour, m.emission, thin, 1 - m.roughness, m.temperature, grain, frequency, texture, m.mirror, glass,
            ]  # fmt: skip
        self._materials = table
        self._labels = np.array([scene.materials.label_id(m) for m in kinds], np.int32)

    def moving_spheres(self, origin: np.ndarray) -> np.ndarray:
        """Spheres round the things that move, [k, 4]: middle against an origin in W [m], and radius [m]."""
        spheres = [[*(item.body.centre - origin), item.body.radius] for item in self.moving]
        return np.array(spheres, float).reshape(-1, 4)

    def nearest_lamps(self, p_W: np.ndarray, count: int, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places [k, 3] in W and powers [k, 3] of the lamps nearest to a point, and which of them stand [k]."""
        places, powers, standing = [np.zeros((0, 3))], [np.zeros((0, 3))], [np.zeros(0, bool)]
        for item, kind, power, middle in self.lamps:
            X = item.X_WO[item.body.kinds == kind]
            places.append(X[:, :, :3] @ middle + X[:, :, 3])
            powers.append(np.repeat(power[None], len(X), axis=0))
            standing.append(np.full(len(X), not item.body.moving))
        place, power = np.concatenate(places), np.concatenate(powers)
        distance = np.linalg.norm(place - p_W, axis=1)
        order = np.argsort(distance, kind="stable")[:count]
        order = order[distance[order] < reach]
        return place[order], power[order], np.concatenate(standing)[order]


def _blended(mesh: Mesh) -> np.ndarray | None:
    """Colours of the corners of smooth ground of several kinds, the mean of the faces round each, float32 [n, 3]."""
    if mesh.normals is None or mesh.face_material is None or {m.label_name for m in mesh.materials} != {"ground"}:
        return None
    colour = np.array([m.colour for m in mesh.materials])[mesh.face_material]
    corners, n = mesh.faces.ravel(), len(mesh.vertices)
    count = np.maximum(np.bincount(corners, minlength=n), 1)
    sums = [np.bincount(corners, np.repeat(colour[:, c], 3), minlength=n) for c in range(3)]
    return np.ascontiguousarray(np.stack(sums, axis=1) / count[:, None], np.float32)


def _lamp_of(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Power and middle of a mesh's shining faces, as of a point: emission times area over π."""
    emission = np.array([m.emission for m in mesh.materials])
    if emission.max() < _FAINTEST:
        return np.zeros(3), np.zeros(3)
    index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    shining = emission[index] >= _FAINTEST
    corners = mesh.vertices[mesh.faces[shining]].astype(float)
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    colour = np.array([m.colour for m in mesh.materials])[index[shining]] * emission[index[shining], None]
    return (area[:, None] * colour).sum(axis=0) / np.pi / 2.5, corners.reshape(-1, 3).mean(axis=0)
