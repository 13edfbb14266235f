"""RFID tags of a run: those that robots drop, and what is written on any tag. A tag is an object of the scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.core.geometry import box
from volery.core.material import Material
from volery.errors import SimulationError
from volery.world.scene.scene import Scene
from volery.world.world import Placement

__all__ = ["Tags"]

_PLASTIC = Material("rfid_tag", (0.75, 0.6, 0.05), "tag", 0.4, 0.6, solid=False)
_TAG = box((0.06, 0.06, 0.008), materials=(_PLASTIC,), name="rfid_tag")
_LIFT = 0.006
"""Of its middle over the ground [m]: its lower face must not lie in the ground's own plane."""
_DEEPEST = 1000.0
"""A tag falls no deeper than this [m]."""
_MOST_LAYERS = 100
"""Leaves and the like that it falls through."""


class Tags:
    """What changes about tags while a scenario runs."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._dropped: dict[str, np.ndarray] = {}
        self._memory: dict[str, str] = {}

    def drop(self, number: int, p_W: np.ndarray, owner: str | None = None) -> int:
        """Let a new tag fall from a place [m]; it lies on the first solid thing below that is not its owner's.

        Its object is named 'rfid_<number>'; where that is taken the next free number is. Returns the number.
        """
        X = self._landing(np.asarray(p_W, float), owner)
        while f"rfid_{number}" in self._scene.objects:
            number += 1
        self._add(f"rfid_{number}", X)
        return number

    def read(self, name: str) -> str:
        """The text on the tag of that object name; empty if nobody wrote."""
        return self._memory.get(name, "")

    def write(self, name: str, text: str) -> None:
        """Put a text on a tag instead of what it had."""
        self._memory[name] = text

    def clear(self) -> None:
        """As at the beginning: dropped tags are gone, nothing is written."""
        for name in self._dropped:
            self._scene.remove(name)
        self._dropped, self._memory = {}, {}

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {"dropped": {n: X.copy() for n, X in self._dropped.items()}, "memory": dict(self._memory)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.clear()
        for name, X in state["dropped"].items():
            self._add(name, X)
        self._memory = dict(state["memory"])

    def _add(self, name: str, X_WO: np.ndarray) -> None:
        # Of the moving part of the scene: to add there costs nothing, however large the world.
        self._scene.add(Placement(name, (_TAG,), X_WO), moving=True)
        self._dropped[name] = X_WO.copy()

    def _landing(self, p_W: np.ndarray, owner: str | None) -> np.ndarray:
        """Pose [3, 4] of a tag that fell from p_W: flat on the surface, x as far east as it can be."""
        start = p_W
        for _ in range(_MOST_LAYERS):
            hits = self._scene.cast(start, np.array([[0.0, 0.0, -1.0]]), max_range=_DEEPEST, ignore=owner)
            if not hits.hit[0]:
                break
            if self._scene.materials.all[hits.material[0]].solid:
                up = hits.normal[0] * np.sign(hits.normal[0, 2] or 1.0)
                return _lying(hits.points[0], up.astype(float))
            start = hits.points[0] - [0.0, 0.0, 1e-3]
        raise SimulationError(f"a tag dropped at {np.round(p_W, 2).tolist()} has nothing solid below to land on")


def _lying(p: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Pose of a tag on a surface through p [m] with a normal."""
    up = up / np.linalg.norm(up)
    along = np.array([1.0, 0, 0]) if abs(up[0]) < 0.9 else np.array([0, 1.0, 0])
    left = np.cross(up, along)
    left /= np.linalg.norm(left)
    return np.column_stack([np.cross(left, up), left, up, p + _LIFT * up])
