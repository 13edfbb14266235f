"""How well a link keeps time: answers that did not come in time, jitter, and round trips; the same for all links."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.running import Running
from volery.bus.types import message_class
from volery.core.clock import SECOND
from volery.physics.external import Link
from volery.physics.packets import Packet, StatePacket

__all__ = ["LinkTiming", "TimedLink", "TimingReport", "timing_table"]

_KEPT = 100_000
"""Intervals and round trips that are kept for the report."""
_OPEN = 1000
"""States that are waited on for an answer."""


class LinkTiming:
    """Of one link to one robot's other side. A period is from one state that is sent to the next; a deadline is missed
    when nothing new came in it. Wall time: it is the other side's speed that is measured. Any thread may call."""

    def __init__(self, name: str, clock: Callable[[], float] = time.perf_counter) -> None:
        """clock: gives seconds."""
        self.name = name
        self.sent = self.heard = self.misses = self.longest_gap = 0
        """States told, answers, periods without one, and most such periods in a row; none count before the first."""
        self._clock = clock
        self._gap = 0
        self._fresh = False
        self._last: float | None = None
        self._open: OrderedDict[int, float] = OrderedDict()
        self._intervals: deque[float] = deque(maxlen=_KEPT)
        self._trips: deque[float] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()

    def tell(self, number: int) -> None:
        """A state goes out now; a period ends and another begins."""
        with self._lock:
            if self.heard:
                self._gap = 0 if self._fresh else self._gap + 1
                self.misses += not self._fresh
                self.longest_gap = max(self.longest_gap, self._gap)
            self._fresh = False
            self.sent += 1
            self._open[number] = self._clock()
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)

    def hear(self, number: int | None = None) -> None:
        """Something new has come; number: of the state that it answers, if it says so."""
        with self._lock:
            now = self._clock()
            if self._last is not None:
                self._intervals.append(now - self._last)
            self._last = now
            self._fresh = True
            self.heard += 1
            began = None if number is None else self._open.pop(number, None)
            if began is not None:
                self._trips.append(now - began)

    def report(self) -> dict[str, float]:
        """Counts; rate [Hz]; jitter, the standard deviation between answers, and round trips [ms]; NaN: not known."""
        with self._lock:
            gaps, trips = 1e3 * np.array(self._intervals), 1e3 * np.array(self._trips)
        known, went = len(gaps) > 1, len(trips) > 0
        return {
            "sent": self.sent, "heard": self.heard, "missed": self.misses, "longest_gap": self.longest_gap,
            "rate": 1e3 / float(gaps.mean()) if known else np.nan, "jitter": float(gaps.std()) if known else np.nan,
            "round_trip": float(np.median(trips)) if went else np.nan,
            "round_trip_99": float(np.percentile(trips, 99)) if went else np.nan,
            "round_trip_most": float(trips.max()) if went else np.nan,
        }  # fmt: skip


class TimedLink(Link):
    """Any link of external physics, timed robot by robot."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.timings: dict[str, LinkTiming] = {}
        self._told: dict[str, int] = {}
        self._seen: dict[str, Packet] = {}

    def send(self, packet: StatePacket) -> None:
        """Tell the other side; the same state told again is not counted twice."""
        if self._told.get(packet.robot) != packet.step:
            self._told[packet.robot] = packet.step
            self._timing(packet.robot).tell(packet.step)
        self.link.send(packet)

    def newest(self, robot: str) -> Packet | None:
        """The newest that came."""
        return self._note(robot, self.link.newest(robot))

    def wait(self, robot: str, step: int, timeout: float) -> Packet | None:
        """The answer to a step."""
        return self._note(robot, self.link.wait(robot, step, timeout))

    def close(self) -> None:
        """End the connection."""
        self.link.close()

    def _timing(self, robot: str) -> LinkTiming:
        return self.timings.setdefault(robot, LinkTiming(robot))

    def _note(self, robot: str, packet: Packet | None) -> Packet | None:
        if packet is not None and packet is not self._seen.get(robot):
            self._seen[robot] = packet
            self._timing(robot).hear(packet.step)
        return packet


class TimingReport:
    """A listener that puts all links on the topic /links, once a second of simulated time."""

    def __init__(self, bus: Bus, timings: Callable[[], list[LinkTiming]]) -> None:
        """timings: gives all there are now."""
        self._timings = timings
        self._publisher = bus.advertise("/links", "diagnostic_msgs/msg/DiagnosticArray")
        self._next_ns = 0

    def __call__(self, simulation: Running) -> None:
        """Publish when it is time."""
        now = simulation.clock.now_ns
        if now < self._next_ns or not self._publisher.wanted:
            return
        self._next_ns = now - now % SECOND + SECOND
        states = [_status(t) for t in self._timings()]
        kind = message_class("diagnostic_msgs/msg/DiagnosticArray")
        self._publisher.put(kind(header=m.header(now, ""), status=states), now)

    def close(self) -> None:
        """End the topic."""
        self._publisher.close()


def _status(timing: LinkTiming) -> Any:
    report = timing.report()
    value, status = (message_class(f"diagnostic_msgs/msg/{k}") for k in ("KeyValue", "DiagnosticStatus"))
    level = 2 if report["longest_gap"] > 10 else 1 if report["missed"] else 0
    values = [value(key=k, value=f"{v:g}") for k, v in report.items()]
    words = f"{report['missed']} of {report['sent']} deadlines missed"
    return status(level=level, name=timing.name, message=words, hardware_id="", values=values)


def timing_table(timings: list[LinkTiming]) -> str:
    """All links as lines of text; empty if there are none."""
    lines = []
    for timing in timings:
        r = timing.report()
        if not r["sent"]:
            continue
        trips = f"{r['round_trip']:.2f} ms median, {r['round_trip_99']:.2f} ms 99 %, {r['round_trip_most']:.2f} ms most"
        lines.append(
            f"link {timing.name}: {r['heard']} answers to {r['sent']} states, {r['missed']} deadlines missed "
            f"({r['longest_gap']} in a row), {r['rate']:.1f} Hz, jitter {r['jitter']:.2f} ms, round trip {trips}"
        )
    return "\n".join(lines)
