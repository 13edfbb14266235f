"""Snapshots: the state of anything as plain data, as bytes that are always the same, and as a hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from numbers import Real
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from volery.errors import SimulationError, VoleryError

__all__ = ["check_alike", "decode", "encode", "exchange", "load", "save", "state_hash"]

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


def exchange(state: Any, take: Callable[[], Any], put: Callable[[Any], None]) -> None:
    """Go on from `state`, or, if it is broken, from what was there before: then an error says so.

    take: gives the state of now; put: goes on from a state, and may fail halfway.
    """
    before = decode(encode(take()))
    try:
        put(state)
        if encode(take()) != encode(state):
            raise SimulationError("this snapshot is damaged: its parts do not fit together")
    except Exception as error:
        put(before)
        if isinstance(error, VoleryError):
            raise
        # Whatever a broken part is met with: a missing key, a text in place of a number.
        raise SimulationError(f"this snapshot is damaged ({type(error).__name__}: {error})") from error


def check_alike(state: Any, like: Any, path: str = "") -> None:
    """Refuse a state of which a part is of another kind than the same part of `like`: a text where numbers belong.

    Where `like` holds nothing (None, an empty dict or list), anything may be; what is named `…_ns` is a whole number.
    """
    if isinstance(like, dict):
        _check_kind(isinstance(state, dict), state, like, path)
        for key in like.keys() & state.keys():
            if str(key).endswith("_ns") and state[key] is not None:
                _check_kind(type(state[key]) is int, state[key], 0, f"{path}.{key}")
            check_alike(state[key], like[key], f"{path}.{key}" if path else str(key))
    elif isinstance(like, list | tuple):
        _check_kind(isinstance(state, list | tuple), state, like, path)
        if len(state) == len(like):
            for i, (own, other) in enumerate(zip(state, like, strict=True)):
                check_alike(own, other, f"{path}[{i}]")
    elif isinstance(like, np.ndarray):
        alike = isinstance(state, np.ndarray) and state.dtype == like.dtype and state.shape[1:] == like.shape[1:]
        _check_kind(alike and state.ndim == like.ndim, state, like, path)
    elif isinstance(like, bool | str | bytes):
        _check_kind(type(state) is type(like), state, like, path)
    elif isinstance(like, Real):
        _check_kind(isinstance(state, Real) and not isinstance(state, bool), state, like, path)


def _check_kind(alike: bool, state: Any, like: Any, path: str) -> None:
    if not alike:
        raise SimulationError(f"this snapshot is damaged: {path} is {_kind(state)}, and should be {_kind(like)}")


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array {list(value.shape)} of {value.dtype}"
    return f"a {type(value).__name__}"


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
