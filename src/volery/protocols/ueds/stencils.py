"""Numbers of what is seen: stencils of segmentation with their colours, and materials of the lidar's intensity."""

from __future__ import annotations

import numpy as np

from volery.core.material import LABELS, Material
from volery.core.palette import PALETTE as AIRSIM
from volery.world.cast.hits import Hits
from volery.world.scene.scene import Scene

__all__ = ["PALETTE", "Stencils"]

PALETTE = AIRSIM.copy()
"""Red, green, blue by stencil, uint8 [256, 3]: AirSim's table with 0 white and 255 black."""
PALETTE[0], PALETTE[255] = 255, 0

_FIRST_DRONE = 200
_OTHERS = _FIRST_DRONE - len(LABELS) - 1
"""Stencils for classes that have no small number of their own."""
_MOST_LABEL = 65_536
_TREES = ("trunk", "leaf", "wood")
_BUILT = ("wall", "ceiling", "door", "window", "roof", "glass", "floor", "metal", "rack", "pipe")
_ROADS = ("asphalt", "concrete")


def _stencil_of_label(label: int) -> int:
    """Ours are 1 for the ground, small numbers for known classes, and large ones for others."""
    return label if label <= len(LABELS) else len(LABELS) + 1 + label % _OTHERS


def _material_number(material: Material) -> int:
    """0 other, 1 grass, 2 road, 3 tree, 4 building, 5 fence, 6 dirt road."""
    label = material.label_name
    if label in _TREES:
        return 3
    if label == "fence":
        return 5
    if label in _BUILT:
        return 4
    if label == "marking" or (label == "ground" and material.texture in _ROADS):
        return 2
    if label in ("grass", "ground"):
        return 6 if material.texture == "soil" else 1
    return 0


class Stencils:
    """Numbers of what is in a scene, drones by themselves."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.drones: dict[str, int] = {}
        """Index of each drone by name."""
        self._table = np.array([_stencil_of_label(n) for n in range(_MOST_LABEL)], np.uint8)
        self._table[0] = 0

    def of_hits(self, hits: Hits) -> np.ndarray:
        """Stencil by ray, int32 [n]; 0 without a hit, where -1 would make clients read beyond their table."""
        kinds = self._scene.materials.all
        labels = np.array([m.label_number for m in kinds] + [0], np.int32)
        # Material -1, of rays without a hit, takes the last: label 0.
        return self._with_drones(self._table[labels[hits.material]].astype(np.int32), hits.object)

    def of_picture(self, labels: np.ndarray, instances: np.ndarray) -> np.ndarray:
        """Stencil by pixel, int32 [h, w], of a camera's labels and instances; 0 for the sky."""
        return self._with_drones(self._table[labels].astype(np.int32), instances)

    def materials_of(self, hits: Hits) -> np.ndarray:
        """Material by ray, int32 [n]; -1 without a hit."""
        table = np.array([_material_number(m) for m in self._scene.materials.all] + [-1], np.int32)
        return table[hits.material]

    def _with_drones(self, stencils: np.ndarray, objects: np.ndarray) -> np.ndarray:
        for name, index in list(self.drones.items()):
            item = self._scene.objects.get(name)
            if item is not None:
                stencils[objects == item.number] = _FIRST_DRONE + index % (255 - _FIRST_DRONE)
        return stencils
