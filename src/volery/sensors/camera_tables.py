"""Flat tables of a scene for the camera's kernels, kept up to date as objects come and go."""

from __future__ import annotations

from typing import ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from volery.core.geometry import Mesh
from volery.core.rng import generator
from volery.world.scene import Scene, SceneObject

__all__ = ["COLUMNS", "Geometry", "SceneTables", "grain_volume"]

COLUMNS = {name: i for i, name in enumerate(
    ("r", "g", "b", "emission", "thin", "gloss", "temperature", "grain", "frequency", "texture", "mirror", "glass")
)}  # fmt: skip
"""Columns of the material table."""
_GRAIN = {
    "": (0.0, 1.0, 0), "bark": (0.55, 2.5, 2), "rock": (0.45, 0.35, 3), "dripstone": (0.3, 0.8, 3),
    "soil": (0.5, 0.4, 4), "grass": (0.4, 0.5, 4), "brick": (0.25, 1.5, 5), "wood": (0.35, 3.0, 2),
    "concrete": (0.2, 0.5, 1), "asphalt": (0.25, 3.0, 1), "metal": (0.06, 1.0, 1), "snow": (0.06, 0.5, 1),
}  # fmt: skip
"""Strength, frequency [1/m] and kind of the grain by texture."""
_PLAIN = (0.15, 0.8, 1)
_LEAF_LIGHT = 0.55
"""Share of sunlight a leaf lets through, if its material does not say."""
_LEAVES = ("leaf", "leaves", "foliage", "grass", "fern", "bush", "needle")
_FAINTEST = 1.0
"""What shines less is only seen, and lights nothing."""


class Geometry(NamedTuple):
    """What kernels look up about what a ray hit. Addresses are 0 where there is nothing."""

    row_X: np.ndarray
    row_normal: np.ndarray
    row_mesh: np.ndarray
    row_object: np.ndarray
    row_group: np.ndarray
    vertices: np.ndarray
    faces: np.ndarray
    face_material: np.ndarray
    """Address of material numbers, uint16 per face, by mesh."""
    one_material: np.ndarray
    """The material of meshes that have one, else -1."""
    normals: np.ndarray
    """Address of smooth normals, float32 [n, 3], by mesh."""
    materials: np.ndarray
    """float32 [m, columns]."""
    labels: np.ndarray
    """Label number by material."""


def grain_volume(edge: int = 64) -> np.ndarray:
    """A periodic cloud of noise of all scales, zero mean and unit spread, float32 [edge, edge, edge]."""
    white = generator(0, "camera/grain").standard_normal((edge, edge, edge))
    f = np.fft.fftfreq(edge) * edge
    radius = np.sqrt(f[:, None, None] ** 2 + f[None, :, None] ** 2 + f[None, None, :] ** 2)
    spectrum = np.fft.fftn(white) * np.where(radius > 0.5, np.maximum(radius, 1.0) ** -1.9, 0.0)
    cloud = np.fft.ifftn(spectrum).real
    return np.ascontiguousarray(np.clip(cloud / cloud.std(), -2.5, 2.5), np.float32)


class SceneTables:
    """The tables of one scene, shared by its cameras."""

    _all: ClassVar[WeakKeyDictionary[Scene, SceneTables]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self.items: list[SceneObject] = []
        self.moving: list[SceneObject] = []
        self.lamps: list[tuple[SceneObject, int, np.ndarray, np.ndarray]] = []
        self._held: dict[int, tuple] = {}
        self._face_material = np.zeros(64, np.int64)
        self._one_material = np.full(64, -1, np.int32)
        self._normals = np.zeros(64, np.int64)
        self._materials = np.zeros((0, len(COLUMNS)), np.float32)
        self._labels = np.zeros(0, np.int32)

    @staticmethod
    def of(scene: Scene) -> SceneTables:
        """The tables of a scene; call `sync` before use."""
        if scene not in SceneTables._all:
            SceneTables._all[scene] = SceneTables()
        return SceneTables._all[scene]

    def sync(self, scene: Scene) -> list[SceneObject]:
        """Bring the tables up to date; returns what stands still and came or went since the last time."""
        now = list(scene.objects.values())
        # Lists of the same objects compare by identity, which takes microseconds.
        if now == self.items:
            return []
        before, after = set(self.items), set(now)
        for item in now:
            if item not in before:
                self._enter(scene, item)
        self.items = now
        self.moving = [item for item in now if item.body.moving]
        self.lamps = [lamp for lamp in self.lamps if lamp[0] in after]
        self._read_materials(scene)
        return [item for item in before ^ after if not item.body.moving]

    def geometry(self, scene: Scene) -> Geometry:
        """The tables as kernels take them."""
        rows, meshes = scene.rows, scene.meshes
        return Geometry(
            rows.X, rows.normal, rows.mesh, rows.object, rows.group, meshes.vertices, meshes.faces,
            self._face_material, self._one_material, self._normals, self._materials, self._labels,
        )  # fmt: skip

    def _enter(self, scene: Scene, item: SceneObject) -> None:
        for kind, mesh in enumerate(item.meshes):
            number = scene.meshes.entry(mesh).id
            if number >= len(self._normals):
                self._grow(number + 1)
            table = scene.meshes.face_material(number)
            single = len(table) == 1
            self._held[number] = (table, mesh.normals)
            self._face_material[number] = 0 if single else table.ctypes.data
            self._one_material[number] = int(table[0]) if single else -1
            self._normals[number] = 0 if mesh.normals is None else mesh.normals.ctypes.data
            power, middle = _lamp_of(mesh)
            if power.any():
                self.lamps.append((item, kind, power, middle))

    def _grow(self, length: int) -> None:
        more = max(length, 2 * len(self._normals)) - len(self._normals)
        self._face_material = np.concatenate([self._face_material, np.zeros(more, np.int64)])
        self._one_material = np.concatenate([self._one_material, np.full(more, -1, np.int32)])
        self._normals = np.concatenate([self._normals, np.zeros(more, np.int64)])

    def _read_materials(self, scene: Scene) -> None:
        kinds = scene.materials.all
        if len(kinds) == len(self._materials):
            return
        table = np.zeros((len(kinds), len(COLUMNS)), np.float32)
        for i, m in enumerate(kinds):
            grain, frequency, texture = _GRAIN.get(m.texture, _PLAIN)
            leaf = (not m.solid and m.label_name in _LEAVES) or any(word in m.name for word in _LEAVES[:3])
            thin = (m.transparency or _LEAF_LIGHT) if leaf else 0.0
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

    def nearest_lamps(self, p_W: np.ndarray, count: int, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """Places [k, 3] in W and powers [k, 3] of the lamps nearest to a point."""
        places, powers = [np.zeros((0, 3))], [np.zeros((0, 3))]
        for item, kind, power, middle in self.lamps:
            X = item.X_WO[item.body.kinds == kind]
            places.append(X[:, :, :3] @ middle + X[:, :, 3])
            powers.append(np.repeat(power[None], len(X), axis=0))
        place, power = np.concatenate(places), np.concatenate(powers)
        distance = np.linalg.norm(place - p_W, axis=1)
        order = np.argsort(distance, kind="stable")[:count]
        order = order[distance[order] < reach]
        return place[order], power[order]


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
