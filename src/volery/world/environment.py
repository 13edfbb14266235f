"""All that surrounds robots: the scene that rays see, and the air, wind, sun and weather over it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from volery.core.config import SourceLocation, build
from volery.core.drawings import Drawings
from volery.world.atmosphere import Atmosphere
from volery.world.scene.edits import EditableObjects
from volery.world.scene.scene import Scene
from volery.world.scene.tags import Tags
from volery.world.sky import Sky
from volery.world.weather import Weather
from volery.world.wind import Wind

__all__ = ["Environment", "Light", "Spot"]

_PARTS = {"wind": Wind, "sky": Sky, "weather": Weather, "atmosphere": Atmosphere}


class Spot(NamedTuple):
    """A light that shines into a cone."""

    p_W: np.ndarray
    """[3] [m]."""
    ahead_W: np.ndarray
    """Axis of the cone, a unit vector, [3]."""
    light: np.ndarray
    """Linear RGB on a surface 1 m ahead that faces it, [3]; falls with the distance squared. The noon sun is 1."""
    cosine: float
    """Of half the angle of the cone."""


class Light(Protocol):
    """Something on a robot that can shine."""

    def spot(self) -> Spot | None:
        """Where and how it shines now; None: not."""


@dataclass
class Environment:
    """What sensors and physics ask. Its parts may be exchanged while running, such as the weather."""

    scene: Scene
    wind: Wind = field(default_factory=Wind)
    sky: Sky = field(default_factory=Sky)
    weather: Weather = field(default_factory=Weather)
    atmosphere: Atmosphere = field(default_factory=Atmosphere)

    def __post_init__(self) -> None:
        self.tags = Tags(self.scene)
        """What robots dropped and wrote."""
        self.edits = EditableObjects(self.scene)
        """What came, went or changed in the world while running."""
        self.drawings = Drawings()
        """What programs draw for people; no part of the simulation."""
        self.lights: dict[str, dict[str, Light]] = {}
        """Lights that robots carry, by robot and name."""

    def spots(self) -> list[Spot]:
        """All lights of robots and lamps of things that shine now."""
        found = (light.spot() for own in self.lights.values() for light in own.values())
        return [*(spot for spot in found if spot is not None), *(Spot(*lamp) for lamp in self.edits.shining())]

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back; the rest of the scene is made anew from world and robots."""
        parts = {name: asdict(getattr(self, name)) for name in _PARTS}
        return {**parts, "tags": self.tags.state(), "things": self.edits.state()}

    @staticmethod
    def of_today(state: Any) -> Any:
        """A state of an earlier version with what its parts have had since, as it was before."""
        if not isinstance(state, dict) or not isinstance(state.get("sky"), dict):
            return state
        return {**state, "sky": {**state["sky"], "clouds": state["sky"].get("clouds", 0.0)}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        for name, cls in _PARTS.items():
            setattr(self, name, build(cls, state[name], SourceLocation(path=(name,))))
        self.edits.restore(state["things"])
        self.tags.restore(state["tags"])
