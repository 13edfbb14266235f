"""What autonomous robots of the missions carry: a lidar all round and an inertial unit, with the noise of real ones."""

from __future__ import annotations

from typing import Any

__all__ = ["ALL_ROUND", "SENSORS"]


def _sensors(lines: int, lowest: float, columns: int) -> dict[str, Any]:
    """As under `sensors` of a robot; lowest: elevation of the first line [degrees], the last is as high."""
    return {
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
            "elevations_deg": [round(lowest - 2 * lowest * i / (lines - 1), 2) for i in range(lines)],
            "columns": columns,
            "max_range": 40,
            "noise": {"range": {"absolute": 0.02}},
        },
    }


SENSORS = _sensors(32, -30.0, 256)
"""For flight: fine ahead."""
ALL_ROUND = _sensors(48, -80.0, 180)
"""For caves and buildings: floors and ceilings as well."""
