"""An aerial robot that touches walls, told to people: the plots of the AIRobots experiment and what it came to."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from volery.report.autonomy import live_table
from volery.report.chart import curves
from volery.report.page import html_page, html_table

__all__ = ["comparison", "live_table", "measures", "page", "run_report", "write", "write_all"]

_WITHIN = 0.02
"""Of the set force: settled."""
_LAST = 2.0
"""Means are taken over so long before the tool is drawn back [s]."""
_BEFORE = 3.0
"""Plots begin so long before the touch [s]."""
_HEADS = {
    "set": "set force [N]", "force": "force held F [N]", "error": "force error [%]", "settling": "settling time [s]",
    "peak": "peak [N]", "lost": "times let go", "pitch": "tilt [deg]", "lift": "lift T [N]",
    "asin": "asin(F/T) [deg]", "off": "tilt against it [%]", "pull": "pull of the wall P [N]",
    "pulled": "asin((F−P)/T) [deg]", "off_pulled": "tilt against it [%]", "kinetic": "energy of motion at touch [J]",
    "work": "work done on the pad [J]", "stored": "stored in the pad [J]", "damped": "damped away in the pad [J]",
    "rubbed": "rubbed away by sliding [J]",
}  # fmt: skip
_NOTES = (
    "F: mean force along the way over the last 2 s. T: lift along the craft's z. P: pull of the near wall on the fan, "
    "which helps to press: the tilt is asin((F−P)/T), and asin(F/T) in the run no_pull, where it is off. Settled: "
    "within 2 % of the set force from then on. Energies are those of motion along the way and of the pad. Plots begin "
    "3 s before the first touch, which is their time 0."
)
_NARROW = "<style>th, td { padding: 3px 6px; white-space: normal }</style>"
"""Seven touches fit on a page."""

Found = dict[str, list[dict[str, Any]]]
"""Measures of each touch by the name of its run; a measure is None where a touch did not settle."""


def measures(sheet: dict[str, Any]) -> list[dict[str, Any]]:
    """Of each touch, in order; None: it did not settle. sheet: as `Service.sheet` gives it."""
    series, about = sheet["series"], sheet["about"]
    return [
        _touch({name: values[part] for name, values in series.items()}, touch, about)
        for part, touch in zip(_docks(series["phase"]), sheet["touches"], strict=False)
    ]


def _docks(phase: np.ndarray) -> list[slice]:
    """Where the tool touches or goes to."""
    on = np.concatenate([[False], phase == "dock", [False]]).astype(int)
    edges = np.diff(on)
    return [slice(a, b) for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)]


def _touch(s: dict[str, np.ndarray], touch: dict[str, Any], about: dict[str, Any]) -> dict[str, float | None]:
    t, way, want = s["time"], np.array(touch["way"]), float(touch["force"])
    force = s["force"] @ way
    felt = np.flatnonzero(force > 0.0)
    if len(felt) == 0:
        return {"set": want, "force": 0.0, "error": 100.0, "settling": None}
    first = int(felt[0])
    off = np.flatnonzero(np.abs(force[first:] - want) > _WITHIN * want)
    settled = first + (int(off[-1]) + 1 if len(off) else 0)
    last = t > t[-1] - _LAST
    held, lift = float(force[last].mean()), float(s["lift"][last].mean())
    pull = float((s["pull"] @ way)[last].mean())
    up = np.cos(s["attitude"][:, 0]) * np.cos(s["attitude"][:, 1])
    tilt = float(np.degrees(np.arccos(np.clip(up[last], -1, 1))).mean())
    plain, pulled = (float(np.degrees(np.arcsin(min(f / lift, 1.0)))) for f in (held, held - pull))
    return {
        "set": want, "force": held, "error": 100 * abs(held - want) / want,
        "settling": float(t[settled] - t[first]) if settled < len(t) else None,
        "peak": float(force.max()), "lost": int(((force[first:-1] > 0) & (force[first + 1 :] <= 0)).sum()),
        "pitch": tilt, "lift": lift, "asin": plain, "off": 100 * (tilt / plain - 1), "pull": pull, "pulled": pulled,
        "off_pulled": 100 * (tilt / pulled - 1), **_energies(s, first, way, held, about), "touched_at": float(t[first]),
    }  # fmt: skip


def _energies(
    s: dict[str, np.ndarray], first: int, way: np.ndarray, held: float, about: dict[str, Any]
) -> dict[str, float]:
    """What came with the touch, what the pad took, and what became of it [J]; first: the step of the touch."""
    t, spans = s["time"], np.diff(s["time"])[first:]
    v = np.gradient(s["p"][: first + 1], t[: first + 1], axis=0)[first] if first else np.zeros(3)
    moved = np.gradient(s["tool"], t, axis=0)
    power = s["force"] @ way * (moved @ way)
    slipping = np.sum(s["force"] * moved, axis=1) - power
    work, stored = float(np.sum(power[first:-1] * spans)), 0.5 * held**2 / about["stiffness"]
    return {
        "kinetic": float(0.5 * about["mass"] * (v @ way) ** 2), "work": work, "stored": stored,
        "damped": work - stored, "rubbed": float(np.sum(slipping[first:-1] * spans)),
    }  # fmt: skip


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How the mission ended, in words."""
    robot = result["robots"][0]
    struck = "; ".join(f"{what} at {t:g} s" for t, what in robot["collisions"]) or "nothing"
    state = "done" if robot["reached"] else "not done"
    return f"{live_table(result, rows)}\n\n{state} in {robot['time']:.1f} s; struck {struck}"


def _value(value: float | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value)
    # No minus before nothing
    return f"{round(value, 3) + 0.0:.3f}" if abs(value) < 1 else f"{value:.2f}"


def _rows(found: Found) -> list[list[str]]:
    """Runs by name side by side: a head, then each row a measure, each column a touch."""
    columns = [(f"{name} {n + 1}", m) for name, own in found.items() for n, m in enumerate(own)]
    rows = [["run and touch", *(name for name, _ in columns)]]
    return rows + [[title, *(_value(m.get(key)) for _, m in columns)] for key, title in _HEADS.items()]


def _plots(sheet: dict[str, Any], number: int, measure: dict[str, Any]) -> list[str]:
    """Force, position and attitude of one touch: the paper's figures 7 to 9."""
    series, touch = sheet["series"], sheet["touches"][number]
    part = _docks(series["phase"])[number]
    t = series["time"]
    begin = max(measure.get("touched_at", t[part.start]) - _BEFORE, t[part.start])
    shown = (t >= begin) & (t <= t[part.stop - 1])
    t = t[shown] - measure.get("touched_at", 0.0)
    p, angle = series["p"][shown], np.degrees(series["attitude"][shown])
    push = series["force"][shown] @ np.array(touch["way"])
    along = np.linalg.norm(series["force"][shown] - push[:, None] * np.array(touch["way"]), axis=1)
    p = p - p[-1]
    return [
        curves("Force of the tool", t, {"pressing": push, "along the wall": along}, unit="N",
               levels={"set": float(touch["force"])}),
        curves("Position, from where it ends", t, dict(zip("xyz", p.T, strict=True)), unit="m"),
        curves("Attitude", t, dict(zip(("roll", "pitch", "yaw"), angle.T, strict=True)), unit="degrees",
               levels={"asin((F−P)/T)": measure.get("pulled", 0.0)} if abs(touch["way"][0]) > 0.99 else None),
    ]  # fmt: skip


def _overview(sheets: dict[str, dict[str, Any]], found: Found) -> str:
    """The force of all runs in one plot for each touch."""
    out = []
    for n in range(max(len(own) for own in found.values())):
        lines = {name: _force_of(sheets[name], n, own[n]) for name, own in found.items() if n < len(own)}
        end = min(t[-1] for t, _ in lines.values())
        t = np.arange(-1.0, end, 0.01)
        series = {name: np.interp(t, own, force) for name, (own, force) in lines.items()}
        level = {"set": found[next(iter(lines))][n]["set"]}
        out.append(curves(f"Touch {n + 1}: force of the tool", t, series, unit="N", levels=level))
    return f"<h2>Side by side</h2>{''.join(out)}"


def _force_of(sheet: dict[str, Any], number: int, measure: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Time from the touch [s] and force along the way [N]."""
    part, series = _docks(sheet["series"]["phase"])[number], sheet["series"]
    way = np.array(sheet["touches"][number]["way"])
    return series["time"][part] - measure.get("touched_at", 0.0), series["force"][part] @ way


def page(sheets: dict[str, dict[str, Any]]) -> str:
    """One page that needs nothing else; sheets: of runs by name, as `Service.sheet` gives them."""
    found = {name: measures(sheet) for name, sheet in sheets.items()}
    head, *rows = _rows(found)
    parts = [_NARROW, html_table(head, rows), f"<p>{_NOTES}</p>"]
    if len(sheets) > 1:
        parts.append(_overview(sheets, found))
    for name, sheet in sheets.items():
        about, result = sheet["about"], sheet["result"]
        struck = "; ".join(f"{what} at {t:g} s" for t, what in result["robots"][0]["collisions"]) or "nothing"
        parts.append(
            f"<h2>{escape(name)}</h2><p>{escape(about['robot'])}; contact by {escape(about['law'])}; seed "
            f"{result['seed']}. {result['time']:.1f} s of simulated time, struck: {escape(struck)}.</p>"
        )
        for n, m in enumerate(found[name]):
            parts.append(f"<h3>Touch {n + 1}: {m['set']:g} N</h3>{''.join(_plots(sheet, n, m))}")
    return html_page("An aerial robot touches a wall", parts)


def comparison(found: Found) -> str:
    """Runs by name side by side, as a table of text: each row a measure, each column a touch."""
    rows = _rows(found)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows)


def write(sheet: dict[str, Any], out: Path) -> Path:
    """The page of one run, its measures and its series, into a folder; the page's path."""
    return write_all({sheet["about"]["law"]: sheet}, out)


def write_all(sheets: dict[str, dict[str, Any]], out: Path) -> Path:
    """The page of runs by name, the measures as JSON and text, the series as CSV, into a folder; the page's path."""
    out.mkdir(parents=True, exist_ok=True)
    found = {name: measures(sheet) for name, sheet in sheets.items()}
    runs = {name: {**s["result"], "about": s["about"], "touches": found[name]} for name, s in sheets.items()}
    (out / "airobots.json").write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    (out / "airobots.txt").write_text(comparison(found) + "\n", encoding="utf-8")
    (out / "airobots.html").write_text(page(sheets), encoding="utf-8")
    for name, sheet in sheets.items():
        s = sheet["series"]
        columns = [s["time"], *s["p"].T, *s["attitude"].T, *s["force"].T, *s["tool"].T, s["lift"], s["thrust"]]
        head = "time,x,y,z,roll,pitch,yaw,force_x,force_y,force_z,tool_x,tool_y,tool_z,lift,thrust"
        path = out / f"airobots-{name}.csv"
        np.savetxt(path, np.column_stack(columns), delimiter=",", header=head, comments="", fmt="%.6g")
    return out / "airobots.html"
