"""The plan of a rescue arena: its maze, the ways through it, and ramps that meet wherever one can pass."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

__all__ = ["RAMPS", "carve", "corner_heights", "join", "off_the_ways", "steps_from"]

Cell = tuple[int, int]
_FLAT = (False, False, False, False)
_BASES = {
    "full_ramp": (False, True, True, False), "crossing": (True, False, True, False),
    "corner_up": (True, False, False, False), "corner_down": (False, True, True, True),
    "raised": (True, True, True, True),
}  # fmt: skip
"""Tiles by their raised corners: south-west, south-east, north-east, north-west."""
RAMPS: dict[tuple[bool, ...], tuple[str, float]] = {
    tuple(base[(i - k) % 4] for i in range(4)): (name, k * np.pi / 2)
    for name, base in _BASES.items()
    for k in reversed(range(4))
} | {_FLAT: ("", 0.0)}
"""Tile and yaw [rad] for every set of raised corners."""


def carve(nx: int, ny: int, loops: float, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A maze by depth-first search: walls across x [nx + 1, ny] and across y [nx, ny + 1].

    From the inner walls that a perfect maze keeps, the share `loops` is taken out again.
    """
    across_x, across_y = np.ones((nx + 1, ny), bool), np.ones((nx, ny + 1), bool)
    seen = np.zeros((nx, ny), bool)
    seen[0, 0] = True
    path = [(0, 0)]
    while path:
        i, j = path[-1]
        free = [(a, b) for a, b in _around(i, j, nx, ny) if not seen[a, b]]
        if not free:
            path.pop()
            continue
        a, b = free[int(draw.integers(len(free)))]
        _open((i, j), (a, b), across_x, across_y)
        seen[a, b] = True
        path.append((a, b))
    across_x[1:-1] &= draw.random((nx - 1, ny)) >= loops
    across_y[:, 1:-1] &= draw.random((nx, ny - 1)) >= loops
    return across_x, across_y


def join(across_x: np.ndarray, across_y: np.ndarray, shut: Container[Cell]) -> None:
    """Take walls out until every cell can be walked to from (0, 0) without those that are shut."""
    nx, ny = across_y.shape[0], across_x.shape[1]
    while True:
        steps = steps_from((0, 0), across_x, across_y, shut)
        apart = [
            (c, d)
            for c in np.ndindex(nx, ny)
            if steps[c] < 0 and c not in shut
            for d in _around(c[0], c[1], nx, ny)
            if steps[d] >= 0
        ]
        if not apart:
            return
        _open(*apart[0], across_x, across_y)


def steps_from(
    start: Cell, across_x: np.ndarray, across_y: np.ndarray, shut: Container[Cell] = frozenset()
) -> np.ndarray:
    """Cells to walk from start to every cell without those that are shut, int [nx, ny]; -1: walled off."""
    return _walk(start, across_x, across_y, shut)[0]


def off_the_ways(
    start: Cell, across_x: np.ndarray, across_y: np.ndarray, shut: Container[Cell] = frozenset()
) -> np.ndarray:
    """Cells that can be walked to and that nobody must cross to get anywhere else, bool [nx, ny]: whatever lies in any
    of them, all others can still be walked to."""
    steps, through = _walk(start, across_x, across_y, shut)
    return (steps > 0) & ~through


def _walk(
    start: Cell, across_x: np.ndarray, across_y: np.ndarray, shut: Container[Cell]
) -> tuple[np.ndarray, np.ndarray]:
    """Steps to every cell, and whether a shortest way to another one leads through it."""
    nx, ny = across_y.shape[0], across_x.shape[1]
    steps, through = np.full((nx, ny), -1), np.zeros((nx, ny), bool)
    steps[start] = 0
    front = [start]
    for i, j in front:
        for a, b in _around(i, j, nx, ny):
            wall = across_x[max(i, a), j] if b == j else across_y[i, max(j, b)]
            if not wall and steps[a, b] < 0 and (a, b) not in shut:
                steps[a, b] = steps[i, j] + 1
                through[i, j] = True
                front.append((a, b))
    return steps, through


def corner_heights(
    across_x: np.ndarray, across_y: np.ndarray, level: Container[Cell], share: float, draw: np.random.Generator
) -> np.ndarray:
    """Which corners of each cell are raised, bool [nx, ny, 4] in the order of RAMPS: the share of those that may be.

    Corners are one wherever a robot can pass from cell to cell, so that ramps meet; walls part them. Cells of `level`,
    and all round the arena, are flat.
    """
    nx, ny = across_y.shape[0], across_x.shape[1]
    drawn = draw.random((nx + 1, ny + 1, 4)) < share
    out = np.zeros((nx, ny, 4), bool)
    for a, b in np.ndindex(nx + 1, ny + 1):
        ring = [(a, b), (a - 1, b), (a - 1, b - 1), (a, b - 1)]
        inside = [0 <= i < nx and 0 <= j < ny for i, j in ring]
        between = [across_x[a, b] if b < ny else True, across_y[a - 1, b] if a > 0 else True,
                   across_x[a, b - 1] if b > 0 else True, across_y[a, b] if a < nx else True]  # fmt: skip
        group = list(range(4))
        for k in (0, 1, 2, 3, 2, 1, 0, 3):
            if not between[k]:
                group[k] = group[(k + 1) % 4] = min(group[k], group[(k + 1) % 4])
        low = {g for g, c, own in zip(group, ring, inside, strict=True) if not own or c in level}
        for k in range(4):
            if inside[k]:
                # The node is the south-west corner of the first cell of the ring, the south-east one of the second.
                out[(*ring[k], k)] = drawn[a, b, group[k]] and group[k] not in low
    return out


def _open(c: Cell, d: Cell, across_x: np.ndarray, across_y: np.ndarray) -> None:
    """Take out the wall between two cells."""
    (i, j), (a, b) = c, d
    if b == j:
        across_x[max(i, a), j] = False
    else:
        across_y[i, max(j, b)] = False


def _around(i: int, j: int, nx: int, ny: int) -> list[Cell]:
    near = [(i + 1, j), (i, j + 1), (i - 1, j), (i, j - 1)]
    return [(a, b) for a, b in near if 0 <= a < nx and 0 <= b < ny]
