"""PX4's packets for simulators: MAVLink 2 frames in a TCP stream, of which a simulator needs these few messages."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from volery.errors import BusError, LibraryError
from volery.protocols.firmware.feel import Feel

try:
    from pymavlink.dialects.v20 import common as mav
except ImportError as error:
    raise LibraryError("PX4's door needs pymavlink: pip install 'volery[mavlink]'") from error

__all__ = ["ActuatorControls", "Frames", "Wish", "distance_of", "gps_of", "mav", "sensor_of", "truth_of"]

_ALL_BUT_PITOT = 0b1_1011_1111_1111
_IMU, _PITOT = 0b11_1111, 1 << 10
_MAG, _BARO = 0b1_1100_0000, 0b1_1010_0000_0000
_BAD_FRAMES = 16
"""So many frames that cannot be read are no link's noise: what is there is not PX4."""


class ActuatorControls(NamedTuple):
    """HIL_ACTUATOR_CONTROLS."""

    time_us: int
    values: np.ndarray
    """-1 to 1, motors 0 to 1, [16]."""
    armed: bool
    lockstep: bool


class Wish(NamedTuple):
    """A message that is asked for at an interval."""

    message: int
    interval_us: float


class Frames:
    """The stream of one firmware."""

    def __init__(self) -> None:
        self._parser = mav.MAVLink(None)
        self._parser.robust_parsing = True
        self._bad = 0

    def take(self, data: bytes) -> list[Any]:
        """What came: `ActuatorControls`, `Wish`, or another message's name. Too much that cannot be read: an error."""
        found: list[Any] = []
        for message in self._parser.parse_buffer(data) or []:
            kind = message.get_type()
            if kind == "BAD_DATA":
                self._bad += 1
                if self._bad > _BAD_FRAMES:
                    raise BusError("these bytes are no MAVLink of PX4")
            elif kind == "HIL_ACTUATOR_CONTROLS":
                found.append(_controls(message))
            elif kind == "COMMAND_LONG" and message.command == mav.MAV_CMD_SET_MESSAGE_INTERVAL:
                found.append(_wish(message))
            else:
                found.append(kind)
        return found


def _controls(message: Any) -> ActuatorControls:
    values = np.array(message.controls, float)
    values = np.where(np.isfinite(values), np.clip(values, -1.0, 1.0), 0.0)
    armed = bool(message.mode & mav.MAV_MODE_FLAG_SAFETY_ARMED)
    return ActuatorControls(int(message.time_usec), values if armed else np.zeros(16), armed, bool(message.flags & 1))


def _wish(message: Any) -> Wish:
    number = message.param1
    return Wish(int(number) if math.isfinite(number) and 0 <= number < 1 << 24 else -1, float(message.param2))


def sensor_of(feel: Feel, time_us: int, slow: bool, pitot: bool) -> Any:
    """HIL_SENSOR. slow: with magnetometer and barometer too; pitot: with an airspeed tube."""
    temperature, pressure, density = feel.air()
    dynamic = 0.5 * density * feel.airspeed**2 if pitot else 0.0
    fields = _IMU | ((_MAG | _BARO) if slow else 0) | (_PITOT if pitot and slow else 0)
    return mav.MAVLink_hil_sensor_message(
        time_us, *feel.force_frd, *feel.gyro_frd, *(1e4 * feel.field_frd), pressure / 100.0, dynamic / 100.0,
        feel.altitude, temperature, fields,
    )  # fmt: skip


def gps_of(feel: Feel, time_us: int) -> Any:
    """HIL_GPS, with a good fix."""
    latitude, longitude, height = feel.geodetic()
    north, east, down = (round(100.0 * float(x)) for x in np.clip(feel.v_ned, -300.0, 300.0))
    speed = math.hypot(north, east)
    course = round(100.0 * math.degrees(math.atan2(east, north)) % 36_000) if speed > 10 else 0
    return mav.MAVLink_hil_gps_message(
        time_us, 3, round(latitude * 1e7), round(longitude * 1e7), round(height * 1e3), 30, 40, round(speed), north,
        east, down, course % 36_000, 12,
    )  # fmt: skip


def truth_of(feel: Feel, time_us: int) -> Any:
    """HIL_STATE_QUATERNION: where it truly is, for logs."""
    latitude, longitude, height = feel.geodetic()
    velocity = [round(100.0 * float(x)) for x in np.clip(feel.v_ned, -300.0, 300.0)]
    force = [round(float(x) / 9.80665e-3) for x in np.clip(feel.force_frd, -300.0, 300.0)]
    speed = round(100.0 * min(feel.airspeed, 600.0))
    return mav.MAVLink_hil_state_quaternion_message(
        time_us, [float(x) for x in feel.q_ned_wxyz], *feel.gyro_frd, round(latitude * 1e7), round(longitude * 1e7),
        round(height * 1e3), *velocity, speed, speed, *force,
    )  # fmt: skip


def distance_of(time_us: int, metres: float, number: int, most: float) -> Any:
    """DISTANCE_SENSOR that looks down."""
    longest = round(100.0 * min(most, 655.0))
    near = round(100.0 * min(max(metres, 0.0), 655.0))
    orientation = mav.MAV_SENSOR_ROTATION_PITCH_270
    return mav.MAVLink_distance_sensor_message(
        time_us // 1000 & 0xFFFFFFFF, 5, longest, min(near, longest + 1), 0, number, orientation, 0
    )
