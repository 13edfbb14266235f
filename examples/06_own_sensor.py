"""A sensor of your own: a thermometer that feels warm things by the rays it casts, under a name of its own."""

from dataclasses import dataclass

import numpy as np

from volery import (
    Cast,
    Casting,
    Hits,
    Output,
    RaySensor,
    Reading,
    SensorConfig,
    Simulation,
    param,
    read_scenario,
    registry,
)
from volery.sensors.range import cone


@dataclass(frozen=True)
class ThermometerConfig(SensorConfig):
    """Parameters: what all sensors have, and these."""

    rate: float = param(5.0, above=0, high=1e3)
    """[Hz]."""
    range: float = param(6.0, above=0, high=1e3)
    """[m]."""
    beam_angle: float = param(0.4, above=0, high=3.0)
    """Full angle of the cone [rad]."""


class Thermometer(RaySensor):
    """Reading: temperature [1] of the warmest thing in a cone ahead [K]."""

    Config = ThermometerConfig
    noisy = ("temperature",)

    def prepare(self) -> None:
        """The rays, and room for what they meet."""
        self._directions = cone(self.config.beam_angle, cones=6, rays_per_cone=12)
        self._hits = Hits(self.environment.scene, len(self._directions), normals=False)
        self._ignore = self.environment.scene.group(self.robot.name)

    def rays(self, now_ns: int) -> Casting[dict[str, np.ndarray]]:
        """Cast them; the scene's materials know how warm they are."""
        scene, X = self.environment.scene, self.X_WS
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        start, far = np.zeros((1, 3), np.float32), np.array([self.config.range], np.float32)
        yield Cast(start, self._directions, R, p, far, self._hits, scene.channel(None), self._ignore)
        warmth = np.array([*(m.temperature for m in scene.materials.all), 0.0])[self._hits.material]
        return {"temperature": np.array([max(float(warmth.max()), 288.15)])}

    def outputs(self) -> list[Output]:
        """On the bus a Temperature; on the page a number to plot."""
        return [Output("", "sensor_msgs/msg/Temperature", _fields, view="series", path="temperature")]


def _fields(reading: Reading) -> dict[str, float]:
    return {"temperature": reading.data["temperature"][0]}


if __name__ == "__main__":
    registry.add("sensors", "thermometer", "06_own_sensor:Thermometer")
    simulation = Simulation(
        read_scenario("""
world: empty
step: 0.02
robots:
  victim_1: {type: victim_sitting_aware, position: [3, 0, 0]}
  bot:
    type: p2dx
    position: [0, 0, 0.1]
    sensors:
      warm: {type: thermometer, noise: {temperature: {absolute: 0.5}}, mount: {position: [0.2, 0, 0.3]}}
""")
    )
    simulation.run(20)
    print(f"ahead: {simulation.sensor('bot', 'warm').latest.data['temperature'][0]:.1f} K")
    simulation.place("bot", [0, 0, 0.1], [0, 0, 0, 1])
    simulation.run(20)
    print(f"behind: {simulation.sensor('bot', 'warm').latest.data['temperature'][0]:.1f} K")
