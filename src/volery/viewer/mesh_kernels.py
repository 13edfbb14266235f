"""Compiled work on triangles for the page: corners made one or parted, smooth normals, connected parts, rims."""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.core.noise import hash_cell

__all__ = ["areas", "blend", "components", "crease_normals", "grow", "part", "rims", "table", "weld"]

_MOST_ROUND = 256
"""Faces round a corner beyond which they are not compared with each other: a fan that large is no smooth surface."""


@nb.njit(cache=True, nogil=True)
def table(n: int) -> np.ndarray:
    """An empty table for n entries, at most half full."""
    size = 16
    while size < 2 * n:
        size *= 2
    return np.full(size, -1, np.int32)


@nb.njit(cache=True, nogil=True)
def weld(vertices) -> np.ndarray:
    """For every vertex [n, 3] the first one at the very same place, int32 [n]."""
    n = len(vertices)
    slots, first = table(n), np.empty(n, np.int32)
    bits = vertices.view(np.int32)
    mask = len(slots) - 1
    for v in range(n):
        at = np.int64(hash_cell(0, bits[v, 0], bits[v, 1], bits[v, 2]) & np.uint64(mask))
        while slots[at] >= 0:
            w = slots[at]
            if bits[w, 0] == bits[v, 0] and bits[w, 1] == bits[v, 1] and bits[w, 2] == bits[v, 2]:
                break
            at = (at + 1) & mask
        if slots[at] < 0:
            slots[at] = v
        first[v] = slots[at]
    return first


@nb.njit(cache=True, nogil=True)
def _rounds(corners, n):
    """Which corners [3m] lie at each of n vertices: where each vertex's list starts [n + 1], and the lists [3m]."""
    start = np.zeros(n + 1, np.int32)
    for c in range(len(corners)):
        start[corners[c] + 1] += 1
    for v in range(n):
        start[v + 1] += start[v]
    fill, found = start[:-1].copy(), np.empty(len(corners), np.int32)
    for c in range(len(corners)):
        v = corners[c]
        found[fill[v]] = c
        fill[v] += 1
    return start, found


@nb.njit(cache=True, nogil=True)
def _faces(vertices, faces):
    """Unit normal of every face [m, 3], and the angle of every corner [3m]."""
    m = len(faces)
    normal, angle = np.zeros((m, 3)), np.zeros(3 * m)
    for f in range(m):
        e = np.empty((3, 3))
        for k in range(3):
            a, b = faces[f, k], faces[f, (k + 1) % 3]
            for i in range(3):
                e[k, i] = np.float64(vertices[b, i]) - np.float64(vertices[a, i])
        x = e[0, 1] * e[1, 2] - e[0, 2] * e[1, 1]
        y = e[0, 2] * e[1, 0] - e[0, 0] * e[1, 2]
        z = e[0, 0] * e[1, 1] - e[0, 1] * e[1, 0]
        area = np.sqrt(x * x + y * y + z * z)
        if area == 0.0:
            continue
        normal[f, 0], normal[f, 1], normal[f, 2] = x / area, y / area, z / area
        for k in range(3):
            j = (k + 2) % 3
            along = -(e[k, 0] * e[j, 0] + e[k, 1] * e[j, 1] + e[k, 2] * e[j, 2])
            angle[3 * f + k] = np.arctan2(area, along)
    return normal, angle


@nb.njit(cache=True, nogil=True)
def crease_normals(vertices, faces, welded, cosine) -> np.ndarray:
    """Unit normals of all corners [3m, 3]: of the faces round it that meet its own at less than a crease."""
    normal, angle = _faces(vertices, faces)
    corners = welded[faces.ravel()]
    start, found = _rounds(corners, len(vertices))
    out = np.empty((len(corners), 3), np.float32)
    for c in range(len(corners)):
        own, v = c // 3, corners[c]
        x, y, z = normal[own, 0], normal[own, 1], normal[own, 2]
        first, last = start[v], start[v + 1]
        if last - first <= _MOST_ROUND:
            sx, sy, sz = 0.0, 0.0, 0.0
            for k in range(first, last):
                f = found[k] // 3
                if normal[f, 0] * x + normal[f, 1] * y + normal[f, 2] * z >= cosine:
                    w = angle[found[k]]
                    sx, sy, sz = sx + w * normal[f, 0], sy + w * normal[f, 1], sz + w * normal[f, 2]
            size = np.sqrt(sx * sx + sy * sy + sz * sz)
            if size > 0.0:
                x, y, z = sx / size, sy / size, sz / size
        out[c, 0], out[c, 1], out[c, 2] = x, y, z
    return out


@nb.njit(cache=True, nogil=True)
def part(corners, keys, n) -> tuple[np.ndarray, np.ndarray]:
    """Vertices such that corners at one of n places with the same key share one.

    Returns the new vertex of every corner, uint32 [3m], and a corner of every new vertex, int32 [k].
    """
    head, follow = np.full(n, -1, np.int32), np.empty(len(corners), np.int32)
    index, source = np.empty(len(corners), np.uint32), np.empty(len(corners), np.int32)
    count = 0
    for c in range(len(corners)):
        v = corners[c]
        at = head[v]
        while at >= 0 and keys[source[at]] != keys[c]:
            at = follow[at]
        if at < 0:
            at = count
            source[at], follow[at], head[v] = c, head[v], at
            count += 1
        index[c] = at
    return index, source[:count].copy()


@nb.njit(cache=True, nogil=True)
def blend(corners, values, n) -> np.ndarray:
    """Mean over the corners [3m] at each of n places of a value per face [m, 3], float64 [n, 3]."""
    total, count = np.zeros((n, 3)), np.zeros(n)
    for c in range(len(corners)):
        v = corners[c]
        count[v] += 1.0
        for i in range(3):
            total[v, i] += values[c // 3, i]
    for v in range(n):
        for i in range(3):
            total[v, i] /= max(count[v], 1.0)
    return total


@nb.njit(cache=True, nogil=True)
def components(faces, n) -> np.ndarray:
    """For each of n vertices the lowest one that faces connect it with, int32 [n]."""
    root = np.arange(n, dtype=np.int32)
    for f in range(len(faces)):
        a = faces[f, 0]
        while root[a] != a:
            root[a] = root[root[a]]
            a = root[a]
        for k in range(1, 3):
            b = faces[f, k]
            while root[b] != b:
                root[b] = root[root[b]]
                b = root[b]
            low, high = min(a, b), max(a, b)
            root[high] = low
            a = low
    for v in range(n):
        root[v] = root[root[v]]
    return root


@nb.njit(cache=True, nogil=True)
def rims(faces, n) -> np.ndarray:
    """Whether each of n vertices lies on an edge that only one face has, bool [n]."""
    # Edges by their lower vertex, each once, as chains: the next of the chain, the higher vertex, how many faces.
    head, follow = np.full(n, -1, np.int32), np.empty(3 * len(faces), np.int32)
    other, used = np.empty(3 * len(faces), np.int32), np.zeros(3 * len(faces), np.int32)
    count = 0
    for f in range(len(faces)):
        for k in range(3):
            a, b = faces[f, k], faces[f, (k + 1) % 3]
            low, high = min(a, b), max(a, b)
            at = head[low]
            while at >= 0 and other[at] != high:
                at = follow[at]
            if at < 0:
                at = count
                other[at], follow[at], head[low] = high, head[low], at
                count += 1
            used[at] += 1
    out = np.zeros(n, np.bool_)
    for v in range(n):
        at = head[v]
        while at >= 0:
            if used[at] == 1:
                out[v] = True
                out[other[at]] = True
            at = follow[at]
    return out


@nb.njit(cache=True, nogil=True)
def areas(vertices, faces) -> np.ndarray:
    """Of every face [m²], float64 [m]."""
    out = np.empty(len(faces))
    for f in range(len(faces)):
        p, q, r = vertices[faces[f, 0]], vertices[faces[f, 1]], vertices[faces[f, 2]]
        ux, uy, uz = np.float64(q[0] - p[0]), np.float64(q[1] - p[1]), np.float64(q[2] - p[2])
        vx, vy, vz = np.float64(r[0] - p[0]), np.float64(r[1] - p[1]), np.float64(r[2] - p[2])
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        out[f] = 0.5 * np.sqrt(x * x + y * y + z * z)
    return out


@nb.njit(cache=True, nogil=True)
def grow(vertices, start, members, share) -> np.ndarray:
    """Leaves made larger about their middles so that a share of them covers what all did, float32 [n, 3].

    The vertices of leaf i are members[start[i]:start[i + 1]]; the others stay. Narrow leaves grow in width first, so
    that grass does not become taller.
    """
    out = vertices.copy()
    for leaf in range(len(start) - 1):
        own = members[start[leaf] : start[leaf + 1]]
        middle = np.zeros(3)
        for v in own:
            for i in range(3):
                middle[i] += vertices[v, i] / len(own)
        axis, length = np.zeros(3), 0.0
        for v in own:
            d = vertices[v] - middle
            far = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
            if far > length:
                length = far
                axis = d / far
        if length == 0.0:
            continue
        width = 0.0
        for v in own:
            d = vertices[v] - middle
            s = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2]
            width = max(width, np.sqrt(max(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - s * s, 0.0)))
        slender = length / max(width, 1e-3 * length)
        longer = max(1.0, np.sqrt(1.0 / (share * slender)))
        wider = 1.0 / (share * longer)
        for v in own:
            d = vertices[v] - middle
            s = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2]
            for i in range(3):
                out[v, i] = middle[i] + longer * s * axis[i] + wider * (d[i] - s * axis[i])
    return out
