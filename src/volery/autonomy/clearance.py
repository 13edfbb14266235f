# ruff: noqa: ANN001 (numba infers the types of kernel arguments)
"""How far each cell of a window is from what is there, how high the ground is, and what it costs to fly through."""

from __future__ import annotations

from dataclasses import dataclass

import numba as nb
import numpy as np

from volery.autonomy.occupancy import Window
from volery.core.config import param

__all__ = ["Terms", "Terrain", "survey"]

_FAR = 60
"""Distances end here [thirds of a cell]."""


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
class Terrain:
    """A window with what planners ask of it."""

    window: Window
    clear: np.ndarray
    """Distance from the nearest taken cell, uint8 [nx, ny, nz] [thirds of a cell]."""
    price: np.ndarray
    """Of flying through each cell, as a factor of its length, float32 [nx, ny, nz]; 0: not allowed."""


def survey(window: Window, terms: Terms, p: np.ndarray) -> Terrain:
    """Look at a window round a robot's place [m]."""
    clear = np.full(window.evidence.shape, _FAR, np.uint8)
    _distances(window.evidence, clear)
    third = 3.0 / window.cell
    floor = np.full(window.evidence.shape[:2], -1e9, np.float32)
    if terms.band is not None:
        i, j, k = window.index(p)
        _floor(window.evidence, floor, i, j, k)
    low, high = terms.band or (-1e12, 1e12)
    price = np.empty(window.evidence.shape, np.float32)
    _price(
        window.evidence, clear, floor, price, terms.clear * third, terms.comfort * third, terms.unknown,
        low / window.cell, high / window.cell, window.cell,
    )  # fmt: skip
    return Terrain(window, clear, price)


@nb.njit(cache=True, nogil=True)
def _distances(evidence, clear) -> None:
    """Chamfer distances with steps of 3, 4 and 5, forth and back."""
    nx, ny, nz = evidence.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if evidence[i, j, k] > 0:
                    clear[i, j, k] = 0
    for forth in range(2):
        s = 1 if forth == 0 else -1
        for a in range(nx):
            i = a if forth == 0 else nx - 1 - a
            for b in range(ny):
                j = b if forth == 0 else ny - 1 - b
                for c in range(nz):
                    k = c if forth == 0 else nz - 1 - c
                    least = np.int64(clear[i, j, k])
                    if least == 0:
                        continue
                    for n in range(13):
                        # The thirteen neighbours that come before this one
                        if n < 9:
                            u, v, w = i - s, j + n // 3 - 1, k + n % 3 - 1
                            cost = 3 + (1 if n // 3 != 1 else 0) + (1 if n % 3 != 1 else 0)
                        elif n < 12:
                            u, v, w, cost = i, j - s, k + n - 10, 3 + (1 if n != 10 else 0)
                        else:
                            u, v, w, cost = i, j, k - s, 3
                        if 0 <= u < nx and 0 <= v < ny and 0 <= w < nz:
                            least = min(least, np.int64(clear[u, v, w]) + cost)
                    clear[i, j, k] = least


@nb.njit(cache=True, nogil=True)
def _floor(evidence, floor, i0, j0, k0) -> None:
    """The lowest taken cell of each column; it rises no steeper than one in two from below the robot, since crowns are
    seen where the ground is not. Columns nobody has seen have the floor of those beside them."""
    nx, ny, nz = evidence.shape
    base = -1e9
    for reach in range(12):
        for i in range(max(i0 - reach, 0), min(i0 + reach + 1, nx)):
            for j in range(max(j0 - reach, 0), min(j0 + reach + 1, ny)):
                for k in range(max(0, min(k0, nz))):
                    if evidence[i, j, k] > 0:
                        base = max(base, float(k)) if base > -1e8 else float(k)
                        break
        if base > -1e8:
            break
    if base < -1e8:
        base = float(k0) - 5.0
    for i in range(nx):
        for j in range(ny):
            most = base + 3.0 + 0.5 * np.sqrt((i - i0) ** 2 + (j - j0) ** 2)
            for k in range(nz):
                if evidence[i, j, k] > 0:
                    if k <= most:
                        floor[i, j] = k
                    break
    for forth in range(2):
        for a in range(nx):
            i = a if forth == 0 else nx - 1 - a
            for b in range(ny):
                j = b if forth == 0 else ny - 1 - b
                if floor[i, j] > -1e8:
                    continue
                s = 1 if forth == 0 else -1
                if 0 <= i - s < nx and floor[i - s, j] > -1e8:
                    floor[i, j] = floor[i - s, j]
                elif 0 <= j - s < ny and floor[i, j - s] > -1e8:
                    floor[i, j] = floor[i, j - s]
    for i in range(nx):
        for j in range(ny):
            if floor[i, j] < -1e8:
                floor[i, j] = base


@nb.njit(cache=True, nogil=True)
def _price(evidence, clear, floor, price, least, comfort, unknown, low, high, cell) -> None:
    nx, ny, nz = evidence.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                d = float(clear[i, j, k])
                if d < least:
                    price[i, j, k] = 0.0
                    continue
                cost = 1.0
                if d < comfort:
                    cost += 3.0 * ((comfort - d) / comfort) ** 2
                if evidence[i, j, k] == 0:
                    cost += unknown
                above = k - floor[i, j]
                outside = max(low - above, above - high, 0.0) * cell
                price[i, j, k] = cost + 1.5 * outside
