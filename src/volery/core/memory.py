"""Memory that was freed but not given back."""

from __future__ import annotations

import contextlib
import ctypes

__all__ = ["give_back"]


def give_back() -> None:
    """Return to the system what the C library keeps of freed memory: after a flood it keeps most of it, for ever. It
    may take some tens of milliseconds, in which other threads run but may wait for memory."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
