"""Calls that tell what sensors felt last: inertial, air, field, satellites, distance, lidar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import quat_from_euler, quat_from_matrix
from volery.protocols.airsim.arguments import rpc, text
from volery.protocols.airsim.codec import PackedValue, floats, packed_map, whole_numbers
from volery.protocols.airsim.ned import frd, geo_map, ned, pose_map, quaternion_map, quaternion_ned, vector_map
from volery.protocols.airsim.settings_parts import SensorSettings
from volery.protocols.airsim.vehicles import Felt, Vehicle

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Cloud", "cloud_map", "lidar_pose", "relative_pose"]

_GAUSS = 1e4
"""Gauss in a tesla."""


def _felt(door: AirSim, kind: int, name: str, vehicle: str, what: str) -> tuple[Vehicle, SensorSettings, Felt | None]:
    found = door.vehicle(vehicle)
    sensor = found.sensor(kind, name, what)
    return found, sensor, found.felt.get(sensor.name)


@rpc("getImuData", text, text, where="now")
def imu(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
    """Attitude, turning and specific force."""
    found, _, felt = _felt(door, 2, name, vehicle, "IMU")
    zero = np.zeros(3)
    data = {"angular_velocity": zero, "specific_force": zero} if felt is None else felt.reading.data
    return {
        "time_stamp": door.stamp(found.snapshot.now_ns if felt is None else felt.reading.stamp_ns),
        "orientation": quaternion_map(quaternion_ned(found.snapshot.q_WB_wxyz if felt is None else felt.q_WB_wxyz)),
        "angular_velocity": vector_map(frd(data["angular_velocity"])),
        "linear_acceleration": vector_map(frd(data["specific_force"])),
    }


@rpc("getBarometerData", text, text, where="now")
def barometer(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
    """Pressure and the height it stands for."""
    _, _, felt = _felt(door, 1, name, vehicle, "barometer")
    if felt is None:
        return {"time_stamp": 0, "altitude": 0.0, "pressure": 0.0, "qnh": 1013.25}
    data = felt.reading.data
    altitude, pressure = float(data["altitude"][0]), float(data["pressure"][0])
    return {"time_stamp": door.stamp(felt.reading.stamp_ns), "altitude": altitude, "pressure": pressure, "qnh": 1013.25}


@rpc("getMagnetometerData", text, text, where="now")
def magnetometer(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
    """The Earth's field in body axes [Gauss]."""
    _, sensor, felt = _felt(door, 4, name, vehicle, "magnetometer")
    scale = float(sensor.values.get("ScaleFactor", 1.0))
    field = np.zeros(3) if felt is None else frd(felt.reading.data["field"]) * _GAUSS * scale
    stamp = 0 if felt is None else door.stamp(felt.reading.stamp_ns)
    return {"time_stamp": stamp, "magnetic_field_body": vector_map(field), "magnetic_field_covariance": []}


def _dilution(sensor: SensorSettings, axis: str, seconds: float) -> float:
    """eph or epv: falls from its first to its last value."""
    values = sensor.values
    first, last = float(values.get(f"{axis}Initial", 100.0)), float(values.get(f"{axis}Final", 0.1))
    tau = values.get(f"{axis}TimeConstant", values.get(f"{axis.upper()}_TimeConstant", 0.9))
    return last + (first - last) * math.exp(-max(seconds, 0.0) / max(float(tau), 1e-3))


@rpc("getGpsData", text, text, where="now")
def gps(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
    """Place on Earth and velocity by satellites."""
    _, sensor, felt = _felt(door, 3, name, vehicle, "GPS")
    nothing = {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0}
    report: dict[str, Any] = {
        "geo_point": nothing, "eph": float(sensor.values.get("EphInitial", 100.0)),
        "epv": float(sensor.values.get("EpvInitial", 100.0)), "velocity": vector_map([0.0, 0.0, 0.0]), "fix_type": 0,
        "time_utc": 0,
    }  # fmt: skip
    if felt is None:
        return {"time_stamp": 0, "gnss": report, "is_valid": False}
    reading = felt.reading
    seconds = reading.stamp_ns * 1e-9 - float(sensor.values.get("StartupDelay", 1.0))
    eph, epv = _dilution(sensor, "Eph", seconds), _dilution(sensor, "Epv", seconds)
    three, two = float(sensor.values.get("EphMin3d", 3.0)), float(sensor.values.get("EphMin2d", 4.0))
    p_W = reading.data["position"]
    stamp = door.stamp(reading.stamp_ns)
    valid = bool(np.isfinite(p_W).all())
    report |= {
        "geo_point": geo_map(door.geo(p_W)) if valid else nothing, "eph": eph, "epv": epv,
        "velocity": vector_map(ned(np.nan_to_num(reading.data["velocity"]))),
        "fix_type": 3 if eph <= three else 2 if eph <= two else 0, "time_utc": stamp // 1000,
    }  # fmt: skip
    return {"time_stamp": stamp, "gnss": report, "is_valid": valid}


@rpc("getDistanceSensorData", text, text, where="now")
def distance(door: AirSim, name: str, vehicle: str) -> dict[str, Any]:
    """How far it is to the next thing ahead of the sensor."""
    _, sensor, felt = _felt(door, 5, name, vehicle, "distance sensor")
    near, far = float(sensor.values.get("MinDistance", 0.2)), float(sensor.values.get("MaxDistance", 40.0))
    value = far if felt is None else min(max(float(felt.reading.data["range"][0]), 0.0), far)
    return {
        "time_stamp": 0 if felt is None else door.stamp(felt.reading.stamp_ns), "distance": value,
        "min_distance": near, "max_distance": far, "relative_pose": relative_pose(sensor),
    }  # fmt: skip


def relative_pose(sensor: SensorSettings) -> dict[str, Any]:
    """Where a sensor sits on its vehicle, FRD."""
    return pose_map(np.array(sensor.position), quat_from_euler(np.radians(sensor.attitude_deg)))


class Cloud:
    """The points of a lidar as AirSim orders them: top line first, clockwise; beams without return left out."""

    def __init__(self, door: AirSim, vehicle: Vehicle, sensor: SensorSettings, felt: Felt) -> None:
        data = felt.reading.data
        there = np.isfinite(data["range"])[::-1]
        points_S = data["points"][::-1][there].astype(np.float64)
        self.objects = data["object"][::-1][there]
        """Numbers of the objects hit, [n]."""
        self.X_WS = felt.X_WS
        local = sensor.values.get("DataFrame", "VehicleInertialFrame") == "SensorLocalFrame"
        world = points_S @ felt.X_WS[:, :3].T + felt.X_WS[:, 3] - vehicle.home_W
        self.points = frd(points_S) if local else ned(world)
        """[n, 3] [m]."""
        self.pose = lidar_pose(felt.X_WS, vehicle)
        self.stamp = door.stamp(felt.reading.stamp_ns)


def lidar_pose(X_WS: np.ndarray, vehicle: Vehicle) -> dict[str, Any]:
    """Where a lidar is, from its vehicle's zero."""
    return pose_map(ned(X_WS[:, 3] - vehicle.home_W), quaternion_ned(quat_from_matrix(X_WS[:, :3])))


def cloud_map(door: AirSim, kind: int, name: str, vehicle: str, what: str) -> PackedValue:
    """AirSim's LidarData of the newest sweep; labels for Cosys-AirSim's clients go with it."""
    found, sensor, felt = _felt(door, kind, name, vehicle, what)
    if felt is None:
        pose = pose_map(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
        return packed_map({"time_stamp": 0, "point_cloud": [], "pose": pose, "segmentation": [], "groundtruth": []})
    cloud = Cloud(door, found, sensor, felt)
    return packed_map({
        "time_stamp": cloud.stamp,
        "point_cloud": floats(cloud.points),
        "pose": cloud.pose,
        "segmentation": whole_numbers(door.objects.ids.of_numbers(cloud.objects)),
        "groundtruth": door.objects.names_of(cloud.objects) if door.settings.cosys else [],
    })  # fmt: skip


@rpc("getLidarData", text, text, where="now")
def lidar(door: AirSim, name: str, vehicle: str) -> PackedValue:
    """The newest sweep of a lidar."""
    return cloud_map(door, 6, name, vehicle, "lidar")
