"""Pictures drawn when somebody looks at them, in whatever thread, have the bytes of those drawn in the step."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from volery.core.deferred import Deferred
from volery.render.frame import FrameRenderer
from volery.scenario import read_scenario
from volery.sensors.camera import Camera
from volery.sim import Simulation

SCENARIO = """
seed: 3
step: 0.01
world: {{type: forest, seed: 3}}
streaming: {{visible: 60, ahead: 20}}
robots:
  uav1:
    type: quad
    position: [0, 0, 6]
    sensors:
      scanner: off
      eye: {{type: camera, width: 96, height: 72, rate: 20, quality: {quality}, outputs: [rgb, depth, labels, normals], {more}}}
    motion: {{speed: 30, path: [[0, 0, 6], [80, 10, 7], [160, -10, 8], [240, 0, 9]]}}
  uav2:
    type: quad
    position: [4, 1, 6]
    sensors: {{scanner: off}}
    motion: {{speed: 30, path: [[4, 1, 6], [84, 11, 7], [164, -9, 8], [244, 1, 9]]}}
"""  # noqa: E501


def simulation(quality="default", more="buffer: 1"):
    return Simulation(read_scenario(SCENARIO.format(quality=quality, more=more)))


def flown(simulation, steps):
    """All readings of a flight, undrawn if they may be."""
    found = []
    for _ in range(steps):
        simulation.step()
        found += [reading for _, _, reading in simulation.fresh]
    return found


def drawn_in_the_step(monkeypatch, steps, *about):
    with monkeypatch.context() as patch:
        patch.setattr(Camera, "_can_wait", lambda self: False)
        return [(r.stamp_ns, r.data) for r in flown(simulation(*about), steps)]


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
    readings = flown(simulation(quality), 60)
    assert len(readings) > 8 and all(isinstance(r._data, Deferred) for r in readings)
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


@pytest.mark.parametrize(
    "more",
    ["noise: {depth: {absolute: 0.01}}", "projection: fisheye", "readout: 0.01", "buffer: 100"],
)
def test_what_cannot_wait_is_drawn_in_the_step(more):
    readings = flown(simulation("fast", more), 12)
    assert readings and not any(isinstance(r._data, Deferred) for r in readings)


def test_a_run_may_be_kept_and_taken_up_with_undrawn_pictures():
    first = simulation("fast", "delay: 0.03")
    first.run(23)
    state = first.state()
    first.run(20)
    again = simulation("fast", "delay: 0.03")
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
