# ruff: noqa: ANN001, ANN201, ANN202 (numba infers the types of kernel arguments)
"""A table from places in space to numbers, for kernels: cells of a grid without end, found in about one look."""

from __future__ import annotations

import numba as nb
import numpy as np

__all__ = ["EMPTY", "cell_key", "cell_of_key", "find", "insert", "new_table", "rehash"]

EMPTY = np.int64(-1)
_HALF = np.int64(1 << 20)
_MASK = np.int64((1 << 21) - 1)


def new_table(capacity: int) -> tuple[np.ndarray, np.ndarray]:
    """Keys and values of an empty table; capacity: a power of two."""
    return np.full(capacity, EMPTY), np.zeros(capacity, np.int64)


@nb.njit(cache=True, nogil=True, inline="always")
def cell_key(x, y, z):
    """The key of a cell; each of its numbers is within ± 2²⁰."""
    return ((np.int64(x) + _HALF) << 42) | ((np.int64(y) + _HALF) << 21) | (np.int64(z) + _HALF)


@nb.njit(cache=True, nogil=True)
def cell_of_key(key):
    """The three numbers of a cell."""
    return (key >> 42) - _HALF, ((key >> 21) & _MASK) - _HALF, (key & _MASK) - _HALF


@nb.njit(cache=True, nogil=True)
def _place(keys, key):
    """Where a key is, or where it would be put."""
    mixed, last = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15), np.int64(len(keys) - 1)
    at = np.int64(mixed >> np.uint64(20)) & last
    while keys[at] != EMPTY and keys[at] != key:
        at = (at + 1) & last
    return at


@nb.njit(cache=True, nogil=True)
def find(keys, values, key):
    """The number of a cell, or -1."""
    at = _place(keys, key)
    return values[at] if keys[at] == key else np.int64(-1)


@nb.njit(cache=True, nogil=True)
def insert(keys, values, key, value):
    """The number of a cell; a cell that is new gets `value`. Whoever calls keeps the table at most half full."""
    at = _place(keys, key)
    if keys[at] == EMPTY:
        keys[at], values[at] = key, value
    return values[at]


@nb.njit(cache=True, nogil=True)
def rehash(keys, values, new_keys, new_values) -> None:
    """Fill a larger table with all of a smaller one."""
    for at in range(len(keys)):
        if keys[at] != EMPTY:
            insert(new_keys, new_values, keys[at], values[at])
