# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""What MuJoCo calls for a shape and the stand-in geom of the world."""

from __future__ import annotations

import numba as nb
from numba import types

from volery.physics.contact import layout as at
from volery.physics.contact.collide import collide, half_extents, triangles_of
from volery.world.native import as_f8, as_i4, as_i8

__all__ = ["rows_touched", "world_callback_address"]

_PUSH = 5e-3
"""Greatest depth that is told [m]. MuJoCo stops what comes in within a step whatever the depth, but sends it back out
at a speed that grows with the depth: so at most about a metre a second."""


@nb.njit(cache=True, nogil=True)
def _alive(layout, address) -> bool:
    """Whether this is the record of a world that lives: data may be older than it, or another's."""
    for k in range(layout[at.L_ALIVE]):
        if as_i8(layout[at.L_WORLDS])[k] == address:
            return True
    return False


@nb.njit(cache=True, nogil=True)
def _hand_over(world, scratch, con, geom, p, R, n) -> None:
    """Contacts into W and to MuJoCo, and into the geom's log with the rows of the scene that they touch."""
    out = nb.carray(as_f8(scratch + 8 * at.S_CONTACTS), (at.KEPT, at.CONTACT))
    tags = as_i8(scratch + 8 * at.S_TAGS)
    log = nb.uint64(world[at.W_LOG]) + nb.uint64(8 * at.LOG * nb.int64(geom))
    as_i8(log)[0] = n
    for k in range(n):
        told, noted = at.PRE_CONTACT * k, 1 + 4 * k
        con[told] = max(out[k, 0], -_PUSH)
        for i in range(3):
            r = 3 * i
            con[told + 1 + i] = p[i] + R[r] * out[k, 1] + R[r + 1] * out[k, 2] + R[r + 2] * out[k, 3]
            con[told + 4 + i] = R[r] * out[k, 4] + R[r + 1] * out[k, 5] + R[r + 2] * out[k, 6]
            con[told + 7 + i] = 0.0
            as_f8(log)[noted + i] = con[told + 1 + i]
        as_i8(log)[noted + 3] = tags[at.TAGS * nb.int64(out[k, 7])]


@nb.njit(cache=True, nogil=True)
def _set_friction(world, scratch, model, layout, geom, n) -> None:
    """Friction of the pair in this step: the geom's own times that of what it touches deepest.

    MuJoCo reads it after it has called us, and one pair has one friction.
    """
    pair = as_i8(world[at.W_PAIR])[geom]
    if pair < 0:
        return
    out = nb.carray(as_f8(scratch + 8 * at.S_CONTACTS), (at.KEPT, at.CONTACT))
    deepest = 0
    for k in range(1, n):
        if out[k, 0] < out[deepest, 0]:
            deepest = k
    slip = as_f8(world[at.W_SLIP])[geom] * triangles_of(scratch)[nb.int64(out[deepest, 7]), at.T_FRICTION]
    friction = as_f8(as_i8(model + nb.uint64(layout[at.M_PAIR_FRICTION]))[0] + 40 * pair)
    friction[0] = friction[1] = max(slip, 1e-5)


@nb.cfunc(
    types.int32(types.uint64, types.uint64, types.uint64, types.int32, types.int32, types.float64, types.uint64),
    cache=True,
)
def _world_callback(model, data, con, g1, g2, margin, layout_address) -> int:
    """mjfCollision with the layout's address behind; -1: these are not contacts with one of our worlds."""
    layout = as_i8(layout_address)
    address = as_i8(as_i8(data + nb.uint64(layout[at.D_USER]))[0])[0]
    geom = nb.int64(g2)
    if not _alive(layout, address):
        return nb.int32(-1)
    world = as_i8(address)
    if geom >= world[at.W_GEOMS] or as_i8(world[at.W_PAIR])[geom] == -2:
        return nb.int32(-1)
    kind = nb.int64(as_i4(as_i8(model + nb.uint64(layout[at.M_TYPE]))[0])[geom])
    size = nb.carray(as_f8(as_i8(model + nb.uint64(layout[at.M_SIZE]))[0] + 24 * geom), (3,))
    p = nb.carray(as_f8(as_i8(data + nb.uint64(layout[at.D_POSITION]))[0] + 24 * geom), (3,))
    R = nb.carray(as_f8(as_i8(data + nb.uint64(layout[at.D_AXES]))[0] + 72 * geom), (9,))
    hull = nb.uint64(as_i8(world[at.W_HULL])[geom])
    if (kind == at.BOX or kind == at.MESH) and hull == 0:
        return nb.int32(0)
    scratch = nb.uint64(world[at.W_SCRATCH])
    box = nb.carray(as_f8(scratch + 8 * at.S_BOX), (3,))
    half_extents(kind, size, hull, box)
    n = collide(nb.uint64(address), scratch, kind, size, hull, p, R, box, margin)
    _hand_over(world, scratch, as_f8(con), geom, p, R, n)
    if n > 0:
        _set_friction(world, scratch, model, layout, geom, n)
    return nb.int32(n)


def world_callback_address() -> int:
    """Address of the callback; it takes the address of the layout record behind MuJoCo's own arguments."""
    return _world_callback.address


@nb.njit(cache=True, nogil=True)
def rows_touched(address, stand_in, geoms, p_W, rows) -> None:
    """The scene row of each contact, by its place in the log of its geom; -1: it is not with the world.

    geoms int32 [n, 2], p_W [n, 3], rows int64 [n] out.
    """
    world = as_i8(address)
    for c in range(len(geoms)):
        rows[c] = -1
        if geoms[c, 0] != stand_in:
            continue
        log = nb.uint64(world[at.W_LOG]) + nb.uint64(8 * at.LOG * nb.int64(geoms[c, 1]))
        place = as_f8(log)
        for k in range(as_i8(log)[0]):
            o = 1 + 4 * k
            if place[o] == p_W[c, 0] and place[o + 1] == p_W[c, 1] and place[o + 2] == p_W[c, 2]:
                rows[c] = as_i8(log)[o + 3]
                break
