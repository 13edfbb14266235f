"""A sensor of one's own: an echosounder with a message type of its own, a view on the page, and a control."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from volery import Cast, Casting, Hits, Output, RaySensor, Reading, SensorConfig, control, param
from volery.sensors.range import cone

SOUNDING = """\
std_msgs/Header header
float32 range
float32 max_range
float32 field_of_view
float32 strength
"""
"""A type that ROS has not: distance [m], its most [m], width of the beam [rad], and how strong the echo is."""


@dataclass(frozen=True)
class EchosounderConfig(SensorConfig):
    """Parameters: what all sensors have, and these."""

    rate: float = param(10.0, above=0, high=100.0)
    """Pings per second of simulated time [Hz]."""
    max_range: float = param(50.0, above=0, high=1000.0)
    """[m]."""
    beam: float = param(0.2, above=0, high=1.0)
    """Full angle of the cone [rad]."""
    gain: float = param(1.0, above=0, high=100.0)
    """At the start; see `set_gain`."""


class Echosounder(RaySensor):
    """Depth below a boat: the nearest echo within a cone along the mount's x. Reading: range [1] [m], strength [1]."""

    Config: ClassVar[type[SensorConfig]] = EchosounderConfig
    noisy: ClassVar[tuple[str, ...]] = ("range",)
    keeps: ClassVar[tuple[str, ...]] = ("gain",)
    config: EchosounderConfig

    def prepare(self) -> None:
        """The rays of the cone, and room for what they meet."""
        scene = self.environment.scene
        self.gain = self.config.gain
        self._directions = cone(self.config.beam, cones=3, rays_per_cone=8)
        self._hits = Hits(scene, len(self._directions), normals=False)
        self._ignore = scene.group(self.robot.name)

    @control
    def set_gain(self, gain: float) -> None:
        """Amplify echoes by so much, from now on."""
        self.gain = gain

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """Send the cone out and take what comes back first."""
        X = self.X_WS
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        start, far = np.zeros((1, 3), np.float32), np.array([self.config.max_range], np.float32)
        mask = self.environment.scene.channel(None)
        yield Cast(start, self._directions, R, p, far, self._hits, mask, self._ignore)
        nearest = float(self._hits.distance.min(initial=np.inf))
        strength = self.gain / nearest**2 if np.isfinite(nearest) else 0.0
        return {"range": np.array([nearest]), "strength": np.array([strength])}

    def outputs(self) -> list[Output]:
        """On the bus /robot/sensor and /robot/sensor/strength; on the page a cone, and a number to plot."""
        return [
            Output("", "skiff_msgs/msg/Sounding", self._sounding, view="cone", definition=SOUNDING),
            Output("strength", "std_msgs/msg/Float32", _strength, view="series", path="data"),
        ]

    def _sounding(self, reading: Reading) -> Mapping[str, Any]:
        limits = {"max_range": self.config.max_range, "field_of_view": self.config.beam}
        return {"range": reading.data["range"][0], "strength": reading.data["strength"][0], **limits}


def _strength(reading: Reading) -> Mapping[str, Any]:
    return {"data": reading.data["strength"][0]}
