"""Threads for long work of clients, outside the loop: in turns, piece by piece, and not for a client that left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Hashable
from concurrent.futures import Future
from typing import Any

from volery.core.gate import Gate
from volery.core.requests import Requests

__all__ = ["Workers"]

_LOOK = 0.2
"""How often a thread that has nothing to do looks whether it is to end [s]."""


class _QueuedJob:
    """What a client wants done: a function, or a generator whose pieces end where it yields."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.done: Future[Any] = Future()
        self._work = work
        self._rest: Generator[Any, None, Any] | None = None

    def go_on(self) -> bool:
        """Do the next piece; whether there is more to do."""
        if self.done.cancelled():
            return False
        try:
            if self._rest is None:
                result = self._work()
                if isinstance(result, Generator):
                    self._rest = result
                    return True
            else:
                next(self._rest)
                return True
        except StopIteration as end:
            result = end.value
        except Exception as error:
            if self.done.set_running_or_notify_cancel():
                self.done.set_exception(error)
            return False
        if self.done.set_running_or_notify_cancel():
            self.done.set_result(result)
        return False


class Workers:
    """Some threads that do what clients need done, one piece of each client after the other."""

    def __init__(self, threads: int, name: str, gate: Gate) -> None:
        """gate: before which they wait before each piece."""
        self._gate = gate
        self._requests = Requests(budget=0.0)
        self._jobs: dict[Hashable, set[_QueuedJob]] = {}
        self._lock = threading.Lock()
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
        """Have something done; too much at a time is refused. Work that is a generator lets others have their turn
        wherever it yields."""
        job = _QueuedJob(work)
        self._requests.ask(lambda: self._do(client, job), client)
        with self._lock:
            if not job.done.done():
                self._jobs.setdefault(client, set()).add(job)
        return job.done

    def forget(self, client: Hashable) -> None:
        """A client has left: what was not begun is not done, and what was is not gone on with."""
        self._requests.forget(client)
        with self._lock:
            jobs = self._jobs.pop(client, set())
        for job in jobs:
            job.done.cancel()

    def close(self) -> None:
        """End; what was not begun is not done."""
        self._ended = True
        for thread in self._threads:
            thread.join(timeout=2.0)

    def _do(self, client: Hashable, job: _QueuedJob) -> None:
        if job.go_on():
            self._requests.ask(lambda: self._do(client, job), client, rest=True)
            return
        with self._lock:
            jobs = self._jobs.get(client, set())
            jobs.discard(job)
            if not jobs:
                self._jobs.pop(client, None)

    def _work(self) -> None:
        while not self._ended:
            if self._requests.wait(_LOOK) and not self._ended:
                self._gate.pass_through("work")
                self._requests.answer()
