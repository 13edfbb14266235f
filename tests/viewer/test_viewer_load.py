"""Three pages that look at ten drones and 100,000 points of LiDAR at 10 Hz slow the loop by less than a tenth.

Runs with and without pages take turns, so that what else the machine does falls on both alike.
"""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.viewer.live import Attached
from volery.viewer.server import ViewerServer

DRONES, POINTS = 10, 100_000


def scenario(drones=DRONES, points=POINTS):
    """Drones on circles over blocks, each with its share of the points: 16 lines, ten turns a second."""
    lidar = f"{{type: lidar, rate: 10, lines: 16, columns: {points // drones // 16}}}"
    lines = ["step: 0.01", "seed: 1", "world: blocks", "robots:"]
    for i in range(drones):
        x, y = 12.0 * (i % 5), 12.0 * (i // 5)
        path = [[x, y, 12], [x + 8, y, 12], [x + 8, y + 8, 12], [x, y + 8, 12]]
        lines.append(
            f"  uav{i}: {{type: quad, physics: kinematic, "
            f"motion: {{path: {path}, speed: 3}}, sensors: {{scanner: off, lidar: {lidar}}}}}"
        )
    return "\n".join(lines)


class Steps:
    """A simulation stepped at real time, and what its steps cost."""

    def __init__(self, simulation):
        self.simulation = simulation

    def run(self, steps):
        """Processor time of the loop's own thread and wall time of each step [s], [steps]."""
        cpu, wall = np.empty(steps), np.empty(steps)
        due = time.perf_counter()
        for i in range(steps):
            self.simulation.answer_requests()
            c, w = time.thread_time(), time.perf_counter()
            self.simulation.step()
            cpu[i], wall[i] = time.thread_time() - c, time.perf_counter() - w
            due = max(due + 0.01, time.perf_counter())
            time.sleep(max(due - time.perf_counter(), 0.0))
        return cpu, wall


class Guests:
    """Pages in a process of their own."""

    def __init__(self, server, count, topics):
        words = [
            str(Path(__file__).parent.parent.joinpath("viewer_guests.py")),
            str(server.port),
            server.access.token,
            str(count),
        ]
        self.process = subprocess.Popen(
            [sys.executable, *words, *topics], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout.readline().strip() == "ready"

    def end(self):
        out, _ = self.process.communicate("\n", timeout=20)
        return json.loads(out)


def measure(rounds, steps, drones=DRONES, points=POINTS):
    """Mean step without and with three pages by processor and wall time [s], and what the pages got."""
    simulation = Simulation(read_scenario(scenario(drones, points), "load"))
    topics = [f"/{name}/lidar/points" for name in simulation.robots]
    server, got = ViewerServer(port=0), []
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        server.attach(Attached(simulation, bus, loop=_Running(), out=Path("out")))
        runner = Steps(simulation)
        runner.run(50)
        alone, watched = [], []
        for _ in range(rounds):
            alone.append(runner.run(steps))
            guests = Guests(server, 3, topics)
            # Until the world has been sent: that happens once.
            runner.run(300)
            watched.append(runner.run(steps))
            got.append(guests.end())
            while server.pages:
                runner.run(10)
        run_publisher.close()
    server.close()
    means = [[np.mean([part[k].mean() for part in parts]) for k in (0, 1)] for parts in (alone, watched)]
    return means, got


class _Running:
    """Stands for the loop: it is never held."""

    paused, speed = False, 1.0


def report(means, got):
    (cpu0, wall0), (cpu1, wall1) = means
    return (
        f"step without pages {cpu0 * 1e3:.3f} ms cpu {wall0 * 1e3:.3f} ms wall; with three {cpu1 * 1e3:.3f} ms cpu "
        f"({cpu1 / cpu0 - 1:+.1%}) {wall1 * 1e3:.3f} ms wall ({wall1 / wall0 - 1:+.1%}); pages got {got}"
    )


@pytest.mark.slow  # It compares times.
def test_pages_hardly_slow_the_loop_short():
    """The same in small, for every day: ten drones, 20,000 points; generous, since it is short."""
    means, got = measure(rounds=2, steps=200, points=20_000)
    sys.stdout.write(report(means, got) + "\n")
    assert got[0]["topic"][0] > 30 and got[0]["poses"][0] > 30
    assert means[1][0] / means[0][0] < 1.25, report(means, got)


@pytest.mark.slow
def test_pages_hardly_slow_the_loop():
    means, got = measure(rounds=6, steps=500)
    sys.stdout.write(report(means, got) + "\n")
    points = got[0]["topic"]
    assert points[1] / points[0] > 10_000 * 10, "whole clouds"
    assert means[1][0] / means[0][0] < 1.10, report(means, got)
    assert means[1][1] / means[0][1] < 1.10, report(means, got)


@pytest.mark.slow
def test_a_page_that_never_reads_costs_nothing():
    """Sockets full, nothing read: the loop's steps cost what they cost without it."""
    import socket

    from viewer_rig import upgrade

    simulation = Simulation(read_scenario(scenario(4, 20_000), "load"))
    server = ViewerServer(port=0)
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        server.attach(Attached(simulation, bus, loop=_Running(), out=Path("out")))
        runner = Steps(simulation)
        runner.run(50)
        before = runner.run(200)[0].mean()
        deaf = socket.create_connection(("127.0.0.1", server.port))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(upgrade(server))
        for message in (
            {"do": "hello", "token": server.access.token, "version": 1},
            {"do": "want", "topics": [{"topic": f"/{n}/lidar/points", "rate": 60} for n in simulation.robots]},
        ):
            data = json.dumps(message).encode()
            head = (
                bytes([0x81, 0x80 | len(data)])
                if len(data) < 126
                else bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big")
            )
            deaf.sendall(head + bytes(4) + data)
        runner.run(300)
        (page,) = server.pages.values()
        waiting = page.connection.transport.get_write_buffer_size()
        assert waiting < 8_000_000 and len(page._slots) < 50
        after = runner.run(200)[0].mean()
        assert server.pages, "it is still there, and still does not read"
        deaf.close()
        run_publisher.close()
    server.close()
    assert after / before < 1.25
    assert threading.active_count() < 60
