"""The sockets of the Gamebots server: one thread that cuts bytes into commands and sends lines; it never waits."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from volery.errors import SimulationError
from volery.protocols.gamebots.dialect import Dialect
from volery.protocols.gamebots.grammar import GamebotsCommand, LineReader, parse
from volery.protocols.guests import Guests, keep_alive, looks_like_http

if TYPE_CHECKING:
    from volery.protocols.gamebots.door import Gamebots

__all__ = ["GamebotsConnection", "GamebotsSockets"]

_MOST_WAITING = 512
"""Commands of a client that wait for the loop, after which nothing more is read from it."""
_MOST_UNREAD = 1 << 20
"""Bytes that may wait for a client that does not read; more is left out, line by line."""
_MOST_HELD = 1 << 18
"""Bytes of commands that wait for the loop, after which nothing more is read from a client."""
_SWEEP = 1.0
"""How often clients that say nothing are looked for [s]."""
_PAUSE = 0.25
"""What looks like a whole command is taken as one if nothing follows for so long [s]."""
_TICK = 0.05
"""How often the thread looks whether the loop is paused and clients wait for it [s]."""


class GamebotsConnection(asyncio.Protocol):
    """One connection of a controller."""

    def __init__(self, door: Gamebots, dialect: Dialect) -> None:
        self.door = door
        self.dialect = dialect
        self.inbox: deque[GamebotsCommand] = deque()
        """Commands that the loop has not taken yet."""
        self.gone = False
        self.refused = False
        """Whether there were too many connections."""
        self.has_robot = False
        """Whether it has been let in with a robot, or as a controller: it keeps its place then."""
        self.left_out = 0
        """Lines that were not sent, since the client did not read."""
        self.address = ""
        self._reader = LineReader()
        self._transport: Any = None
        self._held = False
        self._full = False
        self._late: asyncio.TimerHandle | None = None
        self._new = True
        self._held_bytes = 0

    # Called by the wire's thread

    def connection_made(self, transport: Any) -> None:
        """Greet; or close, if there are too many."""
        self._transport = transport
        wire = self.door.wire
        robots = sum(1 for c in wire.clients if c.has_robot and not c.gone)
        if robots >= self.door.settings.connections or not wire.admit(self, transport):
            self.refused = True
            transport.close()
            return
        wire.clients.append(self)
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.set_write_buffer_limits(_MOST_UNREAD)
        self.send(self.door.greeting(self.dialect))

    def connection_lost(self, error: Exception | None) -> None:
        """The loop takes the robot away."""
        self.gone = True
        self.door.wire.guests.leave(self)
        if self._late is not None:
            self._late.cancel()

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        if self.refused or self._transport.is_closing():
            return
        self.door.simulation.gate.pass_through()
        if self._new and looks_like_http(data):
            self.refused = True
            self._transport.abort()
            return
        self._new = False
        if self._late is not None:
            self._late.cancel()
            self._late = None
        self._take(self._reader.feed(data))
        if self._reader.waiting:
            self._late = asyncio.get_running_loop().call_later(_PAUSE, lambda: self._take(self._reader.flush()))

    def eof_received(self) -> bool:
        """A client that stops sending has left, and its robot goes."""
        self._take(self._reader.flush())
        return False

    def _take(self, lines: list[str]) -> None:
        for text in lines:
            messages = parse(text, self.door.verbs)
            self.inbox.extend(messages)
            self._held_bytes += len(text)
            known = any(m.verb in self.door.verbs for m in messages)
            self.door.wire.guests.hear(self, known=known and self.has_robot)
        self.door.wire.guests.hold(self, self._held_bytes + self._reader.held)
        if (len(self.inbox) > _MOST_WAITING or self._held_bytes > _MOST_HELD) and not self._held:
            self._held = True
            self._transport.pause_reading()

    def go_on(self) -> None:
        """The loop has taken what waited."""
        if self._held and not self._transport.is_closing():
            self._held = False
            self._transport.resume_reading()

    def pause_writing(self) -> None:
        """The client does not read."""
        self._full = True

    def resume_writing(self) -> None:
        """It reads again."""
        self._full = False

    def send(self, data: bytes) -> None:
        """Send whole lines, or leave them out if the client does not read."""
        if not data or self._transport.is_closing():
            return
        if self._full:
            self.left_out += data.count(b"\n")
            return
        self._transport.write(data)

    # Called by the loop's thread

    def take(self, most: int) -> list[GamebotsCommand]:
        """The next commands, at most so many."""
        taken = [self.inbox.popleft() for _ in range(min(most, len(self.inbox)))]
        if not self.inbox:
            self._held_bytes = 0
        if self._held and len(self.inbox) < _MOST_WAITING // 2:
            self.door.wire.call(self.go_on)
        return taken


class GamebotsSockets:
    """The thread of all sockets."""

    def __init__(self, door: Gamebots) -> None:
        self.door = door
        self.clients: list[GamebotsConnection] = []
        """Connections that were taken, until the loop has seen them go."""
        self._loop = asyncio.new_event_loop()
        self._open: list[tuple[socket.socket, Callable[[], asyncio.BaseProtocol]]] = []
        self._made: set[Any] = set()
        self.guests = Guests(door.limits)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gamebots", daemon=True)

    @staticmethod
    def taken(host: str, port: int) -> bool:
        """Whether somebody else has a port."""
        try:
            socket.create_server((host, port)).close()
        except OSError:
            return True
        return False

    def listen(self, host: str, port: int, key: str, protocol: Callable[[], asyncio.BaseProtocol]) -> int:
        """Open a port, before `start`; returns its number. key: of the settings that choose it, for the error."""
        try:
            opened = socket.create_server((host, port), backlog=64)
        except OSError as error:
            self.close()
            option = {"port": " or --port", "image_port": " or --image-port"}.get(key, "")
            raise SimulationError(
                f"USARSim: TCP port {port} of {host} cannot be used: {error.strerror}; is another simulator running? "
                f"Choose another with {key} in the scenario{option}"
            ) from None
        self._open.append((opened, protocol))
        return int(opened.getsockname()[1])

    def start(self) -> None:
        """Take connections from now on."""
        self._thread.start()
        self._ready.wait()

    def call(self, function: Callable[[], Any]) -> None:
        """Have the thread do something; a thread that has ended does nothing."""
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:
            return

    def post(self, letters: list[tuple[GamebotsConnection, bytes]]) -> None:
        """Have lines sent; all at once, since every call wakes the thread."""
        if letters:
            self.call(partial(_send_all, letters))

    def admit(self, client: Any, transport: Any) -> bool:
        """Whether there is room for a connection; one that says nothing may have to make it. Else it is closed."""
        keep_alive(transport.get_extra_info("socket"), self.guests.limits)
        source = str((transport.get_extra_info("peername") or ("",))[0])
        if not self.guests.enter(client, source, transport.abort):
            transport.close()
            return False
        return True

    @staticmethod
    def clogged(transport: Any) -> bool:
        """Whether a client does not read what it asked for."""
        return transport.is_closing() or transport.get_write_buffer_size() > _MOST_UNREAD

    def close(self) -> None:
        """Let all clients go and give the ports back."""
        if self._thread.is_alive():
            self.call(self._loop.stop)
            self._thread.join(timeout=5.0)
        for opened, _ in self._open:
            opened.close()
        if not self._loop.is_running() and not self._loop.is_closed():
            self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        made = [
            self._loop.run_until_complete(self._loop.create_server(self._kept(protocol), sock=opened))
            for opened, protocol in self._open
        ]
        self._ready.set()
        self._loop.call_later(_TICK, self._tick)
        self._sweep()
        self._loop.run_forever()
        for server in made:
            server.close()
        for protocol in list(self._made):
            transport = getattr(protocol, "_transport", None)
            if transport is not None:
                transport.abort()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def _kept(self, protocol: Callable[[], asyncio.BaseProtocol]) -> Callable[[], asyncio.BaseProtocol]:
        """Remember connections, so that the end closes them."""

        def make() -> asyncio.BaseProtocol:
            self._made = {p for p in self._made if not getattr(p, "gone", False)}
            made = protocol()
            self._made.add(made)
            return made

        return make

    def _sweep(self) -> None:
        self.guests.sweep()
        self._loop.call_later(_SWEEP, self._sweep)

    def _tick(self) -> None:
        self.door.look_after_paused()
        self._loop.call_later(_TICK, self._tick)


def _send_all(letters: list[tuple[GamebotsConnection, bytes]]) -> None:
    for client, data in letters:
        client.send(data)
