"""AirSim's settings.json, read and checked: a wrong value says where, what and why; unknown keys are only noted."""

from __future__ import annotations

import json
import logging
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from volery.errors import ScenarioError, did_you_mean
from volery.protocols.airsim.firmware_keys import FirmwareKeys, firmware_keys
from volery.protocols.airsim.settings_parts import (
    CameraSettings,
    RecordingSettings,
    SensorSettings,
    Values,
    camera_settings,
    recording_settings,
    sensor_settings,
)

__all__ = ["SettingsFile", "VehicleSettings", "default_settings", "find_settings", "read_settings"]

_log = logging.getLogger("volery")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
MODES = {"multirotor": "Multirotor", "car": "Car", "computervision": "ComputerVision", "": "Multirotor",
         "skidvehicle": "Car"}  # fmt: skip
KINDS = {
    "simpleflight": "drone", "px4multirotor": "drone", "arducopter": "drone", "arducoptersolo": "drone",
    "physxcar": "car", "ardurover": "car", "cphusky": "car", "pioneer": "car", "computervision": "eye",
}  # fmt: skip
"""What flies, drives or only looks, by VehicleType in small letters."""
_BY_MODE = {"Multirotor": "SimpleFlight", "Car": "PhysXCar", "ComputerVision": "ComputerVision"}
_SHOWN = {
    "SettingsVersion", "SeeDocsAt", "SeeDocsAtURL", "SubWindows", "ViewMode", "CameraDirector", "PawnPaths",
    "EngineSound",
    "LogMessagesVisible", "ShowLosDebugLines", "SpeedUnitFactor", "SpeedUnitLabel", "RecordUIVisible", "ClockType",
    "Default Environment", "SegmentationSettings", "FastPhysicsEngine", "EnableRpc", "RpcEnabled", "Comment",
    "InitialInstanceSegmentation", "Annotation", "MaterialListFile", "AdditionalCameras", "MoveWorldOrigin",
}  # fmt: skip
"""Keys that are for AirSim's own window, or mean nothing here: taken without a word."""
_QUIET = {
    "VehicleType", "PawnPath", "RC", "AutoCreate", "IsFpvVehicle", "Parameters", "UseSerial", "SerialPort", "UseTcp",
    "TcpPort", "LockStep", "UdpPort", "UdpIp", "ControlPortLocal", "ControlPortRemote", "ControlIp", "LocalHostIp",
    "SerialBaudRate", "SitlIp", "SitlPort", "QgcHostIp", "LogViewerHostIp", "SimSysID", "SimCompID", "OffboardCompID",
    "Model", "AirSimVehicleName", "EnableCollisionPassthrough",
}  # fmt: skip
DEFAULT_ORIGIN = (47.641468, -122.140165, 122.0)


@dataclass(frozen=True)
class VehicleSettings:
    """One vehicle."""

    name: str
    kind: str
    """drone, car or eye."""
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Start, world NED [m]."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw, NED [deg]."""
    armed: bool = True
    """Whether its motors may turn at the start."""
    api_always: bool = True
    collisions: bool = True
    passthrough: bool = False
    trace: bool = False
    fpv: bool = False
    """The vehicle that is meant when none is named."""
    cameras: dict[str, CameraSettings] = field(default_factory=dict)
    sensors: tuple[SensorSettings, ...] = ()
    firmware: FirmwareKeys | None = None
    """How it is reached by the firmware that flies it; None: the built-in controller does."""


@dataclass(frozen=True)
class SettingsFile:
    """All of it."""

    text: str = "{}"
    """The file as it was read."""
    mode: str = "Multirotor"
    cosys: bool = False
    """SettingsVersion 2 is Cosys-AirSim's: segmentation tells instances apart, and lidars name what they hit."""
    clock_speed: float = 1.0
    host: str = ""
    """Where to listen; empty: as the scenario says."""
    port: int | None = None
    origin: tuple[float, float, float] = DEFAULT_ORIGIN
    """Latitude, longitude [deg] and altitude [m] of world NED zero."""
    external_physics: bool = False
    """Vehicles stay where they are put."""
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """World NED [m/s]."""
    time_of_day: dict[str, Any] | None = None
    recording: RecordingSettings = field(default_factory=RecordingSettings)
    cameras: CameraSettings = field(default_factory=CameraSettings)
    external_cameras: dict[str, CameraSettings] = field(default_factory=dict)
    vehicles: dict[str, VehicleSettings] = field(default_factory=dict)
    default_sensors: dict[str, SensorSettings] = field(default_factory=dict)
    """Of vehicles that have none of a type; empty: AirSim's own choice."""


def find_settings() -> Path | None:
    """Where AirSim's users keep the file: here, or Documents/AirSim."""
    places = (Path.cwd() / "settings.json", Path.home() / "Documents" / "AirSim" / "settings.json")
    return next((p for p in places if p.is_file()), None)


def default_settings() -> SettingsFile:
    """What counts without a file: one drone that has one of every sensor."""
    text = {
        "SettingsVersion": 1.2, "SimMode": "Multirotor",
        "Vehicles": {"SimpleFlight": {"VehicleType": "SimpleFlight", "Sensors": {
            "lidar": {"SensorType": 6, "Enabled": True}, "distance": {"SensorType": 5, "Enabled": True, "Pitch": -90},
        }}},
    }  # fmt: skip
    return read_settings(json.dumps(text, indent=2), "settings")


def read_settings(text: str, source: str = "settings.json") -> SettingsFile:
    """Settings from the text of a file."""
    try:
        data = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        raise ScenarioError(f"{source}:{error.lineno}: this is not JSON: {error.msg}") from None
    except RecursionError:
        raise ScenarioError(f"{source}: this is nested too deeply") from None
    top = Values(data, source)
    mode = _mode(top)
    cameras = camera_settings(top.section("CameraDefaults"), CameraSettings())
    sensors = {s.name: s for s in sensor_settings(top.section("DefaultSensors"))}
    vehicles = {
        name: _vehicle(name, top.section("Vehicles").section(name), mode, cameras, sensors)
        for name in top.section("Vehicles").names()
        if top.section("Vehicles").section(name).flag("AutoCreate", True)
    }
    if not vehicles:
        name = _BY_MODE[mode]
        vehicles = {name: _vehicle(name, Values({"VehicleType": name}, source), mode, cameras, sensors)}
    origin, outside = top.section("OriginGeopoint"), top.section("ExternalCameras")
    settings = SettingsFile(
        text=text, mode=mode, cosys=top.number("SettingsVersion", 1.2) >= 2.0,
        clock_speed=top.number("ClockSpeed", 1.0, 1e-3, 1000.0),
        host=top.text("LocalHostIp", ""), port=top.whole("ApiServerPort", None, 1, 65_535),
        origin=(
            origin.number("Latitude", DEFAULT_ORIGIN[0], -90, 90),
            origin.number("Longitude", DEFAULT_ORIGIN[1], -180, 180),
            origin.number("Altitude", DEFAULT_ORIGIN[2], -400, 8000),
        ),
        external_physics=top.text("PhysicsEngineName", "") == "ExternalPhysicsEngine",
        wind=top.section("Wind").triple("XYZ", (0.0, 0.0, 0.0), 100.0), time_of_day=_time_of_day(top),
        recording=recording_settings(top.section("Recording")), cameras=cameras,
        external_cameras={n: camera_settings(outside.section(n), cameras) for n in outside.names()}, vehicles=vehicles,
        default_sensors=sensors,
    )  # fmt: skip
    top.note_unknown(_SHOWN)
    return settings


def _mode(top: Values) -> str:
    given = top.text("SimMode", "")
    if given.lower() not in MODES:
        known = sorted(set(MODES.values()))
        raise top.error("SimMode", f"'{given}' is none of {', '.join(known)}{did_you_mean(given, known)}")
    return MODES[given.lower()]


def _time_of_day(top: Values) -> dict[str, Any] | None:
    values = top.section("TimeOfDay")
    if not values.flag("Enabled", False):
        return None
    return {
        "start": values.text("StartDateTime", ""), "dst": values.flag("StartDateTimeDst", False),
        "speed": values.number("CelestialClockSpeed", 1.0, -1e6, 1e6),
        "interval": values.number("UpdateIntervalSecs", 60.0, 0.0, 1e9), "move_sun": values.flag("MoveSun", True),
    }  # fmt: skip


def vehicle_kind(kind: str, place: Values | None = None) -> str:
    """drone, car or eye of a VehicleType."""
    if kind.lower() not in KINDS:
        known = ["SimpleFlight", "PX4Multirotor", "ArduCopter", "PhysXCar", "ArduRover", "ComputerVision"]
        said = f"VehicleType '{kind}' is none of {', '.join(known)}{did_you_mean(kind, known)}"
        raise place.error("VehicleType", said) if place is not None else ScenarioError(said)
    if kind.lower() == "arducoptersolo":
        _log.info("AirSim: '%s' is moved by the built-in controller", kind)
    return KINDS[kind.lower()]


def _vehicle(
    name: str, values: Values, mode: str, cameras: CameraSettings, defaults: dict[str, SensorSettings]
) -> VehicleSettings:
    if not _NAME.fullmatch(name):
        raise values.error("", f"a vehicle's name '{name}' must be letters, digits, '_' and '-', a letter first")
    told = values.text("VehicleType", _BY_MODE[mode])
    kind = vehicle_kind(told, values)
    own = values.section("Cameras")
    state = values.text("DefaultVehicleState", "Armed")
    vehicle = VehicleSettings(
        name, kind, values.triple("XYZ", (0.0, 0.0, 0.0), 1e6),
        values.triple(("Roll", "Pitch", "Yaw"), (0.0, 0.0, 0.0), 1e4), state.lower() in ("armed", ""),
        values.flag("AllowAPIAlways", True), values.flag("EnableCollisions", True),
        values.flag("EnableCollisionPassthrogh", False), values.flag("EnableTrace", False),
        values.flag("IsFpvVehicle", False), {n: camera_settings(own.section(n), cameras) for n in own.names()},
        vehicle_sensors(kind, list(sensor_settings(values.section("Sensors"))), defaults), firmware_keys(told, values),
    )  # fmt: skip
    values.note_unknown(_QUIET)
    return vehicle


def vehicle_sensors(
    kind: str, own: list[SensorSettings], defaults: dict[str, SensorSettings] | None = None
) -> tuple[SensorSettings, ...]:
    """A vehicle's own sensors, and the default ones of types of which it has none."""
    if not defaults:
        names = {"drone": {"imu": 2, "magnetometer": 4, "gps": 3, "barometer": 1}, "car": {"gps": 3}, "eye": {}}[kind]
        defaults = {n: SensorSettings(n, t) for n, t in names.items()}
    types = {s.type for s in own}
    every = [*own, *(s for s in defaults.values() if s.type not in types)]
    return tuple(_for_kind(s, kind) for s in every if s.enabled)


def _for_kind(sensor: SensorSettings, kind: str) -> SensorSettings:
    """Where a sensor sits and looks on this kind of vehicle, if the file does not say."""
    values = dict(sensor.values)
    if kind == "car" and sensor.type in (5, 6, 7, 8) and math.isnan(sensor.position[2]):
        sensor = replace(sensor, position=(*sensor.position[:2], -1.9 if sensor.type != 5 else -1.0))
    if sensor.type in (6, 8):
        upper, lower = (10.0, -10.0) if kind == "car" else (-15.0, -45.0)
        values.setdefault("VerticalFOVUpper", upper)
        values.setdefault("VerticalFOVLower", lower)
    x, y, z = (0.0 if math.isnan(v) else v for v in sensor.position)
    return replace(sensor, values=values, position=(x, y, z))
