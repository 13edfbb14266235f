"""What pages ask for: done in the loop, answered, refused with words, and never harmful."""

import logging
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from viewer_rig import FIELD, Guest, shown
from volery.bus.record import Recorder
from volery.errors import ScenarioError, SimulationError, UnknownNameError
from volery.events import Commanded, Restored
from volery.loop import FastPace, LockstepPace, Loop, RealTimePace
from volery.report.rerun import about_run, rerun
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.viewer.planning import known_scenarios, plan_start


@pytest.fixture
def stage(tmp_path):
    with shown(tmp_path / "out") as stage:
        stage.attached.record = lambda path: recorder(stage, path)
        yield stage


def recorder(stage, path):
    """As `volery run` records for pages."""
    about = about_run(stage.simulation.scenario, stage.simulation.seed, stage.listeners[0].steps)
    made = Recorder(stage.bus, path, **about)
    stage.simulation.events.append(Restored(stage.simulation.state()))
    return made


@pytest.fixture
def guest(stage):
    with Guest(stage.server) as guest:
        guest.until("welcome")
        yield guest


def place_of(stage, name="uav1"):
    return stage.simulation.ask(lambda: stage.simulation.robots[name].p_WB.copy()).result(5)


def test_commands_move_the_robot_and_are_events(stage, guest):
    heard = []
    stage.simulation.listeners.append(lambda s: heard.extend(s.events))
    before = place_of(stage)
    guest.ask("command", robot="uav1", command=["velocity", {"v_W": [2, 0, 0], "yaw_rate": 0.5}])
    time.sleep(0.6)
    assert place_of(stage)[0] > before[0] + 0.5
    assert any(isinstance(event, Commanded) and event.robot == "uav1" for event in heard)


def test_a_robot_steered_by_a_page_that_goes_away_stops(stage):
    guest = Guest(stage.server)
    guest.ask("command", robot="uav1", command=["body_velocity", {"v_B": [3, 0, 0]}])
    time.sleep(0.3)
    guest.close()
    time.sleep(0.3)
    here = place_of(stage)
    time.sleep(0.4)
    assert np.allclose(place_of(stage), here, atol=1e-6)


def test_a_waypoint_is_kept_when_the_page_goes_away(stage):
    guest = Guest(stage.server)
    guest.ask("command", robot="uav1", command=["body_velocity", {"v_B": [3, 0, 0]}])
    guest.ask("command", robot="uav1", command=["body_velocity", {"v_B": [0, 0, 0]}])
    time.sleep(0.2)  # the step after it tells of it
    heard = []
    stage.simulation.listeners.append(lambda s: heard.extend(s.events))
    guest.close()
    time.sleep(0.3)
    assert heard == [], "it held no key: nothing is sent"


def test_who_steered_last_counts(stage):
    first, second = Guest(stage.server), Guest(stage.server)
    first.ask("command", robot="uav1", command=["velocity", {"v_W": [1, 0, 0]}])
    second.ask("command", robot="uav1", command=["velocity", {"v_W": [2, 0, 0]}])
    first.close()
    time.sleep(0.3)
    here = place_of(stage)
    time.sleep(0.3)
    assert place_of(stage)[0] > here[0] + 0.2, "the second still holds its key"
    second.close()


def test_time_is_held_stepped_and_let_go(stage, guest):
    guest.ask("pause")
    assert guest.until("state", paused=True)
    time.sleep(0.1)
    now = stage.simulation.clock.now_ns
    assert guest.ask("step", steps=7)["now_ns"] == now + 70_000_000
    assert guest.ask("step")["now_ns"] == now + 80_000_000
    assert "whole number" in guest.refused("step", steps=0)
    guest.ask("place", robot="uav1", p=[9, 9, 9], q=[1, 0, 0, 0])
    for _ in range(20):
        _, arrays = guest.until("poses")
        if np.allclose(arrays["p"][0], 9):
            break
    assert np.allclose(arrays["p"][0], 9), "seen though time is held"
    guest.ask("play")
    assert stage.steps_on()
    assert "pause it" in guest.refused("step")


def test_steps_that_were_not_made_are_told(stage, guest):
    guest.ask("pause")
    guest.say({"do": "step", "id": 1000, "steps": 100_000})
    guest.say({"do": "play", "id": 1001})
    assert "resumed" in guest.until("reply", id=1000)[0]["error"]


def test_speed(stage, guest):
    guest.ask("speed", value=4)
    assert stage.loop.speed == 4.0
    time.sleep(2.5)
    assert guest.until("state", speed=4.0)
    states = [guest.until("state")[0]["factor"] for _ in range(8)]
    assert 2.0 < states[-1] < 6.0
    guest.ask("speed", value="max")
    assert stage.loop.speed == "max"
    for bad in (0, -1, "fast", None, [1], 1e9, True):
        guest.refused("speed", value=bad)
    guest.ask("speed", value=1)


def test_speed_of_a_loop():
    simulation = Simulation(read_scenario("robots: {}"))
    loop = Loop(simulation, FastPace())
    assert loop.speed == "max"
    loop.speed = 2
    assert loop.speed == 2.0 and isinstance(loop.pace, RealTimePace)
    for bad in (0, float("nan"), float("inf")):
        with pytest.raises(SimulationError, match="speed"):
            loop.speed = bad
    assert loop.speed == 2.0
    lock = Loop(simulation, LockstepPace())
    assert lock.speed == "lockstep"
    with pytest.raises(SimulationError, match="lockstep"):
        lock.speed = 1.0


def test_what_stands_is_saved_as_a_scenario_that_begins_so(stage, guest):
    assert "x500" in guest.ask("library")
    guest.ask("pause")
    guest.ask("spawn", name="more_1", data={"type": "quad", "position": [3, 4, 5], "physics": "kinematic"})
    guest.ask("place", robot="more_1", p=[6, 7, 8], q=[0.9238795, 0, 0, 0.3826834])
    guest.ask("set", path="environment.weather.fog", value=0.4)
    guest.ask("remove", name="uav1")
    file = guest.ask("save_scenario", file="mine")["file"]
    assert file == "mine.yaml"
    again = Simulation(load_scenario(stage.attached.out / file))
    assert "uav1" not in again.robots and again.environment.weather.fog == 0.4
    robot = again.robot("more_1")
    assert np.allclose(robot.p_WB, [6, 7, 8]) and np.allclose(robot.q_WB_wxyz, [0.92388, 0, 0, 0.38268], atol=1e-4)
    assert again.seed == stage.simulation.seed


def test_reset_snapshot_and_restore(stage, guest):
    guest.ask("place", robot="uav1", p=[4, 0, 5], q=[1, 0, 0, 0])
    file = guest.ask("snapshot")["file"]
    assert (stage.attached.out / file).exists() and file.endswith(".state")
    guest.ask("reset")
    assert np.allclose(place_of(stage), [0, 0, 5])
    guest.ask("restore", file=file)
    assert np.allclose(place_of(stage), [4, 0, 5])
    with Guest(stage.server) as other:
        assert file in other.until("welcome")[0]["files"]
    assert guest.ask("snapshot", file="mine")["file"] == "mine.state"
    for bad in ("../x", "/etc/passwd", "a/b", "..", "", ".hidden", "a\x00b", 5, "x" * 200):
        assert "file" in guest.refused("restore", file=bad)
    assert "cannot be read" in guest.refused("restore", file="nothing")
    (stage.attached.out / "junk.state").write_bytes(b"junk")
    assert "not a Volery snapshot" in guest.refused("restore", file="junk")


def test_a_recording_begun_in_the_middle_can_be_simulated_again(stage, guest):
    guest.ask("command", robot="uav1", command=["velocity", {"v_W": [1, 0.5, 0]}])
    time.sleep(0.3)
    file = guest.ask("record")["file"]
    assert "in progress" in guest.refused("record")
    assert guest.until("state", recording=file)
    time.sleep(0.3)
    guest.ask("command", robot="uav1", command=["velocity", {"v_W": [0, 0, 1], "yaw_rate": 1.0}])
    time.sleep(0.4)
    ended = guest.ask("record_stop")
    assert ended["file"] == file and ended["messages"] > 100
    assert guest.until("state", recording=None)
    assert "no recording" in guest.refused("record_stop")
    assert "exists already" in guest.refused("record", file=file)
    found = rerun(stage.attached.out / file)
    assert found.difference == "" and found.messages > 100


def test_sensors_are_operated_by_their_controls_only(stage, guest):
    sensors = stage.simulation.sensors["uav1"]
    guest.ask("operate", robot="uav1", sensor="eye", control="aim", arguments=[10, 5])
    assert sensors["eye"].pan_tilt_deg == (10.0, 5.0)
    guest.ask("operate", robot="uav1", sensor="eye", control="aim", arguments={"pan_deg": -4, "tilt_deg": 1})
    guest.ask("operate", robot="uav1", sensor="lamp", control="switch", arguments=[True])
    assert sensors["lamp"].lit
    for control in ("restore", "state", "measure", "deliver", "prepare", "__init__", "_rate", "config", "generator"):
        assert "unknown control" in guest.refused("operate", robot="uav1", sensor="eye", control=control)
    for arguments in (["a", "b"], [1], [1, 2, 3], {"pan": 1}, "x", 5, [1, None], [1e9, 0], [True, 0]):
        guest.refused("operate", robot="uav1", sensor="eye", control="aim", arguments=arguments)
    assert "did you mean 'eye'" in guest.refused("operate", robot="uav1", sensor="eya", control="aim")
    assert sensors["eye"].pan_tilt_deg == (-4.0, 1.0)


def test_robots_come_and_go(stage, guest):
    off = {"type": "probe", "position": [3, 3, 5], "sensors": {"scanner": "off"}}
    guest.ask("spawn", name="uav2", data=off)
    names = [r["name"] for r in guest.until("robots", 20)[0]["robots"]]
    while "uav2" not in names:
        names = [r["name"] for r in guest.until("robots", 20)[0]["robots"]]
    assert "already" in guest.refused("spawn", name="uav2", data=off)
    assert "unknown robot" in guest.refused("spawn", name="uav3", data={"type": "/etc/passwd"})
    assert "unknown key" in guest.refused("spawn", name="uav3", data={**off, "colour": "red"})
    assert "±" in guest.refused("spawn", name="uav3", data={**off, "position": [1e9, 0, 0]})
    guest.ask("remove", name="uav2")
    assert "unknown robot" in guest.refused("remove", name="uav2")


def test_properties_wind_and_scenarios(stage, guest):
    tree = guest.ask("properties")
    assert {node["name"] for node in tree} >= {"loop", "environment", "robots"}
    guest.ask("set", path="environment.weather.fog", value=0.3)
    assert stage.simulation.environment.weather.fog == 0.3
    assert guest.refused("set", path="environment.weather.fog", value="thick")
    assert "missing" in guest.refused("set", path="environment.weather.fog")
    assert guest.until("sky", 5, weather={"fog": 0.3, "rain": 0.0, "snow": 0.0, "dust": 0.0})
    assert np.shape(guest.ask("wind", p=[[0, 0, 5], [1, 1, 9]])["v"]) == (2, 3)
    assert "at most" in guest.refused("wind", p=[[0, 0, 0]] * 501)
    assert {s["name"] for s in guest.ask("scenarios")} >= {"forest", "cave"}
    assert isinstance(guest.ask("events"), list)


def test_what_makes_no_sense_is_said(stage, guest):
    assert "did you mean 'pause'" in guest.refused("pausee")
    assert "recording" in guest.refused("seek", seconds=3)
    assert "'robot' must be a text" in guest.refused("command", command=["velocity", {}])
    assert "did you mean 'uav1'" in guest.refused("command", robot="uav11", command=["velocity", {}])
    assert "did you mean 'velocity'" in guest.refused("command", robot="uav1", command=["velocty", {}])
    assert "±" in guest.refused("command", robot="uav1", command=["velocity", {"v_W": [1e300, 0, 0]}])
    assert "3 finite numbers" in guest.refused("command", robot="uav1", command=["velocity", {"v_W": [1, 0]}])
    assert "topic" in guest.refused("want", topics=[{"topic": "no slash"}])
    assert "rate" in guest.refused("want", topics=[{"topic": "/a", "rate": 1e6}])
    assert "at most" in guest.refused("want", topics=[{"topic": "/a"}] * 201)
    assert "radius" in guest.refused("view", p=[0, 0, 0], radius=-1)
    guest.say({"do": "remove", "name": "nobody"})
    assert "nobody" in guest.until("log", level="error")[0]["text"], "without an id the answer is in the log"


def test_requests_are_begun_in_order(stage, guest):
    for i in range(50):
        guest.say({"do": "place", "id": f"p{i}", "robot": "uav1", "p": [i, 0, 5]})
    guest.until("reply", id="p49")
    assert place_of(stage)[0] == pytest.approx(49, abs=0.5)


def test_who_waits_when_the_run_ends_is_told(tmp_path):
    with shown(tmp_path) as stage, Guest(stage.server) as guest:
        guest.ask("pause")
        done = threading.Event()
        stage.simulation.ask(done.wait)
        guest.say({"do": "reset", "id": 77})
        time.sleep(0.3)
        stage.server.detach()
        assert "ended" in guest.until("reply", id=77)[0]["error"]
        assert "no run" in guest.refused("pause")
        done.set()


# Scenarios as the picker changes them


def test_copies_of_a_robot_go_round_the_same_path():
    own = read_scenario(FIELD, "field")
    scenario = plan_start(own, "forest", robots=5)
    assert list(scenario.robots) == ["uav1", "uav2", "uav3", "uav4", "uav5"]
    simulation = Simulation(scenario)
    places = np.array([r.p_WB for r in simulation.robots.values()])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1)[np.triu_indices(5, 1)]
    assert gaps.min() > 3
    path = {tuple(corner) for corner in scenario.robots["uav1"].entry.motion["path"]}
    for name in ("uav2", "uav5"):
        assert path <= {tuple(corner) for corner in scenario.robots[name].entry.motion["path"]}


def test_other_worlds_and_limits():
    own = read_scenario(FIELD, "field")
    assert plan_start(own, "field") is own
    assert plan_start(own, "field", world="cave").world_type == "cave"
    assert plan_start(own, "forest", world="forest").name == "forest"
    with pytest.raises(UnknownNameError, match="did you mean 'forest'"):
        plan_start(own, "forrest")
    with pytest.raises(ScenarioError, match="world"):
        plan_start(own, "field", world="../x")
    with pytest.raises(UnknownNameError):
        plan_start(own, "/etc/passwd")
    with pytest.raises(ScenarioError, match="no robot"):
        plan_start(read_scenario("world: empty", "bare"), "bare", robots=3)
    with pytest.raises(ScenarioError, match="lockstep"):
        plan_start(read_scenario("pace: lockstep", "slow"), "slow")
    assert {s.name for s in known_scenarios()} >= {"blocks", "forest"}
    assert load_scenario("forest").file.about in {s.about for s in known_scenarios()}


# Any JSON at all

NAMES = [
    "view",
    "want",
    "wind",
    "events",
    "properties",
    "scenarios",
    "command",
    "operate",
    "place",
    "spawn",
    "remove",
    "set",
    "play",
    "pause",
    "step",
    "speed",
    "seek",
    "reset",
    "snapshot",
    "restore",
    "record",
    "record_stop",
    "hello",
    "",
    "do",
    "__init__",
    "close",
]
KEYS = [
    "robot",
    "command",
    "sensor",
    "control",
    "arguments",
    "p",
    "q",
    "name",
    "data",
    "steps",
    "value",
    "file",
    "path",
    "seconds",
    "topics",
    "table",
    "radius",
    "seed",
    "type",
    "position",
]
WORDS = st.sampled_from(
    [
        "uav1",
        "eye",
        "lamp",
        "imu",
        "velocity",
        "pose",
        "aim",
        "switch",
        "max",
        "/uav1/imu",
        "probe",
        "environment.weather.fog",
        "robots.uav1.sensors.eye.rate",
        "world.seed",
        "x",
        "../x",
    ]
)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    WORDS,
)
JSON = st.recursive(
    PLAIN,
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=4)), x),
    max_leaves=8,
)
REQUEST = st.fixed_dictionaries({"do": st.sampled_from(NAMES)}, optional={key: JSON for key in KEYS})


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    with shown(tmp_path_factory.mktemp("out")) as stage:
        yield stage


@given(st.lists(REQUEST, min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_request_gets_a_reply_or_a_clean_close(fuzzed, requests):
    errors = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: errors.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    try:
        with Guest(fuzzed.server) as guest:
            guest.until("welcome")
            for i, request in enumerate(requests):
                guest.say({**request, "id": i})
            got = {guest.until("reply", 20)[0]["id"] for _ in requests}
            assert got == set(range(len(requests)))
            guest.say({"do": "play", "id": "again"})
            guest.until("reply", id="again")
            guest.say({"do": "speed", "value": 1, "id": "pace"})
            guest.until("reply", id="pace")
    except ConnectionClosed as end:
        assert end.rcvd is not None and end.rcvd.code in (1001, 1007, 1008)
    finally:
        logging.getLogger().removeHandler(handler)
    assert errors == []
    assert fuzzed.steps_on(2), f"{requests} stopped the run: {fuzzed.error!r}"
