"""What is done for a picture, by the name of its quality."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Quality"]


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
    detail: float
    """Things so small [pixels, of those drawn] may be shown by a coarser level of detail; 0: all is shown as it is."""
    plain: bool = False
    """The colours of materials in the light of an open sky, without all of the above."""

    @staticmethod
    def of(name: str) -> Quality:
        """A quality by name."""
        return {
            "plain": Quality(1, 0, 0, 0, False, 2.0, plain=True),
            "fast": Quality(1, 1, 0, 2, False, 2.0),
            "default": Quality(1, 4, 0, 10, True, 1.5),
            "best": Quality(2, 4, 1, 15, True, 0.7),
        }[name]
