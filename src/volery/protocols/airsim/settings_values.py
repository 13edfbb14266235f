"""Values of a settings.json: each is taken by name, with a default, and checked; what nobody takes is said once, with
file, line
and reason."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

from volery.errors import ScenarioError, did_you_mean
from volery.protocols.airsim.settings_text import KeyPath

__all__ = ["Values"]

_log = logging.getLogger("volery")


class Values:
    """A section of the file."""

    def __init__(self, data: Any, source: str, path: KeyPath = (), lines: Mapping[KeyPath, int] | None = None) -> None:
        self._source, self._path, self._lines = source, path, lines or {}
        if data is None:
            data = {}
        if not isinstance(data, dict):
            raise ScenarioError(f"{self._place(path)}: expected a section {{…}}, found {_say(data)}")
        self._data: dict[str, Any] = data
        self._asked: set[str] = set()

    def _place(self, path: KeyPath) -> str:
        """File, line and keys of a value."""
        line = next((self._lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self._lines), None)
        keys = "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)
        return f"{self._source}{f':{line}' if line else ''}{':' if keys and line else ''}{keys[1:] if line else keys}"

    def error(self, key: str, words: str) -> ScenarioError:
        """An error that says where."""
        return ScenarioError(f"{self._place((*self._path, key) if key else self._path)}: {words}")

    def names(self) -> list[str]:
        """Names of what is in it."""
        return [str(k) for k in self._data]

    def has(self, key: str) -> bool:
        """Whether something is given that is not NaN."""
        value = self._data.get(key)
        return value is not None and not (isinstance(value, float) and math.isnan(value))

    def section(self, key: str) -> Values:
        """A section by name; empty if it is not there."""
        self._asked.add(key)
        return Values(self._data.get(key), self._source, (*self._path, key), self._lines)

    def sections(self, key: str) -> list[Values] | None:
        """A list of sections; None if it is not there."""
        self._asked.add(key)
        found = self._data.get(key)
        if found is None:
            return None
        if not isinstance(found, list):
            raise self.error(key, f"expected a list […], found {_say(found)}")
        return [Values(item, self._source, (*self._path, key, i), self._lines) for i, item in enumerate(found)]

    def number(self, key: str, default: float, low: float = -math.inf, high: float = math.inf) -> float:
        """A number within limits; NaN is as if it were not there."""
        self._asked.add(key)
        if key not in self._data:
            return float(default)
        value = self._data[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"expected a number, found {_say(value)}")
        if math.isnan(value):
            return float(default)
        if not low <= value <= high:
            raise self.error(key, f"{value} must be {low:g} to {high:g}")
        return float(value)

    def whole(self, key: str, default: int | None, low: int, high: int) -> Any:
        """A whole number within limits."""
        self._asked.add(key)
        if not self.has(key):
            return default
        value = self.number(key, 0.0, low, high)
        if value != int(value):
            raise self.error(key, f"expected a whole number, found {value}")
        return int(value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        self._asked.add(key)
        value = self._data.get(key, default)
        if not isinstance(value, bool) and value not in (0, 1):
            raise self.error(key, f"expected true or false, found {_say(value)}")
        return bool(value)

    def text(self, key: str, default: str) -> str:
        """A string."""
        self._asked.add(key)
        value = self._data.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, f"expected a string, found {_say(value)}")
        return value

    def triple(self, keys: Sequence[str], default: tuple[float, float, float], most: float) -> tuple[Any, ...]:
        """Three numbers, each under its own name."""
        return tuple(self.number(k, d, -most, most) for k, d in zip(keys, default, strict=True))

    def rest(self) -> dict[str, float | bool | str]:
        """All plain values, for those who know what they mean."""
        return {k: v for k, v in self._data.items() if isinstance(v, int | float | str)}

    def note(self, key: str, reason: str) -> None:
        """Say that a value has no effect, and why."""
        _log.info("AirSim: %s has no effect: %s", self._place((*self._path, key)), reason)

    def done(self, without_effect: Mapping[str, str] | None = None, used: Sequence[str] = ()) -> None:
        """Say of each key that was not taken why: by the reasons of those `without_effect`, else it is not known. used:
        more that is taken by somebody."""
        reasons = without_effect or {}
        known = {*self._asked, *used, *reasons}
        for key in self._data:
            if key in self._asked or key in used or key.startswith(("//", "_")) or key.lower().startswith("comment"):
                continue
            if key in reasons:
                self.note(key, reasons[key])
            else:
                where, meant = self._place((*self._path, key)), _meant(key, known)
                _log.warning("AirSim: %s is not known%s: it is not used", where, meant)


def _meant(key: str, known: set[str]) -> str:
    """A known key that was probably meant, in words; empty: there is none."""
    alike = sorted(k for k in known if k.lower() == key.lower())
    return f", did you mean '{alike[0]}'?" if alike else did_you_mean(key, known)


def _say(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 40 else words[:37] + "..."
