"""The way to external physics over the bus: packets on /robot/external/state and /robot/external/answer."""

from __future__ import annotations

import time

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.publisher import Publisher
from volery.bus.subscriber import Message, Subscriber
from volery.errors import VoleryError
from volery.physics.external import Link
from volery.physics.packets import Packet, StatePacket, decode_packet

__all__ = ["ANSWER", "STATE", "BusLink", "packet_of"]

STATE, ANSWER = "/{robot}/external/state", "/{robot}/external/answer"
_KIND = "std_msgs/msg/UInt8MultiArray"


def packet_of(message: Message | None) -> Packet | None:
    """The packet in a message; None if there is none, or none that can be read."""
    try:
        return None if message is None else decode_packet(bytes(message.value.data))
    except VoleryError:
        return None


class BusLink(Link):
    """Robots come to be known as their states are sent."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._ends: dict[str, tuple[Publisher, Subscriber]] = {}
        self._newest: dict[str, Packet] = {}
        self._seen: dict[str, Message] = {}

    def send(self, packet: StatePacket) -> None:
        """Tell the other side where a robot is."""
        publisher, _ = self._end(packet.robot)
        if publisher.wanted:
            publisher.put(m.packed(packet.encode()), packet.time_ns)

    def newest(self, robot: str) -> Packet | None:
        """The newest motion or wrench that came for a robot; one that cannot be read leaves the one before."""
        message = self._end(robot)[1].latest()
        if message is not None and message is not self._seen.get(robot):
            self._seen[robot] = message
            packet = packet_of(message)
            if packet is not None and packet.robot == robot:
                self._newest[robot] = packet
        return self._newest.get(robot)

    def wait(self, robot: str, step: int, timeout: float) -> Packet | None:
        """The answer to a step."""
        subscriber, end = self._end(robot)[1], time.monotonic() + timeout
        while True:
            packet = packet_of(subscriber.wait_next(max(end - time.monotonic(), 0.0)))
            if packet is not None and packet.robot == robot and packet.step == step:
                return packet
            if time.monotonic() >= end:
                return None

    def close(self) -> None:
        """End all topics."""
        for publisher, subscriber in self._ends.values():
            publisher.close()
            subscriber.close()
        self._ends = {}

    def _end(self, robot: str) -> tuple[Publisher, Subscriber]:
        if robot not in self._ends:
            publisher = self._bus.advertise(STATE.format(robot=robot), _KIND)
            self._ends[robot] = (publisher, self._bus.subscribe(ANSWER.format(robot=robot), _KIND, depth=8))
        return self._ends[robot]
