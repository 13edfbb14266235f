"""What stands and who is there, read in the loop for the viewer's threads: references and small copies only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from volery.bus.poses import Roster
from volery.sim import Simulation
from volery.viewer.figures import Crew, crew_of
from volery.viewer.meshes import MeshRegistry
from volery.world.scene.scene import Scene, SceneObject
from volery.world.world import ChunkKey, Placement, World

__all__ = ["SceneSnapshot", "SnapshotTaker"]

Ready = Callable[[ChunkKey], list[Placement] | None]
"""Gives a chunk that somebody has made already; any thread may ask."""


@dataclass(frozen=True, eq=False)
class SceneSnapshot:
    """The scene at an instant."""

    world: World
    ready: Ready | None
    """Of an endless world: chunks that the simulation has."""
    standing: tuple[Placement, ...] | None
    """All of a bounded world; None: an endless one, or one whose scene is not built."""
    added: tuple[Placement, ...]
    """Things that no world, chunk or robot brought; they may move."""
    crew: Crew


class SnapshotTaker:
    """Looks at a simulation again and again; what has not changed is the very same object as before."""

    def __init__(self, meshes: MeshRegistry) -> None:
        self._meshes = meshes
        self._crew: Crew | None = None
        self._listed: WeakKeyDictionary[Scene, tuple[int, list[SceneObject], list[SceneObject]]] = WeakKeyDictionary()
        self._standing: tuple[list[int], tuple[Placement, ...]] = ([], ())
        self._added: tuple[Placement, ...] = ()

    def look(self, simulation: Simulation, roster: Roster) -> SceneSnapshot:
        """The scene now; called in the loop."""
        world, streamer = simulation.world, simulation.streamer
        standing, loose = self._list(simulation.scene)
        bounded = world.chunk_size is None and bool(standing)
        return SceneSnapshot(
            world,
            None if streamer is None else streamer.ready,
            self._stand(standing) if bounded else None,
            self._add(loose),
            self._man(simulation, roster),
        )

    def _list(self, scene: Scene) -> tuple[list[SceneObject], list[SceneObject]]:
        """Objects of no robot: those that stand, and those that may move."""
        version, standing, loose = self._listed.get(scene, (-1, [], []))
        if version != scene.version:
            items = [o for o in scene.objects.values() if scene.rows.group[o.first_row] < 0]
            standing = [o for o in items if not o.body.moving]
            loose = [o for o in items if o.body.moving]
            self._listed[scene] = (scene.version, standing, loose)
        return standing, loose

    def _stand(self, items: list[SceneObject]) -> tuple[Placement, ...]:
        versions = [item.version for item in items]
        if versions != self._standing[0]:
            self._standing = (versions, tuple(_placement(item) for item in items))
        return self._standing[1]

    def _add(self, items: list[SceneObject]) -> tuple[Placement, ...]:
        same = len(items) == len(self._added) and all(
            item.meshes is was.meshes and np.array_equal(item.X_WO, was.X_WO)
            for item, was in zip(items, self._added, strict=True)
        )
        if not same:
            self._added = tuple(_placement(item) for item in items)
        return self._added

    def _man(self, simulation: Simulation, roster: Roster) -> Crew:
        version = roster.look(simulation)
        if self._crew is None or self._crew.version != version:
            self._crew = crew_of(simulation, version, self._meshes)
        return self._crew


def _placement(item: SceneObject) -> Placement:
    return Placement(item.name, item.meshes, item.X_WO.copy(), item.body.kinds)
