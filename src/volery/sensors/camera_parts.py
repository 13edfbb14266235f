"""What the camera's painter works with: qualities, rays, buffers, and what comes out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.sensors.camera_sky import Air
from volery.sensors.camera_tables import Geometry
from volery.sensors.camera_visible import Grid
from volery.world.hits import Hits
from volery.world.scene import Scene

__all__ = ["Buffers", "Painted", "Quality", "Rays", "Surfaces", "View"]


class Quality(NamedTuple):
    """What is done for a picture."""

    over: int
    """Rays per pixel along each axis."""
    sky: int
    """Directions in which maps look at the sky."""
    bounces: int
    """Rays to all round from each surface, for sky and neighbours; 0: the maps alone. With some, rays also ask for
    the sun."""
    lamps: int
    """Lamps that throw light and shadow."""
    moving_shadows: bool
    plain: bool = False
    """The colours of materials in the light of an open sky, without all of the above."""

    @staticmethod
    def of(name: str) -> Quality:
        """A quality by name."""
        return {
            "plain": Quality(1, 0, 0, 0, False, plain=True),
            "fast": Quality(1, 1, 0, 2, False),
            "default": Quality(1, 4, 0, 6, True),
            "best": Quality(2, 4, 1, 12, True),
        }[name]


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
    grid: Grid | None = None
    """Of the rays of a pinhole, all from one place; None: they are anyhow."""
    pixel: np.ndarray | None = None
    """Where on the grid each of them is, int32 [n]."""


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
        self.hits = Hits(scene, n)
        self.material = np.empty(n, np.int32)
        self.colour = np.empty((n, 3), np.float32)
        self.albedo, self.normal = (np.empty((n if apart else 0, 3), np.float32) for _ in range(2))
        self.lit = np.empty(n if apart else 0, np.float32)


class Surfaces:
    """Some of the surfaces of a picture, with room to ask about their light."""

    def __init__(self, n: int) -> None:
        self.way, self.point, self.normal, self.start, self.ray = (np.zeros((n, 3), np.float32) for _ in range(5))
        self.material, self.far, self.blocked = np.empty(n, np.int32), np.empty(n, np.float32), np.empty(n, np.bool_)


class View(NamedTuple):
    """What one call of `paint` works with."""

    rays: Rays
    air: Air
    now_ns: int
    geometry: Geometry
    eye: np.ndarray
    """In the cell [m]."""
    start: np.ndarray
    """Of the rays in the cell [m], float32 [n or 1, 3]."""
    found: tuple
