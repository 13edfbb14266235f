"""What others want done by the thread that owns everything: in turns, for a few milliseconds at a time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from volery.errors import SimulationError

__all__ = ["Requests"]

_BUDGET = 0.002
"""Time for clients at a time [s]; a request that has begun is finished."""
_MOST_OF_ONE = 10_000
"""Requests of one client that may wait."""
_MOST = 50_000
"""Requests of all clients that may wait."""


class _Request(Future[Any]):
    """A function that waits for its turn, and its answer."""

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__()
        self._function = function

    def run(self) -> None:
        """Do it, unless nobody wants it any more; an error goes to the one who asked."""
        if not self.set_running_or_notify_cancel():
            return
        try:
            self.set_result(self._function())
        except Exception as error:
            self.set_exception(error)


class Requests:
    """Functions that wait for their turn. Each client has a queue of its own and one request a round, so that who asks
    much waits for itself alone; our own parts, which are no clients, come first and always."""

    def __init__(self, budget: float = _BUDGET) -> None:
        """budget: time for clients in one `answer` [s]."""
        self._budget = budget
        self._own: list[_Request] = []
        self._queues: OrderedDict[Hashable, OrderedDict[Hashable, _Request]] = OrderedDict()
        self._waiting = 0
        self._lock = threading.Lock()
        self._asked = threading.Event()

    @property
    def waiting(self) -> int:
        """Requests of clients that were not done yet."""
        return self._waiting

    def ask(
        self, function: Callable[[], Any], client: Hashable = None, *, newest: Hashable = None, rest: bool = False
    ) -> Future[Any]:
        """Have a function run by whoever answers; any thread may ask, the answer is in the future.

        client: who asks, None for a part of ours; newest: what of the client it replaces if that still waits, for
        settings of which only the last counts; rest: it goes on with what the client asked before, and is its next.
        Too many at a time are refused."""
        request = _Request(function)
        with self._lock:
            replaced = None if client is None else self._queue(client, request, newest, rest)
            if client is None:
                self._own.append(request)
        if replaced is not None:
            replaced.cancel()
        self._asked.set()
        return request

    def _queue(self, client: Hashable, request: _Request, newest: Hashable, rest: bool) -> _Request | None:
        queue = self._queues.get(client, OrderedDict())
        replaced = None if newest is None else queue.pop(newest, None)
        if replaced is not None:
            self._waiting -= 1
        elif not rest and (len(queue) >= _MOST_OF_ONE or self._waiting >= _MOST):
            raise SimulationError("the simulation is busy with requests that came before; ask again later")
        key = request if newest is None else newest
        queue[key] = request
        if rest:
            queue.move_to_end(key, last=False)
        self._queues.setdefault(client, queue)
        self._waiting += 1
        return replaced

    def forget(self, client: Hashable) -> None:
        """A client has left: what it asked for and was not begun is not done."""
        with self._lock:
            queue = self._queues.pop(client, OrderedDict())
            self._waiting -= len(queue)
        for request in queue.values():
            request.cancel()

    def wait(self, seconds: float) -> bool:
        """Sleep, but not longer than until there is something to do; whether there is."""
        return self._asked.wait(seconds)

    def answer(self, budget: float | None = None) -> None:
        """Run what our own parts asked so far, then requests of clients in turns until the time is spent.

        budget: time for clients [s], 0: one of their requests; None: as set."""
        self._asked.clear()
        with self._lock:
            own, self._own = self._own, []
            left = self._waiting
        for request in own:
            request.run()
        end = time.perf_counter() + (self._budget if budget is None else budget)
        # Not more than was asked so far: who asks again and again has to wait for the next step too.
        while left > 0 and (turn := self._next()) is not None:
            turn.run()
            left -= 1
            if time.perf_counter() >= end:
                break
        if self._waiting:
            self._asked.set()

    def _next(self) -> _Request | None:
        """The oldest request of the client whose turn it is; then it is the others'."""
        with self._lock:
            if not self._queues:
                return None
            client, queue = self._queues.popitem(last=False)
            _, request = queue.popitem(last=False)
            if queue:
                self._queues[client] = queue
            self._waiting -= 1
            return request
