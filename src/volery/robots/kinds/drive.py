"""Robots that drive: wheel speeds from a wanted motion, and steering to a point, along a path or at a velocity.

Pure functions of where the robot is; what must be remembered between steps is in `volery.physics.driving`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.config import param
from volery.errors import RobotError, UnknownNameError
from volery.robots.description import Description
from volery.robots.kind import RobotKind
from volery.robots.kinds.build import Build

__all__ = ["Drive", "bearing", "drive_of"]

_REACHED = 0.03
"""A goal is reached within this distance [m]."""
_NEAR = 0.1
"""The same for steered wheels, which cannot turn on the spot [m]."""
_CREEP = 0.3
"""Share of their speed at which they go round to what lies behind."""
_ROOM = 8.0
"""Nearer than so many tracks they shunt instead."""
_ASIDE = 0.9
"""What lies further off the nose than this is turned to on the spot [rad]."""
_APPROACH = 1.5
"""Speed towards a goal, per metre of distance left [1/s]."""
_TURN = 2.5
"""Rate of turning, per radian of heading left [1/s]."""
_SCRUB = 1.8
"""Of a skid-steered robot that nobody has measured."""
_LEAD = 0.5
"""How far ahead on a trajectory the robot aims [s]."""


@dataclass(frozen=True)
class Drive(RobotKind):
    """Which joints of a robot on the ground are wheels, and what the robot does with them.

    A wheel's joint axis points left, so that it rolls forward when it turns by a positive angle.
    """

    drives: ClassVar[bool] = True

    left: list[str]
    """Joints of the wheels on the left."""
    right: list[str]
    """Joints of the wheels on the right."""
    radius: float = param(above=0, high=100.0)
    """Of the wheels [m]."""
    track: float = param(above=0, high=1000.0)
    """Between the middles of the left and the right wheels [m]."""
    kind: Literal["differential", "skid", "ackermann"] = "differential"
    """Two wheels and what trails behind; wheels in rows that slide sideways in a turn; or wheels that are steered."""
    steer_front: list[str] = field(default_factory=list)
    """ackermann: joints that steer front wheels; their axes point up."""
    steer_rear: list[str] = field(default_factory=list)
    """ackermann: joints that steer rear wheels."""
    top_steer: float = param(0.6, above=0, high=1.5)
    """Most that the middle of an axle is steered [rad]."""
    scrub: float = param(1.0, low=1.0, high=10.0)
    """Skidding wheels turn the robot as if they were this many times as far apart; measured, 1 where none slides."""
    top_speed: float = param(1.0, above=0, high=1000.0)
    """Of the wheels over ground [m/s]."""
    top_yaw_rate: float = param(2.0, above=0, high=100.0)
    """[rad/s]."""
    firmware_yaw_rate: float | None = param(None, above=0, high=100.0)
    """Most that the robot turns at when the wheels of each side are told [rad/s]; none: what the wheels make."""
    acceleration: float = param(1.0, above=0, high=1000.0)
    """Most change of speed [m/s²]."""
    turn_acceleration: float = param(4.0, above=0, high=1000.0)
    """Most change of the yaw rate [rad/s²]."""

    integral: float = param(10.0, low=0.0, high=100.0)
    """How fast a wheel that is too slow under its load is told to be faster [1/s]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.left or not self.right:
            raise RobotError("drive: name the wheel joints on the left and on the right")
        twice = {j for j in self.left if j in self.right}
        if twice:
            raise RobotError(f"drive: {', '.join(sorted(twice))} cannot be on both sides")
        if self.kind == "differential" and self.scrub != 1.0:
            raise RobotError("drive: a differential drive does not scrub; leave 'scrub' out or say 'kind: skid'")
        if self.steers != bool(self.steer_front or self.steer_rear):
            raise RobotError("drive: 'kind: ackermann' and 'steer_front' or 'steer_rear' belong together")

    @property
    def steers(self) -> bool:
        """Whether wheels are steered: such a robot turns only while it goes."""
        return self.kind == "ackermann"

    def check(self, description: Description) -> None:
        """Refuse wheels that the robot does not have."""
        for joint in (*self.left, *self.right, *self.steer_front, *self.steer_rear):
            try:
                description.joint(joint)
            except UnknownNameError as error:
                raise RobotError(f"drive: {error}") from None

    # Wheels

    def wheel_speeds(self, v: float, yaw_rate: float) -> dict[str, float]:
        """Joint speeds [rad/s] to go ahead at v [m/s] and turn left at a rate [rad/s].

        Where a wheel would have to be faster than it can, all slow down alike: the curve stays the same.
        """
        across = 0.5 * yaw_rate * self.track * self.scrub
        left, right = v - across, v + across
        fastest = max(abs(left), abs(right))
        share = min(1.0, self.top_speed / fastest) / self.radius if fastest > 0 else 0.0
        return {**dict.fromkeys(self.left, left * share), **dict.fromkeys(self.right, right * share)}

    def motion(self, left: float, right: float) -> tuple[float, float]:
        """Speed ahead [m/s] and yaw rate [rad/s] that follow from the wheels' speeds [rad/s]."""
        return 0.5 * self.radius * (left + right), self.radius * (right - left) / (self.track * self.scrub)

    def by_wheels(self, left: float, right: float) -> tuple[float, float]:
        """The same where the firmware on board keeps its own limit of turning; a curve stays the same curve."""
        v, yaw_rate = self.motion(left, right)
        share = min(1.0, (self.firmware_yaw_rate or math.inf) / max(abs(yaw_rate), 1e-9))
        return v * share, yaw_rate * share

    # Steering: each gives a speed ahead [m/s] and a yaw rate [rad/s]

    def at_velocity(self, yaw: float, v_W: np.ndarray, yaw_rate: float) -> tuple[float, float]:
        """Turn to where a velocity [m/s] points, and go; standing, turn at the given rate."""
        speed = math.hypot(v_W[0], v_W[1])
        if speed < 1e-6:
            return self.within(0.0, yaw_rate)
        off = _wrap(math.atan2(v_W[1], v_W[0]) - yaw)
        return self.within(self._ahead(speed, off), _TURN * off + yaw_rate)

    def to_pose(self, p_WB: np.ndarray, yaw: float, goal_W: np.ndarray, heading: float) -> tuple[float, float]:
        """Go to a point [m], then turn to a heading [rad]; steered wheels stop as they come there."""
        distance, off = bearing(p_WB, yaw, goal_W)
        if self.steers:
            return self._shunt(distance, off) if distance > _NEAR else (0.0, 0.0)
        if distance < _REACHED:
            return self.within(0.0, _TURN * _wrap(heading - yaw))
        speed = min(_APPROACH * distance, self.top_speed)
        if abs(off) > math.pi / 2 and distance < self.track:
            # What lies just behind is nearer backwards than round.
            off = _wrap(off + math.pi)
            return self.within(-self._ahead(speed, off), _TURN * off)
        return self.within(self._ahead(speed, off), _TURN * off)

    def through(self, p_WB: np.ndarray, yaw: float, goal_W: np.ndarray, v_W: np.ndarray) -> tuple[float, float]:
        """Keep up with a point of a trajectory that moves with v_W [m/s]."""
        speed = math.hypot(v_W[0], v_W[1])
        behind = float((goal_W - p_WB)[:2] @ v_W[:2]) / speed
        return self.chase(p_WB, yaw, goal_W + v_W * _LEAD, max(0.0, speed + _APPROACH * behind))

    def chase(self, p_WB: np.ndarray, yaw: float, target_W: np.ndarray, speed: float) -> tuple[float, float]:
        """Pure pursuit: the arc that leaves along the nose and meets the target [m]."""
        distance, off = bearing(p_WB, yaw, target_W)
        if abs(off) > _ASIDE:
            return self._shunt(distance, off) if self.steers else self.within(0.0, _TURN * off)
        speed = min(speed, self.top_speed)
        return self.within(speed, 2.0 * speed * math.sin(off) / max(distance, _REACHED))

    def reach(self, speed: float) -> float:
        """How far ahead on a path to aim at a speed [m]."""
        return max(1.2 * self.track, _LEAD * speed)

    def slowed(self, left: float) -> float:
        """Speed [m/s] from which the robot stops within the way left [m]."""
        return min(self.top_speed, _APPROACH * max(left, 0.0), math.sqrt(2 * self.acceleration * max(left, 0.0)))

    def within(self, v: float, yaw_rate: float) -> tuple[float, float]:
        """A wanted motion cut to what the robot can; a curve stays the same curve."""
        share = min(1.0, self.top_speed / max(abs(v), 1e-9), self.top_yaw_rate / max(abs(yaw_rate), 1e-9))
        return float(v * share), float(yaw_rate * share)

    def _ahead(self, speed: float, off: float) -> float:
        """Speed while the nose is still off: none until it is nearly there, unless it turns only while it goes."""
        if self.steers:
            return speed * max(math.cos(off), _CREEP)
        return speed * math.cos(off) if abs(off) < _ASIDE else 0.0

    def _shunt(self, distance: float, off: float) -> tuple[float, float]:
        """Steered wheels: ahead to what lies ahead or far away, else back until the nose points there."""
        speed = min(_APPROACH * distance, self.top_speed)
        if abs(off) < _ASIDE or distance > _ROOM * self.track:
            return self.within(self._ahead(speed, off), _TURN * off)
        return self.within(-0.5 * speed, _TURN * off)


def drive_of(build: Build) -> Drive | None:
    """The drive that follows from wheels that are driven; None: there is none on one of the sides."""
    wheels = [w for w in build.wheels if w.driven and not w.castor]
    left, right = ([w for w in wheels if side * w.position[1] > 1e-6] for side in (1, -1))
    if not left or not right:
        return None
    steered = [w for w in build.wheels if w.steer_deg > 0]
    middle = sum(w.position[0] for w in build.wheels) / len(build.wheels)
    front = [f"{w.name}_steer" for w in steered if w.position[0] >= middle]
    rear = [f"{w.name}_steer" for w in steered if w.position[0] < middle]
    kind: Any = "ackermann" if steered else "skid" if len(wheels) > 2 else "differential"
    y = [sum(w.position[1] for w in side) / len(side) for side in (left, right)]
    radius = sum(w.radius for w in wheels) / len(wheels)
    extra: dict[str, Any] = {"steer_front": front, "steer_rear": rear} if steered else {}
    return Drive(
        left=[w.name for w in left], right=[w.name for w in right], radius=radius, track=y[0] - y[1], kind=kind,
        scrub=_SCRUB if kind == "skid" else 1.0, top_speed=radius * min(w.motor.speed for w in wheels), **extra,
    )  # fmt: skip


def bearing(p_WB: np.ndarray, yaw: float, goal_W: np.ndarray) -> tuple[float, float]:
    """Horizontal distance [m] of a point, and how far to the left of the nose it lies [rad]."""
    x, y = float(goal_W[0] - p_WB[0]), float(goal_W[1] - p_WB[1])
    return math.hypot(x, y), _wrap(math.atan2(y, x) - yaw)


def _wrap(angle: float) -> float:
    """The same angle from -π to π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi
