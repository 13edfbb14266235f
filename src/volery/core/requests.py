"""What other threads want done by the one that owns everything."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

__all__ = ["Requests"]


class Requests:
    """Functions that wait for their turn."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future, Callable[[], Any]]] = queue.SimpleQueue()
        self._asked = threading.Event()

    def ask(self, request: Callable[[], Any]) -> Future:
        """Have a function run by whoever answers; any thread may ask, the answer is in the future."""
        future: Future = Future()
        self._waiting.put((future, request))
        self._asked.set()
        return future

    def wait(self, seconds: float) -> bool:
        """Sleep, but not longer than until someone asks; whether someone did."""
        return self._asked.wait(seconds)

    def answer(self) -> None:
        """Run what was asked so far; an error goes to the one who asked."""
        self._asked.clear()
        # Who asks again and again does not keep the others waiting.
        for _ in range(self._waiting.qsize()):
            future, request = self._waiting.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(request())
            except Exception as error:
                future.set_exception(error)
