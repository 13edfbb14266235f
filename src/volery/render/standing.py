"""What stands in a scene, kept as it is in one version of it, for pictures that are drawn later.

Triangles are shared with the scene. What a version needs is copied once, when a first picture is kept of it; top scenes
for rays are made when a picture that is drawn first asks for them.
"""

from __future__ import annotations

import threading
from math import dist
from typing import NamedTuple

import numpy as np

from volery._native.rays import Device, InstanceGeometry, SceneTables, TopScene, TriangleScene
from volery.core.geometry import Mesh
from volery.render.lamps import ShiningMesh
from volery.render.scene import RenderScene
from volery.render.visibility.clusters import Clusters
from volery.world.scene.floating_origin import CELL_SIZE, CellKey, CellObject
from volery.world.scene.scene import Scene, SceneObject

__all__ = ["KeptObject", "KeptRows", "StandingVersion", "placed"]

_MOST_CELLS = 4
"""Top scenes that are kept of one version."""


class KeptObject(NamedTuple):
    """An object of a scene as it was; see `SceneObject`. Its arrays are shared: nobody writes to them."""

    name: str
    first_row: int
    body: CellObject
    meshes: tuple[Mesh, ...]
    X_WO: np.ndarray
    centre: np.ndarray
    radius: float
    bent: np.ndarray | None
    bent_normals: np.ndarray | None

    @staticmethod
    def of(item: SceneObject) -> KeptObject:
        """An object as it is now."""
        b = item.body
        shape = item.bent, item.bent_normals
        return KeptObject(item.name, item.first_row, b, item.meshes, b.X_WO, b.centre, b.radius, *shape)


class KeptRows(NamedTuple):
    """As `Rows` of a scene."""

    X: np.ndarray
    normal: np.ndarray
    mesh: np.ndarray
    object: np.ndarray
    group: np.ndarray
    mask: np.ndarray

    def copy(self) -> KeptRows:
        """Arrays of its own."""
        return KeptRows(*(array.copy() for array in self))


class StandingVersion:
    """One version of a scene; all that moves in it is to be put in its place (see instant.py)."""

    def __init__(self, scene: Scene) -> None:
        self.number = scene.version
        live, count = scene.rows, scene.rows.count
        self.rows = KeptRows(*(getattr(live, name)[:count].copy() for name in KeptRows._fields))
        self.slot_rows = {moving: rows.copy() for moving, rows in scene.slot_rows.items()}
        self.tables = self.tables_of(scene.tables, self.rows)
        self.looks = RenderScene.of(scene).kept(self.tables)
        self.clusters = Clusters.of(scene).kept(scene, self.tables)
        self.lamps = [_kept_lamp(lamp) for lamp in RenderScene.of(scene).lamps]
        self.device, self.horizon, self.meshes = scene.device, scene.horizon, scene.meshes
        self._standing = [KeptObject.of(item) for item in scene.objects.values() if not item.body.moving]
        # The numbers of meshes stay theirs while they live.
        self._shown = [item.meshes for item in scene.objects.values()]
        self._cells: dict[CellKey, TopScene] = {}
        self._lock = threading.Lock()

    @staticmethod
    def of(scene: Scene) -> StandingVersion:
        """The present one; the same for all who ask while nothing comes, goes or is moved that stands."""
        kept = scene.companions.get(StandingVersion)
        if kept is None or kept.number != scene.version:
            kept = scene.companions[StandingVersion] = StandingVersion(scene)
        return kept

    def tables_of(self, meshes: SceneTables, rows: KeptRows) -> SceneTables:
        """Tables of rows that show the same meshes as others."""
        tables = SceneTables.sharing_meshes(meshes)
        tables.set_rows(*rows)
        for moving, first_row in self.slot_rows.items():
            tables.set_slot_rows(moving, first_row)
        return tables

    def top(self, key: CellKey) -> TopScene:
        """What stands, as rays are cast into it from a cell of the scene; any thread may ask."""
        with self._lock:
            if key not in self._cells:
                while len(self._cells) >= _MOST_CELLS:
                    del self._cells[next(iter(self._cells))]
                self._cells[key] = self._made(key)
            return self._cells[key]

    def _made(self, key: CellKey) -> TopScene:
        origin, top = np.array(key, float) * CELL_SIZE, TopScene(self.device)
        for item in self._standing:
            # As `Cell` does, so that rays meet the same things at the same place.
            if dist(item.centre, origin) - item.radius < self.horizon + CELL_SIZE:
                top.attach(item.body.slot, placed(self.device, item, item.body.scenes, origin))
        top.build()
        return top


def placed(device: Device, item: KeptObject, scenes: list[TriangleScene], origin: np.ndarray) -> InstanceGeometry:
    """The instances of an object relative to the middle of a cell."""
    X = item.X_WO.copy()
    X[:, :, 3] -= origin
    return InstanceGeometry(device, scenes, item.body.kinds, X.astype(np.float32), item.body.mask)


def _kept_lamp(lamp: ShiningMesh) -> ShiningMesh:
    """A lamp that stands as it is now; one that moves is still to be put in its place."""
    item = lamp.item
    return lamp if item.body.moving or isinstance(item, KeptObject) else lamp._replace(item=KeptObject.of(item))
