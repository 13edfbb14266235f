"""Levels of detail of things made of many small pieces, such as leaves, straws and twigs.

A coarser level shows half the pieces of the one before, each larger so that they cover as much. The pieces that stay
are the same ones at every coarser level: from one to the next nothing jumps.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from volery._native import generate as _native
from volery.core.geometry import Mesh

__all__ = ["linked", "thinned"]

_GROWTH = 0.96
"""Pieces grow a little less than would keep their area: larger ones hide each other less."""
_STOUT = 10.0
"""Twigs get thicker by no more than this."""


def linked(levels: list[Mesh], pieces: Mesh) -> Mesh:
    """The finest of some levels, each of which knows the next as its coarser self; pieces: those of the finest."""
    mesh, size = None, _piece_size(pieces)
    for level in reversed(range(len(levels))):
        mesh = replace(levels[level], coarser=mesh, detail=size * _growth(level) if level else 0.0)
    assert mesh is not None
    return mesh


def thinned(mesh: Mesh, level: int, *, spindles: bool = False) -> Mesh:
    """Every 2^level-th piece, as much larger; small ones of four or five corners become triangles, and so do all others
    if spindles are wanted.

    Pieces are runs of corners and faces that share nothing with the others. Twigs keep their length and get thicker for
    those that are left out.
    """
    if level == 0 and not spindles:
        return mesh
    normals = np.zeros_like(mesh.vertices) if mesh.normals is None else mesh.normals
    materials = np.zeros(len(mesh.faces), np.uint8) if mesh.face_material is None else mesh.face_material
    stoutness = min(_growth(level) ** 1.7, _STOUT)
    vertices, faces, normals, materials = _native.thin_pieces(
        mesh.vertices, mesh.faces, normals, materials, 0.5**level, _growth(level), stoutness, spindles
    )
    return replace(
        mesh, vertices=vertices, faces=faces, face_material=materials, normals=normals, name=f"{mesh.name} {level}",
        filled=False, coarser=None, detail=0.0,
    )  # fmt: skip


def _growth(level: int) -> float:
    return (_GROWTH * 2**0.5) ** level


def _piece_size(mesh: Mesh) -> float:
    """Edge of the square that is as large as the mean of the pieces [m]."""
    return float(np.sqrt(_native.piece_areas(mesh.vertices, mesh.faces).mean()))
