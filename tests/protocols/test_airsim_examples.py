"""The sequences of calls of AirSim's examples, by the real client: not whether they end, but what was flown, driven
and seen."""

from airsim_rig import run_client, served

BLOCKS = (
    "world: {type: blocks, lanes: 12, size: 120, count: 40}\nseed: 1\nstep: 0.005\nengines: {fleet: {step: 0.005}}\n"
)
STREETS = "world: streets\nseed: 1\nstep: 0.005\nengines: {fleet: {step: 0.005}}\n"
DRONES = {"SettingsVersion": 1.2, "SimMode": "Multirotor", "Vehicles": {
    "Drone1": {"VehicleType": "SimpleFlight"}, "Drone2": {"VehicleType": "SimpleFlight", "Y": 8},
}}  # fmt: skip
CAR = {"SettingsVersion": 1.2, "SimMode": "Car", "Vehicles": {"Car1": {"VehicleType": "PhysXCar", "Sensors": {
    "lidar": {"SensorType": 6, "Enabled": True, "PointsPerSecond": 20000},
}}}}  # fmt: skip


def test_the_examples_of_drones(tmp_path):
    with served(DRONES, tmp_path, world=BLOCKS, speed=6.0) as server:
        assert "done" in run_client("airsim", "examples_drone.py", server.port)


def test_the_examples_of_cars(tmp_path):
    with served(CAR, tmp_path, world=STREETS, speed=6.0) as server:
        assert "done" in run_client("airsim", "examples_car.py", server.port)
