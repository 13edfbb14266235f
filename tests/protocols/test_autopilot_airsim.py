"""AirSim's vehicle types of firmwares: ArduCopter, ArduRover and PX4Multirotor by the keys of settings.json."""

import json
import math
import socket
import struct

import numpy as np
import pytest

from autopilot_rig import Flight, free_ports
from serving import Serving
from volery.errors import ScenarioError
from volery.loop import FastPace
from volery.protocols.airsim.door import AirSim, AirSimSettings
from volery.protocols.airsim.settings import read_settings

WORLD = "world: empty\nstep: 0.003\nseed: 1\n"


class Vehicles(Serving):
    def __init__(self, tmp_path, mode="Multirotor", **vehicles):
        super().__init__(WORLD, "airsim-firmware", 1.0)
        self.loop.pace = FastPace()
        path = tmp_path / "settings.json"
        path.write_text(json.dumps({"SettingsVersion": 1.2, "SimMode": mode, "Vehicles": vehicles}))
        self.start(AirSim(self.simulation, self.loop, AirSimSettings(port=0, settings=str(path))))


def spoken(data):
    assert data.endswith(b"\n") and data.count(b"\n") == 1
    return json.loads(data.replace(b",]", b"]"))


@pytest.fixture
def firmware():
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.bind(("127.0.0.1", 0))
    own.settimeout(10.0)
    yield own
    own.close()


def keys(firmware):
    port = free_ports(1)
    return port, {"ControlPort": port, "UdpIp": "127.0.0.1", "UdpPort": firmware.getsockname()[1]}


def test_an_arducopter_rises_by_its_pulses(tmp_path, firmware):
    port, own = keys(firmware)
    lidar = {"l": {"SensorType": 6, "Enabled": True, "PointsPerSecond": 2000}}
    with Vehicles(tmp_path, Copter={"VehicleType": "ArduCopter", "Sensors": lidar, **own}) as served:
        clouds, pulse = [], 1000
        for step in range(400):
            firmware.sendto(struct.pack("<11H", *[pulse] * 4, *[1000] * 7), ("127.0.0.1", port))
            state = spoken(firmware.recv(65000))
            clouds += [state["lidar"]["point_cloud"]] if "lidar" in state else []
            pulse = 1000 if step < 20 else 1560
        assert served.ask(lambda: served.simulation.robots["Copter"].p_WB[2]) > 0.5
        assert state["velocity"]["world_linear_velocity"][2] < -0.3
        assert state["imu"]["linear_acceleration"][2] < -9.0
        assert abs(state["pose"]["yaw"]) < 0.05 and state["gps"]["lat"] == pytest.approx(47.641468, abs=1e-4)
        # The beams that look down meet the ground below: z is down.
        assert clouds and max(max(c[2::3], default=0.0) for c in clouds) > 0.1
        # Its clients are told why they cannot fly it.
        drone = served.door.drone("Copter")
        assert "firmware" in drone.cannot_fly()


def test_an_ardurover_drives_and_steers(tmp_path, firmware):
    port, own = keys(firmware)
    with Vehicles(tmp_path, "Car", Rover={"VehicleType": "ArduRover", **own}):
        for _ in range(1200):
            firmware.sendto(struct.pack("<2f", 0.5, 0.5), ("127.0.0.1", port))
            state = spoken(firmware.recv(65000))
        assert math.hypot(*state["velocity"]["world_linear_velocity"][:2]) > 1.0
        # Steered to the right, the heading grows clockwise.
        assert state["imu"]["angular_velocity"][2] > 0.05


def test_a_px4multirotor_is_flown_by_tcp(tmp_path):
    pytest.importorskip("pymavlink")
    port = free_ports(1, socket.SOCK_STREAM)
    vehicle = {"VehicleType": "PX4Multirotor", "UseSerial": False, "UseTcp": True, "TcpPort": port, "LockStep": True}
    with Vehicles(tmp_path, PX4=vehicle) as served:
        client = Flight.client(_Starts(), "px4_standin.py", port, "--until", "4.5")
        assert "until" in client.communicate(timeout=60)[0]
        assert served.ask(lambda: served.simulation.robots["PX4"].p_WB[2]) > 1.0


class _Starts:
    def __init__(self):
        self.clients = []


def test_what_is_not_supported_is_said():
    for wrong, word in (({"UseSerial": True}, "UseSerial"), ({"UseTcp": False}, "UseTcp"), ({"TcpPort": 0}, "TcpPort")):
        text = json.dumps({"Vehicles": {"a": {"VehicleType": "PX4Multirotor", **wrong}}})
        with pytest.raises(ScenarioError, match=word):
            read_settings(text)
    plain = read_settings(json.dumps({"Vehicles": {"a": {"VehicleType": "SimpleFlight"}}}))
    assert plain.vehicles["a"].firmware is None
    own = read_settings(json.dumps({"Vehicles": {"a": {"VehicleType": "ArduCopter", "ControlPort": 9012}}}))
    assert own.vehicles["a"].firmware.port == 9012 and np.isfinite(own.vehicles["a"].firmware.answer_port)
