"""A running simulation with a viewer's server, and guests that speak to it as pages do."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

from volery.bus.bus import Bus, BusConfig
from volery.bus.command_listener import CommandListener
from volery.bus.frames import unpack
from volery.bus.listing import Counts
from volery.bus.run_publisher import RunPublisher
from volery.loop import Loop, RealTimePace
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.viewer.live import Attached
from volery.viewer.server import ViewerServer

FIELD = """
step: 0.01
seed: 3
world: empty
about: a field
robots:
  uav1: {type: probe, physics: kinematic, position: [0, 0, 5],
         sensors: {scanner: off, imu: {type: imu, rate: 100}, lamp: {type: headlight},
                   eye: {type: camera, width: 16, height: 12, rate: 1, phase: 3600}}}
"""


class Guest:
    """One WebSocket client."""

    def __init__(self, server, token=None, hello=True, **options):
        # Without a limit to its queue: one that is full keeps the client from hearing the server's goodbye.
        options = {"max_queue": None, **options}
        self.socket = connect(
            f"ws://127.0.0.1:{server.port}/ws", max_size=None, compression=None, **options
        ).__enter__()
        self.count = 0
        self.seen = []
        if hello:
            self.say({"do": "hello", "token": server.access.token if token is None else token, "version": 1})

    def say(self, message):
        self.socket.send(json.dumps(message))

    def take(self, timeout=5.0):
        """The next frame: its header or JSON, and its arrays."""
        data = self.socket.recv(timeout)
        found = (json.loads(data), {}) if isinstance(data, str) else unpack(data)
        self.seen.append(found[0])
        return found

    def until(self, kind, timeout=10.0, **like):
        """The next frame of a kind, with these values."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            head, arrays = self.take(left)
            if head["kind"] == kind and all(head.get(k) == v for k, v in like.items()):
                return head, arrays
        raise TimeoutError(kind)

    def do(self, name, /, **values):
        """The whole reply to a request."""
        self.count += 1
        self.say({"do": name, "id": self.count, **values})
        return self.until("reply", id=self.count)[0]

    def ask(self, name, /, **values):
        """The result of a request that must succeed."""
        reply = self.do(name, **values)
        assert "error" not in reply, reply["error"]
        return reply["result"]

    def refused(self, name, /, **values):
        """The words with which a request is refused."""
        reply = self.do(name, **values)
        assert "error" in reply, reply
        return reply["error"]

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Stage:
    """The parts of a run that is shown."""

    def __init__(self, text, out, pace=1.0):
        self.simulation = Simulation(read_scenario(text, "field"))
        self.bus = Bus(BusConfig(listen=["tcp/127.0.0.1:0"]))
        self.listeners = [
            RunPublisher(self.simulation, self.bus),
            CommandListener(self.simulation, self.bus),
            Counts(self.bus),
        ]
        self.simulation.listeners += self.listeners
        self.loop = Loop(self.simulation, RealTimePace(pace))
        self.server = ViewerServer(port=0)
        self.attached = Attached(self.simulation, self.bus, self.loop, out=Path(out))
        self.error = None

    def run(self):
        try:
            self.loop.run()
        except BaseException as error:
            self.error = error
            raise

    def steps_on(self, more=5, timeout=10.0):
        """Whether the simulation goes on stepping."""
        first, end = self.simulation.clock.steps, time.monotonic() + timeout
        while time.monotonic() < end and self.error is None:
            if self.simulation.clock.steps >= first + more:
                return True
            time.sleep(0.01)
        return False


@contextmanager
def shown(out, text=FIELD, **options):
    """A running simulation with a viewer."""
    stage = Stage(text, out, **options)
    stage.server.attach(stage.attached)
    thread = threading.Thread(target=stage.run, daemon=True)
    thread.start()
    try:
        yield stage
    finally:
        stage.loop.stop()
        thread.join(10)
        stage.server.detach()
        stage.server.close()
        for part in stage.listeners:
            part.close()
        stage.bus.close()
    assert not thread.is_alive() and stage.error is None


def raw(server, data, then=b"", timeout=3.0):
    """Bytes straight into the port; what comes back until the end or the timeout, and whether the server closed.

    then: bytes to send when the first answer is there.
    """
    with socket.create_connection(("127.0.0.1", server.port)) as s:
        s.settimeout(timeout)
        got = b""
        try:
            s.sendall(data)
            if then:
                got = s.recv(65536)
                s.sendall(then)
            while part := s.recv(65536):
                got += part
        except TimeoutError:
            return got, False
        except ConnectionError:
            return got, True
        return got, True


def upgrade(server, *, host=None, more=""):
    """The request that begins a WebSocket."""
    host = host or f"127.0.0.1:{server.port}"
    return (
        f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
    ).encode()
