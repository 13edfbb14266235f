# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Gathered triangles in an order of their own. Embree finds them in one that depends on what came and went before, and
a run that is taken up again from a snapshot would differ in the last digits.
"""

from __future__ import annotations

import numba as nb

from volery.physics.contact import layout as at
from volery.world.native import as_f8, as_i8

__all__ = ["put_in_order"]


@nb.njit(cache=True, nogil=True)
def _before(tags, a, b) -> bool:
    x, y = tags[at.TAGS * a + 2], tags[at.TAGS * b + 2]
    return x < y or (x == y and tags[at.TAGS * a + 1] <= tags[at.TAGS * b + 1])


@nb.njit(cache=True, nogil=True)
def _merge(tags, source, target, low, middle, high) -> None:
    i, j = low, middle
    for k in range(low, high):
        if i < middle and (j >= high or _before(tags, source[i], source[j])):
            target[k] = source[i]
            i += 1
        else:
            target[k] = source[j]
            j += 1


@nb.njit(cache=True, nogil=True)
def put_in_order(scratch, count) -> None:
    """Copy the triangles found to where the others read them, by object, instance and primitive."""
    base = nb.uint64(scratch)
    tags = as_i8(base + 8 * at.S_FOUND_TAGS)
    turns = nb.carray(as_i8(base + 8 * at.S_ORDER), (2, at.MOST_TRIANGLES))
    for t in range(count):
        turns[0, t] = t
    now, width = 0, 1
    while width < count:
        for low in range(0, count, 2 * width):
            _merge(tags, turns[now], turns[1 - now], low, min(low + width, count), min(low + 2 * width, count))
        now, width = 1 - now, 2 * width
    found, ordered = as_f8(base + 8 * at.S_FOUND), as_f8(base + 8 * at.S_TRIANGLES)
    ordered_tags = as_i8(base + 8 * at.S_TAGS)
    for t in range(count):
        u = turns[now, t]
        for i in range(at.TRIANGLE):
            ordered[at.TRIANGLE * t + i] = found[at.TRIANGLE * u + i]
        for i in range(at.TAGS):
            ordered_tags[at.TAGS * t + i] = tags[at.TAGS * u + i]
