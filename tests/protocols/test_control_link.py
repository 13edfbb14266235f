"""Six doubles in, pose out: controllers in other processes, what is done when one dies, and timing."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus_rig import free_port
from links_rig import wait_until
from volery import _native
from volery.bus.bus import Bus, BusConfig
from volery.bus.timing import LinkTiming, TimedLink, TimingReport, timing_table
from volery.errors import ScenarioError, SimulationError, UnknownNameError
from volery.physics.external import Link
from volery.physics.packets import StatePacket, WrenchPacket
from volery.protocols.udp.control import Control, ControlLink, ControlSettings
from volery.protocols.udp.datagrams import address_of
from volery.protocols.udp.end import doubles
from volery.scenario import read_scenario
from volery.sim import Simulation

# A controller with nothing of ours: it flies a 1.58 kg quadrotor to a place, or against what is in the way.
CONTROLLER = """
import socket, struct, sys
port, mass, x, y, z = int(sys.argv[1]), *map(float, sys.argv[2:])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
s.send(struct.pack("<6d", 0, 0, mass * 9.80665, 0, 0, 0))
print("ready", flush=True)
while True:
    n, t, px, py, pz, w, a, b, c, vx, vy, vz, wx, wy, wz = struct.unpack("<15d", s.recv(200))
    push = max(-4.0, min(4.0, mass * 4 * (x - px))) - mass * 4 * vx
    force = (push, mass * (4 * (y - py) - 4 * vy), mass * (9.80665 + 4 * (z - pz) - 4 * vz))
    turn = [-0.05 * wv - 0.5 * q for wv, q in zip((wx, wy, wz), (a, b, c))]
    s.send(struct.pack("<7d", *force, *turn, n))
"""
SCENE = """
world: {{type: {world}}}
robots:
  uav1: {{type: quad, physics: mujoco, position: [0, 0, 2], sensors: {{scanner: off}}}}
  uav2: {{type: quad, physics: mujoco, position: [0, 5, 2], sensors: {{scanner: off}}}}
"""
WALL = "v 1 -9 -1\nv 1 9 -1\nv 1 9 5\nv 1 -9 5\nv 2 -9 -1\nv 2 9 -1\nv 2 9 5\nv 2 -9 5\n" + "".join(
    f"f {f}\n" for f in ("1 4 3 2", "5 6 7 8", "1 2 6 5", "4 8 7 3", "1 5 8 4", "2 3 7 6")
)


def scene(folder=None):
    if folder is None:
        return Simulation(read_scenario(SCENE.format(world="empty")))
    (folder / "wall.obj").write_text(WALL)
    return Simulation(read_scenario(SCENE.format(world="mesh, path: wall.obj"), folder=folder))


@pytest.fixture
def control():
    """Opens links on a simulation; controllers and ports end with the test."""
    doors, processes = [], []

    class Rig:
        def open(self, simulation, **links):
            doors.append(Control(simulation, None, ControlSettings(links=links)))
            doors[-1].start()
            return doors[-1]

        def start(self, end, mass, *goal):
            words = [sys.executable, "-c", CONTROLLER, end.port, mass, *goal]
            processes.append(subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True))
            assert processes[-1].stdout.readline() == "ready\n"
            wait_until(lambda: end._newest is not None)
            return processes[-1]

    yield Rig()
    for process in processes:
        process.kill()
        process.wait()
    for door in doors:
        door.close()


def mass_of(simulation, name):
    from volery.physics.multirotor.parameters import airframe_of

    return airframe_of(simulation.robots[name]).mass


LOCKSTEP = {"exchange": "lockstep", "axes": "world", "timeout": 5.0}


def test_two_controllers_at_once_fly_their_robots(control):
    simulation = scene()
    door = control.open(simulation, uav1=ControlLink(**LOCKSTEP), uav2=ControlLink(**LOCKSTEP))
    mass = mass_of(simulation, "uav1")
    control.start(door.ends["uav1"], mass, 1.0, 0.5, 3.0)
    control.start(door.ends["uav2"], mass, -1.0, 5.5, 2.5)
    simulation.run(600)
    assert simulation.robots["uav1"].p_WB == pytest.approx([1, 0.5, 3], abs=0.02)
    assert simulation.robots["uav2"].p_WB == pytest.approx([-1, 5.5, 2.5], abs=0.02)
    for timing in door.timings:
        report = timing.report()
        # In lockstep each state has its answer: 100 a second of simulated time.
        assert report["sent"] == 600 and report["heard"] >= 599 and report["missed"] <= 1
        assert 0 < report["round_trip"] <= report["round_trip_99"] <= report["round_trip_most"]
    assert timing_table(door.timings).count("\n") == 1 and "600 states" in timing_table(door.timings)


def test_a_controller_killed_in_contact_leaves_a_robot_that_backs_off_and_hovers(control, tmp_path):
    simulation = scene(tmp_path)
    door = control.open(simulation, uav1=ControlLink(**{**LOCKSTEP, "timeout": 1.0}, gone="retreat", retreat=0.6))
    robot, end = simulation.robots["uav1"], door.ends["uav1"]
    process = control.start(end, mass_of(simulation, "uav1"), 3.0, 0.0, 2.0)
    simulation.run(500)
    assert robot.contacts, "it presses on the wall"
    pushed = sum(c.impulse_W for c in robot.contacts) / 0.01
    assert pushed[0] == pytest.approx(-4.0, rel=0.05)
    touching = robot.p_WB.copy()
    process.send_signal(signal.SIGKILL)
    process.wait()
    # Its last answer may have come before.
    simulation.run(2)
    assert end.gone
    began = time.monotonic()
    simulation.run(500)
    assert time.monotonic() - began < 20, "it is waited for once, not at every step"
    assert not robot.contacts
    assert robot.p_WB == pytest.approx(touching - [0.6, 0, 0], abs=0.05), "it has backed off"
    assert np.linalg.norm(robot.v_WB_W) < 0.02, "and hovers"
    # A new controller takes over.
    control.start(end, mass_of(simulation, "uav1"), 0.0, 1.0, 2.0)
    simulation.run(500)
    assert not end.gone and robot.p_WB == pytest.approx([0, 1, 2], abs=0.02)


# Crafts: their own fans and vanes give what is told


LINKS = Path(__file__).parent.parent.parent / "examples" / "links"


def fan(extra=""):
    text = (LINKS / "fan.yaml").read_text()
    return Simulation(read_scenario(text[: text.index("protocols:")] + extra))


def autopilot(end, *words):
    command = [sys.executable, LINKS / "fan_controller.py", *words, "--to", f"127.0.0.1:{end.port}"]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    wait_until(lambda: end._newest is not None)
    return process


def test_an_autopilot_elsewhere_flies_a_ducted_fan_and_is_killed_in_contact(control):
    simulation = fan()
    link = ControlLink(exchange="lockstep", timeout=3.0, gone="retreat", retreat=0.5)
    door = control.open(simulation, mav1=link)
    robot, end = simulation.robots["mav1"], door.ends["mav1"]
    flight = simulation.engine_of("mav1").craft("mav1")
    with autopilot(end, 2.5, 0.5, 3.5) as process:
        try:
            simulation.run(700)
            assert flight.level == _native.craft.Level.GIVE, "its own autopilot has no part in it"
            assert robot.p_WB == pytest.approx([2.5, 0.5, 3.5], abs=0.05)
            assert np.linalg.norm(robot.v_WB_W) < 0.03
        finally:
            process.kill()
    with autopilot(end, 4.0, 0.5, 3.5) as process:
        try:
            simulation.run(1000)
            pressed = [-c.impulse_W[0] / 0.01 for c in robot.contacts if c.body == "arm"]
            # And the pull of the wall, which this autopilot does not know of
            assert not end.gone and 3.0 < sum(pressed) < 3.2, "it leans on the wall"
        finally:
            process.kill()
    touching = robot.p_WB.copy()
    simulation.run(2)
    assert end.gone
    simulation.run(600)
    assert not robot.contacts and flight.level != _native.craft.Level.GIVE
    assert robot.p_WB == pytest.approx(touching - [0.5, 0, 0], abs=0.06), "it has backed off"
    assert np.linalg.norm(robot.v_WB_W) < 0.02, "and hovers"


def test_a_craft_gives_lift_and_torque_in_either_axes_and_falls_when_released(control):
    weight = 2.0 * 9.80665
    for axes in ("body", "world"):
        simulation = fan()
        simulation.place("mav1", np.array([0.0, 0, 8]), np.array([np.cos(0.1), 0, np.sin(0.1), 0]))
        door = control.open(simulation, mav1=ControlLink(axes=axes, timeout=0.2, gone="release"))
        speak(door.ends["mav1"], 0, 0, weight, 0, 0, 0)
        simulation.run(15)
        flight = simulation.engine_of("mav1").craft("mav1")
        up = simulation.robots["mav1"].X_WB[0, 2, 2]
        assert flight.lift == pytest.approx(weight * (up if axes == "world" else 1.0), rel=0.01), "the part along its z"
        simulation.run(50)
        assert door.ends["mav1"].gone and flight.lift < 1.0 and simulation.robots["mav1"].v_WB_W[2] < -2.0


def test_a_craft_may_be_pushed_while_it_flies_by_itself(control):
    simulation = fan()
    door = control.open(simulation, mav1=ControlLink(axes="world", timeout=9, rotors=True))
    speak(door.ends["mav1"], 1.0, 0, 0, 0, 0, 0)
    simulation.run(60)
    flight = simulation.engine_of("mav1").craft("mav1")
    assert flight.level != _native.craft.Level.GIVE and simulation.robots["mav1"].p_WB[0] > 2.83
    simulation.run(600)
    assert simulation.robots["mav1"].p_WB[0] == pytest.approx(2.8, abs=0.03), "and its observer counters it"


def speak(end, *numbers):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.sendto(np.array(numbers, "<f8").tobytes(), ("127.0.0.1", end.port))
    wait_until(lambda: end._newest is not None)


@pytest.mark.parametrize("gone", ["hover", "release", "stop"])
def test_what_is_done_about_silence_in_simulated_time(control, gone):
    simulation = scene()
    door = control.open(simulation, uav1=ControlLink(axes="world", timeout=0.1, gone=gone))
    end, robot = door.ends["uav1"], simulation.robots["uav1"]
    simulation.run(20)
    assert not end.gone, "one that never spoke is not missed"
    speak(end, 0, 0, 9.80665 * mass_of(simulation, "uav1"), 0, 0, 0)
    simulation.run(10)
    assert not end.gone
    if gone == "stop":
        with pytest.raises(SimulationError, match="the run ends"):
            simulation.run(2)
        return
    simulation.run(2)
    assert end.gone
    height = robot.p_WB[2]
    simulation.run(150)
    fell = height - robot.p_WB[2]
    assert (fell > 1.5) if gone == "release" else (abs(fell) < 0.1)


def test_forces_in_the_robots_own_axes_turn_with_it(control):
    simulation = scene()
    simulation.place("uav1", np.array([0.0, 0, 2]), np.array([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)]))
    door = control.open(simulation, uav1=ControlLink(axes="body", timeout=9))
    mass = mass_of(simulation, "uav1")
    speak(door.ends["uav1"], 2 * mass, 0, 9.80665 * mass, 0, 0, 0)
    simulation.run(20)
    v = simulation.robots["uav1"].v_WB_W
    # The rotors run out within 30 ms, and the push at the root's origin tilts it a little.
    assert 0.35 < v[1] < 0.55 and abs(v[0]) < 0.02, "it faces north"


def test_states_go_to_a_peer_that_never_spoke(control):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        s.settimeout(10)
        simulation = scene()
        control.open(simulation, uav2=ControlLink(peer=f"127.0.0.1:{s.getsockname()[1]}", rate=50.0))
        simulation.run(10)
        numbers = [np.frombuffer(s.recv(999), "<f8") for _ in range(5)]
        s.setblocking(False)
        with pytest.raises(BlockingIOError):
            s.recv(999)
    assert [n[0] for n in numbers] == [1, 2, 3, 4, 5] and numbers[0][1] == pytest.approx(0.02)
    assert numbers[-1][2:5] == pytest.approx([0, 5, 2], abs=0.05)


@given(st.binary(max_size=80) | st.lists(st.floats(), min_size=6, max_size=7).map(lambda x: np.array(x).tobytes()))
def test_any_bytes_are_a_wrench_or_nothing(data):
    found = doubles(data, 6)
    if found is not None:
        assert found[0].shape == (6,) and np.isfinite(found[0]).all() and len(data) in (48, 56)


def test_bad_links_are_refused(control):
    simulation = scene()
    with pytest.raises(UnknownNameError, match="uav1"):
        control.open(simulation, uav11=ControlLink())
    with pytest.raises(ScenarioError, match="at least one"):
        ControlSettings()
    with pytest.raises(SimulationError, match="no address"):
        address_of("nowhere")
    kinematic = Simulation(read_scenario("robots: {a: {type: probe, sensors: {scanner: off}}}"))
    with pytest.raises(ScenarioError, match="takes no forces"):
        control.open(kinematic, a=ControlLink())
    thing = Simulation(read_scenario("robots: {a: {type: brick, position: [0, 0, 1]}}"))
    with pytest.raises(ScenarioError, match="cannot retreat"):
        control.open(thing, a=ControlLink())


# Timing


class Hands:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def test_misses_jitter_and_round_trips_are_counted():
    clock = Hands()
    timing = LinkTiming("uav1", clock)
    answered = [1, 2, 3, 6, 7, 8, 9]
    for number in range(1, 11):
        clock.now = number * 0.010
        timing.tell(number)
        if number in answered:
            clock.now += 0.003 if number == 9 else 0.001
            timing.hear(number)
    report = timing.report()
    assert (report["sent"], report["heard"], report["missed"], report["longest_gap"]) == (10, 7, 2, 2)
    assert report["round_trip"] == pytest.approx(1.0) and report["round_trip_most"] == pytest.approx(3.0)
    gaps = [10, 10, 30, 10, 10, 12]
    assert report["rate"] == pytest.approx(1000 / np.mean(gaps)) and report["jitter"] == pytest.approx(np.std(gaps))


def test_a_link_of_external_physics_is_timed_too_and_told_on_a_topic():
    class Echo(Link):
        last = None

        def send(self, packet):
            if packet.step % 4:
                self.last = WrenchPacket(packet.robot, packet.step, 0, np.zeros(3), np.zeros(3))

        def newest(self, robot):
            return self.last

        def wait(self, robot, step, timeout):
            return self.last

    link = TimedLink(Echo())
    zero = np.zeros(3)
    for step in range(1, 21):
        link.send(StatePacket("uav1", step, 0, zero, np.array([1.0, 0, 0, 0]), zero, zero, zero, np.zeros(0)))
        link.newest("uav1")
    report = link.timings["uav1"].report()
    assert (report["sent"], report["heard"]) == (20, 15)
    assert report["missed"] == 4, "the last period is not over"
    address = f"tcp/127.0.0.1:{free_port()}"
    simulation = scene()
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address])) as other:
        listener = TimingReport(bus, lambda: list(link.timings.values()))
        simulation.listeners.append(listener)
        heard = other.subscribe("/links", "diagnostic_msgs/msg/DiagnosticArray")
        wait_until(lambda: listener._publisher.wanted)
        simulation.run(2)
        status = heard.wait_next(10).value.status[0]
        assert status.name == "uav1" and "of 20 deadlines missed" in status.message
        assert {v.key: v.value for v in status.values}["heard"] == "15"


# The example, as its page tells


def test_the_example_runs_and_says_how_its_link_kept_time(tmp_path):
    folder = Path(__file__).parent.parent.parent / "examples" / "links"
    ports = [free_port(), free_port()]
    text = (folder / "hil.yaml").read_text().replace("9880", str(ports[0]))
    (tmp_path / "hil.yaml").write_text(text)
    words = ["run", "hil.yaml", "--headless", "--no-bus", "--mocap", f":{ports[1]}"]
    run = subprocess.Popen(
        [sys.executable, "-m", "volery", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        lines = iter(run.stdout.readline, "")
        assert any("Ctrl-C ends" in line for line in lines)
        command = [sys.executable, folder / "controller.py", "1", "0.5", "2.5", "--to", f"127.0.0.1:{ports[0]}"]
        done = subprocess.run([*map(str, command), "--steps", "600"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert float(re.search(r"([\d.]+) m from", done.stdout).group(1)) < 0.2
        assert any("nothing came" in line and "retreat" in line for line in lines), "it is missed when it has gone"
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=60)
    finally:
        run.kill()
        run.wait()
    found = re.search(r"link uav1: (\d+) answers to (\d+) states, (\d+) deadlines missed", said)
    assert found and int(found.group(1)) == 601
