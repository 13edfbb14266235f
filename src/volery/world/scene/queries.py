"""The questions one can ask a scene: rays, lines of sight, nearest points. Inputs are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from volery._native import rays
from volery.errors import RayError
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits
from volery.world.scene.floating_origin import CELL_SIZE

if TYPE_CHECKING:
    from volery.world.scene.scene import Scene

__all__ = ["casting", "closest_point", "occluded"]


def casting(
    scene: Scene,
    origins: ArrayLike,
    directions: ArrayLike,
    max_range: float | np.ndarray | None,
    channel: str | None,
    ignore: str | None,
) -> Casting[Hits]:
    """See Scene.casting."""
    origins, directions = _checked_rays(origins, directions)
    far = _far(scene, max_range, len(directions))
    hits = Hits(scene, len(directions))
    hits.origins, hits.directions = origins, directions
    for where, anchor in _by_cell(origins, len(directions)):
        part = hits if where is None else Hits(scene, int(np.count_nonzero(where)))
        local = origins if len(origins) == 1 or where is None else origins[where]
        yield Cast(
            (local - anchor).astype(np.float32),
            (directions if where is None else directions[where]).astype(np.float32),
            np.eye(3),
            anchor,
            far if where is None or len(far) == 1 else far[where],
            part,
            mask=scene.channel(channel),
            ignore=scene.group(ignore),
        )
        if where is not None:
            hits.take(where, part)
    hits.resolve()
    return hits


def occluded(
    scene: Scene, origins: ArrayLike, targets: ArrayLike, channel: str | None, ignore: str | None
) -> np.ndarray:
    """See Scene.occluded."""
    origins, targets = _checked_points(origins), _checked_points(targets)
    if len(origins) != len(targets) and 1 not in (len(origins), len(targets)):
        raise RayError(f"{len(origins)} origins for {len(targets)} targets; give one, or one for each")
    steps = targets - origins
    length = np.linalg.norm(steps, axis=1)
    origins, directions = _checked_rays(np.broadcast_to(origins, steps.shape), steps)
    length = _far(scene, length, len(length))
    blocked = np.empty(len(directions), np.bool_)
    for where, anchor in _by_cell(origins, len(directions)):
        chosen = slice(None) if where is None else where
        part = np.empty(len(directions[chosen]), np.bool_)
        rays.occluded_rays(
            scene.tables,
            scene.cell(anchor).rays,
            (origins[chosen] - anchor).astype(np.float32),
            directions[chosen].astype(np.float32),
            np.eye(3),
            anchor,
            length[chosen],
            scene.channel(channel),
            scene.group(ignore),
            True,
            True,
            part,
        )
        blocked[chosen] = part
    return blocked


def closest_point(
    scene: Scene, points: ArrayLike, max_distance: float, channel: str | None, ignore: str | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See Scene.closest_point."""
    points = _checked_points(points)
    if not max_distance > 0:
        raise RayError(f"max_distance = {max_distance}: must be above 0")
    nearest, distance = np.empty_like(points), np.empty(len(points))
    row, primitive = np.empty(len(points), np.int32), np.empty(len(points), np.int32)
    for where, anchor in _by_cell(points, len(points)):
        chosen = np.arange(len(points)) if where is None else np.flatnonzero(where)
        answer = [np.ascontiguousarray(a[chosen]) for a in (nearest, distance, row, primitive)]
        cell, mask = scene.cell(anchor).rays, scene.channel(channel)
        near = np.ascontiguousarray(points[chosen])
        rays.nearest_points(scene.tables, cell, near, float(max_distance), scene.group(ignore), mask, *answer)
        wholes: tuple[np.ndarray, ...] = (nearest, distance, row, primitive)
        for whole, part in zip(wholes, answer, strict=True):
            whole[chosen] = part
    found = row >= 0
    distance[_inside(scene, points, row)] *= -1
    nearest[~found], distance[~found] = np.nan, np.inf
    return nearest, distance, np.where(found, scene.rows.object[row], -1)


def _inside(scene: Scene, points: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Which points lie inside the closed mesh of their row."""
    rows, meshes = scene.rows, scene.meshes
    mesh = np.where(row >= 0, rows.mesh[row], -1)
    closed = [int(m) for m in np.unique(mesh[mesh >= 0]) if meshes.mesh(int(m)).closed]
    inside = np.zeros(len(points), np.bool_)
    asked = np.where(np.isin(mesh, closed), row, -1)
    rays.inside_meshes(scene.tables, points, asked.astype(np.int32), inside)
    return inside


def _far(scene: Scene, max_range: float | np.ndarray | None, count: int) -> np.ndarray:
    far = np.atleast_1d(np.asarray(scene.horizon if max_range is None else max_range, np.float32))
    if far.shape not in ((1,), (count,)) or not ((far > 0) & (far <= scene.horizon)).all():
        raise RayError(f"max_range must be above 0 and at most the scene's horizon of {scene.horizon:g} m")
    return far


def _checked_points(points: ArrayLike) -> np.ndarray:
    points = np.ascontiguousarray(np.atleast_2d(np.asarray(points, np.float64)))
    if points.ndim != 2 or points.shape[1] != 3:
        raise RayError(f"points have shape {points.shape}; expected [n, 3]")
    if not np.isfinite(points).all():
        raise RayError("a point is NaN or infinite")
    return points


def _checked_rays(origins: ArrayLike, directions: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    origins, directions = _checked_points(origins), _checked_points(directions)
    if len(origins) not in (1, len(directions)):
        raise RayError(f"{len(origins)} origins for {len(directions)} directions; give one origin, or one for each")
    largest = np.abs(directions).max(axis=1, keepdims=True)
    if not (largest > 0).all():
        raise RayError("a ray direction has no length")
    # By the largest part first: squares of very long or short directions leave the range of numbers.
    directions = directions / largest
    return origins, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def _by_cell(origins: np.ndarray, count: int) -> list[tuple[np.ndarray | None, np.ndarray]]:
    """Rays by the cell they start in: (mask, an anchor in that cell); mask None: all of them."""
    if count == 0:
        return []
    keys = np.floor(origins / CELL_SIZE + 0.5)
    if len(origins) == 1 or (keys == keys[0]).all():
        return [(None, origins[0])]
    unique, index = np.unique(keys, axis=0, return_inverse=True)
    index = index.reshape(-1)
    return [(index == i, origins[index == i][0]) for i in range(len(unique))]
