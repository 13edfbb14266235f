"""Plain pictures, as most simulators draw them: colours of materials in the light of an open sky, without shadows.

Compiled; see camera_shade.py for the light of the other qualities, of which this is the part that needs no maps.
"""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_light import FAST
from volery.sensors.camera_raster import NOTHING
from volery.sensors.camera_seen import flat_normal, triangle_of
from volery.sensors.camera_sky import glow, open_sky, passing, sky
from volery.sensors.camera_surface import BLOCK, block, smooth, surface
from volery.world.native import as_u2

__all__ = ["shade_drawn", "shade_plain"]

_NEAREST = np.float32(0.05)
"""Squared distance [m²] below which a headlight gets no brighter."""


@nb.njit(parallel=True, cache=True, nogil=True)
def shade_plain(geo, air, eye, start, R, directions, hits, colour, threads) -> None:
    """Colours [n, 3] of n rays; arguments as in `shade`."""
    n = len(directions)
    blocks = (n + BLOCK - 1) // BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        b = block()
        for k in range(task, blocks, tasks):
            first, last = k * BLOCK, min(n, (k + 1) * BLOCK)
            count = surface(geo, eye, start, R, directions, hits, 1.0, first, last, b)
            if count < last - first:
                _sky(air, R, directions, hits[1], first, last, colour)
            _light(geo, air, b, count)
            reds, greens, blues, rays = b.r, b.g, b.b, b.ray
            for i in range(count):
                colour[rays[i], 0], colour[rays[i], 1], colour[rays[i], 2] = reds[i], greens[i], blues[i]


@nb.njit(parallel=True, cache=True, nogil=True)
def shade_drawn(drawn, geo, air, eye, R, far, linear, threads) -> None:
    """Colours of a drawn picture straight into its pixels [h·w, 3]: what `seen` and `shade_plain` give by way of rays.

    eye [3] in the cell; far: reach [m]."""
    width, height = len(drawn.ys), len(drawn.zs)
    tasks = min(height, threads)
    for task in nb.prange(tasks):
        b, names, normal = block(), np.empty(BLOCK, np.uint32), np.empty(3, np.float32)
        for row in range(task, height, tasks):
            for first in range(0, width, BLOCK):
                count = min(BLOCK, width - first)
                _nearest(drawn, row * width + first, count, b, names)
                _points(eye, R, drawn.ys, drawn.zs[row], far, first, count, b, names)
                skies = _triangles(drawn, geo, names, count, b, normal)
                _light(geo, air, b, count)
                _write(b, row * width + first, count, linear)
                if skies:
                    _skies(air, b, names, row * width + first, count, linear)


@nb.njit(cache=True, nogil=True)
def _nearest(drawn, at, count, b, names) -> None:
    """Of what each thread drew the nearest: its nearness 1/x [1/m] into b.u, and its name."""
    near, which, best = drawn.near, drawn.which, b.u
    for n in range(count):
        best[n], names[n] = near[0, at + n], which[0, at + n]
    for k in range(1, len(near)):
        nears, whichs = near[k, at : at + count], which[k, at : at + count]
        for n in range(count):
            better = nears[n] > best[n] or (nears[n] == best[n] and whichs[n] < names[n])
            best[n], names[n] = nears[n] if better else best[n], whichs[n] if better else names[n]


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _points(eye, R, ys, up, far, first, count, b, names) -> None:
    """Directions and ends of rays through a row of pixels; what is beyond `far` loses its name."""
    near, paths, aways, dx, dy, dz, x, y, z = b.u, b.path, b.away, b.dx, b.dy, b.dz, b.x, b.y, b.z
    r00, r10, r20, r01, r11, r21 = R[0, 0], R[1, 0], R[2, 0], R[0, 1], R[1, 1], R[2, 1]
    left = ys[first : first + count]
    m0, m1, m2 = np.float32(r00 + R[0, 2] * up), np.float32(r10 + R[1, 2] * up), np.float32(r20 + R[2, 2] * up)
    s0, s1, s2, e0 = np.float32(r01), np.float32(r11), np.float32(r21), np.float32(eye[0])
    e1, e2, own, reach = np.float32(eye[1]), np.float32(eye[2]), np.float32(1.0 + up * up), np.float32(far)
    for n in range(count):
        side = np.float32(left[n])
        square = own + side * side
        u, v, w = m0 + s0 * side, m1 + s1 * side, m2 + s2 * side
        long, deep = np.sqrt(square), np.float32(1.0) / near[n]
        x[n], y[n], z[n] = e0 + u * deep, e1 + v * deep, e2 + w * deep
        short = np.float32(1.0) / long
        dx[n], dy[n], dz[n], paths[n], aways[n] = u * short, v * short, w * short, long * deep, long * deep
    for n in range(count):
        names[n] = names[n] if paths[n] <= reach else NOTHING


@nb.njit(cache=True, nogil=True)
def _triangles(drawn, geo, names, count, b, normal):
    """Normals and materials of what a row of pixels sees, a triangle at a time; returns how many see the sky."""
    first, skies = 0, 0
    while first < count:
        name, last = names[first], first + 1
        while last < count and names[last] == name:
            last += 1
        if name == NOTHING:
            skies += last - first
            b.material[first:last] = 0
        else:
            row, face = triangle_of(drawn.order, geo.row_mesh, drawn.listed, name)
            _triangle(geo, row, face, first, last, b, normal)
        first = last
    return skies


@nb.njit(cache=True, nogil=True)
def _triangle(geo, row, face, first, last, b, normal) -> None:
    """Normals and materials of surfaces first to last, all on one triangle."""
    mesh, table = geo.row_mesh[row], geo.materials
    material = geo.one_material[mesh]
    if material < 0:
        material = np.int32(as_u2(geo.face_material[mesh])[face])
    flat_normal(geo, row, mesh, face, normal)
    behind = b.dx[first] * normal[0] + b.dy[first] * normal[1] + b.dz[first] * normal[2] > 0.0
    sign = np.float32(-1.0) if behind else np.float32(1.0)
    u, v, w, thin = normal[0] * sign, normal[1] * sign, normal[2] * sign, table[material, 4]
    red, green, blue = table[material, 0], table[material, 1], table[material, 2]
    nx, ny, nz, reds, greens, blues, thins, materials = b.nx, b.ny, b.nz, b.r, b.g, b.b, b.thin, b.material
    for n in range(first, last):
        nx[n], ny[n], nz[n], thins[n], materials[n] = u, v, w, thin, material
        reds[n], greens[n], blues[n] = red, green, blue
    if thin <= 0.0 and geo.normals[mesh] != 0:
        smooth(geo, row, mesh, face, first, last, b)


@nb.njit(cache=True, nogil=True)
def _write(b, at, count, linear) -> None:
    """Colours of a block into pixels from `at` on."""
    reds, greens, blues = b.r, b.g, b.b
    for n in range(count):
        linear[at + n, 0], linear[at + n, 1], linear[at + n, 2] = reds[n], greens[n], blues[n]


@nb.njit(cache=True, nogil=True)
def _skies(air, b, names, at, count, linear) -> None:
    """The sky where a row of pixels sees nothing else."""
    for n in range(count):
        if names[n] == NOTHING:
            sky(air, 0.0, 0.0, b.dz[n], False, linear, at + n)


@nb.njit(cache=True, nogil=True)
def _sky(air, R, directions, row, first, last, colour) -> None:
    """Colours of the rays that met nothing: a sky without sun and clouds."""
    for i in range(first, last):
        if row[i] < 0:
            z = R[2, 0] * directions[i, 0] + R[2, 1] * directions[i, 1] + R[2, 2] * directions[i, 2]
            sky(air, 0.0, 0.0, z, False, colour, i)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _light(geo, air, b, count) -> None:
    """Make colours of surfaces those of the light that comes from them."""
    table, material, thins, aways, paths = geo.materials, b.material, b.thin, b.away, b.path
    nxs, nys, nzs, dxs, dys, dzs, reds, greens, blues = b.nx, b.ny, b.nz, b.dx, b.dy, b.dz, b.r, b.g, b.b
    suns, horizons, zeniths, keeps, heads, glows = b.sun, b.part, b.around, b.weight, b.up, b.h
    sx, sy, sz = np.float32(air.sun_W[0]), np.float32(air.sun_W[1]), np.float32(air.sun_W[2])
    headlight, extinction = np.float32(air.headlight), np.float32(air.extinction)
    for n in range(count):
        heads[n] = table[material[n], 3]
    for n in range(count):
        facing, thin = nxs[n] * sx + nys[n] * sy + nzs[n] * sz, thins[n]
        # A leaf is lit from both sides, from behind by what passes.
        suns[n] = max(facing, np.float32(0.0)) + thin * max(-facing, np.float32(0.0))
        horizon, zenith = open_sky(nzs[n])
        back_horizon, back_zenith = open_sky(-nzs[n])
        horizons[n], zeniths[n] = horizon + thin * back_horizon, zenith + thin * back_zenith
    for n in range(count):
        toward = max(-(nxs[n] * dxs[n] + nys[n] * dys[n] + nzs[n] * dzs[n]), np.float32(0.0))
        heads[n] += headlight * toward / max(aways[n] * aways[n], _NEAREST)
        keeps[n] = passing(extinction * paths[n])
        glows[n] = glow(dxs[n] * sx + dys[n] * sy + dzs[n] * sz)
    for c in range(3):
        out = reds if c == 0 else greens if c == 1 else blues
        sun, low, high = np.float32(air.sun[c]), np.float32(air.horizon[c]), np.float32(air.zenith[c])
        for n in range(count):
            light = suns[n] * sun + horizons[n] * low + zeniths[n] * high + heads[n]
            out[n] = out[n] * light * keeps[n] + (low + glows[n] * sun) * (np.float32(1.0) - keeps[n])
