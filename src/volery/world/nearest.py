"""The nearest surface point of the scene: Embree's point query with a compiled callback.

The callback gets one record of 64-bit words (addresses, whole numbers and doubles side by side):
 0–2 point   3 best distance   4–6 nearest point   7 row   8 primitive   9 slot→row   10 row→mesh   11 row→pose
12 row→group   13 row→mask   14 mesh→vertices   15 mesh→faces   16–18 local origin   19 ignored group   20 mask
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from volery.world.native import as_f4, as_f8, as_i4, as_i8, as_u4, call3, call5

__all__ = ["inside_meshes", "nearest_points", "on_triangle_address"]

_WORDS = 21


@nb.njit(cache=True, nogil=True)
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@nb.njit(cache=True, nogil=True)
def _nearest_on_triangle(p, a, b, c, out) -> None:
    """Ericson, Real-Time Collision Detection, 5.1.5: which of the seven regions of the triangle is p over?"""
    ab, ac, ap, bp, cp = b - a, c - a, p - a, p - b, p - c
    d1, d2, d3, d4, d5, d6 = _dot(ab, ap), _dot(ac, ap), _dot(ab, bp), _dot(ac, bp), _dot(ab, cp), _dot(ac, cp)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0.0 and d2 <= 0.0:
        out[:] = a
    elif d3 >= 0.0 and d4 <= d3:
        out[:] = b
    elif d6 >= 0.0 and d5 <= d6:
        out[:] = c
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        out[:] = a + ab * (d1 / (d1 - d3))
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        out[:] = a + ac * (d2 / (d2 - d6))
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        out[:] = b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    else:
        out[:] = a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc))


@nb.njit(cache=True, nogil=True)
def _corner(words, doubles, row, mesh, primitive, k, out) -> None:
    """Corner k of a triangle in the scene's local frame."""
    v = 3 * nb.int64(as_u4(as_i8(words[15])[mesh])[3 * primitive + k])
    vertices = as_f4(as_i8(words[14])[mesh])
    X = as_f8(words[11])
    for i in range(3):
        r = 12 * row + 4 * i
        shift = X[r + 3] - doubles[16 + i]
        out[i] = X[r] * vertices[v] + X[r + 1] * vertices[v + 1] + X[r + 2] * vertices[v + 2] + shift


@nb.cfunc(types.boolean(types.uint64), cache=True)
def _on_triangle(arguments) -> bool:
    """RTCPointQueryFunctionArguments: query, user pointer, primitive | geometry << 32, context, similarity scale."""
    fields = as_i8(arguments)
    words = nb.carray(as_i8(fields[1]), (_WORDS,))
    doubles = nb.carray(as_f8(fields[1]), (_WORDS,))
    primitive = fields[2] & 0xFFFFFFFF
    # The context holds two 4×4 matrices, then the instance id and the index in its array.
    context = as_i4(fields[3])
    row = nb.int64(as_i4(words[9])[context[32]]) + max(context[33], 0)
    seen = nb.int64(as_u4(words[13])[row]) & words[20]
    if seen == 0 or (words[19] >= 0 and as_i4(words[12])[row] == words[19]):
        return False
    mesh = nb.int64(as_i4(words[10])[row])
    corners = np.empty((4, 3))
    for k in range(3):
        _corner(words, doubles, row, mesh, primitive, k, corners[k])
    if (corners[0] == corners[1]).all() and (corners[1] == corners[2]).all():
        # Not a surface: one of the dots that widen the mesh's box.
        return False
    _nearest_on_triangle(doubles[0:3], corners[0], corners[1], corners[2], corners[3])
    step = doubles[0:3] - corners[3]
    distance = np.sqrt(_dot(step, step))
    if distance >= doubles[3]:
        return False
    doubles[3] = distance
    doubles[4:7] = corners[3]
    words[7], words[8] = row, primitive
    # This is the query in W; Embree carries the radius over into the instance.
    as_f4(fields[0])[4] = distance
    return True


def on_triangle_address() -> int:
    """Address of the callback for `nearest_points`."""
    return _on_triangle.address


@nb.njit(cache=True, nogil=True)
def _starts_inside(intersect, scene, arguments, point) -> bool:
    """Three rays out of the mesh vote: does the first surface met show its back?"""
    raw = np.zeros(24 + 16, np.float32)
    ray = raw[((64 - (raw.ctypes.data % 64)) % 64) // 4 :][:24]
    iray = ray.view(np.uint32)
    votes = 0
    for k in range(3):
        # Directions that no modeller aligns edges with.
        ray[0:3] = point
        ray[3], ray[7], ray[8] = 0.0, 0.0, np.inf
        ray[4], ray[5], ray[6] = 0.5377, 0.8339, 0.1249
        ray[4 + k] = -0.7131
        iray[9], iray[10], iray[11], iray[18] = 0xFFFFFFFF, 0, 0, 0xFFFFFFFF
        call3(intersect, scene, ray.ctypes.data, arguments)
        if iray[18] != 0xFFFFFFFF and ray[12] * ray[4] + ray[13] * ray[5] + ray[14] * ray[6] > 0.0:
            votes += 1
    return votes >= 2


@nb.njit(cache=True, nogil=True)
def inside_meshes(intersect, arguments, points, row, row_X, row_normal, row_mesh, mesh_scene, inside) -> None:
    """Whether each point (float64, W) is inside the closed mesh that its row shows; rows below 0 are passed over."""
    local = np.empty(3)
    for i in range(len(points)):
        r = row[i]
        if r < 0:
            continue
        # Into the mesh's own frame: the normal matrix is the inverse transposed.
        out = points[i] - row_X[r, :, 3]
        for k in range(3):
            local[k] = _dot(row_normal[r, :, k], out)
        inside[i] = _starts_inside(intersect, mesh_scene[row_mesh[r]], arguments, local)


@nb.njit(parallel=True, cache=True, nogil=True)
def nearest_points(
    query, callback, static, moving, static_rows, moving_rows, origin, points, reach, ignored, mask,
    row_X, row_mesh, row_group, row_mask, mesh_vertices, mesh_faces, nearest, distance, row, primitive,
    threads,
) -> None:  # fmt: skip
    """Nearest surface points to n points (float64, W); row -1 where nothing is within reach [m]."""
    tasks = min(len(points), threads)
    for task in nb.prange(tasks):
        words = np.zeros(_WORDS, np.int64)
        doubles = words.view(np.float64)
        scratch = np.zeros(96, np.float32)
        start = ((64 - (scratch.ctypes.data % 64)) % 64) // 4
        ask, context = scratch[start : start + 16], scratch[start + 16 : start + 64].view(np.int32)
        words[10], words[11], words[12] = row_mesh.ctypes.data, row_X.ctypes.data, row_group.ctypes.data
        words[13], words[14], words[15] = row_mask.ctypes.data, mesh_vertices.ctypes.data, mesh_faces.ctypes.data
        doubles[16:19] = origin
        words[19], words[20] = ignored, mask
        for i in range(task, len(points), tasks):
            doubles[0:3] = points[i] - origin
            doubles[3] = reach
            words[7], words[8] = -1, -1
            for part in range(2):
                scene = static if part == 0 else moving
                if scene == 0:
                    continue
                words[9] = static_rows.ctypes.data if part == 0 else moving_rows.ctypes.data
                ask[0:3] = doubles[0:3]
                ask[3], ask[4] = 0.0, doubles[3]
                # No instance entered yet: ids unset, stack empty.
                context[32], context[33], context[34] = -1, -1, 0
                call5(query, scene, ask.ctypes.data, context.ctypes.data, callback, words.ctypes.data)
            row[i], primitive[i], distance[i] = words[7], words[8], doubles[3]
            nearest[i] = doubles[4:7] + origin
