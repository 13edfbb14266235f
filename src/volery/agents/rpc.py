"""A small MessagePack-RPC client, as AirSim's servers speak it: many calls at once on one connection."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from concurrent.futures import Future
from typing import Any

import msgpack

from volery.errors import SimulationError

__all__ = ["RpcClient"]

_CHUNK = 65_536


class RpcClient:
    """Calls by any thread; answers come in any order, and each goes to who asked."""

    def __init__(self, host: str = "127.0.0.1", port: int = 41451, timeout: float = 60.0) -> None:
        """timeout: of the connection and of `call` [s of wall time]."""
        try:
            self._socket = socket.create_connection((host, port), timeout)
        except OSError as error:
            raise SimulationError(
                f"no server answers at {host}:{port} ({error}); start one, or give its port"
            ) from None
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.timeout = timeout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._gone = ""
        self._thread = threading.Thread(target=self._read, name="rpc", daemon=True)
        self._thread.start()

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Begin a call; its answer or error is in the future."""
        future: Future[Any] = Future()
        with self._lock:
            if self._gone:
                raise SimulationError(f"{method}: {self._gone}")
            number = next(self._numbers) & 0xFFFFFFFF
            self._waiting[number] = future
            self._socket.sendall(msgpack.packb([0, number, method, arguments], use_bin_type=True))
        return future

    def call(self, method: str, *arguments: Any) -> Any:
        """Call and wait for the answer."""
        return self.ask(method, *arguments).result(timeout=self.timeout)

    def close(self) -> None:
        """Hang up; whoever waits gets an error."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(timeout=5.0)

    def _read(self) -> None:
        why = "the server has closed the connection"
        unpacker = msgpack.Unpacker(raw=False, strict_map_key=False, max_buffer_size=256 * 1024 * 1024)
        try:
            while data := self._socket.recv(_CHUNK):
                unpacker.feed(data)
                for reply in unpacker:
                    self._answer(reply)
        except (OSError, ValueError, msgpack.UnpackException) as error:
            why = f"the connection is broken: {error}"
        with self._lock:
            self._gone, waiting, self._waiting = why, list(self._waiting.values()), {}
        for future in waiting:
            future.set_exception(SimulationError(why))

    def _answer(self, reply: Any) -> None:
        if not isinstance(reply, list) or len(reply) != 4 or reply[0] != 1:
            raise ValueError(f"{reply!r:.80} is no answer")
        _, number, error, result = reply
        with self._lock:
            future = self._waiting.pop(number, None)
        if future is None:
            return
        if error is not None:
            future.set_exception(SimulationError(str(error)))
        else:
            future.set_result(result)
