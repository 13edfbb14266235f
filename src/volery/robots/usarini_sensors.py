"""Sensors as USARSim's files describe them, in the words of ours: classes and keys, units, noise and output curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from volery.robots.usarini import IniSection, Value, number, truth

__all__ = ["KINDS", "WHEELS", "SensorClass", "Units", "ancestors", "keys_of", "merged", "sensor_of"]

WHEELS = "_wheels"
"""Entry of a sensor of wheels that do not have names yet: `pair`, `one` or `all` of those that are driven."""
_TURN = 65536.0
"""Of a rotation in Unreal's units."""
_MOST_ANGLE = 2 * math.pi + 1e-6
"""An angle larger than this is in Unreal's units [rad]."""


@dataclass(frozen=True)
class Units:
    """What lengths and axes of a file mean."""

    per_metre: float = 1.0
    """Lengths of the file in a metre: 1 in files since 2005, Unreal units before."""
    down: bool = True
    """Whether z points down, as in files in metres; in Unreal units it points up."""

    def length(self, value: float) -> float:
        """[m]."""
        return value / self.per_metre

    def place(self, value: Value | None) -> tuple[float, float, float]:
        """A place in the robot's frame: x forward, y left, z up [m]; theirs has y to the right."""
        x, y, z = (self.length(v) for v in _triple(value, ("x", "y", "z")))
        return x, -y, -z if self.down else z

    def attitude_deg(self, value: Value | None) -> tuple[float, float, float]:
        """Roll, pitch, yaw in the robot's frame [degrees]; theirs pitch up and yaw to the right."""
        if isinstance(value, dict) and {"roll", "pitch", "yaw"} & set(value):
            roll, pitch, yaw = (v * 360.0 / _TURN for v in _triple(value, ("roll", "pitch", "yaw")))
        else:
            roll, pitch, yaw = (math.degrees(angle(v)) for v in _triple(value, ("x", "y", "z")))
        return roll, -pitch, -yaw


def angle(value: float) -> float:
    """An angle [rad]: numbers beyond a turn are 65536ths of one."""
    return value if abs(value) <= _MOST_ANGLE else value * 2 * math.pi / _TURN


def _triple(value: Value | None, names: tuple[str, str, str]) -> tuple[float, float, float]:
    if isinstance(value, dict):
        return tuple(number(value.get(n)) for n in names)  # type: ignore[return-value]
    items = value if isinstance(value, list) else str(value or "").replace(",", " ").split()
    numbers = [number(v) for v in items[:3]]
    return tuple([*numbers, 0.0, 0.0, 0.0][:3])  # type: ignore[return-value]


Reader = Callable[[float, Units], Any]


def _length(value: float, units: Units) -> float:
    return units.length(value)


def _angle(value: float, _units: Units) -> float:
    return angle(value)


def _degrees(value: float, _units: Units) -> float:
    """An angle that they give in degrees, though their texts say 65536ths."""
    return value if value <= 360.0 else value * 360.0 / _TURN


def _in_degrees(value: float, _units: Units) -> float:
    return math.degrees(angle(value))


def _plain(value: float, _units: Units) -> float:
    return value


def _drift(value: float, _units: Units) -> float:
    """Share of the way that is lost at most, from USARSim's Precision."""
    return min(0.5 / max(value, 0.5), 1.0)


def _count(value: float, _units: Units) -> int:
    return round(value)


def _ticks(value: float, _units: Units) -> int:
    """Per turn, from the angle of one."""
    return max(1, round(2 * math.pi / max(angle(value), 1e-6)))


@dataclass(frozen=True)
class SensorClass:
    """One of their sensor classes."""

    type: str
    """Ours."""
    keys: Mapping[str, tuple[str, Reader]] = field(default_factory=dict)
    """Their key in lower case: our parameter, and how the number is read."""
    noisy: str = ""
    """The array of our reading that Noise and OutputCurve act on."""
    fixed: dict[str, Any] = field(default_factory=dict)
    """Parameters that follow from the class."""


_RANGE = {"maxrange": ("max_range", _length), "minrange": ("min_range", _length)}
_SCAN = {
    **_RANGE, "resolution": ("resolution", _angle), "scanfov": ("fov", _angle), "fov": ("fov", _angle),
}  # fmt: skip
_SONAR = {
    **_RANGE, "beamangle": ("beam_angle", _angle), "numberofcones": ("cones", _count),
    "tracespercone": ("rays_per_cone", _count), "maxangleofincidence": ("max_incidence", _angle),
}  # fmt: skip
_PICTURE = {
    "cameradeffov": ("fov_deg", _degrees), "camerafov": ("fov_deg", _degrees),
    "cameraresolutionx": ("width", _count), "cameraresolutiony": ("height", _count),
    "textureresolutionx": ("width", _count), "textureresolutiony": ("height", _count),
}  # fmt: skip
_ENCODER = {"resolution": ("ticks", _ticks)}
_INS = {"precision": ("distance_scale", _drift), "sigma": ("distance_noise", _plain)}
_GPS: dict[str, tuple[str, Reader]] = {}
_PAIR = {WHEELS: "pair"}
_ABOVE = {
    "sick": "rangescanner", "sicklms": "rangescanner", "lms200": "rangescanner", "hokuyo": "rangescanner",
    "hokuyourg04lx": "rangescanner", "lasersensor": "rangescanner", "irscanner": "rangescanner",
    "rangescanner": "rangesensor", "sonarsensor": "rangesensor", "irsensor": "rangesensor", "ir2sensor": "irsensor",
    "rangesensor": "sensor",
}  # fmt: skip
"""The class above each, whose keys it has where it does not say them itself."""
_SHARED = ("scaninterval", "noise", "outputcurve", "base")
_NO_PART = frozenset((
    *("hiddensensor", "bwithtimestamp", "weight", "mass", "bdebug", "bsendrange", "bdrawlines", "cameranearplane"),
    *("camerafarplane", "cameraminfov", "cameramaxfov", "currentenergy", "fixedtoplatform", "mean", "drifting"),
))  # fmt: skip
"""Keys of how a sensor is drawn, carried or debugged, or that are the same for all sensors of a dialect here."""
_SPECIAL = {
    "laser": ("byaw", "bpitch"), "gps": ("zerozerolocation", "maxnoise", "minnoise"), "battery": ("batterylife",),
    "sound": ("soundspeed", "initloudnessradius"),
}  # fmt: skip
"""Keys that are read otherwise, by our sensor."""

KINDS: dict[str, SensorClass] = {
    "sonarsensor": SensorClass("sonar", _SONAR, "range", {"max_incidence": 0.1745}),
    "rangesensor": SensorClass("sonar", _RANGE, "range", {"cones": 0}),
    "ir2sensor": SensorClass("rangefinder", _RANGE, "range", {"glass": "pass", "min_range": 0.2, "max_range": 1.5}),
    "irsensor": SensorClass("rangefinder", _RANGE, "range", {"glass": "pass", "min_range": 0.2, "max_range": 1.5}),
    "rangescanner": SensorClass("laser", _SCAN, "range", {"model": "generic"}),
    "lasersensor": SensorClass("laser", _SCAN, "range", {"model": "generic"}),
    **dict.fromkeys(("sicklms", "sick", "lms200"), SensorClass("laser", _SCAN, "range", {"model": "sick"})),
    **dict.fromkeys(("hokuyo", "hokuyourg04lx"), SensorClass("laser", _SCAN, "range", {"model": "hokuyo"})),
    "irscanner": SensorClass("laser", _SCAN, "range", {"model": "ir", "glass": "pass"}),
    **dict.fromkeys(("odometrysensor", "odosensor", "odometry"), SensorClass("odometry", {}, "position", _PAIR)),
    "inssensor": SensorClass("odometry", {}, "position"),
    "ins": SensorClass("odometry", _INS),
    **dict.fromkeys(("encodersensor", "encoder"), SensorClass("wheel_encoder", _ENCODER, "angle", {WHEELS: "one"})),
    "tachometer": SensorClass("wheel_encoder", {}, "speed", {WHEELS: "all"}),
    **dict.fromkeys(("touchsensor", "touch"), SensorClass("contact", {"diameter": ("diameter", _length)})),
    **dict.fromkeys(("groundtruth", "groundtruthsensor", "groundtruthmovable"), SensorClass("ground_truth")),
    **dict.fromkeys(("gpssensor", "gpssensor_fixed"), SensorClass("gps", _GPS, "position")),
    **dict.fromkeys(
        ("accelerometersensor", "accelerometer", "imusensor", "imu"), SensorClass("imu", {}, "specific_force")
    ),
    "battery": SensorClass("battery", {"maxenergy": ("capacity", _plain)}),
    "magneticcompass": SensorClass("magnetometer", {}, "field"),
    "altitudesensor": SensorClass("barometer", {}, "pressure"),
    "humanmotionsensor": SensorClass(
        "human_motion", {"maxrange": ("range", _length), "fov": ("fov_deg", _degrees)}, "probability"
    ),
    "soundsensor": SensorClass("sound", {"maxrange": ("range", _length)}, "intensity"),
    **dict.fromkeys(("acousticsensor", "acousticarraysensor", "exampleacousticarray"), SensorClass(
        "sound", {"maxrange": ("range", _length), "hearthreshold": ("range", _length)}, "intensity")),
    "victimsensor": SensorClass("victim", {
        "maxrange": ("range", _length), "horizontalfov": ("width_deg", _in_degrees),
        "verticalfov": ("height_deg", _in_degrees),
    }, "location"),
    "rfidsensor": SensorClass("rfid", {"maxrange": ("range", _length)}, "location"),
    "rfidreleaser": SensorClass("rfid_releaser", {"numtags": ("count", _count)}),
    "victimrfidsensor": SensorClass("victim_tag", {"maxrange": ("range", _length)}, "location"),
    "co2sensor": SensorClass("co2", {}, "density"),
    **dict.fromkeys(("robotcamera", "usarcamera", "airrobotcamera"), SensorClass(
        "camera", _PICTURE, "", {"width": 320, "height": 240, "quality": "fast", "enabled": False})),
    "kinectdepth": SensorClass("camera", {"maxrange": ("range", _length)}, "", {
        "outputs": ["depth_planar"], "width": 320, "height": 240, "fov_deg": 58.0, "enabled": False,
    }),
    **dict.fromkeys(("headlight", "usarheadlight"), SensorClass("headlight", {}, "", {"lit": False})),
}  # fmt: skip
"""Their classes by lower-case name without the package; the section of a class of one's own has `Base=` one of them."""


def ancestors(name: str) -> list[str]:
    """A class and those above it."""
    out = [name]
    while out[-1] in _ABOVE:
        out.append(_ABOVE[out[-1]])
    return out


def keys_of(kind: SensorClass) -> frozenset[str]:
    """All keys that sections of a class may have."""
    return frozenset((*kind.keys, *_SHARED, *_NO_PART, *_SPECIAL.get(kind.type, ())))


def merged(sections: Sequence[IniSection]) -> IniSection | None:
    """One section of several, of which the first ones have their say first."""
    if not sections:
        return None
    out = IniSection(sections[0].name, line=sections[0].line)
    for section in reversed(sections):
        out.keys.update(section.keys)
        out.lines.update(section.lines)
    return out


def sensor_of(kind: SensorClass, section: IniSection | None, units: Units) -> dict[str, Any]:
    """Our sensor's entry, without its mount, from the class's section; None: all as by default."""
    out: dict[str, Any] = {"type": kind.type, **kind.fixed}
    if section is None:
        return out
    for key, (name, read) in kind.keys.items():
        value = section.last(key)
        if value is not None:
            out[name] = read(number(value), units)
    interval = number(section.last("scaninterval"), -1.0)
    if interval > 0.0:
        out["rate"] = 1.0 / interval
    if kind.type == "laser":
        _scanning(section, interval, out)
    if kind.type == "gps":
        out.update(_gps(section))
    life = number(section.last("batterylife"), 0.0)
    if kind.type == "battery" and life > 0.0:
        out["idle"] = out.get("capacity", 1e6) / life
    noise = _noise(section, units if kind.noisy in ("range", "position", "location") else Units())
    if kind.noisy and noise:
        out["noise"] = {kind.noisy: noise}
    return out


def _gps(section: IniSection) -> dict[str, Any]:
    """Where on Earth the world's zero lies."""
    zero = section.last("zerozerolocation")
    if not isinstance(zero, dict):
        return {}
    out = {}
    for name in ("latitude", "longitude"):
        degrees = number(zero.get(f"{name}degree"))
        out[name] = degrees + math.copysign(number(zero.get(f"{name}minute")) / 60.0, degrees)
    return out


def _scanning(section: IniSection, interval: float, out: dict[str, Any]) -> None:
    """Plane and mode of a laser: bPitch turns the plane, and no interval means one scan per command."""
    if truth(section.last("bpitch")) and not truth(section.last("byaw")):
        out["plane"] = "pitch"
    if section.last("scaninterval") is not None and interval <= 0.0:
        out["mode"] = "manual"


def _noise(section: IniSection, units: Units) -> dict[str, Any]:
    """Relative and uniform, as theirs: d (1 + U(−Noise, Noise)); then the curve through its points."""
    noise: dict[str, Any] = {}
    share = min(max(number(section.last("noise")), 0.0), 10.0)
    if share > 0.0:
        noise = {"kind": "uniform", "relative": share}
    curve = section.last("outputcurve")
    points = curve.get("points") if isinstance(curve, dict) else None
    pairs: list[list[float]] = []
    for point in points if isinstance(points, list) else []:
        if isinstance(point, dict):
            x, y = (units.length(number(point.get(k))) for k in ("inval", "outval"))
            if not pairs or x > pairs[-1][0]:
                pairs.append([x, y])
    if any(abs(x - y) > 1e-9 for x, y in pairs):
        noise["curve"] = pairs
    return noise
