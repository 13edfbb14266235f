"""A wood without end: stands of five species, clearings, nurseries, windfalls, and what grows and lies below.

Vegetation follows the steps sampling → density → yaw and scale → bounds → pruning → choice of model, all of them pure
functions of place: chunks of any size and order show the same wood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.core.config import param
from volery.core.geometry import Mesh
from volery.core.noise import uniform_cell
from volery.errors import WorldError
from volery.world.generate.hills import Hills
from volery.world.generate.scatter import Box, Sites, nearest, prune, prune_halo, sample, standing
from volery.world.generate.species import AGES, SPECIES
from volery.world.generate.trees import VARIANTS, tree_models
from volery.world.generate.undergrowth import LOG_LENGTH, undergrowth_models
from volery.world.world import ChunkKey, Placement, poses

__all__ = ["Forest", "Stand"]

_TREE_CELL = 2.0
"""One place for a tree per square of this edge [m]."""
_TREE_SPACE = max(age.space for age in AGES)
_LOG_SPACE = 3.0
"""Between the middles of fallen trunks [m]."""
_MOST_TRUNK = 1.0
"""No trunk's radius is larger, roots included [m]."""


@dataclass(frozen=True)
class _Layer:
    """A kind of low plant or thing, and where it likes to be."""

    kind: str
    cell: float
    """One place per square of this edge [m]."""
    share: float
    """Of the places that carry it on middling ground."""
    light: float = 0.0
    """More (or less) of it in clearings."""
    moist: float = 0.0
    """More (or less) of it on wet ground."""
    clump: float = 0.0
    """How much it keeps to patches."""
    clear: float = 0.0
    """Least distance to a tree's middle [m]."""


_PLANTS = (
    _Layer("grass", 1.3, 0.3, 2.2, 0.2, 3.0),
    _Layer("herbs", 1.5, 0.28, -0.6, 0.6, 3.5, 0.3),
    _Layer("ferns", 2.2, 0.2, -0.7, 1.0, 3.5, 0.5),
    _Layer("bush", 3.4, 0.16, 1.0, 0.3, 3.0, 0.9),
)
_STONES = (_Layer("rock", 4.5, 0.12, 0.0, -0.6, 4.0, 1.2),)
_LITTER = (_Layer("sticks", 3.5, 0.4, -0.3, 0.0, 1.0, 0.3), _Layer("stump", 9.0, 0.25, 1.0, 0.0, 1.0, 0.9))


@dataclass(frozen=True, eq=False)
class Stand:
    """The trees of a piece of the wood."""

    sites: Sites
    models: np.ndarray
    """Index into `tree_models()`, shape [n]."""

    def only(self, which: np.ndarray) -> Stand:
        """The trees of a mask."""
        return Stand(self.sites.only(which), self.models[which])

    @property
    def trunk_radii(self) -> np.ndarray:
        """[m], above the roots, shape [n]."""
        return np.array([m.trunk_radius for m in tree_models()])[self.models] * self.sites.scale


@dataclass(frozen=True, eq=False)
class Forest(Hills):
    """A natural mixed forest on rolling ground."""

    density: float = param(0.7, low=0.0, high=1.0)
    """Share of the places for a tree, one per 4 m², that try to carry one; overlaps are pruned."""
    undergrowth: float = param(0.7, low=0.0, high=1.0)
    """Amount of grass, herbs, ferns and bushes."""
    rocks: float = param(0.5, low=0.0, high=1.0)
    """Amount of rocks."""
    dead_wood: float = param(0.5, low=0.0, high=1.0)
    """Amount of fallen trunks, stumps and sticks."""
    clearings: float = param(0.12, low=0.0, high=0.9)
    """Share of the land without trees."""
    nurseries: float = param(0.1, low=0.0, high=0.9)
    """Share of the land with dense young trees of one species."""
    windfalls: float = param(0.07, low=0.0, high=0.9)
    """Share of the land where a storm threw the trees, all in one direction."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """Ground, trees, low plants, rocks and dead wood of the chunk."""
        box = self.box(key)
        around = self.trees(_grown(box, LOG_LENGTH))
        return [
            self.ground(key),
            *self._standing(around.only(around.sites.within(box)), 0),
            *self._low("undergrowth", _PLANTS, self.undergrowth, box, around),
            *self._low("rocks", _STONES, self.rocks, box, around),
            *self._low("litter", _LITTER, self.dead_wood, box, around),
            *self._fallen(box, around),
        ]

    def generate_far(self, key: ChunkKey, level: int = 2) -> list[Placement]:
        """The chunk seen from afar: the same ground and trees, the trees coarser (level 1 or 2), and nothing low."""
        return [self.ground(key), *self._standing(self.trees(self.box(key)), level)]

    def free(self, x: float, y: float, radius: float) -> bool:
        """True if no trunk comes within the radius [m] of the point [m]."""
        return bool(self._gap(np.array([x]), np.array([y]), radius)[0] >= radius)

    def spawn(self) -> tuple[float, float, float]:
        """The place nearest to the origin with no tree within 3 m, 2 m above the ground."""
        k = np.arange(3000)
        x, y = np.sqrt(k) * np.cos(2.39996 * k), np.sqrt(k) * np.sin(2.39996 * k)
        free = np.flatnonzero(self._gap(x, y, 3.0) >= 3.0)
        if not len(free):
            raise WorldError("no place within 50 m of the origin is 3 m from every tree; lower the forest's density")
        p = float(x[free[0]]), float(y[free[0]])
        return (*p, float(self.height(*p)) + 2.0)

    def turf(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Turf grows where light comes in."""
        return self._clearing(x, y)

    def trees(self, box: Box) -> Stand:
        """All trees that stand in a box."""
        sites = sample(self.salted(10), 0, _TREE_CELL, _grown(box, prune_halo(_TREE_SPACE)))
        nursery = self.region(sites.x, sites.y, 11, 0.02, self.nurseries)
        thin = (0.75 + 0.9 * self.field(sites.x, sites.y, 12, 0.025)) * (1 - 0.85 * self._windfall(sites.x, sites.y))
        chance = np.maximum(thin, nursery) * (1 - 0.97 * self._clearing(sites.x, sites.y))
        there = sites.keep < self.density * chance
        sites, nursery = sites.only(there), nursery[there] > 0.5
        stage = sites.draws[:, 4] + 0.5 * self.field(sites.x, sites.y, 13, 0.012)
        age = np.where(nursery, stage > 0.6, np.digitize(stage, (0.1, 0.3, 0.8)))
        space = np.array([a.space for a in AGES])[age] * sites.scale
        stay = prune(sites, space, age + sites.draws[:, 5]) & sites.within(box)
        sites = sites.only(stay)
        variant = (sites.draws[:, 5] * 1009 % 1 * VARIANTS).astype(int)
        return Stand(sites, (self._species(sites, nursery[stay]) * len(AGES) + age[stay]) * VARIANTS + variant)

    def _species(self, sites: Sites, nursery: np.ndarray) -> np.ndarray:
        """Each tree's species by what it likes of the soil; nurseries are planted with the likeliest."""
        moisture, fertility = self.moisture(sites.x, sites.y), 2.5 * self.field(sites.x, sites.y, 14, 0.009)
        off = [(moisture - s.moisture) ** 2 + (fertility - s.fertility) ** 2 for s in SPECIES]
        weight = np.exp(-6.0 * np.stack(off, axis=1)) + 0.015
        weight[nursery] **= 12
        share = np.cumsum(weight, axis=1)
        return (share < sites.choice[:, None] * share[:, -1:]).sum(axis=1)

    def _clearing(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.region(x, y, 15, 0.014, self.clearings)

    def _windfall(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.region(x, y, 16, 0.018, self.windfalls)

    def _gap(self, x: np.ndarray, y: np.ndarray, radius: float) -> np.ndarray:
        """Distance to the nearest trunk [m], right up to the radius."""
        reach = radius + _MOST_TRUNK
        stand = self.trees((x.min() - reach, y.min() - reach, x.max() + reach, y.max() + reach))
        return nearest(x, y, stand.sites, stand.trunk_radii)

    def _standing(self, stand: Stand, level: int) -> list[Placement]:
        """The trees as instances, upright, in quarter turns: such boxes are tight, and rays pay for boxes."""
        x, y = stand.sites.x, stand.sites.y
        meshes = [m.lods[2 * level] for m in tree_models()]
        X = poses(np.stack([x, y, self.height(x, y)], axis=1), stand.sites.quarter, stand.sites.scale)
        return _placed("trees", meshes, stand.models, X)

    def _low(self, name: str, layers: tuple[_Layer, ...], amount: float, box: Box, around: Stand) -> list[Placement]:
        """Low things of some layers as instances, square to the ground."""
        models = undergrowth_models()
        meshes: list[Mesh] = []
        found, kinds = [], []
        for layer in layers:
            sites = self._grow_layer(layer, amount, box, around)
            variants = models[layer.kind]
            kinds.append(len(meshes) + (sites.choice * len(variants)).astype(int))
            found.append(sites)
            meshes.extend(variants)
        x, y, yaw, scale = (np.concatenate([getattr(s, k) for s in found]) for k in ("x", "y", "yaw", "scale"))
        X = poses(np.stack([x, y, self.height(x, y)], axis=1), 0.0, scale, standing(self.normal(x, y), yaw))
        return _placed(name, meshes, np.concatenate(kinds), X)

    def _grow_layer(self, layer: _Layer, amount: float, box: Box, around: Stand) -> Sites:
        salt = 20 + list(undergrowth_models()).index(layer.kind)
        sites = sample(self.salted(salt), 0, layer.cell, box)
        liking = 1.0 + layer.clump * self.field(sites.x, sites.y, salt, 0.06)
        liking += layer.light * self._clearing(sites.x, sites.y) + layer.moist * self.moisture(sites.x, sites.y)
        sites = sites.only(sites.keep < 2.0 * amount * layer.share * liking)
        return sites.only(nearest(sites.x, sites.y, around.sites) >= layer.clear) if layer.clear else sites

    def _fallen(self, box: Box, around: Stand) -> list[Placement]:
        """Fallen trunks: single ones anyhow, those of a storm all one way; none lies through a standing tree."""
        sites = sample(self.salted(17), 0, 4.0, _grown(box, prune_halo(_LOG_SPACE)))
        storm = self._windfall(sites.x, sites.y)
        there = sites.keep < self.dead_wood * (0.04 + 1.5 * storm)
        sites, storm = sites.only(there), storm[there] > 0.5
        stay = prune(sites, np.full(len(sites), _LOG_SPACE), sites.draws[:, 5]) & sites.within(box)
        sites, storm = sites.only(stay), storm[stay]
        wind = 2 * np.pi * uniform_cell(self.seed, 0, 0, 18) + 2.0 * self.field(sites.x, sites.y, 18, 0.003)
        yaw = np.where(storm, wind + 0.5 * (sites.draws[:, 4] - 0.5), sites.yaw)
        half = 0.5 * LOG_LENGTH * sites.scale[:, None] * np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
        clear = _clear_of_trees(sites, half, around)
        sites, half, storm = sites.only(clear), half[clear], storm[clear]
        models = undergrowth_models()
        kind = (sites.choice * len(models["log"])).astype(int)
        thrown = len(models["log"]) + (sites.choice * len(models["windfall"])).astype(int)
        kinds = np.where(storm & (sites.draws[:, 2] > 0.3), thrown, kind)
        return _placed("fallen trunks", [*models["log"], *models["windfall"]], kinds, self._laid(sites, half))

    def _laid(self, sites: Sites, half: np.ndarray) -> np.ndarray:
        """Places of trunks that rest on the ground with their ends or their middle."""
        a = self.height(sites.x - half[:, 0], sites.y - half[:, 1])
        b = self.height(sites.x + half[:, 0], sites.y + half[:, 1])
        rest = np.maximum(0.5 * (a + b), self.height(sites.x, sites.y)) + 0.2 * sites.scale
        along = np.concatenate([2 * half, (b - a)[:, None]], axis=1)
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        side = np.cross((0.0, 0.0, 1.0), along)
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        R = np.stack([along, side, np.cross(along, side)], axis=2)
        return poses(np.stack([sites.x, sites.y, rest], axis=1), 0.0, sites.scale, R)


def _grown(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _clear_of_trees(sites: Sites, half: np.ndarray, stand: Stand) -> np.ndarray:
    """Mask of the trunks from site − half to site + half that no standing tree is in the way of."""
    to = np.stack([stand.sites.x[None] - sites.x[:, None], stand.sites.y[None] - sites.y[:, None]], axis=-1)
    long = np.einsum("ni,ni->n", half, half)[:, None]
    along = np.clip(np.einsum("nti,ni->nt", to, half) / long, -1.0, 1.0)
    gap = np.linalg.norm(to - along[..., None] * half[:, None], axis=-1)
    return (gap > 0.35 + stand.trunk_radii * 1.5).all(axis=1)


def _placed(name: str, meshes: list[Mesh], kinds: np.ndarray, X: np.ndarray) -> list[Placement]:
    """One placement of the meshes that occur, or none."""
    if not len(kinds):
        return []
    used, kinds = np.unique(kinds, return_inverse=True)
    return [Placement(name, tuple(meshes[k] for k in used), X, kinds)]
