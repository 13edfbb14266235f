"""The world as contact kernels see it: one record in plain memory, kept up to date with a scene."""

from __future__ import annotations

import numpy as np

from volery.physics.contact import layout as at
from volery.physics.contact.gather import on_triangle_address
from volery.world.cells import Cell, cell_key
from volery.world.embree import address
from volery.world.native import kernel_lock
from volery.world.scene import Scene

__all__ = ["ContactWorld"]

_NEAR = 25.0
"""What moves is looked at from this distance on [m]; no part of a robot is farther from its root."""


class ContactWorld:
    """What a scene offers to touch. One for each simulation and each thread that asks at a time."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bound: tuple[int, dict[int, np.ndarray]] = (-1, {})
        """Stand-in geom of the model bound to it, and the polytopes of that model's geoms (see hook.py)."""
        self._record = np.zeros(at.WORLD_WORDS, np.int64)
        self._scratch = np.empty(at.SCRATCH_WORDS)
        self._friction = np.zeros(0, np.float32)
        self._own, self._own_names = np.zeros(1, np.int8), {""}
        self._cells = np.zeros((1, at.CELL_WORDS), np.int64)
        self._held: list[Cell] = []
        self._kept: dict[int, np.ndarray] = {}
        self._record[at.W_QUERY], self._record[at.W_CALLBACK] = address("rtcPointQuery"), on_triangle_address()
        self.address: int = self._record.ctypes.data
        """Where the record is; good for as long as this object lives."""
        self._point(at.W_SCRATCH, self._scratch)
        self._point(at.W_CELLS, self._cells)

    @property
    def lost(self) -> tuple[int, int]:
        """How many triangles and how often contacts found no room so far: the farthest and the shallowest go."""
        return int(self._record[at.W_LOST_TRIANGLES]), int(self._record[at.W_LOST_CONTACTS])

    @property
    def asked(self) -> int:
        """How many shapes were asked for so far."""
        return int(self._record[at.W_ASKED])

    def refresh(self, points_W: np.ndarray, own: set[str]) -> None:
        """Take over what changed in the scene since the last step, near points [n, 3] (W [m]).

        own: groups of the scene (names of robots) whose surfaces are not "world", because the engine that asks moves
        them itself. To be called by the loop before every step: nothing may change the scene while kernels ask.
        """
        self._refresh_tables()
        if own != self._own_names:
            self._refresh_groups(own)
        points = np.asarray(points_W, float).reshape(-1, 3)
        if not np.isfinite(points.sum()):
            points = points[np.isfinite(points).all(axis=1)]
        with kernel_lock:
            cells = [self.scene.cell(p) for p in {cell_key(p): p for p in points}.values()]
        if len(cells) > len(self._cells):
            self._cells = np.zeros((len(cells), at.CELL_WORDS), np.int64)
            self._point(at.W_CELLS, self._cells)
        for words, cell in zip(self._cells, cells, strict=False):
            words[:3].view(np.float64)[:] = cell.origin
            words[3] = cell.static.handle if len(cell.static) else 0
            words[4] = cell.moving.handle if self._strangers(cell, points) else 0
        self._held = cells
        self._record[at.W_CELL_COUNT] = len(cells)

    def _strangers(self, cell: Cell, points: np.ndarray) -> bool:
        """Whether anything moves near the points that is not own: a shape asks slowly where its robot's own surface is,
        since each of its triangles has to be turned down."""
        movers = cell.moving.bodies()
        if not movers:
            return False
        group = self.scene.rows.group[self.scene.slot_rows[True][[slot for slot, _ in movers]]]
        for k in np.flatnonzero(self._own[np.minimum(group, len(self._own) - 1)] == 0):
            body = movers[k][1]
            if (np.linalg.norm(points - body.centre, axis=1) < body.radius + _NEAR).any():
                return True
        return False

    def object_name(self, row: int) -> str:
        """Name of the object that a row of the scene belongs to."""
        return self.scene.object_name(int(self.scene.rows.object[row]))

    def keep(self, word: int, table: np.ndarray) -> None:
        """Let a word of the record point to a table, and keep the table."""
        self._kept[word] = table
        self._point(word, table)

    def set_word(self, word: int, value: int) -> None:
        """Set a word of the record."""
        self._record[word] = value

    def _point(self, word: int, table: np.ndarray) -> None:
        self._record[word] = table.ctypes.data

    def _refresh_tables(self) -> None:
        """Tables of the scene move when they grow."""
        rows, meshes = self.scene.rows, self.scene.meshes
        tables = {
            at.W_X: rows.X, at.W_MESH: rows.mesh, at.W_GROUP: rows.group, at.W_OBJECT: rows.object,
            at.W_VERTICES: meshes.vertices, at.W_FACES: meshes.faces,
            at.W_MATERIAL: meshes.material, at.W_ALIKE: meshes.alike,
            at.W_SIDE: meshes.side, at.W_ONE_SIDE: meshes.one_side,
            at.W_STANDING: self.scene.slot_rows[False], at.W_MOVING: self.scene.slot_rows[True],
        }  # fmt: skip
        for word, table in tables.items():
            if self._kept.get(word) is not table:
                self.keep(word, table)
        if len(self._friction) != len(self.scene.materials.all):
            slip = [m.friction if m.solid else -1.0 for m in self.scene.materials.all]
            self._friction = np.array(slip, np.float32)
            self._point(at.W_FRICTION, self._friction)

    def _refresh_groups(self, own: set[str]) -> None:
        numbers = [self.scene.group(name) for name in sorted(own)]
        # The last one is always 0: it stands for what belongs to nobody, which has the number -1, and for others.
        self._own = np.zeros(max(numbers, default=0) + 2, np.int8)
        self._own[numbers] = 1
        self._own_names = set(own)
        self._point(at.W_OWN, self._own)
        self._record[at.W_GROUPS] = len(self._own)
