"""Topics over Zenoh: publish and subscribe, here and between processes and machines.

By default the first process is a small router on loopback and needs no daemon; the next ones find it there. Messages
are ROS 2's, named as rmw_zenoh names them, so a ROS 2 machine sees our topics with no bridge between.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import zenoh

from volery.bus.keys import PUBLISHER, SERVICE, SUBSCRIBER, Endpoint, check_topic, topic_key
from volery.bus.publisher import Outbox, Publisher, Tap
from volery.bus.qos import Qos
from volery.bus.services import Handler, ServiceServer, call
from volery.bus.session import DEFAULT_ENDPOINT, BusConfig, guarded, open_session
from volery.bus.subscriber import Callback, Subscriber
from volery.bus.types import service_hash, type_hash
from volery.errors import BusError

__all__ = ["DEFAULT_ENDPOINT", "Bus", "BusConfig", "TopicInfo"]

_ASK = 1.0
"""How long others may take to say what they publish [s]."""


@dataclass(frozen=True)
class TopicInfo:
    """A topic as the whole network sees it."""

    topic: str
    message_type: str
    publishers: tuple[str, ...]
    """Names of nodes."""
    subscribers: tuple[str, ...]
    latched: bool = False
    """Whether who comes late gets its last messages, too."""


class Bus:
    """A session on the network. All methods may be called from any thread; none of them waits for a slow reader."""

    def __init__(self, config: BusConfig | None = None) -> None:
        """config: if it lets others than this machine's join and has no token, `self.config` has a random one."""
        self.config = guarded(config or BusConfig())
        self._session = open_session(self.config)
        self.publishers: dict[str, Publisher] = {}
        self.subscribers: list[Subscriber] = []
        self.services: dict[str, ServiceServer] = {}
        self._outbox = Outbox()
        self._taps: list[tuple[tuple[str, ...], Tap]] = []
        self._entities = 0
        self._lock = threading.Lock()
        self._zid = str(self._session.info.zid())
        self._node_token = self._token(self._endpoint(PUBLISHER, "/node", "std_msgs/msg/Empty", Qos()).node_token())

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def advertise(
        self, topic: str, message_type: str, *, depth: int = 10, reliable: bool = True, latched: bool = False,
        shared: bool = False,
    ) -> Publisher:  # fmt: skip
        """Begin a topic. A topic has one publisher, unless it is `shared` by custom, such as /tf.

        latched: who comes late gets the last `depth` messages, too (ROS 2's transient local)."""
        check_topic(topic)
        with self._lock:
            self._check_free(topic, shared)
            endpoint = self._endpoint(PUBLISHER, topic, message_type, Qos(depth, reliable, latched))
            key = topic_key(self.config.domain, topic, message_type, endpoint.type_hash)
            publisher = Publisher(self._session, key, endpoint, self._token(endpoint.token()), self._outbox, self._drop)
            publisher.taps = [tap for patterns, tap in self._taps if _matches(topic, patterns)]
            self.publishers[topic] = publisher
            return publisher

    def subscribe(
        self, topic: str, message_type: str | None = None, *, depth: int = 1, on_message: Callback | None = None,
        latched: bool = False,
    ) -> Subscriber:  # fmt: skip
        """Listen to a topic, whether its publisher is there yet or not; a type of None takes any.

        depth: how many unread messages `wait_next` finds, the oldest go first. on_message is called in a thread of the
        bus; it must be quick. latched: of a latched topic, what was said before is wanted too.
        """
        check_topic(topic)
        hash_ = None if message_type is None else type_hash(message_type)
        key = topic_key(self.config.domain, topic, message_type, hash_)
        token = None
        if message_type is not None:
            token = self._token(self._endpoint(SUBSCRIBER, topic, message_type, Qos(depth, latched=latched)).token())
        subscriber = Subscriber(self._session, key, topic, depth, on_message, token, latched)
        self.subscribers.append(subscriber)
        return subscriber

    def serve(self, name: str, service_type: str, handler: Handler) -> ServiceServer:
        """Answer a service, such as '/volery/reset' of type 'std_srvs/srv/Trigger'.

        handler: gets the request and what takes the response, or the error; called in a thread of the bus, it must be
        quick, but may answer later."""
        check_topic(name)
        with self._lock:
            if name in self.services:
                raise BusError(f"service {name} is answered by this process already")
            endpoint = self._endpoint(SERVICE, name, service_type, Qos(), service_hash(service_type))
            key = topic_key(self.config.domain, name, service_type, endpoint.type_hash)
            service = ServiceServer(
                self._session, key, endpoint, self._token(endpoint.token()), handler, self._drop_service
            )
            self.services[name] = service
            return service

    def served(self, name: str) -> bool:
        """Whether anybody else answers a service."""
        pattern = f"*/*/*/{SERVICE}/*/*/*/{name.replace('/', '%')}/**"
        return any(e.session != self._zid for e in self._endpoints(pattern, _ASK))

    def service_types(self, timeout: float = _ASK) -> dict[str, str]:
        """All services of the network with their types."""
        return {e.topic: e.message_type for e in self._endpoints("**", timeout) if e.kind == SERVICE}

    def call(
        self, name: str, service_type: str, request: Mapping[str, Any] | None = None, *, timeout: float = 10.0
    ) -> Any:
        """Ask a service and wait for its answer, at most `timeout` [s]; request: its fields as plain data."""
        key = topic_key(self.config.domain, check_topic(name), service_type, service_hash(service_type))
        return call(self._session, key, service_type, timeout, request or {})

    def tap(self, tap: Tap, patterns: tuple[str, ...] = ("*",)) -> None:
        """Have `tap` called with every message of this process's topics that match, those to come included, and at once
        with the last ones of latched topics."""
        with self._lock:
            self._taps.append((patterns, tap))
            for topic, publisher in self.publishers.items():
                if _matches(topic, patterns):
                    publisher.taps.append(tap)
                    if publisher.last is not None:
                        tap(publisher, *publisher.last)

    def untap(self, tap: Tap) -> None:
        """No longer."""
        with self._lock:
            self._taps = [(p, t) for p, t in self._taps if t != tap]
            for publisher in self.publishers.values():
                publisher.taps = [t for t in publisher.taps if t != tap]

    def topics(self, timeout: float = _ASK) -> list[TopicInfo]:
        """All topics of the network with who publishes and who listens."""
        found: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
        latched: set[tuple[str, str]] = set()
        for e in self._endpoints("**", timeout):
            if e.kind not in (PUBLISHER, SUBSCRIBER):
                continue
            sides = found.setdefault((e.topic, e.message_type), (set(), set()))
            sides[e.kind == SUBSCRIBER].add(e.node)
            if e.kind == PUBLISHER and e.qos.latched:
                latched.add((e.topic, e.message_type))
        rows = [TopicInfo(*key, tuple(sorted(p)), tuple(sorted(s)), key in latched) for key, (p, s) in found.items()]
        return sorted(rows, key=lambda row: (row.topic, row.message_type))

    def close(self) -> None:
        """Say goodbye to all; what was published is sent before."""
        self._outbox.close()
        parts: list[ServiceServer | Publisher | Subscriber]
        parts = [*self.services.values(), *self.publishers.values(), *self.subscribers]
        for part in parts:
            part.close()
        self._session.close()

    def _check_free(self, topic: str, shared: bool) -> None:
        if topic in self.publishers:
            raise BusError(f"topic {topic} is published by this process already; use the publisher there is")
        if shared:
            return
        pattern = f"*/*/*/{PUBLISHER}/*/*/*/{topic.replace('/', '%')}/**"
        others = [e for e in self._endpoints(pattern, _ASK) if e.session != self._zid]
        if others:
            raise BusError(
                f"topic {topic} is already published by node '{others[0].node}' (session {others[0].session}); "
                "a topic has one publisher: end that one or choose another name"
            )

    def _endpoints(self, pattern: str, timeout: float) -> list[Endpoint]:
        key = f"@ros2_lv/{self.config.domain}/{pattern}"
        replies = self._session.liveliness().get(key, timeout=timeout)
        tokens = [str(reply.ok.key_expr) for reply in replies if reply.ok is not None]
        return [e for token in tokens if (e := Endpoint.parse(token)) is not None]

    def _endpoint(self, kind: str, topic: str, message_type: str, qos: Qos, hash_: str = "") -> Endpoint:
        self._entities += 1
        parts = (self.config.domain, self._zid, 0, self._entities, kind, self.config.node)
        return Endpoint(*parts, topic, message_type, hash_ or type_hash(message_type), qos)

    def _token(self, key: str) -> zenoh.LivelinessToken:
        return self._session.liveliness().declare_token(key)

    def _drop(self, publisher: Publisher) -> None:
        self.publishers.pop(publisher.topic, None)

    def _drop_service(self, service: ServiceServer) -> None:
        self.services.pop(service.name, None)


def _matches(topic: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(topic, pattern) for pattern in patterns)
