"""The game mode: drones that come and go, the level with its weather, and settings of the whole."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.errors import SimulationError, VoleryError
from volery.ground import Coming
from volery.protocols.ueds.intime import LATEST, LateError
from volery.protocols.ueds.levels import MESHES, WEATHERS, level_named
from volery.protocols.ueds.unreal import where
from volery.world.world import World

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Ueds

__all__ = ["Game"]

_log = logging.getLogger("volery")
_AIR = {"type": "empty", "ground": False}
"""The world while a level is made."""
_FOREST = "infinite_forest"
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
        self.ground_W = np.zeros(3)
        """The ground below the start marker [m]."""
        self._origin: tuple[float, float, float] | None = (0.0, 0.0, 0.0)
        """The start marker [cm]; None: not known yet."""
        self._known, self._wanting = threading.Condition(), threading.Lock()
        self._wanted: dict[str, Any] | None = None
        """Type and parameters of the world that is wanted, and of the one that stands; None: the scenario's."""
        self._stands: dict[str, Any] | None = None
        self._coming: tuple[dict[str, Any], Coming] | None = None
        self._world: World | None = None
        """The world that stands, as this knows it."""

    def find_origin(self) -> None:
        """Put the start marker on the ground below the world's place to start; for the loop."""
        simulation = self._door.simulation
        self._world = world = simulation.world
        ground = world.start()
        if ground is None:
            start = np.array(world.spawn(), float)
            hits = simulation.scene.cast(
                start, np.array([[0.0, 0.0, -1.0]]), max_range=1000.0, channel=self._ground_channel
            )
            ground = tuple(hits.points[0] if hits.hit[0] else start * [1.0, 1.0, 0.0])
        self._mark(ground)

    @property
    def _ground_channel(self) -> str | None:
        return self._door.settings.channel if self._door.has_channel else None

    def _mark(self, ground: tuple[float, float, float] | None) -> None:
        """The ground below the start marker is known, or will be when the level stands."""
        with self._known:
            self._origin = None
            if ground is not None:
                self.ground_W = np.array(ground, float)
                self._origin = where(self.ground_W + [0.0, 0.0, _MARKER])
            self._known.notify_all()

    def origin(self, seconds: float = LATEST) -> tuple[float, float, float]:
        """The start marker of the level that is wanted [cm]; it may be waited for, and be `LateError`."""
        with self._known:
            if not self._known.wait_for(lambda: self._origin is not None, seconds) or self._origin is None:
                raise LateError("the level is being made; ask again")
            return self._origin

    # The level. Clients say what is wanted, and the loop makes it; until then there is air, in which drones wait

    def want(self, level: str | None = None, density: int | None = None, hills: int | None = None) -> None:
        """Say what the level is to be: what is not said stays. The newest counts; what stands already is not made
        again. Any thread may call, after that the origin is that of the level to come."""
        with self._wanting:
            density, hills = density or self.density, hills or self.hills
            name = self.level if level is None else level
            if not name and type(self._door.simulation.world).__name__ == "Forest":
                name = "forest"
            parameters = level_named(name, density, hills) if name else None
            if parameters is not None and parameters != self._wanted:
                if level is None and parameters["type"] != "forest":
                    parameters = self._wanted
                else:
                    self._mark(
                        self._door.simulation.scenario.other_world(parameters, self._door.simulation.seed).start()
                    )
            self.density, self.hills, self.level = density, hills, name
            self._wanted = parameters

    def warm(self) -> None:
        """Have what the first client would wait for made before it asks: the models of trees decide where is room."""
        self._door.simulation.scenario.other_world(level_named(_FOREST, self.density, self.hills), 0).start()

    @property
    def grown(self) -> bool:
        """Whether the level that is wanted stands."""
        return self._wanted == self._stands

    def follow(self) -> None:
        """Bring the world on its way to what is wanted; for the loop."""
        wanted, simulation = self._wanted, self._door.simulation
        if wanted == self._stands and simulation.world is not self._world:
            # Somebody else has changed it, or has reset the simulation.
            self._wanted = self._stands = None
            self.find_origin()
        if wanted == self._stands or wanted is None or self._door.comings.waiting:
            return
        if self._coming is None or self._coming[0] != wanted:
            self._begin(wanted)
        _, coming = self._coming  # type: ignore[misc]
        if self._door.paused or coming.ready([r.p_WB for r in simulation.robots.values()]):
            self._stand(wanted, coming)

    def _begin(self, wanted: dict[str, Any]) -> None:
        simulation = self._door.simulation
        self._door.objects.forget()
        if self._coming is None:
            simulation.change_world(**_AIR)
            self._world = simulation.world
        self._coming = (wanted, simulation.prepare_world(**wanted))

    def _stand(self, wanted: dict[str, Any], coming: Coming) -> None:
        self._coming = None
        try:
            coming.placements()
            self._door.simulation.change_world(**wanted)
        except VoleryError as error:
            _log.error("UEds: the level %s cannot be made: %s", self.level, error)
        self._stands = wanted
        self.find_origin()
        self._door.objects.again()

    def switch_now(self, level: str) -> None:
        """Another level, before the loop runs."""
        self.want(level)
        assert self._wanted is not None
        self._door.simulation.change_world(**self._wanted)
        self._stands = self._wanted
        self.find_origin()

    # Air; for the loop

    @staticmethod
    def checked_weather(number: int) -> None:
        """Refuse a weather that there is not."""
        if not 0 <= number < len(WEATHERS):
            raise SimulationError(f"weather {number}: 0 to {len(WEATHERS) - 1}")

    def set_weather(self, number: int) -> None:
        """Weather by number."""
        levels = dict(WEATHERS[number])
        simulation = self._door.simulation
        simulation.set("environment.sky.clouds", levels.pop("clouds", simulation.scenario.file.sky.clouds))
        for name in ("fog", "rain", "snow", "dust"):
            simulation.set(f"environment.weather.{name}", levels.get(name, 0.0))

    def set_daytime(self, hours: float) -> None:
        """The time of day [h]."""
        self._door.simulation.set("environment.time_of_day", min(hours, 24.0))

    @staticmethod
    def robot_of(mesh: str) -> str:
        """The robot that a mesh of a name is here."""
        if mesh not in MESHES:
            raise SimulationError(f"there is no mesh '{mesh}'; known: {', '.join(MESHES)}")
        return MESHES[mesh]
