"""The surface that a box scan saw: patches between neighbouring rays, and the edges between them (native/contact)."""

from __future__ import annotations

import numpy as np

from volery._native import contact

__all__ = ["heights_of", "surface_of"]


def heights_of(points: np.ndarray, occupancy: np.ndarray, X_WS: np.ndarray) -> np.ndarray:
    """Where the rays of a box scan ended along their axis, in the scanner's frame, [axis, ±, n, n] [m]; NaN: free.

    points in W, occupancy, in the scanner's order (x_pos, x_neg, y_pos …, n² rays each); X_WS [3, 4]: its pose then."""
    n = round((len(points) / 6) ** 0.5)
    local = (np.asarray(points, float) - X_WS[:, 3]) @ X_WS[:, :3]
    local = np.where((np.asarray(occupancy) == 1)[:, None], local, np.nan).reshape(3, 2, n, n, 3)
    return np.stack([local[axis, ..., axis] for axis in range(3)])


def surface_of(heights: np.ndarray, resolution: float) -> np.ndarray:
    """Patches of the surface in the scanner's frame, [m]: four corners round about [m], normal (of either sense), and
    the share by which the patch counts. heights: of `heights_of`; resolution: distance of the rays [m]."""
    return contact.surface_of(np.ascontiguousarray(heights), resolution).view(contact.Patch)[:, 0]
