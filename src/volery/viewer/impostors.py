"""Built things seen from afar: of many small parts, the smallest become boxes or rods, or are left out.

A shelf of cartons, a ladder or a heap of sticks is a mesh of parts that do not touch. Clusters of vertices would make
thin parts vanish and melt others; a part as a box about its own axes keeps its place, size and colour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from volery._native.viewer import areas, components, weld
from volery.viewer.mesh_buffer import MeshBuffer

__all__ = ["FEW_PARTS", "part_count", "simplified_parts"]

FEW_PARTS = 6
"""With fewer parts a mesh is better made coarser as a whole."""
_BOX, _ROD, _DRUM = 12, 6, 28
"""Triangles of a box, of a rod of three sides without ends, and of a drum of eight."""
_SLENDER = 5.0
"""A part that is so many times longer than wide becomes a rod."""
_CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
_BOX_FACES = np.array(
    [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
     [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]
)  # fmt: skip
_WIDE = 1.25
"""Corners of a rod stand out by so much, for about the surface of a round or square bar."""
_ROD_CORNERS = np.array(
    [[s, _WIDE * np.cos(a), _WIDE * np.sin(a)] for s in (-1, 1) for a in np.radians([90.0, 210.0, 330.0])]
)
_TURN = np.radians(np.arange(8) * 45.0)
_DRUM_CORNERS = np.array([[np.cos(a), np.sin(a), z] for z in (-1, 1) for a in _TURN])
_DRUM_FACES = np.array(
    [t for k in range(8) for t in ([k, (k + 1) % 8, 8 + (k + 1) % 8], [k, 8 + (k + 1) % 8, 8 + k])]
    + [t for k in range(1, 7) for t in ([0, k + 1, k], [8, 8 + k, 9 + k])]
)
_ROUND = 0.8
"""How far into the corners of the box round it a round part comes at most; √½ for a cylinder, 1 for a box."""
_SPECK = 0.2
"""Only parts below this share of the whole's size may go."""
_ROD_FACES = np.array([t for k in range(3) for t in ([k, (k + 1) % 3, 3 + (k + 1) % 3], [k, 3 + (k + 1) % 3, 3 + k])])


@dataclass(frozen=True, eq=False)
class _Parts:
    """The connected parts of some faces."""

    of: np.ndarray
    """Part of each face [m]."""
    triangles: np.ndarray
    """[c]."""
    area: np.ndarray
    """[m²], [c]."""
    material: np.ndarray
    """The one that most of its area has, [c]."""
    middle: np.ndarray
    """Of the box round it [m], [c, 3]."""
    axes: np.ndarray
    """Of that box, the longest first, as columns of rotations [c, 3, 3]."""
    half: np.ndarray
    """Half its edges [m], [c, 3]."""
    corners: np.ndarray
    """How far it comes into the corners of that box, seen along each axis, 0 to 1, [c, 3]."""


def part_count(buffer: MeshBuffer, which: np.ndarray) -> int:
    """How many parts that do not touch some faces have."""
    welded = weld(buffer.vertices + np.float32(0.0))
    faces = welded[buffer.faces[which]]
    return len(np.unique(components(faces, len(buffer.vertices))[faces[:, 0]]))


def simplified_parts(buffer: MeshBuffer, which: np.ndarray, wanted: float, dispensable: float) -> MeshBuffer:
    """Some faces with about so many triangles.

    Small parts become boxes or rods first; if that is not enough, the smallest go, up to a share of the area.
    """
    parts = _parts(buffer, which)
    rod, drum = parts.half[:, 0] > _SLENDER * parts.half[:, 1], _drums(parts)
    plain = np.where(rod, _ROD, np.where(drum, _DRUM, _BOX))
    order = np.argsort(parts.area, kind="stable")
    gain = np.maximum(parts.triangles - plain, 0)[order]
    left = len(parts.of) - np.cumsum(gain)
    simple = np.zeros(len(order), bool)
    simple[order[: int(np.searchsorted(-left, -wanted)) + 1]] = True
    simple &= (parts.triangles > plain) & _like_boxes(parts)
    stays = _spared(parts, np.where(simple, plain, parts.triangles), order, wanted, dispensable)
    pieces = [_left_over(buffer, which, (stays & ~simple)[parts.of])]
    shapes = ((_ROD_CORNERS, _ROD_FACES, rod), (_DRUM_CORNERS, _DRUM_FACES, drum & ~rod),
              (_CORNERS, _BOX_FACES, ~rod & ~drum))  # fmt: skip
    for corners, faces, chosen in shapes:
        rows = np.flatnonzero(simple & stays & chosen)
        pieces.append(_stamped(parts, rows, corners, faces, buffer.normals is not None))
    return _together(buffer, pieces)


def _drums(parts: _Parts) -> np.ndarray:
    """Which parts are round [c]: their axes are turned so that the third is that of the drum."""
    found = parts.corners.min(axis=1) < _ROUND
    order = (np.arange(3) + parts.corners.argmin(axis=1)[:, None] + 1) % 3
    turned = np.take_along_axis(parts.axes, order[:, None], axis=2)
    parts.axes[found], parts.half[found] = turned[found], np.take_along_axis(parts.half, order, axis=1)[found]
    return found


def _left_over(buffer: MeshBuffer, which: np.ndarray, kept: np.ndarray) -> _Replacement:
    """Faces that stay as they are."""
    faces = buffer.faces[which][kept]
    used, index = np.unique(faces, return_inverse=True)
    normals = None if buffer.normals is None else buffer.normals[used]
    return _Replacement(buffer.vertices[used], index.reshape(-1, 3), buffer.material[which][kept], normals)


def _like_boxes(parts: _Parts) -> np.ndarray:
    """Which parts a box can stand for [c]: about as much surface, and not the main part of the whole, which may be
    hollow, unless it is a rod or a plate."""
    x, y, z = parts.half.T
    ratio = 8.0 * (x * y + y * z + z * x) / np.maximum(parts.area, 1e-12)
    longest, shortest = parts.half.max(axis=1), parts.half.min(axis=1)
    small = longest < 0.25 * _size(parts)
    return (ratio > 0.4) & (ratio < 2.5) & (small | (shortest < 0.1 * longest))


def _size(parts: _Parts) -> float:
    """Of all parts together, about [m]."""
    reach = parts.half.max(axis=1, keepdims=True)
    return float(np.linalg.norm((parts.middle + reach).max(axis=0) - (parts.middle - reach).min(axis=0)))


def _spared(parts: _Parts, size: np.ndarray, order: np.ndarray, wanted: float, dispensable: float) -> np.ndarray:
    """Which parts stay [c]: the smallest go until there are few enough triangles, as far as they are dispensable.

    size: triangles that each part would have [c].
    """
    area = parts.area
    if dispensable < 0.5:
        order = order[2.0 * parts.half.max(axis=1)[order] < _SPECK * _size(parts)]
    left = size.sum() - np.cumsum(size[order])
    enough = int(np.searchsorted(-left, -wanted)) + 1 if size.sum() > wanted else 0
    most = int(np.searchsorted(np.cumsum(area[order]), dispensable * area.sum()))
    stays = np.ones(len(area), bool)
    stays[order[: min(enough, most)]] = False
    return stays


def _parts(buffer: MeshBuffer, which: np.ndarray) -> _Parts:
    welded = weld(buffer.vertices + np.float32(0.0))
    faces = welded[buffer.faces[which]]
    label = components(faces, len(buffer.vertices))
    ids, of = np.unique(label[faces[:, 0]], return_inverse=True)
    c, kinds = len(ids), len(buffer.materials)
    area = areas(buffer.vertices, faces)
    by_kind = np.bincount(of * kinds + buffer.material[which], area, c * kinds).reshape(c, kinds)
    used = np.unique(faces)
    mine = np.searchsorted(ids, label[used])
    order = np.argsort(mine, kind="stable")
    points, mine = buffer.vertices[used[order]].astype(np.float64), mine[order]
    middle, axes, half = _frames(points, mine, c)
    local = np.abs(np.einsum("pi,pij->pj", points - middle[mine], axes[mine])) / np.maximum(half[mine], 1e-9)
    pairs = np.stack([np.minimum(local[:, k - 2], local[:, k - 1]) for k in range(3)], axis=1)
    corners = np.maximum.reduceat(pairs, np.searchsorted(mine, np.arange(c)))
    return _Parts(
        of, np.bincount(of, minlength=c), by_kind.sum(axis=1), by_kind.argmax(axis=1), middle, axes, half, corners
    )


def _frames(points: np.ndarray, mine: np.ndarray, c: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle, axes and half edges of a box round each of c groups of points, which are sorted by group."""
    start = np.searchsorted(mine, np.arange(c))
    count = np.bincount(mine, minlength=c)[:, None]
    mean = np.add.reduceat(points, start) / count
    off = points - mean[mine]
    spread = np.add.reduceat(off[:, :, None] * off[:, None], start)
    own = np.linalg.eigh(spread)[1][:, :, ::-1]
    # Of the axes of the mesh and those of the points' spread, those with the smaller box; the first win a draw.
    best: Any = None
    volume = np.zeros(0)
    for axes in (np.broadcast_to(np.eye(3), own.shape), own):
        local = np.einsum("pi,pij->pj", off, axes[mine])
        low, high = np.minimum.reduceat(local, start), np.maximum.reduceat(local, start)
        size = (high - low + 1e-4).prod(axis=1)
        found = (mean + np.einsum("cij,cj->ci", axes, 0.5 * (low + high)), axes, 0.5 * (high - low))
        if best is None:
            best, volume = found, size
        else:
            smaller = size < 0.9 * volume
            best = tuple(
                np.where(smaller.reshape(-1, *[1] * (new.ndim - 1)), new, old)
                for new, old in zip(found, best, strict=True)
            )
    middle, axes, half = best
    order = np.argsort(-half, axis=1, kind="stable")
    axes = np.take_along_axis(axes, order[:, None], axis=2)
    axes = axes * np.where(np.linalg.det(axes) < 0, -1.0, 1.0)[:, None, None]
    return middle, axes, np.take_along_axis(half, order, axis=1)


@dataclass(frozen=True, eq=False)
class _Replacement:
    vertices: np.ndarray
    faces: np.ndarray
    material: np.ndarray
    normals: np.ndarray | None


def _stamped(parts: _Parts, chosen: np.ndarray, shape: np.ndarray, faces: np.ndarray, smooth: bool) -> _Replacement:
    """A shape, given in the unit cube, in the place of each chosen part."""
    half, axes = parts.half[chosen][:, None], parts.axes[chosen]
    local = shape * half
    vertices = parts.middle[chosen][:, None] + np.einsum("cij,ckj->cki", axes, local)
    out = shape * (1.0 / np.maximum(half, 1e-6))
    normal = np.einsum("cij,ckj->cki", axes, out)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    index = (np.arange(len(chosen)) * len(shape))[:, None, None] + faces
    return _Replacement(
        vertices.reshape(-1, 3), index.reshape(-1, 3), np.repeat(parts.material[chosen], len(faces)),
        normal.reshape(-1, 3) if smooth else None,
    )  # fmt: skip


def _together(buffer: MeshBuffer, pieces: list[_Replacement]) -> MeshBuffer:
    starts = np.cumsum([0, *(len(p.vertices) for p in pieces)])
    return replace(
        buffer,
        vertices=np.concatenate([p.vertices for p in pieces]).astype(np.float32),
        faces=np.concatenate([p.faces + s for p, s in zip(pieces, starts, strict=False)]).astype(np.uint32),
        material=np.concatenate([p.material for p in pieces]).astype(np.uint8),
        normals=None if buffer.normals is None else np.concatenate([p.normals for p in pieces]).astype(np.float32),
    )
