"""What rays found, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volery._native.rays import HitArrays

if TYPE_CHECKING:
    from volery.world.scene.scene import Scene

__all__ = ["Hits"]


class Hits:
    """Answers of n rays. Reused as a buffer by sensors that cast the same pattern every time."""

    def __init__(self, scene: Scene, count: int, *, normals: bool = True, distance: np.ndarray | None = None) -> None:
        """normals: whether they are wanted; distance: an array of the caller's to write to, float32 [n]."""
        self._scene = scene
        self.distance = np.empty(count, np.float32) if distance is None else distance
        """Along the ray [m], float32 [n]; infinite where nothing was hit."""
        self.row = np.empty(count, np.int32)
        """Instance hit, [n]; -1 where nothing was hit."""
        self.primitive = np.empty(count, np.int32)
        """Triangle of the mesh, [n]; -1 where nothing was hit."""
        self.normal = np.empty((count if normals else 0, 3), np.float32)
        """Outward unit normal in W, [n, 3]; zero where nothing was hit."""
        self.back = np.empty(count, np.bool_)
        """True where the surface was hit from behind: the ray started inside something."""
        self.arrays = HitArrays(self.distance, self.row, self.primitive, self.normal, self.back)
        """The same arrays, as kernels take them."""
        self._names: dict[int, str] | None = None
        self.origins = np.empty((0, 3))
        self.directions = np.empty((0, 3))

    def __len__(self) -> int:
        return len(self.distance)

    @property
    def hit(self) -> np.ndarray:
        """True where something was hit, [n]."""
        return self.row >= 0

    @property
    def points(self) -> np.ndarray:
        """Points hit in W [m], float64 [n, 3]; NaN where nothing was hit. Needs the rays of `Scene.cast`."""
        with np.errstate(invalid="ignore"):
            points = self.origins + self.directions * self.distance[:, None].astype(np.float64)
        return np.where(self.hit[:, None], points, np.nan)

    @property
    def object(self) -> np.ndarray:
        """Number of the object hit, int32 [n]; -1 where nothing was hit."""
        return self._object if self._names is not None else self._objects()

    @property
    def material(self) -> np.ndarray:
        """Number of the material hit, int32 [n]; -1 where nothing was hit. `Scene.materials.all` lists them."""
        return self._material if self._names is not None else self._materials()

    @property
    def names(self) -> list[str | None]:
        """Names of the objects hit; None where nothing was hit. Needs the rays of `Scene.cast`."""
        names = self._names or {}
        return [names.get(int(i)) for i in self.object]

    @property
    def labels(self) -> list[str | None]:
        """Segmentation class of what was hit; None where nothing was hit."""
        materials = self._scene.materials.all
        return [None if i < 0 else materials[i].label_name for i in self.material]

    def resolve(self) -> None:
        """Look up objects and materials now, so that they stay right when the scene changes."""
        self._object, self._material = self._objects(), self._materials()
        self._names = {int(i): self._scene.object_name(int(i)) for i in np.unique(self._object) if i >= 0}

    def take(self, where: np.ndarray, part: Hits) -> None:
        """Fill in the answers of some of the rays."""
        for name in ("distance", "row", "primitive", "normal", "back"):
            getattr(self, name)[where] = getattr(part, name)

    def _objects(self) -> np.ndarray:
        return np.where(self.hit, self._scene.rows.object[self.row], -1)

    def _materials(self) -> np.ndarray:
        out = np.full(len(self), -1, np.int32)
        mesh = np.where(self.hit, self._scene.rows.mesh[self.row], -1)
        for number in np.unique(mesh[mesh >= 0]):
            table = self._scene.meshes.face_material(int(number))
            chosen = mesh == number
            out[chosen] = table[self.primitive[chosen]] if len(table) > 1 else table[0]
        return out
