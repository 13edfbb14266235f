"""What makes a robot a multirotor: the `multirotor` block of its file. Mass and inertia come from its model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import Description
from volery.robots.kind import RobotKind, ShownRotor

__all__ = ["MOST_ROTORS", "Cascade", "CollisionSphere", "Drag", "Multirotor", "PidGains", "PowerPack", "Rotor"]

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
    bumpers: tuple[CollisionSphere, ...] = field(default=())
    """What touches the world; by default one round each rotor, one in the middle, and the feet of the model."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 3 <= len(self.rotors) <= MOST_ROTORS:
            raise RobotError(f"a multirotor has 3 to {MOST_ROTORS} rotors, not {len(self.rotors)}")
        if self.idle_rpm >= self.most_rpm:
            raise RobotError(f"idle_rpm {self.idle_rpm:g} must be below most_rpm {self.most_rpm:g}")
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
