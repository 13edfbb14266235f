"""The wire of AirSim's server: many clients, clients that vanish, and clients that send anything at all."""

import random
import resource
import socket
import subprocess
import sys
import threading
import time

import msgpack
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from airsim_rig import served
from volery.protocols.airsim import codec
from volery.protocols.airsim.arguments import METHODS

SLOW_ON_PURPOSE = {"simCreateVoxelGrid", "startRecording", "simContinueForTime", "simContinueForFrames", "simPause"}
"""Methods that write files or hold the clock: not for random arguments."""


class Raw:
    """A client without any of AirSim's code."""

    def __init__(self, port, timeout=60.0):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = msgpack.Unpacker(raw=False, strict_map_key=False)
        self.number = 0

    def send(self, method, *arguments):
        self.number += 1
        self.socket.sendall(msgpack.packb([0, self.number, method, list(arguments)]))
        return self.number

    def receive(self):
        while True:
            for message in self.reader:
                return message
            data = self.socket.recv(1 << 20)
            if not data:
                raise ConnectionError("closed")
            self.reader.feed(data)

    def call(self, method, *arguments):
        number = self.send(method, *arguments)
        kind, answered, error, result = self.receive()
        assert (kind, answered) == (1, number)
        if error is not None:
            raise RuntimeError(error)
        return result

    def close(self):
        self.socket.close()


@pytest.fixture(scope="module")
def server():
    with served(speed=1.0) as running:
        yield running


@pytest.fixture
def raw(server):
    client = Raw(server.port)
    yield client
    client.close()


def test_the_bytes_of_a_ping(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
        wire.sendall(bytes.fromhex("940000a470696e6790"))
        assert wire.recv(100) == bytes.fromhex("940100c0c3")


def test_errors_in_rpclibs_words_leave_the_connection_open(raw):
    for call, words in (
        (("noSuchMethod", 1), "could not find function 'noSuchMethod' with argument count 1"),
        (("ping", 1, 2), "invalid number of arguments"),
        (("getMultirotorState", 7), "threw an exception"),
        (("moveToPosition", "a", *[0.0] * 9), "argument 1: expected a number"),
        (("simSetVehiclePose", {"position": 3}, True, ""), "expected a structure"),
        (("getImuData", "nope", ""), "No IMU with name 'nope'"),
    ):
        with pytest.raises(RuntimeError, match=words.replace("(", r"\(")):
            raw.call(*call)
        assert raw.call("ping") is True


def test_several_requests_at_once_and_in_pieces(server, raw):
    data = b"".join(msgpack.packb([0, i, "ping", []]) for i in range(500))
    for i in range(0, len(data), 7):
        raw.socket.sendall(data[i : i + 7])
    assert [raw.receive()[1] for _ in range(500)] == list(range(500))
    raw.socket.sendall(msgpack.packb([2, "ping", []]))
    assert raw.call("ping") is True, "a notification has no answer"


def test_answers_come_while_a_task_runs(raw):
    raw.call("reset")
    raw.call("enableApiControl", True, "")
    task = raw.send("takeoff", 20.0, "")
    others = [raw.send("ping") for _ in range(5)]
    assert [raw.receive()[1] for _ in others] == others
    assert raw.receive() == [1, task, None, True]


def test_the_clock_is_held_and_goes_on_by_exact_amounts(raw):
    def stamp():
        return raw.call("getMultirotorState", "")["timestamp"]

    for i in range(60):
        time.sleep(0.0007 * (i % 20))
        raw.call("simPause", True)
        held = stamp()
        raw.call("simContinueForFrames", 3)
        on = stamp()
        time.sleep(0.012)
        assert (on - held, stamp() - on) == (30_000_000, 0)
        raw.call("simPause", False)


def test_a_client_that_vanishes_leaves_its_drone_hovering(server, raw):
    raw.call("reset")
    raw.call("enableApiControl", True, "")
    assert raw.call("takeoff", 20.0, "") is True
    doomed = Raw(server.port)
    doomed.send("moveByVelocity", 3.0, 0.0, 0.0, 1000.0, 0, {"is_rate": True, "yaw_or_rate": 0.0}, "")

    def speed():
        v = raw.call("simGetGroundTruthKinematics", "")["linear_velocity"]
        return np.linalg.norm([v["x_val"], v["y_val"], v["z_val"]])

    def wait(condition):
        end = time.monotonic() + 60
        while not condition() and time.monotonic() < end:
            time.sleep(0.02)
        assert condition()

    wait(lambda: speed() > 2.5)
    doomed.close()
    wait(lambda: speed() < 0.1)
    # Its loops swing back to the place where it was left
    time.sleep(3.0)
    wait(lambda: speed() < 0.1)
    where = raw.call("simGetVehiclePose", "")["position"]
    time.sleep(0.5)
    later = raw.call("simGetVehiclePose", "")["position"]
    assert where["z_val"] == pytest.approx(-2.14, abs=0.5)
    assert [later[k] for k in where] == pytest.approx(list(where.values()), abs=0.1)


LOAD = """
import socket, sys, time, msgpack
port, method, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
s = socket.create_connection(("127.0.0.1", port)); s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
arguments = [""] if method != "ping" else []
lost = 0
reader = msgpack.Unpacker(raw=False)
begin = time.perf_counter()
for i in range(count):
    s.sendall(msgpack.packb([0, i, method, arguments]))
    answered = None
    while answered is None:
        reader.feed(s.recv(1 << 16))
        for message in reader: answered = message
    lost += answered[1] != i or answered[2] is not None
print(lost, count / (time.perf_counter() - begin))
"""


def run_load(port, method, count):
    return subprocess.Popen(
        [sys.executable, "-c", LOAD, str(port), method, str(count)], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("method", ["ping", "getMultirotorState", "simGetVehiclePose"])
def test_a_simple_call_costs_less_than_a_third_of_a_millisecond(server, raw, method):
    raw.call("simPause", True)
    try:
        before = resource.getrusage(resource.RUSAGE_SELF)
        load = run_load(server.port, method, 4000)
        lost, rate = load.communicate(timeout=200)[0].split()
        after = resource.getrusage(resource.RUSAGE_SELF)
    finally:
        raw.call("simPause", False)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert lost == "0"
    assert seconds / 4000 < 1 / 3000, f"{rate} calls/s"


@pytest.mark.parametrize("each", [250, pytest.param(5000, marks=pytest.mark.slow)])
def test_no_call_of_twenty_clients_is_lost(server, each):
    loads = [run_load(server.port, "ping" if i % 2 else "simGetVehiclePose", each) for i in range(20)]
    assert [load.communicate(timeout=600)[0].split()[0] for load in loads] == ["0"] * 20


class Watcher:
    """A client that goes on calling while others misbehave."""

    def __init__(self, port):
        self._raw = Raw(port)
        self.worst, self.count = 0.0, 0
        self._on = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while self._on:
            begin = time.monotonic()
            assert self._raw.call("ping") is True
            self.worst = max(self.worst, time.monotonic() - begin)
            self.count += 1
            time.sleep(0.002)

    def stop(self):
        self._on = False
        self._thread.join(timeout=60)
        self._raw.close()
        return self.count


def test_a_million_random_bytes_hurt_nobody(server):
    watcher, draw = Watcher(server.port), random.Random(8)
    steps = server.simulation.clock.steps
    sent = 0
    while sent < 1_000_000:
        data = draw.randbytes(draw.choice([3, 50, 1000, 20_000]))
        sent += len(data)
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as wire:
            try:
                wire.sendall(data)
                wire.settimeout(0.01)
                wire.recv(1 << 16)
            except OSError:
                pass
    assert watcher.stop() > 20
    assert watcher.worst < 5.0
    assert server.simulation.clock.steps > steps and server.failure is None


@pytest.mark.parametrize(
    "data",
    [
        b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff" + b"x" * 100,
        b"\x91" * 5000, b"\x94\x00\x01\xa4ping\xdd\x00\x0f\xff\xff", b"\xc1" * 100, b"\x94" * 3,
        b"\xd9\xff" + b"\xff" * 255, msgpack.packb([0, 1, ["ping"], []]),
        msgpack.packb([0, -1, "ping", []]) * 200, msgpack.packb([0, 1, "ping", {}]),
        msgpack.packb([5, 1, "ping", []]) * 3, msgpack.packb("hello") * 300, msgpack.packb([0, 1, "x" * 100_000, []]),
    ],
)  # fmt: skip
def test_hostile_requests_end_or_are_answered(server, raw, data):
    wire = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    try:
        wire.sendall(data)
    except OSError:
        pass
    assert raw.call("ping") is True
    wire.close()
    assert raw.call("ping") is True and server.failure is None


def test_a_client_that_never_reads_waits_alone(server, raw):
    greedy = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    request = msgpack.packb([0, 1, "getLidarData", ["", ""]])
    try:
        greedy.settimeout(2)
        for _ in range(40):
            greedy.sendall(request * 200)
    except OSError:
        pass
    for _ in range(50):
        assert raw.call("ping") is True
    waiting = [c._transport.get_write_buffer_size() for c in server.door.wire.clients]
    assert max(waiting) < 64 << 20, "what waits for it has a bound"
    greedy.close()


KEYS = ["x_val", "y_val", "z_val", "w_val", "position", "orientation", "is_rate", "yaw_or_rate", "image_type"]
PLAIN = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(max_size=20), st.binary()
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
NAMES = sorted(set(METHODS) - SLOW_ON_PURPOSE)


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(method=st.sampled_from(NAMES) | st.text(max_size=30), values=st.lists(PLAIN, max_size=11), data=st.data())
def test_any_arguments_get_an_answer(server, method, values, data):
    if method in METHODS and data.draw(st.booleans()):
        count = len(METHODS[method].arguments)
        values = (values * (count + 1))[:count] if values else [""] * count
    client = Raw(server.port)
    try:
        number = client.send(method, *values)
        while True:
            kind, answered, error, _ = client.receive()
            assert kind == 1 and (error is None or error.startswith("rpclib:"))
            if answered == number:
                break
    finally:
        client.close()
    assert server.failure is None


def test_the_simulation_still_runs_after_all_that(server, raw):
    raw.call("simPause", False)
    before = server.simulation.clock.steps
    raw.call("reset")
    end = time.monotonic() + 30
    while server.simulation.clock.steps < before + 20 and time.monotonic() < end:
        time.sleep(0.01)
    assert server.simulation.clock.steps >= before + 20


def test_packed_arrays_are_what_msgpack_reads():
    values = np.array([1.5, -2.25, np.inf, 0.0] * 5000, np.float32)
    assert msgpack.unpackb(codec.floats(values).data) == values.tolist()
    assert msgpack.unpackb(codec.whole_numbers(np.array([3, -1, 2])).data) == [3, -1, 2]
    assert msgpack.unpackb(codec.whole_numbers(np.array([3, 4_000_000_000], np.uint32)).data) == [3, 4_000_000_000]
    many = {f"k{i}": i for i in range(20)}
    assert msgpack.unpackb(codec.packed_map({**many, "a": codec.floats(values[:3])}).data)["a"] == values[:3].tolist()
    assert msgpack.unpackb(codec.packed_list([1, codec.PackedValue(b"\xc3")] * 10).data) == [1, True] * 10
