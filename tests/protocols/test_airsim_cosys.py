"""Cosys-AirSim's client, unchanged, against our server."""

import pytest

from airsim_rig import CAR, TOWER, TWO, run_client, served

COSYS = {
    "SettingsVersion": 2.0,
    "SimMode": "Multirotor",
    "Vehicles": {"Drone1": {"VehicleType": "SimpleFlight", "Sensors": {
        "echo": {"SensorType": 7, "Enabled": True, "NumberOfTraces": 4000, "DistanceLimit": 20},
        "gpu": {"SensorType": 8, "Enabled": True, "PointsPerSecond": 20000},
        "lidar": {"SensorType": 6, "Enabled": True, "PointsPerSecond": 20000},
        "ahead": {"SensorType": 5, "Enabled": True},
    }}},
}  # fmt: skip

SLOW_FLIGHT = pytest.param("flight.py", None, marks=pytest.mark.slow)
SLOW_PICTURES, SLOW_CAR = (
    pytest.param(*words, marks=pytest.mark.slow) for words in (("images.py", TOWER), ("car.py", CAR))
)
"""The same commands as through the airsim client, which is in every run."""


@pytest.mark.parametrize(
    ("script", "settings"),
    [("cosys.py", COSYS), SLOW_FLIGHT, ("state.py", TWO), SLOW_PICTURES, SLOW_CAR,
     ("vision.py", {"SimMode": "ComputerVision"})],
)  # fmt: skip
def test_the_cosys_client(script, settings, tmp_path):
    with served(settings, tmp_path) as server:
        assert "done" in run_client("cosys", script, server.port)
