"""`volery report elaha`: the evaluation of the platform's thesis made again; and what its parts say is true."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from report_rig import SVG, Outside
from volery.cli import main
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.tools.theses.elaha import cdr_sizes
from volery.tools.theses.elaha_cube import EDGE, MASS, SPACING, cube_pictures, measures, run_cube
from volery.tools.theses.elaha_query import THESIS, single_query
from volery.tools.theses.elaha_scans import PER_EDGE, cone_heights, places, scan_cone
from volery.tools.theses.relief import eye_on, relief
from volery.world.atmosphere import GRAVITY


def paths(drawing):
    return ElementTree.fromstring(drawing).findall(f"{SVG}path")


def test_an_eye_sees_what_is_before_it_in_the_middle():
    middle = np.array([3.0, -2.0, 1.0])
    eye = eye_on(middle, 5.0)
    pixel, depth = eye.seen(middle)
    assert pixel == pytest.approx([240.0, 180.0]) and depth > 5.0
    left, _ = eye.seen(middle + eye.X_WC[:, 1])
    up, _ = eye.seen(middle + np.array([0.0, 0.0, 1.0]))
    assert left[0] < 240.0 and up[1] < 180.0
    _, behind = eye.seen(eye.X_WC[:, 3] - eye.X_WC[:, 0])
    assert behind < 0.0


def test_a_relief_draws_the_farthest_first_and_leaves_holes():
    x, y = np.meshgrid(np.arange(5.0), np.arange(4.0), indexing="ij")
    points = np.stack([x, y, 0.1 * x], axis=-1)
    eye = eye_on(np.array([2.0, 1.5, 0.0]), 4.0)
    drawn = paths(relief("a < b", points, eye))
    assert len(drawn) == 12
    rows = [float(p.get("d")[1:].split("L")[0].split()[1]) for p in drawn]
    assert rows[0] < rows[-1], "what is far is higher in the picture"
    known = np.ones((5, 4), bool)
    known[2, 1] = False
    assert len(paths(relief("hole", points, eye, known))) == 8
    assert not paths(relief("nothing", points, eye, np.zeros((5, 4), bool)))


def test_the_received_cone_is_the_cone_to_a_millimetre():
    scan = scan_cone(coarse=12)
    assert scan.points.shape == (1, PER_EDGE, PER_EDGE, 3) and scan.occupied.all()
    x, y, z = np.moveaxis(scan.points[0], -1, 0)
    assert np.abs(z - cone_heights(x, y)).max() < 1e-3 and z.max() > 8.9
    assert 0 < scan.hidden.sum() < 0.4 * scan.hidden.size, "the cone hides some of the ground behind it"


def test_places_of_the_ruin_are_found_in_it():
    world = Simulation(read_scenario("world: ruin\nseed: 1")).world
    found = {p.name: p for p in places(world)}
    assert list(found) == ["water", "small rocks", "a big rock", "the ruined tower"]
    for name in ("small rocks", "a big rock"):
        x, y, z = found[name].middle
        assert z == pytest.approx(float(world.ground(np.array([x]), np.array([y]))[0]), abs=0.4)


def test_messages_are_hardly_larger_than_the_platforms():
    own, thesis = cdr_sizes(), {"pose": 56, "bones": 352, "scan": 249_696, "wrench": 48}
    assert own.keys() == thesis.keys()
    assert all(thesis[k] <= own[k] < 1.02 * thesis[k] + 64 for k in thesis)


def test_the_cube_rests_as_physics_says():
    series = run_cube("flat ground", 1.2)
    said, t = measures(series), series["t"]
    # It falls 0.3 m without loss, and no impact ever gives energy.
    fall = t < np.sqrt(2 * 0.3 / GRAVITY) - 0.011
    assert series["energy"][fall] == pytest.approx(MASS * GRAVITY * 0.8, rel=0.02)
    assert said["energy_rise"] < 0.002 * MASS * GRAVITY * 0.3
    assert said["energy"][1] == pytest.approx(MASS * GRAVITY * 0.5 * EDGE, rel=1e-4)
    # At rest: the rays that stand on the ground below it, its weight, and no torque that would turn it.
    per_edge = 2 * int(0.5 * EDGE / SPACING) + 1
    assert said["points"] == per_edge**2
    assert said["force"] == pytest.approx([0, 0, MASS * GRAVITY], abs=0.1)
    assert said["torque"] < 1e-3 and said["creep"] < 1e-6
    assert 0.0 < said["penetration"] < 1e-5


def test_the_cube_tips_as_physics_says():
    """Until it slips it turns about the edge: what it falls by is in its motion; in the end it lies flat below."""
    series = run_cube("stair edge")
    said, t, tilt = measures(series), series["t"], series["attitude"][:, 1]
    turning = (tilt > 0.05) & (tilt < 0.4) & (t < 1.0)
    assert turning.sum() > 5 and (np.diff(tilt[turning]) > 0).all()
    assert series["energy"][turning] == pytest.approx(MASS * GRAVITY * 0.5, rel=0.02)
    assert said["energy_rise"] < 0.005 * MASS * GRAVITY * 2.0
    assert said["energy"][1] == pytest.approx(-1.5 * MASS * GRAVITY, rel=1e-3)
    flat = np.degrees(np.abs(series["attitude"][-1]))
    assert np.minimum(flat % 90.0, 90.0 - flat % 90.0).max() < 0.1
    assert said["points"] >= 40**2 and said["force"][2] == pytest.approx(MASS * GRAVITY, rel=1e-3)


def test_the_single_question_is_the_one_of_the_thesis():
    """25 points 0.02 deep at unit stiffness: 25 · 0.02, no torque, as stated: 0.500003 and 1e-9."""
    said = single_query(20)
    assert said["points"] == THESIS["points"] == 25
    assert said["penetration"] == pytest.approx(THESIS["penetration"], abs=1e-6)
    assert said["force"] == pytest.approx(0.5, abs=1e-5) and THESIS["force"] == pytest.approx(0.5, abs=1e-5)
    assert said["torque"] < 1e-6 and said["query_ms"] > 0.0


def test_the_falling_cube_is_shown_where_it_is():
    series = run_cube("flat ground", 0.4)
    (first, high), (last, low) = cube_pictures("flat ground", series, 2)
    assert (first, last) == (1, 40)
    rows = [np.flatnonzero((im[..., 0] > 1.5 * im[..., 2].astype(float)).any(axis=1)) for im in (high, low)]
    assert len(rows[0]) > 15 and rows[1].mean() > rows[0].mean() + 5, "it has fallen by 0.3 m"


def check_page(folder, quick):
    result, html = json.loads((folder / "elaha.json").read_text()), (folder / "elaha.html").read_text()
    outside = Outside()
    outside.feed(html)
    assert outside.open == [] and all(v.startswith("data:image/jpeg") for v in outside.fetched)
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert all(ElementTree.fromstring(d).tag == f"{SVG}svg" for d in drawings)
    assert len(drawings) == (2 + 1 + len(result["surfaces"]) + 12 + 2)
    assert ("small parts" in html) == quick
    for world in result["frames"]["worlds"].values():
        cells = list(world.values())
        assert all(len(c["states"]) == 1 for c in cells), "rounds are the same to the byte"
        assert cells[1]["states"] == cells[2]["states"], "a listener changes nothing"
        if not quick:
            # A few frames on a busy machine say nothing about time.
            assert cells[0]["processor_ms"] < cells[1]["processor_ms"]
    assert result["cone"]["worst_mm"] < 1.0
    assert "0.500003" in html and "61.9 to 62.2 Hz" in html and "0.134" in html
    assert all("scanner and camera" in world for world in result["frames"]["worlds"].values())
    assert 0.2 < result["ruin"]["occupied"] / result["ruin"]["rays"] < 0.9
    assert result["bus"]["at_100_hz"]["bus"]["lost"] == 0
    soft, stiff = result["gusts"]["50"].values()
    assert soft < 0.75 * stiff
    return result


def test_the_command_measures_and_writes(tmp_path, capsys):
    assert main(["report", "elaha", "--quick", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "Frame durations" in said and "Bandwidth" in said and "stair edge" in said
    check_page(tmp_path, quick=True)


@pytest.mark.slow
def test_the_whole_report(tmp_path):
    assert main(["report", "elaha", "--out", str(tmp_path)]) == 0
    result = check_page(tmp_path, quick=False)
    assert result["frames"]["rounds"] == 3 and result["frames"]["frames"] == 500
    assert list(result["surfaces"]) == ["water", "small rocks", "a big rock", "the ruined tower"]
    assert result["surfaces"]["the ruined tower"]["high"] > 8.0
    assert result["frames"]["worlds"]["ruin"]["scanner and drawing"]["drawn"] > 1000
    assert result["gusts"].keys() == {"25", "50", "100", "150"}
