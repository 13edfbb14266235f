"""Clients for scripts/soak.py, each a process of its own that may be killed: `soak_clients.py KIND ADDRESS…`.

Each does its exchange again and again, and prints a line for every one that went well.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator

_EACH = 0.1
"""Between two exchanges [s]."""


def airsim(port: str) -> Iterator[str]:
    """State and lidar of AirSim's drone."""
    from volery.agents.rpc import RpcClient

    client = RpcClient(port=int(port), timeout=30.0)
    while True:
        client.call("ping")
        state = client.call("getMultirotorState", "")
        yield f"z {state['kinematics_estimated']['position']['z_val']:.2f}"


def ueds(port: str) -> Iterator[str]:
    """Places of all of UEds's drones."""
    connection = socket.create_connection(("127.0.0.1", int(port)), timeout=30.0)
    while True:
        connection.sendall(struct.pack("<H", 2))
        data = b""
        while not data.endswith(b"$$$"):
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            data += piece
        kind, status, count = struct.unpack_from("<H?Q", data)
        if kind != 2 or not status:
            raise ValueError(data)
        yield f"{count} drones"


def gamebots(port: str) -> Iterator[str]:
    """A robot of USARSim's that drives in circles."""
    connection = socket.create_connection(("127.0.0.1", int(port)), timeout=30.0)
    connection.sendall(b"INIT {ClassName USARBot.P2AT} {Location 6,6,-3}\r\n")
    rest = b""
    while True:
        connection.sendall(b"DRIVE {Left 0.4} {Right 0.8}\r\n")
        while b"STA {" not in rest:
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            rest += piece
        rest = b""
        yield "state"


def mocap(port: str) -> Iterator[str]:
    """Frames of motion capture, as NatNet has them."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    connection.settimeout(30.0)
    to = ("127.0.0.1", int(port))
    while True:
        connection.sendto(struct.pack("<HH", 0, 0), to)
        while struct.unpack_from("<H", connection.recv(65536))[0] != 7:
            pass
        yield "frame"


def control(port: str) -> Iterator[str]:
    """No force and no torque, for the state of a drone."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    connection.settimeout(2.0)
    failures = 0
    while True:
        connection.sendto(struct.pack("<6d", *[0.0] * 6), ("127.0.0.1", int(port)))
        try:
            state = struct.unpack_from("<2d", connection.recv(4096))
        except TimeoutError:
            failures += 1
            if failures > 15:
                raise
            continue
        failures = 0
        yield f"t {state[1]:.2f}"


def viewer(port: str, token: str) -> Iterator[str]:
    """A page that looks at the forest and at a lidar."""
    from websockets.sync.client import connect

    page = connect(f"ws://127.0.0.1:{port}/ws", max_size=None, compression=None, max_queue=None).__enter__()
    page.send(json.dumps({"do": "hello", "token": token, "version": 1}))
    page.send(json.dumps({"do": "view", "id": 1, "p": [0, 0, 30], "radius": 60}))
    page.send(json.dumps({"do": "want", "id": 2, "topics": [{"topic": "/uav1/lidar", "rate": 5}], "table": True}))
    while True:
        yield f"{len(page.recv(30.0))} bytes"


def bus(endpoint: str) -> Iterator[str]:
    """The clock on the bus."""
    from volery.bus.bus import Bus, BusConfig

    with Bus(BusConfig(connect=[endpoint], node="soak")) as found:
        subscriber = found.subscribe("/clock", "rosgraph_msgs/msg/Clock", depth=10)
        while True:
            if subscriber.wait_next(30.0) is None:
                raise TimeoutError("no clock")
            yield "clock"


CLIENTS: dict[str, Callable[..., Iterator[str]]] = {
    f.__name__: f for f in (airsim, ueds, gamebots, mocap, control, viewer, bus)
}


def main() -> None:
    """Run a client until it is killed or fails."""
    kind, *words = sys.argv[1:]
    for line in CLIENTS[kind](*words):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        time.sleep(_EACH)


if __name__ == "__main__":
    main()
