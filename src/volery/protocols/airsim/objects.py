"""Things of the world as AirSim's clients know them: names, ids of segmentation, layers of annotation, traces."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from volery.core.patterns import TextPattern
from volery.protocols.airsim.palette import instance_colours

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["SKY", "Ids", "Instances", "Layers", "SceneObjects"]

SKY = "SkySphere"
"""The sky has a name too."""
_TRACE = 0.5
"""A line behind a vehicle grows by pieces of this length [m]."""


class Ids:
    """Numbers 0 to 255 by which segmentation tells things apart; −1: not shown."""

    def __init__(self, objects: SceneObjects) -> None:
        self._objects = objects
        self._set: dict[str, int] = {}

    def of(self, name: str) -> int:
        """The id of a thing: as set, else from the letters of its name."""
        found = self._set.get(name)
        if found is not None:
            return found
        return (
            0
            if name == SKY or not self._objects.ids_from_names
            else (5 + sum(c for c in name.lower().encode() if c >= 97)) % 256
        )

    def set(self, name: str, number: int) -> None:
        """Give a thing an id."""
        self._set[name] = number

    def of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        """Ids, int32, of things by their numbers in the scene, any shape; the sky is −1 there."""
        unique, index = np.unique(numbers, return_inverse=True)
        ids = [self.of(SKY if n < 0 else self._objects.name_of(int(n))) for n in unique]
        return np.array(ids, np.int32)[index.reshape(-1)].reshape(np.shape(numbers))


class Instances:
    """Every thing has a number of its own, by which Cosys-AirSim colours it; new ones come at the end."""

    def __init__(self, objects: SceneObjects) -> None:
        self._objects = objects
        self._numbers: dict[str, int] = {}

    def names(self) -> list[str]:
        """In the order of their numbers; what is gone keeps its place."""
        for name in self._objects.names():
            self._numbers.setdefault(name, len(self._numbers))
        return list(self._numbers)

    def of(self, name: str) -> int:
        """The number of a thing."""
        if name not in self._numbers:
            self.names()
        return self._numbers.setdefault(name, len(self._numbers))

    def of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers, int32, of things by their numbers in the scene, any shape."""
        unique, index = np.unique(numbers, return_inverse=True)
        own = [self.of(SKY if n < 0 else self._objects.name_of(int(n))) for n in unique]
        return np.array(own, np.int32)[index.reshape(-1)].reshape(np.shape(numbers))


class Layers:
    """Cosys-AirSim's layers of annotation: colours of things by layer; the layer '' tells all things apart."""

    def __init__(self, objects: SceneObjects) -> None:
        self._objects = objects
        self._layers: dict[str, dict[str, tuple[int, int, int]]] = {}
        self.textures: dict[tuple[str, str], str] = {}
        """Pictures of things, by layer and name."""

    def set(self, layer: str, name: str, colour: tuple[int, int, int]) -> None:
        """Give a thing a colour in a layer."""
        self._layers.setdefault(layer, {})[name] = colour

    def get(self, layer: str, name: str) -> tuple[int, int, int] | None:
        """A thing's colour in a layer; None: it has none."""
        if not layer:
            red, green, blue = instance_colours()[self._objects.instances.of(name) % 32_768].tolist()
            return red, green, blue
        return self._layers.get(layer, {}).get(name)

    def names(self, layer: str) -> list[str]:
        """Things that have a colour in a layer."""
        return sorted(self._layers.get(layer, {})) if layer else self._objects.instances.names()

    def colours(self, layer: str, numbers: np.ndarray) -> np.ndarray:
        """A picture uint8 [h, w, 3] of numbers of things [h, w]; black where there is no colour."""
        unique, index = np.unique(numbers, return_inverse=True)
        table = np.zeros((len(unique), 3), np.uint8)
        for i, n in enumerate(unique):
            if n >= 0:
                table[i] = self.get(layer, self._objects.name_of(int(n))) or (0, 0, 0)
        return table[index.reshape(-1)].reshape(*numbers.shape, 3)


class SceneObjects:
    """What clients may ask about things; names and ids may be asked by any thread."""

    def __init__(self, door: AirSim) -> None:
        self._door = door
        self._known: dict[int, str] = {}
        self.ids_from_names = door.settings.ids_from_names
        self.ids = Ids(self)
        self.instances = Instances(self)
        self.layers = Layers(self)
        self._traces: dict[str, np.ndarray] = {}

    def names(self) -> list[str]:
        """All things, vehicles and the sky included."""
        return sorted([*list(self._door.simulation.scene.objects), SKY])

    def named(self, name: str, regex: bool) -> list[str]:
        """Things of a name, or those that it fits as a pattern, whatever their case."""
        pattern = TextPattern(name, ignore_case=True) if regex else None
        return [n for n in self.names() if (n == name if pattern is None else pattern.fits(n))]

    def name_of(self, number: int) -> str:
        """Name of the thing of a number; one that is gone keeps its last name."""
        with contextlib.suppress(KeyError):
            self._known[number] = self._door.simulation.scene.object_name(number)
        return self._known.get(number, "")

    def number_of(self, name: str) -> int:
        """Number of a thing in the scene; −1: there is none."""
        item = self._door.simulation.scene.objects.get(name)
        return -1 if item is None else item.number

    def names_of(self, numbers: np.ndarray) -> list[str]:
        """Names of things by their numbers [n]."""
        unique, index = np.unique(numbers, return_inverse=True)
        names = ["out_of_range" if n < 0 else self.name_of(int(n)) for n in unique]
        return [names[i] for i in index.reshape(-1)]

    def draw_traces(self) -> None:
        """Lines behind vehicles that have one."""
        for name, vehicle in self._door.vehicles.items():
            if vehicle.trace is None or vehicle.snapshot is None:
                continue
            p, last = vehicle.snapshot.p_WB, self._traces.get(name)
            if last is None:
                self._traces[name] = p
            elif np.linalg.norm(p - last) > _TRACE:
                colour, thickness = vehicle.trace
                drawings = self._door.simulation.environment.drawings
                drawings.add("line", np.stack([last, p]), colour, thickness, owner=f"trace/{name}")
                self._traces[name] = p
