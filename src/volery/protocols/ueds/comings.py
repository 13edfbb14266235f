"""Drones that come and go. A client is answered before its drone is in the simulation: what the loop is busy with, such
as a picture or a new level, never refuses it. The loop lets drones in and out in the order of the requests.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING

import numpy as np

from volery.protocols.ueds.unreal import place_of

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Ueds
    from volery.protocols.ueds.drone import UedsDrone

__all__ = ["Comings"]

_log = logging.getLogger("volery")
_AT_ONCE = 0.004
"""Time for drones in one step; one that has begun is finished [s]."""


class Comings:
    """What the loop is still to do of it."""

    def __init__(self, door: Ueds) -> None:
        self._door = door
        self._waiting: deque[tuple[UedsDrone, bool, Future[None]]] = deque()
        """Drone, whether it comes, and what is done then; oldest first."""

    @property
    def waiting(self) -> int:
        """Drones that are not in or out yet."""
        return len(self._waiting)

    @property
    def leaving(self) -> set[str]:
        """Names of drones that are still to be taken out."""
        return {drone.name for drone, comes, _ in list(self._waiting) if not comes}

    def come(self, drone: UedsDrone) -> Future[None]:
        """Have a drone let in; any thread may call."""
        return self._add(drone, True)

    def go(self, drone: UedsDrone) -> Future[None]:
        """Have a drone taken out; any thread may call."""
        return self._add(drone, False)

    def _add(self, drone: UedsDrone, comes: bool) -> Future[None]:
        done: Future[None] = Future()
        self._waiting.append((drone, comes, done))
        self._door.sure(self.follow, "comings")
        return done

    def follow(self) -> None:
        """Let drones in and out, as many as there is time for; for the loop."""
        end = time.perf_counter() + _AT_ONCE
        while self._waiting:
            drone, comes, done = self._waiting[0]
            if comes and self._door.has(drone) and not self._room_for(drone):
                return
            self._waiting.popleft()
            try:
                self._let(drone, comes)
                done.set_result(None)
            except Exception as error:
                done.set_exception(error)
                if comes:
                    self._door.lose(drone, error)
            if time.perf_counter() >= end:
                break
        if not self._waiting and self._door.simulation.streamer is not None:
            self._door.simulation.streamer.expect([])

    def _let(self, drone: UedsDrone, comes: bool) -> None:
        if comes and self._door.has(drone):
            drone.enter()
        elif not comes:
            self._door.take_out(drone)

    def _room_for(self, drone: UedsDrone) -> bool:
        """Whether what it will see of an endless world is ready, so that nobody waits for that."""
        simulation = self._door.simulation
        if simulation.streamer is None or self._door.paused:
            return True
        places = [r.p_WB for r in simulation.robots.values()]
        return simulation.streamer.expect([*places, np.asarray(place_of(drone.location))])
