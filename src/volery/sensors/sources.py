"""Things in the scene that sensors listen to or look for, by their materials, and whether they are in sight."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.sensors.sensor import Sensor, SensorConfig

__all__ = ["LineOfSightConfig", "Seeker", "Sighted", "Source"]


class Source(NamedTuple):
    """Something in the scene that a sensor listens to or looks for."""

    key: str
    """Name of the object, and which instance of it."""
    row: int
    p_W: np.ndarray
    """Middle of the faces that matter [m]."""
    strength: float


@dataclass(frozen=True)
class LineOfSightConfig(SensorConfig):
    """Parameters of a sensor that asks what is in line of sight."""

    channel: str | None = None
    """What stands in the way: a channel of the scenario; by default all."""


class Sighted(Sensor):
    """A sensor that asks what is in line of sight."""

    config: LineOfSightConfig

    def prepare(self) -> None:
        """Refuse a channel that nobody defined."""
        super().prepare()
        self.environment.scene.channel(self.config.channel)

    def sees(self, p_W: np.ndarray, targets: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Which targets [n, 3] W [m] on instances `rows` [n] are in line of sight from p_W, bool [n]."""
        distance = np.linalg.norm(targets - p_W, axis=1)
        seen = distance < 1e-6
        far = np.flatnonzero(~seen)
        if len(far):
            scene = self.environment.scene
            hits = scene.cast(
                p_W, targets[far] - p_W, max_range=np.minimum(distance[far], scene.horizon),
                channel=self.config.channel, ignore=self.robot.name,
            )  # fmt: skip
            seen[far] = (hits.row < 0) | (hits.row == rows[far])
        return seen


def _middle(mesh: Mesh, wanted: list[bool]) -> np.ndarray:
    """Middle by area of the faces whose material is wanted, in the mesh's frame [m]."""
    index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    corners = mesh.vertices[mesh.faces[np.array(wanted)[index]]].astype(np.float64)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    weight = area if area.sum() > 0 else np.ones(len(area))
    return (corners.mean(axis=1) * weight[:, None]).sum(axis=0) / weight.sum()


class Seeker(Sensor):
    """A sensor that looks for sources; a subclass says how strong a material is."""

    def prepare(self) -> None:
        """Begin without a source."""
        super().prepare()
        self._known: WeakKeyDictionary[Mesh, tuple[np.ndarray, float] | None] = WeakKeyDictionary()

    @abstractmethod
    def strength(self, material: Material) -> float:
        """How much of a source a material is; 0: none."""

    def sources(self) -> list[Source]:
        """All that stands in the scene now, the robot's own parts left out."""
        scene = self.environment.scene
        own = scene.group(self.robot.name)
        found = []
        for name, item in scene.objects.items():
            for kind, mesh in enumerate(item.meshes):
                known = self._of(mesh)
                if known is None or scene.rows.group[item.first_row] == own:
                    continue
                for i in np.flatnonzero(item.body.kinds == kind):
                    X = item.X_WO[i]
                    found.append(
                        Source(f"{name}/{i}", item.first_row + int(i), X[:, :3] @ known[0] + X[:, 3], known[1])
                    )
        return found

    def _of(self, mesh: Mesh) -> tuple[np.ndarray, float] | None:
        """Middle [m] and strength of the sources in a mesh."""
        if mesh not in self._known:
            index = (0,) if mesh.face_material is None else np.unique(mesh.face_material)
            power = [self.strength(m) if i in index else 0.0 for i, m in enumerate(mesh.materials)]
            self._known[mesh] = (_middle(mesh, [p > 0 for p in power]), sum(power)) if any(power) else None
        return self._known[mesh]
