"""A sensor made anew with other parameters while it runs, going on from where it was."""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import fields
from typing import Any

import numpy as np

from volery.core.state import encode
from volery.sensors.sensor import Sensor, SensorConfig

__all__ = ["renewed", "sensors_of_today"]

_COMMON = {f.name for f in fields(SensorConfig)}
_READINGS = ("recent", "waiting")


def renewed(sensor: Sensor, config: SensorConfig) -> Sensor:
    """The same sensor with another config; one it cannot work with is an error before anything changes.

    Chance goes on from the same generator. What the sensor remembers is handed over if it still fits and is not what
    the new config decides, such as whether a lamp is lit. Readings on their way or kept are those of another
    instrument, and dropped, unless only knobs that all sensors have were changed.
    """
    before, after = _trial(sensor, sensor.config), _trial(sensor, config)
    made = type(sensor)(sensor.name, config, sensor.robot, sensor.environment, sensor.generator)
    made.restore(_merged(sensor.state(), before, after, _same_instrument(sensor.config, config)))
    made.on_operated = sensor.on_operated
    return made


def _trial(sensor: Sensor, config: SensorConfig) -> dict[str, Any]:
    """The state in which a sensor with this config begins; made aside, so that nobody notices."""
    aside = copy(sensor.environment)
    aside.lights = {}
    return type(sensor)(sensor.name, config, sensor.robot, aside, deepcopy(sensor.generator)).state()


def _same_instrument(old: SensorConfig, new: SensorConfig) -> bool:
    return all(getattr(old, f.name) == getattr(new, f.name) for f in fields(new) if f.name not in _COMMON)


def _merged(now: dict[str, Any], before: dict[str, Any], after: dict[str, Any], same: bool) -> dict[str, Any]:
    """Of the state now, all that fits a sensor that begins with `after`; `before`: how it began with the old config."""
    decided = {key for key in after if encode(after[key]) != encode(before[key])}
    noises = {name: now["noises"].get(name, fresh) for name, fresh in after["noises"].items()}
    own = [key for key in after if key not in (*_READINGS, "noises", *decided)]
    fits = all(_alike(now[key], after[key]) for key in own)
    kept = {key: now[key] for key in own if fits} | {key: now[key] for key in _READINGS if same}
    return {**after, **kept, "noises": noises}


def _alike(old: Any, fresh: Any) -> bool:
    """Whether what is remembered has the form of what a new sensor begins with."""
    if old is None or fresh is None:
        return True
    if isinstance(old, np.ndarray) and isinstance(fresh, np.ndarray):
        return old.shape == fresh.shape
    if isinstance(old, dict) and isinstance(fresh, dict):
        return not fresh or (old.keys() == fresh.keys() and all(_alike(old[k], fresh[k]) for k in fresh))
    return True


def sensors_of_today(state: Any) -> Any:
    """The `sensors` of a snapshot, robot by robot; what is no such thing is left as it is."""
    if not isinstance(state, dict) or not all(isinstance(own, dict) for own in state.values()):
        return state
    return {robot: {name: _sensor_of_today(inner) for name, inner in own.items()} for robot, own in state.items()}


def _sensor_of_today(state: Any) -> Any:
    """The state of one sensor: what it has come to remember since then begins anew."""
    if not isinstance(state, dict):
        return state
    if {"last_wheels", "scales"} <= state.keys() and "P" not in state:
        return {**state, "P": np.zeros((8, 8))}
    if {"aim", "zoom", "poses"} <= state.keys() and "asked" not in state:
        return {**state, "asked": False}
    return state
