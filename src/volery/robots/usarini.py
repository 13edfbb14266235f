"""Files like USARSim's `usar.ini`: sections of keys with Unreal's nested values, read as leniently as Unreal does.

Nothing in such a file stops the reading: what cannot be understood is left out and noted with its line.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from volery.core.yaml import read_text

__all__ = ["IniSection", "UsarIni", "Value", "number", "parse_ini", "parse_value", "read_ini", "short_name", "truth"]

Value = str | dict[str, "Value"] | list["Value"]
"""Text, a structure (X=1,Y=2) by lower-case names, or a list (1,2)."""

_DEEPEST = 16
"""More brackets within brackets are not followed."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_CLASS = re.compile(r"^\s*(?:class)?\s*'?\"?([\w.]+)'?\"?\s*$", re.IGNORECASE)
_TRUE = ("true", "1", "yes", "on")


@dataclass
class IniSection:
    """One section: keys in lower case, each with all its values in order, since Unreal repeats keys for lists."""

    name: str
    keys: dict[str, list[Value]] = field(default_factory=dict)
    line: int = 0
    """Where it begins in the file."""
    lines: dict[str, list[int]] = field(default_factory=dict)
    """Where each of the values stands."""

    def last(self, key: str) -> Value | None:
        """The value of a key that stands last; None: there is none."""
        values = self.keys.get(key.lower())
        return values[-1] if values else None

    def all(self, key: str) -> list[Value]:
        """All values of a key."""
        return self.keys.get(key.lower(), [])


@dataclass
class UsarIni:
    """A whole file."""

    source: str
    sections: dict[str, IniSection] = field(default_factory=dict)
    """By lower-case name; one that stands twice goes on."""
    notes: list[str] = field(default_factory=list)
    """What was not understood, with its line."""

    def place(self, section: IniSection, key: str, n: int = -1) -> str:
        """File and line of a key's n-th value, for people."""
        return f"{self.source}:{section.lines.get(key, [section.line])[n]}"

    def find(self, name: str) -> IniSection | None:
        """A section by its name, with or without the package: 'USARBot.P2AT' and 'P2AT' are the same."""
        if name.lower() in self.sections:
            return self.sections[name.lower()]
        short = short_name(name)
        return next((s for s in self.sections.values() if short_name(s.name) == short), None)


def read_ini(path: Path | str) -> UsarIni:
    """Read a file."""
    return parse_ini(read_text(path), str(path))


def parse_ini(text: str, source: str = "usar.ini") -> UsarIni:
    """The sections of a text."""
    ini = UsarIni(source)
    section: IniSection | None = None
    for line, raw in enumerate(text.splitlines(), 1):
        row = raw.strip().lstrip("\ufeff")
        if not row or row[0] in ";#" or row.startswith("//"):
            continue
        if row.startswith("["):
            name = row[1:].split("]")[0].strip()
            section = ini.sections.setdefault(name.lower(), IniSection(name, line=line))
            continue
        key, equals, value = row.partition("=")
        # Unreal's own files mark additions to lists by a sign.
        key = key.strip().lstrip("+-!.").strip().lower()
        if not equals or not key or section is None:
            ini.notes.append(f"{source}:{line}: '{row[:60]}' is neither a section nor a key of one; left out")
            continue
        section.keys.setdefault(key, []).append(parse_value(value))
        section.lines.setdefault(key, []).append(line)
    return ini


def parse_value(text: str) -> Value:
    """A value: brackets become structures or lists, all else is text without its quotes."""
    value, _ = _value(_uncommented(text), 0, 0)
    return value


def number(value: Value | None, default: float = 0.0) -> float:
    """A number as C reads it: the longest beginning that is one, with a point; else the default."""
    match = _NUMBER.match(value.strip()) if isinstance(value, str) else None
    found = float(match.group()) if match else default
    return found if math.isfinite(found) else default


def truth(value: Value | None, default: bool = False) -> bool:
    """True or false, in any case."""
    return default if not isinstance(value, str) else value.strip().lower() in _TRUE


def short_name(value: Value | None) -> str:
    """The last part of a class name in lower case: class'USARBot.SonarSensor' is sonarsensor."""
    match = _CLASS.match(value) if isinstance(value, str) else None
    return match.group(1).rsplit(".", 1)[-1].lower() if match else ""


def _uncommented(text: str) -> str:
    """Without a comment at its end; a semicolon between quotes is none."""
    quoted = False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif c == ";" and not quoted:
            return text[:i].strip()
    return text.strip()


def _value(text: str, at: int, depth: int) -> tuple[Value, int]:
    """The value that begins at a place, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at < len(text) and text[at] == "(" and depth < _DEEPEST:
        return _bracket(text, at + 1, depth + 1)
    if at < len(text) and text[at] == '"':
        end = text.find('"', at + 1)
        end = len(text) if end < 0 else end
        return text[at + 1 : end], end + 1
    end = at
    while end < len(text) and (depth == 0 or text[end] not in ",)"):
        end += 1
    return text[at:end].strip(), end


def _bracket(text: str, at: int, depth: int) -> tuple[Value, int]:
    """What stands between brackets; a bracket that is never closed ends with the line."""
    named: dict[str, Value] = {}
    plain: list[Value] = []
    while at < len(text) and text[at] != ")":
        name = re.compile(r"\s*([A-Za-z_]\w*)(?:\[\d+\])?\s*=").match(text, at)
        value, end = _value(text, name.end() if name else at, depth)
        if name:
            named[name.group(1).lower()] = value
        elif value != "":
            plain.append(value)
        comma = text.find(",", end)
        close = text.find(")", end)
        at = close if close >= 0 and (comma < 0 or close < comma) else comma + 1 if comma >= 0 else len(text)
        at = max(at, end)
    return named or plain, at + 1
