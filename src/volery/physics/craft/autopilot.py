# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""One controller for free flight and for touching: a shaped spring to the reference, injected damping, and observers.

The wanted force is m·g + spring + damping·(v_ref − v) + m·a_ref − d. The spring's energy is bounded in its slope (see
`Impedance`), along a direction by as little as the force to press with: the same law then draws the craft to a
surface, and presses on it with just that force, with nothing to switch. d is what the momentum of the craft shows
beyond thrust, weight and the force that the tool feels: drag, wind, the pull of walls.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from volery.physics.craft import layout as at
from volery.world.atmosphere import GRAVITY

__all__ = ["observe", "steer"]

_MOST_FOUND = 0.5
"""No disturbance is believed to be larger: to the sides, as a share of the spring's most force, or a craft that leans
on a wall with its body would not come off; up and down, of the weight."""
_MOST_TURN = 0.25
"""A heading farther off than this is turned to no harder [rad]: yaw has the least strength."""


@nb.njit(cache=True, nogil=True)
def observe(gains, memory, R, v_W, w_B, given, felt_W, dt) -> None:
    """Find forces and torques that nobody told of.

    R [9]: attitude; v_W [m/s] and w_B [rad/s]; given [6]: what the actuators give, in B, about the root's origin;
    felt_W [3]: force on the tool [N]. Of forces only that along z is what the autopilot wanted: sideways ones of vanes
    and of a tail rotor count among those to be countered.
    """
    m, c, J = gains[at.G_MASS], gains[at.G_CENTRE : at.G_CENTRE + 3], gains[at.G_J : at.G_J + 9]
    for i in range(3):
        push = R[3 * i + 2] * given[2] + felt_W[i]
        if i == 2:
            push -= m * GRAVITY
        memory[at.M_ZF + i] += dt * (push + memory[at.M_DF + i])
        most = _MOST_FOUND * (m * GRAVITY if i == 2 else gains[at.G_MOST])
        found = gains[at.G_OBS_F] * (m * v_W[i] - memory[at.M_ZF + i])
        memory[at.M_DF + i] = min(max(found, -most), most)
    h = np.empty(3)
    for i in range(3):
        h[i] = J[3 * i] * w_B[0] + J[3 * i + 1] * w_B[1] + J[3 * i + 2] * w_B[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        torque = given[3 + i] - (c[j] * given[k] - c[k] * given[j]) - (w_B[j] * h[k] - w_B[k] * h[j])
        memory[at.M_ZT + i] += dt * (torque + memory[at.M_DT + i])
        memory[at.M_DT + i] = gains[at.G_OBS_T] * (h[i] - memory[at.M_ZT + i])


@nb.njit(cache=True, nogil=True)
def steer(level, gains, reference, memory, p_W, R, v_W, w_B, wanted) -> None:
    """Lift along z and torque about the centre of mass that are wanted now, in B, into wanted [4]."""
    z = np.empty(3)
    if level == at.GIVE:
        for i in range(4):
            wanted[i] = reference[at.R_EFFORT + 2 + i]
        return
    turn, rate = np.empty(9), np.zeros(3)
    if level == at.POINT:
        _matrix(reference[at.R_TURN : at.R_TURN + 4], turn)
        wanted[0] = reference[at.R_THRUST]
    else:
        force = np.empty(3)
        _force(gains, reference, memory, p_W, v_W, force)
        wanted[0] = max(force[0] * R[2] + force[1] * R[5] + force[2] * R[8], 0.0)
        long = math.sqrt(force[0] ** 2 + force[1] ** 2 + force[2] ** 2)
        for i in range(3):
            z[i] = force[i] / long
            rate[i] = R[6 + i] * reference[at.R_YAW_RATE]
        heading = math.atan2(R[3], R[0])
        error = reference[at.R_YAW] - heading
        error -= 2.0 * math.pi * math.floor(error / (2.0 * math.pi) + 0.5)
        _upright(z, heading + min(max(error, -_MOST_TURN), _MOST_TURN), turn)
    _torque(gains, memory, R, turn, rate, w_B, wanted)


@nb.njit(cache=True, nogil=True)
def _force(g, r, memory, p_W, v_W, force) -> None:
    """The wanted force in W, never so far from upright that the craft cannot point there."""
    way, docking = r[at.R_WAY : at.R_WAY + 3], r[at.R_FORCE] >= 0.0
    spring, along, rest = np.empty(3), 0.0, 0.0
    for i in range(3):
        spring[i] = g[at.G_K + i] * (r[at.R_P + i] - p_W[i])
        along += spring[i] * way[i]
    press = min(max(along, -r[at.R_FORCE]), r[at.R_FORCE]) if docking else 0.0
    for i in range(3):
        spring[i] -= along * way[i]
        rest += spring[i] * spring[i]
    scale = min(1.0, g[at.G_MOST] / max(math.sqrt(rest), 1e-12))
    for i in range(3):
        force[i] = scale * spring[i] + press * way[i] + g[at.G_D + i] * (r[at.R_V + i] - v_W[i])
        force[i] += g[at.G_MASS] * r[at.R_A + i] - memory[at.M_DF + i]
    force[2] = max(force[2] + g[at.G_MASS] * GRAVITY, 0.3 * g[at.G_MASS] * GRAVITY)
    flat, most = math.hypot(force[0], force[1]), g[at.G_TILT] * force[2]
    if flat > most:
        force[0] *= most / flat
        force[1] *= most / flat


@nb.njit(cache=True, nogil=True)
def _torque(g, memory, R, turn, rate, w_B, wanted) -> None:
    """Turn from R to another attitude: proportional, derivative, gyroscopic, less what the observer found."""
    J = g[at.G_J : at.G_J + 9]
    spin, h = np.empty(3), np.empty(3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        # ½ (RᵀT − TᵀR)∨
        error = 0.0
        for a in range(3):
            error += 0.5 * (R[3 * a + k] * turn[3 * a + j] - R[3 * a + j] * turn[3 * a + k])
        band = g[at.G_YAW] if i == 2 else g[at.G_ATT]
        spin[i] = band * band * error + 2.0 * band * (rate[i] - w_B[i])
        h[i] = J[3 * i] * w_B[0] + J[3 * i + 1] * w_B[1] + J[3 * i + 2] * w_B[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        wanted[1 + i] = J[3 * i] * spin[0] + J[3 * i + 1] * spin[1] + J[3 * i + 2] * spin[2]
        wanted[1 + i] += w_B[j] * h[k] - w_B[k] * h[j] - memory[at.M_DT + i]


@nb.njit(cache=True, nogil=True)
def _upright(z, yaw, turn) -> None:
    """The attitude [9] whose z is a unit vector, and whose x points to a heading."""
    cx, cy = math.cos(yaw), math.sin(yaw)
    yx, yy, yz = -z[2] * cy, z[2] * cx, z[0] * cy - z[1] * cx
    long = math.sqrt(yx * yx + yy * yy + yz * yz)
    yx, yy, yz = yx / long, yy / long, yz / long
    turn[0], turn[3], turn[6] = yy * z[2] - yz * z[1], yz * z[0] - yx * z[2], yx * z[1] - yy * z[0]
    turn[1], turn[4], turn[7] = yx, yy, yz
    turn[2], turn[5], turn[8] = z[0], z[1], z[2]


@nb.njit(cache=True, nogil=True)
def _matrix(q, R) -> None:
    w, x, y, z = q[0], q[1], q[2], q[3]
    R[0], R[1], R[2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[3], R[4], R[5] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[6], R[7], R[8] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
