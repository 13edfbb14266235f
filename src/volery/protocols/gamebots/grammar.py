"""Lines of the Gamebots protocol: bytes to commands, as tolerant as the originals and their clients need, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["END", "GamebotsCommand", "LineReader", "line", "number", "numbers", "parse", "segment", "truth", "written"]

END = b"\r\n"
"""What every line of the server ends with."""
MOST_LINE = 1 << 15
"""Bytes of a line; what is longer is no command of any client."""
_MOST_SEGMENTS = 4096
_BREAK = re.compile(rb"[\r\n]+")
_JOINED = re.compile(rb"\}[ \t]*(?=[A-Za-z])")
_WORD = re.compile(r"[^\s{}]+")
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)")
_BETWEEN = re.compile(r"[\s,;]+")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


class GamebotsCommand(NamedTuple):
    """A command: its verb in capitals, and its segments in order, names as they were sent."""

    verb: str
    segments: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str | None:
        """The value of the first segment of a name, in any case; None if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.segments if key.lower() == wanted), None)

    def number(self, name: str) -> float | None:
        """The same as a number."""
        value = self.get(name)
        return None if value is None else number(value)

    def numbers(self, name: str) -> list[float] | None:
        """The same as a vector."""
        value = self.get(name)
        return None if value is None else numbers(value)

    def truth(self, name: str) -> bool | None:
        """The same as yes or no."""
        value = self.get(name)
        return None if value is None else truth(value)


class LineReader:
    """Cuts a stream of bytes into lines, whatever they end with; what is too long to be a line is left out."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False
        self.dropped = 0
        """Lines that were too long."""

    def feed(self, data: bytes) -> list[str]:
        """Lines that are complete with these bytes; blank ones are not told."""
        parts = _BREAK.split(self._rest + data)
        self._rest = parts.pop()
        if parts and self._skipping:
            parts, self._skipping = parts[1:], False
        parts += self._whole_commands()
        if len(self._rest) > MOST_LINE:
            self.dropped += 0 if self._skipping else 1
            self._rest, self._skipping = b"", True
        return [text for part in parts if (text := self._text(part))]

    def _whole_commands(self) -> list[bytes]:
        """Some clients send no ends of lines: where the next command begins, the one before is complete."""
        joints = list(_JOINED.finditer(self._rest))
        if not joints or self._skipping:
            return []
        whole, self._rest = self._rest[: joints[-1].end()], self._rest[joints[-1].end() :]
        return [whole]

    @property
    def held(self) -> int:
        """Bytes that are no whole line yet."""
        return len(self._rest)

    @property
    def waiting(self) -> bool:
        """Whether what is left looks like a whole command of a client that sends no ends of lines."""
        return not self._skipping and self._rest.rstrip().endswith(b"}")

    def flush(self) -> list[str]:
        """Take what is left as a line."""
        rest, self._rest = self._rest, b""
        return [text] if (text := self._text(rest)) else []

    def _text(self, part: bytes) -> str:
        if len(part) > MOST_LINE:
            self.dropped += 1
            return ""
        return part.decode("utf-8", "replace").strip("\0 \t\x0b\x0c")


def parse(text: str, verbs: Iterable[str] = ()) -> list[GamebotsCommand]:
    """The commands of a line: one, or several that were joined; a word between braces begins a new one if it is one
    of the verbs, and is ignored otherwise. An unclosed brace drops its own segment."""
    known = set(verbs)
    messages: list[GamebotsCommand] = []
    at, end = 0, len(text)
    verb = ""
    segments: list[Any] = []
    while at < end and len(segments) < _MOST_SEGMENTS:
        if text[at] == "{":
            at = _take_segment(text, at + 1, segments)
        elif found := _WORD.match(text, at):
            word, at = found.group().upper(), found.end()
            if not verb or word in known:
                if verb:
                    messages.append(GamebotsCommand(verb, tuple(segments)))
                verb, segments = word, []
        else:
            at += 1
    return [*messages, GamebotsCommand(verb, tuple(segments))] if verb else messages


def _take_segment(text: str, at: int, segments: list[tuple[str, str]]) -> int:
    """Read a segment that begins at a place; where to go on."""
    close = text.find("}", at)
    if close < 0:
        return len(text)
    # A brace within a segment: the one before it was never closed.
    inner = text[max(at, text.rfind("{", at, close) + 1) : close].split(None, 1)
    name, value = (*inner, "", "")[:2]
    if name:
        segments.append((name, value.strip()))
    return close + 1


def number(text: str) -> float:
    """The longest numeric beginning of a text, as C reads numbers; 0 without one. Always finite."""
    found = _NUMBER.match(text)
    value = float(found.group(1)) if found else 0.0
    return value if math.isfinite(value) else 0.0


def numbers(text: str) -> list[float]:
    """A vector whose parts are set apart by commas, blanks or both."""
    words = text.split()
    if len(words) > 1 and all(_DECIMAL_COMMA.fullmatch(w) for w in words):
        return [number(w.replace(",", ".")) for w in words]
    return [number(part) for part in _BETWEEN.split(text.strip(" ,;\t")) if part]


def truth(text: str) -> bool:
    """Yes or no, in any case."""
    return text.strip().lower() in ("true", "1", "yes", "on")


def written(value: float, decimals: int = 4) -> str:
    """A number with a fixed count of decimals and no minus before zero; what is lost or endless is 0."""
    text = f"{value if math.isfinite(value) else 0.0:.{decimals}f}"
    return text[1:] if text[0] == "-" and not text.strip("-0.") else text


def segment(name: str, *values: object) -> str:
    """One segment; values are set apart by blanks."""
    return "{" + " ".join([name, *(str(v) for v in values)]) + "}"


def line(verb: str, *segments: str) -> bytes:
    """A line of the server. No text that came from a client can break it."""
    return " ".join([verb, *segments]).replace("\r", " ").replace("\n", " ").encode("utf-8", "replace") + END
