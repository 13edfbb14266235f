# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""The solid triangles near a shape, out of the scene that rays see, in the shape's own frame G."""

from __future__ import annotations

import math

import numba as nb
import numpy as np
from numba import types

from volery.physics.contact import layout as at
from volery.physics.contact.order import put_in_order
from volery.world.native import as_f4, as_f8, as_i1, as_i4, as_i8, as_u2, as_u4, call5

__all__ = ["gather", "on_triangle_address"]

_SLIVER = 1e-6
"""A triangle less high than this is left out [m]: its normal is noise, and its neighbours close the gap."""
_ROUNDING = 1e-3
"""Added to the reach of Embree's question [m]: single precision in cells of 1 km."""


@nb.njit(cache=True, nogil=True)
def _friction(world, row, mesh, primitive) -> float:
    """Friction of a face; negative: it is not solid, or its owner's own."""
    group = nb.int64(as_i4(world[at.W_GROUP])[row])
    if 0 <= group < world[at.W_GROUPS] and as_i1(world[at.W_OWN])[group] != 0:
        return -1.0
    face = 0 if as_i1(world[at.W_ALIKE])[mesh] != 0 else primitive
    material = as_u2(as_i8(world[at.W_MATERIAL])[mesh])[face]
    return as_f4(world[at.W_FRICTION])[nb.int64(material)]


@nb.njit(cache=True, nogil=True)
def _turn_row(world, ask, row) -> None:
    """The pose of a row seen from the shape, kept until another row comes: X_GO = X_GW X_WO."""
    X = as_f8(world[at.W_X] + 96 * row)
    for i in range(3):
        for j in range(4):
            total = 0.0
            for k in range(3):
                x = X[4 * k + j] - (ask[at.Q_P + k] if j == 3 else 0.0)
                total += ask[at.Q_R + 3 * k + i] * x
            ask[at.Q_X + 4 * i + j] = total


@nb.njit(cache=True, nogil=True)
def _corners(world, ask, mesh, primitive, out) -> float:
    """Write the corners in G; returns how near the triangle's box comes to the centre, squared; inf: out of reach."""
    vertices = as_f4(as_i8(world[at.W_VERTICES])[mesh])
    faces = as_u4(as_i8(world[at.W_FACES])[mesh])
    for k in range(3):
        v = 3 * nb.int64(faces[3 * primitive + k])
        x, y, z = vertices[v], vertices[v + 1], vertices[v + 2]
        for i in range(3):
            r = at.Q_X + 4 * i
            out[3 * k + i] = ask[r] * x + ask[r + 1] * y + ask[r + 2] * z + ask[r + 3]
    near = 0.0
    for i in range(3):
        low = min(out[i], out[3 + i], out[6 + i])
        high = max(out[i], out[3 + i], out[6 + i])
        reach = ask[at.Q_BOX + i]
        if low > reach or high < -reach:
            return np.inf
        gap = max(low, -high, 0.0)
        near += gap * gap
    return near


@nb.njit(cache=True, nogil=True)
def _plane(T, radius) -> bool:
    """Write normal, height of the centre and edge vectors of a triangle; false if it is a sliver or out of reach."""
    ax, ay, az = T[3] - T[0], T[4] - T[1], T[5] - T[2]
    bx, by, bz = T[6] - T[0], T[7] - T[1], T[8] - T[2]
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    cx, cy, cz = bx - ax, by - ay, bz - az
    longest = math.sqrt(max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz))
    if area <= _SLIVER * longest:
        return False
    nx, ny, nz = nx / area, ny / area, nz / area
    above = -(nx * T[0] + ny * T[1] + nz * T[2])
    if abs(above) > radius:
        return False
    T[at.T_NORMAL], T[at.T_NORMAL + 1], T[at.T_NORMAL + 2], T[at.T_ABOVE] = nx, ny, nz, above
    for i in range(3):
        j = (i + 1) % 3
        ex, ey, ez = T[3 * j] - T[3 * i], T[3 * j + 1] - T[3 * i + 1], T[3 * j + 2] - T[3 * i + 2]
        mx, my, mz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        scale = 1.0 / math.sqrt(mx * mx + my * my + mz * mz)
        o = at.T_EDGE + 3 * i
        T[o], T[o + 1], T[o + 2] = mx * scale, my * scale, mz * scale
    return True


@nb.njit(cache=True, nogil=True)
def _solid(world, ask, mesh, primitive) -> bool:
    """Whether the face has an inside behind it, as placed (a mirrored mesh is inside out)."""
    side = as_i1(as_i8(world[at.W_SIDE])[mesh])[0 if as_i1(world[at.W_ONE_SIDE])[mesh] != 0 else primitive]
    if side == 0:
        return False
    X = ask[at.Q_X : at.Q_X + 12]
    det = X[0] * (X[5] * X[10] - X[6] * X[9]) - X[1] * (X[4] * X[10] - X[6] * X[8]) + X[2] * (X[4] * X[9] - X[5] * X[8])
    return (side > 0) == (det > 0.0)


@nb.njit(cache=True, nogil=True)
def _keep(words, triangles, row, primitive) -> None:
    """Keep the triangle just written; if there is no room, in place of the farthest one, unless it is that itself."""
    t = words[at.Q_COUNT]
    if t < at.MOST_TRIANGLES:
        words[at.Q_COUNT] = t + 1
    else:
        words[at.Q_LOST] += 1
        t = 0
        for u in range(1, at.MOST_TRIANGLES + 1):
            if triangles[u, at.T_NEAR] > triangles[t, at.T_NEAR]:
                t = u
        if t == at.MOST_TRIANGLES:
            return
        triangles[t] = triangles[at.MOST_TRIANGLES]
    tags = as_i8(words[at.Q_TAGS])
    tags[at.TAGS * t], tags[at.TAGS * t + 1] = row, primitive
    # Numbers of objects come from their names, and rows of one object follow each other.
    tags[at.TAGS * t + 2] = (nb.int64(as_i4(as_i8(words[at.Q_WORLD])[at.W_OBJECT])[row]) << 32) | row


@nb.njit(cache=True, nogil=True)
def _take(words, ask, row, primitive) -> None:
    """Add a triangle to those near the shape, if it is solid and near."""
    world = as_i8(words[at.Q_WORLD])
    mesh = nb.int64(as_i4(world[at.W_MESH])[row])
    friction = _friction(world, row, mesh, primitive)
    if friction < 0.0:
        return
    if words[at.Q_ROW] != row:
        words[at.Q_ROW] = row
        _turn_row(world, ask, row)
    triangles = nb.carray(as_f8(words[at.Q_TRIANGLES]), (at.MOST_TRIANGLES + 1, at.TRIANGLE))
    # Written where it would stand; there is one place more than are kept.
    T = triangles[words[at.Q_COUNT]]
    near = _corners(world, ask, mesh, primitive, T)
    if near == np.inf or not _plane(T, ask[at.Q_RADIUS]):
        return
    solid = _solid(world, ask, mesh, primitive)
    if not solid and T[at.T_ABOVE] < 0.0:
        # A sheet has two sides: the shape is on the one where its centre is.
        for i in range(at.T_NORMAL, at.T_ABOVE + 1):
            T[i] = -T[i]
    T[at.T_SOLID], T[at.T_FRICTION], T[at.T_NEAR] = (1.0 if solid else 0.0), friction, near
    _keep(words, triangles, row, primitive)


@nb.cfunc(types.boolean(types.uint64), cache=True)
def _on_triangle(arguments) -> bool:
    """RTCPointQueryFunctionArguments: query, user pointer, primitive | geometry << 32, context, similarity scale."""
    fields = as_i8(arguments)
    words = nb.carray(as_i8(fields[1]), (at.QUESTION_WORDS,))
    ask = nb.carray(as_f8(fields[1]), (at.QUESTION_WORDS,))
    # The context holds two 4×4 matrices, then the instance id and the index in its array.
    context = as_i4(fields[3])
    row = nb.int64(as_i4(words[at.Q_ROWS])[context[32]]) + max(context[33], 0)
    _take(words, ask, row, fields[2] & 0xFFFFFFFF)
    return False


def on_triangle_address() -> int:
    """Address of the callback that gathers triangles."""
    return _on_triangle.address


@nb.njit(cache=True, nogil=True)
def _cell(world, p) -> int:
    """Address of the cell whose origin is nearest; 0: there is none."""
    best, found = np.inf, nb.int64(0)
    for k in range(world[at.W_CELL_COUNT]):
        address = world[at.W_CELLS] + 8 * at.CELL_WORDS * k
        origin = as_f8(address)
        far = max(abs(p[0] - origin[0]), abs(p[1] - origin[1]), abs(p[2] - origin[2]))
        if far < best:
            best, found = far, address
    return found


@nb.njit(cache=True, nogil=True)
def gather(address, scratch, p_W, R_WG, box, margin) -> int:
    """Bring the triangles near a shape into `scratch`; returns how many.

    p_W [3]: centre; R_WG [9]: axes, row by row; box [3]: half extents in G [m].
    """
    world = as_i8(address)
    cell = _cell(world, p_W)
    if cell == 0:
        return 0
    base = nb.uint64(scratch)
    words = nb.carray(as_i8(base + 8 * at.S_QUESTION), (at.QUESTION_WORDS,))
    ask = nb.carray(as_f8(base + 8 * at.S_QUESTION), (at.QUESTION_WORDS,))
    words[at.Q_WORLD], words[at.Q_COUNT], words[at.Q_LOST], words[at.Q_ROW] = address, 0, 0, -1
    words[at.Q_TRIANGLES], words[at.Q_TAGS] = base + 8 * at.S_FOUND, base + 8 * at.S_FOUND_TAGS
    radius = 0.0
    for i in range(3):
        ask[at.Q_P + i], ask[at.Q_BOX + i] = p_W[i], box[i] + margin
        radius += (box[i] + margin) ** 2
    for i in range(9):
        ask[at.Q_R + i] = R_WG[i]
    ask[at.Q_RADIUS] = math.sqrt(radius)
    # Embree wants these on borders of 16 bytes.
    place = (base + 8 * at.S_ASK + 15) & ~nb.uint64(15)
    point, context = as_f4(place), as_i4(place + 32)
    origin, scenes = as_f8(cell), as_i8(cell)
    for part in range(2):
        scene = scenes[3 + part]
        if scene == 0:
            continue
        words[at.Q_ROWS] = world[at.W_STANDING + part]
        words[at.Q_ROW] = -1
        for i in range(3):
            point[i] = p_W[i] - origin[i]
        point[3], point[4] = 0.0, ask[at.Q_RADIUS] + _ROUNDING
        # No instance entered yet: ids unset, stack empty.
        context[32], context[33], context[34] = -1, -1, 0
        call5(world[at.W_QUERY], scene, place, place + 32, world[at.W_CALLBACK], base + 8 * at.S_QUESTION)
    world[at.W_LOST_TRIANGLES] += words[at.Q_LOST]
    world[at.W_ASKED] += 1
    put_in_order(base, words[at.Q_COUNT])
    return words[at.Q_COUNT]
