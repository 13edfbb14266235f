"""Commands and paths as goals of the autopilot: an aircraft cannot stop, so where others would hover it circles."""

from __future__ import annotations

import math

import numpy as np

from volery.core.frames import euler_from_quat
from volery.physics.elastic.autopilot import AutopilotSetpoint, Seen, wrapped
from volery.physics.motion import Follower
from volery.robots.commands import Attitude, BodyVelocity, Command, ControlGroup, Cruise, Pose, Velocity

__all__ = ["circling", "goal_of", "on_path"]

_REACH = 1.5
"""How far ahead on a path is aimed at, in radii of the tightest turn."""
_ROUND = 1.4
"""Radius of a circle round a point, likewise."""
_SLOW = 0.5
"""Velocities below this are meant to be none [m/s]."""


def goal_of(command: Command, seen: Seen, since: AutopilotSetpoint) -> AutopilotSetpoint | np.ndarray:
    """The goal of a command, beside the goal before; or a point in W [3] to circle round."""
    if isinstance(command, Cruise):
        height = since.altitude if command.altitude is None else command.altitude
        heading = since.heading if command.heading is None else command.heading
        return AutopilotSetpoint(
            altitude=seen.p_W[2] if height is None else height,
            airspeed=since.airspeed if command.airspeed is None else command.airspeed,
            heading=seen.heading if heading is None else heading, curl=command.curl,
        )  # fmt: skip
    if isinstance(command, Pose):
        return command.p_WB
    if isinstance(command, Velocity):
        return _velocity(command, seen)
    if isinstance(command, BodyVelocity):
        forward, _, up = (float(v) for v in command.v_B)
        return AutopilotSetpoint(climb=up, airspeed=forward if forward > _SLOW else None, turn=command.yaw_rate,
                    heading=None if command.yaw_rate else seen.heading)  # fmt: skip
    if isinstance(command, Attitude):
        roll, down, _ = (float(a) for a in euler_from_quat(command.q_WB_wxyz))
        return AutopilotSetpoint(attitude=(roll, -down), throttle=command.thrust)
    assert isinstance(command, ControlGroup)
    # A multirotor's pitch is nose down.
    return AutopilotSetpoint(sticks=(command.roll, -command.pitch, command.yaw), throttle=command.throttle)


def _velocity(command: Velocity, seen: Seen) -> AutopilotSetpoint | np.ndarray:
    level = math.hypot(command.v_W[0], command.v_W[1])
    if level < _SLOW and command.yaw is None and not command.yaw_rate and abs(command.v_W[2]) < _SLOW:
        return seen.p_W.copy()
    heading = math.atan2(command.v_W[1], command.v_W[0]) if level >= _SLOW else command.yaw
    # The speed over ground is what is told: the wind along the way is taken off.
    wind = 0.0 if heading is None else seen.wind_W[0] * math.cos(heading) + seen.wind_W[1] * math.sin(heading)
    return AutopilotSetpoint(
        climb=float(command.v_W[2]), airspeed=max(level - wind, _SLOW) if level >= _SLOW else None, heading=heading,
        track=level >= _SLOW, turn=command.yaw_rate if heading is None else 0.0,
    )  # fmt: skip


def circling(centre: np.ndarray, seen: Seen, airspeed: float | None, tightest: float) -> AutopilotSetpoint:
    """The way round a point, to the left, at its height; from afar, the way to it. tightest: radius of turns [m]."""
    away = seen.p_W[:2] - centre[:2]
    distance = max(float(np.hypot(*away)), 1e-6)
    radius = _ROUND * tightest
    at = math.atan2(away[1], away[0])
    heading = at + math.pi / 2 + math.atan(1.5 * (distance - radius) / radius)
    turn = seen.airspeed / radius if abs(distance - radius) < radius else 0.0
    return AutopilotSetpoint(
        altitude=float(centre[2]), airspeed=airspeed, heading=wrapped(heading), track=True, turn=turn
    )


def on_path(
    follower: Follower, along: float, seen: Seen, airspeed: float | None, tightest: float
) -> tuple[AutopilotSetpoint, float]:
    """Towards a point of a path some way ahead; and how far along it is now [m]. Its end is circled."""
    along, left, aim = follower.ahead(seen.p_W, along, _REACH * tightest)
    if left < 1.0:
        return circling(aim, seen, airspeed, tightest), along
    way = aim - seen.p_W
    goal = AutopilotSetpoint(altitude=float(aim[2]), airspeed=airspeed, heading=math.atan2(way[1], way[0]), track=True)
    return goal, along
