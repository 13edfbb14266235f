"""A serial line with a thread that reads it: messages as datagrams carry, in frames of SLIP (RFC 1055) with a CRC.

A frame: 0xC0, the message, its CRC-16/CCITT-FALSE (two bytes, little-endian), 0xC0; inside, 0xC0 is written 0xDB 0xDC
and 0xDB is written 0xDB 0xDD. Frames whose CRC is wrong are left out.
"""

from __future__ import annotations

import binascii
import contextlib
import os
import select
import struct
import termios
import threading
import tty
from collections.abc import Callable
from typing import Any

from volery.errors import SimulationError

__all__ = ["SPEEDS", "SerialLine", "framed", "unframed"]

_END, _ESCAPE = b"\xc0", b"\xdb"
_LONGEST = 4096
"""Of a frame; what is longer is noise [bytes]."""
SPEEDS = {
    int(name[1:]): value for name, value in vars(termios).items() if name[0] == "B" and name[1:].isdecimal() and value
}
"""Baud rates that this machine knows, and how it calls them."""
_SENDER = ("serial", 0)


def framed(message: bytes) -> bytes:
    """A message as it goes over the line."""
    whole = message + struct.pack("<H", binascii.crc_hqx(message, 0xFFFF))
    inner = whole.replace(_ESCAPE, _ESCAPE + b"\xdd").replace(_END, _ESCAPE + b"\xdc")
    return _END + inner + _END


def unframed(inner: bytes) -> bytes | None:
    """The message between two ends; None: it is broken."""
    whole = inner.replace(_ESCAPE + b"\xdc", _END).replace(_ESCAPE + b"\xdd", _ESCAPE)
    if len(whole) < 3:
        return None
    message, told = whole[:-2], struct.unpack("<H", whole[-2:])[0]
    return message if binascii.crc_hqx(message, 0xFFFF) == told else None


class SerialLine:
    """A device such as /dev/ttyUSB0, or a pseudo-terminal; `take` is told of every message, in a thread of its own."""

    port = 0

    def __init__(
        self, device: str, baud: int, take: Callable[[bytes, tuple[Any, ...]], bytes | None], name: str = "serial"
    ) -> None:
        """Nothing is read before `start`."""
        try:
            self._file = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            raise SimulationError(f"serial line {device} cannot be used: {error.strerror or error}") from None
        try:
            self._set_up(SPEEDS[baud])
        except termios.error as error:
            os.close(self._file)
            raise SimulationError(f"{device} is no serial line ({error.args[-1]})") from None
        self._wake, self._waker = os.pipe()
        self._take = take
        self.broken = 0
        """Frames whose CRC was wrong."""
        self._thread = threading.Thread(target=self._listen, name=name, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def send(self, data: bytes, to: tuple[Any, ...] = _SENDER) -> None:
        """Send without waiting; what a full line does not take is lost, and the other side sees that by the CRC."""
        with contextlib.suppress(OSError):
            os.write(self._file, framed(data))

    def close(self) -> None:
        """Give the line back."""
        os.write(self._waker, b"x")
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
        for file in (self._file, self._wake, self._waker):
            os.close(file)

    def _set_up(self, speed: int) -> None:
        """Eight bits, no parity, no echo, nothing of a terminal."""
        tty.setraw(self._file)
        about = termios.tcgetattr(self._file)
        about[4] = about[5] = speed
        about[2] |= termios.CLOCAL | termios.CREAD
        termios.tcsetattr(self._file, termios.TCSANOW, about)

    def _listen(self) -> None:
        pending = b""
        while True:
            ready, _, _ = select.select([self._file, self._wake], [], [])
            if self._wake in ready:
                return
            try:
                data = os.read(self._file, 65_536)
            except BlockingIOError:
                continue
            except OSError:
                return
            if not data:
                return
            *frames, pending = (pending + data).split(_END)
            pending = pending[-_LONGEST:]
            for inner in frames:
                self._hear(inner)

    def _hear(self, inner: bytes) -> None:
        if not inner:
            return
        message = unframed(inner)
        if message is None:
            self.broken += 1
            return
        reply = self._take(message, _SENDER)
        if reply is not None:
            self.send(reply)
