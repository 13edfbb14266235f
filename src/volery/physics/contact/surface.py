# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Questions about the gathered triangles as one surface, so that a shape feels what a solid would make it feel, not
each triangle by itself.

Three rules keep ghosts away:
- A face counts only for a shape whose centre is in front of it. What is behind several faces is pushed out of the one
  it is least behind of.
- A direction away from an edge or corner counts only if no triangle that meets there rises above it. This one test
  leaves out flat and hollow edges, seams between chunks, split vertices and edges that end on another face.
- A face that coincides with one facing it is inside a pile of solids and does not count.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact import layout as at
from volery.world.native import as_i8

__all__ = [
    "EXACT", "ROUGH", "add", "clear_way", "covered", "height", "inside", "least_behind", "link", "nearest", "over",
    "plateau", "touch_point", "unit",
]  # fmt: skip

_NEAR = 1e-4
"""A triangle within this distance of a point meets there [m]: seams of float32 chunks are a few µm apart."""
EXACT, ROUGH = 1e-4, 0.05
"""Sine by which a triangle may rise above a direction away from it. Exact, for roundings of float32 corners: where the
direction is that of the nearest points. Rough: where it is that of a face of the shape, which may lie nearly flat."""
_FLAT = 1.0 - 5e-6
"""Cosine between faces that make one: 3 mrad."""
_EDGE_ON = 1e-6
"""How far outside a triangle a point may be and still be over it [m]."""


@nb.njit(cache=True, nogil=True)
def unit(x, y, z) -> tuple[float, float, float, float]:
    """Length of a vector and the unit vector along it; length 0 if it has none."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-12:
        return 0.0, 0.0, 0.0, 0.0
    return length, x / length, y / length, z / length


@nb.njit(cache=True, nogil=True)
def height(T, x, y, z) -> float:
    """Of a point above the triangle's plane [m]."""
    return T[at.T_NORMAL] * x + T[at.T_NORMAL + 1] * y + T[at.T_NORMAL + 2] * z + T[at.T_ABOVE]


@nb.njit(cache=True, nogil=True)
def over(T, x, y, z, slack) -> bool:
    """Whether a point is over (or under) the triangle, or at most `slack` [m] beside."""
    for i in range(3):
        m, c = at.T_EDGE + 3 * i, 3 * i
        if T[m] * (x - T[c]) + T[m + 1] * (y - T[c + 1]) + T[m + 2] * (z - T[c + 2]) < -slack:
            return False
    return True


@nb.njit(cache=True, nogil=True)
def covered(tri, count, x, y, z, nx, ny, nz) -> bool:
    """Whether a point of a face with this normal lies on the face of another solid that faces it."""
    for t in range(count):
        T = tri[t]
        if T[at.T_SOLID] == 0.0 or abs(height(T, x, y, z)) > _NEAR:
            continue
        if nx * T[at.T_NORMAL] + ny * T[at.T_NORMAL + 1] + nz * T[at.T_NORMAL + 2] < -0.999 and over(
            T, x, y, z, _EDGE_ON
        ):
            return True
    return False


@nb.njit(cache=True, nogil=True)
def _rises(T, x, y, z, dx, dy, dz, slack) -> bool:
    """Whether a triangle that contains the point has a corner above the plane through it across d."""
    for k in range(0, 9, 3):
        wx, wy, wz = T[k] - x, T[k + 1] - y, T[k + 2] - z
        up = wx * dx + wy * dy + wz * dz
        if up > 1e-9 and up * up > slack * slack * (wx * wx + wy * wy + wz * wz):
            return True
    return False


@nb.njit(cache=True, nogil=True)
def clear_way(tri, count, x, y, z, dx, dy, dz, slack) -> bool:
    """Whether one may go from a point of the surface along the unit vector d without entering what meets there.

    slack: EXACT or ROUGH.
    """
    best, solid = -1.0, False
    for t in range(count):
        T = tri[t]
        h = height(T, x, y, z)
        if abs(h) > _NEAR or not over(T, x, y, z, _NEAR):
            continue
        along = dx * T[at.T_NORMAL] + dy * T[at.T_NORMAL + 1] + dz * T[at.T_NORMAL + 2]
        px, py, pz = x - h * T[at.T_NORMAL], y - h * T[at.T_NORMAL + 1], z - h * T[at.T_NORMAL + 2]
        if _rises(T, px, py, pz, dx, dy, dz, slack):
            return False
        if T[at.T_SOLID] != 0.0:
            if along < -0.999:
                return False
            solid = True
            best = max(best, along)
    # Behind all the solid faces that meet there: from inside out, not away.
    return not solid or best > -0.02


@nb.njit(cache=True, nogil=True)
def _face_at(tri, count, x, y, z, dx, dy, dz) -> int:
    """The face at a point that faces d most; -1: there is none."""
    best, found = 0.9, -1
    for t in range(count):
        T = tri[t]
        facing = dx * T[at.T_NORMAL] + dy * T[at.T_NORMAL + 1] + dz * T[at.T_NORMAL + 2]
        if facing > best and abs(height(T, x, y, z)) < _NEAR and over(T, x, y, z, _EDGE_ON):
            best, found = facing, t
    return found


@nb.njit(cache=True, nogil=True)
def plateau(tri, count, x, y, z, e, dx, dy, dz) -> bool:
    """Whether the surface seen along d goes on flat across an edge of direction e, whatever solids it is made of: then
    the edge is none."""
    length, wx, wy, wz = unit(e[1] * dz - e[2] * dy, e[2] * dx - e[0] * dz, e[0] * dy - e[1] * dx)
    if length == 0.0:
        return False
    wx, wy, wz = 1e-3 * wx, 1e-3 * wy, 1e-3 * wz
    t = _face_at(tri, count, x + wx, y + wy, z + wz, dx, dy, dz)
    u = _face_at(tri, count, x - wx, y - wy, z - wz, dx, dy, dz) if t >= 0 else -1
    if u < 0:
        return False
    cos = 0.0
    for i in range(at.T_NORMAL, at.T_NORMAL + 3):
        cos += tri[t, i] * tri[u, i]
    return cos > _FLAT


@nb.njit(cache=True, nogil=True)
def least_behind(tri, count, x, y, z) -> int:
    """The face that a point of the shape is behind, having come through the surface from the shape's centre; of
    several the one it is least behind of; -1: it is behind none."""
    best, found, through = -np.inf, -1, False
    for t in range(count):
        T = tri[t]
        above = T[at.T_ABOVE]
        if above < 0.0:
            continue
        h = height(T, x, y, z)
        if h >= 0.0:
            continue
        # Where the line from the centre goes through the plane.
        part = above / (above - h)
        pierced = over(T, x * part, y * part, z * part, _NEAR)
        through = through or pierced
        if h > best and (pierced or (T[at.T_SOLID] != 0.0 and over(T, x, y, z, _EDGE_ON))):
            best, found = h, t
    return found if through else -1


@nb.njit(cache=True, nogil=True)
def nearest(T, out) -> float:
    """Nearest point of the triangle to the centre; returns its distance squared (Ericson 5.1.5)."""
    ax, ay, az = T[3] - T[0], T[4] - T[1], T[5] - T[2]
    bx, by, bz = T[6] - T[0], T[7] - T[1], T[8] - T[2]
    d1 = -(ax * T[0] + ay * T[1] + az * T[2])
    d2 = -(bx * T[0] + by * T[1] + bz * T[2])
    d3 = -(ax * T[3] + ay * T[4] + az * T[5])
    d4 = -(bx * T[3] + by * T[4] + bz * T[5])
    d5 = -(ax * T[6] + ay * T[7] + az * T[8])
    d6 = -(bx * T[6] + by * T[7] + bz * T[8])
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    v, w = 0.0, 0.0
    if d1 <= 0.0 and d2 <= 0.0:
        pass
    elif d3 >= 0.0 and d4 <= d3:
        v = 1.0
    elif d6 >= 0.0 and d5 <= d6:
        w = 1.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w = d2 / (d2 - d6)
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        v = 1.0 - w
    else:
        v, w = vb / (va + vb + vc), vc / (va + vb + vc)
    out[0] = T[0] + v * ax + w * bx
    out[1] = T[1] + v * ay + w * by
    out[2] = T[2] + v * az + w * bz
    return out[0] * out[0] + out[1] * out[1] + out[2] * out[2]


@nb.njit(cache=True, nogil=True)
def inside(tri, count, q) -> int:
    """The face of a solid nearest to the shape's centre if the centre is inside it, and in q the nearest point; -1: it
    is outside, as nearly always."""
    suspect = False
    for t in range(count):
        if tri[t, at.T_SOLID] != 0.0 and tri[t, at.T_ABOVE] < 0.0:
            suspect = True
            break
    if not suspect:
        return -1
    best, steepest, found = np.inf, 0.0, -1
    for t in range(count):
        d2 = nearest(tri[t], q)
        steep = abs(tri[t, at.T_ABOVE])
        # Faces that share the nearest edge: the one seen most from the front knows the side.
        if d2 < best - 1e-9 or (d2 < best + 1e-9 and steep > steepest):
            best, steepest, found = min(d2, best), steep, t
    if found < 0 or tri[found, at.T_SOLID] == 0.0 or tri[found, at.T_ABOVE] >= 0.0:
        return -1
    nearest(tri[found], q)
    return found


@nb.njit(cache=True, nogil=True)
def _match(tri, t, i, u, j) -> bool:
    """Whether edge i of t and edge j of u have the same ends."""
    a, b, c, d = 3 * i, 3 * ((i + 1) % 3), 3 * ((j + 1) % 3), 3 * j
    crossed, straight = True, True
    for k in range(3):
        crossed = crossed and tri[t, a + k] == tri[u, c + k] and tri[t, b + k] == tri[u, d + k]
        straight = straight and tri[t, a + k] == tri[u, d + k] and tri[t, b + k] == tri[u, c + k]
    return crossed or straight


@nb.njit(cache=True, nogil=True)
def _ridge(tri, t, u, j) -> float:
    """Sine by which u falls away behind t at its edge j; 1 if they are folded; 0 if flat or hollow."""
    T, U = tri[t], tri[u]
    o, e = 3 * ((j + 2) % 3), at.T_EDGE + 3 * j
    drop = -height(T, U[o], U[o + 1], U[o + 2])
    k = 3 * j
    reach = U[e] * (U[o] - U[k]) + U[e + 1] * (U[o + 1] - U[k + 1]) + U[e + 2] * (U[o + 2] - U[k + 2])
    sine = drop / max(abs(reach), 1e-12)
    alike = (
        T[at.T_NORMAL] * U[at.T_NORMAL]
        + T[at.T_NORMAL + 1] * U[at.T_NORMAL + 1]
        + T[at.T_NORMAL + 2] * U[at.T_NORMAL + 2]
    )
    if alike < 0.0 and sine > -1e-6:
        return 1.0
    return max(sine, 0.0)


@nb.njit(cache=True, nogil=True)
def link(tri, count, edges, mates, table) -> None:
    """Find the neighbours among the gathered triangles, by the very places of their corners.

    edges [n, 3]: sine of the ridge at each edge; 0 flat or hollow; 2 without a neighbour. mates [n, 3]: the neighbour.
    """
    size = 16
    while size < 6 * count and size < at.HASH:
        size *= 2
    table[:size] = -1
    for t in range(count):
        bits = as_i8(tri[t].ctypes.data)
        for i in range(3):
            edges[t, i], mates[t, i] = 2.0, -1
            a, b = 3 * i, 3 * ((i + 1) % 3)
            h = (bits[a] + bits[b]) * 73856093 + (bits[a + 1] + bits[b + 1]) * 19349663
            h = (h + (bits[a + 2] + bits[b + 2]) * 83492791) * -7046029254386353131
            k = (h >> 40) & (size - 1)
            while table[k] >= 0:
                u, j = table[k] // 3, table[k] % 3
                if mates[u, j] < 0 and _match(tri, t, i, u, j):
                    ridge = max(_ridge(tri, t, u, j), _ridge(tri, u, t, i))
                    edges[t, i] = edges[u, j] = ridge
                    mates[t, i], mates[u, j] = u, t
                    break
                k = (k + 1) & (size - 1)
            if mates[t, i] < 0:
                table[k] = 3 * t + i


@nb.njit(cache=True, nogil=True)
def add(out, n, dist, x, y, z, nx, ny, nz, t) -> int:
    """Append a contact, or join it with one that is nearly the same, keeping the deeper; returns how many there are.

    (x, y, z): half way between the two surfaces. When there is no room the shallowest goes.
    """
    shallow = 0
    for k in range(n):
        dx, dy, dz = out[k, 1] - x, out[k, 2] - y, out[k, 3] - z
        alike = out[k, 4] * nx + out[k, 5] * ny + out[k, 6] * nz
        if alike > 0.9 and dx * dx + dy * dy + dz * dz < 4e-6:
            if dist >= out[k, 0]:
                return n
            shallow = k
            break
        if out[k, 0] > out[shallow, 0]:
            shallow = k
    else:
        if n < len(out):
            shallow = n
            n += 1
        elif dist >= out[shallow, 0]:
            return n
    C = out[shallow]
    C[0], C[1], C[2], C[3], C[4], C[5], C[6], C[7] = dist, x, y, z, nx, ny, nz, t
    return n


@nb.njit(cache=True, nogil=True)
def touch_point(tri, count, x, y, z, r, margin, out, n) -> int:
    """Contacts of a ball of radius r [m] about a point of the shape (0: a corner) with faces; returns how many."""
    for t in range(count):
        T = tri[t]
        if T[at.T_ABOVE] < 0.0:
            continue
        h = height(T, x, y, z)
        if 0.0 <= h < r + margin and over(T, x, y, z, _EDGE_ON):
            n = _touch_face(tri, count, t, h, x, y, z, r, out, n)
    t = least_behind(tri, count, x, y, z)
    if t >= 0:
        n = _touch_face(tri, count, t, height(tri[t], x, y, z), x, y, z, r, out, n)
    return n


@nb.njit(cache=True, nogil=True)
def _touch_face(tri, count, t, h, x, y, z, r, out, n) -> int:
    nx, ny, nz = tri[t, at.T_NORMAL], tri[t, at.T_NORMAL + 1], tri[t, at.T_NORMAL + 2]
    if covered(tri, count, x - h * nx, y - h * ny, z - h * nz, nx, ny, nz):
        return n
    half = 0.5 * (r + h)
    return add(out, n, h - r, x - half * nx, y - half * ny, z - half * nz, nx, ny, nz, t)
