"""The world as contact kernels see it, kept up to date with a scene."""

from __future__ import annotations

import weakref

import numpy as np

from volery._native import contact
from volery.world.scene.floating_origin import Cell, CellObject, cell_key
from volery.world.scene.scene import Scene

__all__ = ["ContactWorld"]

_NEAR = 25.0
"""What moves is looked at from this distance on [m]; no part of a robot is farther from its root."""


class ContactWorld:
    """What a scene offers to touch. One for each simulation and each thread that asks at a time."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.native = contact.ContactWorld(scene.tables)
        """For kernels."""
        self._own: set[str] | None = None
        self._mine = np.zeros(1, np.bool_)
        """By group whether it is own; the last stands for others, and for what belongs to nobody: number -1."""
        self._materials = 0
        self._others: weakref.WeakKeyDictionary[Cell, tuple[int, list[CellObject]]] = weakref.WeakKeyDictionary()
        """What moves in a cell and is not own, for its composition."""

    @property
    def lost(self) -> tuple[int, int]:
        """How many triangles and how often contacts found no room so far: the farthest and the shallowest go."""
        return self.native.lost

    @property
    def asked(self) -> int:
        """How many shapes were asked for so far."""
        return self.native.asked

    def refresh(self, points_W: np.ndarray, own: set[str]) -> None:
        """Take over what changed in the scene since the last step, near points [n, 3] (W [m]).

        own: groups of the scene (names of robots) whose surfaces are not "world", because the engine that asks moves
        them itself. To be called by the loop before every step: nothing may change the scene while kernels ask.
        """
        if self._materials != len(self.scene.materials.all):
            self._refresh_materials()
        if own != self._own:
            self._refresh_groups(own)
        points = np.asarray(points_W, float).reshape(-1, 3)
        if not np.isfinite(points.sum()):
            points = points[np.isfinite(points).all(axis=1)]
        found = [self.scene.cell(p) for p in {cell_key(p): p for p in points}.values()]
        self.native.clear_cells()
        for cell in found:
            self.native.add_cell(cell.rays, self._strangers(cell, points))

    def object_name(self, row: int) -> str:
        """Name of the object that a row of the scene belongs to."""
        return self.scene.object_name(int(self.scene.rows.object[row]))

    def _strangers(self, cell: Cell, points: np.ndarray) -> bool:
        """Whether anything moves near the points that is not own: a shape asks slowly where its robot's own surface is,
        since each of its triangles has to be turned down."""
        known = self._others.get(cell)
        if known is None or known[0] != cell.composition:
            known = self._others[cell] = (cell.composition, self._not_own(cell.movers()))
        return any((np.linalg.norm(points - b.centre, axis=1) < b.radius + _NEAR).any() for b in known[1])

    def _not_own(self, movers: list[CellObject]) -> list[CellObject]:
        if not movers:
            return []
        group = self.scene.rows.group[self.scene.slot_rows[True][[body.slot for body in movers]]]
        return [movers[k] for k in np.flatnonzero(~self._mine[np.minimum(group, len(self._mine) - 1)])]

    def _refresh_materials(self) -> None:
        friction = np.array([m.friction if m.solid else -1.0 for m in self.scene.materials.all], float)
        self._materials = len(friction)
        self.native.set_friction(friction)

    def _refresh_groups(self, own: set[str]) -> None:
        groups = np.array([self.scene.group(name) for name in sorted(own)], np.int64)
        self._own, self._mine = set(own), np.zeros(groups.max(initial=0) + 2, np.bool_)
        self._mine[groups] = True
        self._others.clear()
        self.native.set_own(groups)
