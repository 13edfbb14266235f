"""The camera's light in compiled kernels: how sun, sky, lamps and air show what rays met.

Colours are linear RGB: 1 is a white surface in the sun of a clear noon. A surface of colour ρ sends back ρ times the
light on it, and the light of a sky of even brightness L is L. What leaves the eye's way in the air is exp(−β·r).
"""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_grain import paint
from volery.sensors.camera_lamps import lamps_free, lamps_on
from volery.sensors.camera_light import FAST, sky_free, sun_free
from volery.sensors.camera_share import QUARTERS, share, spread
from volery.sensors.camera_sky import glow, open_sky, sky
from volery.sensors.camera_surface import BLOCK, block, surface

__all__ = ["shade"]

_NEIGHBOURS = 0.2
"""What surfaces round about send on of the light on them, where no ray asks them."""
_NEAREST = 0.05
"""Squared distance [m²] below which a headlight gets no brighter."""


@nb.njit(parallel=True, cache=True, nogil=True)
def shade(geo, maps, lamps, air, eye, start, R, directions, hits, coarse, given, out, needs, threads) -> None:
    """Colours of n rays. eye, start, R, directions, hits, coarse: see `surface`.

    given: the share of the sun that rays found free [n or 0] (past what moves, if the sun's map is to say the rest),
    light of lamps that are not in `lamps` [n or 0, 3], which of those in it moving things hide [n or 0] (see
    `lamps_on`), whether the sun's map counts, whether the sky is seen with its clouds, and whether neighbours share
    light.
    out: colour [n, 3]; what light is multiplied by [n or 0, 3]: then light of the sun and from all round is left out of
    the colour; share of the sun [n or 0]; normal [n or 0, 3]; material [n], -1 for the sky.
    needs: tiles of sun and sky that were needed [threads, …], those of lamps [threads, k, …], and which blocks are to
    be done [blocks] uint8: those stay 1 that miss a tile.
    """
    n = len(directions)
    free, own, hidden, by_map, seen, shared = given
    marks, lamp_marks, todo = needs
    colour, albedo, lit, normal, material = out
    blocks = (n + BLOCK - 1) // BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        b, few, member, leader = block(BLOCK), block(BLOCK), np.empty(BLOCK, np.int32), np.empty(QUARTERS, np.int32)
        # A lamp that reaches nothing of a block has no share of it.
        free_lamps = np.zeros((len(lamps.place), BLOCK), np.float32)
        for k in range(task, blocks, tasks):
            if todo[k] == 0:
                continue
            first, last = k * BLOCK, min(n, (k + 1) * BLOCK)
            count = surface(geo, eye, start, R, directions, hits, coarse, first, last, b)
            _note(b, count, first, last, material)
            if count < last - first:
                _sky(air, R, directions, hits[1], seen, first, last, colour, albedo, lit, normal)
            missing = air.sun[1] > 1e-5 and by_map and sun_free(maps, marks[task], b, count)
            some = share(b, count, first, air.pixel_angle if shared else 0.0, few, member, leader)
            missing |= sky_free(maps, marks[task], few, some)
            missing |= lamps_free(lamps, hidden, lamp_marks[task], few, some, free_lamps)
            spread(few, member, b, count)
            lamps_on(lamps, free_lamps, member, b, count)
            todo[k] = 1 if missing else 0
            paint(geo, air, b, count)
            _light(geo, air, b, count, free, own, colour, albedo, lit, normal)


@nb.njit(cache=True, nogil=True)
def _note(b, count, first, last, material) -> None:
    """Write the materials of a block, -1 for the sky; all surfaces are in the sun as yet."""
    for i in range(first, last):
        material[i] = -1
    for n in range(count):
        material[b.ray[n]] = b.material[n]
        b.sun[n] = 1.0


@nb.njit(cache=True, nogil=True)
def _sky(air, R, directions, row, seen, first, last, colour, albedo, lit, normal) -> None:
    """Colours of the rays of a block that met nothing."""
    for i in range(first, last):
        if row[i] >= 0:
            continue
        d0, d1, d2 = directions[i, 0], directions[i, 1], directions[i, 2]
        x = R[0, 0] * d0 + R[0, 1] * d1 + R[0, 2] * d2
        y = R[1, 0] * d0 + R[1, 1] * d1 + R[1, 2] * d2
        z = R[2, 0] * d0 + R[2, 1] * d1 + R[2, 2] * d2
        sky(air, x, y, z, seen, colour, i)
        if len(albedo) > 0:
            albedo[i, 0], albedo[i, 1], albedo[i, 2], lit[i] = 0.0, 0.0, 0.0, 0.0
            normal[i, 0], normal[i, 1], normal[i, 2] = 0.0, 0.0, 0.0


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _light(geo, air, b, count, free, lamps, colour, albedo, lit, normal) -> None:
    """Light on the surfaces of a block, and what of it reaches the eye."""
    table = geo.materials
    rays, material, thins, suns, parts, arounds = b.ray, b.material, b.thin, b.sun, b.part, b.around
    nxs, nys, nzs, dxs, dys, dzs, aways, paths = b.nx, b.ny, b.nz, b.dx, b.dy, b.dz, b.away, b.path
    reds, greens, blues, lamp_r, lamp_g, lamp_b = b.r, b.g, b.b, b.lamp_r, b.lamp_g, b.lamp_b
    sx, sy, sz = np.float32(air.sun_W[0]), np.float32(air.sun_W[1]), np.float32(air.sun_W[2])
    sun_c, horizon_c, zenith_c = air.sun, air.horizon, air.zenith
    headlight, extinction, apart = np.float32(air.headlight), np.float32(air.extinction), len(albedo) > 0
    h1, z1 = open_sky(1.0)
    for n in range(count):
        i, m, thin = rays[n], material[n], thins[n]
        nx, ny, nz, dx, dy, dz = nxs[n], nys[n], nzs[n], dxs[n], dys[n], dzs[n]
        facing = nx * sx + ny * sy + nz * sz
        sun = suns[n] * (free[i] if len(free) > 0 else np.float32(1.0))
        # A leaf is lit from both sides, from behind by what passes.
        direct = sun * (max(facing, 0.0) + thin * max(-facing, 0.0))
        toward = max(-(nx * dx + ny * dy + nz * dz), 0.0)
        head = headlight * toward / max(aways[n] * aways[n], _NEAREST) + table[m, 3]
        gloss = max(table[m, 5], 0.35 if thin > 0 else 0.0)
        shine = _shine(gloss, nx, ny, nz, sx - dx, sy - dy, sz - dz) * sun if sun > 0.0 and gloss > 0.15 else 0.0
        keep = np.exp(-extinction * paths[n])
        # Air in the dark does not shine.
        near = np.sqrt(arounds[n])
        mist = (1.0 - keep) * near
        veil = mist * glow(sx * dx + sy * dy + sz * dz)
        h, z = open_sky(nz)
        back_h, back_z = open_sky(-nz)
        # What is not sky is neighbours, lit by what light there is around.
        other = _NEIGHBOURS * near * (1.0 + thin - (0.5 * (1.0 + nz) + thin * 0.5 * (1.0 - nz)) * parts[n])
        from_horizon = parts[n] * (h + thin * back_h) + other * h1
        from_zenith, from_sun = parts[n] * (z + thin * back_z) + other * z1, direct + other * max(sz, 0.0)
        if apart:
            from_horizon, from_zenith, from_sun = 0.0, 0.0, 0.0
        for c in range(3):
            own = reds[n] if c == 0 else greens[n] if c == 1 else blues[n]
            lamp = lamp_r[n] if c == 0 else lamp_g[n] if c == 1 else lamp_b[n]
            total = from_sun * sun_c[c] + from_horizon * horizon_c[c] + from_zenith * zenith_c[c] + head + lamp
            if len(lamps) > 0:
                total += lamps[i, c]
            sent = own * total + shine * sun_c[c]
            colour[i, c] = sent * keep + mist * horizon_c[c] + veil * sun_c[c]
            if apart:
                albedo[i, c] = own * keep
        if apart:
            normal[i, 0], normal[i, 1], normal[i, 2], lit[i] = nx, ny, nz, direct


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy", inline="always")
def _shine(gloss, nx, ny, nz, hx, hy, hz):
    """A highlight where half-way between eye and sun is along the normal."""
    half = max((nx * hx + ny * hy + nz * hz) / np.sqrt(hx * hx + hy * hy + hz * hz + 1e-9), 0.0)
    for _ in range(3 + int(4.0 * gloss)):
        half *= half
    return 0.8 * gloss * gloss * half
