"""Propellers as actuator discs: thrust from shaft power, air density and the speed along the axis."""

from __future__ import annotations

import math

import numba as nb

__all__ = ["disc_power", "disc_thrust"]

_ROUNDS = 8


@nb.njit(cache=True, nogil=True)
def disc_thrust(power: float, speed: float, rho: float, area: float) -> float:
    """Thrust [N] of a disc [m²] that puts a power [W] into air of a density [kg/m³] that comes at a speed [m/s].

    power = 2ρA·v·(speed + v)², v the speed that the disc adds, solved by Newton from above, where it converges.
    """
    if power <= 0.0 or rho <= 0.0 or area <= 0.0:
        return 0.0
    speed = max(speed, 0.0)
    wanted = power / (2.0 * rho * area)
    v = wanted ** (1.0 / 3.0)
    for _ in range(_ROUNDS):
        total = speed + v
        v -= (v * total * total - wanted) / (total * (total + 2.0 * v))
    return 2.0 * rho * area * v * (speed + v)


@nb.njit(cache=True, nogil=True)
def disc_power(thrust: float, speed: float, rho: float, area: float) -> float:
    """Power [W] into the air for a thrust [N] at a speed [m/s]."""
    if thrust <= 0.0 or rho <= 0.0 or area <= 0.0:
        return 0.0
    speed = max(speed, 0.0)
    return thrust * (0.5 * speed + math.sqrt(0.25 * speed * speed + thrust / (2.0 * rho * area)))
