"""PX4's door: a stand-in that behaves as its SITL flies in lockstep, dies, comes back; enemies are sent away."""

import signal
import socket
import time

import numpy as np
import pytest

from autopilot_rig import WORLD, Flight, corners, free_ports, same
from volery.errors import BusError
from volery.loop import RealTimePace

pytest.importorskip("pymavlink")
from volery.protocols.px4.wire import Frames, mav

STANDIN = "px4_standin.py"
FINE = WORLD.replace("step: 0.0025", "step: 0.004")


def port():
    return free_ports(2, socket.SOCK_STREAM)


def flown(pace, *words, world=FINE):
    with Flight("px4", world, pace=pace, port=port()) as flight:
        client = flight.client(STANDIN, flight.door.links["uav1"].port, *words)
        out = client.communicate(timeout=120)[0]
        return flight.path(), out


def begun(track):
    """The part from the first motion on."""
    return track[np.argmax(np.abs(track[:, 3] - track[0, 3]) > 1e-3) :]


def test_a_square_is_flown_and_the_copter_lands():
    track, out = flown(None, "--leg", "4")
    assert "landed" in out and corners(track)
    assert track[:, 3].max() - track[0, 3] == pytest.approx(4.0, abs=0.4)
    for kind in ("HIL_SENSOR", "HIL_GPS", "HIL_STATE_QUATERNION", "HEARTBEAT"):
        assert kind in out


def test_the_pace_changes_nothing():
    slow, _ = flown(RealTimePace(1.0), "--until", "3")
    fast, _ = flown(RealTimePace(5.0), "--until", "3")
    slow, fast = begun(slow), begun(fast)
    assert slow[400, 3] > slow[0, 3] + 0.7 and same(slow[:400], fast[:400]) < 0.01


def test_a_hexacopter_has_its_motors_where_px4_has_them():
    world = "world: empty\nstep: 0.004\nrobots: {uav1: {type: hexa, physics: fleet, position: [0, 0, 0.6]}}"
    track, _ = flown(None, "--hexa", "--until", "9", world=world)
    assert abs(track[-1, 3] - track[0, 3] - 4.0) < 0.6 and track[-1, 2] - track[0, 2] > 1.0


def test_a_killed_firmware_is_waited_for_and_begins_anew(caplog):
    with caplog.at_level("INFO", logger="volery"), Flight("px4", FINE, port=port(), patience=0.4) as flight:
        where = flight.door.links["uav1"].port
        first = flight.client(STANDIN, where)
        flight.until(lambda: flight.simulation.robots["uav1"].p_WB[2] > 2.0)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(0.8)
        held = flight.ask(lambda: flight.simulation.clock.now_ns)
        time.sleep(0.2)
        assert flight.ask(lambda: flight.simulation.clock.now_ns) == held
        assert "landed" in flight.client(STANDIN, where, "--leg", "3").communicate(timeout=60)[0]
    said = [r.message for r in caplog.records]
    assert sum("is silent; the simulation waits" in m for m in said) == 1
    assert sum("has restarted" in m for m in said) == 1 and sum("is back" in m for m in said) == 1


def test_a_browser_and_a_mute_client_are_sent_away(monkeypatch):
    from volery.protocols.px4 import door

    monkeypatch.setattr(door, "_GREETING", 0.3)
    with Flight("px4", FINE, port=port()) as flight:
        where = ("127.0.0.1", flight.door.links["uav1"].port)
        for words in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 20, bytes(range(256)) * 20):
            with socket.create_connection(where) as enemy:
                enemy.settimeout(5.0)
                enemy.sendall(words)
                try:
                    while enemy.recv(4096):
                        pass
                except ConnectionError:
                    pass
        assert flight.ask(lambda: flight.simulation.clock.steps) == 0
        assert "until" in flight.client(STANDIN, where[1], "--until", "0.5").communicate(timeout=30)[0]


def test_ten_at_once():
    world = "world: empty\nstep: 0.004\nrobots:\n" + "".join(
        f"  uav{i}: {{type: x500, position: [{3 * i}, 0, 0.5], sensors: {{imu: off, rangefinder: off}}}}\n"
        for i in range(10)
    )
    with Flight("px4", world, port=free_ports(10, socket.SOCK_STREAM), patience=30.0) as flight:
        for link in flight.door.links.values():
            flight.client(STANDIN, link.port, "--until", "3")
        flight.until(lambda: min(r.p_WB[2] for r in flight.simulation.robots.values()) > 0.8, 90.0)


def test_bad_bytes_are_refused_and_controls_are_bounded():
    packer = mav.MAVLink(None, 1, 1)
    controls = mav.MAVLink_hil_actuator_controls_message(5, [2.0, float("nan"), -3.0] + [0.0] * 13, 129, 1)
    (found,) = Frames().take(controls.pack(packer))
    assert found.armed and found.values[:3].tolist() == [1.0, 0.0, -1.0]
    disarmed = mav.MAVLink_hil_actuator_controls_message(5, [1.0] * 16, 1, 1)
    assert not Frames().take(disarmed.pack(packer))[0].values.any()
    random = np.random.default_rng(5)
    refused = 0
    for _ in range(60):
        frames = Frames()
        try:
            for _ in range(40):
                data = bytearray(controls.pack(packer))
                for at in random.integers(0, len(data), 3):
                    data[at] = random.integers(256)
                for found in frames.take(bytes(data) + random.bytes(40)):
                    assert isinstance(found, str) or hasattr(found, "_fields")
        except BusError:
            refused += 1
    assert refused > 10
