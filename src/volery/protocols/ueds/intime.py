"""Work of the simulation's loop with a deadline: after a second clients take an answer for the next one's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from volery.errors import SimulationError

__all__ = ["LATEST", "LateError", "in_time"]

LATEST = 0.75
"""When an answer must be there, done or refused [s]; clients give up after 1 s."""


class LateError(SimulationError):
    """It was not done in time: it will not be done, or is undone."""


class _Work:
    """A function of the loop that somebody waits for, or no longer."""

    def __init__(self, act: Callable[[], Any], undo: Callable[[Any], Any] | None) -> None:
        self._act, self._undo = act, undo
        self._lock = threading.Lock()
        self._given_up = False
        self._done = False

    def __call__(self) -> Any:
        result = self._act()
        with self._lock:
            self._done = True
            given_up = self._given_up
        if given_up and self._undo is not None:
            self._undo(result)
        return result

    def give_up(self) -> bool:
        """Nobody waits any more; false: it was done just now, and is answered after all."""
        with self._lock:
            self._given_up = not self._done
            return self._given_up


def in_time(
    ask: Callable[[Callable[[], Any]], Future[Any]], act: Callable[[], Any], undo: Callable[[Any], Any] | None = None,
    seconds: float = LATEST,
) -> Any:  # fmt: skip
    """Have the loop do something within so many seconds, or not at all; `LateError` if not."""
    until = time.monotonic() + seconds
    work = _Work(act, undo)
    future = ask(work)
    try:
        return future.result(seconds)
    except TimeoutError:
        if future.done() and future.exception() is not None:
            raise
        if not future.cancel() and not work.give_up():
            return future.result(max(until - time.monotonic(), 0.1))
        raise LateError("the simulation is busy; ask again") from None
