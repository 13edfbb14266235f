"""How deep a point lies inside a robot: a layered voxel map of its mesh, with the exact distance where it is needed.

Every voxel knows its layer (whole voxels of depth below the skin, negative outside) and which triangles can be nearest
to any point in it. The layer alone settles points that are far outside; for the others a few triangles are measured, so
the depth is that of the mesh and has no steps.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from volery._native.contact import VoxelMap
from volery.core.geometry import Mesh
from volery.errors import GeometryError

__all__ = ["VoxelMap", "voxel_map"]

_MARGIN = 2
"""Voxels round the mesh."""
_MOST_VOXELS = 16_000_000


def _normals(corners: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Outward, of each triangle: its face, its edges 01, 12, 20, its corners; [t, 7, 3]. Those of edges and corners are
    the mean over the faces that meet there, by angle, so that they tell inside from outside (Bærentzen and Aanæs)."""
    a, b, c = corners.transpose(1, 0, 2)
    face = np.cross(b - a, c - a)
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    sides = np.stack([b - a, c - b, a - c], axis=1)
    sides /= np.linalg.norm(sides, axis=2, keepdims=True)
    angle = np.arccos(np.clip(-np.sum(sides * np.roll(sides, 1, axis=1), axis=2), -1.0, 1.0))
    n = int(faces.max()) + 1
    at_vertex, out = np.zeros((n, 3)), np.empty((len(faces), 7, 3))
    np.add.at(at_vertex, faces, angle[:, :, None] * face[:, None])
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2), axis=2)
    _, edge = np.unique((ends[..., 0] * n + ends[..., 1]).ravel(), return_inverse=True)
    at_edge = np.zeros((int(edge.max()) + 1, 3))
    np.add.at(at_edge, edge.reshape(-1, 3), np.repeat(face[:, None], 3, axis=1))
    out[:, 0], out[:, 1:4], out[:, 4:] = face, at_edge[edge.reshape(-1, 3)], at_vertex[faces]
    return out / np.maximum(np.linalg.norm(out, axis=2, keepdims=True), 1e-300)


@lru_cache(maxsize=32)
def voxel_map(mesh: Mesh, size: float) -> VoxelMap:
    """The map of a closed mesh, with voxels of an edge `size` [m]; made once for a mesh."""
    if not 0 < size < np.inf or not mesh.closed:
        why = f"voxels of {size} m: must be above 0" if mesh.closed else "it is not closed, so it has no inside"
        raise GeometryError(f"mesh '{mesh.name}': {why}; for a voxel map it needs both")
    low, high = mesh.bounds
    blocks = np.ceil((high - low + 2 * _MARGIN * size) / (VoxelMap.block * size)).astype(int)
    if blocks.prod() * VoxelMap.block**3 > _MOST_VOXELS:
        raise GeometryError(f"mesh '{mesh.name}': voxels of {size:g} m are more than {_MOST_VOXELS}; use larger ones")
    shape = blocks * VoxelMap.block
    origin = (low + high - shape * size) / 2
    places, index = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = index.reshape(-1)[mesh.faces].astype(np.int64)
    corners = places.astype(np.float64)[faces]
    flat = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) > 0
    faces, corners = faces[flat], np.ascontiguousarray(corners[flat])
    normals = _normals(corners, faces)
    return VoxelMap(origin, size, blocks.astype(np.int64), corners, normals)
