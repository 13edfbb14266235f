"""Calls of C functions by address out of compiled kernels, and the packet width this CPU likes.

An address is a plain number, so the kernels can be cached on disk; a ctypes function named in a kernel cannot.
"""

from __future__ import annotations

import os
import threading
from typing import Any

import llvmlite.binding as llvm
import numba as nb
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from volery.errors import RayError

__all__ = [
    "WIDTH",
    "as_b1",
    "as_f4",
    "as_f8",
    "as_i1",
    "as_i4",
    "as_i8",
    "as_u2",
    "as_u4",
    "call2",
    "call3",
    "call4",
    "call5",
    "keep",
    "kernel_lock",
    "set_threads",
    "threads",
    "workers",
]

WIDTH = 16 if llvm.get_host_cpu_features().get("avx512f") else 8
"""Rays per packet: 16 with AVX-512, else 8 (measured; the hits are the same to the bit)."""

# OpenMP's threads would spin for milliseconds before they sleep, and on a machine that others use too each cast would
# wait for one of them that is not let run: 8 ms instead of 0.9 for 1,024 rays.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# Some threading layers of numba break if two threads start parallel kernels at once.
kernel_lock = threading.RLock()

_threads = nb.config.NUMBA_NUM_THREADS
_ALONE = 512
"""Below so many rays one thread does it: the others may take milliseconds to come when the machine is busy."""


def threads() -> int:
    """How many threads cast rays."""
    return _threads


def workers(count: int) -> int:
    """Wake as many threads as `count` rays are worth, and say how many; few rays are quicker alone than together."""
    chosen = 1 if count < _ALONE else _threads
    nb.set_num_threads(chosen)
    return chosen


def set_threads(count: int) -> None:
    """Choose how many threads cast rays; the results do not depend on it."""
    global _threads
    most = nb.config.NUMBA_NUM_THREADS
    if not 1 <= count <= most:
        raise RayError(
            f"threads = {count}: must be 1 to {most}; the environment variable NUMBA_NUM_THREADS sets the most"
        )
    _threads = count


_BYTES = ir.IntType(8).as_pointer()


def _call(context: Any, builder: Any, values: list, result: Any) -> Any:
    kind = ir.FunctionType(result, [_BYTES] * (len(values) - 1))
    function = builder.inttoptr(values[0], kind.as_pointer())
    return builder.call(function, [builder.inttoptr(v, _BYTES) for v in values[1:]])


@intrinsic
def call2(typing_context: Any, function: Any, a: Any, b: Any) -> Any:
    """void function(void*, void*)."""

    def generate(context: Any, builder: Any, signature: Any, values: list) -> Any:
        _call(context, builder, values, ir.VoidType())
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 3), generate


@intrinsic
def call3(typing_context: Any, function: Any, a: Any, b: Any, c: Any) -> Any:
    """void function(void*, void*, void*)."""

    def generate(context: Any, builder: Any, signature: Any, values: list) -> Any:
        _call(context, builder, values, ir.VoidType())
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 4), generate


@intrinsic
def call4(typing_context: Any, function: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """void function(void*, void*, void*, void*)."""

    def generate(context: Any, builder: Any, signature: Any, values: list) -> Any:
        _call(context, builder, values, ir.VoidType())
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 5), generate


@intrinsic
def call5(typing_context: Any, function: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """bool function(void*, void*, void*, void*, void*); the answer is dropped."""

    def generate(context: Any, builder: Any, signature: Any, values: list) -> Any:
        _call(context, builder, values, ir.IntType(1))
        return context.get_dummy_value()

    return types.void(*[types.uint64] * 6), generate


@nb.njit(cache=True, nogil=True)
def keep(array: Any) -> int:
    """To be called after the last use of an array's address: kernels free an array after the last use of its name."""
    return len(array)


def _pointer_cast(element: Any) -> Any:
    @intrinsic
    def cast(typing_context: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: list) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(element)(types.uint64), generate

    return cast


as_b1 = _pointer_cast(types.boolean)
as_f4 = _pointer_cast(types.float32)
as_f8 = _pointer_cast(types.float64)
as_i1 = _pointer_cast(types.int8)
as_i4 = _pointer_cast(types.int32)
as_i8 = _pointer_cast(types.int64)
as_u2 = _pointer_cast(types.uint16)
as_u4 = _pointer_cast(types.uint32)
