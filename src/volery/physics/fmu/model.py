"""What an FMU's variables mean for a robot: the `fmu` block of a robot file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from volery.core.config import param
from volery.errors import RobotError, UnknownNameError
from volery.physics.plane_pilot import PlaneGains
from volery.robots.description import Description
from volery.robots.kind import RobotKind

__all__ = ["INPUTS", "OUTPUTS", "FmuModel"]

OUTPUTS = {
    "x", "y", "z", "qw", "qx", "qy", "qz", "roll", "pitch", "yaw", "vx", "vy", "vz", "u", "v", "w", "p", "q", "r",
    "power",
}  # fmt: skip
"""Place [m]; attitude as a quaternion or as roll, pitch, yaw [rad]; velocity [m/s] in the world's axes or (u, v, w) the
body's; body rates [rad/s]; power drawn [W]. Besides `joint:NAME` [rad or m]."""
INPUTS = {
    "start_x", "start_y", "start_z", "start_yaw", "start_speed", "roll_stick", "pitch_stick", "yaw_stick", "throttle",
    "v_x", "v_y", "v_z", "yaw_rate", "wind_x", "wind_y", "wind_z", "density", "pressure", "temperature", "ground",
}  # fmt: skip
"""Where it starts [m, rad, m/s], set once; sticks of an aeroplane (right, nose up, nose left: -1 to 1) and throttle;
velocity that it is told [m/s, rad/s]; the air's velocity [m/s], density [kg/m³], pressure [Pa], temperature [K]; height
of the ground below it [m]. Besides `motor:N`, 0 and up, and `joint:NAME`."""
_NUMBERED = re.compile(r"motor:\d+|joint:.+")


@dataclass(frozen=True)
class FmuModel(RobotKind):
    """A robot that moves as an FMU says: co-simulation by FMI 2 or 3.

    Variables that are called as we call them need not be listed.
    """

    path: str
    """The file, relative to the robot's."""
    frame: Literal["enu_flu", "ned_frd"] = "enu_flu"
    """Axes that the FMU speaks in: x east, y north, z up and forward, left, up; or north, east, down and forward,
    right, down."""
    inputs: dict[str, str] = field(default_factory=dict)
    """What we tell it, by its own variables, such as {u_wind: wind_x}."""
    outputs: dict[str, str] = field(default_factory=dict)
    """What it tells us, by its own variables, such as {pos_1: x}."""
    parameters: dict[str, float] = field(default_factory=dict)
    """Start values of its own variables."""
    cruise: float = param(20.0, above=0.0, high=1000.0)
    """Airspeed at which an aeroplane starts and flies if it is told no other [m/s]."""
    trim: dict[str, float] = field(default_factory=dict)
    """Sticks and throttle of steady flight at that speed, and its `pitch` [rad]."""
    gains: PlaneGains = field(default_factory=PlaneGains)
    """Of the autopilot that flies by sticks."""
    mass: float = param(1.0, above=0.0, high=1e6)
    """For the impulse of what it runs into [kg]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for kind, table, known in (("input", self.inputs, INPUTS), ("output", self.outputs, OUTPUTS)):
            for what in table.values():
                if what not in known and not _NUMBERED.fullmatch(what):
                    raise RobotError(f"fmu: {UnknownNameError(f'meaning of an {kind}', what, known)}")
        for name in self.trim:
            if name not in ("roll_stick", "pitch_stick", "yaw_stick", "throttle", "pitch"):
                raise RobotError(
                    f"fmu: trim has no '{name}'; it has roll_stick, pitch_stick, yaw_stick, throttle, pitch"
                )

    def check(self, description: Description) -> None:
        """Refuse joints that the model does not have."""
        for what in (*self.inputs.values(), *self.outputs.values()):
            if what.startswith("joint:"):
                description.joint(what[6:])

    def meanings(self, table: dict[str, str], own: Iterable[str], known: set[str]) -> dict[str, str]:
        """The FMU's variables by what they mean: those listed, and those called as we call them."""
        own = set(own)
        for variable in table:
            if variable not in own:
                raise RobotError(f"{self.path}: {UnknownNameError('variable', variable, own)}")
        same = {name: name for name in own if (name in known or _NUMBERED.fullmatch(name)) and name not in table}
        return {**same, **{what: variable for variable, what in table.items()}}
