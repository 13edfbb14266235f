"""ArduPilot's door: a stand-in that behaves as its SITL flies in lockstep, dies, comes back, and is not fooled."""

import json
import math
import signal
import socket
import struct
import time

import numpy as np
import pytest

from autopilot_rig import WORLD, Flight, corners, free_ports, same
from volery.errors import BusError
from volery.protocols.ardupilot.wire import airsim_servos_of, servos_of

STANDIN = "ardupilot_standin.py"
TEN = "world: empty\nstep: 0.0025\nrobots:\n" + "".join(
    f"  uav{i}: {{type: x500, position: [{3 * i}, 0, 0.5], sensors: {{imu: off, rangefinder: off}}}}\n"
    for i in range(10)
)


def world_of(kind, physics="fleet"):
    robot = f"{{type: {kind}, physics: {physics}, position: [0, 0, 0.6]}}"
    return f"world: empty\nstep: 0.0025\nrobots:\n  uav1: {robot}\n"


def frame(count, pwm=1000, rate=400):
    return struct.pack("<HHI16H", 18458, rate, count, *[pwm] * 16)


def flown(speedup, *words, until=None, world=WORLD, **settings):
    """The true track of one flight by the stand-in, and what it printed."""
    with Flight("ardupilot", world, port=free_ports(), **settings) as flight:
        more = [] if until is None else ["--until", until]
        client = flight.client(STANDIN, flight.door.links["uav1"].port, "--speedup", speedup, *words, *more)
        out = client.communicate(timeout=120)[0]
        return flight.path(), out


def test_a_square_is_flown_and_the_copter_lands():
    track, out = flown(0, "--leg", 4)
    assert "landed" in out and "resending" not in out and corners(track)
    assert track[:, 3].max() - track[0, 3] == pytest.approx(4.0, abs=0.4)
    assert np.hypot(*(track[-1, 1:3] - track[0, 1:3])) < 0.3 and track[-1, 3] < track[0, 3] + 0.05
    told = np.array([line.split() for line in out.splitlines() if line[:1].isdigit()], float)
    # What the firmware was told is where the robot was: north is y, east is x, down is -z.
    at = track[np.searchsorted(track[:, 0], told[:, 0] + track[0, 0])]
    assert np.abs(at[:, [2, 1, 3]] - told[:, 1:] * [1, 1, -1]).max() < 0.02


def test_speedup_changes_nothing():
    """To the last bit, not only to a centimetre."""
    slow, _ = flown(1, until=3.0)
    fast, _ = flown(5, until=3.0)
    assert len(slow) > 1100 and same(slow, fast) < 1e-9
    assert slow[-1, 3] > slow[0, 3] + 0.7


@pytest.mark.slow
def test_a_whole_square_is_the_same_at_speedup_1_and_5():
    slow, _ = flown(1)
    fast, _ = flown(5)
    assert corners(slow) and corners(fast) and same(slow, fast) < 0.01


@pytest.mark.parametrize(
    ("kind", "shape", "hover"), [("hexa", "hexa", 0.38), ("octo", "octo", 0.38), ("f550", "hexa", 0.4)]
)
def test_more_motors_are_in_the_firmware_s_order(kind, shape, hover):
    track, _ = flown(0, "--frame", shape, "--hover", hover, "--wide", until=9.0, world=world_of(kind))
    at = track[track[:, 0] > track[0, 0] + 8.5]
    assert np.abs(at[:, 3] - track[0, 3] - 4.0).max() < 0.6
    # It is on its way to the first corner, north.
    assert (at[:, 2] - track[0, 2] > 1.0).all() and np.abs(at[:, 1] - track[0, 1]).max() < 0.6


@pytest.mark.parametrize(("kind", "words"), [("usarcar", []), ("p3at", ["--skid"])])
def test_a_rover_drives_to_where_it_is_steered(kind, words):
    track, _ = flown(0, "--kind", "rover", *words, until=6.0, world=world_of(kind, "mujoco"))
    gap = np.hypot(track[:, 1] - track[0, 1] - 3.0, track[:, 2] - track[0, 2] - 6.0)
    assert gap[-1] < gap[0] - 1.0


def test_each_output_turns_the_rotor_of_its_place():
    """ArduPilot's frame quad x: 1 front right, 2 rear left, 3 front left, 4 rear right; the first two turn counter-
    clockwise. Angular acceleration and its signs follow from which one is faster."""
    signs = {0: (-1, -1, -1), 1: (1, 1, -1), 2: (1, -1, 1), 3: (-1, 1, 1)}
    """Roll, pitch, yaw about x, y, z of the body (forward, left, up) when that motor pushes more."""
    for motor, wanted in signs.items():
        with Flight("ardupilot", port=free_ports()) as flight, _socket() as own:
            link = flight.door.links["uav1"]
            flight.ask(lambda: flight.simulation.place("uav1", np.array([0, 0, 50.0]), np.array([1.0, 0, 0, 0])))
            for count in range(30):
                pwm = [1450] * 16
                pwm[motor] = 1550
                _exchange(own, link.port, struct.pack("<HHI16H", 18458, 400, count, *pwm))
            w = flight.ask(lambda: flight.simulation.robots["uav1"].w_WB_W.copy())
            assert tuple(np.sign(w).astype(int)) == wanted and np.abs(w).min() > 0.01


def _socket():
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.settimeout(5.0)
    return own


def _exchange(own, port, data):
    own.sendto(data, ("127.0.0.1", port))
    return json.loads(own.recv(65000))


def test_a_frame_makes_one_step_or_as_many_as_its_rate_asks():
    with Flight("ardupilot", port=free_ports()) as flight, _socket() as own:
        port = flight.door.links["uav1"].port
        first = _exchange(own, port, frame(0))
        second = _exchange(own, port, frame(1))
        assert second["timestamp"] - first["timestamp"] == pytest.approx(0.0025)
        third = _exchange(own, port, frame(2, rate=50))
        assert third["timestamp"] - second["timestamp"] == pytest.approx(0.02)
        # A frame that is sent again is answered again, and makes no step.
        again = _exchange(own, port, frame(2, rate=50))
        assert again == third
        # At rest the accelerometer shows the ground's push: up, -z of the body.
        assert third["imu"]["accel_body"] == pytest.approx([0, 0, -9.80665], abs=0.05)
        assert third["position"][:2] == pytest.approx([1.0, 2.0], abs=1e-3)
        # The nose points east: 90° from north.
        q = third["quaternion"]
        assert math.degrees(2 * math.atan2(q[3], q[0])) == pytest.approx(90.0, abs=0.1)


def test_a_killed_firmware_is_waited_for_and_begins_anew(caplog):
    with caplog.at_level("INFO", logger="volery"), Flight("ardupilot", port=free_ports(), patience=0.4) as flight:
        port = flight.door.links["uav1"].port
        first = flight.client(STANDIN, port, "--speedup", "0")
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 2.0)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(0.8)
        held = flight.ask(lambda: flight.simulation.clock.now_ns)
        time.sleep(0.3)
        assert flight.ask(lambda: flight.simulation.clock.now_ns) == held
        second = flight.client(STANDIN, port, "--speedup", "0", "--leg", "3")
        out = second.communicate(timeout=60)[0]
        assert "landed" in out
        track = flight.path()
    said = [r.message for r in caplog.records]
    assert sum("is silent; the simulation waits" in m for m in said) == 1
    assert sum("has restarted" in m for m in said) == 1 and sum("is back" in m for m in said) == 1
    began = track[np.argmax(track[:, 0] > held * 1e-9 + 0.01)]
    assert np.hypot(*(began[1:3] - track[0, 1:3])) < 0.05


def test_the_simulation_goes_on_without_it_if_asked(caplog):
    with Flight("ardupilot", port=free_ports(), patience=0.3, silent="go_on") as flight:
        port = flight.door.links["uav1"].port
        flight.until(lambda: flight.simulation.clock.now > 0.2)
        client = flight.client(STANDIN, port, "--speedup", "0", "--mute-at", "5.5")
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 2.0)
        # It mutes itself in the air: the motors stop, and the drone falls.
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] < 0.5)
        assert client.poll() is None
        before = flight.door.links["uav1"]._count
        flight.until(lambda: flight.door.links["uav1"]._count > before + 100)
    assert sum("goes on, motors off" in r.message for r in caplog.records) == 2


def test_ten_fly_at_once():
    with Flight("ardupilot", TEN, port=(first := free_ports(100)), patience=20.0) as flight:
        ports = [link.port for link in flight.door.links.values()]
        assert ports == [first + 10 * i for i in range(10)]
        clients = [flight.client(STANDIN, p, "--speedup", "0", "--until", "3.5", "--rise", "9") for p in ports]
        # The last one that ends leaves the others waiting, which is what lockstep means.
        flight.until(lambda: flight.simulation.clock.now > 3.3, 90.0)
        heights = flight.ask(lambda: [flight.track[f"uav{i}"][-1][3] for i in range(10)])
        assert min(heights) > 0.6 and max(heights) - min(heights) < 1e-6
        assert len(clients) == 10


def test_hostile_datagrams_do_not_reach_a_flight():
    with Flight("ardupilot", port=free_ports()) as flight:
        port = flight.door.links["uav1"].port
        client = flight.client(STANDIN, port, "--speedup", "0", "--leg", "3")
        assert "met" in client.stdout.readline()
        random = np.random.default_rng(3)
        with _socket() as enemy:
            count = 0
            while client.poll() is None and count < 100_000:
                junk = random.bytes(int(random.integers(0, 100)))
                for data in (junk, frame(count % 7, 2000), frame(0, 0), frame(5, 65535), b"", frame(9)[:-1]):
                    enemy.sendto(data, ("127.0.0.1", port))
                count += 1
                time.sleep(0.002)
        assert count > 20
        assert "landed" in client.communicate(timeout=60)[0] and corners(flight.path())


def test_bad_bytes_are_refused():
    assert servos_of(frame(7)).frame == 7 and len(servos_of(frame(7)).pwm) == 16
    wide = struct.pack("<HHI32H", 29569, 400, 7, *range(32))
    assert servos_of(wide).pwm[31] == 31
    for bad in (b"", frame(1)[:-1], frame(1) + b"\0", wide[:-2], frame(1, rate=0), frame(1, pwm=4000)):
        with pytest.raises(BusError):
            servos_of(bad)
    assert airsim_servos_of(struct.pack("<2f", 0.5, -1.0)).pwm[:3].tolist() == [1000, 0, 1750]
    for bad in (b"", b"\0" * 21, struct.pack("<2f", math.nan, 0), struct.pack("<11H", *[9999] * 11)):
        with pytest.raises(BusError):
            airsim_servos_of(bad)
    random = np.random.default_rng(1)
    for _ in range(3000):
        data = bytearray(random.bytes(int(random.integers(0, 90))))
        if len(data) > 2 and random.integers(2):
            data[:2] = struct.pack("<H", int(random.choice([18458, 29569])))
        for decode in (servos_of, airsim_servos_of):
            try:
                servos = decode(bytes(data))
            except BusError:
                continue
            assert servos.rate > 0 and servos.pwm.max() <= 3000


def test_rangefinders_and_the_lidar_s_sides_are_distances():

    lidar = "{type: lidar, model: vlp16, rate: 10}"
    world = (
        f"world: empty\nstep: 0.0025\nrobots:\n  uav1: {{type: x500, position: [0, 0, 10], sensors: {{l: {lidar}}}}}\n"
    )
    world += "  wall: {type: carton, position: [4, 0, 10], physics: kinematic}\n"
    with Flight("ardupilot", world, port=free_ports(), robots=("uav1",), ground=False) as flight, _socket() as own:
        port = flight.door.links["uav1"].port
        for count in range(60):
            state = _exchange(own, port, frame(count, 1000))
        height = flight.where()[2]
        assert state["rng_1"] == pytest.approx(height, abs=0.4)
        assert 3.0 < state["rng_2"] < 4.5 and min(state["rng_3"], state["rng_4"], state["rng_5"]) > 30.0
