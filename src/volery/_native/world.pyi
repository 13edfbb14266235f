"""Kernels of the world: wind, and files of terrain."""

import enum

import numpy
import numpy.dtypes
import numpy.typing


WIND_LOWEST: float = 3.048

WIND_HIGHEST: float = 25000.0

WIND_LAYER_SPAN: float = 200.0

WIND_LAYERS: int = 9

WIND_KNOTS: int = 512

EDDY_SIZES: int = 16

EDDY_SMALLEST: float = 0.1

WindShape: numpy.dtypes.VoidDType = ...

WindLayer: numpy.dtypes.VoidDType = ...

WindGust: numpy.dtypes.VoidDType = ...

WindThermal: numpy.dtypes.VoidDType = ...

class Shear(enum.IntEnum):
    none = 0

    log = 1

    power = 2

class WindField:
    """The wind as a field."""

def wind_field(shape: numpy.typing.NDArray[numpy.void], strengths: numpy.typing.NDArray[numpy.float32], layers: numpy.typing.NDArray[numpy.void], gusts: numpy.typing.NDArray[numpy.void], thermals: numpy.typing.NDArray[numpy.void]) -> WindField:
    """
    The field of a shape (one row), strengths of eddies at the knots [m/s], layers (none, one or all), gusts, thermals.
    """

def wind_mean_factor(shape: numpy.typing.NDArray[numpy.void], h: float) -> float:
    """
    Mean wind at height h [m] as a multiple of that at the reference height.
    """

def wind_velocity(field: WindField, p_W: numpy.typing.NDArray[numpy.float64], ground: numpy.typing.NDArray[numpy.float64], t: float, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Velocities of the air in W [m/s] at points [m] over the ground (none: as the shape says) and time t [s].
    """

def unpack_lzw(data: numpy.typing.NDArray[numpy.uint8], out: numpy.typing.NDArray[numpy.uint8]) -> int:
    """
    TIFF's LZW (most significant bit first, early change): bytes written, or −1 if the data are broken.
    """
