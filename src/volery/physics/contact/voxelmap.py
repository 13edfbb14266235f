# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""How deep a point lies inside a robot: a layered voxel map of its mesh, with the exact distance where it is needed.

Every voxel knows its layer (whole voxels of depth below the skin, negative outside) and which triangles can be nearest
to any point in it. The layer alone settles points that are far outside; for the others a few triangles are measured, so
the depth is that of the mesh and has no steps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numba as nb
import numpy as np

from volery.core.geometry import Mesh
from volery.errors import GeometryError

__all__ = ["VoxelMap", "count_inside", "depth_at", "voxel_map"]

_BLOCK = 8
"""Voxels along the edge of the blocks that are looked at first when a map is made."""
_MARGIN = 2
"""Voxels round the mesh."""
_MOST_VOXELS = 16_000_000


class VoxelMap(NamedTuple):
    """Depth inside a closed mesh, in the mesh's frame B; made by `voxel_map`, read by compiled code."""

    origin: np.ndarray
    """Lowest corner [m]."""
    size: float
    """Edge of a voxel [m]."""
    layers: np.ndarray
    """Whole voxels of depth at each voxel's centre, negative outside, int16 [x, y, z]."""
    start: np.ndarray
    """Where each voxel's triangles begin in `items`, and an end, [x·y·z + 1]."""
    items: np.ndarray
    corners: np.ndarray
    """Of the triangles, [t, 3, 3] [m]."""
    normals: np.ndarray
    """Outward, of each triangle: its face, its edges 01, 12, 20, its corners; [t, 7, 3]. Those of edges and corners are
    the mean over the faces that meet there, by angle, so that they tell inside from outside."""


@nb.njit(cache=True, nogil=True)
def _dot(ax, ay, az, bx, by, bz) -> float:
    return ax * bx + ay * by + az * bz


@nb.njit(cache=True, nogil=True)
def _foot(px, py, pz, T) -> tuple[float, float, float, int]:
    """From p to the nearest point of a triangle (Ericson, 5.1.5), and which part of it that is, in the order of
    `normals`. In single numbers: arrays would be made anew for every triangle."""
    x, y, z = T[0, 0] - px, T[0, 1] - py, T[0, 2] - pz
    bx, by, bz = T[1, 0] - T[0, 0], T[1, 1] - T[0, 1], T[1, 2] - T[0, 2]
    cx, cy, cz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
    bb, bc, cc = _dot(bx, by, bz, bx, by, bz), _dot(bx, by, bz, cx, cy, cz), _dot(cx, cy, cz, cx, cy, cz)
    d1, d2 = -_dot(bx, by, bz, x, y, z), -_dot(cx, cy, cz, x, y, z)
    d3, d4, d5, d6 = d1 - bb, d2 - bc, d1 - bc, d2 - cc
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0.0 and d2 <= 0.0:
        s, t, part = 0.0, 0.0, 4
    elif d3 >= 0.0 and d4 <= d3:
        s, t, part = 1.0, 0.0, 5
    elif d6 >= 0.0 and d5 <= d6:
        s, t, part = 0.0, 1.0, 6
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s, t, part = d1 / (d1 - d3), 0.0, 1
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        s, part = 1.0 - t, 2
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s, t, part = 0.0, d2 / (d2 - d6), 3
    else:
        s, t, part = vb / (va + vb + vc), vc / (va + vb + vc), 0
    return x + s * bx + t * cx, y + s * by + t * cy, z + s * bz + t * cz, part


@nb.njit(cache=True, nogil=True)
def _signed(px, py, pz, items, corners, normals, rise) -> float:
    """Depth of p below the nearest of some triangles; rise: the unit direction in which it grows."""
    best, tri, part, fx, fy, fz = np.inf, -1, 0, 0.0, 0.0, 0.0
    for t in items:
        x, y, z, where = _foot(px, py, pz, corners[t])
        square = x * x + y * y + z * z
        if square < best:
            best, tri, part, fx, fy, fz = square, t, where, x, y, z
    distance = np.sqrt(best)
    N = normals[tri, part]
    inward = -1.0 if _dot(fx, fy, fz, N[0], N[1], N[2]) < 0.0 else 1.0
    if distance > 1e-9:
        rise[0], rise[1], rise[2] = -fx * inward / distance, -fy * inward / distance, -fz * inward / distance
    else:
        rise[0], rise[1], rise[2] = -N[0], -N[1], -N[2]
    return inward * distance


@nb.njit(cache=True, nogil=True)
def depth_at(voxels, p, rise) -> float:
    """Depth of a point p_B below the skin [m], negative outside; rise: unit direction in which it grows.

    Beyond the map it is the distance to the map, which is less than that to the skin."""
    shape, origin, size = voxels.layers.shape, voxels.origin, voxels.size
    away = 0.0
    for k in range(3):
        low, high = origin[k] - p[k], p[k] - origin[k] - size * shape[k]
        away += max(low, high, 0.0) ** 2
    if away > 0.0:
        for k in range(3):
            rise[k] = 0.0
        return -np.sqrt(away)
    x = min(int((p[0] - origin[0]) / size), shape[0] - 1)
    y = min(int((p[1] - origin[1]) / size), shape[1] - 1)
    z = min(int((p[2] - origin[2]) / size), shape[2] - 1)
    v = (x * shape[1] + y) * shape[2] + z
    items = voxels.items[voxels.start[v] : voxels.start[v + 1]]
    return _signed(p[0], p[1], p[2], items, voxels.corners, voxels.normals, rise)


@nb.njit(cache=True, nogil=True)
def count_inside(voxels, points, R_WB, p_WB, occupancy) -> tuple[int, float]:
    """How many occupied points in W [n, 3] are inside the robot, and how deep the deepest is [m]."""
    shape, count, deepest = voxels.layers.shape, 0, 0.0
    p, rise = np.empty(3), np.empty(3)
    for i in range(len(points)):
        if occupancy[i] != 1:
            continue
        within = True
        for k in range(3):
            p[k] = 0.0
            for j in range(3):
                p[k] += R_WB[j, k] * (points[i, j] - p_WB[j])
            at = (p[k] - voxels.origin[k]) / voxels.size
            within &= 0.0 <= at < shape[k]
        if not within:
            continue
        x, y, z = (p[0] - voxels.origin[0]), (p[1] - voxels.origin[1]), (p[2] - voxels.origin[2])
        # A voxel's centre is at most 0.87 voxels from any of its points: layers below -2 are all outside.
        if voxels.layers[int(x / voxels.size), int(y / voxels.size), int(z / voxels.size)] < -2:
            continue
        depth = depth_at(voxels, p, rise)
        if depth > 0.0:
            count += 1
            deepest = max(deepest, depth)
    return count, deepest


@nb.njit(cache=True, nogil=True)
def _narrow(centres, radius, parent, start, items, corners) -> tuple:
    """For cells of a half diagonal: which of their parents' triangles can be nearest to a point in them."""
    distance = np.empty(len(corners))
    begin = np.zeros(len(centres) + 1, np.int64)
    found = np.empty(max(16, 4 * len(centres)), np.int32)
    total = 0
    for i in range(len(centres)):
        mine = items[start[parent[i]] : start[parent[i] + 1]]
        least = np.inf
        for n, t in enumerate(mine):
            x, y, z, _ = _foot(centres[i, 0], centres[i, 1], centres[i, 2], corners[t])
            distance[n] = np.sqrt(x * x + y * y + z * z)
            least = min(least, distance[n])
        if total + len(mine) > len(found):
            more = np.empty(2 * (total + len(mine)), np.int32)
            more[:total] = found[:total]
            found = more
        for n, t in enumerate(mine):
            if distance[n] <= least + 2.0 * radius + 1e-9:
                found[total] = t
                total += 1
        begin[i + 1] = total
    return begin, found[:total].copy()


@nb.njit(cache=True, nogil=True)
def _fill_layers(centres, start, items, corners, normals, size, out) -> None:
    rise = np.empty(3)
    for i in range(len(centres)):
        x, y, z = centres[i]
        depth = _signed(x, y, z, items[start[i] : start[i + 1]], corners, normals, rise)
        out[i] = int(np.floor(min(max(depth / size, -32_000.0), 32_000.0)))


def _cell_centres(origin: np.ndarray, size: float, shape: np.ndarray) -> np.ndarray:
    axes = [origin[k] + (np.arange(shape[k]) + 0.5) * size for k in range(3)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def _normals(corners: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Of faces, edges and corners; the latter two over all faces that meet there (Bærentzen and Aanæs)."""
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
    blocks = np.ceil((high - low + 2 * _MARGIN * size) / (_BLOCK * size)).astype(int)
    if blocks.prod() * _BLOCK**3 > _MOST_VOXELS:
        raise GeometryError(f"mesh '{mesh.name}': voxels of {size:g} m are more than {_MOST_VOXELS}; use larger ones")
    shape = blocks * _BLOCK
    origin = (low + high - shape * size) / 2
    places, index = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = index.reshape(-1)[mesh.faces].astype(np.int64)
    corners = places.astype(np.float64)[faces]
    flat = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) > 0
    faces, corners = faces[flat], np.ascontiguousarray(corners[flat])
    normals = _normals(corners, faces)

    start, items = np.array([0, len(faces)]), np.arange(len(faces), dtype=np.int32)
    half = np.sqrt(0.75) * size
    coarse = _cell_centres(origin, _BLOCK * size, blocks)
    start, items = _narrow(coarse, _BLOCK * half, np.zeros(len(coarse), np.int64), start, items, corners)
    fine = _cell_centres(origin, size, shape)
    place = np.stack(np.meshgrid(*(np.arange(s) // _BLOCK for s in shape), indexing="ij"), axis=-1).reshape(-1, 3)
    parent = np.ravel_multi_index(tuple(place.T), tuple(blocks))
    start, items = _narrow(fine, half, parent, start, items, corners)
    layers = np.empty(len(fine), np.int16)
    _fill_layers(fine, start, items, corners, normals, size, layers)
    return VoxelMap(origin, size, layers.reshape(shape), start, items, corners, normals)
