# ruff: noqa: ANN001, ANN202 (numba infers the types of kernel arguments)
"""Ways to rest when something has come up: straight on or aside while braking, whichever keeps farthest from things."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.autonomy.trajectory import Limits, Trajectory

__all__ = ["escape", "gap"]

_DT = 0.02
"""Steps of the manoeuvres [s]."""
_LAG = 0.1
"""A robot must tilt before it slows down: so long it flies on [s]."""
_ASIDE = np.array([0.2, 0.4, 0.6])
"""How long it may push aside before it brakes with all its might [s]."""
_SHARE = 0.8
"""Of the acceleration that pushes aside meanwhile; the rest brakes."""
_SIDES = 8
"""Directions to go aside to."""
_SPACING = 0.1
"""Between points of the trajectory [m]."""
_MOST = 400


def escape(p: np.ndarray, v: np.ndarray, taken: np.ndarray, clear: float, limits: Limits) -> Trajectory:
    """From a place [m] and a velocity [m/s] to rest, with the emergency acceleration. taken [n, 3]: middles of taken
    cells near it [m]; clear: no more distance from them is of use [m]."""
    path, count = np.empty((_MOST, 3)), 0
    if np.linalg.norm(v) > 1e-3:
        p, v, taken = np.array(p, float), np.array(v, float), np.ascontiguousarray(taken)
        path, count = _best(p, v, taken, clear, limits.emergency)
    if count < 2:
        return Trajectory(np.array([p, p]), np.zeros(2), np.array([0.0, 1.0]), 1e-6)
    return _even(path[:count])


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


@nb.njit(cache=True, nogil=True)
def _best(p, v, taken, clear, a):
    """Of all manoeuvres the places at even times, and how many they are; the earlier of two that are as good."""
    speed = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    ahead = v / speed
    flat = np.sqrt(ahead[0] ** 2 + ahead[1] ** 2)
    left = np.array([-ahead[1] / flat, ahead[0] / flat, 0.0]) if flat > 1e-6 else np.array([0.0, 1.0, 0.0])
    up = np.cross(ahead, left)
    best, path, room, count = np.empty((_MOST, 3)), np.empty((_MOST, 3)), -1.0, 0
    for turn in range(1 + len(_ASIDE) * _SIDES):
        angle = 2.0 * np.pi * ((turn - 1) % _SIDES) / _SIDES
        seconds = 0.0 if turn == 0 else _ASIDE[(turn - 1) // _SIDES]
        n = _fly(p, v, np.cos(angle) * left + np.sin(angle) * up, seconds, a, path)
        found = min(gap(path, n, taken), clear)
        if found > room + 1e-3:
            room, count = found, n
            best[:n] = path[:n]
    return best, count


@nb.njit(cache=True, nogil=True)
def _fly(p, v, aside, seconds, a, path):
    """Aside for so long while braking a little, then to rest; how many places there are."""
    ahead = v / np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    here, now, brake = p.copy(), v.copy(), np.sqrt(1.0 - _SHARE**2)
    for i in range(_MOST):
        path[i] = here
        t = i * _DT
        speed = np.sqrt(now[0] ** 2 + now[1] ** 2 + now[2] ** 2)
        if t >= _LAG + seconds and speed <= a * _DT:
            return i + 1
        for k in range(3):
            push = 0.0
            if t >= _LAG + seconds:
                push = -now[k] / speed
            elif t >= _LAG:
                push = _SHARE * aside[k] - brake * ahead[k]
            now[k] += a * push * _DT
            here[k] += now[k] * _DT
    return _MOST


@nb.njit(cache=True, nogil=True)
def gap(path, n, taken) -> float:
    """Between the first n places of a path and the nearest of some points [m]."""
    least = 1e18
    for i in range(n):
        for j in range(len(taken)):
            x, y, z = path[i, 0] - taken[j, 0], path[i, 1] - taken[j, 1], path[i, 2] - taken[j, 2]
            least = min(least, x * x + y * y + z * z)
    return np.sqrt(least)
