"""Plots of a measure over what was swept: a panel for each swept value, a dot for each run, and lines of means: one
for each value of the next factor."""

from __future__ import annotations

import json
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from volery.report.chart import COLOURS, even_ticks, svg

__all__ = ["panels"]

_WIDTH, _TALL, _TOP, _LEFT, _GAP, _BELOW = 900, 190, 44, 62, 56, 58
_MOST = 4
"""Panels side by side."""
_MOST_MEANS = 12
"""Values of which means are drawn; more are a cloud."""


def panels(measure: str, paths: list[str], rows: list[dict[str, Any]]) -> str:
    """SVG; rows: of runs that went well, with `values`, `seed` and `measures`."""
    rows = [row for row in rows if isinstance(row["measures"].get(measure), bool | int | float)]
    y = np.array([float(row["measures"][measure]) for row in rows])
    swept = [p for p in paths if len({_word(row["values"].get(p)) for row in rows}) > 1][:_MOST]
    columns = [(p, [row["values"].get(p) for row in rows]) for p in swept] or [("seed", [row["seed"] for row in rows])]
    wide = min((_WIDTH - _LEFT - 20 - _GAP * (len(columns) - 1)) / len(columns), 420.0)
    ticks = even_ticks(float(y.min()), float(y.max()))
    parts: list[str] = []
    most = 0
    for i, (path, values) in enumerate(columns):
        # The means of one factor, a line for each value of the next one.
        other = columns[(i + 1) % len(columns)]
        split = _split(*other) if len(columns) > 1 else {}
        most = max(most, len(split))
        parts += _panel(_LEFT + i * (wide + _GAP), wide, path, values, y, ticks, COLOURS[i % len(COLOURS)], split)
    return svg(_WIDTH, _TOP + _TALL + _BELOW + 17 * most, parts)


def _split(path: str, values: list[Any]) -> dict[str, np.ndarray]:
    """Which rows have each value of a factor, by a word for it; nothing for factors of too many values."""
    words = [_word(value) for value in values]
    distinct = list(dict.fromkeys(words))
    if not 2 <= len(distinct) <= len(COLOURS):
        return {}
    return {f"{path} {word}": np.array([w == word for w in words]) for word in distinct}


def _panel(
    x0: float, wide: float, path: str, values: list[Any], y: np.ndarray, ticks: list[float], colour: str,
    split: dict[str, np.ndarray],
) -> list[str]:  # fmt: skip
    base, span = _TOP + _TALL, ticks[-1] - ticks[0]
    x, labels = _places(values)

    def at_x(v: float) -> float:
        return x0 + wide * (0.06 + 0.88 * v)

    def at_y(v: float) -> float:
        return base - _TALL * (v - ticks[0]) / span

    out = [f'<text x="{x0:.1f}" y="{_TOP - 16}">over {escape(path)}</text>']
    for tick in ticks:
        out.append(
            f'<line x1="{x0:.1f}" x2="{x0 + wide:.1f}" y1="{at_y(tick):.1f}" y2="{at_y(tick):.1f}" stroke="#ddd"/>'
            f'<text x="{x0 - 7:.1f}" y="{at_y(tick) + 4:.1f}" text-anchor="end" fill="#666">{tick:.6g}</text>'
        )
    for place, word in labels:
        out.append(
            f'<text x="{at_x(place):.1f}" y="{base + 19}" text-anchor="middle" fill="#666">{escape(word)}</text>'
        )
    groups = split if path != "seed" else {}
    tints = dict(zip(groups, COLOURS, strict=False)) or {"": colour}
    for n, (word, tint) in enumerate(tints.items()):
        rows = groups.get(word, np.ones(len(y), bool))
        for a, b in zip(x[rows], y[rows], strict=True):
            out.append(f'<circle cx="{at_x(a):.1f}" cy="{at_y(b):.1f}" r="3" fill="{tint}" fill-opacity="0.45"/>')
        means = [(place, float(y[rows & (x == place)].mean())) for place in np.unique(x[rows])]
        if 1 < len(means) <= _MOST_MEANS and path != "seed":
            line = " ".join(f"{at_x(a):.1f},{at_y(b):.1f}" for a, b in means)
            out.append(f'<polyline points="{line}" fill="none" stroke="{tint}" stroke-width="2"/>')
        if word:
            at = base + 42 + 17 * n
            out.append(f'<rect x="{x0:.1f}" y="{at - 9}" width="10" height="10" fill="{tint}"/>')
            out.append(f'<text x="{x0 + 16:.1f}" y="{at}" font-size="12">{escape(word[:44])}</text>')
    return out


def _places(values: list[Any]) -> tuple[np.ndarray, list[tuple[float, str]]]:
    """Where values stand from 0 to 1 [n], and the words below: numbers by size, the rest side by side."""
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        v = np.array(values, float)
        low, span = float(v.min()), float(np.ptp(v)) or 1.0
        ticks = sorted(set(v.tolist())) if len(set(v.tolist())) <= 5 else even_ticks(low, low + span)
        inside = [t for t in ticks if low - 1e-9 * span <= t <= low + span * (1 + 1e-9)]
        return (v - low) / span if np.ptp(v) else np.full(len(v), 0.5), [((t - low) / span, f"{t:.5g}") for t in inside]
    words = list(dict.fromkeys(_word(v) for v in values))
    place = {word: i / max(len(words) - 1, 1) for i, word in enumerate(words)}
    cut = max(6, 40 // len(words))
    return np.array([place[_word(v)] for v in values]), [(place[w], w[:cut]) for w in words[:12]]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
