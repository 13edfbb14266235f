"""Messages of sensors: what the robot's own measure, where it carries them; the receiver's is always told."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from volery.core.frames import frd_from_flu, ned_from_enu
from volery.protocols.mavlink.dialect import mav
from volery.sensors.gps import Gps
from volery.sensors.inertial import Barometer, Imu, Magnetometer
from volery.sensors.range import Rangefinder
from volery.sensors.sensor import Sensor
from volery.world.atmosphere import GRAVITY

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["SENSOR_MAKERS"]

_S = TypeVar("_S", bound=Sensor)
_ZERO_C = 273.15


def _sensor(v: MavlinkVehicle, kind: type[_S]) -> _S | None:
    """The first one of a kind that has a reading."""
    own = v.simulation.sensors[v.name].values()
    return next((s for s in own if isinstance(s, kind) and s.latest is not None), None)


def _gps(v: MavlinkVehicle) -> Any:
    """Of the robot's receiver; without one, of a perfect one."""
    now, sensor = v.simulation.clock.now_ns // 1000, _sensor(v, Gps)
    place, speed, fix, seen, dop = v.earth.geodetic(v.robot.p_WB), v.robot.v_WB_W, 3, 12, np.array([0.8, 1.0])
    if sensor is not None and sensor.latest is not None:
        data = sensor.latest.data
        fix, seen, dop = int(data["fix"][0]), int(data["satellites"][0]), data["dop"]
        speed = np.nan_to_num(data["velocity"])
        latitude, longitude, height = np.nan_to_num(data["geodetic"]).tolist()
        place = (math.degrees(latitude), math.degrees(longitude), height)
    level, vertical = (min(round(float(d) * 100), 65_535) if math.isfinite(d) else 65_535 for d in dop)
    north, east, _ = ned_from_enu(speed).tolist()
    course = round(math.degrees(math.atan2(east, north)) % 360.0 * 100) % 36_000
    fast = min(round(math.hypot(north, east) * 100), 65_535)
    return mav.MAVLink_gps_raw_int_message(
        now, fix if fix else mav.GPS_FIX_TYPE_NO_FIX, round(place[0] * 1e7), round(place[1] * 1e7),
        round(place[2] * 1e3), level, vertical, fast, course, seen,
    )  # fmt: skip


def _feel(v: MavlinkVehicle) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Specific force [m/s²], rates [rad/s] and magnetic field [T] along forward, right, down."""
    imu, compass = _sensor(v, Imu), _sensor(v, Magnetometer)
    if imu is None or imu.latest is None:
        return None
    field = np.zeros(3) if compass is None or compass.latest is None else compass.latest.data["field"]
    data = imu.latest.data
    return frd_from_flu(data["specific_force"]), frd_from_flu(data["angular_velocity"]), frd_from_flu(field)


def _raw_imu(v: MavlinkVehicle) -> Any:
    felt = _feel(v)
    if felt is None:
        return None
    force, rates, field = felt[0] / GRAVITY * 1000, felt[1] * 1000, felt[2] * 1e7
    whole = [round(min(max(float(x), -32_767.0), 32_767.0)) for part in (force, rates, field) for x in part]
    return mav.MAVLink_raw_imu_message(v.simulation.clock.now_ns // 1000, *whole)


def _highres_imu(v: MavlinkVehicle) -> Any:
    felt, barometer = _feel(v), _sensor(v, Barometer)
    if felt is None:
        return None
    pressure, height, warm, fields = 0.0, 0.0, 15.0, 0x1FF
    if barometer is not None and barometer.latest is not None:
        data = barometer.latest.data
        pressure, height = float(data["pressure"][0]) / 100, float(data["altitude"][0])
        warm, fields = float(data["temperature"][0]) - _ZERO_C, 0x1FFF
    numbers = [float(x) for part in (felt[0], felt[1], felt[2] * 1e4) for x in part]
    now = v.simulation.clock.now_ns // 1000
    return mav.MAVLink_highres_imu_message(now, *numbers, pressure, 0.0, height, warm, fields)


def _pressure(v: MavlinkVehicle) -> Any:
    barometer = _sensor(v, Barometer)
    if barometer is None or barometer.latest is None:
        return None
    data = barometer.latest.data
    warm = round((float(data["temperature"][0]) - _ZERO_C) * 100)
    return mav.MAVLink_scaled_pressure_message(v.now_ms, float(data["pressure"][0]) / 100, 0.0, warm)


def _distance(v: MavlinkVehicle) -> Any:
    sensor = _sensor(v, Rangefinder)
    if sensor is None or sensor.latest is None:
        return None
    config = sensor.config
    low, high = round(config.min_range * 100), min(round(config.max_range * 100), 65_535)
    found = float(np.ravel(sensor.latest.data["range"])[0])
    centimetres = min(round(found * 100), 65_535) if math.isfinite(found) else min(high + 1, 65_535)
    down = sensor.X_WS[2, 0] < -0.7
    way = mav.MAV_SENSOR_ROTATION_PITCH_270 if down else mav.MAV_SENSOR_ROTATION_NONE
    return mav.MAVLink_distance_sensor_message(v.now_ms, low, high, centimetres, 0, 0, way, 255)


def _vibration(v: MavlinkVehicle) -> Any:
    return mav.MAVLink_vibration_message(v.simulation.clock.now_ns // 1000, 0.0, 0.0, 0.0, 0, 0, 0)


SENSOR_MAKERS: dict[str, Callable[[MavlinkVehicle], Any]] = {
    "GPS_RAW_INT": _gps, "RAW_IMU": _raw_imu, "HIGHRES_IMU": _highres_imu, "SCALED_PRESSURE": _pressure,
    "DISTANCE_SENSOR": _distance, "VIBRATION": _vibration,
}  # fmt: skip
"""Makers of messages by name; None: the robot has no such sensor."""
