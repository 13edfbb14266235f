"""The ray kernels: packets of rays into the static and the moving scene, nearest hit of both.

Ray packets are Embree's structures of arrays, WIDTH floats a field: 0–2 origin, 3 near, 4–6 direction, 7 time, 8 far,
9 mask, 10 id, 11 flags; hit: 12–14 normal, 15–16 u v, 17 primitive, 18 geometry, 19 instance, 20 index in its array.
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from volery.world.native import WIDTH, as_i4, as_i8, as_u4, call4

__all__ = ["cast_rays", "occluded_rays", "own_filter_address"]

_W = WIDTH
_NONE = np.uint32(0xFFFFFFFF)
BLOCK = 4
"""Packets a thread takes at a time; blocks go round robin, since cheap and dear rays come in runs."""


@nb.njit(cache=True, nogil=True)
def aligned(count: int) -> np.ndarray:
    """float32 scratch on a 64-byte boundary."""
    raw = np.zeros(count + 16, np.float32)
    start = ((64 - (raw.ctypes.data % 64)) % 64) // 4
    return raw[start : start + count]


@nb.njit(cache=True, nogil=True)
def load_packet(ray, iray, valid, first, origins, directions, R, p, near, far, mask) -> None:
    """Fill a packet: origin = R·o + p, direction = R·d, in the frame of the scene's local origin."""
    n = directions.shape[0]
    own_origin, own_far = origins.shape[0] > 1, far.shape[0] > 1
    for k in range(3):
        a, b, c, shift = R[k, 0], R[k, 1], R[k, 2], p[k]
        for lane in range(_W):
            i = min(first + lane, n - 1)
            o = i if own_origin else 0
            ray[k * _W + lane] = a * origins[o, 0] + b * origins[o, 1] + c * origins[o, 2] + shift
            ray[(4 + k) * _W + lane] = a * directions[i, 0] + b * directions[i, 1] + c * directions[i, 2]
    for lane in range(_W):
        i = first + lane
        valid[lane] = -1 if i < n else 0
        ray[3 * _W + lane] = near
        ray[8 * _W + lane] = far[min(i, n - 1) if own_far else 0]
        iray[9 * _W + lane] = mask
        iray[18 * _W + lane] = _NONE


@nb.njit(cache=True, nogil=True)
def _take(ray, iray, valid, slot_row, rows, hit) -> None:
    """Keep the hits of the valid lanes: row, primitive and normal."""
    for lane in range(_W):
        if valid[lane] != 0 and iray[18 * _W + lane] != _NONE:
            rows[lane] = slot_row[iray[19 * _W + lane]] + np.int32(iray[20 * _W + lane])
            rows[_W + lane] = np.int32(iray[17 * _W + lane])
            hit[lane] = ray[12 * _W + lane]
            hit[_W + lane] = ray[13 * _W + lane]
            hit[2 * _W + lane] = ray[14 * _W + lane]


@nb.cfunc(types.void(types.uint64), cache=True)
def _reject_own(arguments) -> None:
    """RTCFilterFunctionNArguments: valid, user pointer, context, rays, hits, N. Turns away hits of the ignored group.

    Behind Embree's context (two ids) stand our words: addresses of slot→row and row→group, and the ignored group.
    """
    fields = as_i8(arguments)
    valid, context, hit = as_i4(fields[0]), as_i8(fields[2]), as_u4(fields[4])
    n = as_i4(arguments)[10]
    for i in range(n):
        if valid[i] != 0:
            row = as_i4(context[1])[hit[7 * n + i]] + nb.int32(hit[8 * n + i])
            if as_i4(context[2])[row] == context[3]:
                valid[i] = 0


def own_filter_address() -> int:
    """Address of the filter for `cast_rays` and `occluded_rays`."""
    return _reject_own.address


@nb.njit(cache=True, nogil=True)
def query_of(flags, own_filter, slot_row, row_group, ignored) -> np.ndarray:
    """RTCIntersectArguments (flags | features << 32, context, filter, callback, width), then the context behind it."""
    words = np.zeros(12, np.int64)
    words[0] = flags | (np.int64(0xFFFFFFFF) << 32)
    words[1] = words.ctypes.data + 48
    words[6] = -1
    if ignored >= 0:
        # Bit 1 asks Embree to call the filter given here for every geometry.
        words[0] |= 2
        words[2] = own_filter
    words[7], words[8], words[9] = slot_row.ctypes.data, row_group.ctypes.data, ignored
    return words


@nb.njit(cache=True, nogil=True)
def store_packet(ray, first, count, rows, hit, row_normal, distance, row, primitive, normal, back) -> None:
    """Write a packet's answers; normals are turned into the world and made unit."""
    for lane in range(count):
        i = first + lane
        r = rows[lane]
        row[i] = r
        primitive[i] = rows[_W + lane]
        distance[i] = ray[8 * _W + lane] if r >= 0 else np.float32(np.inf)
        r = max(r, 0)
        a, b, c = hit[lane], hit[_W + lane], hit[2 * _W + lane]
        x = row_normal[r, 0, 0] * a + row_normal[r, 0, 1] * b + row_normal[r, 0, 2] * c
        y = row_normal[r, 1, 0] * a + row_normal[r, 1, 1] * b + row_normal[r, 1, 2] * c
        z = row_normal[r, 2, 0] * a + row_normal[r, 2, 1] * b + row_normal[r, 2, 2] * c
        back[i] = x * ray[4 * _W + lane] + y * ray[5 * _W + lane] + z * ray[6 * _W + lane] > 0.0
        if normal.shape[0] > 0:
            s = np.float32(1.0) / np.sqrt(max(x * x + y * y + z * z, np.float32(1e-37)))
            normal[i, 0], normal[i, 1], normal[i, 2] = x * s, y * s, z * s


@nb.njit(cache=True, nogil=True)
def cast_packet(
    intersect, static, moving, plain, own, static_rows, moving_rows, ray, iray, valid, rows, hit
) -> None:  # fmt: skip
    """One loaded packet into the static and the moving scene; a scene of handle 0 is empty."""
    rows[:] = -1
    hit[:] = 0.0
    if static != 0:
        call4(intersect, valid.ctypes.data, static, ray.ctypes.data, plain.ctypes.data)
        _take(ray, iray, valid, static_rows, rows, hit)
    if moving != 0:
        # The same packet goes on: far is the static hit, so only what is nearer is found.
        for lane in range(_W):
            iray[18 * _W + lane] = _NONE
        call4(intersect, valid.ctypes.data, moving, ray.ctypes.data, own.ctypes.data)
        _take(ray, iray, valid, moving_rows, rows, hit)


@nb.njit(parallel=True, cache=True, nogil=True)
def cast_rays(
    intersect, own_filter, static, moving, flags,
    origins, directions, R, p, near, far, mask, ignored,
    static_rows, moving_rows, row_group, row_normal,
    distance, row, primitive, normal, back, threads,
) -> None:  # fmt: skip
    """Nearest hits of n rays. origins [n or 1, 3], directions [n, 3] float32 in the sensor's frame S; R, p: pose of S
    in the scene's local frame; far [n or 1]; a scene of handle 0 is empty; normal may be empty if not wanted."""
    n = directions.shape[0]
    blocks = (n + _W * BLOCK - 1) // (_W * BLOCK)
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        ray = aligned(21 * _W)
        iray = ray.view(np.uint32)
        valid = aligned(_W).view(np.int32)
        rows = np.empty(2 * _W, np.int32)
        hit = np.zeros(3 * _W, np.float32)
        plain = query_of(flags, own_filter, moving_rows, row_group, -1)
        own = query_of(flags, own_filter, moving_rows, row_group, ignored)
        for block in range(task, blocks, tasks):
            for first in range(block * _W * BLOCK, min(n, (block + 1) * _W * BLOCK), _W):
                load_packet(ray, iray, valid, first, origins, directions, R, p, near, far, mask)
                cast_packet(
                    intersect, static, moving, plain, own, static_rows, moving_rows, ray, iray, valid, rows, hit
                )
                count = min(_W, n - first)
                store_packet(ray, first, count, rows, hit, row_normal, distance, row, primitive, normal, back)


@nb.njit(parallel=True, cache=True, nogil=True)
def occluded_rays(
    occluded, own_filter, static, moving, origins, directions, R, p, far, mask, ignored,
    moving_rows, row_group, blocked, threads,
) -> None:  # fmt: skip
    """Whether anything stands in the way of each ray; arguments as in cast_rays."""
    n = directions.shape[0]
    blocks = (n + _W * BLOCK - 1) // (_W * BLOCK)
    tasks = min(blocks, threads)
    for task in nb.prange(tasks):
        ray = aligned(21 * _W)
        iray = ray.view(np.uint32)
        valid = aligned(_W).view(np.int32)
        plain = query_of(0, own_filter, moving_rows, row_group, -1)
        own = query_of(0, own_filter, moving_rows, row_group, ignored)
        for block in range(task, blocks, tasks):
            for first in range(block * _W * BLOCK, min(n, (block + 1) * _W * BLOCK), _W):
                load_packet(ray, iray, valid, first, origins, directions, R, p, np.float32(0.0), far, mask)
                # Embree marks a blocked ray by far = -infinity, and passes over such rays the second time.
                if static != 0:
                    call4(occluded, valid.ctypes.data, static, ray.ctypes.data, plain.ctypes.data)
                if moving != 0:
                    call4(occluded, valid.ctypes.data, moving, ray.ctypes.data, own.ctypes.data)
                for lane in range(min(_W, n - first)):
                    blocked[first + lane] = ray[8 * _W + lane] < 0.0
