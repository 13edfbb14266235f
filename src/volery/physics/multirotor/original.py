# ruff: noqa: ANN001, E741 (numba infers the types of kernel arguments; l is a lane)
"""A step of the body just as the MRS simulator makes it, for comparison with it.

RK4 of velocity, rotation matrix and spin, with the rotors' speeds held. In each stage and after the step the matrix is
made orthonormal by the Cholesky factor of RᵀR, which turns it a little when it spins fast: ours does not.
"""

from __future__ import annotations

import math

import numba as nb

from volery.physics.multirotor import lanes as on
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.body import accelerations, constants, wrench_at
from volery.physics.multirotor.control import rotation
from volery.physics.multirotor.lanes import LANES, Y, Z
from volery.physics.multirotor.rotors import lift_factor

__all__ = ["integrate"]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _squared(R) -> tuple:
    """R·L⁻¹, L the lower Cholesky factor of RᵀR."""
    g00 = R[0] * R[0] + R[3] * R[3] + R[6] * R[6]
    g10 = R[0] * R[1] + R[3] * R[4] + R[6] * R[7]
    g20 = R[0] * R[2] + R[3] * R[5] + R[6] * R[8]
    g11 = R[1] * R[1] + R[4] * R[4] + R[7] * R[7]
    g21 = R[1] * R[2] + R[4] * R[5] + R[7] * R[8]
    g22 = R[2] * R[2] + R[5] * R[5] + R[8] * R[8]
    a = 1.0 / math.sqrt(g00)
    l10, l20 = g10 * a, g20 * a
    d = 1.0 / math.sqrt(g11 - l10 * l10)
    l21 = (g21 - l20 * l10) * d
    f = 1.0 / math.sqrt(g22 - l20 * l20 - l21 * l21)
    # Columns of X with X L = R, from the last on
    x2, x5, x8 = R[2] * f, R[5] * f, R[8] * f
    x1, x4, x7 = (R[1] - x2 * l21) * d, (R[4] - x5 * l21) * d, (R[7] - x8 * l21) * d
    x0, x3, x6 = (R[0] - x1 * l10 - x2 * l20) * a, (R[3] - x4 * l10 - x5 * l20) * a, (R[6] - x7 * l10 - x8 * l20) * a
    return x0, x1, x2, x3, x4, x5, x6, x7, x8


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _slope(y, f, push, wind, air, c) -> tuple:
    """Time derivatives of y = (velocity 3, R 9, spin 3)."""
    R, a, b, e = _squared(y[3:12]), y[12], y[13], y[14]
    # Drag is reckoned in W, from the front's area: R is no rotation to the last digit. So no flow along the body's axes
    d = accelerations(R, y[0], y[1], y[2], a, b, e, f, push, (y[0], y[1], y[2]), air, c)
    u0, u1, u2 = y[0] - wind[0], y[1] - wind[1], y[2] - wind[2]
    drag = c[17] * c[0] * air * math.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
    return (
        d[0] - drag * u0, d[1] - drag * u1, d[2] - drag * u2,
        R[1] * e - R[2] * b, R[2] * a - R[0] * e, R[0] * b - R[1] * a,
        R[4] * e - R[5] * b, R[5] * a - R[3] * e, R[3] * b - R[4] * a,
        R[7] * e - R[8] * b, R[8] * a - R[6] * e, R[6] * b - R[7] * a,
        d[3], d[4], d[5],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _moved(y, h, d) -> tuple:
    """y + h·d, by fifteen."""
    return (
        y[0] + h * d[0], y[1] + h * d[1], y[2] + h * d[2], y[3] + h * d[3], y[4] + h * d[4], y[5] + h * d[5],
        y[6] + h * d[6], y[7] + h * d[7], y[8] + h * d[8], y[9] + h * d[9], y[10] + h * d[10], y[11] + h * d[11],
        y[12] + h * d[12], y[13] + h * d[13], y[14] + h * d[14],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _quaternion(R) -> tuple:
    """Of a rotation matrix, scalar first."""
    squares = (
        1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8],
    )  # fmt: skip
    most = max(max(squares[0], squares[1]), max(squares[2], squares[3]))
    k = 0.5 / math.sqrt(most)
    if squares[0] == most:
        return k * squares[0], k * (R[7] - R[5]), k * (R[2] - R[6]), k * (R[3] - R[1])
    if squares[1] == most:
        return k * (R[7] - R[5]), k * squares[1], k * (R[1] + R[3]), k * (R[2] + R[6])
    if squares[2] == most:
        return k * (R[2] - R[6]), k * (R[1] + R[3]), k * squares[2], k * (R[5] + R[7])
    return k * (R[3] - R[1]), k * (R[2] + R[6]), k * (R[5] + R[7]), k * squares[3]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def integrate(b, m, p, dt) -> None:
    """m drones of a block on by dt [s], under the rotors' wrench at the begin of the step."""
    c, near, hub, sixth = constants(p), p[at.GROUND], p[at.HUB], dt / 6.0
    for l in range(m):
        o, q, s, u = on.VEL + l, on.QUAT + l, on.SPIN + l, on.PUSH + l
        v, w = (b[o], b[o + Y], b[o + Z]), (b[s], b[s + Y], b[s + Z])
        y = v + rotation(b[q], b[q + Y], b[q + Z], b[q + 3 * LANES]) + w
        push = b[u], b[u + Y], b[u + Z], b[u + 3 * LANES], b[u + 4 * LANES], b[u + 5 * LANES]
        wind, air = (b[on.WIND + l], b[on.WIND + Y + l], b[on.WIND + Z + l]), b[on.AIR + l]
        f = wrench_at(b, on.EARLY + l, lift_factor(b[on.POS + Z + l], air, b[on.GROUND + l], near, hub))
        k1 = _slope(y, f, push, wind, air, c)
        y2 = _moved(y, 0.5 * dt, k1)
        k2 = _slope(y2, f, push, wind, air, c)
        y3 = _moved(y, 0.5 * dt, k2)
        k3 = _slope(y3, f, push, wind, air, c)
        y4 = _moved(y, dt, k3)
        k4 = _slope(y4, f, push, wind, air, c)
        for i in range(3):
            b[on.POS + i * LANES + l] += sixth * (y[i] + 2.0 * (y2[i] + y3[i]) + y4[i])
        end = _moved(_moved(_moved(y, sixth, k1), 2.0 * sixth, k2), 2.0 * sixth, k3)
        end = _moved(end, sixth, k4)
        b[o], b[o + Y], b[o + Z], b[s], b[s + Y], b[s + Z] = end[0], end[1], end[2], end[12], end[13], end[14]
        b[q], b[q + Y], b[q + Z], b[q + 3 * LANES] = _quaternion(_squared(end[3:12]))
