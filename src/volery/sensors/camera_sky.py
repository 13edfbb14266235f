"""The sky and the grain of materials in compiled functions, and light and air at an instant."""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np

__all__ = ["Air", "paint", "sky"]

_FAST = {"contract", "reassoc", "arcp", "nsz", "afn"}


class Air(NamedTuple):
    """Light and air at an instant, as kernels take them."""

    sun_W: np.ndarray
    """Unit vector towards the sun."""
    sun: np.ndarray
    zenith: np.ndarray
    horizon: np.ndarray
    extinction: float
    """Of visible light [1/m]."""
    cloud: float
    """How much of the sky is hidden by what is in the air, 0 to 1."""
    headlight: float
    """Light of the camera's own lamp at 1 m."""
    origin: np.ndarray
    """Of the cell in W [m]."""
    grain: np.ndarray
    pixel_angle: float
    """What a pixel sees of the world [rad], to blur the grain with distance."""


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def _noise(grain, x, y, z):
    """Periodic noise by place, in texels."""
    fx, fy, fz = np.floor(x), np.floor(y), np.floor(z)
    a, b, c = x - fx, y - fy, z - fz
    i, j, k = int(fx) & 63, int(fy) & 63, int(fz) & 63
    i1, j1, k1 = (i + 1) & 63, (j + 1) & 63, (k + 1) & 63
    low = (grain[i, j, k] * (1 - c) + grain[i, j, k1] * c) * (1 - b) + (
        grain[i, j1, k] * (1 - c) + grain[i, j1, k1] * c
    ) * b
    high = (grain[i1, j, k] * (1 - c) + grain[i1, j, k1] * c) * (1 - b)
    high += (grain[i1, j1, k] * (1 - c) + grain[i1, j1, k1] * c) * b
    return low * (1 - a) + high * a


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def paint(air, table, x, y, z, nx, ny, nz, distance, colour) -> None:
    """Put the grain of a material on its colour, by place [m]; it fades where pixels are larger."""
    colour[0], colour[1], colour[2] = table[0], table[1], table[2]
    strength, f, kind = table[7], table[8], int(table[9])
    if strength == 0.0:
        return
    f *= 8.0
    if kind == 2:
        z *= 0.22
    coarse = 1.0 / (1.0 + (0.35 * distance * air.pixel_angle * f) ** 2)
    fine = 1.0 / (1.0 + (2.5 * distance * air.pixel_angle * f) ** 2)
    a = coarse * _noise(air.grain, x * f, y * f, z * f)
    b = fine * _noise(air.grain, x * f * 7.3, y * f * 7.3, z * f * 7.3) if fine > 0.05 else 0.0
    factor = 1.0 + strength * (0.45 * a + 0.45 * b)
    if kind == 2:
        factor = 1.0 + strength * (0.9 * (0.5 * abs(a + 0.6 * b) - 0.5) * coarse + 0.25 * b)
    if kind == 5:
        along = x if abs(ny) > abs(nx) else y
        course = np.floor(z / 0.08)
        u, v = (along / 0.25 + 0.5 * (course % 2.0)) % 1.0, (z / 0.08) % 1.0
        mortar = coarse if (u < 0.05 or v < 0.13) and abs(nz) < 0.5 else 0.0
        for c in range(3):
            colour[c] += mortar * 0.7 * (0.35 - colour[c])
    factor = max(factor, 0.15)
    litter = strength * min(max(0.7 * a + 0.5 * b - 0.1, 0.0), 1.0) if kind == 4 else 0.0
    colour[0] *= factor * (1.0 + 0.55 * litter)
    colour[1] *= factor * (1.0 + 0.2 * litter)
    colour[2] *= factor * (1.0 - 0.1 * litter)


@nb.njit(cache=True, nogil=True, fastmath=_FAST)
def sky(air, x, y, z, out) -> None:
    """The sky along a direction: blue upwards, glow and disc of the sun, thin clouds; all pale in bad weather."""
    up = np.sqrt(min(max(z, 0.0), 1.0))
    near = max(x * air.sun_W[0] + y * air.sun_W[1] + z * air.sun_W[2], 0.0)
    glow = 0.35 * near**8 + 1.2 * near**256 + (30.0 if near > 0.99999 else 0.0)
    veil = 0.0
    if z > 0.02:
        s = 14.0 / (z + 0.12)
        cloud = 0.7 * _noise(air.grain, x * s + 7.0, y * s + 3.0, 11.5) + 0.3 * _noise(
            air.grain, x * s * 3.7, y * s * 3.7, 40.5
        )
        veil = 0.55 * min(max(0.8 * cloud - 0.15, 0.0), 1.0) * min(z * 4.0, 1.0)
    for c in range(3):
        clear = air.horizon[c] + (air.zenith[c] - air.horizon[c]) * up
        clear += veil * (0.25 * air.sun[c] + 0.75 * air.horizon[c] - clear)
        clear += glow * air.sun[c] * 0.35 * (1.0 - 0.7 * veil)
        out[c] = clear + air.cloud * (air.horizon[c] - clear)
