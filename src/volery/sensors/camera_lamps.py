"""Light of lamps by maps: how far each lamp's light comes, seen from the lamp all round. Compiled.

A lamp is a point. Its map is a cube round it: six faces of FACE × FACE texels, cut into tiles that are made when a
picture first needs them (camera_lamp_tiles.py). Face 2·a looks along axis a, face 2·a + 1 against it; the two other
axes follow in the order x, y, z, x. The kernels work on a block of surfaces at a time, see camera_surface.py.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

from volery.sensors.camera_light import FAST

__all__ = [
    "ACROSS", "FACE", "LAMP_REACH", "RIM", "SIDE", "TILE", "TILES", "Lamps", "lamp_share", "lamps_free",
    "lamps_on",
]  # fmt: skip

LAMP_REACH = 45.0
"""How far a lamp throws shadows [m]; what is farther away it does not light, but for what walls send on."""
FACE, TILE, RIM = 256, 64, 4
"""Texels along a face, along a tile, and of the rim that a tile shares with its neighbours."""
SIDE, ACROSS = TILE + 2 * RIM, FACE // TILE
"""Texels along a tile with its rims, and tiles along a face."""
TILES = 6 * ACROSS**2

_ZERO, _ONE, _HALF = np.float32(0.0), np.float32(1.0), np.float32(FACE / 2)
_TEXEL, _OFF = np.float32(2.0 / FACE), np.float32(RIM - 0.5)
_PER_TILE, _I1, _U1, _ROW = np.float32(1.0 / TILE), np.int32(1), np.uintp(1), np.uintp(SIDE)
_NEAREST, _WALLS, _AWAY = np.float32(0.1), np.float32(0.2), np.float32(9.0)
"""Squared distance [m²] below which a lamp gets no brighter, and how much walls send on, as from so far [m²]."""
_REACH = np.float32(LAMP_REACH**2)
_LEAST = np.float32(1e-3)
"""Nearest a surface can be to a lamp [m]."""


class Lamps(NamedTuple):
    """Lamps as kernels take them; float32 unless said otherwise."""

    place: np.ndarray
    """[k, 3] in the cell [m]."""
    power: np.ndarray
    """[k, 3]: light on a surface that faces the lamp from 1 m."""
    index: np.ndarray
    """Tile in the pool, int32 [k, TILES]; -1: not there."""
    depth: np.ndarray
    """Of the first thing that stands, along the axis of its face [m], [tiles · side · side]."""


@nb.njit(cache=True, nogil=True, inline="always")
def lamp_share(square, facing):
    """Share of a lamp's power on a surface, directly and by way of what walls send on, which also reaches where the
    lamp itself is hidden; by the squared distance [m²] and the length of the way along the normal [m]."""
    direct = max(facing, _ZERO) / (np.sqrt(square) * max(square, _NEAREST))
    return direct, _WALLS / (square + _AWAY)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def lamps_free(lamps, hidden, marks, b, count, free):
    """Share of each lamp's light that reaches each surface of a block, 0 to 1, softened over four texels, into
    free [k, BLOCK].

    hidden [n or 0] uint16: bits of the lamps before which something moving stands, by ray; marks [k, TILES]: tiles
    that are needed. Returns whether one was missing; there the light is taken as free.
    """
    missing = False
    for k in range(len(lamps.place)):
        if _aim(lamps.place[k], b, count):
            missing |= _find(lamps.index[k], marks[k], b, count)
            _compare(lamps.depth, b, count, free[k])
        if len(hidden) > 0:
            _hide(hidden, np.uint16(1 << k), b, count, free[k])
    return missing


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def lamps_on(lamps, free, member, b, count) -> None:
    """Light of all lamps on the surfaces of a block, into b.lamp_r, b.lamp_g and b.lamp_b; also what comes by way of
    walls. member: which of free [k, BLOCK] is that of each surface."""
    xs, ys, zs, nxs, nys, nzs, red, green, blue = b.x, b.y, b.z, b.nx, b.ny, b.nz, b.lamp_r, b.lamp_g, b.lamp_b
    parts, lights = b.p, b.q
    for n in range(count):
        red[n], green[n], blue[n] = _ZERO, _ZERO, _ZERO
    for k in range(len(lamps.place)):
        px, py, pz = lamps.place[k, 0], lamps.place[k, 1], lamps.place[k, 2]
        p0, p1, p2, own = lamps.power[k, 0], lamps.power[k, 1], lamps.power[k, 2], free[k]
        # In several loops, or there would be too many arrays for the compiler to take several surfaces at once.
        for n in range(count):
            parts[n] = own[np.uintp(member[n])]
        for n in range(count):
            x, y, z = xs[n] - px, ys[n] - py, zs[n] - pz
            square = max(x * x + y * y + z * z, _LEAST * _LEAST)
            direct, around = lamp_share(square, -(nxs[n] * x + nys[n] * y + nzs[n] * z))
            lights[n] = around + (direct * parts[n] if square < _REACH else _ZERO)
        for n in range(count):
            red[n], green[n], blue[n] = red[n] + p0 * lights[n], green[n] + p1 * lights[n], blue[n] + p2 * lights[n]


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _aim(place, b, count):
    """Where surfaces, a step along their normals, are on the map of a lamp: tile into b.level, texel on it into b.at,
    how far it is from there to the next ones, 0 to 1, into b.p and b.q, depth [m] into b.h. What would come unhindered
    goes into b.weight, 0 where the lamp cannot be seen; returns whether it can be anywhere."""
    px, py, pz = place[0], place[1], place[2]
    xs, ys, zs, nxs, nys, nzs = b.x, b.y, b.z, b.nx, b.ny, b.nz
    ps, qs, hs, at, tile, weight = b.p, b.q, b.h, b.at, b.level, b.weight
    most = _ZERO
    for n in range(count):
        x, y, z, nx, ny, nz = xs[n] - px, ys[n] - py, zs[n] - pz, nxs[n], nys[n], nzs[n]
        square = max(x * x + y * y + z * z, _LEAST * _LEAST)
        direct, _ = lamp_share(square, -(nx * x + ny * y + nz * z))
        direct = direct if square < _REACH else _ZERO
        weight[n], most = direct, most + direct
        ax, ay, az = abs(x), abs(y), abs(z)
        first, second = ax >= ay and ax >= az, ay >= az
        m, nm = x if first else y if second else z, nx if first else ny if second else nz
        u, nu = y if first else z if second else x, ny if first else nz if second else nx
        v, nv = z if first else x if second else y, nz if first else nx if second else ny
        deep = max(abs(m), _LEAST)
        # A texel sees a flat surface at most this much nearer than the point between it and its neighbours.
        texel = deep * _TEXEL
        step = texel * (np.float32(0.5) + abs(nu) + abs(nv))
        s_, t_ = u + nu * step, v + nv * step
        there = deep + (nm if m > _ZERO else -nm) * step
        u, v, across = u / deep * _HALF + _HALF, v / deep * _HALF + _HALF, np.int32(ACROSS)
        i, j = min(np.int32(u * _PER_TILE), across - _I1), min(np.int32(v * _PER_TILE), across - _I1)
        tile[n] = (np.int32((0 if first else 2 if second else 4) + (0 if m > _ZERO else 1)) * across + i) * across + j
        s, t = s_ / there * _HALF + _HALF + _OFF, t_ / there * _HALF + _HALF + _OFF
        s, t = s - np.float32(i * np.int32(TILE)), t - np.float32(j * np.int32(TILE))
        fs, ft = np.floor(s), np.floor(t)
        ps[n], qs[n], at[n] = s - fs, t - ft, np.int32(fs) * np.int32(SIDE) + np.int32(ft)
        hs[n] = there - np.float32(0.3) * texel - np.float32(0.005)
    return most > _ZERO


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _find(index, marks, b, count):
    """Make places on tiles, in b.at, those in the pool, -1: not there. Returns whether a tile is missing."""
    numbers, weight, at = b.level, b.weight, b.at
    last, tile, missing, size = np.int32(-1), np.int32(-1), False, np.int32(SIDE * SIDE)
    for n in range(count):
        # Neighbours mostly share a tile.
        if numbers[n] != last and weight[n] > _ZERO:
            last, tile = numbers[n], index[numbers[n]]
            marks[last] = 1
            missing |= tile < 0
        at[n] = tile * size + at[n] if weight[n] > _ZERO and tile >= 0 else np.int32(-1)
    return missing


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _compare(depth, b, count, free) -> None:
    """What share comes past all that stands, softened over four texels."""
    hs, at, ps, qs = b.h, b.at, b.p, b.q
    for n in range(count):
        h, p, q = hs[n], ps[n], qs[n]
        # Unsigned, since numba would look whether each index counts from the end.
        first = np.uintp(max(at[n], np.int32(0)))
        next_ = first + _ROW
        low = (_ONE - p if depth[first] > h else _ZERO) + (p if depth[next_] > h else _ZERO)
        high = (_ONE - p if depth[first + _U1] > h else _ZERO) + (p if depth[next_ + _U1] > h else _ZERO)
        free[n] = _ONE if at[n] < 0 else low + (high - low) * q


@nb.njit(cache=True, nogil=True)
def _hide(hidden, bit, b, count, free) -> None:
    """Nothing of a lamp comes past things that move before it."""
    rays = b.ray
    for n in range(count):
        if hidden[rays[n]] & bit:
            free[n] = _ZERO
