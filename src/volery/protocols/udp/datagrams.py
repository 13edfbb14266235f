"""A UDP socket with a thread that reads it: what all doors of datagrams stand on."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from volery.core.gate import Gate
from volery.errors import SimulationError

__all__ = ["Datagrams", "address_of"]

_LONGEST = 65_507


class Datagrams:
    """Bound to an address; `take` is told of every datagram, in a thread of its own, and may give an answer."""

    def __init__(
        self,
        host: str,
        port: int,
        take: Callable[[bytes, tuple[Any, ...]], bytes | None],
        name: str = "udp",
        near: bool = True,
        gate: Gate | None = None,
    ) -> None:
        """port: 0 for any that is free; near: send no further than this machine's own networks, since anybody can write
        any address into a datagram; gate: before which the thread waits. Nothing is read before `start`."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if near:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_DONTROUTE, 1)
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise SimulationError(f"UDP port {port} of {host} cannot be used: {error.strerror or error}") from None
        self.port: int = self._socket.getsockname()[1]
        self._take, self._gate = take, gate
        self._thread = threading.Thread(target=self._listen, name=name, daemon=True)
        self._sender: ThreadPoolExecutor | None = None
        self._sending = False

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def multicast_from(self, host: str) -> None:
        """Send to groups from this address of ours, and no further than the next router."""
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)

    def send(self, data: bytes, to: tuple[Any, ...]) -> None:
        """Send without waiting; with a full buffer, or nobody there, it is lost: the next one is as good."""
        with contextlib.suppress(OSError):
            self._socket.sendto(data, socket.MSG_DONTWAIT, to)

    def post(self, letters: list[tuple[bytes, tuple[Any, ...]]]) -> None:
        """Send many without keeping the caller; if the ones before are still on their way, these are lost."""
        if self._sender is None:
            self._sender = ThreadPoolExecutor(1, thread_name_prefix="datagrams")
        if not self._sending:
            self._sending = True
            self._sender.submit(self._send_all, letters)

    def _send_all(self, letters: list[tuple[bytes, tuple[Any, ...]]]) -> None:
        for data, to in letters:
            self.send(data, to)
        self._sending = False

    def close(self) -> None:
        """Give the port back."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if self._sender is not None:
            self._sender.shutdown()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    def _listen(self) -> None:
        while True:
            try:
                data, sender = self._socket.recvfrom(_LONGEST)
            except OSError:
                return
            if self._gate is not None:
                self._gate.pass_through()
            reply = self._take(data, sender)
            if reply is not None:
                self.send(reply, sender)


def address_of(text: str) -> tuple[str, int]:
    """HOST:PORT as a socket wants it."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise SimulationError(f"'{text}' is no address; write HOST:PORT, such as 192.168.0.7:9880")
    return host, int(port)
