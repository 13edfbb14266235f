"""A gate before which clients' threads wait while a step is made, and a bound on what they take when steps come late.

Python runs one thread at a time: when the loop calls compiled code, another thread may take its place, and the loop
waits to get it back. Threads that serve clients therefore pass this gate before every small piece of work.
"""

from __future__ import annotations

import threading
import time

__all__ = ["Gate"]

_SLICE = 0.0005
"""What a thread may do between two looks at the gate [s]."""
_LONGEST = 0.005
"""How long a step keeps a thread waiting [s]: in a long step, clients are served all the same."""
_SHARE = 0.4
"""Part of a core that threads of a kind together may take while steps come late."""
_BURST = 0.005
"""What they may take at once [s of processor time]."""
_LONGEST_PAUSE = 0.1
"""No thread waits longer for its share [s]."""
_PRESSED = 0.5
"""How long a late step counts [s]."""


class Gate:
    """Closed by the loop while it makes a step; any other thread may `pass_through`."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._open.set()
        self._pressed_until = 0.0
        self._own = threading.local()
        self._lock = threading.Lock()
        self._budgets: dict[str, tuple[float, float]] = {}

    def press(self) -> None:
        """A step came late: clients' threads are to leave the processor to the loop for a while."""
        self._pressed_until = time.monotonic() + _PRESSED

    def pass_through(self, kind: str = "calls") -> None:
        """Wait for the end of the step, but not for ever; and for what this thread took before, if steps come late.

        kind: threads of a kind share a budget, so that long work does not keep short calls waiting."""
        now = time.monotonic()
        if now < getattr(self._own, "until", 0.0):
            return
        if not self._open.is_set():
            self._open.wait(_LONGEST)
        if now < self._pressed_until:
            wait = self._pay(kind)
            if wait > 0.0:
                time.sleep(wait)
        self._own.until = time.monotonic() + _SLICE

    def _pay(self, kind: str) -> float:
        """Take what this thread has used since it last paid from the common budget; how long to wait for more [s]."""
        used, now = time.thread_time(), time.monotonic()
        spent = min(used - getattr(self._own, "used", used), _BURST * 4)
        self._own.used = used
        with self._lock:
            before, filled = self._budgets.get(kind, (_BURST, now))
            left = min(before + _SHARE * (now - filled), _BURST) - spent
            self._budgets[kind] = (left, now)
        return min(max(-left / _SHARE, 0.0), _LONGEST_PAUSE)

    def __enter__(self) -> None:
        """The step begins."""
        self._open.clear()

    def __exit__(self, *_: object) -> None:
        """The step has ended."""
        self._open.set()
