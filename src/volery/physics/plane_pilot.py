"""What flies an aeroplane of another's flight dynamics (JSBSim, FMUs): altitude, airspeed and heading by stick and
throttle, around the trim that it starts in."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from volery.core.config import Checked, param
from volery.errors import CommandError
from volery.physics.elastic.autopilot import AutopilotSetpoint, Seen, wrapped
from volery.physics.elastic.guidance import circling, goal_of, on_path
from volery.physics.motion import Follower, Motion
from volery.robots.commands import (
    Attitude,
    BodyVelocity,
    Command,
    ControlGroup,
    Cruise,
    Motors,
    Pose,
    Velocity,
)
from volery.world.atmosphere import GRAVITY

__all__ = ["FLIES_BY", "AeroplanePilot", "Flight", "PlaneGains", "Sticks"]

FLIES_BY = (Cruise, Velocity, BodyVelocity, Pose, Attitude, ControlGroup, Motors)
"""Commands that it understands."""
_STALLING, _NOSE = 0.8, math.radians(15.0)
"""Share of the airspeed wanted below which the nose goes down; pitch away from trim that is not exceeded [rad]."""


@dataclass(frozen=True)
class Flight(Checked):
    """A robot's `motion`: how it starts, and a path to fly."""

    path: list[tuple[float, float, float]] = field(default_factory=list)
    """Corners in W [m]; none: straight on."""
    loop: bool = True
    """Close the path and go round; else circle round its end."""
    airspeed: float | None = param(None, above=0.0, high=1000.0)
    """[m/s]; none: cruise, as the robot's file has it."""
    flying: bool = True
    """Starts in steady level flight; else at rest."""


@dataclass(frozen=True)
class PlaneGains(Checked):
    """Gains of the autopilot at the airspeed of cruise; sticks move less where the air is faster."""

    bank_deg: float = param(30.0, above=0.0, high=70.0)
    """Of the tightest turn [deg]."""
    climb: float = param(3.0, above=0.0, high=200.0)
    """Climbs and sinks at most so fast [m/s]."""
    height: float = param(0.2, above=0.0, high=10.0)
    """Climb per metre that is missing [1/s]."""
    slope: tuple[float, float] = param((1.0, 0.15), low=0.0, high=10.0)
    """Pitch per rad of climb angle that is missing, and per rad·s [1, 1/s]."""
    pitch: tuple[float, float] = param((6.0, 1.5), low=0.0, high=50.0)
    """Stick per rad of pitch that is missing, and per rad/s of pitching [1/rad, s/rad]."""
    roll: tuple[float, float] = param((1.0, 0.25), low=0.0, high=50.0)
    """Stick per rad of bank that is missing, and per rad/s of rolling [1/rad, s/rad]."""
    yaw: tuple[float, float] = param((0.4, 0.5), low=0.0, high=50.0)
    """Pedal per rad/s of turning that is missing, and per rad of sideslip [s/rad, 1/rad]."""
    speed: tuple[float, float] = param((4.0, 0.2), low=0.0, high=50.0)
    """Throttle per share of airspeed that is missing, and per share·s [1, 1/s]."""
    turn: float = param(0.3, above=0.0, high=10.0)
    """Turning rate per rad of heading that is missing [1/s]."""


@dataclass(frozen=True)
class Sticks:
    """What a pilot's hands and feet do."""

    roll: float = 0.0
    """To the right, -1 to 1."""
    pitch: float = 0.0
    """Nose up, -1 to 1."""
    yaw: float = 0.0
    """Nose left, -1 to 1."""
    throttle: tuple[float, ...] = (0.0,)
    """Of each engine, or of all, 0 to 1."""


class AeroplanePilot:
    """Flies one aeroplane as it was told."""

    def __init__(self, gains: PlaneGains, cruise: float, flight: Flight, engines: int) -> None:
        """cruise: airspeed [m/s]; engines: how many throttles there are."""
        self.gains, self.cruise, self.engines = gains, flight.airspeed or cruise, engines
        self.goal = AutopilotSetpoint()
        self.trim, self.pitch = Sticks(), 0.0
        """Sticks and pitch [rad] of steady flight."""
        self.follower = Follower(Motion(flight.path, loop=flight.loop)) if flight.path else None
        self.along = 0.0
        """How far along the path [m]."""
        self.centre: np.ndarray | None = None
        """What is circled round [m]."""
        self.motors: tuple[float, ...] | None = None
        """Throttles told one by one."""
        self.hands_off = True
        """Until it is told something, sticks stay as they were trimmed, unless there is a path."""
        self._sums = [0.0, 0.0]
        """Of slope [rad] and airspeed [share], times seconds."""

    def tell(self, name: str, command: Command, seen: Seen) -> None:
        """Take a command over; one that cannot be followed is refused and the last one stays."""
        if isinstance(command, Motors):
            if len(command.values) != self.engines or (command.values < 0.0).any():
                raise CommandError(f"robot '{name}' has {self.engines} throttles, 0 to 1; the last command stays")
            self.motors = tuple(float(v) for v in command.values)
            return
        goal = goal_of(command, seen, self.goal)
        if isinstance(goal, AutopilotSetpoint) and (goal.airspeed or self.cruise) < 0.5 * self.cruise:
            if not isinstance(command, BodyVelocity):
                raise CommandError(
                    f"robot '{name}' cannot fly at {goal.airspeed:g} m/s; it cruises at {self.cruise:g} m/s"
                )
            # Keys and sticks are made for drones: a speed that would not fly means "go on".
            goal.airspeed = None
        self.follower = self.follower if isinstance(command, Cruise) and command.heading is None else None
        self.hands_off, self.motors, self.centre = False, None, None
        if isinstance(goal, AutopilotSetpoint):
            self.goal = goal
        else:
            self.centre = goal

    def rest(self) -> None:
        """Sums begin anew: someone else has moved the aeroplane."""
        self._sums = [0.0, 0.0]

    def fly(self, seen: Seen, dt: float) -> Sticks:
        """Sticks for the next dt [s]."""
        if self.follower is not None:
            self.goal, self.along = on_path(self.follower, self.along, seen, None, self.tightest(seen.airspeed))
        elif self.centre is not None:
            self.goal = circling(self.centre, seen, None, self.tightest(seen.airspeed))
        elif self.hands_off:
            return self._with_motors(self.trim)
        throttle = self._speed(seen, dt) if self.goal.throttle is None else self.goal.throttle
        if self.goal.sticks is not None:
            roll, pitch, yaw = self.goal.sticks
            return self._with_motors(Sticks(roll, pitch, yaw, (throttle,) * self.engines))
        roll, pitch, yaw = self._attitude(seen, dt)
        share = min((self.cruise / seen.airspeed) ** 2, 2.0)
        at = self.trim
        moved = (at.roll + share * roll, at.pitch + share * pitch, at.yaw + share * yaw)
        roll, pitch, yaw = (min(max(stick, -1.0), 1.0) for stick in moved)
        return self._with_motors(Sticks(roll, pitch, yaw, (throttle,) * self.engines))

    def tightest(self, airspeed: float) -> float:
        """Radius of the tightest turn at an airspeed [m]."""
        return airspeed**2 / (GRAVITY * math.tan(math.radians(self.gains.bank_deg)))

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {
            "goal": asdict(self.goal), "following": self.follower is not None, "along": self.along,
            "centre": None if self.centre is None else self.centre.copy(), "hands_off": self.hands_off,
            "motors": None if self.motors is None else list(self.motors), "sums": list(self._sums),
            "trim": [self.trim.roll, self.trim.pitch, self.trim.yaw, list(self.trim.throttle)], "pitch": self.pitch,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        goal = dict(state["goal"])
        for name in ("attitude", "sticks"):
            goal[name] = None if goal[name] is None else tuple(goal[name])
        self.goal = AutopilotSetpoint(**goal)
        self.follower = self.follower if state["following"] else None
        self.along, self.hands_off = state["along"], state["hands_off"]
        self.centre = None if state["centre"] is None else np.array(state["centre"], float)
        self.motors = None if state["motors"] is None else tuple(state["motors"])
        self._sums, self.pitch = list(state["sums"]), state["pitch"]
        roll, pitch, yaw, throttle = state["trim"]
        self.trim = Sticks(roll, pitch, yaw, tuple(throttle))

    def _with_motors(self, sticks: Sticks) -> Sticks:
        return sticks if self.motors is None else Sticks(sticks.roll, sticks.pitch, sticks.yaw, self.motors)

    def _speed(self, seen: Seen, dt: float) -> float:
        missing = 1.0 - seen.airspeed / (self.goal.airspeed or self.cruise)
        gain, slow = self.gains.speed
        raw = self.trim.throttle[0] + gain * missing + slow * self._sums[1]
        if 0.0 < raw < 1.0 or raw * missing < 0.0:
            self._sums[1] = min(max(self._sums[1] + missing * dt, -3.0), 3.0)
        return min(max(raw, 0.0), 1.0)

    def _attitude(self, seen: Seen, dt: float) -> tuple[float, float, float]:
        """Sticks beside trim for the bank and the pitch that are wanted, at the airspeed of cruise."""
        bank, nose = self.goal.attitude or (self._bank(seen), self._nose(seen, dt))
        gains = self.gains
        p, q, r = seen.rates[0], -seen.rates[1], seen.rates[2]
        roll = gains.roll[0] * (bank - seen.roll) - gains.roll[1] * p
        pitch = gains.pitch[0] * (nose - seen.pitch) - gains.pitch[1] * q
        # Turning to the left is positive; so is air that comes from the right.
        wanted = -GRAVITY / seen.airspeed * math.tan(0.5 * (seen.roll + bank))
        slip = math.atan2(seen.air[1], seen.air[0])
        return roll, pitch, gains.yaw[0] * (wanted - r) + gains.yaw[1] * slip

    def _bank(self, seen: Seen) -> float:
        """Bank to the right that is wanted [rad]."""
        rate = self.goal.turn
        if self.goal.heading is not None:
            at = math.atan2(seen.v_W[1], seen.v_W[0]) if self.goal.track else seen.heading
            rate += self.gains.turn * wrapped(self.goal.heading - at)
        most = seen.airspeed / self.tightest(seen.airspeed)
        return -math.atan(min(max(rate, -most), most) * seen.airspeed / GRAVITY)

    def _nose(self, seen: Seen, dt: float) -> float:
        """Pitch that is wanted [rad]."""
        gains, goal = self.gains, self.goal
        climb = goal.climb if goal.altitude is None else gains.height * (goal.altitude - seen.p_W[2])
        climb = min(max(climb, -gains.climb), gains.climb)
        missing = (climb - seen.v_W[2]) / seen.airspeed
        nose = gains.slope[0] * missing + gains.slope[1] * self._sums[0]
        if abs(nose) < _NOSE or nose * missing < 0.0:
            self._sums[0] = min(max(self._sums[0] + missing * dt, -1.0), 1.0)
        slow = min(seen.airspeed / (_STALLING * (goal.airspeed or self.cruise)) - 1.0, 0.0)
        return self.pitch + min(max(nose, -_NOSE), _NOSE) + slow
