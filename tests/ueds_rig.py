"""A simulation with UEds's servers in a thread, and a client written from the specification alone."""

import socket
import struct
import time

from serving import Serving
from volery.protocols.ueds.door import Ueds, UedsSettings

WORLD = """
world: {type: blocks, count: 40}
seed: 1
step: 0.01
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
"""


class Served(Serving):
    """Running servers."""

    def __init__(self, world=WORLD, speed=1.0, **settings):
        super().__init__(world, "ueds-test", speed)
        given = {"port": 0, "thesis_port": 0, "drone_port": 0, **settings}
        self.start(Ueds(self.simulation, self.loop, UedsSettings(**given)))

    def settled(self, seconds=120.0):
        """Everything that clients asked for is done: the level stands, and drones are in or out."""
        end = time.monotonic() + seconds
        while not (self.door.game.grown and self.door.comings.waiting == 0):
            assert time.monotonic() < end and self.failure is None
            time.sleep(0.01)
        super().settled()


served = Served
"""Servers for the time of a test: `with served() as server`."""


LIDAR = "<??d2id3d3d4d?"
LIDAR_OLD = "<??12d"
RGB = "<?3d3dd2i4?2d"
RGB_OLD = "<?3d3dd"
STEREO = "<?3d3dd2id3?"
STEREO_APART = "<?12dd2i3?"


class Reader:
    """Fields of a reply, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        form = form if form.startswith("<") else f"<{form}"
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def bytes(self, size=1):
        (count,) = self.take("Q")
        start, self.at = self.at, self.at + count * size
        assert self.at <= len(self.data)
        return count, self.data[start : self.at]

    def text(self):
        return self.bytes()[1].decode()

    def end(self):
        assert self.at == len(self.data), f"{len(self.data) - self.at} bytes are left"


class Client:
    """One connection: bytes out, bytes in, as the original does it: it reads until the last three are dollars."""

    def __init__(self, port, timeout=1.0):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10.0)
        self.socket.settimeout(timeout)
        self.slowest = 0.0

    def raw(self, request):
        """Send a request; the whole reply without its dollars."""
        began = time.monotonic()
        self.socket.sendall(request)
        data = bytearray()
        while True:
            piece = self.socket.recv(1 << 20)
            if not data:
                self.slowest = max(self.slowest, time.monotonic() - began)
            if not piece:
                raise ConnectionError("closed")
            data += piece
            if data[-3:] == b"$$$" and self._quiet():
                return bytes(data[:-3])

    def _quiet(self):
        """Whether nothing more is waiting."""
        self.socket.setblocking(False)
        try:
            return not self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        finally:
            self.socket.settimeout(1.0)

    def call(self, number, form="", *values, code=None):
        """Status and the rest of the reply."""
        reply = Reader(
            self.raw(struct.pack("<H", number) + struct.pack(f"<{form}" if form[:1] != "<" else form, *values))
        )
        kind, status = reply.take("H?")
        assert kind == (number if code is None else code)
        return status, reply

    def ok(self, number, form="", *values, code=None):
        """The rest of the reply of a call that must go well."""
        status, reply = self.call(number, form, *values, code=code)
        assert status, f"{number} was refused"
        return reply

    def close(self):
        self.socket.close()


def rays(reply, tagged=False, stamped=False):
    """Start and rays of a lidar's reply: distance, direction, tag."""
    start = reply.take("3d")
    size = 36 if tagged else 32
    count, data = reply.bytes(size)
    form = "<4di" if tagged else "<4d"
    found = [struct.unpack_from(form, data, i * size) for i in range(count)]
    if stamped:
        reply.take("d")
    reply.end()
    return start, found
