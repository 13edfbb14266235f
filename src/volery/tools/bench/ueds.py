"""`volery bench ueds`: calls and clouds a second of UEds's server, as a client of another process has them.

The server is a `volery run` of its own, asked over TCP as the specification says; nothing of it is imported here.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from volery.errors import SimulationError
from volery.tools.bench.timing import machine

__all__ = ["GOALS", "Served", "run", "table"]

GOALS = {"ping": 25_000, "small_call": 20_000, "pose": 4_000, "cloud_10_m": 300, "picture_640x480": 25}
"""What is wanted a second of each, on one connection; of clouds of 8,192 rays and pictures in the forest too."""

_WORLDS = ("blocks", "warehouse", "cave", "forest")
_SCENARIO = """
seed: 1
step: 0.01
world: {world}
channels: {{without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}}
protocols:
  ueds: {{port: 0, thesis_port: null, drone_port: 0}}
"""
_PING, _SPAWN, _GET_LOCATION, _SET_LOCATION, _GET_CLOUD, _SET_LIDAR, _PICTURE, _GRAPHICS = 1, 3, 2, 3, 9, 11, 4, 10
_END = b"$$$"
_ACROSS, _DOWN = 256, 32
"""Rays of UEds's lidar by horizontal and vertical angle: 8,192."""
_REACHES = (10.0, 100.0)
"""How far it looks [m]: UEds's own, and that of `bench lidar`."""
_CLOUD_BYTES = 3 + 24 + 8 + 32 * _ACROSS * _DOWN + 3
_TRIES = 10
_READY = 120.0
"""A world is made within so long [s]."""


class RefusedError(SimulationError):
    """The server was too busy."""


class Served:
    """A server in a process of its own, and a drone there with a connection to it."""

    def __init__(self, world: str) -> None:
        """world: a registered one, by name."""
        self._folder = tempfile.TemporaryDirectory()
        self._at = 10.0
        file = Path(self._folder.name) / "ueds-bench.yaml"
        file.write_text(_SCENARIO.format(world=world), encoding="utf-8")
        command = [sys.executable, "-m", "volery", "run", str(file), "--headless", "--no-bus"]
        self._run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        late = threading.Timer(_READY, self._run.kill)
        late.start()
        try:
            port = self._port()
            late.cancel()
            # What it says later must not fill the pipe.
            assert self._run.stdout is not None
            threading.Thread(target=self._run.stdout.read, daemon=True).start()
            self._game = socket.create_connection(("127.0.0.1", port), timeout=10.0)
            self._drone = socket.create_connection(("127.0.0.1", self._spawn()), timeout=10.0)
        except BaseException:
            late.cancel()
            self._run.kill()
            self._run.wait()
            self._folder.cleanup()
            raise

    def _port(self) -> int:
        """Of the game mode, once the simulation runs."""
        said, found = [], None
        assert self._run.stdout is not None
        for line in self._run.stdout:
            said.append(line)
            found = found or re.search(r"UEds: API \S+ at \S+:(\d+)", line)
            if found and "Ctrl-C ends" in line:
                return int(found[1])
        raise SimulationError(f"UEds's server did not start: {''.join(said[-3:]).strip() or 'it said nothing'}")

    def _spawn(self) -> int:
        """The port of a new drone; a busy server may refuse one or two."""
        for _ in range(_TRIES):
            try:
                return struct.unpack("<i", self.ask(self._game, struct.pack("<H", _SPAWN), 3 + 4 + 3)[3:7])[0]
            except RefusedError:
                continue
        raise SimulationError("UEds's server spawns no drone")

    @staticmethod
    def ask(connection: socket.socket, request: bytes, size: int) -> bytearray:
        """The reply to a request, of so many bytes; `RefusedError` if there was no time for it."""
        connection.sendall(request)
        reply = bytearray(size)
        view, got = memoryview(reply), 0
        while got < size:
            count = connection.recv_into(view[got:])
            if count == 0:
                raise SimulationError("UEds's server closed the connection")
            got += count
            if got > 2 and not reply[2] and reply[:got].endswith(_END):
                raise RefusedError(f"UEds's server refused message {reply[0]}")
        return reply

    def set_lidar(self, reach: float) -> None:
        """Have clouds of 8,192 rays that reach so far [m]."""
        values = (True, False, reach * 100.0, _ACROSS, _DOWN, 10.0, *[0.0] * 6, 180.0, 180.0, 52.0, 7.0, False)
        self.ask(self._drone, struct.pack("<H??d2id3d3d4d?", _SET_LIDAR, *values), 3 + 3)

    def call(self) -> None:
        """A small call: where the drone is."""
        self.ask(self._drone, struct.pack("<H", _GET_LOCATION), 3 + 24 + 3)

    def ping(self) -> None:
        """The smallest call."""
        self.ask(self._drone, struct.pack("<H", _PING), 3 + 3)

    def pose(self) -> None:
        """A place is set, the way there swept."""
        self._at = -self._at
        self.ask(self._drone, struct.pack("<H3d?", _SET_LOCATION, self._at, 0.0, 3000.0, True), 3 + 24 + 1 + 24 + 3)

    def graphics(self, level: int) -> None:
        """Quality of pictures: 0 is `fast`."""
        self.ask(self._game, struct.pack("<Hi", _GRAPHICS, level), 3 + 3)

    def picture(self) -> None:
        """A colour picture as UEds sets its camera up, 640×480."""
        self._drone.sendall(struct.pack("<H", _PICTURE))
        head = self._some(11)
        (count,) = struct.unpack_from("<Q", head, 3)
        self._some(count + 8 + 3)
        if not head[2]:
            raise RefusedError("the picture was not ready in time")

    def _some(self, size: int) -> bytearray:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            got = self._drone.recv_into(view)
            if not got:
                raise SimulationError("UEds's server has hung up")
            view = view[got:]
        return data

    def cloud(self) -> None:
        """A cloud."""
        self.ask(self._drone, struct.pack("<H", _GET_CLOUD), _CLOUD_BYTES)

    def processor_seconds(self) -> float:
        """Processor time of the server so far [s], where the system tells."""
        try:
            words = Path(f"/proc/{self._run.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the server."""
        self._drone.close()
        self._game.close()
        self._run.send_signal(signal.SIGINT)
        try:
            self._run.wait(30)
        except subprocess.TimeoutExpired:
            self._run.kill()
            self._run.wait()
        self._folder.cleanup()


def _rate(server: Served, what: Any, rounds: int, seconds: float) -> dict[str, float]:
    """How often something is done a second: the best and the middle of some rounds, and the server's processor time."""
    rates, count, refused, before = [], 0, 0, server.processor_seconds()
    for _ in range(rounds):
        done, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            try:
                what()
                done += 1
            except RefusedError:
                refused += 1
        rates.append(done / passed)
        count += done
    used = (server.processor_seconds() - before) / max(count, 1)
    best, middle = max(rates), statistics.median(rates)
    found = {"per_s": round(best, 1), "median_per_s": round(middle, 1), "processor_us": round(used * 1e6, 1)}
    return {**found, "refused": refused}


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: one world, and short. Nothing here has a peer."""
    rounds, seconds = (3, 0.2) if quick else (5, 0.5)
    result: dict[str, Any] = {
        "bench": "ueds",
        "machine": machine(),
        "rays": _ACROSS * _DOWN,
        "goals": GOALS,
        "worlds": {},
    }
    for world in _WORLDS[:1] if quick else _WORLDS:
        server = Served(world)
        try:
            cells: dict[str, Any] = {
                "ping": _rate(server, server.ping, rounds, seconds),
                "small_call": _rate(server, server.call, rounds, seconds),
                "pose": _rate(server, server.pose, rounds, seconds),
            }
            for reach in _REACHES:
                server.set_lidar(reach)
                cells[f"cloud_{reach:g}_m"] = _rate(server, server.cloud, rounds, seconds)
            server.graphics(0)
            cells["picture_640x480"] = _rate(server, server.picture, rounds, seconds)
        finally:
            server.close()
        result["worlds"][world] = cells
    return result


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [
        "one client on one connection: best (and middle) rate of some rounds, and processor time of the server",
        f"{'world':12} {'what':14} {'per second':>11} {'middle':>10} {'processor':>12}",
    ]
    for world, cells in result["worlds"].items():
        for what, cell in cells.items():
            lines.append(
                f"{world:12} {what.replace('_', ' '):14} {cell['per_s']:11,.0f} {cell['median_per_s']:10,.0f} "
                f"{cell['processor_us']:9,.0f} µs"
            )
    return "\n".join(lines)
