# ruff: noqa: ANN001, E741 (numba infers the types of kernel arguments; l is a lane)
"""From roll, pitch, yaw and throttle to a throttle of each rotor, four rotors at a time."""

from __future__ import annotations

import numba as nb

from volery.physics.multirotor import lanes as on
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.lanes import LANES, Y, Z

__all__ = ["mix"]

_LITTLE = 0.01
"""At throttles below this there is nothing that turning could yield to."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def mix(b, m, p, n) -> None:
    """Throttles of the n rotors of m drones; if one would leave 0 to 1, turning yields to lifting."""
    if n <= 4:
        _mix_four(b, m, p, 1.0 / n)
    else:
        _mix_eight(b, m, p, 1.0 / n)


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _weights(p, first) -> tuple:
    """Of four rotors: what each gives for roll, pitch, yaw and throttle, 16."""
    o = at.MIX + 4 * first
    return (
        p[o], p[o + 1], p[o + 2], p[o + 3], p[o + 4], p[o + 5], p[o + 6], p[o + 7],
        p[o + 8], p[o + 9], p[o + 10], p[o + 11], p[o + 12], p[o + 13], p[o + 14], p[o + 15],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _four(w, g0, g1, g2, t) -> tuple:
    return (
        w[0] * g0 + w[1] * g1 + w[2] * g2 + w[3] * t,
        w[4] * g0 + w[5] * g1 + w[6] * g2 + w[7] * t,
        w[8] * g0 + w[9] * g1 + w[10] * g2 + w[11] * t,
        w[12] * g0 + w[13] * g1 + w[14] * g2 + w[15] * t,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _yielding(low, high, mean, t) -> tuple:
    """What brings throttles between `low` and `high` into 0 to 1: a factor on turning, a shift, a factor on all."""
    shift = max(-low, 0.0)
    over = high + shift > 1.0
    lifting = t > _LITTLE
    turning = t / (mean + shift) if over and lifting else 1.0
    whole = 1.0 / (high + shift) if over and not lifting else 1.0
    return turning, 0.0 if over and lifting else shift, whole


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _put(b, place, u, shift, whole) -> None:
    b[place] = min(max((u[0] + shift) * whole, 0.0), 1.0)
    b[place + LANES] = min(max((u[1] + shift) * whole, 0.0), 1.0)
    b[place + 2 * LANES] = min(max((u[2] + shift) * whole, 0.0), 1.0)
    b[place + 3 * LANES] = min(max((u[3] + shift) * whole, 0.0), 1.0)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _mix_four(b, m, p, share) -> None:
    """Rotors that are not there have no weights: they count as 0, which bounds nothing. share: 1 over their number."""
    w = _weights(p, 0)
    for l in range(m):
        g0, g1, g2, t = b[on.GROUP + l], b[on.GROUP + Y + l], b[on.GROUP + Z + l], b[on.THROTTLE + l]
        u = _four(w, g0, g1, g2, t)
        low, high = min(min(u[0], u[1]), min(u[2], u[3])), max(max(u[0], u[1]), max(u[2], u[3]))
        turning, shift, whole = _yielding(low, high, (u[0] + u[1] + u[2] + u[3]) * share, t)
        _put(b, on.GOAL + l, _four(w, g0 * turning, g1 * turning, g2 * turning, t), shift, whole)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _mix_eight(b, m, p, share) -> None:
    w, x = _weights(p, 0), _weights(p, 4)
    for l in range(m):
        g0, g1, g2, t = b[on.GROUP + l], b[on.GROUP + Y + l], b[on.GROUP + Z + l], b[on.THROTTLE + l]
        u, v = _four(w, g0, g1, g2, t), _four(x, g0, g1, g2, t)
        low = min(min(min(u[0], u[1]), min(u[2], u[3])), min(min(v[0], v[1]), min(v[2], v[3])))
        high = max(max(max(u[0], u[1]), max(u[2], u[3])), max(max(v[0], v[1]), max(v[2], v[3])))
        total = (u[0] + u[1] + u[2] + u[3]) + (v[0] + v[1] + v[2] + v[3])
        turning, shift, whole = _yielding(low, high, total * share, t)
        g0, g1, g2 = g0 * turning, g1 * turning, g2 * turning
        _put(b, on.GOAL + l, _four(w, g0, g1, g2, t), shift, whole)
        _put(b, on.GOAL + 4 * LANES + l, _four(x, g0, g1, g2, t), shift, whole)
