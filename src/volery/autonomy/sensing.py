"""What autonomous robots of the missions carry: a lidar all round and an inertial unit, with the noise of real ones."""

__all__ = ["SENSORS"]

_LINES = 32
SENSORS = {
    "scanner": "off",
    "imu": {
        "type": "imu",
        "rate": 100,
        "noise": {
            "specific_force": {"density": 0.002, "bias_spread": 0.02},
            "angular_velocity": {"density": 0.0002, "bias_spread": 0.002},
        },
    },
    "lidar": {
        "type": "lidar",
        "rate": 10,
        "elevations_deg": [round(-30.0 + 60.0 * i / (_LINES - 1), 2) for i in range(_LINES)],
        "columns": 256,
        "max_range": 40,
        "noise": {"range": {"absolute": 0.02}},
    },
}
"""As under `sensors` of a robot in a scenario."""
