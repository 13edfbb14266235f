"""Paces: real time times a factor, as fast as possible, lockstep; pause and exact steps."""

import logging
import threading
import time
from types import SimpleNamespace

import pytest

import volery.loop
from volery.errors import SimulationError
from volery.loop import FastPace, LockstepPace, Loop, RealTimePace
from volery.scenario import read_scenario
from volery.sim import Simulation


@pytest.fixture
def simulation():
    return Simulation(read_scenario("step: 0.01\nworld: empty\nrobots: {a: {type: probe, sensors: {scanner: off}}}"))


def started(loop, **run):
    thread = threading.Thread(target=loop.run, kwargs=run, daemon=True)
    thread.start()
    return thread


def test_as_fast_as_possible_is_faster_than_real_time(simulation):
    began = time.monotonic()
    Loop(simulation, FastPace()).run(20_000_000_000)
    assert simulation.clock.now_ns == 20_000_000_000
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_real_time_times_a_factor(simulation, factor):
    # From the first step on: before it the loop puts memory in order, which takes long in a large process.
    times = []
    simulation.listeners.append(lambda s: times.append(time.monotonic()))
    Loop(simulation, RealTimePace(factor)).run(int(1e9 * factor))
    assert 0.95 < times[-1] - times[0] < 1.7


class Wall:
    """Wall time that goes by only when the test says so."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        told = SimpleNamespace(monotonic=lambda: self.now, sleep=self.sleep)
        monkeypatch.setattr(volery.loop, "time", told)

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def wall(monkeypatch):
    return Wall(monkeypatch)


def late_lines(caplog):
    return [r.message for r in caplog.records if "cannot be held" in r.message]


def paced(simulation, wall, seconds, cost):
    """Step at real time for so long of wall time, with steps that cost so much by their number [s]."""
    pace, begun = RealTimePace(1.0), wall.now
    while wall.now < begun + seconds:
        while not pace.ready(simulation.clock, wall.sleep):
            pass
        simulation.meter = pace.meter
        wall.sleep(cost(simulation.clock.steps))
        simulation.advance()


class Recorder:
    """A listener that takes its time."""

    def __init__(self, wall, seconds):
        self.wall, self.seconds = wall, seconds

    def __call__(self, simulation):
        self.wall.sleep(self.seconds)


def test_real_time_that_cannot_be_held_is_said_once_with_its_culprit_and_changes_nothing(simulation, wall, caplog):
    simulation.listeners.append(Recorder(wall, 0.03))
    with caplog.at_level(logging.WARNING, logger="volery"):
        Loop(simulation, RealTimePace(1.0)).run(900_000_000)
        assert simulation.clock.steps == 90 and not late_lines(caplog), "2.7 s of being late are not told"
        Loop(simulation, RealTimePace(1.0)).run(3_000_000_000)
    assert simulation.clock.steps == 300
    (line,) = late_lines(caplog)
    assert "listeners Recorder" in line and "100 %" in line
    assert simulation.meter is None


@pytest.mark.parametrize(
    ("part", "told"),
    [("sensor", "sensors a/scanner"), ("engine", "physics kinematic"), ("controller", "controller slow"),
     ("outside", "other programs")],
)  # fmt: skip
def test_the_culprit_is_named_whichever_part_it_is(part, told, wall, caplog):
    simulation = Simulation(read_scenario("step: 0.01\nworld: empty\nrobots: {a: {type: probe}}"))

    def slow(*_):
        wall.sleep(0.015)

    def slowed(function):
        def run(*arguments):
            slow()
            return function(*arguments)

        return run

    if part == "sensor":
        sensor = simulation.sensors["a"]["scanner"]
        sensor.sensing = slowed(sensor.sensing)
        sensor.sense = slowed(sensor.sense)
    elif part == "engine":
        simulation.engines["kinematic"].advance = slowed(simulation.engines["kinematic"].advance)
    elif part == "controller":
        slow.__qualname__ = "slow"
        simulation.controllers.append(slow)
    with caplog.at_level(logging.WARNING, logger="volery"):
        paced(simulation, wall, 5.0, lambda step: 0.015 if part == "outside" else 0.0)
    (line,) = late_lines(caplog)
    assert told in line


def test_single_slow_steps_and_a_slow_start_are_not_told(simulation, wall, caplog):
    with caplog.at_level(logging.WARNING, logger="volery"):
        paced(simulation, wall, 20.0, lambda step: 0.15 if step % 100 == 0 else 0.004)
        begun = simulation.clock.steps
        paced(simulation, wall, 10.0, lambda step: 0.02 if step < begun + 120 else 0.004)
        assert not late_lines(caplog)
        # Fast and slow by turns: too slow on the whole
        paced(simulation, wall, 5.0, lambda step: 0.06 if step % 2 else 0.001)
    assert len(late_lines(caplog)) == 1


def test_what_is_lost_is_lost_and_the_rest_is_in_time(simulation, wall):
    """No pause after falling behind, and no racing to make up for it."""
    begun = wall.now
    paced(simulation, wall, 0.999, lambda step: 0.3 if step == 0 else 0.001)
    assert wall.now - begun == pytest.approx(1.0, abs=0.02)
    assert simulation.clock.steps == pytest.approx(72, abs=3)


def test_lockstep_waits_for_each_permit(simulation):
    pace = LockstepPace()
    loop = Loop(simulation, pace)
    thread = started(loop)
    time.sleep(0.1)
    assert simulation.clock.steps == 0
    pace.permit(3)
    time.sleep(0.2)
    assert simulation.clock.steps == 3
    assert simulation.ask(lambda: "answered").result(timeout=2) == "answered"
    loop.stop()
    thread.join(2)
    assert not thread.is_alive()


def test_pause_step_n_and_resume_are_exact(simulation):
    loop = Loop(simulation, RealTimePace(1.0))
    thread = started(loop)
    time.sleep(0.1)
    loop.pause()
    time.sleep(0.05)
    steps = simulation.clock.steps
    assert loop.step(7).result(timeout=2) == (steps + 7) * 10_000_000
    assert loop.step(1).result(timeout=2) == (steps + 8) * 10_000_000
    time.sleep(0.1)
    assert simulation.clock.steps == steps + 8
    loop.resume()
    time.sleep(0.3)
    moved = simulation.clock.steps - steps - 8
    assert 5 < moved < 60, "after a pause the lost time is not made up for"
    loop.stop()
    thread.join(2)


def test_wrong_use_is_refused(simulation):
    loop = Loop(simulation, FastPace())
    with pytest.raises(SimulationError, match="pause it"):
        loop.step()
    loop.pause()
    with pytest.raises(SimulationError, match="at least 1"):
        loop.step(0)
    with pytest.raises(SimulationError, match="greater than 0"):
        RealTimePace(0)
