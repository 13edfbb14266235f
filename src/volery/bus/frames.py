"""Arrays with a small header as one block of bytes: what the viewer sends, and what recordings keep of all poses.

`u32 LE length of the header | header, JSON in UTF-8 | zeros up to a multiple of 8 | arrays`. The header's `arrays` says
for each name its type, its shape and where it starts in the payload, a multiple of 8 too: a browser reads the arrays in
place.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np

from volery.errors import BusError

__all__ = ["pack", "unpack"]

_KINDS = ("f4", "f8", "u1", "i1", "u2", "i2", "u4", "i4")
"""Types that a browser has typed arrays for."""


def pack(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """A frame of a header of plain data and named arrays of types f4 f8 u1 i1 u2 i2 u4 i4, of any shape."""
    places, parts, at = {}, [], 0
    for name, array in arrays.items():
        kind = array.dtype.str[1:]
        if kind not in _KINDS:
            raise BusError(f"array '{name}' is of type {array.dtype}; a frame holds {', '.join(_KINDS)}")
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        places[name] = [kind, list(array.shape), at]
        parts += [data, b"\0" * (-data.nbytes % 8)]
        at += data.nbytes + -data.nbytes % 8
    try:
        # NaN and infinity are no JSON: a browser would refuse the whole frame.
        head = json.dumps({**header, "arrays": places}, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise BusError(f"a frame's header cannot hold this: {error}") from None
    whole: list[Any] = [struct.pack("<I", len(head)), head, b"\0" * (-(4 + len(head)) % 8), *parts]
    return b"".join(whole)


def unpack(data: bytes | memoryview) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header, without `arrays`, and the arrays of a frame; they are views of the bytes."""
    try:
        (size,) = struct.unpack_from("<I", data)
        header = json.loads(bytes(data[4 : 4 + size]))
        start = 4 + size + -(4 + size) % 8
        arrays = {name: _array(data, start, *place) for name, place in header.pop("arrays").items()}
    except (struct.error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BusError(f"{len(data)} bytes are not a frame: {error}") from None
    return header, arrays


def _array(data: bytes | memoryview, start: int, kind: str, shape: list[int], at: int) -> np.ndarray:
    if kind not in _KINDS or at < 0 or any(n < 0 for n in shape):
        raise ValueError(f"an array of {kind} {shape} at {at}")
    return np.frombuffer(data, f"<{kind}", math.prod(shape), start + at).reshape(shape)
