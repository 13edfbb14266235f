"""Physics in other processes: over the bus and over UDP, free and in lockstep, and what happens when they die."""

import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus_rig import eventually, free_port
from volery.bus.bus import Bus, BusConfig
from volery.bus.link import BusLink
from volery.commands.traffic import Traffic
from volery.errors import BusError, CommandError, SimulationError
from volery.physics.external import Link
from volery.physics.packets import Hello, MotionPacket, StatePacket, WrenchPacket, decode_packet
from volery.protocols.udp.server import UdpLink
from volery.robots.commands import Velocity
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

SCENARIO = """
world: empty
engines: {{external: {{exchange: {exchange}, timeout: {timeout}, gone: {gone}}}}}
robots:
  uav1: {{type: probe, physics: external, position: [0, 0, 5], sensors: {{scanner: off}}}}
  uav2: {{type: probe, physics: external, position: [9, 0, 5], sensors: {{scanner: off}}}}
"""
# A module in a process of its own: the robot goes along x at 1 m/s.
MODULE = """
import sys
from volery.client import Client
with Client(sys.argv[1], sys.argv[2]) as robot:
    print("ready", flush=True)
    for state in robot.states():
        robot.move(state, state.p_WB + [0.01, 0, 0], state.q_WB_wxyz, [1.0, 0, 0])
"""
# The same over UDP, with nothing of ours.
UDP_MODULE = """
import socket, struct, sys
name, port = sys.argv[1].encode(), int(sys.argv[2])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
s.send(struct.pack("<4sBBHQq32s", b"VLRY", 1, 4, 0, 0, 0, name))
print("ready", flush=True)
while True:
    data = s.recv(65507)
    _, _, kind, _, step, time, robot = struct.unpack_from("<4sBBHQq32s", data)
    x, y, z, *q = struct.unpack_from("<7d", data, 56)
    body = struct.pack("<13dHH", x + 0.01, y, z, *q, 1.0, 0, 0, 0, 0, 0, 0, 0)
    s.send(struct.pack("<4sBBHQq32s", b"VLRY", 1, 2, 0, step, time, name) + body)
"""


def scenario(exchange="free", timeout=0.5, gone="hold"):
    return read_scenario(SCENARIO.format(exchange=exchange, timeout=timeout, gone=gone))


class Modules:
    """Processes that end with the test."""

    def __init__(self):
        self.running = []

    def start(self, code, *arguments):
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True
        )
        self.running.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    def end(self):
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def modules():
    found = Modules()
    yield found
    found.end()


@pytest.fixture
def bus_and_address():
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus:
        yield bus, address


class Answers(Link):
    """The other side inside the test."""

    def __init__(self, answer):
        self.answer, self.sent, self.last = answer, [], {}

    def send(self, packet):
        self.sent.append(packet)
        made = self.answer(packet)
        if made is not None:
            self.last[packet.robot] = made

    def newest(self, robot):
        return self.last.get(robot)

    def wait(self, robot, step, timeout):
        found = self.last.get(robot)
        return found if found is not None and found.step == step else None


def pace(simulation, seconds):
    """In real time, as a user would run it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        simulation.step()
        time.sleep(max(0.01 - (time.monotonic() - began), 0))


# Packets


def test_packets_go_both_ways():
    state = StatePacket(
        "uav1", 7, 123, np.arange(3.0), np.arange(4.0), np.ones(3), np.zeros(3), np.ones(3), np.arange(5.0)
    )
    motion = MotionPacket(
        "uav1", 7, 123, *(np.arange(float(n)) for n in (3, 4, 3, 3)), np.arange(2.0), np.ones((22, 4))
    )
    wrench = WrenchPacket("ü", 2**40, -1, np.arange(3.0), np.ones(3))
    for packet in (state, motion, wrench, Hello("x", 0, 0)):
        again = decode_packet(packet.encode())
        assert type(again) is type(packet)
        assert again.encode() == packet.encode()
    assert len(WrenchPacket("a", 0, 0, np.zeros(3), np.zeros(3)).encode()) == 56 + 48
    with pytest.raises(BusError, match="too long"):
        Hello("n" * 40, 0, 0).encode()


@given(st.binary(max_size=300) | st.binary(max_size=250).map(lambda b: b"VLRY\x01" + b))
def test_any_bytes_are_read_or_refused(data):
    try:
        packet = decode_packet(data)
    except BusError:
        return
    assert packet.encode()[:6] == data[:6]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(bad):
    packet = WrenchPacket("a", 0, 0, np.array([0, bad, 0.0]), np.zeros(3))
    with pytest.raises(BusError, match="NaN or infinite"):
        decode_packet(packet.encode())


# The engine


def test_motion_joints_and_bones_are_taken_over(tmp_path):
    text = SCENARIO.format(exchange="lockstep", timeout=1, gone="hold").replace("probe", "quad")
    simulation = Simulation(read_scenario(text))
    q = np.array([np.cos(0.2), 0, 0, np.sin(0.2)])
    bones = np.tile([1.0, 0, 0, 0], (5, 1))
    bones[2] = q

    def answer(s):
        return MotionPacket(
            s.robot, s.step, s.time_ns, s.p_WB + [0, 0, 1], q, np.ones(3), np.ones(3), np.full(4, 0.3), bones
        )

    simulation.connect("external", Answers(answer))
    simulation.step()
    robot = simulation.robots["uav1"]
    assert np.allclose(robot.p_WB, [0, 0, 6]) and np.allclose(robot.q_WB_wxyz, q)
    assert np.allclose(robot.joint_positions, 0.3) and np.allclose(robot.v_WB_W, 1)
    assert not np.allclose(robot.X_bone[2], np.eye(3, 4))
    with pytest.raises(CommandError, match="another process"):
        simulation.command("uav1", Velocity())


def test_wrenches_move_a_mass():
    simulation = Simulation(scenario("lockstep"))
    force = {"uav1": np.array([0.0, 0, 9.80665]), "uav2": np.array([2.0, 0, 0])}  # the probe has 1 kg
    simulation.connect(
        "external", Answers(lambda s: WrenchPacket(s.robot, s.step, s.time_ns, force[s.robot], np.zeros(3)))
    )
    simulation.run(100)
    assert np.allclose(simulation.robots["uav1"].p_WB, [0, 0, 5], atol=1e-9), "hover"
    fallen = simulation.robots["uav2"]
    assert fallen.p_WB == pytest.approx([10, 0, 5 - 9.80665 / 2], abs=0.01)
    assert fallen.v_WB_W == pytest.approx([2, 0, -9.80665], abs=1e-6)


def test_a_torque_turns_it():
    simulation = Simulation(scenario("lockstep"))
    up = np.array([0.0, 0, 9.80665])
    simulation.connect(
        "external", Answers(lambda s: WrenchPacket(s.robot, s.step, s.time_ns, up, np.array([0, 0, 0.004])))
    )
    simulation.run(100)
    # A sphere of 1 kg and 0.1 m: 2/5 m r² = 0.004 kg m².
    assert simulation.robots["uav1"].w_WB_W == pytest.approx([0, 0, 1.0], rel=1e-3)


def test_a_bad_answer_changes_nothing_and_the_other_robot_goes_on():
    simulation = Simulation(scenario("lockstep"))

    def answer(s):
        q = np.zeros(4) if s.robot == "uav1" else s.q_WB_wxyz
        return MotionPacket(s.robot, s.step, s.time_ns, s.p_WB + [1, 0, 0], q, np.zeros(3), np.zeros(3))

    simulation.connect("external", Answers(answer))
    simulation.run(3)
    assert np.allclose(simulation.robots["uav1"].p_WB, [0, 0, 5])
    assert np.allclose(simulation.robots["uav2"].p_WB, [12, 0, 5])


@pytest.mark.parametrize("gone", ["hold", "coast", "stop"])
def test_what_is_done_when_the_other_side_is_gone(gone):
    simulation = Simulation(scenario("lockstep", 0.05, gone))

    def answer(s):
        if s.step > 10:
            return None
        return MotionPacket(
            s.robot, s.step, s.time_ns, s.p_WB + [0.01, 0, 0], s.q_WB_wxyz, np.array([1.0, 0, 0]), np.zeros(3)
        )

    simulation.connect("external", Answers(answer))
    simulation.run(10)
    if gone == "stop":
        with pytest.raises(SimulationError, match="the run ends"):
            simulation.step()
        return
    simulation.run(100)
    where = {"hold": 0.1, "coast": 1.1}[gone]
    assert simulation.robots["uav1"].p_WB[0] == pytest.approx(where, abs=1e-9)


def test_snapshots_hold_what_was_heard():
    def start():
        simulation = Simulation(scenario("lockstep"))
        simulation.connect(
            "external", Answers(lambda s: WrenchPacket(s.robot, s.step, s.time_ns, np.array([1.0, 0, 9]), np.zeros(3)))
        )
        return simulation

    whole = start()
    whole.run(20)
    state = whole.state()
    whole.run(20)
    other = start()
    other.restore(state)
    other.run(20)
    assert other.state_hash() == whole.state_hash()


# Real processes


def test_two_modules_at_once_over_the_bus_free_running(bus_and_address, modules):
    bus, address = bus_and_address
    simulation = Simulation(scenario("free", 0.3))
    simulation.connect("external", BusLink(bus))
    simulation.step()
    first, _ = modules.start(MODULE, "uav1", address), modules.start(MODULE, "uav2", address)
    pace(simulation, 2.0)
    places = {n: r.p_WB.copy() for n, r in simulation.robots.items()}
    assert places["uav1"][0] > 0.3 and places["uav2"][0] > 9.3
    first.send_signal(signal.SIGKILL)
    first.wait()
    pace(simulation, 1.0)
    held = simulation.robots["uav1"].p_WB.copy()
    pace(simulation, 0.5)
    assert np.array_equal(simulation.robots["uav1"].p_WB, held), "it stays"
    assert np.allclose(simulation.robots["uav1"].v_WB_W, 0)
    assert simulation.robots["uav2"].p_WB[0] > places["uav2"][0] + 0.3, "the other goes on"
    modules.start(MODULE, "uav1", address)
    pace(simulation, 2.0)
    assert simulation.robots["uav1"].p_WB[0] > held[0] + 0.2, "a new module takes over"


def test_lockstep_over_the_bus_is_exact_and_survives_a_kill(bus_and_address, modules):
    bus, address = bus_and_address
    simulation = Simulation(scenario("lockstep", 5.0, "coast"))
    link = BusLink(bus)
    simulation.connect("external", link)
    for name in simulation.robots:
        link._end(name)
    first = modules.start(MODULE, "uav1", address)
    modules.start(MODULE, "uav2", address)
    eventually(lambda: all(link._end(n)[0].wanted for n in simulation.robots))
    simulation.run(100)
    assert [r.p_WB[0] for r in simulation.robots.values()] == pytest.approx([1.0, 10.0], abs=1e-12)
    first.send_signal(signal.SIGKILL)
    first.wait()
    began = time.monotonic()
    simulation.run(50)
    assert time.monotonic() - began < 20, "it is waited for once, not at every step"
    assert simulation.robots["uav1"].p_WB[0] == pytest.approx(1.5, abs=1e-9), "it coasts"
    assert simulation.robots["uav2"].p_WB[0] == pytest.approx(10.5, abs=1e-12)


def test_udp_from_a_stranger_in_lockstep(modules):
    simulation = Simulation(scenario("lockstep", 5.0))
    link = UdpLink(0)
    try:
        simulation.connect("external", link)
        for name in simulation.robots:
            modules.start(UDP_MODULE, name, link.port)
        eventually(lambda: len(link._others) == 2)
        simulation.run(200)
        assert [r.p_WB[0] for r in simulation.robots.values()] == pytest.approx([2.0, 11.0], abs=1e-12)
    finally:
        link.close()


@pytest.mark.parametrize("link", ["udp", "bus"])
def test_without_a_bus_udp_is_heard_and_the_bus_is_missed_aloud(link, modules, caplog):
    """As `volery run --no-bus` does it."""
    port = free_port()
    text = f"world: empty\nengines:\n  external: {{exchange: lockstep, link: {link}, port: {port}, timeout: 5}}\n"
    robots = "robots:\n  uav1: {type: quad, physics: external, position: [0, 0, 5], sensors: {scanner: off}}\n"
    simulation = Simulation(read_scenario(text + robots))
    traffic = Traffic(simulation, SimpleNamespace(no_bus=True, record=None))
    try:
        if link == "bus":
            assert "waits for physics from the bus, and there is none" in caplog.text and not traffic.timings
            return
        assert caplog.text == ""
        modules.start(UDP_MODULE, "uav1", port)
        simulation.run(100)
        assert simulation.robots["uav1"].p_WB[0] == pytest.approx(1.0, abs=1e-9)
    finally:
        traffic.close()


def test_udp_takes_garbage_late_and_double_packets(modules):
    link = UdpLink(0)
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        client.connect(("127.0.0.1", link.port))
        rng = np.random.default_rng(1)
        for n in range(1, 501):
            client.send(rng.bytes(int(rng.integers(1, 400))))
            if n % 50 == 0:
                # The kernel drops what its buffer cannot hold.
                eventually(lambda n=n: link.refused == n)

        def motion(step, x):
            return MotionPacket(
                "uav1", step, 0, np.array([x, 0, 0]), np.array([1.0, 0, 0, 0]), np.zeros(3), np.zeros(3)
            )

        for step, x in ((5, 5.0), (5, 5.0), (4, 4.0), (6, 6.0), (3, 3.0)):
            client.send(motion(step, x).encode())
        bad = bytearray(motion(7, 7.0).encode())
        struct.pack_into("<d", bad, 56, np.nan)
        client.send(bytes(bad))
        eventually(lambda: link.refused == 501)
        assert link.newest("uav1").p_WB[0] == 6.0
        assert link.wait("uav1", 99, 0.05) is None
        client.send(motion(2000, 1.0).encode())
        client.send(motion(1, 2.0).encode())
        eventually(lambda: link.newest("uav1").step == 1)
        assert link.newest("uav1").p_WB[0] == 2.0, "the simulation began anew"
        with pytest.raises(SimulationError, match="cannot be used"):
            UdpLink(link.port)
    finally:
        client.close()
        link.close()


def test_a_silent_module_costs_a_free_loop_nothing(bus_and_address):
    bus, _ = bus_and_address
    simulation = Simulation(scenario("free", 0.05))
    simulation.connect("external", BusLink(bus))
    simulation.run(20)
    began = time.process_time()
    simulation.run(200)
    assert (time.process_time() - began) / 200 < 0.005


# Octave, which stands for MATLAB and Simulink


def test_octave_flies_a_robot():
    octave = shutil.which("octave-cli")
    if octave is None and shutil.which("apt-get") is None:
        pytest.skip("no Octave here, and no Debian that has one; `make test` installs it where it can")
    assert octave is not None, "Octave is missing: scripts/setup test installs octave and octave-sockets"
    folder = Path(__file__).parent.parent.parent / "examples" / "octave"
    simulation = Simulation(load_scenario(folder / "circle.yaml"))
    link = UdpLink(0)
    simulation.connect("external", link)
    process = subprocess.Popen(
        [octave, str(folder / "fly_circle.m"), str(link.port), "300"], stdout=subprocess.PIPE, text=True
    )
    try:
        eventually(lambda: link._others, 60)
        began = time.monotonic()
        simulation.run(300)
        took = time.monotonic() - began
        said, _ = process.communicate(timeout=30)
        assert said.startswith("300 answers")
        angle = 2 / 5 * 3.0
        robot = simulation.robots["uav1"]
        assert robot.p_WB == pytest.approx([5 * np.cos(angle), 5 * np.sin(angle), 5], abs=1e-9)
        assert robot.v_WB_W == pytest.approx([-2 * np.sin(angle), 2 * np.cos(angle), 0], abs=1e-9)
        assert took < 30
    finally:
        process.kill()
        process.wait()
        link.close()
