"""Which velocity to fly at: the one nearest to the wish after which one can still stop, and meets nobody."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery._native import agents as _native

__all__ = ["candidates", "choose"]

_TURNS = np.radians([0, *(s * a for a in range(15, 180, 15) for s in (-1, 1)), 180])
_SPEEDS, _VERTICAL = np.array([1.0, 0.6, 0.3]), 1.5
"""Of the options: turns from the wish [rad], shares of the largest speed, and speed up and down [m/s]."""


def candidates(v_wish: np.ndarray, most: float) -> np.ndarray:
    """Velocities to choose from, the wish first, [n, 3] [m/s]; most: largest speed in the plane [m/s]."""
    angle = np.arctan2(v_wish[1], v_wish[0]) + _TURNS
    plane = most * np.outer(_SPEEDS, np.stack([np.cos(angle), np.sin(angle)], axis=1).reshape(-1)).reshape(-1, 2)
    plane = np.concatenate([np.zeros((1, 2)), plane])
    out = np.empty((1 + 4 * len(plane), 3))
    out[0] = v_wish
    out[1:, :2] = np.tile(plane, (4, 1))
    out[1:, 2] = np.repeat([v_wish[2], 0.0, _VERTICAL, -_VERTICAL], len(plane))
    return out


def choose(
    p: np.ndarray,
    v: np.ndarray,
    wish: np.ndarray,
    options: np.ndarray,
    cells: np.ndarray,
    others_p: np.ndarray,
    others_v: np.ndarray,
    floor_z: float,
) -> int:
    """Number of the best of the options [n, 3] for a drone at p [m] with velocity v [m/s].

    cells [m, 3]: middles of taken cells near it [m]; others_p, others_v [k, 3]; floor_z: not to go below [m].
    """
    rows: list[Any] = [np.ascontiguousarray(a, float) for a in (p, v, wish, options, cells, others_p, others_v)]
    return _native.choose_velocity(*rows, floor_z)  # type: ignore[call-arg]
