"""The sockets of USARSim's server: many robots, and clients that flood, stall, vanish or send anything at all."""

import random
import re
import select
import socket
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamebots_rig import ALL, FLAT, WORLD, Raw, fields, floats, one, served, stepped, value
from volery import registry
from volery.errors import SimulationError
from volery.loop import Loop, RealTimePace
from volery.protocols.gamebots.door import Gamebots, GamebotsSettings
from volery.protocols.gamebots.session import VERBS
from volery.scenario import load_scenario


def simulated(server):
    return server.ask(lambda: server.simulation.clock.now)


def robots(server):
    return server.ask(lambda: list(server.simulation.robots))


@pytest.fixture(scope="module")
def server():
    with served(FLAT, speed=1.0) as running:
        yield running


@pytest.fixture
def good(server):
    """A client with a robot, which others must not harm."""
    with Raw(server) as raw:
        raw.send("INIT {ClassName USARBot.P2DX} {Name good} {Location 0,0,0}")
        raw.wait("STA")
        yield raw


def hears(raw, seconds=1.0):
    """Times of the states that a client hears for a while."""
    end, times = time.monotonic() + seconds, []
    while time.monotonic() < end:
        times.append(float(value(raw.wait("STA {Type"), "Time")))
    return times


# Connections


def test_no_more_robots_than_allowed_and_a_place_is_free_again():
    with stepped(FLAT, connections=2) as server:
        first, second = server.connect(), server.connect()
        for i, raw in enumerate((first, second), 1):
            server.say(raw, f"INIT {{ClassName USARBot.P2AT}} {{Start RobotStart{i}}}")
        assert len(server.simulation.robots) == 2
        third = Raw(server)
        assert third.socket.recv(100) == b"", "closed at once"
        first.close()
        server.until(lambda: any(c.gone for c in server.door.wire.clients))
        server.step()
        with server.connect() as fourth:
            assert server.heard(fourth)[0].startswith("NFO")
        server.step(30)
        assert any(heard.startswith("STA") for heard in server.heard(second))


def test_a_port_that_is_taken_is_a_clear_error():
    with stepped(FLAT) as server, pytest.raises(SimulationError, match=r"port \d+ .* cannot be used.*--port"):
        Gamebots(server.simulation, server.loop, GamebotsSettings(port=server.ports["ut2004"], image_port=None))


def test_a_second_run_takes_another_port_for_pictures(monkeypatch, caplog):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("volery.protocols.gamebots.door._IMAGE_PORT", port)
        with stepped(FLAT, image_port=port) as server:
            assert server.ports["images"] not in (0, port)
        assert f"port {port} for pictures is taken" in caplog.text and "--image-port" in caplog.text


def test_another_port_for_pictures_that_is_taken_is_a_clear_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with pytest.raises(SimulationError, match="image_port in the scenario or --image-port"):
            stepped(FLAT, image_port=taken.getsockname()[1]).__enter__()


def test_closing_gives_all_ports_back():
    with stepped(FLAT) as server:
        simulation, ports = server.simulation, dict(server.ports)
        raw = server.connect()
        server.door.close()
        assert raw.socket.recv(1000)[:3] in (b"NFO", b"")
        again = Gamebots(
            simulation,
            Loop(simulation, RealTimePace(1.0)),
            GamebotsSettings(port=ports["ut2004"], image_port=ports["images"]),
        )
        again.close()


def test_one_port_for_each_dialect():
    with stepped(FLAT) as server:
        assert set(server.ports) == {"ut2004", "ut2003", "udk", "images"}
        old, new = server.connect("ut2003"), server.connect("udk")
        server.say(old, "INIT {ClassName USARBot.P2AT} {Location 0,0,0} {Name old}")
        server.say(new, "INIT {ClassName USARBot.P2AT} {Location 3,0,0} {Name new}", steps=30)
        assert "{Attitude" in one(server.heard(old), "STA ")


def test_tools_are_told_the_truth_if_the_settings_allow_it():
    with stepped(FLAT, truth_port=0) as server:
        raws = server.connect(), server.connect()
        server.say(raws[0], "INIT {ClassName USARBot.P2AT} {Name a} {Location 0,0,0}")
        server.say(raws[1], "INIT {ClassName USARBot.P2DX} {Name b} {Location 3,1,0} {Rotation 0,0,1}")
        with socket.create_connection(("127.0.0.1", server.ports["truth"]), timeout=30) as tool:
            lines = tool.makefile("r", newline="\n")
            for question, names in (
                (b"{}", "ab"),
                (b"{class USARBot.P2DX}", "b"),
                (b"{name A}", "a"),
                (b"{name x}", ""),
            ):
                tool.sendall(question + b"\r\n")
                server.answer(lambda: select.select([tool], [], [], 0)[0])
                told = [next(lines).rstrip("\r\n") for _ in range(len(names) + 1)]
                assert told[-1] == "{End}"
                assert [line.split("}")[0].split()[1] for line in told[:-1]] == list(names)
            tool.sendall(b"{name b}\n")
            server.answer(lambda: select.select([tool], [], [], 0)[0])
            _, pairs = fields("X " + next(lines).rstrip("\r\n"))
            assert [k for k, _ in pairs] == ["Name", "Class", "Time", "Location", "Rotation"]
            assert floats(dict(pairs)["Location"])[:2] == pytest.approx([3, 1], abs=0.01)
            assert floats(dict(pairs)["Rotation"])[2] == pytest.approx(1.0, abs=0.01)
    with stepped(FLAT) as server:
        assert "truth" not in server.ports


# Packets


def test_commands_split_joined_and_without_ends(server):
    with Raw(server) as raw:
        for byte in b"INIT {ClassName USARBot.P2AT} {Location 2,2,0} {Name split}":
            raw.socket.sendall(bytes([byte]))
        raw.socket.sendall(b"\rGETCONF {Type Robot}\nGETGEO {Type Robot}DRIVE {Left 1} {Right 1}")
        assert raw.wait("CONF ") and raw.wait("GEO ") and raw.wait("STA")
        raw.socket.sendall(b"GETCONF {Type Sonar} {Name F1}")
        assert "Name F1" in raw.wait("CONF {Type Sonar}"), "a whole command is taken after a while without an end"


def test_a_robot_goes_with_its_connection(server, good):
    with Raw(server) as raw:
        raw.send("INIT {ClassName USARBot.P2DX} {Name brief} {Location 3,0,0}")
        raw.wait("STA")
        assert "brief" in robots(server)
    end = time.monotonic() + 20
    while "brief" in robots(server):
        assert time.monotonic() < end
    assert "good" in robots(server)


def test_the_handshake_of_the_ros_node():
    """As recorded: everything in one packet, then 76 questions at once about each name it heard, driving at last."""
    with stepped(WORLD) as server:
        raw = server.connect("udk")
        client = server.client(raw)
        first = "GETSTARTPOSES\r\nINIT {Classname USARBot.P3AT} {Name robot} {Start RobotStart1}\r\n"
        raw.socket.sendall((first + "GETCONF {Type RFID}\r\nGETGEO {Type RFID}\r\n").encode())
        server.until(lambda: len(client.inbox) == 4)
        server.step(30)
        lines = server.heard(raw)
        assert [line.split()[0] for line in lines[:3]] == ["NFO", "NFO", "CONF"], "greeting, start poses, camera"
        names = {(value(line, "Type"), value(line, "Name")) for line in lines if line.startswith("SEN")}
        asked = [
            f"GET{what} {{Type {kind}}} {{Name {name}}}"
            for kind, name in sorted(names)
            for what in ("CONF", "GEO", "CONF")
        ]
        asked = (asked * 10)[:76]
        raw.socket.sendall(("\r\n".join(asked) + "\r\n").encode())
        server.until(lambda: len(client.inbox) == 76)
        server.step(12)
        answers = [line for line in server.heard(raw) if line.startswith(("CONF", "GEO"))]
        assert len(answers) == 76, "all within 12 steps"
        assert [a.split()[0] for a in answers] == [a.split()[0][3:] for a in asked], "in order"
        server.say(raw, "Drive {Left 2.693878} {Right 3.428571}", steps=60)
        robot = server.robot("robot")
        ahead, turn = robot.v_WB_W @ robot.X_WB[0, :, 0], robot.w_WB_W[2]
        assert ahead == pytest.approx(0.3, abs=0.05) and turn > 0.02, "left is the slower wheel: it turns left"


def test_a_client_that_swallows_the_first_letter_of_every_batch_still_hears_what_matters():
    """As the Java controller does, which asks its socket for a byte to see whether there is something to read."""
    with stepped(FLAT) as server:
        raw = server.connect()
        server.say(raw, "INIT {ClassName USARBot.P2AT} {Location 0,0,0}")
        heard = []
        for _ in range(5):
            server.step(20)
            heard += "\r\n".join(server.heard(raw))[1:].split("\r\n")
        for kind in ("STA {Type GroundVehicle}", "{Type Sonar}", "RangeScanner", "GroundTruth", "Odometry", "INS"):
            assert sum(kind in line and line.startswith(("STA", "SEN")) for line in heard) == 5, kind


# Clients that behave badly


def test_a_flood_harms_only_who_floods(server, good):
    stop = threading.Event()
    with Raw(server) as flood:
        flood.send("INIT {ClassName USARBot.P2DX} {Name flood} {Location 0,3,0}")
        line = b"DRIVE {Left 1} {Right 1}\r\nGETGEO {Type Sonar}\r\nNONSENSE {a b}\r\n" * 200

        def pour():
            flood.socket.settimeout(0.2)
            while not stop.is_set():
                try:
                    flood.socket.sendall(line)
                except OSError:
                    continue

        thread = threading.Thread(target=pour, daemon=True)
        thread.start()
        try:
            before, begun = simulated(server), time.monotonic()
            times = hears(good, 2.0)
            factor = (simulated(server) - before) / (time.monotonic() - begun)
            client = next(c for c in server.door.wire.clients if c.address and c.inbox)
            assert len(client.inbox) < 20_000, "what waits is bounded: 512 commands and what one read brings"
        finally:
            stop.set()
            thread.join(timeout=10)
    assert len(times) >= 3 and all(b - a == pytest.approx(0.2) for a, b in pairwise(times))
    assert factor > 0.15, "the loop goes on"


def test_a_client_that_does_not_read_loses_lines_and_nobody_else_does(server, good):
    with stepped(FLAT) as other:
        raw = other.connect()
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        other.say(raw, "INIT {ClassName USARBot.P2AT} {Name deaf} {Location 0,0,0}")
        client = other.client(raw)
        end = time.monotonic() + 60
        while not client.left_out:
            for _ in range(500):
                other.door.wire.post([(client, b"SEN {Type Sonar}" + b" {Name F1 Range 1.0000}" * 100 + b"\r\n")])
            other.step(1)
            assert time.monotonic() < end
        assert client._transport.get_write_buffer_size() < 4 << 20, "what waits is bounded"
        raw.socket.settimeout(20)
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        read = b""
        while client._full:
            read += raw.socket.recv(1 << 16)
        lines = read.split(b"\r\n")[:-1]
        assert all(line.startswith((b"NFO", b"STA", b"SEN", b"MIS")) for line in lines), "only whole lines are left out"
    assert hears(good, 0.5)


def test_garbage_harms_only_who_sends_it(server, good):
    draw = random.Random(3)
    for size in (10, 1000, 200_000):
        with Raw(server) as bad:
            bad.socket.sendall(draw.randbytes(size))
            bad.socket.sendall(b"\r\nGETSTARTPOSES\r\n")
            assert bad.wait("NFO {StartPoses"), "and it may still mend its ways"
    with Raw(server) as bad:
        bad.socket.sendall(b"{" * 100_000 + b"}" * 100_000)
        bad.socket.sendall(b"INIT {ClassName " + b"x" * 1_000_000)
    assert hears(good, 0.5)


def test_sensors_that_fail_do_not_stop_the_loop(tmp_path):
    broken = Path(ALL).read_text().replace("model: ../", f"model: {Path(ALL).parent.parent}/")
    for name in (
        "F1",
        "IR1",
        "Scanner1",
        "INS",
        "GroundTruth",
        "GPS",
        "IMU",
        "Compass",
        "Altitude",
        "Motion",
        "Sound",
        "CO2",
    ):
        kind = re.search(rf"^  {name}: {{type: (\w+)", broken, re.M)[1]
        array = registry.find("sensors", kind).noisy[0]
        broken = broken.replace(
            f"  {name}: {{type: {kind}", f"  {name}: {{type: {kind}, noise: {{{array}: {{dropout: 1.0}}}}", 1
        )
    (tmp_path / "broken.yaml").write_text(broken)
    with stepped(FLAT, classes={"Broken": str(tmp_path / "broken.yaml")}) as server:
        for dialect in ("ut2003", "ut2004", "udk"):
            raw = server.connect(dialect)
            place = 3 * len(server.simulation.robots) * (140 if dialect == "ut2003" else 1)
            lines = server.say(raw, f"INIT {{ClassName USARBot.Broken}} {{Location {place},0,0}}", steps=60)
            assert not server.door.sessions[server.client(raw)]._mute
            assert one(lines, "RangeScanner") and not any("nan" in line or "inf" in line for line in lines)


def test_clients_that_come_and_go_leave_nothing_behind(server, good):
    for i in range(30):
        raw = Raw(server)
        if i % 3 == 0:
            raw.send(f"INIT {{ClassName USARBot.P2DX}} {{Location {5 + i},0,0}}")
        raw.close()
    end = time.monotonic() + 60
    while len(robots(server)) > 1 or len(server.door.wire.clients) > 1:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert robots(server) == ["good"]


names = st.sampled_from(
    "ClassName Name Location Rotation Start Left Right Light Flip Normalized Speed FrontSteer RearSteer WheelNumber "
    "WheelSpeed AltitudeVelocity RotationalVelocity Order Value Steer Zoom Type Opcode Params Link On Interval Color "
    "Time Scan Robot Client Config Viewport1 Battery WP MinPos MaxPos Scale Physics CameraPan x".split()
)
words = st.one_of(
    st.sampled_from(
        "Robot Sonar RangeScanner Camera INS Odometry Encoder Joint RFIDReleaser RFID MisPkg Actuator Viewports "
        "QuadView F1 Scanner1 CameraPan CameraPanTilt USARBot.P2AT RESET POSE SCAN Zoom Angle Write True 1,2,3 0 -1 "
        "1e308 1e999 nan inf -inf 99999999999999999999 1,2;3 Create AbsMove SetWP Box RigidBody alljoints".split()
    ),
    st.text(max_size=12),
    st.floats().map(str),
)
commands = st.tuples(st.sampled_from(sorted(VERBS - {"PAUSE"})), st.lists(st.tuples(names, words), max_size=6))


@pytest.fixture(scope="module")
def fuzzed():
    with stepped(FLAT, iterative=False) as server:
        robot, controller = server.connect(), server.connect("udk")
        server.say(robot, "INIT {ClassName USARBot.Everything} {Name R1} {Location 0,0,0}")
        server.say(controller, "INIT {ClassName USARBotAPI.WorldController}")
        yield server, robot, controller


@given(st.lists(commands, min_size=1, max_size=5), st.booleans())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_command_with_any_words_leaves_the_loop_running(fuzzed, lines, control):
    server, robot, controller = fuzzed
    raw = controller if control else robot
    client = server.client(raw)
    for verb, pairs in lines:
        raw.send(verb + "".join(" {" + f"{k} {v}" + "}" for k, v in pairs))
    raw.send("GETSTARTPOSES {Last one}")
    server.until(lambda: any(m.get("Last") == "one" for m in list(client.inbox)[-1:]))
    for _ in range(500):
        # A step has time for some commands, not for any number.
        server.step()
        if not client.inbox:
            break
    assert not client.inbox
    assert any(line.startswith("NFO {StartPoses") for line in server.heard(raw))
    assert "R1" in server.simulation.robots
    p = server.robot().p_WB
    assert (abs(p) < 1e7).all()


# The command line


def test_the_command_line_starts_it(tmp_path):
    text = load_scenario("usarsim").text
    assert text.count("gamebots: {}") == 1
    # Pictures at a free port: others may test at the same time.
    (tmp_path / "usarsim.yaml").write_text(text.replace("gamebots: {}", "gamebots: {image_port: 0}"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = f"--headless --no-bus --arena red --dialect udk --port {port} --duration 60".split()
    command = [sys.executable, "-m", "volery", "run", str(tmp_path / "usarsim.yaml"), *words]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert "usarsim" in program.stdout.readline()
        with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
            wire.sendall(b"INIT {ClassName USARBot.P3AT}\r\n")
            lines = wire.makefile("r", newline="\n")
            assert "{Level DM-arena_red}" in next(lines)
            assert next(line for line in lines if line.startswith("STA")).startswith("STA {Time ")
    finally:
        program.terminate()
        assert program.wait(timeout=60) == 0


def test_options_of_the_command_line_are_for_scenarios_that_have_them():
    for words, why in (("blocks --port 1", "volery run usarsim"), ("blocks --arena red", "rescue arena")):
        command = [sys.executable, "-m", "volery", "run", *words.split(), "--headless", "--no-bus", "--duration", "0.1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
        assert done.returncode == 1 and why in done.stderr


# Many robots


def test_sixteen_robots_with_sonar_and_laser():
    """All 16 hear everything at its interval. On a machine that has nothing else to do, a simulated second takes 0.7 s
    of one core; machines that run tests are busy and slow, so only what would be hopeless fails."""
    with stepped("world: {type: arena, colour: yellow}\nseed: 3\nstep: 0.02\n") as server:
        clients = [server.connect() for _ in range(16)]
        for i, raw in enumerate(clients):
            server.say(
                raw, f"INIT {{ClassName USARBot.P2AT}} {{Name R{i}}}", f"DRIVE {{Left {2 + i / 10}}} {{Right 2}}"
            )
        assert len(server.simulation.robots) == 16
        for raw in clients:
            server.heard(raw)
        begun = time.thread_time()
        server.step(50)
        spent = time.thread_time() - begun
        for raw in clients:
            lines = server.heard(raw)
            for kind in ("{Type Sonar}", "{Type RangeScanner}", "STA {Type"):
                assert sum(kind in line for line in lines) == 5
            assert one(lines, "{Type Sonar}").count("Name ") == 16
        assert spent < 2.0, f"a simulated second took {spent:.2f} s of processor time"


def test_the_arena_has_places_for_all():
    with stepped(WORLD) as server:
        assert len(server.door.starts) == 16
        places = [s.p_W[:2] for s in server.door.starts]
        assert min(abs(complex(*a) - complex(*b)) for i, a in enumerate(places) for b in places[:i]) > 0.85


@pytest.mark.slow
def test_sixteen_robots_hold_real_time():
    """For a machine that has nothing else to do; the clients read in a process of their own."""
    reader = (
        "import socket, sys\n"
        "wires = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for _ in range(16)]\n"
        "for i, w in enumerate(wires):\n"
        "    w.sendall(b'INIT {ClassName USARBot.P2AT}\\r\\nDRIVE {Left %.1f} {Right 2}\\r\\n' % (2 + i / 10))\n"
        "import selectors; s = selectors.DefaultSelector(); [s.register(w, 1) for w in wires]\n"
        "while True:\n"
        "    [key.fileobj.recv(65536) for key, _ in s.select()]\n"
    )
    with served("world: {type: arena, colour: yellow}\nseed: 3\nstep: 0.02\n", speed=1.0) as server:
        program = subprocess.Popen([sys.executable, "-c", reader, str(server.ports["ut2004"])])
        try:
            while len(robots(server)) < 16:
                time.sleep(0.2)
            time.sleep(2.0)
            before, begun = simulated(server), time.monotonic()
            time.sleep(30.0)
            factor = (simulated(server) - before) / (time.monotonic() - begun)
        finally:
            program.terminate()
            program.wait()
    assert factor > 0.99, f"real time × {factor:.2f}"
