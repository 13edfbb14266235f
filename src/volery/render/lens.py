"""Projections of cameras: which way each pixel looks, and on which pixel a point falls.

Camera frame C: x along the optical axis, y left, z up. Pixel (u, v): u to the right, v down, the middle of the first
pixel at (0.5, 0.5); the axis meets the middle of the picture.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

__all__ = ["BLOCK", "Lens", "Pattern", "directions_at", "lens_of", "pattern_of", "project"]

_TILE = 4
"""Rays go in tiles of 4×4 pixels: a packet of 16 sees nearly the same things."""
BLOCK = 32
"""Tiles go in blocks of 32×32 pixels: what one packet brought into the caches, the next ones need."""


class Lens(NamedTuple):
    """A projection, as kernels take it."""

    fisheye: bool
    """Equidistant: the distance from the middle is focal · angle. Else a pinhole: focal · tan(angle)."""
    focal: float
    """[pixels]."""
    width: int
    height: int

    @property
    def matrix(self) -> np.ndarray:
        """Intrinsic matrix K of u = fx·x/z + cx in the optical frame (z forward, x right, y down), [3, 3]."""
        return np.array([[self.focal, 0, self.width / 2], [0, self.focal, self.height / 2], [0, 0, 1.0]])


class Pattern(NamedTuple):
    """Rays of a picture in the order in which they are cast."""

    directions: np.ndarray
    """Unit vectors in C, float32 [n, 3]."""
    pixel: np.ndarray
    """Place of each ray in the picture, row by row, int32 [n]."""
    far: np.ndarray
    """Reach of each ray [m], float32 [n]; 0: the lens shows nothing there."""


def lens_of(projection: Literal["pinhole", "fisheye"], width: int, height: int, fov: float, zoom: float = 1.0) -> Lens:
    """A lens by its horizontal field of view [rad]; zoom multiplies the focal length."""
    half = 0.5 * width
    focal = half / (fov / 2) if projection == "fisheye" else half / np.tan(fov / 2)
    return Lens(projection == "fisheye", float(focal * zoom), width, height)


def directions_at(lens: Lens, uv: np.ndarray) -> np.ndarray:
    """Unit vectors in C towards pixels [n, 2]; NaN where an equidistant lens would have to look beyond 180°."""
    right, down = (uv[:, 0] - lens.width / 2) / lens.focal, (uv[:, 1] - lens.height / 2) / lens.focal
    if not lens.fisheye:
        d = np.stack([np.ones_like(right), -right, -down], axis=1)
        return d / np.linalg.norm(d, axis=1, keepdims=True)
    angle = np.hypot(right, down)
    side = np.sinc(angle / np.pi)
    d = np.stack([np.cos(angle), -right * side, -down * side], axis=1)
    d[angle > np.pi] = np.nan
    return d


def pattern_of(lens: Lens, reach: float, over: int = 1, band: int = BLOCK) -> Pattern:
    """The rays of a picture; over: rays per pixel along each axis, then `pixel` counts in the finer picture.

    band: so many rows, counted from the top, come before the next ones; a multiple of 4."""
    w, h = lens.width * over, lens.height * over
    v, u = np.divmod(np.arange(w * h), w)
    order = np.lexsort((u, v, u // _TILE, v // _TILE, u // BLOCK, v // (band * over)))
    u, v = u[order], v[order]
    d = directions_at(lens, np.stack([(u + 0.5) / over, (v + 0.5) / over], axis=1))
    blind = np.isnan(d[:, 0])
    d[blind] = [1.0, 0.0, 0.0]
    far = np.where(blind, 0.0, reach)
    return Pattern(np.ascontiguousarray(d, np.float32), order.astype(np.int32), np.ascontiguousarray(far, np.float32))


def project(lens: Lens, points_C: np.ndarray) -> np.ndarray:
    """Pixels [n, 2] of points [n, 3] in C; NaN behind a pinhole."""
    x, y, z = np.asarray(points_C, np.float64).T
    if lens.fisheye:
        side = np.sqrt(y * y + z * z)
        apart = side > 1e-12
        scale = np.where(apart, np.arctan2(side, x) / np.where(apart, side, 1.0), 1.0 / np.maximum(x, 1e-12))
    else:
        before = x > 1e-9
        scale = np.where(before, 1.0 / np.where(before, x, 1.0), np.nan)
    return np.stack([lens.width / 2 - lens.focal * y * scale, lens.height / 2 - lens.focal * z * scale], axis=1)
