"""The map of a referee's page: what stands there by its height, the drones' ways, where they struck and came near."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

import numpy as np
from PIL import Image

from volery.report.chart import even_ticks

__all__ = ["colour", "flown_map"]

_WIDE = 940.0
"""Of the drawing [pixels]."""
_LEFT, _TOP, _BELOW = 46.0, 12.0, 62.0
_MARKS = {"thing": "#d11a2a", "drone": "#7b1fa2", "ground": "#e08600"}
"""Of collisions, by what was struck."""
_NEAR = "#0097a7"
_TALL = 20.0
"""What stands as high is darkest [m]."""


def colour(number: int) -> str:
    """Of a drone: far from those of its neighbours in the list."""
    hue = (number * 137.508) % 360.0
    return f"hsl({hue:.0f} 62% {42 + 10 * (number // 8 % 2)}%)"


def flown_map(sheet: dict[str, Any]) -> str:
    """An SVG with what stands there, ways, bases, targets, collisions and near misses; titles tell what each is."""
    frame = _MapFrame(sheet["relief"])
    names = list(sheet["logs"])
    colours = {name: colour(i) for i, name in enumerate(names)}
    parts = [*_ground(frame, sheet["relief"]), *_axes(frame)]
    for name, log in sheet["logs"].items():
        line = " ".join("{:.1f},{:.1f}".format(*frame.at(p[1], p[2])) for p in log["way"])
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colours[name]}" stroke-width="1.7" '
            f'stroke-linejoin="round" opacity="0.85"><title>{escape(name)}</title></polyline>'
        )
    parts += _places(frame, sheet, colours)
    parts += [_ring(frame, m) for m in sheet["near_misses"]]
    parts += [_cross(frame, c) for c in sheet["collisions"]]
    height = frame.tall + _TOP + _BELOW
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE:g} {height:.0f}" font-family="sans-serif" '
    return "\n".join([head + 'font-size="12" fill="#222">', *parts, *_legend(height), "</svg>"])


class _MapFrame:
    """Metres to pixels, north up."""

    def __init__(self, relief: dict[str, Any]) -> None:
        rows, columns = np.shape(relief["heights"])
        self.low = np.array(relief["corner"])
        self.high = self.low + np.array([columns, rows]) * relief["edge"]
        self.scale = (_WIDE - _LEFT - 10.0) / float(self.high[0] - self.low[0])
        tall = float(self.high[1] - self.low[1]) * self.scale
        if tall > 1.2 * _WIDE:
            self.scale *= 1.2 * _WIDE / tall
        self.wide, self.tall = (self.high - self.low) * self.scale

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a place [m]."""
        return _LEFT + (x - self.low[0]) * self.scale, _TOP + (self.high[1] - y) * self.scale


def _ground(frame: _MapFrame, relief: dict[str, Any]) -> list[str]:
    """What stands there in grey, the darker the higher."""
    heights = np.array(relief["heights"])[::-1]
    shade = np.where(heights > 0.3, 226.0 - 110.0 * np.minimum(heights / _TALL, 1.0), 248.0).astype(np.uint8)
    data = io.BytesIO()
    Image.fromarray(shade).save(data, "PNG", optimize=True)
    code = base64.b64encode(data.getvalue()).decode()
    return [
        f'<image x="{_LEFT:g}" y="{_TOP:g}" width="{frame.wide:.1f}" height="{frame.tall:.1f}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{code}"/>'
    ]


def _axes(frame: _MapFrame) -> list[str]:
    out = []
    for x in even_ticks(float(frame.low[0]), float(frame.high[0])):
        if frame.low[0] <= x <= frame.high[0]:
            u, v = frame.at(x, frame.low[1])
            out.append(f'<line x1="{u:.1f}" x2="{u:.1f}" y1="{_TOP:g}" y2="{v:.1f}" stroke="#ccc" stroke-width="0.6"/>')
            out.append(f'<text x="{u:.1f}" y="{v + 15:.1f}" text-anchor="middle" fill="#666">{x:g}</text>')
    for y in even_ticks(float(frame.low[1]), float(frame.high[1])):
        if frame.low[1] <= y <= frame.high[1]:
            u, v = frame.at(frame.low[0], y)
            ends = f'x1="{u:.1f}" x2="{_LEFT + frame.wide:.1f}" y1="{v:.1f}" y2="{v:.1f}"'
            out.append(f'<line {ends} stroke="#ccc" stroke-width="0.6"/>')
            out.append(f'<text x="{u - 6:.1f}" y="{v + 4:.1f}" text-anchor="end" fill="#666">{y:g}</text>')
    return out


def _places(frame: _MapFrame, sheet: dict[str, Any], colours: dict[str, str]) -> list[str]:
    out = []
    for name, base in sheet.get("bases", {}).items():
        u, v = frame.at(*base[:2])
        out.append(
            f'<rect x="{u - 2.5:.1f}" y="{v - 2.5:.1f}" width="5" height="5" fill="{colours[name]}" stroke="#222" '
            f'stroke-width="0.6"><title>base of {escape(name)}</title></rect>'
        )
    for name, targets in sheet.get("targets", {}).items():
        for target in targets:
            u, v = frame.at(*target[:2])
            out.append(
                f'<circle cx="{u:.1f}" cy="{v:.1f}" r="5" fill="none" stroke="{colours[name]}" stroke-width="2">'
                f"<title>target of {escape(name)}</title></circle>"
            )
    for name, log in sheet["logs"].items():
        if log["way"]:
            u, v = frame.at(*log["way"][-1][1:3])
            out.append(
                f'<circle cx="{u:.1f}" cy="{v:.1f}" r="2.6" fill="{colours[name]}" stroke="#fff" stroke-width="0.8">'
                f"<title>{escape(name)} at the end</title></circle>"
            )
    return out


def _cross(frame: _MapFrame, collision: dict[str, Any]) -> str:
    u, v = frame.at(*collision["p_W"][:2])
    words = f"{collision['drone']} and {collision['other']} at {collision['time']:.1f} s, {collision['speed']:.1f} m/s"
    stroke = f'stroke="{_MARKS[collision["kind"]]}" stroke-width="2.4"'
    lines = (
        f'<path d="M{u - 5:.1f} {v - 5:.1f}L{u + 5:.1f} {v + 5:.1f}M{u - 5:.1f} {v + 5:.1f}L{u + 5:.1f} {v - 5:.1f}" '
    )
    return f"{lines}{stroke}><title>{escape(words)}</title></path>"


def _ring(frame: _MapFrame, miss: dict[str, Any]) -> str:
    u, v = frame.at(*miss["p_W"][:2])
    words = f"{miss['drone']} near {miss['other']} at {miss['time']:.1f} s"
    ring = f'<circle cx="{u:.1f}" cy="{v:.1f}" r="7" fill="none" stroke="{_NEAR}" stroke-width="1.4" '
    return f'{ring}stroke-dasharray="3 2"><title>{escape(words)}</title></circle>'


def _legend(height: float) -> list[str]:
    """Marks and what they mean, in a row."""
    y, x = height - 16.0, _LEFT
    out = []
    for kind, tint in _MARKS.items():
        words = f"struck {'the' if kind == 'ground' else 'a'} {kind}"
        out.append(f'<path d="M{x} {y - 9}l9 9M{x} {y}l9 -9" stroke="{tint}" stroke-width="2.4"/>')
        out.append(f'<text x="{x + 15}" y="{y}">{words}</text>')
        x += 32.0 + 6.6 * len(words)
    out.append(f'<circle cx="{x + 5}" cy="{y - 4}" r="6" fill="none" stroke="{_NEAR}" stroke-dasharray="3 2"/>')
    out.append(f'<text x="{x + 17}" y="{y}">near miss</text>')
    x += 96.0
    out.append(f'<rect x="{x}" y="{y - 7}" width="6" height="6" fill="#555"/><text x="{x + 12}" y="{y}">base</text>')
    x += 62.0
    out.append(f'<circle cx="{x + 4}" cy="{y - 4}" r="5" fill="none" stroke="#555" stroke-width="2"/>')
    out.append(f'<text x="{x + 15}" y="{y}">target</text>')
    x += 76.0
    out.append(f'<rect x="{x}" y="{y - 10}" width="14" height="11" fill="#aaa"/>')
    out.append(f'<text x="{x + 20}" y="{y}">stands there, darker: higher</text>')
    return out
