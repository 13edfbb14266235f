"""Work that is done when its result is first asked for, once, in whichever thread asks or was told to do it ahead."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

__all__ = ["Deferred"]

T = TypeVar("T")


class Deferred(Generic[T]):
    """A value that may still have to be made."""

    _worker: ThreadPoolExecutor | None = None

    def __init__(self, make: Callable[[], T], asked: Callable[[], None] | None = None) -> None:
        """make: a pure function of what it holds; asked: told when somebody first wants the value."""
        self._make: Callable[[], T] | None = make
        self._asked = asked
        self._value: T | None = None
        self._error: Exception | None = None
        self._lock = threading.Lock()

    @property
    def done(self) -> bool:
        """Whether it has been made."""
        return self._make is None

    def result(self) -> T:
        """The value, made now if it has not been; what went wrong then is raised each time."""
        asked, self._asked = self._asked, None
        if asked is not None:
            asked()
        self._do()
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]

    def begin(self) -> None:
        """Have a background thread make it; who asks before that has begun makes it itself."""
        if Deferred._worker is None:
            Deferred._worker = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        Deferred._worker.submit(self._do)

    def _do(self) -> None:
        with self._lock:
            if self._make is None:
                return
            try:
                self._value = self._make()
            except Exception as error:
                self._error = error
            self._make = None
