"""Whole nanoseconds and rates that never drift."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core.clock import SECOND, Clock, Rate, nanoseconds
from volery.errors import SimulationError

check = settings(deadline=None, database=None, derandomize=True, max_examples=100)


def due_steps(rate, step_ns, seconds):
    """Numbers of the steps in which an event is due, up to and with the last."""
    return [n for n in range(seconds * SECOND // step_ns + 1) if rate.due(n * step_ns, step_ns)]


@pytest.mark.parametrize(
    "seconds, ns",
    [
        (0.1, 100_000_000),
        (0.01, 10_000_000),
        (0.001, 1_000_000),
        (1e-9, 1),
        (3600.1, 3_600_100_000_000),
        (7, 7 * SECOND),
    ],
)
def test_decimals_are_taken_as_written(seconds, ns):
    assert nanoseconds(seconds) == ns


def test_numpy_numbers_are_taken_as_written():
    assert nanoseconds(np.float64(0.1)) == 100_000_000
    assert nanoseconds(np.float32(0.1)) == 100_000_000
    assert Rate.of(np.float64(0.1)).hz == Fraction(1, 10)


def test_clock_advances_by_whole_steps_without_drift():
    clock = Clock(nanoseconds(0.1))
    for _ in range(36_000):
        clock.advance()
    assert clock.now_ns == 3600 * SECOND
    assert clock.now == 3600.0


@pytest.mark.parametrize("hz", [30, 60, 7, 29.97, 0.3, 99, 100])
def test_rate_that_does_not_divide_the_step_has_the_exact_number_of_events_in_an_hour(hz):
    steps = due_steps(Rate.of(hz), nanoseconds(0.01), 3600)
    assert len(steps) == 1 + int(Fraction(str(hz)) * 3600)


def test_30_hz_at_a_100_hz_step_falls_on_the_first_step_at_or_after_each_event():
    steps = due_steps(Rate.of(30), nanoseconds(0.01), 3600)
    assert steps[:7] == [0, 4, 7, 10, 14, 17, 20]
    assert steps == [-(-n * 100 // 30) for n in range(len(steps))]


def test_decimal_rate_never_drifts():
    rate = Rate.of(0.1)
    assert rate.count(10**6 * SECOND) == 100_001
    assert rate.count(10**6 * SECOND - 1) == 100_000


def test_rate_above_the_steps_is_due_every_step_and_counts_all_events():
    rate = Rate.of(1000)
    assert len(due_steps(rate, nanoseconds(0.01), 1)) == 101
    assert rate.count(SECOND) == 1001


@given(st.decimals("0.05", 500, places=3), st.integers(100_000, 50_000_000), st.decimals(0, 2, places=4))
@check
def test_every_event_is_due_once_in_the_first_step_at_or_after_it(hz, step_ns, phase):
    rate = Rate.of(float(hz), float(phase))
    events = [Fraction(str(phase)) * SECOND + n * SECOND / Fraction(str(hz)) for n in range(40)]
    expected = {-(-event // step_ns) for event in events}
    last = max(expected)
    steps = range(last + 1) if last < 3000 else sorted(expected | {n - 1 for n in expected if n} | {last})
    assert {n for n in steps if rate.due(n * step_ns, step_ns)} == expected


@given(st.integers(1, 2000), st.integers(1, 10**8), st.integers(0, 10**14))
@check
def test_count_over_a_step_tells_how_many_events_lie_in_it(hz, step_ns, now_ns):
    rate = Rate.of(hz)
    inside = rate.count(now_ns + step_ns) - rate.count(now_ns)
    assert abs(inside - Fraction(step_ns * hz, SECOND)) < 1
    assert rate.due(now_ns + step_ns, step_ns) == (inside > 0)


def test_phase_shifts_the_first_event():
    rate = Rate.of(10, phase=0.05)
    assert due_steps(rate, nanoseconds(0.01), 1)[:3] == [5, 15, 25]
    assert rate.count(49_999_999) == 0
    assert rate.count(50_000_000) == 1


def test_phases_spread_sensors_over_different_steps():
    a, b = (set(due_steps(Rate.of(25, phase), nanoseconds(0.01), 10)) for phase in (0.0, 0.02))
    assert not a & b
    assert len(a) == 251
    assert len(b) == 250


def test_at_time_zero_only_an_event_exactly_there_is_due():
    step = nanoseconds(0.01)
    assert Rate.of(10).due(0, step)
    assert not Rate.of(10, phase=0.001).due(0, step)
    assert not Rate.of(10, phase=-0.05).due(0, step)
    assert Rate.of(10, phase=-0.1).due(0, step)


@pytest.mark.parametrize("step_ns", [0, -1, -SECOND])
def test_clock_refuses_steps_that_do_not_advance(step_ns):
    with pytest.raises(SimulationError, match="at least 1 ns"):
        Clock(step_ns)


@pytest.mark.parametrize("hz", [0, -1, -0.1, float("nan"), float("inf"), float("-inf")])
def test_rate_refuses_what_is_not_a_rate(hz):
    with pytest.raises(SimulationError, match="Hz"):
        Rate.of(hz)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf")])
def test_time_that_is_not_finite_is_refused(seconds):
    with pytest.raises(SimulationError, match="finite"):
        nanoseconds(seconds)
    with pytest.raises(SimulationError, match="finite"):
        Rate.of(10, phase=seconds)
