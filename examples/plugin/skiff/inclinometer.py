"""A sensor of one's own in thirty lines: how much a boat heels and trims."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from volery import Output, Reading, Sensor
from volery.core.frames import euler_from_quat, quat_from_matrix


class Inclinometer(Sensor):
    """Reading: tilt [2]: heel to starboard and bow down [rad]."""

    noisy = ("tilt",)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """X_WS is where the sensor is now: rotation and place in W, [3, 4]."""
        roll, pitch, _ = euler_from_quat(quat_from_matrix(self.X_WS[:, :3]))
        return {"tilt": np.array([roll, pitch])}

    def outputs(self) -> list[Output]:
        """On the bus a Vector3Stamped; on the page a number to plot."""
        return [Output("", "geometry_msgs/msg/Vector3Stamped", _fields, view="series", path="vector.x")]


def _fields(reading: Reading) -> Mapping[str, Any]:
    heel, bow_down = reading.data["tilt"]
    return {"vector": [heel, bow_down, 0.0]}
