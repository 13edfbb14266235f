"""Deliveries told to people: a table that follows a run, its report, and behaviours side by side in table and plot."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

import numpy as np

__all__ = ["comparison", "live_table", "plot", "run_report"]

_KINDS = ("thing", "drone", "ground")
_NAMES = {
    "courier": "courier (ours)",
    "reach": "reach location (report)",
    "reach_among_drones": "reach location among drones (report)",
}
_COLOURS = {"courier": "#1b7f5c", "reach": "#c8553d", "reach_among_drones": "#3d6fc8"}


def live_table(result: dict[str, Any], rows: list[tuple]) -> str:
    """How a run stands; rows: drone, doing, delivered, collisions, distance [m], height [m]."""
    lines = [
        _headline(result),
        f"{'drone':10} {'does':16} {'delivered':>9} {'collisions':>10} {'flown':>8} {'height':>7}",
    ]
    lines += [f"{n:10} {does:16} {d:9d} {c:10d} {m:6.0f} m {z:5.1f} m" for n, does, d, c, m, z in rows]
    return "\n".join(lines)


def run_report(result: dict[str, Any], rows: list[tuple]) -> str:
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


# The plot

_WIDTH, _PANEL, _TOP, _LEFT, _GAP = 920, 210, 64, 70, 62


def plot(results: list[dict[str, Any]]) -> str:
    """Delivered, collisions and near misses of every run, a panel each, as SVG; a dot a run, a bar for the mean."""
    panels = [
        ("delivered [% of parcels]", lambda r: 100.0 * r["delivered"] / r["parcels"]),
        ("collisions of a run", lambda r: float(sum(r["collisions"].values()))),
        ("near misses of a run", lambda r: float(r["near_drones"] + r["near_things"])),
    ]
    grouped = _by_behaviour(results)
    height = _TOP + _PANEL + 70 + 22 * len(grouped)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="13" fill="#222">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="20" y="28" font-size="17">Deliveries: {_sizes(results)}</text>',
    ]
    wide = (_WIDTH - _LEFT - 20 - 2 * _GAP) / 3
    for i, (title, value) in enumerate(panels):
        values = {name: [value(r) for r in runs] for name, runs in grouped.items()}
        parts += _panel(_LEFT + i * (wide + _GAP), wide, title, values)
    for i, name in enumerate(grouped):
        y = _TOP + _PANEL + 52 + 22 * i
        parts.append(f'<rect x="{_LEFT}" y="{y - 11}" width="12" height="12" fill="{_colour(name)}"/>')
        parts.append(f'<text x="{_LEFT + 20}" y="{y}">{escape(_NAMES.get(name, name))}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _sizes(results: list[dict[str, Any]]) -> str:
    runs = max(len(own) for own in _by_behaviour(results).values())
    return f"{results[0]['drones']} drones, {results[0]['parcels']} parcels, {runs} seeds, among blocks"


def _colour(name: str) -> str:
    return _COLOURS.get(name, "#777")


def _panel(x0: float, wide: float, title: str, values: dict[str, list[float]]) -> list[str]:
    """One panel: an axis with round numbers, and a column of dots for each behaviour."""
    top = _round_up(max(max(v) for v in values.values()))
    base = _TOP + _PANEL
    out = [f'<text x="{x0}" y="{_TOP - 12}">{escape(title)}</text>']
    for k in range(5):
        y, label = base - _PANEL * k / 4, top * k / 4
        out.append(f'<line x1="{x0}" x2="{x0 + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#666">{label:g}</text>')
    for i, (name, own) in enumerate(values.items()):
        middle = x0 + wide * (i + 0.5) / len(values)
        # Side by side in the order of the seeds, so that equal ones do not hide each other.
        spread = np.linspace(-0.3, 0.3, len(own)) * wide / len(values) if len(own) > 1 else np.zeros(1)
        for value, aside in zip(own, spread, strict=True):
            y = base - _PANEL * value / top
            out.append(
                f'<circle cx="{middle + aside:.1f}" cy="{y:.1f}" r="3.4" fill="{_colour(name)}" fill-opacity="0.55"/>'
            )
        mean, half = float(np.mean(own)), 0.36 * wide / len(values)
        y = base - _PANEL * mean / top
        out.append(
            f'<line x1="{middle - half:.1f}" x2="{middle + half:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{_colour(name)}" stroke-width="3"/>'
        )
        out.append(f'<text x="{middle:.1f}" y="{base + 20}" text-anchor="middle">{mean:.3g}</text>')
    return out


def _round_up(value: float) -> float:
    """The next of 4, 8, 20, 40, 100, … so that quarters are round too."""
    if value <= 4.0:
        return 4.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(s * power for s in (1, 2, 4, 8, 10, 20) if s * power >= value))
