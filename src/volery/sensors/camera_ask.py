"""Rays from surfaces towards light: sun, lamps, and all round for one bounce; compiled kernels."""

# ruff: noqa: ANN001, ANN202

from __future__ import annotations

import numba as nb
import numpy as np

from volery.sensors.camera_lamps import lamp_share

__all__ = ["bounce_rays", "lamp_light", "shadow_rays"]

_BLOCK = 1024
"""Rays a thread takes at a time."""


@nb.njit(cache=True, nogil=True, inline="always")
def _hash(a, b):
    """A number in [0, 1) of two whole numbers."""
    x = np.uint32(a) * np.uint32(0x9E3779B1) + np.uint32(b) * np.uint32(0x85EBCA77)
    x = np.uint32((x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D))
    x = np.uint32((x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B))
    x = x ^ (x >> np.uint32(16))
    return np.float64(x >> np.uint32(8)) * (1.0 / 16777216.0)


@nb.njit(cache=True, nogil=True, inline="always")
def _leave(point, normal, eye, side, leaf, i, start) -> None:
    """Begin a ray a little above a surface (or below it), more so far from the eye, where points are less exact, and
    on leaves, lest their folds shade them."""
    x, y, z = point[i, 0] - eye[0], point[i, 1] - eye[1], point[i, 2] - eye[2]
    gap = ((0.012 if leaf else 0.002) + 2e-4 * np.sqrt(x * x + y * y + z * z)) * side
    for c in range(3):
        start[i, c] = point[i, c] + normal[i, c] * gap


@nb.njit(parallel=True, cache=True, nogil=True)
def shadow_rays(
    place, target, spread, seed, first, thin, reach, eye, point, normal, material, start, ray, far, threads
) -> None:
    """Rays from surfaces towards a light: a direction, jittered by spread, or a place [m].

    seed, first: of the jitter, and number of the first ray in the picture; thin [m]: light through leaves by material.
    far is -1 where the light cannot matter, which counts as blocked.
    """
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                far[i] = -1.0
                ray[i, 0], ray[i, 1], ray[i, 2] = 0.0, 0.0, 1.0
                if material[i] < 0:
                    continue
                dx, dy, dz = target[0], target[1], target[2]
                if place:
                    dx, dy, dz = dx - point[i, 0], dy - point[i, 1], dz - point[i, 2]
                elif spread > 0.0:
                    out, turn = _stratum(first + i, seed)
                    out = spread * np.sqrt(0.25 * (out + _hash(first + i, seed)))
                    turn = 0.5 * np.pi * (turn + _hash(first + i, seed + 1))
                    dx, dy, dz = _turned(dx, dy, dz, out * np.cos(turn), out * np.sin(turn), 1.0)
                length = np.sqrt(dx * dx + dy * dy + dz * dz)
                if length < 1e-6 or (place and length > reach):
                    continue
                dx, dy, dz = dx / length, dy / length, dz / length
                facing = normal[i, 0] * dx + normal[i, 1] * dy + normal[i, 2] * dz
                if facing <= 0.0 and (place or thin[material[i]] == 0.0):
                    continue
                _leave(point, normal, eye, 1.0 if facing > 0 else -1.0, thin[material[i]] > 0.0, i, start)
                ray[i, 0], ray[i, 1], ray[i, 2] = dx, dy, dz
                # Stop short of a lamp's own housing.
                far[i] = max(length - 0.25, 0.5 * length) if place else reach


@nb.njit(parallel=True, cache=True, nogil=True)
def bounce_rays(
    seed, first, count, number, thin, reach, eye, point, normal, material, start, ray, far, weight, threads
) -> None:
    """Rays from surfaces to all round, by cosine; weight [n]: what the light they bring counts.

    Of `count` rays that a surface sends, this is `number`: they share the directions out among them, as do the rays
    of a pixel and of its neighbours. A leaf sends some of its rays through itself. far is -1 for the sky.
    """
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                far[i], weight[i] = -1.0, 0.0
                ray[i, 0], ray[i, 1], ray[i, 2] = 0.0, 0.0, 1.0
                if material[i] < 0:
                    continue
                nx, ny, nz = normal[i, 0], normal[i, 1], normal[i, 2]
                through = thin[material[i]]
                side = -1.0 if _hash(first + i, seed) * (1.0 + through) < through else 1.0
                up, turn = _stratum(first + i, seed)
                up = 0.5 * (up + (number + _hash(first + i, seed + 1)) / count) - 1.0
                turn = 0.5 * np.pi * (turn + _hash(first + i, seed + 2))
                flat = np.sqrt(max(1.0 - up * up, 0.0))
                # A point of the unit sphere round the tip of the normal: even in cosine.
                dx, dy, dz = _turned(nx, ny, nz, flat * np.cos(turn), flat * np.sin(turn), up)
                dx, dy, dz = side * nx + dx, side * ny + dy, side * nz + dz
                length = np.sqrt(dx * dx + dy * dy + dz * dz)
                if length < 1e-4:
                    dx, dy, dz, length = side * nx, side * ny, side * nz, 1.0
                _leave(point, normal, eye, side, through > 0.0, i, start)
                ray[i, 0], ray[i, 1], ray[i, 2] = dx / length, dy / length, dz / length
                far[i], weight[i] = reach, 1.0 + through


@nb.njit(cache=True, nogil=True, inline="always")
def _stratum(ray, seed):
    """Quarters of height and of turn for a ray: the 16 of a tile (camera_rays.py) have all pairs, and the four of a
    pixel that has as many have all heights and all turns."""
    b0, b1, b2, b3 = ray & 1, (ray >> 1) & 1, (ray >> 2) & 1, (ray >> 3) & 1
    shuffle = int(16.0 * _hash(ray >> 4, seed + 3))
    return (2 * b0 + b2) ^ (shuffle & 3), (2 * (b2 ^ b1) + (b0 ^ b3)) ^ (shuffle >> 2)


@nb.njit(cache=True, nogil=True, inline="always")
def _turned(nx, ny, nz, a, b, c):
    """A vector given in a frame whose third axis is n."""
    sign = 1.0 if nz >= 0 else -1.0
    k = -1.0 / (sign + nz)
    m = nx * ny * k
    return (
        a * (1.0 + sign * nx * nx * k) + b * m + c * nx,
        a * sign * m + b * (sign + ny * ny * k) + c * ny,
        -a * sign * nx - b * ny + c * nz,
    )


@nb.njit(parallel=True, cache=True, nogil=True)
def lamp_light(place, power, point, normal, blocked, out, threads) -> None:
    """Add the light of a lamp, taken as a point [m] in the cell, to out [n, 3]."""
    n = len(point)
    blocks = (n + _BLOCK - 1) // _BLOCK
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        for block in range(task, blocks, tasks):
            for i in range(block * _BLOCK, min(n, (block + 1) * _BLOCK)):
                dx, dy, dz = place[0] - point[i, 0], place[1] - point[i, 1], place[2] - point[i, 2]
                square = dx * dx + dy * dy + dz * dz
                facing = normal[i, 0] * dx + normal[i, 1] * dy + normal[i, 2] * dz
                direct, share = lamp_share(square, facing)
                if not blocked[i]:
                    share += direct
                for c in range(3):
                    out[i, c] += power[c] * share
