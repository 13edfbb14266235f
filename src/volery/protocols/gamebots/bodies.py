"""SEN lines: what each type of sensor says, in each dialect."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from volery.core.frames import euler_from_quat
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import line, segment, written
from volery.protocols.gamebots.items import NamedItem
from volery.sensors.identify import PARTS, STATUS
from volery.sensors.lidar import Lidar
from volery.sensors.range import UsarLaser
from volery.sensors.sensor import Reading

__all__ = ["LOUDNESS", "scan_fields", "sensor_lines"]

Pairs = list[tuple[str, str]]
_GROUPED = ("Range", "Sonar", "IR", "Encoder", "Touch")
"""Types of which older dialects tell all items of a robot in one line."""
_UNTIMED = ("Range", "Encoder", "Touch", "RFID", "VictSensor", "VictRFID", "HumanMotion", "Sound", "CO2Sensor")
"""Types whose lines begin with Type in ut2004."""
LOUDNESS = 1e6
"""Loudness is told in microwatts per square metre."""
_MOST_BEAMS = 192
"""Ranges in a line that all clients can hold."""
_MOST_POINTS = 256
_GRAVITY = 9.80665
_NOBODY: Pairs = [("Status", "NoVictims")]
"""What a victim sensor says that finds nobody; alone, but in ut2004 a client wants the name as well."""


def sensor_lines(fresh: list[tuple[NamedItem, Reading]], dialect: Dialect) -> list[bytes]:
    """Lines for readings of one robot, of one instant."""
    lines: list[bytes] = []
    grouped: dict[str, list[str]] = {}
    stamps: dict[str, int] = {}
    for item, reading in fresh:
        if item.type not in _BODIES:
            continue
        pairs = _BODIES[item.type](item, reading, dialect)
        if item.type in _GROUPED and not dialect.udk:
            words = " ".join(f"{k} {v}" for k, v in pairs)
            stamps[item.type] = reading.stamp_ns
            grouped.setdefault(item.type, []).append(segment("Name", item.name, words))
            continue
        name = [] if pairs == _NOBODY and dialect.name != "ut2004" else [segment("Name", item.name)]
        body = [segment(*(w for w in (k, v) if w)) for k, v in pairs]
        lines.append(line("SEN", *_head(item.type, reading.stamp_ns, dialect), *name, *body))
    together = [line("SEN", *_head(kind, stamps[kind], dialect), *parts) for kind, parts in grouped.items()]
    return [*together, *lines]


def _head(kind: str, stamp_ns: int, dialect: Dialect) -> list[str]:
    timed = not dialect.old and (kind not in _UNTIMED if not dialect.udk else kind != "RFID")
    time = [segment("Time", dialect.time(stamp_ns))] if timed else []
    return [*time, segment("Type", kind)]


# Ranges


def _range(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    return [("Range", dialect.length(_finite(float(reading.data["range"][0]), item)))]


def _finite(value: float, item: NamedItem) -> float:
    """What a sensor says that found nothing, or something too near, as its limit."""
    if math.isfinite(value):
        return value
    config = item.sensor.config
    return float(config.min_range if value == -math.inf else config.max_range)  # type: ignore[attr-defined]


def scan_fields(item: NamedItem) -> tuple[float, float, np.ndarray | None]:
    """Resolution and field of view [rad] of a scanner, and the beams of a lidar that are told, right to left."""
    sensor = item.sensor
    if isinstance(sensor, UsarLaser):
        config = sensor.config
        return float(config.resolution or 0.0), float(config.fov or 0.0), None
    assert isinstance(sensor, Lidar)
    if "beams" not in item.memory:
        directions = sensor.pattern.at(0, 0.1)
        angles = np.arctan2(directions[:, 1], directions[:, 0])
        order = np.argsort(angles, kind="stable")
        order = order[:: -(-len(order) // _MOST_BEAMS)]
        item.memory["beams"] = (order, float(angles[order[-1]] - angles[order[0]]))
    order, fov = item.memory["beams"]
    return fov / max(len(order) - 1, 1), fov, order


def _scanner(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    resolution, fov, beams = scan_fields(item)
    ranges = reading.data["range"] if beams is None else reading.data["range"][beams]
    far = item.sensor.config.max_range if beams is None else item.sensor.config.limits[1]  # type: ignore[attr-defined]
    near = item.sensor.config.min_range or 0.0  # type: ignore[attr-defined]
    shown = np.where(np.isneginf(ranges), near, np.nan_to_num(ranges, nan=far, posinf=far))
    decimals = 2 if dialect.udk or dialect.old else 4
    data = ",".join(dialect.length(float(r), decimals) for r in shown)
    if dialect.old:
        X = item.sensor.X_WS
        where = f"{dialect.point(X[:, 3])} Rotation {dialect.facing(X[:, :3])}"
        return [("Location", where), ("Data", data)]
    return [("Resolution", written(resolution)), ("FOV", written(fov)), ("Range", data)]


def _cloud(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    points = reading.data["points"]
    points = points[np.isfinite(points).all(axis=1)]
    points = points[:: max(-(-len(points) // _MOST_POINTS), 1)]
    return [(";".join(dialect.vector(p, 2) for p in points), "")]


# Places


def _odometry(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    x, y, _ = reading.data["position"]
    yaw = float(euler_from_quat(reading.data["attitude"])[2])
    return [("Pose", f"{dialect.length(x)},{dialect.length(-y)},{dialect.angle(-yaw)}")]


def _ins(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    decimals = 2 if dialect.udk else None
    return [
        ("Location", dialect.point(reading.data["position"], decimals)),
        ("Orientation", dialect.attitude(reading.data["attitude"], decimals or 4, positive=True)),
    ]


def _truth(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    decimals = None if dialect.old else 3
    return [
        ("Location", dialect.point(reading.data["position"], decimals)),
        ("Orientation", dialect.attitude(reading.data["attitude"], decimals or 4)),
    ]


def _gps(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    satellites = ("Satellites", str(int(reading.data["satellites"][0])))
    if reading.data["fix"][0] == 0 or not np.isfinite(reading.data["geodetic"][:2]).all():
        return [("Fix", "0"), satellites]
    latitude, longitude = (math.degrees(float(a)) for a in reading.data["geodetic"][:2])
    return [
        ("Latitude", _minutes(latitude, "N", "S")), ("Longitude", _minutes(longitude, "E", "W")), ("Fix", "1"),
        satellites,
    ]  # fmt: skip


def _minutes(degrees: float, plus: str, minus: str) -> str:
    tenths = round(abs(degrees) * 60 * 1e4)
    whole, rest = divmod(tenths, 60 * 10_000)
    return f"{whole},{written(rest * 1e-4)},{plus if degrees >= 0 else minus}"


# Wheels and motion


def _encoder(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    return [("Tick", str(int(reading.data["ticks"][item.part]) - int(item.memory.get("zero", 0))))]


def _tachometer(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    zero = item.memory.get("zero", 0.0)
    speed, angle = reading.data["speed"], reading.data["angle"] - zero
    return [(name, ",".join(dialect.angle(float(a)) for a in v)) for name, v in (("Vel", speed), ("Pos", angle))]


def _touch(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    return [("Touch", str(bool(reading.data["touch"][0])))]


def _acceleration(item: NamedItem, reading: Reading) -> np.ndarray:
    """Without gravity, in the sensor's axes [m/s²]."""
    return reading.data["specific_force"] - _GRAVITY * item.sensor.X_WS[2, :3]


def _imu(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    w = reading.data["angular_velocity"]
    stamp, before = item.memory.get("last", (reading.stamp_ns, w))
    item.memory["last"] = (reading.stamp_ns, w)
    dt = (reading.stamp_ns - stamp) * 1e-9
    turning = [("AngularVel", w), ("AngularAccel", (w - before) / dt if dt > 0 else np.zeros(3))]
    return [
        ("XYZAcceleration", dialect.vector(_acceleration(item, reading))),
        *((name, ",".join(dialect.angle(float(a)) for a in (v[0], -v[1], -v[2]))) for name, v in turning),
        ("Rotation", dialect.facing(item.sensor.X_WS[:, :3])),
    ]


def _accel(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    if item.type == "AcceleroMeter":
        return [("ProperAcceleration", dialect.vector(reading.data["specific_force"]))]
    return [("Acceleration", dialect.vector(_acceleration(item, reading)))]


def _compass(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    """Clockwise from magnetic north, of the sensor's x."""
    field = reading.data["field"] @ item.sensor.X_WS[:, :3].T
    ahead = item.sensor.X_WS[:, 0]
    angle = math.atan2(field[1], field[0]) - math.atan2(ahead[1], ahead[0])
    return [("MagneticAngle", dialect.angle(angle % (2 * math.pi)))]


def _altitude(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    height = float(reading.data["altitude"][0])
    first = item.memory.setdefault("first", height)
    return [("relativeAltitude", dialect.length(height - first)), ("absoluteAltitude", dialect.length(height))]


# Victims


def _motion(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    # A client of ut2004 reads the third word, as if there were two blanks; others do not mind.
    blank = " " if dialect.name == "ut2004" else ""
    return [("Prob", blank + written(float(reading.data["probability"][0])))]


def _sound(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    loud = float(reading.data["intensity"][0]) * LOUDNESS
    return [("Loudness", written(loud)), ("Duration", written(float(reading.data["duration"][0])))]


def _acoustic(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    data = reading.data
    if not data["intensity"][0] > 0:
        return [("None", "")]
    return [
        ("Direction", dialect.vector(data["direction"])), ("Volume", written(float(data["level"][0]))),
        ("Duration", written(float(data["duration"][0]))), ("Delay", written(float(data["delay"][0]))),
    ]  # fmt: skip


def _rfid(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    pairs: Pairs = []
    for number, place, text in zip(*(reading.data[k] for k in ("id", "location", "memory")), strict=True):
        pairs += [("ID", str(int(number))), ("Location", dialect.vector(place))]
        pairs += [("Mem", _clean(str(text)))] if text else []
    return pairs


def _clean(text: str) -> str:
    """A text that breaks no line."""
    return text.replace("{", "(").replace("}", ")")


def _victims(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    parts = zip(reading.data["part"], reading.data["location"], strict=True)
    pairs = [pair for p, at in parts for pair in (("PartName", PARTS[int(p)]), ("Location", dialect.vector(at)))]
    return pairs or _NOBODY


def _tags(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    pairs: Pairs = []
    columns = (reading.data[k] for k in ("level", "real", "id", "status", "location"))
    for level, real, number, status, place in zip(*columns, strict=True):
        if level >= 3:
            pairs.append(("ID", str(int(number))))
        known = "FalseAlarm" if real == 0 else STATUS[int(status)] if status >= 0 else "Seen"
        pairs += [("Status", known), ("Location", dialect.vector(place))]
    return pairs


def _co2(item: NamedItem, reading: Reading, dialect: Dialect) -> Pairs:
    return [("Gas", "CO2"), ("Density", written(float(reading.data["density"][0]), 6))]


_BODIES: dict[str, Callable[[NamedItem, Reading, Dialect], Pairs]] = {
    "Range": _range, "Sonar": _range, "IR": _range, "RangeScanner": _scanner, "IRScanner": _scanner, "PCL": _cloud,
    "Odometry": _odometry, "INS": _ins, "INU": _ins, "GroundTruth": _truth, "GPS": _gps, "Encoder": _encoder,
    "Tachometer": _tachometer, "Touch": _touch, "IMU": _imu, "Accel": _accel, "AcceleroMeter": _accel,
    "MagneticCompass": _compass, "AltitudeSensor": _altitude, "HumanMotion": _motion, "Sound": _sound,
    "Acoustic": _acoustic, "RFID": _rfid, "VictSensor": _victims, "VictRFID": _tags, "CO2Sensor": _co2,
}  # fmt: skip
