# ruff: noqa: ANN001, E741 (numba infers the types of kernel arguments; l is a lane)
"""The autopilot in kernels: the cascade of the MRS multirotor simulator, from a position down to motor throttles.

Each level is told by the one above it or from outside, so one cascade serves all commands. World axes for position,
velocity and acceleration, body axes for attitude and rates; rotation as the nine numbers of R_WB, row by row. All
drones of a block (see lanes.py) have the same level.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import lanes as on
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.lanes import LANES, Y, Z
from volery.physics.multirotor.mixer import mix

__all__ = ["rotation", "throttles"]

_STEEP = 1e-9
"""Below this a direction has no length."""


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def rotation(w: float, x: float, y: float, z: float) -> tuple:
    """R_WB of a unit quaternion, row by row."""
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy")
def throttles(b: np.ndarray, m: int, level: int, p: np.ndarray, dt: float) -> None:
    """Throttles 0 to 1 of all rotors of the first m drones of a block; advances the loops by dt [s]. p: parameters."""
    n = int(p[at.COUNT])
    if level == at.ACTUATORS:
        for i in range(n):
            for l in range(m):
                b[on.GOAL + i * LANES + l] = min(max(b[on.REF_MOTORS + i * LANES + l], 0.0), 1.0)
        return
    if level == at.GROUP:
        for k in range(3):
            for l in range(m):
                b[on.GROUP + k * LANES + l] = b[on.REF_GROUP + k * LANES + l]
        _take_throttle(b, m)
    else:
        _cascade(b, m, level, p, dt)
    mix(b, m, p, n)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _cascade(b, m, level, p, dt) -> None:
    """From any level above it to roll, pitch, yaw and throttle."""
    if level == at.BODY_RATE:
        for k in range(3):
            for l in range(m):
                b[on.RATE + k * LANES + l] = b[on.REF_RATES + k * LANES + l]
        _take_throttle(b, m)
    else:
        _rotations(b, m)
        if level == at.ATTITUDE:
            _take_throttle(b, m)
            _hold(b, m, p, dt)
        elif level == at.TILT_RATE:
            _take_throttle(b, m)
            _directions(b, m, on.REF_A, 0.0, 0.0, 0.0, 0.0)
            _tilt(b, m, p, dt)
        else:
            _accelerate(b, m, level, p, dt)
    _rate_loop(b, m, p, dt)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _accelerate(b, m, level, p, dt) -> None:
    """From position, velocity or acceleration to throttle and body rates."""
    wanted = on.REF_A
    if level != at.ACCELERATION_HEADING and level != at.ACCELERATION_RATE:
        _velocities(b, m)
        if level == at.POSITION:
            _position_loop(b, m, p, dt)
        _velocity_loop(b, m, p, dt)
        wanted = on.WANT_A
    _directions(b, m, wanted, p[at.GRAVITY], p[at.MASS] / p[at.LIFT], p[at.LEAST], p[at.MOST])
    if level == at.POSITION or level == at.VELOCITY_HEADING or level == at.ACCELERATION_HEADING:
        _head(b, m, p, dt)
    else:
        _tilt(b, m, p, dt)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _take_throttle(b, m) -> None:
    for l in range(m):
        b[on.THROTTLE + l] = b[on.REF_THROTTLE + l]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _rotations(b, m) -> None:
    for l in range(m):
        q = on.QUAT + l
        D = rotation(b[q], b[q + LANES], b[q + 2 * LANES], b[q + 3 * LANES])
        r = on.R + l
        b[r], b[r + LANES], b[r + 2 * LANES] = D[0], D[1], D[2]
        b[r + 3 * LANES], b[r + 4 * LANES], b[r + 5 * LANES] = D[3], D[4], D[5]
        b[r + 6 * LANES], b[r + 7 * LANES], b[r + 8 * LANES] = D[6], D[7], D[8]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _kept_rotation(b, l) -> tuple:
    r = on.R + l
    return (
        b[r], b[r + LANES], b[r + 2 * LANES], b[r + 3 * LANES], b[r + 4 * LANES], b[r + 5 * LANES], b[r + 6 * LANES],
        b[r + 7 * LANES], b[r + 8 * LANES],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _loop(b, place, e, kp, kd, ki, most, windup, dt, often) -> float:
    """One PID: b[place] is its last error (NaN: none yet), three columns on is its integral; the integral used is the
    old one. often: 1/dt."""
    last, whole = b[place], b[place + 3 * LANES]
    d = (e - last) * often if last == last else 0.0
    u = kp * e + kd * d + ki * whole
    u = min(max(u, -most), most)
    b[place] = e
    b[place + 3 * LANES] = whole + e * dt if abs(u) < windup else whole
    return u


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _gains(p, which) -> tuple:
    """kp, kd, ki, most, windup of a loop."""
    g = at.LOOPS + 5 * which
    return p[g], p[g + 1], p[g + 2], p[g + 3], p[g + 4]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _velocities(b, m) -> None:
    """The velocity that is wanted, in W; one given in axes that turn with the heading is turned."""
    for l in range(m):
        v0, v1 = b[on.REF_V + l], b[on.REF_V + Y + l]
        # Flat part of the nose's direction; straight up it has none, and W's axes stand in
        nose0, nose1 = b[on.R + l], b[on.R + 3 * LANES + l]
        flat = math.sqrt(nose0 * nose0 + nose1 * nose1)
        turns = b[on.REF_TURNS + l] != 0.0 and flat > _STEEP
        cy = nose0 / flat if turns else 1.0
        sy = nose1 / flat if turns else 0.0
        b[on.WANT_V + l] = cy * v0 - sy * v1
        b[on.WANT_V + Y + l] = sy * v0 + cy * v1
        b[on.WANT_V + Z + l] = b[on.REF_V + Z + l]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _position_loop(b, m, p, dt) -> None:
    gains, centre = _gains(p, 0), (p[at.CENTRE], p[at.CENTRE + 1], p[at.CENTRE + 2])
    _position_axis(b, m, 0, centre, gains, dt)
    _position_axis(b, m, 1, centre, gains, dt)
    _position_axis(b, m, 2, centre, gains, dt)


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _position_axis(b, m, k, centre, gains, dt) -> None:
    kp, kd, ki, most, windup = gains
    often, o, r = 1.0 / dt, k * LANES, on.R + 3 * k * LANES
    for l in range(m):
        # The reference is the root's origin
        lever = b[r + l] * centre[0] + b[r + Y + l] * centre[1] + b[r + Z + l] * centre[2]
        e = b[on.REF_P + o + l] - (b[on.POS + o + l] - lever)
        b[on.WANT_V + o + l] += _loop(b, on.PID_P + o + l, e, kp, kd, ki, most, windup, dt, often)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _velocity_loop(b, m, p, dt) -> None:
    kp, kd, ki, most, windup = _gains(p, 1)
    often = 1.0 / dt
    for k in range(3):
        o = k * LANES
        for l in range(m):
            e = b[on.WANT_V + o + l] - b[on.VEL + o + l]
            u = _loop(b, on.PID_V + o + l, e, kp, kd, ki, most, windup, dt, often)
            b[on.WANT_A + o + l] = b[on.REF_A + o + l] + u


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _directions(b, m, wanted, gravity, ratio, least, most) -> None:
    """Where to push to, from an acceleration in columns `wanted`, and with which throttle; ratio: mass over lift, 0:
    the throttle is known."""
    for l in range(m):
        f0, f1, f2 = b[wanted + l], b[wanted + Y + l], b[wanted + Z + l] + gravity
        length = math.sqrt(f0 * f0 + f1 * f1 + f2 * f2)
        none = length < _STEEP
        over = 1.0 / length if not none else 0.0
        b[on.UP + l], b[on.UP + Y + l] = f0 * over, f1 * over
        b[on.UP + Z + l] = 1.0 if none else f2 * over
        push = f0 * b[on.R + Z + l] + f1 * b[on.R + 5 * LANES + l] + f2 * b[on.R + 8 * LANES + l]
        rpm = math.sqrt(max(push, 0.0) * ratio / b[on.AIR + l])
        b[on.THROTTLE + l] = (rpm - least) / (most - least) if ratio > 0.0 else b[on.THROTTLE + l]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _turn_to(b, l, D, gains, yaw_rate, dt, often) -> tuple:
    """Body rates [rad/s] that turn R into D; the error is half the vee of DᵀR − RᵀD."""
    kp, kd, ki, most, windup = gains
    R = _kept_rotation(b, l)
    e0 = 0.5 * ((D[1] * R[2] + D[4] * R[5] + D[7] * R[8]) - (D[2] * R[1] + D[5] * R[4] + D[8] * R[7]))
    e1 = 0.5 * ((D[2] * R[0] + D[5] * R[3] + D[8] * R[6]) - (D[0] * R[2] + D[3] * R[5] + D[6] * R[8]))
    e2 = 0.5 * ((D[0] * R[1] + D[3] * R[4] + D[6] * R[7]) - (D[1] * R[0] + D[4] * R[3] + D[7] * R[6]))
    r0 = _loop(b, on.PID_Q + l, e0, kp, kd, ki, most, windup, dt, often)
    r1 = _loop(b, on.PID_Q + Y + l, e1, kp, kd, ki, most, windup, dt, often)
    r2 = _loop(b, on.PID_Q + Z + l, e2, kp, kd, ki, yaw_rate, windup, dt, often)
    return r0, r1, r2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _hold(b, m, p, dt) -> None:
    """Body rates that bring a drone to the attitude it is told."""
    gains, yaw_rate, often = _gains(p, 2), p[at.YAW_RATE], 1.0 / dt
    for l in range(m):
        q = on.REF_Q + l
        D = rotation(b[q], b[q + LANES], b[q + 2 * LANES], b[q + 3 * LANES])
        b[on.RATE + l], b[on.RATE + Y + l], b[on.RATE + Z + l] = _turn_to(b, l, D, gains, yaw_rate, dt, often)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _head(b, m, p, dt) -> None:
    """Body rates that bring z_B to UP and the nose above the heading exactly."""
    gains, yaw_rate, often = _gains(p, 2), p[at.YAW_RATE], 1.0 / dt
    for l in range(m):
        z0, z1, z2, cy, sy = b[on.UP + l], b[on.UP + Y + l], b[on.UP + Z + l], b[on.COS + l], b[on.SIN + l]
        x2 = -(z0 * cy + z1 * sy) / (z2 if abs(z2) > _STEEP else _STEEP)
        over = 1.0 / math.sqrt(1.0 + x2 * x2)
        x0, x1, x2 = cy * over, sy * over, x2 * over
        D = x0, z1 * x2 - z2 * x1, z0, x1, z2 * x0 - z0 * x2, z1, x2, z0 * x1 - z1 * x0, z2
        b[on.RATE + l], b[on.RATE + Y + l], b[on.RATE + Z + l] = _turn_to(b, l, D, gains, yaw_rate, dt, often)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _tilt(b, m, p, dt) -> None:
    """Body rates that bring z_B to UP while the heading turns at the rate it is told."""
    gains, yaw_rate, often = _gains(p, 2), p[at.YAW_RATE], 1.0 / dt
    for l in range(m):
        z0, z1, z2 = b[on.UP + l], b[on.UP + Y + l], b[on.UP + Z + l]
        R = _kept_rotation(b, l)
        y0, y1, y2 = z1 * R[6] - z2 * R[3], z2 * R[0] - z0 * R[6], z0 * R[3] - z1 * R[0]
        over = 1.0 / max(math.sqrt(y0 * y0 + y1 * y1 + y2 * y2), _STEEP)
        y0, y1, y2 = y0 * over, y1 * over, y2 * over
        D = y1 * z2 - y2 * z1, y0, z0, y2 * z0 - y0 * z2, y1, z1, y0 * z1 - y1 * z0, y2, z2
        r0, r1, r2 = _turn_to(b, l, D, gains, yaw_rate, dt, often)
        flat2 = R[0] * R[0] + R[3] * R[3]
        # How a unit of yaw rate, and the rates wanted so far, turn the heading: d x_B/dt = r2·y_B − r1·z_B
        by_yaw = R[0] * R[4] - R[3] * R[1]
        missing = b[on.REF_YAW_RATE + l] - (r2 * by_yaw - r1 * (R[0] * R[5] - R[3] * R[2])) / flat2
        sound = flat2 >= _STEEP and abs(by_yaw) >= _STEEP and abs(missing) >= 1e-3
        b[on.RATE + l], b[on.RATE + Y + l] = r0, r1
        b[on.RATE + Z + l] = r2 + missing * flat2 / by_yaw if sound else r2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _rate_loop(b, m, p, dt) -> None:
    """From body rates to roll, pitch and yaw."""
    often = 1.0 / dt
    for k in range(3):
        o, kp, kd = k * LANES, p[at.RATE_KP + k], p[at.RATE_KD + k]
        for l in range(m):
            e = b[on.RATE + o + l] - b[on.SPIN + o + l]
            last = b[on.PID_W + o + l]
            d = (e - last) * often if last == last else 0.0
            b[on.PID_W + o + l] = e
            b[on.GROUP + o + l] = kp * e + kd * d
