# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""The autopilot in kernels: the cascade of the MRS multirotor simulator, from a position down to motor throttles.

Each level is told by the one above it or from outside, so one cascade serves all commands. World axes for position,
velocity and acceleration, body axes for attitude and rates; rotation as the nine numbers of R_WB, row by row.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import layout as at

__all__ = ["rotation", "throttles"]

_STEEP = 1e-9
"""Below this a direction has no length."""


@nb.njit(cache=True, nogil=True, error_model="numpy", inline="always")
def rotation(w: float, x: float, y: float, z: float) -> tuple:
    """R_WB of a unit quaternion, row by row."""
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy")
def throttles(s: np.ndarray, c: np.ndarray, level: int, p: np.ndarray, dt: float, air: float, u: np.ndarray) -> None:
    """Throttles 0 to 1 of all rotors into u, from state s, reference c and parameters p; advances the loops by dt [s].

    air: density over that at which the thrust holds.
    """
    n = int(p[at.COUNT])
    if level == at.ACTUATORS:
        for i in range(n):
            u[i] = min(max(c[at.REF_MOTORS + i], 0.0), 1.0)
        return
    if level == at.GROUP:
        _mix(p, n, c[at.REF_GROUP], c[at.REF_GROUP + 1], c[at.REF_GROUP + 2], c[at.REF_THROTTLE], u)
        return
    R = rotation(s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3])
    r0, r1, r2, throttle = _wanted_rates(s, c, level, p, dt, air, R)
    g0 = _rate_loop(s, 0, r0, p, dt)
    g1 = _rate_loop(s, 1, r1, p, dt)
    g2 = _rate_loop(s, 2, r2, p, dt)
    _mix(p, n, g0, g1, g2, throttle, u)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _wanted_rates(s, c, level, p, dt, air, R) -> tuple:
    """Body rates [rad/s] and throttle that a level above them asks for."""
    if level == at.BODY_RATE:
        return c[at.REF_RATES], c[at.REF_RATES + 1], c[at.REF_RATES + 2], c[at.REF_THROTTLE]
    if level == at.ATTITUDE:
        D = rotation(c[at.REF_Q], c[at.REF_Q + 1], c[at.REF_Q + 2], c[at.REF_Q + 3])
        r = _attitude_loop(s, D, R, p, dt)
        return r[0], r[1], r[2], c[at.REF_THROTTLE]
    if level == at.TILT_RATE:
        z = _unit(c[at.REF_A], c[at.REF_A + 1], c[at.REF_A + 2])
        r = _tilt(s, z, R, c[at.REF_YAW_RATE], p, dt)
        return r[0], r[1], r[2], c[at.REF_THROTTLE]
    a = _wanted_acceleration(s, c, level, p, dt, R)
    f0, f1, f2 = p[at.MASS] * a[0], p[at.MASS] * a[1], p[at.MASS] * (a[2] + p[at.GRAVITY])
    z = _unit(f0, f1, f2)
    push = max(f0 * R[2] + f1 * R[5] + f2 * R[8], 0.0)
    throttle = (math.sqrt(push / (p[at.LIFT] * air)) - p[at.LEAST]) / (p[at.MOST] - p[at.LEAST])
    if level == at.POSITION or level == at.VELOCITY_HEADING or level == at.ACCELERATION_HEADING:
        r = _attitude_loop(s, _headed(z, c[at.REF_YAW]), R, p, dt)
    else:
        r = _tilt(s, z, R, c[at.REF_YAW_RATE], p, dt)
    return r[0], r[1], r[2], throttle


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _wanted_acceleration(s, c, level, p, dt, R) -> tuple:
    """Acceleration in W [m/s²] that position, velocity or the reference itself asks for."""
    a0, a1, a2 = c[at.REF_A], c[at.REF_A + 1], c[at.REF_A + 2]
    if level == at.ACCELERATION_HEADING or level == at.ACCELERATION_RATE:
        return a0, a1, a2
    v0, v1, v2 = c[at.REF_V], c[at.REF_V + 1], c[at.REF_V + 2]
    if c[at.REF_TURNS] != 0.0:
        # Flat part of the nose's direction; straight up it has none, and W's axes stand in
        flat = math.sqrt(R[0] * R[0] + R[3] * R[3])
        cy, sy = (R[0] / flat, R[3] / flat) if flat > _STEEP else (1.0, 0.0)
        v0, v1 = cy * v0 - sy * v1, sy * v0 + cy * v1
    if level == at.POSITION:
        m0, m1, m2 = p[at.CENTRE], p[at.CENTRE + 1], p[at.CENTRE + 2]
        e0 = c[at.REF_P] - (s[at.POS] - (R[0] * m0 + R[1] * m1 + R[2] * m2))
        e1 = c[at.REF_P + 1] - (s[at.POS + 1] - (R[3] * m0 + R[4] * m1 + R[5] * m2))
        e2 = c[at.REF_P + 2] - (s[at.POS + 2] - (R[6] * m0 + R[7] * m1 + R[8] * m2))
        v0 += _loop(s, at.PID, e0, p, at.LOOPS, p[at.LOOPS + 3], dt)
        v1 += _loop(s, at.PID + 1, e1, p, at.LOOPS, p[at.LOOPS + 3], dt)
        v2 += _loop(s, at.PID + 2, e2, p, at.LOOPS, p[at.LOOPS + 3], dt)
    a0 += _loop(s, at.PID + 6, v0 - s[at.VEL], p, at.LOOPS + 5, p[at.LOOPS + 8], dt)
    a1 += _loop(s, at.PID + 7, v1 - s[at.VEL + 1], p, at.LOOPS + 5, p[at.LOOPS + 8], dt)
    a2 += _loop(s, at.PID + 8, v2 - s[at.VEL + 2], p, at.LOOPS + 5, p[at.LOOPS + 8], dt)
    return a0, a1, a2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _loop(s: np.ndarray, at: int, e: float, p: np.ndarray, gains: int, most: float, dt: float) -> float:
    """One at.PID: s[at] is its last error, s[at + 3] its integral; the integral used is the old one."""
    last = s[at]
    d = (e - last) / dt if last == last else 0.0
    u = p[gains] * e + p[gains + 1] * d + p[gains + 2] * s[at + 3]
    if most > 0.0:
        u = min(max(u, -most), most)
    if abs(u) < p[gains + 4]:
        s[at + 3] += e * dt
    s[at] = e
    return u


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _rate_loop(s: np.ndarray, axis: int, wanted: float, p: np.ndarray, dt: float) -> float:
    """Share of throttle about a body axis."""
    e = wanted - s[at.SPIN + axis]
    last = s[at.PID + 18 + axis]
    d = (e - last) / dt if last == last else 0.0
    s[at.PID + 18 + axis] = e
    return p[at.RATE_KP + axis] * e + p[at.RATE_KD + axis] * d


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _attitude_loop(s, D, R, p, dt) -> tuple:
    """Body rates [rad/s] that turn R into D; the error is half the vee of DᵀR − RᵀD."""
    e0 = 0.5 * ((D[1] * R[2] + D[4] * R[5] + D[7] * R[8]) - (D[2] * R[1] + D[5] * R[4] + D[8] * R[7]))
    e1 = 0.5 * ((D[2] * R[0] + D[5] * R[3] + D[8] * R[6]) - (D[0] * R[2] + D[3] * R[5] + D[6] * R[8]))
    e2 = 0.5 * ((D[0] * R[1] + D[3] * R[4] + D[6] * R[7]) - (D[1] * R[0] + D[4] * R[3] + D[7] * R[6]))
    r0 = _loop(s, at.PID + 12, e0, p, at.LOOPS + 10, p[at.LOOPS + 13], dt)
    r1 = _loop(s, at.PID + 13, e1, p, at.LOOPS + 10, p[at.LOOPS + 13], dt)
    r2 = _loop(s, at.PID + 14, e2, p, at.LOOPS + 10, p[at.YAW_RATE], dt)
    return r0, r1, r2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _headed(z, yaw) -> tuple:
    """The rotation whose z is given and whose nose points along a heading [rad] exactly."""
    cy, sy = math.cos(yaw), math.sin(yaw)
    up = z[2] if abs(z[2]) > _STEEP else _STEEP
    x = _unit(cy, sy, -(z[0] * cy + z[1] * sy) / up)
    y0, y1, y2 = z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]
    return x[0], y0, z[0], x[1], y1, z[1], x[2], y2, z[2]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _tilt(s, z, R, yaw_rate, p, dt) -> tuple:
    """Body rates [rad/s] that bring z_B to z while the heading turns at yaw_rate."""
    y = _unit(z[1] * R[6] - z[2] * R[3], z[2] * R[0] - z[0] * R[6], z[0] * R[3] - z[1] * R[0])
    x0, x1, x2 = y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]
    r0, r1, r2 = _attitude_loop(s, (x0, y[0], z[0], x1, y[1], z[1], x2, y[2], z[2]), R, p, dt)
    flat2 = R[0] * R[0] + R[3] * R[3]
    # How a unit of yaw rate, and the rates wanted so far, turn the heading: d x_B/dt = r2·y_B − r1·z_B
    by_yaw = R[0] * R[4] - R[3] * R[1]
    if flat2 < _STEEP or abs(by_yaw) < _STEEP:
        return r0, r1, r2
    drift = (r2 * by_yaw - r1 * (R[0] * R[5] - R[3] * R[2])) / flat2
    missing = yaw_rate - drift
    if abs(missing) >= 1e-3:
        r2 += missing * flat2 / by_yaw
    return r0, r1, r2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _unit(x: float, y: float, z: float) -> tuple:
    length = math.sqrt(x * x + y * y + z * z)
    if length < _STEEP:
        return 0.0, 0.0, 1.0
    return x / length, y / length, z / length


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _mix(p, n, g0, g1, g2, throttle, u) -> None:
    """Throttles of the rotors; if one would leave 0 to 1, turning yields to lifting."""
    low, total = _mix_once(p, n, g0, g1, g2, throttle, u)
    shift = -low if low < 0.0 else 0.0
    high = -np.inf
    for i in range(n):
        u[i] += shift
        high = max(high, u[i])
    if high > 1.0:
        if throttle > 0.01:
            share = (total / n + shift) / throttle
            _mix_once(p, n, g0 / share, g1 / share, g2 / share, throttle, u)
        else:
            for i in range(n):
                u[i] /= high
    for i in range(n):
        u[i] = min(max(u[i], 0.0), 1.0)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _mix_once(p, n, g0, g1, g2, throttle, u) -> tuple:
    """Least and sum of the throttles."""
    low, total = np.inf, 0.0
    for i in range(n):
        m = at.MIX + 4 * i
        u[i] = p[m] * g0 + p[m + 1] * g1 + p[m + 2] * g2 + p[m + 3] * throttle
        low = min(low, u[i])
        total += u[i]
    return low, total
