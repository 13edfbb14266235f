"""Sensors that tell distances alone: a single beam, a sonar's cone, and USARSim's laser.

Where there is no distance to tell they say so as ROS does (REP 117): +infinity for nothing within max_range, -infinity
for something nearer than min_range; or, with `clip`, max_range and min_range as USARSim does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.config import param
from volery.errors import ScenarioError
from volery.robots.robot import Robot
from volery.sensors.beams import Beams, OpticalConfig
from volery.sensors.controls import control
from volery.sensors.outputs import Fields, Output
from volery.sensors.patterns import directions_of
from volery.sensors.sensor import RaySensor, Reading, Sensor, SensorConfig
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits
from volery.world.environment import Environment

__all__ = [
    "LASERS",
    "Rangefinder",
    "RangefinderConfig",
    "Sonar",
    "SonarConfig",
    "UsarLaser",
    "UsarLaserConfig",
    "cone",
]

_ORIGIN = np.zeros((1, 3), np.float32)
_MOST_RAYS = 100_000
_RANGE = "sensor_msgs/msg/Range"


def _check_limits(what: str, low: float, high: float) -> None:
    if low >= high:
        raise ScenarioError(f"{what}: min_range {low:g} m must be below max_range {high:g} m")


def _said(ranges: np.ndarray, path: np.ndarray, low: float, high: float, clip: bool) -> np.ndarray:
    """Ranges as told: what is NaN is too near if the path is short, else too far."""
    missing = np.where(path < low, low if clip else -np.inf, high if clip else np.inf).astype(np.float32)
    return np.where(np.isnan(ranges), missing, ranges)


def _pose(sensor: Sensor) -> tuple[np.ndarray, np.ndarray]:
    X = sensor.X_WS
    return np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])


def _range_fields(sensor: Rangefinder | Sonar, reading: Reading, radiation: int, width: float) -> Fields:
    """Of a Range; radiation: 0 sound, 1 light; width: whole angle of the cone [rad]."""
    limits = {"min_range": sensor.config.min_range, "max_range": sensor.config.max_range}
    told = {"range": reading.data["range"][0], "variance": sensor.variance("range", reading)[0]}
    return {"radiation_type": radiation, "field_of_view": width, **limits, **told}


@dataclass(frozen=True)
class RangefinderConfig(OpticalConfig):
    """Parameters of a rangefinder. USARSim's infrared sensor is {glass: pass, min_range: 0.2, max_range: 1.5}."""

    rate: float = param(50.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    min_range: float = param(0.05, low=0.0)
    """[m]."""
    max_range: float = param(40.0, above=0)
    """[m]."""
    clip: bool = False
    """Whether limits are told in place of infinity."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_limits("rangefinder", self.min_range, self.max_range)


class Rangefinder(RaySensor):
    """One beam of light along the sensor's x axis. Reading: range [1] [m]."""

    Config: ClassVar[type[SensorConfig]] = RangefinderConfig
    noisy: ClassVar[tuple[str, ...]] = ("range",)
    config: RangefinderConfig

    def __init__(
        self,
        name: str,
        config: RangefinderConfig,
        robot: Robot,
        environment: Environment,
        generator: np.random.Generator,
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        self._directions = np.array([[1.0, 0.0, 0.0]], np.float32)
        self._beams = Beams(self, config, 1, config.min_range, config.max_range)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The distance ahead."""
        c, beams = self.config, self._beams
        data = yield from beams.send(_ORIGIN, self._directions, *_pose(self))
        return {"range": _said(data["range"], beams.path, c.min_range, c.max_range, c.clip)}

    def outputs(self) -> list[Output]:
        """A Range of infrared light, without width."""
        return [Output("", _RANGE, lambda r: _range_fields(self, r, 1, 0.0), view="cone")]


@dataclass(frozen=True)
class SonarConfig(SensorConfig):
    """Parameters of a sonar, named as USARSim's; its own max_incidence is 0.1745."""

    rate: float = param(5.0, above=0, high=1e6)
    """Readings per second of simulated time [Hz]."""
    min_range: float = param(0.1, low=0.0)
    """[m]."""
    max_range: float = param(5.0, above=0)
    """[m]."""
    beam_angle: float = param(0.349, low=0.0, high=math.pi)
    """Full angle of the cone [rad]."""
    cones: int = param(10, low=0, high=1000)
    """Rings of rays between the axis and the rim."""
    rays_per_cone: int = param(16, low=1, high=10_000)
    max_incidence: float = param(math.pi / 2, above=0.0, high=math.pi / 2)
    """Surfaces that are hit more slantwise send their echo elsewhere [rad from square]."""
    clip: bool = True
    """Whether limits are told in place of infinity."""
    channel: str | None = None
    """Which objects are heard: a channel of the scenario; by default all."""
    sees_self: bool = False
    """Whether the robot that carries the sonar gives echoes."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_limits("sonar", self.min_range, self.max_range)
        if self.cones * self.rays_per_cone > _MOST_RAYS:
            raise ScenarioError(f"sonar: cones × rays_per_cone is more than {_MOST_RAYS}")


def cone(beam_angle: float, cones: int, rays_per_cone: int) -> np.ndarray:
    """Unit vectors about x, float32 [1 + cones·rays, 3]: the axis, then ring by ring to half the beam angle [rad]."""
    off = np.repeat(np.arange(1, cones + 1) * (beam_angle / 2 / max(cones, 1)), rays_per_cone)
    # Every other ring is turned by half a step, so that gaps do not line up.
    turn = (np.arange(rays_per_cone)[None] + 0.5 * (np.arange(cones)[:, None] % 2)) * (2 * np.pi / rays_per_cone)
    about = turn.ravel()
    rays = np.stack([np.cos(off), np.sin(off) * np.cos(about), np.sin(off) * np.sin(about)], axis=-1)
    return np.concatenate([[[1.0, 0.0, 0.0]], rays]).astype(np.float32)


class Sonar(RaySensor):
    """The nearest echo within a cone about the sensor's x axis; glass gives one like any wall.

    Reading: range [1] [m]."""

    Config: ClassVar[type[SensorConfig]] = SonarConfig
    noisy: ClassVar[tuple[str, ...]] = ("range",)
    config: SonarConfig

    def __init__(
        self, name: str, config: SonarConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        scene = environment.scene
        self._directions = cone(config.beam_angle, config.cones, config.rays_per_cone)
        self._hits = Hits(scene, len(self._directions))
        self._far = np.array([min(config.max_range, scene.horizon)], np.float32)
        self._mask = scene.channel(config.channel)
        self._ignore = scene.group(None if config.sees_self else robot.name)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The nearest distance that is heard."""
        c, hits = self.config, self._hits
        R, p = _pose(self)
        yield Cast(_ORIGIN, self._directions, R, p, self._far, hits, self._mask, self._ignore)
        square = np.abs(np.einsum("ij,ij->i", hits.normal, self._directions @ R.T))
        heard = hits.distance[square >= math.cos(c.max_incidence) - 1e-6]
        path = np.array([heard.min(initial=np.inf)], np.float32)
        ranges = np.where((path >= c.min_range) & (path <= c.max_range), path, np.float32(np.nan))
        return {"range": _said(ranges, path, c.min_range, c.max_range, c.clip)}

    def outputs(self) -> list[Output]:
        """A Range of ultrasound."""
        return [Output("", _RANGE, lambda r: _range_fields(self, r, 0, self.config.beam_angle), view="cone")]


LASERS: dict[str, tuple[float, float, float]] = {
    "generic": (4.0, 0.157, math.pi),
    "sick": (20.0, math.radians(1.0), math.pi),
    "hokuyo": (4.0, math.radians(1.05), math.radians(240.0)),
    "ir": (10.0, 0.087, math.pi),
}
"""USARSim's lasers: max_range [m], resolution [rad], fov [rad]."""


@dataclass(frozen=True)
class UsarLaserConfig(OpticalConfig):
    """Parameters of USARSim's laser; what is not given is the model's."""

    rate: float = param(5.0, above=0, high=1e6)
    """Automatic scans per second of simulated time, 1/ScanInterval [Hz]."""
    sensitivity: float = param(0.0, low=0.0, high=1.0)
    """As every optical sensor's; USARSim's lasers notice all."""
    model: str = param("sick", choices=tuple(LASERS))
    resolution: float | None = param(None, above=0, high=2 * math.pi)
    """Between neighbouring beams [rad]."""
    fov: float | None = param(None, low=0.0, high=2 * math.pi)
    """From the first to the last beam [rad]."""
    min_range: float = param(0.1, low=0.0)
    """[m]."""
    max_range: float | None = param(None, above=0)
    """[m]."""
    plane: Literal["yaw", "pitch"] = "yaw"
    """yaw: from right to left; pitch: from low to high."""
    mode: Literal["automatic", "manual"] = "automatic"
    """manual: only when `scan` is called; a call has an automatic one scan at once, too."""
    clip: bool = True
    """Whether limits are told in place of infinity."""

    def __post_init__(self) -> None:
        super().__post_init__()
        longest, resolution, fov = LASERS[self.model]
        for name, value in (("max_range", longest), ("resolution", resolution), ("fov", fov)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        _check_limits("laser", self.min_range, self.reach)
        if self.whole / self.between > _MOST_RAYS:
            raise ScenarioError(f"laser: fov / resolution is more than {_MOST_RAYS} beams")

    @property
    def reach(self) -> float:
        """`max_range`, of the model if it was not given [m]."""
        return _given(self.max_range)

    @property
    def between(self) -> float:
        """`resolution`, of the model if it was not given [rad]."""
        return _given(self.resolution)

    @property
    def whole(self) -> float:
        """`fov`, of the model if it was not given [rad]."""
        return _given(self.fov)

    @property
    def count(self) -> int:
        """Beams of a scan; 181 for 180° by 1°, though both are rounded."""
        return math.floor(self.whole / self.between + 1e-3) + 1

    @property
    def angles(self) -> np.ndarray:
        """Of the beams from the sensor's x axis [rad], counter-clockwise or up, [count]."""
        return -self.whole / 2 + np.arange(self.count) * self.between


class UsarLaser(RaySensor):
    """A row of beams in one plane. Reading: range [count] [m]."""

    Config: ClassVar[type[SensorConfig]] = UsarLaserConfig
    noisy: ClassVar[tuple[str, ...]] = ("range",)
    config: UsarLaserConfig

    def __init__(
        self, name: str, config: UsarLaserConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        angles, zero = config.angles, np.zeros(config.count)
        self._directions = directions_of(*((angles, zero) if config.plane == "yaw" else (zero, angles)))
        self._beams = Beams(self, config, config.count, config.min_range, config.reach)
        self._asked = False

    @control
    def scan(self) -> None:
        """Ask for one scan, taken in the next step; a laser that scans by itself takes it besides its own."""
        self._asked = True

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether a scan was asked for or, unless in manual mode, is due by rate."""
        by_rate = self.config.mode == "automatic" and super().due(now_ns, step_ns)
        return by_rate or (self.enabled and self._asked)

    def measuring(self, now_ns: int) -> Casting[None]:
        """Take a reading; what was asked for is done with it."""
        self._asked = False
        return super().measuring(now_ns)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """A scan."""
        c, beams = self.config, self._beams
        data = yield from beams.send(_ORIGIN, self._directions, *_pose(self))
        return {"range": _said(data["range"], beams.path, c.min_range, c.reach, c.clip)}

    def outputs(self) -> list[Output]:
        """A LaserScan."""
        return [Output("scan", "sensor_msgs/msg/LaserScan", self._scan_fields, view="fan")]

    def _scan_fields(self, reading: Reading) -> Fields:
        c, ranges = self.config, reading.data["range"].astype(np.float32)
        half = c.between * (len(ranges) - 1) / 2
        return {
            "angle_min": -half, "angle_max": half, "angle_increment": c.resolution, "scan_time": 1.0 / c.rate,
            "range_min": c.min_range, "range_max": c.max_range, "ranges": ranges,
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {**super().state(), "asked": self._asked}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self._asked = state["asked"]


def _given(value: float | None) -> float:
    assert value is not None
    return value
