"""Parameters of a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from volery.core.config import param
from volery.errors import ScenarioError
from volery.render.quality import Quality
from volery.sensors.sensor import SensorConfig

__all__ = ["CameraConfig"]

_MOST_RAYS = 40_000_000


@dataclass(frozen=True)
class CameraConfig(SensorConfig):
    """Parameters of a camera. It looks along x of its mount."""

    rate: float = param(20.0, above=0, high=1e6)
    """Pictures per second of simulated time [Hz]."""
    outputs: tuple[
        Literal[
            "rgb", "radiance", "depth", "depth_planar", "labels", "instances", "normals", "flow", "infrared", "events"
        ],
        ...,
    ] = ("rgb",)
    """What is delivered; see `Camera`."""
    width: int = param(640, low=1, high=8192)
    height: int = param(480, low=1, high=8192)
    """[pixels]."""
    projection: Literal["pinhole", "fisheye"] = "pinhole"
    """fisheye: equidistant."""
    fov_deg: float = param(90.0, low=0.01, high=360.0)
    """Horizontal field of view [degrees]; a pinhole's is below 180."""
    zoom: float = param(1.0, low=0.1, high=100.0)
    """Multiple of the focal length at the start."""
    pan_tilt_deg: tuple[float, float] = (0.0, 0.0)
    """Direction at the start against the mount: to the left, and up [degrees]."""
    pan_range_deg: tuple[float, float] = (-180.0, 180.0)
    tilt_range_deg: tuple[float, float] = (-90.0, 90.0)
    quality: Literal["plain", "fast", "default", "best"] = "default"
    """plain: colours of materials in the light of an open sky, without shadows, grain, lamps, mirrors and glass, as
    most simulators draw; fast: shadows of what stands, sky by one map; default: sky by four maps, shadows of moving
    things; best: four rays a pixel, soft shadows, sky and neighbours by rays (one bounce), smoothed by OIDN if
    volery[best] is there."""
    exposure: float = param(0.0, low=-20.0, high=20.0)
    """Stops [EV] brighter than for a sunny day, or than the automatic choice."""
    auto_exposure: bool = True
    """Whether each picture is brought near a medium brightness, by what is in it."""
    shutter: float = param(0.0, low=0.0, high=10.0)
    """Time of exposure [s] over which the camera's own motion blurs the picture; 0: no blur."""
    blur_samples: int = param(8, low=2, high=256)
    """Pictures that make up a blurred one, in time and over the opening of the lens."""
    f_number: float = param(0.0, low=0.0, high=1000.0)
    """Focal length over the diameter of the lens's opening: the smaller, the more is blurred that is not at `focus`;
    0: a pinhole, all is sharp."""
    focus: float = param(5.0, low=0.01, high=20_000.0)
    """Distance at which all is sharp [m]: of the plane before a pinhole projection, of the sphere round a fisheye."""
    chip_width: float = param(0.0063, low=1e-4, high=1.0)
    """Width of the chip [m], which with `fov_deg` and `zoom` gives the focal length; only `f_number` asks for it."""
    readout: float = param(0.0, low=0.0, high=10.0)
    """Time from the first row to the last [s] of a rolling shutter, the stamp in its middle; 0: all rows at once."""
    baseline: float = param(0.0, low=0.0, high=100.0)
    """Distance of a second camera to the right [m], whose outputs end in `_right`; 0: none."""
    headlight: float = param(0.0, low=0.0, high=1e6)
    """Light of a lamp beside the lens, as it falls on a surface 1 m ahead; the noon sun is 1."""
    event_threshold: float = param(0.2, low=0.01, high=10.0)
    """Change of the logarithm of brightness that makes an event."""
    range: float = param(10_000.0, above=0, high=20_000.0)
    """How far it sees [m]."""
    channel: str | None = None
    """Which objects are seen: a channel of the scenario; by default all."""
    sees_self: bool = False
    """Whether the robot that carries the camera is in the picture."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.projection == "pinhole" and self.fov_deg > 179.0:
            raise ScenarioError(
                f"camera: a pinhole cannot see {self.fov_deg:g}°, the most is 179; use projection: fisheye"
            )
        if not self.outputs or len(set(self.outputs)) < len(self.outputs):
            raise ScenarioError(f"camera: outputs {list(self.outputs)} must name at least one, and each once")
        rays = self.width * self.height * Quality.of(self.quality).over ** 2
        if rays > _MOST_RAYS:
            raise ScenarioError(f"camera: {rays} rays are more than {_MOST_RAYS}; use a smaller picture or quality")
        for name in ("pan_range_deg", "tilt_range_deg"):
            low, high = getattr(self, name)
            if low > high:
                raise ScenarioError(f"camera: {name} {low:g} to {high:g} is empty")
