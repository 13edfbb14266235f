"""An echo sensor as Cosys-AirSim has it: signals go out all round, bounce, and some come back to the sensor."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from volery.errors import ScenarioError
from volery.protocols.airsim.settings_parts import SensorSettings
from volery.world.scene.scene import Scene

__all__ = ["Echo", "Echoes"]

_LIFT = 1e-3
"""A reflected signal starts this far off the surface [m]."""


class Echoes(NamedTuple):
    """What came back."""

    points_W: np.ndarray
    """Last surface on the way, [n, 3] [m]."""
    attenuation: np.ndarray
    """[n] [dB]."""
    distance: np.ndarray
    """Whole way out and back, [n] [m]."""
    bounces: np.ndarray
    """[n]."""
    objects: np.ndarray
    """Number of the thing of the last surface, [n]."""


def _value(sensor: SensorSettings, key: str, default: float) -> float:
    value = sensor.values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ScenarioError(f"sensor '{sensor.name}': {key} = {value!r} must be a number")
    return float(value)


class Echo:
    """Directions and limits of one sensor."""

    def __init__(self, sensor: SensorSettings) -> None:
        rays = _value(sensor, "NumberOfTraces", 2000)
        if not 1 <= abs(rays) <= 100_000:
            raise ScenarioError(f"sensor '{sensor.name}': NumberOfTraces = {rays:g} must be 1 to 100000")
        limits = [_value(sensor, f"Sensor{w}{a}Limit", d) for a in ("Azimuth", "Elevation")
                  for w, d in (("Lower", -90.0), ("Upper", 90.0))]  # fmt: skip
        self.directions = _spread(int(abs(rays)), *limits, flat=rays < 0)
        self.rate = max(_value(sensor, "MeasurementFrequency", 5.0), 1e-3)
        self._opening = math.radians(_value(sensor, "ReflectionOpeningAngle", 10.0))
        self._bounces = int(min(max(_value(sensor, "ReflectionLimit", 3), 1), 20))
        self._reach = min(max(_value(sensor, "DistanceLimit", 10.0), 0.01), 10_000.0)
        self._radius = _value(sensor, "SensorDiameter", 0.5) / 2
        self._per_metre = abs(_value(sensor, "AttenuationPerDistance", 0.0))
        self._per_bounce = abs(_value(sensor, "AttenuationPerReflection", 0.0))
        self._weakest = _value(sensor, "AttenuationLimit", -100.0)

    def listen(self, scene: Scene, X_WS: np.ndarray, owner: str) -> Echoes:
        """Send signals out from a pose [3, 4] (forward, left, up) and gather what comes back."""
        p, v = np.tile(X_WS[:, 3], (len(self.directions), 1)), self.directions @ X_WS[:, :3].T
        way, found = np.zeros(len(v)), []
        for bounce in range(1, self._bounces + 1):
            if len(v) == 0:
                break
            hits = scene.cast(p, v, max_range=self._reach, ignore=owner)
            way = way + hits.distance
            alive = hits.hit & (way <= self._reach)
            p, v, way, normal, number = hits.points[alive], v[alive], way[alive], hits.normal[alive], hits.object[alive]
            facing = np.einsum("ij,ij->i", v, normal)
            normal = normal * -np.sign(facing)[:, None]
            v = v - 2.0 * np.einsum("ij,ij->i", v, normal)[:, None] * normal
            p = p + _LIFT * normal
            found.append(self._back(scene, X_WS[:, 3], owner, p, v, way, number, bounce))
        return Echoes(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def _back(
        self, scene: Scene, ear: np.ndarray, owner: str, p: np.ndarray, v: np.ndarray, way: np.ndarray,
        number: np.ndarray, bounce: int,
    ) -> tuple[np.ndarray, ...]:  # fmt: skip
        """Of signals that leave surfaces at p towards v, those that reach the sensor."""
        home = ear - p
        distance = np.linalg.norm(home, axis=1)
        # Heard within half the opening angle of the reflection, and a little more by the sensor's size.
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", v, home) / np.maximum(distance, 1e-9), -1.0, 1.0))
        heard = angle <= self._opening / 2 + np.arctan2(self._radius, np.maximum(distance, 1e-9))
        whole = way + distance
        weakened = -(self._per_metre * whole + self._per_bounce * bounce)
        heard &= (whole <= 2 * self._reach) & (weakened >= self._weakest)
        if heard.any():
            heard[heard] = ~scene.occluded(p[heard], ear, ignore=owner)
        count = int(heard.sum())
        return p[heard], weakened[heard], whole[heard], np.full(count, bounce), number[heard]


def _spread(rays: int, low_a: float, high_a: float, low_e: float, high_e: float, *, flat: bool) -> np.ndarray:
    """Unit vectors (forward, left, up), evenly over a part of the sphere, or in the level plane, [n, 3]."""
    k = np.arange(rays) + 0.5
    azimuth = np.radians(low_a + (high_a - low_a) * (k / rays if flat else k * 0.6180339887498949 % 1.0))
    low, high = np.sin(np.radians([max(low_e, -90.0), min(high_e, 90.0)]))
    up = np.zeros(rays) if flat else low + (high - low) * k / rays
    level = np.sqrt(1.0 - up * up)
    # Azimuth grows to the right.
    return np.stack([level * np.cos(azimuth), -level * np.sin(azimuth), up], axis=1)
