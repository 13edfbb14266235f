"""Work of the simulation's loop with a deadline: after a second clients take an answer for the next one's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from volery.errors import SimulationError

__all__ = ["LATEST", "LateError", "in_time"]

LATEST = 0.65
"""When an answer must be there, done or refused [s]: clients give up after 1 s, and it has to be sent."""


class LateError(SimulationError):
    """It was not done in time: it will not be done."""


class _Work:
    """A function of the loop that somebody waits for, or no longer."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act
        self._lock = threading.Lock()
        self._done = False

    def __call__(self) -> Any:
        result = self._act()
        with self._lock:
            self._done = True
        return result

    def give_up(self) -> bool:
        """Nobody waits any more; false: it was done just now, and is answered after all."""
        with self._lock:
            return not self._done


def in_time(ask: Callable[[Callable[[], Any]], Future[Any]], act: Callable[[], Any], seconds: float = LATEST) -> Any:
    """Have the loop do something within so many seconds, or not at all; `LateError` if not."""
    until = time.monotonic() + seconds
    work = _Work(act)
    future = ask(work)
    try:
        return future.result(max(seconds, 0.0))
    except TimeoutError:
        if future.done() and future.exception() is not None:
            raise
        if not future.cancel() and not work.give_up():
            return future.result(max(until - time.monotonic(), 0.1))
        raise LateError("the simulation is busy; ask again") from None
