"""Plain pictures, as most simulators draw them: colours of materials in the light of an open sky, without shadows.

Compiled; see camera_shade.py for the light of the other qualities, of which this is the part that needs no maps.
"""

# ruff: noqa: ANN001

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_light import FAST
from volery.sensors.camera_sky import glow, open_sky, sky
from volery.sensors.camera_surface import BLOCK, block, surface

__all__ = ["shade_plain"]

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
        keeps[n] = np.exp(-extinction * paths[n])
        glows[n] = glow(dxs[n] * sx + dys[n] * sy + dzs[n] * sz)
    for c in range(3):
        out = reds if c == 0 else greens if c == 1 else blues
        sun, low, high = np.float32(air.sun[c]), np.float32(air.horizon[c]), np.float32(air.zenith[c])
        for n in range(count):
            light = suns[n] * sun + horizons[n] * low + zeniths[n] * high + heads[n]
            out[n] = out[n] * light * keeps[n] + (low + glows[n] * sun) * (np.float32(1.0) - keeps[n])
