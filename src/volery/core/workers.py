"""Threads for long work of clients, outside the loop: in turns, and not for a client that left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from volery.core.gate import Gate
from volery.core.requests import Requests

__all__ = ["Workers"]

_LOOK = 0.2
"""How often a thread that has nothing to do looks whether it is to end [s]."""


class Workers:
    """Some threads that do what clients need done, one piece of each client after the other."""

    def __init__(self, threads: int, name: str, gate: Gate) -> None:
        """gate: before which they wait before each piece."""
        self._gate = gate
        self._requests = Requests(budget=0.0)
        self._ended = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{i}", daemon=True) for i in range(threads)
        ]  # fmt: skip
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Pieces of work that were not begun."""
        return self._requests.waiting

    def submit(self, client: Hashable, work: Callable[[], Any]) -> Future[Any]:
        """Have something done; too much at a time is refused."""
        return self._requests.ask(work, client)

    def forget(self, client: Hashable) -> None:
        """A client has left: what was not begun is not done."""
        self._requests.forget(client)

    def close(self) -> None:
        """End; what was not begun is not done."""
        self._ended = True
        for thread in self._threads:
            thread.join(timeout=2.0)

    def _work(self) -> None:
        while not self._ended:
            if self._requests.wait(_LOOK) and not self._ended:
                self._gate.pass_through("work")
                self._requests.answer()
