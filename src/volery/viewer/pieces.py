"""Pieces of the world as the page gets them: chunks of an endless world, a bounded one whole, things added later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from volery.bus.frames import pack
from volery.core.geometry import Mesh
from volery.viewer.meshes import MeshRegistry
from volery.viewer.messages import PageChunkHeader, PageChunkObject, plain_message
from volery.world.world import ChunkKey, Placement, World

__all__ = ["Key", "Piece", "know_far", "piece_of"]

Key = tuple[int, int] | tuple[str]
"""Of a chunk; ("extra",): of what was added while running."""
_FAR_LEVELS = (1, 2)
"""Levels that a world with `generate_far` knows."""
_WORTH_ASKING = 200
"""Meshes with fewer triangles have no lesser levels."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Instances of meshes, packed."""

    key: Key
    meshes: dict[int, Mesh]
    """All it shows, by their numbers."""
    data: bytes


def piece_of(key: Key, origin: np.ndarray, placements: Iterable[Placement], meshes: MeshRegistry) -> Piece:
    """Placements as one piece, relative to an origin in W [m]; all levels of all meshes are made now."""
    placements = list(placements)
    shown: dict[Mesh, int] = {}
    kinds, objects, first = [], [], 0
    for placement in placements:
        rows = np.array([shown.setdefault(mesh, len(shown)) for mesh in placement.meshes])
        kinds.append(rows[placement.kinds])
        objects.append(PageChunkObject(placement.name, first, len(placement.X_WO)))
        first += len(placement.X_WO)
    for mesh in shown:
        meshes.frames(mesh)
    X = np.concatenate([p.X_WO for p in placements]) if placements else np.zeros((0, 3, 4))
    X[:, :, 3] -= origin
    numbers = {meshes.number(mesh): mesh for mesh in shown}
    x, y, z = (float(v) for v in origin)
    header = plain_message(PageChunkHeader("chunk", list(key), (x, y, z), objects, list(numbers)))
    # More kinds than two bytes can count have not been seen, but a mesh file may hold anything.
    width = np.uint16 if len(shown) <= 65_536 else np.uint32
    kind = np.concatenate(kinds).astype(width) if kinds else np.zeros(0, width)
    return Piece(key, numbers, pack(header, {"kind": kind, "X": X.astype(np.float32)}))


def know_far(world: World, key: ChunkKey, placements: Iterable[Placement], meshes: MeshRegistry) -> None:
    """Take the lesser levels that the world itself has of its meshes, where they are the same kinds in the same order.

    Only things that stand in many places are asked for: the ground is another one in every chunk.
    """
    new = {p.name: p for p in placements if len(p.X_WO) > 1 and any(_unknown(m, meshes) for m in p.meshes)}
    if not new or not hasattr(world, "generate_far"):
        return
    lesser: dict[Mesh, list[Mesh]] = {}
    for level in _FAR_LEVELS:
        for far in world.generate_far(key, level):
            near = new.get(far.name)
            if near is not None and len(near.meshes) == len(far.meshes) and _same(near.kinds, far.kinds):
                for mesh, other in zip(near.meshes, far.meshes, strict=True):
                    lesser.setdefault(mesh, []).append(other)
    for placement in new.values():
        for mesh in placement.meshes:
            if _unknown(mesh, meshes):
                meshes.know(mesh, tuple(lesser.get(mesh, ())))


def _unknown(mesh: Mesh, meshes: MeshRegistry) -> bool:
    return len(mesh.faces) >= _WORTH_ASKING and not meshes.knows(mesh)


def _same(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
