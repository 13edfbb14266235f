"""A simulation in a thread whose robots are flown by stand-ins for firmwares, in processes of their own."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from serving import Serving
from volery import registry
from volery.loop import FastPace

CLIENTS = Path(__file__).parent / "autopilot_clients"
WORLD = """
world: empty
seed: 1
step: 0.0025
robots:
  uav1: {type: x500, position: [2, 1, 0.5], sensors: {imu: off, rangefinder: off}}
"""


def free_ports(count=1, kind=socket.SOCK_DGRAM):
    """The first of so many ports in a row of loopback that nobody has now."""
    for _ in range(100):
        with socket.socket(socket.AF_INET, kind) as probe:
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
        if first + count < 65_000:
            return first
    raise AssertionError("no free ports")


class Flight(Serving):
    """A running door; `track` keeps where each robot truly was, by the step."""

    def __init__(self, protocol, world=WORLD, pace=None, **settings):
        super().__init__(world, "autopilot-test", 1.0)
        self.loop.pace = pace or FastPace()
        kind = registry.find("protocols", protocol)
        door = kind(self.simulation, self.loop, kind.Settings(**settings))
        self.track = {name: [] for name in door.links}
        self.simulation.listeners.append(self._keep)
        self.clients = []
        self.start(door)

    def _keep(self, simulation):
        for name, track in self.track.items():
            track.append((simulation.clock.now, *simulation.robots[name].p_WB))

    def path(self, name="uav1"):
        """Time [s] and place in W [m] at each step, [n, 4]."""
        return np.array(self.ask(lambda: list(self.track[name])))

    def where(self, name="uav1"):
        return self.ask(lambda: self.simulation.robots[name].p_WB.copy())

    def until(self, condition, seconds=60.0):
        """Wait for something of the simulation to become true."""
        end = time.monotonic() + seconds
        while not self.ask(condition):
            assert time.monotonic() < end, "it did not come true in time"
            time.sleep(0.02)

    def client(self, file, *words):
        """A stand-in; ended with the flight."""
        command = [sys.executable, str(CLIENTS / file), *map(str, words)]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.clients.append(client)
        return client

    def close(self):
        for client in self.clients:
            if client.poll() is None:
                client.kill()
            client.wait()
            client.stdout.close()
        super().close()


def corners(track, side=4.0, near=0.5):
    """Whether a track [n, 4] passes the corners of the stand-ins' square (north, then east) in order."""
    home = track[0, 1:3]
    places = [(0.0, side), (side, side), (side, 0.0), (0.0, 0.0)]
    at = 0
    for p in track[:, 1:3] - home:
        if at < 4 and np.hypot(*(p - places[at])) < near:
            at += 1
    return at == 4


def same(one, other):
    """Largest distance between two tracks [m], at the same steps."""
    n = min(len(one), len(other))
    return float(np.linalg.norm(one[:n, 1:] - other[:n, 1:], axis=1).max())
