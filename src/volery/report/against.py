"""A campaign against another one, such as that of the main branch: measures run by run, with bootstrap intervals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal

import numpy as np

from volery.core.rng import generator
from volery.errors import CampaignError
from volery.report.campaign import Sheet, measures_of
from volery.report.page import html_table

__all__ = ["Change", "bootstrap", "changes", "changes_html", "changes_text", "read_report"]

_DRAWS = 5000
_LOW, _HIGH = 2.5, 97.5
"""Of the interval [% of the draws]."""
FAILED = "failed runs"


@dataclass(frozen=True)
class Change:
    """What became of a measure."""

    measure: str
    runs: int
    """That both campaigns have: the same values and seed."""
    before: float
    after: float
    """Means over these."""
    low: float
    high: float
    """95 % interval of the mean difference, after less before."""
    better: Literal["less", "more", ""]

    @property
    def verdict(self) -> str:
        """worse, better or changed, if the interval leaves out zero; else `same`."""
        if self.low <= 0.0 <= self.high:
            return "same"
        if not self.better:
            return "changed"
        return "better" if (self.high < 0.0) == (self.better == "less") else "worse"


def read_report(path: Path | str) -> list[dict[str, Any]]:
    """Rows of another campaign, from its report.json or its folder."""
    path = Path(path)
    file = path / "report.json" if path.is_dir() else path
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))["runs"]
        for row in rows:
            _ = row["values"], row["seed"]
    except OSError as error:
        raise CampaignError(f"--against {path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise CampaignError(f"--against {path}: is no report.json of a campaign") from None
    return list(rows)


def changes(sheet: Sheet, before: list[dict[str, Any]], better: dict[str, Literal["less", "more"]]) -> list[Change]:
    """A row for each measure that both have, and one for failed runs; better: which way is, by pattern of measures."""
    old = {_same(row): row for row in before}
    pairs = [(old[_same(row)], row) for row in sheet.rows if _same(row) in old]
    if not pairs:
        raise CampaignError("--against: the two campaigns have no run of the same values and seed in common")
    failed = [(float("error" in a), float("error" in b)) for a, b in pairs]
    found = [_change(FAILED, failed, "less")]
    for name in measures_of(sheet):
        values = [
            (a["measures"].get(name), b["measures"].get(name)) for a, b in pairs if "measures" in a and "measures" in b
        ]
        both = [(float(a), float(b)) for a, b in values if _number(a) and _number(b)]
        if both:
            found.append(_change(name, both, _way(name, better)))
    return found


def _way(name: str, better: dict[str, Literal["less", "more"]]) -> Literal["less", "more", ""]:
    """Which way a measure is better, by the first pattern that it matches."""
    for pattern, way in better.items():
        if fnmatch(name, pattern):
            return way
    return ""


def _same(row: dict[str, Any]) -> str:
    return json.dumps([row["values"], row["seed"]], sort_keys=True)


def _number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _change(name: str, pairs: list[tuple[float, float]], better: Literal["less", "more", ""]) -> Change:
    values = np.array(pairs)
    low, high = bootstrap(values[:, 1] - values[:, 0], name)
    before, after = values.mean(axis=0)
    return Change(name, len(pairs), float(before), float(after), low, high, better)


def bootstrap(differences: np.ndarray, name: str) -> tuple[float, float]:
    """95 % percentile interval of the mean of differences [n], the same for the same numbers and name."""
    if np.ptp(differences) == 0.0:
        return float(differences[0]), float(differences[0])
    draw = generator(0, f"campaign/bootstrap/{name}")
    picks = draw.integers(len(differences), size=(_DRAWS, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [_LOW, _HIGH])
    return float(low), float(high)


def _rows(found: list[Change]) -> list[list[str]]:
    return [
        [c.measure, str(c.runs), f"{c.before:.5g}", f"{c.after:.5g}", f"{c.after - c.before:+.3g}",
         f"{c.low:+.3g} to {c.high:+.3g}", c.better or "–", c.verdict]
        for c in found
    ]  # fmt: skip


_HEAD = ["measure", "runs", "before", "now", "difference", "95 % interval", "better is", "verdict"]


def changes_html(found: list[Change]) -> str:
    """The table of the page."""
    words = (
        "<p>Runs of the same values and seed, one against the other; the interval is of the mean difference, by "
        f"bootstrap ({_DRAWS} draws). A verdict is given where it leaves out zero.</p>"
    )
    return words + html_table(_HEAD, _rows(found))


def changes_text(found: list[Change]) -> str:
    """What is not the same, for a terminal."""
    shown = [c for c in found if c.verdict != "same"]
    same = len(found) - len(shown)
    if not shown:
        return f"against: {same} measures, none changed"
    table = [_HEAD, *_rows(shown)]
    wide = [max(len(row[i]) for row in table) for i in range(len(_HEAD))]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in table]
    return "\n".join([*lines, f"and {same} the same"] if same else lines)
