"""Lines, points, arrows and words that programs draw into the world for people to see; sensors do not see them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from volery.errors import SimulationError

__all__ = ["Drawing", "Drawings"]

_MOST = 20_000
"""Drawings kept at a time; the oldest go first."""
_MOST_POINTS = 1_000_000
"""Of all that are kept."""
_KINDS = ("points", "line", "arrows", "text")


@dataclass(frozen=True, eq=False)
class Drawing:
    """One thing drawn."""

    id: int
    """Its own for ever, rising."""
    kind: Literal["points", "line", "arrows", "text"]
    """line: from each point to the next; arrows: points in pairs, from and to; text: a word at each point."""
    p_W: np.ndarray
    """[n, 3] [m]."""
    colour: tuple[float, float, float, float]
    """Red, green, blue, opacity, 0 to 1."""
    size: float
    """Of a point, a line's thickness or a letter, in pixels or so."""
    until_ns: int | None
    """When it goes, in simulated time [ns]; None: when it is cleared."""
    words: tuple[str, ...] = ()
    """Of a text, one for each point."""
    owner: str = ""
    """Whose it is, so that it can be cleared with others of theirs."""


class Drawings:
    """What is drawn now. Any thread may add, clear and look."""

    def __init__(self) -> None:
        self.version = 0
        """Rises with every change."""
        self._all: dict[int, Drawing] = {}
        self._points = 0
        self._next = 0
        self._lock = threading.Lock()

    def add(
        self, kind: str, p_W: np.ndarray, colour: Sequence[float] = (1.0, 0.0, 0.0, 1.0), size: float = 4.0,
        until_ns: int | None = None, words: Sequence[str] = (), owner: str = "",
    ) -> int:  # fmt: skip
        """Draw something at points [n, 3] [m]; returns its number. See `Drawing` for the rest."""
        points = np.array(p_W, float).reshape(-1, 3)
        if kind not in _KINDS or not np.isfinite(points).all() or len(colour) != 4:
            raise SimulationError(
                f"a drawing '{kind}' must be one of {', '.join(_KINDS)}, at finite points, in a colour of 4 numbers"
            )
        if (kind == "arrows" and len(points) % 2) or (kind == "text" and len(words) != len(points)):
            raise SimulationError(f"a drawing '{kind}': {len(points)} points do not go with it ({len(words)} words)")
        red, green, blue, opacity = (float(min(max(c, 0.0), 1.0)) for c in colour)
        with self._lock:
            self._next += 1
            shape: Any = kind
            drawing = Drawing(
                self._next, shape, points, (red, green, blue, opacity), float(size), until_ns, tuple(words), owner
            )
            self._all[self._next] = drawing
            self._points += len(points)
            while len(self._all) > 1 and (len(self._all) > _MOST or self._points > _MOST_POINTS):
                self._drop(next(iter(self._all)))
            self.version += 1
            return self._next

    def clear(self, owner: str | None = None, *, lasting: bool = False) -> None:
        """Take away all drawings, or those of an owner; lasting: only those without an end."""
        with self._lock:
            self._all = {
                i: d for i, d in self._all.items()
                if (owner is not None and d.owner != owner) or (lasting and d.until_ns is not None)
            }  # fmt: skip
            self._points = sum(len(d.p_W) for d in self._all.values())
            self.version += 1

    def snapshot(self, now_ns: int) -> list[Drawing]:
        """What is to be seen at a time [ns], oldest first; what is over is dropped."""
        with self._lock:
            over = [i for i, d in self._all.items() if d.until_ns is not None and d.until_ns < now_ns]
            for i in over:
                self._drop(i)
            self.version += bool(over)
            return list(self._all.values())

    def _drop(self, number: int) -> None:
        self._points -= len(self._all.pop(number).p_W)
