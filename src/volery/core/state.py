"""Snapshots: the state of anything as plain data, as bytes that are always the same, and as a hash."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from volery.errors import SimulationError

__all__ = ["decode", "encode", "load", "save", "state_hash"]

_MAGIC = b"volery-state-1\n"
_ARRAY, _BIG_INT = 1, 2
# What msgpack and numpy raise for bytes and array headers that were damaged or made up.
_BROKEN = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, SyntaxError, MemoryError,
           RecursionError, msgpack.UnpackException)  # fmt: skip


def encode(tree: Any) -> bytes:
    """Nested dicts, lists, numbers, text, bytes and arrays as bytes; equal data gives equal bytes."""
    try:
        return msgpack.packb(_sorted(tree), default=_pack, strict_types=True)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise SimulationError(f"a snapshot cannot hold this: {error}") from None


def decode(data: bytes) -> Any:
    """What `encode` was given; tuples come back as lists."""
    try:
        return msgpack.unpackb(data, ext_hook=_unpack, strict_map_key=False)
    except _BROKEN as error:
        raise SimulationError(f"this is not a snapshot, or it is damaged ({error})") from None


def state_hash(tree: Any) -> str:
    """32 hexadecimal digits that change when anything in the tree does."""
    return hashlib.blake2b(encode(tree), digest_size=16).hexdigest()


def save(tree: Any, path: Path | str) -> None:
    """Write a snapshot to a file, whole or not at all."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    data = _MAGIC + encode(tree)
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        raise SimulationError(f"snapshot {path} cannot be written: {error.strerror}") from None


def load(path: Path | str) -> Any:
    """Read a snapshot from a file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SimulationError(f"snapshot {path} cannot be read: {error.strerror}") from None
    if not data.startswith(_MAGIC):
        raise SimulationError(f"{path} is not a Volery snapshot of this version")
    return decode(data[len(_MAGIC) :])


def _sorted(tree: Any) -> Any:
    """Dicts in the order of their keys, since packing keeps the order of insertion."""
    if isinstance(tree, dict):
        return {k: _sorted(tree[k]) for k in sorted(tree, key=lambda key: (str(type(key)), key))}
    if isinstance(tree, list | tuple):
        return [_sorted(v) for v in tree]
    if isinstance(tree, np.generic):
        return tree.item()
    if isinstance(tree, int) and not isinstance(tree, bool) and not -(2**63) <= tree < 2**64:
        return msgpack.ExtType(_BIG_INT, str(tree).encode())
    return tree


def _pack(value: Any) -> msgpack.ExtType:
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject or value.dtype.names:
            raise SimulationError(f"a snapshot cannot hold an array of {value.dtype}")
        head = msgpack.packb((value.dtype.str, list(value.shape)))
        return msgpack.ExtType(_ARRAY, len(head).to_bytes(2, "little") + head + value.tobytes())
    raise SimulationError(f"a snapshot cannot hold a {type(value).__name__}")


def _unpack(code: int, data: bytes) -> Any:
    if code == _BIG_INT:
        return int(data)
    if code != _ARRAY:
        raise ValueError(f"unknown item {code}")
    size = int.from_bytes(data[:2], "little")
    dtype, shape = msgpack.unpackb(data[2 : 2 + size])
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise ValueError("arrays of objects are not data")
    return np.frombuffer(data[2 + size :], kind).reshape(shape).copy()
