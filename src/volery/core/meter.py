"""Where the time of steps goes, by part; used only while somebody wants to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

__all__ = ["Meter", "timed"]

_UNTIMED: AbstractContextManager[None] = nullcontext()
_REST = "other programs, or other threads of this one"


class Meter:
    """Adds up time from when it was made."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """clock: tells the wall time [s]."""
        self._clock = clock
        self._began = clock()
        self._spent: dict[str, float] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What runs inside counts for this part."""
        began = self._clock()
        try:
            yield
        finally:
            self._spent[name] = self._spent.get(name, 0.0) + self._clock() - began

    def most(self) -> tuple[str, float]:
        """The part that took most time, and its share of all that went by."""
        whole = max(self._clock() - self._began, 1e-9)
        spent = {**self._spent, _REST: whole - sum(self._spent.values())}
        name = max(spent, key=lambda part: spent[part])
        return name, spent[name] / whole


def timed(meter: Meter | None, kind: str, part: object) -> AbstractContextManager[None]:
    """Time one part of a step, if there is a meter; a part that is no text is named by its class or function."""
    if meter is None:
        return _UNTIMED
    name = part if isinstance(part, str) else getattr(part, "__qualname__", type(part).__name__)
    return meter.part(f"{kind} {name}")
