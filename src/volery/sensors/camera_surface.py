"""What rays met, a block of surfaces at a time: place, smooth normal, material. Compiled.

Points are in the frame of the scene's cell.
"""

# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_light import FAST
from volery.world.native import as_f4, as_u2, as_u4

__all__ = ["BLOCK", "Block", "block", "leaves", "material_of", "smooth", "surface", "surfaces"]

_ZERO, _ONE, _LEAST = np.float32(0.0), np.float32(1.0), np.float32(1e-18)
BLOCK = 256
"""Rays a thread takes at a time: what is known about them stays in its cache."""


class Block(NamedTuple):
    """Surfaces that some rays of a block met, in the order of the rays; float32 [n] unless said otherwise."""

    ray: np.ndarray
    """Which ray of the picture, int64."""
    row: np.ndarray
    mesh: np.ndarray
    material: np.ndarray
    """int32."""
    dx: np.ndarray
    dy: np.ndarray
    dz: np.ndarray
    """Direction of the ray."""
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    """Where it ends [m]."""
    nx: np.ndarray
    ny: np.ndarray
    nz: np.ndarray
    """Normal towards the eye."""
    away: np.ndarray
    """From the eye [m]."""
    path: np.ndarray
    """Length of the ray [m]; as `away`, unless it comes by way of a mirror."""
    detail: np.ndarray
    """Distance by which maps choose their texels [m]."""
    thin: np.ndarray
    r: np.ndarray
    g: np.ndarray
    b: np.ndarray
    """Colour."""
    sun: np.ndarray
    part: np.ndarray
    around: np.ndarray
    """Shares of sun and sky that come down here."""
    lamp_r: np.ndarray
    lamp_g: np.ndarray
    lamp_b: np.ndarray
    """Light of lamps."""
    weight: np.ndarray
    level: np.ndarray
    """int32."""
    texel: np.ndarray
    u: np.ndarray
    v: np.ndarray
    h: np.ndarray
    du: np.ndarray
    dv: np.ndarray
    up: np.ndarray
    at: np.ndarray
    """int32."""
    p: np.ndarray
    q: np.ndarray
    """Places on a light map, see camera_light.py."""
    blend: np.ndarray
    """Room for what corners of a triangle blend by, [27]."""


@nb.njit(cache=True, nogil=True)
def block(size):
    """Room for a block of so many rays."""
    f, i = np.empty((32, size), np.float32), np.empty((5, size), np.int32)
    return Block(
        np.empty(size, np.int64), i[0], i[1], i[2], f[0], f[1], f[2], f[3], f[4],
        f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], f[14], f[15], f[16], f[17], f[18], f[19],
        f[20], f[21], f[22], i[3], f[23], f[24], f[25], f[26], f[27], f[28], f[29], i[4], f[30], f[31],
        np.empty(27, np.float32),
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, inline="always")
def material_of(geo, row, primitive):
    """Number of the material of a triangle."""
    mesh = geo.row_mesh[row]
    one = geo.one_material[mesh]
    return one if one >= 0 else np.int32(as_u2(geo.face_material[mesh])[primitive])


@nb.njit(cache=True, nogil=True)
def leaves(geo, row, primitive, out) -> None:
    """Whether what each of n rays met is a leaf."""
    for i in range(len(row)):
        out[i] = row[i] >= 0 and geo.materials[material_of(geo, row[i], primitive[i]), 4] > 0.0


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def surface(geo, eye, start, R, directions, hits, coarse, first, last, b):
    """Fill a block from rays first to last; returns how many surfaces there are. Sky is left out.

    eye [3]; start [n or 1, 3] in the cell; directions [n, 3], turned by R; coarse: how much coarser maps may be.
    """
    distance, row, primitive, flat, back = hits
    # Arrays are named outside of loops, or numba would count who holds them each time round.
    rays, rows, x, y, z, nx, ny, nz = b.ray, b.row, b.x, b.y, b.z, b.nx, b.ny, b.nz
    dx, dy, dz, aways, paths, details = b.dx, b.dy, b.dz, b.away, b.path, b.detail
    own_start = len(start) > 1
    r00, r01, r02, r10, r11, r12 = R[0, 0], R[0, 1], R[0, 2], R[1, 0], R[1, 1], R[1, 2]
    r20, r21, r22, e0, e1, e2 = R[2, 0], R[2, 1], R[2, 2], eye[0], eye[1], eye[2]
    n = 0
    for i in range(first, last):
        if row[i] < 0:
            continue
        d0, d1, d2, t, s = directions[i, 0], directions[i, 1], directions[i, 2], distance[i], i if own_start else 0
        rays[n], rows[n], paths[n] = i, row[i], t
        u, v, w = r00 * d0 + r01 * d1 + r02 * d2, r10 * d0 + r11 * d1 + r12 * d2, r20 * d0 + r21 * d1 + r22 * d2
        dx[n], dy[n], dz[n] = u, v, w
        u, v, w = start[s, 0] + u * t, start[s, 1] + v * t, start[s, 2] + w * t
        x[n], y[n], z[n] = u, v, w
        away = np.sqrt((u - e0) ** 2 + (v - e1) ** 2 + (w - e2) ** 2)
        aways[n], details[n] = away, away * coarse
        sign = np.float32(-1.0) if back[i] else np.float32(1.0)
        nx[n], ny[n], nz[n] = flat[i, 0] * sign, flat[i, 1] * sign, flat[i, 2] * sign
        n += 1
    _materials(geo, primitive, n, b)
    _smooth(geo, primitive, n, b)
    return n


@nb.njit(cache=True, nogil=True)
def _materials(geo, primitive, count, b) -> None:
    """Material of each surface of a block, its colour, and what light it lets through."""
    mesh, one, faces, table = geo.row_mesh, geo.one_material, geo.face_material, geo.materials
    rays, rows, material, thin, meshes, r, g, b_ = b.ray, b.row, b.material, b.thin, b.mesh, b.r, b.g, b.b
    for n in range(count):
        meshes[n] = mesh[rows[n]]
        m = one[meshes[n]]
        if m < 0:
            m = np.int32(as_u2(faces[meshes[n]])[primitive[rays[n]]])
        material[n], thin[n] = m, table[m, 4]
        r[n], g[n], b_[n] = table[m, 0], table[m, 1], table[m, 2]


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _smooth(geo, primitives, count, b) -> None:
    """Blend the corners' normals into the flat ones of the surfaces of a block, and colours if they have some.
    Leaves are flat."""
    normals_of, rays, rows, meshes, thin = geo.normals, b.ray, b.row, b.mesh, b.thin
    first = 0
    while first < count:
        mesh, row, primitive, last = meshes[first], rows[first], primitives[rays[first]], first + 1
        # Neighbours mostly see the same triangle.
        while last < count and rows[last] == row and primitives[rays[last]] == primitive:
            last += 1
        if thin[first] <= 0.0 and normals_of[mesh] != 0:
            smooth(geo, row, mesh, primitive, first, last, b)
        first = last


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def smooth(geo, row, mesh, primitive, first, last, b) -> None:
    """Blend the corners' normals, and colours if they have some, for surfaces first to last, all on one triangle."""
    t, xs, ys, zs, nx, ny, nz, seconds, thirds = b.blend, b.x, b.y, b.z, b.nx, b.ny, b.nz, b.p, b.q
    red, green, blue = b.r, b.g, b.b
    _blending(geo, row, mesh, primitive, t)
    # Named, or each store into the block could change them, and surfaces would be done one by one.
    x0, y0, z0, bx, by, bz, cx, cy, cz = t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8]
    px, py, pz, qx, qy, qz, rx, ry, rz = t[9], t[10], t[11], t[12], t[13], t[14], t[15], t[16], t[17]
    for n in range(first, last):
        x, y, z = xs[n] - x0, ys[n] - y0, zs[n] - z0
        second = min(max(bx * x + by * y + bz * z, _ZERO), _ONE)
        third = min(max(cx * x + cy * y + cz * z, _ZERO), _ONE - second)
        seconds[n], thirds[n] = second, third
        u, v, w = px + second * qx + third * rx, py + second * qy + third * ry, pz + second * qz + third * rz
        square = u * u + v * v + w * w
        scale = _ONE / np.sqrt(max(square, _LEAST))
        scale = -scale if u * nx[n] + v * ny[n] + w * nz[n] < _ZERO else scale
        good = square > _LEAST
        nx[n], ny[n], nz[n] = u * scale if good else nx[n], v * scale if good else ny[n], w * scale if good else nz[n]
    if geo.colours[mesh] != 0:
        for n in range(first, last):
            red[n] = t[18] + seconds[n] * t[21] + thirds[n] * t[24]
            green[n] = t[19] + seconds[n] * t[22] + thirds[n] * t[25]
            blue[n] = t[20] + seconds[n] * t[23] + thirds[n] * t[26]


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _blending(geo, row, mesh, primitive, t) -> None:
    """What a triangle's corners blend by, into t: the first corner in the cell; gradients of the shares of the second
    and the third; the first one's normal and colour, and by how much those of the others differ."""
    faces, vertices, normals = as_u4(geo.faces[mesh]), as_f4(geo.vertices[mesh]), as_f4(geo.normals[mesh])
    N, X, o = geo.row_normal, geo.row_X, geo.origin
    a, c, e = 3 * faces[3 * primitive], 3 * faces[3 * primitive + 1], 3 * faces[3 * primitive + 2]
    ax, ay, az = vertices[a], vertices[a + 1], vertices[a + 2]
    ux, uy, uz = vertices[c] - ax, vertices[c + 1] - ay, vertices[c + 2] - az
    vx, vy, vz = vertices[e] - ax, vertices[e + 1] - ay, vertices[e + 2] - az
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    area = _ONE / max(uu * vv - uv * uv, np.float32(1e-20))
    sx, sy, sz = (vv * ux - uv * vx) * area, (vv * uy - uv * vy) * area, (vv * uz - uv * vz) * area
    wx, wy, wz = (uu * vx - uv * ux) * area, (uu * vy - uv * uy) * area, (uu * vz - uv * uz) * area
    for i in range(3):
        t[i] = X[row, i, 0] * ax + X[row, i, 1] * ay + X[row, i, 2] * az + X[row, i, 3] - o[i]
        # Gradients, like normals, turn by the inverse transposed.
        t[3 + i] = N[row, i, 0] * sx + N[row, i, 1] * sy + N[row, i, 2] * sz
        t[6 + i] = N[row, i, 0] * wx + N[row, i, 1] * wy + N[row, i, 2] * wz
        p = N[row, i, 0] * normals[a] + N[row, i, 1] * normals[a + 1] + N[row, i, 2] * normals[a + 2]
        q = N[row, i, 0] * normals[c] + N[row, i, 1] * normals[c + 1] + N[row, i, 2] * normals[c + 2]
        r = N[row, i, 0] * normals[e] + N[row, i, 1] * normals[e + 1] + N[row, i, 2] * normals[e + 2]
        t[9 + i], t[12 + i], t[15 + i] = p, q - p, r - p
    if geo.colours[mesh] != 0:
        colours = as_f4(geo.colours[mesh])
        for i in range(3):
            t[18 + i] = colours[a + i]
            t[21 + i], t[24 + i] = colours[c + i] - colours[a + i], colours[e + i] - colours[a + i]


@nb.njit(parallel=True, cache=True, nogil=True)
def surfaces(geo, eye, start, R, directions, hits, way, point, normal, material, threads) -> None:
    """The surfaces of n rays: direction, point, normal [n, 3] each, and material (-1: sky)."""
    n = len(directions)
    blocks = (n + BLOCK - 1) // BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        b = block(BLOCK)
        for k in range(task, blocks, tasks):
            first, last = k * BLOCK, min(n, (k + 1) * BLOCK)
            count = surface(geo, eye, start, R, directions, hits, 1.0, first, last, b)
            _write(b, count, first, last, way, point, normal, material)


@nb.njit(cache=True, nogil=True)
def _write(b, count, first, last, way, point, normal, material) -> None:
    for i in range(first, last):
        material[i] = -1
    for n in range(count):
        i = b.ray[n]
        material[i] = b.material[n]
        way[i, 0], way[i, 1], way[i, 2] = b.dx[n], b.dy[n], b.dz[n]
        point[i, 0], point[i, 1], point[i, 2] = b.x[n], b.y[n], b.z[n]
        normal[i, 0], normal[i, 1], normal[i, 2] = b.nx[n], b.ny[n], b.nz[n]
