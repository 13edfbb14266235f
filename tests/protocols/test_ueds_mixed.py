"""Mixed load on UEds's servers: pictures, scans, poses, drones that come and go, weather and levels, all at once. No
answer is late, and none is another question's."""

import random
import threading
import time

import pytest

from mrs_client import GAME, GoneError, Line, Stalls, connect, fly
from ueds_rig import served

WORLD = """
world: forest
seed: 1
step: 0.01
streaming: {visible: 60, ahead: 20}
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
"""


STALL = 0.15
"""Where programs wait for so long for their turn, answers may be late [s]."""


def nothing():
    """What a client has met so far."""
    return {"calls": 0, "slowest": 0.0, "late": [], "unanswered": [], "closed": [], "shifted": [], "refused": [],
            "crashed": 0}  # fmt: skip


def pilot(server, seconds, found, i):
    """A drone that is flown, with all its sensors."""
    game = connect(server.door.port, found, GAME)
    x, y, z = 500.0 * i, 300.0, 4000.0
    number = int.from_bytes(game.must("spawn", 15, "3di", x, y, z, 0), "little")
    line = connect(number, found)
    for _ in range(max(1, round(seconds / 10.0))):
        fly(game, [(line, (x, y, z))], min(seconds, 10.0), found, rate=50.0, lidar=5.0, rgb=1.0)
    line.close()
    game.close()


def comer(server, seconds, found, i):
    """Drones come, say where they are, and go."""
    game, end, draw = connect(server.door.port, found, GAME), time.monotonic() + seconds, random.Random(i)
    while time.monotonic() < end:
        number = int.from_bytes(game.must("spawn", 15, "3di", draw.uniform(-5e3, 5e3), 0.0, 5e3, 0), "little")
        line = Line(number, found, {})
        there = line.must("location", 2)
        assert len(there) == 24
        line.should("range", 23)
        line.close()
        game.must("remove", 4, "i", number)
        time.sleep(0.2)
    game.close()


def gardener(server, seconds, found, i):
    """Weather, time of day, density and hills change, and the origin is asked for."""
    game, end, draw = connect(server.door.port, found, GAME), time.monotonic() + seconds, random.Random(i)
    while time.monotonic() < end:
        game.must("weather", 16, "i", draw.randrange(11))
        game.must("daytime", 17, "2i", draw.randrange(24), 0)
        game.must(*draw.choice((("density", 12, "i", draw.randrange(8, 11)), ("hills", 13, "i", draw.randrange(0, 6)))))
        game.must("origin", 14)
        time.sleep(draw.uniform(0.0, 6.0))
    game.close()


def mixed(server, seconds):
    """Each for so long; what they met, by name."""
    clients = [(pilot, 0), (pilot, 1), (comer, 2), (gardener, 3)]
    found = {f"{live.__name__} {i}": nothing() for live, i in clients}
    gone = []

    def run(live, i):
        try:
            live(server, seconds, found[f"{live.__name__} {i}"], i)
        except (GoneError, OSError) as error:
            gone.append(f"{live.__name__}: {error!r}")

    threads = [threading.Thread(target=run, args=client) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, gone


def check(server, seconds):
    stalls = Stalls()
    found, gone = mixed(server, seconds)
    if stalls.longest > STALL and (gone or any(own["late"] or own["closed"] for own in found.values())):
        pytest.skip(f"the machine keeps programs waiting for {stalls.longest:g} s: no answer can be in time")
    assert not gone, gone
    for name, own in found.items():
        assert not (own["late"] or own["unanswered"] or own["closed"] or own["shifted"]), (name, own)
    assert sum(own["calls"] for own in found.values()) > 20 * seconds
    server.settled()
    assert server.failure is None


def test_no_answer_is_late_or_anothers():
    with served(world=WORLD) as server:
        check(server, 10.0)


@pytest.mark.slow
def test_nor_in_an_hour():
    with served(world=WORLD) as server:
        check(server, 3600.0)
