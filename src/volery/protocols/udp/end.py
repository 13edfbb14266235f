"""Our end of a link of plain doubles: states out, answers in, each in its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from volery.bus.timing import LinkTiming
from volery.core.clock import SECOND, Rate
from volery.core.config import Checked, param
from volery.errors import ScenarioError
from volery.protocols.limits import Limits
from volery.protocols.udp.datagrams import Datagrams, address_of
from volery.protocols.udp.serial_line import SPEEDS, SerialLine

__all__ = ["End", "EndSettings", "doubles"]

_AGAIN = 0.05
"""How long an answer is waited for before a state is told once more [s of wall time]."""
_WHOLE = 2.0**53
"""Doubles hold all whole numbers below this."""

Answer = tuple[np.ndarray, int | None]
"""Numbers, and the number of the state that they answer, if they say so."""


@dataclass(frozen=True)
class EndSettings(Checked):
    """What all such links share."""

    port: int = param(0, low=0, high=65_535)
    """Where datagrams are taken; 0: any that is free."""
    host: str = "127.0.0.1"
    """Address of ours to listen at."""
    peer: str = ""
    """HOST:PORT that states go to from the beginning; none: to whoever spoke last."""
    serial: str = ""
    """A serial line in the place of UDP, such as /dev/ttyUSB0, or a pseudo-terminal; see README.md for its frames."""
    baud: int = 115_200
    """Of the serial line [bit/s]."""
    rate: float = param(100.0, above=0, high=1e4)
    """States a second [Hz of simulated time]."""
    exchange: Literal["free", "lockstep"] = "free"
    """free: the newest counts, the loop never waits; lockstep: each state is waited on for its answer."""
    timeout: float = param(0.1, above=0, high=3600.0)
    """The other side counts as gone when it is silent so long: wall time in lockstep, simulated time else [s]."""
    limits: Limits = field(default_factory=lambda: Limits(idle=10.0))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.serial and (self.peer or self.port):
            raise ScenarioError("a link by `serial` has neither `port` nor `peer`")
        if self.serial and self.baud not in SPEEDS:
            raise ScenarioError(f"baud: {self.baud} is not one of {', '.join(map(str, sorted(SPEEDS)))}")

    """`idle`: whoever spoke last, and is no `peer`, is told states for so long after its last word [s of wall time]."""


def doubles(data: bytes, count: int) -> Answer | None:
    """So many finite doubles, with or without the number of a state behind them; None: it is neither."""
    if len(data) not in (8 * count, 8 * count + 8):
        return None
    numbers = np.frombuffer(data, "<f8").astype(float)
    if not np.isfinite(numbers).all():
        return None
    if len(numbers) == count:
        return numbers, None
    number = float(numbers[count])
    if not 0.0 <= number < _WHOLE or number != int(number):
        return None
    return numbers[:count], int(number)


class End:
    """A socket with what came last. The loop tells and looks; a thread takes what comes."""

    def __init__(self, name: str, settings: EndSettings, count: int) -> None:
        """count: doubles of an answer."""
        self.name, self.settings = name, settings
        self.timing = LinkTiming(name)
        self.refused = 0
        """Datagrams that were none of ours."""
        self.number = 0
        """Of the last state that was told."""
        self.heard_ns: int | None = None
        """When the other side was last heard [ns]; None: not yet."""
        self.gone = False
        self._count = count
        self._last = b""
        self._newest: Answer | None = None
        self._came = threading.Condition()
        self._fixed = bool(settings.peer or settings.serial)
        """The other side is known from the beginning."""
        self._peer: tuple[Any, ...] | None = address_of(settings.peer) if settings.peer else None
        self._rate = Rate.of(settings.rate)
        self._datagrams: Datagrams | SerialLine
        if settings.serial:
            self._datagrams, self._peer = SerialLine(settings.serial, settings.baud, self._take, f"serial/{name}"), ()
        else:
            self._datagrams = Datagrams(settings.host, settings.port, self._take, f"udp/{name}", near=not settings.peer)
        self.port: int = self._datagrams.port
        self._heard = -1e9

    def start(self) -> None:
        """Begin to listen."""
        self._datagrams.start()

    def tell(self, now_ns: int, step_ns: int, state: Callable[[], np.ndarray]) -> None:
        """Send number, time [s] and a state, if it is time and there is somebody."""
        if self._peer is None or not self._rate.due(now_ns, step_ns):
            return
        if not self._fixed and time.monotonic() - self._heard > self.settings.limits.idle:
            # An address that anybody can have written: it is not sent to for ever.
            self._peer = None
            return
        self.number += 1
        self._last = np.concatenate([[self.number, now_ns / SECOND], state()]).astype("<f8").tobytes()
        self.timing.tell(self.number)
        self._datagrams.send(self._last, self._peer)

    def look(self, now_ns: int) -> tuple[np.ndarray | None, bool]:
        """What came for this step, if anything new did, and whether the other side has just been lost."""
        lockstep = self.settings.exchange == "lockstep"
        waits = lockstep and self.heard_ns is not None and not self.gone
        found = self._wait() if waits else self._look()
        if found is not None:
            self.heard_ns, self.gone = now_ns, False
            return found[0], False
        if self.gone or self.heard_ns is None:
            return None, False
        self.gone = lockstep or now_ns - self.heard_ns > self.settings.timeout * SECOND
        return None, self.gone

    def close(self) -> None:
        """Give the port back."""
        self._datagrams.close()

    def _look(self) -> Answer | None:
        with self._came:
            found, self._newest = self._newest, None
            return found

    def _wait(self) -> Answer | None:
        """The answer to the last state, which is told again and again since it may have got lost."""
        end = time.monotonic() + self.settings.timeout
        while True:
            with self._came:
                self._came.wait_for(self._answered, min(_AGAIN, max(end - time.monotonic(), 0.0)))
                if self._answered():
                    found, self._newest = self._newest, None
                    return found
            if time.monotonic() >= end:
                return None
            assert self._peer is not None
            self._datagrams.send(self._last, self._peer)

    def _answered(self) -> bool:
        return self._newest is not None and self._newest[1] in (None, self.number)

    def _take(self, data: bytes, sender: tuple[Any, ...]) -> None:
        found = doubles(data, self._count)
        if found is None:
            self.refused += 1
            return
        self.timing.hear(found[1])
        with self._came:
            self._newest, self._heard = found, time.monotonic()
            if not self._fixed:
                self._peer = sender
            self._came.notify_all()
