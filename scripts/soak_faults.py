"""Faults of a soak: each is a function of the soak, and leaves all as it was."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["FAULTS"]

_TCP = ("airsim", "gamebots", "ueds", "bus", "viewer")


def kill_clients(soak: Any) -> None:
    """Half of the clients are killed in the middle of what they do; they come again."""
    for kind in soak.dice.sample(list(soak.clients), 4):
        soak.clients[kind].signal(signal.SIGKILL)
    time.sleep(1.0)


def stop_clients(soak: Any) -> None:
    """Clients that stop to read for a while, with their connections open."""
    chosen = [soak.clients[kind] for kind in soak.dice.sample(list(soak.clients), 3)]
    for client in chosen:
        client.signal(signal.SIGSTOP)
    time.sleep(6.0)
    for client in chosen:
        client.signal(signal.SIGCONT)
        client.forgive()


def cut_connections(soak: Any) -> None:
    """Connections that are half closed, reset in the middle of a message, or say nothing."""
    kept = []
    for kind in _TCP:
        port = soak.server.viewer_port if kind == "viewer" else soak.ports[kind]
        for way in ("half", "reset", "mute"):
            with contextlib.suppress(OSError):
                kept.append(_cut(port, way, soak.dice))
    time.sleep(4.0)
    for connection in kept:
        connection.close()


def _cut(port: int, way: str, dice: random.Random) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=5.0)
    if way != "mute":
        connection.sendall(bytes(dice.randrange(256) for _ in range(dice.randrange(1, 400))))
    if way == "half":
        connection.shutdown(socket.SHUT_WR)
    if way == "reset":
        # Closing with a linger of nothing sends a reset.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    return connection


def rubbish(soak: Any) -> None:
    """Datagrams and lines that mean nothing, many of them."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(300):
            data = bytes(soak.dice.randrange(256) for _ in range(soak.dice.randrange(1, 200)))
            sender.sendto(data, ("127.0.0.1", soak.ports[soak.dice.choice(("mocap", "control"))]))
    for kind in ("airsim", "gamebots", "ueds"):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", soak.ports[kind]), 5.0) as connection:
            for _ in range(50):
                connection.sendall(bytes(soak.dice.randrange(256) for _ in range(200)) + b"\r\n")
    time.sleep(1.0)


def full_disk(soak: Any) -> None:
    """The recording's disk is full: the recording ends and says so, the run goes on; then there is room again."""
    server, count = soak.server, len(list(soak.out.glob("*.mcap")))
    server.limit_files(os.path.getsize(soak.out / server.recording) + 1000)
    time.sleep(3.0)
    reply = server.ask("record_stop")
    server.limit_files(-1)
    if "recording stopped" not in reply.get("error", ""):
        soak.problems.append(f"the disk was full, and the recording said: {reply}")
    server.record(f"second-{count}.mcap")


def busy_processors(soak: Any) -> None:
    """Twice as many processes as cores that do nothing but compute."""
    code = "import time\nend = time.monotonic() + 8\nwhile time.monotonic() < end: pass"
    others = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2 * (os.cpu_count() or 1))]
    for other in others:
        other.wait()


def stop_the_run(soak: Any) -> None:
    """The simulation itself stands still for three seconds, as on a machine that is suspended."""
    soak.server.process.send_signal(signal.SIGSTOP)
    time.sleep(3.0)
    soak.server.process.send_signal(signal.SIGCONT)
    for client in soak.clients.values():
        client.forgive()


FAULTS: dict[str, Callable[[Any], None]] = {
    "clients are killed": kill_clients,
    "clients stop to read": stop_clients,
    "connections are cut": cut_connections,
    "rubbish comes": rubbish,
    "the disk is full": full_disk,
    "processors are busy": busy_processors,
    "the run is stopped": stop_the_run,
}
