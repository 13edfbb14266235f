"""Aircraft that bend: the `aircraft` block of a robot file says wing, surfaces and motors, and becomes MJCF and strips.

Frames are the robot's: x forward, y left, z up; the origin is where the wing's elastic axis crosses the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError, UnknownNameError
from volery.robots.kind import RobotKind
from volery.robots.kinds.boom import Boom
from volery.robots.kinds.build import Shape
from volery.robots.kinds.wing import AirfoilSection, Flap, Station, Wing

__all__ = ["Aircraft", "AirfoilSection", "AutopilotGains", "Boom", "Flap", "Propeller", "Station", "Surface", "Wing"]


@dataclass(frozen=True)
class Surface(Checked):
    """A tail plane or fin; it turns as a whole about its axis, or the part of it behind a hinge does."""

    name: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of the axis at its inner end, in the body at rest [m]."""
    on: str = ""
    """Name of the boom on whose end it stands; none: it is fixed to the body."""
    span: float = param(1.0, above=0.0, high=50.0)
    """From there outward [m]."""
    chord: float = param(0.5, above=0.0, high=10.0)
    side: Literal["right", "left", "up", "down"] = "right"
    """Where outward is."""
    strips: int = param(3, low=1, high=40)
    axis: float = param(0.25, low=0.0, high=1.0)
    """Share of the chord from the leading edge."""
    incidence_deg: float = param(0.0, low=-20.0, high=20.0)
    range_deg: float = param(20.0, low=0.0, high=60.0)
    """To either side [degrees]; trailing edge down, or left of a fin, is positive; 0: it is fixed."""
    flap: float = param(1.0, above=0.0, high=1.0)
    """Share of the chord that turns."""
    mass: float = param(0.5, low=0.0, high=1e3)
    """[kg]."""
    section: AirfoilSection = field(default_factory=AirfoilSection)


@dataclass(frozen=True)
class Propeller(Checked):
    """A motor with its propeller: an actuator disc of so much power, pulling ahead along its bone's x."""

    name: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m]; outside the innermost spring it sits on the bone that is there."""
    power: float = param(500.0, above=0.0, high=1e7)
    """Most, of the shaft [W]."""
    radius: float = param(0.5, above=0.0, high=10.0)
    """[m]."""
    efficiency: float = param(0.85, above=0.0, high=1.0)
    """Of the blades, on top of what the slipstream takes away."""
    electric: float = param(0.9, above=0.0, high=1.0)
    """Of motor and converter."""
    lag: float = param(0.3, low=0.0, high=10.0)
    """Time constant [s]."""
    mass: float = param(1.0, low=0.0, high=1e4)
    """[kg]."""


@dataclass(frozen=True)
class AutopilotGains(Checked):
    """How the autopilot flies it. Sticks say what share of each control's range goes with a full stick."""

    pitch: dict[str, float] = field(default_factory=dict)
    """Nose up, such as {elevator: -1}."""
    roll: dict[str, float] = field(default_factory=dict)
    """To the right."""
    yaw: dict[str, float] = field(default_factory=dict)
    """To the left."""
    curl: dict[str, float] = field(default_factory=dict)
    """Ends of the wing up."""
    climb: float = param(0.5, above=0.0, high=100.0)
    """Most, up or down [m/s]."""
    bank_deg: float = param(12.0, above=0.0, high=60.0)
    """Most [degrees]."""
    height_gain: float = param(0.05, low=0.0, high=10.0)
    """Climb rate per height that is missing [1/s]."""
    slope_gain: tuple[float, float] = param((0.8, 0.15), low=0.0, high=100.0)
    """Pitch per slope of flight that is missing, and per second of it [1, 1/s]."""
    pitch_gain: tuple[float, float] = param((1.2, 0.8), low=0.0, high=100.0)
    """Stick per pitch that is missing, and per nose-up rate [1/rad, s/rad]."""
    speed_gain: tuple[float, float] = param((2.0, 0.1), low=0.0, high=100.0)
    """Throttle per share of airspeed that is missing, and per second of it [1, 1/s]."""
    turn_gain: float = param(0.12, low=0.0, high=10.0)
    """Turning rate per heading that is missing [1/s]."""
    roll_gain: tuple[float, float] = param((1.0, 0.5), low=0.0, high=100.0)
    """Stick per bank that is missing, and per rate of roll [1/rad, s/rad]."""
    yaw_gain: tuple[float, float] = param((8.0, 0.5), low=0.0, high=100.0)
    """Stick per turning rate that is missing [s/rad], and per sideslip [1/rad]."""


@dataclass(frozen=True)
class Aircraft(RobotKind):
    """Wing, surfaces, motors and loads of an aircraft that bends; takes the place of a model."""

    makes_model: ClassVar[bool] = True
    wing: Wing
    surfaces: list[Surface] = field(default_factory=list)
    propellers: list[Propeller] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    """Fuselage, skids and loads; those outside the innermost springs sit on the wing's bones."""
    booms: list[Boom] = field(default_factory=list)
    """What bends between fuselage and tail; a stiff one is a shape."""
    drag_area: float = param(0.0, low=0.0, high=1e3)
    """Drag coefficient times area of all that is not wing or tail [m²]."""
    speed: float = param(20.0, above=0.0, high=300.0)
    """Equivalent airspeed of cruise: what it flies at sea level; higher up faster by √(ρ₀/ρ) [m/s]."""
    pilot: AutopilotGains = field(default_factory=AutopilotGains)
    panels: float = param(0.0, low=0.0, high=1.0)
    """Share of the wing's upper side that is solar cells."""
    cells: float = param(0.22, above=0.0, high=1.0)
    """Efficiency of the cells."""

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [*(f.name for f in self.wing.flaps), *(s.name for s in self.surfaces)]
        names += [p.name for p in self.propellers] + [b.name for b in self.booms]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice or any(not n or any(c in n for c in "/\"<>&'") for n in names):
            raise RobotError(
                f"aircraft: names of flaps, surfaces, propellers and booms must differ and be plain: {names}"
            )
        for surface in self.surfaces:
            if surface.on and surface.on not in (b.name for b in self.booms):
                raise UnknownNameError("boom", surface.on, tuple(b.name for b in self.booms))
        for stick in (self.pilot.pitch, self.pilot.roll, self.pilot.yaw, self.pilot.curl):
            for name in stick:
                self.control(name)

    @property
    def sides(self) -> tuple[int, ...]:
        """-1 for a right half, 1 for a left one, in the order of their bones."""
        return {"both": (-1, 1), "right": (-1,), "left": (1,)}[self.wing.halves]

    @property
    def controls(self) -> tuple[str, ...]:
        """Names of flaps and surfaces that turn, in order."""
        return (*(f.name for f in self.wing.flaps), *(s.name for s in self.surfaces if s.range_deg > 0))

    @property
    def ranges(self) -> np.ndarray:
        """Of `controls`, to either side [rad]."""
        turning: list[Any] = [*self.wing.flaps, *(s for s in self.surfaces if s.range_deg > 0)]
        return np.radians([t.range_deg for t in turning])

    def control(self, name: str) -> int:
        """Number of a flap or surface that turns."""
        if name not in self.controls:
            raise UnknownNameError("control surface", name, self.controls)
        return self.controls.index(name)

    def bone_name(self, side: int, number: int) -> str:
        """Of a wing's bone, counted from the root from 1; 0 is the root."""
        return "root" if number == 0 else f"{'right' if side < 0 else 'left'}_{number}"

    def module_bones(self) -> tuple[str, ...]:
        """Bones at whose inner ends the wing can come apart."""
        return tuple(self.bone_name(s, m) for s in self.sides for m in self.wing.cuts)

    def bone_at(self, y: float) -> tuple[int, int]:
        """Side and number of the bone at a place along the unbent beam [m]; number 0: the root."""
        number = int(abs(y) / self.wing.element + 0.5)
        side = 1 if y > 0 else -1
        return (side, min(number, self.wing.bones)) if number and side in self.sides else (0, 0)

    def mjcf(self, name: str) -> str:
        """The model of wing, tail and fuselage."""
        from volery.robots.kinds.aircraft_model import aircraft_mjcf

        return aircraft_mjcf(self, name)
