# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Which faces of a mesh have an inside behind them: contact pushes out of what is closed, but touches sheets on both
sides.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.core.geometry import Mesh

__all__ = ["face_sides"]

_THIN = 1e-9
"""Volume below which a closed part has no inside [m³]: two sheets back to back."""


def face_sides(mesh: Mesh) -> np.ndarray:
    """Per face, int8 [m]: 1 its part of the mesh is closed, seen from outside; -1 closed but inside out; 0 a sheet.

    Length 1 if all faces are alike.
    """
    if mesh.filled:
        return np.ones(1, np.int8)
    sides = _sides(mesh.vertices, mesh.faces)
    return sides[:1].copy() if (sides == sides[0]).all() else sides


@nb.njit(cache=True, nogil=True)
def _find(parent, i) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@nb.njit(cache=True, nogil=True)
def _weld(vertices) -> np.ndarray:
    """For each vertex the first one at its place."""
    bits = vertices.view(np.uint32)
    size = 1
    while size < 2 * len(vertices):
        size *= 2
    table = np.full(size, -1, np.int32)
    first = np.empty(len(vertices), np.int32)
    for i in range(len(vertices)):
        h = np.uint64(bits[i, 0]) * np.uint64(73856093) ^ np.uint64(bits[i, 1]) * np.uint64(19349663)
        h = (h ^ np.uint64(bits[i, 2]) * np.uint64(83492791)) * np.uint64(0x9E3779B97F4A7C15)
        k = nb.int64(h >> np.uint64(40)) & (size - 1)
        while table[k] >= 0 and not (vertices[table[k]] == vertices[i]).all():
            k = (k + 1) & (size - 1)
        if table[k] < 0:
            table[k] = i
        first[i] = table[k]
    return first


@nb.njit(cache=True, nogil=True)
def _mark_open(faces, first, parent, open_part) -> None:
    """Mark the parts in which an edge is not walked as often in one sense as in the other."""
    size = 1
    while size < 6 * len(faces):
        size *= 2
    key = np.full(size, -1, np.int64)
    net = np.zeros(size, np.int32)
    for t in range(len(faces)):
        for i in range(3):
            a, b = nb.int64(first[faces[t, i]]), nb.int64(first[faces[t, (i + 1) % 3]])
            if a == b:
                continue
            word = (min(a, b) << 32) | max(a, b)
            k = nb.int64((np.uint64(word) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(38)) & (size - 1)
            while key[k] != -1 and key[k] != word:
                k = (k + 1) & (size - 1)
            key[k] = word
            net[k] += 1 if a < b else -1
    for k in range(size):
        if net[k] != 0:
            open_part[_find(parent, key[k] >> 32)] = True


@nb.njit(cache=True, nogil=True)
def _sides(vertices, faces) -> np.ndarray:
    first = _weld(vertices)
    parent = np.arange(len(vertices)).astype(np.int32)
    for t in range(len(faces)):
        root = _find(parent, first[faces[t, 0]])
        for i in range(1, 3):
            parent[_find(parent, first[faces[t, i]])] = root
    open_part = np.zeros(len(vertices), np.bool_)
    _mark_open(faces, first, parent, open_part)
    volume = np.zeros(len(vertices))
    for t in range(len(faces)):
        root = _find(parent, first[faces[t, 0]])
        o = vertices[root].astype(np.float64)
        a, b, c = vertices[faces[t, 0]] - o, vertices[faces[t, 1]] - o, vertices[faces[t, 2]] - o
        x, y, z = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
        volume[root] += (a[0] * x + a[1] * y + a[2] * z) / 6.0
    sides = np.zeros(len(faces), np.int8)
    for t in range(len(faces)):
        root = _find(parent, first[faces[t, 0]])
        if not open_part[root] and abs(volume[root]) > _THIN:
            sides[t] = 1 if volume[root] > 0.0 else -1
    return sides
