"""The referee's page: ways, collisions and near misses where they were, for missions and for whoever flies."""

import base64
import io
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from agents_rig import WORLD, empty_world
from volery.agents.campaign import DeliveriesRun, run_many
from volery.agents.deliveries import DeliveriesSettings
from volery.agents.referee import Referee
from volery.agents.relief import relief
from volery.agents.watch import RefereeMission, RefereeSettings
from volery.cli import main
from volery.report.deliveries import speeds
from volery.report.flown import flown_map
from volery.report.referee import page, run_report, write
from volery.robots.commands import Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation

WALL = (4, 0, 0, 1, 6, 6)


def flown(seconds=3.0, walls=(WALL,)):
    """Two drones: one flies at a wall 4 m ahead, one 6 m north."""
    simulation = empty_world(walls)
    simulation.spawn("drone1", {"type": "simpleflight", "position": [0, 0, 3]})
    simulation.spawn("drone2", {"type": "simpleflight", "position": [0, 12, 3]})
    mission = RefereeMission(simulation, None, RefereeSettings())
    simulation.command("drone1", Velocity([3, 0, 0]))
    simulation.command("drone2", Velocity([0, 2, 0]))
    simulation.run(round(seconds / 0.02))
    mission.close()
    return mission


@pytest.fixture(scope="module")
def mission():
    return flown()


def test_ways_are_kept_twice_a_second_where_the_drones_were(mission):
    way = np.array(mission.referee.logs["drone2"].way)
    assert np.diff(way[:, 0]) == pytest.approx(0.5)
    assert way[0, 1:] == pytest.approx([0, 12, 3], abs=0.02)
    # A response of first order to 2 m/s: the last second at full speed.
    assert (way[-1, 2] - way[-3, 2]) / (way[-1, 0] - way[-3, 0]) == pytest.approx(2.0, abs=0.1)
    assert mission.referee.logs["drone2"].fastest == pytest.approx(2.0, abs=0.2)


def test_a_collision_and_a_near_miss_are_where_the_drone_was(mission):
    (collision,) = mission.referee.collisions
    assert (collision.drone, collision.other, collision.kind) == ("drone1", "wall0", "thing")
    assert collision.p_W[0] == pytest.approx(3.4, abs=0.25), "the wall begins at 3.5 m"
    assert [m.other for m in mission.referee.near_misses] == ["wall0"]
    assert mission.referee.near_things == 1 and mission.referee.near_drones == 0


def test_robots_that_come_later_or_have_other_names():
    simulation = empty_world()
    mission = RefereeMission(simulation, None, RefereeSettings(robots="uav*"))
    simulation.spawn("uav1", {"type": "simpleflight", "position": [0, 0, 3]})
    simulation.spawn("other", {"type": "simpleflight", "position": [9, 0, 3]})
    simulation.run(50)
    assert list(mission.referee.logs) == ["uav1"] and mission.result()["drones"] == 1


def test_the_ground_is_what_lies_below_the_robot_and_not_the_robot():
    simulation = empty_world()
    simulation.spawn("drone1", {"type": "simpleflight", "position": [0, 0, 0.1405]})
    mission = RefereeMission(simulation, None, RefereeSettings())
    assert (mission.referee.ground, mission.referee.ground_z) == ("Ground", pytest.approx(0.0, abs=1e-6))
    simulation.run(100)
    assert mission.referee.collisions == []


def test_without_a_channel_of_obstacles_the_relief_still_shows_things_and_no_drones():
    simulation = Simulation(read_scenario("world: empty\nseed: 3\nstep: 0.02", name="bare"))
    X = np.column_stack([np.diag([2.0, 2.0, 5.0]), [6.0, 0.0, 2.5]])
    simulation.alter("make", "tower", "1M_Cube", X)
    simulation.spawn("drone1", {"type": "simpleflight", "position": [0, 0, 3]})
    simulation.run(2)
    heights = np.array(relief(simulation, np.array([[0.0, 0.0], [6.0, 0.0]]), 0.0, ["drone1"])["heights"])
    assert heights.max() == pytest.approx(5.0, abs=0.01)
    assert set(np.unique(heights[heights > 0.1])) == {5.0}, "not the drone at 3 m"


def test_the_relief_has_things_at_their_place_and_height():
    simulation = empty_world([(10, 4, 0, 4, 2, 7)])
    found = relief(simulation, np.array([[0.0, 0.0], [20.0, 10.0]]), 0.0, [])
    heights, edge, corner = np.array(found["heights"]), found["edge"], found["corner"]
    rows, columns = np.nonzero(heights > 1.0)
    x, y = corner[0] + (columns + 0.5) * edge, corner[1] + (rows + 0.5) * edge
    assert (x.min(), x.max()) == pytest.approx((8.25, 11.75), abs=edge / 2)
    assert (y.min(), y.max()) == pytest.approx((3.25, 4.75), abs=edge / 2)
    assert heights[heights > 1.0] == pytest.approx(7.0, abs=0.01)
    assert len(rows) * edge**2 == pytest.approx(8.0, rel=0.15)


# The map and the page


def scaled(drawing):
    """From pixels to metres, by the numbers at the axes."""
    texts = [
        (t.text, float(t.get("x")), float(t.get("y")), t.get("text-anchor"))
        for t in drawing.iter()
        if t.get("text-anchor")
    ]
    ticks = [(float(t), x, y, a) for t, x, y, a in texts if re.fullmatch(r"-?\d+(\.\d+)?", t)]
    east = [(t, x) for t, x, _, a in ticks if a == "middle"]
    north = [(t, y - 4) for t, _, y, a in ticks if a == "end"]
    fit = lambda pairs: np.polyfit([p for _, p in pairs], [t for t, _ in pairs], 1)  # noqa: E731
    return (lambda u: np.polyval(fit(east), u)), (lambda v: np.polyval(fit(north), v))


def test_the_map_shows_ways_collisions_and_things_where_they_are(mission):
    text = flown_map(mission.sheet())
    drawing = ElementTree.fromstring(text)
    x, y = scaled(drawing)
    tag = lambda name: [e for e in drawing.iter() if e.tag.endswith("}" + name)]  # noqa: E731
    ways = {w[0].text: np.array([p.split(",") for p in w.get("points").split()], float) for w in tag("polyline")}
    true = np.array(mission.referee.logs["drone2"].way)[:, 1:3]
    assert np.column_stack([x(ways["drone2"][:, 0]), y(ways["drone2"][:, 1])]) == pytest.approx(true, abs=0.05)
    (cross,) = [p for p in tag("path") if len(p)]
    u, v = map(float, re.findall(r"-?[\d.]+", cross.get("d"))[:2])
    assert (x(u + 5), y(v + 5)) == pytest.approx(mission.referee.collisions[0].p_W[:2], abs=0.05)
    assert "drone1 and wall0 at 1." in cross[0].text
    (image,) = tag("image")
    href = next(value for key, value in image.attrib.items() if key.endswith("href"))
    grey = np.array(Image.open(io.BytesIO(base64.b64decode(href.partition(",")[2]))))
    rows, columns = np.nonzero(grey < 230)
    left, top = float(image.get("x")), float(image.get("y"))
    wide, tall = float(image.get("width")), float(image.get("height"))
    things_x = x(left + (columns + 0.5) / grey.shape[1] * wide)
    things_y = y(top + (rows + 0.5) / grey.shape[0] * tall)
    assert (things_x.mean(), things_y.mean()) == pytest.approx((4.0, 0.0), abs=0.3)


def test_the_page_has_a_row_for_each_drone_and_collision_and_is_one_file(mission, tmp_path):
    path = write(mission.sheet(), tmp_path)
    text = path.read_text()
    assert text.count("<td>drone1</td>") == 2 and text.count("<td>drone2</td>") == 1
    assert "<td>wall0</td>" in text and "things 1, drones 0, ground 0" in text
    assert not re.findall(r'(?:src|href)="(?!data:)', text)
    numbers = json.loads((tmp_path / "referee.json").read_text())
    assert numbers["result"]["collisions"] == {"thing": 1, "drone": 0, "ground": 0}
    assert len(numbers["logs"]["drone2"]["way"]) == len(mission.referee.logs["drone2"].way)


def test_names_cannot_write_into_the_page():
    mission = flown(0.1, ())
    sheet = mission.sheet()
    sheet["logs"]["<script>"] = sheet["logs"].pop("drone2")
    sheet["result"]["scenario"] = "<b>"
    text = page(sheet)
    assert "<script>" not in text and "<b>" not in text


def test_the_report_in_words(mission):
    text = run_report(mission.result(), mission.rows())
    assert "collisions: things 1, drones 0, ground 0" in text and "drone2" in text


def test_a_scenario_asks_for_a_referee_whoever_flies(tmp_path, capsys):
    robots = "robots: {uav1: {type: simpleflight, physics: fleet, position: [0, 0, 5]}}"
    file = tmp_path / "watched.yaml"
    file.write_text(f"{WORLD}{robots}\nagents: {{referee: {{}}}}\n")
    words = f"run {file} --headless --no-bus --speed max --duration 2 --out {tmp_path / 'out'}"
    assert main(words.split()) == 0
    assert "uav1" in capsys.readouterr().out
    assert (tmp_path / "out" / "referee.html").exists()


# Deliveries


def test_a_mission_has_its_own_page_with_targets_and_what_was_delivered(tmp_path):
    settings = DeliveriesSettings(drones=2, parcels=1, reach=25.0)
    (result,) = run_many([DeliveriesRun("courier", 3, 60.0, settings, whole=True)], 1)
    sheet = result["sheet"]
    assert sheet["result"]["delivered"] == 2
    drawing = ElementTree.fromstring(flown_map(sheet))
    titles = [e.text for e in drawing.iter() if e.tag.endswith("title")]
    assert titles.count("target of drone1") == 1 and titles.count("base of drone2") == 1
    text = write(sheet, tmp_path).read_text()
    assert text.count("<td>1 of 1</td>") == 2
    # Ends at home, over its own base.
    for name, base in sheet["bases"].items():
        assert sheet["logs"][name]["way"][-1][1:3] == pytest.approx(base[:2], abs=1.0)


def test_runs_on_two_cores_are_those_on_one():
    settings = DeliveriesSettings(drones=2, parcels=1, reach=25.0)
    runs = [DeliveriesRun("reach", seed, 4.0, settings) for seed in (1, 2)]
    times = ("processor", "wall")
    alone, together = ([{k: v for k, v in r.items() if k not in times} for r in run_many(runs, n)] for n in (1, 2))
    assert alone == together
    assert [r["seed"] for r in together] == [1, 2]


def test_speeds_are_sums_over_runs():
    runs = [
        {"behaviour": "courier", "time": 80.0, "processor": 10.0, "wall": 20.0},
        {"behaviour": "courier", "time": 70.0, "processor": 20.0, "wall": 10.0},
        {"behaviour": "reach", "time": 100.0, "processor": 5.0, "wall": 10.0},
    ]
    rows = [[c.strip() for c in line.split("|")[1:-1]] for line in speeds(runs).splitlines()[2:]]
    assert [row[0] for row in rows] == ["courier (ours)", "reach location (report)", "all"]
    assert rows[0][1:] == ["150 s", "30 s", "5.0", "5.0"] and rows[2][1:] == ["250 s", "35 s", "7.1", "6.2"]


def test_words_out_of_range_and_lost_are_among_the_numbers():
    def words(**radio):
        settings = DeliveriesSettings(drones=3, parcels=1, reach=25.0, **radio)
        (result,) = run_many([DeliveriesRun("reach_among_drones", 3, 3.0, settings)], 1)
        return result["words"]

    free, near, noisy = words(), words(radio_range=3.0), words(radio_loss=0.5)
    assert free["heard"] == 2 * free["said"] and free["lost"] == free["out_of_range"] == 0
    # Bases are 2 m apart in a line: the outer two do not hear each other.
    assert near["out_of_range"] == pytest.approx(near["said"] * 2 / 3, rel=0.05)
    assert noisy["lost"] == pytest.approx(noisy["said"], rel=0.35)


def test_a_referee_judges_only_what_it_was_given():
    referee = Referee([], "Ground*", 0.0)
    referee.admit("a")
    assert referee.names == ["a"] and referee.counts() == {"thing": 0, "drone": 0, "ground": 0}
