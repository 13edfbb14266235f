# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Flight of one drone in kernels: motors, rotors, air, battery and the rigid body, by RK4.

The body, about its centre of mass: m v̇ = R f_B − m g e_z + F, J ẇ = t_B − w × J w + M. Between two looks of the
autopilot the speed of a motor is known exactly, rpm(t) = goal + (rpm − goal)·exp(−t/τ): each stage has its own.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import layout as at
from volery.physics.multirotor.control import rotation, throttles

__all__ = ["air_force", "fly", "fly_threads", "motors", "rotors", "step", "turn_by"]

_REVOLUTION = 2.0 * math.pi / 60.0
"""rad/s per rpm."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def motors(s: np.ndarray, c: np.ndarray, level: int, p: np.ndarray, dt: float, air: float, goal: np.ndarray) -> None:
    """Speeds [rpm] that the motors strive for within the next dt [s], into `goal`; drains the battery."""
    n = int(p[at.COUNT])
    stopped = level == at.OFF or level == at.CRASHED or (p[at.FULL] > 0.0 and s[at.CHARGE] <= 0.0)
    if stopped:
        for i in range(n):
            goal[i] = 0.0
    else:
        throttles(s, c, level, p, dt, air, goal)
        for i in range(n):
            goal[i] = p[at.LEAST] + (p[at.MOST] - p[at.LEAST]) * goal[i]
    power = p[at.IDLE]
    for i in range(n):
        rpm = s[at.RPM + i]
        power += p[at.SHAFT] * air * rpm * rpm * rpm
    s[at.POWER] = power
    if p[at.FULL] > 0.0:
        _drain(s, p, n, power, dt, goal)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _drain(s, p, n, power, dt, goal) -> None:
    """Take a power [W] from the battery for dt [s]; motors turn no faster than the voltage under load lets them."""
    free = p[at.EMPTY] + (p[at.FULL] - p[at.EMPTY]) * s[at.CHARGE] / p[at.CAPACITY]
    # V = E − R·P/V: the upper root; half of E where the battery cannot give as much
    voltage = 0.5 * (free + math.sqrt(max(free * free - 4.0 * p[at.OHM] * power, 0.0)))
    if s[at.CHARGE] > 0.0:
        s[at.CHARGE] = max(s[at.CHARGE] - power / voltage * dt, 0.0)
    else:
        s[at.POWER] = 0.0
    most = p[at.MOST] * voltage / p[at.FULL]
    for i in range(n):
        goal[i] = min(goal[i], most)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def rotors(s: np.ndarray, p: np.ndarray, decay: float, lift: float, goal: np.ndarray) -> tuple:
    """Force [N] and torque [N m] of all rotors in B and the sum of their speeds [rpm], 7 numbers, once the gap between
    goals and speeds has shrunk to `decay`; lift: factor on the thrust."""
    f0 = f1 = f2 = t0 = t1 = t2 = total = 0.0
    for i in range(int(p[at.COUNT])):
        rpm = goal[i] + (s[at.RPM + i] - goal[i]) * decay
        total += rpm
        square = rpm * rpm * lift
        f0 += p[at.EFFECT + i] * square
        f1 += p[at.EFFECT + at.ROTORS + i] * square
        f2 += p[at.EFFECT + 2 * at.ROTORS + i] * square
        t0 += p[at.EFFECT + 3 * at.ROTORS + i] * square
        t1 += p[at.EFFECT + 4 * at.ROTORS + i] * square
        t2 += p[at.EFFECT + 5 * at.ROTORS + i] * square
    return f0, f1, f2, t0, t1, t2, total


@nb.njit(cache=True, nogil=True, error_model="numpy")
def air_force(R: tuple, v0: float, v1: float, v2: float, p: np.ndarray, air: float, total: float) -> tuple:
    """Drag in B [N] at a velocity against the air, in W [m/s], with the rotors' speeds summing to `total` [rpm]."""
    b0 = R[0] * v0 + R[3] * v1 + R[6] * v2
    b1 = R[1] * v0 + R[4] * v1 + R[7] * v2
    b2 = R[2] * v0 + R[5] * v1 + R[8] * v2
    speed = air * math.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
    flapping = p[at.ROTOR_DRAG] * air * total
    return (
        -(p[at.AREA] * speed + p[at.LINEAR] + flapping) * b0,
        -(p[at.AREA + 1] * speed + p[at.LINEAR + 1] + flapping) * b1,
        -(p[at.AREA + 2] * speed + p[at.LINEAR + 2]) * b2,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy")
def lift_factor(s: np.ndarray, p: np.ndarray, air: float, ground: float) -> float:
    """Thrust over that in the reference air far from the ground (Cheeseman and Bennett, to half a radius)."""
    near = p[at.GROUND]
    if near == 0.0:
        return air
    height = s[at.POS + 2] + p[at.HUB] - ground
    square = max(height * height, 4.0 * near)
    return air / (1.0 - near / square)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _slope(y, f, c, p, air, wind) -> tuple:
    """Time derivatives of y = (velocity, quaternion, spin), 10 numbers, under the rotors' wrench f."""
    v0, v1, v2, w, x, j, z, a, b, e = y
    R = rotation(w, x, j, z)
    d = air_force(R, v0 - wind[0], v1 - wind[1], v2 - wind[2], p, air, f[6])
    f0, f1, f2 = f[0] + d[0], f[1] + d[1], f[2] + d[2]
    F0, F1, F2, M0, M1, M2 = c[at.PUSH], c[at.PUSH + 1], c[at.PUSH + 2], c[at.PUSH + 3], c[at.PUSH + 4], c[at.PUSH + 5]
    m = 1.0 / p[at.MASS]
    # The push acts at the root's origin: its torque about the centre of mass, in B
    g0, g1, g2 = R[0] * F0 + R[3] * F1 + R[6] * F2, R[1] * F0 + R[4] * F1 + R[7] * F2, R[2] * F0 + R[5] * F1 + R[8] * F2
    m0, m1, m2 = p[at.CENTRE], p[at.CENTRE + 1], p[at.CENTRE + 2]
    t0 = f[3] + R[0] * M0 + R[3] * M1 + R[6] * M2 - (m1 * g2 - m2 * g1)
    t1 = f[4] + R[1] * M0 + R[4] * M1 + R[7] * M2 - (m2 * g0 - m0 * g2)
    t2 = f[5] + R[2] * M0 + R[5] * M1 + R[8] * M2 - (m0 * g1 - m1 * g0)
    h0 = p[at.INERTIA] * a + p[at.INERTIA + 3] * b + p[at.INERTIA + 4] * e
    h1 = p[at.INERTIA + 3] * a + p[at.INERTIA + 1] * b + p[at.INERTIA + 5] * e
    h2 = p[at.INERTIA + 4] * a + p[at.INERTIA + 5] * b + p[at.INERTIA + 2] * e
    t0, t1, t2 = t0 - (b * h2 - e * h1), t1 - (e * h0 - a * h2), t2 - (a * h1 - b * h0)
    return (
        (R[0] * f0 + R[1] * f1 + R[2] * f2 + F0) * m,
        (R[3] * f0 + R[4] * f1 + R[5] * f2 + F1) * m,
        (R[6] * f0 + R[7] * f1 + R[8] * f2 + F2) * m - p[at.GRAVITY],
        0.5 * (-x * a - j * b - z * e),
        0.5 * (w * a + j * e - z * b),
        0.5 * (w * b - x * e + z * a),
        0.5 * (w * e + x * b - j * a),
        p[at.INVERSE] * t0 + p[at.INVERSE + 3] * t1 + p[at.INVERSE + 4] * t2,
        p[at.INVERSE + 3] * t0 + p[at.INVERSE + 1] * t1 + p[at.INVERSE + 5] * t2,
        p[at.INVERSE + 4] * t0 + p[at.INVERSE + 5] * t1 + p[at.INVERSE + 2] * t2,
    )


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _moved(y, h, d) -> tuple:
    """y + h·d, by ten."""
    return (
        y[0] + h * d[0], y[1] + h * d[1], y[2] + h * d[2], y[3] + h * d[3], y[4] + h * d[4],
        y[5] + h * d[5], y[6] + h * d[6], y[7] + h * d[7], y[8] + h * d[8], y[9] + h * d[9],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _integrate(s, early, mid, late, c, p, dt, air, wind) -> None:
    """The classic Runge-Kutta step of the body, with the rotors' wrench at its begin, middle and end known."""
    y = (s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12])
    k1 = _slope(y, early, c, p, air, wind)
    y2 = _moved(y, 0.5 * dt, k1)
    k2 = _slope(y2, mid, c, p, air, wind)
    y3 = _moved(y, 0.5 * dt, k2)
    k3 = _slope(y3, mid, c, p, air, wind)
    y4 = _moved(y, dt, k3)
    k4 = _slope(y4, late, c, p, air, wind)
    sixth = dt / 6.0
    for i in range(3):
        s[at.POS + i] += sixth * (y[i] + 2.0 * (y2[i] + y3[i]) + y4[i])
    for i in range(10):
        s[at.VEL + i] = y[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    _normalise(s)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _normalise(s: np.ndarray) -> None:
    w, x, y, z = s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3]
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3] = w * n, x * n, y * n, z * n


@nb.njit(cache=True, nogil=True, error_model="numpy")
def turn_by(s: np.ndarray, h0: float, h1: float, h2: float) -> None:
    """Turn a drone by a rotation vector in B [rad]: q ← q·exp(h/2)."""
    n = math.sqrt(h0 * h0 + h1 * h1 + h2 * h2)
    a, f = (math.cos(0.5 * n), math.sin(0.5 * n) / n) if n > 1e-12 else (1.0, 0.5)
    b, d, e = h0 * f, h1 * f, h2 * f
    w, x, y, z = s[at.QUAT], s[at.QUAT + 1], s[at.QUAT + 2], s[at.QUAT + 3]
    s[at.QUAT] = w * a - x * b - y * d - z * e
    s[at.QUAT + 1] = w * b + x * a + y * e - z * d
    s[at.QUAT + 2] = w * d - x * e + y * a + z * b
    s[at.QUAT + 3] = w * e + x * d - y * b + z * a
    _normalise(s)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def spin_up(s: np.ndarray, p: np.ndarray, decay: float, dt: float, goal: np.ndarray) -> None:
    """Bring the motors' speeds and the rotors' angles to the end of a step; decay: exp(−dt/τ)."""
    lag = p[at.TAU] * (1.0 - decay)
    for i in range(int(p[at.COUNT])):
        aim, rpm = goal[i], s[at.RPM + i]
        turn = s[at.TURN + i] + _REVOLUTION * (aim * dt + (rpm - aim) * lag)
        s[at.TURN + i] = turn - 2.0 * math.pi * math.floor(turn / (2.0 * math.pi))
        s[at.RPM + i] = aim + (rpm - aim) * decay


@nb.njit(cache=True, nogil=True, error_model="numpy")
def step(s, c, level, p, dt, half, full, wind, air, ground, goal) -> None:
    """One drone on by dt [s]. half, full: exp(−dt/2τ), exp(−dt/τ); wind [m/s], 3; ground: its z [m]; goal: scratch."""
    motors(s, c, level, p, dt, air, goal)
    for i in range(3):
        c[at.REF_P + i] += c[at.DRIFT + i] * dt
    lift = lift_factor(s, p, air, ground)
    early = rotors(s, p, 1.0, lift, goal)
    if p[at.HELD] != 0.0:
        _integrate(s, early, early, early, c, p, dt, air, wind)
    else:
        mid, late = rotors(s, p, half, lift, goal), rotors(s, p, full, lift, goal)
        _integrate(s, early, mid, late, c, p, dt, air, wind)
    spin_up(s, p, full, dt, goal)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _fly_one(s, c, level, p, dt, steps, wind, air, ground, goal) -> None:
    half, full = math.exp(-0.5 * dt / p[at.TAU]), math.exp(-dt / p[at.TAU])
    for _ in range(steps):
        step(s, c, level, p, dt, half, full, (wind[0], wind[1], wind[2]), air, ground, goal)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def fly(which, S, C, level, kind, P, dt, steps, wind, air, ground) -> None:
    """Some drones, those of `which` [m], on by so many steps of dt [s] each, one after the other."""
    goal = np.zeros(at.ROTORS)
    for j in range(len(which)):
        d = which[j]
        _fly_one(S[d], C[d], level[d], P[kind[d]], dt, steps, wind[d], air[d], ground[d], goal)


@nb.njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def fly_threads(which, S, C, level, kind, P, dt, steps, wind, air, ground) -> None:
    """As `fly`, on several threads: the same bytes, since no drone sees another."""
    for j in nb.prange(len(which)):
        d = which[j]
        _fly_one(S[d], C[d], level[d], P[kind[d]], dt, steps, wind[d], air[d], ground[d], np.zeros(at.ROTORS))
