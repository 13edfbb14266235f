"""All that surrounds robots: the scene that rays see, and the air, wind, sun and weather over it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from volery.core.config import Place, build
from volery.world.atmosphere import Atmosphere
from volery.world.scene import Scene
from volery.world.sky import Sky
from volery.world.weather import Weather
from volery.world.wind import Wind

__all__ = ["Environment"]

_PARTS = {"wind": Wind, "sky": Sky, "weather": Weather, "atmosphere": Atmosphere}


@dataclass
class Environment:
    """What sensors and physics ask. Its parts may be exchanged while running, such as the weather."""

    scene: Scene
    wind: Wind = field(default_factory=Wind)
    sky: Sky = field(default_factory=Sky)
    weather: Weather = field(default_factory=Weather)
    atmosphere: Atmosphere = field(default_factory=Atmosphere)

    def state(self) -> dict:
        """Plain data that `restore` takes back; the scene is made anew from world and robots."""
        return {name: asdict(getattr(self, name)) for name in _PARTS}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        for name, cls in _PARTS.items():
            setattr(self, name, build(cls, state[name], Place(path=(name,))))
