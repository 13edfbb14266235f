#!/usr/bin/env python
"""A day's soak in miniature: everything on at once, faults injected, and what must hold checked at the end.

`.venv/bin/python scripts/soak.py [--minutes 30] [--seed 1] [--out DIR]`

On: an endless forest, 20 robots, five protocols, the viewer, the bus, a recording. Faults: clients killed, stopped and
cut off, half-open connections, rubbish, a full disk, busy processors, a stopped simulation. Held: the run ends in good
order, memory, threads and open files stay flat, recordings have no gap, no client hangs. Exit code 1 if one does not.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import socket
import struct
import sys
import time
from pathlib import Path

from soak_faults import FAULTS
from soak_run import PORTS, Client, Server, scenario
from soak_verdict import verdict

_FAULT_EVERY = 6.0
"""Seconds from the beginning of one fault to that of the next, at least."""
_LONGEST_SILENCE = 30.0
"""A client that hears nothing for so long, when nothing is done to it, is stuck [s]."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Soak:
    """A soak that is under way."""

    def __init__(self, out: Path, minutes: float, seed: int) -> None:
        self.out, self.seconds = out, 60.0 * minutes
        self.dice = random.Random(seed)
        self.ports = dict(zip(PORTS, free_ports(len(PORTS)), strict=True))
        self.told: dict[str, int] = {}
        """How often each fault was injected."""
        self.problems: list[str] = []
        out.mkdir(parents=True, exist_ok=True)
        (out / "soak.yaml").write_text(scenario(self.ports), encoding="utf-8")
        self.server = Server(out, self.ports)
        self.spawn(2)
        self.clients = {kind: Client(kind, words) for kind, words in self.addresses().items()}
        self.server.record("first.mcap")
        self.began = time.monotonic()

    def spawn(self, count: int) -> None:
        """Drones of UEds's, which stay when their client goes."""
        with socket.create_connection(("127.0.0.1", self.ports["ueds"]), timeout=60.0) as game:
            for _ in range(count):
                game.sendall(struct.pack("<H", 3))
                reply = b""
                while not reply.endswith(b"$$$"):
                    reply += game.recv(4096)

    def addresses(self) -> dict[str, list[str]]:
        """Where each client goes."""
        own = {kind: [str(self.ports[kind])] for kind in ("airsim", "ueds", "gamebots", "mocap", "control")}
        own["viewer"] = [str(self.server.viewer_port), self.server.token]
        return {**own, "bus": [f"tcp/127.0.0.1:{self.ports['bus']}"]}

    def run(self) -> None:
        """Inject faults until time is up; each kind once before any comes again."""
        waiting: list[str] = []
        next_fault, next_look = time.monotonic() + 10.0, 0.0
        while time.monotonic() - self.began < self.seconds and self.server.alive:
            now = time.monotonic()
            if now >= next_look:
                next_look = now + 2.0
                self.look()
            left = self.seconds - (now - self.began)
            if now >= next_fault and left > 15.0:
                waiting = waiting or self.dice.sample(list(FAULTS), len(FAULTS))
                name = waiting.pop()
                print(f"{now - self.began:7.1f} s  {name}", flush=True)
                FAULTS[name](self)
                self.told[name] = self.told.get(name, 0) + 1
                next_fault = time.monotonic() + _FAULT_EVERY
            time.sleep(0.2)

    def look(self) -> None:
        """Measure the run, and have clients that ended by themselves begin again; one that hangs is a problem."""
        self.server.measure(time.monotonic() - self.began)
        for client in self.clients.values():
            if not client.alive:
                client.restart()
            elif client.silent > _LONGEST_SILENCE:
                self.problems.append(f"{client.kind} heard nothing for {client.silent:.0f} s: {client.said()}")
                client.restart()

    def end(self) -> dict:
        """Every client once more, anew; then all in good order, and what came out."""
        if self.server.alive:
            for client in self.clients.values():
                client.restart()
                if not client.hears(3, 60.0):
                    self.problems.append(f"at the end {client.kind} got no answer: {client.said()}")
            self.server.measure(time.monotonic() - self.began)
        else:
            self.problems.append("the run ended before its time")
        for client in self.clients.values():
            client.kill()
        self.server.end()
        return verdict(self)


def main() -> int:
    """Soak, and say how it was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1, help="of the order of faults")
    parser.add_argument("--out", default="out/soak", help="where recordings and the verdict go")
    options = parser.parse_args()
    out = Path(options.out)
    if (out / "first.mcap").exists():
        parser.error(f"{out} holds an earlier soak; remove it, or give another --out")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    soak = Soak(out, options.minutes, options.seed)
    try:
        soak.run()
        found = soak.end()
    finally:
        for client in soak.clients.values():
            client.kill()
        soak.server.kill()
    (out / "soak.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({k: v for k, v in found.items() if k != "series"}, indent=1))
    return 1 if found["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
