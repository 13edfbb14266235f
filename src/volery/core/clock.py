"""Simulated time: whole nanoseconds, fixed steps, and rates that never drift."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import SupportsFloat

from volery.errors import SimulationError

__all__ = ["SECOND", "Clock", "Rate", "nanoseconds", "whole_steps"]

SECOND = 1_000_000_000
"""Nanoseconds in a second."""
_LONGEST = 1e9
"""No run is asked to last longer [s]."""
_MOST_STEPS = 2**53
"""More than any run makes: beyond, a time in seconds would lose its steps."""


def nanoseconds(seconds: float) -> int:
    """Seconds as whole nanoseconds, by the decimal that was written (0.1 is 100 000 000)."""
    if not math.isfinite(seconds):
        raise SimulationError(f"a time of {seconds} s: must be finite")
    return round(Fraction(str(seconds)) * SECOND)


def whole_steps(steps: int | None, seconds: float | None, step_ns: int) -> int:
    """How many steps somebody wants who gives their number, or the time [s] that they shall fill to its end."""
    if (steps is None) == (seconds is None):
        given = "neither is" if steps is None else "both are"
        raise SimulationError(f"run takes steps or seconds, and {given} given; write run(500) or run(seconds=5.0)")
    if steps is not None:
        if isinstance(steps, bool) or not hasattr(steps, "__index__") or operator.index(steps) < 0:
            hint = f"; for a time write run(seconds={steps!r})" if isinstance(steps, float) else ""
            raise SimulationError(f"run({steps!r}): the number of steps must be a whole number from 0 on{hint}")
        return operator.index(steps)
    if isinstance(seconds, bool | str) or not isinstance(seconds, SupportsFloat) or not 0 <= float(seconds) < _LONGEST:
        raise SimulationError(f"run(seconds={seconds!r}): the time must be a number of seconds, from 0 to {_LONGEST:g}")
    return -(-nanoseconds(float(seconds)) // step_ns)


class Clock:
    """The simulation's own time. Only its loop advances it."""

    def __init__(self, step_ns: int) -> None:
        if step_ns <= 0:
            raise SimulationError(f"step of {step_ns} ns: must be at least 1 ns")
        self.step_ns = step_ns
        self.steps = 0

    @property
    def now_ns(self) -> int:
        """Time since the start [ns]."""
        return self.steps * self.step_ns

    @property
    def now(self) -> float:
        """Time since the start [s], for formulas and for show."""
        return self.now_ns / SECOND

    def advance(self) -> None:
        """One step on."""
        self.steps += 1

    def go_to(self, steps: int) -> None:
        """Be so many steps after the start, as a snapshot says."""
        if not isinstance(steps, int) or isinstance(steps, bool) or not 0 <= steps < _MOST_STEPS:
            raise SimulationError(f"a clock after {steps!r} steps: must be a whole number from 0 on")
        self.steps = steps


@dataclass(frozen=True)
class Rate:
    """Events n = 0, 1, 2 … at phase + n / hz. The n-th is due in the first step at or after its time."""

    hz: Fraction
    phase_ns: int = 0

    @staticmethod
    def of(hz: float, phase: float = 0.0) -> Rate:
        """A rate in 1/s with a phase in s, taken by the decimals that were written."""
        if not 0 < hz < math.inf:
            raise SimulationError(f"rate of {hz} Hz: must be greater than 0 and finite")
        return Rate(Fraction(str(hz)), nanoseconds(phase))

    def count(self, now_ns: int) -> int:
        """How many events lie at or before a time."""
        since = now_ns - self.phase_ns
        events, span = self._ratio
        return 0 if since < 0 else since * events // span + 1

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether an event lies in the step that ends now; at time 0 only one that is exactly there."""
        # Every sensor asks in every step: `count` twice, written out.
        events, span = self._ratio
        since = now_ns - self.phase_ns
        before = since - (step_ns if now_ns else 1)
        return since >= 0 and since * events // span + 1 > (0 if before < 0 else before * events // span + 1)

    @cached_property
    def _ratio(self) -> tuple[int, int]:
        """So many events in so many nanoseconds."""
        return self.hz.numerator, SECOND * self.hz.denominator
