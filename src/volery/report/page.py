"""What pages of reports share: one file of HTML with everything in it."""

from __future__ import annotations

from html import escape

__all__ = ["html_page", "html_table"]

_STYLE = """
body { font: 15px/1.5 sans-serif; color: #222; background: #fff; max-width: 980px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 24px } h2 { font-size: 19px; margin-top: 2.2em }
table { border-collapse: collapse; margin: 1em 0; font-size: 13.5px }
th, td { padding: 3px 10px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.wide { overflow-x: auto }
td.words { white-space: normal; text-align: left }
.thesis { border-left: 4px solid #b58a1b; padding-left: 12px; color: #444 }
.warning { background: #fff3d6; padding: 6px 12px }
pre { background: #f6f6f4; padding: 8px 12px; overflow-x: auto; font-size: 12.5px; line-height: 1.4 }
svg, img { width: 100%; height: auto }
.pair { display: flex; gap: 12px; align-items: flex-end } .pair > * { flex: 1 1 0; min-width: 0 }
figure { margin: 1em 0 } figcaption { font-size: 13px; color: #444 }
footer { color: #666; font-size: 13px; margin-top: 3em }
"""


def html_page(title: str, parts: list[str], footer: str = "") -> str:
    """A whole page in need of no other file; parts: HTML below the title."""
    head = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    end = [f"<footer>{escape(footer)}</footer>"] if footer else []
    return "\n".join([*head, *parts, *end, "</body></html>"]) + "\n"


def html_table(head: list[str], rows: list[list[str]]) -> str:
    """A table of words."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'
