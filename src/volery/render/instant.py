"""An instant of a scene that is kept, so that a picture of it can be drawn later, in any thread, with the same bytes.

To keep one costs a list of the poses of what moves: these are exchanged, never written to, when things move on. What
stands is kept once for each version of the scene (standing.py). All else is made when somebody draws.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from volery._native.rays import RayBatch, RayCell, SceneTables, TopScene, TriangleScene, settle
from volery.core.geometry import Mesh
from volery.render.scene import RenderScene
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.render.standing import KeptObject, KeptRows, StandingVersion, placed
from volery.render.visibility.clusters import Clusters
from volery.world.cast.hits import Hits
from volery.world.environment import Environment, Spot
from volery.world.scene.floating_origin import CELL_SIZE, cell_key
from volery.world.scene.scene import Scene
from volery.world.sky import Sky
from volery.world.weather import Weather

__all__ = ["EnvironmentInstant", "SceneInstant"]


class EnvironmentInstant(NamedTuple):
    """What surrounds robots, at an instant; see `Environment`."""

    scene: SceneInstant
    sky: Sky
    weather: Weather
    lit: tuple[Spot, ...]

    @staticmethod
    def of(environment: Environment) -> EnvironmentInstant:
        """The present; pictures of it see what is there now."""
        scene = SceneInstant.of(environment.scene)
        return EnvironmentInstant(scene, environment.sky, environment.weather, tuple(environment.spots()))

    def spots(self) -> list[Spot]:
        """All that shone into a cone."""
        return list(self.lit)


class _Cell(NamedTuple):
    """As `Cell` of a scene."""

    origin: np.ndarray
    rays: RayCell


class _Drawable(NamedTuple):
    """What drawing needs of an instant beyond its poses."""

    rows: KeptRows
    tables: SceneTables
    companions: dict[type, Any]
    movers: list[tuple[KeptObject, list[TriangleScene]]]
    bent: list[Mesh]
    """Meshes as they were bent then; their numbers stay theirs while they live."""


class SceneInstant:
    """A scene as pictures see it, at an instant; see `Scene`."""

    def __init__(self, scene: Scene) -> None:
        self.dark = scene.dark
        self._standing = StandingVersion.of(scene)
        self._moving = [KeptObject.of(item) for item in RenderScene.of(scene).moving]
        self._maps = ShadowMaps.of(scene)
        self._drawable: _Drawable | None = None
        self._cells: dict[tuple[int, int, int], _Cell] = {}
        self._lock = threading.RLock()

    @staticmethod
    def of(scene: Scene) -> SceneInstant:
        """The present; the same one for all who ask while nothing moves."""
        stamp, kept = (scene.version, scene.moves), scene.companions.get(SceneInstant)
        if kept is None or kept[0] != stamp:
            kept = scene.companions[SceneInstant] = (stamp, SceneInstant(scene))
        return kept[1]

    @property
    def version(self) -> int:
        """That of the scene."""
        return self._standing.number

    @property
    def rows(self) -> KeptRows:
        """One row per instance."""
        return self._made().rows

    @property
    def tables(self) -> SceneTables:
        """What kernels look up by number."""
        return self._made().tables

    @property
    def companions(self) -> dict[type, Any]:
        """What pictures need about the scene, by its class."""
        return self._made().companions

    def cell(self, p_W: np.ndarray) -> _Cell:
        """The cell a point lies in."""
        key = cell_key(p_W)
        with self._lock:
            if key not in self._cells:
                origin, top = np.array(key, float) * CELL_SIZE, TopScene(self._standing.device)
                for item, scenes in self._made().movers:
                    top.attach(item.body.slot, placed(self._standing.device, item, scenes, origin))
                top.build()
                self._cells[key] = _Cell(origin, RayCell(self._standing.top(key), top, origin))
            return self._cells[key]

    def cast_pattern(
        self,
        origins_S: np.ndarray,
        directions_S: np.ndarray,
        R_WS: np.ndarray,
        p_WS: np.ndarray,
        far: np.ndarray,
        hits: Hits,
        *,
        mask: int,
        ignore: int,
        coherent: bool,
    ) -> None:
        """As `Scene.cast_pattern`."""
        batch = RayBatch(self.tables)
        pose = np.ascontiguousarray(R_WS, np.float64), np.ascontiguousarray(p_WS, np.float64)
        cell = self.cell(p_WS).rays
        batch.add(cell, origins_S, directions_S, *pose, far, mask, ignore, 0.0, coherent, hits.arrays)
        batch.cast()

    def _made(self) -> _Drawable:
        with self._lock:
            if self._drawable is None:
                self._drawable = self._make()
            return self._drawable

    def _make(self) -> _Drawable:
        version = self._standing
        rows, movers, bent = version.rows.copy(), [], []
        for item in self._moving:
            part = slice(item.first_row, item.first_row + len(item.X_WO))
            settle(np.ascontiguousarray(item.X_WO), rows.X[part], rows.normal[part])
            scenes = item.body.scenes
            if item.bent is not None:
                bent.append(_bent(item))
                entry = version.meshes.entry(bent[-1], deforms=True)
                entry.scene.deform(item.bent)
                rows.mesh[part], scenes = entry.id, [entry.scene]
            movers.append((item, scenes))
        tables = version.tables_of(version.tables, rows)
        looks = version.looks.kept(tables, self._moving, _placed_lamps(version, self._moving))
        clusters = version.clusters.kept_of(tables)
        for mesh in bent:
            number = version.meshes.entry(mesh).id
            looks.look(number, mesh)
            clusters.table.set_mesh(number, np.ascontiguousarray(mesh.bounds, np.float64), True)
        companions = {RenderScene: looks, Clusters: clusters, ShadowMaps: self._maps}
        return _Drawable(rows, tables, companions, movers, bent)


def _bent(item: KeptObject) -> Mesh:
    """A mesh of its own, to be bent."""
    mesh = item.meshes[0]
    return replace(mesh, normals=mesh.normals if item.bent_normals is None else item.bent_normals)


def _placed_lamps(version: StandingVersion, moving: list[KeptObject]) -> list[Any]:
    """The lamps of a scene, those that move as they were at the instant."""
    by_body = {id(item.body): item for item in moving}
    return [lamp._replace(item=by_body.get(id(lamp.item.body), lamp.item)) for lamp in version.lamps]
