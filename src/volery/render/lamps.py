"""Lamps of a scene: meshes that shine, taken as points."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from volery._native.render import Lamp
from volery.core.geometry import Mesh
from volery.world.scene.scene import SceneObject

if TYPE_CHECKING:
    from volery.render.standing import KeptObject

__all__ = ["ShiningMesh", "lamp_of", "nearest_lamps"]

_FAINTEST = 1.0
"""What shines less is only seen, and lights nothing."""
_DISPLAYED = 2.5
"""Emission is what a display shows: by so much less it lights."""

_BEHIND = 0.3
"""Share of the way ahead that lamps behind an eye count as near."""


class ShiningMesh(NamedTuple):
    """A mesh of an object that lights others."""

    item: SceneObject | KeptObject
    kind: int
    """Which of the object's meshes."""
    power: np.ndarray
    """Light on a surface that faces it from 1 m, [3]."""
    middle: np.ndarray
    """In the mesh [m], [3]."""


def lamp_of(item: SceneObject, kind: int, mesh: Mesh) -> ShiningMesh | None:
    """The shining faces of a mesh as a point: emission times area over π; None if it does not shine."""
    emission = np.array([m.emission for m in mesh.materials])
    if emission.max() < _FAINTEST:
        return None
    index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    shining = emission[index] >= _FAINTEST
    corners = mesh.vertices[mesh.faces[shining]].astype(float)
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    colour = np.array([m.colour for m in mesh.materials])[index[shining]] * emission[index[shining], None]
    power = (area[:, None] * colour).sum(axis=0) / np.pi / _DISPLAYED
    return ShiningMesh(item, kind, power, corners.reshape(-1, 3).mean(axis=0)) if power.any() else None


def nearest_lamps(
    shining: list[ShiningMesh], p_W: np.ndarray, ahead_W: np.ndarray, count: int, reach: float
) -> tuple[np.ndarray, np.ndarray]:
    """The lamps nearest to a point or to the way from a little behind it as far as `ahead_W` [m], and which of them
    stand, bool [k]."""
    lamps, standing = [np.zeros(0, Lamp)], [np.zeros(0, bool)]
    for mesh in shining:
        X = mesh.item.X_WO[mesh.item.body.kinds == mesh.kind]
        some = np.zeros(len(X), Lamp)
        some["p_W"], some["power"] = X[:, :, :3] @ mesh.middle + X[:, :, 3], mesh.power
        lamps.append(some)
        standing.append(np.full(len(X), not mesh.item.body.moving))
    found = np.concatenate(lamps)
    away, length = found["p_W"] - p_W, float(ahead_W @ ahead_W)
    along = np.clip(away @ ahead_W / length, -_BEHIND, 1.0) if length > 0 else np.zeros(len(found))
    distance = np.linalg.norm(away - along[:, None] * ahead_W, axis=1)
    order = np.argsort(distance, kind="stable")[:count]
    order = order[distance[order] < reach]
    return found[order], np.concatenate(standing)[order]
