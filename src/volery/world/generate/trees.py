"""Trees that grow: five species, four ages, a few individuals of each, in three levels of detail."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

import numpy as np

from volery.core.geometry import Mesh, merge
from volery.core.material import Material
from volery.core.noise import hash_cell
from volery.world.generate.branching import Limbs, Order, blades, branch, reach_out, tubes

__all__ = ["AGES", "SPECIES", "VARIANTS", "Age", "Foliage", "Species", "TreeModel", "tree_models"]

VARIANTS = 2
"""Individuals of every species and age."""

_LEAF_GROWTH = 1.9
"""Each coarser level shows every fourth leaf, this much larger."""


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
    trunk: Order
    """The trunk as a shoot of the soil; its reach is a share of the height."""
    orders: tuple[Order, ...]
    """Limbs, branches, twigs."""
    foliage: Foliage
    bark: tuple[Material, Material]
    """Of the trunk's foot, and of higher wood."""
    bark_change: float = 2.0
    """Share of the height at which the bark changes."""
    blotches: float = 0.0
    """Share of the bark that shows the other one."""
    stubs: Order | None = None
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
    """Of shoots per parent."""
    orders: int
    """Orders of branching, absolute."""
    leaf: float
    """Of the leaf's length."""
    start: float
    """Of the height at which the crown begins."""
    space: float
    """Ground that it claims: distance to one of its like [m] at full scale."""


AGES = (
    Age("sapling", 0.11, 1.0, 0.45, 2, 0.55, 0.25, 1.6),
    Age("young", 0.42, 0.75, 0.75, 3, 0.75, 0.4, 3.2),
    Age("grown", 0.85, 0.9, 1.0, 3, 1.0, 1.05, 5.6),
    Age("old", 1.0, 1.2, 1.05, 3, 1.1, 0.9, 7.0),
)


def _leaf(name: str, *colours: tuple[float, float, float]) -> tuple[Material, ...]:
    about = {"label": "leaf", "solid": False, "transparency": 0.2, "reflectivity": 0.45, "texture": "leaf"}
    return tuple(Material(f"{name} leaf {i}", c, **about) for i, c in enumerate(colours))


def _bark(name: str, foot: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[Material, Material]:
    about = {"label": "trunk", "reflectivity": 0.3, "texture": "bark"}
    return Material(f"{name} bark", foot, **about), Material(f"{name} upper bark", high, **about)


# One row per order of branching: count, reach, start, angle, bend, wander, shape.
# fmt: off
_BEECH = Species(
    "beech", 27.0, 0.0125, Order(1, 0.93, wander=0.02, bend=(0.0, 0.02), segments=16, sides=14),
    (
        Order(19, 0.34, 0.33, (1.05, 0.4), (-0.01, 0.06), 0.08, (0.2, 0.6), segments=8, sides=7),
        Order(7, 0.52, 0.22, (0.9, 0.6), (-0.02, 0.02), 0.11, (0.0, 0.5), flat=True, segments=5, sides=4),
        Order(6, 0.5, 0.12, (0.85, 0.6), (-0.03, 0.0), 0.14, (0.0, 0.4), flat=True, segments=2, sides=3),
    ),
    Foliage(_leaf("beech", (0.07, 0.16, 0.025), (0.09, 0.19, 0.03), (0.05, 0.125, 0.02)), 15, 0.2, 0.58),
    _bark("beech", (0.15, 0.14, 0.12), (0.19, 0.18, 0.16)), blotches=0.2, moisture=0.1, fertility=0.5,
)
_OAK = Species(
    "oak", 23.0, 0.019, Order(1, 0.72, wander=0.06, bend=(0.0, 0.03), segments=14, sides=14),
    (
        Order(11, 0.62, 0.34, (1.15, 0.5), (0.02, 0.06), 0.17, (0.15, 0.25), segments=9, sides=8),
        Order(9, 0.45, 0.25, (0.95, 0.7), (0.0, 0.05), 0.22, (0.1, 0.4), segments=6, sides=4),
        Order(7, 0.45, 0.2, (0.9, 0.7), (0.0, 0.04), 0.25, (0.0, 0.3), segments=2, sides=3),
    ),
    Foliage(_leaf("oak", (0.055, 0.12, 0.02), (0.07, 0.14, 0.025), (0.045, 0.1, 0.02)), 16, 0.2, 0.6, 0.4, 0.75),
    _bark("oak", (0.105, 0.085, 0.065), (0.085, 0.07, 0.055)), blotches=0.15, moisture=0.2, fertility=0.0,
)
_BIRCH = Species(
    "birch", 22.0, 0.0085, Order(1, 0.95, wander=0.035, bend=(0.0, 0.03), segments=16, sides=12),
    (
        Order(22, 0.27, 0.36, (0.8, 0.45), (0.05, -0.07), 0.09, (0.15, 0.6), segments=7, sides=5),
        Order(7, 0.5, 0.3, (0.75, 0.55), (-0.05, -0.2), 0.12, (0.0, 0.3), segments=5, sides=3),
        Order(4, 0.7, 0.25, (0.7, 0.5), (-0.2, -0.4), 0.12, (0.0, 0.2), segments=3, sides=0),
    ),
    Foliage(_leaf("birch", (0.1, 0.19, 0.035), (0.12, 0.22, 0.04), (0.08, 0.155, 0.03)), 17, 0.155, 0.62, 0.4, 0.6, 0.35),
    _bark("birch", (0.07, 0.06, 0.055), (0.55, 0.53, 0.48)), 0.07, 0.14, moisture=0.45, fertility=-0.5,
)
_SPRUCE = Species(
    "spruce", 29.0, 0.0125, Order(1, 1.0, wander=0.012, bend=(0.0, 0.01), segments=18, sides=12),
    (
        Order(135, 0.17, 0.2, (1.85, 0.75), (-0.06, 0.13), 0.05, (0.03, 0.85), whorl=5, segments=5, sides=4),
        Order(19, 0.36, 0.12, (0.95, 0.75), (-0.12, -0.04), 0.06, (0.1, 0.7), flat=True, segments=2, sides=0),
    ),
    Foliage(
        _leaf("spruce", (0.025, 0.06, 0.02), (0.035, 0.075, 0.025), (0.02, 0.05, 0.02)),
        6, 0.25, 0.32, 0.9, 0.4, 0.2, 0.0,
    ),
    _bark("spruce", (0.1, 0.075, 0.06), (0.12, 0.09, 0.07)), blotches=0.2,
    stubs=Order(45, 0.07, 0.05, (1.75, 1.7), (-0.05, 0.02), 0.1, (0.2, 0.0), segments=3, sides=3),
    moisture=0.3, fertility=-0.3,
)
_PINE = Species(
    "pine", 26.0, 0.0125, Order(1, 0.96, wander=0.03, bend=(0.0, 0.02), segments=18, sides=12),
    (
        Order(30, 0.22, 0.6, (1.5, 0.7), (-0.02, 0.14), 0.13, (0.25, 0.35), whorl=4, segments=7, sides=5),
        Order(7, 0.5, 0.3, (0.9, 0.7), (0.03, 0.12), 0.15, (0.1, 0.3), segments=4, sides=4),
        Order(5, 0.55, 0.35, (0.8, 0.6), (0.05, 0.15), 0.15, (0.0, 0.2), segments=2, sides=0),
    ),
    Foliage(
        _leaf("pine", (0.04, 0.075, 0.035), (0.05, 0.09, 0.04), (0.035, 0.065, 0.035)),
        12, 0.24, 0.24, 0.5, 0.6, -0.1, 0.45,
    ),
    _bark("pine", (0.1, 0.075, 0.06), (0.26, 0.12, 0.055)), 0.45, 0.06,
    stubs=Order(16, 0.06, 0.25, (1.6, 1.5), (0.0, 0.05), 0.15, (0.2, 0.0), segments=3, sides=3),
    moisture=-0.6, fertility=-0.4,
)
# fmt: on
SPECIES = (_BEECH, _OAK, _BIRCH, _SPRUCE, _PINE)


@dataclass(frozen=True, eq=False)
class TreeModel:
    """One individual, ready to be placed."""

    species: Species
    age: Age
    lods: tuple[Mesh, ...]
    """Full, a quarter of the leaves, very coarse; the foot is at the origin, roots reach below."""
    trunk_radius: float
    """At breast height [m]."""


_lock = threading.Lock()
_models: list[TreeModel] = []


def tree_models() -> list[TreeModel]:
    """All individuals, by species, then age, then variant; grown once in a process."""
    with _lock:
        if not _models:
            _models.extend(
                _grow(s, a, v) for s in range(len(SPECIES)) for a in range(len(AGES)) for v in range(VARIANTS)
            )
    return _models


def _grow(s: int, a: int, variant: int) -> TreeModel:
    rng = np.random.Generator(np.random.Philox(key=int(hash_cell(s, a, variant, 1))))
    species, age = SPECIES[s], AGES[a]
    wood, stubs = _skeleton(species, age, rng)
    leaves = _leaves(wood[-1], species.foliage, age.leaf, rng)
    height = species.height * age.height
    dither = rng.random(2 * len(wood[0].points[0]) * 16 * 64)
    lods = []
    for level in range(3):
        parts = [*_wood(species, height, wood, level, dither)]
        if stubs is not None and level < 2:
            parts.append(tubes(stubs, 3, species.bark[0]))
        n = 4**level
        grown = _LEAF_GROWTH**level
        base, axis, up, length, width = (v[::n] for v in leaves)
        parts.append(blades(base, axis, up, length * grown, width * grown, species.foliage.materials))
        lods.append(merge(parts, f"{species.name} {age.name} {variant} lod {level}"))
    return TreeModel(species, age, tuple(lods), species.girth * age.girth * height)


def _skeleton(species: Species, age: Age, rng: np.random.Generator) -> tuple[list[Limbs], Limbs | None]:
    """Trunk, limbs, branches, twigs; and dead stubs below the crown."""
    height = species.height * age.height
    root = np.array([[0.0, 0.0, -0.3 * age.height]])
    lean = np.array([[*rng.normal(size=2) * 0.04, 1.0]])
    size = np.array([height * species.trunk.reach]), np.array([height * species.girth * age.girth])
    wood = [reach_out(root, lean, *size, species.trunk, rng)]
    first, *rest = species.orders
    first = replace(first, start=first.start * age.start)
    for order in (first, *rest[-(age.orders - 1) :]):
        wood.append(branch(wood[-1], replace(order, count=max(3, round(order.count * age.count))), rng))
    stubs = species.stubs
    if stubs is None or age.orders < 3:
        return wood, None
    low = Limbs(*(v[:, : max(2, int(v.shape[1] * first.start) + 1)] for v in (wood[0].points, wood[0].radii)))
    return wood, branch(low, replace(stubs, count=round(stubs.count * age.count), reach=stubs.reach / first.start), rng)


def _leaves(shoots: Limbs, foliage: Foliage, size: float, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Base, axis, upper side, length and width of every leaf."""
    n, m = len(shoots.points), foliage.per_shoot
    base, along, _ = shoots.at(rng.uniform(foliage.start, 1.0, (n, m)))
    axis = along * foliage.forward + rng.normal(size=(n, m, 3)) * foliage.spread
    axis[..., 2] -= foliage.droop
    up = rng.normal(size=(n, m, 3)) * 0.45 + (0.0, 0.0, 1.0)
    length = rng.uniform(0.75, 1.25, n * m) * foliage.length * size
    flat = (v.reshape(-1, 3) for v in (base, axis, up))
    return *flat, length, length * foliage.width * rng.uniform(0.8, 1.2, n * m)


def _wood(species: Species, height: float, wood: list[Limbs], level: int, dither: np.ndarray) -> list[Mesh]:
    """Tubes of the orders that a level shows."""
    orders = (species.trunk, *species.orders[: len(wood) - 2], species.orders[-1])
    parts = []
    for k, (limbs, order) in enumerate(zip(wood, orders, strict=True)):
        sides = max(3, order.sides >> level) if order.sides else 0
        if not sides or k + level > 3:
            continue
        if k == 0:
            parts.append(_barked(_trunk(limbs, height, sides, level), species, height, dither))
        elif k == 1:
            parts.append(_barked(tubes(limbs, sides, species.bark[0]), species, height, dither))
        else:
            parts.append(tubes(limbs, sides, species.bark[0]))
    return parts


def _trunk(trunk: Limbs, height: float, sides: int, level: int) -> Mesh:
    """The trunk in finer rings, with a flare of roots at its foot."""
    s = np.concatenate(
        [np.array([0, 0.12, 0.3, 0.55, 0.9]) / height, np.arange(1.4 / height, 1.0, 0.4 * 3**level / height), [1.0]]
    )
    points, _, radii = trunk.at(s[None])
    a = np.arange(sides) * (2 * np.pi / sides)
    near = np.exp(-s * height / (0.03 * height))[:, None]
    lobes = 1 + near * (0.45 + 0.3 * np.cos(5 * a + s[:, None] * 9)) + 0.03 * np.sin(3 * a + s[:, None] * height)
    return tubes(Limbs(points, radii), sides, DEFAULT_BARK, lobes[None])
