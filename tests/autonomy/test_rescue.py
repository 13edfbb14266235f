"""Signs of life, tags and touch against closed forms."""

import numpy as np
import pytest

from rescue_rig import ball, make, put, read
from volery import registry
from volery.core import geometry
from volery.core.clock import SECOND
from volery.core.material import Material
from volery.core.state import decode, encode
from volery.errors import ScenarioError
from volery.robots.library import Mount
from volery.scenario import read_scenario
from volery.sensors.identify import PARTS, STATUS, VictimSensor, VictimSensorConfig
from volery.sensors.noise import Noise
from volery.sensors.rescue import Co2, Co2Config, HumanMotion, HumanMotionConfig, Sound, SoundConfig
from volery.sensors.sensor import SensorConfig
from volery.sensors.touch import Collision, CollisionConfig, ContactSwitch, ContactSwitchConfig, ForceTorque
from volery.sim import Simulation
from volery.world.generate.victims import figure
from volery.world.scene.scene import Scene
from volery.world.world import Placement, poses

BODY = Material("body", temperature=306.0, label="victim")
LEAF = Material("leaf", solid=False)


def bell(power):
    return Material(f"bell{power}", sound=power)


# Sound


@pytest.mark.parametrize("distance", [1.0, 2.0, 10.0, 300.0])
def test_sound_falls_with_the_distance_squared(distance):
    scene = Scene()
    ball(scene, "bell", bell(1e-3), (0, distance, 0))
    data = read(make(Sound, SoundConfig(), scene, rpy=(0, 0, np.pi / 2)))
    assert data["intensity"][0] == pytest.approx(1e-3 / (4 * np.pi * distance**2), rel=1e-5)
    assert data["level"][0] == pytest.approx(10 * np.log10(data["intensity"][0] / 1e-12))
    assert data["direction"] == pytest.approx([1, 0, 0], abs=1e-5)
    assert data["delay"][0] == pytest.approx(distance / 340.294, rel=1e-4)


def test_the_loudest_source_wins_and_its_duration_counts_from_then():
    scene = Scene()
    sensor = make(Sound, SoundConfig(), scene)
    assert read(sensor)["intensity"][0] == 0.0 and read(sensor)["level"][0] == -np.inf
    ball(scene, "quiet", bell(1e-6), (2, 0, 0))
    assert read(sensor, 1 * SECOND)["duration"][0] == 0.0
    assert read(sensor, 3 * SECOND)["duration"][0] == pytest.approx(2.0)
    ball(scene, "loud", bell(1e-4), (0, 5, 0))
    data = read(sensor, 4 * SECOND)
    assert data["duration"][0] == 0.0 and data["direction"] == pytest.approx([0, 1, 0], abs=1e-4)
    again = make(Sound, SoundConfig(), scene, name="uav2")
    again.restore(sensor.state())
    assert read(again, 6 * SECOND)["duration"][0] == pytest.approx(2.0)
    scene.remove("loud")
    assert read(sensor, 7 * SECOND)["direction"] == pytest.approx([1, 0, 0], abs=1e-4)


def test_behind_a_wall_a_source_sounds_twice_as_far():
    scene = Scene()
    ball(scene, "bell", bell(1e-3), (6, 0, 0))
    sensor = make(Sound, SoundConfig(), scene)
    free = read(sensor)["intensity"][0]
    scene.add(Placement.one("wall", geometry.box((0.1, 5, 5)), (3, 0, 0)))
    assert read(sensor)["intensity"][0] == pytest.approx(free / 4, rel=1e-4)
    assert read(make(Sound, SoundConfig(range=5.0), scene, name="b"))["intensity"][0] == 0.0
    assert read(make(Sound, SoundConfig(threshold=1e-3), scene, name="c"))["intensity"][0] == 0.0


def test_every_instance_is_a_source_and_own_parts_are_not():
    scene = Scene()
    mesh = geometry.sphere(0.1, 12, materials=(bell(1e-3),))
    scene.add(Placement("bells", (mesh,), poses(np.array([[50.0, 0, 0], [0, -3.0, 0]]))))
    scene.add(Placement.one("own", mesh, (0.5, 0, 0)), group="uav1")
    data = read(make(Sound, SoundConfig(), scene))
    assert data["direction"] == pytest.approx([0, -1, 0], abs=1e-4)


def test_victims_of_arenas_can_be_heard_by_how_aware_they_are():
    levels = []
    for state in STATUS:
        scene = Scene()
        scene.add(Placement.one("victim_1", figure("surface", state), (4, 0, 0)))
        levels.append(read(make(Sound, SoundConfig(), scene, (0, 0, 0.8)))["intensity"][0])
    assert levels[0] == pytest.approx(100 * levels[1], rel=1e-6) and levels[2] == 0.0


# Motion and breath


def test_human_motion_follows_its_formula():
    """A body that sways A = 0.1 m about a place 4 m away: p = (1 − d/R)(v/v0)(A/A0) at every reading."""
    scene = Scene()
    config = HumanMotionConfig(range=10.0, reference_speed=0.5, reference_amplitude=0.2, window=2.0, rate=5.0)
    body = ball(scene, "person", BODY, (4, 0, 0))
    sensor = make(HumanMotion, config, scene)
    track = []
    for i in range(20):
        y = 0.1 * np.sin(2 * np.pi * i * 0.2 / 1.5)
        body.move(np.array([[1, 0, 0, 4.0], [0, 1, 0, y], [0, 0, 1, 0.0]]))
        p = read(sensor, i * SECOND // 5)["probability"][0]
        track.append(y)
    recent = np.array(track[-11:])
    amplitude = np.abs(recent - recent.mean()).max()
    speed = abs(track[-1] - track[-2]) / 0.2
    expected = (1 - np.hypot(4, track[-1]) / 10) * (speed / 0.5) * (amplitude / 0.2)
    assert 0.05 < expected < 1 and p == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("place", "material", "wall", "seen"),
    [
        ((4, 0, 0), BODY, False, True),
        ((4, 0, 0), BODY, True, False),
        ((4, 0, 0), Material("cold", temperature=290.0), False, False),
        ((4, 0, 0), Material("fire", temperature=900.0), False, False),
        ((4, 4, 0), BODY, False, False),
        ((-4, 0, 0), BODY, False, False),
        ((11, 0, 0), BODY, False, False),
    ],
)
def test_human_motion_needs_a_warm_body_in_view(place, material, wall, seen):
    scene = Scene()
    body = ball(scene, "person", material, place)
    if wall:
        scene.add(Placement.one("wall", geometry.box((0.1, 5, 5)), (2, 0, 0)))
    sensor = make(HumanMotion, HumanMotionConfig(), scene)
    read(sensor)
    body.move(np.column_stack([np.eye(3), np.array(place) + [0, 0, 0.2]]))
    assert (read(sensor, SECOND // 5)["probability"][0] > 0) == seen


def test_a_body_at_rest_has_no_motion_and_the_state_continues():
    scene = Scene()
    body = ball(scene, "person", BODY, (4, 0, 0))
    sensor = make(HumanMotion, HumanMotionConfig(), scene)
    for i in range(4):
        assert read(sensor, i * SECOND // 5)["probability"][0] == 0.0
    again = make(HumanMotion, HumanMotionConfig(), scene, name="uav2")
    again.restore(sensor.state())
    for robot in (sensor.robot, again.robot):
        robot.hide(scene)
    body.move(np.column_stack([np.eye(3), [4, 0, 0.1]]))
    one, two = read(sensor, 4 * SECOND // 5), read(again, 4 * SECOND // 5)
    assert one["probability"][0] == two["probability"][0] > 0


def test_human_motion_needs_two_readings_however_short_the_window_is():
    scene = Scene()
    body = ball(scene, "person", BODY, (4, 0, 0))
    sensor = make(HumanMotion, HumanMotionConfig(rate=0.5, window=0.1), scene)
    read(sensor)
    body.move(np.column_stack([np.eye(3), [4, 0, 0.5]]))
    speed, amplitude = 0.5 / 2, 0.25
    expected = (1 - np.hypot(4, 0.5) / 10) * (speed / 0.5) * (amplitude / 0.2)
    assert read(sensor, 2 * SECOND)["probability"][0] == pytest.approx(expected, rel=1e-4)


def test_a_noisy_direction_still_has_length_one():
    scene = Scene()
    noisy = SoundConfig(noise={"direction": Noise(absolute=0.3)})
    assert (read(make(Sound, noisy, Scene(), name="b"))["level"] == -np.inf).all()
    ball(scene, "bell", bell(1e-3), (0, 3, 0))
    sensor = make(Sound, noisy, scene)
    directions = np.array([read(sensor, i)["direction"] for i in range(50)])
    assert np.linalg.norm(directions, axis=1) == pytest.approx(1.0)
    assert directions.std(axis=0).max() > 0.05


def test_noise_never_makes_a_probability_of_more_than_one():
    sensor = make(HumanMotion, HumanMotionConfig(noise={"probability": Noise(absolute=3.0)}), Scene())
    values = [read(sensor, i)["probability"][0] for i in range(50)]
    assert min(values) == 0.0 and max(values) == 1.0


def test_breath_adds_up_by_distance():
    scene = Scene()
    sensor = make(Co2, Co2Config(background=4e-4, breath=5e-6, diffusivity=0.01), scene)
    assert read(sensor)["density"][0] == pytest.approx(4e-4)
    ball(scene, "a", BODY, (2, 0, 0))
    ball(scene, "b", BODY, (0, 1, 0))
    assert read(sensor)["density"][0] == pytest.approx(4e-4 + 5e-6 / (4 * np.pi * 0.01) * (1 / 2 + 1), rel=1e-5)


# Victims


def test_the_victim_sensor_names_parts_and_tells_where_they_are():
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((0.1, 20, 20)), (6, 0, 0)))
    item = scene.add(Placement("victim_1", (figure("surface", "aware"),), poses(np.array([[3.0, 0, 0]]), np.pi)))
    sensor = make(VictimSensor, VictimSensorConfig(), scene, (0, 0, 0.6))
    data = read(sensor)
    seen = dict(zip((PARTS[i] for i in data["part"]), data["location"], strict=True))
    assert {"Head", "Chest", "Leg", "Hand"} <= set(seen) and (data["object"] == item.number).all()
    # The figure sits with its head at (−0.36, 0, 0.8), turned to look at the robot
    assert seen["Head"] == pytest.approx([3.36, 0, 0.2], abs=0.12)
    assert seen["Leg"][2] < seen["Chest"][2] < seen["Head"][2]
    put(sensor, (0, 0, 0.6), (0, 0, np.pi))
    assert len(read(sensor)["part"]) == 0
    scene.add(Placement.one("screen", geometry.box((0.1, 5, 5)), (1.5, 0, 0)))
    put(sensor, (0, 0, 0.6))
    assert read(sensor)["location"].shape == (0, 3)


def test_the_order_of_parts_does_not_depend_on_who_came_first():
    told = []
    for names in (("victim_1", "victim_2"), ("victim_2", "victim_1")):
        scene = Scene()
        for name in names:
            y = {"victim_1": -1.0, "victim_2": 1.0}[name]
            mesh = figure("surface", "aware")
            scene.add(Placement(name, (mesh,), poses(np.array([[4.0, y, 0]]), np.pi)))
        told.append(read(make(VictimSensor, VictimSensorConfig(), scene, (0, 0, 0.6))))
    assert len(told[0]["part"]) >= 6
    assert all(told[0][k].tobytes() == told[1][k].tobytes() for k in told[0])


def test_decoys_fool_the_victim_sensor_now_and_then():
    scene = Scene()
    ball(scene, "decoy_1", Material("rag"), (3, 0, 0), 0.4)
    sensor = make(VictimSensor, VictimSensorConfig(decoys=("decoy*",), decoy_chance=0.4, step_deg=3.0), scene)
    share = np.mean([len(read(sensor)["part"]) for _ in range(300)])
    assert share == pytest.approx(0.4, abs=0.09)
    honest = make(VictimSensor, VictimSensorConfig(step_deg=3.0), scene, name="b")
    assert len(read(honest)["part"]) == 0


# Touch and force


@pytest.mark.parametrize(("gap", "touched"), [(0.01, False), (0.0031, False), (0.0029, True), (-0.01, True)])
def test_a_contact_switch_closes_within_its_travel(gap, touched):
    scene = Scene()
    scene.add(Placement.one("wall", geometry.box((1, 10, 10)), (0.6 + gap, 0, 0)))
    switch = make(ContactSwitch, ContactSwitchConfig(mount=Mount(position=(0.1, 0, 0))), scene)
    data = read(switch)
    assert data["touch"][0] == touched
    assert data["distance"][0] == pytest.approx(max(gap, 0) if touched else np.inf, abs=1e-6)


def test_leaves_close_no_switch_but_an_edge_at_the_rim_does():
    scene = Scene()
    scene.add(Placement.one("leaf", geometry.box((0.01, 1, 1), materials=(LEAF,)), (0.006, 0, 0)))
    switch = make(ContactSwitch, ContactSwitchConfig(diameter=0.02), scene)
    assert not read(switch)["touch"][0]
    scene.remove("leaf")
    scene.add(Placement.one("edge", geometry.box((0.01, 1, 1)), (0.006, 0.5 + 0.009, 0)))
    assert read(switch)["touch"][0]


def test_a_collision_tells_with_what_where_and_how_deep():
    """A ball of 0.1 m that hovers over, touches and sinks into the ground, which has no inside."""
    scene = Scene()
    ground = scene.add(Placement.one("ground", geometry.plane(100.0)))
    sensor = make(Collision, CollisionConfig(margin=0.005), scene, (3, 4, 0.2))
    assert read(sensor)["depth"].shape == (0,) and read(sensor)["count"][0] == 0
    put(sensor, (3, 4, 0.103))
    near = read(sensor)
    assert near["depth"][0] == pytest.approx(-0.003, abs=1e-4) and near["count"][0] == 1
    put(sensor, (3, 4, 0.08))
    deep = read(sensor)
    assert deep["name"].tolist() == ["ground"] and deep["object"].tolist() == [ground.number]
    assert deep["depth"][0] == pytest.approx(0.02, abs=1e-4)
    assert deep["normal"][0] == pytest.approx([0, 0, 1], abs=1e-6)
    assert deep["point"][0] == pytest.approx([3, 4, 0], abs=1e-4)
    assert deep["count"][0] == 1


def test_collisions_count_things_and_come_deepest_first():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(100.0)))
    scene.add(Placement.one("wall", geometry.box((1, 10, 10)), (0.59, 0, 0)))
    scene.add(Placement.one("bush", geometry.box((1, 1, 1), materials=(LEAF,)), (0, -0.55, 0)))
    sensor = make(Collision, CollisionConfig(), scene, (0, 0, 0.06))
    data = read(sensor)
    assert data["name"].tolist() == ["ground", "wall"] and data["count"][0] == 2
    assert data["depth"] == pytest.approx([0.04, 0.01], abs=1e-3)
    assert data["normal"][1] == pytest.approx([-1, 0, 0], abs=1e-6)
    put(sensor, (-1, 0, 0.06))
    assert read(sensor)["count"][0] == 2
    again = make(Collision, CollisionConfig(), scene, (0, 0, 5), name="uav2")
    again.restore(sensor.state())
    again.robot.hide(scene)
    put(again, (0, 0, 0.06))
    assert read(again)["count"][0] == 3


def test_depth_is_measured_along_the_normal_also_at_legs_that_stand_out_sideways():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(100.0)))
    # The skids of the quad reach down to −0.136 m
    sensor = make(Collision, CollisionConfig(feelers=2000), scene, (0, 0, 0.126), robot_type="quad")
    data = read(sensor)
    assert data["name"].tolist() == ["ground"]
    assert data["depth"][0] == pytest.approx(0.01, abs=5e-4)


def test_a_robot_deep_inside_a_thing_knows_it():
    scene = Scene()
    scene.add(Placement.one("block", geometry.box((4, 4, 4)), (0, 0, 0)))
    scene.add(Placement.one("bush", geometry.box((4, 4, 4), materials=(LEAF,)), (50, 0, 0)))
    sensor = make(Collision, CollisionConfig(), scene, (0.3, 0.2, 1.2))
    data = read(sensor)
    assert data["name"].tolist() == ["block"]
    assert data["point"][0] == pytest.approx([0.3, 0.2, 2.0], abs=1e-5)
    assert data["normal"][0] == pytest.approx([0, 0, 1], abs=1e-5)
    assert data["depth"][0] == pytest.approx(0.8 + 0.1, abs=1e-3)
    put(sensor, (50, 0, 1.2))
    assert read(sensor)["name"].tolist() == []


def test_robots_collide_with_each_other_and_not_with_themselves():
    scene = Scene()
    one = make(Collision, CollisionConfig(), scene, (0, 0, 5), robot_type="quad")
    two = make(Collision, CollisionConfig(), scene, (0, 0, 9), robot_type="quad", name="uav2")
    assert len(read(one)["name"]) == 0
    put(two, (0.3, 0, 5.0))
    assert read(one)["name"].tolist() == ["uav2"] and read(two)["name"].tolist() == ["uav1"]


def test_a_force_sensor_gives_the_wrench_at_its_own_place():
    sensor = make(
        ForceTorque, SensorConfig(mount=Mount(site="rotor_fl", position=(0.2, 0, 0))), Scene(), (1, 2, 3),
        (0, 0, np.pi / 2), "quad",
    )  # fmt: skip
    assert np.isnan(read(sensor)["force"]).all()
    sensor.robot.wrenches = np.zeros((5, 6))
    body = sensor.robot.description.body("rotor_fl")
    sensor.robot.wrenches[body] = [0, 0, -10, 0.5, 0, 0]
    data = read(sensor)
    assert data["force"] == pytest.approx([0, 0, -10])
    # In the sensor's axes the arm is 0.2 m along x: its x × (−10 z) is +2 along y; W's x is the sensor's −y
    assert data["torque"] == pytest.approx([0, -0.5 - 2.0, 0])


@pytest.mark.parametrize(
    ("config", "bad"),
    [(SoundConfig, {"range": 0.0}), (HumanMotionConfig, {"fov_deg": 400.0}), (HumanMotionConfig, {"coldest": 320.0}),
     (Co2Config, {"hottest": 300.0}), (ContactSwitchConfig, {"travel": 0.0}),
     (CollisionConfig, {"margin": -1.0})],
)  # fmt: skip
def test_absurd_parameters_are_refused(config, bad):
    with pytest.raises(ScenarioError):
        config(**bad)


def test_too_many_rays_are_refused():
    with pytest.raises(ScenarioError, match="too many"):
        make(VictimSensor, VictimSensorConfig(step_deg=0.05, width_deg=170.0, height_deg=170.0), Scene())


SENSORS = {
    "inertial": "Airspeed Barometer Imu Magnetometer",
    "gps": "Gps",
    "position": "GroundTruth MotionCapture Odometry WheelEncoder",
    "rescue": "Co2 HumanMotion Sound",
    "identify": "VictimSensor",
    "rfid": "Rfid RfidReleaser VictimTag",
    "touch": "Collision ContactSwitch ForceTorque",
    "battery": "Battery",
    "headlight": "Headlight",
}


def test_all_of_them_run_in_a_simulation_and_go_on_from_a_snapshot(monkeypatch):
    table = {c.lower(): f"volery.sensors.{module}:{c}" for module, all_ in SENSORS.items() for c in all_.split()}
    monkeypatch.setattr(registry, "_table", lambda kind: table if kind == "sensors" else registry._BUILT_IN[kind])
    monkeypatch.setitem(table, "scanner", "volery.sensors.scanner:Scanner")
    noise = {"imu": "noise: {specific_force: {density: 0.01, walk: 0.1}}", "gps": "range_error: 1.0, correlation: 3.0"}
    lines = [f"      {n}: {{type: {n}, rate: 50.0, {noise.get(n, '')}}}" for n in table if n != "scanner"]
    text = """
step: 0.01
world: {type: arena}
wind: {steady: [3, 1, 0], turbulence: light}
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {path: [[-5, -4, 0.6], [5, 4, 0.6]], speed: 2.0}
    sensors:
      scanner: off
"""
    sim = Simulation(read_scenario(text + "\n".join(lines)))
    sim.run(15)
    kept = encode(sim.state())
    sim.run(15)
    after = sim.state_hash()
    sim.restore(decode(kept))
    sim.run(15)
    assert sim.state_hash() == after
    assert all(s.latest is not None for s in sim.sensors["uav1"].values())
