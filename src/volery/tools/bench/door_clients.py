"""Clients of all doors in plain bytes, by the specifications: honest ones that call and wait, and hostile ones.

`python -m volery.tools.bench.door_clients KIND PORTS SECONDS COUNT` runs some of a kind in threads, and prints what
they measured.
"""

# ruff: noqa: T201

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgpack

__all__ = ["HONEST", "HOSTILE", "first_picture"]

Ports = dict[str, Any]
_HOST = "127.0.0.1"
_PATIENCE = 30.0
"""Of an honest client [s]."""
_AGAIN = 1.0
"""After so long a datagram counts as lost, and is sent again [s]."""
_PAUSE = 0.05
"""Between two calls of an honest client [s]."""


def _tcp(port: int) -> socket.socket:
    end = socket.create_connection((_HOST, port), timeout=_PATIENCE)
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return end


# Honest ones: each makes a function that is one call, answered


def _airsim(method: str, *arguments: Any) -> Callable[[Ports, int], Callable[[], None]]:
    def make(ports: Ports, _: int) -> Callable[[], None]:
        end, unpacker = _tcp(ports["airsim"]), msgpack.Unpacker()

        def call() -> None:
            end.sendall(msgpack.packb([0, 1, method, list(arguments)]))
            while True:
                unpacker.feed(_some(end))
                for reply in unpacker:
                    if reply[2] is not None:
                        raise RuntimeError(f"{method}: {reply[2]}")
                    return

        return call

    return make


def first_picture(ports: Ports) -> None:
    """Have a picture taken by AirSim's door."""
    _airsim("simGetImage", "0", 0, "")(ports, 0)()


def _some(end: socket.socket) -> bytes:
    data = end.recv(1 << 16)
    if not data:
        raise ConnectionError("closed")
    return data


def _ueds(number: int) -> Callable[[Ports, int], Callable[[], None]]:
    def make(ports: Ports, i: int) -> Callable[[], None]:
        game = _tcp(ports["ueds"])
        game.sendall(struct.pack("<Hdddi", 15, 500.0 * i, 5000.0, 3000.0, 0))
        port = struct.unpack("<i", _whole(game)[3:7])[0]
        drone = [_tcp(port)]

        def call() -> None:
            """On a machine that is too busy the server hangs up rather than answer late: then one comes again."""
            while True:
                with contextlib.suppress(ConnectionError):
                    drone[0].sendall(struct.pack("<H", number))
                    if not _whole(drone[0])[2]:
                        raise RuntimeError(f"UEds refused message {number}")
                    return
                drone[0] = _tcp(port)

        return call

    return make


def _whole(end: socket.socket) -> bytes:
    data = b""
    while data[-3:] != b"$$$":
        data += _some(end)
    return data


def _gamebots(ports: Ports, i: int) -> Callable[[], None]:
    end = _tcp(ports["gamebots"]["ut2004"])
    end.sendall(b"INIT {ClassName USARBot.P2AT} {Name Honest%d} {Start S%d}\r\n" % (i, i))
    rest = [b""]

    def line(start: bytes) -> None:
        while True:
            head, found, tail = rest[0].partition(b"\r\n")
            if found:
                rest[0] = tail
                if head.startswith(start):
                    return
            else:
                rest[0] += _some(end)

    def call() -> None:
        end.sendall(b"GETSTARTPOSES\r\n")
        line(b"NFO {StartPoses")

    line(b"STA")
    return call


def _mocap(ports: Ports, _: int) -> Callable[[], None]:
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.settimeout(10.0)
    end.connect((_HOST, ports["mocap"]))

    def call() -> None:
        _asked_again(end, struct.pack("<HH", 4, 0), lambda data: struct.unpack_from("<H", data)[0] == 5)

    _asked_again(end, struct.pack("<HH", 0, 5) + b"Ping\0", bool)
    return call


def _asked_again(end: socket.socket, request: bytes, fits: Callable[[bytes], bool]) -> None:
    """Send a datagram until it is answered, as clients do: any of them may be lost."""
    given_up = time.monotonic() + _PATIENCE
    end.settimeout(_AGAIN)
    while time.monotonic() < given_up:
        end.sendall(request)
        with contextlib.suppress(TimeoutError):
            while not fits(end.recv(1 << 16)):
                pass
            return
    raise TimeoutError


def _control(ports: Ports, _: int) -> Callable[[], None]:
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.settimeout(10.0)
    end.connect((_HOST, next(iter(ports["control"].values()))))

    def call() -> None:
        """One exchange: a force, and the state that comes after it."""
        end.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                end.recv(4096)
        _asked_again(end, bytes(48), bool)

    return call


HONEST: list[Callable[[Ports, int], Callable[[], None]]] = [
    _airsim("ping"), _airsim("getMultirotorState", "SimpleFlight"), _airsim("simGetVehiclePose", "SimpleFlight"),
    _airsim("simListSceneObjects", ".*"), _ueds(2), _ueds(23), _gamebots, _gamebots, _mocap, _control,
]  # fmt: skip
"""Ten kinds of honest clients; `control` is answered by the next state, up to 10 ms later."""


# Hostile ones: each is one visit


def _request(method: str, *arguments: Any) -> bytes:
    return msgpack.packb([0, 1, method, list(arguments)])


def _flood(door: str, data: bytes, times: int) -> Callable[[Ports, random.Random], None]:
    """Sends the same many times, and reads what comes."""

    def visit(ports: Ports, _: random.Random) -> None:
        with contextlib.closing(_tcp(_port(ports, door))) as end:
            for _again in range(times):
                end.sendall(data)
                end.settimeout(0.01)
                with contextlib.suppress(TimeoutError):
                    end.recv(1 << 16)
                end.settimeout(10.0)

    return visit


def _port(ports: Ports, door: str) -> int:
    found = ports[door]
    return found["ut2004"] if isinstance(found, dict) and "ut2004" in found else found


def _leave_at_once(ports: Ports, _: random.Random) -> None:
    with contextlib.closing(_tcp(ports["airsim"])) as end:
        end.sendall(_request("simGetImage", "0", 0, "") * 100)


def _unfinished(ports: Ports, _: random.Random) -> None:
    with contextlib.closing(_tcp(ports["airsim"])) as end:
        end.sendall(b"\x94\x00\x01\xa4ping\xc6\x03\xff\xff\xff" + bytes(1 << 16))
        for _again in range(900):
            end.sendall(bytes(1 << 16))


def _noise(door: str) -> Callable[[Ports, random.Random], None]:
    def visit(ports: Ports, draw: random.Random) -> None:
        with contextlib.closing(_tcp(_port(ports, door))) as end:
            for _ in range(20):
                end.sendall(draw.randbytes(draw.choice([3, 50, 1000, 20_000])))
                time.sleep(0.001)

    return visit


def _idle(door: str) -> Callable[[Ports, random.Random], None]:
    def visit(ports: Ports, _: random.Random) -> None:
        with contextlib.closing(_tcp(_port(ports, door))) as end:
            end.recv(100)
            time.sleep(5.0)

    return visit


def _mutated(ports: Ports, draw: random.Random) -> None:
    """Calls with a byte changed here and there."""
    calls = [
        _request("simGetImages", [{"camera_name": "0", "image_type": 0}], ""), _request("getLidarData", "", ""),
        _request("simSetSegmentationObjectID", "(a+)+$", 3, True), _request("simListSceneObjects", "(.*)*x"),
        _request("simSetVehiclePose", {"position": {"x_val": 1.0}}, True, ""), _request("simGetCollisionInfo", ""),
        _request("simCreateVoxelGrid", {}, 20, 20, 20, 0.5, "../../x"),
        _request("simPlotPoints", [{}] * 50, [1, 0, 0, 1], 1, 1, False),
    ]  # fmt: skip
    with contextlib.closing(_tcp(ports["airsim"])) as end:
        for _ in range(100):
            data = bytearray(draw.choice(calls))
            if draw.random() < 0.3:
                data[draw.randrange(len(data))] = draw.randrange(256)
            end.sendall(data)
            end.settimeout(0.005)
            with contextlib.suppress(TimeoutError):
                if not end.recv(1 << 16):
                    return
            end.settimeout(10.0)


def _datagrams(door: str, data: bytes) -> Callable[[Ports, random.Random], None]:
    def visit(ports: Ports, _: random.Random) -> None:
        found = ports[door]
        port = next(iter(found.values())) if isinstance(found, dict) else found
        with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as end:
            for _again in range(200):
                end.sendto(data, (_HOST, port))
                time.sleep(0.0005)

    return visit


_MOVE = struct.pack("<H6d?", 20, 0.0, 0.0, 3000.0, 0.0, 0.0, 0.0, False)


def _moves(ports: Ports, _: random.Random) -> None:
    """A drone's own port, flooded with moves that nobody waits for."""
    game = _tcp(ports["ueds"])
    game.sendall(struct.pack("<H", 2))
    (count,) = struct.unpack("<Q", _whole(game)[3:11])
    if count:
        with contextlib.closing(_tcp(ports["ueds"] + 0)) as end:
            end.sendall(_MOVE * 100)
    game.close()


HOSTILE: list[Callable[[Ports, random.Random], None]] = [
    _leave_at_once, _mutated, _mutated, _unfinished, _noise("airsim"), _idle("airsim"),
    _flood("airsim", _request("getMultirotorState", "") * 20, 50),
    _flood("airsim", _request("simGetImage", "0", 0, ""), 20),
    _noise("ueds"), _idle("ueds"), _flood("ueds", struct.pack("<H", 2) * 50, 100), _moves,
    _flood("ueds", b"POST / HTTP/1.1\r\nHost: x\r\n\r\n\x03\x00", 2), _flood("ueds", struct.pack("<H", 9)[:1], 20),
    _noise("gamebots"), _idle("gamebots"), _flood("gamebots", b"GETSTARTPOSES\r\n" * 50, 20),
    _flood("gamebots", b"POST / HTTP/1.1\r\n\r\nINIT {ClassName USARBot.P2AT}\r\n", 2),
    _datagrams("mocap", struct.pack("<HH", 0, 0)), _datagrams("control", b"\xff" * 47),
]  # fmt: skip
"""Twenty kinds of visits."""


def _honest(ports: Ports, seconds: float, count: int) -> list[dict[str, Any]]:
    """Latencies [ms] of each client's calls, and what went wrong."""
    results: list[dict[str, Any]] = []

    def live(i: int) -> None:
        own: dict[str, Any] = {"client": i, "ms": [], "errors": []}
        results.append(own)
        try:
            call = HONEST[i % len(HONEST)](ports, i)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                began = time.perf_counter()
                call()
                own["ms"].append(round(1e3 * (time.perf_counter() - began), 3))
                time.sleep(_PAUSE)
        except Exception as error:
            own["errors"].append(f"{type(error).__name__}: {error}")

    _all(live, count)
    return results


def _attack(ports: Ports, seconds: float, count: int) -> list[dict[str, Any]]:
    """Visits made by each hostile client. They attack the doors, not the processor that they share with the server:
    what they use themselves is what is left over."""
    os.nice(19)
    visits = [0] * count
    end = time.monotonic() + seconds

    def live(i: int) -> None:
        draw = random.Random(i)
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError, struct.error):
                HOSTILE[i % len(HOSTILE)](ports, draw)
            visits[i] += 1
            time.sleep(0.005)

    _all(live, count)
    return [{"visits": sum(visits)}]


def _all(live: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=live, args=(i,), daemon=True) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    kind, given, lasting, number = sys.argv[1:]
    found = {"honest": _honest, "hostile": _attack}[kind](json.loads(given), float(lasting), int(number))
    print(json.dumps(found))
