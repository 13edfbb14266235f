"""Kernels of worlds that are made by numbers."""

import numpy
import numpy.dtypes
import numpy.typing


BAND: float = 1.8

FLOOR: float = 0.65

SIGHT: float = 15.0

STEP: float = 1.5

CLEAR: float = 1.1

CaveCapsule: numpy.dtypes.VoidDType = ...

Drip: numpy.dtypes.VoidDType = ...

class CaveField:
    """The density of the cave's rock in a box, carved by capsules."""

def worm(a: numpy.typing.NDArray[numpy.float64], b: numpy.typing.NDArray[numpy.float64], low: numpy.typing.NDArray[numpy.float64], high: numpy.typing.NDArray[numpy.float64], seed: int) -> numpy.typing.NDArray[numpy.float64]:
    """Axis points from a to b [m], within a box, [n, 3]."""

def worm_radii(axis: numpy.typing.NDArray[numpy.float64], low: float, high: float, seed: int) -> numpy.typing.NDArray[numpy.float64]:
    """Half heights of a tunnel along its axis [m]."""

def cave_field(capsules: numpy.typing.NDArray[numpy.void], low: numpy.typing.NDArray[numpy.float64], high: numpy.typing.NDArray[numpy.float64], seed: int) -> CaveField:
    """The rock in the box low to high [m]."""

def cave_cast(field: CaveField, p: numpy.typing.NDArray[numpy.float64], d: numpy.typing.NDArray[numpy.float64]) -> float:
    """Distance along the unit vector d to the rock, up to SIGHT [m]."""

def cave_gradient(field: CaveField, p: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """Gradient of the density at a point."""

def cave_sample(field: CaveField, x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], z: numpy.typing.NDArray[numpy.float64], voxel: float) -> numpy.typing.NDArray[numpy.float64]:
    """Densities at the lattice points x × y × z [m], exact near the surface."""

def cave_distances(field: CaveField, points: numpy.typing.NDArray[numpy.float64], around: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Distances to the rock [m], by rays down the slope and along unit vectors; in the rock by density and slope.
    """

def march(density: numpy.typing.NDArray[numpy.float64], cases: numpy.typing.NDArray[numpy.int8], voxel: float) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]:
    """Vertices, normals and faces of a sampled density."""

def find_drips(field: CaveField, sources: numpy.typing.NDArray[numpy.float64], rays: numpy.typing.NDArray[numpy.int64], seed: int, threshold: float, out: numpy.typing.NDArray[numpy.void]) -> int:
    """
    Where rays upwards from sources, so many from each, find a dripping ceiling; returns how many.
    """

def stones_clear(top: numpy.typing.NDArray[numpy.float64], length: numpy.typing.NDArray[numpy.float64], radius: numpy.typing.NDArray[numpy.float64], axis: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.bool]) -> None:
    """
    Whether vertical stones from top downwards keep CLEAR of all axis points.
    """

def thin_pieces(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], normals: numpy.typing.NDArray[numpy.float32], materials: numpy.typing.NDArray[numpy.uint8], share: float, growth: float, stoutness: float, spindles: bool) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8]]:
    """
    A share of the pieces of a mesh, leaves and straws larger by a growth, others thicker by a stoutness or, as spindles, one triangle each: vertices, faces, normals and materials.
    """

def piece_areas(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.float64]:
    """Surface of each piece of a mesh [m²]."""

def wood_tubes(points: numpy.typing.NDArray[numpy.float64], radii: numpy.typing.NDArray[numpy.float64], corners: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32]]:
    """
    Tubes round limbs of points [m] and radii [m], whose rings have corners (cos, sin): vertices, faces, normals.
    """

def sample_sites(seed: int, layer: int, cell: float, i0: int, j0: int, rows: int, x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], draws: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    One candidate somewhere in every cell of a grid, with random numbers of its own.
    """

def prune_sites(x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], space: numpy.typing.NDArray[numpy.float64], rank: numpy.typing.NDArray[numpy.float64], rounds: int, keep: numpy.typing.NDArray[numpy.bool]) -> None:
    """
    Which sites stay, the higher rank first, so that two are the mean of their space apart [m]; x must ascend.
    """

def nearest_sites(x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], other_x: numpy.typing.NDArray[numpy.float64], other_y: numpy.typing.NDArray[numpy.float64], radius: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Distance of each point to the nearest other, less that one's radius [m].
    """
