"""USARSim's door to a simulation: its clients connect to TCP port 3000, each with a robot of its own."""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from volery.core.config import Checked, param
from volery.errors import SimulationError, VoleryError
from volery.loop import Loop
from volery.protocols.gamebots.dialect import Dialect, DialectName
from volery.protocols.gamebots.grammar import GamebotsCommand, line, segment
from volery.protocols.gamebots.images import ImageClient, ImageFormat, Views
from volery.protocols.gamebots.placing import Start, manual_origin, start_poses
from volery.protocols.gamebots.session import VERBS, Session
from volery.protocols.gamebots.truth import TruthClient
from volery.protocols.gamebots.wire import GamebotsConnection, GamebotsSockets
from volery.protocols.limits import Limits
from volery.protocols.protocol import Protocol, warn_if_open
from volery.robots.robot import Robot
from volery.robots.usarini_robots import robots_of_ini
from volery.sensors.sensor import Reading
from volery.sim import Simulation

__all__ = ["Gamebots", "GamebotsSettings"]

_log = logging.getLogger("volery")
_IMAGE_PORT = 5003
_BUDGET = 2e-3
"""Time for all clients' commands in a step [s]; a command that has begun is finished."""


@dataclass(frozen=True)
class GamebotsSettings(Checked):
    """The entry `gamebots` under `protocols` in a scenario."""

    host: str = "127.0.0.1"
    """Address to listen at; who can reach it can drive."""
    port: int = param(3000, low=0, high=65_535)
    """0: any that is free."""
    dialect: DialectName = "ut2004"
    """What is spoken at this port: ut2003 (the manual's Unreal units), ut2004 (metres) or udk."""
    others: dict[DialectName, int] = field(default_factory=dict)
    """More ports, by dialect."""
    classes: dict[str, str] = field(default_factory=dict)
    """More class names, and the robots or robot files that they stand for."""
    ini: str = ""
    """A file like USARSim's usar.ini, whose robots take the place of ours of the same class."""
    connections: int = param(16, low=1, high=1000)
    """Most robots at a time."""
    uu: float = param(140.0, above=0, high=1e4)
    """Unreal's units per metre, for ut2003."""
    origin: tuple[float, float, float] | None = None
    """Where ut2003's (0, 0, 0) lies in W [m]; none: in arenas where the manual's start place becomes the first start
    pose, else in W's."""
    image_port: int | None = param(_IMAGE_PORT, low=0, high=65_535)
    """Of the image server; 0, or 5003 if that is taken: any that is free; none: no pictures."""
    images: ImageFormat = "good"
    """raw, or JPEG from super to bad."""
    legacy_images: bool = False
    """Whether the image server sends a picture that nobody asked for to whoever connects."""
    truth_port: int | None = param(None, low=0, high=65_535)
    """Where tools are told the places of all robots, 3989 in USARSim; none: nobody is."""
    starts: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Start poses by name: x, y, z in W [m] and yaw, or roll, pitch, yaw [degrees]; none: the world's."""
    errors: bool = False
    """Whether clients are told with an ERR line why a command was dropped; the originals were silent."""
    iterative: bool = False
    """Whether PAUSE holds the clock, for all; else it is ignored."""
    limits: Limits = field(default_factory=lambda: Limits(connections=256, per_source=128, idle=60.0))
    """What clients may take; a client without a robot has no place for good."""


class Gamebots(Protocol):
    """USARSim's server: search and rescue robots for its clients, in three dialects of the Gamebots protocol."""

    Settings: ClassVar[type] = GamebotsSettings

    def __init__(self, simulation: Simulation, loop: Loop, settings: GamebotsSettings) -> None:
        """To be made before the loop runs, by the thread that will run it."""
        super().__init__(simulation, loop, settings)
        self.loop: Loop = loop
        self.verbs = VERBS
        self.starts: tuple[Start, ...] = start_poses(simulation, settings.connections, settings.starts)
        self.dialect = self.speaking(settings.dialect)
        self.classes: dict[str, str] = {**_of_ini(settings.ini, simulation), **settings.classes}
        """Robots and robot files by more names of classes."""
        self.sessions: dict[GamebotsConnection, Session] = {}
        """By connection, in the order in which they came."""
        self.views = Views(self)
        self._hold_at: int | None = None
        self._asked = False
        self._turn = 0
        self.wire = GamebotsSockets(self)
        self.ports: dict[str, int] = {}
        """Numbers of the open ports, by dialect, and `images`."""
        self._listen_at(settings)
        simulation.controllers.append(self._control)
        simulation.listeners.append(self._listen)

    def start(self) -> None:
        """Let clients in."""
        self.share_the_processor()
        self.wire.start()

    def _listen_at(self, settings: GamebotsSettings) -> None:
        wanted = {settings.dialect: settings.port, **settings.others}
        for name, port in wanted.items():
            dialect = self.speaking(name)
            key = "port" if name == settings.dialect else "others"
            self.ports[name] = self.wire.listen(settings.host, port, key, partial(GamebotsConnection, self, dialect))
        if settings.image_port is not None:
            port = self._image_port(settings.host, settings.image_port)
            self.ports["images"] = self.wire.listen(settings.host, port, "image_port", lambda: ImageClient(self))
        if settings.truth_port is not None:
            self.ports["truth"] = self.wire.listen(
                settings.host, settings.truth_port, "truth_port", lambda: TruthClient(self)
            )
        warn_if_open("USARSim", settings.host, "drive robots here")
        told = ", ".join(f"{name} at {port}" for name, port in self.ports.items())
        _log.info("USARSim: %s of %s, up to %d robots", told, settings.host, settings.connections)

    def _image_port(self, host: str, port: int) -> int:
        """The port for pictures; where a second run finds the usual one taken, any."""
        if port != _IMAGE_PORT or not self.wire.taken(host, port):
            return port
        _log.warning(
            "USARSim: port %d for pictures is taken, perhaps by another run; another one is used. Choose it with "
            "image_port in the scenario or --image-port", port,
        )  # fmt: skip
        return 0

    def speaking(self, name: DialectName) -> Dialect:
        """A dialect in this world."""
        settings = self.settings
        if name != "ut2003":
            return Dialect(name, settings.uu)
        first = self.starts[0] if self.starts else None
        return Dialect(name, settings.uu, settings.origin or manual_origin(self.simulation, first, settings.uu))

    @property
    def port(self) -> int:
        """Of the first dialect."""
        return self.ports[self.settings.dialect]

    @property
    def robots(self) -> dict[str, Robot]:
        """All robots of the simulation."""
        return self.simulation.robots

    @property
    def clients(self) -> int:
        """How many are connected now."""
        return len(self.wire.guests)

    def close(self) -> None:
        """Let clients go; their robots stay as they are."""
        for calls, mine in ((self.simulation.controllers, self._control), (self.simulation.listeners, self._listen)):
            if mine in calls:
                calls.remove(mine)
        self.wire.close()
        self.views.close()

    def greeting(self, dialect: Dialect) -> bytes:
        """What a client hears first; any thread may ask."""
        if dialect.old:
            return b""
        world = self.simulation.scenario.world_type
        level = f"DM-{world}_{getattr(self.simulation.world, 'colour', '')}".rstrip("_")
        parts = (("Gametype", "BotDeathMatch"), ("Level", level), ("TimeLimit", "0"))
        return line("NFO", *(segment(k, v) for k, v in parts))

    # The loop

    def _control(self, simulation: Simulation) -> None:
        self._serve()
        for session in self.sessions.values():
            if session.bot is not None and session.bot.name not in simulation.robots:
                self._come_back(session)
            if session.controller is not None:
                session.controller.advance(simulation.clock.step_ns * 1e-9)

    def _serve(self) -> None:
        """Who came, who left, and what they want."""
        for client in list(self.wire.clients):
            if client not in self.sessions:
                self.sessions[client] = Session(self, client)
            if client.gone:
                self._leave(client, self.sessions[client])
        self._take_turns()

    def _take_turns(self) -> None:
        """One command of each client after the other, until the time is spent; the next step goes on from there."""
        end = time.perf_counter() + _BUDGET
        queue = deque(session for client, session in self.sessions.items() if client.inbox)
        if queue:
            queue.rotate(-(self._turn % len(queue)))
        while queue:
            session = queue.popleft()
            session.serve(1)
            self._turn += 1
            if session.client.inbox:
                queue.append(session)
            if time.perf_counter() >= end:
                break

    def _leave(self, client: GamebotsConnection, session: Session) -> None:
        session.end()
        if session.bot is not None:
            self.views.forget(session.bot)
        del self.sessions[client]
        self.wire.clients.remove(client)

    def _come_back(self, session: Session) -> None:
        """The simulation was reset from elsewhere: robots enter it again."""
        assert session.bot is not None
        try:
            session.bot.spawn()
        except VoleryError as error:
            _log.warning("USARSim: %s cannot come back: %s", session.bot.name, error)
            session.bot = None

    def _listen(self, simulation: Simulation) -> None:
        now, step = simulation.clock.now_ns, simulation.clock.step_ns
        fresh: dict[str, list[tuple[str, Reading]]] = {}
        for robot, sensor, reading in simulation.fresh:
            fresh.setdefault(robot, []).append((sensor, reading))
        for session in self.sessions.values():
            name = session.bot.name if session.bot is not None else ""
            session.hear(fresh.get(name, []), now, step)
        self._send()
        self._look()
        if self._hold_at is not None and now >= self._hold_at:
            self._hold_at = None
            self.loop.pause()

    # Pausing

    def pause(self, seconds: float | None) -> None:
        """PAUSE: hold the clock, now or after some more simulated time [s]."""
        if not self.settings.iterative:
            raise SimulationError("it would hold the clock for all; `iterative: true` in the scenario allows it")
        self._hold_at = self.simulation.clock.now_ns + round(max(seconds or 0.0, 0.0) * 1e9)

    def resume_for(self, message: GamebotsCommand) -> None:
        """Any command lets a held clock go on."""
        if self.settings.iterative and self.loop.paused:
            self.loop.resume()

    def look_after_paused(self) -> None:
        """Called now and then by the wire's thread: while the clock is held, clients are still answered."""
        if not self.loop.paused or self._asked:
            return
        if self.views.waiting or any(c.inbox or c.gone or c not in self.sessions for c in list(self.wire.clients)):
            self._asked = True
            self.simulation.ask(self._while_paused)

    def _while_paused(self) -> Any:
        self._asked = False
        self._serve()
        self._send()
        self._look()

    def _look(self) -> None:
        """Take a picture; one that fails is not to end the run."""
        try:
            self.views.work()
        except Exception:
            _log.exception("USARSim: a picture failed")

    def _send(self) -> None:
        self.wire.post([letter for session in self.sessions.values() for letter in session.written()])


def _of_ini(file: str, simulation: Simulation) -> dict[str, str]:
    if not file:
        return {}
    path = (simulation.scenario.folder or Path()) / file
    if not path.is_file():
        raise SimulationError(f"USARSim: the file {path} that `ini` names does not exist")
    return robots_of_ini(path)
