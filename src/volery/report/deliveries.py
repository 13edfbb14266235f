"""Deliveries told to people: a table that follows a run, its report, and behaviours side by side in table and plot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from volery.report.chart import COLOURS, Scale, legend, svg
from volery.report.page import html_page
from volery.report.referee import sections, write

__all__ = ["comparison", "comparison_page", "live_table", "plot", "run_report", "speeds", "write"]

_KINDS = ("thing", "drone", "ground")
_NAMES = {
    "courier": "courier (ours)",
    "reach": "reach location (report)",
    "reach_among_drones": "reach location among drones (report)",
}
_COLOURS = {"courier": "#1b7f5c", "reach": "#c8553d", "reach_among_drones": "#3d6fc8"}


def live_table(result: dict[str, Any], rows: list[tuple[Any, ...]]) -> str:
    """How a run stands; rows: drone, doing, delivered, collisions, distance [m], height [m]."""
    lines = [
        _headline(result),
        f"{'drone':10} {'does':16} {'delivered':>9} {'collisions':>10} {'flown':>8} {'height':>7}",
    ]
    lines += [f"{n:10} {does:16} {d:9d} {c:10d} {m:6.0f} m {z:5.1f} m" for n, does, d, c, m, z in rows]
    return "\n".join(lines)


def run_report(result: dict[str, Any], rows: list[tuple[Any, ...]]) -> str:
    """What came out of a run."""
    struck = ", ".join(f"{k}s {v}" if k != "ground" else f"ground {v}" for k, v in result["collisions"].items())
    what = ", ".join(f"{name} {count}" for name, count in result["with"].items())
    return "\n".join([
        live_table(result, rows), "",
        f"{_NAMES.get(result['behaviour'], result['behaviour'])}, seed {result['seed']}",
        f"delivered    {result['delivered']} of {result['parcels']}; home {result['home']} of {result['drones']}",
        f"collisions   {struck}; {result['hard']} faster than 2 m/s" + (f"; most with {what}" if what else ""),
        f"near misses  drones {result['near_drones']}, things {result['near_things']}",
        f"flown        {result['distance']:.0f} m in {result['time']:.1f} s",
    ])  # fmt: skip


def _headline(result: dict[str, Any]) -> str:
    struck, near = sum(result["collisions"].values()), result["near_drones"] + result["near_things"]
    return (
        f"t {result['time']:7.1f} s  delivered {result['delivered']} of {result['parcels']}  home {result['home']}  "
        f"collisions {struck}  near misses {near}"
    )


def comparison(results: list[dict[str, Any]]) -> str:
    """Behaviours side by side, as a table in Markdown: means over the runs, and sums where it says so."""
    head = (
        "| behaviour | runs | delivered | drones home | collisions with things | with drones | with the ground | "
        "faster than 2 m/s | runs without collision | near misses (drones, things) | flown per parcel | time |"
    )
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    lines += [_row(name, own) for name, own in _by_behaviour(results).items()]
    return "\n".join(lines)


def _by_behaviour(results: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {n: [r for r in results if r["behaviour"] == n] for n in dict.fromkeys(r["behaviour"] for r in results)}


def _row(name: str, runs: list[dict[str, Any]]) -> str:
    delivered, parcels = sum(r["delivered"] for r in runs), sum(r["parcels"] for r in runs)
    home, drones = sum(r["home"] for r in runs), sum(r["drones"] for r in runs)
    struck = [sum(r["collisions"][k] for r in runs) for k in _KINDS]
    clean = sum(not any(r["collisions"].values()) for r in runs)
    near = [sum(r[k] for r in runs) for k in ("near_drones", "near_things")]
    flown = sum(r["distance"] for r in runs) / max(delivered, 1)
    cells = [
        _NAMES.get(name, name), len(runs), f"{delivered} of {parcels}", f"{home} of {drones}", *struck,
        sum(r["hard"] for r in runs), f"{clean} of {len(runs)}", f"{near[0]}, {near[1]}", f"{flown:.0f} m",
        f"{np.mean([r['time'] for r in runs]):.0f} s",
    ]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def speeds(results: list[dict[str, Any]]) -> str:
    """Simulated time against processor and wall time, a line for each behaviour and one for all, in Markdown."""
    head = "| behaviour | simulated | processor | × real time by processor | by the clock on the wall |"
    lines = [head, "|" + "---|" * 5]
    for name, runs in {**_by_behaviour(results), "all": results}.items():
        simulated, used, wall = (sum(r[k] for r in runs) for k in ("time", "processor", "wall"))
        rates = f"{simulated / max(used, 1e-9):.1f} | {simulated / max(wall, 1e-9):.1f}"
        lines.append(f"| {_NAMES.get(name, name)} | {simulated:.0f} s | {used:.0f} s | {rates} |")
    return "\n".join(lines)


def comparison_page(results: list[dict[str, Any]], sheets: dict[str, dict[str, Any]], table: str) -> str:
    """Everything on one page: table and plot, and of each behaviour one run as the referee saw it."""
    parts = [_html(table), plot(results), "<h2>How fast it ran</h2>", _html(speeds(results))]
    for name, sheet in sheets.items():
        words = f"{_NAMES.get(name, name)}, seed {sheet['result']['seed']}"
        parts += [f"<h2>{escape(words)}</h2>", *sections(sheet)]
    return html_page(f"Deliveries: {_sizes(results)}", parts)


def _html(markdown: str) -> str:
    """A table of Markdown as one of HTML."""
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines()]
    top = "".join(f'<th style="white-space:normal">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table style="font-size:12px">{table}</table></div>'


# The plot

_WIDTH, _PANEL, _TOP, _LEFT, _GAP = 920, 210, 64, 70, 62


def plot(results: list[dict[str, Any]]) -> str:
    """Delivered, collisions and near misses of every run, a panel each, as SVG; a dot a run, a bar for the mean."""
    panels: list[tuple[str, Callable[[Any], float]]] = [
        ("delivered [% of parcels]", lambda r: 100.0 * r["delivered"] / r["parcels"]),
        ("collisions of a run", lambda r: float(sum(r["collisions"].values()))),
        ("near misses of a run", lambda r: float(r["near_drones"] + r["near_things"])),
    ]
    grouped = _by_behaviour(results)
    height = _TOP + _PANEL + 70 + 22 * len(grouped)
    parts = [f'<text x="20" y="28" font-size="17">Deliveries: {_sizes(results)}</text>']
    wide = (_WIDTH - _LEFT - 20 - 2 * _GAP) / 3
    for i, (title, value) in enumerate(panels):
        values = {name: [value(r) for r in runs] for name, runs in grouped.items()}
        parts += _panel(_LEFT + i * (wide + _GAP), wide, title, values)
    colours = {_NAMES.get(name, name): _colour(name) for name in grouped}
    return svg(_WIDTH, height, [*parts, *legend(_LEFT, _TOP + _PANEL + 52, colours)])


def _sizes(results: list[dict[str, Any]]) -> str:
    runs = max(len(own) for own in _by_behaviour(results).values())
    return f"{results[0]['drones']} drones, {results[0]['parcels']} parcels, {runs} seeds, among blocks"


def _colour(name: str) -> str:
    return _COLOURS.get(name) or COLOURS[sum(name.encode()) % len(COLOURS)]


def _panel(x0: float, wide: float, title: str, values: dict[str, list[float]]) -> list[str]:
    """One panel: an axis with round numbers, and a column of dots for each behaviour."""
    base = _TOP + _PANEL
    scale = Scale([max(v) for v in values.values()], base, _PANEL)
    out = [f'<text x="{x0}" y="{_TOP - 12}">{escape(title)}</text>', *scale.lines(x0, wide)]
    for i, (name, own) in enumerate(values.items()):
        middle = x0 + wide * (i + 0.5) / len(values)
        # Side by side in the order of the seeds, so that equal ones do not hide each other.
        spread = np.linspace(-0.3, 0.3, len(own)) * wide / len(values) if len(own) > 1 else np.zeros(1)
        for value, aside in zip(own, spread, strict=True):
            y = scale.y(value)
            out.append(
                f'<circle cx="{middle + aside:.1f}" cy="{y:.1f}" r="3.4" fill="{_colour(name)}" fill-opacity="0.55"/>'
            )
        mean, half = float(np.mean(own)), 0.36 * wide / len(values)
        y = scale.y(mean)
        out.append(
            f'<line x1="{middle - half:.1f}" x2="{middle + half:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{_colour(name)}" stroke-width="3"/>'
        )
        out.append(f'<text x="{middle:.1f}" y="{base + 20}" text-anchor="middle">{mean:.3g}</text>')
    return out
