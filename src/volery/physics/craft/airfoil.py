# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""Lift and drag of a thin symmetric vane by its angle to the flow, beyond stall too."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["ANGLES", "DRAG", "LIFT", "coefficients"]

ANGLES = np.radians([
    0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 15.0, 17.0,
    20.0, 25.0, 30.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0, 90.0,
])  # fmt: skip
"""[rad]; even for drag, odd for lift."""
LIFT = np.array([
    0.0, 0.15, 0.30, 0.45, 0.60, 0.74, 0.86, 0.95, 0.97, 0.90,
    0.80, 0.75, 0.80, 0.90, 0.92, 0.90, 0.78, 0.57, 0.30, 0.0,
])  # fmt: skip
"""Coefficient of lift. A section like NACA 0012 at a Reynolds number of about 10⁵: slope 2π below 8°, cut by a span of
three chords to 4.3 per radian, stall at 15°; beyond 30° that of a flat plate, sin 2α, cut the same."""
DRAG = np.array([
    0.015, 0.0155, 0.017, 0.020, 0.024, 0.031, 0.041, 0.056, 0.070, 0.13,
    0.20, 0.32, 0.45, 0.75, 0.90, 1.05, 1.30, 1.50, 1.62, 1.66,
])  # fmt: skip
"""Coefficient of drag, with that of the lift's own making."""


@nb.njit(cache=True, nogil=True)
def coefficients(angle) -> tuple[float, float]:
    """Of lift and drag at an angle of −π to π [rad]; the table is linear between its entries.

    Flow from behind is taken as from the front: a thin vane hardly knows the difference beyond stall.
    """
    a = abs(angle)
    sign = 1.0 if angle >= 0.0 else -1.0
    if a > 0.5 * np.pi:
        a = np.pi - a
        sign = -sign
    for i in range(1, len(ANGLES)):
        if a <= ANGLES[i]:
            f = (a - ANGLES[i - 1]) / (ANGLES[i] - ANGLES[i - 1])
            return sign * (LIFT[i - 1] + f * (LIFT[i] - LIFT[i - 1])), DRAG[i - 1] + f * (DRAG[i] - DRAG[i - 1])
    return 0.0, DRAG[-1]
