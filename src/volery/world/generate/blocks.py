"""Plain worlds: nothing but ground, and AirSim's Blocks, whose object names its clients look for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cone, cylinder, merge, sphere
from volery.core.material import Material
from volery.errors import WorldError
from volery.world.generate.parts import boxes, curtain, flat_ground, rolls, stretch, wall, wedge
from volery.world.world import ChunkKey, Placement, World

__all__ = ["Blocks", "Empty", "rounded_cube"]

_SITE, _GROUP = 14.0, 7.0
"""Distance between groups of blocks [m], and how far one may reach: 5.5 m from a middle that is up to 1.4 m off."""
_GROUND = Material("blocks_ground", (0.21, 0.21, 0.2), label="ground", reflectivity=0.25, texture="concrete")
_ORANGE = Material("orange", (0.8, 0.22, 0.02), label="ball", roughness=0.5, reflectivity=0.5)
_PULSE = Material("pulse", (0.7, 0.55, 0.05), label="cone", reflectivity=0.5, emission=0.3)
_PAINTS = tuple(
    Material(f"paint_{name}", colour, label="block", roughness=0.7, reflectivity=0.4)
    for name, colour in (
        ("grey", (0.45, 0.45, 0.44)),
        ("white", (0.7, 0.69, 0.66)),
        ("blue", (0.1, 0.2, 0.45)),
        ("sand", (0.52, 0.4, 0.24)),
    )
)
_NAMES = {
    "cube": "TemplateCube_Rounded",
    "cone": "Cone",
    "ball": "Sphere",
    "cylinder": "Cylinder",
    "wall": "Wall",
    "arch": "Arch",
    "ramp": "Ramp",
}

_Block = tuple[str, tuple[float, float, float], tuple[float, float, float], float]
"""Kind, middle of the foot [m], size [m], yaw [rad]."""


@dataclass(frozen=True, eq=False)
class Empty(Checked, World):
    """Level ground and nothing else."""

    seed: int = 0
    size: float = param(2000.0, low=1.0, high=50_000.0)
    """Edge of the ground [m]."""
    ground: bool = True
    """Whether there is any; without, there is air alone."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The ground, in the one chunk there is."""
        if not self.ground:
            return []
        cell = max(50.0, self.size / 200)
        return [Placement.one("Ground", flat_ground(self.size, _GROUND, cell))] if key == (0, 0) else []


@dataclass(frozen=True, eq=False)
class Blocks(Checked, World):
    """A plain with cubes, cones, balls and cylinders in rows, stacks and rings, named as in AirSim's Blocks.

    Every block is a Placement of its own, so that a client finds it by name. Straight ahead of the start, on the x and
    the y axis, stands a wall of cubes. Nothing is higher than 15 m.
    """

    seed: int = 0
    size: float = param(200.0, low=30.0, high=2000.0)
    """Edge of the square that blocks stand in [m]; the ground is five times as wide."""
    count: int = param(60, low=0, high=10_000)
    """Blocks, apart from Ground, OrangeBall, PulsingCone and the two walls of cubes ahead."""
    clear: float = param(20.0, low=2.0, high=500.0)
    """Radius around the start that stays free [m]."""
    variety: bool = False
    """Walls with windows, arches and ramps too."""
    lanes: float = param(0.0, low=0.0, high=100.0)
    """Width of lanes along the x and the y axis that stay free, as far as blocks stand; the walls of cubes ahead then
    stand
    60 m beyond [m]. 0: none."""

    def lights(self) -> list[tuple[str, tuple[float, float, float]]]:
        """Lamps that clients find by name and can dim, and where they hang [m]."""
        far = 0.7 * self.clear
        return [("PointLight_1", (far, far, 6.0)), ("PointLight_2", (-far, -far, 6.0))]

    def generate(self, key: ChunkKey) -> list[Placement]:
        """All blocks, in the one chunk there is."""
        if key != (0, 0):
            return []
        out = [
            Placement.one("Ground", flat_ground(5 * self.size, _GROUND)),
            Placement("OrangeBall", (_ball(_ORANGE),), stretch((self.clear + 4, -8, 0), (2, 2, 2))),
            Placement(
                "PulsingCone", (cone(0.5, 1.0, materials=(_PULSE,)),), stretch((self.clear + 4, 8, 0), (2, 2, 3))
            ),
        ]
        draw = rolls(self.seed, 0xB10C)
        numbers: Counter[str] = Counter()
        for kind, p, size, yaw in [*self._ahead(), *self._groups(draw)]:
            numbers[kind] += 1
            mesh = _shape(kind, int(draw.integers(len(_PAINTS))))
            out.append(Placement(f"{_NAMES[kind]}_{numbers[kind]}", (mesh,), stretch(p, size, yaw)))
        return out

    @property
    def _wall(self) -> float:
        """How far ahead of the start the walls of cubes stand [m]."""
        return self.clear + 15 if self.lanes == 0.0 else self.size / 2 + 60

    def _ahead(self) -> list[_Block]:
        """Two walls of 3 × 2 cubes, where robots facing east and robots facing north meet them."""
        far = self._wall
        spots = [(far, 4.0 * i, 4.0 * k) for i in (-1, 0, 1) for k in (0, 1)]
        return [("cube", p, (4.0,) * 3, 0.0) for x, y, z in spots for p in ((x, y, z), (y, x, z))]

    def _groups(self, draw: np.random.Generator) -> list[_Block]:
        """Blocks at free sites until there are `count`."""
        n = int(self.size // _SITE)
        middle = (np.arange(n) - (n - 1) / 2) * _SITE
        sites = np.stack(np.meshgrid(middle, middle, indexing="ij"), axis=-1).reshape(-1, 2)
        far = self._wall
        near = [np.linalg.norm(sites - p, axis=1) for p in ((0, 0), (far, 0), (0, far), (self.clear + 4, 0))]
        sites = sites[(near[0] > self.clear + 6) & (near[1] > 13) & (near[2] > 13) & (near[3] > 16)]
        if self.lanes > 0.0:
            sites = sites[np.abs(sites).min(axis=1) > self.lanes / 2 + _GROUP]
        blocks: list[_Block] = []
        scattered = np.linalg.norm(sites, axis=1) * draw.uniform(0.4, 1.0, len(sites))
        for site in sites[np.argsort(scattered)]:
            if len(blocks) >= self.count:
                break
            x, y = site + draw.uniform(-1.4, 1.4, 2)
            blocks += _group(draw, x, y, self.variety)
        if len(blocks) < self.count:
            raise WorldError(
                f"Blocks: {self.count} blocks do not fit into {self.size:g} m; there is room for {len(blocks)}. "
                "Choose a smaller count or clear, or a larger size"
            )
        return blocks[: self.count]


def _group(draw: np.random.Generator, x: float, y: float, variety: bool) -> Iterator[_Block]:
    """One group of blocks around (x, y)."""
    makers = [_single, _row, _stack, _pyramid, _ring]
    yaw = float(draw.choice([0.0, np.pi / 2, draw.uniform(0, np.pi)]))
    if variety and draw.random() < 0.45:
        return _special(draw, x, y, yaw)
    return makers[draw.choice(5, p=[0.25, 0.25, 0.2, 0.15, 0.15])](draw, x, y, yaw)


def _single(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    w, h = draw.uniform(2.5, 7), draw.uniform(3, 12)
    kind = str(draw.choice(["cube", "cone", "ball", "cylinder"]))
    yield kind, (x, y, 0.0), ((w, w, w) if kind in ("ball", "cube") else (w, w, h)), yaw


def _row(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    kind = str(draw.choice(["cube", "cone", "cylinder"]))
    w, h = draw.uniform(1.5, 2.2), draw.uniform(2, 7)
    for t in (-4.0, 0.0, 4.0):
        yield kind, (x + t * np.cos(yaw), y + t * np.sin(yaw), 0.0), (w, w, w if kind == "cube" else h), yaw


def _stack(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    w, z = draw.uniform(3, 4.5), 0.0
    for k in range(draw.integers(2, 4)):
        yield "cube", (x, y, z), (w, w, w), yaw + 0.3 * k
        z, w = z + w, w * 0.85
    yield str(draw.choice(["ball", "cone"])), (x, y, z), (w, w, min(w, 15 - z)), yaw


def _pyramid(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    w = draw.uniform(2, 2.5)
    for k in range(3):
        for i in range(3 - k):
            t = (i - (2 - k) / 2) * w * 1.05
            yield "cube", (x + t * np.cos(yaw), y + t * np.sin(yaw), k * w), (w, w, w), yaw


def _ring(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    h = draw.uniform(2, 9)
    for a in yaw + np.arange(5) * (2 * np.pi / 5):
        yield "cylinder", (x + 4 * np.cos(a), y + 4 * np.sin(a), 0.0), (1.2, 1.2, h), 0.0


def _special(draw: np.random.Generator, x: float, y: float, yaw: float) -> Iterator[_Block]:
    kind = str(draw.choice(["wall", "arch", "ramp"]))
    size = {"wall": (10.0, 0.4, 5.0), "arch": (8.0, 1.5, 6.0), "ramp": (7.0, 4.0, 2.2)}[kind]
    yield kind, (x, y, 0.0), tuple(np.array(size) * draw.uniform(0.8, 1.1)), yaw


@cache
def _shape(kind: str, paint: int) -> Mesh:
    """A block of unit size standing on its origin."""
    material = _PAINTS[paint]
    makers = {
        "cube": lambda: rounded_cube(material),
        "cone": lambda: cone(0.5, 1.0, materials=(material,)),
        "ball": lambda: _ball(material),
        "cylinder": lambda: cylinder(0.5, 1.0, materials=(material,)).moved(p=(0, 0, 0.5)),
        "wall": lambda: wall(1, 1, 1, material, ((0.2, 0.4, 0.3, 0.7), (0.6, 0.8, 0.3, 0.7))).moved(p=(-0.5, 0, 0)),
        "arch": lambda: _arch(material),
        "ramp": lambda: wedge(1, 1, 1, material),
    }
    return makers[kind]()


def _ball(material: Material) -> Mesh:
    unit = sphere(0.5, 40, materials=(material,))
    return replace(unit, normals=unit.vertices * 2).moved(p=(0, 0, 0.5))


def rounded_cube(material: Material, bevel: float = 0.06) -> Mesh:
    """A unit cube with chamfered edges, standing on its origin: six faces, twelve chamfers, eight corners."""
    h, c = 0.5, 0.5 - bevel
    corners = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
    v = np.concatenate([np.where(np.eye(3)[axis] > 0, h, c) * corners for axis in range(3)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    axes = (2, 2, 1, 1, 0, 0)
    polygons = [[8 * axis + k for k in quad] for quad, axis in zip(quads, axes, strict=True)]
    for axis in range(3):
        a, b = (k for k in range(3) if k != axis)
        for k in (k for k in range(8) if not k >> axis & 1):
            m = k | 1 << axis
            polygons.append([8 * a + k, 8 * a + m, 8 * b + m, 8 * b + k])
    polygons += [[k, 8 + k, 16 + k] for k in range(8)]
    faces = np.array([[p[0], p[i], p[i + 1]] for p in polygons for i in range(1, len(p) - 1)])
    outward = np.cross(v[faces[:, 1]] - v[faces[:, 0]], v[faces[:, 2]] - v[faces[:, 0]])
    inside_out = np.einsum("ij,ij->i", outward, v[faces].mean(axis=1)) < 0
    faces[inside_out] = faces[inside_out][:, ::-1]
    return Mesh(v + np.array([0, 0, h]), faces, (material,), name="rounded_cube")


def _arch(material: Material) -> Mesh:
    """Two piers and a round arch in a unit box, standing on its origin along x."""
    a = np.linspace(np.pi, 0, 25)
    x, z = 0.32 * np.cos(a), 0.45 + 0.38 * np.sin(a)
    vault = curtain(np.column_stack([x, 0 * x]), z, np.ones_like(z), 1.0, material)
    piers = boxes(np.array([[-0.41, 0, 0.5], [0.41, 0, 0.5]]), (0.18, 1.0, 1.0), material)
    return merge([vault, piers], "arch")
