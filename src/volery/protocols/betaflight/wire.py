"""Betaflight's packets, as the target header of its SITL declares them: states and sticks in, motors out.

Its signs are those of Gazebo's plugin: gyroscope and accelerometer forward-right-down, but for a yaw gyroscope that
looks up; an attitude turned about the nose by half a turn; places mirrored about the first.
"""

from __future__ import annotations

import math
import struct

import numpy as np

from volery.errors import BusError
from volery.protocols.firmware.feel import Feel

__all__ = ["motors_of", "raw_motors_of", "state_of", "sticks_of", "sticks_to"]

_STATE = struct.Struct("<18d")
_STICKS = struct.Struct("<d16H")
_MOTORS = struct.Struct("<4f")
_RAW = struct.Struct("<Hxx16f")
_LEAST, _MOST = 1000.0, 2000.0


def state_of(feel: Feel, seconds: float, start: tuple[float, float], older: bool = False) -> bytes:
    """The state. seconds: its time; start: longitude and latitude at the beginning [deg], about which places are
    mirrored; older: as builds up to 4.5 want it, with a yaw gyroscope that looks down and places as they are."""
    w, x, y, z = feel.robot.q_WB_wxyz
    latitude, longitude, height = feel.geodetic()
    gyro = feel.gyro_frd
    if not older:
        longitude, latitude = 2 * start[0] - longitude, 2 * start[1] - latitude
        gyro = gyro * [1.0, 1.0, -1.0]
    return _STATE.pack(
        seconds, *gyro, *feel.force_frd, w, x, -y, -z, *feel.robot.v_WB_W, longitude, latitude, height, feel.air()[1]
    )


def sticks_to(seconds: float, channels: list[int]) -> bytes:
    """A packet of sticks: sixteen pulses [µs]."""
    return _STICKS.pack(seconds, *[*channels, *[1500] * 16][:16])


def sticks_of(data: bytes) -> list[int]:
    """Pulses [µs] of a packet of sticks, such as a radio's bridge sends."""
    if len(data) != _STICKS.size:
        raise BusError(f"{len(data)} bytes are no sticks of Betaflight ({_STICKS.size})")
    time, *channels = _STICKS.unpack(data)
    if not math.isfinite(time) or not all(700 <= c <= 2300 for c in channels):
        raise BusError("sticks beyond 700 to 2300 µs")
    return channels


def motors_of(data: bytes) -> np.ndarray:
    """Shares of four motors of the packet for Gazebo, 0 to 1."""
    if len(data) != _MOTORS.size:
        raise BusError(f"{len(data)} bytes are no motors of Betaflight ({_MOTORS.size})")
    values = np.array(_MOTORS.unpack(data))
    if not (np.abs(values) <= 1.5).all():
        raise BusError("motors beyond -1 to 1")
    return np.clip(values, 0.0, 1.0)


def raw_motors_of(data: bytes) -> np.ndarray:
    """Shares of all motors in Betaflight's own order, 0 to 1, of the packet of pulses."""
    if len(data) != _RAW.size:
        raise BusError(f"{len(data)} bytes are no outputs of Betaflight ({_RAW.size})")
    count, *pulses = _RAW.unpack(data)
    values = np.array(pulses[:count])
    if not 1 <= count <= 16 or not ((values >= 0.0) & (values <= 2500.0)).all():
        raise BusError("outputs that are no pulses")
    return np.clip((values - _LEAST) / (_MOST - _LEAST), 0.0, 1.0)
