"""A step of a batch of drones in an environment: air, ground, and who meets whom; then the kernels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import SECOND
from volery.physics.contact.world import ContactWorld
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.air import Air
from volery.physics.multirotor.batch import Batch
from volery.physics.multirotor.bump import LOG, bump
from volery.physics.multirotor.flight import fly, fly_threads
from volery.physics.multirotor.survey import find_pairs, survey
from volery.world.environment import Environment
from volery.world.native import kernel_lock, threads, workers

if TYPE_CHECKING:
    from volery.physics.multirotor.fleet import FleetSettings

__all__ = ["Sky"]

_MANY = 384
"""Below so many drones one thread flies them: others may take milliseconds to come when the machine is busy."""
_FEW, _PART = 32, 32.0
"""Drones within a cube of this size are near each other for the scene [m]."""


class Sky:
    """Flies a batch; drones that cannot touch anything within a step on all threads, the others one by one."""

    def __init__(self, environment: Environment, settings: FleetSettings, world: ContactWorld | None) -> None:
        """world: what drones touch; None: nothing, nor each other."""
        self._settings = settings
        self._world = world if settings.touch else None
        self._air = Air(environment)
        self._pairs = np.zeros((256, 2), np.int64)

    def advance(self, batch: Batch, now_ns: int, step_ns: int, own: set[str]) -> np.ndarray:
        """All drones from now to now + step; returns what they touched, [m, LOG]. own: those that are in the scene."""
        n = len(batch)
        places = batch.state[:n, at.POS : at.POS + 3].copy()
        wind = self._air.wind(places, now_ns)
        share = self._air.density(places[:, 2]) / batch.parameters[batch.kind[:n], at.AIR]
        steps = max(1, math.ceil(step_ns / (self._settings.step * SECOND) - 1e-6))
        dt = step_ns / SECOND / steps
        near, pairs, ground = self._survey(batch, places, step_ns / SECOND, own)
        air = (dt, steps, wind, share, ground)
        self._fly(np.flatnonzero(~near), batch, air)
        if not near.any():
            return np.zeros((0, LOG))
        return self._bump(np.flatnonzero(near), pairs, batch, air)

    def _survey(
        self, batch: Batch, places: np.ndarray, span: float, own: set[str]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Which drones may touch something, which two may meet, and where the ground is."""
        n = len(batch)
        near, ground = np.zeros(n, np.bool_), np.full(n, -np.inf)
        if self._world is None:
            return near, self._pairs[:0], ground
        if n > _FEW:
            # One place for each part of the world will do
            places = places[np.unique(np.floor(places / _PART), axis=0, return_index=True)[1]]
        self._world.refresh(places, own)
        survey(self._world.address, batch.state, batch.kind, batch.parameters, span, near, ground)
        count = find_pairs(batch.state, batch.kind, batch.parameters, n, span, self._pairs)
        if count > len(self._pairs):
            self._pairs = np.zeros((2 * count, 2), np.int64)
            find_pairs(batch.state, batch.kind, batch.parameters, n, span, self._pairs)
        near[self._pairs[:count].ravel()] = True
        return near, self._pairs[:count], ground

    @staticmethod
    def _fly(free: np.ndarray, batch: Batch, air: tuple) -> None:
        arguments = (free, batch.state, batch.reference, batch.level, batch.kind, batch.parameters, *air)
        if len(free) < _MANY or threads() == 1:
            fly(*arguments)
            return
        with kernel_lock:
            workers(1 << 30)
            fly_threads(*arguments)

    def _bump(self, near: np.ndarray, pairs: np.ndarray, batch: Batch, air: tuple) -> np.ndarray:
        s = self._settings
        log = np.zeros((16 * len(near) + 64, LOG))
        rules = np.array([s.restitution, s.friction, s.crash_speed])
        tables = (batch.state, batch.reference, batch.level, batch.kind, batch.parameters, batch.ball_span, batch.balls)
        assert self._world is not None
        count = bump(near, pairs, *tables, self._world.address, *air, rules, log)
        return log[:count]
