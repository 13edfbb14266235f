"""MessagePack as AirSim's clients speak it: requests in, replies out, large arrays without a detour over lists."""

from __future__ import annotations

from typing import Any

import msgpack
import numpy as np

from volery.core.gate import Gate

__all__ = [
    "PackedValue",
    "Reader",
    "error_reply",
    "floats",
    "packed_list",
    "packed_map",
    "reply",
    "unpacked",
    "whole_numbers",
]

_SLICE = 1 << 12
"""Bytes that are unpacked at a time: Python can hand over to the loop in between."""
_MOST_ENTRIES = 100_000
"""Of a list or map in a request: room for them is made before they come."""


class PackedValue:
    """A value that is bytes of MessagePack already."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class Reader:
    """Takes bytes as they come and cuts them into messages, whose values are not made before all of them is there: an
    unfinished message takes as much memory as its bytes."""

    def __init__(self) -> None:
        self._scan = msgpack.Unpacker(max_buffer_size=0)
        self._bytes = bytearray()
        self._start = 0

    @property
    def held(self) -> int:
        """Bytes that are not yet a whole message."""
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        """More bytes."""
        self._scan.feed(data)
        self._bytes += data

    def next(self) -> bytes | None:
        """The bytes of the next message; None: it is not all there. What is no MessagePack is an error."""
        try:
            self._scan.skip()
        except msgpack.OutOfData:
            return None
        end = self._scan.tell() - self._start
        message = bytes(self._bytes[:end])
        del self._bytes[:end]
        self._start += end
        return message


def unpacked(message: bytes, gate: Gate | None = None) -> Any:
    """The value of a message; bad UTF-8 is replaced, too long a list or map is an error. gate: passed now and then."""
    unpacker = msgpack.Unpacker(
        raw=False, strict_map_key=False, unicode_errors="replace", max_buffer_size=len(message) + 1,
        max_array_len=_MOST_ENTRIES, max_map_len=_MOST_ENTRIES, max_ext_len=1024,
    )  # fmt: skip
    for start in range(0, len(message), _SLICE):
        if gate is not None:
            gate.pass_through()
        unpacker.feed(message[start : start + _SLICE])
        try:
            return unpacker.unpack()
        except msgpack.OutOfData:
            continue
        except TypeError as error:
            raise ValueError(f"a map with a key that is a list or a map: {error}") from None
    raise ValueError("a message that does not end")


def _pack(value: Any) -> bytes:
    return value.data if isinstance(value, PackedValue) else msgpack.packb(value, use_bin_type=True)


def reply(number: int, result: Any) -> bytes:
    """The answer to a request."""
    return b"\x94\x01" + msgpack.packb(number) + b"\xc0" + _pack(result)


def error_reply(number: int, text: str) -> bytes:
    """The answer to a request that failed."""
    return b"\x94\x01" + msgpack.packb(number) + msgpack.packb(text, unicode_errors="replace") + b"\xc0"


def _head(count: int, short: int, tag: int) -> bytes:
    """First bytes of an array or a map of so many entries."""
    if count < 16:
        return bytes([short | count])
    return bytes([tag]) + count.to_bytes(2, "big") if count < 65_536 else bytes([tag + 1]) + count.to_bytes(4, "big")


def packed_map(values: dict[str, Any]) -> PackedValue:
    """A map of which some values are packed already."""
    return PackedValue(_head(len(values), 0x80, 0xDE) + b"".join(_pack(k) + _pack(v) for k, v in values.items()))


def packed_list(values: list[Any]) -> PackedValue:
    """A list of which some values are packed already."""
    return PackedValue(_head(len(values), 0x90, 0xDC) + b"".join(map(_pack, values)))


def floats(values: np.ndarray) -> PackedValue:
    """A flat list of single-precision numbers."""
    flat = np.ascontiguousarray(values, ">f4").reshape(-1)
    out = np.empty(len(flat), np.dtype([("tag", "u1"), ("value", ">f4")]))
    out["tag"], out["value"] = 0xCA, flat
    return PackedValue(_head(len(flat), 0x90, 0xDC) + out.tobytes())


def whole_numbers(values: np.ndarray) -> PackedValue:
    """A flat list of whole numbers of up to 32 bits; below 0 as signed ones."""
    flat = np.asarray(values).reshape(-1)
    signed = bool((flat < 0).any())
    kind = ">i4" if signed else ">u4"
    out = np.empty(len(flat), np.dtype([("tag", "u1"), ("value", kind)]))
    out["tag"], out["value"] = 0xD2 if signed else 0xCE, flat
    return PackedValue(_head(len(flat), 0x90, 0xDC) + out.tobytes())
