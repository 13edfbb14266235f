"""Boxes and convex meshes of a MuJoCo model as polytopes: corners and planes in the frame of the geom."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from volery._native.contact import Polytope, ShapeKind
from volery.errors import RobotError

__all__ = ["hulls_of"]


def hulls_of(model: mujoco.MjModel, geoms: list[int]) -> tuple[np.ndarray, list[Polytope]]:
    """Polytopes of the boxes and meshes among the geoms, and by geom which is its own, int64 [ngeom]; -1: none."""
    hull = np.full(model.ngeom, -1, np.int64)
    hulls: list[Any] = []
    numbers: dict[int, int] = {}
    for geom in geoms:
        mesh = int(model.geom_dataid[geom])
        if model.geom_type[geom] == ShapeKind.box.value:
            hull[geom] = len(hulls)
            hulls.append(Polytope(*_box(model.geom_size[geom])))
        elif model.geom_type[geom] == ShapeKind.mesh.value:
            if mesh not in numbers:
                numbers[mesh] = len(hulls)
                hulls.append(Polytope(*_hull(model, mesh)))
            hull[geom] = numbers[mesh]
    return hull, hulls


def _box(size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    return signs * size, np.column_stack([normals, np.tile(size, 2)])


def _hull(model: mujoco.MjModel, mesh: int) -> tuple[np.ndarray, np.ndarray]:
    """The convex hull that MuJoCo made of a mesh: numbers of corners and faces, where each corner's list of neighbours
    begins, the corners, those lists, then the faces."""
    start = int(model.mesh_graphadr[mesh])
    if start < 0:
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, mesh)
        raise RobotError(f"mesh '{name}' has no convex hull, so it cannot touch the world; use a primitive shape")
    graph = model.mesh_graph[start:]
    k, f = int(graph[0]), int(graph[1])
    first = int(model.mesh_vertadr[mesh])
    vertices = model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])].astype(float)
    corners = vertices[graph[2 + k : 2 + 2 * k]]
    faces = graph[2 + 3 * k + 3 * f :][: 3 * f].reshape(-1, 3)
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1)
    normals, a = normals[area > 1e-12] / area[area > 1e-12, None], a[area > 1e-12]
    outward = np.einsum("ij,ij->i", normals, a - corners.mean(axis=0)) < 0
    normals[outward] *= -1
    # Each plane once, though several triangles may lie in it; offset by the farthest corner.
    _, once = np.unique(np.round(normals, 6), axis=0, return_index=True)
    normals = normals[np.sort(once)]
    return corners, np.column_stack([normals, (normals @ corners.T).max(axis=1)])
