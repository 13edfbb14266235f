"""Meshes for the page: numbers that stay the same in a run, and frames of all levels of detail, made once."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from volery.bus.frames import pack
from volery.core.geometry import Mesh
from volery.errors import RobotError
from volery.robots.description import Skin
from volery.viewer.levels import levels_of
from volery.viewer.mesh_buffer import PackedMesh, buffer_of, pack_mesh
from volery.viewer.messages import PageMeshHeader, plain_message

__all__ = ["MeshFrame", "MeshRegistry", "bones_of"]

_MOST_BONES = 256
"""Of a skin, since the page counts them in one byte."""


@dataclass(frozen=True, eq=False)
class MeshFrame:
    """A level of detail of a mesh as the page gets it."""

    of: int
    """Number of the mesh."""
    level: int
    """0: full."""
    triangles: int
    data: bytes


class MeshRegistry:
    """Meshes that pages know by numbers. Any thread may ask; a mesh that nobody holds any more is forgotten."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._ids: WeakKeyDictionary[Mesh | Skin, int] = WeakKeyDictionary()
        self._own: WeakKeyDictionary[Mesh, tuple[Mesh, ...]] = WeakKeyDictionary()
        self._frames: WeakKeyDictionary[Mesh | Skin, list[MeshFrame]] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._packing = threading.Lock()

    def number(self, thing: Mesh | Skin) -> int:
        """The number of a mesh or skin, which is that of its full level."""
        with self._lock:
            if thing not in self._ids:
                self._ids[thing] = next(self._numbers)
            return self._ids[thing]

    def know(self, mesh: Mesh, lesser: tuple[Mesh, ...]) -> None:
        """Tell the lesser levels that a world has of a mesh, before its frames are asked for."""
        with self._lock:
            self._own[mesh] = lesser

    def knows(self, mesh: Mesh) -> bool:
        """Whether lesser levels of a mesh were told, or its frames are made."""
        with self._lock:
            return mesh in self._own or mesh in self._frames

    def frames(self, thing: Mesh | Skin) -> list[MeshFrame]:
        """Frames of all levels of a mesh, the finest first; a skin has one."""
        with self._lock:
            known, own = self._frames.get(thing), self._own.get(thing, ()) if isinstance(thing, Mesh) else ()
        if known is not None:
            return known
        number = self.number(thing)
        with self._packing:
            made = [self._skin(number, thing)] if isinstance(thing, Skin) else self._levels(number, thing, own)
        with self._lock:
            return self._frames.setdefault(thing, made)

    def _levels(self, number: int, mesh: Mesh, own: tuple[Mesh, ...]) -> list[MeshFrame]:
        packed = [pack_mesh(buffer) for buffer in levels_of(mesh, own)]
        return [self._frame(number, mesh.name, level, len(packed), p) for level, p in enumerate(packed)]

    def _skin(self, number: int, skin: Skin) -> MeshFrame:
        packed = pack_mesh(buffer_of(skin.mesh))
        used = bones_of(skin)
        packed.arrays["bones"] = np.searchsorted(used, skin.bones)[packed.source].astype(np.uint8)
        packed.arrays["weights"] = _shares(skin.weights)[packed.source]
        packed.arrays["X_BR_bind"] = skin.X_BR_bind[used].astype(np.float32)
        return self._frame(number, skin.mesh.name, 0, 1, packed)

    def _frame(self, number: int, name: str, level: int, levels: int, packed: PackedMesh) -> MeshFrame:
        own = number if level == 0 else next(self._numbers)
        head = PageMeshHeader("mesh", own, number, name, level, levels, **packed.header)
        triangles = len(packed.arrays["index"]) // 3
        return MeshFrame(number, level, triangles, pack(plain_message(head), packed.arrays))


def bones_of(skin: Skin) -> list[int]:
    """Numbers of the bodies that a skin follows, in rising order: the page's bones count in this list."""
    used = np.unique(skin.bones).tolist()
    if len(used) > _MOST_BONES:
        raise RobotError(f"skin '{skin.mesh.name}' follows {len(used)} bones; the page shows at most {_MOST_BONES}")
    return used


def _shares(weights: np.ndarray) -> np.ndarray:
    """Weights [n, 4] of sum 1 as bytes of sum 255: what rounding leaves goes to those that lost most."""
    exact = weights * 255.0
    low = np.floor(exact).astype(np.int64)
    rank = np.argsort(np.argsort(low - exact, axis=1, kind="stable"), axis=1, kind="stable")
    return (low + (rank < 255 - low.sum(axis=1, keepdims=True))).astype(np.uint8)
