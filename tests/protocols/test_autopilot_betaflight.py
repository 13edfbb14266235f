"""Betaflight's door: a stand-in that behaves as its SITL hovers, rolls by stick and lands in real time; bad bytes."""

import signal
import socket
import struct
import time

import numpy as np
import pytest

from autopilot_rig import WORLD, Flight, free_ports
from volery.errors import BusError, RobotError
from volery.loop import RealTimePace
from volery.protocols.betaflight.wire import motors_of, raw_motors_of, sticks_of, sticks_to

STANDIN = "betaflight_standin.py"
FINE = WORLD.replace("step: 0.0025", "step: 0.004")


def flight_of(old=False, **settings):
    first = free_ports(6)
    return Flight("betaflight", FINE, pace=RealTimePace(1.0), port=first, state_port=first + 2, older=old, **settings)


def ports(flight):
    link = flight.door.links["uav1"]
    return link.ports[0], link.settings.state_port


@pytest.mark.parametrize("old", [False, True])
def test_it_hovers_rolls_by_stick_and_lands(old):
    with flight_of(old) as flight:
        client = flight.client(STANDIN, *ports(flight), *(["--old"] if old else []), "--leg", "1.0")
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 2.0)
        before = flight.where()
        link = flight.door.links["uav1"]
        flight.ask(lambda: link.stick([1750, 1500, 1500, 1500]))
        # The nose looks east: to the right is south.
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[1] < before[1] - 0.05, 5.0)
        flight.ask(lambda: link.stick([1500, 1500, 1500, 1500]))
        assert "landed" in client.communicate(timeout=60)[0]
        track = flight.path()
    assert track[:, 3].max() > 2.2 and track[-1, 3] < track[0, 3] + 0.1


def test_a_killed_firmware_is_waited_for(caplog):
    with caplog.at_level("INFO", logger="volery"), flight_of(patience=0.4) as flight:
        first = flight.client(STANDIN, *ports(flight))
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 0.6)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(1.2)
        held = flight.ask(lambda: flight.simulation.clock.now_ns)
        time.sleep(0.3)
        assert flight.ask(lambda: flight.simulation.clock.now_ns) == held
        second = flight.client(STANDIN, *ports(flight))
        flight.until(lambda: flight.simulation.clock.now_ns > held + 500_000_000)
        assert second.poll() is None
    said = [r.message for r in caplog.records]
    assert sum("is silent; the simulation waits" in m for m in said) == 1 and sum("is back" in m for m in said) == 1


def test_hostile_datagrams_change_no_motor():
    with flight_of() as flight:
        flight.client(STANDIN, *ports(flight))
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 1.0)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as enemy:
            random = np.random.default_rng(2)
            for _ in range(300):
                for data in (random.bytes(68), struct.pack("<4f", 9e9, 0, 0, 0), b"", random.bytes(16)):
                    enemy.sendto(data, ("127.0.0.1", ports(flight)[0]))
                time.sleep(0.001)
        assert flight.where()[2] > 0.8


def test_only_multirotors_are_flown():
    world = "world: empty\nstep: 0.004\nrobots: {ugv1: {type: p3at, physics: mujoco, position: [0, 0, 0.3]}}"
    with pytest.raises(RobotError, match="multirotor"):
        Flight("betaflight", world, port=free_ports(4), robots=("ugv1",))


def test_bad_bytes_are_refused():
    assert sticks_of(sticks_to(1.0, [1500, 1600]))[1] == 1600
    raw = struct.pack("<Hxx16f", 4, 1000.0, 1500.0, 2000.0, 2300.0, *[0.0] * 12)
    assert raw_motors_of(raw).tolist() == [0.0, 0.5, 1.0, 1.0]
    assert motors_of(struct.pack("<4f", 0, 0.5, 1, 1.2)).tolist() == [0.0, 0.5, 1.0, 1.0]
    nan = float("nan")
    for decode, bad in (
        (motors_of, struct.pack("<4f", nan, 0, 0, 0)),
        (raw_motors_of, struct.pack("<Hxx16f", 17, *[1000.0] * 16)),
        (raw_motors_of, struct.pack("<Hxx16f", 4, *[nan] * 16)),
        (sticks_of, struct.pack("<d16H", nan, *[1500] * 16)),
        (sticks_of, struct.pack("<d16H", 0.0, *[60000] * 16)),
    ):
        for data in (bad, bad[:-1], b""):
            with pytest.raises(BusError):
                decode(data)
    random = np.random.default_rng(4)
    for _ in range(3000):
        for decode, size in ((motors_of, 16), (raw_motors_of, 68), (sticks_of, 40)):
            data = random.bytes(size if random.integers(3) else int(random.integers(0, 80)))
            try:
                found = decode(data)
            except BusError:
                continue
            assert np.isfinite(found).all()
