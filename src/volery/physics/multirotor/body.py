# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""A drone as a rigid body in the air: forces and torques, and what they do to its motion."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import layout as at
from volery.physics.multirotor.lanes import LANES

__all__ = ["accelerations", "air_force", "constants", "turn_by", "wrench_at"]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def constants(p: np.ndarray) -> tuple:
    """What `accelerations` needs of the parameters, 24: 1/mass, gravity, inertia (6), its inverse (6), centre (3), area
    (3), linear (3), rotor drag."""
    i, j, c, a, d = at.INERTIA, at.INVERSE, at.CENTRE, at.AREA, at.LINEAR
    return (
        1.0 / p[at.MASS], p[at.GRAVITY], p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5],
        p[j], p[j + 1], p[j + 2], p[j + 3], p[j + 4], p[j + 5], p[c], p[c + 1], p[c + 2],
        p[a], p[a + 1], p[a + 2], p[d], p[d + 1], p[d + 2], p[at.ROTOR_DRAG],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def wrench_at(b: np.ndarray, o: int, lift: float) -> tuple:
    """Force, torque and sum of speeds of the rotors from columns o on, in air that lifts `lift` times as well."""
    return (
        b[o] * lift, b[o + LANES] * lift, b[o + 2 * LANES] * lift, b[o + 3 * LANES] * lift, b[o + 4 * LANES] * lift,
        b[o + 5 * LANES] * lift, b[o + 6 * LANES],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def air_force(R: tuple, v0: float, v1: float, v2: float, c: tuple, air: float, total: float) -> tuple:
    """Drag in B [N] at a velocity against the air, in W [m/s], with the rotors' speeds summing to `total` [rpm]."""
    b0 = R[0] * v0 + R[3] * v1 + R[6] * v2
    b1 = R[1] * v0 + R[4] * v1 + R[7] * v2
    b2 = R[2] * v0 + R[5] * v1 + R[8] * v2
    speed = air * math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    flapping = c[23] * air * total
    return (
        -(c[17] * speed + c[20] + flapping) * b0,
        -(c[18] * speed + c[21] + flapping) * b1,
        -(c[19] * speed + c[22]) * b2,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def accelerations(R, v0, v1, v2, a, b, e, f, push, wind, air, c) -> tuple:
    """Acceleration in W [m/s²] and angular acceleration in B [rad/s²], 6, at a velocity and a spin (a, b, e).

    f: wrench of the rotors in B and sum of their speeds, 7; push: force and torque in W about the root's origin, 6.
    """
    d = air_force(R, v0 - wind[0], v1 - wind[1], v2 - wind[2], c, air, f[6])
    f0, f1, f2 = f[0] + d[0], f[1] + d[1], f[2] + d[2]
    F0, F1, F2, M0, M1, M2 = push
    # The push acts at the root's origin: its torque about the centre of mass, in B
    g0, g1, g2 = R[0] * F0 + R[3] * F1 + R[6] * F2, R[1] * F0 + R[4] * F1 + R[7] * F2, R[2] * F0 + R[5] * F1 + R[8] * F2
    m0, m1, m2 = c[14], c[15], c[16]
    t0 = f[3] + R[0] * M0 + R[3] * M1 + R[6] * M2 - (m1 * g2 - m2 * g1)
    t1 = f[4] + R[1] * M0 + R[4] * M1 + R[7] * M2 - (m2 * g0 - m0 * g2)
    t2 = f[5] + R[2] * M0 + R[5] * M1 + R[8] * M2 - (m0 * g1 - m1 * g0)
    h0 = c[2] * a + c[5] * b + c[6] * e
    h1 = c[5] * a + c[3] * b + c[7] * e
    h2 = c[6] * a + c[7] * b + c[4] * e
    t0, t1, t2 = t0 - (b * h2 - e * h1), t1 - (e * h0 - a * h2), t2 - (a * h1 - b * h0)
    return (
        (R[0] * f0 + R[1] * f1 + R[2] * f2 + F0) * c[0],
        (R[3] * f0 + R[4] * f1 + R[5] * f2 + F1) * c[0],
        (R[6] * f0 + R[7] * f1 + R[8] * f2 + F2) * c[0] - c[1],
        c[8] * t0 + c[11] * t1 + c[12] * t2,
        c[11] * t0 + c[9] * t1 + c[13] * t2,
        c[12] * t0 + c[13] * t1 + c[10] * t2,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy")
def turn_by(s: np.ndarray, h0: float, h1: float, h2: float) -> None:
    """Turn a drone, a row of state, by a rotation vector in B [rad]: q ← q·exp(h/2)."""
    n = math.sqrt(h0 * h0 + h1 * h1 + h2 * h2)
    a, f = (math.cos(0.5 * n), math.sin(0.5 * n) / n) if n > 1e-12 else (1.0, 0.5)
    b, d, e = h0 * f, h1 * f, h2 * f
    w, x, y, z = s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3]
    w, x, y, z = (
        w * a - x * b - y * d - z * e, w * b + x * a + y * e - z * d, w * d - x * e + y * a + z * b,
        w * e + x * d - y * b + z * a,
    )  # fmt: skip
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3] = w * n, x * n, y * n, z * n
