"""Drones far from everything: while none has come much farther, the scene need not be asked for what is near them."""

from __future__ import annotations

import numpy as np

from volery import _native
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.batch import Batch

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
        return _native.multirotor.farthest(batch.state, self._seen, span) <= _FREE

    def look_round(self, batch: Batch, places: np.ndarray, span: float, own: set[str]) -> None:
        """Nobody touches anything now: see whether there is room for longer. own: names of the drones in the scene."""
        self._rest -= 1
        if self._rest > 0 or self._meets_strangers(own):
            return
        alone = _native.multirotor.alone
        if alone(self._world.native, batch.state, batch.parameters, len(batch), span, _FREE, self._meet):
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
