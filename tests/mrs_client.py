"""A stand-in for the ROS client of the MRS group, by the specification: it starts, spawns and flies as that does, gives
up on an answer as that does, and says what it met.

`python mrs_client.py PORT '{"drones": 10, …}'` runs it in a process of its own, and prints what it found as JSON.
"""

# ruff: noqa: T201

import json
import math
import select
import socket
import struct
import sys
import threading
import time

LATEST = 0.8
"""An answer that begins later than this counts as late [s]; the client itself waits for 1 s, and never looks back."""
RGB = "<?3d3dd2i4?2d"
STEREO = "<?3d3dd2id3?"
LIDAR = "<??d2id3d3d4d?"
MARKER = 92.12
"""Height of the middle of the start marker above the ground [cm]."""
GAME = {15: 3, 17: 16}
"""Types of replies of the game mode that are not their request's."""


class GoneError(Exception):
    """The client shuts ROS down."""


class Line:
    """One connection, read as the connector reads: pieces of 1,024 bytes, until none wait and the last are dollars."""

    def __init__(self, port, found, types):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10.0)
        self.socket.setblocking(True)
        self.found = found
        self.types = types

    def call(self, number, form="", *values):
        """Status and body of the reply; None: it did not come in time. The type is not looked at, as there."""
        request = struct.pack("<H", number) + (struct.pack("<" + form.lstrip("<"), *values) if form else b"")
        try:
            self.socket.sendall(request)
            return self._answer(number)
        except OSError:
            self.found["closed"].append(number)
            return None

    def _answer(self, number):
        data, asked = b"", time.monotonic()
        while True:
            if not select.select([self.socket], [], [], 1.0)[0]:
                self.found["unanswered"].append(number)
                return None
            if not data:
                took = time.monotonic() - asked
                self.found["slowest"] = max(self.found["slowest"], took)
                if took > LATEST:
                    self.found["late"].append([number, round(took, 3)])
            piece = self.socket.recv(1024)
            if not piece:
                self.found["closed"].append(number)
                return None
            data += piece
            if data[-3:] == b"$$$" and not select.select([self.socket], [], [], 0.0)[0]:
                break
        self.found["calls"] += 1
        told = struct.unpack_from("<H", data)[0]
        if told != self.types.get(number, number):
            self.found["shifted"].append([number, told])
        return data[2] == 1, data[3:-3]

    def must(self, what, number, form="", *values):
        """The body of a call without which the client ends."""
        reply = self.call(number, form, *values)
        if reply is None or not reply[0]:
            raise GoneError(what)
        return reply[1]

    def should(self, what, number, form="", *values):
        """A call whose refusal the client only logs."""
        reply = self.call(number, form, *values)
        if reply is None or not reply[0]:
            self.found["refused"].append(what)
            return None
        return reply[1]

    def close(self):
        self.socket.close()


class Stalls:
    """How long this machine lets a thread that only sleeps wait for its turn, at the longest [s]: what is later than
    that is the server's fault."""

    def __init__(self):
        self.longest = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        last = time.monotonic()
        while True:
            time.sleep(0.005)
            now = time.monotonic()
            self.longest, last = max(self.longest, now - last), now


def connect(port, found, types=None):
    """Tries once a second. types: of replies, where they are not their request's."""
    for _ in range(20):
        try:
            return Line(port, found, types or {})
        except OSError:
            time.sleep(1.0)
    raise GoneError("nobody is there")


def start(port, found, *, world=2, density=6, hills=3, drones=1, reconnect=5.0, settle=1.0, **_):
    """Up to the drones' set-up: the game's connection, the origin, and a connection for each drone."""
    game = connect(port, found, GAME)
    if struct.unpack("<2i", game.must("version", 9)) != (0, 11):
        raise GoneError("another version")
    game.should("switch", 11, "h", world)
    game.close()
    time.sleep(reconnect)
    game = connect(port, found, GAME)
    game.should("graphics", 10, "i", 3)
    game.should("visibility", 18, "?", True)
    game.should("weather", 16, "i", 0)
    game.should("daytime", 17, "2i", 12, 0)
    game.should("density", 12, "i", density)
    game.should("hills", 13, "i", hills)
    time.sleep(settle)
    origin = struct.unpack("<3d", game.must("origin", 14))
    lines = []
    for i in range(drones):
        # Round the start marker, where no tree is within 3 m.
        x, y = (160.0 * f(2.0 * math.pi * i / drones) for f in (math.cos, math.sin))
        place = (origin[0] + x, origin[1] + y, origin[2] - MARKER + 200.0)
        (number,) = struct.unpack("<i", game.must(f"spawn {i}", 15, "3di", *place, 0))
        line = connect(number, found)
        line.should("rgb", 13, RGB, False, *[0.0] * 6, 70.0, 320, 240, *[False] * 4, 0.0, 0.0)
        line.should("stereo", 15, STEREO, False, *[0.0] * 6, 70.0, 320, 240, 0.1, *[False] * 3)
        line.should(
            "lidar", 11, LIDAR, False, False, 2000.0, 128, 16, 10.0, *[0.0] * 6, 180.0, 180.0, 30.0, 30.0, False
        )
        lines.append((line, place))
    return game, origin, lines


def fly(game, lines, seconds, found, *, rate=100.0, lidar=10.0, rgb=2.0, **_):
    """Poses at a rate [Hz] and sensors at theirs, as one thread; crash, fps and time once a second."""
    began = time.monotonic()
    due = {"pose": began, "lidar": began, "rgb": began, "second": began}
    periods = {"pose": 1.0 / rate, "lidar": 1.0 / lidar, "rgb": 1.0 / rgb, "second": 1.0}
    while (now := time.monotonic()) - began < seconds:
        for what in [w for w, t in due.items() if t <= now]:
            due[what] = max(due[what] + periods[what], now - 0.1)
            for line, (x, y, z) in lines:
                if what == "pose":
                    line.should("pose", 20, "6d?", x, y, z + 20.0 * (now - began), 0.0, 0.0, 0.0, True)
                elif what == "lidar":
                    line.should("scan", 9)
                    line.should("range", 23)
                elif what == "rgb":
                    line.should("picture", 4)
                elif line.should("crash", 21) not in (None, b"\0"):
                    found["crashed"] += 1
            if what == "second":
                game.should("fps", 7)
                game.should("time", 8)
        time.sleep(max(0.0, min(due.values()) - time.monotonic()))


def session(port, *, seconds=2.0, **how):
    """A whole session; what it met."""
    found = {"calls": 0, "slowest": 0.0, "late": [], "unanswered": [], "closed": [], "shifted": [], "refused": [],
             "crashed": 0, "gone": None, "origin": None}  # fmt: skip
    stalls = Stalls()
    try:
        game, found["origin"], lines = start(port, found, **how)
        fly(game, lines, seconds, found, **how)
        for line, _ in lines:
            line.close()
        game.close()
    except GoneError as why:
        found["gone"] = str(why)
    return {**found, "stall": round(stalls.longest, 3)}


if __name__ == "__main__":
    print(json.dumps(session(int(sys.argv[1]), **json.loads(sys.argv[2]))))
