"""Meshes cut into clusters of near triangles, so that those out of a picture's sight are passed over together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.core.geometry import Mesh
from volery.world.scene import Scene

__all__ = ["CLUSTER", "ClusterTables", "Clusters"]

CLUSTER = 128
"""Triangles of a cluster."""
_NEVER_OUT = 1e9
"""Radius [m] of the clusters of a mesh that changes its shape: they count as in sight."""


class Clusters(NamedTuple):
    """What kernels look up about the clusters of meshes, by the number of the mesh."""

    rows: np.ndarray
    """The instances in the scene, int32 [n]."""
    order: np.ndarray
    """Address of the triangles in the order of clusters, int32 each; 0: not made yet."""
    bounds: np.ndarray
    """Address of the spheres round clusters, float32 [k, 4]: middle and radius in the mesh [m]."""
    triangles: np.ndarray
    """int32."""
    middle: np.ndarray
    """Sphere round the whole mesh, float64 [m, 4]."""


class ClusterTables:
    """The clusters of one scene, shared by its cameras; a mesh is cut when it first comes near a picture."""

    def __init__(self) -> None:
        self._version = -1
        self._rows = np.zeros(0, np.int32)
        self._meshes: dict[int, tuple[Mesh, bool]] = {}
        self._held: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._order, self._bounds = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._triangles, self._middle = np.zeros(0, np.int32), np.zeros((0, 4))

    @staticmethod
    def of(scene: Scene) -> ClusterTables:
        """The tables of a scene."""
        if ClusterTables not in scene.companions:
            scene.companions[ClusterTables] = ClusterTables()
        return scene.companions[ClusterTables]

    def sync(self, scene: Scene) -> Clusters:
        """The tables, up to date."""
        if self._version != scene.version:
            self._version = scene.version
            items = scene.objects.values()
            runs = [np.arange(i.first_row, i.first_row + len(i.X_WO), dtype=np.int32) for i in items]
            self._rows = np.concatenate([np.zeros(0, np.int32), *runs])
            found = {scene.meshes.entry(mesh).id: (mesh, item.deforms) for item in items for mesh in item.meshes}
            self._enter(found, len(scene.meshes.vertices))
        return Clusters(self._rows, self._order, self._bounds, self._triangles, self._middle)

    def cut(self, numbers: np.ndarray) -> None:
        """Cut meshes that are not cut yet."""
        for number in numbers[self._order[numbers] == 0]:
            order, bounds = _cut(*self._meshes[int(number)])
            self._held[int(number)] = (order, bounds)
            self._order[number], self._bounds[number] = order.ctypes.data, bounds.ctypes.data

    def _enter(self, found: dict[int, tuple[Mesh, bool]], length: int) -> None:
        more = length - len(self._order)
        self._order, self._bounds = (np.append(a, np.zeros(more, np.int64)) for a in (self._order, self._bounds))
        self._triangles = np.append(self._triangles, np.zeros(more, np.int32))
        self._middle = np.concatenate([self._middle, np.zeros((more, 4))])
        for number, (mesh, deforms) in found.items():
            if number in self._meshes and self._meshes[number][0] is mesh:
                continue
            self._order[number], self._triangles[number] = 0, len(mesh.faces)
            low, high = np.asarray(mesh.bounds, float)
            self._middle[number] = [*(low + high) / 2, _NEVER_OUT if deforms else np.linalg.norm(high - low) / 2]
        for number in self._meshes.keys() - found.keys():
            self._held.pop(number, None)
            self._order[number] = 0
        self._meshes = found


def _cut(mesh: Mesh, deforms: bool) -> tuple[np.ndarray, np.ndarray]:
    """Triangles in the order of clusters, and the spheres round those."""
    corners = mesh.vertices[mesh.faces]
    order = np.argsort(_along_curve(corners.mean(axis=1)), kind="stable").astype(np.int32)
    starts = np.arange(0, len(order), CLUSTER)
    # Lowest and highest corner of each cluster.
    low = np.minimum.reduceat(corners.min(axis=1)[order], starts)
    high = np.maximum.reduceat(corners.max(axis=1)[order], starts)
    bounds = np.empty((len(starts), 4), np.float32)
    bounds[:, :3] = (low + high) / 2
    bounds[:, 3] = _NEVER_OUT if deforms else np.linalg.norm(high - low, axis=1) * 0.501 + 1e-4
    return order, bounds


def _along_curve(points: np.ndarray) -> np.ndarray:
    """Places [n, 3] as numbers along a curve that stays near itself (after Morton)."""
    low, high = points.min(axis=0), points.max(axis=0)
    grid = ((points - low) / max(float((high - low).max()), 1e-9) * 1023).astype(np.uint64)
    code = np.zeros(len(points), np.uint64)
    for bit in range(10):
        for axis in range(3):
            code |= ((grid[:, axis] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(3 * bit + axis)
    return code
