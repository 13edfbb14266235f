"""Parts of settings.json: checked values, cameras, sensors, recording."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from volery.errors import did_you_mean
from volery.protocols.airsim.settings_silent import CAMERA, CAPTURE, NOISE, RECORDING, SENSOR
from volery.protocols.airsim.settings_values import Values

__all__ = [
    "CameraSettings", "Capture", "GimbalSettings", "NoiseSettings", "RecordedCamera", "RecordingSettings",
    "SensorSettings", "SubWindow", "camera_settings", "recording_settings", "sensor_settings", "sub_windows",
]  # fmt: skip

IMAGE_TYPES = 12
SENSOR_TYPES = 11
_NAN3 = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Capture:
    """Size and view of one type of picture."""

    width: int = 256
    height: int = 144
    fov_deg: float = 90.0
    """Horizontal."""
    exposure: float = 0.0
    """Stops brighter."""
    auto_exposure: bool = True
    """Whether pictures are brought near a medium brightness; equal least and most brightness forbid it."""
    gamma: float = 0.0
    """TargetGamma of the display; 0: AirSim's own, 1.4."""
    ortho_width: float = 0.0
    """What an orthographic picture shows from left to right [m]; 0: it is a perspective one."""


@dataclass(frozen=True)
class NoiseSettings:
    """Interference of a type of picture, by AirSim's names: grain, waves, bright lines, and lines that are shifted."""

    rand_contrib: float = 0.2
    rand_speed: float = 100_000.0
    rand_size: float = 500.0
    rand_density: float = 2.0
    wave_contrib: float = 0.03
    wave_strength: float = 0.08
    wave_vert_size: float = 1.0
    wave_screen_size: float = 1.0
    lines_contrib: float = 1.0
    lines_density_y: float = 0.01
    lines_density_xy: float = 0.5
    distortion_contrib: float = 1.0
    distortion_strength: float = 0.002


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
    noises: dict[int, NoiseSettings] = field(default_factory=dict)
    """By image type."""


@dataclass(frozen=True)
class SensorSettings:
    """A sensor as the file has it."""

    name: str
    type: int
    """AirSim's number: 1 barometer, 2 IMU, 3 GPS, 4 magnetometer, 5 distance, 6 lidar; Cosys: 7 echo, 8 GPU lidar, 10
    UWB,
    11 Wifi."""
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


@dataclass(frozen=True)
class SubWindow:
    """A picture that is always taken, to be seen in the page."""

    number: int
    camera: str
    image_type: int
    vehicle: str
    """Empty: the first."""


def sub_windows(top: Values) -> tuple[SubWindow, ...]:
    """Those that are visible."""
    found = []
    for item in top.sections("SubWindows") or []:
        window = SubWindow(
            item.whole("WindowID", 0, 0, 2), item.text("CameraName", "0"),
            item.whole("ImageType", 0, 0, IMAGE_TYPES - 1), item.text("VehicleName", ""),
        )  # fmt: skip
        outside = item.flag("External", False)
        if item.flag("Visible", False) and outside:
            raise item.error("External", "external cameras cannot be seen in sub-windows here; give a vehicle's camera")
        if item.flag("Visible", False):
            found.append(window)
        item.done()
    return tuple(found)


def _capture(item: Values) -> Capture:
    mode = item.text("ProjectionMode", "").lower()
    if mode not in ("", "perspective", "orthographic"):
        known = ["perspective", "orthographic"]
        raise item.error("ProjectionMode", f"'{mode}' is none of {', '.join(known)}{did_you_mean(mode, known)}")
    # Unreal's limits of the brightness that it adapts to: equal ones leave nothing to adapt
    brightest, darkest = (
        item.number(f"AutoExposure{w}Brightness", d, 0.0, 1e6) for w, d in (("Max", 1.0), ("Min", 0.0))
    )
    ortho = item.number("OrthoWidth", 5.12, 1e-3, 1e5)
    made = Capture(
        item.whole("Width", 256, 1, 8192), item.whole("Height", 144, 1, 8192),
        item.number("FOV_Degrees", 90.0, 1.0, 179.0), item.number("AutoExposureBias", 0.0, -20.0, 20.0),
        auto_exposure=darkest < brightest, gamma=item.number("TargetGamma", 0.0, 0.0, 10.0),
        ortho_width=ortho if mode == "orthographic" else 0.0,
    )  # fmt: skip
    item.done(CAPTURE, used=("ImageType",))
    return made


_NOISE = {
    "Rand": ("Contrib", "Speed", "Size", "Density"), "HorzWave": ("Contrib", "Strength", "VertSize", "ScreenSize"),
    "HorzNoiseLines": ("Contrib", "DensityY", "DensityXY"), "HorzDistortion": ("Contrib", "Strength"),
}  # fmt: skip
"""Keys of NoiseSettings, in the order of its fields here."""


def _noise(item: Values) -> NoiseSettings | None:
    """None: it is off."""
    keys = [group + key for group, names in _NOISE.items() for key in names]
    usual = NoiseSettings().__dict__.values()
    made = NoiseSettings(*(item.number(k, d, 0.0, 1e9) for k, d in zip(keys, usual, strict=True)))
    on = item.flag("Enabled", False)
    item.done(NOISE, used=("ImageType",))
    return made if on else None


def _gimbal(values: Values, base: GimbalSettings) -> GimbalSettings:
    """By the name of the documents, or by that of the examples."""
    for name in ("Gimbal", "GimbalSettings"):
        own = values.section(name)
        base = GimbalSettings(
            own.number("Stabilization", base.stabilization, 0.0, 1.0),
            *(own.number(k, d) for k, d in (("Pitch", base.pitch), ("Roll", base.roll), ("Yaw", base.yaw))),
        )
        own.done()
    return base


def camera_settings(values: Values, base: CameraSettings) -> CameraSettings:
    """A camera; what is not said is as in `base`."""
    captures, noises = dict(base.captures), dict(base.noises)
    for item in values.sections("CaptureSettings") or []:
        kind = item.whole("ImageType", 0, -1, IMAGE_TYPES)
        captures[kind] = _capture(item)
    for item in values.sections("NoiseSettings") or []:
        kind, noise = item.whole("ImageType", 0, -1, IMAGE_TYPES), _noise(item)
        if noise is not None and kind != 0:
            item.note("ImageType", "noise comes into Scene pictures (0) alone")
        elif noise is not None:
            noises[kind] = noise
    made = replace(
        base, position=values.triple("XYZ", base.position, 1e6),
        attitude_deg=values.triple(("Roll", "Pitch", "Yaw"), base.attitude_deg, 1e4), captures=captures,
        gimbal=_gimbal(values, base.gimbal), noises=noises,
    )  # fmt: skip
    values.done(CAMERA)
    return made


_TIMING = ("UpdateFrequency", "UpdateLatency", "StartupDelay")
_FAN = ("NumberOfChannels", "Range", "RotationsPerSecond", "VerticalFOVUpper", "VerticalFOVLower", "HorizontalFOVStart",
        "HorizontalFOVEnd", "PointsPerSecond", "MeasurementsPerCycle")  # fmt: skip
_NO_NOISE = "this lidar measures without noise"
_USED: dict[int, tuple[str, ...]] = {
    1: ("PressureFactorSigma", "PressureFactorTau", "UncorrelatedNoiseSigma", *_TIMING),
    2: ("AngularRandomWalk", "GyroBiasStability", "GyroBiasStabilityTau", "VelocityRandomWalk", "AccelBiasStability",
        "AccelBiasStabilityTau", "GenerateNoise"),
    3: _TIMING, 4: ("NoiseSigma", "NoiseBias", "ScaleFactor", *_TIMING),
    5: ("MaxDistance", "UncorrelatedNoiseSigma", *_TIMING),
    6: (*_FAN, "DataFrame"), 8: (*_FAN, "DataFrame", *_TIMING),
    7: ("NumberOfTraces", "ReflectionOpeningAngle", "SensorDiameter", "DistanceLimit", "ReflectionLimit",
        "AttenuationPerDistance", "AttenuationPerReflection", "AttenuationLimit", "MeasurementFrequency",
        *(f"Sensor{w}{a}Limit" for w in ("Lower", "Upper") for a in ("Azimuth", "Elevation"))),
    **dict.fromkeys((10, 11), ("NumberOfTraces", "SensorOpeningAngle", "MeasurementFrequency", "UpdateFrequency")),
}  # fmt: skip
"""Keys that sensors of a type take, in vehicle_setup.py, echo.py and radio.py."""
_FIX = "a fix is there as soon as satellites are"
_SILENT: dict[int, dict[str, str]] = {
    3: {k: _FIX for k in ("EphTimeConstant", "EPH_TimeConstant", "EpvTimeConstant", "EPV_TimeConstant", "EphInitial",
                          "EpvInitial", "EphFinal", "EpvFinal", "EphMin3d", "EphMin2d", "EpvMin3d", "EpvMin2d")},
    5: {"MinDistance": "it is told, but nearer things are measured too"},
    6: {"UpdateFrequency": "a reading is a whole turn, RotationsPerSecond times a second",
        **dict.fromkeys(("GenerateNoise", "MinNoiseStandardDeviation", "NoiseDistanceScale"), _NO_NOISE)},
    7: dict.fromkeys(("PassiveRadius", "ReflectionDistanceLimit", "IgnoreMarked", "RunParallel", "SensePassive",
                      "SenseActive", "DrawReflectedPoints", "DrawReflectedLines", "DrawReflectedPaths",
                      "DrawInitialPoints",
                      "DrawBounceLines", "DrawExternalPoints", "DrawPassiveSources", "DrawPassiveLines"),
                     "echoes are told by getEchoData alone, and from every surface"),
    8: dict.fromkeys(("GenerateNoise", "MinNoiseStandardDeviation", "NoiseDistanceScale", "Resolution", "GroundTruth",
                      "InstanceSegmentation", "Annotation", "IgnoreMarked", "rangeMaxLambertianPercentage",
                      "rainMaxIntensity", "rainConstantA", "rainConstantB", "GenerateIntensity", "DrawMode"),
                     "this lidar's beams are rays, without pixels, and tell everything"),
    10: {"DataFrame": "beacons are told in world NED"}, 11: {"DataFrame": "beacons are told in world NED"},
}  # fmt: skip


def sensor_settings(values: Values) -> list[SensorSettings]:
    """All sensors of a section."""
    found = []
    for name in values.names():
        one = values.section(name)
        kind = one.whole("SensorType", None, 1, SENSOR_TYPES)
        if kind is None:
            raise one.error("SensorType", "is missing: 1 barometer, 2 IMU, 3 GPS, 4 magnetometer, 5 distance, 6 lidar")
        found.append(SensorSettings(
            name, kind, one.flag("Enabled", False), one.triple("XYZ", _NAN3, 1e4),
            one.triple(("Roll", "Pitch", "Yaw"), (0.0, 0.0, 0.0), 1e4), one.rest(),
        ))  # fmt: skip
        one.done({**SENSOR, **_SILENT.get(kind, {})}, used=_USED.get(kind, ()))
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
    made = RecordingSettings(
        values.flag("RecordOnMove", False), values.number("RecordInterval", 0.05, 1e-3, 1e6),
        values.text("Folder", ""), values.flag("Enabled", False), cameras,
    )  # fmt: skip
    for part in (values, *(items or [])):
        part.done(RECORDING)
    return made
