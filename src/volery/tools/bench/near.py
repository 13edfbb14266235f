"""The triangles of a world round its spawn place, the same for us and for libraries that only hold flat meshes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from volery.core.geometry import Mesh
from volery.core.material import Material
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

if TYPE_CHECKING:
    from volery.sim import Simulation

__all__ = ["FlatScene", "NearScene", "near_scene"]

Instance = tuple[Mesh, np.ndarray]
"""A mesh and its pose in W, [3, 4]."""


@dataclass(frozen=True)
class FlatScene:
    """One mesh of it all, for any library."""

    eye: np.ndarray
    """Where the first sensor is in W [m]."""
    vertices: np.ndarray
    """float32 [n, 3] in W [m]."""
    faces: np.ndarray
    """uint32 [m, 3]."""
    material: np.ndarray
    """Number of the colour of each face, [m]."""
    colours: np.ndarray
    """Linear red, green and blue, [k, 3]."""

    def save(self, path: Path) -> None:
        """Write it for another process."""
        np.savez(path, **self.__dict__)

    @staticmethod
    def load(path: Path) -> FlatScene:
        """What `save` wrote."""
        with np.load(path) as file:
            return FlatScene(**{name: file[name] for name in file.files})

    def by_colour(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """A mesh for each colour: vertices [n, 3], faces [m, 3], colour [3] as a display shows it."""
        parts = []
        for number in np.unique(self.material):
            used, index = np.unique(self.faces[self.material == number], return_inverse=True)
            colour = np.clip(self.colours[number], 0, 1) ** (1 / 2.2)
            parts.append((self.vertices[used], index.reshape(-1, 3), colour))
        return parts


@dataclass(frozen=True)
class NearScene:
    """Instances that reach within a distance of the spawn place."""

    eye: np.ndarray
    distance: float
    """[m]; infinite: the whole world."""
    instances: tuple[Instance, ...]

    @property
    def triangles(self) -> int:
        """All triangles, instances counted."""
        return sum(len(mesh.faces) for mesh, _ in self.instances)

    def environment(self) -> Environment:
        """The scene for our sensors, every part an instance."""
        scene = Scene()
        for i, (mesh, X_WO) in enumerate(self.instances):
            scene.add(Placement(f"part{i}", (mesh,), X_WO))
        return Environment(scene)

    def flat(self) -> FlatScene:
        """The scene for libraries without instances of any size."""
        vertices, faces, material, count = [], [], [], 0
        numbers: dict[Material, int] = {}
        for mesh, X in self.instances:
            vertices.append((mesh.vertices.astype(float) @ X[:, :3].T + X[:, 3]).astype(np.float32))
            faces.append(mesh.faces + np.uint32(count))
            own = np.array([numbers.setdefault(m, len(numbers)) for m in mesh.materials])
            index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
            material.append(own[index])
            count += len(mesh.vertices)
        colours = np.array([m.colour for m in numbers])
        joined = (np.concatenate(a) for a in (vertices, faces, material))
        return FlatScene(self.eye, *joined, colours)  # type: ignore[call-arg]


def near_scene(simulation: Simulation, distance: float) -> NearScene:
    """What stands within a distance [m] of the spawn place of a simulation's world."""
    eye = np.array(simulation.world.spawn(), float)
    instances = [
        (item.meshes[kind], X)
        for item in simulation.scene.objects.values()
        for X, kind in zip(item.X_WO, item.body.kinds, strict=True)
        if not item.body.moving
    ]
    return NearScene(eye, distance, tuple(part for part in instances if _reaches(*part, eye, distance)))


def _reaches(mesh: Mesh, X_WO: np.ndarray, p_W: np.ndarray, distance: float) -> bool:
    """Whether the box of an instance, which is along its own axes, comes within a distance of a point."""
    linear = X_WO[:, :3]
    scale = np.linalg.norm(linear, axis=0)
    p_O = (p_W - X_WO[:, 3]) @ (linear / scale**2)
    return bool(np.linalg.norm((p_O - np.clip(p_O, *mesh.bounds)) * scale) < distance)
