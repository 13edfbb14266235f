"""A boiler of a power plant, as inspectors see it from inside: a tall steel shaft with walls of tubes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from volery.core.config import Checked, param
from volery.core.geometry import Mesh, cylinder, merge, sphere
from volery.core.material import Material
from volery.errors import WorldError
from volery.world.generate.parts import STEEL, boxes, flat_ground, rolls, turn
from volery.world.world import ChunkKey, Placement, World, poses

__all__ = ["Boiler"]

_PLATE = Material("boiler_plate", (0.30, 0.29, 0.28), label="wall", roughness=0.6, reflectivity=0.35, texture="metal")
_TUBE = Material("boiler_tube", (0.23, 0.15, 0.11), label="wall", roughness=0.7, reflectivity=0.3, texture="metal")
_PLATEN = Material("platen", (0.27, 0.19, 0.14), label="pipe", roughness=0.6, reflectivity=0.3, texture="metal")
_FLOOR = Material("boiler_floor", (0.16, 0.15, 0.14), label="ground", reflectivity=0.2, texture="concrete")
_SCALE = Material("scale", (0.42, 0.24, 0.10), label="crack", reflectivity=0.4)
_LAMP = Material("lamp", (1.0, 0.92, 0.75), label="lamp", emission=6.0, temperature=320.0)

_PITCH = 0.14
"""Between tubes [m]."""


@dataclass(frozen=True, eq=False)
class Boiler(Checked, World):
    """A square shaft about the z axis, its floor at z = 0, open at the top.

    The wall at +x is of plain plate: to be touched. The three others are of upright tubes. Platens, walls of tubes that
    hang from above, stand in the way, and patches of scale mark places to look at.
    """

    seed: int = 0
    width: float = param(8.0, low=4.0, high=60.0)
    """Inside, from wall to wall [m]."""
    height: float = param(14.0, low=4.0, high=100.0)
    platens: int = param(2, low=0, high=20)
    """Hanging walls of tubes, side by side across y."""
    marks: int = param(5, low=0, high=200)
    """Patches of scale on the plate."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.platens and self.width < 1.8 * (self.platens + 1):
            raise WorldError(f"Boiler: {self.platens} platens need 1.8 m each; {self.width:g} m are too narrow")

    def generate(self, key: ChunkKey) -> list[Placement]:
        """The whole boiler, in the one chunk there is."""
        return [] if key != (0, 0) else [*self._shell(), *self._inside()]

    def spawn(self) -> tuple[float, float, float]:
        """Above the floor in the middle [m]."""
        return (0.0, 0.0, 1.5)

    def places(self) -> np.ndarray:
        """Middles of the patches of scale on the plate, [n, 3] [m]."""
        draw = rolls(self.seed, 0xB01E)
        half = 0.5 * self.width
        y, z = draw.uniform(-half + 0.8, half - 0.8, self.marks), draw.uniform(1.2, self.height - 1.0, self.marks)
        return np.column_stack([np.full(self.marks, half), y, z])

    def _shell(self) -> Iterator[Placement]:
        half, high = 0.5 * self.width, self.height
        yield Placement.one("ground", flat_ground(12 * self.width, _FLOOR, 8.0))
        plate = boxes((half + 0.05, 0, high / 2), (0.1, self.width + 0.2, high), _PLATE)
        yield Placement.one("plate", plate)
        across = np.arange(-half + _PITCH / 2, half, _PITCH)
        for name, yaw in (("tubes_left", np.pi / 2), ("tubes_rear", np.pi), ("tubes_right", -np.pi / 2)):
            yield Placement.one(name, _membrane(across, high, _TUBE).moved(turn(yaw), turn(yaw) @ (half, 0.0, 0.0)))

    def _inside(self) -> Iterator[Placement]:
        half, high = 0.5 * self.width, self.height
        across = np.arange(-0.22 * self.width, 0.22 * self.width, _PITCH)
        for n in range(self.platens):
            y = -half + self.width * (n + 1) / (self.platens + 1)
            hung = _membrane(across, 0.55 * high, _PLATEN).moved(turn(np.pi / 2), (-0.12 * self.width, y, 0.45 * high))
            yield Placement.one(f"platen_{n + 1}", hung)
        for n, p in enumerate(self.places()):
            patch = sphere(1.0, 18, materials=(_SCALE,))
            flat = Mesh(patch.vertices * (0.004, 0.16, 0.22), patch.faces, patch.materials, name="scale")
            yield Placement.one(f"scale_{n + 1}", flat, tuple(p))
        z = np.arange(2.0, high, 4.0)
        lamp = merge([sphere(0.09, 12, materials=(_LAMP,)), boxes((0, 0, 0.12), (0.05, 0.05, 0.16), STEEL)], "lamp")
        spots = [(sx * (half - 0.35), sy * (half - 0.35), h) for h in z for sx, sy in ((-1, -1), (-1, 1))]
        yield Placement("lamps", (lamp,), poses(np.array(spots), np.zeros(len(spots))))


def _membrane(across: np.ndarray, height: float, material: Material) -> Mesh:
    """Upright tubes along y at x = 0, joined by fins; its foot at z = 0 [m]."""
    tube = cylinder(0.3 * _PITCH, height, 10, materials=(material,))
    tubes = [tube.moved(p=(0.0, float(y), height / 2)) for y in across]
    # Beyond the outer tubes by a little, so that walls close at their corners
    wide = float(np.ptp(across)) + 2 * _PITCH
    fin = boxes((0, float(across.mean()), height / 2), (0.012, wide, height), material)
    return merge([*tubes, fin], "tubes")
