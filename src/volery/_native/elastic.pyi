"""Aircraft that bend: strips in unsteady air on MuJoCo's bodies."""

import numpy
import numpy.dtypes
import numpy.typing


Strip: numpy.dtypes.VoidDType = ...

StripAir: numpy.dtypes.VoidDType = ...

Disc: numpy.dtypes.VoidDType = ...

class Flight:
    """
    The step of one aircraft; its strips are copied, MuJoCo's arrays are not.
    """

    def __init__(self, model: object, data: object, library: str, strips: numpy.typing.NDArray[numpy.void], parts: numpy.typing.NDArray[numpy.int64], drag_area: float, wakes: bool) -> None: ...

def places(flight: Flight, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """Leading edges of all strips in W [s, 3] [m]."""

def run(flight: Flight, air: numpy.typing.NDArray[numpy.void], discs: numpy.typing.NDArray[numpy.void], flaps: numpy.typing.NDArray[numpy.float64], pushes: numpy.typing.NDArray[numpy.float64], count: int, dt: float, wake: float) -> bool:
    """
    `count` steps of dt [s] after the wake has gone on by `wake` [s]; whether the motion is sound.
    """

def settle(flight: Flight, air: numpy.typing.NDArray[numpy.void], discs: numpy.typing.NDArray[numpy.void], flaps: numpy.typing.NDArray[numpy.float64], pushes: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Forces of a flight that has gone on like this for ever; fills MuJoCo's qfrc_smooth and M.
    """

def lag_rates(flight: Flight, air: numpy.typing.NDArray[numpy.void], discs: numpy.typing.NDArray[numpy.void], flaps: numpy.typing.NDArray[numpy.float64], pushes: numpy.typing.NDArray[numpy.float64], dt: float, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    How fast both lags and the downwash change now, into out [s, 3] [m/s²].
    """

def disc_thrust(power: float, speed: float, rho: float, area: float) -> float:
    """
    Thrust [N] of a disc [m²] that puts a power [W] into air [kg/m³] that comes at a speed [m/s].
    """

def disc_power(thrust: float, speed: float, rho: float, area: float) -> float:
    """Power [W] into the air for a thrust [N] at a speed [m/s]."""
