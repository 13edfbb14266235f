"""The report of a campaign: tables of configurations and runs, plots, CSV and JSON. It depends on the results alone:
not on the order in which runs came, on how long they took, or on how often one had to be begun again."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import dataclass
from fnmatch import fnmatch
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from volery import __version__
from volery.report.page import html_page, html_table
from volery.report.panels import panels

__all__ = ["Sheet", "failure_lines", "failures", "measures_of", "summary_rows", "text_table", "write_campaign"]

_VARYING = re.compile(r"0x[0-9a-fA-F]+|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
"""Parts of errors that differ from run to run."""
_FIRST = 12
"""Runs of a group of failures that are named."""
_MOST_COLUMNS, _MOST_PLOTS, _MOST_RUNS = 12, 8, 500
"""What a page shows at most; the files beside it hold all."""


@dataclass(frozen=True)
class Sheet:
    """A campaign and its rows, in the order of the plan."""

    name: str
    about: str
    scenario: str
    planned: int
    """How many runs there are to be."""
    rows: list[dict[str, Any]]
    """`number`, `values` by path, `seed`, and `error`, or `measures` by name with `time` [s] and `state`."""
    show: list[str]
    """Patterns of measures to show; none: all."""

    @property
    def paths(self) -> list[str]:
        """What is swept."""
        return list(dict.fromkeys(path for row in self.rows for path in row["values"]))

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Rows of runs that failed."""
        return [row for row in self.rows if "error" in row]


def write_campaign(sheet: Sheet, folder: Path, against: str = "") -> list[Path]:
    """Write report.html, report.csv and report.json; each whole, or not at all. against: HTML of a comparison."""
    texts = {"report.html": _page(sheet, against), "report.csv": _csv(sheet), "report.json": _json(sheet)}
    for name, text in texts.items():
        half = folder / f".{name}"
        half.write_text(text, encoding="utf-8")
        half.replace(folder / name)
    return [folder / name for name in texts]


def measures_of(sheet: Sheet) -> list[str]:
    """Measures that are to be shown and are numbers in some run; those that are the same everywhere come last."""
    found: dict[str, list[float]] = {}
    for row in sheet.rows:
        for name, value in row.get("measures", {}).items():
            if isinstance(value, bool | int | float) and _wanted(name, sheet.show):
                found.setdefault(name, []).append(float(value))
    return sorted(found, key=lambda name: len(set(found[name])) == 1)


def _wanted(name: str, show: list[str]) -> bool:
    return not show or any(fnmatch(name, pattern) for pattern in show)


def summary_rows(sheet: Sheet) -> tuple[list[str], list[list[str]]]:
    """A row for each configuration: values, runs, failed, and mean ± deviation of each measure."""
    measures = measures_of(sheet)[:_MOST_COLUMNS]
    head = [*(sheet.paths or ["scenario"]), "runs", "failed", *measures]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in sheet.rows:
        groups.setdefault(json.dumps(row["values"], sort_keys=True), []).append(row)
    rows = []
    for own in groups.values():
        values = [_word(own[0]["values"].get(path)) for path in sheet.paths] or [sheet.scenario]
        failed = sum("error" in row for row in own)
        rows.append([*values, str(len(own)), str(failed), *(_spread(own, name) for name in measures)])
    return head, rows


def _spread(rows: list[dict[str, Any]], name: str) -> str:
    values = [v for row in rows if isinstance(v := row.get("measures", {}).get(name), bool | int | float)]
    if not values:
        return "–"
    mean = f"{np.mean(values):.4g}"
    if len(values) == 1 or len(set(values)) == 1:
        return mean
    return f"{mean} ± {np.std(values, ddof=1):.2g}"


def _word(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def text_table(sheet: Sheet) -> str:
    """The configurations for a terminal."""
    head, rows = summary_rows(sheet)
    head, rows = head[:8], [row[:8] for row in rows[:40]]
    wide = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in [head, *rows])


def failures(sheet: Sheet) -> dict[str, list[dict[str, Any]]]:
    """Failed runs by why, the most first; errors that differ only in numbers, places or addresses are one."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in sheet.failed:
        groups.setdefault(_VARYING.sub("#", row["error"].splitlines()[0]), []).append(row)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[1][0]["number"])))


def failure_lines(sheet: Sheet) -> list[str]:
    """Failures for a terminal, a line for each kind."""
    return [
        f"run {own[0]['number']} failed: {own[0]['error'].splitlines()[0]}"
        if len(own) == 1
        else f"{len(own)} runs failed (--print {own[0]['number']} shows the first): {why}"
        for why, own in failures(sheet).items()
    ]


def _numbers(rows: list[dict[str, Any]]) -> str:
    """Of the first runs of a group."""
    first = ", ".join(str(row["number"]) for row in rows[:_FIRST])
    return first + (" …" if len(rows) > _FIRST else "")


# The files


def _page(sheet: Sheet, against: str = "") -> str:
    failed = sheet.failed
    count = (
        f"{len(sheet.rows)} of {sheet.planned} runs" if len(sheet.rows) != sheet.planned else f"{sheet.planned} runs"
    )
    parts = [f"<p>{escape(sheet.about)}</p>"] if sheet.about else []
    parts.append(f"<p>Scenario {escape(sheet.scenario)}: {count}, {len(failed)} failed.</p>")
    parts += ["<h2>Against another campaign</h2>", against] if against else []
    parts += [
        "<h2>Configurations</h2>",
        "<p>Mean ± standard deviation over seeds.</p>",
        html_table(*summary_rows(sheet)),
    ]
    good = [row for row in sheet.rows if "error" not in row]
    for name in measures_of(sheet)[:_MOST_PLOTS] if good else ():
        parts += [f"<h2>{escape(name)}</h2>", panels(name, sheet.paths, good)]
    if failed:
        groups = [[why, str(len(own)), _numbers(own), _said(own[0]["values"])] for why, own in failures(sheet).items()]
        parts += ["<h2>Failures</h2>", html_table(["error", "runs", "which", "values of the first"], groups)]
        cells = [[str(r["number"]), _said(r["values"]), str(r["seed"]), r["error"]] for r in failed[:_MOST_RUNS]]
        parts += ["<h2>Failed runs</h2>", html_table(["run", "values", "seed", "error"], cells)]
    parts.append(f"<h2>Runs</h2>{_runs(sheet)}")
    return html_page(f"Campaign {sheet.name}", parts, f"Volery {__version__}. All values: report.csv, report.json.")


def _said(values: dict[str, Any]) -> str:
    return ", ".join(f"{path} {_word(value)}" for path, value in values.items())


def _runs(sheet: Sheet) -> str:
    measures = measures_of(sheet)[:_MOST_COLUMNS]
    head = ["run", *sheet.paths, "seed", "time [s]", *measures, "state"]
    rows = []
    for row in sheet.rows[:_MOST_RUNS]:
        own = row.get("measures", {})
        tail = ["failed"] if "error" in row else [row["state"][:12]]
        values = [_word(row["values"].get(path)) for path in sheet.paths]
        time = f"{row['time']:.6g}" if "time" in row else "–"
        cells = [_word(own[name]) if own.get(name) is not None else "–" for name in measures]
        rows.append([str(row["number"]), *values, str(row["seed"]), time, *cells, *tail])
    more = len(sheet.rows) - len(rows)
    return html_table(head, rows) + (f"<p>… and {more} more in report.csv.</p>" if more else "")


def _csv(sheet: Sheet) -> str:
    names = list(dict.fromkeys(name for row in sheet.rows for name in row.get("measures", {})))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", *sheet.paths, "seed", "time", *names, "state", "error"])
    for row in sheet.rows:
        own = row.get("measures", {})
        values = [_cell(row["values"].get(path)) for path in sheet.paths]
        cells = [_cell(own.get(name)) for name in names]
        tail = [row.get("state", ""), row.get("error", "")]
        writer.writerow([row["number"], *values, row["seed"], _cell(row.get("time")), *cells, *tail])
    return out.getvalue()


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return value if isinstance(value, str | int | float) else json.dumps(value)


def _json(sheet: Sheet) -> str:
    kept = ("number", "values", "seed", "time", "state", "measures", "error")
    rows = [{k: row[k] for k in kept if k in row} for row in sheet.rows]
    about = {"campaign": sheet.name, "about": sheet.about, "scenario": sheet.scenario, "volery": __version__}
    return json.dumps({**about, "planned": sheet.planned, "runs": rows}, indent=1, ensure_ascii=False) + "\n"
