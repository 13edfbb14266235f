"""`volery bench all`: each benchmark in its own process, one page, a history, and a table for the docs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from volery.cli import main
from volery.tools import bench
from volery.tools.bench.headlines import HEADLINES, headlines
from volery.tools.bench.whole import measure_all, performance_table, write_all

MACHINE = {"cpu": "Test", "cores": 2, "python": "3.11", "versions": {"volery": "0"}}
RAYS = {
    "bench": "rays", "machine": MACHINE, "threads": 2, "triangles": 10, "instances": 1,
    "patterns": {
        "box 15606": {"rays": 15606, "rays_per_s": 5e6, "median_ms": 2.5, "p99_ms": 3.0, "ratio_to_bare_embree": 0.9}
    },
    "peers": {"open3d": {"box 15606": {"times_faster": 3.0}}, "mujoco": {"error": "does not start here"}},
}  # fmt: skip


def result(quick=False, value=2.5, date="2026-01-02 03:04", **more):
    rays = json.loads(json.dumps(RAYS))
    rays["patterns"]["box 15606"]["median_ms"] = value
    found = {"rays": rays, "scanner": {"error": "ended with code -11: <broken>"}, **more}
    return {"date": date, "quick": quick, "machine": MACHINE, "benches": found, "headlines": headlines(found)}


def test_headlines_are_of_benchmarks_that_there_are():
    assert {line.bench for line in HEADLINES} <= set(bench.BENCHES)
    assert len({(line.bench, line.label) for line in HEADLINES}) == len(HEADLINES)


def test_headlines_take_what_is_there_with_its_peers():
    (line,) = result()["headlines"]
    assert line["value"] == 2.5 and line["peers"] == {"open3d": 3.0} and line["budget"] is None


def test_the_page_has_all_and_the_history_grows(tmp_path):
    for i in range(3):
        write_all(result(value=2.0 + i, date=f"2026-01-0{i + 1} 00:00"), tmp_path)
    history = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [h["headlines"]["rays: box of 15,606 rays, trees"] for h in history] == [2.0, 3.0, 4.0]
    page = (tmp_path / "all.html").read_text()
    assert "Failed: scanner" in page and "&lt;broken&gt;" in page and "<polyline" in page and "3 runs" in page
    assert json.loads((tmp_path / "all.json").read_text())["date"] == "2026-01-03 00:00"


def test_a_quick_run_is_no_part_of_the_history_and_says_what_it_is(tmp_path):
    write_all(result(quick=True), tmp_path)
    assert not (tmp_path / "history.jsonl").exists()
    assert "not for claims" in (tmp_path / "all.html").read_text()
    assert "not for claims" in performance_table(result(quick=True)) and "not for claims" not in performance_table(
        result()
    )


def test_a_run_beside_others_is_no_part_of_the_history_either(tmp_path):
    busy = {**result(), "others": {"load_before": 4.0, "others_share": 0.4, "busy": True}}
    write_all(busy, tmp_path)
    assert not (tmp_path / "history.jsonl").exists()
    assert "busy machine: not for claims" in performance_table(busy)


def test_runs_on_other_machines_are_not_put_beside(tmp_path):
    other = result()
    other["machine"] = {**MACHINE, "cpu": "Another"}
    write_all(other, tmp_path)
    write_all(result(), tmp_path)
    assert "1 runs" in (tmp_path / "all.html").read_text()
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 2


def test_the_table_of_the_readme():
    lines = performance_table(result()).splitlines()
    assert lines[-1] == "| box of 15,606 rays, trees | 2.5 ms | – | open3d 3 × |"


def test_the_script_fills_its_page_between_the_marks_only(tmp_path):
    for folder in ("scripts", "benchmarks", "docs"):
        (tmp_path / folder).mkdir()
    script = shutil.copy(Path(__file__).parent.parent.parent / "scripts" / "performance-table", tmp_path / "scripts")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "benchmarks" / "all.json").write_text(json.dumps(result()))
    readme = tmp_path / "docs" / "performance.md"
    begin, end = "<!-- made by scripts/performance-table -->", "<!-- end of what scripts/performance-table makes -->"
    readme.write_text("before\n")
    out = subprocess.run([script], capture_output=True, text=True)
    assert out.returncode == 1 and begin in out.stderr and readme.read_text() == "before\n"
    readme.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    for _ in range(2):
        subprocess.run([script], check=True)
        assert readme.read_text() == f"before\n{begin}\n{performance_table(result())}\n{end}\nafter\n"


def test_a_benchmark_that_breaks_is_told_and_the_others_go_on():
    said = []
    found = measure_all(quick=True, peers=False, say=said.append, names=["nothing", "nowhere"])
    assert said == list(found["benches"]) == ["nothing", "nowhere"] and found["headlines"] == []
    assert all("unknown benchmark" in own["error"] for own in found["benches"].values())


def test_the_folder_must_be_one(tmp_path, capsys):
    path = tmp_path / "file"
    path.touch()
    assert main(["bench", "all", "--quick", "--out", str(path)]) == 1
    assert "must be a folder" in capsys.readouterr().err


@pytest.mark.slow
def test_everything_can_be_measured_quickly(tmp_path, capsys):
    assert main(["bench", "all", "--quick", "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "all.json").read_text())
    assert set(found["benches"]) == set(bench.BENCHES) and not any("error" in b for b in found["benches"].values())
