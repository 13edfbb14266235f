"""An endless cave: tunnels and halls in solid rock, dripstone, and survey lamps along the way.

Every piece is a pure function of (parameters, chunk). `cave_paths` finds the tunnels near a chunk from the hashes of
the few regions that touch it, `cave_surface` carves them into voxels and finds the walls, `dripstone` grows on these.
The cave lies between z = -depth and 0, so a chunk is a whole column and meets its neighbours without a gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from volery._native import generate as _native
from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cylinder, merge, sphere
from volery.core.material import Material
from volery.core.noise import hash_cell
from volery.errors import WorldError
from volery.world.generate.cave_paths import STEP, Network, Region, region
from volery.world.generate.cave_surface import SIGHT, Field, march
from volery.world.generate.dripstone import grow
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Cave"]

ROCK = Material("cave rock", (0.22, 0.19, 0.16), "rock", reflectivity=0.35, temperature=283.0, texture="strata")
CLAY = Material(
    "cave floor",
    (0.16, 0.125, 0.09),
    "ground",
    roughness=0.5,
    reflectivity=0.2,
    temperature=283.0,
    friction=0.6,
    texture="strata",
)
LAMP = Material("lamp", (1.0, 0.84, 0.6), "lamp", reflectivity=0.6, temperature=310.0, emission=25.0)
SOCKET = Material("lamp socket", (0.05, 0.05, 0.05), "lamp", reflectivity=0.1, temperature=290.0, texture="metal")

_MARGIN = SIGHT + 1.0
"""Tunnels are known this far around a chunk [m], since rays leave it."""
_MOST_VOXELS = 3e7
_AROUND = np.array([d for d in np.ndindex(3, 3, 3) if sum(c != 1 for c in d) in (1, 3)]) - 1.0
_AROUND /= np.linalg.norm(_AROUND, axis=1, keepdims=True)
"""Unit vectors to the faces and corners of a cube."""


@dataclass(frozen=True, eq=False)
class Cave(Checked, World):
    """Tunnels that wind through rock from hall to hall, without end; every hall can be reached from every other."""

    seed: int = param(0, low=-(2**53), high=2**53)
    chunk_size: float = param(50.0, low=10.0, high=200.0)
    """[m]."""
    depth: float = param(50.0, low=25.0, high=200.0)
    """The cave lies between z = -depth and z = 0 [m]."""
    levels: int = param(3, low=1, high=8)
    """Storeys of cells."""
    cell: float = param(25.0, low=15.0, high=100.0)
    """Mean distance of hall to hall [m]."""
    openness: float = param(0.6, low=0.0, high=1.0)
    """Share of cells that may hold a hall; the rest is rock."""
    radius: tuple[float, float] = param((1.6, 3.2), low=1.5, high=10.0)
    """Half height of tunnels, least and greatest [m]."""
    chamber: tuple[float, float] = param((2.5, 5.5), low=1.5, high=15.0)
    """Half height of halls, least and greatest [m]."""
    voxel: float = param(0.5, low=0.1, high=0.75)
    """Detail of the rock [m]."""
    smooth: bool = True
    """Shade the rock with smooth normals; they come with the surface and cost next to nothing."""
    dripstone: float = param(0.5, low=0.0, high=1.0)
    """Share of the ceiling that drips."""
    lamp_spacing: float = param(8.0, low=2.0, high=1000.0)
    """Survey lamps stand so far apart along the way [m]."""
    dark: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radius", "chamber"):
            low, high = getattr(self, name)
            if low > high:
                raise WorldError(f"Cave: {name} goes from {low:g} to {high:g} m; put the smaller first")
        storey = (self.network.high - self.network.low) / self.levels
        if storey < 4.0:
            raise WorldError(
                f"Cave: {storey:.1f} m a level is too little; make it deeper, or fewer levels, or lower halls"
            )
        voxels = (self.chunk_size / self.voxel) ** 2 * self.depth / self.voxel
        if voxels > _MOST_VOXELS:
            raise WorldError(f"Cave: {voxels:.1g} voxels a chunk, the most is {_MOST_VOXELS:g}; make voxel larger")

    @cached_property
    def network(self) -> Network:
        """The tunnels without rock."""
        # Hashed, so that neighbouring seeds do not share octaves of noise.
        seed = int(hash_cell(self.seed, 0, 0, 0)) >> 2
        return Network(seed, self.cell, self.depth, self.levels, self.openness, self.radius, self.chamber)

    @cached_property
    def path(self) -> np.ndarray:
        """A way to fly: axis from the hall nearest the origin to the farthest gate of its region [m], shape [n, 3]."""
        home = region(self.network, 0, 0)
        start = int(np.argmin(np.linalg.norm(home.nodes[: len(home.halls), :2], axis=1)))
        ways = [home.way(start, len(home.halls) + n) for n in range(4)]
        longest = max(ways, key=len)
        longest.flags.writeable = False
        return longest

    def way(self) -> np.ndarray:
        """See `path`."""
        return self.path

    def spawn(self) -> tuple[float, float, float]:
        """The beginning of `path`, in the hall nearest the origin [m]."""
        x, y, z = self.path[0].tolist()
        return x, y, z

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Distance to the rock at points [n, 3], positive in free space [m], shape [n].

        In free space the nearest of 15 rays, so it may be too large: 1 m from a wall by 0.2 m in one case of twenty. In
        the rock an estimate that ends at -BAND. Dripstone and lamps are left out; stones keep off the axes.
        """
        points = np.atleast_2d(np.asarray(points, np.float64))
        keys, group = np.unique(np.floor(points[:, :2] / self.chunk_size).astype(int), axis=0, return_inverse=True)
        out = np.empty(len(points))
        for n, key in enumerate(keys):
            here, found = points[group == n], np.empty(np.count_nonzero(group == n))
            _native.cave_distances(self._field((int(key[0]), int(key[1]))).native, here, _AROUND, found)
            out[group == n] = found
        return out

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The walls, dripstone and lamps of a chunk; nothing where no tunnel passes."""
        field = self._field(key)
        return [*self._walls(key, field), *self._stones(key, field), *self._lamps(key, field)]

    def _field(self, key: ChunkKey) -> Field:
        return _field(self.network, self.chunk_size, key)

    def _near(self, key: ChunkKey) -> list[Region]:
        return _near(self.network, self.chunk_size, key)

    def _walls(self, key: ChunkKey, field: Field) -> list[Placement]:
        count = round(self.chunk_size / self.voxel)
        voxel = self.chunk_size / count
        deep = int(np.ceil(self.depth / voxel))
        first = np.array([key[0] * count - 1, key[1] * count - 1, -deep - 1])
        sampled = field.sample(first, (count + 3, count + 3, deep + 3), voxel)
        vertices, normals, faces = march(sampled, voxel)
        if len(faces) == 0:
            return []
        flat = (normals[:, 2][faces].sum(axis=1) > 3 * 0.8).astype(np.uint8)
        smooth = normals if self.smooth else None
        mesh = Mesh(vertices, faces, (ROCK, CLAY), flat, smooth, filled=True, name="cave")
        return [Placement.one("cave", mesh, (key[0] * self.chunk_size, key[1] * self.chunk_size, -deep * voxel))]

    def _inside(self, key: ChunkKey, points: np.ndarray) -> np.ndarray:
        return (np.floor(points[:, :2] / self.chunk_size) == key).all(axis=1)

    def _stones(self, key: ChunkKey, field: Field) -> list[Placement]:
        regions = self._near(key)
        axis = np.concatenate([w for r in regions for w in r.worms])
        lobes = np.concatenate([r.capsules[-3 * len(r.halls) :] for r in regions])
        sources = np.concatenate([axis, lobes["b"]])
        rays = np.concatenate([np.full(len(axis), 5), (7.0 * lobes["r_b"] ** 1.5).astype(int)])
        here = self._inside(key, sources)
        return grow(field, sources[here], rays[here], axis, seed=self.network.seed, abundance=self.dripstone)

    def _lamps(self, key: ChunkKey, field: Field) -> list[Placement]:
        every = max(round(self.lamp_spacing / STEP), 1)
        spots = [
            (w[n], w[n + 1] - w[n - 1], n // every)
            for r in self._near(key)
            for w in r.worms
            for n in range(every // 2 + 1, len(w) - 1, every)
        ]
        spots = [s for s in spots if self._inside(key, s[0][None])[0]]
        hung = [h for h in (_hang(p, along, n, field) for p, along, n in spots) if h is not None]
        if not hung:
            return []
        return [Placement("lamp", (_lamp(),), poses(np.array([p for p, _ in hung]), R=np.array([R for _, R in hung])))]


@lru_cache(maxsize=24)
def _field(net: Network, size: float, key: ChunkKey) -> Field:
    """The rock of a chunk and around it."""
    low = np.array([*(np.array(key) * size - _MARGIN), -net.depth - 2.0])
    high = np.array([*((np.array(key) + 1) * size + _MARGIN), 2.0])
    return Field(np.concatenate([r.capsules for r in _near(net, size, key)]), low, high, net.seed)


def _near(net: Network, size: float, key: ChunkKey) -> list[Region]:
    return net.regions(np.array(key) * size - _MARGIN, (np.array(key) + 1) * size + _MARGIN)


def _hang(p: np.ndarray, along: np.ndarray, number: int, field: Field) -> tuple[np.ndarray, np.ndarray] | None:
    """Place and rotation of a lamp on the wall, left and right in turn, high up beside the axis point p [m]."""
    side = np.array([-along[1], along[0], 0.0]) * (1.0 if number % 2 else -1.0)
    length = np.linalg.norm(side)
    d = np.array([0.0, 0.0, 1.0]) if length < 1e-6 else np.array([0.0, 0.0, 0.6]) + 0.8 * side / length
    t = field.cast(p, d)
    if t >= SIGHT:
        return None
    z = field.gradient(p + t * d)
    z /= np.linalg.norm(z) + 1e-12
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return p + t * d, np.column_stack([x, np.cross(z, x), z])


@lru_cache(maxsize=1)
def _lamp() -> Mesh:
    """A survey lamp on its bracket, z away from the wall [m]: closer, all that is seen would be a glaring spot."""
    bulb = sphere(0.11, 12, materials=(LAMP,)).moved(p=(0.0, 0.0, 0.45))
    socket = cylinder(0.05, 0.08, 10, materials=(SOCKET,)).moved(p=(0.0, 0.0, 0.33))
    arm = cylinder(0.014, 0.6, 6, materials=(SOCKET,)).moved(p=(0.0, 0.0, 0.0))
    return merge([bulb, socket, arm], "lamp")
