# ruff: noqa: ANN001, E741 (numba infers the types of kernel arguments; l is a lane)
"""Motors, rotors and battery in kernels.

Between two looks of the autopilot the speed of a motor is known exactly: rpm(t) = goal + (rpm − goal)·exp(−t/τ).
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import lanes as on
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.control import throttles
from volery.physics.multirotor.lanes import LANES

__all__ = ["lift_factor", "motors", "spin_up", "sums"]

_REVOLUTION = 2.0 * math.pi / 60.0
"""rad/s per rpm."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def motors(b: np.ndarray, m: int, level: int, p: np.ndarray, dt: float) -> None:
    """Speeds [rpm] that the motors of m drones strive for within the next dt [s]; drains the battery."""
    n = int(p[at.COUNT])
    if level == at.OFF or level == at.CRASHED:
        for i in range(n):
            for l in range(m):
                b[on.GOAL + i * LANES + l] = p[at.STOPPED]
    else:
        throttles(b, m, level, p, dt)
        least, span = p[at.LEAST], p[at.MOST] - p[at.LEAST]
        for i in range(n):
            for l in range(m):
                b[on.GOAL + i * LANES + l] = least + span * b[on.GOAL + i * LANES + l]
    # Rotors come by fours; those that are not there stand
    for i in range(n, at.ROTORS):
        for l in range(m):
            b[on.GOAL + i * LANES + l] = 0.0
    _draw(b, m, p)
    if p[at.FULL] > 0.0:
        _drain(b, m, p, n, dt)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _draw(b, m, p) -> None:
    """Power drawn now [W]; rotors that are not there stand."""
    idle, shaft = p[at.IDLE], p[at.SHAFT]
    for l in range(m):
        r = on.RPM + l
        a0, a1, a2, a3 = b[r], b[r + LANES], b[r + 2 * LANES], b[r + 3 * LANES]
        a4, a5, a6, a7 = b[r + 4 * LANES], b[r + 5 * LANES], b[r + 6 * LANES], b[r + 7 * LANES]
        cubes = (a0 * a0 * a0 + a1 * a1 * a1) + (a2 * a2 * a2 + a3 * a3 * a3)
        cubes += (a4 * a4 * a4 + a5 * a5 * a5) + (a6 * a6 * a6 + a7 * a7 * a7)
        b[on.POWER + l] = idle + shaft * b[on.AIR + l] * cubes


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _drain(b, m, p, n, dt) -> None:
    """Take the power from the battery for dt [s]; motors turn no faster than the voltage under load lets them, and an
    empty battery turns none."""
    for l in range(m):
        power, charge = b[on.POWER + l], b[on.CHARGE + l]
        free = p[at.EMPTY] + (p[at.FULL] - p[at.EMPTY]) * charge / p[at.CAPACITY]
        # V = E − R·P/V: the upper root; half of E where the battery cannot give as much
        voltage = 0.5 * (free + math.sqrt(max(free * free - 4.0 * p[at.OHM] * power, 0.0)))
        most = p[at.MOST] * voltage / p[at.FULL]
        if charge > 0.0:
            b[on.CHARGE + l] = max(charge - power / voltage * dt, 0.0)
        else:
            b[on.POWER + l] = most = 0.0
        for i in range(n):
            b[on.GOAL + i * LANES + l] = min(b[on.GOAL + i * LANES + l], most)


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _effects(p, first) -> tuple:
    """Of four rotors: force and torque in B per rpm², 24."""
    o, r = at.EFFECT + first, at.ROTORS
    return (
        p[o], p[o + 1], p[o + 2], p[o + 3],
        p[o + r], p[o + r + 1], p[o + r + 2], p[o + r + 3],
        p[o + 2 * r], p[o + 2 * r + 1], p[o + 2 * r + 2], p[o + 2 * r + 3],
        p[o + 3 * r], p[o + 3 * r + 1], p[o + 3 * r + 2], p[o + 3 * r + 3],
        p[o + 4 * r], p[o + 4 * r + 1], p[o + 4 * r + 2], p[o + 4 * r + 3],
        p[o + 5 * r], p[o + 5 * r + 1], p[o + 5 * r + 2], p[o + 5 * r + 3],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _four(b, place, goal, decay, e) -> tuple:
    """Force, torque and sum of speeds of four rotors whose gap to their goals has shrunk to `decay`."""
    g0, g1, g2, g3 = b[goal], b[goal + LANES], b[goal + 2 * LANES], b[goal + 3 * LANES]
    a0, a1 = g0 + (b[place] - g0) * decay, g1 + (b[place + LANES] - g1) * decay
    a2, a3 = g2 + (b[place + 2 * LANES] - g2) * decay, g3 + (b[place + 3 * LANES] - g3) * decay
    s0, s1, s2, s3 = a0 * a0, a1 * a1, a2 * a2, a3 * a3
    return (
        e[0] * s0 + e[1] * s1 + e[2] * s2 + e[3] * s3,
        e[4] * s0 + e[5] * s1 + e[6] * s2 + e[7] * s3,
        e[8] * s0 + e[9] * s1 + e[10] * s2 + e[11] * s3,
        e[12] * s0 + e[13] * s1 + e[14] * s2 + e[15] * s3,
        e[16] * s0 + e[17] * s1 + e[18] * s2 + e[19] * s3,
        e[20] * s0 + e[21] * s1 + e[22] * s2 + e[23] * s3,
        a0 + a1 + a2 + a3,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def sums(b: np.ndarray, m: int, p: np.ndarray, decay: float, into: int) -> None:
    """What all rotors do together in the reference air, once the gap between goals and speeds has shrunk to `decay`:
    force [N] and torque [N m] in B and the sum of speeds [rpm], 7 columns from `into` (a constant) on."""
    e = _effects(p, 0)
    for l in range(m):
        f, o = _four(b, on.RPM + l, on.GOAL + l, decay, e), into + l
        b[o], b[o + LANES], b[o + 2 * LANES] = f[0], f[1], f[2]
        b[o + 3 * LANES], b[o + 4 * LANES], b[o + 5 * LANES], b[o + 6 * LANES] = f[3], f[4], f[5], f[6]
    if p[at.COUNT] <= 4.0:
        return
    e = _effects(p, 4)
    for l in range(m):
        f, o = _four(b, on.RPM + 4 * LANES + l, on.GOAL + 4 * LANES + l, decay, e), into + l
        b[o], b[o + LANES], b[o + 2 * LANES] = b[o] + f[0], b[o + LANES] + f[1], b[o + 2 * LANES] + f[2]
        b[o + 3 * LANES], b[o + 4 * LANES] = b[o + 3 * LANES] + f[3], b[o + 4 * LANES] + f[4]
        b[o + 5 * LANES], b[o + 6 * LANES] = b[o + 5 * LANES] + f[5], b[o + 6 * LANES] + f[6]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def lift_factor(z: float, air: float, ground: float, near: float, hub: float) -> float:
    """Thrust over that in the reference air far from the ground (Cheeseman and Bennett, to half a radius).

    z: of the centre of mass [m]; ground: z of the ground [m]; near, hub: parameters GROUND and HUB.
    """
    height = z + hub - ground
    square = max(height * height, 4.0 * near)
    return air / (1.0 - near / square) if near > 0.0 else air


@nb.njit(cache=True, nogil=True, error_model="numpy")
def spin_up(b: np.ndarray, m: int, p: np.ndarray, decay: float, dt: float) -> None:
    """Bring the motors' speeds and the rotors' angles to the end of a step; decay: exp(−dt/τ)."""
    lag = p[at.TAU] * (1.0 - decay)
    for i in range(int(p[at.COUNT])):
        o = i * LANES
        for l in range(m):
            goal, gap = b[on.GOAL + o + l], b[on.RPM + o + l] - b[on.GOAL + o + l]
            b[on.TURN + o + l] += _REVOLUTION * (goal * dt + gap * lag)
            b[on.RPM + o + l] = goal + gap * decay
