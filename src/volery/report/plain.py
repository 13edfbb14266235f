"""Missions that bring no report of their own: a table that follows, and what came out, number by number."""

from __future__ import annotations

from typing import Any

__all__ = ["live_table", "run_report"]


def live_table(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How a mission stands; rows: a head, and a row for each robot."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    head = [f"t {result['time']:.1f} s"] if "time" in result else []
    return "\n".join([*head, *lines])


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """The table, and all numbers and words of the result."""
    told = {name: _short(value) for name, value in result.items() if isinstance(value, bool | int | float | str)}
    return "\n".join([live_table(result, rows), "", *(f"{name}: {value}" for name, value in told.items())])


def _short(value: bool | int | float | str) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
