"""Benchmarks measure what they say: the same triangles for all, fair turns, and libraries that may break."""

import time

import numpy as np
import pytest

from volery.tools.bench.camera import CARGO
from volery.tools.bench.near import FlatScene, near_scene
from volery.tools.bench.peers import PEERS
from volery.tools.bench.scenes import lidar_rays
from volery.tools.bench.sensing import Beside, SensorBench, fleet, places, world
from volery.tools.bench.tables import peer_lines
from volery.tools.bench.timing import take_turns, timed
from volery.tools.bench.worker import PeerWorker


@pytest.fixture(scope="module")
def warehouse():
    return world("warehouse")


@pytest.fixture(scope="module")
def near(warehouse):
    return near_scene(warehouse, 10.0)


def test_slow_candidates_take_fewer_turns():
    calls = {"quick": 0, "slow": 0}

    def candidate(name, seconds):
        def call():
            calls[name] += 1
            return seconds

        return call

    times = take_turns({"quick": candidate("quick", 0.1), "slow": candidate("slow", 3.0)}, 5, most=4.0)
    assert len(times["quick"]) == calls["quick"] == 5 and len(times["slow"]) == calls["slow"] == 2


def test_a_call_is_primed_and_timed():
    calls = []
    seconds = timed(lambda: (calls.append(0), time.sleep(0.5 if len(calls) == 1 else 0.01)))
    assert len(calls) == 2 and 0.01 <= seconds < 0.5


def test_the_flat_scene_is_that_of_the_instances(near):
    flat = near.flat()
    assert len(flat.faces) == near.triangles > 10_000
    parts = flat.by_colour()
    assert sum(len(faces) for _, faces, _ in parts) == near.triangles
    assert len(flat.colours) > 1 and all(((0 <= c) & (c <= 1)).all() for *_, c in parts)


def test_our_rays_and_anothers_meet_the_same_triangles(near):
    flat, directions = near.flat(), lidar_rays(16, 128)
    other = PEERS["trimesh"](flat.vertices, flat.faces)(
        np.tile(near.eye.astype(np.float32), (len(directions), 1)), directions, 60.0
    )
    ours = near.environment().scene.cast(near.eye, directions, max_range=60.0).distance
    assert np.isfinite(ours).mean() > 0.6
    same = np.isclose(ours, other, rtol=1e-4) | (np.isinf(ours) & np.isinf(other))
    assert same.mean() > 0.999


def test_another_library_works_in_a_process_of_its_own(near, tmp_path):
    near.flat().save(tmp_path / "scene.npz")
    again = FlatScene.load(tmp_path / "scene.npz")
    assert np.array_equal(again.faces, near.flat().faces)
    worker = PeerWorker("lidar", "trimesh", tmp_path / "scene.npz").wait()
    request = {"places": [near.eye.tolist()], "yaw": 0.1, "lines": 4, "columns": 32, "far": 60.0}
    assert worker.error is None and 0 < worker.seconds(**request) < 60
    found = worker.result(**request)
    assert found.shape == (128,) and np.isfinite(found).any()
    assert np.isnan(worker.seconds(**{**request, "lines": -1})) and "does not work here" in worker.error
    worker.close()


def test_a_library_that_does_not_start_says_why(tmp_path):
    worker = PeerWorker("lidar", "trimesh", tmp_path / "none.npz").wait()
    assert "No such file" in worker.error
    assert np.isnan(worker.seconds(places=[])) and worker.result(places=[]) is None
    worker.close()


def test_a_comparison_tells_times_ratios_and_agreement(warehouse):
    with Beside(warehouse, 10.0, "lidar") as beside:
        config = {"lines": 4, "columns": 32, "max_range": 60.0, "sensitivity": 0.0, "glass": "stop", "min_range": 0.0}
        request = {"lines": 4, "columns": 32, "far": 60.0}
        cell = beside.compare(2, config, request, 1)
        ratios = {name: ms / cell["ours_ms"] for name, ms in cell["peers_ms"].items()}
        assert "trimesh" in ratios and cell["times_faster"] == {n: round(r, 2) for n, r in ratios.items()}
        agreement = beside.agreement(config, request, "range")
        assert all(share > 0.98 for share in agreement.values())
        about = {"by_rays": {"128": cell}, "by_drones": {"2": cell}, "share": agreement, **beside.about}
    text = "\n".join(peer_lines("warehouse", "rays", about, "share"))
    assert "within 10 m" in text and "trimesh" in text


def test_drones_of_a_rig_stand_apart_and_read_together(warehouse):
    eye = np.array(warehouse.world.spawn())
    rig = SensorBench(warehouse.environment, eye, 3, "rangefinder", {})
    before = [r["range"][0] for r in rig.read()]
    assert len(before) == 3 and rig.seconds() > 0 and rig.yaw > 0
    assert np.allclose(np.diff(places(eye, 3), axis=0), [0, 0.9, 0])
    rig.close()
    assert not any(name.startswith("uav") for name in warehouse.scene.objects)


def test_ten_drones_with_camera_and_lidar_run():
    simulation = fleet("warehouse", 10, CARGO)
    simulation.run(10)
    assert len(simulation.fresh) == 20
    for own in simulation.sensors.values():
        picture, sweep = own["eye"].latest, own["lidar"].latest
        assert picture.stamp_ns == sweep.stamp_ns == 100_000_000
        assert picture.data["rgb"].shape == (240, 320, 3) and picture.data["depth"].shape == (240, 320)
        assert sweep.data["points"].shape == (4096, 3) and np.isfinite(sweep.data["range"]).mean() > 0.3
