"""A campaign against another one, failures in groups, lines of a second factor, distance off the path."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from campaign_rig import SCENARIO, written
from volery.campaign.measuring import run_once
from volery.campaign.path_error import distance_to_path
from volery.campaign.plan import load_campaign
from volery.cli import main
from volery.commands.campaign import _Progress
from volery.errors import CampaignError
from volery.report.against import bootstrap, changes, changes_text, read_report
from volery.report.campaign import Sheet, failure_lines, failures, write_campaign
from volery.report.panels import panels


def rows(values, measure="far", **more):
    return [
        {
            "number": i + 1,
            "values": {"speed": 2},
            "seed": i,
            "time": 1.0,
            "state": "ab" * 10,
            "measures": {measure: v},
            **more,
        }
        for i, v in enumerate(values)
    ]


def sheet(rows, show=()):
    return Sheet("c", "", "flight", len(rows), rows, list(show))


def verdicts(found):
    return {c.measure: c.verdict for c in found}


# Bootstrap


def test_the_interval_of_a_mean_is_that_of_the_normal_law_for_many_runs():
    x = np.random.default_rng(1).normal(3.0, 2.0, 2000)
    low, high = bootstrap(x, "x")
    half = 1.96 * x.std(ddof=1) / np.sqrt(len(x))
    assert (low, high) == pytest.approx((x.mean() - half, x.mean() + half), abs=0.1 * half)
    assert bootstrap(x, "x") == (low, high), "the same for the same numbers"


def test_the_interval_holds_the_truth_as_often_as_it_says():
    draw = np.random.default_rng(2)
    held = [low <= 0.0 <= high for low, high in (bootstrap(draw.normal(0.0, 1.0, 40), str(i)) for i in range(150))]
    # Of 150, 95 % less what percentile intervals of 40 lack; three deviations are 0.06.
    assert 0.87 <= np.mean(held) <= 1.0


def test_equal_differences_are_exact():
    assert bootstrap(np.full(7, 0.25), "x") == (0.25, 0.25)


# Verdicts


def test_what_got_worse_is_told_by_the_way_that_is_better():
    before, after = rows([1.0, 2.0, 3.0, 4.0]), rows([1.5, 2.4, 3.6, 4.5])
    assert verdicts(changes(sheet(after), before, {"far": "less"})) == {"failed runs": "same", "far": "worse"}
    assert verdicts(changes(sheet(after), before, {"f*": "more"}))["far"] == "better"
    assert verdicts(changes(sheet(after), before, {}))["far"] == "changed"
    assert verdicts(changes(sheet(before), before, {"far": "less"}))["far"] == "same"


def test_differences_that_could_be_chance_are_none():
    before, after = rows([1.0, 2.0, 3.0, 4.0]), rows([1.9, 1.2, 3.8, 3.3])
    (_, change) = changes(sheet(after), before, {"far": "less"})
    assert change.low < 0.0 < change.high and change.verdict == "same"


def test_runs_are_compared_by_values_and_seed_and_only_those_that_both_have():
    before = rows([1.0, 2.0, 3.0])
    after = list(reversed(rows([1.0, 2.0, 3.0, 100.0])))
    (_, change) = changes(sheet(after), before, {"far": "less"})
    assert (change.runs, change.before, change.after, change.verdict) == (3, 2.0, 2.0, "same")
    with pytest.raises(CampaignError, match="no run of the same values"):
        changes(sheet(rows([1.0])), [{**before[0], "seed": 77}], {})


def test_more_failures_are_worse_whatever_is_said_to_be_better():
    before = rows([1.0] * 6)
    after = [{**r, "error": "crashed"} if r["seed"] < 5 else r for r in before]
    for row in after[:5]:
        row.pop("measures")
    assert verdicts(changes(sheet(after), before, {}))["failed runs"] == "worse"


def test_words_for_the_terminal_leave_out_what_is_the_same():
    before, after = rows([1.0, 2.0]), rows([3.0, 4.0])
    text = changes_text(changes(sheet(after), before, {"far": "less"}))
    assert "worse" in text and "+2" in text and "and 1 the same" in text
    assert changes_text(changes(sheet(before), before, {})) == "against: 2 measures, none changed"


@pytest.mark.parametrize("text", ["", "[]", '{"runs": [{"seed": 1}]}', '{"other": 1}'])
def test_what_is_no_report_is_refused(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(CampaignError, match=r"no report\.json"):
        read_report(tmp_path)
    with pytest.raises(CampaignError, match="cannot be read"):
        read_report(tmp_path / "nowhere.json")


def test_a_worse_version_ends_the_command_with_an_error_and_an_equal_one_does_not(tmp_path, capsys):
    probe = "class P:\n    def __init__(self, s): self.s = s\n    def result(self): return {'loss': %s + self.s.seed}\n"
    campaign = "seeds: 3\nprobe: p.py:P\nbetter: {loss: less}"

    def run(value, out, *more):
        path = written(tmp_path, campaign, p=probe % value)
        return main(["campaign", str(path), "--jobs", "1", "--out", str(tmp_path / out), *more])

    against = ("--against", str(tmp_path / "main" / "report.json"))
    assert run(1, "main") == 0
    assert run(1, "equal", *against) == 0
    capsys.readouterr()
    assert run(2, "branch", *against) == 1
    out = capsys.readouterr().out
    assert re.search(r"loss +3 +3 +4 +\+1 +\+1 to \+1 +less +worse", out)
    page = (tmp_path / "branch" / "report.html").read_text()
    assert "Against another campaign" in page and "<td>worse</td>" in page
    assert run(0, "better", *against) == 0
    assert run(1, "gone", "--against", str(tmp_path / "no.json")) == 1
    assert not (tmp_path / "gone").exists(), "said before anything is run"


# Failures


def test_failures_that_differ_only_in_numbers_are_one():
    words = ["robot 3 fell at 1.25 s", "robot 11 fell at 0.5 s", "crashed with SIGSEGV", "robot 3 fell at 1e-3 s"]
    failed = [{"number": i + 1, "values": {}, "seed": i, "error": w} for i, w in enumerate(words)]
    found = failures(sheet(failed))
    assert {why: [r["number"] for r in own] for why, own in found.items()} == {
        "robot # fell at # s": [1, 2, 4], "crashed with SIGSEGV": [3],
    }  # fmt: skip
    assert failure_lines(sheet(failed)) == [
        "3 runs failed (--print 1 shows the first): robot # fell at # s", "run 3 failed: crashed with SIGSEGV",
    ]  # fmt: skip


def test_the_page_has_a_row_for_each_kind_of_failure(tmp_path):
    failed = [{"number": i + 1, "values": {}, "seed": i, "error": f"fell at {i} s"} for i in range(30)]
    write_campaign(sheet(failed), tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert "<td>fell at # s</td><td>30</td><td>1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 …</td>" in page


# Plots


def test_a_plot_has_a_line_for_each_value_of_the_second_factor():
    grid = [
        {"values": {"wind": w, "speed": s}, "seed": 0, "measures": {"far": 10.0 * w if s == 2 else -10.0 * w}}
        for w in (0, 4, 8) for s in (2, 6)
    ]  # fmt: skip
    drawing = ElementTree.fromstring(panels("far", ["wind", "speed"], grid))
    lines = [
        [float(p.split(",")[1]) for p in e.get("points").split()]
        for e in drawing.iter() if e.tag.endswith("polyline")
    ]  # fmt: skip
    assert [len(line) for line in lines] == [3, 3, 2, 2, 2]
    up, down = lines[:2]
    assert up[0] > up[1] > up[2] and down[0] < down[1] < down[2], "averaged together both would be flat"
    words = [e.text for e in drawing.iter() if e.tag.endswith("text")]
    assert {"speed 2", "speed 6", "wind 0", "wind 4", "wind 8"} <= set(words)


# Progress


def test_progress_is_shown_before_the_first_run_ends(capsys):
    progress = _Progress(10, 0)
    progress.begin()
    assert "0/10, 0 s, no run has ended yet" in capsys.readouterr().out
    progress.tell(False)
    progress.end()


# Off the path


def test_the_distance_to_a_path_is_that_to_its_nearest_line():
    corners = np.array([[0, 0, 0], [10, 0, 0], [10, 10, 0]], float)
    at = lambda *p: distance_to_path(np.array(p, float), corners)  # noqa: E731
    assert (at(5, 3, 0), at(12, 5, 0), at(-3, 0, 4), at(10, 10, 2)) == pytest.approx((3, 2, 5, 2))
    assert distance_to_path(np.array([3.0, 4, 0]), corners[:1]) == pytest.approx(5)


def test_a_run_tells_how_far_robots_are_off_their_paths(tmp_path):
    def measures(physics, wind):
        text = SCENARIO.replace("physics: fleet", f"physics: {physics}").replace("steady: [0, 0, 0]", f"steady: {wind}")
        plan = load_campaign(written(tmp_path, "set: {wind.turbulence: none}\ngrid: {duration: [3.0]}", scenario=text))
        return run_once(plan.request(plan.runs[0]))["measures"]

    carried = measures("kinematic", "[0, 0, 0]")
    assert carried["off_path"] == pytest.approx(0.0, abs=1e-6)
    blown = measures("fleet", "[0, 12, 0]")
    assert blown["off_path_most"] >= blown["off_path"] > 0.01


def test_without_a_path_nothing_is_told_of_it(tmp_path):
    text = SCENARIO.replace("    motion: {path: [[0, 0, 12], [30, 0, 10]], speed: 5}\n", "")
    plan = load_campaign(written(tmp_path, "", scenario=text))
    assert "off_path" not in run_once(plan.request(plan.runs[0]))["measures"]


def test_numbers_of_a_report_can_be_read_again(tmp_path):
    write_campaign(sheet(rows([1.0, 2.0])), tmp_path)
    assert [r["measures"]["far"] for r in read_report(tmp_path)] == [1.0, 2.0]
    assert json.loads((tmp_path / "report.json").read_text())["planned"] == 2
