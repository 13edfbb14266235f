"""RFID as in USARSim: readers of tags that can be written, tags that victims wear, and a device that drops tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from volery.core.config import param
from volery.errors import CommandError, ScenarioError
from volery.sensors.controls import control
from volery.sensors.identify import STATUS, name_matches
from volery.sensors.outputs import Output, array_output, text_output
from volery.sensors.sensor import Sensor, SensorConfig
from volery.sensors.sources import LineOfSightConfig, Sighted
from volery.world.scene.scene import SceneObject

__all__ = [
    "Rfid",
    "RfidConfig",
    "RfidReleaser",
    "RfidReleaserConfig",
    "TagReader",
    "TagReaderConfig",
    "VictimTag",
    "VictimTagConfig",
]

_LIGHT = 299_792_458.0
"""Speed of light [m/s]."""


@dataclass(frozen=True)
class TagReaderConfig(LineOfSightConfig):
    """Parameters of a reader of tags."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    tags: tuple[str, ...] = ("rfid*", "tag*")
    """Names (patterns) of the objects that are tags; the number at the end of the name is the tag's."""
    mode: Literal["radius", "obstacle", "attenuation"] = "radius"
    """Range alone; range and line of sight; or range and strong enough after the way there and back."""
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


class TagReader(Sighted):
    """What all readers of tags share."""

    config: TagReaderConfig

    def answers(self) -> tuple[list[SceneObject], np.ndarray, np.ndarray]:
        """Tags that answer, nearest first, where they are in S [n, 3] [m] and the power of their answers [n] [dBm]."""
        c, X = self.config, self.X_WS
        items = [o for name, o in self.environment.scene.objects.items() if name_matches(name, c.tags)]
        places = np.array([_centre(item) for item in items]).reshape(-1, 3)
        distance = np.linalg.norm(places - X[:, 3], axis=1)
        order = np.argsort(distance, kind="stable")
        order = order[distance[order] <= c.range]
        items, places, distance = [items[i] for i in order], places[order], distance[order]
        clear = self.sees(X[:, 3], places, np.array([i.first_row for i in items], int))
        loss = 20 * np.log10(4 * np.pi * np.maximum(distance, 0.01) * c.frequency / _LIGHT) + ~clear * c.blocked_loss
        power = c.transmit - 2 * loss
        read = {"radius": np.ones(len(items), bool), "obstacle": clear, "attenuation": power >= c.threshold}[c.mode]
        kept = [item for item, r in zip(items, read, strict=True) if r]
        return kept, ((places - X[:, 3]) @ X[:, :3])[read], power[read]


@dataclass(frozen=True)
class RfidConfig(TagReaderConfig):
    """Parameters of an RFID reader that also writes."""

    capacity: int = param(256, low=0, high=65_536)
    """Characters that a tag holds."""


class Rfid(TagReader):
    """Reading, n tags read, nearest first: id [n] (int64); location [n, 3] in the sensor's axes [m]; power [n] of the
    answer [dBm]: transmit − 2 · (20 log10(4π d / λ) + blocked_loss if blocked); memory [n], the texts on them."""

    Config: ClassVar[type[SensorConfig]] = RfidConfig
    noisy: ClassVar[tuple[str, ...]] = ("location", "power")
    config: RfidConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Ask all tags within reach."""
        items, location, power = self.answers()
        texts = [self.environment.tags.read(item.name) for item in items]
        return {"id": _ids(items), "location": location, "power": power, "memory": np.array(texts, np.str_)}

    @control
    def read(self, tag: int) -> str:
        """The text on a tag that is in reach now."""
        return self.environment.tags.read(self._find(tag).name)

    @control
    def write(self, tag: int, text: str) -> None:
        """Put a text on a tag that is in reach now; every reader finds it there from now on."""
        if len(text) > self.config.capacity or not text.isprintable():
            raise CommandError(f"rfid '{self.name}': a tag holds up to {self.config.capacity} printable characters")
        self.environment.tags.write(self._find(tag).name, text)

    def _find(self, tag: int) -> SceneObject:
        items = self.answers()[0]
        ids = _ids(items)
        if tag not in ids:
            raise CommandError(f"rfid '{self.name}': tag {tag} does not answer; in reach: {ids.tolist() or 'none'}")
        return items[int(np.argmax(ids == tag))]

    def outputs(self) -> list[Output]:
        """All arrays: the texts as a JSON list, the others as numbers."""
        return [*(array_output(name) for name in ("id", "location", "power")), text_output("memory")]


@dataclass(frozen=True)
class VictimTagConfig(TagReaderConfig):
    """Parameters of a reader for the tags of victims; what it learns depends on how near it is."""

    tags: tuple[str, ...] = ("victim_[0-9]", "victim_[0-9][0-9]", "victim_[0-9][0-9][0-9]", "decoy*")
    """Names (patterns) of the objects that wear one; the number at the end of the name is the tag's."""
    range: float = param(8.0, above=0, high=1e4)
    """Nothing farther is read [m]."""
    levels: tuple[float, float, float, float] = param((8.0, 5.0, 3.0, 1.5), low=0.0)
    """Distances within which it is seen, known to be a victim or a false alarm, told by number, and by status [m]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.levels) != sorted(self.levels, reverse=True):
            raise ScenarioError("victim tag: the levels must not grow; nearer tells more")


class VictimTag(TagReader):
    """Reading, n tags read, nearest first: level [n]: 1 seen, 2 real or not is known, 3 id too, 4 status too; real [n]
    1 victim, 0 false alarm, -1 unknown; id [n], -1 unknown; status [n] number in STATUS, -1 unknown; location [n, 3]
    in the sensor's axes [m]; power [n] [dBm]."""

    Config: ClassVar[type[SensorConfig]] = VictimTagConfig
    noisy: ClassVar[tuple[str, ...]] = ("location", "power")
    config: VictimTagConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Read tags, and keep back what one is too far away to know."""
        items, location, power = self.answers()
        distance = np.linalg.norm(location, axis=1)
        level = (distance[:, None] <= np.array(self.config.levels) + 1e-9).sum(axis=1).astype(np.int8)
        known = np.column_stack([[_real(i) for i in items], _ids(items), [_status(i) for i in items]])
        real, number, status = np.where(level[:, None] >= [2, 3, 4], known.astype(np.int64), -1).T
        data = {
            "level": level, "real": real.astype(np.int8), "id": number, "status": status.astype(np.int8),
            "location": location, "power": power,
        }  # fmt: skip
        return {name: array[level > 0] for name, array in data.items()}

    def outputs(self) -> list[Output]:
        """All arrays as numbers."""
        return [array_output(name) for name in ("level", "real", "id", "status", "location", "power")]


@dataclass(frozen=True)
class RfidReleaserConfig(SensorConfig):
    """Parameters of a device that drops tags."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    count: int = param(30, low=0, high=1_000_000)
    """Tags it carries."""
    first: int = param(1000, low=0, high=10**15)
    """Number of its first tag; the next ones count up, past numbers that are taken."""


class RfidReleaser(Sensor):
    """A device that drops RFID tags on the ground below its mount.

    Reading: left [1], tags it still has; last [1] (int64), number of the one it dropped last, -1 before.
    """

    Config: ClassVar[type[SensorConfig]] = RfidReleaserConfig
    keeps: ClassVar[tuple[str, ...]] = ("left", "last")
    config: RfidReleaserConfig

    def prepare(self) -> None:
        """All its tags are there."""
        self.left = self.config.count
        """Tags it still has."""
        self.last = -1
        """Number of the tag it dropped last."""

    @control
    def release(self) -> int:
        """Drop a tag; returns its number."""
        if self.left == 0:
            raise CommandError(f"releaser '{self.name}' of '{self.robot.name}' has no tags left")
        first = self.config.first if self.last < 0 else self.last + 1
        self.last = self.environment.tags.drop(first, self.X_WS[:, 3], self.robot.name)
        self.left -= 1
        return self.last

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """What is left."""
        return {"left": np.array([self.left], np.int32), "last": np.array([self.last], np.int64)}

    def outputs(self) -> list[Output]:
        """Both arrays as numbers."""
        return [array_output("left", "series"), array_output("last")]


def _ids(items: Sequence[SceneObject]) -> np.ndarray:
    """Numbers at the ends of the names of tags, or those of the objects, int64 [n]."""
    found = [re.search(r"(\d{1,18})$", item.name) for item in items]
    return np.array([int(f.group(1)) if f else i.number for f, i in zip(found, items, strict=True)], np.int64)


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
