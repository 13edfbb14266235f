"""What one can tell a robot: one small set of commands for scripts, protocols, keyboards and agents alike.

A command is checked when it is made, so one with NaN in it never reaches a robot, which keeps its last good one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from volery.core.frames import quat_normalise
from volery.errors import CommandError, UnknownNameError

__all__ = [
    "COMMANDS", "Acceleration", "Attitude", "BodyVelocity", "Bones", "Command", "ControlGroup", "Cruise", "Dock",
    "Effort", "Flip", "Joints", "Motors", "Pose", "Press", "Rates", "Reach", "Release", "Steer", "Tilt", "Velocity",
    "Wheels", "Wrench", "command_of",
]  # fmt: skip


_NONE: Any = None


def _zeros() -> Any:
    return np.zeros(3)


def _given() -> Any:
    """A field without a default. Type checkers must not see that, or they take the field for a plain one."""
    return field()


def _damping() -> Any:
    return np.full(3, 5.0)


if TYPE_CHECKING:

    class Vector:
        """A field that is given as any list of numbers and read as an array of floats."""

        def __get__(self, command: object, kind: type | None = None) -> np.ndarray: ...
        def __set__(self, command: object, value: ArrayLike) -> None: ...

    class OptionalVector:
        """The same, or None."""

        def __get__(self, command: object, kind: type | None = None) -> np.ndarray | None: ...
        def __set__(self, command: object, value: ArrayLike | None) -> None: ...

else:
    Vector, OptionalVector = np.ndarray, np.ndarray | None


@dataclass(frozen=True, eq=False)
class Command:
    """The base of all; it holds until the next one."""

    vectors: ClassVar[dict[str, tuple[int, ...]]] = {}
    """Shapes of the fields that are arrays; -1: any length."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name in self.vectors and value is not None:
                object.__setattr__(self, f.name, _finite(self, f.name, value, self.vectors[f.name]))
            elif "None" in f.type and value is None:
                continue
            elif f.type.startswith("float") and not (_is_number(value) and np.isfinite(value)):
                raise CommandError(f"{type(self).__name__}: {f.name} is {value!r}; it must be a finite number")
            elif f.type == "str" and not isinstance(value, str):
                raise CommandError(f"{type(self).__name__}: {f.name} is {value!r}; it must be a text")

    def state(self) -> list[Any]:
        """Plain data that `command_of` takes back."""
        return [_NAMES[type(self)], {f.name: getattr(self, f.name) for f in fields(self)}]


@dataclass(frozen=True, eq=False)
class Velocity(Command):
    """Fly or drive at this velocity."""

    v_W: Vector = field(default_factory=_zeros)
    """[m/s], in W."""
    yaw_rate: float = 0.0
    """About the vertical [rad/s]."""
    yaw: float | None = None
    """Heading to keep [rad], instead of a rate."""
    a_W: Vector = field(default_factory=_zeros)
    """Acceleration to have on the way through [m/s²]."""
    vectors: ClassVar = {"v_W": (3,), "a_W": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_heading(self)


@dataclass(frozen=True, eq=False)
class BodyVelocity(Command):
    """Fly or drive at this velocity as seen from the robot: axes turn with its heading, z stays upright."""

    v_B: Vector = field(default_factory=_zeros)
    """Forward, left, up [m/s]."""
    yaw_rate: float = 0.0
    """About the vertical [rad/s]."""
    vectors: ClassVar = {"v_B": (3,)}


@dataclass(frozen=True, eq=False)
class Pose(Command):
    """Go there and stay."""

    p_WB: Vector = _given()
    """[m], in W."""
    yaw: float | None = None
    """Heading [rad]; None: as it is when the command comes."""
    v_W: Vector = field(default_factory=_zeros)
    """Velocity to have on the way through [m/s], for following a trajectory."""
    a_W: Vector = field(default_factory=_zeros)
    """Acceleration to have on the way through [m/s²]."""
    vectors: ClassVar = {"p_WB": (3,), "v_W": (3,), "a_W": (3,)}


@dataclass(frozen=True, eq=False)
class Acceleration(Command):
    """Fly with this acceleration; gravity is seen to."""

    a_W: Vector = field(default_factory=_zeros)
    """[m/s²], in W."""
    yaw_rate: float = 0.0
    """About the vertical [rad/s]."""
    yaw: float | None = None
    """Heading to keep [rad], instead of a rate."""
    vectors: ClassVar = {"a_W": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_heading(self)


@dataclass(frozen=True, eq=False)
class Attitude(Command):
    """Hold an attitude with a thrust: what a pilot's sticks say."""

    q_WB_wxyz: Vector = _given()
    thrust: float = _given()
    """Share of the most the rotors give together, 0 to 1."""
    vectors: ClassVar = {"q_WB_wxyz": (4,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.5 < np.linalg.norm(self.q_WB_wxyz) < 2.0:
            raise CommandError(f"Attitude: {self.q_WB_wxyz.tolist()} is not a unit quaternion (w, x, y, z)")
        _share(self, "thrust", self.thrust)
        object.__setattr__(self, "q_WB_wxyz", quat_normalise(self.q_WB_wxyz))


@dataclass(frozen=True, eq=False)
class Tilt(Command):
    """Let the rotors push along a direction with a thrust, while the heading turns."""

    up_W: Vector = _given()
    """Where the robot's z is to point to, in W, of any length."""
    thrust: float = _given()
    """Share of the most the rotors give together, 0 to 1."""
    yaw_rate: float = 0.0
    """About the vertical [rad/s]."""
    vectors: ClassVar = {"up_W": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.linalg.norm(self.up_W) > 1e-6:
            raise CommandError("Tilt: up_W is a null vector; say where the robot's z is to point to")
        _share(self, "thrust", self.thrust)


@dataclass(frozen=True, eq=False)
class Rates(Command):
    """Turn at these rates with a thrust: what a pilot's sticks say in acro mode."""

    w_B: Vector = _given()
    """About forward, left, up [rad/s]."""
    thrust: float = _given()
    """Share of the most the rotors give together, 0 to 1."""
    vectors: ClassVar = {"w_B": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        _share(self, "thrust", self.thrust)


@dataclass(frozen=True, eq=False)
class ControlGroup(Command):
    """What a mixer takes: how much more some rotors turn than others, and all together."""

    roll: float = 0.0
    """About forward [share of throttle], -1 to 1."""
    pitch: float = 0.0
    """About left, nose down, -1 to 1."""
    yaw: float = 0.0
    """About up, -1 to 1."""
    throttle: float = 0.0
    """Of all, 0 to 1, as one of `Motors`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("roll", "pitch", "yaw"):
            if abs(getattr(self, name)) > 1.0:
                raise CommandError(f"ControlGroup: {name} {getattr(self, name):g} must be -1 to 1")
        _share(self, "throttle", self.throttle)


@dataclass(frozen=True, eq=False)
class Motors(Command):
    """Drive each motor by itself, in the robot's order."""

    values: Vector = _given()
    """Share of each motor's most, -1 to 1 (rotors 0 to 1), [n]."""
    vectors: ClassVar = {"values": (-1,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if (np.abs(self.values) > 1.0).any():
            raise CommandError(f"Motors: {self.values.tolist()} must be -1 to 1")


@dataclass(frozen=True, eq=False)
class Joints(Command):
    """Bring joints to angles, turn them at speeds, or push them with efforts; joints not named keep what they had."""

    positions: dict[str, float] = field(default_factory=dict)
    """[rad or m]."""
    velocities: dict[str, float] = field(default_factory=dict)
    """[rad/s or m/s]."""
    efforts: dict[str, float] = field(default_factory=dict)
    """[N m or N]."""

    def __post_init__(self) -> None:
        # At every step of a robot that drives: no arrays, no look at the fields.
        for kind in ("positions", "velocities", "efforts"):
            for joint, value in getattr(self, kind).items():
                if not math.isfinite(value):
                    raise CommandError(f"Joints: {kind} of '{joint}' is {value}; it must be finite")
        named = [*self.positions, *self.velocities, *self.efforts]
        if len(set(named)) < len(named):
            twice = {n for n in named if named.count(n) > 1}
            raise CommandError(f"Joints: {', '.join(sorted(twice))} told two things at once; give each joint one")


@dataclass(frozen=True, eq=False)
class Wheels(Command):
    """Turn the wheels of each side: what a skid-steered or differential robot is driven by."""

    left: float = 0.0
    """All wheels on the left, forward positive [rad/s]."""
    right: float = 0.0
    """All wheels on the right [rad/s]."""


@dataclass(frozen=True, eq=False)
class Steer(Command):
    """Drive a robot with steered wheels; each wheel gets its own angle and speed about the common centre."""

    speed: float = 0.0
    """Of the wheels, forward positive [rad/s]."""
    front: float = 0.0
    """Angle of the front wheels' middle, to the left positive [rad]."""
    rear: float = 0.0
    """Angle of the rear wheels' middle, to the left positive [rad]."""


@dataclass(frozen=True, eq=False)
class Flip(Command):
    """Put a robot that lies on its side or back on its feet, by a torque from outside that ends when it stands."""

    torque: float = 350.0
    """Most of it [N m]."""
    seconds: float = 3.0
    """How long it is tried [s]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (0.0 < self.torque <= 1e5 and 0.0 < self.seconds <= 60.0):
            raise CommandError(f"Flip: {self.torque:g} N m for {self.seconds:g} s; must be above 0, at most 1e5 and 60")


@dataclass(frozen=True, eq=False)
class Dock(Command):
    """Bring the tool to a place behind a surface, and press on what it meets on the way with no more than a force."""

    p_W: Vector = _given()
    """Where the tool is to go to [m], in W; the farther behind the surface, the surer it presses."""
    way_W: Vector = _given()
    """Where it presses to, in W, of any length."""
    force: float = _given()
    """Along the way [N]."""
    speed: float = 0.2
    """At most, along the way [m/s]."""
    yaw: float | None = None
    """Heading [rad]; None: as it is when the command comes."""
    vectors: ClassVar = {"p_W": (3,), "way_W": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.linalg.norm(self.way_W) > 1e-6:
            raise CommandError("Dock: way_W is a null vector; say where the tool presses to")
        if not (0.0 <= self.force <= 1e6 and 0.0 < self.speed <= 1e3):
            raise CommandError(f"Dock: {self.force:g} N at {self.speed:g} m/s; must be 0 to 1e6, and above 0 to 1e3")


@dataclass(frozen=True, eq=False)
class Effort(Command):
    """Have the robot's own actuators give a force and a torque: what an autopilot outside of it says.

    A robot whose fans only push along its z gives just that part of the force.
    """

    force_B: Vector = field(default_factory=_zeros)
    """[N], in B."""
    torque_B: Vector = field(default_factory=_zeros)
    """About the centre of mass [N m], in B."""
    vectors: ClassVar = {"force_B": (3,), "torque_B": (3,)}


@dataclass(frozen=True, eq=False)
class Cruise(Command):
    """Fly as an aircraft does: at a height, an airspeed and a heading, which stay as they are where none is given."""

    altitude: float | None = None
    """z in W [m]."""
    airspeed: float | None = None
    """Through the air [m/s]."""
    heading: float | None = None
    """Of the nose, to the left of W's x [rad]."""
    curl: float = 0.0
    """How far flaps bend the wing's ends up (1) or down (-1), to turn its cells to the sun."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if abs(self.curl) > 1.0:
            raise CommandError(f"Cruise: curl {self.curl:g} must be -1 to 1")
        if self.airspeed is not None and self.airspeed <= 0.0:
            raise CommandError(f"Cruise: airspeed {self.airspeed:g} m/s must be above 0")


@dataclass(frozen=True, eq=False)
class Release(Command):
    """Let a part come off, with all that it carries; both fly on."""

    body: str
    """Name of the bone at whose inner end it comes off."""


@dataclass(frozen=True, eq=False)
class Bones(Command):
    """Turn and shift bones against where rest and joints put them; bones that are not named stay as they are."""

    rotations: dict[str, list[float]] = field(default_factory=dict)
    """Quaternion (w, x, y, z) by name or number of the bone, in the bone's own frame."""
    shifts: dict[str, list[float]] = field(default_factory=dict)
    """[m], likewise; not given: 0."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, length in (("rotations", 4), ("shifts", 3)):
            told = getattr(self, name)
            if not isinstance(told, dict):
                raise CommandError(f"Bones: {name} must be by name or number of a bone")
            values = {str(b): _finite(self, f"{name} of '{b}'", v, (length,)).tolist() for b, v in told.items()}
            object.__setattr__(self, name, values)
        for bone, q in self.rotations.items():
            if not 0.5 < np.linalg.norm(q) < 2.0:
                raise CommandError(f"Bones: {q} of '{bone}' is no unit quaternion (w, x, y, z)")


@dataclass(frozen=True, eq=False)
class Wrench(Command):
    """Push and twist a body from outside, on top of all that moves it, until told otherwise."""

    force_W: Vector = field(default_factory=_zeros)
    """[N], in W."""
    torque_W: Vector = field(default_factory=_zeros)
    """About the body's origin [N m], in W."""
    body: str = ""
    """Name of a body; empty: the root."""
    vectors: ClassVar = {"force_W": (3,), "torque_W": (3,)}


@dataclass(frozen=True, eq=False)
class Reach(Command):
    """Bring the tip of an arm to a place in the arm's own frame, and hold it there."""

    p_DT: Vector = _given()
    """[m], in D: the middle of the arm's plate, z out of it."""
    vectors: ClassVar = {"p_DT": (3,)}


@dataclass(frozen=True, eq=False)
class Press(Command):
    """Have the tip of an arm push: force + stiffness·(place − tip) − damping·velocity, each axis by itself. A stiffness
    of 0 along the force and a large one across it presses there and stays on the spot."""

    force_D: Vector = field(default_factory=_zeros)
    """On what the tip touches [N], in D."""
    p_DT: OptionalVector = field(default=_NONE)
    """Place that stiffness pulls to [m], in D."""
    stiffness: Vector = field(default_factory=_zeros)
    """By axis of D [N/m]."""
    damping: Vector = field(default_factory=_damping)
    """By axis of D [N s/m]."""
    vectors: ClassVar = {"force_D": (3,), "p_DT": (3,), "stiffness": (3,), "damping": (3,)}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("stiffness", 1e4), ("damping", 100.0)):
            values = getattr(self, name)
            if (values < 0.0).any() or (values > most).any():
                raise CommandError(f"Press: {name} {values.tolist()} must be 0 to {most:g}")


COMMANDS: dict[str, type[Command]] = {
    "velocity": Velocity,
    "body_velocity": BodyVelocity,
    "pose": Pose,
    "acceleration": Acceleration,
    "attitude": Attitude,
    "tilt": Tilt,
    "rates": Rates,
    "control_group": ControlGroup,
    "motors": Motors,
    "joints": Joints,
    "bones": Bones,
    "wheels": Wheels,
    "steer": Steer,
    "flip": Flip,
    "dock": Dock,
    "effort": Effort,
    "wrench": Wrench,
    "cruise": Cruise,
    "release": Release,
    "reach": Reach,
    "press": Press,
}
_NAMES = {kind: name for name, kind in COMMANDS.items()}


def command_of(name: str, values: dict[str, Any]) -> Command:
    """A command by name from plain data, as protocols and files have it."""
    if name not in COMMANDS:
        raise UnknownNameError("command", name, COMMANDS)
    known = [f.name for f in fields(COMMANDS[name])]
    for key in values:
        if key not in known:
            raise UnknownNameError(f"value of command '{name}'", key, known)
    try:
        return COMMANDS[name](**values)
    except (TypeError, ValueError, AttributeError) as error:
        raise CommandError(f"command '{name}': {error}; it takes {', '.join(known)}") from None


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def _one_heading(command: Velocity | Acceleration) -> None:
    if command.yaw is not None and command.yaw_rate != 0.0:
        raise CommandError(f"{type(command).__name__}: give a heading or a rate at which it turns, not both")


def _share(command: Command, name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise CommandError(f"{type(command).__name__}: {name} {value:g} must be 0 to 1")


def _finite(command: Command, name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    array = np.array(value, float)
    right = array.ndim == 1 if shape == (-1,) else array.shape == shape
    if not right or not np.isfinite(array).all():
        size = "n" if shape == (-1,) else shape[0]
        raise CommandError(f"{type(command).__name__}: {name} must be {size} finite numbers, got {value!r}")
    return array
