"""A package of others, installed by pip, is as good as what comes along: on the bus, in the page, in recordings."""

import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from plugin_rig import EXAMPLE, ROOT, install, volery, within
from viewer_rig import Guest, shown
from volery.bus.bus import Bus, BusConfig
from volery.bus.record import Recorder, read_recording
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import decode, message_class
from volery.cli import main
from volery.core.frames import matrix_from_quat
from volery.errors import CommandError, RobotError, ScenarioError, UnknownNameError
from volery.events import Operated
from volery.loop import Loop, RealTimePace
from volery.report.rerun import about_run, rerun
from volery.robots.commands import BodyVelocity, Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation

SOUNDING = "skiff_msgs/msg/Sounding"
SCENE = """
step: 0.02
seed: 5
world: {type: lagoon, depth: 6.0}
engines: {water: {current: [0.1, 0.0]}}
robots:
  skiff1:
    type: skiff
    position: [4, 0, 0]
    sensors: {echo: {noise: {range: {absolute: 0.02}}}}
"""


CHROMIUM = shutil.which("chromium")
CONES = """(() => {
  const found = [];
  volery.scene.traverse((o) => o.geometry?.type === "ConeGeometry" && o.parent.visible && found.push(o.scale.x));
  return found;
})()"""
"""Lengths of the cones that the page shows [m]."""


def eventually(condition, seconds=20.0):
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return install(tmp_path_factory.mktemp("plugin"))


@pytest.fixture(scope="module", autouse=True)
def installed(site):
    with within(site):
        yield


@pytest.fixture
def simulation():
    return Simulation(read_scenario(SCENE, "lagoon"))


def test_volery_itself_knows_nothing_of_it():
    words = re.compile(r"skiff|echosounder|lagoon|\bnmea\b", re.I)
    for path in (ROOT / "src" / "volery").rglob("*"):
        if path.suffix in (".py", ".ts", ".yaml") and "node_modules" not in path.parts:
            assert not words.search(path.read_text()), path


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("sensors", "echosounder", "Depth below a boat"),
        ("sensors", "inclinometer", "Reading: tilt [2]"),
        ("robots", "skiff", "survey boat of 2 m"),
        ("robot_kinds", "hull", "A boat"),
        ("engines", "water", "Boats with a `hull`"),
        ("protocols", "nmea", "A door for chart plotters"),
        ("worlds", "lagoon", "A round lagoon"),
        ("agents", "survey", "One boat goes along parallel lines"),
    ],
)
def test_the_command_line_lists_it_with_a_line(capsys, kind, name, words):
    assert main(["list", kind]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(rf"\b{name} {re.escape(words)}", told)


def test_it_comes_and_goes_with_its_package(site):
    assert "echosounder" in volery(site, "list", "sensors").stdout.split()
    assert "echosounder" not in volery(None, "list", "sensors").stdout.split()


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        (
            "sensors",
            "echosounder",
            ["max_range [m] default 50 > 0 and ≤ 1000", "set_gain(gain: number) Amplify echoes"],
        ),
        ("robots", "skiff", ["engine: water", "kinds: hull", "echo (echosounder)"]),
        ("robot_kinds", "hull", ["length [m] required > 0", "drag [N s²/m²] default 30"]),
        ("engines", "water", ["current [m/s] default [0, 0]", "east and north"]),
    ],
)
def test_the_command_line_tells_all_about_it(capsys, kind, name, told):
    assert main(["list", kind, name]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for words in told:
        assert words in out


def test_it_is_on_the_bus_with_its_type_and_frame(simulation):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        heard = {topic: [] for topic in ("/skiff1/echo", "/skiff1/echo/strength", "/tf_static")}
        bus.tap(lambda p, stamp, data: heard[p.topic].append((p.message_type, stamp, bytes(data))), tuple(heard))
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        simulation.run(10)
        run_publisher.close()
    kind, stamp, data = heard["/skiff1/echo"][-1]
    sounding, reading = decode(data, kind), simulation.sensor("skiff1", "echo").latest
    assert kind == SOUNDING and isinstance(sounding, message_class(SOUNDING))
    assert sounding.header.frame_id == "skiff1/echo" and stamp == reading.stamp_ns
    assert sounding.range == np.float32(reading.data["range"][0]) and sounding.max_range == 50.0
    # On the boat's keel, over a bed that is 6 (1 - (r / 30)²) deep
    assert sounding.range == pytest.approx(6.0 * (1 - (simulation.robot("skiff1").p_WB[0] / 30) ** 2) - 0.2, abs=0.1)
    assert heard["/skiff1/echo/strength"][-1][0] == "std_msgs/msg/Float32"
    kind, _, data = heard["/tf_static"][-1]
    (frame,) = (t for t in decode(data, kind).transforms if t.child_frame_id == "skiff1/echo")
    assert frame.header.frame_id == "skiff1/base_link"
    q, p = frame.transform.rotation, frame.transform.translation
    assert matrix_from_quat(np.array([q.w, q.x, q.y, q.z]))[:, 0] == pytest.approx([0, 0, -1]), "it looks down"
    assert (p.x, p.y, p.z) == pytest.approx((0, 0, -0.2))


def test_the_sensor_in_thirty_lines_is_on_the_bus_too(simulation):
    file = EXAMPLE / "skiff" / "inclinometer.py"
    assert len([line for line in file.read_text().splitlines() if line.strip()]) <= 30
    boat = {"type": "skiff", "sensors": {"tilt": "inclinometer"}, "position": [0, 0, 0]}
    simulation.spawn("skiff2", boat)
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        heard = []
        bus.tap(lambda p, stamp, data: heard.append((p.message_type, bytes(data))), ("/skiff2/tilt",))
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        simulation.run(2)
        run_publisher.close()
    kind, data = heard[-1]
    message = decode(data, kind)
    assert kind == "geometry_msgs/msg/Vector3Stamped" and message.header.frame_id == "skiff2/tilt"
    assert (message.vector.x, message.vector.y) == pytest.approx((0.0, 0.0))


def test_its_control_is_the_recorded_way_to_work_it(simulation):
    echo = simulation.sensor("skiff1", "echo")
    simulation.run(6)
    weak = float(echo.latest.data["strength"][0])
    simulation.operate("skiff1", "echo", "set_gain", 2)
    echo.set_gain(gain=4.0)
    assert simulation.events == [
        Operated("skiff1", "echo", "set_gain", (2.0,), {}),
        Operated("skiff1", "echo", "set_gain", (), {"gain": 4.0}),
    ]
    simulation.run(6)
    assert echo.latest.data["strength"][0] == pytest.approx(4 * weak, rel=0.05)
    for bad in ("loud", None, True, float("nan"), [1.0]):
        with pytest.raises(CommandError, match="'gain' must be a finite number"):
            echo.set_gain(bad)
    for other in ("prepare", "restore", "rays", "measure"):
        with pytest.raises(UnknownNameError, match="unknown control"):
            simulation.operate("skiff1", "echo", other)
    assert simulation.events == [] and echo.gain == 4.0


def eventful(simulation):
    """A ride with all that its kind brings."""
    simulation.run(5)
    simulation.command("skiff1", BodyVelocity([1.5, 0.0, 0.0], 0.3))
    simulation.run(20)
    simulation.sensor("skiff1", "echo").set_gain(7.0)
    simulation.set("robots.skiff1.hull.thrust", 20.0)
    simulation.set("engines.water.current", [0.0, -0.4])
    simulation.run(20)
    simulation.spawn("skiff2", {"type": "skiff", "position": [-3, 2, 0]})
    simulation.change_world(depth=4.0)
    simulation.run(20)


def test_a_recording_of_it_is_simulated_again_control_and_all(simulation, tmp_path, site):
    path = tmp_path / "ride.mcap"
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        with Recorder(bus, path, **about_run(simulation.scenario, simulation.seed)):
            eventful(simulation)
        run_publisher.close()
    soundings = [m for m in read_recording(path, ["/skiff1/echo"])]
    assert {m.message_type for m in soundings} == {SOUNDING} and len(soundings) > 10
    strengths = [decode(m.data, SOUNDING).strength for m in soundings]
    assert max(strengths) > 5 * min(strengths), "the gain is heard"
    found = rerun(path)
    assert found.difference == "" and found.messages > 150
    # Who reads it elsewhere needs no plug-in: the type is in the file.
    code = f"""if True:
        from volery.bus.index import RecordingIndex
        from volery.bus.types import decode
        index = RecordingIndex({str(path)!r})
        last = [m for m in index.before(index.find(index.end_ns)) if m.topic == "/skiff1/echo"][0]
        print(round(float(decode(last.data, last.message_type).strength), 6))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) in [round(float(s), 6) for s in strengths[-3:]]


def test_a_snapshot_holds_it(simulation):
    eventful(simulation)
    state = simulation.state()
    simulation.run(30)
    after = simulation.state_hash()
    simulation.restore(state)
    assert simulation.events[-1].kind == "restore" and simulation.sensor("skiff1", "echo").gain == 7.0
    assert simulation.robot("skiff1").file.hull.thrust == 20.0
    simulation.run(30)
    assert simulation.state_hash() == after
    simulation.reset()
    assert simulation.sensor("skiff1", "echo").gain == 1.0 and simulation.robot("skiff1").file.hull.thrust == 120.0


def test_its_kind_and_engine_say_what_can_change(simulation):
    nodes = {node["name"]: node for node in simulation.settings.tree()}
    boat = next(node for node in nodes["robots"]["items"] if node["name"] == "skiff1")
    (hull,) = (node for node in boat["items"] if node["name"] == "hull")
    leaves = {leaf["name"]: leaf for leaf in hull["items"]}
    assert leaves["drag"]["editable"] and leaves["drag"]["unit"] == "N s²/m²" and not leaves["length"]["editable"]
    for path, value, words in (
        ("robots.skiff1.hull.drag", -1, "must be greater than 0"), ("robots.skiff1.hull.length", 3.0, "decided when"),
        ("robots.skiff1.hull.dragg", 3.0, "did you mean 'drag'"), ("engines.water.current", [20, 0], "too large"),
    ):  # fmt: skip
        with pytest.raises(Exception, match=words):
            simulation.set(path, value)
    with pytest.raises(CommandError, match="takes BodyVelocity"):
        simulation.command("skiff1", Velocity([1.0, 0, 0]))


def test_its_robot_file_is_checked_like_any_other(tmp_path):
    def boat(text):
        (tmp_path / "boat.yaml").write_text(text)
        return read_scenario("world: empty\nrobots: {a: boat.yaml}", folder=tmp_path)

    assert boat("physics: water\nhull: {length: 3, beam: 1}").robots["a"].file.hull.length == 3.0
    for text, words in (
        ("hull: {length: 3, bean: 1}", "did you mean 'beam'"), ("hul: {length: 3, beam: 1}", "did you mean 'hull'"),
        ("hull: {length: 1, beam: 3}", "not below its length"), ("about: nothing", "one block that makes a model"),
        ("model: x.xml\nhull: {length: 3, beam: 1}", "one block that makes a model"),
    ):  # fmt: skip
        with pytest.raises((ScenarioError, RobotError), match=words):
            boat(text)
    with pytest.raises(RobotError, match="moves boats only"):
        Simulation(read_scenario("world: lagoon\nrobots: {a: {type: probe, physics: water}}"))


def test_it_is_in_the_page_with_its_view(tmp_path):
    with shown(tmp_path / "out", SCENE) as stage, Guest(stage.server) as guest:
        assert guest.until("world")[0]["type"] == "lagoon"
        (boat,) = guest.until("robots")[0]["robots"]
        (echo,) = boat["sensors"]
        assert (boat["type"], boat["engine"], echo["type"]) == ("skiff", "water", "echosounder")
        assert boat["drives"] and not boat["movable"]
        cone, series = echo["topics"]
        assert (cone["topic"], cone["type"], cone["view"]) == ("/skiff1/echo", SOUNDING, "cone")
        assert (series["topic"], series["view"], series["path"]) == ("/skiff1/echo/strength", "series", "data")
        assert cone["schema"][SOUNDING][1:3] == [["range", "float32", 0], ["max_range", "float32", 0]]
        assert "std_msgs/msg/Header" in cone["schema"] and "schema" not in series
        (gain,) = echo["controls"]
        assert gain["name"] == "set_gain" and gain["parameters"] == [["gain", "number"]] and gain["required"] == 1
        guest.ask("want", topics=[{"topic": "/skiff1/echo", "rate": 20}])
        head, arrays = guest.until("topic", topic="/skiff1/echo")
        assert head["type"] == SOUNDING
        assert 4.0 < decode(arrays["cdr"].tobytes(), SOUNDING).range < 7.0
        guest.ask("operate", robot="skiff1", sensor="echo", control="set_gain", arguments=[3])
        assert stage.simulation.sensor("skiff1", "echo").gain == 3.0
        assert "finite number" in guest.refused(
            "operate", robot="skiff1", sensor="echo", control="set_gain", arguments=["x"]
        )
        guest.ask("set", path="robots.skiff1.hull.drag", value=50)
        assert stage.simulation.robot("skiff1").file.hull.drag == 50.0


@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed: apt-get install chromium")
def test_a_browser_draws_its_cone_and_has_a_button_for_its_number(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
    with shown(tmp_path / "out", SCENE) as stage, playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=arguments)
        page, errors = browser.new_page(viewport={"width": 320, "height": 200}), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(stage.server.url)
        assert eventually(lambda: page.evaluate("Boolean(window.volery?.robots.length)"), 120)
        page.evaluate("volery.quality.choice = 'low'; volery.layers['skiff1/echo'] = true")
        assert eventually(lambda: any(4.0 < length < 7.0 for length in page.evaluate(CONES)), 120)
        buttons = page.evaluate("[...document.querySelectorAll('.sensor .views button')].map((b) => b.dataset.topic)")
        assert "/skiff1/echo/strength" in buttons
        browser.close()
    assert errors == []


def test_its_protocol_tells_and_steers(simulation):
    from skiff.nmea import Nmea, NmeaSettings, sentence

    loop = Loop(simulation, RealTimePace(5.0))
    door = Nmea(simulation, loop, NmeaSettings(port=0))
    door.start()
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    try:
        plotter = socket.create_connection(("127.0.0.1", door.port), timeout=10)
        with plotter, plotter.makefile("rwb") as lines:
            assert re.fullmatch(r"\$SDDPT,\d+\.\d\d,0\.0\*[0-9A-F]{2}\r\n", lines.readline().decode())
            for said, answer in (
                (sentence("PSKIF,1.5,0.2"), b"$PSKIF,ok*"),
                (b"$PSKIF,1,1*00\r\n", b"checksum is wrong"),
                (sentence("GPGGA,1,2"), b"unknown sentence"),
                (sentence("PSKIF,nan,0"), b"finite"),
            ):
                lines.write(said)
                lines.flush()
                while (line := lines.readline()).startswith(b"$SDDPT"):
                    pass
                assert answer in line
            before = simulation.ask(lambda: simulation.robot("skiff1").p_WB.copy()).result(5)
            assert eventually(lambda: np.linalg.norm(simulation.robot("skiff1").p_WB - before) > 2.0)
    finally:
        loop.stop()
        thread.join(10)
        door.close()
        door.close()


def test_its_mission_runs_from_the_command_line(site, tmp_path):
    shutil.copy(EXAMPLE / "lagoon.yaml", tmp_path)
    text = (tmp_path / "lagoon.yaml").read_text().replace("port: 10110", "port: 0")
    (tmp_path / "lagoon.yaml").write_text(text)
    done = volery(site, "run", "lagoon.yaml", "--headless", "--no-bus", "--speed", "max", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines() if re.match(r"[a-z ]+: ", line))
    assert told["mission"] == "survey" and told["done"] == "True" and int(told["soundings"]) > 100
    # 6 (1 - (r / 30)²) less the draught of 0.2, over a square of 10 m
    assert 5.4 < float(told["mean depth"]) < float(told["deepest"]) < 5.81
