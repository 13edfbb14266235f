"""The bus's side of `volery ros1`: what is on the bus is offered to ROS 1, what the bus wants is taken from there."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from volery.bus.bus import Bus, TopicInfo
from volery.bus.publisher import Publisher
from volery.bus.subscriber import Message, Subscriber
from volery.errors import BusError
from volery.protocols.ros1.codec import kind_of, known, to_bus, to_ros1
from volery.protocols.ros1.node import NUMBER, Line
from volery.protocols.ros1.services import BRIDGED, about_service, asked

__all__ = ["Bridge", "python_with_rospy"]

_log = logging.getLogger("volery")
_OWN = "/volery/"
"""Topics of this name are for Volery's own programs."""
_START = 30.0
"""How long the node may take to begin [s]."""
_MATCH = 0.5
"""How long the first message of a topic waits for those who want it [s]."""


def python_with_rospy(given: str | None = None) -> str:
    """A Python that has rospy; given: the one to take."""
    tries = [given] if given else ["/usr/bin/python3", shutil.which("python3"), sys.executable]
    for python in filter(None, dict.fromkeys(tries)):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run([python, "-c", "import rospy"], capture_output=True, timeout=60, check=False)
            if done.returncode == 0:
                return python
    raise BusError(
        f"{given or 'no Python here'} has no rospy; install it (Debian: apt install python3-rospy), "
        "or name a Python that has it with --python"
    )


class Bridge:
    """One node of ROS 1 for all topics of a bus. Robots come and go with their topics."""

    def __init__(self, bus: Bus, python: str | None = None, *, node: str = "volery", sim_time: bool = False) -> None:
        """python: one that has rospy; sim_time: tell all of ROS 1 to go by the simulation's clock."""
        self._bus = bus
        self.ended = threading.Event()
        """Set when the node is gone."""
        self.refused = 0
        """Messages that could not be turned over."""
        self._out: dict[str, str] = {}
        self._in: dict[str, str] = {}
        self._served: dict[str, str] = {}
        self._listening: dict[str, Subscriber] = {}
        self._telling: dict[str, Publisher] = {}
        self._latched: set[str] = set()
        self._lock = threading.Lock()
        own, theirs = socket.socketpair()
        script = str(Path(__file__).with_name("node.py"))
        command = [python_with_rospy(python), script, str(theirs.fileno()), node, str(int(sim_time))]
        # Our own packages are not for that Python.
        environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "VIRTUAL_ENV")}
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, start_new_session=True)
        theirs.close()
        self._socket = own
        own.settimeout(_START)
        self._line = Line(own)
        self.master = self._begin()
        self._thread = threading.Thread(target=self._read, name="ros1", daemon=True)
        self._thread.start()

    def _begin(self) -> str:
        """Wait for the node; where its master is."""
        try:
            frame = self._line.receive()
        except TimeoutError:
            frame = None
        if frame is None or frame[0] != "R":
            self._process.kill()
            self._process.wait()
            raise BusError(f"ROS 1: {frame[2].decode() if frame else 'the node did not start; see what it printed'}")
        self._socket.settimeout(None)
        return frame[2].decode()

    def follow(self) -> None:
        """Take over what came and went on the bus; to be called now and then."""
        own = self._bus.config.node
        infos = [i for i in self._bus.topics() if known(i.message_type) and not i.topic.startswith(_OWN)]
        out, wanted = _first(infos, lambda i: i.publishers, own), _first(infos, lambda i: i.subscribers, own)
        wanted = {topic: name for topic, name in wanted.items() if topic not in out}
        self._latched = {i.topic for i in infos if i.latched}
        for topic in [t for t in self._out if self._out[t] != out.get(t)]:
            self._end_out(topic)
        for topic in [t for t in self._in if self._in[t] != wanted.get(t)]:
            self._end_in(topic)
        for topic, name in out.items():
            if topic not in self._out:
                self._out[topic] = name
                self._send("P", topic, _about(name, topic in self._latched))
        for topic, name in wanted.items():
            if topic not in self._in:
                self._in[topic] = name
                self._send("S", topic, _about(name))

        self._follow_services()

    def _follow_services(self) -> None:
        """Offer the services there are, of types that are bridged."""
        found = {name: kind for name, kind in self._bus.service_types().items() if kind in BRIDGED}
        for name in [n for n in self._served if self._served[n] != found.get(n)]:
            del self._served[name]
            self._send("E", name)
        for name, kind in found.items():
            if name not in self._served:
                self._served[name] = kind
                self._send("V", name, about_service(kind))

    @property
    def topics(self) -> tuple[int, int]:
        """How many go to ROS 1, and how many come from there."""
        return len(self._out), len(self._in)

    def close(self) -> None:
        """End the node."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        parts: list[Any] = [*self._listening.values(), *self._telling.values()]
        for part in parts:
            part.close()
        self._socket.close()

    # From the bus to ROS 1

    def _want(self, topic: str, on: bool) -> None:
        """Listen on the bus to what somebody in ROS 1 listens to, and to nothing else."""
        with self._lock:
            name = self._out.get(topic)
            if on and name is not None and topic not in self._listening:
                self._listening[topic] = self._bus.subscribe(
                    topic, name, depth=10, on_message=self._carry, latched=topic in self._latched
                )
            elif not on and topic in self._listening:
                self._listening.pop(topic).close()

    def _carry(self, message: Message) -> None:
        try:
            data = to_ros1(message.data, message.message_type or "")
        except BusError as error:
            self._refuse(message.topic, error)
            return
        self._send("M", message.topic, data)

    def _end_out(self, topic: str) -> None:
        self._want(topic, False)
        del self._out[topic]
        self._send("E", topic)

    # From ROS 1 to the bus

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while (frame := self._line.receive()) is not None:
                kind, topic, payload = frame
                if kind == "W":
                    self._want(topic, payload == b"1")
                elif kind == "M":
                    self._bring(topic, payload)
                elif kind == "Q":
                    # A thread of its own: topics go on while the answer is waited for.
                    threading.Thread(target=self._ask, args=(topic, payload), name="ros1 service", daemon=True).start()
        self.ended.set()

    def _bring(self, topic: str, payload: bytes) -> None:
        name = self._in.get(topic)
        if name is None:
            return
        try:
            self._publisher(topic, name).put_bytes(to_bus(payload, name), time.time_ns())
        except BusError as error:
            self._refuse(topic, error)

    def _ask(self, service: str, payload: bytes) -> None:
        """A request of ROS 1, to be answered on the bus."""
        kind = self._served.get(service)
        if kind is not None:
            number, request = payload[: NUMBER.size], payload[NUMBER.size :]
            self._send("A", service, number + asked(self._bus, service, kind, request))

    def _publisher(self, topic: str, name: str) -> Publisher:
        """Of a topic from ROS 1 on the bus; not before the first message, since a topic there has one publisher."""
        with self._lock:
            if topic not in self._telling:
                self._telling[topic] = publisher = self._bus.advertise(topic, name, shared=True)
                end = time.monotonic() + _MATCH
                while not publisher.wanted and time.monotonic() < end:
                    time.sleep(0.01)
            return self._telling[topic]

    def _end_in(self, topic: str) -> None:
        del self._in[topic]
        with self._lock:
            publisher = self._telling.pop(topic, None)
        if publisher is not None:
            publisher.close()
        self._send("E", topic)

    def _refuse(self, topic: str, error: BusError) -> None:
        self.refused += 1
        if self.refused <= 10:
            _log.warning("ROS 1: %s: %s", topic, error)

    def _send(self, kind: str, topic: str, payload: bytes = b"") -> None:
        try:
            self._line.send(kind, topic, payload)
        except OSError:
            self.ended.set()


def _others(nodes: tuple[str, ...], own: str) -> bool:
    return any(node != own for node in nodes)


def _first(infos: list[TopicInfo], ends: Callable[[TopicInfo], tuple[str, ...]], own: str) -> dict[str, str]:
    """Types by topic that somebody else has such ends of. In ROS 1 a topic has one type: the first, which of bare and
    stamped velocities is the bare one."""
    found: dict[str, str] = {}
    for info in infos:
        if _others(ends(info), own):
            found.setdefault(info.topic, info.message_type)
    return found


def _about(name: str, latched: bool = False) -> bytes:
    kind = kind_of(name)
    return json.dumps({"type": kind.name, "md5": kind.md5, "text": kind.text, "latched": latched}).encode()
