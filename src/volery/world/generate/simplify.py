"""Coarser levels of detail of solid things and of ground: fewer vertices, each for all of those near it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from volery.core.geometry import Mesh, grid

__all__ = ["height_field", "simplified"]

_STRIDES = (2, 4, 5, 10, 20, 25)
"""Squares of ground that a coarser level may join along an edge; those are used that divide the number of squares."""


def simplified(mesh: Mesh, cells: tuple[float, ...]) -> Mesh:
    """A mesh that knows coarser levels of itself, by cubes of these edges [m], the finest first."""
    coarser = None
    for cell in reversed(cells):
        level = _clustered(mesh, cell)
        if len(level.faces):
            coarser = replace(level, coarser=coarser, detail=cell)
    return replace(mesh, coarser=coarser)


def _clustered(mesh: Mesh, cell: float) -> Mesh:
    """All vertices in a cube made one, in their middle; triangles that have no area left are left out."""
    _, index = np.unique(np.floor(mesh.vertices / cell).astype(np.int64), axis=0, return_inverse=True)
    index = index.ravel()
    faces = index[mesh.faces]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    vertices = _means(mesh.vertices, index)
    normals = None
    if mesh.normals is not None:
        normals = _means(mesh.normals, index)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    material = None if mesh.face_material is None else mesh.face_material[kept]
    name = f"{mesh.name} by {cell:g} m"
    return replace(mesh, vertices=vertices, faces=faces[kept], normals=normals, face_material=material, name=name)


def _means(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Of the values [n, 3] of each index."""
    count = np.bincount(index)
    return np.stack([np.bincount(index, values[:, k]) / count for k in range(3)], axis=1)


def height_field(
    heights: np.ndarray, spacing: float, normals: np.ndarray, face_material: np.ndarray, **about: Any
) -> Mesh:
    """Ground of heights [n + 1, n + 1] and normals [n + 1, n + 1, 3] with coarser levels; face_material: [2, n, n]."""
    n, mesh = len(heights) - 1, None
    strides = [s for s in _STRIDES if n % s == 0 and n > s]
    for s in (*reversed(strides), 1):
        z, own = heights[::s, ::s], normals[::s, ::s].reshape(-1, 3)
        made = {"normals": own, "face_material": face_material[:, ::s, ::s].ravel(), "coarser": mesh, **about}
        level = grid(z, spacing * s, **made)
        mesh = level if s == 1 else _skirted(replace(level, detail=_roughness(heights, s)))
    assert mesh is not None
    return mesh


def _roughness(heights: np.ndarray, stride: int) -> float:
    """How far the ground is off a coarser level of it at the most [m], and as much again for safety."""
    n = len(heights) - 1
    at = np.arange(n + 1) / stride
    low = np.minimum(at.astype(int), n // stride - 1)
    share = at - low
    z = heights[::stride, ::stride]
    rows = z[low] * (1 - share)[:, None] + z[low + 1] * share[:, None]
    coarse = rows[:, low] * (1 - share) + rows[:, low + 1] * share
    return 2.0 * float(np.abs(coarse - heights).max()) + 1e-3


def _skirted(mesh: Mesh) -> Mesh:
    """A coarser level with a rim that hangs down, so that no gap is seen to finer neighbours."""
    assert mesh.face_material is not None and mesh.normals is not None, "grids have both"
    n = round(len(mesh.vertices) ** 0.5)
    i = np.arange(n * n).reshape(n, n)
    rim = np.concatenate([i[:, 0], i[-1, 1:], i[-2::-1, -1], i[0, -2::-1]])
    below = mesh.vertices[rim] - np.array([0.0, 0.0, 2.0 * mesh.detail], np.float32)
    a, b = rim[:-1], rim[1:]
    c = len(mesh.vertices) + np.arange(len(rim))
    faces = np.concatenate([np.stack([a, c[:-1], b], axis=1), np.stack([b, c[:-1], c[1:]], axis=1)])
    material = np.full(len(faces), mesh.face_material[0], mesh.face_material.dtype)
    return replace(
        mesh, vertices=np.concatenate([mesh.vertices, below]), faces=np.concatenate([mesh.faces, faces]),
        normals=np.concatenate([mesh.normals, mesh.normals[rim]]),
        face_material=np.concatenate([mesh.face_material, material]),
    )  # fmt: skip
