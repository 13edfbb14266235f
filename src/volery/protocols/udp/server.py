"""Plain UDP for physics and control elsewhere: what MATLAB, Octave, C or anything else with a socket can speak."""

from __future__ import annotations

import threading
import time
from typing import Any

from volery.errors import VoleryError
from volery.physics.external import Link
from volery.physics.packets import Hello, Packet, StatePacket, decode_packet
from volery.protocols.udp.datagrams import Datagrams

__all__ = ["UdpLink"]

_MOST_ROBOTS = 10_000
_SILENT = 60.0
"""Who says nothing for so long is told nothing more [s]."""
_LATE = 1000
"""A packet cannot be later than this many steps: it is of another run."""


class UdpLink(Link):
    """A socket on loopback. Whoever last spoke for a robot is sent its states."""

    def __init__(self, port: int = 9870, host: str = "127.0.0.1") -> None:
        self._datagrams = Datagrams(host, port, self._take)
        self.port: int = self._datagrams.port
        self.refused = 0
        """Packets that could not be read."""
        self._others: dict[str, tuple[tuple[Any, ...], float]] = {}
        """By robot, who spoke for it, and when [s]."""
        self._newest: dict[str, Packet] = {}
        self._came = threading.Condition()
        self._datagrams.start()

    def send(self, packet: StatePacket) -> None:
        """Tell the other side where a robot is, if there is one."""
        other, heard = self._others.get(packet.robot, ((), 0.0))
        if other and time.monotonic() - heard < _SILENT:
            self._datagrams.send(packet.encode(), other)

    def newest(self, robot: str) -> Packet | None:
        """The newest motion or wrench that came for a robot."""
        return self._newest.get(robot)

    def wait(self, robot: str, step: int, timeout: float) -> Packet | None:
        """The answer to a step."""
        end = time.monotonic() + timeout
        with self._came:
            while True:
                packet = self._newest.get(robot)
                if packet is not None and packet.step == step:
                    return packet
                if not self._came.wait(max(end - time.monotonic(), 0.0)) and time.monotonic() >= end:
                    return None

    def close(self) -> None:
        """Give the port back."""
        self._datagrams.close()

    def _take(self, data: bytes, sender: tuple[Any, ...]) -> None:
        try:
            packet = decode_packet(data)
        except VoleryError:
            self.refused += 1
            return
        known = packet.robot in self._others or len(self._others) < _MOST_ROBOTS
        if isinstance(packet, StatePacket) or not known:
            self.refused += 1
            return
        with self._came:
            self._others[packet.robot] = (sender, time.monotonic())
            if not isinstance(packet, Hello) and self._is_newer(packet):
                self._newest[packet.robot] = packet
            self._came.notify_all()

    def _is_newer(self, packet: Packet) -> bool:
        """Packets may overtake each other: an older one does not count, unless the simulation began anew."""
        before = self._newest.get(packet.robot)
        return before is None or packet.step >= before.step or before.step - packet.step > _LATE
