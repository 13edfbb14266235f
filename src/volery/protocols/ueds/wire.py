"""Sockets: one thread that lets clients in, and one for each of them that reads a request, answers it, and reads on.

Clients wait for one answer at a time, so a thread that only reads and writes is both the simplest and the fastest
server, and no client can keep another waiting.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from volery.core.gate import Gate
from volery.errors import SimulationError
from volery.protocols.guests import Guests, keep_alive, looks_like_http
from volery.protocols.limits import Limits
from volery.protocols.ueds.codec import IncompleteError
from volery.protocols.ueds.messages import Table

__all__ = ["Port", "UedsSockets"]

_log = logging.getLogger("volery")
_PATIENCE = 100
"""Messages that are none, after which a client is sent away."""
_AT_WORK = 2
"""Clients' threads that run at a time: more would keep the loop waiting for its turn at the interpreter."""
_FEW = 4
"""Up to so many clients, the next request is looked for before a thread sleeps."""
_UNREAD = 10.0
"""A client that reads nothing for so long is let go [s]."""
_PIECE = 1 << 16
"""Bytes that are read at once."""
_BUFFER = 1 << 22
"""Room for a reply on its way [bytes]: the oldest clients take a pause in the middle of one for its end."""
_EXPECTING = 40e-6
"""How long the next request is looked for before the thread sleeps [s]: to be woken by another core takes longer."""
_PATIENT = 8
"""Requests that are slept for after one that was looked for in vain: on the same core nobody can ask meanwhile."""
_AT_ONCE = getattr(socket, "MSG_DONTWAIT", None)
_SECOND_HALF = 0.02
"""How long a longer form of a request is waited for when a shorter one is complete [s]."""


TOO_LATE = 0.8
"""No answer is given later than this after its request was read [s]: the client would take it for the next one's."""

Answer = Callable[[Table, int, tuple[Any, ...], Hashable], bytes]
"""Gets a table, the number and the fields of a message, and who asks."""


class Port:
    """A port that is served: the game mode's or a drone's."""

    def __init__(self, listener: socket.socket, answer: Answer, table: Table, careful: bool) -> None:
        self.listener, self.careful = listener, careful
        self.number: int = listener.getsockname()[1]
        self.answer = answer
        self.table = table
        self.clients: dict[int, socket.socket] = {}
        self.closed = False

    def close(self) -> None:
        """Let all clients go; new ones are refused."""
        self.closed = True
        with contextlib.suppress(OSError):
            self.listener.close()
        for client in list(self.clients.values()):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)


class UedsSockets:
    """All ports of a door."""

    def __init__(self, host: str, limits: Limits, left: Callable[[Hashable], None], gate: Gate) -> None:
        """left: told of clients that have gone; gate: before which clients' threads wait."""
        self.host, self.guests, self.gate = host, Guests(limits), gate
        self._left = left
        self.turn = threading.BoundedSemaphore(_AT_WORK)
        """What a client's thread has while it runs."""
        self.requests = 0
        """Requests taken so far; about, since threads do not wait for each other to count."""
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._wake, self._woken = socket.socketpair()
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._ended = False
        self._thread = threading.Thread(target=self._accept, name="ueds", daemon=True)

    def start(self) -> None:
        """Let clients in."""
        self._thread.start()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """For a client's thread: wait for something while others have its turn."""
        self.turn.release()
        try:
            yield
        finally:
            self.turn.acquire()

    def open(self, number: int, answer: Answer, table: Table, *, careful: bool = False) -> Port:
        """Serve a port; 0: any that is free. careful: of bytes that go on as no request, nothing is done."""
        try:
            listener = socket.create_server((self.host, number), backlog=64)
        except OSError as error:
            raise SimulationError(f"UEds: TCP port {number} of {self.host} cannot be used: {error.strerror}") from None
        listener.setblocking(False)
        port = Port(listener, answer, table, careful)
        with self._lock:
            self._selector.register(listener, selectors.EVENT_READ, port)
        self._nudge()
        return port

    def shut(self, port: Port) -> None:
        """Serve a port no longer."""
        with self._lock, contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(port.listener)
        port.close()
        self._nudge()

    def close(self) -> None:
        """Serve nothing any more."""
        self._ended = True
        with self._lock:
            ports = [key.data for key in self._selector.get_map().values() if key.data is not None]
        for port in ports:
            self.shut(port)
        self._nudge()
        if self._thread.ident is not None:
            self._thread.join(timeout=5.0)
        for end in (self._wake, self._woken):
            end.close()
        self._selector.close()

    def _nudge(self) -> None:
        with contextlib.suppress(OSError):
            self._wake.send(b".")

    def _accept(self) -> None:
        while not self._ended:
            self.guests.sweep()
            self.gate.pass_through()
            for key, _ in self._selector.select(1.0):
                if key.data is None:
                    self._woken.recv(4096)
                    continue
                self._let_in(key.data)

    def _let_in(self, port: Port) -> None:
        try:
            client, address = port.listener.accept()
        except OSError:
            return
        # Each port has its own places: who fills one leaves the others open.
        if port.closed or not self.guests.enter(client, f"{address[0]} at {port.number}", lambda: _hang_up(client)):
            client.close()
            return
        port.clients[client.fileno()] = client
        threading.Thread(target=self._serve, args=(port, client), name=f"ueds-{port.number}", daemon=True).start()

    def _serve(self, port: Port, client: socket.socket) -> None:
        number = client.fileno()
        try:
            _prepare(client)
            keep_alive(client, self.guests.limits)
            _Conversation(self, port, client).hold()
        except OSError:
            pass
        finally:
            self.guests.leave(client)
            self._left(client)
            port.clients.pop(number, None)
            client.close()


def _hang_up(client: socket.socket) -> None:
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)


def _prepare(client: socket.socket) -> None:
    client.setblocking(True)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(_UNREAD), 0))


class _Conversation:
    """What one client says, and what it is told."""

    def __init__(self, wire: UedsSockets, port: Port, client: socket.socket) -> None:
        self._wire, self._port, self._client = wire, port, client
        self._strange = 0
        self._patient = 0
        """Requests to sleep for before the next is looked for."""

    def hold(self) -> None:
        """Until it leaves."""
        waiting, new, most = b"", True, self._wire.guests.limits.bytes_per_client
        while True:
            data = self._hear()
            came = time.monotonic()
            if not data or self._port.closed:
                return
            if new and looks_like_http(data):
                _log.info("UEds: a client of port %d was sent away: it speaks HTTP", self._port.number)
                return
            new = False
            with self._wire.turn:
                if self._client not in self._wire.guests:
                    return
                waiting = self._take(waiting + data if waiting else data, came)
            if waiting:
                self._wire.guests.hold(self._client, len(waiting))
            if len(waiting) > most or self._strange > _PATIENCE:
                _log.info("UEds: a client of port %d was sent away: it does not speak the protocol", self._port.number)
                return

    def _hear(self) -> bytes:
        """The next bytes; none if the client left."""
        if self._patient == 0 and _AT_ONCE is not None and len(self._wire.guests) <= _FEW:
            until = time.perf_counter() + _EXPECTING
            while time.perf_counter() < until:
                try:
                    return self._client.recv(_PIECE, _AT_ONCE)
                except BlockingIOError:
                    pass
            self._patient = _PATIENT
        elif self._patient:
            self._patient -= 1
        return self._client.recv(_PIECE)

    def _take(self, data: bytes, came: float) -> bytes:
        """Answer the requests in some bytes; returns what is left for the next. came: when the last of them did [s]."""
        port, start = self._port, 0
        if port.careful and not self._sensible(data):
            self._strange = _PATIENCE + 1
            return b""
        while len(data) - start >= 2:
            self._wire.gate.pass_through()
            number = data[start] | data[start + 1] << 8
            message = port.table.get(number)
            if message is None:
                # Unreal's server says nothing, and its client waits a second; too short an answer fails at once.
                self._strange += 1
                self._send(port.answer(port.table, number, (), self._client))
                return b""
            try:
                values, end = message.request.read(data, start + 2)
            except IncompleteError:
                return data[start:]
            except SimulationError:
                self._strange = _PATIENCE + 1
                return b""
            if message.longer is not None:
                data = self._rest(data) if len(data) == end else data
                values, end = message.longest(data, start + 2)
            self._wire.requests += 1
            self._wire.guests.hear(self._client)
            answer = port.answer(port.table, number, values, self._client)
            if (late := time.monotonic() - came) > TOO_LATE:
                _log.warning(
                    "UEds: %s of a client of port %d took %.2f s: it was hung up on, since a late answer would be "
                    "taken for the next one's", message.name, port.number, late,
                )  # fmt: skip
                raise ConnectionAbortedError
            self._send(answer)
            # Of several at once the next is begun only now.
            start, came = end, time.monotonic()
        return data[start:]

    def _sensible(self, data: bytes) -> bool:
        """Whether some bytes that begin with a request go on as requests do: of noise that happens to begin like a
        removal or another level, nothing is done."""
        start = 0
        while len(data) - start >= 2:
            message = self._port.table.get(data[start] | data[start + 1] << 8)
            if message is None:
                return start == 0
            try:
                _, start = message.request.read(data, start + 2)
            except IncompleteError:
                return True
            except SimulationError:
                return False
        return start > 0 or len(data) < 2

    def _send(self, reply: bytes) -> None:
        """Send; a client that does not read keeps nobody else waiting."""
        if _AT_ONCE is not None:
            try:
                sent = self._client.send(reply, _AT_ONCE)
            except BlockingIOError:
                sent = 0
            if sent == len(reply):
                return
            reply = reply[sent:]
        with self._wire.away():
            self._client.sendall(reply)

    def _rest(self, data: bytes) -> bytes:
        """A little more time for a request that has a longer form."""
        self._client.settimeout(_SECOND_HALF)
        try:
            with self._wire.away():
                return data + self._client.recv(_PIECE)
        except TimeoutError:
            return data
        finally:
            self._client.settimeout(None)
