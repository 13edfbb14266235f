"""What is on the bus, as a table: who publishes, who listens, how often and how much."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from volery.bus.bus import Bus
from volery.bus.messages import text
from volery.bus.publisher import Publisher
from volery.bus.subscriber import Message

__all__ = ["COUNTS", "Counts", "Row", "Watch", "measure", "rows", "show", "table"]

COUNTS = "/volery/topics"
"""Where a process tells how much it has published: JSON, once a second."""
_REMEMBERED = 4
"""So many tellings make a rate: it follows within a few seconds."""


class Counts:
    """Tells what a process has published, once a second of wall time, so that listing topics disturbs none."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._publisher: Publisher = bus.advertise(COUNTS, "std_msgs/msg/String", shared=True)
        self._next = 0.0

    def __call__(self, simulation: Any) -> None:
        """A listener of a simulation."""
        now = time.monotonic()
        if now < self._next or not self._publisher.wanted:
            return
        self._next = now + 1.0
        counts = {p.topic: [p.count, p.bytes, p.overrun] for p in self._bus.publishers.values()}
        self._publisher.put(text(json.dumps({"wall": now, "topics": counts})), simulation.clock.now_ns)

    def close(self) -> None:
        """End the topic."""
        self._publisher.close()


@dataclass(frozen=True)
class Row:
    """A topic in the table."""

    topic: str
    message_type: str
    publishers: tuple[str, ...]
    subscribers: tuple[str, ...]
    count: int | None = None
    """Messages so far; None: its publisher does not tell."""
    rate: float | None = None
    """[Hz]."""
    bytes_per_second: float | None = None


class Watch:
    """Follows what processes tell of their topics, to say how often each one speaks."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._told: dict[str, deque[tuple[float, int, int]]] = {}
        self._subscriber = bus.subscribe(COUNTS, "std_msgs/msg/String", depth=16)

    def listen(self, seconds: float) -> None:
        """Take in what is told within so long [s]; 0: what was told so far."""
        end = time.monotonic() + seconds
        while (message := self._subscriber.wait_next(max(end - time.monotonic(), 0.0))) is not None:
            for topic, *told in _counts(message):
                self._told.setdefault(topic, deque(maxlen=_REMEMBERED)).append((told[0], int(told[1]), int(told[2])))

    def rows(self) -> list[Row]:
        """All topics of the network; counts and rates of those whose publishers tell."""
        found = [t for t in self._bus.topics() if t.topic != COUNTS]
        return [
            Row(t.topic, t.message_type, t.publishers, t.subscribers, *_rates(self._told.get(t.topic, ())))
            for t in found
        ]

    def close(self) -> None:
        """Stop listening."""
        self._subscriber.close()


def rows(bus: Bus, seconds: float = 2.2) -> list[Row]:
    """All topics of the network; counts and rates of those whose publishers tell, watched for so long [s]."""
    watch = Watch(bus)
    watch.listen(seconds)
    watch.close()
    return watch.rows()


def _counts(message: Message) -> Iterator[tuple[str, float, int, int]]:
    """What a process told; nothing of what cannot be read."""
    try:
        data = json.loads(message.value.data)
        for topic, (count, size, _) in data["topics"].items():
            yield topic, float(data["wall"]), int(count), int(size)
    except (ValueError, KeyError, TypeError, AttributeError):
        return


def _rates(told: Sequence[tuple[float, int, int]]) -> tuple[int | None, float | None, float | None]:
    """Count, rate and bytes a second from what was told first and last."""
    if not told:
        return None, None, None
    (t0, n0, b0), (t1, n1, b1) = told[0], told[-1]
    if t1 <= t0:
        return n1, None, None
    return n1, (n1 - n0) / (t1 - t0), (b1 - b0) / (t1 - t0)


def table(found: list[Row]) -> str:
    """The rows for people."""
    if not found:
        return "no topics: is a simulation running here, or should --connect say where?"
    width = max(len(r.topic) for r in found)
    kind = max(len(r.message_type) for r in found)
    head = f"{'topic':{width}}  {'type':{kind}}  {'packets':>9}  {'rate':>9}  {'bytes/s':>9}  publisher → subscribers"
    lines = [head]
    for r in found:
        count = "–" if r.count is None else str(r.count)
        rate = "–" if r.rate is None else f"{r.rate:.1f} Hz"
        size = "–" if r.bytes_per_second is None else _size(r.bytes_per_second)
        ends = f"{', '.join(r.publishers) or '–'} → {', '.join(r.subscribers) or '–'}"
        lines.append(f"{r.topic:{width}}  {r.message_type:{kind}}  {count:>9}  {rate:>9}  {size:>9}  {ends}")
    return "\n".join(lines)


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


def measure(bus: Bus, topic: str, seconds: float) -> tuple[int, float, float]:
    """Messages of a topic within a time, their rate [Hz] and bytes a second; disturbs like any subscriber."""
    subscriber = bus.subscribe(topic)
    first: Message | None = None
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        message = subscriber.wait_next(0.1)
        first = first or message
    subscriber.close()
    last = subscriber.latest()
    if first is None or last is None or subscriber.count < 2:
        return subscriber.count, 0.0, 0.0
    span = last.received - first.received
    return subscriber.count, (subscriber.count - 1) / span, subscriber.bytes / span


def show(value: Any, indent: int = 0) -> str:
    """A message for people: fields by line, long arrays shortened."""
    pad = "  " * indent
    lines = []
    for name, part in vars(value).items():
        if name.startswith("__"):
            continue
        if hasattr(part, "__msgtype__"):
            lines.append(f"{pad}{name}:\n{show(part, indent + 1)}")
        elif isinstance(part, list) and part and hasattr(part[0], "__msgtype__"):
            items = "\n".join(f"{pad}- \n{show(p, indent + 1)}" for p in part[:10])
            more = f"\n{pad}… {len(part) - 10} more" if len(part) > 10 else ""
            lines.append(f"{pad}{name}:\n{items}{more}")
        else:
            lines.append(f"{pad}{name}: {_short(part)}")
    return "\n".join(lines)


def _short(part: Any) -> str:
    if hasattr(part, "__len__") and not isinstance(part, str) and len(part) > 16:
        return f"[{', '.join(str(p) for p in part[:8])}, … {len(part)} values]"
    return str(part.tolist() if hasattr(part, "tolist") else part)
