"""Ways through what stands in a scene: a path as it was asked for if nothing is near it, else led round things.

Ways are searched for on a lattice of points with clearance, so that whatever joins two neighbours is free, too. The
search begins at a place that is known to be free. What cannot be reached from there, such as the inside of the ground,
is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from volery.errors import WorldError
from volery.world.scene.scene import Scene

__all__ = ["free_path", "is_free"]

Height = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""z at points x, y [m]."""
_MARGIN = 12.0
"""So far beyond the corners ways may lead [m]."""
_MOST_POINTS = 400_000
_SIDES = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
_NARROWER, _GIVEN = 0.8, 0.5
"""Shares of the clearance that straight pieces of a way keep, and that a path must have to be taken as it is."""


def is_free(scene: Scene, corners: np.ndarray, clear: float, start: np.ndarray) -> bool:
    """Whether a path [n, 3] keeps half of `clear` [m] from everything, and can be seen from a free place."""
    if any(not _leg_free(scene, a, b, clear, _GIVEN) for a, b in pairwise(corners)):
        return False
    if np.linalg.norm(corners - start, axis=1).min() < clear:
        return True
    return not scene.occluded(start[None], corners).all()


def free_path(
    scene: Scene, corners: np.ndarray, clear: float, start: np.ndarray, *, height: Height | None = None,
    loop: bool = True,
) -> np.ndarray:  # fmt: skip
    """Corners [m, 3] of a way past the given ones [n, 3] that keeps `clear` [m] from everything.

    start: a place that is free; height: z at which to fly, by place; by default that of the corner next to come. A
    corner that is not free is moved to the nearest place that can be reached. With `loop` the last piece leads back to
    the first.
    """
    lattices: dict[float, _Lattice] = {}
    found: list[np.ndarray] = []
    goals = [*corners, corners[0]] if loop and len(corners) > 1 else list(corners)
    low, high = np.vstack([corners, start])[:, :2].min(axis=0) - _MARGIN, np.vstack([corners, start])[:, :2].max(axis=0)
    for goal in goals:
        level = 0.0 if height is not None else float(goal[2])
        if level not in lattices:
            lattices[level] = _Lattice(scene, low, high + _MARGIN, clear, start, height or _at(level))
        lattice = lattices[level]
        cell = lattice.nearest(goal if not found or found[0] is not goal else found[0])
        if not found:
            found.append(lattice.point(cell))
            continue
        route = lattice.route(lattice.nearest(found[-1]), cell)
        found += _pulled(scene, [found[-1], *route], clear, height)[1:]
    return np.array(found[:-1] if loop and len(found) > 1 else found)


def _at(level: float) -> Height:
    return lambda x, y: np.full(np.shape(x), level)


class _Lattice:
    """Points at a height over a box of the plane, and which of them can be got to from a start."""

    def __init__(
        self, scene: Scene, low: np.ndarray, high: np.ndarray, clear: float, start: np.ndarray, height: Height
    ) -> None:
        self._low, self._cell = low, clear
        shape = np.maximum(np.ceil((high - low) / clear).astype(int), 1)
        if shape.prod() > _MOST_POINTS:
            raise WorldError(f"a path over {high - low} m with {clear:g} m of room is too long to be searched for")
        x, y = (low[k] + (np.arange(shape[k]) + 0.5) * clear for k in (0, 1))
        X, Y = np.meshgrid(x, y, indexing="ij")
        self._points = np.stack([X, Y, height(X, Y)], axis=-1)
        _, distance, _ = scene.closest_point(self._points.reshape(-1, 3), max_distance=clear)
        free = ~(distance < clear).reshape(X.shape)
        self._open = self._reached(scene, free, start)
        self._cells = np.argwhere(self._open)

    def _reached(self, scene: Scene, free: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Free points that hang together with one that can be seen from the start."""
        cells = np.argwhere(free)
        gaps = np.linalg.norm(self._points[free] - start, axis=1)
        near = np.argsort(gaps, kind="stable")[:400]
        seen = ~scene.occluded(start[None], self._points[free][near]) if len(near) else np.zeros(0, bool)
        if not seen.any():
            raise WorldError("no free way begins at this world's start; ask for less room, or choose another seed")
        out, edge = np.zeros_like(free), [tuple(int(c) for c in cells[near[int(np.argmax(seen))]])]
        out[edge[0]] = True
        while edge:
            i, j = edge.pop()
            for di, dj in _SIDES:
                a, b = i + di, j + dj
                if 0 <= a < free.shape[0] and 0 <= b < free.shape[1] and free[a, b] and not out[a, b]:
                    out[a, b] = True
                    edge.append((a, b))
        return out

    def point(self, cell: tuple[int, int]) -> np.ndarray:
        """Where a point of the lattice is [m], [3]."""
        return self._points[cell]

    def nearest(self, p: np.ndarray) -> tuple[int, int]:
        """The point that can be got to and is nearest to p seen from above."""
        wanted = (p[:2] - self._low) / self._cell - 0.5
        best = int(np.argmin(((self._cells - wanted) ** 2).sum(axis=1)))
        return int(self._cells[best, 0]), int(self._cells[best, 1])

    def route(self, start: tuple[int, int], goal: tuple[int, int]) -> list[np.ndarray]:
        """Points of the shortest way, by A*; all of them hang together, so there is one."""
        before: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
        cost = {start: 0.0}
        queue = [(0.0, start)]
        while queue:
            _, at = heappop(queue)
            if at == goal:
                break
            for di, dj in _SIDES:
                to = (at[0] + di, at[1] + dj)
                if not (0 <= to[0] < self._open.shape[0] and 0 <= to[1] < self._open.shape[1]) or not self._open[to]:
                    continue
                price = cost[at] + (di * di + dj * dj) ** 0.5
                if price < cost.get(to, np.inf):
                    cost[to], before[to] = price, at
                    heappush(queue, (price + ((to[0] - goal[0]) ** 2 + (to[1] - goal[1]) ** 2) ** 0.5, to))
        cells: list[tuple[int, int]] = []
        here: tuple[int, int] | None = goal
        while here is not None:
            cells.append(here)
            here = before[here]
        return [self.point(cell) for cell in reversed(cells)]


def _pulled(scene: Scene, points: list[np.ndarray], clear: float, height: Height | None) -> list[np.ndarray]:
    """The same way with as few corners as pieces that are free allow."""
    kept, at = [points[0]], 0
    while at < len(points) - 1:
        # Doubling, then back: most pieces are short between trees and long in the open.
        far = 1
        while at + 2 * far < len(points) and _straight(scene, points[at], points[at + 2 * far], clear, height):
            far *= 2
        last = min(at + 2 * far, len(points) - 1)
        tries = range(last, at + 1, -1)
        at = next((n for n in tries if _straight(scene, points[at], points[n], clear, height)), at + 1)
        kept.append(points[at])
    return kept


def _straight(scene: Scene, a: np.ndarray, b: np.ndarray, clear: float, height: Height | None) -> bool:
    """Whether a straight piece is free, and stays at about its height over the ground."""
    if height is not None:
        p = a + np.linspace(0.0, 1.0, 9)[:, None] * (b - a)
        if np.abs(p[:, 2] - height(p[:, 0], p[:, 1])).max() > clear:
            return False
    return _leg_free(scene, a, b, clear)


def _leg_free(scene: Scene, a: np.ndarray, b: np.ndarray, clear: float, share: float = _NARROWER) -> bool:
    count = max(int(np.ceil(np.linalg.norm(b - a) / (0.5 * clear))), 1)
    p = a + np.linspace(0.0, 1.0, count + 1)[:, None] * (b - a)
    _, distance, _ = scene.closest_point(p, max_distance=clear)
    return not bool((distance < share * clear).any())
