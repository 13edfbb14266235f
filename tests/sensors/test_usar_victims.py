"""Victims in motion: segments that swing at rates, sounds, warmth, tags; placed by file and by the arena."""

import numpy as np
import pytest

from volery.errors import RobotError
from volery.robots.animation import Swing
from volery.robots.commands import Joints
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sensors.identify import PARTS, STATUS
from volery.sim import Simulation
from volery.world.generate.victims import FIGURES, STATES, animated, figure

EYE = """
  eye: {type: probe, position: [3, 0, 0.5], attitude_deg: [0, 0, 180], sensors: {scanner: off,
        motion: {type: human_motion, fov_deg: 90}, sound: {type: sound, rate: 10}, seen: {type: victim},
        tag: {type: victim_tag, range: 8, levels: [8, 7, 6, 5]}, camera: {type: camera, outputs: [infrared], width: 64,
        height: 48, rate: 5}}}
"""


def scene(kind, more="", distance=0.0):
    entry = f"  victim_7: {{type: {kind}, position: [{-distance}, 0, 0]}}"
    return Simulation(read_scenario(f"seed: 2\nstep: 0.02\nworld: empty\nrobots:\n{entry}\n{EYE}{more}"))


def test_a_swing_goes_to_and_fro_at_its_rate():
    swing = Swing("neck", -0.5, 0.5, rate=0.5, pause=1.0)
    times = np.linspace(0, 12, 1201)
    places = np.array([swing.at(t)[0] for t in times])
    assert places.min() == pytest.approx(-0.5) and places.max() == pytest.approx(0.5)
    speeds = np.diff(places) / np.diff(times)
    assert set(np.round(np.abs(speeds[np.abs(speeds) > 0.05]), 2)) <= {0.5, 0.25}
    assert swing.at(0.0) == (-0.5, 0.5) and swing.at(2.5) == (0.5, 0.0) and swing.at(6.0) == swing.at(0.0)
    with pytest.raises(RobotError, match="from a low end to a higher one"):
        Swing("neck", 1.0, -1.0)


def test_an_animation_of_a_joint_that_is_not_there_is_refused(tmp_path):
    models = load_robot_file("victim_sitting_aware").source.rsplit("/", 1)[0]
    text = f"model: {models}/sitting_aware.xml\nanimation: [{{joint: nek, low: 0, high: 1}}]\n"
    (tmp_path / "odd.yaml").write_text(text)
    with pytest.raises(RobotError, match="unknown joint 'nek', did you mean 'neck'"):
        load_robot_file(f"{tmp_path}/odd.yaml").description()


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("state", STATES[:2])
def test_the_moving_figure_is_the_still_one_in_motion(kind, state):
    simulation = scene(animated(kind, state))
    robot = simulation.robot("victim_7")
    still, shapes = figure(kind, state), robot.description.shapes
    corners = np.concatenate([m.vertices @ robot.X_WB[b][:, :3].T + robot.X_WB[b][:, 3] for b, m in shapes.items()])
    assert np.array(still.bounds) == pytest.approx(np.array([corners.min(axis=0), corners.max(axis=0)]), abs=0.12)
    before = robot.X_WB.copy()
    simulation.run(40)
    assert np.abs(robot.X_WB[1:] - before[1:]).max() > 0.01, "segments move"
    assert robot.X_WB[0] == pytest.approx(before[0]), "the body stays"
    assert animated(kind, "unaware") == ""


def test_a_waving_victim_is_noticed_heard_seen_and_told_apart():
    aware, dazed = scene("victim_sitting_aware"), scene("victim_sitting_dazed")
    most = {}
    for name, simulation in (("aware", aware), ("dazed", dazed)):
        chances = []
        for _ in range(300):
            simulation.step()
            chances += [r.data["probability"][0] for _, s, r in simulation.fresh if s == "motion"]
        most[name] = max(chances)
        tag = simulation.sensor("eye", "tag").latest.data
        assert tag["id"].tolist() == [7]
        assert STATUS[int(tag["status"][0])] == {"aware": "aware", "dazed": "semi-conscious"}[name]
        parts = {PARTS[int(p)] for p in simulation.sensor("eye", "seen").latest.data["part"]}
        assert {"Head", "Chest", "Leg", "Hand"} <= parts
        warm = simulation.sensor("eye", "camera").latest.data["infrared"]
        assert warm.max() > np.median(warm)
    assert most["aware"] > 5 * most["dazed"] > 0.0
    levels = [s.sensor("eye", "sound").latest.data["level"][0] for s in (aware, dazed)]
    assert levels[0] - levels[1] == pytest.approx(20.0, abs=0.2), "a hundred times the power"


def test_loudness_falls_with_the_distance_squared():
    near, far = scene("victim_sitting_aware"), scene("victim_sitting_aware", distance=3.0)
    for simulation in (near, far):
        simulation.run(20)
    sounds = [s.sensor("eye", "sound").latest.data for s in (near, far)]
    distances = [d["delay"][0] * 340.3 for d in sounds]
    ratio = sounds[0]["intensity"][0] / sounds[1]["intensity"][0]
    assert ratio == pytest.approx((distances[1] / distances[0]) ** 2, rel=1e-3)
    assert distances[1] - distances[0] == pytest.approx(3.0, abs=0.05)


def test_the_probability_of_motion_follows_its_formula():
    """One limb that swings at a rate: p = (1 − d/R)(v/v0)(A/A0) of the limb's middle."""
    simulation = scene("victim_sitting_aware")
    held = dict.fromkeys(("right_shoulder", "neck", "left_elbow"), 0.0)
    simulation.command("victim_7", Joints(positions=held))
    robot, sensor = simulation.robot("victim_7"), simulation.sensor("eye", "motion")
    simulation.run(300)
    body = robot.description.body("right_forearm")
    mesh = robot.description.shapes[body]
    track, p = [], []
    for _ in range(100):
        simulation.step()
        for _, name, reading in simulation.fresh:
            if name == "motion":
                corners = mesh.vertices[mesh.faces].astype(float)
                area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
                middle = (corners.mean(axis=1) * area[:, None]).sum(axis=0) / area.sum()
                track.append(robot.X_WB[body][:, :3] @ middle + robot.X_WB[body][:, 3])
                p.append(reading.data["probability"][0])
    track = np.array(track)
    c, rate = sensor.config, sensor.config.rate
    window = round(c.window * rate) + 1
    for i in range(window, len(track)):
        recent = track[i + 1 - window : i + 1]
        d = np.linalg.norm(track[i] - sensor.X_WS[:, 3])
        v = np.linalg.norm(track[i] - track[i - 1]) * rate
        amplitude = np.linalg.norm(recent - recent.mean(axis=0), axis=1).max()
        expected = (1 - d / c.range) * (v / c.reference_speed) * (amplitude / c.reference_amplitude)
        assert p[i] == pytest.approx(min(expected, 1.0), rel=0.02, abs=1e-4)


def test_the_arena_places_those_who_notice_in_motion():
    text = "seed: 4\nstep: 0.02\nworld: {{type: arena, victim_count: 8, animated: {}}}\nrobots: {{}}"
    still, moving = (Simulation(read_scenario(text.format(a))) for a in ("false", "true"))
    wanted = {v.name for v in moving.world.victims if v.state != "unaware"}
    assert set(moving.robots) == wanted and not still.robots
    for simulation in (still, moving):
        assert all(v.name in simulation.scene.objects for v in simulation.world.victims)
    for v in moving.world.victims:
        a, b = still.scene.objects[v.name].X_WO[0], moving.scene.objects[v.name].X_WO[0]
        assert a[:, 3] == pytest.approx(b[:, 3], abs=1e-5)


def test_commands_end_the_swing_and_snapshots_hold_it():
    simulation = scene("victim_sitting_aware")
    simulation.run(30)
    simulation.command("victim_7", Joints(positions={"neck": 0.2}))
    middle = simulation.state()
    simulation.run(30)
    first = simulation.state_hash()
    robot = simulation.robot("victim_7")
    assert robot.joint_positions[robot.description.joint("neck")] == 0.2
    simulation.restore(middle)
    simulation.run(30)
    assert simulation.state_hash() == first
