"""The MRS group's own way to start: level, density, hills, a second, origin, spawn, sensors. It ends if refused."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ueds_rig import Client, rays, served
from volery.protocols.ueds.door import Ueds
from volery.protocols.ueds.levels import level_named

CLIENT = Path(__file__).parent.parent.joinpath("mrs_client.py")
STALL = 0.15
"""Where programs wait for so long for their turn, answers may be late [s]."""
AGAIN = 5
"""Tries of a session on such a machine."""
WORLD = """
world: forest
seed: 1
step: 0.01
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
"""


@pytest.fixture(scope="module")
def server():
    with served(world=WORLD) as running:
        yield running


def run_client(server, **how):
    """A session of the stand-in in a process of its own."""
    words = [sys.executable, str(CLIENT), str(server.door.port), json.dumps(how)]
    made = subprocess.run(words, capture_output=True, text=True, timeout=280)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


@contextlib.contextmanager
def busy_loops(count):
    """Programs that take what they can of the processor."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def ground_below(server, origin):
    """How high the ground is where a start marker stands, by rays in the world that stands [m]."""
    scene = server.simulation.scene
    x, y = origin[0] / 100.0, -origin[1] / 100.0
    return server.ask(lambda: _first_ground(scene, x, y))


def _first_ground(scene, x, y):
    start = np.array([x, y, 500.0])
    for _ in range(50):
        hits = scene.cast(start, np.array([[0.0, 0.0, -1.0]]), max_range=2000.0)
        if hits.names[0] is None:
            break
        if hits.names[0].endswith("/ground"):
            return float(hits.points[0, 2])
        start = hits.points[0] - [0.0, 0.0, 1e-3]
    raise AssertionError("there is no ground")


def stalled(found):
    """Whether the machine kept programs waiting for so long that no answer could be in time."""
    return found["stall"] > STALL and (found["late"] or found["closed"] or found["unanswered"] or found["gone"])


def check(server, found):
    """That a session went as it must."""
    assert found["gone"] is None, found
    assert not (found["late"] or found["unanswered"] or found["closed"] or found["shifted"]), found
    assert not found["crashed"] and found["calls"] > 50, found
    server.settled()
    assert found["origin"][2] / 100.0 - 0.9212 == pytest.approx(ground_below(server, found["origin"]), abs=0.01)


def sessions(server, tries, **how):
    for i in range(tries):
        density, hills = 1 + i % 10, i % 6
        for _ in range(AGAIN):
            found = run_client(server, density=density, hills=hills, drones=(1, 10)[i % 2], **how)
            if not stalled(found):
                break
        else:
            pytest.skip(f"the machine keeps programs waiting for {found['stall']:g} s: no answer can be in time")
        check(server, found)
        wanted = level_named("infinite_forest", density, max(hills, 1))
        assert server.simulation.world.density == wanted["density"]
        assert server.simulation.world.hilliness == wanted["hilliness"]


def test_the_start_of_the_mrs_client_is_never_refused(server):
    """Without the five seconds that it waits after it has asked for a level: harder than in earnest."""
    sessions(server, 2, reconnect=0.1, seconds=3.0)


def test_it_is_not_refused_on_a_busy_machine_either(server):
    with busy_loops(4):
        sessions(server, 1, reconnect=0.1, seconds=2.0)


@pytest.mark.slow
@pytest.mark.parametrize("busy", [0, 4])
def test_fifty_starts_of_fifty(server, busy):
    with busy_loops(busy):
        sessions(server, 50, seconds=3.0)


def test_what_stands_is_not_made_again(server, monkeypatch):
    game, changes = Client(server.door.port), []
    game.ok(11, "h", 2)
    game.ok(12, "i", 6)
    game.ok(13, "i", 3)
    server.settled()
    world = server.simulation.world
    change = server.simulation.change_world
    monkeypatch.setattr(server.simulation, "change_world", lambda **p: (changes.append(p), change(**p)))
    game.ok(12, "i", 6)
    game.ok(13, "i", 3)
    game.ok(11, "h", 2)
    server.settled()
    assert server.simulation.world is world and not changes
    for density in (1, 4, 9):
        game.ok(12, "i", density)
    game.ok(13, "i", 5)
    server.settled()
    assert len(changes) <= 5, "air at first, then as often as the world could be made meanwhile"
    assert server.simulation.world.hilliness == 14.0 and server.simulation.world.density == 0.15
    game.close()


def test_the_origin_is_that_of_the_level_to_come_at_once(server):
    game = Client(server.door.port)
    game.ok(11, "h", 2)
    game.ok(12, "i", 6)
    told = []
    for hills in (5, 1, 4):
        game.ok(13, "i", hills)
        told.append(game.ok(14).take("3d"))
    server.settled()
    assert game.ok(14).take("3d") == told[-1] and len(set(told)) == 3
    assert told[-1][2] / 100.0 - 0.9212 == pytest.approx(ground_below(server, told[-1]), abs=0.01)
    game.close()


def test_a_drone_waits_in_the_air_of_the_level_to_come(server):
    """It is there and can be moved, it meets nothing, and it stands in the new wood in the end."""
    game = Client(server.door.port)
    game.ok(11, "h", 2)
    server.settled()
    game.ok(13, "i", 2)
    x, y, z = game.ok(14).take("3d")
    (port,) = game.ok(15, "3di", x, y, z + 200.0, 0, code=3).take("i")
    drone = Client(port)
    assert drone.ok(2).take("3d") == (x, y, z + 200.0)
    assert not drone.ok(3, "3d?", x, y, z - 9000.0, True).take("3d?3d")[3] or server.door.game.grown
    drone.ok(3, "3d?", x, y, z + 200.0, False)
    server.settled()
    time.sleep(0.1)
    assert drone.ok(23).take("d")[0] == pytest.approx(200.0 + 92.12 - 10.0, abs=60.0)
    assert drone.ok(3, "3d?", x, y, z - 9000.0, True).take("3d?3d")[3], "there is ground again"
    game.ok(4, "i", port)
    game.close()


def held(server, seconds):
    """Keep the loop from everything for a while."""
    server.simulation.ask(lambda: time.sleep(seconds))
    time.sleep(0.05)


def test_whatever_the_loop_does_drones_come_and_go_and_weather_is_set(server):
    server.settled()
    game = Client(server.door.port)
    held(server, 2.0)
    began = time.monotonic()
    (port,) = game.ok(3).take("i")
    game.ok(16, "i", 2)
    game.ok(17, "2i", 18, 0, code=16)
    line = Client(port)
    there = line.ok(2).take("3d")
    assert not line.call(9)[0], "no scan before it is in the world"
    line.ok(20, "6d?", there[0], there[1], there[2] + 300.0, 0.0, 45.0, 0.0, True)
    other = game.ok(3).take("i")[0]
    game.ok(4, "i", other)
    assert time.monotonic() - began < 3.5 and game.slowest < 0.8 and line.slowest < 0.8
    with pytest.raises(OSError):
        Client(other)
    server.settled()
    time.sleep(0.1)
    assert len(server.simulation.robots) == 1 and server.simulation.environment.weather.fog > 0.3
    assert line.ok(2).take("3d")[2] == pytest.approx(there[2] + 300.0) and len(rays(line.ok(9))[1]) == 8192
    game.ok(4, "i", port)
    game.ok(16, "i", 0)
    game.close()


def test_an_answer_that_would_be_late_is_not_given(server, monkeypatch, caplog):
    game = Client(server.door.port, timeout=3.0)
    monkeypatch.setattr(Ueds, "now", lambda self: time.sleep(1.0) or 0.0)
    with pytest.raises(OSError):
        game.call(8)
    assert "get_time of a client of port" in caplog.text and "hung up on" in caplog.text
    monkeypatch.undo()
    again = Client(server.door.port)
    again.ok(8)
    again.close()


def test_noise_that_begins_like_a_removal_or_a_level_does_nothing(server):
    game = Client(server.door.port)
    (port,) = game.ok(3).take("i")
    world = server.simulation.world
    for head in (b"\x04\x00" + port.to_bytes(4, "little"), b"\x0b\x00\x03\x00", b"\x03\x00"):
        for tail in (b"\xff\xff", b"\x01\x00\xee\xee\xee", os.urandom(2)[:1] + b"\x7f" + bytes(40)):
            guest = Client(server.door.port)
            with contextlib.suppress(OSError):
                guest.raw(head + tail)
            guest.close()
    server.settled()
    count, data = game.ok(2).bytes(4)
    assert count == 1 and int.from_bytes(data, "little") == port and server.simulation.world is world
    game.ok(4, "i", port)
    game.close()
