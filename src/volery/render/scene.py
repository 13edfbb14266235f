"""What pictures need of a scene beyond its triangles, kept up to date as objects come and go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from volery._native.rays import SceneTables
from volery._native.render import Mover, SurfaceTable
from volery.core.geometry import Mesh
from volery.render.lamps import ShiningMesh, lamp_of
from volery.render.materials import material_rows
from volery.world.scene.scene import Scene, SceneObject

__all__ = ["RenderScene"]

_NO_CORNERS = np.zeros((0, 3), np.float32)
_EARTH = {"ground", "rock", "snow"}
"""Labels of what has no edge where one kind ends and the next begins."""


class RenderScene:
    """How one scene looks, shared by its cameras."""

    def __init__(self, scene: Scene) -> None:
        self.surfaces = SurfaceTable(scene.tables)
        """What kernels look up about what a ray hit."""
        self.materials = material_rows([])
        """By number; see `material_rows`."""
        self.moving: list[SceneObject] = []
        self.lamps: list[ShiningMesh] = []
        self._version = -1
        self._spheres: np.ndarray | None = None
        self._known: dict[SceneObject, tuple[int, np.ndarray, float]] = {}
        self._held: set[int] = set()

    @staticmethod
    def of(scene: Scene) -> RenderScene:
        """That of a scene; call `sync` before use."""
        if RenderScene not in scene.companions:
            scene.companions[RenderScene] = RenderScene(scene)
        return scene.companions[RenderScene]

    def sync(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """Bring it up to date; returns spheres, middles [n, 3] in W and radii [n] [m], in which what stands came, moved
        or went since the last time."""
        changed: list[tuple[int, np.ndarray, float]] = []
        if self._version != scene.version:
            self._version = scene.version
            now = scene.objects.values()
            known = {item: (item.version, item.body.centre, item.body.radius) for item in now}
            for item in now:
                if item not in self._known:
                    self._enter(scene, item)
            for item in self._known.keys() | known.keys():
                old, new = self._known.get(item), known.get(item)
                if not item.body.moving and (old is None or new is None or old[0] != new[0]):
                    changed += [sphere for sphere in (old, new) if sphere is not None]
            if self._known.keys() - known.keys():
                self._forget(scene)
            self._known = known
            self.lamps = [lamp for lamp in self.lamps if lamp.item in known]
            self._note_moving(scene)
            if len(scene.materials.all) != len(self.materials):
                self.materials = material_rows(scene.materials.all)
                self.surfaces.set_materials(self.materials)
        return np.array([c[1] for c in changed]).reshape(-1, 3), np.array([c[2] for c in changed])

    def kept(self, tables: SceneTables, moving: Sequence[Any] = (), lamps: Sequence[ShiningMesh] = ()) -> RenderScene:
        """The same looks for tables that show the same meshes, with things that move (`KeptObject`) and lamps as they
        are at an instant; for good."""
        looks = copy(self)
        looks.surfaces = SurfaceTable(self.surfaces, tables)
        looks.moving, looks.lamps, looks._known, looks._held = list(moving), list(lamps), {}, set()
        looks._spheres = _spheres(moving)
        return looks

    def movers(self) -> np.ndarray:
        """Spheres round the things that move."""
        return _spheres([item.body for item in self.moving]) if self._spheres is None else self._spheres

    def look(self, number: int, mesh: Mesh) -> None:
        """Take note of how the mesh of a number looks."""
        self.surfaces.set_corners(number, _corner_normals(mesh), _blended(mesh))

    def _enter(self, scene: Scene, item: SceneObject) -> None:
        for kind, mesh in enumerate(item.meshes):
            number = scene.meshes.entry(mesh).id
            if number not in self._held:
                self.look(number, mesh)
                self._held.add(number)
            lamp = lamp_of(item, kind, mesh)
            if lamp is not None:
                self.lamps.append(lamp)

    def _forget(self, scene: Scene) -> None:
        """Let go of what meshes had that are no longer in the scene."""
        shown = {scene.meshes.entry(mesh).id for item in scene.objects.values() for mesh in item.meshes}
        for number in self._held - shown:
            self.surfaces.forget_corners(number)
        self._held &= shown

    def _note_moving(self, scene: Scene) -> None:
        self.moving = [item for item in scene.objects.values() if item.body.moving]
        rows = np.zeros(len(scene.rows.mesh), bool)
        for item in self.moving:
            rows[item.first_row : item.first_row + len(item.X_WO)] = True
        self.surfaces.set_moving(rows)


def _spheres(things: Iterable[Any]) -> np.ndarray:
    """Spheres round things that have a centre and a radius."""
    found = list(things)
    spheres = np.zeros(len(found), Mover)
    for sphere, thing in zip(spheres, found, strict=True):
        sphere["p_W"], sphere["radius"] = thing.centre, thing.radius
    return spheres


def _corner_normals(mesh: Mesh) -> np.ndarray:
    """Of all levels of detail, float32 [n, 3]; none if the mesh is flat."""
    levels = mesh.levels
    if all(level.normals is None for level in levels):
        return _NO_CORNERS
    found = [np.zeros_like(level.vertices) if level.normals is None else level.normals for level in levels]
    return found[0] if len(found) == 1 else np.concatenate(found)


def _blended(mesh: Mesh) -> np.ndarray:
    """Colours of the corners of painted meshes and of smooth earth of several kinds, of all levels of detail, float32
    [n, 3]; of other meshes none."""
    if mesh.colours is not None:
        return np.concatenate([level.corner_colours() for level in mesh.levels])
    if mesh.normals is None or mesh.face_material is None or not {m.label_name for m in mesh.materials} <= _EARTH:
        return _NO_CORNERS
    return np.concatenate([_mean_colours(level) for level in mesh.levels])


def _mean_colours(mesh: Mesh) -> np.ndarray:
    """The mean of the faces round each corner, float32 [n, 3]."""
    colour = np.array([m.colour for m in mesh.materials])[mesh.face_material]
    corners, n = mesh.faces.ravel(), len(mesh.vertices)
    count = np.maximum(np.bincount(corners, minlength=n), 1)
    sums = [np.bincount(corners, np.repeat(colour[:, c], 3), minlength=n) for c in range(3)]
    return np.ascontiguousarray(np.stack(sums, axis=1) / count[:, None], np.float32)
