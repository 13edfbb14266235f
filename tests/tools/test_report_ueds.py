"""The thesis' chapter 5 made again: tables say what was measured, charts draw it, and the page needs nothing else."""

import json
import re
import socket
import struct
from xml.etree import ElementTree

import pytest

from report_rig import SVG, Outside
from volery.cli import main
from volery.errors import SimulationError
from volery.report.chart import COLOURS, Scale, bars, round_up
from volery.tools.bench import ueds as bench
from volery.tools.bench.others import Others, words
from volery.tools.theses.chapter_page import page, text
from volery.tools.theses.ueds import THESIS, sections

MACHINE = {"cpu": "A & B <fast>", "cores": 2, "python": "3.11", "versions": {"volery": "1"}}


def chunks(seconds):
    return {
        "first_s": 2.0,
        "first_processor_s": 3.0,
        "median_s": seconds,
        "median_processor_s": 1.5 * seconds,
        "instances": 1234,
        "unique_triangles": 9,
        "instanced_triangles": 56_789,
    }


def rate(per_s):
    return {"per_s": per_s, "median_per_s": per_s / 2, "processor_us": 1e6 / per_s}


@pytest.fixture
def result():
    drones = {"1": 5.0, "10": 40.0}
    matrix = {"by_drones_ms": drones, "by_drones_processor_ms": {k: 1.8 * v for k, v in drones.items()}}
    return {
        "machine": MACHINE,
        "quick": False,
        "generation": {name: chunks(s / 2) for name, s in THESIS.items()},
        "camera": {
            "outputs": "rgb and depth", "threads": 2, "drones_size": "640x480",
            "worlds": {w: {"by_size_ms": {"32x32": 4.0 * k, "640x480": 100.0 * k},
                           "by_size_processor_ms": {"32x32": 5.0 * k, "640x480": 150.0 * k}, **matrix}
                       for k, w in enumerate(("warehouse", "forest"), 1)},
        },
        "lidar": {
            "threads": 2, "drones_rays": 8192,
            "worlds": {w: {"by_rays_ms": {"16": 0.1, "8192": 2.0 * k},
                           "by_rays_processor_ms": {"16": 0.1, "8192": 3.0 * k}, **matrix}
                       for k, w in enumerate(("warehouse", "forest"), 1)},
        },
        "ueds": {
            "rays": 8192, "goals": bench.GOALS,
            "worlds": {"forest": {"small_call": rate(25_000.0), "cloud_10_m": rate(290.0)}},
        },
        "others": {"load_before": 0.2, "others_share": 0.03, "busy": False},
    }  # fmt: skip


def row(section, first):
    return next(r for r in section.rows if r[0] == first)


def test_tables_hold_what_was_measured_beside_what_the_thesis_says(result):
    made, by_size, by_drones, by_rays, _, wire, published = sections(result)
    assert row(made, "forest")[2:6] == ["0.173", "0.260", "0.347", "2.00"]
    assert row(made, "cave, interpolated normals")[2:6] == ["3.260", "4.889", "6.519", "2.00"]
    assert by_size.head == ["pixels", "warehouse [ms]", "forest [ms]", "warehouse processor [ms]",
                            "forest processor [ms]", "warehouse [/s]", "forest [/s]"]  # fmt: skip
    assert row(by_size, "640x480")[1:] == ["100.00", "200.00", "150.00", "300.00", "10", "5"]
    assert by_size.chart[1]["32x32"] == {"warehouse": 250.0, "forest": 125.0}
    assert row(by_drones, "10")[1:] == ["40.00", "40.00", "72.00", "72.00", "25", "25"]
    assert all(not section.chart[2] for section in sections(result) if section.chart), "axes are linear"
    assert [r[0] for r in published.rows].count("UEds thesis") == 5 and "10 /s at 640x480" in published.rows[-2]
    assert row(published, "FlightForge, ICRA 2025")[2] == "no number could be obtained"
    assert "20 times" in by_rays.words and "2.0 times as long as the fastest" in by_rays.words
    assert wire.rows == [
        ["forest", "small call", "25,000", "12,500", "40", "20,000"],
        ["forest", "cloud 10 m", "290", "145", "3,448", "300"],
    ]
    assert "120 frames/s" in by_size.thesis and "hardly depends on the world" in by_rays.thesis


def test_libraries_beside_are_told_if_they_were_measured(result):
    assert "--peers" in sections(result)[1].more
    cell = {"ours_ms": 1.0, "peers_ms": {"other": 3.0}, "times_faster": {"other": 3.0}}
    result["camera"]["worlds"]["forest"]["beside"] = {"by_size": {"32x32": cell}, "by_drones": {}}
    more = sections(result)[1].more
    assert "forest, 32x32: times faster than other 3." in more and "--peers" not in more


def test_the_page_needs_no_other_file_and_its_drawings_are_whole(result):
    html = page(result, sections(result))
    outside = Outside()
    outside.feed(html)
    assert outside.fetched == [] and outside.open == []
    assert "A &amp; B &lt;fast&gt;" in html and "quick run" not in html
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) == 6 and all(ElementTree.fromstring(d).tag == f"{SVG}svg" for d in drawings)
    assert "quick run" in page({**result, "quick": True}, [])


def test_a_busy_machine_is_told_of_and_its_times_are_no_claims(result, tmp_path):
    assert (
        "other programs took 3 %" in page(result, []) and 'class="warning"' not in page(result, []).split("</style>")[1]
    )
    busy = {**result, "others": {"load_before": 3.1, "others_share": 0.42, "busy": True}}
    assert '<p class="warning">While this was measured, other programs took 42 % of the processor' in page(busy, [])
    assert "not for claims" in words(busy["others"])


def test_what_others_take_of_the_processor_is_measured(tmp_path, monkeypatch):
    stat = tmp_path / "stat"
    monkeypatch.setattr("volery.tools.bench.others._load", lambda: 0.1)

    def tell(user, idle):
        stat.write_text(f"cpu  {user} 0 0 {idle} 0 0 0 0 0 0\ncpu0 0\n")

    tell(1000, 9000)
    free, crowded = Others(stat), Others(stat)
    tell(1050, 9950)
    assert free.found()["others_share"] <= 0.05 and not free.found()["busy"]
    tell(1900, 9100)
    found = crowded.found()
    assert found["others_share"] == pytest.approx(0.9, abs=0.05) and found["busy"]
    monkeypatch.setattr("volery.tools.bench.others._load", lambda: 50.0)
    assert Others(stat).found()["busy"]
    assert not Others(tmp_path / "none").found()["others_share"] >= 0.0


def test_the_terminal_has_the_same_tables(result):
    lines = text(sections(result)).splitlines()
    assert lines[0] == "Generation of worlds" and "Over the wire" in lines
    table = lines[1:5]
    assert len({len(line) for line in table}) == 1 and "6.519" in table[3]


def heights(drawing, colour):
    return [float(r.get("height")) for r in ElementTree.fromstring(drawing).iter(f"{SVG}rect")
            if r.get("fill") == colour and r.get("height") != "12"]  # fmt: skip


def test_bars_are_as_high_as_their_values():
    drawing = bars("a < b", {"one": {"x": 10.0, "y": 40.0}, "two": {"x": 20.0, "y": 0.0}})
    assert heights(drawing, COLOURS[0]) == pytest.approx([55.0, 110.0])
    assert heights(drawing, COLOURS[1]) == pytest.approx([220.0, 0.0])
    by_ten = bars("t", {"one": {"x": 10.0}, "two": {"x": 100.0}, "three": {"x": 1000.0}}, log=True)
    low, middle, high = heights(by_ten, COLOURS[0])
    assert high - middle == pytest.approx(middle - low, abs=0.1) and high == pytest.approx(220.0)


def test_scales_have_round_ticks():
    assert Scale([0.3], 100.0, 50.0).ticks == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert Scale([3.0, 700.0], 100.0, 50.0, log=True).ticks == [1.0, 10.0, 100.0, 1000.0]
    assert Scale([100.0], 100.0, 50.0, log=True).y(0.0) == 100.0
    assert [round_up(v) for v in (0.1, 5.0, 41.0, 99.0, 101.0)] == [4.0, 8.0, 80.0, 100.0, 200.0]


def test_a_server_that_does_not_start_says_why():
    with pytest.raises(SimulationError, match="unknown world"):
        bench.Served("florest")


def test_a_refusal_is_known_though_it_is_shorter_and_the_next_answer_is_whole():
    client, server = socket.socketpair()
    server.sendall(struct.pack("<H?", 9, False) + bytes(32) + b"$$$")
    with pytest.raises(bench.RefusedError, match="message 9"):
        bench.Served.ask(client, b"\x09\x00", 1000)
    server.sendall(struct.pack("<H?3d", 2, True, 1.0, 2.0, 3.0) + b"$$$")
    assert struct.unpack_from("<3d", bench.Served.ask(client, b"\x02\x00", 30), 3) == (1.0, 2.0, 3.0)
    server.close()
    with pytest.raises((SimulationError, OSError)):
        bench.Served.ask(client, b"\x02\x00", 30)
    client.close()


def test_the_command_measures_and_writes(tmp_path, capsys):
    assert main(["report", "ueds", "--quick", "--out", str(tmp_path / "r")]) == 0
    said = capsys.readouterr().out
    assert "Lidar by number of drones" in said and "small call" in said
    result = json.loads((tmp_path / "r" / "ueds.json").read_text())
    assert result["quick"] and set(result["generation"]) == set(THESIS)
    calls = result["ueds"]["worlds"]["blocks"]["small_call"]
    assert 100.0 < calls["median_per_s"] <= calls["per_s"] and calls["processor_us"] > 1.0
    assert "small parts" in (tmp_path / "r" / "ueds.html").read_text()


def test_an_unknown_report_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["report", "udes"])
    assert "ueds" in capsys.readouterr().err
