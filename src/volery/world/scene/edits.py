"""Things of a world that change while it runs: ones that come, go, are moved, stretched or painted, and lamps."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from volery.core.geometry import Mesh, box, cone, cylinder, sphere
from volery.core.material import Material
from volery.errors import SimulationError, UnknownNameError, WorldError
from volery.world.generate.blocks import rounded_cube
from volery.world.scene.scene import Scene, SceneObject
from volery.world.world import Placement

__all__ = ["ASSETS", "EditableObjects", "Lamp"]

_PLAIN = Material("thing", (0.55, 0.55, 0.54), label="block", roughness=0.7, reflectivity=0.4)
_GLOW = Material("lamp_glow", (1.0, 0.95, 0.85), label="lamp", emission=2.0)
_FULL = 4.0
"""What a lamp of intensity 1 throws on a surface 1 m away; the noon sun is 1."""

ASSETS: dict[str, str] = {
    "1M_Cube": "cube",
    "1M_Cube_Chamfer": "chamfered",
    "Cube": "cube",
    "Cone": "cone",
    "Cylinder": "cylinder",
    "Sphere": "ball",
    "PointLightBP": "point",
    "SpotLightBP": "spot",
}
"""What can be made: names that clients know, each a shape of 1 m about its middle."""
_LAMPS = {"point": -1.0, "spot": float(np.cos(np.radians(40.0)))}
"""Shapes that shine, with the cosine of half the angle of their cone."""


@dataclass(frozen=True)
class Lamp:
    """A thing that shines along its x axis."""

    cosine: float
    """Of half the angle of its cone; −1: all round."""
    intensity: float = 1.0


@dataclass(frozen=True, eq=False)
class _Original:
    """How the world itself made a thing."""

    placement: Placement
    moving: bool


@cache
def _shape(kind: str, material: Material) -> Mesh:
    about: dict[str, Any] = {"materials": (material,), "name": kind}
    makers = {
        "chamfered": lambda: rounded_cube(material).moved(p=(0, 0, -0.5)),
        "cube": lambda: box((1, 1, 1), **about), "cylinder": lambda: cylinder(0.5, 1.0, **about),
        "cone": lambda: cone(0.5, 1.0, **about).moved(p=(0, 0, -0.5)), "ball": lambda: sphere(0.5, **about),
    }  # fmt: skip
    return makers[kind]() if kind in makers else sphere(0.1, 16, materials=(_GLOW,), name=kind)


class EditableObjects:
    """Changes of the scene apart from robots and from what the world itself makes; kept by snapshots.

    Whatever is moved or painted becomes part of the moving scene, where changes are cheap.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.made: dict[str, str] = {}
        """Asset of every thing made here."""
        self._original: dict[str, _Original] = {}
        """Things of the world that were changed, by name."""
        self._paint: dict[str, Material] = {}
        self.lamps: dict[str, Lamp] = {}
        """Those that shine, by name."""

    def make(self, name: str, asset: str, X_WO: np.ndarray) -> None:
        """A new thing of one of ASSETS at a pose with scale [3, 4]; the name must be free."""
        if asset not in ASSETS:
            raise UnknownNameError("asset", asset, ASSETS)
        if name in self._scene.objects or not name:
            raise SimulationError(f"there is already a thing '{name}'; choose another name")
        kind = ASSETS[asset]
        # Lamps hang; among what moves they would have drones look round for them in every step
        placement = Placement(name, (_shape(kind, _PLAIN),), np.array(X_WO, float))
        self._scene.add(placement, moving=kind not in _LAMPS)
        self.made[name] = asset
        if kind in _LAMPS:
            self.lamps[name] = Lamp(_LAMPS[kind])

    def destroy(self, name: str) -> None:
        """Take a thing away."""
        item = self._object(name)
        if name not in self.made:
            self._remember(item)
        self._scene.remove(name)
        self.made.pop(name, None)
        self._paint.pop(name, None)
        self.lamps.pop(name, None)

    def move(self, name: str, X_WO: np.ndarray) -> None:
        """Put a thing elsewhere: pose with scale of its first instance [3, 4]; the others go along."""
        item = self._loose(name)
        goal, first = _square(np.array(X_WO, float)), _square(item.X_WO[0])
        way = goal @ np.linalg.inv(first)
        item.move(np.stack([(way @ _square(X))[:3] for X in item.X_WO]))

    def paint(self, name: str, colour: tuple[float, float, float]) -> None:
        """Make all of a thing of one plain colour, linear RGB."""
        item = self._loose(name)
        red, green, blue = (float(c) for c in colour)
        material = replace(
            _PLAIN, name="painted", colour=(red, green, blue), label=item.meshes[0].materials[0].label_name
        )
        self._again(item, [replace(m, materials=(material,), face_material=None) for m in item.meshes], moving=True)
        self._paint[name] = material

    def dim(self, name: str, intensity: float) -> None:
        """Set how strongly a lamp shines; 1 is as it was made."""
        if name not in self.lamps:
            raise UnknownNameError("lamp", name, self.lamps)
        if not 0.0 <= intensity < 1e6:
            raise SimulationError(f"lamp '{name}': an intensity of {intensity} must be 0 or more")
        self.lamps[name] = replace(self.lamps[name], intensity=float(intensity))

    def shining(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]:
        """Of each lamp that is lit: place [m], direction, light at 1 m (linear RGB), cosine of half its cone."""
        found = []
        for name, lamp in self.lamps.items():
            X = self._scene.objects[name].X_WO[0]
            if lamp.intensity > 0.0:
                ahead = X[:, 0] / np.linalg.norm(X[:, 0])
                found.append((X[:, 3].copy(), ahead, _FULL * lamp.intensity * np.array(_GLOW.colour), lamp.cosine))
        return found

    # Keeping

    def clear(self) -> None:
        """As the world made it."""
        for name in self.made:
            self._scene.remove(name)
        for name, was in self._original.items():
            if name in self._scene.objects:
                self._scene.remove(name)
            self._scene.add(was.placement, moving=was.moving)
        self.made, self._original, self._paint, self.lamps = {}, {}, {}, {}

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        names = [*self.made, *(n for n in self._original if n in self._scene.objects)]
        return {
            "made": dict(self.made),
            "gone": sorted(n for n in self._original if n not in self._scene.objects),
            "hanging": sorted(n for n in self.made if not self._scene.objects[n].body.moving),
            "poses": {n: self._scene.objects[n].X_WO[0].copy() for n in names},
            "paint": {n: list(m.colour) for n, m in self._paint.items()},
            "lamps": {n: asdict(lamp) for n, lamp in self.lamps.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken; the world has been made anew."""
        self.clear()
        for name, asset in state["made"].items():
            self.make(name, asset, state["poses"][name])
        hanging = set(state.get("hanging", ()))
        for name, X in state["poses"].items():
            if name not in hanging:
                self.move(name, X)
        for name, colour in state["paint"].items():
            self.paint(name, tuple(colour))
        for name in state["gone"]:
            self.destroy(name)
        self.lamps = {n: Lamp(**lamp) for n, lamp in state["lamps"].items()}

    def _object(self, name: str) -> SceneObject:
        if name not in self._scene.objects:
            raise UnknownNameError("thing", name, self._scene.objects)
        return self._scene.objects[name]

    def _remember(self, item: SceneObject) -> None:
        if self._scene.rows.group[item.first_row] >= 0:
            raise WorldError(f"'{item.name}' is a robot, not a thing of the world")
        placement = Placement(item.name, item.meshes, item.X_WO.copy(), item.body.kinds)
        self._original.setdefault(item.name, _Original(placement, item.body.moving))

    def _loose(self, name: str) -> SceneObject:
        """A thing that may be changed, taken out of the standing part of the scene."""
        item = self._object(name)
        if name not in self.made:
            self._remember(item)
        return item if item.body.moving else self._again(item, list(item.meshes), moving=True)

    def _again(self, item: SceneObject, meshes: list[Mesh], moving: bool) -> SceneObject:
        placement = Placement(item.name, tuple(meshes), item.X_WO.copy(), item.body.kinds)
        self._scene.remove(item.name)
        return self._scene.add(placement, moving=moving)


def _square(X: np.ndarray) -> np.ndarray:
    return np.vstack([X, [0.0, 0.0, 0.0, 1.0]])
