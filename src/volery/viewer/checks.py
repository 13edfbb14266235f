"""What pages send is checked here before anything is done with it: kinds, sizes, names."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Callable
from typing import Any

from volery.errors import CommandError, UnknownNameError
from volery.robots.commands import Command, command_of
from volery.sensors.sensor import RaySensor, Sensor

__all__ = ["checked_command", "checked_control", "file_name", "mapping", "number", "text", "vector", "whole"]

_LARGEST = 1e6
"""No place, speed or force that a page sends is larger [SI]: a slip would throw a robot out of the world."""
_LONGEST = 10_000
"""Characters of a text, and entries of a list."""
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def text(message: dict, key: str, default: str | None = None) -> str:
    """A text under a key."""
    value = message.get(key, default)
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise CommandError(f"'{key}' must be a text")
    return value


def number(message: dict, key: str, low: float = -_LARGEST, high: float = _LARGEST) -> float:
    """A finite number under a key, low to high."""
    value = message.get(key)
    if not _is_number(value) or not low <= value <= high:
        raise CommandError(f"'{key}' must be a number from {low:g} to {high:g}")
    return float(value)


def whole(message: dict, key: str, low: int, high: int, default: int | None = None) -> int | None:
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


def mapping(message: dict, key: str) -> dict:
    """A mapping under a key."""
    value = message.get(key)
    if not isinstance(value, dict):
        raise CommandError(f"'{key}' must be a mapping")
    return value


def file_name(message: dict, suffix: str, default: str | None = None) -> str:
    """The bare name of a file under `file`, with its suffix: no way leads out of its folder."""
    value = message.get("file")
    name = default if value is None else text(message, "file")
    if name is None or not _FILE.fullmatch(name) or ".." in name:
        raise CommandError("'file' must be a plain file name: letters, digits, '_', '-' and '.'")
    return name if name.endswith(suffix) else name + suffix


def checked_command(message: dict) -> Command:
    """The robot command under `command`: its kind and its values."""
    pair = message.get("command")
    if not isinstance(pair, list) or len(pair) not in (1, 2) or not isinstance(pair[0], str):
        raise CommandError('\'command\' must be a list of a kind and its values, such as ["velocity", {"v_W": …}]')
    values = pair[1] if len(pair) == 2 else {}
    if not isinstance(values, dict):
        raise CommandError(f"values of command '{pair[0]}' must be a mapping")
    _check_sizes(values)
    return command_of(pair[0], values)


def checked_control(sensor: Sensor, control: str, arguments: Any) -> tuple[list, dict]:
    """Arguments and options for a control of a sensor, such as `aim` of a camera, checked by its signature.

    Controls are the methods that a sensor's class adds to those all sensors have and that take plain values only.
    """
    known = {name: hints for name in dir(type(sensor)) if (hints := _plain_hints(type(sensor), name)) is not None}
    if control not in known:
        raise UnknownNameError(f"control of sensor '{sensor.name}'", control, known)
    positional, named = (arguments, {}) if isinstance(arguments, list) else ([], arguments)
    if not isinstance(named, dict):
        raise CommandError("'arguments' must be a list, or a mapping of names")
    _check_sizes([positional, named])
    try:
        bound = inspect.signature(getattr(type(sensor), control)).bind(None, *positional, **named)
    except TypeError as error:
        raise CommandError(f"control '{control}' of sensor '{sensor.name}': {error}") from None
    for name, value in list(bound.arguments.items())[1:]:
        kind = known[control][name]
        if not _KINDS[kind](value):
            raise CommandError(f"control '{control}': '{name}' must be {_WORDS[kind]}, not {value!r:.60}")
    return positional, named


_KINDS: dict[Any, Callable[[Any], bool]] = {
    bool: lambda v: isinstance(v, bool),
    int: lambda v: isinstance(v, int) and not isinstance(v, bool),
    float: lambda v: _is_number(v),  # noqa: PLW0108 (defined below)
    str: lambda v: isinstance(v, str),
    "numbers": lambda v: isinstance(v, list) and all(map(_is_number, v)),
}
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", "numbers": "numbers"}


def _plain_hints(cls: type[Sensor], name: str) -> dict[str, Any] | None:
    """Kinds of the parameters of a method that may serve as a control; None: it may not."""
    method = inspect.getattr_static(cls, name)
    if name.startswith("_") or not inspect.isfunction(method) or hasattr(RaySensor, name):
        return None
    hints = {n: h for n, h in typing.get_type_hints(method).items() if n != "return"}
    plain = {n: "numbers" if typing.get_origin(h) and typing.get_args(h) == (float,) else h for n, h in hints.items()}
    return plain if all(h in _KINDS for h in plain.values()) else None


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
