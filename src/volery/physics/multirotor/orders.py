"""From commands to levels of the autopilot: ten, from motors to a position and a heading."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.physics.multirotor import layout as at
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
Order = tuple[int, dict[int, Any]]


def order_of(command: Command, p: np.ndarray, heading: float) -> Order:
    """The level of one of TAKES, and what it says by columns of the reference.

    p: parameters of the kind; heading: where the nose points to now [rad].
    """
    if isinstance(command, Pose):
        yaw = heading if command.yaw is None else command.yaw
        return at.POSITION, {at.REF_P: command.p_WB, at.REF_V: command.v_W, at.REF_A: command.a_W, at.REF_YAW: yaw}
    if isinstance(command, BodyVelocity):
        return at.VELOCITY_RATE, {at.REF_V: command.v_B, at.REF_YAW_RATE: command.yaw_rate, at.REF_TURNS: 1.0}
    if isinstance(command, Velocity):
        level = at.VELOCITY_RATE if command.yaw is None else at.VELOCITY_HEADING
        return level, {at.REF_V: command.v_W, at.REF_A: command.a_W, **_turning(command)}
    if isinstance(command, Acceleration):
        level = at.ACCELERATION_RATE if command.yaw is None else at.ACCELERATION_HEADING
        return level, {at.REF_A: command.a_W, **_turning(command)}
    if isinstance(command, ControlGroup):
        turning = command.roll, command.pitch, command.yaw
        return at.GROUP, {at.REF_GROUP: turning, at.REF_THROTTLE: command.throttle}
    if isinstance(command, Motors):
        return at.ACTUATORS, {at.REF_MOTORS: command.values}
    assert isinstance(command, Attitude | Tilt | Rates)
    return _thrusting(command, p)


def _turning(command: Velocity | Acceleration) -> dict[int, Any]:
    return {at.REF_YAW_RATE: command.yaw_rate} if command.yaw is None else {at.REF_YAW: command.yaw}


def _thrusting(command: Attitude | Tilt | Rates, p: np.ndarray) -> Order:
    rpm = np.sqrt(command.thrust) * p[at.MOST]
    throttle = {at.REF_THROTTLE: max((rpm - p[at.LEAST]) / (p[at.MOST] - p[at.LEAST]), 0.0)}
    if isinstance(command, Attitude):
        return at.ATTITUDE, {at.REF_Q: command.q_WB_wxyz, **throttle}
    if isinstance(command, Tilt):
        return at.TILT_RATE, {at.REF_A: command.up_W, at.REF_YAW_RATE: command.yaw_rate, **throttle}
    return at.BODY_RATE, {at.REF_RATES: command.w_B, **throttle}
