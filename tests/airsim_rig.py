"""A simulation with AirSim's server in a thread, and AirSim's own clients in virtual environments of their own."""

import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path

import msgpack
import numpy as np
import pytest

from serving import Serving
from volery.loop import FastPace, Loop
from volery.protocols.airsim import ned
from volery.protocols.airsim.arguments import METHODS, YawMode
from volery.protocols.airsim.door import AirSim, AirSimSettings
from volery.scenario import read_scenario
from volery.sim import Simulation

HERE = Path(__file__).parent
CLIENTS = HERE.parent / ".venv-clients"
WORLD = "world: {type: blocks, count: 40}\nseed: 1\nstep: 0.01\nengines: {fleet: {step: 0.005}}\n"


class Served(Serving):
    """A running server."""

    def __init__(self, settings=None, folder=None, speed=4.0, world=WORLD, **more):
        path = "none"
        if settings is not None:
            path = str(Path(folder) / "settings.json")
            Path(path).write_text(json.dumps(settings))
        super().__init__(world, "airsim-test", speed)
        self.start(AirSim(self.simulation, self.loop, AirSimSettings(port=0, settings=path, **more)))
        self.port = self.door.port


served = Served
"""A server for the time of a test: `with served() as server`."""


def python_of(client):
    """The interpreter of a client's environment (airsim or cosys), or a skip that says why."""
    path = CLIENTS / client / "bin" / "python"
    if not path.exists():
        pytest.skip(f"the client '{client}' is not installed: scripts/setup test makes .venv-clients/{client}")
    return path


def run_client(client, script, port, *arguments, timeout=400):
    """Run a script of tests/airsim_clients in a client's environment; its output if it went well."""
    command = [str(python_of(client)), str(HERE / "airsim_clients" / script), str(port), *map(str, arguments)]
    env = {**os.environ, "PYTHONWARNINGS": "ignore", "AIRSIM_CLIENT": client}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, env=env, cwd=HERE / "airsim_clients"
    )
    assert done.returncode == 0, f"{script}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


KEEP = YawMode(True, 0.0)
"""The heading that a drone has."""


FINE = "world: empty\nseed: 1\nstep: 0.003\nengines: {fleet: {step: 0.003}}\n"
BARE = {"DefaultSensors": {"imu": {"SensorType": 2, "Enabled": True}}}
"""Settings of a drone that feels little, and so flies fast in tests."""


class Flight:
    """A drone flown by AirSim's methods, step by step, without clients; NED from its own zero."""

    def __init__(self, world=FINE, settings=BARE, **more):
        self.simulation = Simulation(read_scenario(world, name="flight"))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "settings.json"
            file.write_text(json.dumps(settings))
            chosen = AirSimSettings(port=0, settings=str(file), **more)
            self.door = AirSim(self.simulation, Loop(self.simulation, FastPace()), chosen)
        self.drone = self.door.vehicle("")
        self.dt = self.door.step
        self.simulation.run(50)
        if self.drone.settings.kind == "drone":
            self.call("enableApiControl", True, "")
            self.call("armDisarm", True, "")

    def call(self, method, *arguments):
        return METHODS[method].function(self.door, *arguments)

    @property
    def p(self):
        return ned.ned(self.drone.robot.p_WB - self.drone.home_W)

    @property
    def v(self):
        return ned.ned(self.drone.robot.v_WB_W)

    def fly(self, method, *arguments, after=3.0):
        """Fly until the task ends and a while longer; its result and all positions and velocities."""
        future, trace = self.call(method, *arguments), []
        left = round(after / self.dt)
        while left > 0 or not future.done():
            self.simulation.step()
            trace.append([*self.p, *self.v])
            left -= future.done()
            assert len(trace) * self.dt < 200.0, "it does not end"
        return future.result(), np.array(trace)


class Caller:
    """One connection to AirSim's port."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30.0)
        self._unpacker = msgpack.Unpacker()

    def call(self, method, *arguments):
        self.socket.sendall(msgpack.packb([0, 7, method, list(arguments)]))
        while True:
            for _, _, error, result in self._unpacker:
                if error is not None:
                    raise RuntimeError(error)
                return result
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionError("closed")
            self._unpacker.feed(data)


TWO = {
    "SettingsVersion": 1.2,
    "SimMode": "Multirotor",
    "Vehicles": {
        "Drone1": {
            "VehicleType": "SimpleFlight",
            "Sensors": {
                "LidarSensor1": {"SensorType": 6, "Enabled": True, "PointsPerSecond": 50000},
                "LidarSensor2": {"SensorType": 6, "Enabled": True,
                                 "DataFrame": "SensorLocalFrame", "PointsPerSecond": 20000},
                "below": {"SensorType": 5, "Enabled": True, "Pitch": -90},
            },
        },
        "Drone2": {"VehicleType": "SimpleFlight", "Y": 8, "Yaw": 90},
    },
}  # fmt: skip

TOWER = {
    "SettingsVersion": 1.2,
    "ExternalCameras": {
        "tower": {"Z": -30, "Pitch": -90, "CaptureSettings": [
            {"ImageType": 0, "Width": 64, "Height": 48}, {"ImageType": 1, "Width": 64, "Height": 48},
        ]},
    },
}  # fmt: skip

CAR = {
    "SettingsVersion": 1.2,
    "SimMode": "Car",
    "Vehicles": {"Car1": {"VehicleType": "PhysXCar", "Sensors": {
        "gps": {"SensorType": 3, "Enabled": True},
        "lidar": {"SensorType": 6, "Enabled": True, "PointsPerSecond": 20000},
    }}},
}  # fmt: skip
