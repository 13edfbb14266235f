"""The world that rays can see: named objects, a static and a moving part, and the questions one can ask it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volery._native.rays import RayBatch, SceneTables
from volery.core.geometry import Mesh
from volery.errors import GeometryError, RayError, UnknownNameError
from volery.world.cast.batch import Casting, run_together
from volery.world.cast.embree import NO_ID, shared_device
from volery.world.cast.hits import Hits
from volery.world.scene import queries
from volery.world.scene.floating_origin import Cell, CellKey, CellObject, cell_key, next_cell
from volery.world.scene.instances import Materials, MeshHierarchies, RowRanges, Rows
from volery.world.world import Placement, check_volume

__all__ = ["ALL_CHANNELS", "Scene", "SceneObject"]

ALL_CHANNELS = NO_ID
_MOST_CHANNELS = 31
"""One bit of the mask stays for rays without a channel, which see all."""
_FORGET_CELL_AFTER = 10_000
"""Casts after which a cell that nobody used is dropped."""
_AT_ONCE = 4
"""Objects that enter a cell ahead at a time."""
_MOST_PENDING = 256
"""Changes that a cell which nobody asks may have waiting."""


class SceneObject:
    """A named thing in a scene: one or more instances that come, move and go together."""

    def __init__(self, scene: Scene, placement: Placement, body: CellObject, number: int, first_row: int) -> None:
        self.name = placement.name
        self.number = number
        self.meshes = placement.meshes
        self.body = body
        self.first_row = first_row
        self.deforms = False
        self.bent: np.ndarray | None = None
        """Corners of a mesh that has changed its shape, float32 [n, 3]; like `X_WO`, exchanged and never written to."""
        self.bent_normals: np.ndarray | None = None
        """And their normals, if it is smooth, float32 [n, 3]."""
        self.version = 0
        """The scene's version at which it last came or, if it stands, moved or changed its shape."""
        self.reach = max(_reach(mesh) for mesh in placement.meshes)
        """Farthest corner of any mesh from its origin [m]."""
        self._scene = scene

    def __repr__(self) -> str:
        return f"<SceneObject {self.name!r}: {len(self.body.X_WO)} of {len(self.meshes)} meshes>"

    @property
    def X_WO(self) -> np.ndarray:
        """Places of the instances, float64 [k, 3, 4]; an array that stays as it is when they move."""
        return self.body.X_WO

    def move(self, X_WO: ArrayLike) -> None:
        """Put the instances elsewhere, [k, 3, 4] or, for a single one, [3, 4]."""
        X = np.asarray(X_WO, np.float64)
        X = X[None] if X.ndim == 2 else X
        k = len(self.body.X_WO)
        if X.shape not in ((k, 3, 4), (k, 4, 4)):
            raise GeometryError(f"'{self.name}': poses have shape {X.shape}; expected [{k}, 3, 4]")
        self._scene._move(self, X[:, :3])

    def deform(self, vertices: ArrayLike, normals: np.ndarray | None = None) -> None:
        """Move the corners of its only mesh [n, 3], with their normals if it has any; it must have been added with
        deforms=True."""
        self._scene._deform(self, np.asarray(vertices))
        self.bent_normals = normals


class Scene:
    """Objects and rays. Not a thread's toy: one loop changes and asks it; building meshes ahead is for any thread."""

    def __init__(self, *, build_threads: int = 1, horizon: float = 20_000.0) -> None:
        """horizon: how far rays may reach [m]. build_threads: for making hierarchies (0: all cores); with one, a commit
        of the loop never has to help with what a background thread is building."""
        if not 0 < horizon < np.inf:
            raise RayError(f"a horizon of {horizon} m: must be above 0 and finite")
        self.device = shared_device(build_threads)
        self.tables = SceneTables()
        """What kernels look up by number."""
        self.materials = Materials()
        self.meshes = MeshHierarchies(self.device, self.materials, self.tables)
        self.rows = Rows(self.tables)
        self.objects: dict[str, SceneObject] = {}
        self.horizon = horizon
        self.dark = False
        """Whether no daylight comes in, as in a cave."""
        self.version = 0
        """Counts what changes the standing part of the world and the list of objects: adds, removals, moves of what
        stands, deformations. Light that was found once stays valid while it is the same."""
        self.moves = 0
        """Counts what moves, and what changes its shape."""
        self.companions: dict[type, Any] = {}
        """What others keep about this scene, by their class: it goes when the scene goes, which a table elsewhere that
        holds objects of the scene would prevent."""
        self._channels: dict[str, list[str] | None] = {}
        self._groups: dict[str, int] = {}
        self._by_number: dict[int, SceneObject] = {}
        self._slots = {False: RowRanges(), True: RowRanges()}
        self.slot_rows = {False: np.zeros(64, np.int32), True: np.zeros(64, np.int32)}
        for moving, table in self.slot_rows.items():
            self.tables.set_slot_rows(moving, table)
        self._cells: dict[CellKey, Cell] = {}
        self._casts = 0

    def __repr__(self) -> str:
        instances = sum(len(item.body.X_WO) for item in self.objects.values())
        moving = sum(item.body.moving for item in self.objects.values())
        return f"<Scene: {len(self.objects)} objects ({moving} moving), {instances} instances>"

    # Objects

    def add(
        self, placement: Placement, *, moving: bool = False, group: str | None = None, deforms: bool = False
    ) -> SceneObject:
        """Add an object. `group`: whose it is (a robot), so that the owner's sensors can ignore it; it may move."""
        if deforms and any(mesh in self.meshes for mesh in placement.meshes):
            raise GeometryError(f"'{placement.name}': a mesh that deforms must not be shared; give it a copy")
        if placement.name in self.objects:
            raise GeometryError(
                f"there is already an object '{placement.name}'; remove it first or choose another name"
            )
        moving = moving or group is not None
        entries = [self.meshes.entry(mesh, deforms) for mesh in placement.meshes]
        k, kinds = len(placement.X_WO), np.asarray(placement.kinds)
        first = self.rows.take(k)
        number = self._number(placement.name)
        slot = self._slots[moving].take(1)
        mask = self._mask_of(placement.name)
        rows = slice(first, first + k)
        self.rows.mesh[rows] = np.array([e.id for e in entries], np.int32)[kinds]
        self.rows.object[rows] = number
        self.rows.group[rows] = -1 if group is None else self._group(group)
        self.rows.mask[rows] = mask
        self._set_slot_row(moving, slot, first)
        body = CellObject(slot, [e.scene for e in entries], kinds, placement.X_WO.copy(), mask, moving)
        item = SceneObject(self, placement, body, number, first)
        item.deforms = deforms and len(placement.meshes) == 1
        self.objects[placement.name] = self._by_number[number] = item
        self._settle(item, placement.X_WO)
        self._touch(item, True)
        self._count(item)
        return item

    def remove(self, name: str) -> None:
        """Take an object away."""
        if name not in self.objects:
            raise UnknownNameError("object", name, self.objects)
        item = self.objects.pop(name)
        del self._by_number[item.number]
        self.rows.give(item.first_row, len(item.body.X_WO))
        self._slots[item.body.moving].give(item.body.slot, 1)
        self._touch(item, False)
        self._count(item)

    def object_name(self, number: int) -> str:
        """Name of the object of that number."""
        return self._by_number[number].name

    def define_channel(self, name: str, objects: Iterable[str] | None = None) -> None:
        """A channel shows only objects whose names match one of the patterns; None: all. Define it before adding."""
        if name not in self._channels and len(self._channels) >= _MOST_CHANNELS:
            raise RayError(f"channel '{name}': there can be at most {_MOST_CHANNELS} channels")
        if self.objects:
            raise RayError(f"channel '{name}' must be defined before objects are added")
        self._channels[name] = None if objects is None else list(objects)

    def channel(self, name: str | None) -> int:
        """The ray mask of a channel; None: everything is seen."""
        if name is None:
            return ALL_CHANNELS
        if name not in self._channels:
            raise UnknownNameError("channel", name, self._channels)
        return 1 << list(self._channels).index(name)

    def group(self, name: str | None) -> int:
        """Number of a group whose surfaces rays pass through; None: of no group."""
        return -1 if name is None else self._group(name)

    # Questions

    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_range: float | np.ndarray | None = None,
        channel: str | None = None,
        ignore: str | None = None,
    ) -> Hits:
        """Nearest hits of rays in W: origins [n, 3] or [3] [m], directions [n, 3] (any length > 0), range [m]."""
        return run_together(self, [queries.casting(self, origins, directions, max_range, channel, ignore)])[0]

    def casting(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_range: float | np.ndarray | None = None,
        channel: str | None = None,
        ignore: str | None = None,
    ) -> Casting[Hits]:
        """`cast` for a sensor whose rays are cast together with others': `hits = yield from scene.casting(…)`."""
        return queries.casting(self, origins, directions, max_range, channel, ignore)

    def occluded(
        self, origins: ArrayLike, targets: ArrayLike, *, channel: str | None = None, ignore: str | None = None
    ) -> np.ndarray:
        """Whether anything stands between origins and targets (each [n, 3] or [3], W [m]), bool [n]."""
        return queries.occluded(self, origins, targets, channel, ignore)

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = 1000.0,
        channel: str | None = None,
        ignore: str | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nearest surface points [n, 3] to points [n, 3] (W [m]), distances [n], object numbers [n].

        A distance is negative inside an object whose mesh is closed; where nothing is within max_distance it is
        infinite, the point NaN and the object -1.
        """
        return queries.closest_point(self, points, max_distance, channel, ignore)

    def cast_pattern(
        self,
        origins_S: np.ndarray,
        directions_S: np.ndarray,
        R_WS: np.ndarray,
        p_WS: np.ndarray,
        far: np.ndarray,
        hits: Hits,
        *,
        mask: int = ALL_CHANNELS,
        ignore: int = -1,
        near: float = 0.0,
        coherent: bool = False,
    ) -> None:
        """The hot path: unit rays given once in a sensor's frame S (float32), cast from the pose of S in W.

        coherent: neighbours go the same way, as a camera's do; a third faster for those, much slower for others.
        """
        batch = RayBatch(self.tables)
        pose = np.ascontiguousarray(R_WS, np.float64), np.ascontiguousarray(p_WS, np.float64)
        cell = self.cell(p_WS).rays
        batch.add(cell, origins_S, directions_S, *pose, far, mask, ignore, near, coherent, hits.arrays)
        batch.cast()

    def cell(self, p_W: np.ndarray) -> Cell:
        """The up-to-date cell a point lies in; near a border the next one is made ready bit by bit."""
        self._casts += 1
        key = cell_key(p_W)
        cell = self._find_cell(key)
        cell.sync()
        ahead = next_cell(p_W, key)
        if ahead is not None:
            self._find_cell(ahead).sync(_AT_ONCE + len(cell.moving))
        return cell

    def _find_cell(self, key: CellKey) -> Cell:
        cell = self._cells.get(key)
        if cell is None:
            self._cells = {k: c for k, c in self._cells.items() if self._casts - c.last_used < _FORGET_CELL_AFTER}
            cell = self._cells[key] = Cell(self.device, key, self.horizon)
            for item in self.objects.values():
                cell.touch(item.body, True)
        cell.last_used = self._casts
        return cell

    def _move(self, item: SceneObject, X_WO: np.ndarray) -> None:
        self._check_present(item)
        self._settle(item, X_WO)
        self.moves += 1
        item.body.X_WO = X_WO.copy()
        self._touch(item, True)
        if not item.body.moving:
            self._count(item)

    def _settle(self, item: SceneObject, X_WO: np.ndarray) -> None:
        """Write the rows of an object and the sphere round it."""
        centre, radius, scale = self.rows.place(item.first_row, X_WO)
        if scale == 0.0:
            if not np.isfinite(X_WO).all():
                raise GeometryError(f"'{item.name}': a pose is NaN or infinite; the object stays where it was")
            check_volume(item.name, X_WO)
        item.body.centre, item.body.radius = centre, radius + scale * item.reach

    def _deform(self, item: SceneObject, vertices: np.ndarray) -> None:
        self._check_present(item)
        if not item.deforms:
            raise GeometryError(f"'{item.name}' is rigid; add it with deforms=True and a single mesh of its own")
        mesh = item.meshes[0]
        if vertices.shape != mesh.vertices.shape or not np.isfinite(vertices).all():
            raise GeometryError(f"'{item.name}': vertices must be finite, of shape {mesh.vertices.shape}")
        item.bent = np.array(vertices, np.float32)
        item.body.scenes[0].deform(item.bent)
        self.moves += 1
        self._touch(item, True)
        if not item.body.moving:
            self._count(item)

    def _count(self, item: SceneObject) -> None:
        self.version += 1
        item.version = self.version

    def _check_present(self, item: SceneObject) -> None:
        if self.objects.get(item.name) is not item:
            raise GeometryError(f"'{item.name}' is no longer in the scene; its place may be another's by now")

    def _touch(self, item: SceneObject, alive: bool) -> None:
        for key, cell in list(self._cells.items()):
            cell.touch(item.body, alive)
            # An idle cell would hold what is long gone: drop it, it can be made again.
            if cell.pending > _MOST_PENDING and cell.last_used < self._casts:
                del self._cells[key]

    def _mask_of(self, name: str) -> int:
        """Bits of the channels that show an object of that name; channels not defined show all."""
        mask = ALL_CHANNELS
        for bit, patterns in enumerate(self._channels.values()):
            if patterns is not None and not any(fnmatchcase(name, p) for p in patterns):
                mask &= ~(1 << bit)
        return mask

    def _number(self, name: str) -> int:
        """A number that belongs to a name, whatever came before it; the next free one if two names share it."""
        number = zlib.crc32(name.encode()) & 0x7FFFFFFF
        while number in self._by_number:
            number = (number + 1) & 0x7FFFFFFF
        return number

    def _group(self, name: str) -> int:
        return self._groups.setdefault(name, len(self._groups))

    def _set_slot_row(self, moving: bool, slot: int, first: int) -> None:
        table = self.slot_rows[moving]
        if slot >= len(table):
            table = self.slot_rows[moving] = np.concatenate([table, np.zeros_like(table)])
            self.tables.set_slot_rows(moving, table)
        table[slot] = first


def _reach(mesh: Mesh) -> float:
    return float(np.linalg.norm(np.abs(mesh.bounds).max(axis=0)))
