"""Fewer triangles for what is far away: leaves thinned out and enlarged, surfaces by clusters of vertices.

Surfaces after Rossignac and Borrel (1993): vertices in a cube of a grid become one, placed where it keeps best to the
planes of its faces (Lindstrom 2000). The rims of ground and cave walls stay as they are, so that neighbours of
different detail meet without a gap. Foliage keeps a share of its leaves, each enlarged by as much as the others left.
Things of many parts have `impostors`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from volery._native import viewer as _native
from volery._native.viewer import areas, components, weld
from volery.core.geometry import Mesh
from volery.viewer.impostors import FEW_PARTS, part_count, simplified_parts
from volery.viewer.mesh_buffer import MeshBuffer, buffer_of

__all__ = ["levels_of", "reduced"]

_SHARES = (0.35, 0.10, 0.025)
"""Of the triangles that the lesser levels have, about."""
_PLANTS = ((2000, 50), (np.inf, 110))
"""Plants have one more level, of about so many triangles for those of up to so many: a wood has thousands of them."""
_FEWEST = 40
"""Triangles that every level has, about."""
_ENOUGH = 200
"""A mesh with fewer triangles has one level only."""
_WORTH = 0.7
"""A level must have at most this share of the triangles of the one before."""
_LEAF = 12
"""A connected part with more triangles is no leaf."""
_KEPT = 0.6
"""Share of its area that a surface must keep: thin parts vanish when their two sides fall into one cube."""
_TRIES = 5
_DISPENSABLE, _LITTER, _TWIGS = 0.15, 0.5, 0.9
"""Share of the area of many small parts that may go: of things, of wood, and of wood among leaves."""
_FEW_TWIGS = 12
"""Triangles that wood has at least, about."""


def levels_of(mesh: Mesh, own: tuple[Mesh, ...] = ()) -> list[MeshBuffer]:
    """A mesh and its lesser levels, the finest first; own: those that its world knows."""
    found = [buffer_of(mesh)]
    if len(mesh.faces) < _ENOUGH:
        return found
    for other in own:
        if len(other.faces) <= _WORTH * len(found[-1].faces):
            found.append(buffer_of(other))
    counts = [max(share * len(mesh.faces), _FEWEST) for share in _SHARES]
    if _is_plant(found[0]):
        counts.append(next(few for most, few in _PLANTS if len(mesh.faces) <= most))
    for wanted in counts:
        most = _WORTH * len(found[-1].faces)
        level = reduced(found[-1], wanted / len(found[-1].faces)) if wanted <= most else None
        if level is not None and len(level.faces) <= most:
            found.append(level)
    return found


def _is_plant(buffer: MeshBuffer) -> bool:
    """Whether it is leaves and wood for the most part."""
    page_materials, look = buffer.page_materials
    green = np.array([entry.surface == "leaf" or entry.label == "trunk" for entry in page_materials])
    return bool(green[look].mean() > 0.5)


def reduced(buffer: MeshBuffer, share: float) -> MeshBuffer | None:
    """About a share of the triangles in place of all; None if too much of the shape would be lost."""
    page_materials, look = buffer.page_materials
    soft = np.array([entry.surface == "leaf" for entry in page_materials])[look]
    leafy, root = _leaves(buffer, soft)
    parts = []
    if leafy.any():
        parts.append(_thinned(buffer, leafy, root, share))
    if not leafy.all():
        surface = _surface(buffer, ~leafy, share)
        if surface is None:
            return None
        parts.append(surface)
    return _joined(parts)


def _surface(buffer: MeshBuffer, which: np.ndarray, share: float) -> MeshBuffer | None:
    """Faces that are no leaves: many parts each by itself, else as a whole."""
    plant, count = _is_plant(buffer), int(which.sum())
    if not buffer.filled and (plant or part_count(buffer, which) > FEW_PARTS):
        wanted = max(share * count, _FEW_TWIGS if plant else _FEWEST)
        spare = _DISPENSABLE * (1.0 - share) if not plant else _LITTER if which.all() else _TWIGS
        return simplified_parts(buffer, which, wanted, spare)
    return _clustered(buffer, which, share)


def _leaves(buffer: MeshBuffer, soft: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which faces belong to leaves [m], and the first vertex of what each vertex is connected with [n]."""
    root = components(buffer.faces[soft], len(buffer.vertices))
    of = root[buffer.faces[:, 0]]
    size = np.bincount(of[soft], minlength=len(root))
    return soft & (size[of] <= _LEAF), root


def _thinned(buffer: MeshBuffer, leafy: np.ndarray, root: np.ndarray, share: float) -> MeshBuffer:
    """A share of the leaves, larger."""
    faces, material = buffer.faces[leafy], buffer.material[leafy]
    leaf = root[faces[:, 0]]
    # The same leaves go first at every level, so that little changes from one to the next.
    ids, first = np.unique(leaf, return_index=True)
    stays = _chance(first) < share
    if not stays.any():
        stays[np.argmin(_chance(first))] = True
    kept = np.isin(leaf, ids[stays])
    faces, material = faces[kept], material[kept]
    used, index = np.unique(faces, return_inverse=True)
    leaf = root[used]
    order = np.argsort(leaf, kind="stable")
    start = np.append(np.flatnonzero(np.diff(leaf[order], prepend=-1)), len(leaf))
    picked = _picked(buffer, used)
    vertices = _native.grow(picked.vertices, start, order, float(stays.mean()))
    return replace(picked, vertices=vertices, faces=index.reshape(-1, 3).astype(np.uint32), material=material)


def _chance(numbers: np.ndarray) -> np.ndarray:
    """A number from 0 to 1 for each whole number, always the same (splitmix64)."""
    h = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (h ^ (h >> np.uint64(31))) / 2.0**64


def _picked(buffer: MeshBuffer, vertices: np.ndarray) -> MeshBuffer:
    """The buffer with only some of its vertices; faces are to be set."""
    rows: dict[str, Any] = {name: getattr(buffer, name) for name in ("vertices", "normals", "colours")}
    kept: dict[str, Any] = {name: None if row is None else row[vertices] for name, row in rows.items()}
    return replace(buffer, **kept)


def _clustered(buffer: MeshBuffer, which: np.ndarray, share: float) -> MeshBuffer | None:
    """Some faces as a coarser surface; None if none of that size keeps the shape."""
    faces, material = (buffer.faces, buffer.material) if which.all() else (buffer.faces[which], buffer.material[which])
    locked = np.zeros(len(buffer.vertices), bool)
    if buffer.filled:
        welded = weld(buffer.vertices + np.float32(0.0))
        _native.rims(welded[faces], locked)
        locked = locked[welded]
    wanted = max(share * len(faces), _FEWEST * len(faces) / len(buffer.faces))
    area, low = float(areas(buffer.vertices, faces).sum()), buffer.vertices.min(axis=0)
    cell = np.sqrt(2.0 * area / wanted)
    for _ in range(_TRIES):
        clusters, count = _native.cluster(buffer.vertices, faces, locked, low, cell)
        coarse, kept = _native.coarse_faces(faces, clusters)
        number = len(coarse) - 2 * int(locked.sum())
        if number <= 1.3 * wanted:
            break
        cell *= np.sqrt(max(number / wanted, 1.2))
    if not len(coarse):
        return None
    made = replace(_settled(buffer, faces, clusters, count, locked, cell), faces=coarse, material=material[kept])
    return made if areas(made.vertices, coarse).sum() >= _KEPT * area else None


def _settled(
    buffer: MeshBuffer, faces: np.ndarray, clusters: np.ndarray, count: int, locked: np.ndarray, cell: float
) -> MeshBuffer:
    """A buffer of one vertex for each cluster; faces are to be set."""
    fixed = np.zeros(count, bool)
    fixed[clusters[locked]] = True
    middle, normals, colours = (
        None if rows is None else _native.means(rows.astype(np.float64), clusters, count)
        for rows in (buffer.vertices, buffer.normals, buffer.colours)
    )
    assert middle is not None
    place = _native.solve_clusters(buffer.vertices, faces, clusters, middle, fixed, 0.5 * cell).astype(np.float32)
    return replace(buffer, vertices=place, normals=None if normals is None else _unit(normals), colours=colours)


def _unit(v: np.ndarray) -> np.ndarray:
    """Unit vectors; up where opposite ones have cancelled out."""
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(size > 1e-6, v / np.maximum(size, 1e-6), (0.0, 0.0, 1.0)).astype(np.float32)


def _joined(parts: list[MeshBuffer]) -> MeshBuffer:
    """Several buffers of the same materials as one."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    rows: dict[str, Any] = {
        name: None if getattr(parts[0], name) is None else np.concatenate([getattr(p, name) for p in parts])
        for name in ("vertices", "normals", "colours", "material")
    }
    faces = np.concatenate([p.faces + np.uint32(s) for p, s in zip(parts, starts, strict=False)])
    return replace(parts[0], faces=faces, **rows)
