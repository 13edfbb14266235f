"""Flight of multirotors: autopilots, motors, rotors and bodies."""

import enum

import numpy
import numpy.dtypes
import numpy.typing

import volery._native.contact


DroneState: numpy.dtypes.VoidDType = ...

Reference: numpy.dtypes.VoidDType = ...

Air: numpy.dtypes.VoidDType = ...

DroneParameters: numpy.dtypes.VoidDType = ...

Bumper: numpy.dtypes.VoidDType = ...

Outcome: numpy.dtypes.VoidDType = ...

Touch: numpy.dtypes.VoidDType = ...

class Level(enum.IntEnum):
    """At which a drone is told what to do; each feeds the next ones."""

    OFF = 0
    """
    Motors stopped: not told anything yet on the ground, empty, or crashed.
    """

    POSITION = 1

    VELOCITY_HEADING = 2

    VELOCITY_RATE = 3

    ACCELERATION_HEADING = 4

    ACCELERATION_RATE = 5

    ATTITUDE = 6

    TILT_RATE = 7

    BODY_RATE = 8

    GROUP = 9

    ACTUATORS = 10

    CRASHED = 11
    """As OFF, but it takes no command until it is placed anew."""

def fly(which: numpy.typing.NDArray[numpy.int64], state: numpy.typing.NDArray[numpy.void], reference: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], air: numpy.typing.NDArray[numpy.void], dt: float, steps: int) -> None:
    """Some drones on by so many steps of dt [s] each."""

def outcomes(state: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], most: float, out: numpy.typing.NDArray[numpy.void]) -> bool:
    """
    What robots tell of drones; whether all are nearer, slower and spin less than `most` [m, m/s, rad/s].
    """

def wrenches(which: numpy.typing.NDArray[numpy.int64], state: numpy.typing.NDArray[numpy.void], reference: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], p_W: numpy.typing.NDArray[numpy.float64], q_WB: numpy.typing.NDArray[numpy.float64], v_W: numpy.typing.NDArray[numpy.float64], w_B: numpy.typing.NDArray[numpy.float64], air: numpy.typing.NDArray[numpy.void], dt: float, out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Advance autopilots and motors by dt [s]; force and torque about the centre of mass in B [N, N m].
    """

class BumpRules:
    """How drones meet what they touch."""

    def __init__(self, restitution: float, friction: float, crash_speed: float) -> None: ...

def bump(world: volery._native.contact.ContactWorld, near: numpy.typing.NDArray[numpy.int64], pairs: numpy.typing.NDArray[numpy.int64], state: numpy.typing.NDArray[numpy.void], reference: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], bumpers: numpy.typing.NDArray[numpy.void], air: numpy.typing.NDArray[numpy.void], dt: float, steps: int, rules: BumpRules, log: numpy.typing.NDArray[numpy.void]) -> int:
    """
    Drones that may touch something on by so many steps of dt [s]; how many contacts are in the log.
    """

def survey(world: volery._native.contact.ContactWorld, state: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], span: float, near: numpy.typing.NDArray[numpy.bool], air: numpy.typing.NDArray[numpy.void]) -> int:
    """
    Which drones may touch the world within `span` [s], and where the ground below is; how many.
    """

def alone(world: volery._native.contact.ContactWorld, state: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], count: int, span: float, free: float, meet: bool) -> bool:
    """Whether there is nothing within `free` [m] beyond the reach of drones."""

def find_pairs(state: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], count: int, span: float) -> numpy.typing.NDArray[numpy.int64]:
    """Pairs of drones that may meet within `span` [s], [m, 2]."""

def one_of_each_part(places: numpy.typing.NDArray[numpy.float64], size: float) -> numpy.typing.NDArray[numpy.float64]:
    """
    Of places [n, 3] the first in each cube of an edge of `size` [m] that holds any.
    """

def farthest(state: numpy.typing.NDArray[numpy.void], seen: numpy.typing.NDArray[numpy.float64], span: float) -> float:
    """
    How far from where it was seen a drone may be after the next `span` [s], the most of all [m].
    """

def thin_air(state: numpy.typing.NDArray[numpy.void], parameters: numpy.typing.NDArray[numpy.void], lowest: float, apart: float, densities: numpy.typing.NDArray[numpy.float64], air: numpy.typing.NDArray[numpy.void]) -> None:
    """
    Density of the air where drones are over that at which their thrust holds, into air's `share`.
    """
