# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Drones far from everything: while none has come much farther, the scene need not be asked for what is near them."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.contact.gather import gather
from volery.physics.contact.layout import SCRATCH_WORDS
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.survey import felt_within, find_pairs, reach_of
from volery.world.native import keep

__all__ = ["Clearance"]

_FREE = 0.5
"""What must be free round all drones beyond their reach [m]."""
_REST = 20
"""After so many steps it is tried again."""


class Clearance:
    """Remembers where all drones of a batch were when nothing was near them."""

    def __init__(self, world: ContactWorld, meet: bool = True) -> None:
        """meet: whether drones may touch each other."""
        self._world, self._meet = world, meet
        self._when: tuple[int, int] | None = None
        """Versions of scene and batch; None: not clear."""
        self._seen = np.zeros((0, 3))
        self._strangers: tuple[int, bool] = (-1, False)
        self._rest = 0

    def holds(self, batch: Batch, span: float) -> bool:
        """Whether still nothing can be touched, nor the ground felt, within the next `span` [s]."""
        if self._when != (self._world.scene.version, batch.version):
            return False
        return farthest(batch.state, self._seen, span) <= _FREE

    def look_round(self, batch: Batch, places: np.ndarray, span: float, own: set[str]) -> None:
        """Nobody touches anything now: see whether there is room for longer. own: names of the drones in the scene."""
        self._rest -= 1
        if self._rest > 0 or self._meets_strangers(own):
            return
        tables = batch.state, batch.kind, batch.parameters
        if alone(self._world.address, *tables, len(batch), span, _FREE, self._meet):
            self._when, self._seen = (self._world.scene.version, batch.version), places.copy()
        else:
            self._when, self._rest = None, _REST

    def _meets_strangers(self, own: set[str]) -> bool:
        """Whether something in the scene moves that is not one of the drones."""
        scene = self._world.scene
        if self._strangers[0] != scene.version:
            numbers = {scene.group(name) for name in own}
            movers = (item for item in scene.objects.values() if item.body.moving)
            found = any(int(scene.rows.group[item.first_row]) not in numbers for item in movers)
            self._strangers = scene.version, found
        return self._strangers[1]


@nb.njit(cache=True, nogil=True)
def farthest(S, seen, span) -> float:
    """How far from where it was seen [n, 3] a drone may be after the next `span` [s], the most of all [m]."""
    most = 0.0
    for i in range(len(seen)):
        x, y, z = S[i, 0] - seen[i, 0], S[i, 1] - seen[i, 1], S[i, 2] - seen[i, 2]
        way = math.sqrt(x * x + y * y + z * z)
        way += span * math.sqrt(S[i, at.VEL] ** 2 + S[i, at.VEL + 1] ** 2 + S[i, at.VEL + 2] ** 2)
        # NaN counts as far
        most = max(most, way) if way == way else np.inf
    return most


@nb.njit(cache=True, nogil=True)
def alone(address, S, kind, P, n, span, free, meet) -> bool:
    """Whether `free` [m] beyond the reach of n drones there is nothing of the world and, if they may meet, no other."""
    scratch = np.empty(SCRATCH_WORDS)
    base = nb.uint64(scratch.ctypes.data)
    R = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    box = np.empty(3)
    for i in range(n):
        p = P[kind[i]]
        box[:] = max(reach_of(S[i], p, span), felt_within(p)) + free
        if gather(nb.uint64(address), base, S[i, at.POS : at.POS + 3], R, box, 0.0) > 0:
            return False
    keep(scratch)
    return not meet or find_pairs(S, kind, P, n, span, free, np.empty((0, 2), np.int64)) == 0
