"""The grain of materials: bark, soil, rock, brick, painted by place. Compiled.

Grain is periodic, and its periods divide the edge of a cell: it does not jump from one cell to the next.
"""

# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import functools

import numba as nb
import numpy as np

from volery.core.rng import generator
from volery.sensors.camera_light import FAST

__all__ = ["GRAIN", "PLAIN", "grain_volume", "noise", "paint"]

_BARK, _ROCK, _SOIL, _BRICK, _TURF, _LEAF = 2, 3, 4, 5, 6, 7
GRAIN = {
    "": (0.0, 1.0, 0), "bark": (0.8, 8.0, _BARK), "rock": (0.45, 0.375, _ROCK), "dripstone": (0.3, 0.75, _ROCK),
    "soil": (0.55, 0.75, _SOIL), "grass": (0.45, 0.75, _TURF), "brick": (0.25, 1.5, _BRICK), "wood": (0.35, 8.0, _BARK),
    "concrete": (0.2, 0.5, 1), "asphalt": (0.25, 3.0, 1), "metal": (0.06, 1.0, 1), "snow": (0.06, 0.5, 1),
    "leaf": (0.35, 1.0, _LEAF),
}  # fmt: skip
"""Strength, frequency [1/m], a multiple of 1/8, and kind of the grain by texture."""
PLAIN = (0.15, 0.75, 1)
"""Of a texture without one."""
_EDGE = 64
_TEXELS = 8.0
"""Of the noise per wave of the grain."""
_FINE = 7.25
_ALONG = 0.125
"""How much finer the second layer is, and how much longer the grain of wood is than wide."""
_BUMP = 0.5
_LIME = np.float32(0.35)
"""Colour of mortar."""
_MASK, _ONCE, _TWICE, _U1 = np.uintp(63), np.uintp(6), np.uintp(12), np.uintp(1)
"""Unsigned, since numba would look whether each index counts from the end."""


@functools.cache
def grain_volume() -> np.ndarray:
    """A periodic cloud of noise of all scales, zero mean and unit spread, float32 [64³]."""
    white = generator(0, "camera/grain").standard_normal((_EDGE, _EDGE, _EDGE))
    f = np.fft.fftfreq(_EDGE) * _EDGE
    radius = np.sqrt(f[:, None, None] ** 2 + f[None, :, None] ** 2 + f[None, None, :] ** 2)
    spectrum = np.fft.fftn(white) * np.where(radius > 0.5, np.maximum(radius, 1.0) ** -1.9, 0.0)
    cloud = np.fft.ifftn(spectrum).real
    return np.clip(cloud / cloud.std(), -2.5, 2.5).astype(np.float32).ravel()


@nb.njit(cache=True, nogil=True, inline="always")
def noise(grain, x, y, z):
    """Periodic noise by place, in texels, and its slopes along x, y and z."""
    fx, fy, fz = np.floor(x), np.floor(y), np.floor(z)
    a, b, c = np.float32(x - fx), np.float32(y - fy), np.float32(z - fz)
    i, j, k = np.uintp(np.int32(fx)) & _MASK, np.uintp(np.int32(fy)) & _MASK, np.uintp(np.int32(fz)) & _MASK
    i0, i1 = i << _TWICE, ((i + _U1) & _MASK) << _TWICE
    j0, j1, k1 = j << _ONCE, ((j + _U1) & _MASK) << _ONCE, (k + _U1) & _MASK
    v000, v001, v010, v011 = grain[i0 | j0 | k], grain[i0 | j0 | k1], grain[i0 | j1 | k], grain[i0 | j1 | k1]
    v100, v101, v110, v111 = grain[i1 | j0 | k], grain[i1 | j0 | k1], grain[i1 | j1 | k], grain[i1 | j1 | k1]
    d00, d01, d10, d11 = v100 - v000, v101 - v001, v110 - v010, v111 - v011
    p00, p01, p10, p11 = v000 + d00 * a, v001 + d01 * a, v010 + d10 * a, v011 + d11 * a
    q0, q1 = p00 + (p10 - p00) * b, p01 + (p11 - p01) * b
    s0, s1 = d00 + (d10 - d00) * b, d01 + (d11 - d01) * b
    t0, t1 = p10 - p00, p11 - p01
    return q0 + (q1 - q0) * c, s0 + (s1 - s0) * c, t0 + (t1 - t0) * c, q1 - q0


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def paint(geo, air, b, count) -> None:
    """Colours of the surfaces of a block; grain also tilts their normals. It fades where pixels are larger."""
    _places(geo, b, count, np.float32(air.pixel_angle * _TEXELS))
    grain, us, vs, hs, level = air.grain, b.u, b.v, b.h, b.level
    a, ax, ay, az, coarse, fine = b.du, b.up, b.p, b.q, b.texel, b.weight
    for n in range(count):
        value, x, y, z = noise(grain, us[n], vs[n], hs[n])
        a[n], ax[n], ay[n], az[n] = value * coarse[n], x * coarse[n], y * coarse[n], z * coarse[n]
    c = b.dv
    few = 0
    for n in range(count):
        c[n] = 0.0
        if fine[n] > 0.0:
            level[few] = n
            few += 1
    for k in range(few):
        n, f = level[k], np.float32(_FINE)
        value, x, y, z = noise(grain, us[n] * f, vs[n] * f, hs[n] * f)
        c[n] = value * fine[n]
        ax[n], ay[n], az[n] = ax[n] + x * fine[n], ay[n] + y * fine[n], az[n] + z * fine[n]
    _apply(geo, b, count)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _places(geo, b, count, angle) -> None:
    """Where in the noise each surface lies, into b.u, b.v, b.h; how much of two layers is left into b.texel and
    b.weight, 0 for none."""
    table, moving = geo.materials, geo.row_moving
    material, rows, away = b.material, b.row, b.away
    xs, ys, zs, us, vs, hs, coarse, fine = b.x, b.y, b.z, b.u, b.v, b.h, b.texel, b.weight
    for n in range(count):
        m = material[n]
        x, y, z = xs[n], ys[n], zs[n]
        if moving[rows[n]] != 0:
            x, y, z = _on_thing(geo, rows[n], x, y, z)
        f = table[m, 8]
        size, there = away[n] * angle * f, np.float32(1.0 if table[m, 7] > 0.0 else 0.0)
        coarse[n], fine[n] = there * _fading(np.float32(0.35) * size), there * _fading(np.float32(2.5) * size)
        if fine[n] < 0.1 or table[m, 9] == _LEAF:
            fine[n] = 0.0
        f *= np.float32(_TEXELS)
        us[n], vs[n], hs[n] = x * f, y * f, z * f * np.float32(_ALONG if table[m, 9] == _BARK else 1.0)


@nb.njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _apply(geo, b, count) -> None:
    """Put the noise on colours and normals."""
    table, material, coarse, xs, ys, zs = geo.materials, b.material, b.texel, b.x, b.y, b.z
    a, c, axs, ays, azs, r, g, b_ = b.du, b.dv, b.up, b.p, b.q, b.r, b.g, b.b
    nx, ny, nz, dx, dy, dz = b.nx, b.ny, b.nz, b.dx, b.dy, b.dz
    for n in range(count):
        m = material[n]
        strength, kind = table[m, 7], int(table[m, 9])
        if strength == 0.0 or coarse[n] < 0.02:
            continue
        red, green, blue = _tint(kind, strength, a[n], c[n], coarse[n])
        r[n], g[n], b_[n] = r[n] * red, g[n] * green, b_[n] * blue
        if kind == _BRICK and abs(nz[n]) < 0.5:
            mortar = coarse[n] * _mortar(xs[n] if abs(ny[n]) > abs(nx[n]) else ys[n], zs[n])
            r[n], g[n] = r[n] + mortar * (_LIME - r[n]), g[n] + mortar * (_LIME - g[n])
            b_[n] += mortar * (_LIME - b_[n])
        # Tilt the normal down the slopes of the grain, never beyond what the eye can see.
        bump = np.float32(_BUMP) * strength
        ax, ay, az = axs[n] * bump, ays[n] * bump, azs[n] * bump * np.float32(_ALONG if kind == _BARK else 1.0)
        up = np.float32(1.0) + ax * nx[n] + ay * ny[n] + az * nz[n]
        ax, ay, az = nx[n] * up - ax, ny[n] * up - ay, nz[n] * up - az
        if ax * dx[n] + ay * dy[n] + az * dz[n] < 0.0:
            scale = np.float32(1.0) / np.sqrt(ax * ax + ay * ay + az * az)
            nx[n], ny[n], nz[n] = ax * scale, ay * scale, az * scale


@nb.njit(cache=True, nogil=True, inline="always")
def _fading(size):
    """How much of a grain is left where a pixel is so many of its texels wide."""
    return np.float32(1.0) / (np.float32(1.0) + size * size)


@nb.njit(cache=True, nogil=True)
def _on_thing(geo, row, x, y, z):
    """Where on a moving thing itself a point lies [m]."""
    X, N, o = geo.row_X, geo.row_normal, geo.origin
    dx, dy, dz = x + o[0] - X[row, 0, 3], y + o[1] - X[row, 1, 3], z + o[2] - X[row, 2, 3]
    return (
        np.float32(N[row, 0, 0] * dx + N[row, 1, 0] * dy + N[row, 2, 0] * dz),
        np.float32(N[row, 0, 1] * dx + N[row, 1, 1] * dy + N[row, 2, 1] * dz),
        np.float32(N[row, 0, 2] * dx + N[row, 1, 2] * dy + N[row, 2, 2] * dz),
    )


@nb.njit(cache=True, nogil=True, inline="always")
def _tint(kind, strength, a, c, coarse):
    """Factors of red, green and blue by a coarse and a fine grain."""
    factor = 1.0 + strength * 0.45 * (a + c)
    red, green, blue = 1.0, 1.0, 1.0
    if kind == _BARK:
        # Plates between dark cracks.
        factor = 1.0 + strength * (1.7 * (min(abs(a + 0.5 * c), 1.0) - 0.5) * coarse + 0.4 * c)
    elif kind == _LEAF:
        # Some are yellower than others.
        red, blue = 1.0 + 0.2 * a * strength, 1.0 - 0.2 * a * strength
    elif kind == _SOIL:
        # Litter is warmer and brighter than the earth.
        litter = strength * min(max(0.7 * a + 0.5 * c - 0.1, 0.0), 1.0)
        red, green, blue = 1.0 + 0.4 * litter, 1.0 + 0.15 * litter, 1.0 - 0.1 * litter
    elif kind == _TURF:
        # Dry blades among fresh ones.
        dry = strength * min(max(1.4 * a + 0.6 * c - 0.7, 0.0), 1.0)
        red, green, blue = 1.0 + 0.4 * dry, 1.0 + 0.1 * dry, 1.0 - 0.1 * dry
    factor = max(factor, 0.15)
    return np.float32(factor * red), np.float32(factor * green), np.float32(factor * blue)


@nb.njit(cache=True, nogil=True, inline="always")
def _mortar(along, z):
    """Share of mortar at a place on a wall of bricks [m]."""
    course = np.floor(z / 0.08)
    u, v = (along / 0.25 + 0.5 * (course % 2.0)) % 1.0, (z / 0.08) % 1.0
    return np.float32(0.7 if u < 0.05 or v < 0.13 else 0.0)
