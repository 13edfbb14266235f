"""Light that changes slowly from pixel to pixel, of the sky and of lamps, is found once for up to four of them.

Rays come in tiles of 4×4 pixels (camera_rays.py), of which each quarter may share, as far as its surfaces lie on the
same thing, near to each other and the same way. Compiled.
"""

# ruff: noqa: ANN001

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_surface import BLOCK

__all__ = ["QUARTERS", "share", "spread"]

QUARTERS = BLOCK // 4
_ALIKE = np.float32(0.97)
"""Least cosine between normals."""
_NEAR = np.float32(0.02)
"""Least square of a distance that still counts as near [m²]."""


@nb.njit(cache=True, nogil=True)
def share(b, count, first, angle, few, member, leader) -> int:
    """Choose surfaces of a block that stand for others, into `few`, and for each which of those it is, into member
    [BLOCK]; returns how many there are. first: number of the block's first ray; angle: what a pixel sees [rad], 0 if
    each is to stand for itself; leader: room for [QUARTERS]."""
    leader[:] = -1
    rays, rows, material, thin = b.ray, b.row, b.material, b.thin
    x, y, z, nx, ny, nz, away = b.x, b.y, b.z, b.nx, b.ny, b.nz, b.away
    fx, fy, fz, fnx, fny, fnz, faway = few.x, few.y, few.z, few.nx, few.ny, few.nz, few.away
    frays, frows, fmaterial, fthin, fdetail, details = few.ray, few.row, few.material, few.thin, few.detail, b.detail
    scale, chosen = np.float32(16.0 * angle * angle), 0
    for n in range(count):
        i = rays[n] - first
        quarter = (i >> 4) * 4 + ((i >> 3) & 1) * 2 + ((i >> 1) & 1)
        k = leader[quarter]
        if angle > 0.0 and k >= 0 and frows[k] == rows[n] and fmaterial[k] == material[n]:
            dx, dy, dz = x[n] - fx[k], y[n] - fy[k], z[n] - fz[k]
            near = dx * dx + dy * dy + dz * dz < _NEAR + scale * away[n] * away[n]
            if near and nx[n] * fnx[k] + ny[n] * fny[k] + nz[n] * fnz[k] > _ALIKE:
                member[n] = k
                continue
        leader[quarter] = member[n] = chosen
        frays[chosen], frows[chosen], fmaterial[chosen], fthin[chosen] = rays[n], rows[n], material[n], thin[n]
        fx[chosen], fy[chosen], fz[chosen], faway[chosen], fdetail[chosen] = x[n], y[n], z[n], away[n], details[n]
        fnx[chosen], fny[chosen], fnz[chosen] = nx[n], ny[n], nz[n]
        chosen += 1
    return chosen


@nb.njit(cache=True, nogil=True)
def spread(few, member, b, count) -> None:
    """Give all surfaces of a block the shares of the sky that were found for those which stand for them."""
    part, around, fpart, faround = b.part, b.around, few.part, few.around
    for n in range(count):
        part[n], around[n] = fpart[member[n]], faround[member[n]]
