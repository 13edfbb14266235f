"""The server's sockets: one thread that reads requests of all clients, answers what it can, and passes on the rest."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from volery.core.workers import Workers
from volery.errors import SimulationError, VoleryError
from volery.protocols.airsim.arguments import METHODS, Method
from volery.protocols.airsim.codec import Reader, error_reply, reply, unpacked
from volery.protocols.guests import Guests, keep_alive, looks_like_http

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Caller", "RpcServer"]

_log = logging.getLogger("volery")
_TURN = 4
"""Requests of one client that are taken before the others have their turn."""
_PATIENCE = 100
"""Values that are no requests, after which a client is sent away."""
_MOST_WAITING = 1000
"""Requests of one client that wait for their answer, after which nothing more is read from it."""
_MOST_REPLY = 1 << 22
"""Bytes that may wait for a client that does not read, until its requests wait too."""
_LONG = 1 << 14
"""Bytes from which on a message is unpacked by another thread."""
_SWEEP = 1.0
"""How often clients that say nothing are looked for [s]."""


class Caller:
    """A client, as its tasks know it."""

    def __init__(self) -> None:
        self.gone = False
        """Whether it has left."""


class _Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, wire: RpcServer) -> None:
        self._wire = wire
        self._reader = Reader()
        self._new = True
        self._strange = 0
        self._waiting = 0
        self._full = False
        self._parsing = False
        self._scheduled = False
        self._transport: Any = None
        self._socket: Any = None
        self.caller = Caller()

    def connection_made(self, transport: Any) -> None:
        """Ready for small packets to and fro."""
        self._transport = transport
        self._socket = transport.get_extra_info("socket")
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.set_write_buffer_limits(_MOST_REPLY)
        keep_alive(self._socket, self._wire.guests.limits)
        source = str((transport.get_extra_info("peername") or ("",))[0])
        self._wire.clients.add(self)
        if not self._wire.guests.enter(
            self, source, lambda: self._leave("others need its place, or it holds too much")
        ):
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Mark the caller: its tasks have nobody who waits for them."""
        self.caller.gone = True
        self._wire.guests.leave(self)
        self._wire.door.simulation.forget_requests(self.caller)
        self._wire.workers.forget(self.caller)
        self._wire.pictures.forget(self.caller)
        self._wire.clients.discard(self)

    def data_received(self, data: bytes) -> None:
        """Take what came; clients wait for acknowledgements, so they go out at once."""
        if hasattr(socket, "TCP_QUICKACK"):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        if self._new and looks_like_http(data):
            self._leave("it speaks HTTP")
            return
        self._new = False
        self._reader.feed(data)
        # What is whole goes at once; more than that is held only by a client that is not read from.
        if not (self._scheduled or self._parsing):
            self._serve()

    def pause_writing(self) -> None:
        """The client does not read: nothing more is taken from it."""
        self._full = True

    def resume_writing(self) -> None:
        """It reads again."""
        self._full = False
        self._schedule()

    def _serve(self) -> None:
        """Requests that are there, some at a time so that no client keeps others waiting."""
        self._scheduled = False
        for _ in range(_TURN):
            if self._transport.is_closing():
                return
            self._wire.door.simulation.gate.pass_through()
            if self._full or self._parsing or self._waiting >= _MOST_WAITING:
                self._transport.pause_reading()
                return
            try:
                message = self._reader.next()
                if message is None:
                    self._wire.guests.hold(self, self._reader.held)
                    self._transport.resume_reading()
                    return
                if len(message) > _LONG:
                    self._unpack(message)
                    continue
                self._take(_asked(unpacked(message)))
            except Exception as error:
                self._leave(str(error) or type(error).__name__)
                return
        if not self._transport.is_closing():
            self._transport.pause_reading()
            self._schedule()

    def _schedule(self) -> None:
        """Have `_serve` go on when it is this client's turn."""
        if not self._scheduled and not self._transport.is_closing():
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _unpack(self, message: bytes) -> None:
        """Have another thread unpack and check a long message: it may take as long as many others' requests."""
        loop, self._parsing = asyncio.get_running_loop(), True
        done = self._wire.workers.submit(
            self.caller, lambda: _asked(unpacked(message, self._wire.door.simulation.gate))
        )
        done.add_done_callback(lambda future: _call(loop, self._unpacked, future))

    def _unpacked(self, future: Future[Any]) -> None:
        self._parsing = False
        if future.cancelled() or self._transport.is_closing():
            return
        if future.exception() is not None:
            self._leave(str(future.exception()))
            return
        self._take(future.result())
        self._schedule()

    def _take(self, asked: _Asked | None) -> None:
        if asked is not None:
            self._call(asked)
            return
        self._strange += 1
        if self._strange > _PATIENCE:
            self._leave("it does not speak MessagePack-RPC")

    def _call(self, asked: _Asked) -> None:
        number, name, count, found = asked
        try:
            if isinstance(found, Exception):
                raise found
            method, values = found
            self._wire.calls += 1
            self._wire.guests.hear(self)
            if method.where == "now":
                self.answer(number, method.function(self._wire.door, *values))
                return
            future = self._wire.begin(method, values, self.caller)
        except Exception as error:
            self.fail(number, name, count, error)
            return
        self._await(number, name, count, future)

    def _await(self, number: int | None, name: str, count: int, future: Future[Any]) -> None:
        """Answer when the future has its result, which may be another future."""
        self._waiting += 1
        loop = asyncio.get_running_loop()

        future.add_done_callback(lambda done: _call(loop, self._came, number, name, count, done))

    def _came(self, number: int | None, name: str, count: int, future: Future[Any]) -> None:
        self._waiting -= 1
        if self._waiting == _MOST_WAITING - 1:
            self._schedule()
        if self._transport.is_closing():
            return
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self.fail(number, name, count, error)
            return
        result = None if future.cancelled() else future.result()
        if isinstance(result, Future):
            self._await(number, name, count, result)
        else:
            self.answer(number, result)

    def answer(self, number: int | None, result: Any) -> None:
        """Send a result."""
        if number is not None and not self._transport.is_closing():
            self._transport.write(reply(number, result))

    def fail(self, number: int | None, name: Any, count: int, error: BaseException) -> None:
        """Send an error; it does not end the connection."""
        words = str(error)
        if not words.startswith("rpclib:"):
            words = f"rpclib: function '{name}' (called with {count} arg(s)) threw an exception. {words}"
        if not isinstance(error, VoleryError):
            _log.error("AirSim: %s failed: %s: %s", name, type(error).__name__, error)
        if number is not None and not self._transport.is_closing():
            self._transport.write(error_reply(number, words))

    def _leave(self, why: str) -> None:
        _log.info("AirSim: a client was sent away: %s", why)
        self._transport.abort()


def _call(loop: asyncio.AbstractEventLoop, function: Any, *arguments: Any) -> None:
    """Have the wire's thread do something, whichever thread this is; one that has ended has no clients any more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)


class _Asked(NamedTuple):
    """A request as it was read."""

    number: int | None
    """None: a notification, which has no answer."""
    name: Any
    given: int
    """Arguments that came with it."""
    found: tuple[Method, list[Any]] | Exception
    """What is to be done, or why not."""


def _asked(message: Any) -> _Asked | None:
    """The request of a message; None: it is none."""
    whole = isinstance(message, list | tuple) and len(message) in (3, 4)
    if whole and len(message) == 4 and message[0] == 0 and _is_number(message[1]):
        _, number, name, arguments = message
    elif whole and len(message) == 3 and message[0] == 2:
        number, (_, name, arguments) = None, message
    else:
        return None
    found: tuple[Method, list[Any]] | Exception
    try:
        found = _checked(name, arguments)
    except Exception as error:
        found = error
    return _Asked(number, name, len(arguments) if isinstance(arguments, list | tuple) else 0, found)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


def _checked(name: Any, arguments: Any) -> tuple[Method, list[Any]]:
    """The method and its arguments as they are meant, or an error in rpclib's words, which clients look for."""
    count = len(arguments) if isinstance(arguments, list | tuple) else -1
    method = METHODS.get(name) if isinstance(name, str) else None
    if method is None or count < 0:
        raise SimulationError(f"rpclib: server could not find function '{str(name)[:80]}' with argument count {count}.")
    if not method.least <= count <= len(method.arguments):
        raise SimulationError(
            f"rpclib: Function '{name}' was called with an invalid number of arguments. "
            f"Expected: {len(method.arguments)}, got: {count}"
        )
    values = []
    for place, (check, value) in enumerate(zip(method.arguments, arguments, strict=False), 1):
        try:
            values.append(check(value))
        except SimulationError as error:
            raise SimulationError(f"argument {place}: {error}") from None
    return method, values


class RpcServer:
    """The listening socket, its thread, and the threads that finish answers."""

    def __init__(self, door: AirSim, host: str, port: int) -> None:
        """door: what methods get first, and whose simulation's loop does what clients ask."""
        self.door = door
        self.guests = Guests(door.limits)
        self.calls = 0
        """Requests taken so far."""
        self.clients: set[_Client] = set()
        self.workers = Workers(1, "airsim-work", door.simulation.gate)
        self.pictures = Workers(1, "airsim-pictures", door.simulation.gate)
        self._loop = asyncio.new_event_loop()
        try:
            self._socket = socket.create_server((host, port), backlog=256)
        except OSError as error:
            raise SimulationError(
                f"AirSim: TCP port {port} of {host} cannot be used: {error.strerror}; is another simulator running? "
                "Choose another with ApiServerPort in settings.json or `port` in the scenario"
            ) from None
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._run, name="airsim", daemon=True)

    def start(self) -> None:
        """Let clients in."""
        self._thread.start()

    def begin(self, method: Method, values: list[Any], caller: Caller) -> Future[Any]:
        """Have a method's work done, by the loop or outside it."""
        if method.where in ("work", "picture"):
            workers = self.pictures if method.where == "picture" else self.workers
            return workers.submit(caller, lambda: self.door.work(method, values, caller))
        newest = (method.name, *(v for v in values if isinstance(v, str))) if method.newest else None
        return self.door.simulation.ask(lambda: self.door.perform(method, values, caller), caller, newest=newest)

    def close(self) -> None:
        """Let all clients go and give the port back."""
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.ident is not None:
            self._thread.join(timeout=5.0)
        self._socket.close()
        self.workers.close()
        self.pictures.close()
        if not self._loop.is_running():
            self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self._loop.create_server(lambda: _Client(self), sock=self._socket))
        self._sweep()
        self._loop.run_forever()
        server.close()
        for client in list(self.clients):
            client._transport.abort()
        self._loop.run_until_complete(asyncio.sleep(0))

    def _sweep(self) -> None:
        self.guests.sweep()
        self._loop.call_later(_SWEEP, self._sweep)
