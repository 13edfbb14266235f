"""What makes a robot a multirotor: the `multirotor` block of its file. Mass and inertia come from its model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import Description
from volery.robots.kind import RobotKind, ShownRotor

__all__ = [
    "MOST_ROTORS",
    "AxisGains",
    "Cascade",
    "CollisionSphere",
    "Drag",
    "Multirotor",
    "PidGains",
    "PowerPack",
    "Rotor",
    "SimpleFlight",
]

MOST_ROTORS = 8


@dataclass(frozen=True)
class Rotor(Checked):
    """One rotor: on a body of the model, or at a place of its own."""

    spin: Literal["ccw", "cw"]
    """Which way it turns, seen from above."""
    body: str = ""
    """Name of the body that turns; its origin is the hub, its first joint shows the spin."""
    position: tuple[float, float, float] | None = None
    """Hub in the root's frame [m], instead of a body."""
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    """Where it pushes to, in the root's frame, of any length."""

    def hub(self, description: Description) -> np.ndarray:
        """Where it sits in the root's frame at rest [m]."""
        if self.position is not None:
            return np.array(self.position)
        p, body = np.zeros(3), description.body(self.body)
        while body > 0:
            X = description.X_PB[body]
            p = X[:, :3] @ p + X[:, 3]
            body = int(description.parent[body])
        return p


@dataclass(frozen=True)
class Drag(Checked):
    """Forces against the air's flow past the body, along its own axes."""

    area: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=0.0, high=1e3)
    """Drag coefficient times area, a force of ½·ρ·area·|v|·v [m²]."""
    linear: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=0.0, high=1e4)
    """A force of linear·v, whatever the air [N s/m]."""
    faces: bool = False
    """Whether the drag of each axis goes with the square of its own speed alone, as of the faces of a box:
    ½·ρ·area·vᵢ²."""
    rotor: float = param(0.0, low=0.0, high=1e4)
    """Of the turning rotors, in their plane: a force of rotor·v at hover, in proportion to their speed [N s/m]."""


@dataclass(frozen=True)
class PowerPack(Checked):
    """A battery of lithium cells in series. Its voltage sags under load, and with it the speed of the motors."""

    cells: int = param(4, low=1, high=100)
    capacity: float = param(5.0, above=0, high=1e4)
    """[A h]."""
    resistance: float = param(0.02, low=0.0, high=100.0)
    """Inner, of all cells together [Ω]."""
    full_voltage: float = param(4.2, above=0, high=10.0)
    """Of a full cell without load [V]."""
    empty_voltage: float = param(3.3, above=0, high=10.0)
    """Of an empty cell without load [V]; linear between."""
    charge: float = param(1.0, low=0.0, high=1.0)
    """Share that is there at the start."""


@dataclass(frozen=True)
class PidGains(Checked):
    """A PID loop: u = kp·e + kd·de/dt + ki·∫e, cut at ±most; the integral rests while |u| is not below windup."""

    kp: float = param(0.0, low=0.0)
    kd: float = param(0.0, low=0.0)
    ki: float = param(0.0, low=0.0)
    most: float = param(0.0, low=0.0)
    """0: no limit."""
    windup: float = param(1.0, low=0.0)


@dataclass(frozen=True)
class Cascade(Checked):
    """The autopilot: position → velocity → acceleration → attitude → body rates → mixer."""

    position: PidGains = PidGains(2.0, 0.15, 0.2, 6.0, 1.0)
    """Error [m] to velocity [m/s], per axis of W."""
    velocity: PidGains = PidGains(2.0, 0.05, 0.01, 4.0, 1.0)
    """Error [m/s] to acceleration [m/s²], per axis of W."""
    attitude: PidGains = PidGains(6.0, 0.05, 0.01, 10.0, 0.1)
    """Error [rad] to body rates [rad/s]."""
    most_yaw_rate: float = param(1.0, above=0, high=100.0)
    """[rad/s]."""
    rate_bandwidth: tuple[float, float, float] = param((30.0, 30.0, 8.0), above=0, high=1e3)
    """How fast body rates follow about x, y, z [1/s]; with inertia and rotors this gives the loop's gains."""
    rate_gain: tuple[float, float, float] | None = None
    """Gains of that loop themselves, instead: share of throttle per error [s/rad]."""
    rate_lead: float = param(0.01, low=0.0, high=1.0)
    """Its derivative gain over its gain [s]."""


@dataclass(frozen=True)
class AxisGains(Checked):
    """PID gains of a loop, for each of its three axes; its output is cut at ±1 and scaled by a limit."""

    kp: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=0.0, high=1e3)
    ki: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=0.0, high=1e3)
    kd: tuple[float, float, float] = param((0.0, 0.0, 0.0), low=0.0, high=1e3)


@dataclass(frozen=True)
class SimpleFlight(Checked):
    """The autopilot of AirSim's multirotors, with its gains and limits: position → velocity → angles → body rates."""

    position: AxisGains = AxisGains((0.25, 0.25, 0.25))
    """Error [m] along x, y, z of W to a share of `most_speed`."""
    velocity: AxisGains = AxisGains((0.2, 0.2, 2.0), (0.0, 0.0, 2.0))
    """Error [m/s] along the nose, across and up to a share of `most_tilt`, and to the throttle."""
    level: AxisGains = AxisGains((2.5, 2.5, 2.5))
    """Error [rad] of roll, pitch and heading to a share of `most_rates`."""
    rate: AxisGains = AxisGains((0.25, 0.25, 0.25))
    """Error [rad/s] about forward, left and up to a share of the throttle."""
    most_speed: float = param(6.0, above=0, high=1e3)
    """That an error of position asks for, per axis [m/s]."""
    most_tilt: float = param(np.pi / 5.5, above=0, high=1.5)
    """Roll and pitch that an error of velocity asks for [rad]."""
    most_rates: tuple[float, float, float] = param((2.5, 2.5, 2.5), above=0, high=100.0)
    """Body rates that an error of angle asks for [rad/s]."""
    leak: float = param(0.0333, low=0.0, high=100.0)
    """Share of the climb's integral that is forgotten [1/s]."""
    least_throttle: float = param(0.3, low=0.0, high=1.0)
    """While a velocity is flown, so that there is something to turn with."""
    least_turning: float = param(0.05, low=0.0, high=1.0)
    """Throttle below which all rotors do the same."""
    tilted_axes: bool = False
    """Whether errors of velocity are taken in axes that tilt with the body, as AirSim's are: then its climb is told a
    part
    of the error along the nose, and it leaps when it starts to fly fast. By default axes stay level."""


@dataclass(frozen=True)
class CollisionSphere(Checked):
    """A sphere fixed to the robot that touches things."""

    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Centre in the root's frame [m]."""
    radius: float = param(0.1, above=0, high=100.0)
    """[m]."""
    body: str = ""
    """Whose contact it reports; empty: the root's."""


@dataclass(frozen=True)
class Multirotor(RobotKind):
    """Rotors, air and autopilot. Motors are numbered in the order of `rotors`."""

    tunable: ClassVar[bool] = True
    from_start: ClassVar[tuple[str, ...]] = ("rotors", "bumpers")
    rotors: tuple[Rotor, ...]
    most_thrust: float = param(above=0, high=1e6)
    """Of one rotor at `most_rpm`, in air of `air_density` [N]."""
    most_rpm: float = param(9000.0, above=0, high=1e6)
    idle_rpm: float = param(0.0, low=0.0, high=1e6)
    """At throttle 0; a crashed or empty drone's rotors stop all the same."""
    torque_ratio: float = param(0.016, low=0.0, high=10.0)
    """Reaction torque over thrust [m]."""
    time_constant: float = param(0.03, above=0, high=10.0)
    """Of a motor's speed [s]."""
    radius: float = param(0.12, above=0, high=50.0)
    """Of a rotor [m]."""
    air_density: float = param(1.225, above=0, high=10.0)
    """At which the thrust holds [kg/m³]."""
    ground_effect: float = param(1.0, low=0.0, high=10.0)
    """Of Cheeseman and Bennett's gain in thrust near the ground: 1 as they say, 0 none."""
    efficiency: float = param(0.6, above=0, high=1.0)
    """Of motors and their controllers: shaft power over power drawn."""
    mass: float | None = param(None, above=0, high=1e6)
    """To fly with, inertia in proportion, in the physics of fleets [kg]; by default the model's."""
    idle_power: float = param(5.0, low=0.0, high=1e6)
    """Drawn beside the rotors [W]."""
    drag: Drag = Drag()
    battery: PowerPack | None = None
    """None: one that never sags nor ends."""
    control: Cascade = Cascade()
    simple_flight: SimpleFlight | None = None
    """Fly by this autopilot, instead of `control`."""
    bumpers: tuple[CollisionSphere, ...] = field(default=())
    """What touches the world; by default one round each rotor, one in the middle, and the feet of the model."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 3 <= len(self.rotors) <= MOST_ROTORS:
            raise RobotError(f"a multirotor has 3 to {MOST_ROTORS} rotors, not {len(self.rotors)}")
        if self.idle_rpm >= self.most_rpm:
            raise RobotError(f"idle_rpm {self.idle_rpm:g} must be below most_rpm {self.most_rpm:g}")
        if self.simple_flight is not None and self.idle_rpm > 0.0:
            raise RobotError("simple_flight tells motors shares of thrust, down to none: idle_rpm must be 0")
        for number, rotor in enumerate(self.rotors):
            if bool(rotor.body) == (rotor.position is not None):
                raise RobotError(f"rotor {number}: give either the name of its body or its position")
            if not np.linalg.norm(rotor.axis) > 0:
                raise RobotError(f"rotor {number}: its axis is a null vector; say which way it pushes")

    def thrust_at(self, throttle: float) -> float:
        """Share of the most thrust that a throttle of 0 to 1 gives: speeds are linear in it, from idle to most."""
        return ((self.idle_rpm + (self.most_rpm - self.idle_rpm) * throttle) / self.most_rpm) ** 2

    def check(self, description: Description) -> None:
        """Refuse names that the model does not have."""
        for name in [r.body for r in self.rotors] + [b.body for b in self.bumpers]:
            if name and name not in description.bodies:
                raise RobotError(f"multirotor: {UnknownNameError('body', name, description.bodies)}")

    def shown_rotors(self, description: Description) -> list[ShownRotor]:
        """Rotors that are bodies of the model."""
        turning = [(description.body(rotor.body), rotor.spin) for rotor in self.rotors if rotor.body]
        return [ShownRotor(body, self.radius, 1 if spin == "ccw" else -1) for body, spin in turning]
