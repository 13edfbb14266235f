"""The world as it stands in the scene: a bounded one placed whole, an endless one streamed round the robots."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.led import asks_for_a_way, corners_of, led
from volery.scenario import RobotPlan, Scenario, plan_world
from volery.world.chunks import Streamer, Streaming
from volery.world.scene.scene import Scene
from volery.world.world import World

__all__ = ["Ground"]


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
        if world.chunk_size is not None:
            self.streamer = Streamer(self._scene, world, streaming)
            return
        for placement in world.generate((0, 0)):
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

    def follow(self, places: list[np.ndarray]) -> None:
        """Bring an endless world up to date with where robots are [m]."""
        if self.streamer is not None:
            self.streamer.follow(places or [np.array(self.world.spawn())])
