"""Running a simulation in time: real time times a factor, as fast as possible, or step by step with the outside."""

from __future__ import annotations

import gc
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from volery.core.clock import SECOND, Clock
from volery.core.meter import Meter
from volery.errors import SimulationError
from volery.sim import Simulation

__all__ = ["FastPace", "LockstepPace", "Loop", "Pace", "RealTimePace", "pace_of", "steady_memory"]

_log = logging.getLogger("volery")
_SLACK = 0.1
"""Real time counts as lost when the loop is this far behind [s]."""
_LATE = 0.002
"""A step that begins later than this takes the processor from clients' threads [s]."""
_FASTEST = 1e4
"""Largest factor of real time."""
_CALM = 0.25
"""Being late is over when no step was late for so long [s]."""
_LISTEN, _SAY = 2.0, 3.0
"""Late for so long without a break, the parts of steps are timed, and the one that takes most is told [s]."""
_IDLE = 0.01
"""How long a loop sleeps at most before it looks round [s]."""

Wait = Callable[[float], bool | None]


class Pace(ABC):
    """Says when the next step may begin."""

    @abstractmethod
    def ready(self, clock: Clock, wait: Wait = time.sleep) -> bool:
        """Wait a little if need be; whether the next step may begin now.

        wait: sleeps for some seconds, and says whether it was woken before."""

    late = 0.0
    """How late the step is that may begin now [s]."""
    meter: Meter | None = None
    """What times the parts of steps now, if they are to be timed."""

    def restart(self) -> None:  # noqa: B027
        """Time stood still: do not make up for it."""


class FastPace(Pace):
    """No waiting."""

    def ready(self, clock: Clock, wait: Wait = time.sleep) -> bool:
        """Always."""
        return True


class RealTimePace(Pace):
    """Simulated time follows the wall clock times a factor; if it cannot, the run slows down.

    After three seconds of that without a break it says so once, and what takes most of the time."""

    def __init__(self, factor: float = 1.0) -> None:
        if not 0 < factor <= _FASTEST:
            raise SimulationError(f"speed {factor}: must be greater than 0 and at most {_FASTEST:g}")
        self.factor = factor
        self._anchor: tuple[float, int] | None = None
        self._late: tuple[float, float] | None = None
        """When the first and the last step of those that are late now were due or later; None: none is."""
        self._warned = False

    def ready(self, clock: Clock, wait: Wait = time.sleep) -> bool:
        """Sleep until the step's time has come."""
        now = time.monotonic()
        if self._anchor is None:
            self._anchor = (now, clock.now_ns)
        began, began_ns = self._anchor
        ahead = (clock.now_ns + clock.step_ns - began_ns) / SECOND / self.factor - (now - began)
        self._watch(now, ahead <= 0.0)
        if ahead > _IDLE:
            # A short sleep at a time, so that requests are answered meanwhile.
            wait(min(ahead - _IDLE / 2, _IDLE))
            return False
        self.late = 0.0
        if ahead > 0:
            return not wait(ahead)
        self.late = -ahead
        if ahead < -_SLACK:
            # This step is due now: what is lost is not made up for
            self._anchor = (now, clock.now_ns + clock.step_ns)
            self._fall_behind(now)
        return True

    def restart(self) -> None:
        """Take the present as the new beginning."""
        self._anchor = self._late = self.meter = None

    def _watch(self, now: float, late: bool) -> None:
        """Note since when steps are late, and have them timed before it is said."""
        if late:
            since = now if self._late is None else self._late[0]
            self._late = (since, now)
            if not self._warned and self.meter is None and now - since >= _LISTEN:
                self.meter = Meter(time.monotonic)
        elif self._late is not None and now - self._late[1] > _CALM:
            self._late = self.meter = None

    def _fall_behind(self, now: float) -> None:
        if self._warned or self._late is None or self.meter is None or now - self._late[0] < _SAY:
            return
        part, share = self.meter.most()
        _log.warning(
            "real time × %g cannot be held on this machine: %.0f %% of the time goes to %s; running slower, results "
            "are the same", self.factor, 100 * share, part,
        )  # fmt: skip
        self._warned, self.meter = True, None


class LockstepPace(Pace):
    """A step begins only when the outside has permitted it."""

    def __init__(self) -> None:
        self._permits = threading.Semaphore(0)

    def permit(self, steps: int = 1) -> None:
        """Let the loop make so many steps."""
        self._permits.release(steps)

    def ready(self, clock: Clock, wait: Wait = time.sleep) -> bool:
        """Wait for a permit for a short while."""
        return self._permits.acquire(timeout=_IDLE)


def pace_of(name: str, speed: float) -> Pace:
    """The pace a scenario asks for."""
    return {"realtime": lambda: RealTimePace(speed), "fast": FastPace, "lockstep": LockstepPace}[name]()


@contextmanager
def steady_memory() -> Iterator[None]:
    """Keep Python's collector from looking through all that was there before the run: it would stop the loop for tens
    of milliseconds now and then."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class Loop:
    """The one thread that steps a simulation. Its methods may be called from any other."""

    def __init__(self, simulation: Simulation, pace: Pace) -> None:
        self.simulation = simulation
        self.pace = pace
        self.holds: list[Callable[[], bool]] = []
        """Asked before each step whether it may be made: who holds the clock until an outside program has answered.
        They may wait a few milliseconds."""
        self._held = 0.0
        self._paused = False
        self._stopped = threading.Event()
        self._extra = 0
        self._extra_done: list[tuple[int, Future[Any]]] = []
        self._lock = threading.Lock()

    def run(self, duration_ns: int | None = None) -> None:
        """Step until the duration is over or `stop` is called."""
        with steady_memory():
            self._run(duration_ns)
        self.simulation.meter = None
        self._forget_extra("the run has ended")

    def _run(self, duration_ns: int | None) -> None:
        simulation, permitted = self.simulation, False
        while not self._stopped.is_set():
            if duration_ns is not None and simulation.clock.now_ns >= duration_ns:
                break
            simulation.answer_requests()
            if not self._paused:
                permitted = permitted or (
                    self._let() and self.pace.ready(simulation.clock, simulation.wait_for_requests)
                )
                # What was asked while waiting may hold the clock: then this step is not made. It is due: one request.
                simulation.answer_requests(0.0 if permitted else None)
                if permitted and not self._paused:
                    permitted = False
                    if self.pace.late > _LATE:
                        simulation.gate.press()
                    simulation.meter = self.pace.meter
                    simulation.advance()
            elif self._extra and not self._let():
                continue
            elif self._take_extra():
                simulation.advance()
                self._report_extra()
            else:
                simulation.wait_for_requests(_IDLE)

    def stop(self) -> None:
        """End `run` after the present step."""
        self._stopped.set()

    def pause(self) -> None:
        """Hold the clock; requests are still answered."""
        self._paused = True

    def resume(self) -> None:
        """Go on at the pace; single steps that were asked for and not made are no longer."""
        self._forget_extra("the simulation was resumed before these steps were made")
        self.pace.restart()
        self._paused = False

    @property
    def paused(self) -> bool:
        """Whether the clock is held."""
        return self._paused

    @property
    def speed(self) -> float | str:
        """Factor of real time, 'max' for as fast as possible, or 'lockstep'. May be set while running."""
        if isinstance(self.pace, RealTimePace):
            return self.pace.factor
        return "max" if isinstance(self.pace, FastPace) else "lockstep"

    @speed.setter
    def speed(self, speed: float | str) -> None:
        if isinstance(self.pace, LockstepPace):
            raise SimulationError("in lockstep the outside sets the pace; it has no speed")
        self.pace = FastPace() if speed == "max" else RealTimePace(float(speed))

    def step(self, count: int = 1) -> Future[Any]:
        """While paused, make exactly so many steps; the future gives the time [ns] when they are done."""
        if not self._paused:
            raise SimulationError("the simulation is running: pause it before stepping")
        if count < 1:
            raise SimulationError(f"step {count}: must be at least 1")
        future: Future[Any] = Future()
        with self._lock:
            self._extra += count
            self._extra_done.append((count, future))
        return future

    def _let(self) -> bool:
        """Whether all holds let the next step be made; time for which they did not is no delay of ours."""
        if not all([hold() for hold in self.holds]):
            self._held = self._held or time.monotonic()
            return False
        if self._held and time.monotonic() - self._held > _SLACK / 2:
            self.pace.restart()
        self._held = 0.0
        return True

    def _forget_extra(self, why: str) -> None:
        with self._lock:
            self._extra, waiting, self._extra_done = 0, self._extra_done, []
        for _, future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(SimulationError(why))

    def _take_extra(self) -> bool:
        with self._lock:
            if self._extra == 0:
                return False
            self._extra -= 1
            return True

    def _report_extra(self) -> None:
        """Count the step for the oldest waiting request."""
        with self._lock:
            if not self._extra_done:
                return
            left, future = self._extra_done[0]
            self._extra_done[0] = (left - 1, future)
            if left > 1:
                return
            self._extra_done.pop(0)
        if future.set_running_or_notify_cancel():
            future.set_result(self.simulation.clock.now_ns)
