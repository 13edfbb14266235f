"""Bytes of requests and replies: cereal's plain binary archive, little-endian and packed, without any frame.

A layout is a word of letters, one for each field: `f` double, `F` float, `i` int32, `h` uint16, `s` int16, `b` bool,
`t` text (u64 length, then bytes). Replies end with three dollars.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import numpy as np

from volery.errors import SimulationError

__all__ = ["END", "IncompleteError", "RequestLayout", "layout", "pack", "reply", "text", "vector"]

END = b"$$$"
"""After every reply."""
_CODES = {"f": "d", "F": "f", "i": "i", "h": "H", "s": "h", "b": "?"}
_HEADER = struct.Struct("<H?")
_COUNT = struct.Struct("<Q")
MOST_TEXT = 1 << 20
"""Longest text that is taken [bytes]."""


class IncompleteError(Exception):
    """More bytes are needed."""


class RequestLayout:
    """The fields of a request after its type."""

    def __init__(self, letters: str) -> None:
        self.letters = letters
        self._parts = [None if part == "t" else struct.Struct(f"<{part}") for part in _split(letters)]
        self._one = self._parts[0] if len(self._parts) == 1 else None

    def read(self, data: bytes | bytearray, start: int) -> tuple[tuple[Any, ...], int]:
        """Values from a place on, and where they end; `IncompleteError` if more bytes must come."""
        if self._one is not None:
            end = start + self._one.size
            if len(data) < end:
                raise IncompleteError
            return self._one.unpack_from(data, start), end
        values: list[Any] = []
        for part in self._parts:
            if part is None:
                value, start = _text(data, start)
                values.append(value)
                continue
            if len(data) < start + part.size:
                raise IncompleteError
            values += part.unpack_from(data, start)
            start += part.size
        return tuple(values), start

    def pack(self, values: tuple[Any, ...]) -> bytes:
        """The bytes of values."""
        if self._one is not None:
            return self._one.pack(*values)
        out, i = b"", 0
        for part in self._parts:
            if part is None:
                out, i = out + text(values[i]), i + 1
            else:
                count = len(part.unpack(bytes(part.size)))
                out, i = out + part.pack(*values[i : i + count]), i + count
        return out


def _split(letters: str) -> list[str]:
    """Runs of fields of fixed size as codes of `struct`, and texts by themselves."""
    parts: list[str] = []
    for letter in letters:
        if letter == "t":
            parts.append("t")
        elif parts and parts[-1] != "t":
            parts[-1] += _CODES[letter]
        else:
            parts.append(_CODES[letter])
    return parts


def _text(data: bytes | bytearray, start: int) -> tuple[str, int]:
    if len(data) < start + 8:
        raise IncompleteError
    length = _COUNT.unpack_from(data, start)[0]
    if length > MOST_TEXT:
        raise SimulationError(f"a text of {length} bytes is longer than {MOST_TEXT}")
    end = start + 8 + length
    if len(data) < end:
        raise IncompleteError
    return bytes(data[start + 8 : end]).decode("utf-8", "replace"), end


@cache
def layout(letters: str) -> RequestLayout:
    """The layout of a word, made once."""
    return RequestLayout(letters)


def pack(letters: str, *values: Any) -> bytes:
    """Values as bytes."""
    return layout(letters).pack(values)


def text(value: str) -> bytes:
    """A text with its length."""
    data = value.encode()
    return _COUNT.pack(len(data)) + data


def vector(values: np.ndarray | bytes, count: int | None = None) -> bytes:
    """A vector: its count, then its elements; count: of elements that are structures, given as bytes."""
    data = values if isinstance(values, bytes) else np.ascontiguousarray(values).tobytes()
    return _COUNT.pack(len(values) if count is None else count) + data


def reply(number: int, ok: bool, body: bytes = b"") -> bytes:
    """A whole reply."""
    return _HEADER.pack(number, ok) + body + END
