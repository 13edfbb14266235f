"""An aerial robot that touches walls, told to people: the plots of the AIRobots experiment and what it came to."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from volery.report.autonomy import live_table
from volery.report.chart import curves

__all__ = ["comparison", "live_table", "measures", "page", "run_report", "write"]

_WITHIN = 0.02
"""Of the set force: settled."""
_LAST = 2.0
"""Means are taken over so long before the tool is drawn back [s]."""
_BEFORE = 3.0
"""Plots begin so long before the touch [s]."""
_STYLE = (
    "body{font:15px system-ui;margin:2em auto;max-width:60em;padding:0 1em}table{border-collapse:collapse}"
    "td,th{padding:.3em .8em;border-bottom:1px solid #ccc;text-align:right}svg{width:100%;height:auto}"
)
_HEADS = {
    "set": "set force [N]", "force": "force held [N]", "error": "force error [%]", "settling": "settling time [s]",
    "peak": "peak [N]", "lost": "times let go", "pitch": "tilt [deg]", "asin": "asin(F/T) [deg]",
    "pulled": "asin((F−P)/T) [deg]", "pull": "pull of the wall P [N]", "kinetic": "energy at touch [J]",
    "work": "work on the surface [J]", "stored": "stored in the pad [J]",
}  # fmt: skip


def measures(sheet: dict[str, Any]) -> list[dict[str, float]]:
    """Of each touch, in order; sheet: as `Service.sheet` gives it."""
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


def _touch(s: dict[str, np.ndarray], touch: dict[str, Any], about: dict[str, Any]) -> dict[str, float]:
    t, way, want = s["time"], np.array(touch["way"]), float(touch["force"])
    force = s["force"] @ way
    felt = np.flatnonzero(force > 0.0)
    if len(felt) == 0:
        return {"set": want, "force": 0.0, "error": 100.0, "settling": float("nan")}
    first = int(felt[0])
    off = np.flatnonzero(np.abs(force[first:] - want) > _WITHIN * want)
    settled = first + (int(off[-1]) + 1 if len(off) else 0)
    last = t > t[-1] - _LAST
    held, lift = float(force[last].mean()), float(s["lift"][last].mean())
    pull = float((s["pull"] @ way)[last].mean())
    up = np.cos(s["attitude"][:, 0]) * np.cos(s["attitude"][:, 1])
    v = np.gradient(s["p"], t, axis=0)
    v_tool = np.gradient(s["tool"] @ way, t)
    power = force * v_tool
    return {
        "set": want, "force": held, "error": 100 * abs(held - want) / want,
        "settling": float(t[settled] - t[first]) if settled < len(t) else float("nan"),
        "peak": float(force.max()), "lost": int(((force[first:-1] > 0) & (force[first + 1 :] <= 0)).sum()),
        "pitch": float(np.degrees(np.arccos(np.clip(up[last], -1, 1))).mean()),
        "asin": float(np.degrees(np.arcsin(min(held / lift, 1.0)))),
        "pulled": float(np.degrees(np.arcsin(min((held - pull) / lift, 1.0)))), "pull": pull,
        "kinetic": float(0.5 * about["mass"] * (v[first] @ way) ** 2),
        "work": float(np.sum(power[first:-1] * np.diff(t)[first:])),
        "stored": 0.5 * held**2 / about["stiffness"],
        "touched_at": float(t[first]),
    }  # fmt: skip


def run_report(result: dict[str, Any], rows: list[list[str]]) -> str:
    """How the mission ended, in words."""
    robot = result["robots"][0]
    struck = "; ".join(f"{what} at {t:g} s" for t, what in robot["collisions"]) or "nothing"
    state = "done" if robot["reached"] else "not done"
    return f"{live_table(result, rows)}\n\n{state} in {robot['time']:.1f} s; struck {struck}"


def _value(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3g}" if abs(value) < 1 else f"{value:.2f}"


def _table(rows: list[tuple[str, dict[str, float]]]) -> str:
    """Touches as columns: their names and measures."""
    head = "".join(f"<th>{escape(name)}</th>" for name, _ in rows)
    body = "".join(
        f"<tr><th>{escape(title)}</th>" + "".join(f"<td>{_value(key, m.get(key))}</td>" for _, m in rows) + "</tr>"
        for key, title in _HEADS.items()
    )
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def _plots(sheet: dict[str, Any], number: int, measure: dict[str, float]) -> list[str]:
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


def page(sheet: dict[str, Any]) -> str:
    """One page that needs nothing else."""
    found, about, result = measures(sheet), sheet["about"], sheet["result"]
    rows = [(f"touch {n + 1}", m) for n, m in enumerate(found)]
    plots = "".join(
        f"<h2>Touch {n + 1}: {m['set']:g} N</h2>{''.join(_plots(sheet, n, m))}" for n, m in enumerate(found)
    )
    struck = "; ".join(f"{what} at {t:g} s" for t, what in result["robots"][0]["collisions"]) or "nothing"
    return (
        f"<!doctype html><meta charset=utf-8><title>Volery: airobots</title><style>{_STYLE}</style>"
        f"<h1>An aerial robot touches a wall</h1><p>{escape(about['robot'])}; contact by {escape(about['law'])}; seed "
        f"{result['seed']}. {result['time']:.1f} s of simulated time, struck: {escape(struck)}.</p>"
        f"{_table(rows)}<p>T: lift along the craft's z. Settled: within 2 % of the set force from then on. Time 0 of "
        f"plots is the first touch.</p>{plots}"
    )


def comparison(results: dict[str, list[dict[str, float]]]) -> str:
    """Runs side by side, by name, as a table of text: each row a measure, each column a touch."""
    columns = [(f"{name} {n + 1}", m) for name, found in results.items() for n, m in enumerate(found)]
    rows = [["", *(name for name, _ in columns)]]
    rows += [[title, *(_value(key, m.get(key)) for _, m in columns)] for key, title in _HEADS.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows)


def write(sheet: dict[str, Any], out: Path, name: str = "airobots") -> Path:
    """The page, the measures as JSON and the series as CSV, into a folder; the page's path."""
    out.mkdir(parents=True, exist_ok=True)
    result = {**sheet["result"], "about": sheet["about"], "touches": measures(sheet)}
    (out / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (out / f"{name}.html").write_text(page(sheet), encoding="utf-8")
    s = sheet["series"]
    columns = [s["time"], *s["p"].T, *s["attitude"].T, *s["force"].T, *s["tool"].T, s["lift"], s["thrust"]]
    head = "time,x,y,z,roll,pitch,yaw,force_x,force_y,force_z,tool_x,tool_y,tool_z,lift,thrust"
    np.savetxt(out / f"{name}.csv", np.column_stack(columns), delimiter=",", header=head, comments="", fmt="%.6g")
    return out / f"{name}.html"
