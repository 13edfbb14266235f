"""Robots without a model file: the `build` block of a robot file says chassis, wheels and parts, and becomes MJCF.

Frames are the robot's: x forward, y left, z up, the origin where the builder of the robot wants it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from volery.core.config import Checked, param
from volery.errors import RobotError
from volery.robots.kind import RobotKind

__all__ = ["Build", "Motor", "Part", "Shape", "Suspension", "Tyre", "Wheel"]


@dataclass(frozen=True)
class Shape(Checked):
    """A piece of a body: seen, touched and heavy."""

    kind: Literal["box", "cylinder", "sphere", "capsule"] = "box"
    size: tuple[float, float, float] = param((0.1, 0.1, 0.1), above=0.0, high=100.0)
    """Whole length along x, y, z [m]; a cylinder or capsule stands along z, as wide as x; a sphere is as wide as x."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of its middle in its body [m]."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw in its body [degrees]."""
    colour: tuple[float, float, float] = param((0.35, 0.35, 0.36), low=0.0, high=1.0)
    """Linear RGB."""
    mass: float = param(0.0, low=0.0, high=1e5)
    """[kg]."""
    solid: bool = True
    """Whether it touches things."""


@dataclass(frozen=True)
class Suspension(Checked):
    """A wheel's spring, upright."""

    stiffness: float = param(above=0.0, high=1e7)
    """[N/m]."""
    damping: float = param(above=0.0, high=1e6)
    """[N s/m]."""
    travel: float = param(0.01, above=0.0, high=1.0)
    """Up and down from where it stands [m]."""


@dataclass(frozen=True)
class Tyre(Checked):
    """How a wheel holds the ground."""

    friction: float = param(1.0, low=0.0, high=5.0)
    """Times that of the ground."""
    softness: float = param(0.03, low=0.004, high=0.1)
    """Time in which the tread gives way and comes back [s]: 0.004 is steel, 0.03 rubber with air in it."""


@dataclass(frozen=True)
class Motor(Checked):
    """What turns a joint."""

    torque: float = param(10.0, above=0.0, high=1e5)
    """Most [N m]."""
    speed: float = param(12.0, above=0.0, high=1e4)
    """Most, of a wheel [rad/s]."""


@dataclass(frozen=True)
class Wheel(Checked):
    """A car wheel: it spins, and may be sprung, steered or trail as a castor. Its spin joint has its name; springs and
    steering are `<name>_spring` and `<name>_steer`."""

    name: str
    position: tuple[float, float, float]
    """Of its middle in its parent [m]; of a castor, of the swivel at the height of the wheel's middle."""
    radius: float = param(above=0.0, high=10.0)
    """[m]."""
    width: float = param(0.06, above=0.0, high=10.0)
    """[m]."""
    mass: float = param(1.0, above=0.0, high=1e4)
    """[kg]."""
    parent: str = "base"
    driven: bool = True
    steer_deg: float = param(0.0, low=0.0, high=85.0)
    """To either side [degrees]; 0: it is not steered."""
    castor: float = param(0.0, low=0.0, high=1.0)
    """How far it trails behind a free swivel [m]; 0: it is no castor."""
    suspension: Suspension | None = None
    tyre: Tyre = field(default_factory=Tyre)
    motor: Motor = field(default_factory=Motor)


@dataclass(frozen=True)
class Part(Checked):
    """A further body, on a joint of its own name."""

    name: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """In its parent [m]."""
    parent: str = "base"
    joint: Literal["fixed", "hinge", "slide"] = "fixed"
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Of the joint, in its own frame."""
    range: tuple[float, float] | None = None
    """Of the joint [degrees, or m of a slide]; none: it has no end."""
    motor: Motor | None = None
    """Holds the joint where it is told; none: it moves freely."""
    shapes: list[Shape] = field(default_factory=list)


@dataclass(frozen=True)
class Build(RobotKind):
    """Chassis, wheels and parts of a robot on the ground; takes the place of a model."""

    mobile: ClassVar[bool] = False
    makes_model: ClassVar[bool] = True
    chassis: list[Shape]
    """What the root body, `base`, is made of."""
    wheels: list[Wheel] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    """Each after the one that carries it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.chassis or sum(s.mass for s in self.chassis) <= 0.0:
            raise RobotError("build: the chassis needs at least one shape, and mass")
        known = {"base"}
        for part in self.parts:
            _known_parent(part.name, part.parent, known)
            if part.joint != "fixed" and sum(s.mass for s in part.shapes) <= 0.0:
                raise RobotError(f"build: part '{part.name}' moves on its joint, so it needs shapes with mass")
            if not any(abs(a) > 1e-9 for a in part.axis):
                raise RobotError(f"build: part '{part.name}' has an axis without direction")
            if part.range is not None and part.range[0] >= part.range[1]:
                raise RobotError(f"build: part '{part.name}' has an empty range")
            known.add(part.name)
        names = set(known)
        for wheel in self.wheels:
            _known_parent(wheel.name, wheel.parent, known, names)
            if wheel.castor and (wheel.steer_deg or wheel.suspension is not None):
                raise RobotError(f"build: wheel '{wheel.name}' is a castor: it is neither steered nor sprung")
            names.add(wheel.name)

    def mjcf(self, name: str) -> str:
        """The model of chassis, wheels and parts."""
        from volery.robots.kinds.build_model import mjcf_of

        return mjcf_of(self, name)

    def implied(self) -> dict[str, RobotKind]:
        """The drive of its wheels, if any are driven."""
        from volery.robots.kinds.drive import drive_of

        drive = drive_of(self)
        return {} if drive is None else {"drive": drive}


def _known_parent(name: str, parent: str, known: set[str], taken: set[str] | None = None) -> None:
    if not name or name in (known if taken is None else taken):
        raise RobotError(f"build: '{name}' is no name, or taken twice; 'base' is the chassis")
    if any(c in name for c in "/\"<>&'"):
        raise RobotError(f"build: '{name}' has a letter that names cannot have")
    if parent not in known:
        raise RobotError(
            f"build: '{name}' hangs on '{parent}', which comes before it nowhere; is it later in the list?"
        )
