"""The world round the pages: chunks made and packed in a thread of their own, the nearest first, for all pages."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from volery.bus.poses import Roster
from volery.sim import Simulation
from volery.viewer.area_of_interest import AreaOfInterest
from volery.viewer.figures import Crew, registered_name
from volery.viewer.meshes import MeshRegistry
from volery.viewer.messages import PageWorld
from volery.viewer.pieces import Key, Piece, know_far, piece_of
from volery.viewer.scene_snapshot import SceneSnapshot, SnapshotTaker
from volery.world.world import ChunkKey, Placement

__all__ = ["Stage", "WorldStream"]

_log = logging.getLogger("volery")
_NICE = 10
"""How much the worker stands back for the loop."""
_SWITCH = 0.0005
"""How long a thread may keep the loop waiting [s]; Python's own 5 ms are too long."""
_KEPT = 64
"""Chunks kept that no page wants at present."""


@dataclass(eq=False)
class Stage:
    """A world that is shown."""

    snapshot: SceneSnapshot
    message: PageWorld
    """The `world` message."""
    size: float | None
    """Edge of a chunk [m]; None: bounded."""
    made: dict[Key, Piece] = field(default_factory=dict)


class WorldStream:
    """Keeps pieces of the world ready for pages. `snapshot` is called in the loop, all else by any thread."""

    def __init__(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """on_ready: called by the worker whenever there may be something new to take."""
        self.meshes = MeshRegistry()
        self.stage: Stage | None = None
        self.crew: Crew | None = None
        self.extra: Piece | None = None
        """What was added while running."""
        self._on_ready = on_ready
        self._snapshots = SnapshotTaker(self.meshes)
        self._snapshot: SceneSnapshot | None = None
        self._seen: SceneSnapshot | None = None
        self._added: tuple[Placement, ...] = ()
        self._version = 0
        self._areas: list[AreaOfInterest] = []
        self._open = True
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH))
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="world_stream", daemon=True)
        self._thread.start()

    def snapshot(self, simulation: Simulation, roster: Roster) -> None:
        """Take note of what is there; in the loop, a few times a second. Cheap if nothing has changed."""
        found = self._snapshots.look(simulation, roster)
        with self._wake:
            self._snapshot = found
            self._wake.notify()

    def open(self) -> AreaOfInterest:
        """A new page."""
        area = AreaOfInterest(self)
        with self._wake:
            self._areas.append(area)
            self._wake.notify()
        return area

    def leave(self, area: AreaOfInterest) -> None:
        """A page is gone."""
        with self._wake:
            if area in self._areas:
                self._areas.remove(area)

    @property
    def idle(self) -> bool:
        """Whether all that pages want is there."""
        with self._wake:
            return self._job() is None

    def wake(self) -> None:
        """A page wants something else."""
        with self._wake:
            self._wake.notify()

    def close(self) -> None:
        """End the worker."""
        with self._wake:
            self._open = False
            self._wake.notify()
        self._thread.join(timeout=5.0)

    # The worker

    def _run(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            # Threads have a niceness of their own on Linux; elsewhere it stays as it is.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while True:
            with self._wake:
                while self._open and (job := self._job()) is None:
                    self._wake.wait()
                if not self._open or job is None:
                    return
            try:
                job()
            except Exception:  # a page without a chunk is better than no page at all
                _log.exception("viewer: a piece of the world could not be shown")
            self._on_ready()

    def _job(self) -> Callable[[], None] | None:
        """What is to be done next; None: nothing. Without pages nothing is done."""
        snapshot = self._snapshot
        if snapshot is None or not self._areas:
            return None
        if snapshot is not self._seen:
            return lambda: self._see(snapshot)
        stage = self.stage
        if stage is None:
            return None
        missing = [next(((d, k) for k, d in s.wanted.items() if k not in stage.made), None) for s in self._areas]
        nearest = min((m for m in missing if m is not None), default=None)
        return None if nearest is None else lambda: self._make(stage, nearest[1])

    def _see(self, snapshot: SceneSnapshot) -> None:
        """Take over what has changed: the world, the robots, what was added."""
        try:
            stage = self.stage
            if stage is None or snapshot.world is not stage.snapshot.world:
                self._version += 1
                self.stage = Stage(snapshot, _world_message(snapshot, self._version), snapshot.world.chunk_size)
            elif snapshot.standing is not stage.snapshot.standing:
                stage.made.pop((0, 0), None)
            assert self.stage is not None
            self.stage.snapshot = snapshot
            self._take_crew(snapshot.crew)
            if self._added is not snapshot.added:
                self._added = snapshot.added
                self.extra = piece_of(("extra",), _origin(snapshot.added), snapshot.added, self.meshes)
        finally:
            self._seen = snapshot

    def _take_crew(self, crew: Crew) -> None:
        if self.crew is not crew:
            for thing in crew.things:
                self.meshes.frames(thing)
            self.crew = crew

    def _make(self, stage: Stage, key: ChunkKey) -> None:
        """A piece of the world, taken from the simulation if it has it."""
        try:
            placements = _placements(stage, key)
            if stage.size is not None:
                know_far(stage.snapshot.world, key, placements, self.meshes)
            origin = _origin(placements) if stage.size is None else np.array([*key, 0.0]) * stage.size
            stage.made[key] = piece_of(key, origin, placements, self.meshes)
        except Exception:  # such as a file of the world that is damaged there: nothing is shown in its place
            _log.exception("viewer: chunk %s could not be made", key)
            stage.made[key] = piece_of(key, np.zeros(3), (), self.meshes)
        with self._wake:
            wanted = set().union(*(area.wanted for area in self._areas))
        for old in [k for k in stage.made if k not in wanted][:-_KEPT]:
            del stage.made[old]


def _placements(stage: Stage, key: ChunkKey) -> list[Placement]:
    snapshot = stage.snapshot
    if snapshot.standing is not None:
        return list(snapshot.standing)
    ready = None if snapshot.ready is None else snapshot.ready(key)
    return snapshot.world.generate(key) if ready is None else ready


def _origin(placements: tuple[Placement, ...] | list[Placement]) -> np.ndarray:
    """A whole place near things [m], to which single precision tells them well."""
    if not placements:
        return np.zeros(3)
    return np.round(np.median(np.concatenate([p.X_WO[:, :, 3] for p in placements]), axis=0))


def _world_message(snapshot: SceneSnapshot, version: int) -> PageWorld:
    world = snapshot.world
    x, y, z = (float(v) for v in world.spawn())
    return PageWorld(version, registered_name("worlds", type(world)), world.chunk_size, (x, y, z), world.dark)
