"""Typed dataclasses from plain data: every wrong type, range or name is an error that says where, what and why."""

from __future__ import annotations

import math
import types
import typing
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin

from volery.errors import ScenarioError, did_you_mean

__all__ = ["Checked", "SourceLocation", "build", "convert_field", "param"]

_LARGEST = 1e12
"""No length, count or rate of a robot's world is larger [any unit]; catches slips of the keyboard."""


def param(
    default: Any = MISSING,
    *,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    choices: tuple[Any, ...] | None = None,
) -> Any:
    """A dataclass field with limits: low ≤ value ≤ high, value > above, or one of choices."""
    limits = {"low": low, "high": high, "above": above, "choices": choices}
    return field(default=default, metadata={k: v for k, v in limits.items() if v is not None})


@dataclass(frozen=True)
class SourceLocation:
    """Where a value stands: file, path of keys, and the line of every path in that file."""

    file: str = ""
    path: tuple[str | int, ...] = ()
    lines: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def at(self, key: str | int) -> SourceLocation:
        """The place one level further in."""
        return SourceLocation(self.file, (*self.path, key), self.lines)

    def error(self, text: str) -> ScenarioError:
        """An error that starts with file, line and key path."""
        path = self.path
        while path and path not in self.lines:
            path = path[:-1]
        line = self.lines.get(path)
        where = f"{self.file}:{line}" if self.file and line else self.file
        keys = ".".join(str(k) for k in self.path)
        return ScenarioError(": ".join(part for part in (where, keys, text) if part))


class Checked:
    """A dataclass base whose field values are checked when it is made, by hand or from a file."""

    def __post_init__(self) -> None:
        check(self, SourceLocation(path=(type(self).__name__,)))


def check(instance: Any, place: SourceLocation) -> None:
    """Raise for the first field whose value has the wrong type or breaks its limits."""
    hints = typing.get_type_hints(type(instance))
    for f in fields(instance):
        value = _convert(getattr(instance, f.name), hints[f.name], place.at(f.name))
        _check_limits(value, f.metadata, place.at(f.name))
        object.__setattr__(instance, f.name, value)


def build(cls: type, data: Any, place: SourceLocation) -> Any:
    """An instance of the dataclass `cls` from a mapping; unknown and missing keys are errors."""
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise place.error(f"expected a mapping of {_names(cls)}, found {_say(data)}")
    known = {f.name: f for f in fields(cls) if f.init}
    for key in data:
        if key not in known:
            raise place.at(key).error(f"unknown key '{key}'{did_you_mean(key, known)}; known: {', '.join(known)}")
    hints = typing.get_type_hints(cls)
    values = {}
    for name, f in known.items():
        if name in data:
            values[name] = _convert(data[name], hints[name], place.at(name))
            _check_limits(values[name], f.metadata, place.at(name))
        elif f.default is MISSING and f.default_factory is MISSING:
            raise place.error(f"'{name}' is missing")
    return cls(**values)


def convert_field(cls: type, name: str, value: Any, place: SourceLocation) -> Any:
    """The value as the field `name` of the dataclass `cls` has it; a wrong one is an error."""
    converted = _convert(value, typing.get_type_hints(cls)[name], place)
    _check_limits(converted, next(f for f in fields(cls) if f.name == name).metadata, place)
    return converted


def _names(cls: type) -> str:
    return ", ".join(f.name for f in fields(cls))


def _say(value: Any) -> str:
    huge = isinstance(value, int) and value.bit_length() > 1000
    text = f"a whole number of {value.bit_length()} bits" if huge else repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"


def _show(value: float) -> str:
    """A number, shortly; whole numbers that no float can hold are described."""
    return f"{value:g}" if isinstance(value, float) or value.bit_length() < 1000 else _say(value)


def _convert(value: Any, kind: Any, place: SourceLocation) -> Any:
    """The value as the annotated type, or an error."""
    origin = get_origin(kind)
    if kind is Any:
        return value
    if origin in (Union, types.UnionType):
        return _convert_union(value, get_args(kind), place)
    if origin is Literal:
        if value not in get_args(kind):
            words = [str(a) for a in get_args(kind)]
            raise place.error(f"'{value}' is not one of {', '.join(words)}{did_you_mean(str(value), words)}")
        return value
    if origin is dict:
        return _convert_dict(value, get_args(kind), place)
    if origin in (tuple, list):
        return _convert_sequence(value, origin, get_args(kind), place)
    if isinstance(kind, type) and is_dataclass(kind):
        return value if isinstance(value, kind) else build(kind, value, place)
    return _convert_scalar(value, kind, place)


def _convert_union(value: Any, kinds: tuple[Any, ...], place: SourceLocation) -> Any:
    if value is None and type(None) in kinds:
        return None
    kinds = tuple(k for k in kinds if k is not type(None))
    errors = []
    for kind in kinds:
        try:
            return _convert(value, kind, place)
        except ScenarioError as error:
            errors.append(error)
    mapped = [e for k, e in zip(kinds, errors, strict=True) if is_dataclass(k) and isinstance(value, dict)]
    raise (mapped or errors)[0]


def _convert_dict(value: Any, kinds: tuple[Any, ...], place: SourceLocation) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise place.error(f"expected a mapping, found {_say(value)}")
    return {_convert(k, kinds[0], place.at(k)): _convert(v, kinds[1], place.at(k)) for k, v in value.items()}


def _convert_sequence(value: Any, origin: type, kinds: tuple[Any, ...], place: SourceLocation) -> Any:
    if isinstance(value, str | dict) or not hasattr(value, "__iter__"):
        raise place.error(f"expected a list, found {_say(value)}")
    items = list(value)
    if origin is tuple and Ellipsis not in kinds:
        if len(items) != len(kinds):
            raise place.error(f"expected {len(kinds)} values, found {len(items)}")
        each = kinds
    else:
        each = (kinds[0],) * len(items)
    return origin(_convert(v, k, place.at(i)) for i, (v, k) in enumerate(zip(items, each, strict=True)))


def _convert_scalar(value: Any, kind: type, place: SourceLocation) -> Any:
    if kind is float and not isinstance(value, bool | str):
        return _number(value, place)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is int and hasattr(value, "__index__") and not isinstance(value, bool):
        return int(value)
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    hint = " (YAML reads 1e-3 as text; write 1.0e-3)" if kind is float and isinstance(value, str) else ""
    raise place.error(f"expected {_kind_name(kind)}, found {_say(value)}{hint}")


def _number(value: Any, place: SourceLocation) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise place.error(f"expected a number, found {_say(value)}") from None
    if not math.isfinite(number):
        raise place.error(f"{number} is not a finite number")
    return number


def _kind_name(kind: type) -> str:
    words = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}
    return words.get(kind, getattr(kind, "__name__", str(kind)))


def _check_limits(value: Any, limits: typing.Mapping[str, Any], place: SourceLocation) -> None:
    if isinstance(value, tuple | list):
        for i, item in enumerate(value):
            _check_limits(item, limits, place.at(i))
        return
    if "choices" in limits and value not in limits["choices"]:
        words = [str(c) for c in limits["choices"]]
        raise place.error(f"'{value}' is not one of {', '.join(words)}{did_you_mean(str(value), words)}")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if "low" in limits and value < limits["low"]:
        raise place.error(f"{_show(value)} is too small; the least is {limits['low']:g}")
    if "above" in limits and value <= limits["above"]:
        raise place.error(f"{_show(value)} must be greater than {limits['above']:g}")
    high = limits.get("high", _LARGEST if "low" in limits or "above" in limits else math.inf)
    if value > high:
        raise place.error(f"{_show(value)} is too large; the most is {high:g}")
