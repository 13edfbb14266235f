"""Charts as SVG: the pieces that every chart has, and bars in groups."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

import numpy as np

__all__ = ["COLOURS", "Scale", "bars", "curves", "even_ticks", "legend", "round_up", "short", "svg"]

COLOURS = ("#3d6fc8", "#c8553d", "#1b7f5c", "#8a5fb5", "#b58a1b")
"""One for each series, in turn."""

_WIDTH, _TALL, _TOP, _LEFT, _BELOW = 760, 220, 52, 70, 66


def svg(width: float, height: float, parts: list[str]) -> str:
    """A whole drawing on white."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" '
        'font-size="13" fill="#222">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *parts, "</svg>",
    ]) + "\n"  # fmt: skip


def round_up(value: float) -> float:
    """The next of 4, 8, 20, 40, 100, … so that quarters are round too."""
    if value <= 4.0:
        return 4.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(s * power for s in (1, 2, 4, 8, 10, 20) if s * power >= value))


def short(value: float) -> str:
    """A number with three digits, or whole."""
    return f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}"


class Scale:
    """A vertical axis: linear from zero with four steps, or by powers of ten."""

    def __init__(self, values: list[float], base: float, tall: float, *, log: bool = False) -> None:
        """base: where the axis begins, downwards from the top; tall: its length, both in units of the drawing."""
        self._base, self._tall, self._log = base, tall, log
        if log:
            shown = [v for v in values if v > 0.0] or [1.0]
            self._low = math.floor(math.log10(min(shown)) - 1e-9)
            self._high = max(math.ceil(math.log10(max(shown)) - 1e-9), self._low + 1)
            self.ticks = [10.0**k for k in range(self._low, self._high + 1)]
        else:
            top = round_up(max(values))
            self.ticks = [top * k / 4 for k in range(5)]

    def y(self, value: float) -> float:
        """Where a value is; what has no logarithm is at the bottom."""
        if not self._log:
            return self._base - self._tall * value / self.ticks[-1]
        share = (math.log10(value) - self._low) / (self._high - self._low) if value > 0.0 else 0.0
        return self._base - self._tall * max(share, 0.0)

    def lines(self, x: float, wide: float) -> list[str]:
        """A line with its number for each tick, from x on."""
        out = []
        for tick in self.ticks:
            y = self.y(tick)
            out.append(f'<line x1="{x:g}" x2="{x + wide:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            out.append(f'<text x="{x - 8:g}" y="{y + 4:.1f}" text-anchor="end" fill="#666">{tick:,.10g}</text>')
        return out


def legend(x: float, y: float, colours: dict[str, str], aside: float = 0.0) -> list[str]:
    """Colours and what they are, below each other; aside: how far apart if side by side instead."""
    out = []
    for i, (name, colour) in enumerate(colours.items()):
        at_x, at_y = x + i * aside, y + (0.0 if aside else 22.0 * i)
        out.append(f'<rect x="{at_x:g}" y="{at_y - 11:g}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{at_x + 20:g}" y="{at_y:g}">{escape(name)}</text>')
    return out


def bars(title: str, groups: dict[str, dict[str, float]], *, log: bool = False) -> str:
    """A chart of bars: groups by name, in each the same series by name, with their values written on top."""
    series = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(next(iter(groups.values())))}
    base, wide = _TOP + _TALL, _WIDTH - _LEFT - 20.0
    scale = Scale([v for own in groups.values() for v in own.values()], base, _TALL, log=log)
    parts = [f'<text x="20" y="26" font-size="15">{escape(title)}</text>', *scale.lines(_LEFT, wide)]
    each = wide / len(groups)
    thick = min(0.8 * each / len(series), 46.0)
    for i, (group, own) in enumerate(groups.items()):
        middle = _LEFT + each * (i + 0.5)
        parts.append(f'<text x="{middle:.1f}" y="{base + 20}" text-anchor="middle">{escape(group)}</text>')
        for k, (name, value) in enumerate(own.items()):
            x, y = middle + (k - len(own) / 2) * thick, scale.y(value)
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{0.92 * thick:.1f}" height="{base - y:.1f}" '
                f'fill="{series[name]}"/>'
            )
            label = f'text-anchor="middle" font-size="10">{short(value)}</text>'
            parts.append(f'<text x="{x + 0.46 * thick:.1f}" y="{y - 4:.1f}" {label}')
    parts += legend(_LEFT, base + 48, series, aside=150.0)
    return svg(_WIDTH, base + _BELOW, parts)


def curves(
    title: str, t: np.ndarray, series: dict[str, np.ndarray], *, unit: str, levels: dict[str, float] | None = None,
    over: str = "s",
) -> str:  # fmt: skip
    """A chart of values over time: t [n] in the unit `over`, series by name, each [n]; levels: dashed named lines."""
    levels, base, wide = levels or {}, _TOP + _TALL, _WIDTH - _LEFT - 20.0
    values = np.concatenate([*series.values(), list(levels.values())])
    ticks = even_ticks(float(np.min(values)), float(np.max(values)))
    low, span = ticks[0], ticks[-1] - ticks[0]

    def x(s: np.ndarray | float) -> np.ndarray:
        return _LEFT + wide * (np.asarray(s) - t[0]) / max(float(t[-1] - t[0]), 1e-9)

    def y(v: np.ndarray | float) -> np.ndarray:
        return base - _TALL * (np.asarray(v) - low) / span

    parts = [f'<text x="20" y="26" font-size="15">{escape(title)}</text>']
    units = escape(f"{unit}, over {over}")
    parts.append(f'<text x="{_WIDTH - 20}" y="26" text-anchor="end" fill="#666">{units}</text>')
    for tick in ticks:
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + wide:g}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
        text = f'text-anchor="end" fill="#666">{tick:.6g}</text>'
        parts.append(f'<text x="{_LEFT - 8}" y="{y(tick) + 4:.1f}" {text}')
    for tick in even_ticks(float(t[0]), float(t[-1])):
        if t[0] <= tick <= t[-1]:
            parts.append(f'<text x="{x(tick):.1f}" y="{base + 18}" text-anchor="middle" fill="#666">{tick:.6g}</text>')
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(series)}
    for name, own in series.items():
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x(t), y(own), strict=True))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colours[name]}" stroke-width="1.6"/>')
    for i, (name, level) in enumerate(levels.items()):
        colours[name] = ("#888", "#111")[i % 2]
        ends = f'x1="{_LEFT}" x2="{_LEFT + wide:g}" y1="{y(level):.1f}" y2="{y(level):.1f}"'
        parts.append(f'<line {ends} stroke="{colours[name]}" stroke-dasharray="6 4"/>')
    return svg(_WIDTH, base + _BELOW, [*parts, *legend(_LEFT, base + 48, colours, aside=150.0)])


def even_ticks(low: float, high: float) -> list[float]:
    """Four to nine round numbers that hold a range."""
    span = max(high - low, 1e-6)
    power = 10.0 ** math.floor(math.log10(span))
    step = next(s * power for s in (0.1, 0.2, 0.5, 1.0, 2.0) if span / (s * power) <= 7)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 10) for k in range(first, max(last, first + 1) + 1)]
