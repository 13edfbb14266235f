"""ArduPilot's packets: servo outputs as its SITL sends them, and the states that it reads as lines of JSON.

Two dialects: `json` of `--model JSON`, and `airsim` of `--model airsim-copter` and `airsim-rover`.
"""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

import numpy as np

from volery.core.frames import euler_from_quat
from volery.errors import BusError
from volery.protocols.firmware.feel import Feel

__all__ = ["Servos", "airsim_of", "airsim_servos_of", "json_of", "servos_of"]

_MAGIC = {18458: 16, 29569: 32}
"""Number of outputs by the packet's first word."""
_HEAD = struct.Struct("<HHI")
_LONGEST_PWM = 3000
_MOST_POINTS = 1500


class Servos(NamedTuple):
    """One frame of outputs."""

    rate: int
    """Steps a second that are wished for [Hz]."""
    frame: int
    """Number of the frame since the firmware began; -1: not told."""
    pwm: np.ndarray
    """Pulses [µs], [16 or 32]; 0: none."""


def servos_of(data: bytes) -> Servos:
    """A packet of `--model JSON`."""
    if len(data) < _HEAD.size:
        raise BusError(f"{len(data)} bytes are no servo packet of ArduPilot")
    magic, rate, count = _HEAD.unpack_from(data)
    outputs = _MAGIC.get(magic)
    if outputs is None or len(data) != _HEAD.size + 2 * outputs:
        raise BusError(f"{len(data)} bytes with magic {magic} are no servo packet of ArduPilot (18458 or 29569)")
    pwm = np.frombuffer(data, "<u2", outputs, _HEAD.size)
    if rate == 0 or (pwm > _LONGEST_PWM).any():
        raise BusError("a servo packet of ArduPilot has no rate, or pulses longer than 3 ms")
    return Servos(rate, count, pwm)


def airsim_servos_of(data: bytes) -> Servos:
    """A packet of `--model airsim-copter` (eleven pulses) or `airsim-rover` (throttle and steering, -1 to 1)."""
    if len(data) == 22:
        pwm = np.frombuffer(data, "<u2")
        if (pwm > _LONGEST_PWM).any():
            raise BusError("pulses longer than 3 ms")
        return Servos(1, -1, pwm)
    if len(data) != 8:
        raise BusError(f"{len(data)} bytes are no controls of ArduPilot's airsim models (22 or 8)")
    throttle, steering = struct.unpack("<2f", data)
    if not (math.isfinite(throttle) and math.isfinite(steering)) or max(abs(throttle), abs(steering)) > 3.0:
        raise BusError("controls that are no numbers from -1 to 1")
    pwm = np.zeros(11, np.uint16)
    pwm[0], pwm[2] = round(1500 + 500 * steering), round(1500 + 500 * throttle)
    return Servos(1, -1, pwm)


def json_of(feel: Feel, ranges: list[float], flows: bool = False, vane: bool = False) -> bytes:
    """The state as a line. ranges: of up to six rangefinders [m]; flows, vane: whether airspeed and apparent wind are
    told."""
    parts = [
        f'"timestamp":{feel.seconds:.9f}',
        f'"imu":{{"gyro":{_list(feel.gyro_frd)},"accel_body":{_list(feel.force_frd)}}}',
        f'"position":{_list(feel.p_ned)}',
        f'"quaternion":{_list(feel.q_ned_wxyz)}',
        f'"velocity":{_list(feel.v_ned)}',
    ]
    parts += [f'"rng_{i + 1}":{r:.4f}' for i, r in enumerate(ranges[:6])]
    if flows:
        parts.append(f'"airspeed":{feel.airspeed:.6f}')
    if vane:
        direction, speed = apparent_wind(feel)
        parts.append(f'"windvane":{{"direction":{direction:.6f},"speed":{speed:.6f}}}')
    # The firmware looks for keys by their text from the left: "velocity" stands before whatever contains it.
    return ("\n{" + ",".join(parts) + "}\n").encode()


def apparent_wind(feel: Feel) -> tuple[float, float]:
    """Where the wind comes from, clockwise from the nose [rad], and its speed, both as felt on board [m/s]."""
    felt = feel.robot.v_WB_W - feel.wind_W
    nose = math.pi / 2 - float(euler_from_quat(feel.robot.q_WB_wxyz)[2])
    comes = math.atan2(felt[0], felt[1]) - nose
    return (comes + math.pi) % (2 * math.pi) - math.pi, math.hypot(felt[0], felt[1])


def airsim_of(feel: Feel, ranges: list[float], points_frd: np.ndarray | None) -> bytes:
    """The state as AirSim words it; points: of a new sweep of a LiDAR, from the body [m], [n, 3]."""
    roll, pitch, yaw = euler_from_quat(feel.q_ned_wxyz)
    latitude, longitude, height = feel.geodetic()
    parts = [
        f'"timestamp": {feel.elapsed_ns // 1000}',
        f'"imu": {{"angular_velocity": {_spaced(feel.gyro_frd)},"linear_acceleration": {_spaced(feel.force_frd)}}}',
        f'"gps": {{"lat": {latitude:.9f},"lon": {longitude:.9f},"alt": {height:.4f}}}',
        f'"velocity": {{"world_linear_velocity": {_spaced(feel.v_ned)}}}',
        f'"pose": {{"roll": {roll:.9f},"pitch": {pitch:.9f},"yaw": {yaw:.9f}}}',
    ]
    if ranges:
        parts.append('"rng": {"distances": [' + ",".join(f"{r:.4f}" for r in ranges) + "]}")
    if points_frd is not None and len(points_frd):
        chosen = points_frd[:: max(1, -(-len(points_frd) // _MOST_POINTS))]
        parts.append('"lidar": {"point_cloud": [' + "".join(f"{x:.3f}," for x in chosen.ravel()) + "]}")
    return ("{" + ",".join(parts) + "}\n").encode()


def _list(values: np.ndarray) -> str:
    return "[" + ",".join(f"{x:.12g}" for x in values) + "]"


def _spaced(values: np.ndarray) -> str:
    return "[" + ", ".join(f"{x:.9f}" for x in values) + "]"
