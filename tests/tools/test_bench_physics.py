"""The physics benchmark: its closed forms, its peers' triangles, and contact against what physics says."""

import numpy as np
import pytest

from volery.core.geometry import box, merge
from volery.core.material import Material
from volery.tools.bench import multirotor
from volery.tools.bench.accuracy import accuracy, closed_forms
from volery.tools.bench.near import NearScene
from volery.tools.bench.physics import _wind, table
from volery.tools.bench.physics_peers import solid_triangles


def test_closed_forms():
    forms = closed_forms()
    assert forms["slide_m"] == pytest.approx(4.0 / (2 * 0.5 * 9.80665))
    # A cube that sticks to an edge after a fall of 5 cm, integrated apart from the code in small steps.
    inertia, radius = 0.5**2 / 6 + 0.05**2 + 0.25**2, np.hypot(0.05, 0.25)
    angle, rate, time = 0.0, 0.05 * np.sqrt(2 * 9.80665 * 0.05) / inertia, np.sqrt(2 * 0.05 / 9.80665)
    while angle < np.pi / 4:
        rate += 1e-5 * 9.80665 * radius * np.sin(np.arctan2(0.05, 0.25) + angle) / inertia
        angle += 1e-5 * rate
        time += 1e-5
    assert forms["tip_45_s"] == pytest.approx(time, abs=1e-4)


def test_our_contact_is_near_the_closed_forms():
    rows = accuracy(quick=True, peers=False)
    true, ours = rows["closed_form"], rows["ours"]
    assert abs(ours["drop_rest_mm"]) < 0.2
    assert ours["slide_m"] == pytest.approx(true["slide_m"], rel=0.01)
    assert ours["tip_45_s"] == pytest.approx(true["tip_45_s"], rel=0.02)
    assert ours["roll_vz_m_s"] < 1e-3 and ours["roll_side_mm"] < 0.1


def test_peers_get_what_is_solid_and_near():
    leaf, wood = Material("leaf", solid=False), Material("wood")
    tree = merge([box((1, 1, 1), materials=(wood,)), box((2, 2, 2), materials=(leaf,)).moved(p=(0, 0, 3))])
    X = np.hstack([np.eye(3), [[5.0], [0.0], [0.0]]])
    far = np.hstack([np.eye(3), [[50.0], [0.0], [0.0]]])
    vertices, faces = solid_triangles(NearScene(np.zeros(3), 10.0, ((tree, X), (tree, far))))
    assert len(faces) == 12
    assert vertices[faces].reshape(-1, 3).min(axis=0) == pytest.approx([4.5, -0.5, -0.5])


def test_the_table_names_all_that_was_measured():
    drone = {"step_s": 0.001, "drone_steps_per_cpu_s": 5000, "drone_steps_per_s": 4000, "real_time": 4.0}
    row = {"drop_rest_mm": 0.0, "slide_m": 0.4, "tip_45_s": 0.5, "roll_vz_m_s": 0.0, "roll_side_mm": 0.0}
    skid = {"us_per_step": 20.0, "step_s": 0.002, "times_faster_than_pybullet": 3.0}
    text = table(
        {
            "quadrotors": {"1": {"fleet": {**drone, "drone_seconds_per_cpu_s": 5.0}}},
            "fleet": {"10": drone}, "skid": {"cave": skid}, "accuracy": {"ours": row},
            "wind": {"dryden at 100 m": {"points_per_s": 1_500_000, "ns_per_point": 667.0}},
        }
    )  # fmt: skip
    assert all(
        word in text
        for word in ("1 in fleet", "5,000", "cave: 20 µs", "3× PyBullet", "stop of a slide", "667 ns a point")
    )


def test_the_wind_is_measured_at_all_heights():
    rows = _wind(0.05)
    assert len(rows) == 7 and all(0 < r["ns_per_point"] < 1e5 for r in rows.values())
    assert rows["steady at 100 m"]["points_per_s"] > rows["dryden at 100 m"]["points_per_s"]


def test_fleets_are_measured_in_all_ways_and_are_the_same_on_all_threads():
    found = multirotor._measure(20, 0.05)
    assert set(found) == {"kernel", "tables", "engine"}
    for rows in found.values():
        assert "1_threads" in rows
        assert all(r["drone_steps_per_s"] > 0 and r["drone_steps_per_cpu_s"] > 0 for r in rows.values())
    assert multirotor._same_bytes(400)
    rotor = {"step_s": 0.01, "drone_steps_per_cpu_s": 500, "times_more_steps": 9.5, "times_more_simulated_time": 0.9}
    text = multirotor.table(
        {
            "quad": {"20": found}, "airframes": {"x500": found["kernel"]}, "same_bytes_on_all_threads": True,
            "peers": {"rotorpy": {"1": rotor}, "pyflyt": "not installed"},
        }
    )  # fmt: skip
    assert all(
        word in text for word in ("20 kernel", "engine", "1,000 x500", "9.5× the steps", "pyflyt: not installed")
    )
