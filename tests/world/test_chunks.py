"""Streaming: what is seen depends on where the robots are and on nothing else; memory stays flat; no gaps."""

import gc
import threading
import time
from dataclasses import dataclass

import numpy as np
import psutil
import pytest

from volery.core.config import Checked
from volery.core.geometry import box, grid
from volery.core.noise import fractal2
from volery.errors import ScenarioError
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.chunks import Streamer, Streaming
from volery.world.scene.scene import Scene
from volery.world.world import Placement, World, poses

POST = box((1.0, 1.0, 4.0), name="post")


@dataclass(frozen=True, eq=False)
class Plain(Checked, World):
    """A test world: a wavy ground and one post a chunk; slow or failing if asked."""

    seed: int = 0
    delay: float = 0.0
    chunk_size = 50.0

    def generate(self, key):
        time.sleep(self.delay)
        x = key[0] * 50.0 + np.arange(11) * 5.0
        y = key[1] * 50.0 + np.arange(11) * 5.0
        heights = 3 * fractal2(x[:, None], y[None, :], self.seed, 3, 0.03)
        corner = np.array([[key[0] * 50.0, key[1] * 50.0, 0.0]])
        ground = Placement("ground", (grid(heights, 5.0),), poses(corner))
        return [ground, Placement("post", (POST,), poses(corner + np.array([25.0, 25.0, 2.0])))]

    def generate_far(self, key, level):
        return self.generate(key)[:1]


def stream(world=None, **config):
    scene = Scene()
    return scene, Streamer(scene, world or Plain(), Streaming(**config))


def test_chunks_within_sight_are_there_and_no_others():
    _, streamer = stream(visible=120.0, detail=())
    place = np.array([12.0, -33.0, 5.0])
    streamer.follow([place])
    near = np.round(place[:2] / 2.0) * 2.0
    for i in range(-6, 7):
        for j in range(-6, 7):
            low = np.array([i, j]) * 50.0
            gap = np.maximum(np.maximum(low - near, near - low - 50.0), 0.0)
            assert (i, j) in streamer.shown or np.hypot(*gap) >= 120.0
            assert (i, j) not in streamer.shown or np.hypot(*gap) < 135.0


def test_far_chunks_have_less_detail():
    scene, streamer = stream(visible=200.0, detail=(60.0,))
    streamer.follow([np.zeros(3)])
    assert set(streamer.shown.values()) == {0, 1}
    posts = [n for n in scene.objects if n.endswith("/post")]
    assert len(posts) == sum(level == 0 for level in streamer.shown.values())


def test_what_is_seen_does_not_depend_on_the_way_there_nor_on_threads():
    goal = np.array([333.0, -210.0, 30.0])
    rays = np.random.default_rng(1).normal(size=(2000, 3))
    seen = []
    for background, way in ((False, []), (True, [np.zeros(3), np.array([-400.0, 90.0, 0.0])]), (True, [])):
        scene, streamer = stream(background=background)
        for place in way:
            streamer.follow([place])
        streamer.follow([goal])
        hits = scene.cast(goal, rays, max_range=300.0)
        seen.append((sorted(scene.objects), hits.distance.tobytes(), list(hits.names)))
    assert seen[0] == seen[1] == seen[2]


def test_many_robots_far_apart_each_have_their_world():
    scene, streamer = stream(visible=60.0)
    places = [np.array([x, y, 20.0]) for x, y in ((0, 0), (9e4, 0), (-5e4, 7e4), (10, 40))]
    streamer.follow(places)
    for p in places:
        hit = scene.cast(p + np.array([0.3, 0.2, 0.0]), [[0, 0, -1]], max_range=50.0)
        assert hit.hit[0] and "ground" in hit.names[0]
    assert len(streamer.shown) < 60


def test_there_is_no_gap_at_seams():
    scene, streamer = stream(visible=150.0)
    streamer.follow([np.zeros(3)])
    along = np.linspace(-140, 140, 2001)
    for seam in (-100.0, -50.0, 0.0, 50.0, 100.0):
        for x, y in ((seam + 0 * along, along), (along, seam + 0 * along)):
            hits = scene.cast(np.column_stack([x, y, 50 + 0 * x]), np.tile([0.0, 0, -1], (len(x), 1)), max_range=90.0)
            assert hits.hit[np.hypot(x, y) < 140].all()


def test_chunks_are_dropped_and_made_again_the_same():
    scene, streamer = stream(visible=60.0, ahead=0.0, background=False)
    streamer.follow([np.zeros(3)])
    first = {n: (o.X_WO.tobytes(), o.meshes[0].vertices.tobytes()) for n, o in scene.objects.items()}
    streamer.follow([np.array([5000.0, 0, 0])])
    assert not set(first) & set(scene.objects)
    streamer.follow([np.zeros(3)])
    assert {n: (o.X_WO.tobytes(), o.meshes[0].vertices.tobytes()) for n, o in scene.objects.items()} == first


def test_a_slow_world_is_waited_for_rather_than_missed():
    scene, streamer = stream(Plain(delay=0.02), visible=60.0)
    for x in range(0, 400, 40):
        streamer.follow([np.array([float(x), 0, 0])])
        assert scene.cast([x + 0.1, 0.2, 40.0], [[0, 0, -1]], max_range=80.0).hit[0]


def test_background_work_is_done_ahead_so_that_the_loop_does_not_wait():
    _, streamer = stream(Plain(delay=0.03), visible=100.0, ahead=100.0)
    streamer.follow([np.zeros(3)])
    time.sleep(4.0)
    waits = []
    for step in range(60):
        began = time.perf_counter()
        streamer.follow([np.array([step * 5.0, 0, 0])])
        waits.append(time.perf_counter() - began)
        time.sleep(0.05)
    assert sorted(waits)[-4] < 0.03


def test_an_error_in_a_world_reaches_the_loop():
    @dataclass(frozen=True, eq=False)
    class Broken(Plain):
        def generate(self, key):
            raise ScenarioError("this world is broken")

    _, streamer = stream(Broken())
    with pytest.raises(ScenarioError, match="broken"):
        streamer.follow([np.zeros(3)])


@pytest.mark.slow
def test_memory_stays_flat_on_a_100_km_flight():
    scene, streamer = stream(visible=40.0, ahead=0.0, background=False)
    process = psutil.Process()

    def fly(start, end):
        for x in np.arange(start, end, 100.0):
            streamer.follow([np.array([x, 0.0, 10.0])])
            scene.cast([x, 0.0, 60.0], [[0, 0, -1]], max_range=100.0)

    fly(0.0, 15_000.0)
    gc.collect()
    before = process.memory_info().rss
    fly(15_000.0, 100_000.0)
    gc.collect()
    assert process.memory_info().rss - before < 40e6
    assert len(scene.objects) < 60 and len(scene.meshes) < 60


@pytest.mark.parametrize("world", ["forest", "cave", "hills"])
def test_endless_worlds_run_in_a_simulation(world):
    text = f"""
seed: 4
world: {world}
streaming: {{visible: 60, ahead: 0}}
robots: {{uav1: {{type: probe, sensors: {{scanner: {{extent: 10, range: 60}}}}}}}}
"""
    simulation = Simulation(read_scenario(text))
    simulation.run(3)
    occupancy = simulation.sensor("uav1", "scanner").latest.data["occupancy"]
    assert 0.1 < (occupancy == 1).mean() <= 1.0
    again = Simulation(read_scenario(text))
    again.run(3)
    assert again.state_hash() == simulation.state_hash()


def test_a_world_changes_while_running_and_a_snapshot_knows():
    text = "seed: 2\nworld: {type: forest, density: 0.5}\nstreaming: {visible: 30, ahead: 0}\nrobots: {a: probe}"
    simulation = Simulation(read_scenario(text))

    def trees():
        return sum(len(o.X_WO) for n, o in simulation.scene.objects.items() if "tree" in n)

    few = trees()
    state = simulation.state()
    simulation.change_world(density=1.0)
    assert trees() > few
    dense = simulation.state()
    simulation.restore(state)
    assert trees() == few
    simulation.restore(dense)
    assert trees() > few
    with pytest.raises(ScenarioError, match="too small"):
        simulation.change_world(density=-1.0)
    assert trees() > few, "a refused change leaves the world as it was"
    simulation.reset()
    assert trees() == few


def test_another_seed_is_another_world():
    text = "world: forest\nstreaming: {visible: 10, ahead: 0}\nrobots: {a: {type: probe, position: [0, 0, 50]}}"

    def ground(seed):
        simulation = Simulation(read_scenario(text), seed=seed)
        return simulation.scene.cast([5.0, 5.0, 100.0], [[0, 0, -1]]).distance[0]

    assert ground(1) == ground(1) != ground(2)


def test_threads_that_generate_at_once_agree():
    from volery.world.generate.forest import Forest

    forest, results = Forest(seed=8), {}

    def make(n):
        results[n] = [p.X_WO.tobytes() for p in forest.generate((3, -2))]

    threads = [threading.Thread(target=make, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(results[n] == results[0] for n in results)


def test_what_is_expected_is_made_ready_before_anybody_is_there():
    scene = Scene()
    streamer = Streamer(scene, Plain(delay=0.005), Streaming(visible=60.0, ahead=20.0))
    streamer.follow([np.zeros(3)])
    there = np.array([400.0, 100.0, 5.0])
    assert not streamer.expect([np.zeros(3), there])
    end = time.monotonic() + 120.0
    while not streamer.expect([np.zeros(3), there]):
        streamer.follow([np.array([3.0 * (time.monotonic() % 5.0), 0.0, 0.0])])
        assert time.monotonic() < end
        time.sleep(0.01)
    made = streamer.made
    streamer.follow([np.zeros(3), there])
    assert streamer.shown and streamer.made - made <= 30, "those ahead alone are still to be made"
    other = Streamer(Scene(), Plain(delay=0.005), Streaming(visible=60.0, ahead=20.0))
    other.follow([np.zeros(3), there])
    assert other.shown == streamer.shown
    streamer.expect([])
    streamer.follow([np.zeros(3)])
    assert all(item in streamer._shown or abs(item[0][0]) < 4 for item in streamer._ready)
    streamer.close()
    other.close()
