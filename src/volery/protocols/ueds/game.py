"""The game mode: drones that come and go, the level with its weather, and settings of the whole."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.errors import SimulationError, VoleryError
from volery.protocols.ueds.levels import MESHES, WEATHERS, level_named
from volery.protocols.ueds.unreal import where

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Ueds

__all__ = ["Game"]

_log = logging.getLogger("volery")
_MARKER = 0.9212
"""Height of the middle of the level's start marker above the ground [m]; clients take it off."""


class Game:
    """What all drones share. Clients' threads read it; what changes the simulation is done by the loop."""

    def __init__(self, door: Ueds) -> None:
        self._door = door
        self.capture = 2
        """Of cameras: all frames, on movement, on demand; kept."""
        self.graphics = 3
        """Low, medium, high, epic, cinematic, custom: the quality of pictures."""
        self.density = 5
        self.hills = 3
        self.mutual = True
        """Whether drones see and hit each other."""
        self.level = door.settings.world
        """Name of the level; empty: the scenario's own world."""
        self.origin = (0.0, 0.0, 0.0)
        """The start marker [cm]."""
        self.ground_W = np.zeros(3)
        """The ground below it [m]."""

    def find_origin(self) -> None:
        """Put the start marker on the ground below the world's place to start; for the loop."""
        simulation = self._door.simulation
        start = np.array(simulation.world.spawn(), float)
        hits = simulation.scene.cast(
            start, np.array([[0.0, 0.0, -1.0]]), max_range=1000.0, channel=self._ground_channel
        )
        ground = hits.points[0] if hits.hit[0] else start * [1.0, 1.0, 0.0]
        self.ground_W = ground
        self.origin = where(ground + [0.0, 0.0, _MARKER])

    @property
    def _ground_channel(self) -> str | None:
        return self._door.settings.channel if self._door.has_channel else None

    # The level; for the loop, after the client has been answered

    def switch(self, level: str) -> None:
        """Another level: all drones go."""
        self._door.remove_all()
        self._change(level, level_named(level, self.density, self.hills))

    def grow(self) -> None:
        """The forest with its density and hills as they are set now; other levels wait for the next forest."""
        world = self._door.simulation.world
        if self.level or type(world).__name__ == "Forest":
            level = self.level or "forest"
            parameters = level_named(level, self.density, self.hills)
            if parameters["type"] == "forest" and type(world).__name__ == "Forest":
                self._change(level, parameters)

    def _change(self, level: str, parameters: dict[str, Any]) -> None:
        try:
            self._door.simulation.change_world(**parameters)
        except VoleryError as error:
            _log.error("UEds: the level %s cannot be made: %s", level, error)
            return
        self.level = level
        self.find_origin()

    # Air; for the loop

    def set_weather(self, number: int) -> None:
        """Weather by number."""
        if not 0 <= number < len(WEATHERS):
            raise SimulationError(f"weather {number}: 0 to {len(WEATHERS) - 1}")
        levels = dict(WEATHERS[number])
        simulation = self._door.simulation
        simulation.set("environment.sky.haze", levels.pop("haze", simulation.scenario.file.sky.haze))
        for name in ("fog", "rain", "snow", "dust"):
            simulation.set(f"environment.weather.{name}", levels.get(name, 0.0))

    def set_daytime(self, hour: int, minute: int) -> None:
        """The time of day."""
        if not (0 <= hour <= 24 and 0 <= minute < 60):
            raise SimulationError(f"{hour}:{minute} is no time of day")
        self._door.simulation.set("environment.time_of_day", min(hour + minute / 60.0, 24.0))

    @staticmethod
    def robot_of(mesh: str) -> str:
        """The robot that a mesh of a name is here."""
        if mesh not in MESHES:
            raise SimulationError(f"there is no mesh '{mesh}'; known: {', '.join(MESHES)}")
        return MESHES[mesh]
