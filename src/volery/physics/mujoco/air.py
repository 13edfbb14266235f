"""What pushes on bodies from outside: wrenches of commands, and the drag of bodies without a model of their own."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["add_drag", "add_pushes", "add_wrench"]

_COEFFICIENT = 1.0
"""Drag of blunt bodies, by the area that their box shows to the flow."""


@nb.njit(cache=True, nogil=True)
def add_drag(
    bodies: np.ndarray, areas: np.ndarray, density: np.ndarray, wind: np.ndarray, mass: np.ndarray, cvel: np.ndarray,
    com: np.ndarray, root: np.ndarray, xipos: np.ndarray, xmat: np.ndarray, dt: float, out: np.ndarray,
) -> None:  # fmt: skip
    """½·ρ·A·v² against the flow at each body's centre of mass, into out (xfrc_applied).

    bodies [n]: numbers in the model; areas [n, 3] [m²] across the body's axes; density [n] [kg/m³]; wind [n, 3] in W
    [m/s]. The force never turns the flow round within a step, however light the body.
    """
    for k in range(len(bodies)):
        b = bodies[k]
        c = root[b]
        x, y, z = xipos[b, 0] - com[c, 0], xipos[b, 1] - com[c, 1], xipos[b, 2] - com[c, 2]
        p, q, r = cvel[b, 0], cvel[b, 1], cvel[b, 2]
        u = wind[k, 0] - (cvel[b, 3] + q * z - r * y)
        v = wind[k, 1] - (cvel[b, 4] + r * x - p * z)
        w = wind[k, 2] - (cvel[b, 5] + p * y - q * x)
        speed = np.sqrt(u * u + v * v + w * w)
        if not 1e-9 < speed < np.inf:
            # No flow; or a motion that blew up, which must not spread: MuJoCo adds forces up over all robots.
            continue
        shown = 0.0
        for i in range(3):
            shown += areas[k, i] * abs(xmat[b, i] * u + xmat[b, 3 + i] * v + xmat[b, 6 + i] * w) / speed
        rate = min(0.5 * _COEFFICIENT * density[k] * shown * speed, mass[b] / dt)
        out[b, 0] += rate * u
        out[b, 1] += rate * v
        out[b, 2] += rate * w


@nb.njit(cache=True, nogil=True)
def add_pushes(bodies: np.ndarray, pushes: np.ndarray, xpos: np.ndarray, xipos: np.ndarray, out: np.ndarray) -> None:
    """Forces and torques about the bodies' origins, in W, [n, 6], into out (xfrc_applied, about centres of mass)."""
    for k in range(len(bodies)):
        b = bodies[k]
        add_wrench(b, pushes[k], xpos[b], xipos[b], out)


@nb.njit(cache=True, nogil=True)
def add_wrench(body: int, wrench: np.ndarray, at: np.ndarray, centre: np.ndarray, out: np.ndarray) -> None:
    """One force and torque about a point `at`, [6] in W, on a body whose centre of mass is `centre`."""
    x, y, z = at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]
    fx, fy, fz = wrench[0], wrench[1], wrench[2]
    for i in range(3):
        out[body, i] += wrench[i]
    out[body, 3] += wrench[3] + y * fz - z * fy
    out[body, 4] += wrench[4] + z * fx - x * fz
    out[body, 5] += wrench[5] + x * fy - y * fx
