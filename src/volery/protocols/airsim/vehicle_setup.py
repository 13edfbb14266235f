"""From AirSim's vehicles and sensors to entries of a scenario: which robot, where, and what it carries."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler
from volery.errors import ScenarioError
from volery.protocols.airsim.cameras import VehicleCameras
from volery.protocols.airsim.ned import attitude
from volery.protocols.airsim.settings import SettingsFile, VehicleSettings
from volery.protocols.airsim.settings_parts import SensorSettings, SubWindow
from volery.robots.robot import Robot

__all__ = ["CLEARANCE", "mounted_pose", "robot_entry", "sensor_key", "sensor_mount"]

CLEARANCE = {"drone": 0.1405, "car": 0.02, "eye": 1.5}
"""Height of a vehicle's origin over the ground when it stands, and a little more; of cameras alone, that of eyes
[m]."""
_ROBOTS = {"drone": ("airsim_quad", "fleet"), "car": ("suv", "mujoco"), "eye": ("probe", "kinematic")}
_IMU_RATE = 1000.0 / 3.0
"""AirSim's clock ticks every 3 ms, and its IMU with it [Hz]."""
_MG = 9.80665e-3
_UG = 9.80665e-6
_INSIDE = 0.3
"""A lidar nearer to a drone's middle is inside it; its beams begin this far out [m]."""
_MOST_RAYS = 100_000
"""Of a lidar's sweep."""


def robot_entry(vehicle: VehicleSettings, home_W: np.ndarray, settings: SettingsFile, step: float) -> dict[str, Any]:
    """The entry of a vehicle under `robots`; home_W: its NED zero in W [m]; step: of the simulation [s]."""
    kind, physics = _ROBOTS[vehicle.kind]
    if vehicle.kind == "drone" and vehicle.firmware is not None:
        # Firmwares have something in hand with its stronger rotors, and see to the rest themselves
        kind = "simpleflight"
    kind = vehicle.model or kind
    roll, pitch, yaw = np.degrees(euler_from_quat(attitude(*np.radians(vehicle.attitude_deg)))).tolist()
    sensors: dict[str, Any] = {"scanner": "off"} if kind == "probe" else {}
    # An echo sensor listens when it is asked: see echo.py.
    # So do radios: see radio.py.
    felt = [s for s in vehicle.sensors if s.type not in (7, 10, 11)]
    sensors |= {sensor_key(s.name): _sensor(s, settings, step, vehicle.name) for s in felt}
    first = next(iter(settings.vehicles), vehicle.name)
    seen = [w for w in settings.windows if (w.vehicle if w.vehicle in settings.vehicles else first) == vehicle.name]
    sensors |= {f"window{w.number}": _window(w, vehicle, settings) for w in seen}
    return {
        "type": kind,
        "position": (home_W + [0.0, 0.0, CLEARANCE[vehicle.kind]]).tolist(),
        "attitude_deg": [roll, pitch, yaw],
        "physics": "kinematic" if settings.external_physics else physics,
        "sensors": sensors,
    }


_PICTURES = {
    0: "rgb",
    1: "depth_planar",
    2: "depth",
    3: "depth_planar",
    5: "labels",
    6: "normals",
    8: "flow",
    9: "flow",
}
"""What of our camera a sub-window shows, by AirSim's type; of others colours."""


def _window(window: SubWindow, vehicle: VehicleSettings, settings: SettingsFile) -> dict[str, Any]:
    """A camera whose pictures the page shows, for a sub-window."""
    camera = VehicleCameras(vehicle, settings).camera(window.camera)
    capture = camera.capture(window.image_type)
    roll, pitch, yaw = np.degrees(euler_from_quat(camera.q_wxyz)).tolist()
    (x, y, z) = camera.p.tolist()
    return {
        "type": "camera", "rate": 10.0, "outputs": [_PICTURES.get(window.image_type, "rgb")], "width": capture.width,
        "height": capture.height, "fov_deg": capture.fov_deg, "exposure": capture.exposure,
        "auto_exposure": capture.auto_exposure,
        "mount": {"position": [x, -y, -z], "attitude_deg": [roll, -pitch, -yaw]},
    }  # fmt: skip


def sensor_key(name: str) -> str:
    """The name of a sensor as topics may have it."""
    key = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return key if key[:1].isalpha() else f"s_{key}"


def sensor_mount(sensor: SensorSettings) -> dict[str, Any]:
    """Where a sensor sits: FRD to FLU."""
    (x, y, z), (roll, pitch, yaw) = sensor.position, sensor.attitude_deg
    return {"position": [x, -y, -z], "attitude_deg": [roll, -pitch, -yaw]}


def mounted_pose(sensor: SensorSettings, robot: Robot) -> np.ndarray:
    """Where a sensor is now: forward, left, up, in W [3, 4]."""
    mount, R_WB = sensor_mount(sensor), matrix_from_quat(robot.q_WB_wxyz)
    R_BS = matrix_from_quat(quat_from_euler(np.radians(mount["attitude_deg"])))
    return np.column_stack([R_WB @ R_BS, robot.p_WB + R_WB @ np.array(mount["position"])])


def _sensor(sensor: SensorSettings, settings: SettingsFile, step: float, vehicle: str) -> dict[str, Any]:
    makers = {1: _barometer, 2: _imu, 3: _gps, 4: _magnetometer, 5: _distance, 6: _lidar, 8: _lidar}
    if sensor.type not in makers:
        raise ScenarioError(f"{vehicle}: sensor '{sensor.name}' is of type {sensor.type}, which there is not here")
    try:
        return {**makers[sensor.type](sensor, settings, step), "mount": sensor_mount(sensor)}
    except ScenarioError as error:
        raise ScenarioError(f"{vehicle}: sensor '{sensor.name}': {error}") from None


def _value(sensor: SensorSettings, key: str, default: float, low: float = 0.0, high: float = 1e9) -> float:
    value = sensor.values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ScenarioError(f"{key} = {value!r}: must be a number from {low:g} to {high:g}")
    return float(value)


def _timing(sensor: SensorSettings, rate: float, delay: float = 0.0, start: float = 0.0) -> dict[str, Any]:
    return {
        "rate": _value(sensor, "UpdateFrequency", rate, 1e-3, 1e6),
        "delay": _value(sensor, "UpdateLatency", delay, 0.0, 3600.0),
        "phase": _value(sensor, "StartupDelay", start, 0.0, 3600.0),
    }


def _imu(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    gyro = math.radians(_value(sensor, "AngularRandomWalk", 0.3)) / 60.0
    gyro_walk = math.radians(_value(sensor, "GyroBiasStability", 4.6)) / 3600.0
    gyro_walk /= math.sqrt(_value(sensor, "GyroBiasStabilityTau", 500.0, 1e-6))
    force = _value(sensor, "VelocityRandomWalk", 0.24) * _MG
    force_walk = _value(sensor, "AccelBiasStability", 36.0) * _UG
    force_walk /= math.sqrt(_value(sensor, "AccelBiasStabilityTau", 800.0, 1e-6))
    return {
        "type": "imu", "rate": _IMU_RATE,
        "noise": {
            "angular_velocity": {"density": gyro, "walk": gyro_walk},
            "specific_force": {"density": force, "walk": force_walk},
        },
    }  # fmt: skip


def _gps(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    latitude, longitude, altitude = settings.origin
    where = {"latitude": latitude, "longitude": longitude, "altitude": altitude}
    return {"type": "gps", "blockable": False, "mask_deg": 0.0, **where, **_timing(sensor, 50.0, 0.2, 1.0)}


def _barometer(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    spread, tau = _value(sensor, "PressureFactorSigma", 0.001825), _value(sensor, "PressureFactorTau", 3600.0, 1e-6)
    noise = {
        "absolute": _value(sensor, "UncorrelatedNoiseSigma", 2.7),
        "walk": 101_325.0 * spread * math.sqrt(2.0 / tau),
    }
    timing = _timing(sensor, 50.0)
    return {"type": "barometer", "altitude": settings.origin[2], "noise": {"pressure": noise}, **timing}


def _magnetometer(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    noise = {"absolute": _value(sensor, "NoiseSigma", 0.005) * 1e-4, "bias": _value(sensor, "NoiseBias", 0.0) * 1e-4}
    return {"type": "magnetometer", "noise": {"field": noise}, **_timing(sensor, 50.0)}


def _distance(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    far = _value(sensor, "MaxDistance", 40.0, 1e-3, 10_000.0)
    noise = {"range": {"absolute": _value(sensor, "UncorrelatedNoiseSigma", 0.2)}}
    return {
        "type": "rangefinder", "min_range": 0.0, "max_range": far, "clip": True, "glass": "stop", "sensitivity": 0.0,
        "noise": noise, **_timing(sensor, 50.0),
    }  # fmt: skip


def _lidar(sensor: SensorSettings, settings: SettingsFile, step: float) -> dict[str, Any]:
    """A whole turn a reading, all beams at one instant, top line last, counter-clockwise (turned round by `Cloud`)."""
    lines = int(_value(sensor, "NumberOfChannels", 16, 1, 1024))
    per_second = _value(sensor, "PointsPerSecond", 100_000, 1, 1e8)
    turns = min(_value(sensor, "RotationsPerSecond", 10.0, 0.01, 1000.0), 1.0 / step)
    start, end = (_value(sensor, f"HorizontalFOV{w}", d, -360.0, 720.0) for w, d in (("Start", 0.0), ("End", 359.0)))
    width = (end - start) % 360.0 or 360.0
    columns = max(1, round(min(per_second / turns, _MOST_RAYS) / lines * width / 360.0))
    upper, lower = (_value(sensor, f"VerticalFOV{w}", 0.0, -90.0, 90.0) for w in ("Upper", "Lower"))
    first = -(start % 360.0) - width
    first += 360.0 if first < -360.0 else 0.0
    rate = {"rate": turns} if sensor.type == 6 else _timing(sensor, turns)
    return {
        "type": "lidar", "model": "vlp16", "elevations_deg": np.linspace(lower, upper, lines).tolist(),
        "columns": columns, "field_deg": [first, first + width], "min_range": 0.0,
        "max_range": _value(sensor, "Range", 100.0, 0.1, 10_000.0), "motion": False, "glass": "stop",
        "sensitivity": 0.0, "start": _INSIDE if math.dist(sensor.position, (0.0, 0.0, 0.0)) < _INSIDE else 0.0, **rate,
    }  # fmt: skip
