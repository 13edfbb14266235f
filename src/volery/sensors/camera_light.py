"""Looking light maps up: how far light from the sun, and from a few parts of the sky, comes down at a place.

A map is cut into tiles (camera_tiles.py) whose texels grow with the distance from the camera. Coordinates are those of
the scene's cell, see world/cells.py. The kernels work on a block of surfaces at a time, see camera_surface.py.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

__all__ = [
    "BLUR", "BORDER", "EDGE", "FAST", "LEVELS", "NO_ROOF", "SKY", "SUN", "TEXELS", "WINDOW", "Maps", "Sheet",
    "basis_of", "sky_directions", "sky_free", "sun_free",
]  # fmt: skip

LEVELS, WINDOW = 8, 9
"""Sizes of texels, each twice the one before, and tiles along an edge of what a camera can see of a level."""
TEXELS, BORDER = 128, 8
EDGE = TEXELS + 2 * BORDER
"""Texels along a tile, of the rim that it shares with its neighbours, and of both together."""
NO_ROOF = -1e9
"""Height [m] of what keeps no light out."""
BLUR = 2
"""Texels to each side over which the sky's maps are averaged."""
FAST = {"contract", "reassoc", "arcp", "nsz", "afn"}
"""Freedom for the compiler that keeps infinities; the same on every thread. It takes several surfaces at once only with
error_model="numpy": else each division asks whether it is by zero."""

_ZERO, _ONE, _TEXELS, _PER_TEXEL = np.float32(0.0), np.float32(1.0), np.float32(TEXELS), np.float32(1.0 / TEXELS)
_RIM = np.float32(BORDER - 0.5)
_U1, _U2, _U3, _ROW = np.uintp(1), np.uintp(2), np.uintp(3), np.uintp(EDGE)


class Sheet(NamedTuple):
    """A kind of map."""

    texel: float
    """Finest texel [m]."""
    reach: float
    """Up to which distance from the camera they are used [m]; each next level reaches twice as far."""
    channels: int
    most: int
    """Tiles that are kept."""


SUN, SKY = Sheet(0.04, 16.0, 1, 1200), Sheet(0.3, 64.0, 3, 600)


class Maps(NamedTuple):
    """The maps as kernels take them; direction 0 is the sun."""

    basis: np.ndarray
    """Two axes of the map and the direction towards the light, float64 [k, 3, 3]."""
    corner: np.ndarray
    """First tile of the window, int64 [k, levels, 2]."""
    index: np.ndarray
    """Tile in the pool, int32 [k, levels, window, window]; -1: not there."""
    sun: np.ndarray
    """Height of the first surface along the light [m], float32 [tiles · edge · edge]."""
    sky: np.ndarray
    """Mean of the heights in a square of neighbours [m], their variance [m²], and the lowest of them [m],
    [tiles · edge · edge · 3]."""


def sky_directions(count: int) -> np.ndarray:
    """Directions towards parts of the sky that weigh the same on what lies: overhead alone, or a ring at 45°,
    [count, 3]. With four, a wall hides two of them and a corner three."""
    if count == 1:
        return np.array([[0.0, 0.0, 1.0]])
    ring, half = np.arange(count) * (2 * np.pi / count) + 0.4, np.sqrt(0.5)
    return np.stack([np.cos(ring) * half, np.sin(ring) * half, np.full(count, half)], axis=1)


def basis_of(direction: np.ndarray) -> np.ndarray:
    """Axes of a map that is seen from a direction, [3, 3]."""
    other = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(other, direction)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(direction, u), direction])


@nb.njit(cache=True, nogil=True)
def _levels(b, count, finest, reach) -> None:
    """Level of a map and size of its texels [m] by distance, into b.level and b.texel; LEVELS: beyond all."""
    levels, texels, detail = b.level, b.texel, b.detail
    for n in range(count):
        level, far, texel, away = 0, reach, finest, detail[n]
        while away > far and level < LEVELS:
            far, texel = far + far, texel + texel
            level += 1
        levels[n], texels[n] = level, texel


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _project(basis, b, count) -> None:
    """Places of surfaces on a map [texels] into b.u and b.v, height [m] into b.h; normals into b.du, b.dv and b.up."""
    a0, a1, a2 = np.float32(basis[0, 0]), np.float32(basis[0, 1]), np.float32(basis[0, 2])
    b0, b1, b2 = np.float32(basis[1, 0]), np.float32(basis[1, 1]), np.float32(basis[1, 2])
    c0, c1, c2 = np.float32(basis[2, 0]), np.float32(basis[2, 1]), np.float32(basis[2, 2])
    # Arrays are named outside of loops, or numba would count who holds them each time round.
    x, y, z, nx, ny, nz, texel, u, v, h, up = b.x, b.y, b.z, b.nx, b.ny, b.nz, b.texel, b.u, b.v, b.h, b.up
    du, dv = b.du, b.dv
    for n in range(count):
        scale = np.float32(1.0) / texel[n]
        u[n] = (a0 * x[n] + a1 * y[n] + a2 * z[n]) * scale
        v[n] = (b0 * x[n] + b1 * y[n] + b2 * z[n]) * scale
        h[n] = c0 * x[n] + c1 * y[n] + c2 * z[n]
        up[n] = c0 * nx[n] + c1 * ny[n] + c2 * nz[n]
        du[n] = a0 * nx[n] + a1 * ny[n] + a2 * nz[n]
        dv[n] = b0 * nx[n] + b1 * ny[n] + b2 * nz[n]


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _find(maps, marks, k, channels, b, count):
    """Where in the pool the texel of each surface is, into b.at, -1: there is none; and how far it is from there to
    the next ones, 0 to 1, into b.p and b.q. marks [k, levels, window, window]: the tiles that are needed.
    Returns whether one of them is missing."""
    corner, index, size, edge = maps.corner, maps.index, np.int32(channels), np.int32(EDGE)
    levels, us, vs, du, dv, at, p, q = b.level, b.u, b.v, b.du, b.dv, b.at, b.p, b.q
    last_u, last_v, last_level, tile, missing = _ZERO, _ZERO, -1, np.int32(-1), False
    for n in range(count):
        u, v, level = us[n], vs[n], levels[n]
        fu, fv = np.floor(u * _PER_TEXEL), np.floor(v * _PER_TEXEL)
        # Neighbours mostly share a tile.
        if fu != last_u or fv != last_v or level != last_level:
            last_u, last_v, last_level, tile = fu, fv, level, np.int32(-1)
            if level < LEVELS:
                i, j = int(fu) - corner[k, level, 0], int(fv) - corner[k, level, 1]
                if i >= 0 and j >= 0 and i < WINDOW and j < WINDOW:
                    marks[k, level, i, j] = 1
                    tile = index[k, level, i, j]
                    missing |= tile < 0
        s, t = u - fu * _TEXELS + _RIM + du[n], v - fv * _TEXELS + _RIM + dv[n]
        fs, ft = np.floor(s), np.floor(t)
        p[n], q[n] = s - fs, t - ft
        place = ((tile * edge + np.int32(fs)) * edge + np.int32(ft)) * size
        at[n] = place if tile >= 0 else np.int32(-1)
    return missing


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def sun_free(maps, marks, b, count):
    """Share of the sun that reaches each surface of a block, 0 to 1, softened over four texels, into b.sun.

    Where a tile is needed that is not there, 1; returns whether there is such a place.
    """
    _levels(b, count, np.float32(SUN.texel), np.float32(SUN.reach))
    _project(maps.basis[0], b, count)
    sun, up, du, dv, at, ps, qs, hs, texel = b.sun, b.up, b.du, b.dv, b.at, b.p, b.q, b.h, b.texel
    for n in range(count):
        # The sunny side of a leaf may be its other one.
        side = np.float32(1.2) if up[n] > _ZERO else np.float32(-1.2)
        du[n], dv[n] = du[n] * side, dv[n] * side
    missing = _find(maps, marks, 0, 1, b, count)
    heights = maps.sun
    for n in range(count):
        # A step along the normal and towards the light keeps a surface from shading itself.
        h = hs[n] + (np.float32(0.35) + np.float32(1.2) * abs(up[n])) * texel[n] + np.float32(0.01)
        p, q = ps[n], qs[n]
        # Unsigned, since numba would look whether each index counts from the end.
        first = np.uintp(max(at[n], np.int32(0)))
        next_ = first + _ROW
        low = (_ONE - p if heights[first] < h else _ZERO) + (p if heights[next_] < h else _ZERO)
        high = (_ONE - p if heights[first + _U1] < h else _ZERO) + (p if heights[next_ + _U1] < h else _ZERO)
        sun[n] = _ONE if at[n] < 0 else low + (high - low) * q
    return missing


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def sky_free(maps, marks, b, count):
    """Shares of the sky that reach each surface of a block, 0 to 1: b.part by its normal, b.around all round.
    Returns whether a tile is missing."""
    last, missing = maps.basis.shape[0], False
    part, around, weight, du, dv, thin = b.part, b.around, b.weight, b.du, b.dv, b.thin
    for n in range(count):
        part[n], around[n], weight[n] = _ZERO, _ZERO, np.float32(1e-6)
    _levels(b, count, np.float32(SKY.texel), np.float32(SKY.reach))
    for k in range(1, last):
        share = 1.0 / (last - 1)
        _project(maps.basis[k], b, count)
        for n in range(count):
            # A step along the normal keeps light that is averaged over neighbours from coming through walls; a leaf
            # has no inside behind it.
            aside = _ZERO if thin[n] > _ZERO else np.float32(BLUR + 1.0)
            du[n], dv[n] = du[n] * aside, dv[n] * aside
        missing |= _find(maps, marks, k, 3, b, count)
        _look(maps.sky, b, count, np.float32(share))
    for n in range(count):
        part[n] /= weight[n]
    return missing


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _look(sky, b, count, share) -> None:
    """Add what comes from one direction of the sky: the share of a neighbourhood that lies below a surface, after
    Chebyshev, from mean and variance alone. Written without branches, for the compiler to take several at once."""
    part, around, weights, ups, thin, hs, texels = b.part, b.around, b.weight, b.up, b.thin, b.h, b.texel
    at, ps, qs = b.at, b.p, b.q
    for n in range(count):
        up, leaf = ups[n], thin[n] > _ZERO
        # Each direction stands for a wide part of the sky, so it still counts a little behind the horizon.
        weight = share * max(np.float32(0.25) + np.float32(0.75) * up, _ZERO)
        lift = np.float32(1.2) if up > _ZERO else (_ZERO if leaf else np.float32(BLUR + 1.0))
        h = hs[n] + (np.float32(0.35) + lift * up) * texels[n] + np.float32(0.01)
        p, q = ps[n], qs[n]
        f0, f1, f2, f3 = (_ONE - p) * (_ONE - q), p * (_ONE - q), (_ONE - p) * q, p * q
        a0 = np.uintp(max(at[n], np.int32(0)))
        a1, a2, a3 = a0 + _ROW * _U3, a0 + _U3, a0 + _ROW * _U3 + _U3
        mean = f0 * sky[a0] + f1 * sky[a1] + f2 * sky[a2] + f3 * sky[a3]
        spread = f0 * sky[a0 + _U1] + f1 * sky[a1 + _U1] + f2 * sky[a2 + _U1] + f3 * sky[a3 + _U1] + np.float32(1e-6)
        lowest = f0 * sky[a0 + _U2] + f1 * sky[a1 + _U2] + f2 * sky[a2 + _U2] + f3 * sky[a3 + _U2]
        above = max(mean - h, _ZERO)
        free = spread / (spread + above * above)
        # Under a roof, below the lowest of all neighbours, nothing comes through.
        room = min(max(np.float32(2.0) * (h - lowest), _ZERO), _ONE)
        roofed = max(np.float32(1.15) * free - np.float32(0.15), _ZERO) * room
        free = free if leaf | (above == _ZERO) | (lowest < np.float32(0.01 * NO_ROOF)) else roofed
        free = _ONE if at[n] < 0 else free
        weights[n] += weight
        part[n] += weight * free
        around[n] += share * free
