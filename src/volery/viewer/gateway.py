"""Topics of the bus for pages: each that is wanted once, its newest message, no more often than someone looks.

Of this process's own topics a message is only made when its time has come (`Publisher.peek`), and made here rather than
in the loop: a page that shows an IMU ten times a second does not cost the loop a thousand messages. Topics of other
processes are subscribed to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from volery.bus.bus import Bus
from volery.bus.frames import pack
from volery.bus.publisher import Publisher
from volery.bus.subscriber import Message, Subscriber
from volery.errors import BusError
from volery.viewer.messages import PageTopicHeader, plain_message

__all__ = ["Gateway", "Pacer", "TopicFrame"]

_EARLY = 0.25
"""Share of a period by which a message may come early: a sensor of just the rate that is wanted is not halved."""


class Pacer:
    """Says when the next of something is due that is to happen so often [Hz]."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._due = 0.0

    def due(self, now: float) -> bool:
        """Whether the time has come."""
        return now >= self._due - _EARLY / self.rate

    def done(self, now: float) -> None:
        """It has happened."""
        self._due = max(self._due + 1.0 / self.rate, now + (1.0 - 2.0 * _EARLY) / self.rate)


@dataclass(frozen=True)
class TopicFrame:
    """A message of a topic, ready to be sent."""

    topic: str
    frame: bytes


_Found = tuple[str, int, int, Callable[[], "bytes | memoryview"]]
"""Type, stamp [ns] and number of a message, and what gives its bytes."""


class _TopicSource:
    """A topic that some page wants."""

    def __init__(self, bus: Bus, topic: str, rate: float) -> None:
        self.pacer = Pacer(rate)
        self._bus = bus
        self._topic = topic
        self._subscriber: Subscriber | None = None
        self._read: Message | None = None
        self._new: _Found | None = None
        """A message that was not sent yet."""

    def frame(self, now: float) -> bytes | None:
        """The newest message, if one has come that is due."""
        if not self.pacer.due(now):
            return None
        found = self._newest()
        if found is None:
            return None
        self.pacer.done(now)
        kind, stamp_ns, number, give = found
        data = give()
        head = PageTopicHeader("topic", self._topic, kind, stamp_ns, number)
        return pack(plain_message(head), {"cdr": np.frombuffer(data, np.uint8)})

    def close(self) -> None:
        """No page wants it any more."""
        publisher = self._bus.publishers.get(self._topic)
        if publisher is not None and publisher.peek == self._take:
            publisher.peek = None
        if self._subscriber is not None:
            self._subscriber.close()

    def _newest(self) -> _Found | None:
        if self._new is not None:
            found, self._new = self._new, None
            return found
        publisher = self._bus.publishers.get(self._topic)
        if publisher is not None:
            publisher.peek = self._take
            return None
        if self._subscriber is None:
            self._subscriber = self._bus.subscribe(self._topic)
        message = self._subscriber.latest()
        if message is None or message is self._read:
            return None
        self._read = message
        return message.message_type or "", message.stamp_ns or 0, message.sequence or 0, lambda: message.data

    def _take(self, publisher: Publisher, stamp_ns: int, give: Callable[[], bytes | memoryview]) -> None:
        """In the loop's thread: only take hold of it."""
        self._new = (publisher.message_type, stamp_ns, publisher.count, give)


class Gateway:
    """All topics that pages want, on one bus. Used in the viewer's thread."""

    def __init__(self, bus: Bus | None) -> None:
        """bus: None: there are no topics."""
        self._bus = bus
        self._sources: dict[str, _TopicSource] = {}

    def want(self, topics: dict[str, float]) -> None:
        """Topics that any page wants, with the highest rate [Hz] that one does."""
        for topic in self._sources.keys() - topics.keys():
            self._sources.pop(topic).close()
        for topic, rate in topics.items():
            if topic in self._sources:
                self._sources[topic].pacer.rate = rate
            elif self._bus is not None:
                self._sources[topic] = _TopicSource(self._bus, topic, rate)

    def collect(self, now: float) -> list[TopicFrame]:
        """Messages that have come and are due, now [s]."""
        found = []
        for topic, source in self._sources.items():
            try:
                frame = source.frame(now)
            except BusError:  # the bus is closing
                continue
            if frame is not None:
                found.append(TopicFrame(topic, frame))
        return found

    def close(self) -> None:
        """End all subscriptions."""
        self.want({})
