"""What sensors make of rays."""

import numpy
import numpy.dtypes
import numpy.typing

import volery._native.rays


Optics: numpy.dtypes.VoidDType = ...

BeamEnd: numpy.dtypes.VoidDType = ...

Receiver: numpy.dtypes.VoidDType = ...

NOTHING: int = -1

HAZE: int = -2

def follow_beams(tables: volery._native.rays.SceneTables, optics: numpy.typing.NDArray[numpy.void], surface: int, last: bool, count: int, origins_S: numpy.typing.NDArray[numpy.float32], directions_S: numpy.typing.NDArray[numpy.float32], R_WS: numpy.typing.NDArray[numpy.float64], max_range: float, glass: int, key: int, hits: volery._native.rays.HitArrays, ends: numpy.typing.NDArray[numpy.void], which: numpy.typing.NDArray[numpy.int32], next_origins: numpy.typing.NDArray[numpy.float32], next_directions: numpy.typing.NDArray[numpy.float32], next_far: numpy.typing.NDArray[numpy.float32]) -> int:
    """
    Note where beams end and write down those that go on; returns how many do.
    """

def receive_echoes(tables: volery._native.rays.SceneTables, optics: numpy.typing.NDArray[numpy.void], ends: numpy.typing.NDArray[numpy.void], receiver: numpy.typing.NDArray[numpy.void], key: int, range: numpy.typing.NDArray[numpy.float32], intensity: numpy.typing.NDArray[numpy.float32], label: numpy.typing.NDArray[numpy.int32], object: numpy.typing.NDArray[numpy.int32]) -> None:
    """What the receiver tells of beams that ended."""

def false_return_chances(key: int, chance: numpy.typing.NDArray[numpy.float64]) -> None:
    """Even numbers of [0, 1), one a beam."""

def move_beams(directions: numpy.typing.NDArray[numpy.float32], firing: numpy.typing.NDArray[numpy.int32], time: numpy.typing.NDArray[numpy.float64], v_S: numpy.typing.NDArray[numpy.float64], w_S: numpy.typing.NDArray[numpy.float64], lever_S: numpy.typing.NDArray[numpy.float64], moved_origins: numpy.typing.NDArray[numpy.float32], moved_directions: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Beams as seen from the sensor's pose at the stamp, each from the pose of its own time.
    """

def place_points(range: numpy.typing.NDArray[numpy.float32], origins: numpy.typing.NDArray[numpy.float32], directions: numpy.typing.NDArray[numpy.float32], R: numpy.typing.NDArray[numpy.float64], p: numpy.typing.NDArray[numpy.float64], points: numpy.typing.NDArray[numpy.float32]) -> None:
    """Points at the end of beams, float32."""

def place_points_double(range: numpy.typing.NDArray[numpy.float32], origins: numpy.typing.NDArray[numpy.float32], directions: numpy.typing.NDArray[numpy.float32], R: numpy.typing.NDArray[numpy.float64], p: numpy.typing.NDArray[numpy.float64], points: numpy.typing.NDArray[numpy.float64]) -> None:
    """Points at the end of beams, float64."""

def rosette_pattern(time: numpy.typing.NDArray[numpy.float64], phase: numpy.typing.NDArray[numpy.float64], turns: numpy.typing.NDArray[numpy.float64], low: float, high: float, directions: numpy.typing.NDArray[numpy.float32]) -> None:
    """Directions of two prisms that turn against each other."""

def dome_pattern(time: numpy.typing.NDArray[numpy.float64], phase: numpy.typing.NDArray[numpy.float64], turns: numpy.typing.NDArray[numpy.float64], low: float, high: float, directions: numpy.typing.NDArray[numpy.float32]) -> None:
    """Directions of a turn about z while the elevation runs up and down."""

def scan_points(start: int, count: int, origins_S: numpy.typing.NDArray[numpy.float32], directions_S: numpy.typing.NDArray[numpy.float32], R_WS: numpy.typing.NDArray[numpy.float64], p_WS: numpy.typing.NDArray[numpy.float64], length: float, hits: volery._native.rays.HitArrays, points_W: numpy.typing.NDArray[numpy.float64], occupancy: numpy.typing.NDArray[numpy.int8], inside: numpy.typing.NDArray[numpy.bool]) -> None:
    """Points in W of rays: where they hit, or where they end free."""

def specific_force(R_before: numpy.typing.NDArray[numpy.float64], R_after: numpy.typing.NDArray[numpy.float64], v_before: numpy.typing.NDArray[numpy.float64], v_after: numpy.typing.NDArray[numpy.float64], dt: float, gravity: float, force_S: numpy.typing.NDArray[numpy.float64]) -> None:
    """Mean of v' - g over dt [s], in the axes halfway between two attitudes."""
