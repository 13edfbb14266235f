# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A shape against the world: gather the triangles near it, find its contacts, keep the few that matter."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact import layout as at
from volery.physics.contact.cylinder import touch_cylinder
from volery.physics.contact.ellipsoid import touch_ellipsoid
from volery.physics.contact.gather import gather
from volery.physics.contact.polytope import touch_polytope
from volery.physics.contact.rounded import touch_rounded
from volery.physics.contact.surface import inside, link, unit
from volery.world.native import as_f8, as_i8

__all__ = ["collide", "half_extents", "triangles_of"]

_CARRIERS = 4
"""Contacts of one direction that are kept: more make no difference but to the time, and to sliding."""


@nb.njit(cache=True, nogil=True)
def half_extents(kind, size, hull, box) -> None:
    """Half extents [3] of a shape in its frame G [m]."""
    if kind == at.SPHERE:
        box[0] = box[1] = box[2] = size[0]
    elif kind == at.CAPSULE:
        box[0], box[1], box[2] = size[0], size[0], size[0] + size[1]
    elif kind == at.CYLINDER:
        box[0], box[1], box[2] = size[0], size[0], size[1]
    elif kind == at.MESH:
        corners = as_f8(hull + 16)
        box[0] = box[1] = box[2] = 0.0
        for k in range(as_i8(hull)[0]):
            for i in range(3):
                box[i] = max(box[i], abs(corners[3 * k + i]))
    else:
        box[0], box[1], box[2] = size[0], size[1], size[2]


@nb.njit(cache=True, nogil=True)
def triangles_of(scratch) -> np.ndarray:
    """The gathered triangles, [m, at.TRIANGLE]."""
    return nb.carray(as_f8(nb.uint64(scratch) + 8 * at.S_TRIANGLES), (at.MOST_TRIANGLES, at.TRIANGLE))


@nb.njit(cache=True, nogil=True)
def _reach(kind, size, hull, x, y, z) -> float:
    """How far a shape reaches from its centre against the unit vector (x, y, z) [m]."""
    if kind == at.SPHERE:
        return size[0]
    if kind == at.CAPSULE:
        return size[0] + size[1] * abs(z)
    if kind == at.CYLINDER:
        return size[0] * math.hypot(x, y) + size[1] * abs(z)
    if kind == at.ELLIPSOID:
        return math.sqrt((size[0] * x) ** 2 + (size[1] * y) ** 2 + (size[2] * z) ** 2)
    if kind == at.BOX:
        return size[0] * abs(x) + size[1] * abs(y) + size[2] * abs(z)
    corners, lowest = as_f8(hull + 16), 0.0
    for k in range(as_i8(hull)[0]):
        lowest = min(lowest, corners[3 * k] * x + corners[3 * k + 1] * y + corners[3 * k + 2] * z)
    return -lowest


@nb.njit(cache=True, nogil=True)
def _come_out(tri, t, q, kind, size, hull, out) -> int:
    """The one contact of a shape whose centre is inside a solid: straight out."""
    depth, nx, ny, nz = unit(q[0], q[1], q[2])
    if depth == 0.0:
        nx, ny, nz = tri[t, 9], tri[t, 10], tri[t, 11]
    dist = -depth - _reach(kind, size, hull, nx, ny, nz)
    C = out[0]
    C[0], C[1], C[2], C[3], C[4], C[5], C[6], C[7] = dist, 0.0, 0.0, 0.0, nx, ny, nz, t
    return 1


@nb.njit(cache=True, nogil=True)
def _touch(tri, count, edges, mates, kind, size, hull, margin, out) -> int:
    if kind == at.SPHERE:
        return touch_rounded(tri, count, edges, mates, size[0], 0.0, margin, out)
    if kind == at.CAPSULE:
        return touch_rounded(tri, count, edges, mates, size[0], size[1], margin, out)
    if kind == at.CYLINDER:
        return touch_cylinder(tri, count, edges, mates, size[0], size[1], margin, out)
    if kind == at.ELLIPSOID:
        return touch_ellipsoid(tri, count, edges, mates, size, margin, out)
    k, p = as_i8(hull)[0], as_i8(hull)[1]
    corners = nb.carray(as_f8(hull + 16), (k, 3))
    planes = nb.carray(as_f8(hull + 16 + 24 * nb.uint64(k)), (p, 4))
    return touch_polytope(tri, count, edges, mates, corners, planes, margin, out)


@nb.njit(cache=True, nogil=True)
def _swap(out, a, b) -> None:
    for i in range(at.CONTACT):
        out[a, i], out[b, i] = out[b, i], out[a, i]


@nb.njit(cache=True, nogil=True)
def _deepest(out, start, n) -> int:
    """The deepest contact; of such as are nearly as deep the first, so that it stays the same while a body rests."""
    best = start
    for k in range(start + 1, n):
        if out[k, 0] < 1.1 * out[best, 0] - 1e-6:
            best = k
    return best


@nb.njit(cache=True, nogil=True)
def _span(out, k, first, chosen) -> float:
    """What a contact adds to those of its direction chosen from `first` on: distance from the first squared, area over
    the first two squared, or the same on the other side of them than the third."""
    a, b, c = first, first + 1, first + 2
    px, py, pz = out[k, 1] - out[a, 1], out[k, 2] - out[a, 2], out[k, 3] - out[a, 3]
    if chosen == b:
        return px * px + py * py + pz * pz
    ux, uy, uz = out[b, 1] - out[a, 1], out[b, 2] - out[a, 2], out[b, 3] - out[a, 3]
    x, y, z = uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px
    if chosen == c:
        return x * x + y * y + z * z
    qx, qy, qz = out[c, 1] - out[a, 1], out[c, 2] - out[a, 2], out[c, 3] - out[a, 3]
    other = x * (uy * qz - uz * qy) + y * (uz * qx - ux * qz) + z * (ux * qy - uy * qx)
    return -other


@nb.njit(cache=True, nogil=True)
def _spread(out, n) -> int:
    """Bring the contacts to keep to the front: for each direction, the deepest first, at most four that span the
    widest patch; returns how many."""
    kept = 0
    while kept < min(n, at.KEPT):
        _swap(out, kept, _deepest(out, kept, n))
        first = kept
        kept += 1
        # Bring those of the same direction next.
        end = kept
        for k in range(kept, n):
            cos = out[k, 4] * out[first, 4] + out[k, 5] * out[first, 5] + out[k, 6] * out[first, 6]
            if cos > 0.99:
                _swap(out, end, k)
                end += 1
        for _ in range(3):
            widest, best = 1e-12, -1
            for k in range(kept, end):
                span = _span(out, k, first, kept)
                if span > 1.001 * widest:
                    widest, best = span, k
            if best < 0:
                break
            _swap(out, kept, best)
            kept += 1
        # The rest of this direction goes.
        for k in range(end, n):
            for i in range(at.CONTACT):
                out[kept + k - end, i] = out[k, i]
        n -= end - kept
    return min(kept, at.KEPT)


@nb.njit(cache=True, nogil=True)
def collide(address, scratch, kind, size, hull, p_W, R_WG, box, margin) -> int:
    """Contacts of a shape with the world, in the frame G at S_CONTACTS of `scratch`; returns how many, at most KEPT.

    size [3], as MuJoCo has it; hull: address of a box's or mesh's polytope (see hulls.py); box [3]: half extents.
    """
    base = nb.uint64(scratch)
    count = gather(address, scratch, p_W, R_WG, box, margin)
    if count == 0:
        return 0
    tri = triangles_of(scratch)
    out = nb.carray(as_f8(base + 8 * at.S_CONTACTS), (at.MOST_CONTACTS, at.CONTACT))
    q = out[at.MOST_CONTACTS - 1]
    t = inside(tri, count, q)
    if t >= 0:
        return _come_out(tri, t, q, kind, size, hull, out)
    edges = nb.carray(as_f8(base + 8 * at.S_EDGES), (at.MOST_TRIANGLES, 3))
    mates = nb.carray(as_i8(base + 8 * at.S_MATES), (at.MOST_TRIANGLES, 3))
    link(tri, count, edges, mates, nb.carray(as_i8(base + 8 * at.S_HASH), (at.HASH,)))
    n = _touch(tri, count, edges, mates, kind, size, hull, margin, out)
    if n >= at.MOST_CONTACTS:
        as_i8(address)[at.W_LOST_CONTACTS] += 1
    return _spread(out, n) if n > _CARRIERS else n
