"""Hardware in the loop over a serial line: a controller in another process at the other end of a pseudo-terminal."""

import os
import subprocess
import sys
import tty

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from links_rig import wait_until
from volery.errors import ScenarioError, SimulationError
from volery.physics.multirotor.parameters import airframe_of
from volery.protocols.udp.control import Control, ControlLink, ControlSettings
from volery.protocols.udp.serial_line import framed, unframed
from volery.scenario import read_scenario
from volery.sim import Simulation

# As a board would: nothing of ours, SLIP and CRC by hand, bit by bit.
CONTROLLER = """
import os, struct, sys
line, mass, x, y, z = int(sys.argv[1]), *map(float, sys.argv[2:])
def crc(data):
    r = 0xFFFF
    for b in data:
        r ^= b << 8
        for _ in range(8):
            r = (r << 1 ^ 0x1021) & 0xFFFF if r & 0x8000 else r << 1 & 0xFFFF
    return r
def send(message):
    out = b"\\xc0"
    for b in message + struct.pack("<H", crc(message)):
        out += {0xC0: b"\\xdb\\xdc", 0xDB: b"\\xdb\\xdd"}.get(b, bytes([b]))
    os.write(line, out + b"\\xc0")
send(struct.pack("<6d", 0, 0, mass * 9.80665, 0, 0, 0))
print("ready", flush=True)
frame, escaped, count = b"", False, 0
while True:
    for b in os.read(line, 4096):
        if b == 0xC0:
            if len(frame) == 122 and crc(frame[:-2]) == struct.unpack("<H", frame[-2:])[0]:
                n, t, px, py, pz, w, a, b_, c, vx, vy, vz, wx, wy, wz = struct.unpack("<15d", frame[:-2])
                force = (mass * (4 * (x - px) - 4 * vx), mass * (4 * (y - py) - 4 * vy),
                         mass * (9.80665 + 4 * (z - pz) - 4 * vz))
                turn = [-0.05 * wv - 0.5 * q for wv, q in zip((wx, wy, wz), (a, b_, c))]
                answer = struct.pack("<7d", *force, *turn, n)
                count += 1
                if count % 10 == 0:
                    os.write(line, b"\\xc0noise of the line\\xc0")
                send(answer)
            frame, escaped = b"", False
        elif b == 0xDB:
            escaped = True
        else:
            frame += bytes([{0xDC: 0xC0, 0xDD: 0xDB}[b] if escaped else b])
            escaped = False
"""
SCENE = "world: empty\nrobots: {uav1: {type: quad, physics: mujoco, position: [0, 0, 2], sensors: {scanner: off}}}"


@given(st.binary(min_size=1, max_size=300))
def test_what_goes_into_a_frame_comes_out_and_a_changed_byte_does_not(message):
    frame = framed(message)
    assert frame[:1] == frame[-1:] == b"\xc0" and b"\xc0" not in frame[1:-1]
    assert unframed(frame[1:-1]) == message
    changed = bytearray(frame[1:-1])
    changed[len(changed) // 2] ^= 0x10
    assert unframed(bytes(changed)) != message


def test_the_crc_is_the_one_of_the_standard():
    assert framed(b"123456789")[-3:-1] == bytes([0xB1, 0x29])  # CRC-16/CCITT-FALSE of it is 29B1


def test_a_controller_on_a_serial_line_flies_a_drone_step_by_step():
    ours, theirs = os.openpty()
    tty.setraw(ours)
    simulation = Simulation(read_scenario(SCENE))
    link = ControlLink(serial=os.ttyname(theirs), exchange="lockstep", axes="world", timeout=20.0)
    control = Control(simulation, None, ControlSettings({"uav1": link}))
    control.start()
    mass = airframe_of(simulation.robots["uav1"]).mass
    process = subprocess.Popen(
        [sys.executable, "-c", CONTROLLER, str(ours), str(mass), "1.0", "0.5", "2.5"], pass_fds=[ours],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout.readline().strip() == "ready"
        end = control.ends["uav1"]
        wait_until(lambda: end._newest is not None)
        simulation.run(600)
        assert simulation.robots["uav1"].p_WB == pytest.approx([1.0, 0.5, 2.5], abs=0.05)
        assert end._datagrams.broken >= 50 and not end.gone
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        control.close()
        os.close(ours)
        os.close(theirs)


def test_lines_that_cannot_be_are_refused(tmp_path):
    (tmp_path / "file").write_text("no line")
    for device, words in ((tmp_path / "none", "cannot be used"), (tmp_path / "file", "no serial line")):
        with pytest.raises(SimulationError, match=words):
            Control(Simulation(read_scenario(SCENE)), None, ControlSettings({"uav1": ControlLink(serial=str(device))}))
    with pytest.raises(ScenarioError, match="neither"):
        ControlLink(serial="/dev/ttyUSB0", port=9880)
    with pytest.raises(ScenarioError, match="115200"):
        ControlLink(serial="/dev/ttyUSB0", baud=12345)
    assert np.isfinite(ControlLink(serial="/dev/ttyUSB0", baud=921_600).rate)
