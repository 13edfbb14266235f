# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""From a wanted lift and torque to thrusts, angles and tilts: the least effort that gives them, for any prototype."""

from __future__ import annotations

import numba as nb
import numpy as np

from volery.physics.craft import layout as at
from volery.physics.craft.thrust import wrench

__all__ = ["allocate"]

_ROUNDS = 3
"""Newton's steps: vanes act by the outflow, so effects are not linear."""
_SMALL = 1e-3
"""Change of an effort by which its effect is found, as a share of its range."""


@nb.njit(cache=True, nogil=True)
def allocate(fans, vanes, centre, wanted, density, climb, thrust, angle, tilt) -> None:
    """Fill thrust [n] [N], angle [m] and tilt [n, 2] [rad] for a lift along z and a torque about the centre of mass.

    wanted [4]: lift [N] and torque [N m] in B. Efforts count by their shares of their ranges. Where not all can be had,
    lift, roll and pitch come before yaw.
    """
    n, m = len(fans), len(vanes)
    count = m + 3 * n
    share, span = np.zeros(count), np.zeros(count)
    lifting = 0.0
    for k in range(n):
        span[k] = fans[k, at.MOST]
        span[n + m + 2 * k] = span[n + m + 2 * k + 1] = fans[k, at.MOST_TILT]
        lifting += fans[k, at.MOST] * max(fans[k, at.AXIS + 2], 0.0)
    for j in range(m):
        span[n + j] = vanes[j, at.V_MOST]
    for k in range(n):
        share[k] = wanted[0] / lifting * max(fans[k, at.AXIS + 2], 0.0)
    now, other, effect, gain, more = np.empty(4), np.empty(4), np.empty((4, count)), np.ones(n), np.empty(count)
    _clip(fans, share, n)
    for _ in range(_ROUNDS):
        _try(fans, vanes, centre, share, span, gain, density, climb, thrust, angle, tilt, now)
        for c in range(count):
            if span[c] == 0.0:
                effect[:, c] = 0.0
                continue
            share[c] += _SMALL
            _try(fans, vanes, centre, share, span, gain, density, climb, thrust, angle, tilt, other)
            share[c] -= _SMALL
            for i in range(4):
                effect[i, c] = (other[i] - now[i]) / _SMALL
        for i in range(4):
            now[i] = wanted[i] - now[i]
        other[:] = 0.0
        other[3] = now[3]
        now[3] = 0.0
        _least(effect, now, more)
        for c in range(count):
            share[c] += more[c]
        _clip(fans, share, n)
        _least(effect, other, more)
        part = _room(fans, share, more, n)
        for c in range(count):
            share[c] += part * more[c]
    _spread(share, span, n, m, thrust, angle, tilt)


@nb.njit(cache=True, nogil=True)
def _room(fans, share, more, n) -> float:
    """How much of a change, 0 to 1, no effort is at its end by."""
    part = 1.0
    for c in range(len(share)):
        low = fans[c, at.LEAST] / fans[c, at.MOST] if c < n else -1.0
        if share[c] + more[c] > 1.0:
            part = min(part, (1.0 - share[c]) / more[c])
        elif share[c] + more[c] < low:
            part = min(part, (low - share[c]) / more[c])
    return max(part, 0.0)


@nb.njit(cache=True, nogil=True)
def _clip(fans, share, n) -> None:
    for c in range(len(share)):
        low = fans[c, at.LEAST] / fans[c, at.MOST] if c < n else -1.0
        share[c] = min(max(share[c], low), 1.0)


@nb.njit(cache=True, nogil=True)
def _spread(share, span, n, m, thrust, angle, tilt) -> None:
    """Shares of ranges as thrusts, angles and tilts."""
    for k in range(n):
        thrust[k] = share[k] * span[k]
        for i in range(2):
            tilt[k, i] = share[n + m + 2 * k + i] * span[n + m + 2 * k + i]
    for j in range(m):
        angle[j] = share[n + j] * span[n + j]


@nb.njit(cache=True, nogil=True)
def _try(fans, vanes, centre, share, span, gain, density, climb, thrust, angle, tilt, out) -> None:
    """Lift and torque about the centre of mass that efforts give, [4]."""
    _spread(share, span, len(fans), len(vanes), thrust, angle, tilt)
    w = np.empty(6)
    wrench(fans, vanes, thrust, angle, tilt, gain, density, climb, w)
    out[0] = w[2]
    out[1] = w[3] - (centre[1] * w[2] - centre[2] * w[1])
    out[2] = w[4] - (centre[2] * w[0] - centre[0] * w[2])
    out[3] = w[5] - (centre[0] * w[1] - centre[1] * w[0])


@nb.njit(cache=True, nogil=True)
def _least(effect, missing, more) -> None:
    """The least change of shares that gives what is missing: Eᵀ(EEᵀ)⁻¹·missing."""
    square = np.empty((4, 5))
    for i in range(4):
        for j in range(4):
            square[i, j] = 0.0
            for c in range(len(more)):
                square[i, j] += effect[i, c] * effect[j, c]
        # Rows without any effect, such as vanes without outflow, must not divide by nothing
        square[i, i] += 1e-9
        square[i, 4] = missing[i]
    for i in range(4):
        for r in range(i + 1, 4):
            factor = square[r, i] / square[i, i]
            for j in range(i, 5):
                square[r, j] -= factor * square[i, j]
    for i in range(3, -1, -1):
        for j in range(i + 1, 4):
            square[i, 4] -= square[i, j] * square[j, 4]
        square[i, 4] /= square[i, i]
    for c in range(len(more)):
        more[c] = 0.0
        for i in range(4):
            more[c] += effect[i, c] * square[i, 4]
