"""The camera's light in compiled kernels: what rays met, and how sun, sky, lamps and air show it.

Points are in the frame of the scene's cell; colours are linear RGB, 1 about a white surface in the noon sun.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_light import level_of, lit, mark
from volery.sensors.camera_sky import paint, sky
from volery.world.native import as_f4, as_u2, as_u4

__all__ = ["material_of", "shade", "shadow_rays", "surfaces"]

_FAST = {"contract", "reassoc", "arcp", "nsz", "afn"}
_BLOCK = 1024
"""Rays a thread takes at a time."""


@nb.njit(cache=True, nogil=True, inline="always")
def material_of(geo, row, primitive):
    """Number of the material of a triangle."""
    mesh = geo.row_mesh[row]
    one = geo.one_material[mesh]
    return one if one >= 0 else np.int32(as_u2(geo.face_material[mesh])[primitive])


@nb.njit(cache=True, nogil=True)
def _smooth(geo, row, primitive, x, y, z, n) -> None:
    """Blend the corners' normals into n [3], which holds the flat one; the point is in W."""
    mesh = geo.row_mesh[row]
    address = geo.normals[mesh]
    if address == 0:
        return
    N, X = geo.row_normal[row], geo.row_X[row]
    x, y, z = x - X[0, 3], y - X[1, 3], z - X[2, 3]
    px = N[0, 0] * x + N[1, 0] * y + N[2, 0] * z
    py = N[0, 1] * x + N[1, 1] * y + N[2, 1] * z
    pz = N[0, 2] * x + N[1, 2] * y + N[2, 2] * z
    faces, vertices, normals = as_u4(geo.faces[mesh]), as_f4(geo.vertices[mesh]), as_f4(address)
    a, b, c = 3 * faces[3 * primitive], 3 * faces[3 * primitive + 1], 3 * faces[3 * primitive + 2]
    ax, ay, az = vertices[a], vertices[a + 1], vertices[a + 2]
    ux, uy, uz = vertices[b] - ax, vertices[b + 1] - ay, vertices[b + 2] - az
    vx, vy, vz = vertices[c] - ax, vertices[c + 1] - ay, vertices[c + 2] - az
    wx, wy, wz = px - ax, py - ay, pz - az
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    wu, wv = wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz
    area = max(uu * vv - uv * uv, 1e-20)
    second = min(max((vv * wu - uv * wv) / area, 0.0), 1.0)
    third = min(max((uu * wv - uv * wu) / area, 0.0), 1.0 - second)
    first = 1.0 - second - third
    mx = first * normals[a] + second * normals[b] + third * normals[c]
    my = first * normals[a + 1] + second * normals[b + 1] + third * normals[c + 1]
    mz = first * normals[a + 2] + second * normals[b + 2] + third * normals[c + 2]
    qx = N[0, 0] * mx + N[0, 1] * my + N[0, 2] * mz
    qy = N[1, 0] * mx + N[1, 1] * my + N[1, 2] * mz
    qz = N[2, 0] * mx + N[2, 1] * my + N[2, 2] * mz
    length = np.sqrt(qx * qx + qy * qy + qz * qz)
    if length < 1e-9:
        return
    sign = 1.0 / length if qx * n[0] + qy * n[1] + qz * n[2] >= 0 else -1.0 / length
    n[0], n[1], n[2] = qx * sign, qy * sign, qz * sign


@nb.njit(cache=True, nogil=True)
def _shadowed_by(spheres, sun, x, y, z):
    """Whether the way to the sun passes through one of the spheres [k, 4] round moving things."""
    for k in range(len(spheres)):
        dx, dy, dz = spheres[k, 0] - x, spheres[k, 1] - y, spheres[k, 2] - z
        along = dx * sun[0] + dy * sun[1] + dz * sun[2]
        if along > -spheres[k, 3] and dx * dx + dy * dy + dz * dz - along * along < spheres[k, 3] ** 2:
            return True
    return False


@nb.njit(parallel=True, cache=True, nogil=True)
def surfaces(geo, maps, air, eye, start, R, directions, hits, movers, out, marks, threads) -> None:
    """What each ray met. out: ray in the cell, point, smooth normal towards the eye, material (-1: sky), and whether a
    mover may stand before the sun; tiles of the maps are marked.

    start [n or 1, 3] in the cell; directions [n, 3], turned by R; movers [k, 4]: spheres; marks [threads, …].
    """
    distance, row, primitive, flat, back = hits
    ray, point, normal, material, shadowed = out
    n = len(directions)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        m = np.empty(3)
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                r = row[i]
                material[i] = -1
                shadowed[i] = False
                d = directions[i]
                for k in range(3):
                    ray[i, k] = R[k, 0] * d[0] + R[k, 1] * d[1] + R[k, 2] * d[2]
                if r < 0:
                    continue
                material[i] = material_of(geo, r, primitive[i])
                t, s = distance[i], (i if len(start) > 1 else 0)
                x, y, z = start[s, 0] + ray[i, 0] * t, start[s, 1] + ray[i, 1] * t, start[s, 2] + ray[i, 2] * t
                sign = -1.0 if back[i] else 1.0
                m[0], m[1], m[2] = flat[i, 0] * sign, flat[i, 1] * sign, flat[i, 2] * sign
                o = air.origin
                _smooth(geo, r, primitive[i], x + o[0], y + o[1], z + o[2], m)
                point[i, 0], point[i, 1], point[i, 2] = x, y, z
                normal[i, 0], normal[i, 1], normal[i, 2] = m[0], m[1], m[2]
                shadowed[i] = _shadowed_by(movers, air.sun_W, x, y, z)
                away = np.sqrt((x - eye[0]) ** 2 + (y - eye[1]) ** 2 + (z - eye[2]) ** 2)
                mark(maps, marks[task], away, x, y, z)


@nb.njit(cache=True, nogil=True, inline="always")
def _hash(a, b):
    """A number in [0, 1) of two whole numbers."""
    x = np.uint32(a) * np.uint32(0x9E3779B1) + np.uint32(b) * np.uint32(0x85EBCA77)
    x = np.uint32((x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D))
    x = np.uint32((x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B))
    x = x ^ (x >> np.uint32(16))
    return np.float64(x >> np.uint32(8)) * (1.0 / 16777216.0)


@nb.njit(parallel=True, cache=True, nogil=True)
def shadow_rays(
    kind, target, spread, seed, thin, reach, eye, point, normal, material, start, ray, far, threads
) -> None:
    """Rays from surfaces towards light. kind 0: a direction, jittered by spread; 1: a point; 2: a share of the sky.

    thin [m]: light through leaves by material; far is -1 where the light cannot matter, which counts as blocked.
    """
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                far[i] = -1.0
                ray[i, 0], ray[i, 1], ray[i, 2] = 0.0, 0.0, 1.0
                if material[i] < 0:
                    continue
                nx, ny, nz = normal[i, 0], normal[i, 1], normal[i, 2]
                jx, jy, jz = 0.0, 0.0, 0.0
                if kind == 2 or spread > 0.0:
                    jz, a = 2.0 * _hash(i, seed) - 1.0, 2.0 * np.pi * _hash(i, seed + 1)
                    side = np.sqrt(1.0 - jz * jz)
                    jx, jy = side * np.cos(a), side * np.sin(a)
                dx, dy, dz = target[0] + spread * jx, target[1] + spread * jy, target[2] + spread * jz
                if kind == 1:
                    dx, dy, dz = target[0] - point[i, 0], target[1] - point[i, 1], target[2] - point[i, 2]
                elif kind == 2:
                    dx, dy, dz = nx + 0.999 * jx, ny + 0.999 * jy, nz + 0.999 * jz
                length = np.sqrt(dx * dx + dy * dy + dz * dz)
                if length < 1e-6 or (kind == 1 and length > reach) or (kind == 2 and dz <= 0.0):
                    continue
                dx, dy, dz = dx / length, dy / length, dz / length
                facing = nx * dx + ny * dy + nz * dz
                if facing <= 0.0 and (kind == 1 or thin[material[i]] == 0.0):
                    continue
                ex, ey, ez = point[i, 0] - eye[0], point[i, 1] - eye[1], point[i, 2] - eye[2]
                gap = (0.002 + 2e-4 * np.sqrt(ex * ex + ey * ey + ez * ez)) * (1.0 if facing > 0 else -1.0)
                start[i, 0], start[i, 1], start[i, 2] = (
                    point[i, 0] + nx * gap,
                    point[i, 1] + ny * gap,
                    point[i, 2] + nz * gap,
                )
                ray[i, 0], ray[i, 1], ray[i, 2] = dx, dy, dz
                far[i] = max(length - 0.25, 0.5 * length) if kind == 1 else reach


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def _sky_light(air, maps, level, x, y, z, nx, ny, nz, seen, leaf, light):
    """Add light of the sky and of the neighbourhood; seen: share of the sky, or -1 to ask the maps. Returns how much
    light there is around, 0 to 1."""
    open_, weights = 0.0, 0.0
    count = maps.basis.shape[0]
    for k in range(1, count):
        dx, dy, dz = maps.basis[k, 2, 0], maps.basis[k, 2, 1], maps.basis[k, 2, 2]
        weight = 0.34 if k == 1 else 0.66 / (count - 2)
        if count == 2:
            weight = 1.0
        through = lit(maps, k, level, x, y, z, nx, ny, nz, leaf)
        open_ += weight * through
        weights += weight * max(0.35 + 0.65 * (nx * dx + ny * dy + nz * dz), 0.0) * through
    # Rays are exact but grainy, maps smooth but coarse: half of each.
    part = 0.5 * (seen + weights) if seen >= 0.0 else weights
    # Light that came by way of other surfaces: where little sky is seen there still is some, unless there is none.
    around = np.sqrt(open_)
    for c in range(3):
        sky = 1.7 * air.zenith[c] + 0.75 * air.horizon[c]
        light[c] += part * sky + around * (0.13 * sky + 0.08 * air.sun[c] * max(air.sun_W[2], 0.0) * (1.2 - 0.6 * nz))
    return around


@nb.njit(parallel=True, cache=True, nogil=True, fastmath=_FAST)
def shade(
    geo, maps, air, eye, ray, distance, row, point, normal, material, sun_free, sky_free, lamps, out, threads
) -> None:
    """Colours of n rays in out [n, 3]. sun_free, sky_free [n or 0]: shares found by rays, which multiply the sun's map
    and are mixed with the sky's; lamps [n or 0, 3]: light of lamps."""
    n = len(ray)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        colour, light, above = np.empty(3), np.empty(3), np.empty(3)
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                dx, dy, dz = ray[i, 0], ray[i, 1], ray[i, 2]
                if material[i] < 0:
                    sky(air, dx, dy, dz, above)
                    out[i, 0], out[i, 1], out[i, 2] = above[0], above[1], above[2]
                    continue
                table = geo.materials[material[i]]
                nx, ny, nz = normal[i, 0], normal[i, 1], normal[i, 2]
                x, y, z = point[i, 0], point[i, 1], point[i, 2]
                away = np.sqrt((x - eye[0]) ** 2 + (y - eye[1]) ** 2 + (z - eye[2]) ** 2)
                wx, wy, wz = x + air.origin[0], y + air.origin[1], z + air.origin[2]
                if geo.row_group[row[i]] >= 0:
                    X = geo.row_X[row[i]]
                    wx, wy, wz = wx - X[0, 3], wy - X[1, 3], wz - X[2, 3]
                paint(air, table, wx, wy, wz, nx, ny, nz, away, colour)
                facing = nx * air.sun_W[0] + ny * air.sun_W[1] + nz * air.sun_W[2]
                thin = table[4]
                direct = max(facing, 0.0) + thin * (0.9 * max(-facing, 0.0) + 0.15)
                free = 0.0
                if direct > 0.0 and air.sun[1] > 1e-5:
                    side = 1.0 if facing >= 0.0 else -1.0
                    free = sun_free[i] if len(sun_free) > 0 else 1.0
                    if free > 0.0 and len(sky_free) == 0:
                        free *= lit(maps, 0, level_of(maps, 0, away), x, y, z, nx * side, ny * side, nz * side, False)
                for c in range(3):
                    light[c] = direct * free * air.sun[c]
                seen = sky_free[i] if len(sky_free) > 0 else -1.0
                around = _sky_light(air, maps, level_of(maps, 1, away), x, y, z, nx, ny, nz, seen, thin > 0.0, light)
                toward = max(-(nx * dx + ny * dy + nz * dz), 0.0)
                head = air.headlight * (toward + 0.3 * thin) / (0.05 + away * away)
                gloss = max(table[5], 0.35 if thin > 0 else 0.0)
                shine = 0.0
                if free > 0.0 and gloss > 0.15:
                    # A highlight where half-way between eye and sun is along the normal.
                    hx, hy, hz = air.sun_W[0] - dx, air.sun_W[1] - dy, air.sun_W[2] - dz
                    half = max((nx * hx + ny * hy + nz * hz) / np.sqrt(hx * hx + hy * hy + hz * hz + 1e-9), 0.0)
                    for _ in range(3 + int(4.0 * gloss)):
                        half *= half
                    shine = 0.8 * free * gloss * gloss * half
                keep = np.exp(-air.extinction * distance[i])
                # Air in the dark does not shine.
                mist = (1.0 - keep) * min(2.0 * around, 1.0)
                for c in range(3):
                    total = light[c] + head + (lamps[i, c] if len(lamps) > 0 else 0.0)
                    surface = colour[c] * (total + table[3]) + shine * air.sun[c]
                    out[i, c] = surface * keep + mist * air.horizon[c]
