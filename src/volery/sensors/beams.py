"""Light that is sent out and comes back: what lidars, laser scanners and optical rangefinders have in common.

A beam ends at the first surface, except that each surface lets the share `transparency` of beams pass and mirrors the
share `mirror`; a pane counts once, not at both its faces. The range is the whole length of a broken path, so what a
mirror shows appears behind it, as in life. The power that comes back from r metres is

    reflectivity · cos(incidence) · exp(-2·extinction·r)

The receiver notices it if power·(max_range/r)² exceeds `sensitivity`, with noise of a fifth of that: the chance is ½
where they are equal. Drops, flakes and grains near the sensor give false returns, as the weather has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from volery._native import sensors as native
from volery.core.config import param
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene
from volery.world.weather import Weather

__all__ = ["Beams", "OpticalConfig"]

_MOST_SURFACES = 8
"""Surfaces a beam may meet; after that it is lost between mirrors."""
_MODES = {"share": 0, "pass": 1, "stop": 2}


@dataclass(frozen=True)
class OpticalConfig(SensorConfig):
    """The knobs of sensors that send out light."""

    glass: Literal["share", "pass", "stop"] = "share"
    """At glass and mirrors: pass or are mirrored by chance, by their shares; always do so where the shares make more
    than half; never."""
    sensitivity: float = param(0.1, low=0.0, high=1.0)
    """Reflectivity that is just noticed at max_range, squarely hit in clear air; 0: a perfect receiver notices all."""
    dropout: float = param(0.0, low=0.0, high=1.0)
    """Chance that a beam tells nothing."""
    wavelength: float = param(905.0, low=400.0, high=2000.0)
    """For the air's extinction [nm]."""
    full_power_range: float = param(10.0, above=0)
    """Up to here intensity does not fall with range [m]."""
    range_exponent: float = param(0.0, low=0.0, high=4.0)
    """Beyond it intensity falls as (full_power_range / range) to this power: 2 is the raw echo of a surface wider than
    the beam, 0 an instrument that corrects for range."""
    channel: str | None = None
    """Which objects are seen: a channel of the scenario; by default all."""
    sees_self: bool = False
    """Whether beams stop at the robot that carries the sensor."""
    start: float = param(0.0, low=0.0, high=100.0)
    """Where beams begin [m]: nothing nearer is met. Inside its robot's body a sensor works three times as fast so."""


class _Surfaces:
    """What materials of a scene do to light, by their numbers."""

    def __init__(self, scene: Scene) -> None:
        self._materials = scene.materials
        self.optics = np.zeros(0, native.Optics)

    def sync(self) -> None:
        """Learn of materials that came since the last time."""
        kinds = self._materials.all
        if len(self.optics) == len(kinds):
            return
        self.optics = np.zeros(len(kinds), native.Optics)
        for column in ("reflectivity", "transparency", "mirror"):
            self.optics[column] = [getattr(m, column) for m in kinds]
        self.optics["label"] = [self._materials.label_id(m) for m in kinds]


class Beams:
    """The beams of one sensor, with all the room they need."""

    def __init__(self, sensor: Sensor, config: OpticalConfig, count: int, min_range: float, max_range: float) -> None:
        self._sensor, self._config = sensor, config
        self._scene = scene = sensor.environment.scene
        self.min_range, self.max_range = min_range, min(max_range, scene.horizon)
        self._mask = scene.channel(config.channel)
        self._ignore = scene.group(None if config.sees_self else sensor.robot.name)
        self._far = np.array([self.max_range], np.float32)
        self._surfaces = _Surfaces(scene)
        self._weather: Weather | None = None
        self._hits = Hits(scene, count)
        self._later: Hits | None = None
        self._ends = np.zeros(count, native.BeamEnd)
        self._which = np.zeros(count, np.int32)
        self._receiver = np.zeros(1, native.Receiver)
        self._receiver[["sensitivity", "min_range", "max_range", "full_power_range", "range_exponent", "dropout"]] = (
            config.sensitivity, self.min_range, self.max_range, config.full_power_range, config.range_exponent,
            config.dropout,
        )  # fmt: skip
        self._origins, self._directions = np.zeros((2, count, 3), np.float32)
        self._fars = np.zeros(count, np.float32)

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def path(self) -> np.ndarray:
        """Length of the beams to where they ended [m], float32 [n]; infinite if they did not."""
        return self._ends["path"]

    def send(
        self, origins: np.ndarray, directions: np.ndarray, R: np.ndarray, p: np.ndarray
    ) -> Casting[dict[str, np.ndarray]]:
        """Send beams given in S (float32 [n or 1, 3] and [n, 3]) from its pose in W; returns range, intensity
        (float32), label and object (int32), [n] each; NaN, 0 and -1 where nothing came back."""
        # One draw a reading, whatever the beams meet.
        key = int(self._sensor.generator.integers(0, 2**64, dtype=np.uint64))
        yield from self._trace(origins, directions, R, p, key)
        self._know_weather(self._sensor.environment.weather)
        self._haze(key)
        return self._receive(key)

    def _trace(
        self, origins: np.ndarray, directions: np.ndarray, R: np.ndarray, p: np.ndarray, key: int
    ) -> Casting[None]:
        """Follow all beams to where they end."""
        scene, surfaces = self._scene, self._surfaces
        hits, far, count = self._hits, self._far, len(self)
        mode = _MODES[self._config.glass]
        for surface in range(_MOST_SURFACES):
            near = self._config.start if surface == 0 else 0.0
            yield Cast(origins, directions, R, p, far, hits, self._mask, self._ignore, near)
            surfaces.sync()
            count = native.follow_beams(
                scene.tables, surfaces.optics, surface, surface == _MOST_SURFACES - 1, count, origins, directions, R,
                self.max_range, mode, key, hits.arrays, self._ends,
                self._which, self._origins, self._directions, self._fars,
            )  # fmt: skip
            if count == 0:
                return
            if self._later is None:
                self._later = Hits(scene, len(self))
            hits = self._later
            origins, directions, far = self._origins[:count], self._directions[:count], self._fars[:count]

    def _know_weather(self, weather: Weather) -> None:
        """Work out what follows from the weather, if it is another than the last time."""
        if weather is not self._weather:
            self._weather = weather
            self._receiver["extinction"] = weather.extinction(self._config.wavelength)
            self._false_return = float(weather.false_return(self.max_range))

    def _haze(self, key: int) -> None:
        """Beams that a particle sends back before they reach a surface."""
        if self._false_return == 0.0 or self._weather is None:
            return
        chance = np.empty(len(self))
        native.false_return_chances(key, chance)
        few = np.flatnonzero(chance < self._false_return)
        distance = self._weather.false_distance(chance[few])
        nearer = distance < self._ends["path"][few]
        self._ends["path"][few[nearer]] = distance[nearer]
        self._ends["material"][few[nearer]] = native.HAZE

    def _receive(self, key: int) -> dict[str, np.ndarray]:
        n = len(self)
        ranges, intensity = np.empty(n, np.float32), np.empty(n, np.float32)
        label, number = np.empty(n, np.int32), np.empty(n, np.int32)
        native.receive_echoes(
            self._scene.tables, self._surfaces.optics, self._ends, self._receiver, key, ranges, intensity, label, number
        )
        return {"range": ranges, "intensity": intensity, "label": label, "object": number}
