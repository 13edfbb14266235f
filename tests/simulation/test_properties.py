"""Parameters as a tree, and changed while running: checked, told as events, kept in snapshots."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pytest

from volery import registry
from volery.bus.bus import Bus, BusConfig
from volery.bus.run_publisher import RunPublisher
from volery.core.config import Checked, SourceLocation, param
from volery.core.properties import changed, plain, tree, unit_of, words_of
from volery.core.state import decode, encode, load, save
from volery.errors import ScenarioError, SimulationError, UnknownNameError, VoleryError
from volery.events import PropertySet, event_of
from volery.loop import Loop, RealTimePace
from volery.robots.commands import Pose
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.viewer.properties import property_view, set_property

TEXT = """
seed: 5
world: {type: blocks, count: 8}
engines: {fleet: {crash_speed: 0}}
robots:
  uav1:
    type: quad
    physics: fleet
    position: [0, 0, 8]
    sensors:
      scanner: off
      lidar: {type: lidar, columns: 60, noise: {range: {absolute: 0.02, walk: 0.01}}}
      cam: {type: camera, width: 16, height: 12, rate: 10, quality: fast, outputs: [rgb, depth]}
      lamp: headlight
      imu: {type: imu, noise: {specific_force: {density: 0.01, bias_spread: 0.1}}}
  probe: {type: probe, position: [3, 3, 4], sensors: {scanner: {form: face, parts: 12, extent: 5, rate: 100}}}
"""


@dataclass(frozen=True)
class Part(Checked):
    """A part."""

    size: float = param(1.0, above=0, high=9.0)
    """How large it is [m]."""


@dataclass(frozen=True)
class Whole(Checked):
    """A whole.

    Not shown."""

    speed: float = param(2.0, low=0.0, high=10.0)
    """Of it,
    over ground [m/s]."""
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[m], shape [3]."""
    kind: Literal["a", "b"] = "a"
    count: int | None = None
    """[n, 3] of them."""
    names: tuple[Literal["x", "y"], ...] = ("x",)
    part: Part = Part()
    parts: tuple[Part, ...] = ()
    by_name: dict[str, Part] = field(default_factory=dict)
    on: bool = True


@pytest.fixture
def simulation():
    return Simulation(read_scenario(TEXT))


def leaves(nodes):
    for node in nodes:
        yield from leaves(node["items"]) if "items" in node else [node]


def nodes_by_path(simulation):
    return {leaf["path"]: leaf for leaf in leaves(simulation.settings.tree())}


def run_bytes(simulation, steps):
    out = []
    for _ in range(steps):
        simulation.step()
        out.append(simulation.readings_bytes())
    return out


# The tree


def test_a_dataclass_as_a_tree():
    node = tree(Whole(by_name={"left": Part(2.0)}, parts=(Part(), Part(3.0))), "whole", "it", {"on": "not now"})
    assert node["doc"] == "A whole."
    by = {n["name"]: n for n in node["items"]}
    assert by["speed"] == {
        "name": "speed", "path": "it.speed", "kind": "number", "value": 2.0, "default": 2.0, "low": 0.0, "high": 10.0,
        "unit": "m/s", "doc": "Of it, over ground [m/s].", "editable": True,
    }  # fmt: skip
    assert (by["place"]["kind"], by["place"]["size"], by["place"]["unit"]) == ("vector", 3, "m")
    assert (by["kind"]["kind"], by["kind"]["choices"]) == ("choice", ["a", "b"])
    assert by["count"]["optional"] and by["count"]["kind"] == "whole" and "unit" not in by["count"]
    assert (by["names"]["kind"], by["names"]["choices"]) == ("several", ["x", "y"])
    assert by["part"]["items"][0]["above"] == 0 and by["part"]["items"][0]["path"] == "it.part.size"
    assert by["parts"]["list"] and by["parts"]["items"][1]["items"][0]["path"] == "it.parts.1.size"
    assert by["by_name"]["items"][0]["items"][0]["path"] == "it.by_name.left.size"
    assert (by["on"]["kind"], by["on"]["editable"], by["on"]["why"]) == ("switch", False, "not now")
    json.dumps(node, allow_nan=False)


def test_units_are_what_stands_in_brackets_but_no_shapes():
    assert [unit_of(w) for w in ("Time [s].", "[A h].", "float [n, 3] [m/s]", "none", "[3], [k] [1/km²]")] == [
        "s", "A h", "m/s", "", "1/km²",
    ]  # fmt: skip
    assert words_of(Whole)["speed"] == "Of it, over ground [m/s]."


@pytest.mark.parametrize(
    "keys, value, get",
    [
        (["speed"], 3, lambda w: w.speed == 3.0),
        (["place"], [1, 2, 3], lambda w: w.place == (1.0, 2.0, 3.0)),
        (["part", "size"], 4, lambda w: w.part.size == 4.0),
        (["parts"], [{}, {"size": 5}], lambda w: w.parts == (Part(), Part(5.0))),
        (["parts", "0", "size"], 6, lambda w: w.parts[0].size == 6.0),
        (["by_name", "left", "size"], 7, lambda w: w.by_name["left"].size == 7.0),
        (["by_name", "left"], {"size": 8}, lambda w: w.by_name["left"].size == 8.0),
        (["count"], None, lambda w: w.count is None),
    ],
)
def test_a_copy_with_another_value(keys, value, get):
    whole = Whole(parts=(Part(),), by_name={"left": Part()}, count=1)
    before = plain(whole)
    assert get(changed(whole, keys, value, SourceLocation()))
    assert plain(whole) == before


@pytest.mark.parametrize(
    "keys, value, words",
    [
        (["speed"], 11, "it.speed: 11 is too large; the most is 10"),
        (["speed"], "fast", "it.speed: expected a number"),
        (["speeed"], 1, "did you mean 'speed'"),
        (["part", "siz"], 1, "it.part.siz: unknown property 'siz', did you mean 'size'"),
        (["parts", "4", "size"], 1, "unknown property '4'"),
        (["speed", "x"], 1, "it.speed: this is one value"),
        (["kind"], "c", "not one of a, b"),
        (["place"], [1, 2], "expected 3 values"),
    ],
)
def test_wrong_changes_are_refused(keys, value, words):
    with pytest.raises(ScenarioError, match=words):
        changed(Whole(parts=(Part(),)), keys, value, SourceLocation(path=("it",)))


@pytest.mark.parametrize("kind", ["worlds", "sensors", "engines"])
def test_every_built_in_component_can_be_shown(kind):
    for name in registry.names(kind):
        cls = registry.find(kind, name)
        cls = {"sensors": lambda c: c.Config, "engines": lambda c: c.Settings, "worlds": lambda c: c}[kind](cls)
        if name in ("mesh", "terrain", "tiles"):
            continue  # need a file; they are dataclasses like the others
        node = tree(cls(), name, name)
        json.dumps(node, allow_nan=False)
        for leaf in leaves([node]):
            assert leaf["kind"] in ("number", "whole", "switch", "text", "choice", "several", "vector", "list", "data")
            limits = [leaf[k] for k in ("low", "value", "high") if k in leaf and isinstance(leaf[k], int | float)]
            assert limits == sorted(limits), leaf


def test_the_tree_of_a_run(simulation):
    found = nodes_by_path(simulation)
    json.dumps(simulation.settings.tree(), allow_nan=False)
    assert found["environment.weather.fog"]["high"] == 1.0
    assert found["environment.wind.steady"]["unit"] == "m/s"
    assert found["world.count"]["value"] == 8
    assert found["robots.uav1.sensors.lidar.rate"]["unit"] == "Hz"
    assert found["robots.uav1.sensors.imu.noise.angular_velocity.density"]["value"] == 0.0
    assert found["robots.uav1.multirotor.control.position.kp"]["value"] == 2.0
    assert found["engines.fleet.friction"]["editable"] and not found["engines.fleet.touch"]["editable"]


# Setting


def test_setting_everything_to_what_it_is_changes_nothing(simulation):
    simulation.run(7)
    before, found = simulation.state(), nodes_by_path(simulation)
    hashed = simulation.state_hash()
    for path, leaf in found.items():
        if leaf["editable"] and path != "environment.time_of_day":
            simulation.set(path, leaf["value"])
    after = simulation.state()
    for part in ("environment", "robots", "engines", "sensors", "generators", "steps"):
        assert encode(after[part]) == encode(before[part]), part
    ahead = run_bytes(simulation, 20)
    other = Simulation(read_scenario(TEXT))
    other.run(7)
    assert other.state_hash() == hashed
    assert run_bytes(other, 20) == ahead


@pytest.mark.parametrize(
    "path, value, words",
    [
        ("environment.weather.fog", 2, "environment.weather.fog: 2 is too large; the most is 1"),
        ("environment.weather.fog", "thick", "environment.weather.fog: expected a number"),
        ("environment.weather.fgo", 0.5, "did you mean 'fog'"),
        ("environment.wether.fog", 0.5, "did you mean 'weather'"),
        ("environment.wind.thermal_density", 50, "environment.wind.thermal_density: .*overlap"),
        ("environment.time_of_day", 25, "no hour of the day"),
        ("environment", 1, "group of properties"),
        ("wether", 1, "unknown property 'wether'"),
        ("", 1, "unknown property"),
        ("world.count", -1, "world.count: -1 is too small"),
        ("world.cuont", 3, "did you mean 'count'"),
        ("robots.uav2.sensors.lidar.rate", 3, "unknown robot 'uav2', did you mean 'uav1'"),
        ("robots.uav1.sensors.lidr.rate", 3, "did you mean 'lidar'"),
        ("robots.uav1.sensors.lidar.rate", 0, "must be greater than 0"),
        ("robots.uav1.sensors.lidar.rate", None, "expected a number"),
        ("robots.uav1.sensors.lidar.min_range", 1000, "must be below max_range"),
        ("robots.uav1.sensors.lidar.channel", "nothing", "nothing"),
        ("robots.uav1.sensors.cam.mount.site", "tail", "tail"),
        ("robots.uav1.sensors.lidar", {}, "group of properties"),
        ("robots.uav1.sensors", {}, "group of properties"),
        ("robots.uav1.wings.span", 3, "unknown property of robot"),
        ("robots.uav1.multirotor.most_thrust", 0.1, "lift"),
        ("robots.uav1.multirotor.rotors", [], "."),
        ("engines.fleet.touch", False, "decided when the run starts"),
        ("engines.mujoco.step", 0.001, "unknown engine"),
        ("streaming.background", False, "decided when the run starts"),
    ],
)
def test_refusals_change_nothing(simulation, path, value, words):
    simulation.run(3)
    before, sensors = simulation.state_hash(), dict(simulation.sensors["uav1"])
    with pytest.raises((SimulationError, VoleryError), match=words):
        simulation.set(path, value)
    assert simulation.state_hash() == before
    assert simulation.events == []
    assert simulation.sensors["uav1"] == sensors
    assert simulation.environment.lights["uav1"]["lamp"] is sensors["lamp"]
    simulation.run(3)


def test_the_environment_changes(simulation):
    simulation.set("environment.wind.steady", [3, 0, 0])
    simulation.set("environment.weather", {"fog": 0.5, "rain": 0.1})
    simulation.set("environment.wind.gusts", [{"amplitude": 4}])
    simulation.set("environment.wind.gusts.0.length", 20)
    env = simulation.environment
    assert env.wind.steady == (3.0, 0.0, 0.0) and (env.weather.fog, env.weather.rain) == (0.5, 0.1)
    assert (env.wind.gusts[0].amplitude, env.wind.gusts[0].length) == (4.0, 20.0)
    assert [event.kind for event in simulation.events] == ["set"] * 4


def test_the_time_of_day(simulation):
    simulation.run(10)
    simulation.set("environment.time_of_day", 18.5)
    time = simulation.environment.sky.time(simulation.clock.now_ns)
    assert (time.hour, time.minute) == (18, 30)
    assert nodes_by_path(simulation)["environment.time_of_day"]["value"] == 18.5
    simulation.set("environment.time_of_day", 2)
    assert simulation.environment.sky.sun(simulation.clock.now_ns).elevation < 0


def test_the_world_is_made_anew_and_told_once(simulation):
    before = len(simulation.scene.objects)
    simulation.set("world.count", 20)
    assert simulation.world.count == 20 and len(simulation.scene.objects) > before
    assert simulation.events == [PropertySet("world.count", 20)]


def test_streaming_reaches_further(tmp_path):
    text = "world: {type: hills, ground_spacing: 5}\nstreaming: {visible: 60, ahead: 0}\nrobots: {a: probe}"
    simulation = Simulation(read_scenario(text))
    few = set(simulation.streamer.shown)
    simulation.set("streaming.visible", 160)
    many = set(simulation.streamer.shown)
    assert many > few
    state = simulation.state()
    simulation.reset()
    assert set(simulation.streamer.shown) == few and simulation.streamer.config.visible == 60
    simulation.restore(state)
    assert set(simulation.streamer.shown) == many


# Sensors


def test_a_sensor_reads_at_its_new_rate(simulation):
    simulation.set("robots.uav1.sensors.lidar.rate", 50)
    stamps = []
    simulation.listeners.append(lambda s: stamps.extend(r.stamp_ns for _, n, r in s.fresh if n == "lidar"))
    simulation.run(20)
    assert np.diff(stamps).tolist() == [20_000_000] * (len(stamps) - 1) and len(stamps) == 10


def test_chance_goes_on_from_the_same_generator(simulation):
    """A change of the range does not make the sensor draw again what it drew before."""
    simulation.run(20)
    generator = simulation.sensor("uav1", "imu").generator
    state = encode(generator.bit_generator.state)
    bias = simulation.sensor("uav1", "imu").state()["noises"]
    simulation.set("robots.uav1.sensors.imu.buffer", 5)
    made = simulation.sensor("uav1", "imu")
    assert made.generator is generator and encode(generator.bit_generator.state) == state
    assert encode(made.state()["noises"]) == encode(bias)
    assert all(noise.generator is generator for noise in made._noises.values())


def test_what_a_sensor_remembers_is_handed_over(simulation):
    simulation.operate("uav1", "cam", "aim", 20.0, 5.0)
    simulation.operate("uav1", "cam", "set_zoom", 2.0)
    simulation.run(12)
    simulation.set("robots.uav1.sensors.cam.width", 32)
    camera = simulation.sensor("uav1", "cam")
    assert camera.pan_tilt_deg == (20.0, 5.0) and camera.zoom == 2.0
    assert camera.latest is None
    simulation.run(10)
    assert camera.latest.data["rgb"].shape == (12, 32, 3)
    simulation.set("robots.uav1.sensors.cam.zoom", 3.0)
    assert simulation.sensor("uav1", "cam").zoom == 3.0
    simulation.set("robots.uav1.sensors.cam.pan_range_deg", [-10, 10])
    assert simulation.sensor("uav1", "cam").pan_tilt_deg == (10.0, 5.0)


def test_readings_on_their_way_stay_if_the_instrument_does(simulation):
    simulation.run(10)
    before = simulation.sensor("uav1", "imu").latest
    simulation.set("robots.uav1.sensors.imu.delay", 0.05)
    assert simulation.sensor("uav1", "imu").latest.stamp_ns == before.stamp_ns


def test_a_scanner_of_another_size_begins_anew_and_one_in_fewer_parts_goes_on(simulation):
    simulation.run(11)
    simulation.set("robots.probe.sensors.scanner.parts", 6)
    simulation.run(7)
    simulation.set("robots.probe.sensors.scanner.extent", 3)
    simulation.run(7)
    assert len(simulation.sensor("probe", "scanner").latest.data["occupancy"]) == 6 * 49


def test_a_lamp_is_switched_and_stays_the_one_that_shines(simulation):
    simulation.set("robots.uav1.sensors.lamp.lit", False)
    lamp = simulation.sensor("uav1", "lamp")
    assert simulation.environment.lights["uav1"]["lamp"] is lamp and simulation.environment.spots() == []
    simulation.set("robots.uav1.sensors.lamp.lit", True)
    simulation.operate("uav1", "lamp", "dim", 0.5)
    simulation.set("robots.uav1.sensors.lamp.cone_deg", 40)
    assert simulation.sensor("uav1", "lamp").intensity == 0.5 and len(simulation.environment.spots()) == 1


def test_noise_can_be_put_on_and_taken_off(simulation):
    quiet = "robots.uav1.sensors.cam.noise.depth.absolute"
    simulation.run(1)
    simulation.set(quiet, 0.5)
    assert simulation.sensor("uav1", "cam").config.noise["depth"].absolute == 0.5
    simulation.set(quiet, 0.0)
    assert simulation.sensor("uav1", "cam").config.noise["depth"].silent


# Rotors and engines


def test_gains_change_how_a_drone_flies(simulation):
    other = Simulation(read_scenario(TEXT))
    for run in (simulation, other):
        run.command("uav1", Pose(np.array([5.0, 0, 8])))
    other.set("robots.uav1.multirotor.control.position.kp", 0.2)
    simulation.run(150)
    other.run(150)
    assert simulation.robots["uav1"].p_WB[0] > 2 * other.robots["uav1"].p_WB[0] > 0


def test_the_tables_of_a_fleet_do_not_grow(simulation):
    batch = simulation.engines["fleet"].batch
    simulation.spawn("uav2", {"type": "quad", "physics": "fleet", "position": [5, 5, 5]})
    for i in range(50):
        simulation.set("robots.uav1.multirotor.control.position.kp", 1.0 + i / 50)
        simulation.step()
    assert len(batch.parameters) == 2 and len(batch.bumpers) == sum(batch.parameters["bumpers"])
    assert simulation.robots["uav2"].file.multirotor.control.position.kp == 2.0


def test_a_battery_keeps_its_share():
    text = "robots: {a: {type: quad, physics: fleet, position: [0, 0, 50]}}"
    simulation = Simulation(read_scenario(text))
    engine = simulation.engines["fleet"]
    simulation.set("robots.a.multirotor.battery", {"capacity": 1.0, "charge": 0.5})
    assert engine.charge("a") == pytest.approx(0.5)
    simulation.run(100)
    share = engine.charge("a")
    assert share < 0.5
    simulation.set("robots.a.multirotor.battery.capacity", 4.0)
    assert engine.charge("a") == pytest.approx(share)


def test_a_drone_in_mujoco_can_be_tuned():
    text = "robots: {a: {type: quad, physics: mujoco, position: [0, 0, 50]}}"
    slow, quick = Simulation(read_scenario(text)), Simulation(read_scenario(text))
    slow.set("robots.a.multirotor.control.position.most", 0.5)
    slow.set("engines.mujoco.step", 0.005)
    for run in (slow, quick):
        run.command("a", Pose(np.array([10.0, 0, 50])))
        run.run(100)
    assert slow.robots["a"].p_WB[0] < 0.6 < quick.robots["a"].p_WB[0]


def test_settings_of_engines(simulation):
    simulation.set("engines.fleet.friction", 0.1)
    assert simulation.engines["fleet"].settings.friction == 0.1
    assert simulation.engines["fleet"]._sky.settings.friction == 0.1


# Runs


CHANGES = [
    ("environment.weather.fog", 0.3),
    ("environment.time_of_day", 20.0),
    ("world.count", 12),
    ("robots.uav1.sensors.lidar.rate", 25),
    ("robots.uav1.sensors.lidar.noise.range.absolute", 0.1),
    ("robots.uav1.sensors.cam.outputs", ["depth"]),
    ("robots.uav1.sensors.lamp.intensity", 0.5),
    ("robots.probe.sensors.scanner.parts", 6),
    ("robots.uav1.multirotor.control.position.kp", 1.5),
    ("robots.uav1.multirotor.battery", {"capacity": 2.0}),
    ("engines.fleet.step", 0.002),
    ("environment.wind.turbulence", "light"),
]


def change_all(simulation):
    for path, value in CHANGES:
        simulation.set(path, value)
        simulation.run(3)


def test_snapshot_restore_continue_equals_continue(simulation, tmp_path):
    change_all(simulation)
    save(simulation.state(), tmp_path / "run.state")
    ahead = run_bytes(simulation, 30)
    end = simulation.state_hash()
    for other in (simulation, Simulation(read_scenario(TEXT))):
        other.restore(load(tmp_path / "run.state"))
        assert run_bytes(other, 30) == ahead
        assert other.state_hash() == end


def test_reset_forgets_all_changes(simulation):
    first = run_bytes(simulation, 20)
    change_all(simulation)
    simulation.reset()
    assert simulation.settings.state() == Simulation(read_scenario(TEXT)).settings.state()
    assert run_bytes(simulation, 20) == first


def test_events_of_changes_make_another_run_the_same(simulation):
    log = []
    simulation.listeners.append(lambda s: log.append(decode(encode([event.plain() for event in s.events]))))
    change_all(simulation)
    other = Simulation(read_scenario(TEXT))
    for events in log:
        for kind, arguments in events:
            other.redo(event_of(kind, arguments))
        other.step()
    assert other.state_hash() == simulation.state_hash()


def test_a_robot_that_goes_takes_its_changes_with_it(simulation):
    simulation.set("robots.uav1.sensors.lidar.rate", 50)
    simulation.set("robots.uav1.multirotor.control.position.kp", 1.0)
    simulation.remove("uav1")
    assert simulation.settings.state()["sensors"] == {} and simulation.settings.state()["blocks"] == {}
    with pytest.raises(UnknownNameError, match="uav1"):
        simulation.set("robots.uav1.sensors.lidar.rate", 20)


def test_topics_follow_a_camera_with_other_outputs(simulation):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        heard = bus.subscribe("/uav1/cam/labels/image_raw", "sensor_msgs/msg/Image")
        bus.tap(lambda *_: None, ("*",))
        simulation.run(12)
        assert "/uav1/cam/image_raw" in bus.publishers
        simulation.set("robots.uav1.sensors.cam.outputs", ["labels"])
        simulation.run(25)
        assert "/uav1/cam/image_raw" not in bus.publishers and "/uav1/cam/labels/image_raw" in bus.publishers
        assert heard.wait_next(5.0) is not None
        run_publisher.close()


def test_what_pages_see_and_set():
    """The pace of the loop stands beside the simulation's own; the tree can be made later, in another thread."""
    simulation = Simulation(read_scenario("world: {type: blocks, count: 2}\nrobots: {a: probe}"))
    loop = Loop(simulation, RealTimePace(1.0))
    view = property_view(simulation, loop)
    simulation.set("environment.weather.fog", 0.7)
    with ThreadPoolExecutor(1) as pool:
        found = {leaf["path"]: leaf for leaf in leaves(pool.submit(view).result())}
    assert found["loop.speed"]["value"] == 1.0 and found["environment.weather.fog"]["value"] == 0.0
    set_property(simulation, loop, "loop.speed", 2)
    set_property(simulation, loop, "environment.weather.rain", 0.2)
    assert loop.speed == 2 and simulation.environment.weather.rain == 0.2
    set_property(simulation, loop, "loop.speed", "max")
    assert next(leaves(property_view(simulation, loop)()))["value"] == "max"
    for path, value in (("loop.speed", -1), ("loop.speed", "fast"), ("loop.speed", True), ("loop.sped", 1)):
        with pytest.raises(VoleryError):
            set_property(simulation, loop, path, value)
    assert loop.speed == "max"
