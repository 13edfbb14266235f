"""UEds's servers under bad clients and slow work: nobody waits for a second, nothing breaks, no drone is forgotten."""

import gc
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from ueds_rig import LIDAR, RGB, Client, rays, served
from volery import cli
from volery.protocols.ueds.intime import LateError, in_time
from volery.render.frame import FrameRenderer
from volery.scenario import read_scenario
from volery.sim import Simulation


@pytest.fixture(scope="module")
def server():
    with served() as running:
        yield running


@pytest.fixture
def game(server):
    client = Client(server.door.port)
    yield client
    client.close()


@pytest.fixture
def drone(server, game):
    (port,) = game.ok(3).take("i")
    client = Client(port)
    client.port = port
    yield client
    client.close()
    # On a busy machine it may be refused in time: then it is asked again.
    for _ in range(50):
        server.ask(lambda: None)
        game.call(4, "i", port)
        if port not in ports(game):
            return
        time.sleep(0.1)
    raise AssertionError(f"drone {port} does not go")


def ports(client):
    count, data = client.ok(2).bytes(4)
    return list(struct.unpack(f"<{count}i", data))


def busy(server, seconds):
    """Keep the loop from everything for a while."""
    began = threading.Event()

    def work():
        began.set()
        time.sleep(seconds)

    server.simulation.ask(work)
    assert began.wait(10)


# Bytes


def test_requests_may_come_in_pieces(game, drone):
    request = struct.pack("<H3d?", 3, 10.0, 20.0, 400.0, False)
    for cut in (1, 2, 3, 10, len(request) - 1):
        drone.socket.sendall(request[:cut])
        time.sleep(0.02)
        reply = drone.raw(request[cut:])
        assert struct.unpack_from("<3d", reply, 3) == (10.0, 20.0, 400.0)


def test_several_requests_at_once_are_answered_in_order(drone):
    drone.socket.sendall(b"\x01\x00\x02\x00\x15\x00")
    time.sleep(0.2)
    data = drone.socket.recv(4096)
    assert data == bytes.fromhex("010001242424") + data[6:36] + bytes.fromhex("15000100242424")
    assert data[6:9] == bytes.fromhex("020001") and data[33:36] == b"$$$"


def test_an_unknown_message_fails_at_once(drone):
    began = time.monotonic()
    assert drone.raw(struct.pack("<H", 999)).hex() == "e70300"
    assert time.monotonic() - began < 0.5
    drone.ok(1).end()


def test_garbage_hurts_nobody(server, game, drone):
    chance = random.Random(3)
    for _ in range(150):
        port = chance.choice((server.door.port, server.door.thesis_port, drone.port))
        guest = socket.create_connection(("127.0.0.1", port), timeout=5)
        for _ in range(chance.randrange(1, 5)):
            # Never a whole spawn, removal or level switch: those are meant.
            body = bytes([chance.choice((1, 2, 5, 9, 60, 255)), chance.randrange(0, 3)])
            with_suppressed_errors(guest.sendall, body + chance.randbytes(chance.randrange(0, 300)))
        guest.close()
    game.ok(1).end()
    assert drone.port in ports(game)
    drone.ok(1).end()
    assert server.failure is None


def with_suppressed_errors(call, *arguments):
    try:
        call(*arguments)
    except OSError:
        pass


def test_who_never_makes_sense_is_sent_away(server, game):
    guest = socket.create_connection(("127.0.0.1", server.door.port), timeout=5)
    with pytest.raises(OSError):
        for _ in range(10_000):
            guest.sendall(b"\xff\xff")
            if not guest.recv(4096):
                raise ConnectionError
    game.ok(1)


def test_a_text_without_end_is_refused():
    with served(api="0.13") as server:
        guest = socket.create_connection(("127.0.0.1", server.door.port), timeout=5)
        guest.sendall(struct.pack("<HQ", 19, 1 << 60) + b"x" * 100)
        assert guest.recv(100) == b""
        Client(server.door.port).ok(1)


def test_a_client_that_never_reads_keeps_nobody_waiting(server, game, drone):
    guest = socket.create_connection(("127.0.0.1", drone.port), timeout=5)
    guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    guest.settimeout(0.2)
    with_suppressed_errors(guest.sendall, b"\x09\x00" * 2000)
    for _ in range(100):
        drone.ok(1)
        drone.ok(3, "3d?", 0.0, 0.0, 400.0, True)
    assert drone.slowest < 0.9
    guest.close()
    game.ok(1)


# Time


def test_slow_work_is_refused_in_time_and_nothing_is_shifted(server, game, drone):
    drone.ok(3, "3d?", 10.0, 0.0, 400.0, False)
    busy(server, 2.5)
    answers = []

    def ask():
        for _ in range(2):
            began = time.monotonic()
            status, reply = drone.call(3, "3d?", 70.0, 0.0, 400.0, False)
            reply.take("3d?3d")
            reply.end()
            answers.append((status, time.monotonic() - began))

    asking = threading.Thread(target=ask)
    asking.start()
    # What needs no simulation is answered all the while.
    for _ in range(50):
        game.ok(1)
        game.ok(14).take("3d")
        time.sleep(0.01)
    asking.join()
    assert game.slowest < 0.7
    assert [status for status, _ in answers] == [False, False] and max(t for _, t in answers) < 0.95
    assert drone.ok(2).take("3d") == (10.0, 0.0, 400.0)
    server.ask(lambda: None)
    assert drone.ok(2).take("3d") == (10.0, 0.0, 400.0), "what was refused is not done later"
    assert drone.ok(23).take("d")[0] == pytest.approx(390.0, abs=0.1)


def test_work_that_waits_for_too_long_is_not_done(server):
    done = []
    busy(server, 0.5)
    with pytest.raises(LateError):
        in_time(server.simulation.ask, lambda: done.append(1), seconds=0.1)
    server.ask(lambda: None)
    assert done == []


def test_a_slow_picture_is_refused_in_time_and_comes_with_the_next_request(server, drone, monkeypatch):
    see = server.door.eyes.see
    drone.ok(13, RGB, False, *[0.0] * 6, 90.0, 64, 48, *[False] * 4, 0.0, 0.0)

    def slowly(*arguments):
        time.sleep(1.2)
        return see(*arguments)

    monkeypatch.setattr(server.door.eyes, "see", slowly)
    status, reply = drone.call(4)
    assert not status and reply.bytes() == (0, b"") and reply.take("d") == (0.0,)
    reply.end()
    time.sleep(0.8)
    stamps = []
    for _ in range(2):
        status, reply = drone.call(4)
        assert status and len(reply.bytes()[1]) > 500
        stamps.append(reply.take("d")[0])
        time.sleep(1.4)
    assert drone.slowest < 0.95 and stamps[1] > stamps[0] + 0.5
    monkeypatch.undo()
    server.ask(lambda: None)
    server.ask(lambda: None)


def test_moves_and_scans_go_on_during_a_slow_picture(server, game, drone, monkeypatch):
    """A picture takes 2 s here: small calls do not wait for it, since its own thread draws it."""
    drone.ok(13, RGB, False, *[0.0] * 6, 60.0, 64, 480, *[False] * 4, 0.0, 0.0)
    take, threads = FrameRenderer.take, []

    def slowly(self, *arguments):
        threads.append(threading.current_thread().name)
        time.sleep(2.0)
        return take(self, *arguments)

    monkeypatch.setattr(FrameRenderer, "take", slowly)
    assert not drone.call(4)[0], "the picture takes 2 s"
    client = Client(drone.port)
    for i in range(3):
        client.ok(3, "3d?", 0.0, 0.0, 500.0 + i, True)
        client.ok(9)
    assert client.slowest < 0.7 and threads[0] == "ueds-pictures"
    client.close()
    monkeypatch.undo()
    for _ in range(3):
        server.ask(lambda: None)
    server.door.eyes.forget("uav1")


# Levels and drones


def test_drones_do_not_see_nor_hit_each_other_if_so_wanted(server, game):
    (one,) = game.ok(15, "3di", 0.0, 0.0, 1000.0, 0, code=3).take("i")
    (two,) = game.ok(15, "3di", 300.0, 0.0, 1000.0, 0, code=3).take("i")
    first = Client(one)
    first.ok(11, LIDAR, False, False, 1000.0, 41, 41, 10.0, *[0.0] * 6, 10.0, 10.0, 10.0, 10.0, False)
    try:
        met = [r for r in rays(first.ok(19), tagged=True)[1] if r[0] > 0]
        assert met and all(r[4] >= 200 and 200.0 < r[0] < 350.0 for r in met)
        assert first.ok(3, "3d?", 600.0, 0.0, 1000.0, True).take("3d?3d")[3]
        first.ok(3, "3d?", 0.0, 0.0, 1000.0, False)
        game.ok(18, "?", False)
        assert not [r for r in rays(first.ok(19), tagged=True)[1] if r[0] > 0]
        assert not first.ok(3, "3d?", 600.0, 0.0, 1000.0, True).take("3d?3d")[3]
    finally:
        game.ok(18, "?", True)
        first.close()
        for port in (one, two):
            game.ok(4, "i", port)


def test_without_the_channel_drones_cannot_be_hidden():
    with served(world="world: empty\nseed: 1\n") as server:
        game = Client(server.door.port)
        assert not game.call(18, "?", False)[0]
        game.ok(18, "?", True)


def test_a_level_switch_is_answered_first(server, game):
    for _ in range(2):
        game.ok(3)
    before = ports(game)
    assert len(before) == 2
    client = Client(before[0])
    began = time.monotonic()
    game.ok(11, "h", 3).end()
    assert time.monotonic() - began < 0.5
    server.settled()
    assert type(server.simulation.world).__name__ == "Warehouse" and not server.simulation.robots
    assert ports(game) == []
    with pytest.raises(ConnectionError):
        client.raw(b"\x01\x00")
    (port,) = game.ok(3).take("i")
    again = Client(port)
    location, origin = again.ok(2).take("3d"), game.ok(14).take("3d")
    assert location == origin
    for number, kind in ((5, "Airbase"), (1, "Forest"), (99, "Forest")):
        game.ok(11, "h", number)
        server.settled()
        assert type(server.simulation.world).__name__ == kind
    dense = server.simulation.world.density
    game.ok(12, "i", 10)
    game.ok(13, "i", 5)
    server.settled()
    assert server.simulation.world.density < dense and server.simulation.world.hilliness > 10.0
    assert not game.call(12, "i", 11)[0] and not game.call(13, "i", 6)[0]
    game.ok(11, "h", 7)
    server.settled()


def test_ports_count_up_and_begin_again_with_a_level():
    with served(drone_port=43_210) as server:
        game = Client(server.door.port)
        taken = socket.create_server(("127.0.0.1", 43_211))
        try:
            assert [game.ok(3).take("i")[0] for _ in range(3)] == [43_210, 43_212, 43_213]
            game.ok(4, "i", 43_212)
            assert game.ok(3).take("i") == (43_214,), "none is used again"
            game.ok(11, "h", 5)
            server.settled()
            assert game.ok(3).take("i") == (43_210,)
        finally:
            taken.close()


def test_a_reset_of_the_simulation_forgets_no_drone(server, game, drone):
    drone.ok(8, "6d?", 100.0, 50.0, 900.0, 0.0, 45.0, 0.0, False)
    server.ask(server.simulation.reset)
    server.ask(lambda: None)
    time.sleep(0.1)
    assert len(server.simulation.robots) == 1
    assert drone.ok(2).take("3d") == (100.0, 50.0, 900.0)
    robot = next(iter(server.simulation.robots.values()))
    assert robot.p_WB == pytest.approx([1.0, -0.5, 9.0])


def test_fifty_drones_come_and_go_and_leave_nothing(server, game):
    def counts():
        gc.collect()
        return (
            len(os.listdir("/proc/self/fd")), len(server.simulation.robots), len(server.simulation.scene.objects),
            len(server.door.stencils.drones), len(server.door.eyes._bodies), len(server.door.studio._slots),
        )  # fmt: skip

    # The client has been let in, and is counted.
    game.ok(1)
    before, threads = counts(), threading.active_count()
    for _ in range(50):
        (port,) = game.ok(3).take("i")
        client = Client(port)
        client.ok(2)
        client.ok(9)
        client.close()
        game.ok(4, "i", port)

    def left():
        return any(now > then for now, then in zip(counts(), before, strict=True)) or threading.active_count() > threads

    for _ in range(100):
        if not left():
            break
        time.sleep(0.05)
    assert not left()
    held = [game.ok(3).take("i")[0] for _ in range(50)]
    assert ports(game) == held and len(server.simulation.robots) == 50
    for port in held:
        game.ok(4, "i", port)
    assert ports(game) == [] and not server.simulation.robots


# The command line, and worlds that change


def test_the_command_line_serves_it():
    command = [sys.executable, "-m", "volery", "run", "ueds", "--headless", "--no-bus", "--world", "erding_airbase"]
    run = subprocess.Popen([*command, "--api", "0.13"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = ""
        while "Ctrl-C ends" not in said:
            line = run.stdout.readline()
            assert line, f"it ended: {said}"
            said += line
        assert "API 0.13" in said
        game = Client(8551)
        assert game.ok(9).take("2i") == (0, 13)
        assert Client(8000).ok(7).take("f")[0] > 0.0
        (port,) = game.ok(3).take("i")
        assert Client(port).ok(2).take("3d")[2] == pytest.approx(97.12, abs=0.1)
    finally:
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 0


def test_a_wrong_level_or_version_is_refused_with_the_known_ones(capsys):
    for option, value, known in (("--world", "florest", "forest"), ("--api", "0.12", "0.11")):
        assert cli.main(["run", "ueds", "--headless", "--no-bus", option, value]) == 1
        assert known in capsys.readouterr().err
    assert cli.main(["run", "blocks", "--headless", "--no-bus", "--world", "forest"]) == 1
    assert "volery run ueds" in capsys.readouterr().err


def test_another_type_of_world_forgets_the_parameters_of_the_one_before():
    simulation = Simulation(read_scenario("world: {type: blocks, count: 3, size: 60}\nseed: 1\n"))
    simulation.change_world(count=5)
    simulation.change_world(type="empty")
    assert type(simulation.world).__name__ == "Empty" and simulation.world.size == 2000.0
    simulation.change_world(size=300.0)
    assert type(simulation.world).__name__ == "Empty" and simulation.world.size == 300.0
    state = simulation.state()
    simulation.change_world(type="blocks", count=2)
    assert simulation.world.size == 200.0
    simulation.restore(state)
    assert type(simulation.world).__name__ == "Empty" and simulation.world.size == 300.0
    simulation.reset()
    assert type(simulation.world).__name__ == "Blocks" and simulation.world.count == 3


def test_who_asks_again_and_again_does_not_hold_the_clock():
    simulation = Simulation(read_scenario("world: empty\nseed: 1\n"))
    asked = []

    def again():
        asked.append(1)
        if len(asked) < 1000:
            simulation.ask(again)

    simulation.ask(again)
    simulation.step()
    assert len(asked) == 1 and simulation.clock.steps == 1
    assert simulation.wait_for_requests(0.0)
