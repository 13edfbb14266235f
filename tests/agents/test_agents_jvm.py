"""The SARL project's own client, as far as the wire shows it: its calls in their order, and its drones get there."""

import math

import pytest

from airsim_rig import served
from jvm_rig import FLYING, KINEMATICS, LANDED, JvmConnection, SarlController, read
from serving import until

SETTINGS = {
    "SimMode": "Multirotor", "SettingsVersion": 1.2,
    "SeeDocsAt": "https://github.com/Microsoft/AirSim/blob/master/docs/settings.md",
    "OriginGeopoint": {"Latitude": 47.641468, "Longitude": 6.140165, "Altitude": 310},
    "DefaultSensors": {
        "Barometer": {"SensorType": 1, "Enabled": True}, "IMU": {"SensorType": 2, "Enabled": True},
        "Gps": {"SensorType": 3, "Enabled": True},
        "Lidar": {"SensorType": 6, "Enabled": True, "NumberOfChannels": 1, "RotationsPerSecond": 10,
                  "PointsPerSecond": 360, "X": 0, "Y": 0, "Z": -1, "DrawDebugPoints": True},
    },
    "Vehicles": {
        name: {"VehicleType": "SimpleFlight", "AutoCreate": True, "AllowAPIAlways": True, "X": x, "Y": y, "Yaw": yaw}
        for name, x, y, yaw in (("Alpha", 8, 0, 180), ("Bravo", 0, 8, -90), ("Charly", -8, 0, 0), ("Delta", 0, -8, 90))
    },
}  # fmt: skip
"""Four drones on a circle, as the project's settings have them."""
WORLD = "world: empty\nseed: 1\nstep: 0.01\n"


@pytest.fixture
def server(tmp_path):
    with served(SETTINGS, tmp_path, world=WORLD) as server:
        yield server


class ReachOpposite:
    """*Reach target point*: to the other side of the circle, each at a height of its own so that none meet; once a
    second a force towards it, scaled as the project scales it."""

    DELAY, PERIOD, UP = 5.0, 1.0, 2.5

    def __init__(self, rank):
        self.target, self.rank, self.decided = None, rank, -math.inf

    def velocity(self, pose):
        p = [pose["position"][axis] for axis in ("x_val", "y_val", "z_val")]
        if self.target is None:
            self.target = [-p[0], -p[1], -self.UP - 1.5 * self.rank]
        way = [t - v for t, v in zip(self.target, p, strict=True)]
        far = math.hypot(*way)
        return [0.0, 0.0, 0.0] if far < 1.0 else [1.5 * min(far, 2.0) / 2.0 * w / far for w in way]


def test_the_projects_controller_flies_its_drones_across_the_circle_in_exact_steps(server):
    controller = SarlController(server.port, SETTINGS["Vehicles"])
    agents = {f"agent{i}": ReachOpposite(i) for i in range(4)}
    began = server.simulation.clock.now_ns
    for agent in agents:
        controller.take_off(agent)
    steps = 130
    for n in range(steps):
        now = n * controller.STEP
        for agent, behaviour in agents.items():
            _, pose, _ = controller.perceive(agent)
            if now >= behaviour.DELAY and now - behaviour.decided >= behaviour.PERIOD - 1e-6:
                behaviour.decided = now
                controller.move_by_velocity(agent, *behaviour.velocity(pose), behaviour.PERIOD)
        controller.go_on()
    assert server.simulation.clock.now_ns - began == round(steps * controller.STEP * 1e9), "no step lost, none twice"
    for agent, behaviour in agents.items():
        state, pose, _ = controller.perceive(agent)
        p = [pose["position"][axis] for axis in ("x_val", "y_val", "z_val")]
        assert math.dist(p, behaviour.target) < 1.5, controller.affected[agent]
        assert state["landed_state"] == FLYING
        assert state["collision"]["object_name"] not in SETTINGS["Vehicles"]
    assert all(controller.bodies.call("isApiControlEnabled", name) for name in SETTINGS["Vehicles"])
    answered = [method for method, _ in controller.bodies.finished]
    # One of each drone may still be under way; those that another followed are answered too.
    assert answered.count("takeoff") == 4 and answered.count("moveByVelocity") >= 4 * 21 - 4
    controller.close()


def test_all_drones_follow_calls_that_nobody_waits_for_while_time_goes_on(server):
    """The test of several drones that the client brings: no pause, no answer awaited."""
    client = JvmConnection(server.port)
    drones = list(SETTINGS["Vehicles"])
    for name in drones:
        client.call("enableApiControl", True, name)
    for name in drones:
        client.begin("takeoff", 20.0, name)
    start = server.simulation.clock.now
    while server.simulation.clock.now < start + 5.0:
        client.call("ping")
    before = {n: client.call("simGetGroundTruthKinematics", n)["position"]["x_val"] for n in drones}
    start = server.simulation.clock.now
    while server.simulation.clock.now < start + 3.0:
        for name in drones:
            client.begin("moveByVelocity", 5.0, 0.0, 0.0, 0.1, 0, {"is_rate": True, "yaw_or_rate": 0.0}, name)
        client.call("ping")
    for name in drones:
        motion = read(client.call("simGetGroundTruthKinematics", name), KINEMATICS, "KinematicsState")
        assert motion["position"]["x_val"] - before[name] > 5.0, f"{name} did not move with the others"
    client.close()


def test_states_begin_landed_and_are_told_by_ordinals(server):
    client = JvmConnection(server.port)
    client.call("enableApiControl", True, "Alpha")
    assert client.call("isApiControlEnabled", "Alpha") is True
    assert client.call("getMultirotorState", "Alpha")["landed_state"] == LANDED
    until(lambda: client.call("getLidarData", "Lidar", "Alpha")["time_stamp"] > 0)
    lidar = client.call("getLidarData", "Lidar", "Alpha")
    assert len(lidar["point_cloud"]) % 3 in (0, 1) and {"point_cloud", "pose"} <= set(lidar)
    client.close()
