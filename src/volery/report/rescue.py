"""A rescue mission told to people: a table that follows it, its score sheet, and a page with a map that needs nothing
else."""

from __future__ import annotations

import base64
import io
import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

__all__ = ["live_table", "map_picture", "page", "run_report", "write"]

_SCALE = 60
"""Pixels of a metre."""
_EDGE = 0.6
"""Of the picture round the area [m]."""
_COLOURS = (
    (31, 95, 191),
    (214, 110, 22),
    (40, 140, 70),
    (140, 60, 170),
    (0, 150, 160),
    (170, 130, 0),
    (90, 90, 90),
    (190, 40, 90),
)
"""Of robots, by turns."""
_FOUND, _MISSED, _WRONG = (20, 150, 60), (215, 30, 40), (230, 140, 0)


def live_table(result: dict[str, Any], rows: list[tuple[Any, ...]]) -> str:
    """How a mission stands; rows: robot, doing, driven [m], collisions, drift [m]."""
    lines = [
        f"t {result['time']:7.1f} s  victims {result['found']} of {len(result['victims'])}  looked at "
        f"{100 * result['covered']:.0f} %  collisions {result['collisions']}",
        f"{'robot':8} {'does':12} {'driven':>8} {'collisions':>10} {'drift':>8}",
    ]
    lines += [f"{n:8} {does:12} {m:6.1f} m {c:10d} {d:6.2f} m" for n, does, m, c, d in rows]
    return "\n".join(lines)


def run_report(result: dict[str, Any], rows: list[tuple[Any, ...]]) -> str:
    """The score sheet as text."""
    return "\n".join([live_table(result, rows), "", *(f"{name:16} {value}" for name, value in _sheet(result))])


def _sheet(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and values of the score sheet."""
    victims, error = result["victims"], result["victim_error"]
    found = f"{result['found']} of {len(victims)}, {result['wrong']} wrong claims"
    if error is not None:
        found += f"; off by {error:.2f} m on average; states right {result['states_right']} of {result['found']}"
    touched = ", ".join(result["touched_victims"])
    return [
        ("score", f"{result['score']:.1f} of 100"),
        ("victims found", found),
        ("first found", "none" if result["first_found"] is None else f"after {result['first_found']:.0f} s"),
        ("area looked at", f"{100 * result['covered']:.1f} % of {result['area']:.0f} m² that any robot can get to"),
        ("collisions", f"{result['collisions']}" + (f"; victims touched: {touched}" if touched else "")),
        ("put on their wheels", f"{result['flips']} times"),
        ("map error", f"{result['map_error']:.3f} m median; {100 * result['map_wrong']:.1f} % of it 0.2 m or more off"),
        ("drift", f"{result['drift']:.2f} m at most"),
        ("driven", f"{result['distance']:.0f} m by {result['robots']} robots"),
        ("home again", f"{result['home']} of {result['robots']}"),
        ("time", f"{result['time']:.0f} s"),
        ("arena, seed", f"{result['arena']}, {result['seed']}"),
    ]


def map_picture(sheet: dict[str, Any]) -> Image.Image:
    """The map: what stands there in truth (grey) and as the robots believe (black), what was looked at (white), where
    robots drove, and victims found and missed. sheet: as `Rescue.sheet` gives it."""
    frame = _Frame(np.array(sheet["low"]), np.array(sheet["high"]))
    picture = Image.new("RGB", frame.size, (205, 208, 212))
    draw = ImageDraw.Draw(picture)
    for places, edge, colour in (
        (sheet["looked"], sheet["cell"], (250, 250, 248)),
        (sheet["truth"], sheet["truth_cell"], (150, 175, 205)),
        (sheet["walls"], sheet["cell"], (25, 25, 28)),
    ):
        for x, y in places:
            draw.rectangle([*frame.at(x - edge / 2, y + edge / 2), *frame.at(x + edge / 2, y - edge / 2)], fill=colour)
    for n, (name, path) in enumerate(sheet["paths"].items()):
        colour = _COLOURS[n % len(_COLOURS)]
        if len(path) > 1:
            draw.line([frame.at(x, y) for x, y, *_ in path], fill=colour, width=4, joint="curve")
        _disc(draw, frame.at(*path[-1][:2]), 11, colour, (255, 255, 255))
        _words(draw, frame.at(*path[-1][:2]), name, colour)
    _people(draw, frame, sheet)
    return picture


def _people(draw: ImageDraw.ImageDraw, frame: _Frame, sheet: dict[str, Any]) -> None:
    for person in sheet["people"]:
        colour = _FOUND if person["claim"] is not None else _MISSED
        at = frame.at(*person["p"][:2])
        _disc(draw, at, 15, colour, (255, 255, 255))
        _words(draw, at, person["name"] + ("" if person["claim"] is not None else " missed"), colour)
        if person["claim"] is not None:
            to = frame.at(*person["claim"][:2])
            draw.line([at, to], fill=colour, width=3)
            _cross(draw, to, colour)
    for place in sheet["wrong"]:
        _cross(draw, frame.at(*place[:2]), _WRONG)
        _words(draw, frame.at(*place[:2]), "nobody", _WRONG)


class _Frame:
    """Metres to pixels, north up."""

    def __init__(self, low: np.ndarray, high: np.ndarray) -> None:
        self._corner = np.array([low[0] - _EDGE, high[1] + _EDGE])
        width, height = (high - low + [2 * _EDGE, 2 * _EDGE + 1.6]) * _SCALE
        self.size = (int(width), int(height))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a place [m]."""
        return float((x - self._corner[0]) * _SCALE), float((self._corner[1] - y) * _SCALE)


def _disc(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], size: float, fill: tuple[Any, ...], rim: tuple[Any, ...]
) -> None:
    x, y = at
    draw.ellipse([x - size, y - size, x + size, y + size], fill=fill, outline=rim, width=3)


def _cross(draw: ImageDraw.ImageDraw, at: tuple[float, float], colour: tuple[Any, ...]) -> None:
    x, y = at
    for s in (-1, 1):
        draw.line([(x - 10, y - 10 * s), (x + 10, y + 10 * s)], fill=colour, width=5)


def _words(draw: ImageDraw.ImageDraw, at: tuple[float, float], words: str, colour: tuple[Any, ...]) -> None:
    font = ImageFont.load_default(20)
    last = draw.im.size[0] - draw.textlength(words, font) - 6
    draw.text(
        (min(at[0] + 16, last), at[1] - 26), words, fill=colour, font=font, stroke_width=3, stroke_fill=(255, 255, 255)
    )


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 15px/1.4 system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; color: #222; }}
h1 {{ font-size: 1.4rem; margin: 0 0 .6rem; }} .both {{ display: flex; flex-wrap: wrap; gap: 1.5rem; }}
table {{ border-collapse: collapse; margin-bottom: 1rem; }}
th, td {{ text-align: left; padding: .15rem .7rem .15rem 0; }}
td {{ border-top: 1px solid #ddd; }} img {{ max-width: 100%; border: 1px solid #bbb; }} .dim {{ color: #666; }}
</style>
<h1>{title}</h1>
<div class="both"><table>{sheet}</table><table>{victims}</table></div>
<img alt="map" src="data:image/png;base64,{picture}">
<p class="dim">Black: the robots' map. Blue grey: what really stands there. White: looked at. Lines: where robots drove.
Green: victims found, a cross where they were believed to be; red: missed; orange: claims of nobody.</p>
</html>
"""


def page(sheet: dict[str, Any], picture: Image.Image) -> str:
    """The whole report as one HTML page, its picture inside."""
    result = sheet["result"]
    rows = "".join(f"<tr><th>{escape(n)}</th><td>{escape(v)}</td></tr>" for n, v in _sheet(result))
    victims = "<tr><th>victim</th><th>place</th><th>state</th><th>found</th></tr>"
    for v in result["victims"]:
        found = (
            f"after {v['time']:.0f} s by {v['by']}, {v['error']:.2f} m off, said {v['said']}" if v["found"] else "no"
        )
        cells = (v["name"], v["kind"], v["state"] or "unknown", found)
        victims += "<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in cells) + "</tr>"
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    title = f"Rescue in the {result['arena']} arena, seed {result['seed']}: {result['score']:.0f} points"
    coded = base64.b64encode(data.getvalue()).decode()
    return _PAGE.format(title=escape(title), sheet=rows, victims=victims, picture=coded)


def write(sheet: dict[str, Any], out: Path | str) -> Path:
    """Write rescue.html, rescue.png and rescue.json into a folder; the page's path."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    picture = map_picture(sheet)
    picture.save(folder / "rescue.png")
    (folder / "rescue.json").write_text(json.dumps(sheet["result"], indent=1) + "\n", encoding="utf-8")
    path = folder / "rescue.html"
    path.write_text(page(sheet, picture), encoding="utf-8")
    return path
