"""Calls of one client that would cost much: they hold neither the loop nor the calls of others."""

import os
import random
import socket
import struct
import threading
import time

import msgpack
import pytest

import airsim_rig
import ueds_rig
from airsim_rig import Caller
from serving import until
from volery.core import requests
from volery.core.workers import Workers
from volery.protocols.airsim.arguments import METHODS
from volery.protocols.airsim.images import CapturedImage
from volery.protocols.ueds import objects as ueds_objects

PLACE = {"x_val": 1.0, "y_val": 2.0, "z_val": -3.0}
MANY = 20_000
LOOP = 0.15
"""Processor time of the loop that one request may take, on a slow machine [s]: most take less than 1 ms."""


@pytest.fixture(scope="module")
def airsim(tmp_path_factory):
    with airsim_rig.served(speed=1.0) as running:
        running.door.out = tmp_path_factory.mktemp("out")
        yield running


@pytest.fixture
def cost(airsim, monkeypatch):
    """Processor time of each request that the loop did [s]."""
    took, run = [], requests._Request.run

    def timed(self):
        began = time.thread_time()
        run(self)
        if threading.current_thread() is airsim._thread:
            took.append(time.thread_time() - began)

    monkeypatch.setattr(requests._Request, "run", timed)
    return took


# Patterns


def test_patterns_of_clients_are_matched_in_linear_time(airsim):
    """With `re` this stands still for ever, and the process with it."""
    guest, other = Caller(airsim.port), Caller(airsim.port)
    name = "a" * 60 + "!"
    assert guest.call("simSpawnObject", name, "Cube", {"position": PLACE}, PLACE, False, False) == name
    steps = airsim.simulation.clock.steps
    assert guest.call("simSetSegmentationObjectID", "(a+)+$", 3, True) is False
    assert guest.call("simListSceneObjects", "(a|aa)+$") == []
    assert guest.call("simSetAnnotationObjectID", "layer", "(a*)*b", 3, True) is False
    guest.call("simAddDetectionFilterMeshName", "0", 0, "*a" * 40 + "b", "")
    assert guest.call("simGetDetections", "0", 0, "") == []
    assert other.call("ping") is True
    until(lambda: airsim.simulation.clock.steps > steps + 5)
    assert guest.call("simDestroyObject", name) is True


# Floods


def mutated(draw):
    """Calls that cost something, some of them with a byte changed."""
    calls = [
        ("simGetImages", [[{"camera_name": "0", "image_type": t} for t in (0, 1, 5)] * 4, ""]),
        ("simListSceneObjects", ["(.*)*x"]), ("simGetMeshPositionVertexBuffers", []), ("getLidarData", ["", ""]),
        ("simSetSegmentationObjectID", ["(a+)+$", 3, True]), ("simSwapTextures", ["a,b,c", 1, 0, 0]),
        ("simCreateVoxelGrid", [PLACE, 40, 40, 40, 0.5, f"grid{draw.randrange(10**9)}.binvox"]),
        ("simPlotPoints", [[PLACE] * 5000, [1, 0, 0, 1], 1.0, 1.0, False]), ("simGetWorldExtents", []),
    ]  # fmt: skip
    name, arguments = draw.choice(calls)
    data = bytearray(msgpack.packb([0, 1, name, arguments]))
    if draw.random() < 0.2:
        data[draw.randrange(4, len(data))] = draw.randrange(128)
    return bytes(data)


def flood(port, seed, ended):
    draw = random.Random(seed)
    while not ended.is_set():
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=0.2) as end:
                while not ended.is_set():
                    end.sendall(mutated(draw))
        except OSError:
            continue


def test_mutated_calls_of_others_keep_nobody_waiting(airsim):
    """Once 28 and 109 s. The flood goes on while the other asks, and each of its calls is done meanwhile."""
    ended = threading.Event()
    floods = [threading.Thread(target=flood, args=(airsim.port, seed, ended), daemon=True) for seed in range(3)]
    for thread in floods:
        thread.start()
    try:
        wire = airsim.door.wire
        until(lambda: wire.pictures.waiting + wire.workers.waiting > 1)
        other, waits = Caller(airsim.port), []
        for call in (
            ("ping",),
            ("simGetVehiclePose", ""),
            ("simIsPaused",),
            ("simGetImage", "0", 0, ""),
        ):
            for _ in range(8):
                began = time.monotonic()
                other.call(*call)
                waits.append(time.monotonic() - began)
        assert max(waits) < 10.0, "a bound that a slow machine keeps, and that the old way did not"
    finally:
        ended.set()
    for thread in floods:
        thread.join(30.0)
    until(lambda: wire.pictures.waiting + wire.workers.waiting == 0, 60.0)


def test_pictures_of_others_come_between_the_pieces_of_long_work(airsim, monkeypatch):
    """A grid, and many pictures at once, are done piece by piece, others' pictures between them."""
    drawn, response = [], CapturedImage.response
    monkeypatch.setattr(CapturedImage, "response", lambda self: drawn.append("many") or response(self))
    greedy, modest = Caller(airsim.port), Caller(airsim.port)
    many = [{"camera_name": "0", "image_type": 0}] * 60
    greedy.socket.sendall(msgpack.packb([0, 1, "simGetImages", [many, ""]]))
    greedy.socket.sendall(msgpack.packb([0, 2, "simCreateVoxelGrid", [PLACE, 100, 100, 100, 0.2, "huge.binvox"]]))
    until(lambda: drawn)
    assert modest.call("simGetImage", "0", 0, "")
    assert len(drawn) < 60, "the other's picture came before all of the sixty"
    until(lambda: len(drawn) == 60, 60.0)
    for _ in range(3):
        assert modest.call("simGetImage", "0", 0, "")
    assert not (airsim.door.out / "huge.binvox").exists(), "nor did the grid come first"
    greedy.socket.close()
    until(lambda: airsim.door.wire.pictures.waiting == 0)
    assert not (airsim.door.out / "huge.binvox").exists()


def test_work_in_pieces_is_given_up_when_its_client_leaves_or_it_takes_too_long(airsim):
    workers, pieces = Workers(1, "test", airsim.simulation.gate), []

    def work():
        for i in range(1_000_000):
            pieces.append(i)
            yield
        return "all"

    def short():
        yield
        return "done"

    try:
        long = workers.submit("greedy", work)
        assert workers.submit("modest", short).result(10) == "done"
        until(lambda: len(pieces) > 3)
        workers.forget("greedy")
        assert long.cancelled()
        until(lambda: workers.waiting == 0)
        count = len(pieces)
        assert workers.submit("modest", short).result(10) == "done" and len(pieces) <= count + 1
        assert not workers._jobs
        with pytest.raises(ZeroDivisionError):
            workers.submit("modest", lambda: (1 / 0 for _ in range(1))).result(10)
    finally:
        workers.close()


# Arguments as large as a message may be


def largest(check):
    """Something of the kind that a check takes, as much of it as goes."""
    if check.__name__ == "take":
        return [largest(check.__closure__[0].cell_contents)] * MANY
    return {
        "number": 1.0, "finite": 1.0, "whole": 1, "flag": True, "text": "", "camera": "0", "side": False,
        "drivetrain": 0,
        "mapping": {}, "vector": PLACE, "finite_vector": PLACE, "pose": {"position": PLACE}, "_layer": False,
        "finite_pose": {"position": PLACE}, "geo_point": {"latitude": 47.0}, "kinematics": {},
        "yaw_mode": {"is_rate": False, "yaw_or_rate": 0.0}, "colour": [1.0, 0.0, 0.0, 1.0],
        "_request": {"camera_name": "0", "image_type": 0},
    }.get(check.__name__, "")  # fmt: skip


PATH = [{"x_val": 90.0 * (i % 7), "y_val": 50.0 * (i % 5), "z_val": -5.0} for i in range(MANY)]
CHOSEN = {
    "simGetImages": [[{"camera_name": "0", "image_type": t % 8} for t in range(64)], ""],
    "simListSceneObjects": ["(.*)*x"], "simSwapTextures": [",".join(map(str, range(2000))), 1, 0, 0],
    "simCreateVoxelGrid": [PLACE, 10, 10, 10, 0.5, "costly.binvox"],
    "simSpawnObject": ["thing", "Cube", {"position": PLACE}, PLACE, False, False],
    "moveOnPath": [PATH, 5.0, 60.0, 0, {"is_rate": False, "yaw_or_rate": 0.0}, -1.0, 1.0, ""],
    "simAddDetectionFilterMeshName": ["0", 0, "*a" * 140, ""], "simRunConsoleCommand": ["x" * 9000],
    "simSetSegmentationObjectID": ["(a+)+$", 3, True], "moveByRC": [{"vendor_id": "x" * 1_000_000}, ""],
}  # fmt: skip
NOT_HERE = {"simPause", "simContinueForTime", "simContinueForFrames", "reset", "simAddVehicle", "startRecording",
            "takeoff", "land", "goHome"}  # fmt: skip
"""Those that hold the clock, change all, or take as long as a flight; vehicles and robots cost what they cost."""


@pytest.mark.parametrize("name", sorted(METHODS.keys() - NOT_HERE))
def test_no_call_costs_the_loop_more_than_a_moment(airsim, cost, name):
    guest = Caller(airsim.port)
    arguments = CHOSEN.get(name) or [largest(check) for check in METHODS[name].arguments]
    guest.socket.sendall(msgpack.packb([0, 1, name, arguments]))
    guest.socket.sendall(msgpack.packb([0, 2, "cancelLastTask", [""]]))
    guest.socket.settimeout(60.0)
    unpacker, told = msgpack.Unpacker(max_buffer_size=1 << 30), set()
    while not {1, 2} <= told:
        unpacker.feed(guest.socket.recv(1 << 20))
        told |= {message[1] for message in unpacker}
    guest.socket.close()
    assert max(cost, default=0.0) < LOOP


def test_what_clients_draw_is_bounded_in_points(airsim):
    from volery.core.drawings import Drawings

    drawings = Drawings()
    for i in range(60):
        drawings.add("line", [[float(i), 0.0, 0.0]] * 50_000)
    kept = drawings.snapshot(0)
    assert sum(len(d.p_W) for d in kept) <= 1_000_000 and kept[-1].p_W[0, 0] == 59.0


def test_things_and_robots_of_clients_are_bounded(airsim, monkeypatch):
    guest = Caller(airsim.port)
    monkeypatch.setattr("volery.protocols.airsim.object_calls._MOST_MADE", 3)
    monkeypatch.setattr("volery.protocols.airsim.object_calls._MOST_BODIES", 2)
    monkeypatch.setattr("volery.protocols.airsim.object_calls._MOST_SHAPES", 1)
    made = len(airsim.simulation.environment.edits.made)
    for i in range(made, 3):
        guest.call("simSpawnObject", f"few{i}", "Cube", {"position": PLACE}, PLACE, False, False)
    with pytest.raises(RuntimeError, match="there are 3 things"):
        guest.call("simSpawnObject", "one more", "Cube", {"position": PLACE}, PLACE, False, False)
    falling = guest.call("simSpawnObject", "falls", "Cube", {"position": PLACE}, PLACE, True, False)
    with pytest.raises(RuntimeError, match="there are 2 robots"):
        guest.call("simAddVehicle", "second", "simpleflight", {"position": PLACE}, "")
    guest.call("simDestroyObject", falling)
    assert [p.name.split("-")[0] for p in (airsim.door.out / "things").iterdir()] == ["cube"]
    assert guest.call("simSpawnObject", "again", "Cube", {"position": PLACE}, PLACE, True, False) == "again"
    guest.call("simDestroyObject", "again")
    with pytest.raises(RuntimeError, match="1 shapes"):
        guest.call("simSpawnObject", "other", "Cube", {"position": PLACE}, {**PLACE, "x_val": 2.0}, True, False)
    for i in range(made, 3):
        guest.call("simDestroyObject", f"few{i}")


def test_recordings_that_clients_begin_lie_below_the_folder(airsim):
    guest = Caller(airsim.port)
    guest.call("startRecording")
    until(lambda: list(airsim.door.out.glob("AirSim/*/images/*")))
    guest.call("stopRecording")
    (table,) = airsim.door.out.glob("AirSim/*/airsim_rec.txt")
    assert len(table.read_text().splitlines()) > 1


def test_a_recording_that_cannot_be_written_is_told_once(tmp_path, caplog):
    told = []
    with airsim_rig.served(speed=1.0) as server:
        server.door.out, server.door.on_fault = tmp_path, told.append
        guest = Caller(server.port)
        guest.call("startRecording")
        until(lambda: list(tmp_path.glob("AirSim/*/images/*")))
        (folder,) = tmp_path.glob("AirSim/*")
        os.rename(folder, tmp_path / "gone")
        until(lambda: told)
        time.sleep(0.3)
        guest.call("stopRecording")
    assert len(told) == 1 and "is not whole" in str(told[0]) and caplog.text.count("is not whole") == 1


# Descriptions of things

ALIASES = (
    "objects: "
    + "".join(f"&a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else 'x'}]{chr(10)}k{i}: " for i in range(12))
    + "1\n"
)


@pytest.fixture(scope="module")
def ueds():
    with ueds_rig.served(api="0.13") as running:
        yield running


def spawn_things(client, words):
    """Numbers of what was made, and what was wrong."""
    data = words.encode()
    reply = client.ok(19, f"Q{len(data)}s", len(data), data)
    count, numbers = reply.bytes(4)
    return struct.unpack(f"<{count}i", numbers), reply.text()


def test_aliases_in_a_description_are_refused_and_hold_nothing(ueds):
    game, other = ueds_rig.Client(ueds.door.port), ueds_rig.Client(ueds.door.port)
    assert len(ALIASES) < 700
    steps = ueds.simulation.clock.steps
    made, error = spawn_things(game, ALIASES)
    assert made == () and "objects:" in error and "aliases repeat more than" in error
    other.ok(1)
    until(lambda: ueds.simulation.clock.steps > steps + 5)
    assert spawn_things(game, "objects: [{asset: Cube}]")[1] == ""


def test_a_long_description_is_not_read_by_the_loop(ueds, monkeypatch):
    threads, parse = [], ueds_objects.parse_yaml
    monkeypatch.setattr(
        ueds_objects, "parse_yaml", lambda *a: (threads.append(threading.current_thread()), parse(*a))[1]
    )
    game = ueds_rig.Client(ueds.door.port)
    assert "too long" in spawn_things(game, "objects: [" + "{asset: Cube}, " * 40_000 + "]")[1]
    assert threads == []
    made, error = spawn_things(game, "objects: [" + "{asset: Cube}, " * 30 + "]")
    assert len(made) == 30 and not error and len(threads) == 1 and threads[0] is not ueds._thread
    game.ok(20, "i", -1)
