"""The text of a settings.json as people write it: JSON with NaN, comments and commas too many, and the line of every
key."""

from __future__ import annotations

import json
import re
from typing import Any

from volery.errors import ScenarioError

__all__ = ["KeyPath", "read_json"]

KeyPath = tuple[str | int, ...]
_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_PLAIN = re.compile(r"[-+.\w]+")
_WORDS = {"true": True, "false": False, "null": None, "NaN": float("nan")}
_STRINGS = json.JSONDecoder(strict=False)
_DEEPEST = 100


def read_json(text: str, source: str) -> tuple[Any, dict[KeyPath, int]]:
    """The data of a text, and the line on which each key stands, by its path. An empty text has no data."""
    reader = _Reader(text, source)
    if reader.blank(0) == len(text):
        return {}, {}
    data, end = reader.value(reader.blank(0), ())
    if reader.blank(end) < len(text):
        raise reader.error(reader.blank(end), "something stands after the end")
    return data, reader.lines


class _Reader:
    """Goes through a text once."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.lines: dict[KeyPath, int] = {}

    def error(self, at: int, why: str) -> ScenarioError:
        return ScenarioError(f"{self.source}:{self.line(at)}: this is not JSON: {why}")

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def blank(self, at: int) -> int:
        """Where white space and comments end."""
        found = _BLANK.match(self.text, at)
        return at if found is None else found.end()

    def value(self, at: int, path: KeyPath) -> tuple[Any, int]:
        if len(path) > _DEEPEST:
            raise ScenarioError(f"{self.source}: this is nested too deeply")
        start = self.text[at : at + 1]
        if start == "{":
            return self._section(at + 1, path)
        if start == "[":
            return self._list(at + 1, path)
        return self._string(at) if start == '"' else self._word(at)

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = _STRINGS.raw_decode(self.text, at)
            return str(text), end
        except json.JSONDecodeError as error:
            raise self.error(error.pos, error.msg) from None

    def _word(self, at: int) -> tuple[Any, int]:
        """A number, or one of the few words."""
        found = _PLAIN.match(self.text, at)
        word = "" if found is None else found[0]
        if word in _WORDS:
            return _WORDS[word], at + len(word)
        try:
            return json.loads(word), at + len(word)
        except ValueError:
            said = f"'{word[:40]}'" if word else "the end or a stray sign"
            raise self.error(at, f"expected a value, found {said}") from None

    def _section(self, at: int, path: KeyPath) -> tuple[dict[str, Any], int]:
        data: dict[str, Any] = {}
        at = self.blank(at)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                raise self.error(at, 'expected a name in "…" or }')
            key, after = self._string(at)
            self.lines[(*path, key)] = self.line(at)
            after = self.blank(after)
            if self.text[after : after + 1] != ":":
                raise self.error(after, f"expected ':' after \"{key[:40]}\"")
            data[key], at = self.value(self.blank(after + 1), (*path, key))
            at = self._next(at, "}")
        return data, at + 1

    def _list(self, at: int, path: KeyPath) -> tuple[list[Any], int]:
        items: list[Any] = []
        at = self.blank(at)
        while self.text[at : at + 1] != "]":
            item, at = self.value(at, (*path, len(items)))
            items.append(item)
            at = self._next(at, "]")
        return items, at + 1

    def _next(self, at: int, end: str) -> int:
        """Beyond a comma, or at the end."""
        at = self.blank(at)
        sign = self.text[at : at + 1]
        if sign == ",":
            return self.blank(at + 1)
        if sign != end:
            raise self.error(at, f"expected ',' or '{end}'")
        return at
