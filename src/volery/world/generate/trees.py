"""Tree models grown from the species' data: a few individuals of every species and age, in many levels of detail."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

import numpy as np

from volery.core.geometry import Mesh, merge
from volery.core.noise import hash_cell
from volery.world.generate.branching import Limbs, blades, branch, reach_out, tubes
from volery.world.generate.detail import linked, thinned
from volery.world.generate.species import AGES, SPECIES, Age, Foliage, Species

__all__ = ["LEVELS", "VARIANTS", "TreeModel", "tree_models"]

LEVELS = 8
"""Levels of detail, the finest first; each has half the leaves of the one before."""
VARIANTS = 2
"""Individuals of every species and age."""

_ROUND_LEVELS = 2
"""Coarsest level that shows limbs as they are; those after it, as one triangle each."""

_MARK = 0.05
"""Height of the marks of a birch's bark [m]."""

_EDGE, _ROOM = 90.0, 1.15
"""A crown's edge is this percentile of the twigs' distances from the trunk, and no limb goes further out than so many
times that: crowns in a wood give way to each other, and rays pay for the boxes round crowns."""

_lock = threading.Lock()
_models: list[TreeModel] = []


@dataclass(frozen=True, eq=False)
class TreeModel:
    """One individual, ready to be placed."""

    species: Species
    age: Age
    lods: tuple[Mesh, ...]
    """The finest first, each the next finer one's `coarser`; the foot is at the origin and roots reach below."""
    trunk_radius: float
    """[m], above the roots."""


def tree_models() -> list[TreeModel]:
    """All individuals, by species, then age, then variant; grown once in a process."""
    with _lock:
        if not _models:
            kinds = np.ndindex(len(SPECIES), len(AGES), VARIANTS)
            _models.extend([_grow(*kind) for kind in kinds])
    return _models


def _grow(s: int, a: int, variant: int) -> TreeModel:
    rng = np.random.Generator(np.random.Philox(key=int(hash_cell(s, a, variant, 1))))
    species, age = SPECIES[s], AGES[a]
    wood, stubs = _skeleton(species, age, rng)
    base, axis, up, length, width = _leaves(wood[-1], species.foliage, age.leaf, rng)
    leaves = blades(base, axis, up, length, width, species.foliage.materials)
    levels = []
    for level in range(LEVELS):
        parts = _wood(species, wood, level, rng)
        if stubs is not None:
            parts.append(thinned(tubes(stubs, 3, species.bark[:1]), level, spindles=level > _ROUND_LEVELS))
        levels.append(merge([*parts, thinned(leaves, level)], f"{species.name} {age.name} {variant} level {level}"))
    return TreeModel(species, age, tuple(linked(levels, leaves).levels), float(wood[0].radii[0, 0]))


def _skeleton(species: Species, age: Age, rng: np.random.Generator) -> tuple[list[Limbs], Limbs | None]:
    """Trunk, limbs, branches and twigs; and the dead stubs below the crown."""
    height = species.height * age.height
    root = np.array([[0.0, 0.0, -0.4 * age.height]])
    lean = np.array([[*rng.normal(size=2) * 0.03, 1.0]])
    length, radius = height * species.trunk.reach, height * species.girth * age.girth
    wood = [reach_out(root, lean, np.array([length]), np.array([radius]), species.trunk, rng)]
    first, *rest = species.orders
    first = replace(first, start=first.start * age.start)
    for order in (first, *rest[1 - age.orders :]):
        wood.append(branch(wood[-1], replace(order, count=round(order.count**age.count)), rng))
    wood = _drawn_in(wood)
    if species.stubs is None or age.orders < 3:
        return wood, None
    points, _, radii = wood[0].at(0, np.linspace(0.0, first.start, 6)[None])
    dead = replace(species.stubs, reach=species.stubs.reach / first.start)
    return wood, branch(Limbs(points, radii), dead, rng)


def _drawn_in(wood: list[Limbs]) -> list[Limbs]:
    """The limbs drawn towards the trunk, the more the further out they are."""
    tips = wood[-1].points[:, -1, :2]
    most = _ROOM * np.percentile(np.hypot(tips[:, 0], tips[:, 1]), _EDGE)
    drawn = []
    for limbs in wood:
        far = np.hypot(limbs.points[..., 0], limbs.points[..., 1]) / most
        share = (1.0 + far**4) ** -0.25
        drawn.append(Limbs(limbs.points * np.stack([share, share, np.ones_like(share)], axis=-1), limbs.radii))
    return drawn


def _leaves(shoots: Limbs, foliage: Foliage, size: float, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Base, axis, upper side, length and width of every leaf."""
    n = len(shoots.points) * foliage.per_shoot
    share = np.cumsum(shoots.lengths)
    rows = np.searchsorted(share, (np.arange(n) + rng.random(n)) / n * share[-1])
    base, along, _ = shoots.at(rows, rng.uniform(foliage.start, 1.0, n))
    axis = along * foliage.forward + rng.normal(size=(n, 3)) * foliage.spread
    axis[:, 2] -= foliage.droop
    up = rng.normal(size=(n, 3)) * 0.45 + (0.0, 0.0, 1.0)
    length = rng.uniform(0.75, 1.25, n) * foliage.length * size
    return base, axis, up, length, length * foliage.width * rng.uniform(0.8, 1.2, n)


def _wood(species: Species, wood: list[Limbs], level: int, rng: np.random.Generator) -> list[Mesh]:
    """Tubes of the orders: coarser levels leave out more and more of them, and show the others thicker."""
    inner = species.orders[: len(wood) - 2]
    orders = (species.trunk, *inner, species.orders[-1])
    parts = [_barked(_trunk(wood[0], max(3, orders[0].sides >> level // 2), level / 2, species), species, rng)]
    for k, (limbs, order) in enumerate(zip(wood[1:], orders[1:], strict=True), 1):
        if not order.sides:
            continue
        sides, far = max(3, order.sides >> level // 2), level > _ROUND_LEVELS
        limb = (
            _barked(tubes(limbs, sides, species.bark), species, rng)
            if k == 1
            else tubes(limbs, sides, species.bark[:1])
        )
        parts.append(thinned(limb, max(0, level - (4 if k == 1 else 2)) if far else level // k, spindles=far))
    return parts


def _trunk(trunk: Limbs, sides: int, level: float, species: Species) -> Mesh:
    """The trunk in finer rings, closest at its foot, where the roots flare."""
    length, radius = np.linalg.norm(trunk.points[0, -1] - trunk.points[0, 0]), trunk.radii[0, 0]
    s = np.linspace(0.0, 1.0, max(8, int(length / (0.4 * 3**level)))) ** 1.4
    if species.marks:
        s = np.sort(np.concatenate([s, s[:-1] + _MARK / length]))
    points, _, radii = trunk.at(0, s[None])
    a = np.arange(sides) * (2 * np.pi / sides)
    height = s[:, None] * length
    flare = np.exp(-height / (2.5 * radius)) * (0.6 + 0.35 * np.cos(5 * a + 1.0))
    lobes = 1.0 + flare + 0.03 * np.sin(3 * a + height)
    return tubes(Limbs(points, radii), sides, species.bark, lobes[None])


def _barked(wood: Mesh, species: Species, rng: np.random.Generator) -> Mesh:
    """The wood with the bark of its height, and dark marks in its thin rings."""
    foot, top = (wood.vertices[wood.faces[::2, k], 2].astype(np.float64) for k in (0, 2))
    upper = foot / species.height + rng.normal(size=len(foot)) * 0.02 > species.bark_change
    marked = (np.abs(top - foot) < 1.2 * _MARK) & (rng.random(len(foot)) < species.marks)
    return replace(wood, face_material=np.repeat(upper & ~marked, 2))
