"""The trees of the forest as data: how five species branch and what they are made of, and four stages of life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from volery.core.material import Material
from volery.world.generate.branching import ShootOrder

__all__ = ["AGES", "SPECIES", "Age", "Foliage", "Species"]


@dataclass(frozen=True)
class Foliage:
    """Leaves, or bundles of needles."""

    materials: tuple[Material, ...]
    per_shoot: int
    length: float
    """Mean length of a grown tree's leaf [m]."""
    width: float
    """Share of the length."""
    forward: float = 0.5
    """How much a leaf follows its shoot."""
    spread: float = 0.6
    """How much it stands off at random."""
    droop: float = 0.15
    """How much it hangs."""
    start: float = 0.1
    """Share of the shoot's length below which it is bare."""


@dataclass(frozen=True)
class Species:
    """A kind of tree, described as an old one."""

    name: str
    height: float
    """[m]."""
    girth: float
    """Radius of the trunk as a share of the height."""
    trunk: ShootOrder
    """The trunk as a shoot of the soil; its reach is a share of the height."""
    orders: tuple[ShootOrder, ...]
    """Limbs, branches, twigs."""
    foliage: Foliage
    bark: tuple[Material, Material]
    """Of the trunk's foot, and of higher wood."""
    bark_change: float = 2.0
    """Share of the height at which the bark changes."""
    marks: float = 0.0
    """Share of dark bark in the thin rings of a birch."""
    stubs: ShootOrder | None = None
    """Dead branches below the crown."""
    moisture: float = 0.0
    """Soil it likes best, −1 dry to 1 wet."""
    fertility: float = 0.0
    """Soil it likes best, −1 poor to 1 rich."""


@dataclass(frozen=True)
class Age:
    """A stage of life, by shares of what the old tree is."""

    name: str
    height: float
    girth: float
    count: float
    """Power of the number of shoots per parent."""
    orders: int
    """Orders of branching, absolute."""
    leaf: float
    """Of the leaf's length."""
    start: float
    """Of the height at which the crown begins."""
    space: float
    """Ground that it claims: distance to one of its like [m] at full scale."""


AGES = (
    Age("sapling", 0.11, 0.6, 0.8, 2, 0.5, 0.25, 1.6),
    Age("young", 0.42, 0.75, 0.93, 3, 0.66, 0.4, 2.9),
    Age("grown", 0.85, 0.9, 1.0, 3, 1.0, 1.05, 5.0),
    Age("old", 1.0, 1.2, 1.02, 3, 1.1, 0.9, 6.4),
)


def _leaf(name: str, *colours: tuple[float, float, float]) -> tuple[Material, ...]:
    about: dict[str, Any] = {
        "label": "leaf",
        "solid": False,
        "transparency": 0.2,
        "reflectivity": 0.45,
        "texture": "leaf",
    }
    return tuple(Material(f"{name} leaf {i}", c, **about) for i, c in enumerate(colours))


def _bark(
    name: str, foot: tuple[float, float, float], high: tuple[float, float, float], texture: str = "bark"
) -> tuple[Material, Material]:
    about: dict[str, Any] = {"label": "trunk", "reflectivity": 0.3, "texture": texture}
    return Material(f"{name} bark", foot, **about), Material(f"{name} upper bark", high, **about)


# One row per order of branching: count, reach, start, angle, bend, wander, shape. Twigs carry leaves but have no wood:
# thin slanting triangles fill their boxes badly, so that rays test many of them for every one they hit.
# fmt: off
_BEECH = Species(
    "beech", 27.0, 0.0125, ShootOrder(1, 0.93, wander=0.025, bend=(0.06, 0.06), segments=16, sides=14),
    (
        ShootOrder(19, 0.34, 0.33, (1.05, 0.4), (-0.01, 0.06), 0.08, (0.2, 0.6), segments=8, sides=7),
        ShootOrder(7, 0.52, 0.22, (0.9, 0.6), (-0.02, 0.02), 0.11, (0.0, 0.5), flat=True, segments=5, sides=4),
        ShootOrder(6, 0.5, 0.12, (0.85, 0.6), (-0.03, 0.0), 0.14, (0.0, 0.4), flat=True, segments=2, sides=0),
    ),
    Foliage(_leaf("beech", (0.095, 0.135, 0.045), (0.108, 0.155, 0.052), (0.078, 0.112, 0.038)), 10, 0.26, 0.68),
    _bark("beech", (0.15, 0.14, 0.12), (0.19, 0.18, 0.16), "smooth bark"), moisture=0.1, fertility=0.5,
)
_OAK = Species(
    "oak", 23.0, 0.019, ShootOrder(1, 0.72, wander=0.06, bend=(0.14, 0.08), segments=14, sides=14),
    (
        ShootOrder(11, 0.62, 0.34, (1.15, 0.5), (0.02, 0.06), 0.17, (0.15, 0.25), segments=9, sides=8),
        ShootOrder(9, 0.45, 0.25, (0.95, 0.7), (0.0, 0.05), 0.22, (0.1, 0.4), segments=6, sides=4),
        ShootOrder(7, 0.45, 0.2, (0.9, 0.7), (0.0, 0.04), 0.25, (0.0, 0.3), segments=2, sides=0),
    ),
    Foliage(
        _leaf("oak", (0.076, 0.108, 0.038), (0.087, 0.125, 0.043), (0.064, 0.092, 0.033)), 11, 0.226, 0.68, 0.4, 0.75
    ),
    _bark("oak", (0.105, 0.085, 0.065), (0.085, 0.07, 0.055)), moisture=0.2, fertility=0.0,
)
_BIRCH = Species(
    "birch", 22.0, 0.0085, ShootOrder(1, 0.95, wander=0.035, bend=(0.06, 0.06), segments=16, sides=12),
    (
        ShootOrder(22, 0.27, 0.36, (0.8, 0.45), (0.05, -0.07), 0.09, (0.15, 0.6), segments=7, sides=5),
        ShootOrder(7, 0.5, 0.3, (0.75, 0.55), (-0.05, -0.2), 0.12, (0.0, 0.3), segments=5, sides=3),
        ShootOrder(4, 0.7, 0.25, (0.7, 0.5), (-0.2, -0.4), 0.12, (0.0, 0.2), segments=3, sides=0),
    ),
    Foliage(
        _leaf("birch", (0.112, 0.16, 0.055), (0.127, 0.182, 0.062), (0.096, 0.137, 0.048)),
        13, 0.18, 0.71, 0.4, 0.6, 0.35,
    ),
    _bark("birch", (0.07, 0.06, 0.055), (0.55, 0.53, 0.48), "smooth bark"), 0.07, 0.3, moisture=0.45, fertility=-0.5,
)
_SPRUCE = Species(
    "spruce", 29.0, 0.0125, ShootOrder(1, 1.0, wander=0.012, bend=(0.1, 0.1), segments=18, sides=12),
    (
        ShootOrder(135, 0.17, 0.2, (1.85, 0.75), (-0.06, 0.13), 0.05, (0.03, 0.85), whorl=5, segments=5, sides=4),
        ShootOrder(19, 0.36, 0.12, (0.95, 0.75), (-0.12, -0.04), 0.06, (0.1, 0.7), flat=True, segments=2, sides=0),
    ),
    Foliage(
        _leaf("spruce", (0.03, 0.056, 0.027), (0.038, 0.068, 0.031), (0.025, 0.047, 0.024)),
        4, 0.25, 0.48, 0.9, 0.4, 0.2, 0.0,
    ),
    _bark("spruce", (0.1, 0.075, 0.06), (0.12, 0.09, 0.07)),
    stubs=ShootOrder(45, 0.07, 0.05, (1.75, 1.7), (-0.05, 0.02), 0.1, (0.2, 0.0), segments=3, sides=3),
    moisture=0.3, fertility=-0.3,
)
_PINE = Species(
    "pine", 26.0, 0.0125, ShootOrder(1, 0.96, wander=0.025, bend=(0.1, 0.05), segments=18, sides=12),
    (
        ShootOrder(30, 0.22, 0.6, (1.5, 0.7), (-0.02, 0.14), 0.13, (0.25, 0.35), whorl=4, segments=7, sides=5),
        ShootOrder(7, 0.5, 0.3, (0.9, 0.7), (0.03, 0.12), 0.15, (0.1, 0.3), segments=4, sides=4),
        ShootOrder(5, 0.55, 0.35, (0.8, 0.6), (0.05, 0.15), 0.15, (0.0, 0.2), segments=2, sides=0),
    ),
    Foliage(
        _leaf("pine", (0.04, 0.075, 0.035), (0.05, 0.09, 0.04), (0.035, 0.065, 0.035)),
        8, 0.22, 0.315, 0.5, 0.6, -0.1, 0.45,
    ),
    _bark("pine", (0.1, 0.075, 0.06), (0.26, 0.12, 0.055)), 0.45,
    stubs=ShootOrder(16, 0.06, 0.25, (1.6, 1.5), (0.0, 0.05), 0.15, (0.2, 0.0), segments=3, sides=3),
    moisture=-0.6, fertility=-0.4,
)
# fmt: on
SPECIES = (_BEECH, _OAK, _BIRCH, _SPRUCE, _PINE)
