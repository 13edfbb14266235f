"""The rescue mission: robots find victims and their own way, the truth is for the score alone, and a page tells it."""

import argparse
import re

import numpy as np
import pytest

from volery.autonomy.rescue.bumper import VirtualBumper
from volery.autonomy.rescue.ground import CELL, GroundMap
from volery.autonomy.rescue.mission import Rescue, RescueSettings
from volery.autonomy.rescue.score import Person, match, points
from volery.autonomy.rescue.search import _behind
from volery.autonomy.rescue.victims import Claim, Claims
from volery.commands.missions import start_missions
from volery.errors import ScenarioError, SimulationError
from volery.loop import FastPace, Loop
from volery.report.rescue import map_picture, page, run_report, write
from volery.robots.commands import Wrench
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

SMALL = """
seed: 1
step: 0.01
world: {type: arena, columns: 7, rows: 6, victim_count: 2, debris_count: 0, traps: 0}
agents: {rescue: {robots: 2, limit: 10}}
"""


def mission(seconds, robots=2, text=SMALL):
    simulation = Simulation(read_scenario(text))
    made = Rescue(simulation, None, RescueSettings(robots=robots, limit=seconds))
    while not made.over:
        simulation.step()
    return made


@pytest.fixture(scope="module")
def short():
    return mission(10.0)


def test_robots_find_their_way_into_the_arena(short):
    result = short.result()
    assert result["distance"] > 2.5 and result["covered"] > 0.03
    # Nobody told them where they are, and where walls are.
    assert 0.0 < result["drift"] < 0.2
    assert result["map_error"] < 0.08 and result["map_wrong"] < 0.1
    assert np.ptp(short.score.paths["R1"], axis=0)[1] > 1.0


def test_the_same_seed_is_the_same_mission(short):
    again = mission(10.0)
    assert again.result() == short.result()
    assert again.simulation.state_hash() == short.simulation.state_hash()


@pytest.mark.slow
def test_a_lie_about_the_truth_changes_the_score_but_not_the_robots(short):
    simulation = Simulation(read_scenario(SMALL))
    made = Rescue(simulation, None, RescueSettings(robots=2, limit=10.0))
    made.persons = [Person("victim_9", (99.0, 99.0, 0.0), "surface", "aware")]
    made.air = made.air[:1]
    while not made.over:
        simulation.step()
    assert simulation.state_hash() == short.simulation.state_hash()


def test_the_report_is_one_page_with_a_map(short, tmp_path):
    sheet = short.sheet()
    path = write(sheet, tmp_path)
    text = path.read_text()
    assert text.count("data:image/png;base64,") == 1 and not re.search(r'(src|href)="?http', text)
    assert "victim_1" in text and f"{short.result()['score']:.1f} of 100" in text
    pixels = np.asarray(map_picture(sheet))
    # Walls as the robots believe, and a victim that was missed, are there.
    for colour in ((25, 25, 28), (215, 30, 40)):
        assert (pixels == colour).all(axis=2).sum() > 100
    assert "area looked at" in run_report(sheet["result"], short.rows())
    assert "<script" not in page({**sheet, "result": {**sheet["result"], "arena": "<script>"}}, map_picture(sheet))


def test_a_victim_that_is_seen_is_claimed_where_it_is():
    text = """
seed: 1
step: 0.01
world: empty
robots: {victim_1: {type: victim_sitting_aware, position: [0, 3, 0], attitude_deg: [0, 0, -90]}}
"""
    simulation = Simulation(read_scenario(text))
    made = Rescue(simulation, None, RescueSettings(robots=1, limit=4.0, area=(-2.0, -2.0, 2.0, 4.0)))
    while not made.over:
        simulation.step()
    result = made.result()
    assert result["found"] == 1 and result["wrong"] == 0 and result["victim_error"] < 0.6
    assert result["victims"][0]["by"] == "R1"


def test_the_command_line_runs_it(tmp_path, capsys):
    simulation = Simulation(read_scenario(SMALL))
    loop = Loop(simulation, FastPace())
    options = argparse.Namespace(robots=1, out=str(tmp_path))
    shown = start_missions(simulation, loop, options)
    assert len(shown[0].mission.names) == 1
    loop.run(simulation.clock.now_ns + 500_000_000)
    shown[0].close()
    assert (tmp_path / "rescue.html").exists() and (tmp_path / "rescue.png").exists()
    told = capsys.readouterr().out
    assert "victims found" in told and "rescue.html" in told


def test_what_cannot_be_searched_is_refused():
    simulation = Simulation(read_scenario("{step: 0.01, world: empty}"))
    with pytest.raises(SimulationError, match="area"):
        Rescue(simulation, None, RescueSettings(robots=1))
    with pytest.raises(SimulationError, match="empty"):
        Rescue(simulation, None, RescueSettings(robots=1, area=(1.0, 0.0, 0.0, 1.0)))
    with pytest.raises(SimulationError, match="Odometry"):
        Rescue(simulation, None, RescueSettings(robots=1, robot="quad", area=(-1.0, -1.0, 1.0, 1.0)))
    with pytest.raises(ScenarioError, match="robots"):
        RescueSettings(robots=0)
    assert "rescue" in load_scenario("rescue").agents


def test_a_robot_that_tipped_over_is_put_on_its_wheels_and_goes_on():
    simulation = Simulation(read_scenario("{seed: 1, step: 0.01, world: empty}"))
    made = Rescue(simulation, None, RescueSettings(robots=1, limit=14.0, area=(-3.0, -3.0, 3.0, 3.0)))
    robot, lay = simulation.robot("R1"), False
    while not made.over:
        if simulation.clock.steps in (300, 345):
            torque = np.array([0.0, 45.0, 0.0]) if simulation.clock.steps == 300 else np.zeros(3)
            simulation.command("R1", Wrench(torque_W=torque))
        simulation.step()
        lay = lay or robot.X_WB[0][2, 2] < 0.3
    assert lay and robot.X_WB[0][2, 2] > 0.95
    assert made.result()["flips"] >= 1 and made.rows()[0][1] != "lies"
    assert "put on their wheels" in run_report(made.result(), made.rows())


def test_heights_do_not_creep():
    text = SMALL.replace("victim_count: 2", "victim_count: 0")
    simulation = Simulation(read_scenario(text))
    made = Rescue(simulation, None, RescueSettings(robots=1, limit=14.0))
    rescuer, off = made.team.robots[0], []
    while not made.over:
        simulation.step()
        off.append(rescuer.p_WB[2] - simulation.robot("R1").p_WB[2])
    assert made.result()["distance"] > 3.0
    assert np.abs(off).max() < 0.03 and np.abs(np.mean(off[-200:])) < 0.015


# Parts


def test_a_bumper_lets_pass_what_touches_nothing():
    bumper = VirtualBumper()
    assert bumper.allows(0.5, 0.0)
    y = np.arange(-0.6, 0.6, 0.03)
    wall = np.stack([np.full(len(y), 0.45), y, np.full(len(y), 0.3)], axis=1)
    bumper.see(wall)
    assert not bumper.allows(0.5, 0.0) and bumper.allows(-0.5, 0.0) and bumper.allows(0.0, 0.3)
    assert bumper.first([(0.5, 0.0), (0.25, 0.0), (-0.3, 0.0)]) == (0.25, 0.0)
    # Beside a wall it can go on, and not turn its corners into it; what is low is ground.
    bumper.see(wall[:, [1, 0, 2]] * [1.0, 0.62, 1.0])
    assert bumper.allows(0.5, 0.0) and not bumper.allows(0.0, 1.0) and not bumper.allows(0.3, 0.5)
    bumper.see(wall * [1.0, 1.0, 0.0])
    assert bumper.allows(0.5, 0.0)


def test_a_robot_that_follows_stays_behind():
    way = np.column_stack([np.arange(0.0, 4.0, 0.1), np.zeros(40)])
    other = np.array([3.0, 0.0, 0.1])
    followed = _behind(way, [other])
    assert followed is not None and followed[-1, 0] == pytest.approx(1.8, abs=0.11)
    assert _behind(way, [np.array([0.5, 0.0, 0.1])]) is None
    assert len(_behind(way, [np.array([0.0, 9.0, 0.1])])) == 40


def test_claims_gather_parts_and_voices():
    claims = Claims()
    eye = np.array([0.0, 0.0, 0.5])
    for time in (1.0, 2.0):
        claims.see(np.array([[2.0, 0.1, 0.3], [2.2, -0.1, 0.8], [5.0, 5.0, 0.2]]), np.array([9, 4, 2]), eye, time, "R1")
    assert len(claims.sure) == 2 and claims.sure[0].first == 1.0
    assert np.linalg.norm(claims.sure[0].p_W[:2] - [2.1, 0.0]) < 0.2
    d = float(np.linalg.norm(claims.sure[0].p_W - eye))
    claims.hear((claims.sure[0].p_W - eye) / d, 1e-4 / (4 * np.pi * d * d), eye, 4.0)
    assert claims.sure[0].state == "aware" and claims.sure[0].voice == pytest.approx(1e-4)
    assert claims.sure[1].state == "unaware"


def test_a_claim_counts_once_and_near():
    people = [Person("victim_1", (0.0, 0.0, 0.0), "surface", "aware"), Person("victim_2", (9.0, 0.0, 0.0), "void", "")]
    claims = [Claim(np.array([x, 0.0, 0.0]), 0.0, "R1", 3) for x in (0.4, 1.2, 7.0)]
    found, wrong = match(claims, people)
    assert found[0].claim is claims[0] and found[0].error == pytest.approx(0.4)
    assert found[1].claim is None and wrong == claims[1:]
    assert points(1.0, 2, 0, 0, 2) == 100.0
    assert points(0.5, 1, 1, 0, 2) == pytest.approx(0.2 * 50.0 + 0.8 * 25.0)
    assert points(0.0, 0, 5, 0, 2) == 0.0


def test_the_ground_is_free_and_edges_are_not():
    ground = GroundMap(np.array([-2.0, -2.0]), np.array([2.0, 2.0]), reach=4.0, climbs=0.14)
    x, y = np.meshgrid(np.arange(-2, 2, 0.04), np.arange(-2, 2, 0.04))
    # A ramp of 16° towards x, a cliff of 0.3 m towards y, from 1 m on each.
    z = np.where(x > 1, (x - 1) * np.tan(np.radians(16)), 0.0) + np.where(y > 1, 0.3, 0.0)
    points_W = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    for _ in range(4):
        ground.add(np.array([0.0, 0.0, 0.6]), points_W)
    price = ground.terrain([]).price[:, :, 1]

    def at(p):
        return price[tuple(ground.index(np.array([p]))[0])]

    assert at([0.8, 0.0]) > 0 and at([1.5, 0.0]) > 0
    assert at([0.0, 1.0]) == 0
    ground.bar(np.array([0.8, 0.0]), 0.15)
    assert ground.terrain([]).price[tuple([*ground.index(np.array([[0.8, 0.0]]))[0], 1])] == 0
    ground.unbar(np.array([0.8, 0.0]), 0.3)
    assert at([0.8, 0.0]) > 0
    assert CELL == 0.1


def test_looking_ends_at_walls():
    ground = GroundMap(np.array([-3.0, -3.0]), np.array([3.0, 3.0]), reach=5.0, climbs=0.14)
    y, z = np.meshgrid(np.arange(-2, 2, 0.05), np.arange(0.0, 1.2, 0.05))
    wall = np.stack([np.full(y.size, 1.0), y.ravel(), z.ravel()], axis=1)
    floor = np.stack([a.ravel() for a in np.meshgrid(np.arange(-2, 1, 0.05), np.arange(-2, 2, 0.05), [0.0])], axis=1)
    ground.add(np.array([0.0, 0.0, 0.6]), np.concatenate([wall, floor]))
    ground.look(np.array([0.0, 0.0]), 0.0, 1.0, 2.5)
    i = ground.index(np.array([[0.7, 0.0], [1.5, 0.0], [-0.7, 0.0]]))
    assert ground.looked[tuple(i.T)].tolist() == [True, False, False]


# Arenas


def arena_mission(colour, seed, seconds, robots=3):
    text = f"{{seed: {seed}, step: 0.01, world: {{type: arena, colour: {colour}}}}}"
    return mission(seconds, robots, text)


@pytest.mark.parametrize(("colour", "seed"), [("red", 101), ("red", 1), ("orange", 1), ("yellow", 1)])
def test_standing_at_the_door_of_any_arena_is_worth_next_to_nothing(colour, seed):
    result = arena_mission(colour, seed, 0.5).result()
    assert result["area"] > 50.0, "the area that any robot could get to, not what this one can"
    assert result["covered"] < 0.1 and result["score"] < 3.0


def test_robots_are_called_home_when_all_victims_are_found_and_the_run_ends_there():
    """A victim right ahead in an open place."""
    simulation = Simulation(
        read_scenario(
            "seed: 1\nstep: 0.01\nworld: empty\n"
            "robots: {victim_1: {type: victim_sitting_aware, position: [0.0, 3.0, 0], attitude_deg: [0, 0, -90]}}"
        )
    )
    made = Rescue(simulation, None, RescueSettings(robots=1, limit=60.0, area=(-2.0, -2.0, 2.0, 4.0)))
    while not made.over:
        simulation.step()
    result = made.result()
    assert result["found"] == 1 and result["recalled"] < 40.0
    assert result["home"] == 1 and result["time"] < 60.0
    assert np.linalg.norm((simulation.robot("R1").p_WB - made.score.paths["R1"][0])[:2]) < 0.8


@pytest.mark.slow
def test_a_mirror_beside_the_entrance_and_the_ramp_behind_it_stop_nobody():
    """Orange 4: a mirror in the outer wall shows level ground where ramps are."""
    made = arena_mission("orange", 4, 30.0)
    result, ground = made.result(), made.team.ground
    # It stands on the border of two rows of cells.
    mirror = ground.index(np.array([[x, y] for x in np.arange(-1.05, -0.1, 0.1) for y in (-4.85, -4.75)]))
    assert (ground._flat()[tuple(mirror.T)] > 0).reshape(-1, 2).any(axis=1).mean() > 0.7
    # The first robot is over the ramp, at x from -3.6 m to -2.4 m, and there is more to see.
    path = np.array(made.score.paths["R1"])
    assert path[:, 2].max() > 0.35 and path[:, 0].max() > -2.6
    assert result["covered"] > 0.1 and result["ends_left"] > 5 and result["collisions"] <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("colour", "seed"), [*(("yellow", s) for s in (1, 2, 3)), *(("orange", s) for s in range(1, 11))]
)
def test_every_seed_is_searched(colour, seed):
    result = arena_mission(colour, seed, 420.0).result()
    assert result["found"] >= 3 and result["wrong"] <= 1
    assert result["covered"] >= 0.85 and result["collisions"] <= 15 and result["drift"] < 0.5
