"""What things are made of: all that light, lasers, heat, sound and contact ask about a surface."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

__all__ = ["DEFAULT", "LABELS", "Material", "label_number"]


@dataclass(frozen=True)
class Material:
    """A surface. Two equal materials are one."""

    name: str
    colour: tuple[float, float, float] = (0.6, 0.6, 0.6)
    """Linear RGB, 0 to 1."""
    label: str = ""
    """Class for segmentation, such as 'ground', 'trunk' or 'wall'; empty: the name."""
    roughness: float = 0.9
    """0 polished, 1 matt."""
    reflectivity: float = 0.3
    """Share of a laser's light sent back at normal incidence, 0 to 1."""
    mirror: float = 0.0
    """Share of light reflected as by a mirror, 0 to 1."""
    transparency: float = 0.0
    """Share of light that passes, 0 to 1: glass, water, leaves against the sun."""
    temperature: float = 288.15
    """[K]."""
    emission: float = 0.0
    """Own light as a multiple of `colour`; lamps have some."""
    sound: float = 0.0
    """Sound power emitted [W]."""
    friction: float = 0.8
    """Coulomb coefficient."""
    solid: bool = True
    """False: robots pass through (leaves, grass, water); rays still see it."""
    texture: str = ""
    """Name of the procedural detail the camera paints (bark, soil, rock, concrete …); empty: plain."""

    @property
    def label_name(self) -> str:
        """The segmentation class, never empty."""
        return self.label or self.name

    @property
    def label_number(self) -> int:
        """Number of the segmentation class."""
        return label_number(self.label_name)


DEFAULT = Material("default")

LABELS = (
    *("ground", "grass", "trunk", "leaf", "rock", "water", "wall", "floor", "ceiling", "glass", "mirror", "fence"),
    *("door", "window", "lamp", "rack", "box", "pallet", "vehicle", "robot", "victim", "debris", "block", "ramp"),
)
"""Segmentation classes with small numbers of their own, from 1 on; 0 is nothing."""


def label_number(label: str) -> int:
    """Number of a segmentation class: the same in every run and every world. Others than LABELS lie above 1000."""
    return LABELS.index(label) + 1 if label in LABELS else 1000 + zlib.crc32(label.encode()) % 64_000
