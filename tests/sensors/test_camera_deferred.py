"""Pictures drawn when somebody looks at them, in whatever thread, have the bytes of those drawn in the step."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from volery._native.rays import TopScene
from volery.core import geometry
from volery.core.deferred import Deferred
from volery.core.rng import generator
from volery.errors import VoleryError
from volery.render.frame import FrameRenderer
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import load_scenario, read_scenario
from volery.sensors.camera import Camera, CameraConfig
from volery.sim import Simulation
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

SCENARIO = """
seed: 3
step: 0.01
world: {{type: forest, seed: 3}}
streaming: {{visible: 60, ahead: 20}}
robots:
  uav1:
    type: quad
    physics: kinematic
    position: [0, 0, 6]
    sensors:
      imu: off
      gps: off
      eye: {{type: camera, {size}, rate: 20, quality: {quality}, {outputs}, {more}}}
    motion: {{speed: 30, path: [[0, 0, 6], [80, 10, 7], [160, -10, 8], [240, 0, 9]]}}
  uav2:
    type: quad
    physics: kinematic
    position: [4, 1, 6]
    sensors: {{imu: off, gps: off}}
    motion: {{speed: 30, path: [[4, 1, 6], [84, 11, 7], [164, -9, 8], [244, 1, 9]]}}
"""


HALL = """
seed: 3
step: 0.01
world: {{type: {world}, seed: 3}}
robots:
  uav1:
    type: quad
    physics: kinematic
    position: [{place}]
    sensors:
      imu: off
      gps: off
      lamp: {{type: headlight, light: 2.0}}
      eye: {{type: camera, {size}, rate: 50, quality: {quality}, {outputs}, {more}}}
  uav2:
    type: quad
    physics: kinematic
    position: [{beside}]
    sensors: {{imu: off, gps: off, lamp: {{type: headlight}}}}
    motion: {{speed: 2, path: [[{beside}], [{place}]]}}
"""


def simulation(quality="default", more="buffer: 1"):
    return Simulation(read_scenario(SCENARIO.format(quality=quality, more=more, **usual(more, "96, height: 72"))))


def usual(more, size):
    """Parameters that the others do not name."""
    outputs = "exposure: 0" if "outputs" in more else "outputs: [rgb, depth, labels, normals]"
    return {"size": "zoom: 1" if "width" in more else f"width: {size}", "outputs": outputs}


def hall(world, quality="default", more="buffer: 1"):
    place, beside = {"boiler": ("0, 0, 3", "1.5, 0.5, 3.2"), "arena": ("1, 1, 1", "2, 1.5, 1.3")}.get(
        world, ("-4, 0.0, 3", "-2, 0.5, 3")
    )
    about = {"world": world, "quality": quality, "place": place, "beside": beside, "more": more}
    return Simulation(read_scenario(HALL.format(**about, **usual(more, "64, height: 48"))))


def flown(simulation, steps):
    """All readings of a flight, undrawn if they may be."""
    found = []
    for _ in range(steps):
        simulation.step()
        found += [reading for _, _, reading in simulation.fresh]
    return found


def pictures(simulation, steps):
    """Undrawn pictures of a flight."""
    return [reading for reading in flown(simulation, steps) if isinstance(reading._data, Deferred)]


def by_live_scene(self, now_ns):
    data = self.sense(now_ns)
    return Deferred(lambda: data)


def drawn_in_the_step(monkeypatch, steps, *about, of=simulation):
    with monkeypatch.context() as patch:
        patch.setattr(Camera, "picture", by_live_scene)
        return [(r.stamp_ns, r.data) for r in flown(of(*about), steps) if isinstance(r._data, Deferred)]


def assert_same(readings, expected):
    assert [r.stamp_ns for r in readings] == [stamp for stamp, _ in expected]
    for reading, (stamp, data) in zip(readings, expected, strict=True):
        assert list(reading.data) == list(data)
        for name, array in data.items():
            assert np.array_equal(reading.data[name], array, equal_nan=True), (name, stamp)


@pytest.mark.parametrize("quality", ["plain", "fast", "default"])
def test_pictures_drawn_long_after_are_those_of_their_instant(quality, monkeypatch):
    """Chunks have come and gone, and the other drone has flown on, when they are looked at; last ones first, too."""
    expected = drawn_in_the_step(monkeypatch, 60, quality)
    readings = pictures(simulation(quality), 60)
    assert len(readings) > 8
    for reading in readings[::-3]:
        assert reading.data
    assert_same(readings, expected)


def test_what_nobody_looks_at_is_not_drawn(monkeypatch):
    taken = []
    monkeypatch.setattr(FrameRenderer, "take", lambda *_: taken.append(1))
    assert len(flown(simulation(), 30)) > 4
    assert not taken


def test_a_late_camera_tells_at_its_time_and_is_drawn_meanwhile(monkeypatch):
    """Read each time, so that all but the first are begun in the background, and are delivered after 30 ms."""
    expected = drawn_in_the_step(monkeypatch, 40, "fast", "delay: 0.03")
    threads, take = [], FrameRenderer.take

    def noted(self, *arguments):
        threads.append(threading.current_thread().name)
        return take(self, *arguments)

    begin = Deferred.begin

    def begun_and_done(self):
        begin(self)
        Deferred._worker.submit(lambda: None).result()

    monkeypatch.setattr(FrameRenderer, "take", noted)
    monkeypatch.setattr(Deferred, "begin", begun_and_done)
    sim, readings = simulation("fast", "delay: 0.03"), []
    for _ in range(40):
        sim.step()
        for _, _, reading in sim.fresh:
            assert sim.clock.now_ns - reading.stamp_ns == 30_000_000
            assert reading.data["rgb"].std() > 1.0
            readings.append(reading)
    assert_same(readings, expected)
    assert len(threads) > 5 and sum(not name.startswith("pictures") for name in threads) <= 2


def test_many_threads_may_look_at_once(monkeypatch):
    expected = drawn_in_the_step(monkeypatch, 40, "default")
    readings = flown(simulation("default"), 40)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda reading: reading.data["rgb"].sum(), readings * 3))
    assert_same(readings, expected)


KINDS = {
    "fisheye": ("fast", "projection: fisheye"),
    "rolling": ("fast", "readout: 0.01"),
    "best": ("best", "width: 48, height: 32"),
    "noisy": ("fast", "noise: {depth: {absolute: 0.01, dropout: 0.1}, rgb: {relative: 0.1, bias_spread: 3, walk: 2}}"),
    "stuck": ("fast", "noise: {rgb: {absolute: 2, fault: stuck}}"),
    "flow": ("fast", "outputs: [rgb, flow, depth]"),
    "events": ("fast", "outputs: [events, rgb]"),
    "stereo of events": ("fast", "outputs: [rgb, events], baseline: 0.2"),
    "long buffer": ("fast", "buffer: 100"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_camera_draws_in_the_step(kind, monkeypatch):
    """Last ones are looked at first."""
    expected = drawn_in_the_step(monkeypatch, 25, *KINDS[kind])
    threads, take = [], FrameRenderer.take

    def noted(self, *arguments):
        threads.append(threading.current_thread())
        return take(self, *arguments)

    monkeypatch.setattr(FrameRenderer, "take", noted)
    readings = pictures(simulation(*KINDS[kind]), 25)
    assert len(readings) >= 5 and threading.main_thread() not in threads
    for reading in readings[::-2]:
        assert reading.data
    assert_same(readings, expected)


@pytest.mark.parametrize("quality", ["default", "best"])
@pytest.mark.parametrize("world", ["boiler", "warehouse", "arena"])
def test_lamps_headlights_glass_and_mirrors_wait_as_well(world, quality, monkeypatch):
    more = "width: 32, height: 24" if quality == "best" else "outputs: [rgb, flow, normals]"
    expected = drawn_in_the_step(monkeypatch, 9, world, quality, more, of=hall)
    taken, take = [], FrameRenderer.take
    monkeypatch.setattr(FrameRenderer, "take", lambda self, *about: taken.append(1) or take(self, *about))
    readings = pictures(hall(world, quality, more), 9)
    assert len(readings) >= 4 and not taken
    assert_same(readings[::-1], expected[::-1])
    assert len(taken) == len(readings)


@pytest.mark.parametrize("world", ["boiler", "warehouse", "arena"])
def test_a_step_does_no_more_for_pictures_that_nobody_looks_at(world, monkeypatch):
    """Rays of what stands are built, tiles of light are made and meshes are cut by who draws."""
    work, sim = [], hall(world)
    for owner, name in ((FrameRenderer, "take"), (ShadowMaps, "fill"), (ShadowMaps, "fill_lamps"), (TopScene, "build")):
        monkeypatch.setattr(owner, name, noting(work, getattr(owner, name)))
    flown(sim, 10)
    assert not work
    reading = pictures(hall(world), 3)[0]
    assert reading.data and len(work) > 2


def noting(work, does):
    return lambda self, *about, **named: work.append(does) or does(self, *about, **named)


def test_the_demonstration_draws_nothing_in_its_steps(monkeypatch):
    sim, threads, take = Simulation(load_scenario("demo")), [], FrameRenderer.take

    def noted(self, *arguments):
        threads.append(threading.current_thread())
        return take(self, *arguments)

    monkeypatch.setattr(FrameRenderer, "take", noted)
    assert len(pictures(sim, 60)) >= 3
    assert not threads


def test_what_bends_is_seen_as_it_was(monkeypatch):
    """A sheet that rises step by step; each picture shows it where it was."""
    environment = Environment(Scene())
    flat = np.array([[5, -9, -9], [5, 9, -9], [5, 0, 9]], np.float32)
    sheet = geometry.Mesh(flat, np.array([[0, 1, 2]]), name="sheet")
    bent = environment.scene.add(Placement.one("sheet", sheet), moving=True, deforms=True)
    eye = Robot("eye", load_robot_file("probe").description())
    config = CameraConfig(width=24, height=16, outputs=("depth_planar", "normals"), projection="pinhole")
    fish = CameraConfig(width=24, height=16, outputs=("depth",), projection="fisheye")
    cameras = [Camera(n, c, eye, environment, generator(1, n)) for n, c in (("pin", config), ("fish", fish))]
    kept, live = [], []
    for away in (0.0, 1.0, 2.5, -1.0):
        bent.deform(flat + np.float32([away, 0, 0]))
        kept.append([camera.picture(0) for camera in cameras])
        live.append([camera.sense(0) for camera in cameras])
        assert np.median(live[-1][0]["depth_planar"]) == pytest.approx(5 + away, abs=1e-3)
    for pictures_, seen in zip(kept[::-1], live[::-1], strict=True):
        for picture, data in zip(pictures_, seen, strict=True):
            assert all(np.array_equal(picture.result()[name], array) for name, array in data.items())


def test_noise_of_a_picture_hangs_on_its_stamp_and_not_on_what_was_drawn():
    """Two cameras of the same seed, of which one misses readings, disturb the others alike; stamps differ."""
    noise = "noise: {depth: {absolute: 0.5}}, outputs: [depth]"
    every, some = (simulation("fast", more) for more in (noise, noise + ", drop: 0.5"))
    all_ = {r.stamp_ns: r.data["depth"] for r in pictures(every, 40)}
    few = {r.stamp_ns: r.data["depth"] for r in pictures(some, 40)[::-1]}
    assert 1 <= len(few) < len(all_)
    assert all(np.array_equal(all_[stamp], depth, equal_nan=True) for stamp, depth in few.items())
    plain = {r.stamp_ns: r.data["depth"] for r in pictures(simulation("fast", "outputs: [depth]"), 40)}
    seen = [np.isfinite(plain[stamp]) for stamp in all_]
    added = [all_[s][f] - plain[s][f] for s, f in zip(all_, seen, strict=True)]
    assert all(abs(a.std() / 0.5 - 1) < 0.05 and abs(a.mean()) < 0.05 for a in added)
    assert np.corrcoef(added[0][:3000], added[1][:3000])[0, 1] < 0.1


def test_noise_of_what_is_not_delivered_is_refused():
    with pytest.raises(VoleryError, match="depth"):
        simulation("fast", "outputs: [rgb], noise: {depth: {absolute: 1}}")


@pytest.mark.parametrize("more", ["outputs: [rgb]", *(KINDS[kind][1] for kind in ("noisy", "stuck", "flow", "events"))])
def test_a_run_may_be_kept_and_taken_up_with_undrawn_pictures(more):
    first = simulation("fast", "delay: 0.03, " + more)
    first.run(23)
    state = first.state()
    first.run(20)
    again = simulation("fast", "delay: 0.03, " + more)
    again.restore(state)
    again.run(20)
    assert again.state_hash() == first.state_hash()


def test_an_error_of_drawing_reaches_who_looks():
    def fail():
        raise ValueError("no picture")

    broken = Deferred(fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="no picture"):
            broken.result()
    assert broken.done
