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
from volery.sensors.camera_surface import BLOCK, block, material_of, smooth, surface

__all__ = ["shade_drawn", "shade_plain"]

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_NEAREST = np.float32(0.05)
"""Squared distance [m²] below which a headlight gets no brighter."""

_ROW = 640
"""Pixels of a row that are shaded at a time (measured)."""


@nb.njit(parallel=True, cache=True, nogil=True)
def shade_plain(geo, air, eye, start, R, directions, hits, colour, threads) -> None:
    """Colours [n, 3] of n rays; arguments as in `shade`."""
    n = len(directions)
    blocks = (n + BLOCK - 1) // BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        b = block(BLOCK)
        for k in range(task, blocks, tasks):
            first, last = k * BLOCK, min(n, (k + 1) * BLOCK)
            count = surface(geo, eye, start, R, directions, hits, 1.0, first, last, b)
            if count < last - first:
                _sky(air, R, directions, hits[1], first, last, colour)
            _emission(geo.materials, b, count)
            _haze(air, b, count)
            _light(air, b, count)
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
        b, names, normal = block(_ROW), np.empty(_ROW, np.uint32), np.empty(3, np.float32)
        for row in range(task, height, tasks):
            for first in range(0, width, _ROW):
                count = min(_ROW, width - first)
                _nearest(drawn, row * width + first, count, b, names)
                _points(air, eye, R, drawn.ys, drawn.zs[row], far, first, count, b, names)
                skies, unlit = _triangles(drawn, geo, air, names, count, b, normal)
                if unlit:
                    _others(drawn, geo, air, names, count, b, normal)
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
def _points(air, eye, R, ys, up, far, first, count, b, names) -> None:
    """Directions and ends of rays through a row of pixels, and what the air does; what is beyond `far` loses its
    name."""
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
    _haze(air, b, count)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _triangles(drawn, geo, air, names, count, b, normal):
    """Colours of what a row of pixels sees, a flat triangle at a time; returns how many see the sky, and how many are
    left: on smooth triangles, or lit by the camera itself."""
    table, normals = geo.materials, geo.normals
    first, skies, unlit = 0, 0, 0
    while first < count:
        last = _run(names, first, count)
        if names[first] == NOTHING:
            skies += last - first
        else:
            row, face = triangle_of(drawn.order, geo.row_mesh, drawn.listed, names[first])
            material = material_of(geo, row, face)
            if air.headlight > 0.0 or (table[material, 4] <= _ZERO and normals[geo.row_mesh[row]] != 0):
                unlit += last - first
            else:
                _towards(geo, row, face, b, first, normal)
                _lit(table, material, air, normal, first, last, b.weight, b.h, b.r, b.g, b.b)
        first = last
    return skies, unlit


@nb.njit(cache=True, nogil=True)
def _others(drawn, geo, air, names, count, b, normal) -> None:
    """Colours of what `_triangles` left."""
    first, table, left = 0, geo.materials, b.texel
    _fill(left, 0, count, _ZERO)
    while first < count:
        last = _run(names, first, count)
        if names[first] != NOTHING:
            row, face = triangle_of(drawn.order, geo.row_mesh, drawn.listed, names[first])
            material, mesh = material_of(geo, row, face), geo.row_mesh[row]
            is_smooth = table[material, 4] <= _ZERO and geo.normals[mesh] != 0
            if is_smooth or air.headlight > 0.0:
                _fill(left, first, last, _ONE)
                _towards(geo, row, face, b, first, normal)
                _flat(table, material, normal, first, last, b)
            if is_smooth:
                smooth(geo, row, mesh, face, first, last, b)
        first = last
    _light(air, b, count)


@nb.njit(cache=True, nogil=True, inline="always")
def _run(names, first, count):
    """One past the last of the pixels from `first` on that see the same triangle."""
    last = first + 1
    while last < count and names[last] == names[first]:
        last += 1
    return last


@nb.njit(cache=True, nogil=True, inline="always")
def _towards(geo, row, face, b, n, normal) -> None:
    """Normal of a triangle in W on the side that pixel n sees."""
    flat_normal(geo, row, geo.row_mesh[row], face, normal)
    if b.dx[n] * normal[0] + b.dy[n] * normal[1] + b.dz[n] * normal[2] > _ZERO:
        normal[0], normal[1], normal[2] = -normal[0], -normal[1], -normal[2]


@nb.njit(cache=True, nogil=True, inline="always")
def _shares(nx, ny, nz, sx, sy, sz, thin):
    """Of sun, horizon and zenith on a surface. A leaf is lit from both sides, from behind by what passes."""
    facing = nx * sx + ny * sy + nz * sz
    horizon, zenith = open_sky(nz)
    back_horizon, back_zenith = open_sky(-nz)
    sun = max(facing, _ZERO) + thin * max(-facing, _ZERO)
    return sun, horizon + thin * back_horizon, zenith + thin * back_zenith


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _lit(table, material, air, normal, first, last, keeps, glows, reds, greens, blues) -> None:
    """Colours of surfaces first to last, all on one flat triangle."""
    sx, sy, sz = np.float32(air.sun_W[0]), np.float32(air.sun_W[1]), np.float32(air.sun_W[2])
    part, horizon, zenith = _shares(normal[0], normal[1], normal[2], sx, sy, sz, table[material, 4])
    for c in range(3):
        out = reds if c == 0 else greens if c == 1 else blues
        sun, low, high = np.float32(air.sun[c]), np.float32(air.horizon[c]), np.float32(air.zenith[c])
        own = table[material, c] * (part * sun + horizon * low + zenith * high + table[material, 3])
        for n in range(np.uintp(first), np.uintp(last)):
            out[n] = own * keeps[n] + (low + glows[n] * sun) * (_ONE - keeps[n])


@nb.njit(cache=True, nogil=True)
def _flat(table, material, normal, first, last, b) -> None:
    """Normals and materials of surfaces first to last, all on one triangle."""
    _fill(b.nx, first, last, normal[0])
    _fill(b.ny, first, last, normal[1])
    _fill(b.nz, first, last, normal[2])
    _fill(b.r, first, last, table[material, 0])
    _fill(b.g, first, last, table[material, 1])
    _fill(b.b, first, last, table[material, 2])
    _fill(b.up, first, last, table[material, 3])
    _fill(b.thin, first, last, table[material, 4])


@nb.njit(cache=True, nogil=True)
def _fill(array, first, last, value) -> None:
    """array[first:last] = value, which for a few places costs more than they do."""
    for n in range(np.uintp(first), np.uintp(last)):
        array[n] = value


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
def _emission(table, b, count) -> None:
    """Of materials; and all surfaces are still to be lit."""
    material, heads, left = b.material, b.up, b.texel
    for n in range(count):
        heads[n], left[n] = table[material[n], 3], _ONE


@nb.njit(cache=True, nogil=True)
def _sky(air, R, directions, row, first, last, colour) -> None:
    """Colours of the rays that met nothing: a sky without sun and clouds."""
    for i in range(first, last):
        if row[i] < 0:
            z = R[2, 0] * directions[i, 0] + R[2, 1] * directions[i, 1] + R[2, 2] * directions[i, 2]
            sky(air, 0.0, 0.0, z, False, colour, i)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _haze(air, b, count) -> None:
    """What the air between lets through, and how much of the sun it sends on."""
    paths, dxs, dys, dzs, keeps, glows = b.path, b.dx, b.dy, b.dz, b.weight, b.h
    sx, sy, sz = np.float32(air.sun_W[0]), np.float32(air.sun_W[1]), np.float32(air.sun_W[2])
    extinction = np.float32(air.extinction)
    for n in range(count):
        keeps[n] = passing(extinction * paths[n])
        glows[n] = glow(dxs[n] * sx + dys[n] * sy + dzs[n] * sz)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _light(air, b, count) -> None:
    """Make colours of surfaces those of the light that comes from them, where b.texel is 1; b.up: emission."""
    thins, aways, keeps, glows, left, heads = b.thin, b.away, b.weight, b.h, b.texel, b.up
    nxs, nys, nzs, dxs, dys, dzs, reds, greens, blues = b.nx, b.ny, b.nz, b.dx, b.dy, b.dz, b.r, b.g, b.b
    suns, horizons, zeniths = b.sun, b.part, b.around
    sx, sy, sz = np.float32(air.sun_W[0]), np.float32(air.sun_W[1]), np.float32(air.sun_W[2])
    headlight = np.float32(air.headlight)
    for n in range(count):
        suns[n], horizons[n], zeniths[n] = _shares(nxs[n], nys[n], nzs[n], sx, sy, sz, thins[n])
    for n in range(count):
        toward = max(-(nxs[n] * dxs[n] + nys[n] * dys[n] + nzs[n] * dzs[n]), _ZERO)
        heads[n] += headlight * toward / max(aways[n] * aways[n], _NEAREST)
    for c in range(3):
        out = reds if c == 0 else greens if c == 1 else blues
        sun, low, high = np.float32(air.sun[c]), np.float32(air.horizon[c]), np.float32(air.zenith[c])
        for n in range(count):
            light = suns[n] * sun + horizons[n] * low + zeniths[n] * high + heads[n]
            colour = out[n] * light * keeps[n] + (low + glows[n] * sun) * (_ONE - keeps[n])
            out[n] = colour if left[n] > _ZERO else out[n]
