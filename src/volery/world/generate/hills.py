"""Open hills without end: terrain from fractal noise, and the ground that other worlds stand on."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from volery.core.config import Checked, param
from volery.core.material import Material
from volery.core.noise import fractal2, hash_cell
from volery.world.generate.scatter import Box
from volery.world.generate.simplify import height_field
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Hills"]

_FIELD_SPREAD = 0.24
"""Standard deviation of two octaves of Perlin noise."""
_SOIL_SPACING = 2.5
"""Distance of the points at which the soil is asked for [m]: it changes slowly, and noise is dear."""


def _soil(name: str, colour: tuple[float, float, float], texture: str = "soil") -> Material:
    return Material(name, colour, label="ground", texture=texture, reflectivity=0.3)


_GROUND = (
    _soil("leaf litter", (0.135, 0.093, 0.056)),
    _soil("soil", (0.118, 0.082, 0.05)),
    _soil("dark litter", (0.1, 0.072, 0.045)),
    _soil("moss", (0.08, 0.083, 0.042), "grass"),
    _soil("turf", (0.085, 0.1, 0.045), "grass"),
)


@dataclass(frozen=True, eq=False)
class Hills(Checked, World):
    """Rolling land of soil, moss and turf."""

    seed: int = param(0, low=0, high=2**53)
    chunk_size: float = param(50.0, low=5.0, high=200.0)
    """Edge of a chunk [m]."""
    hilliness: float = param(5.0, low=0.0, high=500.0)
    """Amplitude of the terrain's noise [m]."""
    frequency: float = param(0.03, low=1e-4, high=1.0)
    """Of the terrain's first octave [1/m]."""
    octaves: int = param(3, low=1, high=12)
    """Of the terrain's noise, each half as high and twice as fine as the one before."""
    roughness: float = param(0.08, low=0.0, high=1.0)
    """Amplitude of the small bumps of the ground [m]."""
    ground_spacing: float = param(0.5, low=0.2, high=10.0)
    """Edge of the ground's squares [m]."""

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The ground of the chunk."""
        return [self.ground(key)]

    def spawn(self) -> tuple[float, float, float]:
        """2 m above the ground at the origin."""
        return (0.0, 0.0, float(self.height(0.0, 0.0)) + 2.0)

    def start(self) -> tuple[float, float, float]:
        """The ground below the place to start, as rays meet it: on its triangles [m]."""
        x, y, _ = self.spawn()
        key = (int(np.floor(x / self.chunk_size)), int(np.floor(y / self.chunk_size)))
        placed = self.ground(key)
        mesh, corner = placed.meshes[0], placed.X_WO[0, :, 3]
        return (x, y, _height_on(mesh.vertices[mesh.faces], x - corner[0], y - corner[1]) + float(corner[2]))

    def height(self, x: np.ndarray | float, y: np.ndarray | float) -> np.ndarray:
        """Of the ground [m] at any points [m]."""
        hills = self.hilliness * fractal2(x, y, self.salted(1), self.octaves, self.frequency)
        return hills + self.roughness * fractal2(x, y, self.salted(2), 1, 0.6)

    def normal(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Of the ground at points of shape [n], as it is over half a metre, shape [n, 3]."""
        slope_x = self.height(x + 0.25, y) - self.height(x - 0.25, y)
        slope_y = self.height(x, y + 0.25) - self.height(x, y - 0.25)
        return _upright(slope_x * 2, slope_y * 2)

    def box(self, key: ChunkKey) -> Box:
        """The piece of the plane that a chunk covers [m]."""
        i, j = key
        return (i * self.chunk_size, j * self.chunk_size, (i + 1) * self.chunk_size, (j + 1) * self.chunk_size)

    def moisture(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Of the soil, about −1 dry to 1 wet."""
        return 2.5 * self.field(x, y, 3, 0.008)

    def turf(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Share of turf in the ground, 0 to 1."""
        return np.broadcast_to(0.75, np.shape(x))

    def ground(self, key: ChunkKey) -> Placement:
        """The chunk's terrain; its rim has the same vertices as the neighbours'."""
        n = max(1, round(self.chunk_size / self.ground_spacing))
        step = self.chunk_size / n
        # Counted from the world's origin, so that two chunks ask for the very same numbers on their seam.
        x, y = ((k * n + np.arange(-1, n + 2)) * step for k in key)
        z = self.height(x[:, None], y[None, :])
        normals = _upright((z[2:, 1:-1] - z[:-2, 1:-1]) / (2 * step), (z[1:-1, 2:] - z[1:-1, :-2]) / (2 * step))
        mesh = height_field(z[1:-1, 1:-1], step, normals, self._soil_kinds(key, n), materials=_GROUND, name="ground")
        corner = np.array([[*self.box(key)[:2], 0.0]])
        return Placement("ground", (mesh,), poses(corner))

    def _soil_kinds(self, key: ChunkKey, n: int) -> np.ndarray:
        """Index of the material of each triangle of the n × n squares of ground, [2, n, n]."""
        x0, y0, x1, y1 = self.box(key)
        m = int(np.ceil(self.chunk_size / _SOIL_SPACING)) + 1
        x, y = np.meshgrid(np.linspace(x0, x1, m), np.linspace(y0, y1, m), indexing="ij")
        turf = _refined(self.turf(x, y), n)
        moss = _refined(0.25 * self.moisture(x, y) + 0.9 * self.field(x, y, 4, 0.12), n)
        rng = np.random.Generator(np.random.Philox(key=int(hash_cell(self.seed, key[0], key[1], 5))))
        blur = rng.random((2, n, n))
        bare = np.digitize(moss + (blur - 0.5) * 0.5, (-0.22, 0.0, 0.24))
        return np.where(turf > 0.15 + 0.7 * rng.random((2, n, n)), 4, bare)

    def field(self, x: np.ndarray, y: np.ndarray, salt: int, frequency: float) -> np.ndarray:
        """A smooth random quantity of the land, about ±0.5, that changes over 1/frequency metres."""
        return fractal2(x, y, self.salted(salt), 2, frequency)

    def region(self, x: np.ndarray, y: np.ndarray, salt: int, frequency: float, share: float) -> np.ndarray:
        """1 inside patches that cover a share of the land, 0 outside, soft at the rim."""
        if share <= 0.0:
            return np.zeros(np.shape(x))
        rim = NormalDist(0.0, _FIELD_SPREAD).inv_cdf(1.0 - share)
        return np.clip((self.field(x, y, salt, frequency) - rim) / 0.06 + 0.5, 0.0, 1.0)

    def salted(self, salt: int) -> int:
        """A seed of its own for every use of chance."""
        return int(hash_cell(self.seed, salt, 0, 0)) >> 2


def _height_on(triangles: np.ndarray, x: float, y: float) -> float:
    """z at x, y of triangles [n, 3, 3] that cover the plane once."""
    a, b, c = (triangles[:, k].astype(np.float64) for k in range(3))
    ab, ac, ap = b - a, c - a, np.array([x, y]) - a[:, :2]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / area
        v = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / area
    i = int(np.nanargmax(np.minimum(np.minimum(u, v), 1.0 - u - v)))
    return float(a[i, 2] + u[i] * ab[i, 2] + v[i] * ac[i, 2])


def _upright(slope_x: np.ndarray, slope_y: np.ndarray) -> np.ndarray:
    """Unit normals of a height field with these slopes."""
    normal = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)], axis=-1)
    return normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def _refined(values: np.ndarray, n: int) -> np.ndarray:
    """A square of values interpolated linearly to the middles of n × n squares."""
    s = (np.arange(n) + 0.5) * ((len(values) - 1) / n)
    i = s.astype(int)
    f = s - i
    rows = values[i] * (1 - f)[:, None] + values[i + 1] * f[:, None]
    return rows[:, i] * (1 - f) + rows[:, i + 1] * f
