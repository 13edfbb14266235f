"""Missions of robots that find their own way, told to people: a table that follows, and a page with a map."""

from __future__ import annotations

import base64
import io
import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

__all__ = ["live_table", "map_picture", "page", "run_report", "write"]

_WIDTH = 1400
"""Of the picture [pixels], at most."""
_SLICE = 1.0
"""What is so much above or below the way is not shown [m]."""
_STYLE = (
    "body{font:15px system-ui;margin:2em auto;max-width:75em;padding:0 1em}table{border-collapse:collapse}"
    "td,th{padding:.3em .8em;border-bottom:1px solid #ccc;text-align:right}img{max-width:100%;border:1px solid #ccc}"
)
_COLOURS = ((214, 80, 30), (31, 95, 191), (40, 140, 70), (140, 60, 170), (0, 150, 160))


def live_table(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How a mission stands; rows: a head, and a row for each robot."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([f"t {result['time']:.1f} s  {result['mission']}, seed {result['seed']}", *lines])


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """What came out, in words."""
    lines = [live_table(result, rows), ""]
    for robot in result["robots"]:
        touched = "; ".join(f"{what} at {t:g} s" for t, what in robot["collisions"]) or "nothing"
        state = "done" if robot["reached"] else "not done"
        lines.append(
            f"{robot['robot']}: {state} in {robot['time']:.1f} s, {robot['distance']:.0f} m at "
            f"{robot['mean_speed']:.2f} m/s (most {robot['fastest']:.1f}); touched {touched}; "
            f"odometry off by {robot['drift']:.2f} m, at worst {100 * robot['worst_drift']:.2f} % of the way"
        )
    return "\n".join(lines)


def map_picture(parts: dict[str, dict[str, Any]]) -> Image.Image:
    """From above: what is taken at the height of the way, the true way in colour, the estimated one in black."""
    ways = [part["true"] for part in parts.values() if len(part["true"])]
    cells = _about(np.concatenate([part["map"].taken() for part in parts.values()]), ways)
    everything = np.concatenate([cells, *ways]) if len(cells) or ways else np.zeros((1, 3))
    low, high = everything.min(axis=0) - 1.0, everything.max(axis=0) + 1.0
    scale = min(_WIDTH / (high[0] - low[0]), 12.0, 1400 / (high[1] - low[1]))
    size = tuple(int(np.ceil((high[k] - low[k]) * scale)) + 1 for k in range(2))
    shade = np.full((size[1], size[0]), 255, np.uint8)
    order = np.argsort(cells[:, 2])
    at = ((cells[order, :2] - low[:2]) * scale).astype(int)
    grey = 215 - 150 * (cells[order, 2] - low[2]) / max(high[2] - low[2], 1e-6)
    edge = max(round(0.4 * scale), 1)
    for dx in range(edge):
        for dy in range(edge):
            x, y = np.minimum(at[:, 0] + dx, size[0] - 1), np.minimum(at[:, 1] + dy, size[1] - 1)
            shade[size[1] - 1 - y, x] = grey
    image = Image.fromarray(shade).convert("RGB")
    pen = ImageDraw.Draw(image)
    for n, part in enumerate(parts.values()):
        for way, colour, width in ((part["estimated"], (0, 0, 0), 1), (part["true"], _COLOURS[n % len(_COLOURS)], 3)):
            if len(way) > 1:
                spots = [(float((x - low[0]) * scale), float(size[1] - 1 - (y - low[1]) * scale)) for x, y, _ in way]
                pen.line(spots, fill=colour, width=width)
    return image


def _about(cells: np.ndarray, ways: list[np.ndarray]) -> np.ndarray:
    """Cells at the height of the nearest way: neither floors nor ceilings."""
    if not ways or len(cells) == 0:
        return cells
    way = np.concatenate([w[:: max(len(w) // 200, 1)] for w in ways])
    kept = []
    for some in np.array_split(cells, max(len(cells) // 5000, 1)):
        nearest = np.argmin(((some[:, None, :2] - way[None, :, :2]) ** 2).sum(axis=2), axis=1)
        kept.append(some[np.abs(some[:, 2] - way[nearest, 2]) < _SLICE])
    return np.concatenate(kept)


def page(sheet: dict[str, Any]) -> str:
    """One page that needs nothing else."""
    result, buffer = sheet["result"], io.BytesIO()
    map_picture(sheet["parts"]).save(buffer, "PNG")
    picture = base64.b64encode(buffer.getvalue()).decode()
    names = [k for k in result["robots"][0] if k != "collisions"]
    head = "".join(f"<th>{escape(n.replace('_', ' '))}</th>" for n in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_value(robot[n]))}</td>" for n in names) + "</tr>" for robot in result["robots"]
    )
    touched = [f"{r['robot']}: {what} at {t:g} s" for r in result["robots"] for t, what in r["collisions"]]
    return (
        f"<!doctype html><meta charset=utf-8><title>Volery: mission</title><style>{_STYLE}</style>"
        f"<h1>{escape(result['mission'].capitalize())}, seed {result['seed']}</h1>"
        f"<p>{result['time']:.1f} s of simulated time. Touched: {escape('; '.join(touched) or 'nothing')}.</p>"
        f"<table><tr>{head}</tr>{rows}</table>"
        "<p>From above: the map at the height of the way, the true way in colour, the estimated one in black.</p>"
        f"<img alt='map' src='data:image/png;base64,{picture}'>"
    )


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def write(sheet: dict[str, Any], out: Path) -> Path:
    """The page, the numbers and each robot's map as PLY and OctoMap, into a folder; the page's path."""
    from volery.core.mapfiles import save_octomap, save_ply

    out.mkdir(parents=True, exist_ok=True)
    name = f"{sheet['result']['mission']}-{sheet['result']['seed']}"
    for robot, part in sheet["parts"].items():
        cells = part["map"]
        save_ply(cells.taken(), out / f"{name}-{robot}.ply")
        save_octomap(cells.taken(), cells.free(), cells.config.cell, out / f"{name}-{robot}.bt")
    (out / f"{name}.json").write_text(json.dumps(sheet["result"], indent=1) + "\n", encoding="utf-8")
    (out / f"{name}.html").write_text(page(sheet), encoding="utf-8")
    return out / f"{name}.html"
