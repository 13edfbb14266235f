"""What pages send is checked here before anything is done with it: kinds, sizes, names."""

from __future__ import annotations

import math
import re
from typing import Any

from volery.errors import CommandError
from volery.robots.commands import Command, command_of

__all__ = ["checked_arguments", "checked_command", "file_name", "mapping", "number", "text", "vector", "whole"]

_LARGEST = 1e6
"""No place, speed or force that a page sends is larger [SI]: a slip would throw a robot out of the world."""
_LONGEST = 10_000
"""Characters of a text, and entries of a list."""
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def text(message: dict[str, Any], key: str, default: str | None = None) -> str:
    """A text under a key."""
    value = message.get(key, default)
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise CommandError(f"'{key}' must be a text")
    return value


def number(message: dict[str, Any], key: str, low: float = -_LARGEST, high: float = _LARGEST) -> float:
    """A finite number under a key, low to high."""
    value: Any = message.get(key)
    if not _is_number(value) or not low <= value <= high:
        raise CommandError(f"'{key}' must be a number from {low:g} to {high:g}")
    return float(value)


def whole(message: dict[str, Any], key: str, low: int, high: int, default: int | None = None) -> int | None:
    """A whole number under a key, low to high, or the default if there is none."""
    value = message.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise CommandError(f"'{key}' must be a whole number from {low} to {high}")
    return value


def vector(value: Any, size: int, what: str) -> list[float]:
    """A list of so many finite numbers."""
    if not isinstance(value, list) or len(value) != size or not all(map(_is_number, value)):
        raise CommandError(f"{what} must be {size} numbers")
    if any(abs(x) > _LARGEST for x in value):
        raise CommandError(f"{what} must be within ±{_LARGEST:g}")
    return [float(x) for x in value]


def mapping(message: dict[str, Any], key: str) -> dict[str, Any]:
    """A mapping under a key."""
    value = message.get(key)
    if not isinstance(value, dict):
        raise CommandError(f"'{key}' must be a mapping")
    return value


def file_name(message: dict[str, Any], suffix: str, default: str | None = None) -> str:
    """The bare name of a file under `file`, with its suffix: no way leads out of its folder."""
    value = message.get("file")
    name = default if value is None else text(message, "file")
    if name is None or not _FILE.fullmatch(name) or ".." in name:
        raise CommandError("'file' must be a plain file name: letters, digits, '_', '-' and '.'")
    return name if name.endswith(suffix) else name + suffix


def checked_command(message: dict[str, Any]) -> Command:
    """The robot command under `command`: its kind and its values."""
    pair = message.get("command")
    if not isinstance(pair, list) or len(pair) not in (1, 2) or not isinstance(pair[0], str):
        raise CommandError('\'command\' must be a list of a kind and its values, such as ["velocity", {"v_W": …}]')
    values = pair[1] if len(pair) == 2 else {}
    if not isinstance(values, dict):
        raise CommandError(f"values of command '{pair[0]}' must be a mapping")
    _check_sizes(values)
    return command_of(pair[0], values)


def checked_arguments(arguments: Any) -> tuple[list[Any], dict[str, Any]]:
    """Arguments and options for a control, of a size that a device can mean; the control checks their kinds."""
    listed, named = (arguments, {}) if isinstance(arguments, list) else ([], arguments)
    if not isinstance(named, dict) or not all(isinstance(name, str) for name in named):
        raise CommandError("'arguments' must be a list, or a mapping of names")
    _check_sizes([listed, named])
    return listed, named


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _check_sizes(value: Any, depth: int = 0) -> None:
    """Refuse numbers and lists that no robot can mean."""
    if depth > 5 or (isinstance(value, str | list | dict) and len(value) > _LONGEST):
        raise CommandError("this is too large or too deep for a command")
    if isinstance(value, int | float) and not -_LARGEST <= value <= _LARGEST:
        raise CommandError(f"{value!r:.40} is out of range: numbers must be within ±{_LARGEST:g}")
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            _check_sizes(part, depth + 1)
