"""The wake of a lifting line that may have any shape: downwash at each strip per circulation of each strip.

Every strip sheds two straight vortices from the ends of its quarter-chord line, along the flow. What is far behind
feels twice of what is beside, so the tail flies in the wing's downwash.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

__all__ = ["advance_induced", "settled_share", "wake_influence"]

_CORE = 0.05
"""Vortices have cores of so many half chords."""
_GROWTH = 4.0
"""Half chords travelled until the wake has followed the circulation, but for 1/e."""


@nb.njit(cache=True, nogil=True)
def wake_influence(
    body: np.ndarray, p_B: np.ndarray, R_BS: np.ndarray, ends_B: np.ndarray, half_chord: np.ndarray,
    group: np.ndarray, xpos: np.ndarray, xmat: np.ndarray, flow: np.ndarray, out: np.ndarray,
) -> None:  # fmt: skip
    """Fill out [s, s]: downwash at strip i [m/s], against its suction side, per circulation of strip j [m²/s].

    flow [groups, 3]: where the air goes, unit vectors in W; null: that group has no wake. Strips of different groups,
    which have come apart, do not feel each other.
    """
    count = len(body)
    place, normal, ends = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 2, 3))
    for s in range(count):
        k = body[s]
        for i in range(3):
            place[s, i], ends[s, 0, i], ends[s, 1, i] = xpos[k, i], xpos[k, i], xpos[k, i]
            normal[s, i] = 0.0
            for j in range(3):
                m = xmat[k, 3 * i + j]
                place[s, i] += m * p_B[s, j]
                normal[s, i] += m * R_BS[s, j, 2]
                ends[s, 0, i] += m * ends_B[s, 0, j]
                ends[s, 1, i] += m * ends_B[s, 1, j]
    for i in range(count):
        for j in range(count):
            out[i, j] = 0.0
            if group[i] != group[j]:
                continue
            d = flow[group[j]]
            core = (_CORE * half_chord[j]) ** 2
            # Lift needs a bound vortex from left to right: one comes in at the second end and leaves from the first.
            for e in range(2):
                x, y, z = (place[i, 0] - ends[j, e, 0], place[i, 1] - ends[j, e, 1], place[i, 2] - ends[j, e, 2])
                along = x * d[0] + y * d[1] + z * d[2]
                x, y, z = x - along * d[0], y - along * d[1], z - along * d[2]
                r2 = x * x + y * y + z * z
                # Beside the line the strip is where its own wake begins, whatever its sweep.
                behind = along / math.sqrt(along * along + r2) if abs(along) > 2.0 * half_chord[j] and r2 > 0 else 0.0
                size = (1.0 + behind) / (4.0 * math.pi * (r2 + core))
                cross = (
                    (d[1] * z - d[2] * y) * normal[i, 0] + (d[2] * x - d[0] * z) * normal[i, 1]
                    + (d[0] * y - d[1] * x) * normal[i, 2]
                )  # fmt: skip
                out[i, j] += -size * cross if e == 0 else size * cross


@nb.njit(cache=True, nogil=True)
def advance_induced(
    influence: np.ndarray, circulation: np.ndarray, half_chord: np.ndarray, profile: np.ndarray, travelled: float,
    induced: np.ndarray,
) -> None:  # fmt: skip
    """Let the downwash [s] follow the circulation while the flight goes on by `travelled` [m]; infinite: at once.

    A strip's circulation answers to its own downwash; that is taken into account, so that narrow strips are stable.
    """
    for i in range(len(induced)):
        target = 0.0
        for j in range(len(induced)):
            target += influence[i, j] * circulation[j]
        share = settled_share(travelled / half_chord[i])
        answer = max(influence[i, i], 0.0) * half_chord[i] * profile[i, 0]
        induced[i] += (target - induced[i]) * share / (1.0 + share * answer)


@nb.njit(cache=True, nogil=True)
def settled_share(travelled: float) -> float:
    """How much of a change the wake has followed after so many half chords."""
    return -math.expm1(-travelled / _GROWTH)
