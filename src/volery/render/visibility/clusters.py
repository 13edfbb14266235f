"""Meshes cut into clusters of near triangles, so that those out of a picture's sight are passed over together."""

from __future__ import annotations

from copy import copy

import numpy as np

from volery._native.rays import SceneTables
from volery._native.render import ClusterTable
from volery.core.geometry import Mesh
from volery.world.scene.scene import Scene

__all__ = ["Clusters"]


class Clusters:
    """The clusters of one scene, shared by its cameras; a mesh is cut when it first comes near a picture."""

    def __init__(self, scene: Scene) -> None:
        self.table = ClusterTable(scene.tables)
        self._version = -1
        self._meshes: dict[int, Mesh] = {}

    @staticmethod
    def of(scene: Scene) -> Clusters:
        """Those of a scene."""
        if Clusters not in scene.companions:
            scene.companions[Clusters] = Clusters(scene)
        return scene.companions[Clusters]

    def synced(self, scene: Scene) -> ClusterTable:
        """The table, up to date."""
        if self._version != scene.version:
            self._sync(scene)
        return self.table

    def kept(self, scene: Scene, tables: SceneTables) -> Clusters:
        """Those of now, for tables that show the same meshes; for good."""
        self.synced(scene)
        return self.kept_of(tables)

    def kept_of(self, tables: SceneTables) -> Clusters:
        """The same ones, for tables that show the same meshes; for good."""
        clusters = copy(self)
        clusters.table = ClusterTable(self.table, tables)
        return clusters

    def _sync(self, scene: Scene) -> None:
        self._version = scene.version
        items = scene.objects.values()
        runs = [np.arange(i.first_row, i.first_row + len(i.X_WO), dtype=np.int32) for i in items]
        found = {scene.meshes.entry(mesh).id: (mesh, item.deforms) for item in items for mesh in item.meshes}
        for number, (mesh, deforms) in found.items():
            if self._meshes.get(number) is not mesh:
                self.table.set_mesh(number, np.ascontiguousarray(mesh.bounds, np.float64), deforms)
        for number in self._meshes.keys() - found.keys():
            self.table.forget_mesh(number)
        self._meshes = {number: mesh for number, (mesh, _) in found.items()}
        self.table.set_rows(np.concatenate([np.zeros(0, np.int32), *runs]))
