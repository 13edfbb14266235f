"""The world as it stands in the scene: a bounded one placed whole, an endless one streamed round the robots."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from volery.led import asks_for_a_way, corners_of, led
from volery.scenario import RobotPlan, Scenario, plan_world
from volery.world.chunks import Streamer, Streaming
from volery.world.scene.scene import Scene
from volery.world.world import Placement, World

__all__ = ["Coming", "Ground"]


class Coming:
    """A world that is made in the background, to stand later without a wait."""

    def __init__(self, scene: Scene, world: World, changes: dict[str, Any], streaming: Streaming) -> None:
        """changes: parameters that are not those of the scenario."""
        self.world, self.changes = world, changes
        self.streamer: Streamer | None = None
        self._made: Future[list[Placement]] | None = None
        if world.chunk_size is not None:
            self.streamer = Streamer(scene, world, streaming)
            return
        pool = ThreadPoolExecutor(1, thread_name_prefix="world")
        self._made = pool.submit(self._make, scene)
        pool.shutdown(wait=False)

    def ready(self, places: list[np.ndarray]) -> bool:
        """Whether it can stand at once with robots at these places [m]; what is missing goes on being made."""
        if self.streamer is not None:
            return self.streamer.expect(places or [np.array(self.world.spawn())])
        return self._made is not None and self._made.done()

    def placements(self) -> list[Placement]:
        """Of a bounded world, made or waited for; what went wrong is raised."""
        return [] if self._made is None else self._made.result()

    def drop(self) -> None:
        """It will not be needed."""
        if self.streamer is not None:
            self.streamer.clear()
            self.streamer.close()
        if self._made is not None:
            self._made.cancel()

    def _make(self, scene: Scene) -> list[Placement]:
        made = self.world.generate((0, 0))
        for placement in made:
            for mesh in placement.meshes:
                scene.meshes.entry(mesh)
        return made


class Ground:
    """The world of a scenario, with the parameters that were changed since."""

    def __init__(self, scene: Scene, scenario: Scenario, seed: int) -> None:
        self._scene, self._scenario, self._seed = scene, scenario, seed
        same = seed == scenario.file.seed
        self._first = scenario.world if same else plan_world(scenario.file.world, seed, scenario.folder)
        self.world: World = self._first
        self.streamer: Streamer | None = None
        """Of an endless world."""
        self.changes: dict[str, Any] = {}
        """Parameters that are not those of the scenario."""
        self._placed: list[str] = []
        self._coming: Coming | None = None

    def prepare(self, changes: dict[str, Any], streaming: Streaming) -> Coming:
        """Have a world made in the background, which `stand` then takes if it is to stand by these changes."""
        if self._coming is not None:
            self._coming.drop()
        self._coming = Coming(self._scene, self.planned(changes), changes, streaming)
        return self._coming

    def planned(self, changes: dict[str, Any]) -> World:
        """The scenario's world with some parameters changed; what cannot be is refused."""
        data = self._scenario.world_with(changes)
        return plan_world(data, self._seed, self._scenario.folder) if changes else self._first

    def stand(self, world: World, changes: dict[str, Any], streaming: Streaming) -> None:
        """Put a world in the place of what stands."""
        self.world, self.changes = world, dict(changes)
        for name in self._placed:
            self._scene.remove(name)
        self._placed = []
        if self.streamer is not None:
            self.streamer.clear()
        self.streamer = None
        coming = self._taken(changes)
        if coming is not None:
            self.world = world = coming.world
        if world.chunk_size is not None:
            made = None if coming is None else coming.streamer
            self.streamer = made or Streamer(self._scene, world, streaming)
            if self.streamer.config != streaming:
                self.streamer.change(streaming)
            return
        for placement in world.generate((0, 0)) if coming is None else coming.placements():
            self._placed.append(self._scene.add(placement).name)

    def led(self, plan: RobotPlan) -> RobotPlan:
        """A robot's plan with start and path free of what stands, if it asks for that."""
        if not asks_for_a_way(plan):
            return plan
        if self.streamer is not None:
            start = np.array(plan.entry.position or self.world.spawn())
            places = [start, *corners_of(plan, self.world)]
            far = [p for p in places if np.linalg.norm(p - start) > 0.6 * self.streamer.config.visible]
            self.follow([start, *far])
        return led(plan, self.world, self._scene)

    def _taken(self, changes: dict[str, Any]) -> Coming | None:
        """The world that was made for these changes; one for others is kept for later."""
        if self._coming is None or self._coming.changes != changes:
            return None
        coming, self._coming = self._coming, None
        return coming

    def follow(self, places: list[np.ndarray]) -> None:
        """Bring an endless world up to date with where robots are [m]."""
        if self.streamer is not None:
            self.streamer.follow(places or [np.array(self.world.spawn())])
