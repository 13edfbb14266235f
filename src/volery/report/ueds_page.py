"""The page of `volery report ueds`: one file of HTML with everything in it, and the same as text."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from volery.report.chart import bars

__all__ = ["Section", "page", "text"]

_STYLE = """
body { font: 15px/1.5 sans-serif; color: #222; background: #fff; max-width: 860px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 24px } h2 { font-size: 19px; margin-top: 2.2em }
table { border-collapse: collapse; margin: 1em 0; font-size: 13.5px }
th, td { padding: 3px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.wide { overflow-x: auto }
.thesis { border-left: 4px solid #b58a1b; padding-left: 12px; color: #444 }
.warning { background: #fff3d6; padding: 6px 12px }
svg { width: 100%; height: auto }
footer { color: #666; font-size: 13px; margin-top: 3em }
"""


@dataclass(frozen=True)
class Section:
    """A part of the chapter."""

    title: str
    words: str
    """What was measured, and how."""
    thesis: str
    """What the thesis has in this place."""
    head: list[str]
    rows: list[list[str]]
    chart: tuple[str, dict[str, dict[str, float]], bool]
    """Title, values by group and series, and whether the axis goes by powers of ten."""
    more: str = ""
    """Others beside."""


def page(result: dict[str, Any], sections: list[Section]) -> str:
    """The whole page, in need of no other file."""
    title = "UEds thesis, chapter 5, made again with Volery"
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        f"<p>Measured on {escape(_machine(result['machine']))}</p>",
    ]
    if result["quick"]:
        parts.append('<p class="warning">A quick run: small parts, to see that it works; not for claims.</p>')
    parts += [_section(n, section) for n, section in enumerate(sections, 1)]
    versions = ", ".join(f"{name} {version}" for name, version in result["machine"]["versions"].items())
    return "\n".join([*parts, f"<footer>{escape(versions)}</footer>", "</body></html>"]) + "\n"


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, without a GPU."


def _section(number: int, section: Section) -> str:
    title, values, log = section.chart
    head = "".join(f"<th>{escape(cell)}</th>" for cell in section.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in section.rows)
    parts = [
        f"<h2>{number}. {escape(section.title)}</h2>",
        f"<p>{escape(section.words)}</p>",
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>',
        bars(title, values, log=log),
        f'<p class="thesis">The thesis: {escape(section.thesis)}</p>',
    ]
    if section.more:
        parts.append(f"<p>{escape(section.more)}</p>")
    return "\n".join(parts)


def text(sections: list[Section]) -> str:
    """The tables for a terminal."""
    return "\n\n".join(f"{s.title}\n" + "\n".join(_lines([s.head, *s.rows])) for s in sections)


def _lines(rows: list[list[str]]) -> list[str]:
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, wide, strict=True)))
        for row in rows
    ]
