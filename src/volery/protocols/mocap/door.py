"""Motion capture as NatNet clients know it: a Motive that sees the robots of a simulation."""

from __future__ import annotations

import ipaddress
import logging
import threading
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import BusError, ScenarioError, UnknownNameError
from volery.loop import Loop
from volery.protocols.limits import Limits
from volery.protocols.mocap import codec
from volery.protocols.mocap.codec import VERSIONS, RigidBodyDescription, Version
from volery.protocols.mocap.tracking import Tracked
from volery.protocols.protocol import Protocol
from volery.protocols.udp.datagrams import Datagrams
from volery.sensors.position import MotionCaptureConfig
from volery.sim import Simulation

__all__ = ["Mocap", "MocapSettings"]

_log = logging.getLogger("volery")
_ANSWER = 0.5
"""A source that has not shown that it hears us gets one answer in so long [s]."""
_FEW = 4
"""Clients that the loop sends frames to itself; more are served by a thread."""
_MOST_SOURCES = 4096
"""Sources that are remembered."""

_IDLE = ("LiveMode", "SetPlaybackCurrentFrame", "StartRecording", "StopRecording", "TimelinePlay", "TimelineStop")
"""Commands that are taken and do nothing."""


@dataclass(frozen=True)
class MocapSettings(Checked):
    """The entry `mocap` under `protocols` in a scenario."""

    host: str = "127.0.0.1"
    """Address to listen at."""
    port: int = param(1510, low=0, high=65_535)
    """Of commands, UDP; 0: any that is free."""
    data_port: int = param(1511, low=1, high=65_535)
    """Of the multicast group."""
    multicast: str = ""
    """Address of the group that is told, Motive's is 239.255.42.99; none: each client that connects is told."""
    version: Literal["3.1", "4.0", "4.1"] = "4.0"
    """Of the bit stream; a client may ask for another."""
    up: Literal["y", "z"] = "y"
    """Axis that points up in what is sent: Motive's own choice is y; x is east in both."""
    bodies: tuple[str, ...] = ()
    """Robots that carry markers; none: all of the simulation, those to come included."""
    markers: tuple[tuple[float, float, float], ...] = (
        (0.1, 0.0, 0.06), (-0.08, 0.06, 0.05), (-0.09, -0.05, 0.05), (0.02, 0.09, 0.07),
    )  # fmt: skip
    """Where each robot carries them, in its own frame [m]."""
    marker_noise: float = param(0.0, low=0.0, high=1.0)
    """Standard deviation of a marker's place by axis [m]; good rooms have 0.0002."""
    sensor: MotionCaptureConfig = field(default_factory=MotionCaptureConfig)
    """Rate, delay, drop, cameras and the rest of the motion-capture sensor, for all bodies."""
    limits: Limits = field(default_factory=lambda: Limits(connections=64, per_source=64, idle=3.0))
    """`connections`: clients that are told at a time; `idle`: how long one is told after its last word; real ones
    speak at least once a second [s of wall time]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.markers) < 3 or np.linalg.matrix_rank(np.diff(np.array(self.markers), axis=0), tol=1e-4) < 2:
            raise ScenarioError("mocap: a body needs at least three markers that are not in one line")
        if self.multicast and not _is_group(self.multicast):
            raise ScenarioError(f"mocap: '{self.multicast}' is no multicast address, such as 239.255.42.99")


class _Receiver:
    """An address that spoke. It hears us if it speaks again after an answer; only then frames go there."""

    __slots__ = ("answered", "heard", "hears", "version")

    def __init__(self, version: Version) -> None:
        self.version = version
        self.heard = self.answered = -1e9
        self.hears = False


class Mocap(Protocol):
    """The server. Frames go out from the loop; a thread of its own answers requests."""

    Settings: ClassVar[type] = MocapSettings

    def __init__(self, simulation: Simulation, loop: Loop | None, settings: MocapSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        for name in settings.bodies:
            if name not in simulation.robots:
                raise UnknownNameError("robot", name, simulation.robots)
        self.frames = 0
        """Sent so far; each is one for all clients."""
        self.refused = 0
        """Requests that were none."""
        self.bodies: tuple[RigidBodyDescription, ...] = ()
        self._version = VERSIONS[settings.version]
        self._tracked: dict[str, Tracked] = {}
        self._numbers: dict[str, int] = {}
        self._changed = False
        self._last = b""
        self._sources: dict[tuple[Any, ...], _Receiver] = {}
        self._lock = threading.Lock()
        self._datagrams = Datagrams(settings.host, settings.port, self.answer, "mocap", gate=simulation.gate)
        self.port: int = self._datagrams.port
        if settings.multicast:
            self._datagrams.multicast_from("127.0.0.1" if settings.host.startswith("127.") else settings.host)
        self._follow()
        simulation.listeners.append(self)
        where = settings.multicast or "each client"
        _log.info("motion capture: NatNet %s at %s:%d, frames to %s", settings.version, settings.host, self.port, where)

    def start(self) -> None:
        """Answer requests."""
        self._datagrams.start()

    def __call__(self, simulation: Simulation) -> None:
        """Send the frames that are due, after a step."""
        now, step = simulation.clock.now_ns, simulation.clock.step_ns
        self._follow()
        found: dict[int, dict[str, Any]] = {}
        for name, tracked in self._tracked.items():
            for reading in tracked.sensor.update(now, step):
                found.setdefault(reading.stamp_ns, {})[name] = reading
        for stamp, readings in sorted(found.items()):
            self._send(stamp, readings, now)

    def close(self) -> None:
        """Give the port back."""
        if self in self.simulation.listeners:
            self.simulation.listeners.remove(self)
        self._datagrams.close()

    def answer(self, data: bytes, sender: tuple[Any, ...]) -> bytes | None:
        """The answer to a request of a client; None: there is none."""
        try:
            kind, words = codec.parse_request(data)
        except BusError:
            self.refused += 1
            return codec.refusal() if len(data) >= 4 else None
        with self._lock:
            source = self._hear(sender)
            if kind == codec.DISCONNECT:
                self._sources.pop(sender, None)
                return None
        reply = self._reply(kind, words, source)
        if reply is None:
            return None
        now = time.monotonic()
        if not source.hears and len(reply) > 3 * len(data) and now - source.answered < _ANSWER:
            return None
        source.answered = now
        return reply

    def _hear(self, sender: tuple[Any, ...]) -> _Receiver:
        """The source of an address, which has just spoken. An answer is on its way for a moment before it is heard."""
        now = time.monotonic()
        source = self._sources.get(sender)
        if source is None:
            while len(self._sources) >= _MOST_SOURCES:
                del self._sources[next(iter(self._sources))]
            source = self._sources[sender] = _Receiver(self._version)
        source.hears = source.hears or source.answered > -1e9
        source.heard = now
        return source

    def _reply(self, kind: int, words: str, source: _Receiver) -> bytes | None:
        if kind == codec.CONNECT:
            return codec.server_info(source.version, self.settings.data_port, self.settings.multicast)
        if kind == codec.REQUEST_MODELS:
            return codec.models(self.bodies, source.version)
        if kind == codec.REQUEST_FRAME:
            return self._last or None
        return self._setting(words, source) if kind == codec.REQUEST else None

    def _setting(self, words: str, source: _Receiver) -> bytes:
        """What a command wants; those that would change Motive itself are taken and do nothing."""
        name, _, value = words.partition(",")
        if name == "FrameRate":
            return codec.response(float(self.settings.sensor.rate))
        if name == "UnitsToMillimeters":
            return codec.response(1000.0)
        if name == "UpAxis":
            return codec.response({"y": 1, "z": 2}[self.settings.up])
        if name == "Bitstream":
            if value and (value not in VERSIONS or self.settings.multicast):
                return codec.response(1)
            if value:
                source.version = VERSIONS[value]
            return codec.response(0) if value else codec.response(self.settings.version)
        return codec.response(0) if name in _IDLE else codec.refusal()

    def _follow(self) -> None:
        """Robots come and go, and a reset makes them anew."""
        robots = self.simulation.robots
        wanted = [n for n in (self.settings.bodies or robots) if n in robots]
        same = wanted == list(self._tracked)
        if same and all(self._tracked[n].sensor.robot is robots[n] for n in wanted):
            return
        settings, seed = self.settings, self.simulation.seed
        self._tracked = {}
        for name in wanted:
            number = self._numbers.setdefault(name, len(self._numbers) + 1)
            body = RigidBodyDescription(number, name, np.array(settings.markers))
            self._tracked[name] = Tracked(
                body, robots[name], self.simulation.environment, settings.sensor, settings.marker_noise, seed
            )
        self.bodies = tuple(t.body for t in self._tracked.values())
        self._changed = True

    def _send(self, stamp: int, readings: dict[str, Any], now: int) -> None:
        solved = [t.solve(readings.get(n), self.settings.up) for n, t in self._tracked.items()]
        self.frames += 1
        made: dict[Version, bytes] = {}
        addresses = self._addresses()
        for version, _ in addresses:
            if version not in made:
                made[version] = codec.frame(self.frames, solved, version, stamp, now, self._changed)
        letters = [(made[version], address) for version, address in addresses]
        if len(letters) > _FEW:
            self._datagrams.post(letters)
        else:
            for data, address in letters:
                self._datagrams.send(data, address)
        self._last = made.get(self._version) or codec.frame(self.frames, solved, self._version, stamp, now)
        self._changed = False

    def _addresses(self) -> list[tuple[Version, tuple[Any, ...]]]:
        if self.settings.multicast:
            return [(self._version, (self.settings.multicast, self.settings.data_port))]
        with self._lock:
            end = time.monotonic() - self.limits.idle
            self._sources = {a: s for a, s in self._sources.items() if s.heard > end}
            told = [(s.version, address) for address, s in self._sources.items() if s.hears]
        return told[: self.limits.connections]


def _is_group(address: str) -> bool:
    try:
        return ipaddress.IPv4Address(address).is_multicast
    except ValueError:
        return False
