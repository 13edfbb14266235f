"""Distances that firmwares take: of a robot's rangefinders, and of its LiDAR by the four sides."""

from __future__ import annotations

import numpy as np

from volery.core.frames import frd_from_flu, quat_conjugate, quat_rotate
from volery.sensors.lidar import Lidar
from volery.sensors.range import Rangefinder
from volery.sim import Simulation

__all__ = ["RangeReadings"]

_BEYOND = 1000.0
"""What is told where nothing is near [m]: more than any rangefinder's longest."""
_FLAT = 0.2
"""What a LiDAR hits within this slope of the body's plane counts for its sides."""


class RangeReadings:
    """Of one robot."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation, self._name = simulation, name
        self._stamp_ns = -1

    def all(self) -> list[float]:
        """Rangefinders in the order of the robot's file, then a LiDAR's to front, right, back and left [m]."""
        found: list[float] = []
        sides: list[float] = []
        for sensor in self._simulation.sensors[self._name].values():
            reading = sensor.latest
            if isinstance(sensor, Rangefinder):
                far = _BEYOND if reading is None else float(reading.data["range"][0])
                found.append(min(max(far, 0.0), _BEYOND))
            elif isinstance(sensor, Lidar) and not sides:
                points = self.points_frd(sensor)
                sides = [_BEYOND] * 4 if points is None else _sides(points)
        return [*found, *sides]

    def points_frd(self, sensor: Lidar) -> np.ndarray | None:
        """What a LiDAR's last sweep hit, from the body [m], [n, 3]."""
        reading = sensor.latest
        if reading is None:
            return None
        points = np.asarray(reading.data["points"], float)[np.isfinite(reading.data["range"])]
        robot = self._simulation.robots[self._name]
        p_W = points if sensor.config.frame == "world" else points @ sensor.X_WS[:, :3].T + sensor.X_WS[:, 3]
        return frd_from_flu(quat_rotate(quat_conjugate(robot.q_WB_wxyz), p_W - robot.p_WB))

    def fresh_points_frd(self) -> np.ndarray | None:
        """The points of a sweep that is new since the last call; None: there is none."""
        for sensor in self._simulation.sensors[self._name].values():
            if isinstance(sensor, Lidar) and sensor.latest is not None and sensor.latest.stamp_ns != self._stamp_ns:
                self._stamp_ns = sensor.latest.stamp_ns
                return self.points_frd(sensor)
        return None


def _sides(points_frd: np.ndarray) -> list[float]:
    """The nearest within 45° of front, right, back and left [m]."""
    x, y, z = points_frd.T
    far = np.hypot(x, y)
    level = (np.abs(z) < _FLAT * far) & (far > 0.0)
    side = np.round(np.arctan2(y, x) / (np.pi / 2)).astype(int) % 4
    return [min(float(far[level & (side == k)].min(initial=_BEYOND)), _BEYOND) for k in range(4)]
