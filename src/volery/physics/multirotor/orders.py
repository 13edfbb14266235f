"""From commands to levels of the autopilot: ten, from motors to a position and a heading."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.physics.multirotor.tables import Level
from volery.robots.commands import (
    Acceleration,
    Attitude,
    BodyVelocity,
    Command,
    ControlGroup,
    Motors,
    Pose,
    Rates,
    Tilt,
    Velocity,
)

__all__ = ["TAKES", "order_of"]

TAKES: tuple[type[Command], ...] = (
    Pose, Velocity, BodyVelocity, Acceleration, Attitude, Tilt, Rates, ControlGroup, Motors,
)  # fmt: skip
Order = tuple[Level, dict[str, Any]]


def order_of(command: Command, p: np.void, heading: float) -> Order:
    """The level of one of TAKES, and what it says by fields of the reference.

    p: parameters of the kind; heading: where the nose points to now [rad].
    """
    if isinstance(command, Pose):
        yaw = heading if command.yaw is None else command.yaw
        return Level.POSITION, {"p_W": command.p_WB, "v_W": command.v_W, "a_W": command.a_W, "yaw": yaw}
    if isinstance(command, BodyVelocity):
        return Level.VELOCITY_RATE, {"v_W": command.v_B, "yaw_rate": command.yaw_rate, "along": 1.0}
    if isinstance(command, Velocity):
        level = Level.VELOCITY_RATE if command.yaw is None else Level.VELOCITY_HEADING
        return level, {"v_W": command.v_W, "a_W": command.a_W, **_turning(command)}
    if isinstance(command, Acceleration):
        level = Level.ACCELERATION_RATE if command.yaw is None else Level.ACCELERATION_HEADING
        return level, {"a_W": command.a_W, **_turning(command)}
    if isinstance(command, ControlGroup):
        turning = command.roll, command.pitch, command.yaw
        return Level.GROUP, {"group": turning, "throttle": command.throttle}
    if isinstance(command, Motors):
        return Level.ACTUATORS, {"motors": np.pad(command.values, (0, len(p["way"]) - len(command.values)))}
    assert isinstance(command, Attitude | Tilt | Rates)
    return _thrusting(command, p)


def _turning(command: Velocity | Acceleration) -> dict[str, Any]:
    return {"yaw_rate": command.yaw_rate} if command.yaw is None else {"yaw": command.yaw}


def _thrusting(command: Attitude | Tilt | Rates, p: np.void) -> Order:
    rpm, least, most = np.sqrt(command.thrust) * p["most_rpm"], p["least_rpm"], p["most_rpm"]
    throttle = {"throttle": max((rpm - least) / (most - least), 0.0)}
    if isinstance(command, Attitude):
        return Level.ATTITUDE, {"q_WB": command.q_WB_wxyz, **throttle}
    if isinstance(command, Tilt):
        return Level.TILT_RATE, {"a_W": command.up_W, "yaw_rate": command.yaw_rate, **throttle}
    return Level.BODY_RATE, {"w_B": command.w_B, **throttle}
