"""A simulation with USARSim's server in a thread, and a client that knows nothing but sockets and lines."""

import contextlib
import re
import socket
import threading
import time
from pathlib import Path

from serving import Serving
from volery.loop import Loop, RealTimePace
from volery.protocols.gamebots.door import Gamebots, GamebotsSettings
from volery.scenario import read_scenario
from volery.sim import Simulation

WORLD = "world: {type: arena, colour: yellow, columns: 7, rows: 6}\nseed: 3\nstep: 0.01\n"
FLAT = "world: empty\nseed: 3\nstep: 0.01\n"


class Served(Serving):
    """A running server with all three dialects."""

    def __init__(self, world=FLAT, speed=4.0, **settings):
        super().__init__(world, "gamebots-test", speed)
        given = {"port": 0, "others": {"ut2003": 0, "udk": 0}, "image_port": 0, **settings}
        self.start(Gamebots(self.simulation, self.loop, GamebotsSettings(**given)))
        self.ports = self.door.ports


served = Served
"""A server for the time of a test: `with served() as server`."""


class Raw:
    """A plain socket that reads lines."""

    def __init__(self, server, dialect="ut2004", timeout=60.0):
        self.socket = socket.create_connection(("127.0.0.1", server.ports[dialect]), timeout=timeout)
        self.rest = b""
        self.timeout = timeout

    def send(self, text, end="\r\n"):
        self.socket.sendall((text + end).encode())

    def lines(self):
        """Line after line, without their ends."""
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                assert line.endswith(b"\r")
                yield line[:-1].decode()
            data = self.socket.recv(1 << 16)
            if not data:
                return
            self.rest += data

    def wait(self, *parts):
        """The next line in which all parts are."""
        end = time.monotonic() + self.timeout
        for line in self.lines():
            if all(p in line for p in parts):
                return line
            assert time.monotonic() < end, f"no line with {parts}"
        raise AssertionError(f"closed before a line with {parts}")

    def ask(self, text, *parts):
        self.send(text)
        return self.wait(*parts)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def fields(line):
    """A line of the server as its verb and its segments, (name, value) in order."""
    verb, _, rest = line.partition(" ")
    found = re.findall(r"\{([^{}]*)\}", rest)
    assert "".join(rest.split()) == "".join("".join(f"{{{f}}}".split()) for f in found), line
    return verb, [tuple((*f.split(" ", 1), "")[:2]) for f in found]


def value(line, name):
    """The value of the first segment of a name."""
    return next(v for k, v in fields(line)[1] if k == name)


def floats(text):
    return [float(x) for x in text.split(",")]


ALL = str(Path(__file__).parent / "gamebots_robot.yaml")
"""A robot with all sensors, as class Everything."""


class Stepped:
    """A server whose simulation a test steps itself: what is sent and heard is exact."""

    def __init__(self, world=FLAT, **settings):
        self.simulation = Simulation(read_scenario(world, name="gamebots-test"))
        self.loop = Loop(self.simulation, RealTimePace(1.0))
        given = {"port": 0, "others": {"ut2003": 0, "udk": 0}, "image_port": 0, "classes": {"Everything": ALL}}
        self.door = Gamebots(self.simulation, self.loop, GamebotsSettings(**{**given, **settings}))
        self.door.start()
        self.ports = self.door.ports
        self._raws = []

    def connect(self, dialect="ut2004"):
        """A client that the server knows."""
        raw = Raw(self, dialect)
        self._raws.append(raw)
        self.until(lambda: any(self._is_of(c, raw) for c in list(self.door.wire.clients)))
        return raw

    def until(self, condition, timeout=20.0):
        """Wait for the server's thread, which has no part in simulated time."""
        end = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < end, "the server's thread did not do it"
            time.sleep(0.002)

    def answer(self, condition):
        """Answer requests, as a loop does that is paused, until something is so."""
        self.until(lambda: self.simulation.answer_requests() or condition())

    def step(self, count=1):
        self.simulation.run(count)

    def say(self, raw, *texts, steps=1, end="\r\n"):
        """Send commands, have them done, make some steps; the lines that came of it."""
        client = self.door.wire.clients[-1] if raw is None else self.client(raw)
        client.inbox.clear()
        for text in texts:
            raw.send(text, end)
        self.until(lambda: len(client.inbox) >= len(texts))
        self.step(steps)
        return self.heard(raw)

    def client(self, raw):
        """The server's side of a client."""
        return next(c for c in self.door.wire.clients if self._is_of(c, raw))

    @staticmethod
    def _is_of(client, raw):
        return client._transport.get_extra_info("peername")[1] == raw.socket.getsockname()[1]

    def heard(self, raw):
        """All lines that were sent by now."""
        sent = threading.Event()
        self.door.wire.call(sent.set)
        assert sent.wait(20)
        raw.socket.setblocking(False)
        try:
            while data := raw.socket.recv(1 << 20):
                raw.rest += data
        except BlockingIOError:
            pass
        finally:
            raw.socket.settimeout(raw.timeout)
        *lines, raw.rest = raw.rest.split(b"\r\n")
        return [line.decode() for line in lines]

    def robot(self, name="R1"):
        return self.simulation.robot(name)

    def close(self):
        self.door.close()
        for raw in self._raws:
            raw.close()


@contextlib.contextmanager
def stepped(world=FLAT, **settings):
    """A server that is stepped, for the time of a test."""
    server = Stepped(world, **settings)
    try:
        yield server
    finally:
        server.close()


def one(lines, *parts):
    """The first line in which all parts are."""
    found = [line for line in lines if all(p in line for p in parts)]
    assert found, f"no line with {parts} in {lines[:5]} …"
    return found[0]


def state(lines):
    """The last STA line."""
    return [line for line in lines if line.startswith("STA ")][-1]
