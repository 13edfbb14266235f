"""Compiled work for fewer triangles: clusters of vertices on a grid and the places that keep a surface best."""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.core.noise import hash_cell
from volery.viewer.mesh_kernels import table

__all__ = ["cluster", "coarse_faces", "means", "solve_clusters"]


@nb.njit(cache=True, nogil=True)
def cluster(vertices, faces, locked, low, cell) -> tuple[np.ndarray, int]:
    """Vertices of faces in one cube of a grid of this cell [m] become one; locked ones stay alone.

    Returns the cluster of each vertex, int32 [n], -1 for those of no face, and their number.
    """
    n = len(vertices)
    inside = np.zeros(n, np.bool_)
    for f in range(len(faces)):
        for k in range(3):
            inside[faces[f, k]] = True
    slots, place = table(n), np.empty((n, 3), np.int64)
    out, mask, count = np.full(n, -1, np.int32), len(slots) - 1, 0
    for v in range(n):
        if not inside[v]:
            continue
        if locked[v]:
            out[v] = count
            count += 1
            continue
        for i in range(3):
            place[v, i] = np.int64(np.floor((vertices[v, i] - low[i]) / cell))
        at = np.int64(hash_cell(0, place[v, 0], place[v, 1], place[v, 2]) & np.uint64(mask))
        while slots[at] >= 0:
            w = slots[at]
            if place[w, 0] == place[v, 0] and place[w, 1] == place[v, 1] and place[w, 2] == place[v, 2]:
                break
            at = (at + 1) & mask
        if slots[at] < 0:
            slots[at] = v
            out[v] = count
            count += 1
        else:
            out[v] = out[slots[at]]
    return out, count


@nb.njit(cache=True, nogil=True)
def _quadrics(vertices, faces, clusters, middle):
    """Of each cluster, the planes of all faces at it, weighted by area²: A [k, 6] and b [k, 3] about its middle."""
    k = len(middle)
    A, b = np.zeros((k, 6)), np.zeros((k, 3))
    for f in range(len(faces)):
        p, q, r = vertices[faces[f, 0]], vertices[faces[f, 1]], vertices[faces[f, 2]]
        ux, uy, uz = np.float64(q[0] - p[0]), np.float64(q[1] - p[1]), np.float64(q[2] - p[2])
        vx, vy, vz = np.float64(r[0] - p[0]), np.float64(r[1] - p[1]), np.float64(r[2] - p[2])
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for i in range(3):
            c = clusters[faces[f, i]]
            d = x * (p[0] - middle[c, 0]) + y * (p[1] - middle[c, 1]) + z * (p[2] - middle[c, 2])
            A[c, 0] += x * x
            A[c, 1] += x * y
            A[c, 2] += x * z
            A[c, 3] += y * y
            A[c, 4] += y * z
            A[c, 5] += z * z
            b[c, 0] += d * x
            b[c, 1] += d * y
            b[c, 2] += d * z
    return A, b


@nb.njit(cache=True, nogil=True)
def solve_clusters(vertices, faces, clusters, middle, locked, reach) -> np.ndarray:
    """Where each cluster's vertex best keeps to the planes of its faces (Lindstrom 2000), float64 [k, 3].

    middle: mean of its vertices [k, 3]; where the planes leave a direction free, and for locked ones, it stays there.
    No vertex goes further than reach [m] from it.
    """
    A, b = _quadrics(vertices, faces, clusters, middle)
    out = middle.copy()
    for c in range(len(middle)):
        if locked[c]:
            continue
        weak = 1e-2 * (A[c, 0] + A[c, 3] + A[c, 5])
        if weak == 0.0:
            continue
        a00, a01, a02 = A[c, 0] + weak, A[c, 1], A[c, 2]
        a11, a12, a22 = A[c, 3] + weak, A[c, 4], A[c, 5] + weak
        c00, c01, c02 = a11 * a22 - a12 * a12, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11
        det = a00 * c00 + a01 * c01 + a02 * c02
        c11, c12, c22 = a00 * a22 - a02 * a02, a01 * a02 - a00 * a12, a00 * a11 - a01 * a01
        x = (c00 * b[c, 0] + c01 * b[c, 1] + c02 * b[c, 2]) / det
        y = (c01 * b[c, 0] + c11 * b[c, 1] + c12 * b[c, 2]) / det
        z = (c02 * b[c, 0] + c12 * b[c, 1] + c22 * b[c, 2]) / det
        far = np.sqrt(x * x + y * y + z * z)
        share = min(1.0, reach / far) if far > 0.0 else 0.0
        out[c, 0] += share * x
        out[c, 1] += share * y
        out[c, 2] += share * z
    return out


@nb.njit(cache=True, nogil=True)
def coarse_faces(faces, clusters) -> tuple[np.ndarray, np.ndarray]:
    """Faces between clusters, each but once: uint32 [k, 3], and which of the faces they were, int32 [k]."""
    m = len(faces)
    slots = table(m)
    mask = len(slots) - 1
    turned, which, count = np.empty((m, 3), np.uint32), np.empty(m, np.int32), 0
    for f in range(m):
        a, b, c = clusters[faces[f, 0]], clusters[faces[f, 1]], clusters[faces[f, 2]]
        if a == b or b == c or c == a:
            continue
        if b < a and b < c:
            a, b, c = b, c, a
        elif c < a and c < b:
            a, b, c = c, a, b
        at = np.int64(hash_cell(0, a, b, c) & np.uint64(mask))
        while slots[at] >= 0:
            g = slots[at]
            if turned[g, 0] == a and turned[g, 1] == b and turned[g, 2] == c:
                break
            at = (at + 1) & mask
        if slots[at] < 0:
            slots[at] = count
            turned[count, 0], turned[count, 1], turned[count, 2] = a, b, c
            which[count] = f
            count += 1
    return turned[:count].copy(), which[:count].copy()


@nb.njit(cache=True, nogil=True)
def means(rows, clusters, count) -> np.ndarray:
    """Mean of the rows [n, 3] of each cluster, float64 [count, 3]."""
    out, members = np.zeros((count, 3)), np.zeros(count)
    for v in range(len(clusters)):
        c = clusters[v]
        if c < 0:
            continue
        members[c] += 1.0
        for i in range(3):
            out[c, i] += rows[v, i]
    for c in range(count):
        for i in range(3):
            out[c, i] /= max(members[c], 1.0)
    return out
