"""A recording back on the bus: play, pause, seek, at any speed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from volery.bus.bus import Bus
from volery.bus.index import RecordingIndex
from volery.bus.publisher import Publisher
from volery.bus.record import Recorded
from volery.core.clock import SECOND
from volery.errors import BusError

__all__ = ["Replayer"]

_SHARED = ("/tf", "/tf_static", "/clock")
_NAP = 0.02
"""How long a pause or a wait goes without looking whether something changed [s]."""


class Replayer:
    """Publishes the messages of a recording under their topics, at their times. Any thread may call its methods."""

    def __init__(
        self, bus: Bus, path: Path | str, *, speed: float = 1.0, loop: bool = False, hold: bool = False
    ) -> None:
        """loop: begin again at the end; hold: stay at the end, paused, until told where to go."""
        self.bus = bus
        self.path = Path(path)
        self.loop = loop
        self.hold = hold
        self.now_ns = 0
        """Time in the recording."""
        self.sent = 0
        """Messages sent so far."""
        self.on_seek: Callable[[int], None] = lambda now_ns: None
        """Told of every jump before messages of there are sent: the time in the recording [ns]."""
        self.index = RecordingIndex(self.path)
        self.start_ns, self.end_ns = self.index.start_ns, self.index.end_ns
        self.speed = speed
        self._publishers: dict[str, Publisher] = {}
        self._playing = threading.Event()
        self._playing.set()
        self._stopped = threading.Event()
        self._target: int | None = self.start_ns

    @property
    def speed(self) -> float:
        """Factor of real time."""
        return self._speed

    @speed.setter
    def speed(self, factor: float) -> None:
        if not 0 < factor <= 1e6:
            raise BusError(f"speed {factor:g}: must be above 0 and at most 1000000")
        self._speed = factor
        self._anchor: tuple[float, int] | None = None

    @property
    def paused(self) -> bool:
        """Whether time stands still."""
        return not self._playing.is_set()

    def pause(self) -> None:
        """Hold."""
        self._playing.clear()

    def play(self) -> None:
        """Go on."""
        self._anchor = None
        self._playing.set()

    def seek(self, seconds: float) -> None:
        """Go to a time after the beginning of the recording [s]; the newest message of each topic before it is sent."""
        self._target = self.start_ns + round(min(max(seconds, 0.0), 1e9) * SECOND)

    def stop(self) -> None:
        """End `run`."""
        self._stopped.set()
        self._playing.set()

    def run(self) -> None:
        """Play to the end, or for ever; returns when stopped."""
        while not self._stopped.is_set():
            target, self._target = self._target, None
            self._anchor = None
            ended = self._play_from(self.start_ns if target is None else target)
            if ended and not self.loop and not self._holds():
                break
        self.index.close()

    def _play_from(self, start_ns: int) -> bool:
        """Whether the end was reached."""
        position = self.index.find(start_ns)
        self.now_ns = min(max(start_ns, self.start_ns), self.end_ns)
        self.on_seek(self.now_ns)
        for last in self.index.before(position):
            self._send(last)
        for message in self.index.messages(position):
            if not self._wait_for(message.stamp_ns):
                return False
            self._send(message)
        return True

    def _holds(self) -> bool:
        """At the end: whether to go on, which is when someone seeks or plays."""
        if self.hold and not self._stopped.is_set():
            self.pause()
            while self.paused and self._target is None and not self._stopped.is_set():
                self._playing.wait(_NAP)
        return self.hold

    def _wait_for(self, stamp_ns: int) -> bool:
        """Whether the message's time has come; false if the reading is to begin elsewhere."""
        while not self._stopped.is_set() and self._target is None:
            if self.paused:
                self._playing.wait(_NAP)
                continue
            if self._anchor is None:
                self._anchor = (time.monotonic(), stamp_ns)
            began, began_ns = self._anchor
            ahead = (stamp_ns - began_ns) / SECOND / self._speed - (time.monotonic() - began)
            if ahead <= 0:
                self.now_ns = max(stamp_ns, self.start_ns)
                return True
            time.sleep(min(ahead, _NAP))
        return False

    def _send(self, message: Recorded) -> None:
        if message.topic not in self._publishers:
            shared, latched = message.topic in _SHARED, message.topic in self.index.latched
            self._publishers[message.topic] = self.bus.advertise(
                message.topic, message.message_type, depth=1 if latched else 10, shared=shared, latched=latched
            )
        self._publishers[message.topic].put_bytes(message.data, message.stamp_ns)
        self.sent += 1
