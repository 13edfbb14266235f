"""What programs draw for people, as a page gets it: only what is new or gone."""

from __future__ import annotations

from typing import Any

from volery.core.clock import SECOND
from volery.core.drawings import Drawing, Drawings
from volery.viewer.messages import PageMarker

__all__ = ["Markers"]


class Markers:
    """The drawings that one page knows."""

    def __init__(self) -> None:
        self._known: dict[int, Drawing] = {}
        self._of: Drawings | None = None
        self._version = -1
        self._ends_ns: int | None = None
        """When the first of them ends."""

    def changes(self, drawings: Drawings, now_ns: int) -> list[PageMarker]:
        """What the page must draw and what it must take away since the last call; time [ns] may go back."""
        same = drawings is self._of and drawings.version == self._version
        if same and (self._ends_ns is None or now_ns <= self._ends_ns):
            return []
        present = {d.id: d for d in drawings.snapshot(now_ns)}
        gone = [d for i, d in self._known.items() if present.get(i) is not d]
        new = [d for i, d in present.items() if self._known.get(i) is not d]
        self._known, self._of, self._version = present, drawings, drawings.version
        self._ends_ns = min((d.until_ns for d in present.values() if d.until_ns is not None), default=None)
        taken = [PageMarker(name, gone=True) for d in gone for name in _ids(d)]
        return [*taken, *(marker for d in new for marker in _markers(d, now_ns))]


def _ids(drawing: Drawing) -> list[str]:
    """The page's names of a drawing: each word of a text has its own."""
    return [f"{drawing.id}.{k}" for k in range(len(drawing.words))] if drawing.words else [str(drawing.id)]


def _markers(drawing: Drawing, now_ns: int) -> list[PageMarker]:
    """A drawing as plain data; duration: how long it still stays [s of simulated time], None: until it is cleared."""
    left = None if drawing.until_ns is None else max(drawing.until_ns - now_ns, 0) / SECOND
    about: dict[str, Any] = {"kind": drawing.kind, "colour": drawing.colour, "size": drawing.size, "duration": left}
    ids, p = _ids(drawing), drawing.p_W.tolist()
    if drawing.words:
        rows = zip(ids, p, drawing.words, strict=True)
        return [PageMarker(name, **about, p=[place], text=word) for name, place, word in rows]
    return [PageMarker(ids[0], **about, p=p)]
