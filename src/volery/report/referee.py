"""What a referee saw, told to people: a table that follows, and a page with a map and a row for each drone."""

from __future__ import annotations

import json
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from volery.report import plain
from volery.report.flown import colour, flown_map
from volery.report.page import html_page, html_table

__all__ = ["drone_table", "live_table", "page", "run_report", "sections", "write"]

_LISTED = 200
"""Collisions that the page lists."""


def live_table(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How it stands."""
    return f"t {result['time']:7.1f} s  {_headline(result)}\n{plain.live_table({}, rows)}"


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """What came out."""
    return live_table(result, rows)


def _headline(result: dict[str, Any]) -> str:
    struck = result["collisions"]
    return (
        f"collisions: things {struck['thing']}, drones {struck['drone']}, ground {struck['ground']}; "
        f"{result['hard']} faster than 2 m/s; near misses: drones {result['near_drones']}, "
        f"things {result['near_things']}"
    )


def sections(sheet: dict[str, Any]) -> list[str]:
    """HTML of one run: what came out, the map, a row for each drone, and every collision."""
    result = sheet["result"]
    parts = [f"<p>{escape(_sums(result))}</p>", flown_map(sheet), "<h2>Each drone</h2>", drone_table(sheet)]
    if sheet["collisions"]:
        parts += ["<h2>Collisions</h2>", _collisions(sheet["collisions"])]
    return parts


def _sums(result: dict[str, Any]) -> str:
    """The run in a sentence or two."""
    words = f"{result['drones']} drones, seed {result['seed']}, {result['time']:.1f} s: "
    if "parcels" in result:
        words += f"{result['delivered']} of {result['parcels']} parcels delivered, {result['home']} drones home, "
        words += f"{result['refused']} claims that were not so; "
    return words + f"{result['distance']:.0f} m flown; {_headline(result)}."


def drone_table(sheet: dict[str, Any]) -> str:
    """A row for each drone, its colour on the map first."""
    missions = "targets" in sheet
    kinds = {name: Counter[str]() for name in sheet["logs"]}
    hard, near = Counter[str](), Counter[str]()
    for c in sheet["collisions"]:
        for name in {c["drone"], c["other"]} & kinds.keys():
            kinds[name][c["kind"]] += 1
            hard[name] += c["speed"] > 2.0
    for m in sheet["near_misses"]:
        near.update({m["drone"], m["other"]} & kinds.keys())
    head = ["", "drone", *(["delivered", "refused", "home"] if missions else []), "things", "drones", "ground"]
    head += ["> 2 m/s", "near misses", "flown", "fastest", "highest", *(["at the end it"] if missions else [])]
    body = []
    for i, (name, log) in enumerate(sheet["logs"].items()):
        highest = max((p[3] for p in log["way"]), default=0.0)
        home = "no" if log["home"] is None else f"{log['home']:.1f} s"
        own = [f"{log['delivered']} of {len(sheet['targets'][name])}", log["refused"], home] if missions else []
        cells = [name, *own, *(kinds[name][k] for k in ("thing", "drone", "ground")), hard[name], near[name]]
        cells += [f"{log['distance']:.0f} m", f"{log['fastest']:.1f} m/s", f"{highest:.1f} m"]
        cells += [sheet["doing"][name]] if missions else []
        tint = f'<td><span style="display:inline-block;width:12px;height:12px;background:{colour(i)}"></span></td>'
        body.append("<tr>" + tint + "".join(f"<td>{escape(str(c))}</td>" for c in cells) + "</tr>")
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    table = f"<thead><tr>{top}</tr></thead><tbody>{''.join(body)}</tbody>"
    return f'<div class="wide"><table style="font-size:12px">{table}</table></div>'


def _collisions(found: list[dict[str, Any]]) -> str:
    rows = [
        [f"{c['time']:.2f} s", c["drone"], c["other"], c["kind"], f"{c['speed']:.1f} m/s",
         "{:.1f}, {:.1f}, {:.1f}".format(*c["p_W"])]
        for c in found[:_LISTED]
    ]  # fmt: skip
    more = f"<p>and {len(found) - _LISTED} more</p>" if len(found) > _LISTED else ""
    return html_table(["time", "drone", "with", "kind", "met at", "where [m]"], rows) + more


def page(sheet: dict[str, Any]) -> str:
    """One run as one HTML page."""
    result = sheet["result"]
    who = result.get("behaviour") or result.get("scenario", "")
    return html_page(f"Referee: {who}", sections(sheet), _FOOTER)


_FOOTER = (
    "A collision: a touch of a thing or another drone, or of the ground faster than 1 m/s; one for each touch after "
    "a second without. A near miss: centres of two flying drones within 1 m, or a surface within 0.5 m of a centre."
)


def write(sheet: dict[str, Any], out: Path | str) -> Path:
    """Write referee.html and referee.json into a folder; the page's path."""
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {key: value for key, value in sheet.items() if key != "relief"}
    (folder / "referee.json").write_text(json.dumps(numbers, default=_plain) + "\n", encoding="utf-8")
    path = folder / "referee.html"
    path.write_text(page(sheet), encoding="utf-8")
    return path


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no plain data")
