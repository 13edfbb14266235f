"""Inputs of a simulator whose inner state cannot be kept: told once more from the start, it comes to the same state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

__all__ = ["InputLog"]


class InputLog:
    """What was set before which step; only changes are kept."""

    def __init__(self, *, keeps: bool = True) -> None:
        """keeps: whether it is to be told again; else only what changed is found out."""
        self._keeps = keeps
        self.steps = 0
        """Made since the start."""
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._now: list[float] = []
        self._rows: list[tuple[int, int, float]] = []
        """Step, number of the name, value."""

    def changed(self, values: Mapping[str, float]) -> list[tuple[str, float]]:
        """Take note of the inputs of the next step; those that are not as they were before."""
        found = []
        for name, value in values.items():
            number = self._number(name)
            # NaN is no value before: the first of a name counts as a change.
            if self._now[number] != value:
                self._now[number] = value
                if self._keeps:
                    self._rows.append((self.steps, number, value))
                found.append((name, value))
        return found

    def stepped(self) -> None:
        """A step was made with them."""
        self.steps += 1

    def told(self) -> Iterable[list[tuple[str, float]]]:
        """For each step that was made, what is to be set before it."""
        at = 0
        for step in range(self.steps):
            now = []
            while at < len(self._rows) and self._rows[at][0] == step:
                _, number, value = self._rows[at]
                now.append((self._names[number], value))
                at += 1
            yield now

    def state(self) -> dict[str, Any]:
        """Plain data that `of` takes back."""
        rows = self._rows
        return {
            "steps": self.steps, "names": list(self._names),
            "when": np.array([r[0] for r in rows], np.int64), "which": np.array([r[1] for r in rows], np.int32),
            "values": np.array([r[2] for r in rows], np.float64),
        }  # fmt: skip

    @staticmethod
    def of(state: Mapping[str, Any], *, keeps: bool = True) -> InputLog:
        """The log of a `state`."""
        log = InputLog(keeps=keeps)
        for name in state["names"]:
            log._number(name)
        columns = (state["when"].tolist(), state["which"].tolist(), state["values"].tolist())
        log._rows = list(zip(*columns, strict=True))
        for _, number, value in log._rows:
            log._now[number] = value
        log.steps = int(state["steps"])
        return log

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._names)
            self._names.append(name)
            self._now.append(float("nan"))
        return self._numbers[name]
