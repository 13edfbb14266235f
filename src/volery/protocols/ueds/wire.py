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
from collections.abc import Callable

from volery.errors import SimulationError
from volery.protocols.ueds.codec import IncompleteError
from volery.protocols.ueds.messages import Table

__all__ = ["Port", "Wire"]

_log = logging.getLogger("volery")
_PATIENCE = 100
"""Messages that are none, after which a client is sent away."""
_MOST_CLIENTS = 64
"""Of one port."""
_MOST_REQUEST = 1 << 21
"""Bytes that a request may have."""
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


class Port:
    """A port that is served: the game mode's or a drone's."""

    def __init__(self, listener: socket.socket, answer: Callable[[Table, int, tuple], bytes], table: Table) -> None:
        self.listener = listener
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


class Wire:
    """All ports of a door."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.requests = 0
        """Requests taken so far; about, since threads do not wait for each other to count."""
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._wake, self._woken = socket.socketpair()
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._ended = False
        self._thread = threading.Thread(target=self._accept, name="ueds", daemon=True)
        self._thread.start()

    def open(self, number: int, answer: Callable[[Table, int, tuple], bytes], table: Table) -> Port:
        """Serve a port; 0: any that is free."""
        try:
            listener = socket.create_server((self.host, number), backlog=64)
        except OSError as error:
            raise SimulationError(f"UEds: TCP port {number} of {self.host} cannot be used: {error.strerror}") from None
        listener.setblocking(False)
        port = Port(listener, answer, table)
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
        self._thread.join(timeout=5.0)
        for end in (self._wake, self._woken):
            end.close()
        self._selector.close()

    def _nudge(self) -> None:
        with contextlib.suppress(OSError):
            self._wake.send(b".")

    def _accept(self) -> None:
        while not self._ended:
            for key, _ in self._selector.select(1.0):
                if key.data is None:
                    self._woken.recv(4096)
                    continue
                self._let_in(key.data)

    def _let_in(self, port: Port) -> None:
        try:
            client, _ = port.listener.accept()
        except OSError:
            return
        if port.closed or len(port.clients) >= _MOST_CLIENTS:
            client.close()
            return
        port.clients[client.fileno()] = client
        threading.Thread(target=self._serve, args=(port, client), name=f"ueds-{port.number}", daemon=True).start()

    def _serve(self, port: Port, client: socket.socket) -> None:
        number = client.fileno()
        try:
            _prepare(client)
            _Conversation(self, port, client).hold()
        except OSError:
            pass
        finally:
            port.clients.pop(number, None)
            client.close()


def _prepare(client: socket.socket) -> None:
    client.setblocking(True)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(_UNREAD), 0))


class _Conversation:
    """What one client says, and what it is told."""

    def __init__(self, wire: Wire, port: Port, client: socket.socket) -> None:
        self._wire, self._port, self._client = wire, port, client
        self._strange = 0
        self._patient = 0
        """Requests to sleep for before the next is looked for."""

    def hold(self) -> None:
        """Until it leaves."""
        waiting = b""
        while True:
            data = self._hear()
            if not data or self._port.closed:
                return
            waiting = self._take(waiting + data if waiting else data)
            if len(waiting) > _MOST_REQUEST or self._strange > _PATIENCE:
                _log.info("UEds: a client of port %d was sent away: it does not speak the protocol", self._port.number)
                return

    def _hear(self) -> bytes:
        """The next bytes; none if the client left."""
        if self._patient == 0 and _AT_ONCE is not None:
            until = time.perf_counter() + _EXPECTING
            while time.perf_counter() < until:
                try:
                    return self._client.recv(_PIECE, _AT_ONCE)
                except BlockingIOError:
                    pass
            self._patient = _PATIENT
        else:
            self._patient -= 1
        return self._client.recv(_PIECE)

    def _take(self, data: bytes) -> bytes:
        """Answer the requests in some bytes; returns what is left for the next."""
        port, start = self._port, 0
        while len(data) - start >= 2:
            number = data[start] | data[start + 1] << 8
            message = port.table.get(number)
            if message is None:
                # Unreal's server says nothing, and its client waits a second; too short an answer fails at once.
                self._strange += 1
                self._client.sendall(port.answer(port.table, number, ()))
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
            self._client.sendall(port.answer(port.table, number, values))
            start = end
        return data[start:]

    def _rest(self, data: bytes) -> bytes:
        """A little more time for a request that has a longer form."""
        self._client.settimeout(_SECOND_HALF)
        try:
            return data + self._client.recv(_PIECE)
        except TimeoutError:
            return data
        finally:
            self._client.settimeout(None)
