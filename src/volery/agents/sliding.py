"""The sliding force of the SARL report: sideways past a drone that might be met, and up or down away from it.

Kept as published, with its peculiarities: positions and velocities as four-vectors whose fourth part is time, a time of
meeting from an equation without the distance, halved, and a vertical push that grows without bound.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["sliding_force"]

_RADIUS = 1.5
"""Lines of flight that pass as near are avoided [m]."""
_SOONEST, _LATEST = 1e-3, 1e3
"""Times of meeting that count [s]."""
_LEAST, _MOST, _FADE = 0.25, 6.0, 10.0
"""Of the force [m/s], and the time over which it fades [s]."""
_LIFT = 27.0
"""Vertical push at 1 m [m/s]; it goes with the inverse square of the distance."""


def sliding_force(
    p_W: np.ndarray, v_W: np.ndarray, target_W: np.ndarray, others_p_W: Sequence[np.ndarray],
    others_v_W: Sequence[np.ndarray],
) -> np.ndarray:  # fmt: skip
    """The velocity [m/s] that avoids the others; zero: nobody is in the way."""
    total = np.zeros(3)
    # Theirs computes in floating point without traps, and leaves out what became NaN.
    with np.errstate(all="ignore"):
        for other_p, other_v in zip(others_p_W, others_v_W, strict=True):
            force = _force(p_W, v_W, target_W, other_p, other_v)
            if not np.isnan(force).any():
                total += force
    return total


def _force(p: np.ndarray, v: np.ndarray, target: np.ndarray, other_p: np.ndarray, other_v: np.ndarray) -> np.ndarray:
    passing = _distance_of_lines(p, v, other_p, other_v)
    if passing > _RADIUS:
        return np.zeros(3)
    t = np.minimum(_meeting(passing, p, v, other_p, other_v), _meeting(2 * _RADIUS, p, v, other_p, other_v))
    if t < _SOONEST or t > _LATEST:
        return np.zeros(3)
    towards = np.append(other_p + other_v * t - p, t)
    towards = towards[:3] / np.linalg.norm(towards)
    way = target - p
    if way @ towards < 0.0:
        return np.zeros(3)
    ahead = towards / np.linalg.norm(towards)
    aside = way - ahead * (way @ ahead)
    scale = (_MOST - _LEAST) * np.exp(-t / _FADE) + _LEAST
    height = p[2] - other_p[2]
    lift = height / np.abs(height) * _LIFT / np.sum((other_p - p) ** 2)
    return aside / np.linalg.norm(aside) * scale + np.array([0.0, 0.0, lift])


def _distance_of_lines(p: np.ndarray, v: np.ndarray, other_p: np.ndarray, other_v: np.ndarray) -> float:
    """How near two lines in space and time come; 0 for parallel ones."""
    w0 = np.append(p - other_p, 0.0)
    va, vb = np.append(v, 1.0), np.append(other_v, 1.0)
    a, b, c, d, e = va @ va, va @ vb, vb @ vb, va @ w0, vb @ w0
    found = float(np.linalg.norm(w0 + (va * (b * e - c * d) - vb * (a * e - b * d)) * (1.0 / (a * c - b * b))))
    return 0.0 if np.isnan(found) else found


def _meeting(distance: float, p: np.ndarray, v: np.ndarray, other_p: np.ndarray, other_v: np.ndarray) -> np.float64:
    """Their time until two drones are as near [s]."""
    dv = v - other_v
    a, b, c = dv @ dv, 2.0 * (p - other_p) @ dv, -(distance**2)
    return np.float64(-b + np.sqrt(b * b - 4.0 * a * c)) / (2.0 * a) / 2.0
