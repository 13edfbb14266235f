"""Paces: real time times a factor, as fast as possible, lockstep; pause and exact steps."""

import logging
import threading
import time

import pytest

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


def test_real_time_that_cannot_be_held_is_said_once_and_changes_nothing(simulation, caplog):
    simulation.listeners.append(lambda s: time.sleep(0.03))
    with caplog.at_level(logging.WARNING, logger="volery"):
        Loop(simulation, RealTimePace(1.0)).run(500_000_000)
    assert simulation.clock.steps == 50
    assert sum("cannot be held" in r.message for r in caplog.records) == 1


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
