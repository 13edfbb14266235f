"""The sending side: the loop puts a message down and goes on; a thread of its own carries it out."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import zenoh
import zenoh.ext

from volery.bus.keys import Attachment, Endpoint
from volery.bus.types import encode
from volery.errors import BusError

__all__ = ["Outbox", "Peek", "Publisher", "Tap"]

Tap = Callable[["Publisher", int, bytes | memoryview], None]
"""Told of every message before it is sent: publisher, stamp [ns], CDR bytes."""

Peek = Callable[["Publisher", int, Callable[[], "bytes | memoryview"]], None]
"""Told of one message: publisher, stamp [ns], and what gives its CDR bytes, to be called in any thread."""


class Outbox:
    """One thread that sends for all publishers, so that a network that is slow or gone never holds up the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Publisher] = deque()
        self._wake = threading.Condition()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)
        self._thread.start()

    def post(self, publisher: Publisher) -> None:
        """A publisher has one more message to send."""
        with self._wake:
            self._waiting.append(publisher)
            self._wake.notify()

    def close(self) -> None:
        """Send what waits, then end."""
        with self._wake:
            self._open = False
            self._wake.notify()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and self._open:
                    self._wake.wait()
                if not self._waiting:
                    return
                publisher = self._waiting.popleft()
            publisher.send()


class Publisher:
    """A topic of this process."""

    def __init__(
        self, session: zenoh.Session, key: str, endpoint: Endpoint, token: zenoh.LivelinessToken, outbox: Outbox,
        on_close: Callable[[Publisher], None],
    ) -> None:  # fmt: skip
        self.topic = endpoint.topic
        self.message_type = endpoint.message_type
        self.type_hash = endpoint.type_hash
        self.qos = endpoint.qos
        self.last: tuple[int, bytes | memoryview] | None = None
        """Stamp [ns] and bytes of the newest message, kept if the topic is latched."""
        self.count = 0
        """Messages put."""
        self.bytes = 0
        """Bytes put."""
        self.overrun = 0
        """Messages that newer ones overtook before the network took them."""
        self.taps: list[Tap] = []
        self.peek: Peek | None = None
        """Told of the next message only: for who wants some of the messages, not all of them made."""
        self._endpoint = endpoint
        self._outbox = outbox
        self._on_close = on_close
        self._token = token
        self._queue: deque[tuple[bytes | memoryview, bytes]] = deque()
        # Zenoh refuses to end what another thread is sending with.
        self._in_use = threading.Lock()
        self._publisher: Any
        self._listener: Any = None
        self._heard = True
        if self.qos.latched:
            self._publisher = _latched_publisher(session, key, self.qos.depth)
        else:
            self._publisher = session.declare_publisher(
                key, congestion_control=zenoh.CongestionControl.DROP, reliability=zenoh.Reliability.RELIABLE
            )
            self._heard = self._publisher.matching_status.matching
            self._listener = self._publisher.declare_matching_listener(self._matching)
        self._gid = bytes.fromhex(endpoint.session.rjust(24, "0")[:24]) + endpoint.entity_id.to_bytes(4, "little")

    @property
    def wanted(self) -> bool:
        """Whether anyone listens, or may come to: else there is no need to make messages."""
        return self._heard or bool(self.taps) or self.peek is not None

    def put(self, message: Any, stamp_ns: int) -> None:
        """Publish a message made at a time of the simulation; never waits."""
        self.put_bytes(encode(message), stamp_ns)

    def put_made(self, make: Callable[[], Any], stamp_ns: int) -> None:
        """Publish a message that `make` gives; if only a peek wants it, the one who peeks makes it, in its own thread.

        make: must give the same later: it may use readings, which never change, but not what the loop writes to.
        """
        if self._heard or self.taps:
            self.put(make(), stamp_ns)
        elif self.peek is not None:
            self.count += 1
            self._show(stamp_ns, lambda: encode(make()))

    def put_bytes(self, data: bytes | memoryview, stamp_ns: int) -> None:
        """Publish a message that is CDR already."""
        if self._token is None:
            raise BusError(f"topic {self.topic} was closed")
        self.count += 1
        self.bytes += len(data)
        if self.qos.latched:
            self.last = (stamp_ns, data)
        for tap in self.taps:
            tap(self, stamp_ns, data)
        if self.peek is not None:
            self._show(stamp_ns, lambda: data)
        if not self._heard:
            return
        if len(self._queue) >= self.qos.depth:
            self._queue.popleft()
            self.overrun += 1
        self._queue.append((data, Attachment(self.count, stamp_ns, self._gid).encode()))
        self._outbox.post(self)

    def _show(self, stamp_ns: int, give: Callable[[], bytes | memoryview]) -> None:
        peek, self.peek = self.peek, None
        if peek is not None:
            peek(self, stamp_ns, give)

    def send(self) -> None:
        """Hand the oldest waiting message to the network; called by the outbox."""
        try:
            data, attachment = self._queue.popleft()
            with self._in_use:
                self._publisher.put(bytes(data), attachment=attachment)
        except (IndexError, zenoh.ZError):
            # Overtaken by a newer one, or the session is closing.
            return

    def close(self) -> None:
        """End the topic."""
        if self._token is None:
            return
        token: Any = self._token
        self._token = None  # type: ignore[assignment]
        token.undeclare()
        if self._listener is not None:
            self._listener.undeclare()
        with self._in_use:
            self._publisher.undeclare()
        self._on_close(self)

    def _matching(self, status: zenoh.MatchingStatus) -> None:
        self._heard = status.matching


def _latched_publisher(session: zenoh.Session, key: str, depth: int) -> zenoh.ext.AdvancedPublisher:
    """One that keeps its last messages for who comes late, as rmw_zenoh does for transient local topics."""
    return zenoh.ext.declare_advanced_publisher(
        session,
        key,
        congestion_control=zenoh.CongestionControl.BLOCK,
        reliability=zenoh.Reliability.RELIABLE,
        cache=zenoh.ext.CacheConfig(max_samples=depth),
        publisher_detection=True,
    )
