"""How a material looks on the page: its kind of surface, and what the page must know to paint it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np

from volery.core.material import Material

__all__ = ["PageMaterial", "page_material", "srgb"]

_FOLIAGE = ("leaf", "grass")
_CLEAR = ("glass", "water")
_MIRROR = 0.5
"""Share of light sent back as by a mirror from which a surface is shown as one."""


@dataclass(frozen=True)
class PageMaterial:
    """All of a material but its colour, which every vertex has of its own."""

    surface: Literal["opaque", "leaf", "clear", "mirror", "lamp"]
    roughness: float
    texture: str
    label: str
    solid: bool
    emission: float
    transparency: float
    mirror: float

    def header(self) -> dict[str, Any]:
        """Plain data for the page."""
        return asdict(self)


@lru_cache(maxsize=4096)
def page_material(material: Material) -> PageMaterial:
    """The look of a material."""
    return PageMaterial(
        _surface(material), round(material.roughness, 3), material.texture, material.label_name, material.solid,
        round(material.emission, 3), round(material.transparency, 3), round(material.mirror, 3),
    )  # fmt: skip


def _surface(m: Material) -> Literal["opaque", "leaf", "clear", "mirror", "lamp"]:
    if m.emission > 0.0:
        return "lamp"
    if m.mirror >= _MIRROR:
        return "mirror"
    if m.label_name in _CLEAR:
        return "clear"
    if not m.solid and (m.label_name in _FOLIAGE or m.transparency > 0.0):
        return "leaf"
    return "clear" if m.transparency > 0.0 else "opaque"


def srgb(linear: np.ndarray) -> np.ndarray:
    """Linear light 0 to 1 as bytes of the curve that screens expect, uint8 of the same shape."""
    return _curve()[np.rint(np.clip(linear, 0.0, 1.0) * 65_535.0).astype(np.uint16)]


@cache
def _curve() -> np.ndarray:
    """The curve at 65536 places: powers are slow."""
    x = np.arange(65_536) / 65_535.0
    curved = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return np.rint(255.0 * curved).astype(np.uint8)
