"""How far each cell of a window is from what is there, how high the ground is, and what it costs to fly through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery._native import autonomy as _native
from volery.autonomy.occupancy import Window
from volery.core.config import param

__all__ = ["ClearanceMap", "Terms", "clearance_map"]


@dataclass(frozen=True)
class Terms:
    """What a way may be like."""

    clear: float = param(1.0, above=0)
    """Least distance from the robot's middle to the middle of a taken cell [m]."""
    comfort: float = param(2.0, above=0)
    """From here on more distance is not worth a detour [m]."""
    unknown: float = param(1.5, low=0)
    """A way through what nobody has seen counts as longer by this factor."""
    band: tuple[float, float] | None = param((1.2, 3.5))
    """Heights above the ground to keep to [m]; none: any height."""


@dataclass(frozen=True, eq=False)
class ClearanceMap:
    """A window with what planners ask of it."""

    window: Window
    clear: np.ndarray
    """Distance from the nearest taken cell, uint8 [nx, ny, nz] [thirds of a cell]."""
    price: np.ndarray
    """Of flying through each cell, as a factor of its length, float32 [nx, ny, nz]; 0: not allowed."""


def clearance_map(window: Window, terms: Terms, p: np.ndarray) -> ClearanceMap:
    """Look at a window round a robot's place [m]."""
    evidence = np.ascontiguousarray(window.evidence)
    clear, price = np.empty(evidence.shape, np.uint8), np.empty(evidence.shape, np.float32)
    _native.clearances(evidence, clear)
    floor = np.full(evidence.shape[:2], -1e9, np.float32)
    if terms.band is not None:
        _native.floors(evidence, window.index(p), floor)
    low, high = terms.band or (-1e12, 1e12)
    third = 3.0 / window.cell
    row = (
        terms.clear * third,
        terms.comfort * third,
        terms.unknown,
        low / window.cell,
        high / window.cell,
        window.cell,
    )
    _native.prices(evidence, clear, floor, np.array([row], _native.PriceTerms), price)
    return ClearanceMap(window, clear, price)
