"""Levels of detail of things made of many small pieces, such as leaves, straws and twigs.

A coarser level shows half the pieces of the one before, each larger so that they cover as much. The pieces that stay
are the same ones at every coarser level: from one to the next nothing jumps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from volery.core.geometry import Mesh

__all__ = ["linked", "thinned"]

_GROWTH = 0.96
"""Pieces grow a little less than would keep their area: larger ones hide each other less."""
_FOLD = {4: 1.07, 5: 0.93}
"""What a triangle in place of a leaf or a straw must be larger by to cover as much: a leaf is folded, a straw bent."""
_STOUT = 10.0
"""Twigs get thicker by no more than this."""
_BROAD = 1.4
"""What triangles in place of limbs must be wider by, since leaves hide more of few wide ones (fitted to rays)."""
_GOLDEN = 0.6180339887498949
_KITE, _STRAW = 4, 5
"""Corners of a leaf (`blades`), and of a bent straw."""


class _Pieces(NamedTuple):
    """Runs of corners and faces that share nothing with the others."""

    corner: np.ndarray
    """First corner of each, and one past the last, [n + 1]."""
    face: np.ndarray
    """Likewise of faces."""


def linked(levels: list[Mesh], pieces: Mesh) -> Mesh:
    """The finest of some levels, each of which knows the next as its coarser self; pieces: those of the finest."""
    mesh, size = None, _piece_size(pieces)
    for level in reversed(range(len(levels))):
        mesh = replace(levels[level], coarser=mesh, detail=size * _growth(level) if level else 0.0)
    assert mesh is not None
    return mesh


def thinned(mesh: Mesh, level: int, *, spindles: bool = False) -> Mesh:
    """Every 2^level-th piece, as much larger; small ones of four or five corners become triangles, and so do all others
    if spindles are wanted."""
    if level == 0 and not spindles:
        return mesh
    pieces = _pieces(mesh)
    share = 0.5**level
    chosen = np.flatnonzero((np.arange(len(pieces.corner) - 1) * _GOLDEN + 0.5 * share) % 1.0 < share)
    corners = np.diff(pieces.corner)[chosen]
    parts = [
        _triangles(mesh, pieces, chosen[corners == _KITE], level, _KITE),
        _triangles(mesh, pieces, chosen[corners == _STRAW], level, _STRAW),
        (_spindles if spindles else _thicker)(mesh, pieces, chosen[(corners != _KITE) & (corners != _STRAW)], level),
    ]
    vertices, faces, normals, materials, start = [], [], [], [], 0
    for v, f, n, m in parts:
        vertices.append(v)
        faces.append(f + start)
        normals.append(n)
        materials.append(m)
        start += len(v)
    return Mesh(
        np.concatenate(vertices), np.concatenate(faces), mesh.materials, np.concatenate(materials),
        normals=np.concatenate(normals), robust=mesh.robust, name=f"{mesh.name} {level}",
    )  # fmt: skip


def _growth(level: int) -> float:
    return (_GROWTH * 2**0.5) ** level


def _piece_size(mesh: Mesh) -> float:
    """Edge of the square that is as large as the mean of the pieces [m]."""
    return float(np.sqrt(_areas(mesh).sum() / (len(_pieces(mesh).corner) - 1)))


def _areas(mesh: Mesh) -> np.ndarray:
    """Of the faces [m²]."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(np.float64) for k in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def _pieces(mesh: Mesh) -> _Pieces:
    """They come one after another: a face whose corners are all beyond those before begins the next."""
    low, high = mesh.faces.min(axis=1).astype(np.int64), np.maximum.accumulate(mesh.faces.max(axis=1)).astype(np.int64)
    first = np.flatnonzero(np.concatenate([[True], low[1:] > high[:-1]]))
    return _Pieces(np.append(low[first], len(mesh.vertices)), np.append(first, len(mesh.faces)))


def _kite(v: np.ndarray) -> np.ndarray:
    """A triangle as large as a leaf of base, side, tip and other side, [n, 4, 3] to [n, 3, 3]."""
    half = 0.5 * (v[:, 1] - v[:, 3])
    return np.stack([v[:, 0] - half, v[:, 0] + half, v[:, 2]], axis=1)


def _straw(v: np.ndarray) -> np.ndarray:
    """A triangle as large as a straw of foot (2), knee (2) and tip, [n, 5, 3] to [n, 3, 3]."""
    half = 0.75 * (v[:, 1] - v[:, 0])
    foot = 0.5 * (v[:, 0] + v[:, 1])
    return np.stack([foot - half, foot + half, v[:, 4]], axis=1)


def _triangles(mesh: Mesh, pieces: _Pieces, chosen: np.ndarray, level: int, corners: int) -> tuple[np.ndarray, ...]:
    """Chosen pieces of so many corners, each as one triangle that grew round its middle."""
    index = pieces.corner[chosen, None] + np.arange(corners)
    shape = {_KITE: _kite, _STRAW: _straw}[corners]
    v = shape(mesh.vertices[index].astype(np.float64))
    middle = v.mean(axis=1, keepdims=True)
    v = middle + _FOLD[corners] * _growth(level) * (v - middle)
    normal = np.repeat(_normals(mesh)[index[:, 0]], 3, axis=0)
    return v.reshape(-1, 3), np.arange(3 * len(v)).reshape(-1, 3), normal, _materials(mesh)[pieces.face[chosen]]


def _thicker(mesh: Mesh, pieces: _Pieces, chosen: np.ndarray, level: int) -> tuple[np.ndarray, ...]:
    """Chosen pieces such as twigs, as long as they are and thicker for those that are left out."""
    faces, corners = _runs(pieces.face, chosen), _runs(pieces.corner, chosen)
    place = np.zeros(len(mesh.vertices), np.int64)
    place[corners] = np.arange(len(corners))
    more = np.repeat(_radii(mesh, pieces)[chosen], np.diff(pieces.corner)[chosen]) * (_stoutness(level) - 1)
    v = mesh.vertices[corners] + more[:, None] * _normals(mesh)[corners]
    return v, place[mesh.faces[faces]], _normals(mesh)[corners], _materials(mesh)[faces]


def _spindles(mesh: Mesh, pieces: _Pieces, chosen: np.ndarray, level: int) -> tuple[np.ndarray, ...]:
    """Chosen pieces such as limbs, each as a triangle from its foot to its tip that hides as much."""
    first, last = pieces.corner[chosen], pieces.corner[chosen + 1]
    v = mesh.vertices.astype(np.float64)
    foot, tip = (v[a] + v[b] + v[c] for a, b, c in ((first, first + 1, first + 2), (last - 1, last - 2, last - 3)))
    foot, tip = foot / 3, tip / 3
    # Each turned another way round its axis, so that not all of them are seen edge-on.
    one = np.cross(tip - foot, v[first] - foot)
    other = np.cross(tip - foot, one)
    one, other = (a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-9) for a in (one, other))
    turn = np.pi * _GOLDEN * np.arange(len(chosen))[:, None]
    half = (
        _BROAD
        * np.pi
        * _stoutness(level)
        * _radii(mesh, pieces)[chosen, None]
        * (np.cos(turn) * one + np.sin(turn) * other)
    )
    corners = np.stack([foot - half, foot + half, tip], axis=1).reshape(-1, 3)
    normal = np.repeat(_normals(mesh)[first], 3, axis=0)
    return corners, np.arange(len(corners)).reshape(-1, 3), normal, _materials(mesh)[pieces.face[chosen]]


def _stoutness(level: int) -> float:
    """What pieces that keep their length get thicker by."""
    return min(_growth(level) ** 1.7, _STOUT)


def _radii(mesh: Mesh, pieces: _Pieces) -> np.ndarray:
    """Of the tubes that are as long and have as much surface as the pieces, [n] [m]."""
    low, high = (f.reduceat(mesh.vertices, pieces.corner[:-1]) for f in (np.minimum, np.maximum))
    surface = np.add.reduceat(_areas(mesh), pieces.face[:-1])
    return surface / (2 * np.pi * np.maximum(np.linalg.norm(high - low, axis=1), 1e-6))


def _runs(starts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """All numbers of the chosen runs."""
    length = starts[chosen + 1] - starts[chosen]
    first = np.cumsum(length) - length
    return np.arange(length.sum()) + np.repeat(starts[chosen] - first, length)


def _normals(mesh: Mesh) -> np.ndarray:
    return np.zeros_like(mesh.vertices) if mesh.normals is None else mesh.normals


def _materials(mesh: Mesh) -> np.ndarray:
    return np.zeros(len(mesh.faces), np.uint8) if mesh.face_material is None else mesh.face_material
