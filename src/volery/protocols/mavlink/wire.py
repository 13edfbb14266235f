"""The socket of a vehicle: who may speak, how much of it is read, and what each is sent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from volery.errors import BusError
from volery.protocols.mavlink.dialect import AUTOPILOT, mav
from volery.protocols.mavlink.frames import messages_of
from volery.protocols.udp.datagrams import Datagrams

__all__ = ["MavlinkSocket", "Peer"]

_MOST_PEERS = 32
_SILENT = 60.0
"""A peer that says nothing for so long is forgotten, unless it is a station of the settings [s of wall time]."""
_RATE, _BURST = 1000.0, 500.0
"""Datagrams a second that are read of one peer, and how many at once."""
_STRANGE_RATE, _STRANGE_BURST = 200.0, 100.0
"""The same of all together that have not yet sent a valid frame."""


class _Bucket:
    """Lets so many through a second, and some more at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left, self._at = rate, burst, burst, time.monotonic()

    def take(self, now: float) -> bool:
        """Whether one more may pass."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Peer:
    """Someone at the other end: an address, and what it is sent at which interval."""

    def __init__(self, address: tuple[Any, ...], system: int, *, fixed: bool = False) -> None:
        self.address, self.fixed = address, fixed
        self.heard = time.monotonic()
        """When it last spoke [s of wall time]."""
        self.version1 = False
        """Whether it speaks MAVLink 1 only."""
        self.intervals: dict[int, int] = {}
        """Of messages, by their number [ns of simulated time]."""
        self.due: dict[int, int] = {}
        self.bucket = _Bucket(_RATE, _BURST)
        self._system = system
        self._packers: dict[int, Any] = {}

    def pack(self, message: Any, component: int) -> bytes:
        """Bytes of a message, numbered for this peer; none if its version of MAVLink has no such message."""
        if self.version1 and message.get_msgId() > 255:
            return b""
        packer = self._packers.get(component)
        if packer is None:
            packer = self._packers[component] = mav.MAVLink(None, self._system, component)
        data = bytes(message.pack(packer, force_mavlink1=self.version1))
        packer.seq = (packer.seq + 1) % 256
        return data


class MavlinkSocket:
    """A vehicle's socket. Stations of the settings are told at once, others after their first valid frame."""

    def __init__(self, host: str, port: int, system: int, take: Callable[[Any, Peer], None]) -> None:
        """take: see `handler`."""
        self.refused = 0
        """Datagrams that were no MAVLink, or too many."""
        self._system = system
        self.handler = take
        """Is given each message, in the socket's own thread."""
        self._peers: dict[tuple[Any, ...], Peer] = {}
        self._lock = threading.Lock()
        self._strangers = _Bucket(_STRANGE_RATE, _STRANGE_BURST)
        self._datagrams = Datagrams(host, port, self._hear, f"mavlink/{system}")
        self.port: int = self._datagrams.port

    def start(self, stations: list[tuple[Any, ...]]) -> None:
        """Begin to read, with those who are told unasked."""
        for address in stations:
            self._peers[address] = Peer(address, self._system, fixed=True)
        self._datagrams.start()

    @property
    def peers(self) -> list[Peer]:
        """All that are told now."""
        with self._lock:
            return list(self._peers.values())

    def send(self, message: Any, component: int = AUTOPILOT, to: Peer | None = None) -> None:
        """Tell a peer, or all."""
        with self._lock:
            for peer in list(self._peers.values()) if to is None else [to]:
                data = peer.pack(message, component)
                if data:
                    self._datagrams.send(data, peer.address)

    def close(self) -> None:
        """Give the port back."""
        self._datagrams.close()

    def _hear(self, data: bytes, sender: tuple[Any, ...]) -> None:
        now, peer = time.monotonic(), self._peers.get(sender)
        bucket = self._strangers if peer is None else peer.bucket
        try:
            messages = messages_of(data) if bucket.take(now) else []
        except BusError:
            messages = []
        if not messages:
            self.refused += 1
            return
        peer = peer or self._welcome(sender, now)
        if peer is None:
            return
        peer.heard, peer.version1 = now, data[0] == mav.PROTOCOL_MARKER_V1
        for message in messages:
            self.handler(message, peer)

    def _welcome(self, sender: tuple[Any, ...], now: float) -> Peer | None:
        """Room for one more, if someone has left."""
        with self._lock:
            gone = [a for a, p in self._peers.items() if not p.fixed and now - p.heard > _SILENT]
            for address in gone:
                del self._peers[address]
            if len(self._peers) >= _MOST_PEERS:
                self.refused += 1
                return None
            return self._peers.setdefault(sender, Peer(sender, self._system))
