"""The ROS 1 side of `volery ros1`: a node that publishes and listens for the process at the other end of a socket.

It runs in the Python that has rospy, which is not ours, so it needs nothing of Volery. Messages pass as bytes: no
package of messages has to be there either. Frames both ways: u32 length of the rest, u8 kind, u16 length of the topic,
topic, payload.

to the node    P publish: JSON of type, md5, text    S subscribe: the same    M message    E end of a topic or service
               V service: JSON of type, md5          A answer: u32 number, response
from the node  R ready    W wanted: 1 or 0, whether anybody listens to a topic    M message    X: why it ends
               Q request: u32 number, request
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import threading
from typing import Any

HEAD = struct.Struct("<IBH")
NUMBER = struct.Struct("<I")
PATIENCE = 30.0
"""How long an answer is waited for [s]."""


class Line:
    """The socket."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._lock = threading.Lock()

    def send(self, kind: str, topic: str, payload: bytes = b"") -> None:
        """One frame, from any thread."""
        name = topic.encode()
        data = HEAD.pack(3 + len(name) + len(payload), ord(kind), len(name)) + name + payload
        with self._lock:
            self._socket.sendall(data)

    def receive(self) -> tuple[str, str, bytes] | None:
        """Kind, topic and payload of the next frame; None at the end."""
        head = self._take(HEAD.size)
        if head is None:
            return None
        length, kind, size = HEAD.unpack(head)
        rest = self._take(length - 3)
        return None if rest is None else (chr(kind), rest[:size].decode(), rest[size:])

    def _take(self, count: int) -> bytes | None:
        parts = []
        while count > 0:
            part = self._socket.recv(min(count, 1 << 20))
            if not part:
                return None
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


class Node:
    """Publishers and subscribers by topic."""

    def __init__(self, line: Line, rospy: Any) -> None:
        self._line, self._rospy = line, rospy
        self._publishers: dict[Any, Any] = {}
        self._subscribers: dict[Any, Any] = {}
        self._services: dict[str, Any] = {}
        self._asked: dict[int, Any] = {}
        self._count = 0
        self._lock = threading.Lock()

    def take(self, kind: str, topic: str, payload: bytes) -> None:
        """Do what a frame says."""
        if kind == "P":
            self._publish(topic, json.loads(payload.decode()))
        elif kind == "S":
            self._subscribe(topic, json.loads(payload.decode()))
        elif kind == "M":
            publisher, make = self._publishers[topic]
            message = make()
            message._buff = payload
            publisher.publish(message)
        elif kind == "V":
            self._serve(topic, json.loads(payload.decode()))
        elif kind == "A":
            (number,) = NUMBER.unpack(payload[: NUMBER.size])
            waiting = self._asked.pop(number, None)
            if waiting is not None:
                waiting.append(payload[NUMBER.size :])
                waiting[0].set()
        elif kind == "E":
            if topic in self._services:
                self._services.pop(topic).shutdown("it has ended")
            for table in (self._publishers, self._subscribers):
                if topic in table:
                    table.pop(topic)[0].unregister()

    def _serve(self, name: str, about: dict[str, str]) -> None:
        """Answer a service with what the other end answers."""
        request, response = (self._part(about, part) for part in ("Request", "Response"))
        values = {"_type": about["type"], "_md5sum": about["md5"]}
        service = type("RawService", (), {**values, "_request_class": request, "_response_class": response})

        def ask(message: Any) -> Any:
            waiting: list[Any] = [threading.Event()]
            with self._lock:
                self._count += 1
                number = self._count
            self._asked[number] = waiting
            self._line.send("Q", name, NUMBER.pack(number) + (message._buff or b""))
            if not waiting[0].wait(PATIENCE):
                self._asked.pop(number, None)
                raise self._rospy.ServiceException("the simulation did not answer")
            made = response()
            made._buff = waiting[1]
            return made

        self._services[name] = self._rospy.Service(name, service, ask)

    def _part(self, about: dict[str, str], part: str) -> type:
        """A request or response that is bytes."""
        values = {"_type": about["type"] + part, "_md5sum": "*", "_full_text": "", "__slots__": ["_buff"]}
        return type("Raw" + part, (self._rospy.AnyMsg,), values)

    def _class(self, about: dict[str, str]) -> type:
        """A message class that is bytes of a type."""
        values = {"_type": about["type"], "_md5sum": about["md5"], "_full_text": about["text"], "__slots__": ["_buff"]}
        return type("Raw", (self._rospy.AnyMsg,), values)

    def _publish(self, topic: str, about: dict[str, Any]) -> None:
        line = self._line

        class Listeners(self._rospy.SubscribeListener):  # type: ignore[misc, name-defined]
            def peer_subscribe(self, name: str, publish: Any, publish_to_peer: Any) -> None:
                line.send("W", topic, b"1")

            def peer_unsubscribe(self, name: str, left: int) -> None:
                line.send("W", topic, b"1" if left > 0 else b"0")

        make = self._class(about)
        publisher = self._rospy.Publisher(
            topic, make, subscriber_listener=Listeners(), queue_size=10, tcp_nodelay=True,
            latch=bool(about.get("latched")),
        )  # fmt: skip
        self._publishers[topic] = (publisher, make)

    def _subscribe(self, topic: str, about: dict[str, str]) -> None:
        def take(message: Any) -> None:
            self._line.send("M", topic, message._buff)

        made = self._rospy.Subscriber(topic, self._class(about), take, queue_size=100, tcp_nodelay=True)
        self._subscribers[topic] = (made,)


def main() -> None:
    """Arguments: number of the socket, name of the node, 1 if all of ROS is to go by the simulation's clock."""
    line = Line(socket.socket(fileno=int(sys.argv[1])))
    import rosgraph
    import rospy

    if not rosgraph.is_master_online():
        line.send("X", "", f"no ROS master answers at {rosgraph.get_master_uri()}; start roscore".encode())
        return
    if sys.argv[3] == "1":
        rospy.set_param("/use_sim_time", True)
    rospy.init_node(sys.argv[2], anonymous=False, disable_signals=True, disable_rostime=True)
    node = Node(line, rospy)
    line.send("R", "", rosgraph.get_master_uri().encode())
    while True:
        frame = line.receive()
        if frame is None or rospy.is_shutdown():
            break
        node.take(*frame)
    rospy.signal_shutdown("the simulation's side has ended")


if __name__ == "__main__":
    main()
