"""Loads on strips: unsteady thin-aerofoil theory with stall, in the frame of each section.

Per section, at mid-chord: u ahead and w up is the velocity through the air, q the nose-up rate, b half the chord. The
upwash at three quarters of the chord, Q = b/2·q − w − (induced downwash), makes circulation, which follows by Wagner's
function in R. T. Jones' two terms. Of the apparent mass m = πρb² per metre, the part that goes with acceleration is in
the mass matrix (inertia.py); the part m·u·q, which acts at three quarters of the chord, is here.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

__all__ = ["A1", "A2", "B1", "B2", "section_loads", "strip_loads"]

A1, A2, B1, B2 = 0.165, 0.335, 0.0455, 0.3
"""Wagner's function after R. T. Jones: 1 − A1·exp(−B1·s) − A2·exp(−B2·s), s in half chords travelled."""
_FLAT = 2.0
"""Normal force of a plate square to the flow."""
_SHARP = 0.05
"""How suddenly the flow lets go [rad]."""


@nb.njit(cache=True, nogil=True)
def section_loads(u: float, Q: float, q: float, b: float, rho: float, profile: np.ndarray, flap: float):  # noqa: ANN201
    """Force along x and z [N/m], nose-up moment about mid-chord [N], and circulation [m²/s] of a section.

    u: ahead [m/s]; Q: upwash that makes circulation, lag included [m/s]; q: nose-up rate [rad/s]; b: half chord [m];
    profile [7]: see strips.PROFILE; flap: its angle [rad].
    """
    slope, zero, moment, drag, stall = profile[0], profile[1], profile[2], profile[3], profile[4]
    speed2 = u * u + Q * Q
    if speed2 < 1e-12:
        return 0.0, 0.0, 0.0, 0.0
    speed = math.sqrt(speed2)
    angle = math.atan2(Q, u)
    lifting = angle - zero + profile[5] * flap
    held = 0.5 - 0.5 * math.tanh((abs(lifting) - stall) / _SHARP)
    pressure = rho * speed2 * b
    lift = held * slope * lifting * pressure
    plate = (1.0 - held) * _FLAT * math.sin(angle) * pressure
    # Lift is square to the flow, drag along it; a plate in separated flow is pushed square to itself.
    ahead = lift * Q / speed - drag * pressure * u / speed
    upward = lift * u / speed + drag * pressure * Q / speed + plate
    # The plate's centre of pressure moves from near the front to mid-chord, and behind it in reversed flow.
    arm = 0.35 * b * (1.0 - 2.0 * abs(angle) / math.pi)
    turn = 0.5 * b * lift * u / speed + arm * plate + 2.0 * b * pressure * held * (moment + profile[6] * flap)
    rate = held * math.pi * rho * b * b * u * q
    circulation = (lift + plate * u / speed) / (rho * speed) if rho > 0.0 else 0.0
    return ahead, upward + rate, turn - 0.5 * b * rate, circulation


@nb.njit(cache=True, nogil=True)
def strip_loads(
    body: np.ndarray, p_B: np.ndarray, R_BS: np.ndarray, half_chord: np.ndarray, length: np.ndarray,
    profile: np.ndarray, control: np.ndarray, flaps: np.ndarray, wind: np.ndarray, rho: np.ndarray,
    xpos: np.ndarray, xmat: np.ndarray, cvel: np.ndarray, com: np.ndarray, root: np.ndarray, xipos: np.ndarray,
    lag: np.ndarray, induced: np.ndarray, circulation: np.ndarray, dt: float, out: np.ndarray,
) -> None:  # fmt: skip
    """Add the loads of all strips to out (xfrc_applied [bodies, 6]), and let their wakes go on by dt [s].

    body [s]: numbers in the model; flaps [c] [rad]; wind [s, 3] in W [m/s]; rho [s] [kg/m³]; xpos … xipos: MuJoCo's;
    lag [s, 2]: upwash that has become circulation, by term [m/s]; induced [s]: downwash of the wake [m/s]; circulation
    [s] is written. dt = 0: the wake has settled, as if flown so for ever.
    """
    for s in range(len(body)):
        k = body[s]
        c = root[k]
        R = np.empty((3, 3))
        x, y, z = p_B[s, 0], p_B[s, 1], p_B[s, 2]
        px = xpos[k, 0] + xmat[k, 0] * x + xmat[k, 1] * y + xmat[k, 2] * z
        py = xpos[k, 1] + xmat[k, 3] * x + xmat[k, 4] * y + xmat[k, 5] * z
        pz = xpos[k, 2] + xmat[k, 6] * x + xmat[k, 7] * y + xmat[k, 8] * z
        for i in range(3):
            for j in range(3):
                R[i, j] = (
                    xmat[k, 3 * i] * R_BS[s, 0, j] + xmat[k, 3 * i + 1] * R_BS[s, 1, j]
                    + xmat[k, 3 * i + 2] * R_BS[s, 2, j]
                )  # fmt: skip
        wx, wy, wz = cvel[k, 0], cvel[k, 1], cvel[k, 2]
        rx, ry, rz = px - com[c, 0], py - com[c, 1], pz - com[c, 2]
        vx = cvel[k, 3] + wy * rz - wz * ry - wind[s, 0]
        vy = cvel[k, 4] + wz * rx - wx * rz - wind[s, 1]
        vz = cvel[k, 5] + wx * ry - wy * rx - wind[s, 2]
        u = R[0, 0] * vx + R[1, 0] * vy + R[2, 0] * vz
        w = R[0, 2] * vx + R[1, 2] * vy + R[2, 2] * vz
        q = -(R[0, 1] * wx + R[1, 1] * wy + R[2, 1] * wz)
        b = half_chord[s]
        Q = 0.5 * b * q - w - induced[s]
        if dt == 0.0:
            lag[s, 0] = lag[s, 1] = Q
        late = (1.0 - A1 - A2) * Q + A1 * lag[s, 0] + A2 * lag[s, 1]
        flap = flaps[control[s]] if control[s] >= 0 else 0.0
        fx, fz, turn, circulation[s] = section_loads(u, late, q, b, rho[s], profile[s], flap)
        travelled = math.sqrt(u * u + w * w) * dt / b
        lag[s, 0] += (Q - lag[s, 0]) * -math.expm1(-B1 * travelled)
        lag[s, 1] += (Q - lag[s, 1]) * -math.expm1(-B2 * travelled)
        ax, ay, az = px - xipos[k, 0], py - xipos[k, 1], pz - xipos[k, 2]
        long = length[s]
        gx = long * (R[0, 0] * fx + R[0, 2] * fz)
        gy = long * (R[1, 0] * fx + R[1, 2] * fz)
        gz = long * (R[2, 0] * fx + R[2, 2] * fz)
        if not np.isfinite(gx + gy + gz + turn):
            # A motion that blew up must not spread: MuJoCo adds forces up over all bodies.
            continue
        out[k, 0] += gx
        out[k, 1] += gy
        out[k, 2] += gz
        out[k, 3] += ay * gz - az * gy - long * turn * R[0, 1]
        out[k, 4] += az * gx - ax * gz - long * turn * R[1, 1]
        out[k, 5] += ax * gy - ay * gx - long * turn * R[2, 1]
