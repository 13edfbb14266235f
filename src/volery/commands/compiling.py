"""Says that kernels are compiled, which takes a while in which little is to be seen."""

from __future__ import annotations

import functools
import logging

from numba.core.event import Event, Listener, register

__all__ = ["say_if_compiling"]

_log = logging.getLogger("volery")


@functools.cache
def say_if_compiling() -> None:
    """Say so as soon as this process compiles a kernel; those that are kept on disk do not count."""
    register("numba:compile", _Compiling())


class _Compiling(Listener):
    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: Event) -> None:
        """A kernel is compiled: the first of many."""
        if not self._said:
            self._said = True
            _log.info("kernels are compiled for this machine, once: this may take a minute or two")

    def on_end(self, event: Event) -> None:
        """It is."""
