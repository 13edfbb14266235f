"""A step of a batch of drones in an environment: air, ground, and who meets whom; then the kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import SECOND
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.air import Air
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.bump import LOG, bump
from volery.physics.multirotor.clearance import Clearance
from volery.physics.multirotor.flight import fly, fly_threads
from volery.physics.multirotor.survey import find_pairs, look, one_of_each_part, survey
from volery.world.environment import Environment
from volery.world.native import kernel_lock, threads, workers

if TYPE_CHECKING:
    from volery.physics.multirotor.fleet import FleetSettings

__all__ = ["Sky"]

_MANY = 384
"""Below so many drones one thread flies them: others may take milliseconds to come when the machine is busy."""
_FEW, _PART = 32, 32.0
"""Drones within a cube of this size are near each other for the scene [m]."""
_NOTHING = np.zeros((0, LOG))


class Sky:
    """Flies a batch; drones that cannot touch anything within a step on all threads, the others one by one."""

    def __init__(self, environment: Environment, settings: FleetSettings, world: ContactWorld | None) -> None:
        """world: what drones touch; None: nothing, nor each other."""
        self.settings = settings
        """May be exchanged between steps, but for `touch` and `meet`."""
        self._world = world if settings.touch else None
        self._clearance = None if self._world is None else Clearance(self._world, settings.meet)
        self._air = Air(environment)
        self._pairs = np.zeros((256, 2), np.int64)
        self._resize(0)

    def _resize(self, count: int) -> None:
        self._everyone = np.arange(count)
        self._places, self._share = np.zeros((count, 3)), np.ones(count)
        self._near, self._ground = np.zeros(count, np.bool_), np.full(count, -np.inf)

    def advance(self, batch: Batch, now_ns: int, step_ns: int, own: set[str]) -> np.ndarray:
        """All drones from now to now + step; returns what they touched, [m, LOG]. own: those that are in the scene."""
        if len(batch) != len(self._everyone):
            self._resize(len(batch))
        places, share = self._places, self._share
        look(batch.state, batch.kind, batch.parameters, *self._air.table(), places, share)
        if self.settings.mrs:
            share.fill(1.0)
        steps = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        dt = step_ns / SECOND / steps
        air = (dt, steps, self._air.wind(places, now_ns), share, self._ground)
        pairs = self._survey(batch, step_ns / SECOND, own)
        if pairs is None:
            self._fly(self._everyone, batch, air)
            return _NOTHING
        self._fly(np.flatnonzero(~self._near), batch, air)
        return self._bump(np.flatnonzero(self._near), pairs, batch, air)

    def _survey(self, batch: Batch, span: float, own: set[str]) -> np.ndarray | None:
        """Finds which drones may touch something and where the ground is; returns which two may meet, [m, 2], None if
        nobody may touch anything."""
        if self._world is None or self._clearance is None or self._clearance.holds(batch, span):
            return None
        places, near, n = self._places, self._near, len(self._near)
        self._world.refresh(one_of_each_part(places, _PART) if n > _FEW else places, own)
        tables = batch.state, batch.kind, batch.parameters
        touching = survey(self._world.address, *tables, span, near, self._ground)
        count = 0 if n == 1 or not self.settings.meet else find_pairs(*tables, n, span, 0.0, self._pairs)
        if count > len(self._pairs):
            self._pairs = np.zeros((2 * count, 2), np.int64)
            find_pairs(*tables, n, span, 0.0, self._pairs)
        if touching == 0 and count == 0:
            self._clearance.look_round(batch, places, span, own)
            return None
        near[self._pairs[:count].ravel()] = True
        return self._pairs[:count]

    @staticmethod
    def _fly(free: np.ndarray, batch: Batch, air: tuple) -> None:
        arguments = (free, batch.state, batch.reference, batch.level, batch.kind, batch.parameters, *air)
        if len(free) == 0:
            return
        if len(free) < _MANY or threads() == 1:
            fly(*arguments)
            return
        with kernel_lock:
            workers(1 << 30)
            fly_threads(*arguments)

    def _bump(self, near: np.ndarray, pairs: np.ndarray, batch: Batch, air: tuple) -> np.ndarray:
        s = self.settings
        log = np.zeros((16 * len(near) + 64, LOG))
        rules = np.array([s.restitution, s.friction, s.crash_speed])
        tables = (batch.state, batch.reference, batch.level, batch.kind, batch.parameters, batch.ball_span, batch.balls)
        assert self._world is not None
        count = bump(near, pairs, *tables, self._world.address, *air, rules, log)
        return log[:count]
