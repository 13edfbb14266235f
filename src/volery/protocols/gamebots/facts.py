"""CONF and GEO: what a robot and its items are like, and where they sit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from volery.protocols.gamebots.anatomy import Anatomy
from volery.protocols.gamebots.bodies import scan_fields
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import line, segment, written
from volery.protocols.gamebots.items import NamedItem
from volery.sensors.camera import Camera

__all__ = [
    "LEAST_FOV",
    "MOST_FOV",
    "fields_of_view",
    "item_conf",
    "item_geo",
    "robot_conf",
    "robot_geo",
    "steering_type",
    "vehicle_type",
]

Pairs = list[tuple[str, str]]
LEAST_FOV, MOST_FOV = math.radians(20.0), math.radians(120.0)
"""Of cameras that zoom [rad]."""


def vehicle_type(anatomy: Anatomy, flies: bool) -> str:
    """Of a robot."""
    if flies:
        return "AerialVehicle"
    return "GroundVehicle" if anatomy.wheels else "StaticPlatform"


def steering_type(anatomy: Anatomy, flies: bool) -> str:
    """How a robot is steered."""
    if flies:
        return "RotaryWing"
    return "AckermanSteered" if anatomy.steered["front"] or anatomy.steered["rear"] else "SkidSteered"


def robot_conf(name: str, anatomy: Anatomy, flies: bool, dialect: Dialect) -> bytes:
    """CONF of the robot; name: its class."""
    pairs = [("Name", name), ("Type", vehicle_type(anatomy, flies)), ("SteeringType", steering_type(anatomy, flies))]
    pairs.append(("Mass", written(anatomy.mass)))
    if anatomy.wheels:
        pairs += [("MaxSpeed", dialect.angle(anatomy.spin)), ("MaxTorque", written(anatomy.torque))]
        axles = (("MaxFrontSteer", "front"), ("MaxRearSteer", "rear"))
        pairs += [(k, dialect.angle(anatomy.steering if anatomy.steered[axle] else 0.0)) for k, axle in axles]
    return line("CONF", *(segment(k, v) for k, v in pairs))


def robot_geo(name: str, anatomy: Anatomy, flies: bool, dialect: Dialect) -> bytes:
    """GEO of the robot; name: its class."""
    size = ",".join(dialect.length(float(a)) for a in anatomy.size)
    pairs = [("Type", vehicle_type(anatomy, flies)), ("Name", name), ("Dimensions", size)]
    pairs.append(("COG", dialect.vector(anatomy.centre)))
    if anatomy.wheels:
        wheels = (("WheelRadius", anatomy.radius), ("WheelSeparation", anatomy.separation), ("WheelBase", anatomy.base))
        pairs += [(k, dialect.length(v)) for k, v in wheels]
    return line("GEO", *(segment(k, v) for k, v in pairs))


def item_geo(kind: str, items: list[NamedItem], robot_class: str, dialect: Dialect) -> bytes:
    """GEO of items of one type."""
    parts: list[str] = []
    for item in items:
        X = item.X_RS
        where, facing = dialect.vector(X[:, 3]), dialect.facing(X[:, :3])
        if dialect.udk:
            pairs = (("Name", item.name), ("Location", where), ("Orientation", facing), ("Mount", robot_class))
            parts += [segment(k, v) for k, v in pairs]
        else:
            parts.append(segment("Name", item.name, "Location", where, "Orientation", facing, "Mount", item.mount))
    return line("GEO", segment("Type", kind), *parts)


def item_conf(
    kind: str, items: list[NamedItem], dialect: Dialect, offset: Callable[[NamedItem], tuple[int, int]]
) -> bytes:
    """CONF of items of one type; offset: where a camera's picture lies in that of the image server [pixels]."""
    parts: list[str] = []
    for item in items:
        pairs = _camera(item, dialect, offset(item)) if kind == "Camera" else _pairs(item, dialect)
        parts += [segment("Name", item.name), *(segment(k, v) for k, v in pairs)]
    return line("CONF", segment("Type", kind), *parts)


def _pairs(item: NamedItem, dialect: Dialect) -> Pairs:
    config: Any = item.sensor.config
    interval = ("ScanInterval", written(1.0 / config.rate))
    if item.type in ("Sonar", "Range"):
        return [*_limits(config, dialect), interval, *_cone(config, dialect)]
    if item.type in ("RangeScanner", "IRScanner"):
        resolution, fov, _ = scan_fields(item)
        angles = [("Resolution", dialect.angle(resolution)), ("Fov", dialect.angle(fov))]
        return [*_limits(config, dialect), *angles, ("Panning", "False"), ("Tilting", "False")]
    if item.type == "IR":
        return [*_limits(config, dialect), interval]
    if item.type == "Encoder":
        return [("Resolution", dialect.angle(2 * math.pi / config.ticks))]
    if item.type == "Touch":
        return [("Diameter", dialect.length(config.diameter))]
    if item.type in ("VictSensor", "HumanMotion"):
        return [("MaxRange", dialect.length(config.range)), *_fields(config, dialect)]
    if item.type in ("RFID", "VictRFID"):
        return [("MaxRange", dialect.length(config.range)), interval]
    if item.type == "RangeImager":
        fovs = ",".join(dialect.angle(a) for a in fields_of_view(item))
        return [("Resolution", f"{config.width},{config.height}"), ("Fov", fovs)]
    return [interval]


def _limits(config: Any, dialect: Dialect) -> Pairs:
    low, high = config.limits if hasattr(config, "limits") else (config.min_range, config.max_range)
    return [("MaxRange", dialect.length(high)), ("MinRange", dialect.length(low))]


def _cone(config: Any, dialect: Dialect) -> Pairs:
    return [
        ("beamAngle" if dialect.udk else "BeamAngle", dialect.angle(config.beam_angle)),
        ("maxAngleOfIncidence", dialect.angle(config.max_incidence)),
        ("tracesPerCone", str(config.rays_per_cone)), ("numberOfCones", str(config.cones)),
    ]  # fmt: skip


def _fields(config: Any, dialect: Dialect) -> Pairs:
    wide, high = (config.fov_deg,) * 2 if hasattr(config, "fov_deg") else (config.width_deg, config.height_deg)
    views = (("HorizontalFOV", wide), ("VerticalFOV", high))
    return [(name, dialect.angle(math.radians(angle))) for name, angle in views]


def fields_of_view(item: NamedItem) -> tuple[float, float]:
    """Of a camera with its zoom, across and upright [rad]."""
    camera = item.sensor
    assert isinstance(camera, Camera)
    c = camera.config
    half = math.tan(math.radians(c.fov_deg) / 2) / camera.zoom
    return 2 * math.atan(half), 2 * math.atan(half * c.height / c.width)


def _camera(item: NamedItem, dialect: Dialect, offset: tuple[int, int]) -> Pairs:
    c: Any = item.sensor.config
    default = math.radians(c.fov_deg)
    fovs = {"CameraDefFov": default, "CameraMinFov": min(LEAST_FOV, default)}
    fovs |= {"CameraMaxFov": max(MOST_FOV, default), "CameraFov": fields_of_view(item)[0]}
    sizes: tuple[tuple[str, Any], ...] = (("TextureOffsetX", offset[0]), ("TextureOffsetY", offset[1]))
    sizes += (("TextureResolutionX", c.width), ("TextureResolutionY", c.height))
    shown = {k: written(math.degrees(v)) if dialect.udk else dialect.angle(v) for k, v in fovs.items()}
    return [*((k, str(v)) for k, v in sizes), *shown.items()]
