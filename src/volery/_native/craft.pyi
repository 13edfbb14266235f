"""Crafts: fans, vanes, their autopilot, and tools that touch."""

import enum

import numpy
import numpy.dtypes
import numpy.typing

import volery._native.contact


Fan: numpy.dtypes.VoidDType = ...

FanState: numpy.dtypes.VoidDType = ...

Vane: numpy.dtypes.VoidDType = ...

Reference: numpy.dtypes.VoidDType = ...

Gains: numpy.dtypes.VoidDType = ...

Memory: numpy.dtypes.VoidDType = ...

Tool: numpy.dtypes.VoidDType = ...

Tip: numpy.dtypes.VoidDType = ...

Felt: numpy.dtypes.VoidDType = ...

class Level(enum.IntEnum):
    """By impedance; an attitude with a thrust; force and torque."""

    FLY = 0

    POINT = 1

    GIVE = 2

class Drift(enum.IntEnum):
    """How the place of a reference moves."""

    STAYS = 0

    DRIFTS = 1

    TURNS = 2

    LEADS = 3

class Law(enum.IntEnum):
    """By which surfaces press on a tool."""

    HUNT_CROSSLEY = 0

    SPRING_DAMPER = 1

    VIRTUAL_MASS = 2

class Craft:
    """What makes a craft: body and autopilot, fans and vanes; copied."""

    def __init__(self, gains: numpy.typing.NDArray[numpy.void], fans: numpy.typing.NDArray[numpy.void], vanes: numpy.typing.NDArray[numpy.void]) -> None: ...

def coefficients(angle: float) -> tuple[float, float]:
    """Of lift and drag of a vane at an angle of −π to π [rad]."""

def outflow(thrust: float, area: float, density: float, climb: float) -> float:
    """Speed of a duct's outflow by momentum theory [m/s]."""

def wrench(craft: Craft, fans: numpy.typing.NDArray[numpy.void], angles: numpy.typing.NDArray[numpy.float64], density: float, climb: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Force [N] and torque [N m] about the root's origin, both in B, into out [6], with nothing near.
    """

def allocate(craft: Craft, centre_B: numpy.typing.NDArray[numpy.float64], wanted: numpy.typing.NDArray[numpy.float64], density: float, climb: numpy.typing.NDArray[numpy.float64], fans: numpy.typing.NDArray[numpy.void], angles: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Thrusts, tilts and angles for a lift [N] and a torque [N m] about the centre of mass, wanted [4] in B.
    """

def follow(craft: Craft, told: numpy.typing.NDArray[numpy.void], told_angles: numpy.typing.NDArray[numpy.float64], dt: float, fans: numpy.typing.NDArray[numpy.void], angles: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Motors, servos and discs come nearer to what they were told, within their limits, for dt [s].
    """

def power(craft: Craft, fans: numpy.typing.NDArray[numpy.void], density: float) -> float:
    """Ideal power of all fans at rest in the air, by momentum theory [W]."""

def feel(world: volery._native.contact.ContactWorld, p_W: numpy.typing.NDArray[numpy.float64], radius: float, felt: numpy.typing.NDArray[numpy.void]) -> float:
    """
    Where a ball is deepest in the world: normal, depth and row into felt; the surface's friction.
    """

def press(world: volery._native.contact.ContactWorld, tool: numpy.typing.NDArray[numpy.void], p_W: numpy.typing.NDArray[numpy.float64], v_W: numpy.typing.NDArray[numpy.float64], dt: float, tip: numpy.typing.NDArray[numpy.void], felt: numpy.typing.NDArray[numpy.void]) -> None:
    """
    What the world does to a tip at p_W [m] with v_W [m/s] for the next dt [s].
    """

class Flight:
    """
    A craft in flight: the arrays that the kernels work on, which are not copied.
    """

    def __init__(self, craft: Craft, reference: object, memory: object, fans: object, angles: object, tool: object, tip: object, felt: object) -> None: ...

    @property
    def level(self) -> Level:
        """What of the reference counts."""

    @level.setter
    def level(self, arg: Level, /) -> None: ...

    @property
    def lift(self) -> float:
        """Force along z now [N]."""
