"""What pages get of a run: pieces of the world in the right order, robots and their poses, the sky, drawings."""

import threading
import time
from collections import Counter

import numpy as np
import pytest

from volery.bus.bus import Bus, BusConfig
from volery.bus.frames import unpack
from volery.bus.poses import POSES, PosesTopic, Roster, poses_frame
from volery.bus.record import Recorder, read_recording
from volery.bus.run_publisher import RunPublisher
from volery.bus.types import decode
from volery.core.clock import SECOND
from volery.core.drawings import Drawings
from volery.core.frames import matrix_from_quat
from volery.errors import SimulationError
from volery.robots.commands import COMMANDS
from volery.robots.robot import Contact
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.viewer.area_of_interest import keys_near
from volery.viewer.drawings import Markers
from volery.viewer.messages import PageMessage, plain_message
from volery.viewer.skylight import sky_message, wind_at
from volery.viewer.world_stream import WorldStream
from volery.world.wind import Wind

FLYING = """
seed: 2
world: {type: hills, chunk_size: 20, ground_spacing: 1}
streaming: {visible: 30, ahead: 10}
robots:
  uav1: {type: quad, physics: fleet, sensors: {scanner: off, cam: {type: camera, width: 32, height: 24,
         pan_tilt_deg: [10, -20]}, lamp: {type: headlight}, lidar: {type: lidar, lines: 4, columns: 64}}}
  uav2: {type: hexa, physics: kinematic, position: [4, 0, 3], sensors: {imu: off, gps: off}}
"""
BUILT = """
world: {type: blocks, count: 12}
robots:
  ugv1: {type: skid, position: [0, 0, 0.11]}
  barrel: {type: barrel, position: [0.7, 0.0, 0.3]}
"""


class Seen:
    """A page that reads all it is given."""

    def __init__(self, simulation):
        self.ready = threading.Event()
        self.world_stream = WorldStream(self.ready.set)
        self.roster, self.simulation = Roster(), simulation
        self.world_stream.snapshot(simulation, self.roster)
        self.area = self.world_stream.open()

    def read(self):
        """Take all there is until the worker has nothing left to do; what came."""
        new, end = [], time.monotonic() + 60.0
        while time.monotonic() < end:
            idle = self.world_stream.idle
            item = self.area.take()
            if item is not None:
                new.append(plain_message(item) if isinstance(item, PageMessage) else unpack(item))
            elif idle:
                return new
            else:
                self.ready.wait(0.1)
                self.ready.clear()
        raise AssertionError("the worker does not come to an end")

    def look(self, p, radius):
        self.area.look(np.array(p, float), radius)
        return self.read()

    def snapshot(self):
        self.world_stream.snapshot(self.simulation, self.roster)
        return self.read()


@pytest.fixture
def flying():
    seen = Seen(Simulation(read_scenario(FLYING)))
    yield seen
    seen.world_stream.close()


@pytest.fixture
def built():
    seen = Seen(Simulation(read_scenario(BUILT)))
    yield seen
    seen.world_stream.close()


def kind(item):
    return (item if isinstance(item, dict) else item[0])["kind"]


def keys(items):
    return [tuple(i[0]["key"]) for i in items if kind(i) == "chunk"]


# The world


def test_chunks_come_nearest_first_after_their_meshes(flying):
    items = flying.look((5, 5, 3), 45.0)
    assert kind(items[0]) == "world" and items[0]["chunk_size"] == 20 and items[0]["dark"] is False
    expected = keys_near(np.array([5.0, 5, 3]), 45.0, 20.0)
    found = [k for k in keys(items) if k != ("extra",)]
    assert set(found) == set(expected) and len(found) == len(expected)
    assert found[0] == (0, 0)
    known = set()
    for item in items:
        if kind(item) == "mesh":
            known.add(item[0]["of"])
        elif kind(item) == "chunk":
            assert set(item[0]["meshes"]) <= known, "a chunk came before its meshes"


def test_what_is_near_becomes_fine_and_what_is_far_stays_coarse(flying):
    items = flying.look((10, 10, 3), 150.0)
    finest, levels = {}, {}
    for item in items:
        if kind(item) == "mesh":
            of, level = item[0]["of"], item[0]["level"]
            assert level == finest.get(of, item[0]["levels"]) - 1, "levels come one after the other, coarsest first"
            finest[of], levels[of] = level, item[0]["levels"]
    ground = {tuple(i[0]["key"]): i[0]["meshes"][0] for i in items if kind(i) == "chunk" and i[0]["meshes"]}
    distance = keys_near(np.array([10.0, 10, 3]), 150.0, 20.0)
    assert finest[ground[0, 0]] == 0
    far = max(distance, key=distance.get)
    assert finest[ground[far]] == levels[ground[far]] - 1 > 0


def test_the_world_follows_the_camera_and_forgets(flying):
    first = flying.look((5, 5, 3), 45.0)
    there = set(keys(first)) - {("extra",)}
    moved = flying.look((405, 5, 3), 45.0)
    gone = [i for i in moved if kind(i) == "gone"]
    assert {tuple(k) for i in gone for k in i["keys"]} == there
    meshes = {n for i in first if kind(i) == "chunk" for n in i[0]["meshes"]}
    assert {n for i in gone for n in i["meshes"]} == meshes
    back = flying.look((5, 5, 3), 45.0)
    assert set(keys(back)) == there
    resent = {i[0]["of"] for i in back if kind(i) == "mesh"}
    assert resent == {n for i in back if kind(i) == "chunk" for n in i[0]["meshes"]}


def test_chunks_of_the_simulation_are_not_made_twice(flying, monkeypatch):
    streamer, asked = flying.simulation.streamer, []
    there = [key for key, level in streamer.shown.items() if level == 0]
    assert (0, 0) in there
    make = type(streamer.world).generate
    monkeypatch.setattr(type(streamer.world), "generate", lambda self, key: asked.append(key) or make(self, key))
    got = keys(flying.look((5, 5, 3), 110.0))
    assert set(there) <= set(got) and asked
    assert not set(asked) & set(there)


def test_two_pages_share_the_work_and_have_views_of_their_own(flying):
    flying.look((5, 5, 3), 45.0)
    other = flying.world_stream.open()
    first, flying.area = flying.area, other
    items = flying.look((405, 5, 3), 45.0)
    assert kind(items[0]) == "world" and (20, 0) in keys(items) and (0, 0) not in keys(items)
    other.close()
    flying.area = first
    assert flying.read() == []


def test_a_bounded_world_is_one_piece(built):
    items = built.look((0, 0, 5), 100.0)
    chunk = next(i for i in items if kind(i) == "chunk" and i[0]["key"] == [0, 0])
    placements = built.simulation.world.generate((0, 0))
    assert [(o["name"], o["count"]) for o in chunk[0]["objects"]] == [(p.name, len(p.X_WO)) for p in placements]
    X = chunk[1]["X"].astype(float)
    X[:, :, 3] += chunk[0]["origin"]
    assert np.abs(X - np.concatenate([p.X_WO for p in placements])).max() < 1e-4
    sent = Counter(i[0]["of"] for i in items if kind(i) == "mesh" and i[0]["level"] == 0)
    assert set(chunk[0]["meshes"]) <= sent.keys() and max(sent.values()) == 1


def test_things_added_move_and_go(built):
    built.look((0, 0, 5), 100.0)
    simulation = built.simulation
    number = simulation.environment.tags.drop(7, np.array([1.0, 1.0, 2.0]))
    items = built.snapshot()
    extra = [i for i in items if kind(i) == "chunk"]
    assert keys(extra) == [("extra",)] and extra[0][0]["objects"][0]["name"] == f"rfid_{number}"
    assert [kind(i) for i in items] == ["mesh", "chunk"]
    simulation.scene.objects[f"rfid_{number}"].move(np.column_stack([np.eye(3), [5.0, 6, 7]]))
    moved = built.snapshot()
    assert keys(moved) == [("extra",)]
    assert np.allclose(moved[-1][1]["X"][0, :, 3] + moved[-1][0]["origin"], (5, 6, 7), atol=1e-5)
    simulation.environment.tags.clear()
    gone = built.snapshot()
    assert [kind(i) for i in gone] == ["chunk", "gone"] and gone[0][1]["X"].shape == (0, 3, 4)
    assert built.snapshot() == []


def test_a_thing_of_the_world_that_moves_leaves_the_piece_it_stood_in(built):
    built.look((0, 0, 5), 100.0)
    built.simulation.alter("move", "OrangeBall", np.column_stack([np.eye(3), [1.0, 2, 3]]))
    items = built.snapshot()
    chunks = {tuple(i[0]["key"]): i for i in items if kind(i) == "chunk"}
    assert "OrangeBall" not in [o["name"] for o in chunks[0, 0][0]["objects"]]
    assert [o["name"] for o in chunks["extra",][0]["objects"]] == ["OrangeBall"]


def test_another_world_is_told_and_sent_anew(built):
    built.look((0, 0, 5), 100.0)
    built.simulation.change_world(count=20)
    items = built.snapshot()
    assert kind(items[0]) == "world" and items[0]["version"] == 2
    assert (0, 0) in keys(items) and "robots" in [kind(i) for i in items]


def test_without_pages_nothing_is_made():
    simulation = Simulation(read_scenario(FLYING))
    world_stream = WorldStream()
    world_stream.snapshot(simulation, Roster())
    time.sleep(0.2)
    assert world_stream.stage is None
    world_stream.close()


def test_a_chunk_that_cannot_be_made_is_empty_and_the_rest_goes_on(flying, monkeypatch, caplog):
    make = type(flying.simulation.world).generate

    def broken(self, key):
        if key == (3, 0):
            raise ValueError("damaged")
        return make(self, key)

    monkeypatch.setattr(type(flying.simulation.world), "generate", broken)
    items = flying.look((75, 5, 3), 30.0)
    chunks = {tuple(i[0]["key"]): i for i in items if kind(i) == "chunk"}
    assert chunks[3, 0][0]["meshes"] == [] and chunks[4, 0][0]["meshes"]
    assert "chunk (3, 0) could not be made" in caplog.text


@pytest.mark.parametrize("radius", [np.nan, np.inf, -5.0, 1e12])
def test_a_strange_view_does_no_harm(flying, radius):
    flying.area.look(np.array([0.0, 0, 0]), radius)
    flying.area.look(np.array([np.nan, 0, 0]), 40.0)
    assert len(flying.area.wanted) <= 256


# Robots


def test_robots_are_described(flying):
    items = flying.look((5, 5, 3), 20.0)
    crew = next(i for i in items if kind(i) == "robots")
    uav1, uav2 = crew["robots"]
    assert (uav1["name"], uav1["type"], uav1["engine"], uav1["movable"]) == ("uav1", "quad", "fleet", False)
    assert uav1["first"] == 0 and uav2["first"] == len(uav1["bodies"])
    assert {"pose", "velocity", "body_velocity", "motors"} <= set(uav1["commands"]) <= set(COMMANDS)
    assert [r["spin"] for r in uav1["rotors"]] == [1, 1, -1, -1]
    sent = {i[0]["of"] for i in items[: items.index(crew)] if kind(i) == "mesh"}
    assert {s["mesh"] for r in crew["robots"] for s in r["shapes"]} <= sent
    sensors = {s["name"]: s for s in uav1["sensors"]}
    assert sensors["cam"]["type"] == "camera" and sensors["cam"]["aim"] == 0
    assert sensors["cam"]["about"]["fov_deg"] == 90.0 and sensors["cam"]["about"]["width"] == 32
    (jpeg,) = (t for t in sensors["cam"]["topics"] if t["topic"] == "/uav1/cam/image_raw/compressed")
    assert jpeg["type"] == "sensor_msgs/msg/CompressedImage" and jpeg["view"] == "image"
    assert [c["name"] for c in sensors["cam"]["controls"] if c["gesture"] == "aim"] == ["aim"]
    assert sensors["lidar"]["about"]["max_range"] == 100.0 and len(sensors["lidar"]["X_BS"]) == 12


def test_things_and_robots_are_told_apart(built):
    crew = next(i for i in built.look((0, 0, 5), 20.0) if kind(i) == "robots")
    ugv1, barrel = crew["robots"]
    assert ugv1["drives"] and not barrel["drives"]
    assert (ugv1["movable"], barrel["movable"]) == (False, True)
    assert "body_velocity" in ugv1["commands"] and barrel["commands"] == ["flip", "wrench"]


def test_a_robot_that_comes_is_told(built):
    built.look((0, 0, 5), 20.0)
    version = built.roster.version
    built.simulation.spawn("uav9", {"type": "quad", "physics": "kinematic", "position": [0, 0, 5]})
    items = built.snapshot()
    crew = next(i for i in items if kind(i) == "robots")
    assert crew["version"] == version + 1 == built.roster.take(built.simulation).version
    assert [r["name"] for r in crew["robots"]] == ["ugv1", "barrel", "uav9"]
    assert [kind(i) for i in items][-1] == "robots" and len(items) > 1


def test_poses_are_those_of_all_bodies(flying):
    simulation = flying.simulation
    simulation.run(20)
    header, arrays = unpack(poses_frame(flying.roster.take(simulation)))
    X = np.concatenate([r.X_WB for r in simulation.robots.values()])
    assert header["now_ns"] == simulation.clock.now_ns and "robots" not in header
    assert np.array_equal(arrays["p"], X[:, :, 3])
    assert np.abs(matrix_from_quat(arrays["q"].astype(float)) - X[:, :, :3]).max() < 1e-6
    assert np.allclose(arrays["velocity"], [r.v_WB_W for r in simulation.robots.values()], atol=1e-6)
    assert np.allclose(arrays["aim"], [[np.radians(10), np.radians(-20), 1.0]])
    spot = simulation.environment.spots()[0]
    assert np.allclose(arrays["spot_p"], [spot.p_W]) and np.allclose(arrays["spot_ahead"], [spot.ahead_W], atol=1e-6)
    assert np.allclose(arrays["spot_light"], [[*spot.light, spot.cosine]])


def test_poses_are_copies():
    simulation = Simulation(read_scenario(BUILT))
    poses = Roster().take(simulation)
    before = poses.X_WB.copy(), poses.velocity.copy()
    simulation.run(30)
    assert np.array_equal(poses.X_WB, before[0]) and np.array_equal(poses.velocity, before[1])


def test_poses_tell_contacts():
    simulation = Simulation(read_scenario(BUILT))
    simulation.run(50)
    header, arrays = unpack(poses_frame(Roster().take(simulation)))
    assert ["ugv1", "Ground"] in header["contacts"] and ["barrel", "Ground"] in header["contacts"]
    assert len(arrays["contact_p"]) == len(arrays["impulse"]) == len(header["contacts"])
    up = sum(arrays["impulse"][i, 2] for i, (robot, _) in enumerate(header["contacts"]) if robot == "barrel")
    assert up == pytest.approx(10.0 * 9.81 * 0.01, rel=0.1), "what lies is carried"


def test_the_version_counts_robots_and_sensors():
    simulation, roster = Simulation(read_scenario(BUILT)), Roster()
    assert roster.look(simulation) == 1 == roster.look(simulation)
    simulation.remove("barrel")
    assert roster.look(simulation) == 2
    simulation.reset()
    assert roster.look(simulation) == 3


def test_taking_poses_costs_the_loop_next_to_nothing():
    robots = "\n".join(
        f"  uav{i}: {{type: quad, physics: kinematic, position: [{i}, 0, 5], sensors: {{imu: off, gps: off}}}}"
        for i in range(10)
    )
    simulation, roster = Simulation(read_scenario(f"world: empty\nrobots:\n{robots}\n")), Roster()
    roster.take(simulation)
    best = np.inf
    for _ in range(20):
        began = time.thread_time()
        for _ in range(50):
            roster.take(simulation)
        best = min(best, (time.thread_time() - began) / 50)
    assert best < 10 * 10e-6


def test_poses_are_recorded_only_if_wanted(tmp_path):
    simulation = Simulation(read_scenario(BUILT))
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        run_publisher = RunPublisher(simulation, bus)
        simulation.listeners.append(run_publisher)
        simulation.run(10)
        assert bus.publishers[POSES].count == 0
        with Recorder(bus, tmp_path / "run.mcap", (POSES,)):
            simulation.run(100)
        run_publisher.close()
    found = list(read_recording(tmp_path / "run.mcap"))
    assert len(found) == 50
    header, arrays = unpack(bytes(decode(found[-1].data, found[-1].message_type).data))
    assert header["now_ns"] == found[-1].stamp_ns and header["robots"] == [["ugv1", 5], ["barrel", 1]]
    assert header["version"] == 0, "a roster's count depends on what was before the recording began"
    assert np.array_equal(arrays["p"][5], simulation.robot("barrel").X_WB[0, :, 3])


def test_poses_topic_closes(tmp_path):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        topic = PosesTopic(bus)
        topic.close()
        assert POSES not in bus.publishers


# Sky, wind, drawings


def test_the_sky_is_that_of_the_cameras():
    simulation = Simulation(read_scenario(BUILT))
    environment = simulation.environment
    clear = plain_message(sky_message(environment, 0))
    assert clear["sun"]["direction"] == environment.sky.sun(0).direction.tolist()
    assert clear["light"]["sun"] == pytest.approx(environment.sky.light(0).sun.tolist())
    assert clear["cloud"] == 0.0 and clear["extinction"] == pytest.approx(1 / 2500)
    simulation.set("environment.weather.fog", 0.8)
    fog = plain_message(sky_message(environment, 0))
    assert fog["weather"]["fog"] == 0.8 and fog["cloud"] > 0.5
    assert fog["extinction"] == pytest.approx(1 / 2500 + environment.weather.extinction(550.0))
    assert max(fog["light"]["sun"]) < min(clear["light"]["sun"])


def test_the_wind_is_asked_at_points():
    environment = Simulation(read_scenario(BUILT)).environment
    environment.wind = Wind(steady=(3.0, 1.0, 0.0), turbulence="moderate", seed=4)
    points = np.random.default_rng(0).normal(size=(500, 3)) * 30 + (0, 0, 40)
    assert np.array_equal(wind_at(environment, SECOND, points.tolist()), environment.wind.velocity(points, SECOND))
    assert wind_at(environment, 0, []) == []
    for bad in (np.zeros((501, 3)).tolist(), [[0, 0, float("nan")]], [[1, 2]], "abc", 5, [[1e300, 0, 0]], None):
        with pytest.raises(SimulationError):
            wind_at(environment, 0, bad)


def test_drawings_come_and_go_in_simulated_time():
    drawings, page = Drawings(), Markers()

    def changes(now_ns):
        return plain_message(page.changes(drawings, now_ns))

    assert changes(0) == []
    drawings.add("line", [[0, 0, 0], [1, 2, 3]], (0.0, 1.0, 0.0, 1.0), 2.0, until_ns=5 * SECOND)
    drawings.add("text", [[0, 0, 1], [0, 0, 2]], words=("here", "there"))
    line, here, there = changes(2 * SECOND)
    assert line == {
        "id": "1", "kind": "line", "colour": [0.0, 1.0, 0.0, 1.0], "size": 2.0, "duration": 3.0,
        "p": [[0, 0, 0], [1, 2, 3]],
    }  # fmt: skip
    assert (here["id"], here["text"], there["id"], there["text"]) == ("2.0", "here", "2.1", "there")
    assert changes(4 * SECOND) == []
    assert changes(6 * SECOND) == [{"id": "1", "gone": True}]
    late = Markers()
    assert [m.id for m in late.changes(drawings, 6 * SECOND)] == ["2.0", "2.1"]
    drawings.clear()
    assert changes(6 * SECOND) == [{"id": "2.0", "gone": True}, {"id": "2.1", "gone": True}]
    assert page.changes(Drawings(), 0) == []


def test_a_blow_between_two_looks_is_told():
    simulation, roster = Simulation(read_scenario("world: empty\nrobots: {uav1: quad}\n")), Roster()
    robot = simulation.robots["uav1"]
    soft, hard = (Contact("wall", "base", np.zeros(3), np.zeros(3), 0.0, np.array([0.0, 0.0, n])) for n in (0.1, 5.0))
    for contacts in ((soft,), (hard, soft), (soft,), ()):
        robot.contacts = contacts
        roster.feel(simulation)
    assert [c for _, c in roster.take(simulation).contacts] == [hard, soft]
    assert roster.take(simulation).contacts == ()
