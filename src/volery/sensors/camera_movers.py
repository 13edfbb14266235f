"""Where what moves may stand in the way of light: there rays ask, the maps know only what stands. Compiled."""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_surface import BLOCK

__all__ = ["BY_SUN", "near_movers"]

BY_SUN = np.uint16(1 << 15)
"""Bit of the sun; bit k is that of lamp k."""


@nb.njit(parallel=True, cache=True, nogil=True)
def near_movers(spheres, with_sun, sun, places, start, R, directions, distance, row, out, threads) -> None:
    """Lights whose way to what a ray met passes through one of the spheres [k, 4] round moving things, as bits [n].

    sun: direction, if with_sun; places of lamps [k, 3] in the cell [m]; start, R, directions: see `surface`.
    """
    n = len(directions)
    blocks = (n + BLOCK - 1) // BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        point, middle = np.empty((BLOCK, 3), np.float32), np.empty(4)
        for block in range(task, blocks, tasks):
            first, last = block * BLOCK, min(n, (block + 1) * BLOCK)
            for i in range(first, last):
                out[i] = 0
            if not _points(start, R, directions, distance, row, first, last, point, middle):
                continue
            for k in range(len(spheres)):
                if with_sun and _in_sun(spheres[k], middle, middle[3], sun):
                    for i in range(first, last):
                        if row[i] >= 0 and _in_sun(spheres[k], point[i - first], 0.0, sun):
                            out[i] |= BY_SUN
                for lamp in range(len(places)):
                    if not _before_lamp(spheres[k], middle, middle[3], places[lamp]):
                        continue
                    for i in range(first, last):
                        if row[i] >= 0 and _before_lamp(spheres[k], point[i - first], 0.0, places[lamp]):
                            out[i] |= np.uint16(1 << lamp)


@nb.njit(cache=True, nogil=True)
def _points(start, R, directions, distance, row, first, last, point, middle):
    """What the rays of a block met into point [n, 3], and a sphere round all into middle [4]; whether there is any."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i in range(first, last):
        if row[i] < 0:
            continue
        d0, d1, d2, t, s = directions[i, 0], directions[i, 1], directions[i, 2], distance[i], i % len(start)
        for c in range(3):
            at = start[s, c] + (R[c, 0] * d0 + R[c, 1] * d1 + R[c, 2] * d2) * t
            point[i - first, c], low[c], high[c] = at, min(low[c], at), max(high[c], at)
    square = 0.0
    for c in range(3):
        middle[c] = 0.5 * (low[c] + high[c])
        square += 0.25 * (high[c] - low[c]) ** 2
    middle[3] = np.sqrt(square)
    return square < np.inf


@nb.njit(cache=True, nogil=True, inline="always")
def _in_sun(sphere, p, around, sun):
    """Whether the way to the sun from a point, or from some point so near to it [m], may pass through a sphere."""
    dx, dy, dz, radius = sphere[0] - p[0], sphere[1] - p[1], sphere[2] - p[2], sphere[3] + around
    along = dx * sun[0] + dy * sun[1] + dz * sun[2]
    return along > -radius and dx * dx + dy * dy + dz * dz - along * along < radius * radius


@nb.njit(cache=True, nogil=True, inline="always")
def _before_lamp(sphere, p, around, place):
    """As _in_sun, for a lamp at a place."""
    dx, dy, dz, radius = sphere[0] - p[0], sphere[1] - p[1], sphere[2] - p[2], sphere[3] + around
    wx, wy, wz = place[0] - p[0], place[1] - p[1], place[2] - p[2]
    along = (dx * wx + dy * wy + dz * wz) / max(wx * wx + wy * wy + wz * wz, 1e-12)
    along = min(max(along, 0.0), 1.0)
    dx, dy, dz = dx - along * wx, dy - along * wy, dz - along * wz
    return dx * dx + dy * dy + dz * dz < radius * radius
