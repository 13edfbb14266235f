"""Which faces of a mesh have an inside behind them: contact pushes out of what is closed, but touches sheets on both
sides.
"""

from __future__ import annotations

import numpy as np

from volery._native import rays
from volery.core.geometry import Mesh

__all__ = ["face_sides"]


def face_sides(mesh: Mesh) -> np.ndarray:
    """Per face, int8 [m]: 1 its part of the mesh is closed, seen from outside; -1 closed but inside out; 0 a sheet.

    Length 1 if all faces are alike.
    """
    if mesh.filled:
        return np.ones(1, np.int8)
    sides = np.empty(len(mesh.faces), np.int8)
    rays.face_sides(mesh.vertices, mesh.faces, sides)
    return sides[:1].copy() if (sides == sides[0]).all() else sides
