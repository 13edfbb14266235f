"""What rescue robots carry."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.errors import SimulationError
from volery.robots.library import load_robot_file

__all__ = ["CONE", "LOOK_FAR", "LOOK_WIDTH", "SENSORS", "sensors_of"]

LOOK_FAR, LOOK_WIDTH = 2.5, np.radians(150.0)
"""What the victim sensor is trusted to have looked at [m], [rad]."""
_EYE = {"position": [0.0, 0.0, 0.40]}
CONE = float(np.radians(10.0))
"""Half of a sonar's cone [rad]."""
SENSORS: dict[str, Any] = {
    "Odometry": {"rate": 50},
    "imu": {
        "type": "imu", "rate": 100,
        "noise": {
            "specific_force": {"density": 0.002, "bias_spread": 0.02},
            "angular_velocity": {"density": 0.0002, "bias_spread": 0.002},
        },
    },
    "lidar": {
        "type": "lidar", "rate": 10, "elevations_deg": [round(-42.0 + 2.0 * i, 1) for i in range(32)], "columns": 180,
        "min_range": 0.1, "max_range": 12, "noise": {"range": {"absolute": 0.01}}, "mount": _EYE,
    },
    "victim": {"type": "victim", "range": 5.0, "width_deg": 150, "height_deg": 60, "step_deg": 1.0, "mount": _EYE},
    "sound": {"type": "sound", "rate": 2, "mount": _EYE},
    **{
        f"sonar_{yaw}": {
            "type": "sonar", "rate": 5, "beam_angle": 2 * CONE, "cones": 3, "rays_per_cone": 8, "max_incidence": 1.2,
            "max_range": 2.0, "noise": {"range": {"absolute": 0.01}},
            "mount": {"position": [0.0, 0.0, 0.25], "attitude_deg": [0, 0, yaw]},
        }
        for yaw in (0, 20, 40, 65, 90, 135, 160, 180, 200, 225, 270, 295, 320, 340)
    },
}  # fmt: skip
"""What rescue robots carry, as under `sensors` of a robot. The lidar is one for near things: others are blind within
half a metre, where posts are passed. Sonars look over pipes and the feet of ramps; flat ground gives them no echo."""
_KEPT = ("Camera", "HeadLight", "Battery")


def sensors_of(robot: str) -> dict[str, Any]:
    """Sensors of a type of robot for a rescue: the mission's own, and what an operator wants; all else is off."""
    own = load_robot_file(robot).sensors
    if "Odometry" not in own:
        raise SimulationError(f"rescue: robot '{robot}' has no sensor 'Odometry'; take one of USARSim's, such as p2at")
    return {**{name: "off" for name in own if name not in _KEPT}, **SENSORS}
