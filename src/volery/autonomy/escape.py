"""Ways to rest when something has come up: straight on or aside while braking, whichever keeps farthest from things."""

from __future__ import annotations

import numpy as np

from volery._native import autonomy as _native
from volery.autonomy.trajectory import MotionLimits, Trajectory

__all__ = ["escape", "gap"]

_DT = 0.02
"""Steps of the manoeuvres [s]."""
_SPACING = 0.1
"""Between points of the trajectory [m]."""


def escape(p: np.ndarray, v: np.ndarray, taken: np.ndarray, clear: float, limits: MotionLimits) -> Trajectory:
    """From a place [m] and a velocity [m/s] to rest, with the emergency acceleration. taken [n, 3]: middles of taken
    cells near it [m]; clear: no more distance from them is of use [m]."""
    path = np.empty((0, 3))
    if np.linalg.norm(v) > 1e-3:
        p, v, taken = (np.ascontiguousarray(a, float) for a in (p, v, taken))
        path = _native.best_escape(p, v, taken, clear, limits.emergency, _DT)
    if len(path) < 2:
        return Trajectory(np.array([p, p]), np.zeros(2), np.array([0.0, 1.0]), 1e-6)
    return _even(path)


def gap(path: np.ndarray, taken: np.ndarray) -> float:
    """Between places of a path and the nearest of some points, [n, 3] each [m]."""
    return _native.path_gap(np.ascontiguousarray(path, float), np.ascontiguousarray(taken, float))


def _even(path: np.ndarray) -> Trajectory:
    """Points in even steps of places at even times."""
    pieces = np.linalg.norm(np.diff(path, axis=0), axis=1)
    sums = np.concatenate([[0.0], np.cumsum(pieces)])
    n = max(int(sums[-1] / _SPACING), 1) + 1
    s = np.linspace(0.0, sums[-1], n)
    p = np.stack([np.interp(s, sums, path[:, k]) for k in range(3)], axis=1)
    v = np.interp(s, 0.5 * (sums[1:] + sums[:-1]), pieces / _DT)
    v[-1] = 0.0
    middle = np.maximum(0.5 * (v[1:] + v[:-1]), 1e-2)
    spacing = max(float(sums[-1] / (n - 1)), 1e-6)
    return Trajectory(p, v, np.concatenate([[0.0], np.cumsum(spacing / middle)]), spacing)
