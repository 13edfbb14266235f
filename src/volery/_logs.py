"""The same message at most once a second, with a count: a flood costs neither the disk nor who reads the log."""

from __future__ import annotations

import atexit
import copy
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["CALM", "Calm"]

_EVERY = 1.0
"""The same message comes again after this time at the earliest [s]."""
_MOST_ALIKE = 20
"""Messages of one kind, with different values in them, within that time."""
_MOST_KEPT = 1000
"""Messages that are remembered; of more, the oldest is forgotten."""


@dataclass
class _Said:
    """A message, or a kind of them, that was let through."""

    at: float
    record: logging.LogRecord
    count: int = 1
    more: int = 0
    """Held back since."""


class Calm(logging.Filter):
    """Lets a message through once a second; those held back are told as a count, though nothing else is logged."""

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._logger, self._clock = logger, clock
        self._same: dict[tuple[int, str], _Said] = {}
        self._alike: dict[tuple[int, str], _Said] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is let through."""
        try:
            text = record.getMessage()
        except (TypeError, ValueError):
            return True
        with self._lock:
            same, alike = (record.levelno, text), (record.levelno, str(record.msg))
            if self._holds(self._same, same, 1) or self._holds(self._alike, alike, _MOST_ALIKE):
                self._wind()
                return False
            more = self._note(self._same, same, record) + self._note(self._alike, alike, record)
            if more:
                # The timer is late; the count is not lost.
                record.msg, record.args = f"{text} (× {more + 1})", ()
            return True

    def tell(self, *, all_: bool = False) -> None:
        """Log the counts that are due; all_: those that are not yet, too."""
        with self._lock:
            now, self._timer = self._clock(), None
            due = [(s, "×") for s in self._same.values()] + [(s, "and alike ×") for s in self._alike.values()]
            due = [(s, word) for s, word in due if s.more and (all_ or now - s.at >= _EVERY)]
            told = [_counted(said, word) for said, word in due]
            for said, _ in due:
                said.at, said.count, said.more = now, 1, 0
            self._wind()
        for record in told:
            self._logger.callHandlers(record)

    def clear(self) -> None:
        """Forget what was said."""
        with self._lock:
            self._same.clear()
            self._alike.clear()

    def _holds(self, kept: dict[tuple[int, str], _Said], key: tuple[int, str], most: int) -> bool:
        """Whether so many were let through within the last second; then one more is counted."""
        said = kept.get(key)
        if said is None or said.count < most or self._clock() - said.at >= _EVERY:
            return False
        said.more += 1
        return True

    def _note(self, kept: dict[tuple[int, str], _Said], key: tuple[int, str], record: logging.LogRecord) -> int:
        """One is let through; how many were held back before it and not told yet."""
        now, said = self._clock(), kept.get(key)
        if said is not None and now - said.at < _EVERY:
            said.count += 1
            return 0
        kept.pop(key, None)
        if len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)))
        kept[key] = _Said(now, copy.copy(record))
        return 0 if said is None else said.more

    def _wind(self) -> None:
        """See to it that the counts are told."""
        if self._timer is None and any(s.more for s in (*self._same.values(), *self._alike.values())):
            self._timer = threading.Timer(_EVERY, self.tell)
            self._timer.daemon = True
            self._timer.start()


def _counted(said: _Said, word: str) -> logging.LogRecord:
    record = copy.copy(said.record)
    record.msg, record.args, record.exc_info, record.exc_text = (
        f"{said.record.getMessage()} ({word} {said.more})", (), None, None,
    )  # fmt: skip
    return record


CALM = Calm(logging.getLogger("volery"))
"""Of all that Volery logs."""
logging.getLogger("volery").addFilter(CALM)
atexit.register(CALM.tell, all_=True)
