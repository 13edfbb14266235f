"""What hostile clients tried at each door, and what comes of it now: nobody else is harmed."""

import contextlib
import os
import socket
import struct
import time
from pathlib import Path

import msgpack
import pytest

import airsim_rig
import gamebots_rig
import ueds_rig
from airsim_rig import Caller
from serving import until
from volery.protocols.airsim.images import ImageRequests
from volery.protocols.limits import Limits
from volery.protocols.mocap.door import Mocap, MocapSettings
from volery.protocols.udp.control import Control, ControlLink, ControlSettings
from volery.protocols.udp.end import EndSettings
from volery.scenario import read_scenario
from volery.sim import Simulation


@pytest.fixture(scope="module")
def airsim(tmp_path_factory):
    with airsim_rig.served(speed=1.0) as running:
        running.door.out = tmp_path_factory.mktemp("out")
        yield running


@pytest.fixture(scope="module")
def ueds():
    with ueds_rig.served() as running:
        yield running


def closed(end, seconds=20.0):
    """Whether the other side has hung up."""
    end.settimeout(seconds)
    try:
        while end.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


# AirSim


def test_pictures_of_a_client_that_left_are_not_taken(airsim, monkeypatch):
    taken, take = [], ImageRequests.take

    def slow(self, *arguments):
        taken.append(time.monotonic())
        time.sleep(0.02)
        return take(self, *arguments)

    monkeypatch.setattr(ImageRequests, "take", slow)
    guest = Caller(airsim.port)
    guest.socket.sendall(msgpack.packb([0, 1, "simGetImage", ["0", 0, ""]]) * 100)
    until(lambda: taken)
    guest.socket.close()
    other = Caller(airsim.port)
    until(lambda: airsim.door.wire.pictures.waiting == 0)
    count = len(taken)
    assert count < 60, "most of the hundred were never begun"
    assert other.call("ping") is True
    assert len(taken) <= count + 1
    assert other.call("simGetImage", "0", 0, "")


def test_small_calls_do_not_wait_for_others_pictures(airsim):
    greedy, modest = Caller(airsim.port), Caller(airsim.port)
    greedy.socket.sendall(msgpack.packb([0, 1, "simGetImage", ["0", 0, ""]]) * 200)
    for _ in range(20):
        modest.call("simGetVehiclePose", "")
    assert airsim.door.wire.pictures.waiting > 0, "all twenty were answered before the pictures were done"
    greedy.socket.close()


def test_a_pipe_as_texture_does_not_hold_the_loop(airsim):
    guest = Caller(airsim.port)
    os.mkfifo(airsim.door.out / "pipe.png")
    before = airsim.simulation.clock.steps
    assert guest.call("simSetObjectMaterialFromTexture", "block_0", "pipe.png", 0) is False
    until(lambda: airsim.simulation.clock.steps > before + 5)


def test_a_texture_outside_the_folder_is_refused(airsim, tmp_path):
    from PIL import Image

    guest, picture = Caller(airsim.port), Image.new("RGB", (8, 8), (200, 10, 10))
    picture.save(tmp_path / "red.png")
    picture.save(airsim.door.out / "red.png")
    name = next(n for n in guest.call("simListSceneObjects", ".*") if n not in ("SkySphere", "SimpleFlight"))
    assert guest.call("simSetObjectMaterialFromTexture", name, str(tmp_path / "red.png"), 0) is False
    assert guest.call("simSetObjectMaterialFromTexture", name, "red.png", 0) is True


def test_a_voxel_grid_overwrites_nothing(airsim, tmp_path):
    guest, mine = Caller(airsim.port), airsim.door.out / "mine.txt"
    mine.write_text("mine")
    (airsim.door.out / "link.binvox").symlink_to(tmp_path / "elsewhere")
    grid = ({"x_val": 0.0, "y_val": 0.0, "z_val": 0.0}, 2, 2, 2, 1.0)
    for name in ("mine.txt", "../mine.txt", str(tmp_path / "new.binvox"), "link.binvox", "", "nowhere/x.binvox"):
        with pytest.raises(RuntimeError):
            guest.call("simCreateVoxelGrid", *grid, name)
    assert mine.read_text() == "mine" and not list(tmp_path.iterdir())
    assert guest.call("simCreateVoxelGrid", *grid, "new.binvox") is True
    assert (airsim.door.out / "new.binvox").read_bytes().startswith(b"#binvox 1")


def test_unfinished_messages_are_bounded_for_each_client_and_in_all():
    limits = Limits(bytes_per_client=1 << 20, bytes_in_all=4 << 20)
    with airsim_rig.served(limits=limits) as server:
        guests, held = server.door.wire.guests, []
        start = b"\x94\x00\x01\xa4ping\xc6\x03\xff\xff\xff"
        ends = [socket.create_connection(("127.0.0.1", server.port), timeout=10.0) for _ in range(10)]
        for end in ends:
            end.sendall(start + bytes(900_000))
            time.sleep(0.05)
            held.append(guests.held)
        until(lambda: guests.held <= limits.bytes_in_all)
        assert max(held) <= limits.bytes_in_all and sum(h > 0 for h in held) == 10
        honest = Caller(server.port)
        assert honest.call("ping") is True
        big = socket.create_connection(("127.0.0.1", server.port), timeout=10.0)
        try:
            for _ in range(100):
                big.sendall(start[:1] + start[1:] + bytes(100_000))
        except OSError:
            pass
        assert closed(big) and honest.call("ping") is True


def resident():
    """Memory that this process holds [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_given_back_after_a_flood_of_unfinished_messages(airsim):
    Caller(airsim.port).call("simGetImage", "0", 0, "")
    guests, start = airsim.door.wire.guests, b"\x94\x00\x01\xa4ping\xc6\x03\xff\xff\xff"
    before = resident()
    for _ in range(3):
        ends = [socket.create_connection(("127.0.0.1", airsim.port), timeout=10.0) for _ in range(20)]
        for end in ends:
            with contextlib.suppress(OSError):
                end.sendall(start + bytes(3_000_000))
        until(lambda: guests.held > 20_000_000)
        for end in ends:
            end.close()
        until(lambda: guests.held < 1_000_000)
    until(lambda: guests._peak == 0)
    until(lambda: resident() < 1.1 * before + 10_000_000)


def test_a_long_message_is_unpacked_beside_others_calls(airsim):
    greedy, modest = Caller(airsim.port), Caller(airsim.port)
    lists = b"\x94\x00\x01\xa4ping" + b"\x9f" + (b"\xdc\xff\xff" + b"\x90" * 65_535) * 15
    greedy.socket.sendall(lists)
    for _ in range(20):
        assert modest.call("ping") is True
    greedy.socket.settimeout(30.0)
    assert b"rpclib" in greedy.socket.recv(1000)


# Web pages

POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n"


@pytest.mark.parametrize("method", [b"GET / HTTP/1.1", b"POST /x HTTP/1.1", b"OPTIONS * HTTP/1.1", b"PUT /y HTTP/1.0"])
def test_a_web_page_is_not_obeyed_by_ueds(ueds, method):
    end = socket.create_connection(("127.0.0.1", ueds.door.port), timeout=10.0)
    end.sendall(method + b"\r\nHost: x\r\n\r\n")
    end.settimeout(20.0)
    assert closed(end)
    end = socket.create_connection(("127.0.0.1", ueds.door.port), timeout=10.0)
    end.sendall(POST + struct.pack("<H", 3) * 5)
    assert closed(end) and ueds.ask(lambda: len(ueds.simulation.robots)) == 0


def test_a_web_page_is_not_obeyed_by_usarsim_nor_airsim(airsim):
    with gamebots_rig.stepped(truth_port=0) as server:
        for name in ("ut2004", "ut2003", "udk", "images", "truth"):
            end = socket.create_connection(("127.0.0.1", server.ports[name]), timeout=10.0)
            end.sendall(POST + b"INIT {ClassName USARBot.P2AT} {Start RobotStart1}\r\n")
            assert closed(end), name
        server.step(5)
        assert not server.simulation.robots
        raw = server.connect()
        server.say(raw, "TRACE {On false}")
        assert not server.client(raw).gone, "a command of USARSim's is no web page"
    end = socket.create_connection(("127.0.0.1", airsim.port), timeout=10.0)
    end.sendall(POST + msgpack.packb([0, 1, "reset", []]))
    assert closed(end)


# UEds and USARSim


def test_a_flood_of_moves_refuses_nobody_else(ueds):
    game = ueds_rig.Client(ueds.door.port)
    mine, theirs = (game.ok(3).take("i")[0] for _ in range(2))
    greedy, modest = ueds_rig.Client(mine), ueds_rig.Client(theirs)
    greedy.socket.sendall(struct.pack("<H6d?", 20, 0.0, 0.0, 3000.0, 0.0, 0.0, 0.0, False) * 20_000)
    for i in range(40):
        modest.ok(3, "3d?", 0.0, 0.0, 5000.0 + i, False)
    assert ueds.door._soon.waiting <= 2 and ueds.simulation._requests.waiting <= 2
    greedy.close()
    for port in (mine, theirs):
        game.ok(4, "i", port)


def test_idle_connections_keep_nobody_out_of_usarsim():
    limits = Limits(connections=40, per_source=40)
    with gamebots_rig.stepped(connections=16, limits=limits) as server:
        idle = [socket.create_connection(("127.0.0.1", server.ports["ut2004"]), timeout=10.0) for _ in range(60)]
        server.until(lambda: len(server.door.wire.guests) == 40)
        raw = server.connect()
        server.say(raw, "INIT {ClassName USARBot.P2AT} {Name Honest}")
        assert "Honest" in server.simulation.robots
        more = [socket.create_connection(("127.0.0.1", server.ports["ut2004"]), timeout=10.0) for _ in range(60)]
        server.until(lambda: sum(c.gone for c in server.door.wire.clients) >= 60)
        server.step(3)
        assert "Honest" in server.simulation.robots, "who has a robot keeps its place"
        for end in [*idle, *more]:
            end.close()


def test_who_says_nothing_goes_after_a_while():
    with gamebots_rig.stepped(limits=Limits(idle=0.3)) as server:
        end = socket.create_connection(("127.0.0.1", server.ports["ut2004"]), timeout=10.0)
        assert closed(end)


# Datagrams

BODIES = "world: empty\nrobots:\n" + "".join(
    f"  r{i}: {{type: probe, position: [{i}, 0, 1], sensors: {{scanner: off}}}}\n" for i in range(8)
)


def heard(end):
    """Bytes that wait at a socket."""
    end.setblocking(False)
    total = 0
    while True:
        try:
            total += len(end.recv(1 << 16))
        except BlockingIOError:
            return total


def test_one_datagram_brings_one_answer_and_no_stream():
    simulation = Simulation(read_scenario(BODIES))
    door = Mocap(simulation, None, MocapSettings(port=0))
    door.start()
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.connect(("127.0.0.1", door.port))
            end.send(struct.pack("<HH", 0, 0))
            until(lambda: door._sources)
            time.sleep(0.2)
            simulation.run(200)
            assert 0 < heard(end) < 300
            end.send(struct.pack("<HH", 10, 0))
            until(lambda: any(s.hears for s in door._sources.values()))
            simulation.run(10)
            assert heard(end) > 1000, "who speaks again after an answer is told frames"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.connect(("127.0.0.1", door.port))
            end.send(struct.pack("<HH", 4, 0))
            time.sleep(0.2)
            first = heard(end)
            assert 0 < first < 2000
            for s in door._sources.values():
                s.hears = False
    finally:
        door.close()


def test_who_falls_silent_is_sent_no_more_states():
    simulation = Simulation(
        read_scenario("world: empty\nrobots: {uav1: {type: x500, physics: fleet, position: [0, 0, 5]}}")
    )
    link = ControlLink(port=0, gone="release", limits=Limits(idle=0.3))
    door = Control(simulation, None, ControlSettings(links={"uav1": link}))
    door.start()
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.connect(("127.0.0.1", door.ends["uav1"].port))
            end.send(bytes(48))
            until(lambda: door.ends["uav1"]._peer is not None)
            simulation.run(5)
            assert heard(end) > 0
            time.sleep(0.4)
            simulation.run(5)
            assert heard(end) == 0
    finally:
        door.close()
    assert EndSettings().limits.idle == 10.0
