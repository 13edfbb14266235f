"""A simulation with MAVLink vehicles in a thread, what it keeps of their tracks, and real clients beside it."""

import contextlib
import os
import socket
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from serving import Serving
from volery.protocols.mavlink.door import Mavlink, MavlinkSettings

pytest.importorskip("pymavlink")
from pymavlink import mavutil

HERE = Path(__file__).parent
CLIENTS = HERE.parent / ".venv-clients"
WORLD = """
world: empty
seed: 1
step: 0.01
robots:
  uav1: {type: x500, position: [0, 0, 1.0], sensors: {imu: off, rangefinder: off}}
"""


def free_port():
    """A UDP port of loopback that nobody has now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Flown(Serving):
    """A running door; `track` keeps where each vehicle truly was, ten times a second."""

    def __init__(self, world=WORLD, speed=4.0, start=True, **settings):
        super().__init__(world, "mavlink-test", speed)
        self.station = free_port()
        given = {"port": 0, "stations": (f"127.0.0.1:{self.station}",), "program": "", **settings}
        door = Mavlink(self.simulation, self.loop, MavlinkSettings(**given))
        self.track = {name: [] for name in door.vehicles}
        self.simulation.listeners.append(self._keep)
        self.start(door) if start else setattr(self, "door", door)

    def _keep(self, simulation):
        if simulation.clock.steps % 10 == 0:
            for name, track in self.track.items():
                track.append(simulation.robots[name].p_WB.copy())

    @property
    def vehicle(self):
        return next(iter(self.door.vehicles.values()))

    def path(self, name="uav1"):
        """Where it was, [n, 3] [m]."""
        return np.array(self.ask(lambda: list(self.track[name])))

    def until(self, condition, seconds=60.0):
        """Wait for something of the simulation to become true."""
        end = time.monotonic() + seconds
        while not self.ask(condition):
            assert time.monotonic() < end, "it did not come true in time"
            time.sleep(0.02)


class Station:
    """A ground station by pymavlink, which the vehicle tells unasked. A thread reads all the time, as stations do."""

    def __init__(self, flown, system=1):
        where = f"udpin:127.0.0.1:{flown.station}"
        self.link = mavutil.mavlink_connection(where, source_system=255, dialect="ardupilotmega")
        self.system = system
        self.seen = []
        """All messages so far."""
        self._come = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self):
        self.link.wait_heartbeat(timeout=30)
        self.mav = self.link.mav
        self.mav.heartbeat_send(6, 8, 0, 0, 4)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._closed = True
        self._thread.join(timeout=5)
        self.link.close()

    def _read(self):
        while not self._closed:
            m = self.link.recv_match(blocking=True, timeout=0.2)
            if m is not None:
                with self._come:
                    self.seen.append(m)
                    self._come.notify_all()

    def beat(self, condition=lambda m: True):
        """The next heartbeat of the autopilot itself, not of its camera, that is as wanted."""
        return self.wait("HEARTBEAT", lambda m: m.get_srcComponent() == 1 and condition(m))

    def wait(self, kind, condition=lambda m: True, seconds=60.0, since=None):
        """The next message of a kind that is as wanted; since: how many messages there were before what led to it."""
        end, at = time.monotonic() + seconds, len(self.seen) if since is None else since
        with self._come:
            while True:
                for m in self.seen[at:]:
                    if m.get_type() == kind and m.get_srcSystem() == self.system and condition(m):
                        return m
                at = len(self.seen)
                assert time.monotonic() < end, f"no such {kind} came"
                self._come.wait(0.2)

    def command(self, number, *params, to=1):
        """COMMAND_LONG; its result."""
        values = [*params, *[0.0] * (7 - len(params))]
        return self._ordered(number, lambda n: self.mav.command_long_send(self.system, to, number, n, *values))

    def command_int(self, number, *params, frame=6, x=0, y=0, z=0.0):
        """COMMAND_INT; its result."""
        values = [*params, *[0.0] * (4 - len(params))]
        return self._ordered(
            number, lambda _: self.mav.command_int_send(self.system, 1, frame, number, 0, 0, *values, x, y, z)
        )

    def _ordered(self, number, send):
        """Send until it is acknowledged, as the protocol wants it of stations: datagrams can be lost."""
        since = len(self.seen)
        for again in range(30):
            send(again)
            with contextlib.suppress(AssertionError):
                return self.wait("COMMAND_ACK", lambda m: m.command == number, seconds=2.0, since=since).result
        raise AssertionError(f"command {number} was never acknowledged")

    def mode(self, number):
        """By the autopilot's own number; MAV_RESULT."""
        main, sub = (number >> 16 & 255, number >> 24) if number > 255 else (number, 0)
        return self.command(176, 1, main, sub)


def python_of(client):
    """The interpreter of a client's environment, or a skip that says why."""
    path = CLIENTS / client / "bin" / "python"
    if not path.exists():
        pytest.skip(f"the client '{client}' is not installed: scripts/setup test makes .venv-clients/{client}")
    return path


def run_client(client, script, *arguments, timeout=300):
    """Run a script of tests/mavlink_clients in a client's environment; its output if it went well."""
    command = [str(python_of(client)), str(HERE / "mavlink_clients" / script), *map(str, arguments)]
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    env.pop("PYTHONPATH", None)
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=env)
    assert done.returncode == 0, f"{script}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def visits(path, corners, tolerance):
    """Whether a track [n, 3] comes near all corners [m], one after the other; else which one it missed, by how much."""
    at = 0
    for number, corner in enumerate(corners):
        away = np.linalg.norm(path[at:] - corner, axis=1)
        near = np.flatnonzero(away < tolerance)
        assert len(near), f"corner {number} at {corner} was missed by {away.min():.2f} m"
        at += int(near[0])


def a_peer(vehicle):
    """Someone who may speak with a vehicle, at an address where nobody listens."""
    return vehicle.wire._welcome(("127.0.0.1", free_port()), time.monotonic())
