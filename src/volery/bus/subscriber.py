"""The receiving side, with Links and Nodes' two ways to read: the latest at once, or the next when it comes."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import zenoh
import zenoh.ext

from volery.bus.keys import Attachment, ros_name
from volery.bus.types import decode

__all__ = ["Callback", "Message", "Subscriber"]


@dataclass(frozen=True)
class Message:
    """What came."""

    topic: str
    message_type: str | None
    data: bytes
    """CDR."""
    stamp_ns: int | None
    """When the sender made it, on the sender's clock: simulated time, if it is a simulation."""
    sequence: int | None
    received: float
    """time.monotonic() here [s]."""

    @cached_property
    def value(self) -> Any:
        """The message itself."""
        return decode(self.data, self.message_type or "")


Callback = Callable[[Message], None]


class Subscriber:
    """A topic that this process listens to."""

    def __init__(
        self, session: zenoh.Session, key: str, topic: str, depth: int, on_message: Callback | None,
        token: zenoh.LivelinessToken | None, latched: bool = False,
    ) -> None:  # fmt: skip
        """latched: what was published before is wanted, too."""
        self.topic = topic
        self.count = 0
        """Messages received."""
        self.bytes = 0
        self.lost = 0
        """Messages that never came, by gaps in the sender's count."""
        self.overrun = 0
        """Messages that came and were not read before `depth` newer ones."""
        self._unread: deque[Message] = deque(maxlen=depth)
        self._latest: Message | None = None
        self._sequences: dict[bytes, int] = {}
        self._on_message = on_message
        self._arrived = threading.Condition()
        self._token = token
        self._subscriber: Any
        if latched:
            history = zenoh.ext.HistoryConfig(detect_late_publishers=True, max_samples=depth)
            self._subscriber = zenoh.ext.declare_advanced_subscriber(session, key, self._receive, history=history)
        else:
            self._subscriber = session.declare_subscriber(key, self._receive)

    def latest(self) -> Message | None:
        """The newest message, read or not; None if none ever came. Never waits."""
        return self._latest

    def wait_next(self, timeout: float | None = None) -> Message | None:
        """The next unread message; waits for one, at most `timeout` [s]. None if none came."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: self._unread, timeout):
                return None
            return self._unread.popleft()

    @property
    def age(self) -> float | None:
        """Since the newest message came [s]."""
        return None if self._latest is None else time.monotonic() - self._latest.received

    def close(self) -> None:
        """Stop listening."""
        if self._subscriber is None:
            return
        subscriber: Any = self._subscriber
        self._subscriber = None
        subscriber.undeclare()
        if self._token is not None:
            self._token.undeclare()

    def _receive(self, sample: zenoh.Sample) -> None:
        attachment = None if sample.attachment is None else Attachment.decode(sample.attachment.to_bytes())
        kind = ros_name(str(sample.key_expr).split("/")[-2])
        stamp, sequence = (None, None) if attachment is None else (attachment.stamp_ns, attachment.sequence)
        message = Message(self.topic, kind, sample.payload.to_bytes(), stamp, sequence, time.monotonic())
        with self._arrived:
            if attachment is not None:
                self._count_lost(attachment)
            self.count += 1
            self.bytes += len(message.data)
            self.overrun += len(self._unread) == self._unread.maxlen
            self._unread.append(message)
            self._latest = message
            self._arrived.notify_all()
        if self._on_message is not None:
            self._on_message(message)

    def _count_lost(self, attachment: Attachment) -> None:
        before = self._sequences.get(attachment.publisher)
        if before is not None and attachment.sequence > before + 1:
            self.lost += attachment.sequence - before - 1
        self._sequences[attachment.publisher] = attachment.sequence
