"""Finding people, as in USARSim: the victim sensor."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import ClassVar

import numpy as np

from volery.core.config import param
from volery.errors import ScenarioError
from volery.sensors.outputs import Output, array_output
from volery.sensors.sensor import RaySensor, SensorConfig
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits

__all__ = ["PARTS", "STATUS", "VictimSensor", "VictimSensorConfig", "name_matches"]

PARTS = ("Head", "Arm", "Hand", "Chest", "Pelvis", "Leg", "Foot")
"""Parts of a victim by number."""
STATUS = ("aware", "semi-conscious", "unaware")
"""Status of a victim by number."""
_PART_OF = {
    "skin": "Hand", "shirt": "Chest", "trousers": "Leg", "hair": "Head", "eye": "Head", "iris": "Head", "mouth": "Head",
    "shoes": "Foot",
}  # fmt: skip
"""By material; a face is skin of some status."""


@lru_cache(maxsize=65_536)
def name_matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether an object's name, or what it is called within its chunk, matches one of the patterns."""
    last = name.rpartition("/")[2]
    return any(fnmatchcase(name, p) or fnmatchcase(last, p) for p in patterns)


@dataclass(frozen=True)
class VictimSensorConfig(SensorConfig):
    """Parameters of a victim sensor."""

    rate: float = param(1.25, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    range: float = param(6.0, above=0, high=1e4)
    """[m]."""
    width_deg: float = param(60.0, above=0, high=170.0)
    """Horizontal field of view [deg]."""
    height_deg: float = param(45.0, above=0, high=170.0)
    """Vertical field of view [deg]."""
    step_deg: float = param(1.0, low=0.05, high=45.0)
    """Between neighbouring rays [deg]."""
    least: int = param(2, low=1, high=10_000)
    """Rays that must meet a part before it is told."""
    decoys: tuple[str, ...] = ()
    """Names (patterns) of things that it sometimes takes for a victim."""
    decoy_chance: float = param(0.3, low=0.0, high=1.0)
    """How often it does, per reading and thing in sight."""
    channel: str | None = None
    """Which objects are seen: a channel of the scenario; by default all."""


def _fan(config: VictimSensorConfig) -> np.ndarray:
    """Unit directions of a grid of yaw and pitch, float32 [n, 3]."""
    counts = [max(round(a / config.step_deg), 1) + 1 for a in (config.width_deg, config.height_deg)]
    if counts[0] * counts[1] > 1_000_000:
        raise ScenarioError(f"victim sensor: {counts[0]} × {counts[1]} rays are too many; use a larger step_deg")
    half = np.radians([config.width_deg, config.height_deg]) / 2
    yaw, pitch = np.meshgrid(np.linspace(-half[0], half[0], counts[0]), np.linspace(-half[1], half[1], counts[1]))
    flat = np.cos(pitch)
    d = np.stack([flat * np.cos(yaw), flat * np.sin(yaw), np.sin(pitch)], axis=-1).reshape(-1, 3)
    return np.ascontiguousarray(d, np.float32)


class VictimSensor(RaySensor):
    """Rays over a field of view, sorted by the parts of victims they meet (materials with the label 'victim').

    Reading, n parts in view, by object and part: object [n] number of the scene's object; part [n] number in PARTS;
    location [n, 3] middle of what was seen of it, in the sensor's axes [m]; rays [n] that met it.
    """

    Config: ClassVar[type[SensorConfig]] = VictimSensorConfig
    noisy: ClassVar[tuple[str, ...]] = ("location",)
    config: VictimSensorConfig

    def prepare(self) -> None:
        """Make the fan, and room for what it meets."""
        scene, config = self.environment.scene, self.config
        self._directions = _fan(config)
        self._origin, self._far = np.zeros((1, 3), np.float32), np.array([config.range], np.float32)
        self._mask, self._ignore = scene.channel(config.channel), scene.group(self.robot.name)
        self._hits = Hits(scene, len(self._directions), normals=False)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """Cast the fan and gather what belongs together."""
        X, hits = self.X_WS, self._hits
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        yield Cast(self._origin, self._directions, R, p, self._far, hits, self._mask, self._ignore)
        part = self._parts(hits)
        rays = np.flatnonzero(part >= 0)
        # Rows only tell instances of an object apart: where they lie depends on what came and went before.
        keys = np.stack([hits.object[rays], hits.row[rays], part[rays]])
        groups, member, count = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
        where = self._directions[rays].astype(np.float64) * hits.distance[rays, None]
        middle = np.zeros((len(count), 3))
        np.add.at(middle, member.reshape(-1), where)
        told = count >= self.config.least
        return {
            "object": groups[0][told].astype(np.int32),
            "part": groups[2][told].astype(np.int8),
            "location": (middle / np.maximum(count, 1)[:, None])[told],
            "rays": count[told].astype(np.int32),
        }

    def _parts(self, hits: Hits) -> np.ndarray:
        """Part that each ray met, [n]; -1 for none."""
        scene = self.environment.scene
        table = np.full(len(scene.materials.all) + 1, -1)
        for i, m in enumerate(scene.materials.all):
            if m.label_name == "victim":
                name = "Head" if m.name.startswith("skin_") else _PART_OF.get(m.name, "Chest")
                table[i] = PARTS.index(name) if name else -1
        part = table[hits.material]
        if self.config.decoys:
            for number in np.unique(hits.object[hits.hit]):
                if name_matches(scene.object_name(int(number)), self.config.decoys):
                    fooled = self.generator.random() < self.config.decoy_chance
                    part[hits.object == number] = self.generator.integers(len(PARTS)) if fooled else -1
        return part

    def outputs(self) -> list[Output]:
        """All arrays as numbers."""
        return [array_output(name) for name in ("object", "part", "location", "rays")]
