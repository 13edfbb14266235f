# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""How much room there is round balls: distances to solid surfaces, whichever side of them the balls are on."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact import layout as at
from volery.physics.contact.collide import triangles_of
from volery.physics.contact.gather import gather
from volery.physics.contact.surface import nearest
from volery.world.native import keep

__all__ = ["room"]


@nb.njit(cache=True, nogil=True)
def room(address, p_W, radius, look, gap, normal_W) -> None:
    """Gap between each of n balls and the nearest solid surface.

    address: of a ContactWorld; p_W [n, 3], radius [n] in [m]; look: how far round a ball [m]. Written: gap [n]
    [m], at most `look`, negative if the surface cuts the ball; normal_W [n, 3], unit, from there to the ball's centre.
    """
    scratch = np.empty(at.SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    box, point, best = np.empty(3), np.empty(3), np.empty(3)
    for i in range(len(p_W)):
        box[:] = radius[i] + look
        count = gather(nb.uint64(address), base, p_W[i], R, box, 0.0)
        triangles = triangles_of(base)
        least = (radius[i] + look) ** 2
        best[:] = 0.0
        for t in range(count):
            square = nearest(triangles[t], point)
            if square < least:
                least = square
                best[:] = point
        distance = math.sqrt(least)
        gap[i] = distance - radius[i]
        for k in range(3):
            # In the middle of a surface no side is the nearer one.
            normal_W[i, k] = -best[k] / distance if distance > 1e-9 else 0.0
    keep(scratch)
