"""Who is inside: places, silence and unfinished bytes of the clients of a TCP door, who make room for each other."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Hashable

from volery.core.memory import give_back
from volery.protocols.limits import Limits

__all__ = ["Guests", "keep_alive", "looks_like_http"]

_FLOOD, _EBB = 8 << 20, 1 << 20
"""So many unfinished bytes are a flood, and with so few left it is over."""
_HTTP = re.compile(
    rb"\s*(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE) (?:/|\*|https?:|\S+ HTTP/)|PRI \* HTTP"
)


def looks_like_http(first: bytes) -> bool:
    """Whether the first bytes of a connection are a browser's: any web page can send a POST to loopback."""
    return _HTTP.match(first) is not None


def keep_alive(connection: socket.socket, limits: Limits) -> None:
    """Have the system notice when the other side is gone without a word."""
    with contextlib.suppress(OSError, AttributeError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, max(int(limits.keep_alive), 1))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, max(int(limits.keep_alive / 3), 1))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)


class _Guest:
    """One client's account."""

    __slots__ = ("close", "heard", "held", "known", "source")

    def __init__(self, source: str, close: Callable[[], None], now: float) -> None:
        self.source, self.close, self.heard = source, close, now
        self.known = False
        self.held = 0


class Guests:
    """The clients of a door. Any thread may call; `close` of a client is called without the lock."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._inside: dict[Hashable, _Guest] = {}
        self._lock = threading.Lock()
        self._bytes = 0
        self._peak = 0
        """Most unfinished bytes since memory was last given back."""

    def __contains__(self, who: Hashable) -> bool:
        return who in self._inside

    def __len__(self) -> int:
        return len(self._inside)

    @property
    def held(self) -> int:
        """Bytes of unfinished messages."""
        return self._bytes

    def enter(self, who: Hashable, source: str, close: Callable[[], None]) -> bool:
        """A client comes; false: there is no room for it. Who was silent longest makes room: first those that said
        nothing yet, then those that were silent for longer than `idle`. source: its address."""
        now = self._clock()
        with self._lock:
            same = [w for w, g in self._inside.items() if g.source == source]
            goes = None
            if len(same) >= self.limits.per_source:
                goes = self._silent(same, now)
            elif len(self._inside) >= self.limits.connections:
                goes = self._silent(list(self._inside), now)
            full = len(same) >= self.limits.per_source or len(self._inside) >= self.limits.connections
            if full and goes is None:
                return False
            gone = None if goes is None else self._drop(goes)
            self._inside[who] = _Guest(source, close, now)
        if gone is not None:
            gone.close()
        return True

    def hear(self, who: Hashable, *, known: bool = True) -> None:
        """A client said something; known: in the door's protocol."""
        guest = self._inside.get(who)
        if guest is not None:
            guest.heard = self._clock()
            guest.known = guest.known or known

    def hold(self, who: Hashable, count: int) -> None:
        """So many bytes of a client's message are there, and its end is not. Who holds too much goes."""
        with self._lock:
            guest = self._inside.get(who)
            if guest is None:
                return
            self._bytes += count - guest.held
            self._peak = max(self._peak, self._bytes)
            guest.held = count
            goes = who if count > self.limits.bytes_per_client else None
            if goes is None and self._bytes > self.limits.bytes_in_all:
                goes = max(self._inside, key=lambda w: self._inside[w].held)
            gone = None if goes is None else self._drop(goes)
        if gone is not None:
            gone.close()

    def leave(self, who: Hashable) -> None:
        """A client has gone."""
        with self._lock:
            self._drop(who)

    def sweep(self) -> int:
        """Send those away that have said nothing for too long since they came; how many. To be called about once a
        second: it also gives memory back when a flood is over."""
        if self._peak > _FLOOD and self._bytes < _EBB:
            self._peak = 0
            give_back()
        end = self._clock() - self.limits.idle
        with self._lock:
            late = [w for w, g in self._inside.items() if not g.known and g.heard < end]
            gone = [g for w in late if (g := self._drop(w)) is not None]
        for guest in gone:
            guest.close()
        return len(gone)

    def _silent(self, among: list[Hashable], now: float) -> Hashable | None:
        """Who is to make room; None: nobody can be asked to."""
        strangers = [w for w in among if not self._inside[w].known]
        quiet = [w for w in among if now - self._inside[w].heard > self.limits.idle]
        return min(strangers or quiet, key=lambda w: self._inside[w].heard, default=None)

    def _drop(self, who: Hashable) -> _Guest | None:
        guest = self._inside.pop(who, None)
        if guest is not None:
            self._bytes -= guest.held
        return guest
