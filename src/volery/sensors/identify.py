"""Finding and naming things, as in USARSim: the victim sensor, RFID readers, and tags that victims wear."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from volery.core.config import param
from volery.errors import ScenarioError
from volery.robots.robot import Robot
from volery.sensors.rescue import sees
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.environment import Environment
from volery.world.hits import Hits
from volery.world.scene import SceneObject

__all__ = [
    "PARTS",
    "STATUS",
    "Rfid",
    "RfidConfig",
    "VictimSensor",
    "VictimSensorConfig",
    "VictimTag",
    "VictimTagConfig",
]

PARTS = ("Head", "Arm", "Hand", "Chest", "Pelvis", "Leg", "Foot")
"""Parts of a victim by number."""
STATUS = ("aware", "semi-conscious", "unaware")
"""Status of a victim by number."""
_PART_OF = {"skin": "Hand", "shirt": "Chest", "trousers": "Leg", "hair": ""}
"""By material; a face is skin of some status. Hair is no part of its own (shoes are made of it too)."""
_LIGHT = 299_792_458.0


@lru_cache(maxsize=65_536)
def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, p) for p in patterns)


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


class VictimSensor(Sensor):
    """Rays over a field of view, sorted by the parts of victims they meet (materials with the label 'victim').

    Reading, n parts in view: object [n] number of the scene's object; part [n] number in PARTS; location [n, 3] middle
    of what was seen of it, in the sensor's axes [m]; rays [n] that met it.
    """

    Config: ClassVar[type[SensorConfig]] = VictimSensorConfig
    noisy: ClassVar[tuple[str, ...]] = ("location",)
    config: VictimSensorConfig

    def __init__(
        self, name: str, config: VictimSensorConfig, robot: Robot, environment: Environment,
        generator: np.random.Generator,
    ) -> None:  # fmt: skip
        super().__init__(name, config, robot, environment, generator)
        scene = environment.scene
        self._directions = _fan(config)
        self._origin, self._far = np.zeros((1, 3), np.float32), np.array([config.range], np.float32)
        self._mask, self._ignore = scene.channel(config.channel), scene.group(robot.name)
        self._hits = Hits(scene, len(self._directions), normals=False)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Cast the fan and gather what belongs together."""
        X, scene, hits = self.X_WS, self.environment.scene, self._hits
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        scene.cast_pattern(
            self._origin, self._directions, R, p, self._far, hits, mask=self._mask, ignore=self._ignore
        )  # fmt: skip
        part = self._parts(hits)
        rays = np.flatnonzero(part >= 0)
        groups, member, count = np.unique(
            np.stack([hits.row[rays], part[rays]]), axis=1, return_inverse=True, return_counts=True
        )
        where = self._directions[rays].astype(np.float64) * hits.distance[rays, None]
        middle = np.zeros((len(count), 3))
        np.add.at(middle, member.reshape(-1), where)
        told = count >= self.config.least
        return {
            "object": scene.rows.object[groups[0][told].astype(int)].astype(np.int32),
            "part": groups[1][told].astype(np.int8),
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
                if _matches(scene.object_name(int(number)), self.config.decoys):
                    fooled = self.generator.random() < self.config.decoy_chance
                    part[hits.object == number] = self.generator.integers(len(PARTS)) if fooled else -1
        return part


@dataclass(frozen=True)
class RfidConfig(SensorConfig):
    """Parameters of an RFID reader."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    tags: tuple[str, ...] = ("rfid*", "tag*")
    """Names (patterns) of the objects that are tags; the number at the end of the name is the tag's."""
    mode: Literal["radius", "obstacle", "attenuation"] = "radius"
    """Range alone; range and line of sight; or strong enough after the way there and back."""
    range: float = param(5.0, above=0, high=1e4)
    """[m]."""
    transmit: float = param(36.0, low=-100.0, high=100.0)
    """Power sent [dBm]."""
    frequency: float = param(915e6, low=1e4, high=1e11)
    """[Hz]."""
    blocked_loss: float = param(10.0, low=0.0, high=500.0)
    """Lost each way if something is between [dB]."""
    threshold: float = param(-75.0, low=-300.0, high=100.0)
    """Weakest answer that is understood [dBm]."""
    channel: str | None = None
    """What stands in the way: a channel of the scenario; by default all."""


class Rfid(Sensor):
    """Reading, n tags read, nearest first: id [n] (int64); location [n, 3] in the sensor's axes [m]; power [n] of the
    answer [dBm]: transmit − 2 · (20 log10(4π d / λ) + blocked_loss if blocked)."""

    Config: ClassVar[type[SensorConfig]] = RfidConfig
    noisy: ClassVar[tuple[str, ...]] = ("location", "power")
    config: RfidConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Ask all tags within reach."""
        items, location, power = self._read()
        ids = [_tag_number(item) for item in items]
        return {"id": np.array(ids, np.int64), "location": location, "power": power}

    def _read(self) -> tuple[list[SceneObject], np.ndarray, np.ndarray]:
        """Tags that answer, nearest first, where they are in S [m] and how strong they are [dBm]."""
        c, X = self.config, self.X_WS
        items = [o for name, o in self.environment.scene.objects.items() if _matches(name, c.tags)]
        places = np.array([_centre(item) for item in items]).reshape(-1, 3)
        distance = np.linalg.norm(places - X[:, 3], axis=1)
        order = np.argsort(distance, kind="stable")
        order = order[distance[order] <= c.range]
        items, places, distance = [items[i] for i in order], places[order], distance[order]
        clear = sees(self, X[:, 3], places, np.array([i.first_row for i in items], int), c.channel)
        loss = 20 * np.log10(4 * np.pi * np.maximum(distance, 0.01) * c.frequency / _LIGHT) + ~clear * c.blocked_loss
        power = c.transmit - 2 * loss
        read = {"radius": np.ones(len(items), bool), "obstacle": clear, "attenuation": power >= c.threshold}[c.mode]
        kept = [item for item, r in zip(items, read, strict=True) if r]
        return kept, ((places - X[:, 3]) @ X[:, :3])[read], power[read]


@dataclass(frozen=True)
class VictimTagConfig(RfidConfig):
    """Parameters of a reader for the tags of victims; what it learns depends on how near it is."""

    tags: tuple[str, ...] = ("victim_[0-9]", "victim_[0-9][0-9]", "decoy*")
    """Names (patterns) of the objects that wear one; the number at the end of the name is the tag's."""
    levels: tuple[float, float, float, float] = param((8.0, 5.0, 3.0, 1.5), low=0.0)
    """Distances within which it is seen, known to be a victim or a false alarm, told by number, and by status [m]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.levels) != sorted(self.levels, reverse=True):
            raise ScenarioError("victim tag: the levels must not grow; nearer tells more")
        object.__setattr__(self, "range", self.levels[0])


class VictimTag(Rfid):
    """Reading, n tags read, nearest first: level [n]: 1 seen, 2 real or not is known, 3 id too, 4 status too; real [n]
    1 victim, 0 false alarm, -1 unknown; id [n], -1 unknown; status [n] number in STATUS, -1 unknown; location [n, 3]
    in the sensor's axes [m]; power [n] [dBm]."""

    Config: ClassVar[type[SensorConfig]] = VictimTagConfig
    config: VictimTagConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Read tags, and keep back what one is too far away to know."""
        items, location, power = self._read()
        distance = np.linalg.norm(location, axis=1)
        level = (distance[:, None] <= np.array(self.config.levels) + 1e-9).sum(axis=1).astype(np.int8)
        known = np.array([(_real(i), _tag_number(i), _status(i)) for i in items], np.int64).reshape(-1, 3)
        real, number, status = np.where(level[:, None] >= [2, 3, 4], known, -1).T
        return {
            "level": level, "real": real.astype(np.int8), "id": number, "status": status.astype(np.int8),
            "location": location, "power": power,
        }  # fmt: skip


def _tag_number(item: SceneObject) -> int:
    """The number at the end of a tag's name, or that of the object."""
    found = re.search(r"(\d{1,18})$", item.name)
    return int(found.group(1)) if found else item.number


def _centre(item: SceneObject) -> np.ndarray:
    """Middle of the first instance's box in W [m]."""
    X = item.X_WO[0]
    return X[:, :3] @ item.meshes[item.body.kinds[0]].bounds.mean(axis=0) + X[:, 3]


def _real(item: SceneObject) -> bool:
    return any(m.label_name == "victim" for mesh in item.meshes for m in mesh.materials)


def _status(item: SceneObject) -> int:
    """By the skin of the face; -1 without one."""
    names = [m.name.removeprefix("skin_") for mesh in item.meshes for m in mesh.materials]
    return next((STATUS.index(n) for n in names if n in STATUS), -1)
