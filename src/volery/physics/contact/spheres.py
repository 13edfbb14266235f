# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Contacts of many balls with the world, for engines that do without MuJoCo."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.contact import layout as at
from volery.physics.contact.collide import collide
from volery.world.native import as_f8, as_i8, keep

__all__ = ["touch"]


@nb.njit(cache=True, nogil=True)
def touch(address, p_W, radius, normal_W, depth, row) -> None:
    """The deepest contact of each of n balls with the world; to be called from compiled code or by itself.

    address: of a ContactWorld; p_W [n, 3], radius [n] in [m]. Written: normal_W [n, 3], unit, from the world to the
    ball; depth [n] [m], 0 without contact; row [n] of the scene, -1 without contact.
    """
    scratch = np.empty(at.SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    out = nb.carray(as_f8(base + 8 * at.S_CONTACTS), (at.KEPT, at.CONTACT))
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    size = np.empty(3)
    for i in range(len(p_W)):
        size[:] = radius[i]
        n = collide(nb.uint64(address), base, nb.int64(at.SPHERE), size, nb.uint64(0), p_W[i], R, size, 0.0)
        depth[i], row[i] = 0.0, -1
        normal_W[i] = 0.0
        for k in range(n):
            if -out[k, 0] > depth[i]:
                depth[i] = -out[k, 0]
                normal_W[i] = out[k, 4:7]
                row[i] = as_i8(base + 8 * at.S_TAGS)[at.TAGS * nb.int64(out[k, 7])]
    keep(scratch)
