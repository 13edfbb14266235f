"""
What acts between the halves of MuJoCo's step, and state out of its arrays.
"""

import enum

import numpy
import numpy.dtypes
import numpy.typing

import volery._native.contact
import volery._native.craft


DraggedBody: numpy.dtypes.VoidDType = ...

PushedBody: numpy.dtypes.VoidDType = ...

FlyingBody: numpy.dtypes.VoidDType = ...

PlacedCraft: numpy.dtypes.VoidDType = ...

DeltaArm: numpy.dtypes.VoidDType = ...

ArmOrder: numpy.dtypes.VoidDType = ...

class ArmTask(enum.IntEnum):
    """What an arm was told."""

    IDLE = 0

    REACH = 1

    PRESS = 2

Touched: numpy.dtypes.VoidDType = ...

class Touching:
    """Contacts of a step, added up over its substeps."""

    def __init__(self, model: object, data: object, library: str, geom_body: numpy.typing.NDArray[numpy.int64], owner: numpy.typing.NDArray[numpy.int64]) -> None: ...

    def find_contacts(self, contacts: object) -> None:
        """Where they are, from `data.contact` with one at least."""

    @property
    def found(self) -> bool:
        """Whether it is known where MuJoCo's contacts are."""

    @property
    def count(self) -> int: ...

def clear_touching(touching: Touching) -> None:
    """A new step begins."""

def add_touching(touching: Touching, world: volery._native.contact.ContactWorld, count: int, dt: float) -> None:
    """Take in the contacts of a substep of dt [s]."""

def copy_touching(touching: Touching, out: numpy.typing.NDArray[numpy.void]) -> None:
    """What was touched, `Touched` [count]."""

class Step:
    """A model with its data; MuJoCo's arrays are not copied."""

    def __init__(self, model: object, data: object, library: str) -> None: ...

class Span:
    """Where one robot's numbers are in a model."""

    def __init__(self, step: Step, body: int, bodies: int, q: int, v: int, joints: numpy.typing.NDArray[numpy.int64], joint_q: numpy.typing.NDArray[numpy.int64], joint_v: numpy.typing.NDArray[numpy.int64]) -> None: ...

def begin(step: Step) -> None:
    """
    The first half of a substep: where bodies are, how fast, and what they touch.
    """

def push(step: Step, dragged: numpy.typing.NDArray[numpy.void], pushed: numpy.typing.NDArray[numpy.void], dt: float) -> None:
    """Begin the forces anew, with drag and pushes, for the next dt [s]."""

def finish(step: Step) -> bool:
    """The second half of a substep; whether the motion is sound."""

def sound(qpos: numpy.typing.NDArray[numpy.float64], qvel: numpy.typing.NDArray[numpy.float64]) -> bool:
    """Whether all is finite and nothing has blown up."""

def drive_arm(step: Step, arm: numpy.typing.NDArray[numpy.void], order: numpy.typing.NDArray[numpy.void]) -> None:
    """Torques of one arm for the next substep."""

def gather_flying(step: Step, flying: numpy.typing.NDArray[numpy.void], p: numpy.typing.NDArray[numpy.float64], q: numpy.typing.NDArray[numpy.float64], v: numpy.typing.NDArray[numpy.float64], w: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Places and velocities of drones: in W, but the angular velocity in the body's axes.
    """

def push_flying(step: Step, flying: numpy.typing.NDArray[numpy.void], wrenches: numpy.typing.NDArray[numpy.float64]) -> None:
    """Add forces and torques in B about centre_B, [n, 6]."""

def press_tool(step: Step, placed: numpy.typing.NDArray[numpy.void], flight: volery._native.craft.Flight, world: volery._native.contact.ContactWorld, dt: float) -> None:
    """
    What the world does to a craft's tool for the next dt [s], into what the flight felt.
    """

def push_craft(step: Step, placed: numpy.typing.NDArray[numpy.void], flight: volery._native.craft.Flight, dt: float) -> None:
    """
    Fly on for dt [s], and add what fans, surface and the servo of its arm do.
    """

def take(step: Step, span: Span, positions: numpy.typing.NDArray[numpy.float64], velocities: numpy.typing.NDArray[numpy.float64], efforts: numpy.typing.NDArray[numpy.float64], root: numpy.typing.NDArray[numpy.float64], joints: numpy.typing.NDArray[numpy.float64], wrenches: numpy.typing.NDArray[numpy.float64]) -> float:
    """
    State of a robot: root [13], joints [3, j] (positions, velocities, efforts; those that the model does not have as before), what each body exerts on its parent [b, 6]. Returns the power of its motors [W].
    """
