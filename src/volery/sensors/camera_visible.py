"""Which clusters of triangles a pinhole camera may see: in its view, and not behind what is drawn. Compiled."""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_clusters import CLUSTER
from volery.world.native import as_f4

__all__ = ["NEAR", "TILE", "Grid", "cover", "hidden", "in_camera", "in_sight", "list_clusters"]

TILE = 8
"""Pixels along a tile: what is behind all of its pixels is not drawn."""
NEAR = 1e-4
"""What is nearer to the eye's plane is cut off when the place of something in the picture is sought [m]."""


class Grid(NamedTuple):
    """Some rows of a pinhole's picture."""

    focal: float
    """[pixels]."""
    width: int
    height: int
    top: int
    """First of the rows, and one past the last."""
    bottom: int


@nb.njit(cache=True, nogil=True)
def _sides(grid):
    """Slopes of the sides of what is seen: right, left, bottom and top, as y/x and z/x."""
    half_w, half_h = 0.5 * grid.width, 0.5 * grid.height
    return (
        -half_w / grid.focal, half_w / grid.focal,
        -(grid.bottom - half_h) / grid.focal, -(grid.top - half_h) / grid.focal,
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, inline="always")
def _outside(x, y, z, radius, far, right, left, low, high):
    """Whether a sphere in C is out of sight."""
    if x + radius < 0.0 or x - radius > far:
        return True
    if (right * x - y) > radius * np.sqrt(1.0 + right * right) or (y - left * x) > radius * np.sqrt(1.0 + left * left):
        return True
    return (low * x - z) > radius * np.sqrt(1.0 + low * low) or (z - high * x) > radius * np.sqrt(1.0 + high * high)


@nb.njit(cache=True, nogil=True, inline="always")
def in_camera(X, R, p, row, M) -> None:
    """Pose of an instance in C, into M [3, 4]: differences in float64, as the world is wide."""
    for i in range(3):
        for j in range(3):
            M[i, j] = R[0, i] * X[row, 0, j] + R[1, i] * X[row, 1, j] + R[2, i] * X[row, 2, j]
        x, y, z = X[row, 0, 3] - p[0], X[row, 1, 3] - p[1], X[row, 2, 3] - p[2]
        M[i, 3] = R[0, i] * x + R[1, i] * y + R[2, i] * z


@nb.njit(cache=True, nogil=True, inline="always")
def _scale(M):
    """No vector gets longer by more than this."""
    total = 0.0
    for i in range(3):
        total = max(total, abs(M[0, i]) + abs(M[1, i]) + abs(M[2, i]))
    return total * 1.7321


@nb.njit(cache=True, nogil=True)
def in_sight(clusters, rows, geo, R, p, grid, far, mask, ignored, row_mask, row_group, distance):
    """How far away the instances are that may be seen [m], -1 for those that are not, into distance [n]."""
    right, left, low, high = _sides(grid)
    X, meshes, middles = geo.row_X, geo.row_mesh, clusters.middle
    M = np.empty((3, 4))
    for n in range(len(rows)):
        row = rows[n]
        distance[n] = -1.0
        if (row_mask[row] & mask) == 0 or (ignored >= 0 and row_group[row] == ignored):
            continue
        in_camera(X, R, p, row, M)
        c = middles[meshes[row]]
        x = M[0, 0] * c[0] + M[0, 1] * c[1] + M[0, 2] * c[2] + M[0, 3]
        y = M[1, 0] * c[0] + M[1, 1] * c[1] + M[1, 2] * c[2] + M[1, 3]
        z = M[2, 0] * c[0] + M[2, 1] * c[1] + M[2, 2] * c[2] + M[2, 3]
        if not _outside(x, y, z, c[3] * _scale(M), far, right, left, low, high):
            distance[n] = np.sqrt(x * x + y * y + z * z)


@nb.njit(cache=True, nogil=True)
def list_clusters(clusters, rows, geo, R, p, grid, far, listed, places):
    """The clusters of instances that may be seen, into listed [most, 2] (instance, number), and the spheres round them
    in C into places [most, 4]; returns how many there are, -1 if there is no room for them."""
    right, left, low, high = _sides(grid)
    X, meshes, triangles, address = geo.row_X, geo.row_mesh, clusters.triangles, clusters.bounds
    M, count = np.empty((3, 4)), 0
    for n in range(len(rows)):
        row = rows[n]
        mesh = meshes[row]
        in_camera(X, R, p, row, M)
        bounds, scale = as_f4(address[mesh]), _scale(M)
        for k in range((triangles[mesh] + CLUSTER - 1) // CLUSTER):
            a, b, c, radius = bounds[4 * k], bounds[4 * k + 1], bounds[4 * k + 2], bounds[4 * k + 3] * scale
            x = M[0, 0] * a + M[0, 1] * b + M[0, 2] * c + M[0, 3]
            y = M[1, 0] * a + M[1, 1] * b + M[1, 2] * c + M[1, 3]
            z = M[2, 0] * a + M[2, 1] * b + M[2, 2] * c + M[2, 3]
            if not _outside(x, y, z, radius, far, right, left, low, high):
                if count == len(listed):
                    return -1
                listed[count, 0], listed[count, 1] = row, k
                places[count, 0], places[count, 1], places[count, 2], places[count, 3] = x, y, z, radius
                count += 1
    return count


@nb.njit(parallel=True, cache=True, nogil=True)
def cover(grid, near, covered, threads) -> None:
    """The least 1/depth in each tile of what was drawn, into covered [tiles down, tiles across]."""
    rows = grid.bottom - grid.top
    tasks = min(len(covered), threads)
    for task in nb.prange(tasks):
        for j in range(task, len(covered), tasks):
            covered[j, :] = np.float32(np.inf)
            for y in range(j * TILE, min((j + 1) * TILE, rows)):
                for x in range(grid.width):
                    at, best = y * grid.width + x, np.float32(0.0)
                    for k in range(threads):
                        best = max(best, near[k, at])
                    covered[j, x // TILE] = min(covered[j, x // TILE], best)


@nb.njit(cache=True, nogil=True)
def hidden(grid, place, covered):
    """Whether a sphere in C is behind all that was drawn before it."""
    x, y, z, radius = place[0], place[1], place[2], place[3]
    nearest, farthest = x - radius, x + radius
    if nearest <= NEAR:
        return False
    left, right = (
        max((y + radius) / nearest, (y + radius) / farthest),
        min((y - radius) / nearest, (y - radius) / farthest),
    )
    up, down = (
        max((z + radius) / nearest, (z + radius) / farthest),
        min((z - radius) / nearest, (z - radius) / farthest),
    )
    half_w, half_h = 0.5 * grid.width, 0.5 * grid.height - grid.top
    x0, x1 = max(half_w - left * grid.focal - 1.0, 0.0), min(half_w - right * grid.focal + 1.0, grid.width - 1.0)
    y0, y1 = (
        max(half_h - up * grid.focal - 1.0, 0.0),
        min(half_h - down * grid.focal + 1.0, grid.bottom - grid.top - 1.0),
    )
    for j in range(int(y0) // TILE, int(y1) // TILE + 1):
        for i in range(int(x0) // TILE, int(x1) // TILE + 1):
            if covered[j, i] * nearest <= 1.0:
                return False
    return True
