"""Lidars: spinning, solid-state and in one plane, with the distortion of a robot that moves during the sweep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from volery._native import sensors as native
from volery.core.config import param
from volery.errors import ScenarioError
from volery.robots.robot import Robot
from volery.sensors.beams import Beams, OpticalConfig
from volery.sensors.outputs import Fields, Output, OutputFrame, cloud_fields
from volery.sensors.patterns import MODELS, LidarModel, ScanPattern, spinning, table, wandering
from volery.sensors.sensor import RaySensor, Reading, SensorConfig
from volery.world.cast.batch import Casting
from volery.world.environment import Environment

__all__ = ["Lidar", "LidarConfig"]

_MOST_BEAMS = 4_000_000


@dataclass(frozen=True)
class LidarConfig(OpticalConfig):
    """Parameters of a lidar; what is not given is the model's."""

    rate: float = param(10.0, above=0, high=1e6)
    """Sweeps per second of simulated time [Hz]."""
    model: str = param("vlp16", choices=tuple(MODELS))
    """vlp16, hdl32, hdl64, os1_16 … os1_128, os0_128 spin; mid40 draws a rosette and mid360 a dome that never repeat;
    utm30 and lms200 look in one plane."""
    lines: int | None = param(None, low=1, high=1024)
    """So many lines, evenly between the model's lowest and highest."""
    elevations_deg: tuple[float, ...] = param((), low=-90.0, high=90.0)
    """Elevation of every line [degrees], instead."""
    offsets_deg: tuple[float, ...] = param((), low=-180.0, high=180.0)
    """By how much each line is ahead in azimuth [degrees]; empty: not at all."""
    columns: int | None = param(None, low=1, high=_MOST_BEAMS)
    """Firings of a sweep; of a rosette or dome, its beams."""
    field_deg: tuple[float, float] | None = param(None, low=-360.0, high=360.0)
    """First and last azimuth [degrees], counter-clockwise from forward; 360 apart: all round."""
    angles_deg: tuple[tuple[float, float], ...] = param((), low=-360.0, high=360.0)
    """Any table of beams: azimuth and elevation of each [degrees], in the order of firing. Replaces all the above."""
    min_range: float | None = param(None, low=0.0)
    """Nothing nearer is told, and it hides what is behind [m]."""
    max_range: float | None = param(None, above=0)
    """[m]."""
    sweep: float | None = param(None, above=0)
    """Time from the first to the last firing, which is at the stamp [s]; by default that between readings."""
    motion: bool = True
    """Whether every beam starts from where the robot was when it was fired."""
    frame: Literal["sensor", "world"] = "sensor"
    """sensor: points as the instrument tells them, each in the sensor's axes at its own time, so that motion distorts
    the cloud. world: in W, each from its own pose, without distortion."""
    dense: bool = False
    """Whether beams without return are left out; else they are NaN, and n is always the same."""

    def __post_init__(self) -> None:
        super().__post_init__()
        model = MODELS[self.model]
        low, high = self.limits
        if low >= high:
            raise ScenarioError(f"lidar: min_range {low:g} m must be below max_range {high:g} m")
        if self.sweep is not None and self.sweep > 1.0 / self.rate * (1 + 1e-9):
            raise ScenarioError(f"lidar: a sweep of {self.sweep:g} s does not fit between readings at {self.rate:g} Hz")
        if self.field_deg is not None and not 0.0 <= self.field_deg[1] - self.field_deg[0] <= 360.0:
            raise ScenarioError(f"lidar: field_deg {list(self.field_deg)} must rise, by at most 360")
        if any(abs(elevation) > 90.0 for _, elevation in self.angles_deg):
            raise ScenarioError("lidar: angles_deg holds (azimuth, elevation); elevations are -90 to 90")
        if model.scan != "spin" and (self.lines or self.elevations_deg or self.offsets_deg or self.field_deg):
            raise ScenarioError(f"lidar: {self.model} has no lines; change `columns`, its beams, or use another model")
        elevations = self.elevations
        if self.offsets_deg and len(self.offsets_deg) != len(elevations):
            raise ScenarioError(f"lidar: {len(self.offsets_deg)} offsets_deg for {len(elevations)} lines")
        if len(elevations) * (self.columns or model.columns) > _MOST_BEAMS:
            raise ScenarioError(f"lidar: more than {_MOST_BEAMS} beams a sweep; use fewer lines or columns")

    @property
    def limits(self) -> tuple[float, float]:
        """Least and largest range [m]."""
        model: LidarModel = MODELS[self.model]
        low = model.min_range if self.min_range is None else self.min_range
        return low, model.max_range if self.max_range is None else self.max_range

    def derived(self) -> dict[str, float | str]:
        """Its limits, which may be the model's."""
        return dict(zip(("min_range", "max_range"), self.limits, strict=True))

    @property
    def elevations(self) -> tuple[float, ...]:
        """Elevation of the lines [degrees]."""
        own = MODELS[self.model].elevations_deg
        if self.elevations_deg:
            return self.elevations_deg
        return own if self.lines is None else tuple(float(e) for e in np.linspace(own[0], own[-1], self.lines))

    def pattern(self) -> ScanPattern:
        """Where the beams go."""
        model = MODELS[self.model]
        if self.angles_deg:
            return table(self.angles_deg)
        if model.scan != "spin":
            return wandering(model, self.columns or model.columns)
        field = self.field_deg or model.field_deg
        return spinning(self.elevations, self.columns or model.columns, field, self.offsets_deg)


class Lidar(RaySensor):
    """A laser scanner: spinning, solid-state or in one plane, with the distortion of a robot that moves.

    Reading: points [n, 3] (float32 in the sensor's frame or float64 in W [m]), range [n] [m], intensity [n] (0 to 1,
    see `volery.sensors.beams`), ring [n] (line, lowest first), time [n] (of firing, from the stamp, not above 0 [s]),
    label [n] (number of the segmentation class, see `scene.materials.labels`; 0 for none) and object [n] (its number
    in the scene; -1 for none). Spinning models: n = lines × columns, in this order. Noise on the range moves the points
    along the beams.

    The sensor's way during a sweep is that of the robot's present velocity and angular velocity; other things are seen
    where they are at the stamp."""

    Config: ClassVar[type[SensorConfig]] = LidarConfig
    noisy: ClassVar[tuple[str, ...]] = ("range", "intensity")
    config: LidarConfig

    def __init__(
        self, name: str, config: LidarConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        self.pattern = config.pattern()
        """Where the beams go and when."""
        n = len(self.pattern.ring)
        self._beams = Beams(self, config, n, *config.limits)
        self._sweep = 1.0 / config.rate if config.sweep is None else config.sweep
        self._seconds = self.pattern.time * self._sweep
        self._time = self._seconds[self.pattern.firing].astype(np.float32)
        self._still = np.zeros((1, 3), np.float32)
        self._origins, self._directions = np.zeros((2, n, 3), np.float32)

    def __len__(self) -> int:
        """Beams of a sweep."""
        return len(self.pattern.ring)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """The sweep that ends now."""
        data, beams = yield from self._cast(now_ns)
        return self._told(data, beams)

    def measuring(self, now_ns: int) -> Casting[None]:
        """Take a reading; the points follow from the range with its noise."""
        data, beams = yield from self._cast(now_ns)
        self._corrupt(data, now_ns)
        self._send(Reading(now_ns, self._told(data, beams)))

    def _cast(self, now_ns: int) -> Casting[tuple[dict[str, np.ndarray], tuple[np.ndarray, ...]]]:
        """What came back of each beam, and the beams that points are made of: origins, directions, R, p."""
        X = self.X_WS
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        own = self.pattern.at(now_ns, self._sweep)
        origins, directions = self._moved(own, R, p)
        data = yield from self._beams.send(origins, directions, R, p)
        if self.config.frame == "world":
            return data, (origins, directions, R, p)
        return data, (self._still, own, np.eye(3), np.zeros(3))

    def _moved(self, own: np.ndarray, R: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origins and directions of the beams in the sensor's frame at the stamp."""
        v, w = self.robot.v_WB_W, self.robot.w_WB_W
        if not self.config.motion or not (v.any() or w.any()):
            return self._still, own
        lever = (p - self.robot.p_WB) @ R
        firing, seconds = self.pattern.firing, self._seconds
        native.move_beams(own, firing, seconds, v @ R, w @ R, lever, self._origins, self._directions)
        return self._origins, self._directions

    def _told(self, data: dict[str, np.ndarray], beams: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
        """The reading as it is given out."""
        if self.config.frame == "world":
            points = np.empty((len(self), 3))
            native.place_points_double(data["range"], *beams, points)  # type: ignore[call-arg]
        else:
            points = np.empty((len(self), 3), np.float32)
            native.place_points(data["range"], *beams, points)  # type: ignore[call-arg]
        told = {
            "points": points,
            "range": data["range"],
            "intensity": data["intensity"],
            "ring": self.pattern.ring,
            "time": self._time,
            "label": data["label"],
            "object": data["object"],
        }
        if self.config.dense:
            there = np.isfinite(data["range"])
            return {name: array[there] for name, array in told.items()}
        return {**told, "ring": self.pattern.ring.copy(), "time": self._time.copy()}

    def outputs(self) -> list[Output]:
        """The cloud, where its points are."""
        frame: OutputFrame = "map" if self.config.frame == "world" else "sensor"
        return [Output("points", "sensor_msgs/msg/PointCloud2", _cloud, frame, "points")]


def _cloud(reading: Reading) -> Fields:
    d = reading.data
    x, y, z = np.asarray(d["points"], np.float32).T
    fields = {"x": x, "y": y, "z": z, "intensity": d["intensity"].astype(np.float32)}
    fields |= {"range": d["range"].astype(np.float32), "ring": d["ring"].astype(np.uint16)}
    return cloud_fields({**fields, "time": d["time"].astype(np.float32)})
