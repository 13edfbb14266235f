"""The time of day, and weather as AirSim has it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from volery.core.clock import SECOND
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import finite, finite_vector, flag, rpc, text, whole
from volery.protocols.airsim.ned import to_enu

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Sunlight"]

_FORMAT = "%Y-%m-%d %H:%M:%S"
_WEATHER = {0: "rain", 2: "snow", 6: "dust", 7: "fog"}
"""AirSim's parameters that are something in the air."""
_KNOWN = 9
_MOST_WIND = 100.0


class Sunlight:
    """Moves the sun by a clock of its own, and remembers weather while it is switched off."""

    def __init__(self, door: AirSim) -> None:
        self._door = door
        self._begin: datetime | None = None
        self._begin_ns = 0
        self._speed = 1.0
        self._interval_ns = SECOND
        self._next_ns = 0
        self.weather_on = False
        self.levels: dict[int, float] = dict.fromkeys(range(_KNOWN - 1), 0.0)

    def set(self, start: str, dst: bool, speed: float, interval: float, move_sun: bool) -> None:
        """Begin at a local date and time (empty: now), running at a multiple of the simulation's time.

        Local time is that of the origin's longitude, to whole hours.
        """
        if not start:
            begin = datetime.now(UTC)
        else:
            try:
                begin = datetime.strptime(start, _FORMAT).replace(tzinfo=UTC)
            except ValueError:
                raise SimulationError(f"'{start}' is not a date and time such as 2018-02-12 15:20:00") from None
            begin -= timedelta(hours=round(self._door.settings.origin[1] / 15.0) + int(dst))
        if not move_sun:
            return
        self._begin, self._begin_ns = begin, self._door.simulation.clock.now_ns
        self._speed, self._interval_ns = speed, max(round(interval * SECOND), 1)
        self._next_ns = 0
        self.follow()

    def off(self) -> None:
        """The sun as the scenario has it: as high as there, though the origin lies elsewhere on Earth."""
        self._begin = None
        sky = self._door.simulation.scenario.file.sky
        east = (sky.longitude - self._door.settings.origin[1]) / 15.0
        self._door.simulation.set("environment.sky.start", (sky.time(0) + timedelta(hours=east)).isoformat())

    def follow(self) -> None:
        """Move the sun on, once an interval."""
        now = self._door.simulation.clock.now_ns
        if self._begin is None or now < self._next_ns:
            return
        seconds = (now - self._begin_ns) / SECOND
        try:
            zero = self._begin + timedelta(seconds=self._speed * seconds - now / SECOND)
        except OverflowError:
            self._begin = None
            return
        self._door.simulation.set("environment.sky.start", zero.isoformat())
        self._next_ns = now + self._interval_ns

    def apply_weather(self) -> None:
        """What is in the air, if weather is switched on."""
        for k, name in _WEATHER.items():
            self._door.simulation.set(f"environment.weather.{name}", self.levels[k] if self.weather_on else 0.0)


@rpc("simSetTimeOfDay", flag, text, flag, finite, finite, flag)
def time_of_day(door: AirSim, on: bool, start: str, dst: bool, speed: float, interval: float, move_sun: bool) -> None:
    """Let the sun stand where it does at a date and time."""
    if on:
        door.sunlight.set(start, dst, speed, max(interval, 0.0), move_sun)
    else:
        door.sunlight.off()


@rpc("simEnableWeather", flag)
def enable_weather(door: AirSim, on: bool) -> None:
    """Switch rain, snow, dust and fog on or off."""
    door.sunlight.weather_on = on
    door.sunlight.apply_weather()


@rpc("simSetWeatherParameter", whole, finite)
def weather(door: AirSim, kind: int, level: float) -> None:
    """How much of something there is, 0 to 1; wet, snowy and leafy roads are only remembered."""
    if not 0 <= kind < _KNOWN or not 0.0 <= level <= 1.0:
        raise SimulationError(f"weather parameter {kind} = {level:g}: parameters are 0 to 8, values 0 to 1")
    if kind == _KNOWN - 1:
        enable_weather(door, level > 0.0)
        return
    door.sunlight.levels[kind] = level
    door.sunlight.apply_weather()


@rpc("simSetWind", finite_vector, newest=True)
def wind(door: AirSim, v_ned: np.ndarray) -> None:
    """A steady wind, world NED [m/s]."""
    if np.linalg.norm(v_ned) > _MOST_WIND:
        raise SimulationError(f"a wind of {np.linalg.norm(v_ned):g} m/s is more than {_MOST_WIND:g}")
    door.simulation.set("environment.wind.steady", to_enu(v_ned).tolist())
