"""A step of a batch of drones in an environment: air, ground, and who meets whom; then the kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from volery import _native
from volery.core.clock import SECOND
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor.air import AmbientAir
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.clearance import Clearance
from volery.physics.multirotor.tables import AIR, TOUCH
from volery.world.environment import Environment

if TYPE_CHECKING:
    from volery.physics.multirotor.fleet import FleetSettings

__all__ = ["FlockStep"]

_FEW, _PART = 32, 32.0
"""Drones within a cube of this size are near each other for the scene [m]."""
_NOTHING = np.zeros(0, TOUCH)


class FlockStep:
    """Flies a batch; drones that cannot touch anything within a step on all threads, the others one by one."""

    def __init__(self, environment: Environment, settings: FleetSettings, world: ContactWorld | None) -> None:
        """world: what drones touch; None: nothing, nor each other."""
        self.settings = settings
        """May be exchanged between steps, but for `touch` and `meet`."""
        self._world = world if settings.touch else None
        self._clearance = None if self._world is None else Clearance(self._world, settings.meet)
        self._air = AmbientAir(environment)
        self._resize(0)

    def _resize(self, count: int) -> None:
        self._everyone, self._near = np.arange(count), np.zeros(count, np.bool_)
        self._here = np.zeros(count, AIR)
        self._here["share"], self._here["ground"] = 1.0, -np.inf

    def advance(self, batch: Batch, now_ns: int, step_ns: int, own: set[str]) -> np.ndarray:
        """All drones from now to now + step; returns what they touched, rows of TOUCH. own: those that are in the
        scene."""
        if len(batch) != len(self._everyone):
            self._resize(len(batch))
        places = batch.state["p_W"][: len(batch)].copy()
        self._here["wind_W"] = self._air.wind(places, now_ns)
        if not self.settings.mrs:
            _native.multirotor.thin_air(batch.state, batch.parameters, *self._air.table(), self._here)
        steps = max(1, math.ceil(step_ns / (self.settings.step * SECOND) - 1e-6))
        dt = step_ns / SECOND / steps
        pairs = self._survey(batch, places, step_ns / SECOND, own)
        if pairs is None:
            self._fly(self._everyone, batch, dt, steps)
            return _NOTHING
        self._fly(np.flatnonzero(~self._near), batch, dt, steps)
        return self._bump(np.flatnonzero(self._near), pairs, batch, dt, steps)

    def _survey(self, batch: Batch, places: np.ndarray, span: float, own: set[str]) -> np.ndarray | None:
        """Finds which drones may touch something and where the ground is; returns which two may meet, [m, 2], None if
        nobody may touch anything."""
        if self._world is None or self._clearance is None or self._clearance.holds(batch, span):
            return None
        near, n = self._near, len(self._near)
        one_of_each = _native.multirotor.one_of_each_part
        self._world.refresh(one_of_each(places, _PART) if n > _FEW else places, own)
        tables = batch.state, batch.parameters
        touching = _native.multirotor.survey(self._world.native, *tables, span, near, self._here)
        meet = self.settings.meet and n > 1
        pairs = _native.multirotor.find_pairs(*tables, n, span) if meet else np.zeros((0, 2), np.int64)
        if touching == 0 and len(pairs) == 0:
            self._clearance.look_round(batch, places, span, own)
            return None
        near[pairs.ravel()] = True
        return pairs

    def _fly(self, free: np.ndarray, batch: Batch, dt: float, steps: int) -> None:
        _native.multirotor.fly(free, batch.state, batch.reference, batch.parameters, self._here, dt, steps)

    def _bump(self, near: np.ndarray, pairs: np.ndarray, batch: Batch, dt: float, steps: int) -> np.ndarray:
        s = self.settings
        log = np.zeros(16 * len(near) + 64, TOUCH)
        rules = _native.multirotor.BumpRules(s.restitution, s.friction, s.crash_speed)
        tables = batch.state, batch.reference, batch.parameters, batch.bumpers, self._here
        assert self._world is not None
        count = _native.multirotor.bump(self._world.native, near, pairs, *tables, dt, steps, rules, log)
        return log[:count]
