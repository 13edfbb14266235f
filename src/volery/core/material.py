"""What things are made of: all that light, lasers, heat, sound and contact ask about a surface."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "Material"]


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


DEFAULT = Material("default")
