import numpy
import numpy.typing


def threads() -> int:
    """How many threads kernels run on."""

def most_threads() -> int:
    """How many threads there can be."""

def set_threads(count: int) -> None:
    """Choose how many; results do not depend on it."""

def hash_cell(seed: int, i: int, j: int, k: int) -> int:
    """64 random bits that belong to an integer cell and a seed."""

def uniform_cell(seed: int, i: int, j: int, k: int) -> float:
    """A number in [0, 1) that belongs to an integer cell and a seed."""

def perlin2(x: float, y: float, seed: int) -> float:
    """Perlin noise of the plane, within ±0.71."""

def perlin3(x: float, y: float, z: float, seed: int) -> float:
    """Perlin noise of space, within ±1."""

def fractal2(x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], seed: int, octaves: int, frequency: float, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Sum of octaves of perlin2, each of half the weight and twice the frequency [1/m] of the one before.
    """

def fractal3(x: numpy.typing.NDArray[numpy.float64], y: numpy.typing.NDArray[numpy.float64], z: numpy.typing.NDArray[numpy.float64], seed: int, octaves: int, frequency: float, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Sum of octaves of perlin3, each of half the weight and twice the frequency [1/m] of the one before.
    """
