"""What happened in a run, as lines for people: collisions, and what was done to it from outside."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, Literal

import numpy as np

from volery.bus.running import Running
from volery.core.clock import SECOND
from volery.viewer.messages import PageEvent

__all__ = ["EventLines"]

_KEPT = 200
"""Events that a page finds when it comes."""
_APART = SECOND // 2
"""Touching the same thing again within this time is the same collision [ns]."""
_MOST_TOUCHED = 10_000
"""Pairs of robot and thing that are remembered."""


class EventLines:
    """A listener of a simulation: notes in the loop, read in the viewer's thread."""

    def __init__(self) -> None:
        self.count = 0
        """Events so far."""
        self._kept: deque[PageEvent] = deque(maxlen=_KEPT)
        self._touched: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def __call__(self, simulation: Running) -> None:
        """Note what the step that has just been made brought."""
        now_ns = simulation.clock.now_ns
        for event in simulation.events:
            if not event.routine:
                self.add(now_ns, event.robot_name, "event", event.words())
        for name, robot in simulation.robots.items():
            if robot.contacts:
                self._note_contacts(now_ns, name, robot.contacts)

    def add(self, now_ns: int, robot: str, kind: Literal["collision", "event", "warning"], text: str) -> None:
        """Note an event."""
        with self._lock:
            self.count += 1
            self._kept.append(PageEvent(now_ns, robot, kind, text))

    def since(self, count: int) -> tuple[int, list[PageEvent]]:
        """How many there were so far, and those after the first `count`, as far as they are kept."""
        with self._lock:
            new = min(self.count - count, len(self._kept))
            return self.count, list(self._kept)[len(self._kept) - new :]

    def _note_contacts(self, now_ns: int, name: str, contacts: tuple[Any, ...]) -> None:
        if len(self._touched) > _MOST_TOUCHED:
            self._touched.clear()
        for contact in contacts:
            key = (name, contact.other)
            before = self._touched.get(key)
            self._touched[key] = now_ns
            # Time goes back when a run is reset or restored: that is a new contact too.
            if before is None or not 0 <= now_ns - before <= _APART:
                hard = float(np.linalg.norm(contact.impulse_W))
                self.add(now_ns, name, "collision", f"{contact.body} touched {contact.other} ({hard:.3g} N s)")
