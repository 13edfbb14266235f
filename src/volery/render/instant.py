"""An instant of a scene that is kept, so that a picture of it can be drawn later, in any thread, with the same bytes.

Triangles are shared with the scene; poses are copied. Pictures of an instant are drawn, not cast: what stands cannot be
asked by rays, only what moves can.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from volery._native.rays import InstanceGeometry, RayCell, SceneTables, TopScene
from volery.render.scene import RenderScene
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.render.visibility.clusters import Clusters
from volery.world.cells import CELL_SIZE, Body, cell_key
from volery.world.environment import Environment
from volery.world.scene import Scene
from volery.world.sky import Sky
from volery.world.weather import Weather

__all__ = ["EnvironmentInstant", "SceneInstant", "can_be_kept"]


def can_be_kept(environment: Environment) -> bool:
    """Whether pictures of this moment need no rays into what stands, and nothing that bends is in the scene."""
    scene = environment.scene
    looks = RenderScene.of(scene)
    glassy = bool((looks.materials["mirror"] > 0).any() or (looks.materials["glass"] > 0).any())
    return not (glassy or looks.lamps or looks.bends or environment.spots())


class EnvironmentInstant(NamedTuple):
    """What surrounds robots, at an instant; see `Environment`."""

    scene: SceneInstant
    sky: Sky
    weather: Weather
    lights: dict[str, Any]

    @staticmethod
    def of(environment: Environment) -> EnvironmentInstant:
        """The present; pictures of it see what is there now."""
        return EnvironmentInstant(SceneInstant.of(environment.scene), environment.sky, environment.weather, {})

    def spots(self) -> list:
        """None: see `can_be_kept`."""
        return []


class _Rows(NamedTuple):
    """As `Rows` of a scene."""

    X: np.ndarray
    normal: np.ndarray
    mesh: np.ndarray
    object: np.ndarray
    group: np.ndarray
    mask: np.ndarray


class _Cell(NamedTuple):
    """As `Cell` of a scene; only what moves can be met."""

    origin: np.ndarray
    rays: RayCell


class SceneInstant:
    """A scene as pictures see it, at an instant."""

    def __init__(self, scene: Scene) -> None:
        self.version = scene.version
        self.rows = _Rows(*(getattr(scene.rows, name)[: scene.rows.count].copy() for name in _Rows._fields))
        self.tables = SceneTables.sharing_meshes(scene.tables)
        self.tables.set_rows(*self.rows)
        for moving, first_row in scene.slot_rows.items():
            self.tables.set_slot_rows(moving, first_row.copy())
        looks, clusters = RenderScene.of(scene).kept(self.tables), Clusters.of(scene).kept(scene, self.tables)
        self.companions: dict[type, Any] = {
            RenderScene: looks, Clusters: clusters, ShadowMaps: ShadowMaps.of(scene)
        }  # fmt: skip
        self._device = scene.device
        self._movers = [(item.body, item.X_WO.copy()) for item in RenderScene.of(scene).moving]
        # Their numbers stay theirs while they live.
        self._meshes = [item.meshes for item in scene.objects.values()]
        self._cells: dict[tuple[int, int, int], _Cell] = {}

    @staticmethod
    def of(scene: Scene) -> SceneInstant:
        """The present; the same one for all who ask while nothing moves."""
        stamp, kept = (scene.version, scene.moves), scene.companions.get(SceneInstant)
        if kept is None or kept[0] != stamp:
            kept = scene.companions[SceneInstant] = (stamp, SceneInstant(scene))
        return kept[1]

    def cell(self, p_W: np.ndarray) -> _Cell:
        """The cell a point lies in."""
        key = cell_key(p_W)
        if key not in self._cells:
            origin = np.array(key, float) * CELL_SIZE
            moving = TopScene(self._device)
            for body, X_WO in self._movers:
                moving.attach(body.slot, self._placed(body, X_WO, origin))
            moving.commit()
            self._cells[key] = _Cell(origin, RayCell(TopScene(self._device), moving, origin))
        return self._cells[key]

    def _placed(self, body: Body, X_WO: np.ndarray, origin: np.ndarray) -> InstanceGeometry:
        X = X_WO.copy()
        X[:, :, 3] -= origin
        return InstanceGeometry(self._device, body.scenes, body.kinds, X.astype(np.float32), body.mask)
