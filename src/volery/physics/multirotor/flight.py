# ruff: noqa: ANN001, E741 (numba infers the types of kernel arguments; l is a lane)
"""Flight of drones in kernels: the rigid body under rotors, air and pushes, by RK4, many at a time.

The body, about its centre of mass: m v̇ = R f_B − m g e_z + F, J ẇ = t_B − w × J w + M. Each stage has the rotors'
speeds of its own moment.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.multirotor import lanes as on
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.body import accelerations, constants, wrench_at
from volery.physics.multirotor.control import rotation
from volery.physics.multirotor.lanes import BLOCK, LANES, Y, Z, load, store
from volery.physics.multirotor.original import integrate as integrate_as_original
from volery.physics.multirotor.rotors import lift_factor, motors, spin_up, sums

__all__ = ["fly", "fly_threads"]


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _slope(y, f, push, wind, air, c) -> tuple:
    """Time derivatives of y = (velocity, quaternion, spin), 10 numbers, under the rotors' wrench f."""
    v0, v1, v2, w, x, j, z, a, b, e = y
    d = accelerations(rotation(w, x, j, z), v0, v1, v2, a, b, e, f, push, wind, air, c)
    return (
        d[0], d[1], d[2],
        0.5 * (-x * a - j * b - z * e),
        0.5 * (w * a + j * e - z * b),
        0.5 * (w * b - x * e + z * a),
        0.5 * (w * e + x * b - j * a),
        d[3], d[4], d[5],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _moved(y, h, d) -> tuple:
    """y + h·d, by ten."""
    return (
        y[0] + h * d[0], y[1] + h * d[1], y[2] + h * d[2], y[3] + h * d[3], y[4] + h * d[4],
        y[5] + h * d[5], y[6] + h * d[6], y[7] + h * d[7], y[8] + h * d[8], y[9] + h * d[9],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _mean(a, b, c, d) -> tuple:
    """Runge and Kutta's mean of four slopes, by ten, times six."""
    return (
        a[0] + 2.0 * (b[0] + c[0]) + d[0], a[1] + 2.0 * (b[1] + c[1]) + d[1], a[2] + 2.0 * (b[2] + c[2]) + d[2],
        a[3] + 2.0 * (b[3] + c[3]) + d[3], a[4] + 2.0 * (b[4] + c[4]) + d[4], a[5] + 2.0 * (b[5] + c[5]) + d[5],
        a[6] + 2.0 * (b[6] + c[6]) + d[6], a[7] + 2.0 * (b[7] + c[7]) + d[7], a[8] + 2.0 * (b[8] + c[8]) + d[8],
        a[9] + 2.0 * (b[9] + c[9]) + d[9],
    )  # fmt: skip


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _integrate(b, m, p, dt) -> None:
    """The classic Runge-Kutta step of the bodies, with the rotors' wrench at its begin, middle and end known."""
    c, near, hub = constants(p), p[at.GROUND], p[at.HUB]
    if m == LANES:
        # So large a loop only becomes one of vectors if its length is known
        for l in range(LANES):
            _integrate_one(b, l, c, near, hub, dt)
    else:
        for l in range(m):
            _integrate_one(b, l, c, near, hub, dt)


@nb.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _integrate_one(b, l, c, near, hub, dt) -> None:
    o, q, s, u = on.VEL + l, on.QUAT + l, on.SPIN + l, on.PUSH + l
    y = b[o], b[o + Y], b[o + Z], b[q], b[q + Y], b[q + Z], b[q + 3 * LANES], b[s], b[s + Y], b[s + Z]
    push = b[u], b[u + Y], b[u + Z], b[u + 3 * LANES], b[u + 4 * LANES], b[u + 5 * LANES]
    wind, air = (b[on.WIND + l], b[on.WIND + Y + l], b[on.WIND + Z + l]), b[on.AIR + l]
    lift = lift_factor(b[on.POS + Z + l], air, b[on.GROUND + l], near, hub)
    mid = wrench_at(b, on.MID + l, lift)
    k1 = _slope(y, wrench_at(b, on.EARLY + l, lift), push, wind, air, c)
    y2 = _moved(y, 0.5 * dt, k1)
    k2 = _slope(y2, mid, push, wind, air, c)
    y3 = _moved(y, 0.5 * dt, k2)
    k3 = _slope(y3, mid, push, wind, air, c)
    y4 = _moved(y, dt, k3)
    k4 = _slope(y4, wrench_at(b, on.LATE + l, lift), push, wind, air, c)
    sixth, went = dt / 6.0, _mean(y, y2, y3, y4)
    b[on.POS + l] += sixth * went[0]
    b[on.POS + Y + l] += sixth * went[1]
    b[on.POS + Z + l] += sixth * went[2]
    y = _moved(y, sixth, _mean(k1, k2, k3, k4))
    unit = 1.0 / math.sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6])
    b[o], b[o + Y], b[o + Z] = y[0], y[1], y[2]
    b[q], b[q + Y], b[q + Z], b[q + 3 * LANES] = y[3] * unit, y[4] * unit, y[5] * unit, y[6] * unit
    b[s], b[s + Y], b[s + Z] = y[7], y[8], y[9]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _move_on(b, m, dt) -> None:
    """References on a path move on."""
    for k in range(3):
        for l in range(m):
            b[on.REF_P + k * LANES + l] += b[on.DRIFT + k * LANES + l] * dt


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _stop_at(b, m, floor) -> None:
    """Drones below a plane [m] stop dead on it, as on the ground of the MRS simulator."""
    for l in range(m):
        if b[on.POS + Z + l] < floor and b[on.VEL + Z + l] < 0.0:
            b[on.POS + Z + l] = floor
            for k in range(3):
                b[on.VEL + k * LANES + l] = b[on.SPIN + k * LANES + l] = 0.0


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _fly_block(b, m, level, p, dt, steps) -> None:
    """m drones on by so many steps of dt [s]."""
    half, full = math.exp(-0.5 * dt / p[at.TAU]), math.exp(-dt / p[at.TAU])
    sums(b, m, p, 1.0, on.EARLY)
    for _ in range(steps):
        motors(b, m, level, p, dt)
        _move_on(b, m, dt)
        if p[at.ORIGINAL] != 0.0:
            integrate_as_original(b, m, p, dt)
        else:
            sums(b, m, p, half, on.MID)
            sums(b, m, p, full, on.LATE)
            _integrate(b, m, p, dt)
        spin_up(b, m, p, full, dt)
        if p[at.ORIGINAL] != 0.0:
            sums(b, m, p, 1.0, on.EARLY)
        else:
            for i in range(7 * LANES):
                b[on.EARLY + i] = b[on.LATE + i]
        if p[at.FLOOR] > -np.inf:
            _stop_at(b, m, p[at.FLOOR])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _fly_some(rows, S, C, level, kind, P, dt, steps, wind, air, ground, b) -> None:
    """Drones of one kind and level, at most LANES, on by so many steps; b: room for a block."""
    m = len(rows)
    for l in range(m):
        d = rows[l]
        load(b, l, S[d], C[d], wind[d], air[d], ground[d])
    _fly_block(b, m, level[rows[0]], P[kind[rows[0]]], dt, steps)
    for l in range(m):
        d = rows[l]
        store(b, l, S[d], C[d])


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _blocks(which, level, kind, kinds) -> tuple:
    """Drones sorted by kind and level, and where blocks of them begin and end."""
    count = np.zeros(kinds * at.LEVELS + 1, np.int64)
    for j in range(len(which)):
        count[kind[which[j]] * at.LEVELS + level[which[j]] + 1] += 1
    starts = np.empty(len(which) // LANES + len(count) + 1, np.int64)
    blocks = 0
    for k in range(1, len(count)):
        for first in range(count[k - 1], count[k - 1] + count[k], LANES):
            starts[blocks] = first
            blocks += 1
        count[k] += count[k - 1]
    starts[blocks] = len(which)
    order = np.empty(len(which), np.int64)
    for j in range(len(which)):
        key = kind[which[j]] * at.LEVELS + level[which[j]]
        order[count[key]] = which[j]
        count[key] += 1
    return order, starts[: blocks + 1]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def fly(which, S, C, level, kind, P, dt, steps, wind, air, ground) -> None:
    """Some drones, those of `which` [m], on by so many steps of dt [s] each."""
    b = np.zeros(BLOCK)
    if len(which) == 1:
        _fly_some(which, S, C, level, kind, P, dt, steps, wind, air, ground, b)
        return
    order, starts = _blocks(which, level, kind, len(P))
    for k in range(len(starts) - 1):
        rows = order[starts[k] : starts[k + 1]]
        _fly_some(rows, S, C, level, kind, P, dt, steps, wind, air, ground, b)


@nb.njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def fly_threads(which, S, C, level, kind, P, dt, steps, wind, air, ground) -> None:
    """As `fly`, on several threads: the same bytes, since no drone sees another."""
    order, starts = _blocks(which, level, kind, len(P))
    for k in nb.prange(len(starts) - 1):
        rows = order[starts[k] : starts[k + 1]]
        _fly_some(rows, S, C, level, kind, P, dt, steps, wind, air, ground, np.zeros(BLOCK))
