"""The mission: targets, the referee, behaviours against each other, and the commands."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from agents_rig import empty_world
from volery.agents.campaign import run_deliveries
from volery.agents.deliveries import Deliveries, DeliveriesSettings
from volery.agents.referee import Referee
from volery.agents.targets import OBSTACLES
from volery.cli import main
from volery.core.parallel import set_threads, threads
from volery.errors import ScenarioError, SimulationError
from volery.report.deliveries import comparison, plot, run_report
from volery.robots.commands import Motors, Velocity
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

SCENARIO = load_scenario("deliveries")
BEHAVIOURS = ("courier", "reach", "reach_among_drones")


def mission(seed=1, **settings):
    return Deliveries(Simulation(SCENARIO, seed=seed), None, DeliveriesSettings(**settings))


# Targets


def all_targets(made):
    first = [agent.errands[0] for agent in made.agents]
    return np.array([*first, *(t for own in made.targets.values() for t in own)])


def test_targets_are_free_apart_within_reach_and_the_same_for_all_behaviours():
    made = {b: mission(5, drones=6, behaviour=b, parcels=3, reach=80.0) for b in BEHAVIOURS}
    found = {b: all_targets(m) for b, m in made.items()}
    targets = found["courier"]
    assert len(targets) == 18
    assert all((t == targets).all() for t in found.values())
    assert np.abs(targets[:, :2]).max() <= 80.0
    apart = np.linalg.norm(targets[:, None] - targets[None], axis=2) + 99 * np.eye(18)
    assert apart.min() >= 4.0
    _, distance, _ = made["courier"].simulation.scene.closest_point(targets + [0, 0, 3], channel=OBSTACLES)
    assert distance.min() >= 2.4
    assert not np.allclose(all_targets(mission(6, drones=6, parcels=3, reach=80.0)), targets)


def test_too_many_targets_for_the_room_are_refused():
    with pytest.raises(SimulationError, match="no free ground"):
        mission(drones=20, parcels=5, reach=8.0)


def test_bases_are_in_a_line_two_metres_apart():
    made = mission(drones=4)
    assert made.bases_W == pytest.approx(np.array([[0, -3, 0], [0, -1, 0], [0, 1, 0], [0, 3, 0]]))
    assert [r.p_WB[1] for r in made.simulation.robots.values()] == pytest.approx([-3, -1, 1, 3])


def test_a_scenario_without_the_channel_of_obstacles_is_refused():
    simulation = Simulation(read_scenario("world: blocks", name="x"))
    with pytest.raises(SimulationError, match="channel 'obstacles'"):
        Deliveries(simulation, None, DeliveriesSettings())


# The referee


def watched(*places, walls=()):
    simulation = empty_world(walls)
    names = [f"drone{i + 1}" for i in range(len(places))]
    for name, p in zip(names, places, strict=True):
        simulation.spawn(name, {"type": "simpleflight", "position": list(p)})
    referee = Referee(names, "Ground", 0.0)
    simulation.listeners.append(referee.watch)
    return simulation, referee


def test_a_soft_landing_is_none_and_a_fall_is_one_hard_collision():
    simulation, referee = watched((0, 0, 1.0), (9, 0, 3.0))
    simulation.command("drone1", Velocity([0, 0, -0.5]))
    simulation.command("drone2", Motors(np.zeros(4)))
    falls = []
    simulation.listeners.append(lambda s: falls.append(-s.robots["drone2"].v_WB_W[2]))
    simulation.run(200)
    assert [(c.drone, c.other, c.kind) for c in referee.collisions] == [("drone2", "Ground", "ground")]
    assert referee.hard == 1
    assert 5.0 < max(falls) < np.sqrt(2 * 9.81 * 2.86)
    assert referee.collisions[0].speed == pytest.approx(max(falls), rel=0.05)


def test_a_wall_that_is_struck_is_told_by_name_and_once():
    simulation, referee = watched((0, 0, 3), walls=[(4, 0, 0, 1, 6, 6)])
    simulation.command("drone1", Velocity([3, 0, 0]))
    simulation.run(150)
    assert [(c.other, c.kind) for c in referee.collisions] == [("wall0", "thing")]
    assert 1.0 < referee.collisions[0].speed < 3.5
    assert referee.near_things >= 1


def test_two_drones_that_meet_are_one_collision_of_both_speeds():
    simulation, referee = watched((0, 0, 3), (4, 0, 3))
    simulation.command("drone1", Velocity([2, 0, 0]))
    simulation.command("drone2", Velocity([-2, 0, 0]))
    simulation.run(75)
    assert [(c.drone, c.other, c.kind) for c in referee.collisions][:1] == [("drone1", "drone2", "drone")]
    assert len(referee.collisions) == 1
    assert 3.0 < referee.collisions[0].speed < 4.5


def test_passing_within_a_metre_is_a_near_miss_and_no_collision():
    simulation, referee = watched((0, 0, 3), (8, 0.8, 3), (0, 20, 3), (8, 22.0, 3))
    for name, way in zip(simulation.robots, (2, -2, 2, -2), strict=True):
        simulation.command(name, Velocity([way, 0, 0]))
    simulation.run(200)
    assert referee.collisions == [] and referee.near_drones == 1
    assert referee.logs["drone1"].distance == pytest.approx(8, abs=1.5)


def test_a_parcel_counts_only_where_it_belongs():
    simulation, referee = watched((5, 0, 0.15))
    assert referee.judge(simulation, "drone1", np.array([5.5, 0.5, 0]))
    assert not referee.judge(simulation, "drone1", np.array([8.0, 0, 0]))
    simulation.place("drone1", np.array([5.0, 0, 4]), np.array([1.0, 0, 0, 0]))
    assert not referee.judge(simulation, "drone1", np.array([5.0, 0, 0]))
    assert (referee.logs["drone1"].delivered, referee.logs["drone1"].refused) == (1, 2)


# Missions


def test_ours_delivers_all_without_touching_anything_and_the_reports_do_not():
    def run(behaviour, seconds):
        settings = DeliveriesSettings(drones=4, behaviour=behaviour, parcels=1, reach=40.0)
        return run_deliveries(SCENARIO, settings, 3, seconds)

    ours = run("courier", 90.0)
    assert ours["delivered"] == ours["parcels"] == 4 and ours["home"] == 4
    assert sum(ours["collisions"].values()) == ours["near_drones"] == ours["near_things"] == 0
    for name in ("reach", "reach_among_drones"):
        theirs = run(name, 45.0)
        assert sum(theirs["collisions"].values()) >= 3, "they come down at 6 m/s"
        assert theirs["hard"] >= 2


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_same_seed_same_bytes_whatever_the_number_of_threads(behaviour):
    usual = threads()

    def run(count):
        set_threads(count)
        made = mission(2, drones=3, behaviour=behaviour, reach=40.0)
        made.simulation.run(700)
        return made.simulation.state_hash(), made.result()

    try:
        assert run(1) == run(2)
    finally:
        set_threads(usual)


def test_a_reset_begins_the_mission_again():
    made = mission(2, drones=2, reach=40.0)
    made.simulation.run(400)
    flown = made.referee.logs["drone1"].distance
    assert flown > 3.0
    first = made.simulation.state_hash()
    made.simulation.reset()
    assert "drone1" not in made.simulation.robots
    made.simulation.run(400)
    assert made.referee.logs["drone1"].distance == flown
    assert made.simulation.state_hash() == first


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_twenty_drones_deliver_among_blocks_without_a_collision(seed):
    result = run_deliveries(SCENARIO, DeliveriesSettings(drones=20), seed, 250.0)
    assert result["delivered"] == result["parcels"] == 40
    assert result["home"] == 20 and result["refused"] == 0
    assert sum(result["collisions"].values()) == 0


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["reach", "reach_among_drones"])
def test_the_reports_behaviours_collide_in_every_run_and_leave_parcels_over(behaviour):
    settings = DeliveriesSettings(drones=20, behaviour=behaviour, parcels=1)
    runs = [run_deliveries(SCENARIO, settings, seed, 120.0) for seed in range(1, 21)]
    assert min(sum(r["collisions"].values()) for r in runs) >= 20
    assert sum(r["delivered"] for r in runs) < 0.95 * sum(r["parcels"] for r in runs)


# Commands and reports


def test_run_deliveries_from_the_command_line(capsys):
    words = "run deliveries --drones 2 --headless --no-bus --speed max --seed 4 --duration 20"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert "courier (ours), seed 4" in out
    assert "delivered    0 of 4" in out and "collisions   things 0, drones 0, ground 0" in out
    assert "drone2" in out and "drone3" not in out


def test_run_deliveries_with_agents_that_think_in_real_time(capsys):
    words = "run deliveries --drones 2 --headless --no-bus --speed 2 --duration 8 --strategy realtime"
    assert main([*words.split(), "--behaviour", "reach_among_drones"]) == 0
    out = capsys.readouterr().out
    assert "reach location among drones" in out
    flown = float(next(line for line in out.splitlines() if line.startswith("flown")).split()[1])
    assert flown > 4.0, "both took off"


def test_options_that_do_not_fit_are_refused(capsys):
    assert main("run blocks --drones 3 --headless --no-bus --duration 1".split()) == 1
    assert "--drones is not for blocks" in capsys.readouterr().err
    assert main("run deliveries --behaviour curier --headless --no-bus --duration 1".split()) == 1
    assert "courier" in capsys.readouterr().err
    assert main("report deliveries --behaviours rech --drones 2".split()) == 1
    assert "did you mean 'reach'" in capsys.readouterr().err


def test_a_wrong_setting_in_a_scenario_is_an_error_with_its_place():
    with pytest.raises(ScenarioError, match="drones"):
        read_scenario("agents: {deliveries: {drones: 0}}")
    with pytest.raises(ScenarioError, match="did you mean 'deliveries'"):
        read_scenario("agents: {delivery: {}}")


def test_report_deliveries_writes_numbers_table_and_plot(tmp_path, capsys):
    words = f"report deliveries --drones 2 --seeds 2 --behaviours courier,reach --limit 6 --out {tmp_path / 'r'}"
    assert main(words.split()) == 0
    results = json.loads((tmp_path / "r" / "deliveries.json").read_text())
    assert [(r["behaviour"], r["seed"]) for r in results] == [(b, s) for s in (1, 2) for b in ("courier", "reach")]
    table = (tmp_path / "r" / "deliveries.md").read_text()
    assert table.strip() in capsys.readouterr().out
    assert len(table.splitlines()) == 4
    ElementTree.parse(tmp_path / "r" / "deliveries.svg")


def result(behaviour, seed, delivered, things=0, near=0):
    return {
        "behaviour": behaviour, "seed": seed, "drones": 2, "parcels": 4, "delivered": delivered, "refused": 0,
        "home": 1, "collisions": {"thing": things, "drone": 0, "ground": 0}, "hard": 0,
        "with": {"Cone_2": things} if things else {}, "near_drones": near, "near_things": 0, "distance": 100.0,
        "time": 50.0,
    }  # fmt: skip


def test_a_comparison_sums_runs_of_each_behaviour():
    runs = [result("courier", 1, 4), result("courier", 2, 4), result("reach", 1, 1, 3, 2), result("reach", 2, 1, 0)]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in comparison(runs).splitlines()]
    assert len({len(row) for row in rows}) == 1
    ours, theirs = (dict(zip(rows[0], row, strict=True)) for row in rows[2:])
    assert ours["delivered"] == "8 of 8" and ours["runs without collision"] == "2 of 2"
    assert theirs["delivered"] == "2 of 8" and theirs["collisions with things"] == "3"
    assert theirs["runs without collision"] == "1 of 2" and theirs["flown per parcel"] == "100 m"


def test_a_plot_has_a_dot_for_each_run_and_panel_at_its_height():
    runs = [result("courier", s, 4) for s in (1, 2, 3)] + [result("reach", s, s, things=8) for s in (1, 2, 3)]
    tree = ElementTree.fromstring(plot(runs))
    dots = [d for d in tree.iter() if d.tag.endswith("circle")]
    assert len(dots) == 3 * 6
    delivered = [float(d.get("cy")) for d in dots[:6]]
    assert delivered[0] == delivered[1] < delivered[5] < delivered[4] < delivered[3]


def test_the_report_of_a_run_says_with_what_drones_collided():
    text = run_report(result("reach", 7, 2, things=3), [("drone1", "goes", 2, 3, 100.0, 4.0)])
    assert "most with Cone_2 3" in text and "seed 7" in text and "2 of 4" in text
