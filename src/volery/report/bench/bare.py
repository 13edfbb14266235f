"""A bare Embree loop, as one would write it for one purpose: the measure for the sensor path."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.world.native import WIDTH, call4

__all__ = ["bare_cast"]

_W = WIDTH


@nb.njit(parallel=True, cache=True, nogil=True)
def bare_cast(intersect, scene, arguments, origins, directions, far, distance, threads) -> None:  # noqa: ANN001
    """Nearest distances of rays given in the scene's own frame, and nothing else."""
    n = len(directions)
    packets = (n + _W - 1) // _W
    for task in nb.prange(threads):
        raw = np.zeros(21 * _W + 16, np.float32)
        ray = raw[((64 - (raw.ctypes.data % 64)) % 64) // 4 :][: 21 * _W]
        iray = ray.view(np.uint32)
        flags = np.zeros(_W + 16, np.int32)
        valid = flags[((64 - (flags.ctypes.data % 64)) % 64) // 4 :][:_W]
        for packet in range(task, packets, threads):
            for lane in range(_W):
                i = packet * _W + lane
                valid[lane] = -1 if i < n else 0
                if i < n:
                    o, d = origins[i if len(origins) > 1 else 0], directions[i]
                    ray[lane], ray[_W + lane], ray[2 * _W + lane], ray[3 * _W + lane] = o[0], o[1], o[2], 0.0
                    ray[4 * _W + lane], ray[5 * _W + lane], ray[6 * _W + lane] = d[0], d[1], d[2]
                    ray[7 * _W + lane], ray[8 * _W + lane] = 0.0, far
                    iray[9 * _W + lane], iray[11 * _W + lane] = np.uint32(0xFFFFFFFF), 0
                    iray[18 * _W + lane] = np.uint32(0xFFFFFFFF)
            call4(intersect, valid.ctypes.data, scene, ray.ctypes.data, arguments)
            for lane in range(min(_W, n - packet * _W)):
                distance[packet * _W + lane] = ray[8 * _W + lane]
