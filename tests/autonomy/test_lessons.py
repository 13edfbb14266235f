"""Lessons: goals and points, the tutor that shows how, the best flight kept and shown, and logs of other flights."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mcap.writer import Writer

from bus_rig import free_port
from links_rig import wait_until
from volery.autonomy.lesson import Lesson, LessonGoal, LessonSettings
from volery.autonomy.lesson_score import LessonScore
from volery.built_in import built_in_scenarios
from volery.bus import messages as m
from volery.bus.bus import Bus, BusConfig
from volery.bus.flightlog import read_flight, write_flight
from volery.bus.types import definition, encode
from volery.commands.flights import ShownFlights
from volery.core.paths import distance_to_path
from volery.errors import BusError, ScenarioError, UnknownNameError
from volery.report import lesson as report
from volery.scenario import read_scenario
from volery.sim import Simulation


def blind(name, haptic=True):
    """A built-in lesson without its camera, which the tutor does not need; and without the haptic device."""
    text = built_in_scenarios()[name].read_text()
    start = text.index("    sensors:")
    text = text[:start] + text[text.index("\n", text.index("eye:")) + 1 :]
    if not haptic:
        text = text.replace("protocols:\n  haptic: {robot: uav1, moves: arm}\n", "").replace(
            "step: 0.002", "step: 0.01"
        )
    return read_scenario(text, name=name)


def taught(name, best, scenario=None):
    scenario = scenario or blind(name)
    simulation = Simulation(scenario)
    settings = replace(scenario.agents["lesson"], pilot="tutor", best=str(best), limit=120.0)
    lesson = Lesson(simulation, None, settings)
    while not lesson.over:
        simulation.step()
    lesson.close()
    return simulation, lesson


# Points


def test_points_follow_time_path_force_and_touches():
    score = LessonScore(par=10.0, path_limit=0.5)
    score.goals = 2
    assert score.total(2) == pytest.approx(100.0)
    score.time = 15.0
    assert score.parts()["time"] == pytest.approx(10.0)
    leg = np.array([[0.0, 0, 0], [2, 0, 0]])
    for y in (0.0, 0.2):
        score.watch_path(np.array([1.0, y, 0]), leg)
    assert score.path_error == pytest.approx(0.1) and score.parts()["path"] == pytest.approx(30 * 0.8)
    score.watch_force(1.5, 2.0)
    assert score.force_error == pytest.approx(0.25) and score.parts()["force"] == pytest.approx(30 * 0.75)
    for now in ({("base", "wall")}, {("base", "wall")}, set(), {("base", "wall")}):
        score.watch_touches(now)
    assert len(score.touches) == 2 and score.parts()["touches"] == pytest.approx(10.0)
    assert score.total(4) == pytest.approx(score.total(2) / 2), "half of the goals, half of the points"


def test_distance_to_a_path():
    way = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]])
    p = np.array([[0.5, -2, 0], [3, 0.5, 0], [-3, 0, 4], [1, 2, 0]])
    assert distance_to_path(p, way) == pytest.approx([2, 2, 5, 1])
    assert distance_to_path(p[:1], way[:1]) == pytest.approx([np.hypot(0.5, 2)])


# Lessons


@pytest.fixture(scope="module")
def approach(tmp_path_factory):
    best = tmp_path_factory.mktemp("best") / "approach.csv"
    return best, *taught("lesson-approach", best)


def test_the_tutor_does_the_approach_and_its_flight_is_kept(approach):
    best, simulation, lesson = approach
    result = lesson.result()
    assert result["goals"] == result["of"] == 3 and result["score"] > 70 and not result["touches"]
    assert result["improved"] and result["best"] is None
    kept = read_flight(best)
    assert kept.times[-1] == pytest.approx(result["time"], abs=0.1)
    assert kept.at(1e9) == pytest.approx(simulation.robots["uav1"].p_WB, abs=0.05)
    words = report.run_report(result, lesson.rows())
    assert "3 of 3" not in words and "done in" in words and "kept as the best" in words
    assert "1 of" in report.live_table({**result, "time": 1.0}, [["goal"], ["1 of 3"]])


def test_the_next_flight_has_the_best_one_beside_it(approach):
    best, _, first = approach
    before = best.read_bytes()
    scenario = blind("lesson-approach")
    simulation = Simulation(scenario)
    lesson = Lesson(simulation, None, replace(scenario.agents["lesson"], best=str(best), limit=2.0))
    assert lesson.best_points == pytest.approx(first.result()["score"], abs=0.01)
    simulation.run(150)
    drawn = simulation.environment.drawings.snapshot(simulation.clock.now_ns)
    ghost = [d for d in drawn if d.owner == "lesson/ghost"]
    assert ghost[-1].p_W[0] == pytest.approx(lesson.best.at(1.5), abs=0.05), "where the best was at this time"
    lines = [d for d in drawn if d.kind == "line" and len(d.p_W) > 50]
    assert lines, "and its whole way"
    simulation.run(60)
    assert lesson.over and lesson.result()["goals"] == 0
    lesson.close()
    assert best.read_bytes() == before, "one that was not finished is not kept"


def test_the_page_of_a_lesson_shows_flight_and_best(approach, tmp_path):
    _, _, lesson = approach
    path = report.write(lesson.sheet(), tmp_path)
    text = path.read_text()
    assert text.count("<svg") == 3 and "of 100" in text and (tmp_path / "lesson-approach.json").is_file()


def test_the_tutor_touches_and_holds_the_force(tmp_path):
    # Without the haptic device, which alone needs steps of 2 ms; with it below
    _, lesson = taught("lesson-touch", tmp_path / "best.csv", blind("lesson-touch", haptic=False))
    result = lesson.result()
    assert result["goals"] == 3 and not result["touches"], "nothing but the tool touches"
    assert result["force_error"] < 0.15 and result["score"] > 90
    forces = np.array(lesson.flight)[:, 4]
    assert (forces > 1.4).sum() > 50, "pressed for more than 2.5 s, at 20 a second"


def test_the_tutor_slides_up_the_wall_without_leaving_it(tmp_path):
    _, lesson = taught("lesson-slide", tmp_path / "best.csv", blind("lesson-slide", haptic=False))
    result = lesson.result()
    assert result["goals"] == 4 and not result["touches"] and result["force_error"] < 0.1 and result["score"] > 90
    flight = np.array(lesson.flight)
    pressing = np.flatnonzero(flight[:, 4] > 0.0)
    assert (flight[pressing[0] : pressing[-1] + 1, 4] > 0.0).all(), "it touches once, and stays until it is done"
    assert np.ptp(flight[pressing, 3]) > 0.5, "and climbs all the while"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "points"),
    [("lesson-free-flight", 85), ("lesson-touch", 90), ("lesson-slide", 90), ("lesson-inspect", 85)],
)
def test_the_tutor_does_every_lesson(name, points, tmp_path):
    _, lesson = taught(name, tmp_path / "best.csv")
    result = lesson.result()
    assert result["goals"] == result["of"] and not result["touches"] and result["score"] > points
    assert result["force_error"] is None or result["force_error"] < 0.15


def test_a_tutor_needs_a_robot_that_docks_where_a_force_is_wanted(tmp_path):
    simulation = Simulation(read_scenario("robots: {a: {type: quad_delta, position: [0, 0, 2]}}"))
    settings = LessonSettings(
        goals=[LessonGoal(at=(1.0, 0.0, 2.0), force=1.0)], pilot="tutor", best=str(tmp_path / "a.csv")
    )
    with pytest.raises(ScenarioError, match="deltaquad"):
        Lesson(simulation, None, settings)


def test_every_lesson_can_be_flown_by_a_person():
    for name in ("free-flight", "approach", "touch", "slide", "inspect"):
        scenario = blind(f"lesson-{name}")
        assert scenario.agents["lesson"].pilot == "operator" and scenario.agents["lesson"].goals


def test_bad_lessons_are_refused():
    simulation = Simulation(read_scenario("robots: {a: {type: probe, sensors: {scanner: off}}}"))
    goal = LessonGoal(at=(0.0, 0.0, 1.0))
    with pytest.raises(ScenarioError, match="at least one"):
        Lesson(simulation, None, LessonSettings())
    with pytest.raises(UnknownNameError, match="robot"):
        Lesson(simulation, None, LessonSettings(goals=[goal], robot="b"))
    with pytest.raises(Exception, match="has no tool"):
        Lesson(simulation, None, LessonSettings(goals=[LessonGoal(at=(0.0, 0.0, 1.0), force=1.0)]))


# Logs of other flights


def write(path, text):
    path.write_text(text)
    return path


def test_logs_are_read_from_many_kinds_of_csv(tmp_path):
    plain = read_flight(write(tmp_path / "a.csv", "t,x,y,z\n0,1,2,3\n1,2,2,3\nbad,row,,\n2,4,2,3\n"))
    assert plain.at(0.5) == pytest.approx([1.5, 2, 3]) and plain.at(99) == pytest.approx([4, 2, 3])
    ned = read_flight(write(tmp_path / "b.csv", "# PX4\ntimestamp,North,East,Down\n5000000,1,2,-3\n6000000,1,4,-3\n"))
    assert ned.p_W[0] == pytest.approx([2, 1, 3]) and ned.times == pytest.approx([0, 1])
    ros = "%time,field.pose.pose.position.x,field.pose.pose.position.y,field.pose.pose.position.z\n"
    stamps = read_flight(write(tmp_path / "c.csv", ros + "1700000000000000000,1,1,1\n1700000002000000000,1,1,3\n"))
    assert stamps.times == pytest.approx([0, 2]) and stamps.at(1) == pytest.approx([1, 1, 2])
    write_flight(tmp_path / "d" / "e.csv", stamps.times, stamps.p_W, {"force": np.ones(2)})
    assert read_flight(tmp_path / "d" / "e.csv").p_W == pytest.approx(stamps.p_W)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [("a.csv", "t,x,y\n0,1,2\n", "needs a column"), ("a.csv", "t,x,y,z\n0,1,2,3\n", "at least two"),
     ("a.csv", "", "needs a column"), ("a.txt", "", "a .csv or an .mcap"), ("a.mcap", "nothing", "cannot be read")],
)  # fmt: skip
def test_what_is_no_log_is_refused(tmp_path, name, text, why):
    with pytest.raises(BusError, match=why):
        read_flight(write(tmp_path / name, text))
    with pytest.raises(BusError, match="cannot be read"):
        read_flight(tmp_path / "none.csv")


def recording(path):
    """As others' tools write it: odometry of a robot, among other things."""
    kind = "nav_msgs/msg/Odometry"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        schema = writer.register_schema(kind, "ros2msg", definition(kind).encode())
        channel = writer.register_channel("/drone/odom", "cdr", schema)
        for i in range(20):
            stamp = 5_000_000_000 + i * 100_000_000
            message = m.odometry(stamp, "map", "drone", (0.5 * i, 1, 2), (1, 0, 0, 0), (0, 0, 0), (0, 0, 0))
            writer.add_message(channel, stamp, bytes(encode(message)), stamp)
        writer.finish()
    return path


def test_a_log_is_shown_beside_the_planned_path_and_on_a_topic(tmp_path, capsys):
    text = "robots: {a: {type: probe, sensors: {scanner: off}, motion: {path: [[0, 0, 2], [10, 0, 2]], speed: 1}}}"
    simulation = Simulation(read_scenario(text))
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus, Bus(BusConfig(connect=[address])) as other:
        shown = ShownFlights(simulation, bus, [f"{recording(tmp_path / 'real.mcap')}#/drone/odom"])
        heard = other.subscribe("/log/flight1_real", "nav_msgs/msg/Path")
        wait_until(lambda: shown._publishers[0].wanted)
        simulation.run(100)
        assert len(heard.wait_next(10).value.poses) == 20
        drawn = simulation.environment.drawings.snapshot(simulation.clock.now_ns)
        spots = [d for d in drawn if d.kind == "points"]
        assert spots[-1].p_W[0] == pytest.approx([5, 1, 2]), "one second into the flight, half a metre each 0.1 s"
        assert sorted(len(d.p_W) for d in drawn if d.kind == "line") == [2, 20]
        shown.close()
        # And without a bus it is shown all the same
        alone = ShownFlights(simulation, None, [str(tmp_path / "real.mcap")])
        simulation.run(101)
        spot = simulation.environment.drawings.snapshot(simulation.clock.now_ns)[-1]
        assert spot.p_W[0] == pytest.approx([9.5, 1, 2])
        alone.close()
    said = capsys.readouterr().out
    assert "off the planned path of a by 1.000 m on average" in said
    with pytest.raises(BusError, match="no topic /other"):
        read_flight(Path(tmp_path / "real.mcap"), "/other")
