"""Parts of settings.json: checked values, cameras, sensors, recording."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volery.errors import ScenarioError, did_you_mean

__all__ = [
    "CameraSettings", "Capture", "GimbalSettings", "RecordedCamera", "RecordingSettings", "SensorSettings", "Values",
    "camera_settings", "recording_settings", "sensor_settings",
]  # fmt: skip

_log = logging.getLogger("volery")
IMAGE_TYPES = 12
_NAN3 = (math.nan, math.nan, math.nan)


class Values:
    """A section of the file: every value is taken by name, with a default, and checked."""

    def __init__(self, data: Any, place: str) -> None:
        self._place = place
        if data is None:
            data = {}
        if not isinstance(data, dict):
            raise ScenarioError(f"{place}: expected a section {{…}}, found {_say(data)}")
        self._data: dict[str, Any] = data
        self._asked: set[str] = set()

    def error(self, key: str, words: str) -> ScenarioError:
        """An error that says where."""
        return ScenarioError(f"{self._place}{': ' if not key else f'.{key}: '}{words}")

    def names(self) -> list[str]:
        """Names of the sections in it."""
        return [str(k) for k in self._data]

    def section(self, key: str) -> Values:
        """A section by name; empty if it is not there."""
        self._asked.add(key)
        return Values(self._data.get(key), f"{self._place}.{key}")

    def sections(self, key: str) -> list[Values] | None:
        """A list of sections; None if it is not there."""
        self._asked.add(key)
        found = self._data.get(key)
        if found is None:
            return None
        if not isinstance(found, list):
            raise self.error(key, f"expected a list […], found {_say(found)}")
        return [Values(item, f"{self._place}.{key}[{i}]") for i, item in enumerate(found)]

    def number(self, key: str, default: float, low: float = -math.inf, high: float = math.inf) -> float:
        """A number within limits."""
        self._asked.add(key)
        value = self._data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"expected a number, found {_say(value)}")
        if key in self._data and not low <= value <= high:
            raise self.error(key, f"{value} must be {low:g} to {high:g}")
        return float(value)

    def whole(self, key: str, default: int | None, low: int, high: int) -> Any:
        """A whole number within limits."""
        if self._data.get(key) is None:
            self._asked.add(key)
            return default
        value = self.number(key, 0.0, low, high)
        if value != int(value):
            raise self.error(key, f"expected a whole number, found {value}")
        return int(value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        self._asked.add(key)
        value = self._data.get(key, default)
        if not isinstance(value, bool) and value not in (0, 1):
            raise self.error(key, f"expected true or false, found {_say(value)}")
        return bool(value)

    def text(self, key: str, default: str) -> str:
        """A string."""
        self._asked.add(key)
        value = self._data.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"expected a string, found {_say(value)}")
        return value

    def triple(self, keys: Sequence[str], default: tuple[float, float, float], most: float) -> tuple[Any, ...]:
        """Three numbers, each under its own name."""
        return tuple(self.number(k, d, -most, most) for k, d in zip(keys, default, strict=True))

    def rest(self) -> dict[str, float | bool | str]:
        """All plain values, for those who know what they mean."""
        self._asked |= set(self._data)
        return {k: v for k, v in self._data.items() if isinstance(v, int | float | str)}

    def note_unknown(self, known: set[str]) -> None:
        """Say which keys are not used."""
        for key in self._data:
            if key not in self._asked and key not in known:
                meant = did_you_mean(key, self._asked | known)
                _log.info("AirSim: %s: '%s' is not known%s; it is not used", self._place, key, meant)


def _say(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 40 else words[:37] + "..."


@dataclass(frozen=True)
class Capture:
    """Size and view of one type of picture."""

    width: int = 256
    height: int = 144
    fov_deg: float = 90.0
    """Horizontal."""
    exposure: float = 0.0
    """Stops brighter."""
    blur: float = 0.0
    """MotionBlurAmount, 0 to 1."""


@dataclass(frozen=True)
class GimbalSettings:
    """Angles that stay as they are in the world [deg]; NaN: they follow the body."""

    stabilization: float = 0.0
    pitch: float = math.nan
    roll: float = math.nan
    yaw: float = math.nan


@dataclass(frozen=True)
class CameraSettings:
    """A camera: where it sits (NED, NaN: where this camera usually is) and what it takes."""

    position: tuple[float, float, float] = _NAN3
    """[m], on the body, or in the world for external ones."""
    attitude_deg: tuple[float, float, float] = _NAN3
    """Roll, pitch, yaw."""
    captures: dict[int, Capture] = field(default_factory=dict)
    """By image type."""
    gimbal: GimbalSettings = field(default_factory=GimbalSettings)
    noises: tuple[int, ...] = ()
    """Image types with noise."""


@dataclass(frozen=True)
class SensorSettings:
    """A sensor as the file has it."""

    name: str
    type: int
    """AirSim's number: 1 barometer, 2 IMU, 3 GPS, 4 magnetometer, 5 distance, 6 lidar; Cosys: 7 echo, 8 GPU lidar."""
    enabled: bool = True
    position: tuple[float, float, float] = _NAN3
    """On the body, FRD [m]; NaN: where such a sensor usually is."""
    attitude_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw, FRD."""
    values: dict[str, Any] = field(default_factory=dict)
    """Everything else, checked by those who use it."""


@dataclass(frozen=True)
class RecordedCamera:
    """A picture that is recorded."""

    camera: str
    image_type: int
    floats: bool
    compress: bool
    vehicle: str


@dataclass(frozen=True)
class RecordingSettings:
    """What a recording holds."""

    on_move: bool = False
    interval: float = 0.05
    """[s] of simulated time."""
    folder: str = ""
    enabled: bool = False
    """Whether it begins by itself."""
    cameras: tuple[RecordedCamera, ...] | None = None
    """None: the first camera of every vehicle."""


def camera_settings(values: Values, base: CameraSettings) -> CameraSettings:
    """A camera; what is not said is as in `base`."""
    captures = dict(base.captures)
    for item in values.sections("CaptureSettings") or []:
        kind = item.whole("ImageType", 0, -1, IMAGE_TYPES)
        captures[kind] = Capture(
            item.whole("Width", 256, 1, 8192), item.whole("Height", 144, 1, 8192),
            item.number("FOV_Degrees", 90.0, 1.0, 179.0), item.number("AutoExposureBias", 0.0, -20.0, 20.0),
            item.number("MotionBlurAmount", 0.0, 0.0, 1.0),
        )  # fmt: skip
    gimbal = values.section("GimbalSettings")
    noises = [n.whole("ImageType", 0, -1, IMAGE_TYPES) for n in values.sections("NoiseSettings") or []
              if n.flag("Enabled", False)]  # fmt: skip
    return replace(
        base, position=values.triple("XYZ", base.position, 1e6),
        attitude_deg=values.triple(("Roll", "Pitch", "Yaw"), base.attitude_deg, 1e4), captures=captures,
        gimbal=GimbalSettings(
            gimbal.number("Stabilization", base.gimbal.stabilization, 0.0, 1.0),
            gimbal.number("Pitch", base.gimbal.pitch), gimbal.number("Roll", base.gimbal.roll),
            gimbal.number("Yaw", base.gimbal.yaw),
        ),
        noises=(*base.noises, *noises),
    )  # fmt: skip


def sensor_settings(values: Values) -> list[SensorSettings]:
    """All sensors of a section."""
    found = []
    for name in values.names():
        one = values.section(name)
        kind = one.whole("SensorType", None, 1, 10)
        if kind is None:
            raise one.error("SensorType", "is missing: 1 barometer, 2 IMU, 3 GPS, 4 magnetometer, 5 distance, 6 lidar")
        found.append(SensorSettings(
            name, kind, one.flag("Enabled", False), one.triple("XYZ", _NAN3, 1e4),
            one.triple(("Roll", "Pitch", "Yaw"), (0.0, 0.0, 0.0), 1e4), one.rest(),
        ))  # fmt: skip
    return found


def recording_settings(values: Values) -> RecordingSettings:
    """What is recorded."""
    items = values.sections("Cameras")
    cameras = None if items is None else tuple(
        RecordedCamera(
            item.text("CameraName", "0"), item.whole("ImageType", 0, 0, IMAGE_TYPES - 1),
            item.flag("PixelsAsFloat", False), item.flag("Compress", True), item.text("VehicleName", ""),
        )
        for item in items
    )  # fmt: skip
    return RecordingSettings(
        values.flag("RecordOnMove", False), values.number("RecordInterval", 0.05, 1e-3, 1e6),
        values.text("Folder", ""), values.flag("Enabled", False), cameras,
    )  # fmt: skip
