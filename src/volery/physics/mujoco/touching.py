"""What robots touched within a step: contacts of all substeps, one for each body and thing, impulses added."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import mujoco
import numba as nb
import numpy as np

from volery.physics.contact.callback import rows_touched
from volery.physics.contact.world import ContactWorld
from volery.robots.robot import Contact
from volery.world.native import as_f8, as_i4

__all__ = ["Touching"]

_FIELDS = ("dist", "pos", "frame", "geom", "efc_address", "dim")
_DIST, _POS, _FRAME, _GEOM, _EFC, _DIM = range(6)
_ROOM = 64
"""Pairs of a body and a thing that there is room for at first."""
_PROBE = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""


@cache
def _layout() -> np.ndarray:
    """Size of MuJoCo's contact record and where its fields are in it [bytes], read off a contact itself."""
    model = mujoco.MjModel.from_xml_string(_PROBE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    views = [getattr(data.contact, name) for name in _FIELDS]
    start = _start(data)
    return np.array([views[0].strides[0], *(v.__array_interface__["data"][0] - start for v in views)], np.int64)


def _start(data: mujoco.MjData) -> int:
    """Address of the first contact record; the distance is its first field."""
    return data.contact.dist.__array_interface__["data"][0]


class Touching:
    """Adds up contacts over the substeps of a step."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, owner: np.ndarray, world: ContactWorld) -> None:
        """owner [nbody]: number of the robot a body belongs to, -1 for the world."""
        self._data, self._world = data, world
        self._body = model.geom_bodyid.astype(np.int64)
        self._owner = owner
        self._layout = _layout()
        self._start = 0
        self._keys = np.zeros((_ROOM, 2), np.int64)
        self._sums = np.zeros((_ROOM, 10))
        self._count = 0

    def clear(self) -> None:
        """A new step begins."""
        self._count = 0

    def add(self, dt: float) -> None:
        """Take in the contacts of a substep of dt [s]."""
        count, world = self._data.ncon, self._world
        if self._start == 0:
            # At the beginning of the memory that MuJoCo keeps for contacts, for as long as the data live.
            self._start = _start(self._data)
        if self._count + 2 * count > len(self._keys):
            more = len(self._keys) + 2 * count
            self._keys = np.vstack([self._keys, np.zeros((more, 2), np.int64)])
            self._sums = np.vstack([self._sums, np.zeros((more, 10))])
        self._count = _add(
            self._start, count, self._layout, world.address, world.bound[0], world.scene.rows.object,
            self._data.efc_force, self._body, self._owner, dt, self._keys, self._sums, self._count,
        )  # fmt: skip

    def contacts(self, names: list[str], roots: np.ndarray, bodies: list[tuple[str, ...]],
                 object_name: Callable[[int], str]) -> dict[str, list[Contact]]:  # fmt: skip
        """Contacts of each robot, deepest first: names of robots, their root bodies, their bodies' names."""
        found: dict[str, list[Contact]] = {}
        for (body, other), s in zip(self._keys[: self._count].tolist(), self._sums[: self._count], strict=True):
            robot = int(self._owner[body])
            thing = object_name(other) if other >= 0 else names[-1 - other]
            part = bodies[robot][body - roots[robot]]
            contact = Contact(thing, part, s[1:4].copy(), s[4:7].copy(), float(s[0]), s[7:10].copy())
            found.setdefault(names[robot], []).append(contact)
        for contacts in found.values():
            contacts.sort(key=lambda c: (-c.depth, c.body, c.other))
        return found


@nb.njit(cache=True, nogil=True)
def _add(start, n, layout, world, stand_in, objects, force, body_of, owner, dt, keys, sums, count) -> int:  # noqa: ANN001
    """Add contacts to the sums: depth, point, normal at the deepest, impulse, for each (body, thing)."""
    geoms, p, rows = np.empty((n, 2), np.int32), np.empty((n, 3)), np.empty(n, np.int64)
    for c in range(n):
        record = start + c * layout[0]
        for i in range(2):
            geoms[c, i] = as_i4(np.uint64(record + layout[1 + _GEOM]))[i]
        for i in range(3):
            p[c, i] = as_f8(np.uint64(record + layout[1 + _POS]))[i]
    rows_touched(world, stand_in, geoms, p, rows)
    for c in range(n):
        record = start + c * layout[0]
        for side in range(2):
            body, against = body_of[geoms[c, side]], body_of[geoms[c, 1 - side]]
            if owner[body] < 0 or owner[body] == owner[against]:
                continue
            if owner[against] >= 0:
                other = -1 - owner[against]
            elif rows[c] >= 0:
                other = np.int64(objects[rows[c]])
            else:
                continue
            k = _find(keys, sums, count, body, other)
            count = max(count, k + 1)
            # MuJoCo's normal and force go from the first geom to the second.
            _sum(record, layout, force, 1.0 if side == 1 else -1.0, dt, sums[k])
    return count


@nb.njit(cache=True, nogil=True)
def _find(keys, sums, count, body, other) -> int:  # noqa: ANN001
    """Row of a (body, thing); a new one begins at nothing."""
    for k in range(count):
        if keys[k, 0] == body and keys[k, 1] == other:
            return k
    keys[count, 0], keys[count, 1] = body, other
    sums[count, :] = 0.0
    sums[count, 0] = -np.inf
    return count


@nb.njit(cache=True, nogil=True)
def _sum(record, layout, force, sign, dt, out) -> None:  # noqa: ANN001
    efc = as_i4(np.uint64(record + layout[1 + _EFC]))[0]
    frame = as_f8(np.uint64(record + layout[1 + _FRAME]))
    depth = -as_f8(np.uint64(record + layout[1 + _DIST]))[0]
    if depth > out[0]:
        p = as_f8(np.uint64(record + layout[1 + _POS]))
        out[0] = depth
        for i in range(3):
            out[1 + i] = p[i]
            out[4 + i] = sign * frame[i]
    if efc < 0:
        return
    rows = min(as_i4(np.uint64(record + layout[1 + _DIM]))[0], 3)
    for j in range(rows):
        for i in range(3):
            out[7 + i] += sign * dt * force[efc + j] * frame[3 * j + i]
