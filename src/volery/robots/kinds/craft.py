"""What makes a robot an aerial service robot: the `craft` block of its file. Mass and inertia come from its model.

A craft is lifted by fans, in ducts or free, and steered by vanes in their outflow, by tilting a rotor's disc, or by the
difference between fans. Its tool may touch the world (see `volery.robots.kinds.tool`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import Description
from volery.robots.kind import RobotKind
from volery.robots.kinds.tool import Tool

__all__ = ["Craft", "Fan", "Flapping", "Impedance", "Level", "Nearness", "Safety", "Vanes"]


@dataclass(frozen=True)
class Vanes(Checked):
    """Control vanes in a duct's outflow, all round its axis; each turns about the radius that it stands on.

    Vane i, from 1, stands at r_i = (½·spread·sin(γ_i − π/4), −½·spread·cos(γ_i − π/4), −drop) from the fan, with
    γ_i = first + 2π(i − 1)/count. At a positive angle it lifts along z × r_i: its lower edge points against that.
    """

    count: int = param(8, low=3, high=16)
    spread: float = param(0.2, above=0, high=20.0)
    """Distance between the middles of opposite vanes [m]."""
    drop: float = param(0.2, low=0.0, high=20.0)
    """How far below the fan they are [m]."""
    area: float = param(0.006, above=0, high=100.0)
    """Of one vane [m²]."""
    first_deg: float = param(0.0, low=-360.0, high=360.0)
    """γ of the first [degrees]."""
    most_deg: float = param(14.0, above=0, high=90.0)
    """Angle to either side [degrees]; they stall at 15."""
    time_constant: float = param(0.02, above=0, high=10.0)
    """Of their servos [s]."""
    body: str = ""
    """Bodies that turn about their first joint are called this and their number from 1; empty: none is shown."""


@dataclass(frozen=True)
class Flapping(Checked):
    """A rotor whose disc follows the swash plate with a lag, and its thrust the disc: a helicopter's."""

    most_deg: float = param(12.0, above=0, high=45.0)
    """Tilt to either side [degrees]."""
    time_constant: float = param(0.06, above=0, high=10.0)
    """How the disc follows [s]."""
    stiffness: float = param(0.0, low=0.0, high=1e5)
    """Moment of the hub by tilt [N m/rad]."""


@dataclass(frozen=True)
class Fan(Checked):
    """One fan or rotor."""

    most_thrust: float = param(above=0, high=1e6)
    """[N]."""
    radius: float = param(above=0, high=50.0)
    """Of the disc, and of a duct's outlet [m]."""
    least_thrust: float = param(0.0, low=-1e6, high=1e6)
    """[N]; negative for a tail rotor, which pushes both ways."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of its middle in the root's frame [m]."""
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Where it pushes to, in the root's frame, of any length."""
    spin: Literal["ccw", "cw", "none"] = "none"
    """Which way it turns, seen from where it pushes to; none: its torque is straightened out by stators."""
    torque_ratio: float = param(0.02, low=0.0, high=10.0)
    """Reaction torque over thrust [m]."""
    time_constant: float = param(0.08, above=0, high=10.0)
    """Of its thrust [s]."""
    speed: float = param(600.0, above=0, high=1e5)
    """At most thrust [rad/s], for the eye."""
    body: str = ""
    """Name of the body that turns about its first joint; empty: none is shown."""
    vanes: Vanes | None = None
    flapping: Flapping | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.least_thrust >= self.most_thrust:
            raise RobotError(f"fan: least_thrust {self.least_thrust:g} must be below most_thrust {self.most_thrust:g}")
        if not np.linalg.norm(self.axis) > 0:
            raise RobotError("fan: its axis is a null vector; say which way it pushes")


@dataclass(frozen=True)
class Nearness(Checked):
    """How ground, ceilings and walls near a lifting fan change its thrust; rays from the fan find them."""

    rate: float = param(20.0, above=0, high=1e4)
    """How often they are looked for [Hz]."""
    ground: float = param(1.0, low=0.0, high=10.0)
    """Of Cheeseman and Bennett's gain in thrust above ground, 1 / (1 − (radius / 4h)²) − 1: 1 as they say, 0 none."""
    ceiling: float = param(1.0, low=0.0, high=10.0)
    """Of the same gain below a ceiling."""
    wall: float = param(0.03, low=0.0, high=1.0)
    """Pull towards a wall at distance d of the axis: wall · thrust · (radius / d)²."""
    reach: float = param(6.0, above=0, high=100.0)
    """Beyond so many radii nothing is felt."""


@dataclass(frozen=True)
class Impedance(Checked):
    """The autopilot: the craft moves as a mass on a spring to its reference, with a damper.

    The spring's energy is ½·stiffness·e² up to where its force is `most_force`, and grows in proportion to e from there
    on, so that nothing it meets is pushed harder.
    """

    stiffness: tuple[float, float] = param((10.0, 25.0), above=0, high=1e5)
    """To the sides, and up and down [N/m]."""
    damping: tuple[float, float] = param((9.0, 14.0), above=0, high=1e5)
    """Injected, to the sides, and up and down [N s/m]."""
    most_force: float = param(8.0, above=0, high=1e5)
    """Of the spring [N]."""
    most_tilt_deg: float = param(30.0, above=0, high=80.0)
    attitude: tuple[float, float] = param((14.0, 5.0), above=0, high=1e3)
    """How fast tilt and heading follow [rad/s], both critically damped."""
    observer: tuple[float, float] = param((2.0, 8.0), low=0.0, high=1e3)
    """How fast forces and torques that nobody told of are found and countered [rad/s]; 0: not at all."""


@dataclass(frozen=True)
class Level(Checked):
    """A servo that keeps an arm's x axis level, whatever the craft does: pressed from ahead, it would fold up else."""

    joint: str
    """Hinge about y at the craft's centre of mass."""
    stiffness: float = param(20.0, low=0.0, high=1e6)
    """[N m/rad]."""
    damping: float = param(1.0, low=0.0, high=1e6)
    """[N m s/rad]."""
    most: float = param(2.0, above=0, high=1e6)
    """[N m]."""


@dataclass(frozen=True)
class Safety(Checked):
    """What a craft does when it was told nothing for longer than the `deadline` of its motion in the scenario."""

    retreat: float = param(0.6, low=0.0, high=100.0)
    """It draws back so far from what it touches, along the surface's normal, and hovers [m]."""
    remembered: float = param(1.0, low=0.0, high=1e3)
    """A touch so long ago still counts [s]."""


@dataclass(frozen=True)
class Craft(RobotKind):
    """Fans, air, autopilot and tool of an aerial service robot."""

    fans: tuple[Fan, ...]
    control: Impedance = field(default_factory=Impedance)
    nearness: Nearness = field(default_factory=Nearness)
    safety: Safety = field(default_factory=Safety)
    tool: Tool | None = None
    level: Level | None = None
    """An arm that is kept level."""
    efficiency: float = param(0.6, above=0, high=1.0)
    """Ideal power of the fans over power drawn."""
    idle_power: float = param(5.0, low=0.0, high=1e6)
    """Drawn beside the fans [W]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= len(self.fans) <= 8:
            raise RobotError(f"a craft has 1 to 8 fans, not {len(self.fans)}")

    def shown(self, description: Description) -> dict[int, tuple[str, int]]:
        """Joints that only show a fan ("fan") or a vane ("vane"), by their numbers, with its number among all."""
        found: dict[int, tuple[str, int]] = {}
        first = {joint.body: i for i, joint in reversed(list(enumerate(description.joints)))}
        vane = 0
        for k, fan in enumerate(self.fans):
            if fan.body:
                found[first[description.body(fan.body)]] = ("fan", k)
            if fan.vanes is not None:
                for i in range(fan.vanes.count):
                    if fan.vanes.body:
                        found[first[description.body(f"{fan.vanes.body}{i + 1}")]] = ("vane", vane + i)
                vane += fan.vanes.count
        return found

    def check(self, description: Description) -> None:
        """Refuse names that the model does not have."""
        jointed = {joint.body for joint in description.joints}
        names = [fan.body for fan in self.fans if fan.body]
        names += [f"{f.vanes.body}{i + 1}" for f in self.fans if f.vanes and f.vanes.body for i in range(f.vanes.count)]
        for name in names:
            if name not in description.bodies:
                raise RobotError(f"craft: {UnknownNameError('body', name, description.bodies)}")
            if description.body(name) not in jointed:
                raise RobotError(f"craft: body '{name}' has no joint to turn about")
        if self.tool is not None:
            description.site(self.tool.site)
        if self.level is not None:
            description.joint(self.level.joint)
