"""The service mission and its report: a craft finds its way to a wall, presses, holds, and goes back."""

import json
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from volery.autonomy.localisation import State
from volery.autonomy.pilot import PilotConfig
from volery.autonomy.service import Service, ServiceSettings
from volery.autonomy.tooling import Rounds, Stop, ToolPilot
from volery.cli import main
from volery.errors import ScenarioError
from volery.loop import steady_memory
from volery.report.airobots import comparison, measures, page, write, write_all
from volery.report.chart import curves
from volery.robots.commands import Dock
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

BOILER = "step: 0.01\nworld: {type: boiler, marks: 0, platens: %d}\n"


def run(settings, platens=0):
    simulation = Simulation(read_scenario(BOILER % platens))
    mission = Service(simulation, None, settings)
    while not mission.over:
        simulation.step()
    mission.close()
    return mission


@pytest.fixture(scope="module")
def docked():
    """A short mission with one touch."""
    stop = Stop((4.0, 0.3, 5.0), (1.0, 0.0, 0.0), force=3.0, hold=6.0, away=1.0)
    return run(ServiceSettings((stop,), start=(2.6, 0.0, 5.0), limit=60.0))


def test_a_short_mission_touches_holds_and_goes_back(docked):
    assert docked.rounds.done and docked.rounds.missed == []
    result = docked.result()["robots"][0]
    assert result["reached"] and result["collisions"] == []
    (found,) = measures(docked.sheet())
    assert found["force"] == pytest.approx(3.0, rel=0.02) and found["lost"] == 0
    assert 0.0 < found["settling"] < 6.0
    assert found["pitch"] == pytest.approx(found["pulled"], rel=0.02)
    assert found["asin"] > found["pulled"]


def test_the_energy_of_a_touch_adds_up(docked):
    (found,) = measures(docked.sheet())
    # At 0.15 m/s; what the surface took is stored in the pad or gone, and never comes back
    assert found["kinetic"] == pytest.approx(0.5 * 2.0 * 0.15**2, rel=0.15)
    assert found["stored"] == pytest.approx(3.0**2 / (2 * 400.0), rel=0.05)
    assert found["work"] > 0.9 * found["stored"]
    assert found["work"] < found["kinetic"] + 1.5 * found["force"] * 3.0 / 400.0 + found["stored"]
    assert found["damped"] == pytest.approx(found["work"] - found["stored"])
    assert abs(found["rubbed"]) < 0.01, "it does not slide"


def test_the_report_is_a_page_with_plots_numbers_and_series(docked, tmp_path):
    path = write(docked.sheet(), tmp_path)
    text = path.read_text()
    assert text.count("<svg") == 3 and "Force of the tool" in text and "asin(F/T)" in text
    numbers = json.loads((tmp_path / "airobots.json").read_text())
    assert numbers["hunt_crossley"]["touches"][0]["set"] == 3.0
    series = np.genfromtxt(tmp_path / "airobots-hunt_crossley.csv", delimiter=",", names=True)
    assert len(series) == len(docked.series["time"]) and series["force_x"].max() > 3.0
    table = comparison({"a": measures(docked.sheet())})
    assert "settling time [s]" in table and "a 1" in table


def test_runs_stand_side_by_side(docked, tmp_path):
    text = write_all({"one": docked.sheet(), "two": docked.sheet()}, tmp_path).read_text()
    assert text.count("<svg") == 7 and "Side by side" in text and "two 1" in text
    assert {p.name for p in tmp_path.iterdir()} == {
        "airobots.html", "airobots.json", "airobots.txt", "airobots-one.csv", "airobots-two.csv"
    }  # fmt: skip


def test_measures_of_a_touch_that_is_known():
    """The force rises to 4 N within 2 s along a line, 1 s after the dock begins."""
    t = np.arange(0.0, 10.0, 0.01)
    force = np.clip((t - 1.0) * 2.0, 0.0, 4.0)
    n = len(t)
    series = {
        "time": t, "phase": np.array(["dock"] * n), "p": np.zeros((n, 3)), "tool": np.zeros((n, 3)),
        "attitude": np.tile([0.0, 0.2, 0.0], (n, 1)), "force": np.column_stack([force, 0 * t, 0 * t]),
        "lift": np.full(n, 20.0), "pull": np.zeros((n, 3)), "thrust": np.full(n, 20.0),
    }  # fmt: skip
    about = {"robot": "", "mass": 2.0, "law": "", "stiffness": 400.0}
    result = {"seed": 1, "time": 10.0, "mission": "service", "robots": [{"collisions": []}]}
    sheet = {"series": series, "about": about, "touches": [{"way": [1, 0, 0], "force": 4.0}], "result": result}
    (found,) = measures(sheet)
    assert found["settling"] == pytest.approx(2.0 * 0.98, abs=0.03)
    assert found["force"] == pytest.approx(4.0) and found["error"] == pytest.approx(0.0, abs=1e-9)
    assert found["pitch"] == pytest.approx(np.degrees(0.2)) and found["asin"] == pytest.approx(
        np.degrees(np.arcsin(0.2))
    )
    assert found["off"] == pytest.approx(100 * (0.2 / np.arcsin(0.2) - 1))
    assert "Touch 1" in page({"known": sheet})


def test_energies_of_a_touch_that_is_known():
    """A tool comes at 0.1 m/s, sinks 5 mm into the pad under 2 N, and is drawn 0.3 m aside against 0.5 N."""
    t = np.arange(0.0, 8.0, 0.01)
    on = t >= 1.0
    depth = np.where(on, 0.005 * np.clip((t - 1.0) / 0.5, 0, 1), 0.0)
    aside = 0.1 * np.clip(t - 3.0, 0.0, 3.0)
    force = np.column_stack([2.0 * on, np.where((t >= 3.0) & (t <= 6.0), 0.5, 0.0), 0 * t])
    p = np.column_stack([np.minimum(0.1 * t, 0.1), 0 * t, 0 * t])
    series = {
        "time": t, "phase": np.array(["dock"] * len(t)), "p": p, "tool": np.column_stack([depth, aside, 0 * t]),
        "attitude": np.zeros((len(t), 3)), "force": force, "lift": 20.0 + 0 * t, "pull": 0 * p, "thrust": 20.0 + 0 * t,
    }  # fmt: skip
    about = {"robot": "", "mass": 2.0, "law": "", "stiffness": 400.0}
    (found,) = measures({"series": series, "about": about, "touches": [{"way": [1, 0, 0], "force": 2.0}]})
    assert found["kinetic"] == pytest.approx(0.5 * 2.0 * 0.1**2, rel=1e-3)
    assert found["work"] == pytest.approx(2.0 * 0.005, rel=0.03)
    assert found["stored"] == pytest.approx(0.5 * 2.0**2 / 400.0)
    assert found["rubbed"] == pytest.approx(0.5 * 0.3, rel=0.01)


def test_a_chart_holds_all_values():
    text = curves("a & b", np.linspace(0, 5, 50), {"x": np.linspace(-3, 8, 50)}, unit="m", levels={"set": 9.5})
    assert "a &amp; b" in text and text.count("<polyline") == 1
    ticks = [float(part.split(">")[-1]) for part in text.split("</text>") if '<text x="62"' in part]
    assert min(ticks) <= -3 and max(ticks) >= 9.5


def test_a_surface_that_is_lost_is_tried_again_and_then_left():
    rounds = Rounds((Stop((9.0, 0.0, 5.0), (1.0, 0.0, 0.0), away=1.0), Stop((0.0, 0.0, 5.0))))
    before = np.array([8.0, 0.0, 5.0])
    assert rounds.stop.before == pytest.approx(before)
    pilot = ToolPilot(PilotConfig(), before, 0.0)
    state = State(before, np.zeros(3), np.eye(3), np.zeros(3))
    stack = SimpleNamespace(pilot=pilot, localisation=SimpleNamespace(state=state))
    seen = []
    for k in range(3000):
        rounds.go_on(stack, touching=rounds.phase == "dock" and k % 500 < 50, dt=0.01)
        seen += [rounds.phase] if not seen or seen[-1] != rounds.phase else []
    assert seen == ["dock", "back", "fly", "dock", "back", "fly", "dock", "back", "fly"]
    assert rounds.missed == [0] and rounds.number == 1
    assert pilot.touch is None
    with pytest.raises(ScenarioError, match="stops"):
        Rounds(())


def test_a_robot_without_a_tool_is_refused():
    with pytest.raises(ScenarioError, match="no craft with a tool"):
        Service(Simulation(read_scenario(BOILER % 0)), None, ServiceSettings((Stop((0, 0, 5)),), robot="quad"))


def test_a_quick_report_comes_from_one_command(tmp_path, capsys):
    assert main(["report", "airobots", "--quick", "--out", str(tmp_path)]) == 0
    assert "settling time [s]" in capsys.readouterr().out
    (found,) = json.loads((tmp_path / "airobots.json").read_text())["no_pull"]["touches"]
    assert found["pull"] == 0.0 and found["error"] < 2.0 and found["lost"] == 0
    assert abs(found["off"]) < 2.0, "without the wall's pull the tilt is asin(F/T)"
    assert (tmp_path / "airobots.html").read_text().count("<svg") == 3


@pytest.mark.slow
def test_the_whole_experiment_round_platens(tmp_path, capsys):
    assert main(["report", "airobots", "--out", str(tmp_path)]) == 0
    assert "hunt_crossley" in capsys.readouterr().out
    runs = json.loads((tmp_path / "airobots.json").read_text())
    assert list(runs) == ["hunt_crossley", "spring_damper", "virtual_mass", "no_pull"]
    for name, found in runs.items():
        assert found["robots"][0]["reached"] and found["robots"][0]["collisions"] == []
        still, *sliding = found["touches"]
        assert still["error"] < 2.0 and all(touch["lost"] == 0 for touch in found["touches"])
        assert abs(still["off" if name == "no_pull" else "off_pulled"]) < 2.0
        assert all(touch["rubbed"] > 0.0 for touch in sliding)


@pytest.mark.slow
def test_the_loop_with_two_cameras_keeps_100_hz():
    """For a machine that has nothing else to do: two cameras of 640×480 at 20 Hz, a craft that docks. The best of three
    rounds of ten seconds, since what else runs on a shared processor cannot be seen from here."""
    simulation = Simulation(load_scenario("boiler"))
    simulation.run(50)
    with steady_memory():
        rounds = [np.array([_docking_step(simulation) for _ in range(1000)]) for _ in range(3)]
    took = min(rounds, key=lambda times: np.percentile(times, 99))
    p50, p99 = np.percentile(took, [50, 99])
    assert p99 < 10.0, f"step: median {p50:.2f} ms, p99 {p99:.2f} ms, mean {np.mean(took):.2f} ms"


def _docking_step(simulation):
    """How long a step took [ms]."""
    simulation.command("mav1", Dock([4.5, 0, 3], [1, 0, 0], 3.0, yaw=0.0))
    begun = time.perf_counter()
    simulation.step()
    return 1e3 * (time.perf_counter() - begun)


def test_the_scenarios_are_read():
    settings = load_scenario("airobots").agents["service"]
    assert len(settings.stops) == 3 and replace(settings, law="virtual_mass").law == "virtual_mass"
    assert load_scenario("boiler").robots["mav1"].engine == "mujoco"
