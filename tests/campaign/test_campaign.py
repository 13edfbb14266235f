"""Campaigns: what a file plans, that kills and crashes cost nothing, that they go on where they ended, the report."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from campaign_rig import GRID, SCENARIO, report_bytes, wait_for, written
from volery.campaign.measuring import flattened, run_once
from volery.campaign.overrides import overridden
from volery.campaign.plan import load_campaign
from volery.campaign.pool import run_all
from volery.campaign.results import Results
from volery.campaign.worker import Worker
from volery.cli import main
from volery.errors import CampaignError, ScenarioError
from volery.report.campaign import Sheet, measures_of, write_campaign
from volery.scenario import read_scenario


def rows_of(folder):
    return list(csv.DictReader((folder / "report.csv").read_text().splitlines()))


# The plan


def test_a_grid_has_every_combination_with_every_seed(tmp_path):
    plan = load_campaign(written(tmp_path, GRID + "\nseeds: [3, 9]"))
    assert len(plan.runs) == 3 * 2 * 2 and [r.number for r in plan.runs] == list(range(1, 13))
    assert {(str(r.values["wind.steady"]), r.values["robots.uav1.motion.speed"], r.seed) for r in plan.runs} == {
        (wind, speed, seed) for wind in ("[0, 0, 0]", "[4, 0, 0]", "[8, 0, 0]") for speed in (2, 4) for seed in (3, 9)
    }
    assert len({r.key for r in plan.runs}) == 12


def test_draws_are_the_same_for_the_same_seed_and_do_not_disturb_each_other(tmp_path):
    text = "random: {{count: 20, seed: {}, draws: {{weather.fog: {{low: 0, high: 0.5}}{}}}}}"
    more = ", wind.turbulence_factor: {low: 0.1, high: 10, log: true}, robots.uav1.type: {choose: [quad, x500]}"

    def fogs(seed, more=""):
        return [r.values["weather.fog"] for r in load_campaign(written(tmp_path, text.format(seed, more))).runs]

    assert fogs(1) == fogs(1) == fogs(1, more) and fogs(1) != fogs(2)
    assert all(0 <= fog <= 0.5 for fog in fogs(1))
    runs = load_campaign(written(tmp_path, text.format(1, more))).runs
    assert {r.values["robots.uav1.type"] for r in runs} == {"quad", "x500"}
    logs = [r.values["wind.turbulence_factor"] for r in runs]
    assert 4 <= sum(v < 1.0 for v in logs) <= 16 and all(0.1 <= v <= 10 for v in logs)


def test_a_run_is_another_one_when_anything_of_it_is(tmp_path):
    def key(campaign="", **more):
        return load_campaign(written(tmp_path, campaign, **more)).runs[0].key

    probe = "class P:\n    def __init__(self, s): pass\n    def result(self): return {'a': %d}\n"
    first = key()
    assert key() == first
    assert len({
        first, key("set: {step: 0.01}"), key("seeds: [2]"), key(scenario=SCENARIO.replace("quad", "x500")),
        key("probe: p.py:P", p=probe % 1), key("probe: p.py:P", p=probe % 2),
    }) == 6  # fmt: skip


@pytest.mark.parametrize(
    ("campaign", "message"),
    [
        ("grid: {weather.fogg: [0]}", "did you mean 'fog'"),
        ("grid: {robots.uav1.motion.speed: []}", "no values"),
        ("grid: {robots.uav1.motion.speed: [-1]}", "speed"),
        ("grid: {robots.uav1.motion.path.7: [[0, 0, 0]]}", "a list of 2"),
        ("grid: {step.more: [1]}", "has no parts"),
        ("grid: {seed: [1, 2]}", "under `seeds`"),
        ("grid: {step: [0.02, 0.02]}", "the same run"),
        ("seeds: 0", "number of seeds"),
        ("seeds: [1, 1]", "different"),
        ("random: {count: 3}", "nothing is drawn"),
        ("random: {count: 3, draws: {weather.fog: {low: 1, high: 0}}}", "greater `high`"),
        ("random: {count: 3, draws: {weather.fog: {low: 0, high: 1, log: true}}}", "above 0"),
        ("probe: there.py:P", "cannot be read"),
        ("probe: P", "file.py:Class"),
        ("set: {robots.uav1.physics: external, robots.uav1.motion: null}", "outside programs"),
        ("limits: 3", "did you mean 'limit'"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is(tmp_path, campaign, message, capsys):
    path = written(tmp_path, campaign)
    assert main(["campaign", str(path), "--out", str(tmp_path / "out")]) == 1
    text = capsys.readouterr().err
    assert message in text and "sweep.yaml" in text and "Traceback" not in text
    assert not (tmp_path / "out").exists()


def test_a_campaign_says_how_long_a_run_is(tmp_path):
    path = written(tmp_path, "")
    path.write_text("scenario: flight.yaml")
    with pytest.raises(ScenarioError, match="duration"):
        load_campaign(path)
    path.write_text("scenario: nowhere.yaml")
    with pytest.raises(ScenarioError, match="neither a file"):
        load_campaign(path)


def test_the_example_of_the_documentation_is_sixty_runs(tmp_path):
    text = (Path(__file__).parent.parent.parent / "docs" / "campaigns.md").read_text()
    (tmp_path / "wind.yaml").write_text(text.split("```yaml\n")[1].split("```")[0])
    runs = load_campaign(tmp_path / "wind.yaml").runs
    assert len(runs) == 60 and len({run.text for run in runs}) == 60


def test_overrides_make_what_is_not_there_and_leave_the_base_alone():
    base = {"world": "forest", "robots": {"a": "quad"}}
    out = overridden(base, {"world.density": 2, "robots.a.sensors.imu": {"type": "imu"}, "weather.fog": 0.1})
    assert out == {
        "world": {"type": "forest", "density": 2},
        "robots": {"a": {"type": "quad", "sensors": {"imu": {"type": "imu"}}}},
        "weather": {"fog": 0.1},
    }
    assert base == {"world": "forest", "robots": {"a": "quad"}}


# One run


def test_results_are_told_as_names_and_values():
    found = flattened({
        "robots": [{"robot": "uav1", "far": 2.5, "hits": [[1, "x"]]}, {"robot": "uav2", "far": float("nan")}],
        "end": (1.0, 2.0), "many": list(range(9)), "ok": True, "none": None,
    })  # fmt: skip
    assert found == {
        "robots.uav1.far": 2.5, "robots.uav1.hits.count": 1, "robots.uav2.far": None, "end.0": 1.0, "end.1": 2.0,
        "many.count": 9, "ok": True, "none": None,
    }  # fmt: skip


PROBE = """
class Height:
    def __init__(self, simulation):
        self.low = 1e9
        simulation.listeners.append(self)

    def __call__(self, simulation):
        self.low = min(self.low, simulation.robots["uav1"].p_WB[2])

    def result(self):
        return {"lowest": self.low}
"""


def test_a_run_tells_how_far_robots_went_and_what_a_probe_saw(tmp_path):
    plan = load_campaign(written(tmp_path, "probe: height.py:Height\ngrid: {duration: [1.0]}", height=PROBE))
    request = plan.request(plan.runs[0])
    found = run_once(request)
    measures = found["measures"]
    assert found["time"] == pytest.approx(1.0) and measures["touches"] == 0
    assert 0.5 < measures["distance"] < 5.0 and 8.0 < measures["lowest"] <= 12.0
    assert abs(measures["uav1.x"]) < 6.0
    assert run_once(request) == found


def test_a_run_is_a_scenario_of_its_own_with_another_wind_for_every_seed(tmp_path, capsys):
    path = written(tmp_path, "seeds: [5, 6]")
    assert main(["campaign", str(path), "--print", "2"]) == 0
    file = read_scenario(capsys.readouterr().out, "printed").file
    assert (file.seed, file.duration, file.wind.seed) == (6, 0.3, 6)
    runs = load_campaign(path).runs
    far = {run_once(load_campaign(path).request(run))["measures"]["distance"] for run in runs}
    assert len(far) == 2
    fixed = load_campaign(written(tmp_path, "set: {wind.seed: 3}\nseeds: 2")).runs
    assert {read_scenario(run.text, "run").file.wind.seed for run in fixed} == {3}
    assert main(["campaign", str(path), "--print", "3"]) == 1 and "1 to 2" in capsys.readouterr().err


def test_a_mission_ends_its_run_and_tells_its_result(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("scenario: deliveries\nduration: 0.2\nset: {agents.deliveries: {drones: 2, parcels: 1}}")
    plan = load_campaign(path)
    measures = run_once(plan.request(plan.runs[0]))["measures"]
    assert measures["drones"] == 2 and measures["collisions.thing"] == 0 and "seed" not in measures


# Workers, results and the report


def start(path, out, *more):
    words = [sys.executable, "-m", "volery", "campaign", str(path), "--out", str(out), "--jobs", "2", *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def kept(out):
    path = Path(out) / "results.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def workers_of(process):
    return [p for p in psutil.Process(process.pid).children() if "volery.campaign.process" in p.cmdline()]


def lost_and_found(out):
    """Whether a run was begun a second time and is kept."""
    return any(json.loads(line)["attempts"] == 2 for line in (out / "results.jsonl").read_text().splitlines())


def campaign_with_kills(path, out, runs):
    """The campaign is killed, then one of its workers in the middle of a run, then it is stopped by Ctrl-C."""
    process = start(path, out)
    wait_for(lambda: kept(out) >= runs // 8)
    process.kill()
    process.communicate(timeout=60)
    assert kept(out) < runs
    process = start(path, out)
    wait_for(lambda: kept(out) >= runs // 4)
    (victim, *_) = workers_of(process)
    # One that stands still has a run soon, and cannot end it.
    victim.suspend()
    time.sleep(0.5)
    victim.kill()
    wait_for(lambda: lost_and_found(out) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=60)[0]
    assert "done before" in text and "Traceback" not in text, text
    process = start(path, out)
    text = process.communicate(timeout=600)[0]
    assert process.returncode == 0, text


def check_same_report(tmp_path, seeds):
    path = written(tmp_path, f"{GRID}\nseeds: {seeds}")
    runs = 6 * seeds
    calm, wild = tmp_path / "calm", tmp_path / "wild"
    assert main(["campaign", str(path), "--out", str(calm), "--jobs", "2"]) == 0
    campaign_with_kills(path, wild, runs)
    assert report_bytes(calm) == report_bytes(wild)
    rows = rows_of(calm)
    assert len(rows) == runs and len({r["state"] for r in rows}) == runs
    assert lost_and_found(wild)


def test_killed_workers_and_a_killed_campaign_give_the_report_of_an_undisturbed_one(tmp_path):
    check_same_report(tmp_path, seeds=4)


@pytest.mark.slow
def test_two_hundred_runs_survive_kills_with_the_same_report(tmp_path):
    check_same_report(tmp_path, seeds=34)


FAULTS = """
import os, signal, time

class Fault:
    def __init__(self, simulation):
        kind = simulation.scenario.file.about
        if kind == "raises":
            {}["no such key"]
        elif kind == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif kind == "leaves":
            os._exit(7)
        elif kind == "hangs":
            time.sleep(600)
        elif kind == "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind == "prints":
            print('{"ready": "never"}', flush=True)

    def result(self):
        return {"well": 1}
"""


def test_a_run_that_fails_is_a_row_with_its_error_and_never_the_end(tmp_path, capsys):
    kinds = ["prints", "raises", "crashes", "leaves", "is killed", "good"]
    campaign = f"grid: {{about: {json.dumps(kinds)}}}\nprobe: fault.py:Fault\nretries: 1"
    path = written(tmp_path, campaign, fault=FAULTS)
    out = tmp_path / "out"
    assert main(["campaign", str(path), "--out", str(out), "--jobs", "2"]) == 1
    errors = {row["about"]: row["error"] for row in rows_of(out)}
    assert errors == {
        "prints": "", "good": "", "raises": "KeyError: 'no such key'", "crashes": "crashed with SIGSEGV",
        "leaves": "the process ended itself with code 7",
        "is killed": "its process was killed 2 times, by SIGKILL; if memory ran out, use fewer --jobs",
    }  # fmt: skip
    assert "4 failed" in (out / "report.html").read_text()
    with Results(out) as results:
        log = {r["values"]["about"]: r.get("log", "") for r in results.rows.values()}
    assert "no such key" in log["raises"] and "Segmentation fault" in log["crashes"]
    capsys.readouterr()
    # Those that failed are done too.
    before = (out / "results.jsonl").read_bytes()
    assert main(["campaign", str(path), "--out", str(out)]) == 1
    assert "6 done before" in capsys.readouterr().out and (out / "results.jsonl").read_bytes() == before


def test_a_run_that_takes_too_long_is_ended_and_may_be_tried_again(tmp_path, capsys):
    path = written(tmp_path, "probe: fault.py:Fault\nset: {about: hangs}\nlimit: 0.5", fault=FAULTS)
    out = tmp_path / "out"
    assert main(["campaign", str(path), "--out", str(out), "--jobs", "1"]) == 1
    assert [row["error"] for row in rows_of(out)] == ["took longer than 0.5 s"]
    path.write_text(path.read_text().replace("0.5", "0.6"))
    assert main(["campaign", str(path), "--out", str(out), "--jobs", "1", "--retry"]) == 1
    assert [row["error"] for row in rows_of(out)] == ["took longer than 0.6 s"]


def test_only_one_campaign_writes_to_a_folder(tmp_path):
    with Results(tmp_path), pytest.raises(CampaignError, match="another campaign"):
        Results(tmp_path)


def test_a_line_that_was_cut_off_is_made_again(tmp_path):
    with Results(tmp_path) as results:
        results.append({"key": "a", "n": 1})
        results.append({"key": "b", "n": 2})
    path = tmp_path / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    with Results(tmp_path) as results:
        assert list(results.rows) == ["a"]
        results.append({"key": "c", "n": 3})
    with Results(tmp_path) as results:
        assert list(results.rows) == ["a", "c"]


def test_a_full_disk_keeps_what_is_there_and_says_so(tmp_path):
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from volery.campaign.results import Results\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\n"
        "with Results(Path(sys.argv[1])) as results:\n"
        "    for i in range(9):\n"
        "        results.append({'key': str(i), 'words': 'x' * 60})\n"
    )
    out = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert "make room and start the same command again" in out.stderr
    with Results(tmp_path) as results:
        assert list(results.rows) == ["0", "1", "2"]


def test_workers_that_do_not_start_end_the_campaign_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    plan = load_campaign(written(tmp_path, "seeds: 3"))
    with pytest.raises(CampaignError, match="does not start"):
        list(run_all(plan, plan.runs, lambda: Worker(1), 2))


def test_a_worker_ends_when_its_campaign_is_gone(tmp_path):
    path = written(tmp_path, "probe: fault.py:Fault\nset: {about: hangs}", fault=FAULTS)
    process = start(path, tmp_path / "out")
    wait_for(lambda: workers_of(process))
    (worker,) = workers_of(process)
    process.kill()
    process.wait()
    process.stdout.close()
    worker.wait(timeout=60)
    assert not worker.is_running()


def test_the_report_does_not_depend_on_what_is_beside_the_results(tmp_path):
    rows = [
        {"number": i + 1, "values": {"a": i // 2, "b": "xy"[i % 2]}, "seed": 1, "time": 0.3, "state": f"{i:032x}",
         "measures": {"far": 1.5 * i, "near": -2.0, "word": "w"}} for i in range(4)
    ]  # fmt: skip
    rows.append({"number": 5, "values": {"a": 9, "b": "x"}, "seed": 1, "error": "<b>broke</b>"})
    for i, extra in enumerate(({"wall": 1.0, "attempts": 1}, {"wall": 99.0, "attempts": 3, "log": "…"})):
        (tmp_path / str(i)).mkdir()
        sheet = Sheet("c", "about", "flight", 5, [{**row, **extra} for row in rows], [])
        write_campaign(sheet, tmp_path / str(i))
    assert report_bytes(tmp_path / "0") == report_bytes(tmp_path / "1")
    page = (tmp_path / "0" / "report.html").read_text()
    assert "&lt;b&gt;broke" in page and page.count("<svg") == 2 and "1 failed" in page
    assert measures_of(sheet) == ["far", "near"]
    assert measures_of(Sheet("c", "", "flight", 5, rows, ["n*"])) == ["near"]


def test_a_missing_ray_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    path = written(tmp_path, "")
    assert main(["campaign", str(path), "--ray", "auto", "--out", str(tmp_path / "out")]) == 1
    assert "pip install 'volery[ray]'" in capsys.readouterr().err
    assert os.listdir(tmp_path / "out") == ["results.jsonl"]
