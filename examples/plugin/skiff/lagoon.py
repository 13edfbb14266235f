"""A world of one's own: a lagoon with a bed that falls away from the shore."""

from dataclasses import dataclass

import numpy as np

from volery import Checked, ChunkKey, Material, Placement, World, grid, param

_SAND = Material("lagoon_sand", (0.45, 0.38, 0.25), label="ground", reflectivity=0.4, texture="soil")


@dataclass(frozen=True, eq=False)
class Lagoon(Checked, World):
    """A round lagoon about the origin, with its water's surface at z = 0 and sand below."""

    radius: float = param(30.0, low=5.0, high=500.0)
    """Of the water [m]."""
    depth: float = param(5.0, above=0, high=50.0)
    """In the middle [m]."""

    def depth_at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Depth of the water [m]; negative on land."""
        return self.depth * (1.0 - (x**2 + y**2) / self.radius**2)

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The bed as one surface, a little beyond the shore."""
        across = np.linspace(-1.2, 1.2, 121) * self.radius
        x, y = np.meshgrid(across, across, indexing="ij")
        spacing, corner = float(across[1] - across[0]), float(across[0])
        bed = grid(-self.depth_at(x, y), spacing, (corner, corner), materials=(_SAND,), name="bed")
        return [Placement.one("bed", bed)]

    def spawn(self) -> tuple[float, float, float]:
        """In the middle."""
        return (0.0, 0.0, 0.0)
