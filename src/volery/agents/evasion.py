# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Which velocity to fly at: the one nearest to the wish after which one can still stop, and meets nobody."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["candidates", "choose"]

_LAG = 0.4
"""Time in which a drone takes up a velocity [s]."""
_BRAKE = 2.5
"""It brakes as hard [m/s²]."""
_REACT = 0.3
"""Until the next decision takes effect [s]."""
_WALL = 0.9
"""To keep from cells in which something was seen [m]."""
_OTHER = 1.7
"""To keep from the others [m]."""
_SIGHT, _TICK = 4.0, 0.2
"""How far ahead the others are thought on, and in what steps [s]."""
_UPRIGHT = 6.0
"""So many times dearer is it to leave the wish up or down: two who both go up meet all the same."""
_LEFT = 0.05
"""Extra cost of going to the left of the wish, by the product of speeds across: two who meet both turn right."""
_HALF = 0.25
"""Half the edge of a cell [m]."""
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


@nb.njit(cache=True, nogil=True)
def choose(p, v, wish, options, cells, others_p, others_v, floor_z) -> int:
    """Number of the best of the options [n, 3] for a drone at p [m] with velocity v [m/s].

    cells [m, 3]: middles of taken cells near it [m]; others_p, others_v [k, 3]; floor_z: not to go below [m].
    """
    room = min(_WALL, _gap(p, cells))
    best, least = 0, np.inf
    for i in range(len(options)):
        u = options[i]
        cost = 0.0
        for k in range(3):
            weight = _UPRIGHT if k == 2 else 1.0
            cost += weight * (u[k] - wish[k]) ** 2 + 0.1 * (u[k] - v[k]) ** 2
        cost += _LEFT * max(wish[0] * u[1] - wish[1] * u[0], 0.0)
        if cost >= least:
            continue
        cost += _meetings(p, v, u, others_p, others_v)
        if cost >= least:
            continue
        cost += _walls(p, v, u, cells, room, floor_z)
        if cost < least:
            best, least = i, cost
    return best


@nb.njit(cache=True, nogil=True)
def _gap(p, cells) -> float:
    """From a point to the nearest of the cells [m]."""
    nearest = np.inf
    for c in cells:
        square = 0.0
        for k in range(3):
            off = max(abs(p[k] - c[k]) - _HALF, 0.0)
            square += off * off
        nearest = min(nearest, square)
    return np.sqrt(nearest)


@nb.njit(cache=True, nogil=True)
def _walls(p, v, u, cells, room, floor_z) -> float:
    """Cost of coming too near to something while taking up u, going on until the next decision, and braking."""
    speed = np.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2)
    q, cost, worst = np.empty(3), 0.0, 0.0
    time = _REACT + speed / _BRAKE / 2.0 + 0.2
    ticks = max(int(np.ceil(time / 0.15)), 1)
    for s in range(1, ticks + 1):
        _place(p, v, u, time * s / ticks, q)
        if q[2] < floor_z:
            cost = max(cost, 100.0 * (floor_z - q[2]))
        worst = max(worst, room - _gap(q, cells))
    return cost + (1000.0 * (0.1 + worst) if worst > 0.02 else 0.0)


@nb.njit(cache=True, nogil=True)
def _meetings(p, v, u, others_p, others_v) -> float:
    """Cost of coming too near to the others, who go on as they do; sooner and nearer is worse."""
    q, cost = np.empty(3), 0.0
    for j in range(len(others_p)):
        now = 0.0
        for k in range(3):
            now += (p[k] - others_p[j, k]) ** 2
        keep = min(_OTHER, np.sqrt(now))
        worst = 0.0
        for s in range(1, int(_SIGHT / _TICK) + 1):
            t = s * _TICK
            _place(p, v, u, t, q)
            square = 0.0
            for k in range(3):
                square += (q[k] - others_p[j, k] - others_v[j, k] * t) ** 2
            if square < keep * keep:
                short = (keep - np.sqrt(square)) / keep
                worst = max(worst, short * (1.5 - t / _SIGHT))
        cost += 150.0 * worst
    return cost


@nb.njit(cache=True, nogil=True)
def _place(p, v, u, t, q) -> None:
    """Where a drone is after t [s] that has velocity v and takes up u."""
    lag = _LAG * (1.0 - np.exp(-t / _LAG))
    for k in range(3):
        q[k] = p[k] + u[k] * t + (v[k] - u[k]) * lag
