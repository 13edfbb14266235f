"""Rays of a picture, and room for what comes out of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery._native.render import ShadedArrays, TracedRays, View
from volery.render.air import Air
from volery.render.lens import Lens
from volery.world.cast.hits import Hits
from volery.world.scene.floating_origin import Cell
from volery.world.scene.scene import Scene

__all__ = ["Buffers", "Painted", "Rays", "Shot", "through_lens"]

_GOLDEN_TURN = np.pi * (3.0 - np.sqrt(5.0))
"""Between neighbours of a sunflower's seeds [rad]."""


class Rays(NamedTuple):
    """Rays of one part of a picture: from where, which way (in a frame C), how far, and the pose of C in W."""

    origins: np.ndarray
    directions: np.ndarray
    far: np.ndarray
    R_WC: np.ndarray
    p_WC: np.ndarray
    ignore: int
    first: int = 0
    """Number of the first of them in the picture, and of the picture: what is drawn by lot hangs on them."""
    seed: int = 0
    view: View | None = None
    """If they are those of a pinhole, all from one place; None: they are anyhow."""
    pixel: np.ndarray | None = None
    """Where in the whole picture of the view each of them is, int32 [n]."""


class Painted(NamedTuple):
    """What rays see, linear, float32 [n, 3] each; only colour, if the maps say all of the light."""

    hits: Hits
    colour: np.ndarray
    """Without what rays found by lot, if that is apart."""
    albedo: np.ndarray
    """What the light that they found is multiplied by."""
    sun: np.ndarray
    around: np.ndarray
    """The light of the sun, and from all round."""
    normal: np.ndarray


class Buffers:
    """What a picture of n rays needs, made once."""

    def __init__(self, scene: Scene, n: int, apart: bool) -> None:
        """apart: whether light that rays find by lot is kept apart from the colour."""
        m = n if apart else 0
        self.hits = Hits(scene, n)
        self.material = np.empty(n, np.int32)
        self.colour = np.empty((n, 3), np.float32)
        self.albedo, self.normal = np.empty((m, 3), np.float32), np.empty((m, 3), np.float32)
        self.lit = np.empty(m, np.float32)
        self.shaded = ShadedArrays(self.colour, self.albedo, self.lit, self.normal, self.material)


class Shot(NamedTuple):
    """Rays that were cast, and what is needed to shade what they met."""

    rays: Rays
    air: Air
    now_ns: int
    cell: Cell
    """In whose frame L points are."""
    hits: Hits
    traced: TracedRays

    @property
    def eye(self) -> np.ndarray:
        """In L [m]."""
        return self.rays.p_WC - self.cell.origin


def through_lens(rays: Rays, lens: Lens, aperture: float, focus: float, number: int, of: int) -> Rays:
    """Rays of a pinhole as they go through one of so many parts of a thin lens's opening of radius `aperture` [m].

    All of a pixel meet at the distance `focus` [m], on a plane for a pinhole and on a sphere for a fisheye. Each pixel
    has the parts turned by an angle of its own.
    """
    assert rays.pixel is not None
    v, u = np.divmod(rays.pixel, lens.width)
    turn = 2.0 * np.pi * ((0.7548776662 * u + 0.5698402910 * v) % 1.0) + _GOLDEN_TURN * number
    out = aperture * np.sqrt((number + 0.5) / of)
    origins = np.stack([np.zeros(len(turn)), out * np.cos(turn), out * np.sin(turn)], axis=1)
    d = rays.directions.astype(np.float64)
    meet = d * (focus if lens.fisheye else focus / d[:, :1])
    ways = meet - origins
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return rays._replace(
        origins=origins.astype(np.float32), directions=np.ascontiguousarray(ways, np.float32), view=None
    )
