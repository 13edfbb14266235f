"""The page of a chapter made again: one file of HTML with everything in it, and the same as text."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from volery.report.chart import bars
from volery.report.page import html_page, html_table
from volery.tools.bench.others import words

__all__ = ["ReportSection", "page", "text"]


@dataclass(frozen=True)
class ReportSection:
    """A part of the chapter."""

    title: str
    words: str
    """What was measured, and how."""
    thesis: str
    """What the thesis has in this place."""
    head: list[str]
    rows: list[list[str]]
    chart: tuple[str, dict[str, dict[str, float]], bool] | None = None
    """Title, values by group and series, and whether the axis goes by powers of ten."""
    more: str = ""
    """Others beside."""
    figures: tuple[str, ...] = ()
    """Further drawings and pictures, as HTML."""


def page(
    result: dict[str, Any], sections: list[ReportSection], title: str = "UEds thesis, chapter 5, made again with Volery"
) -> str:
    """The whole page, in need of no other file."""
    parts = [f"<p>Measured on {escape(_machine(result['machine']))}</p>"]
    if result["quick"]:
        parts.append('<p class="warning">A quick run: small parts, to see that it works; not for claims.</p>')
    if "others" in result:
        warning = ' class="warning"' if result["others"]["busy"] else ""
        parts.append(f"<p{warning}>{escape(words(result['others']))}</p>")
    parts += [_section(n, section) for n, section in enumerate(sections, 1)]
    versions = ", ".join(f"{name} {version}" for name, version in result["machine"]["versions"].items())
    return html_page(title, parts, versions)


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, without a GPU."


def _section(number: int, section: ReportSection) -> str:
    parts = [
        f"<h2>{number}. {escape(section.title)}</h2>",
        f"<p>{escape(section.words)}</p>",
        html_table(section.head, section.rows),
        *([bars(section.chart[0], section.chart[1], log=section.chart[2])] if section.chart else []),
        *section.figures,
        f'<p class="thesis">The thesis: {escape(section.thesis)}</p>',
    ]
    if section.more:
        parts.append(f"<p>{escape(section.more)}</p>")
    return "\n".join(parts)


def text(sections: list[ReportSection]) -> str:
    """The tables for a terminal."""
    return "\n\n".join(f"{s.title}\n" + "\n".join(_lines([s.head, *s.rows])) for s in sections)


def _lines(rows: list[list[str]]) -> list[str]:
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, wide, strict=True)))
        for row in rows
    ]
