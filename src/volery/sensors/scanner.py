"""The environment scanner of the ELAHA platform: parallel rays that tell an outside physics what is round a robot.

Four forms: a single ray forward; the ground below as a 2.5-D map; a box of six faces; and the same box spread over
several readings. Rays of a face start on the plane through the sensor and run outwards, `resolution` apart.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from volery._native import sensors as native
from volery.core.config import param
from volery.core.frames import euler_from_quat, matrix_from_quat, quat_from_euler, quat_from_matrix
from volery.errors import ScenarioError, SimulationError
from volery.robots.robot import Robot
from volery.sensors.outputs import Fields, Output, cloud_fields
from volery.sensors.sensor import RaySensor, Reading, SensorConfig
from volery.world.cast.batch import Cast, Casting
from volery.world.cast.hits import Hits
from volery.world.environment import Environment

__all__ = ["FACES", "FREE", "OCCUPIED", "UNVISITED", "Scanner", "ScannerConfig", "face_cloud", "scan_pattern"]

UNVISITED, FREE, OCCUPIED = -1, 0, 1
FACES = ("x_pos", "x_neg", "y_pos", "y_neg", "z_pos", "z_neg")
"""Order of the faces of a box scan, by the direction of their rays."""

_MOST_RAYS = 4_000_000
_CLOUD = "sensor_msgs/msg/PointCloud2"


@dataclass(frozen=True)
class ScannerConfig(SensorConfig):
    """Parameters of a scanner."""

    form: Literal["ray", "ground", "box", "face"] = "box"
    resolution: float = param(1.0, above=0)
    """Distance between neighbouring rays [m]."""
    extent: float = param(25.0, above=0)
    """Half the edge of a face [m]."""
    range: float | None = param(None, above=0)
    """Length of the rays [m]; by default the extent for box and face, 500 m for ray and ground."""
    parts: Literal[6, 12] = 6
    """Over how many readings the form `face` spreads the box: a face, or half a face, each time."""
    align: Literal["auto", "body", "world", "heading"] = "auto"
    """Axes of the rays: the robot's, the world's, or the world's turned by heading; auto: world for ground."""
    channel: str | None = None
    """Which objects are seen: a channel of the scenario; by default all."""
    sees_self: bool = False
    """Whether rays stop at the robot that carries the scanner."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form in ("box", "face", "ground") and 6 * self.per_edge**2 > _MOST_RAYS:
            raise ScenarioError(
                f"scanner: a resolution of {self.resolution:g} m over ±{self.extent:g} m makes {6 * self.per_edge**2} "
                f"rays, more than {_MOST_RAYS}; use a coarser resolution or a smaller extent"
            )

    @property
    def per_edge(self) -> int:
        """Rays along an edge of a face."""
        return 2 * round(self.extent / self.resolution) + 1

    @property
    def length(self) -> float:
        """Length of the rays [m]."""
        return self.range or (self.extent if self.form in ("box", "face") else 500.0)


def _face(axis: int, sign: int, per_edge: int, resolution: float) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions of one face: a grid on the plane through the centre, rays along ±axis."""
    steps = (np.arange(per_edge) - per_edge // 2) * resolution
    a, b = np.meshgrid(steps, steps, indexing="ij")
    origins, directions = np.zeros((2, per_edge**2, 3))
    origins[:, (axis + 1) % 3], origins[:, (axis + 2) % 3] = a.ravel(), b.ravel()
    directions[:, axis] = sign
    return origins, directions


def scan_pattern(config: ScannerConfig) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions of all rays in the scanner's frame, float32 [n, 3]."""
    if config.form == "ray":
        origins, directions = np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]])
    elif config.form == "ground":
        origins, directions = _face(2, -1, config.per_edge, config.resolution)
    else:
        sides = [(axis, sign) for axis in range(3) for sign in (1, -1)]
        faces = [_face(axis, sign, config.per_edge, config.resolution) for axis, sign in sides]
        origins, directions = (np.concatenate(part) for part in zip(*faces, strict=True))
    return np.ascontiguousarray(origins, np.float32), np.ascontiguousarray(directions, np.float32)


class Scanner(RaySensor):
    """Parallel rays that tell what is round a robot: a single one, the ground as a map, a box, or a box by faces.

    Reading: points [n, 3] in W [m] (float64), occupancy [n] (-1 unvisited, 0 free, 1 occupied), inside [n] (the ray
    started inside something). Faces come in the order of FACES, n/6 rays each."""

    Config: ClassVar[type[SensorConfig]] = ScannerConfig
    noisy: ClassVar[tuple[str, ...]] = ("points",)
    config: ScannerConfig

    def __init__(
        self, name: str, config: ScannerConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        scene = environment.scene
        self._origins, self._directions = scan_pattern(config)
        self._far = np.array([config.length], np.float32)
        self._mask = scene.channel(config.channel)
        self._ignore = scene.group(None if config.sees_self else robot.name)
        n = len(self._directions)
        borders = np.linspace(0, n, (config.parts if config.form == "face" else 1) + 1).astype(int)
        self._parts = [(int(a), Hits(scene, int(b - a), normals=False)) for a, b in itertools.pairwise(borders)]
        self._next = 0
        self._points = np.full((n, 3), np.nan)
        self._occupancy = np.full(n, UNVISITED, np.int8)
        self._inside = np.zeros(n, np.bool_)

    def __len__(self) -> int:
        """Rays of a full scan."""
        return len(self._directions)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """Cast the next part and return the whole picture."""
        start, hits = self._parts[self._next]
        self._next = (self._next + 1) % len(self._parts)
        part = slice(start, start + len(hits))
        R, p = self._pose()
        yield Cast(self._origins[part], self._directions[part], R, p, self._far, hits, self._mask, self._ignore)
        native.scan_points(
            start, len(hits), self._origins, self._directions, R, p, self.config.length, hits.arrays,
            self._points, self._occupancy, self._inside,
        )  # fmt: skip
        return {
            "points": self._points.copy(),
            "occupancy": self._occupancy.copy(),
            "inside": self._inside.copy(),
        }

    def _pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Axes and origin of the rays in W."""
        X = self.X_WS
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        align = self.config.align
        if align == "auto":
            align = "world" if self.config.form == "ground" else "body"
        if align == "world":
            R = np.eye(3)
        elif align == "heading":
            yaw = euler_from_quat(quat_from_matrix(R))[2]
            R = matrix_from_quat(quat_from_euler(np.array([0.0, 0.0, yaw])))
        return R, p

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {**super().state(), "next": self._next, **{k: v.copy() for k, v in self._kept().items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        if any(state[k].shape != own.shape for k, own in self._kept().items()):
            raise SimulationError(f"this snapshot is damaged: scanner '{self.name}' has another number of rays")
        self._next = state["next"] % len(self._parts)
        self._points, self._occupancy, self._inside = (state[k].copy() for k in ("points", "occupancy", "inside"))

    def _kept(self) -> dict[str, np.ndarray]:
        return {"points": self._points, "occupancy": self._occupancy, "inside": self._inside}

    def outputs(self) -> list[Output]:
        """The whole scan and, of a box, each of its faces."""
        whole = Output("points", _CLOUD, lambda r: _scan_cloud(r, slice(None)), "map", "rays")
        if self.config.form not in ("box", "face"):
            return [whole]
        return [whole, *(Output(face, _CLOUD, partial(face_cloud, index=i), "map") for i, face in enumerate(FACES))]


def face_cloud(reading: Reading, index: int) -> Fields:
    """A face of a box scan as a PointCloud2: 16 bytes a point, where a ray ended and whether on something (1) or free
    (0)."""
    n = len(reading.data["occupancy"]) // 6
    return _scan_cloud(reading, slice(index * n, (index + 1) * n))


def _scan_cloud(reading: Reading, part: slice) -> Fields:
    x, y, z = reading.data["points"][part].astype(np.float32).T
    return cloud_fields({"x": x, "y": y, "z": z, "occupancy": reading.data["occupancy"][part].astype(np.float32)})
