"""What a robot carries, as clients know it: each sensor here is one item there, or several."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volery.protocols.gamebots.dialect import Dialect
from volery.scenario import RobotPlan
from volery.sensors.battery import BatteryConfig
from volery.sensors.camera import Camera
from volery.sensors.gps import Gps
from volery.sensors.identify import VictimSensor
from volery.sensors.inertial import Barometer, Imu, Magnetometer
from volery.sensors.lidar import Lidar
from volery.sensors.position import GroundTruth, Odometry, WheelEncoder
from volery.sensors.range import Rangefinder, Sonar, UsarLaser
from volery.sensors.rescue import Co2, HumanMotion, Sound
from volery.sensors.rfid import Rfid, RfidReleaser, VictimTag
from volery.sensors.sensor import Sensor
from volery.sensors.touch import ContactSwitch

__all__ = ["NamedItem", "changes", "items_of", "type_of"]

_TYPES: dict[type[Sensor], str] = {
    Sonar: "Sonar", Rangefinder: "IR", UsarLaser: "RangeScanner", GroundTruth: "GroundTruth", Gps: "GPS",
    WheelEncoder: "Encoder", ContactSwitch: "Touch", Magnetometer: "MagneticCompass", Barometer: "AltitudeSensor",
    HumanMotion: "HumanMotion", Sound: "Sound", Rfid: "RFID", VictimSensor: "VictSensor", VictimTag: "VictRFID",
    Co2: "CO2Sensor", Camera: "Camera", Odometry: "Odometry", Imu: "IMU", Lidar: "RangeScanner",
    RfidReleaser: "RFIDReleaser",
}  # fmt: skip
"""Type on the wire of each kind of sensor; some depend on more, see `_type`."""
_BY_NAME = {"tach": "Tachometer", "accel": "Accel", "accelerometer": "AcceleroMeter", "inu": "INU"}
"""Beginnings of names of items that are of another type than their sensor's usual one."""
_PERIODS: dict[str, float] = {
    "Sonar": 0.2, "IR": 0.2, "GroundTruth": 0.2, "Odometry": 0.1, "INS": 0.2, "Encoder": 0.2, "Tachometer": 0.2,
    "GPS": 0.2, "IMU": 0.1, "Accel": 0.1, "AcceleroMeter": 0.1, "Touch": 0.1, "Sound": 1.0, "Acoustic": 1.0,
    "RFID": 0.2, "VictRFID": 0.2, "VictSensor": 0.8, "CO2Sensor": 0.2, "HumanMotion": 0.2, "MagneticCompass": 0.2,
    "AltitudeSensor": 0.2,
}  # fmt: skip
"""ScanInterval of the last server's sensors [s]."""
_MANUAL_RANGE = 1000.0
"""How far the manual's sonars, generic lasers and motion sensors reach [Unreal units]."""
_MANUAL_SCAN = {"resolution": 800 * 2 * math.pi / 65_536, "fov": math.pi, "rate": 2.0}
"""Of the manual's laser: Resolution 800 and ScanFov 32768 of 65536ths of a turn [rad], every 0.5 s [Hz]."""
_OWN_PACE = ("RangeScanner", "IRScanner", "VictSensor", "PCL")
"""Types that keep their own interval in every dialect."""


@dataclass(eq=False)
class NamedItem:
    """One thing that a SEN line, CONF or GEO can name."""

    type: str
    name: str
    sensor: Sensor
    part: int = 0
    """Which of the sensor's elements it is."""
    memory: dict[str, Any] = field(default_factory=dict)
    """What must be remembered from line to line."""

    @property
    def X_RS(self) -> np.ndarray:
        """Where it sits now in the axes of the robot's root, [3, 4]."""
        root = self.sensor.robot.X_WB[0]
        X = self.sensor.X_WS
        R = root[:, :3].T
        return np.concatenate([R @ X[:, :3], (R @ (X[:, 3] - root[:, 3]))[:, None]], axis=1)

    @property
    def mount(self) -> str:
        """Name of the body it sits on; HARD for the chassis."""
        description = self.sensor.robot.description
        body, _ = self.sensor.config.mount.resolve(description)
        return "HARD" if body == 0 else description.bodies[body]


def items_of(sensors: Iterable[Sensor], dialect: Dialect) -> list[NamedItem]:
    """The items of a robot's sensors, in their order."""
    items: list[NamedItem] = []
    for sensor in sensors:
        kind = type_of(type(sensor), sensor.config, sensor.name, dialect)
        if kind == "Encoder":
            items += _encoders(sensor, dialect)
        elif kind:
            items.append(NamedItem(kind, sensor.name, sensor))
    return items


def type_of(cls: type[Sensor], config: Any, name: str, dialect: Dialect) -> str:
    """The type on the wire of a sensor; empty: clients are not told of it."""
    kind = next((_TYPES[c] for c in cls.__mro__ if c in _TYPES), "")
    if kind in ("Encoder", "IMU", "Odometry"):
        for start in sorted(_BY_NAME, key=len, reverse=True):
            if name.lower().startswith(start):
                return _BY_NAME[start]
    if kind == "Odometry" and not config.wheels:
        return "INS"
    if issubclass(cls, UsarLaser) and config.model == "ir":
        return "IRScanner"
    if issubclass(cls, Lidar) and len(config.elevations) > 1:
        return "PCL"
    if kind == "Camera" and "depth_planar" in config.outputs:
        return "RangeImager"
    if dialect.old and kind == "Sonar":
        return "Range"
    return "Acoustic" if dialect.udk and kind == "Sound" else kind


def _encoders(sensor: Sensor, dialect: Dialect) -> list[NamedItem]:
    """One item for each wheel; a pair has the names that clients look for."""
    assert isinstance(sensor, WheelEncoder)
    joints = sensor.config.joints or tuple(j.name for j in sensor.robot.description.joints)
    if len(joints) == 1:
        names = [sensor.name]
    elif dialect.udk:
        names = [f"W{i}" for i in range(1, len(joints) + 1)]
    else:
        names = ["ECLeft", "ECRight"] if len(joints) == 2 else [f"EC{j}" for j in joints]
    return [NamedItem("Encoder", name, sensor, part) for part, name in enumerate(names)]


def changes(plan: RobotPlan, dialect: Dialect, battery: float | None) -> dict[str, Any]:
    """How a robot's sensors are to differ from its file: read at the dialect's intervals, cameras only when asked.

    battery: how long the robot is to last at rest [s]; None: as its file says."""
    out: dict[str, Any] = {}
    for name, (cls, config) in plan.sensors.items():
        own = plan.file.sensors.get(name)
        kind = type_of(cls, config, name, dialect)
        rate = _rate(kind, dialect, isinstance(own, dict) and "rate" in own)
        manual = _manual(kind, cls, own if isinstance(own, dict) else {}, dialect)
        if kind in ("Camera", "RangeImager"):
            out[name] = {"enabled": False}
        elif manual or rate is not None:
            out[name] = {**({} if rate is None else {"rate": rate}), **manual}
        elif isinstance(config, BatteryConfig) and battery is not None and config.idle > 0:
            out[name] = {"capacity": battery * config.idle}
    return out


def _manual(kind: str, cls: type[Sensor], own: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """What the manual says of a sensor where its robot says nothing; own: the entry in the robot's file."""
    if not dialect.old:
        return {}
    reach, said = _MANUAL_RANGE / dialect.uu, {}
    if kind == "Range":
        said = {"max_range": reach}
    elif kind == "HumanMotion":
        said = {"range": reach, "fov_deg": 60.0}
    elif issubclass(cls, UsarLaser) and own.get("model") == "generic":
        said = {"max_range": reach, **_MANUAL_SCAN}
    return {k: v for k, v in said.items() if k not in own}


def _rate(kind: str, dialect: Dialect, written: bool) -> float | None:
    """How often a sensor is to be read [Hz]; None: as its robot says. written: whether the robot's file says so."""
    if not kind or kind in ("Camera", "RangeImager", "RFIDReleaser"):
        return None
    if not dialect.udk:
        return None if kind in _OWN_PACE else 1.0 / dialect.period
    return None if written or kind not in _PERIODS else 1.0 / _PERIODS[kind]
