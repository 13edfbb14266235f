"""Values put into a scenario's plain data by path, such as robots.uav1.sensors.lidar.rate."""

from __future__ import annotations

import copy
from typing import Any

from volery.errors import ScenarioError

__all__ = ["overridden"]

_SHORT = ("world", "robots.*", "robots.*.sensors.*")
"""What may stand as a bare name instead of a mapping with a `type`."""


def overridden(base: Any, values: dict[str, Any]) -> dict[str, Any]:
    """A scenario's data with values put in; mappings on the way are made where there are none."""
    data = copy.deepcopy(base) or {}
    if not isinstance(data, dict):
        raise ScenarioError("the scenario is no mapping of keys")
    for path, value in values.items():
        _put(data, path, copy.deepcopy(value))
    return data


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    keys = path.split(".")
    if not all(keys):
        raise ScenarioError(f"'{path}': a path is keys with dots between them, such as weather.fog")
    at: Any = data
    for i, word in enumerate(keys):
        key: Any = _index(path, word, at) if isinstance(at, list) else word
        if i == len(keys) - 1:
            at[key] = value
            return
        inner = at[key] if isinstance(at, list) else at.get(key)
        if isinstance(inner, str) and _may_be_short(keys[: i + 1]):
            inner = {"type": inner}
        elif inner is None:
            inner = {}
        elif not isinstance(inner, dict | list):
            raise ScenarioError(f"'{path}': {'.'.join(keys[: i + 1])} is {inner!r}, which has no parts")
        at[key] = inner
        at = inner


def _index(path: str, key: str, at: list[Any]) -> int:
    if not key.isdecimal() or int(key) >= len(at):
        raise ScenarioError(f"'{path}': '{key}' should be a place in a list of {len(at)}, from 0 on")
    return int(key)


def _may_be_short(keys: list[str]) -> bool:
    shapes = (shape.split(".") for shape in _SHORT)
    return any(len(s) == len(keys) and all(a in ("*", b) for a, b in zip(s, keys, strict=True)) for s in shapes)
