"""Lessons told to people: a table that follows, the points at the end, a page with the flight beside the best."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from volery.report.chart import COLOURS, svg
from volery.report.page import html_page, html_table

__all__ = ["live_table", "page", "run_report", "write"]

_WIDE, _TALL, _EDGE = 720.0, 260.0, 56.0


def live_table(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How a lesson stands; rows: a head and the robot's."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([f"t {result['time']:.1f} s  {result['lesson']}", *lines])


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """What came out, in words."""
    parts = ", ".join(f"{name} {points:.1f}" for name, points in result["parts"].items())
    touched = "; ".join(f"{body} touched {thing} at {t:g} s" for t, body, thing in result["touches"]) or "nothing"
    force = "" if result["force_error"] is None else f", force off by {100 * result['force_error']:.1f} %"
    state = "done" if result["goals"] == result["of"] else f"{result['goals']} of {result['of']} goals"
    best = "the first" if result["best"] is None else f"the best so far had {result['best']:.1f}"
    kept = "; kept as the best" if result["improved"] else ""
    return (
        f"{result['lesson']}: {state} in {result['time']:.1f} s, {result['score']:.1f} of 100 points ({parts})\n"
        f"off the way by {result['path_error']:.3f} m on average{force}; other than the tool: {touched}\n{best}{kept}"
    )


def page(sheet: dict[str, Any]) -> str:
    """One page that needs nothing else: points, the flight from above and from the side, and the force."""
    result, flight = sheet["result"], sheet["flight"]
    rows = [[name, f"{points:.1f}"] for name, points in result["parts"].items()]
    goals = np.array([sheet["start"], *(g.at for g in sheet["goals"])])
    ways = {"way": goals, "flight": flight[:, 1:4]}
    if sheet["best"] is not None:
        ways["best"] = sheet["best"].p_W
    charts = [
        _chart({n: w[:, [0, 1]] for n, w in ways.items()}, "from above: x, y [m]"),
        _chart({n: w[:, [0, 2]] for n, w in ways.items()}, "from the side: x, z [m]"),
        _chart({"force": flight[:, [0, 4]]}, "force on the tool [N] over time [s]"),
    ]
    words = f"<pre>{escape(run_report(result, []))}</pre>"
    title = f"{result['lesson']}: {result['score']:.1f} of 100"
    return html_page(title, [words, html_table(["part", "points"], rows), *charts])


def _chart(lines: dict[str, np.ndarray], title: str) -> str:
    """Lines [n, 2] in common axes."""
    points = np.concatenate([line for line in lines.values() if len(line)] or [np.zeros((1, 2))])
    low, high = points.min(axis=0), points.max(axis=0)
    # What hardly changes is not blown up to the height of the chart.
    span = np.maximum(high - low, 0.2)
    low = (low + high - span) / 2
    parts = [f'<text x="{_EDGE}" y="20" font-weight="bold">{escape(title)}</text>']
    for i, (name, line) in enumerate(lines.items()):
        share = (line - low) / span
        x, y = _EDGE + share[:, 0] * (_WIDE - 2 * _EDGE), _TALL - _EDGE + share[:, 1] * (2 * _EDGE - _TALL)
        dots = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        colour = COLOURS[i % len(COLOURS)]
        parts.append(f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(f'<text x="{_WIDE - 130}" y="{20 + 16 * i}" fill="{colour}">{escape(name)}</text>')
    for k in range(2):
        for share in (0.0, 1.0):
            value = low[k] + share * span[k]
            x = _EDGE + share * (_WIDE - 2 * _EDGE) if k == 0 else 8.0
            y = _TALL - 30 if k == 0 else _TALL - _EDGE + share * (2 * _EDGE - _TALL)
            parts.append(f'<text x="{x:.1f}" y="{y:.1f}">{value:.2f}</text>')
    return svg(_WIDE, _TALL, parts)


def write(sheet: dict[str, Any], out: Path) -> Path:
    """The page and the numbers into a folder; the page's path."""
    out.mkdir(parents=True, exist_ok=True)
    name = sheet["result"]["lesson"]
    (out / f"{name}.json").write_text(json.dumps(sheet["result"], indent=1) + "\n", encoding="utf-8")
    (out / f"{name}.html").write_text(page(sheet), encoding="utf-8")
    return out / f"{name}.html"
