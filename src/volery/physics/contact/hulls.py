"""Boxes and convex meshes of a MuJoCo model as polytopes: corners and planes in a block of memory for each geom."""

from __future__ import annotations

import mujoco
import numpy as np

from volery.errors import RobotError
from volery.physics.contact import layout as at

__all__ = ["hull_blocks"]


def hull_blocks(model: mujoco.MjModel, geoms: list[int]) -> dict[int, np.ndarray]:
    """For each box and mesh among the geoms a block: two whole numbers k and p, corners [k, 3], planes [p, 4]."""
    made: dict[int, np.ndarray] = {}
    blocks = {}
    for geom in geoms:
        if model.geom_type[geom] == at.BOX:
            blocks[geom] = _block(*_box(model.geom_size[geom]))
        elif model.geom_type[geom] == at.MESH:
            mesh = int(model.geom_dataid[geom])
            if mesh not in made:
                made[mesh] = _block(*_hull(model, mesh))
            blocks[geom] = made[mesh]
    return blocks


def _block(corners: np.ndarray, planes: np.ndarray) -> np.ndarray:
    block = np.empty(2 + corners.size + planes.size)
    block[:2].view(np.int64)[:] = len(corners), len(planes)
    block[2 : 2 + corners.size] = corners.ravel()
    block[2 + corners.size :] = planes.ravel()
    return block


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
