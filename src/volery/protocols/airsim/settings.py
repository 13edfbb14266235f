"""AirSim's settings.json, read and checked: a wrong value says where, what and why; keys that have no effect are
noted."""

from __future__ import annotations

import json
import logging
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from volery import registry
from volery.errors import ScenarioError, did_you_mean
from volery.protocols.airsim.firmware_keys import FirmwareKeys, firmware_keys
from volery.protocols.airsim.settings_parts import (
    CameraSettings,
    RecordingSettings,
    SensorSettings,
    SubWindow,
    camera_settings,
    recording_settings,
    sensor_settings,
    sub_windows,
)
from volery.protocols.airsim.settings_silent import FIRMWARE, LAYER, RADIO, TOP, VEHICLE
from volery.protocols.airsim.settings_text import read_json
from volery.protocols.airsim.settings_values import Values
from volery.robots.library import load_robot_file

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
PAWNS = {
    "drone": ("", "DefaultQuadrotor", "Quadrotor1"), "car": ("", "BareboneCar", "DefaultCar"),
    "eye": ("", "DefaultComputerVision"),
}  # fmt: skip
"""AirSim's own names of pawns, for which our usual models stand."""
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
    model: str = ""
    """A robot of ours whose body and rotors it has; empty: the usual one."""
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
    ids_from_names: bool = True
    """Whether things have ids of segmentation from the start; InitMethod "None" gives all of them 0."""
    windows: tuple[SubWindow, ...] = ()


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
    data, lines = read_json(text, source)
    top = Values(data, source, (), lines)
    mode = _mode(top)
    cameras = camera_settings(top.section("CameraDefaults"), CameraSettings())
    sensors = {s.name: s for s in sensor_settings(top.section("DefaultSensors"))}
    pawns = _pawns(top)
    every = top.section("Vehicles")
    vehicles = {
        name: _vehicle(name, every.section(name), mode, cameras, sensors, pawns)
        for name in every.names() if every.section(name).flag("AutoCreate", True)
    }  # fmt: skip
    if not vehicles:
        name = _BY_MODE[mode]
        vehicles = {name: _vehicle(name, Values({"VehicleType": name}, source), mode, cameras, sensors, pawns)}
    origin, outside, wind = top.section("OriginGeopoint"), top.section("ExternalCameras"), top.section("Wind")
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
        wind=wind.triple("XYZ", (0.0, 0.0, 0.0), 100.0), time_of_day=_time_of_day(top),
        recording=recording_settings(top.section("Recording")), cameras=cameras,
        external_cameras={n: camera_settings(outside.section(n), cameras) for n in outside.names()}, vehicles=vehicles,
        default_sensors=sensors, ids_from_names=_ids_from_names(top.section("SegmentationSettings")),
        windows=sub_windows(top),
    )  # fmt: skip
    origin.done()
    wind.done()
    for layer in top.sections("Annotation") or []:
        layer.text("Name", "")
        layer.done(LAYER)
    top.done(TOP)
    return settings


def _ids_from_names(values: Values) -> bool:
    method = values.text("InitMethod", "")
    known = ["CommonObjectsRandomIDs", "None"]
    if method not in ("", *known):
        raise values.error("InitMethod", f"'{method}' is none of {', '.join(known)}{did_you_mean(method, known)}")
    values.done({
        "MeshNamingMethod": "every thing has a name of its own here", "OverrideExisting": "no ids are there before",
    })  # fmt: skip
    return method != "None"


def _pawns(top: Values) -> dict[str, str]:
    """What PawnPath may name: by AirSim's names Unreal's classes, which are not here, or robots of ours."""
    section, found = top.section("PawnPaths"), {}
    for name in section.names():
        found[name] = section.section(name).text("PawnBP", "")
        section.section(name).done(used=("PawnBP",))
    return found


def _model(kind: str, values: Values, pawns: dict[str, str]) -> str:
    """The robot that a vehicle's PawnPath means."""
    told = values.text("PawnPath", "")
    named = pawns.get(told, told)
    if named and _fits(kind, named):
        return named
    known = [*PAWNS[kind], *pawns]
    if "/" in named:
        values.note("PawnPath", "Unreal's pawns are not here; the vehicle has its usual body")
    if told in known or "/" in named:
        return ""
    meant = did_you_mean(told, [*known[1:], *registry.names("robots")])
    raise values.error("PawnPath", f"'{told}' is neither a pawn nor a robot that can be this vehicle{meant}")


def _fits(kind: str, name: str) -> bool:
    """Whether a robot of ours can be such a vehicle."""
    if kind == "car":
        return name == "suv"
    return kind == "drone" and registry.knows("robots", name) and load_robot_file(name).multirotor is not None


def _mode(top: Values) -> str:
    given = top.text("SimMode", "")
    if given.lower() not in MODES:
        known = sorted(set(MODES.values()))
        raise top.error("SimMode", f"'{given}' is none of {', '.join(known)}{did_you_mean(given, known)}")
    return MODES[given.lower()]


def _time_of_day(top: Values) -> dict[str, Any] | None:
    values = top.section("TimeOfDay")
    told = {
        "start": values.text("StartDateTime", ""), "dst": values.flag("StartDateTimeDst", False),
        "speed": values.number("CelestialClockSpeed", 1.0, -1e6, 1e6),
        "interval": values.number("UpdateIntervalSecs", 60.0, 0.0, 1e9), "move_sun": values.flag("MoveSun", True),
    }  # fmt: skip
    on = values.flag("Enabled", False)
    values.done()
    return told if on else None


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
    name: str, values: Values, mode: str, cameras: CameraSettings, defaults: dict[str, SensorSettings],
    pawns: dict[str, str],
) -> VehicleSettings:  # fmt: skip
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
        values.flag("EnableCollisionPassthrogh", values.flag("EnableCollisionPassthrough", False)),
        values.flag("EnableTrace", False), values.flag("IsFpvVehicle", False), {n: camera_settings(own.section(n),
        cameras) for n in own.names()},
        vehicle_sensors(kind, list(sensor_settings(values.section("Sensors"))), defaults),
        _model(kind, values, pawns), firmware_keys(told, values),
    )  # fmt: skip
    values.section("RC").done(RADIO)
    values.done({**VEHICLE, **FIRMWARE}, used=("AutoCreate",))
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
