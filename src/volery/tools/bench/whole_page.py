"""The page of `volery bench all`."""

from __future__ import annotations

from html import escape
from typing import Any

from volery.report.chart import short
from volery.report.page import html_page
from volery.tools.bench.others import words

__all__ = ["page"]


def page(result: dict[str, Any], tables: dict[str, str], about: dict[str, str], history: list[dict[str, Any]]) -> str:
    """HTML; tables: each benchmark as text; about: what each is; history: earlier runs, oldest first."""
    machine = result["machine"]
    where = f"{result['date']} UTC on {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, no GPU."
    parts = [f"<p>Measured {escape(where)} Peers are measured in the same run, on the same scenes.</p>"]
    if result["quick"]:
        parts.append('<p class="warning">A quick run: small scenes, to see that it works; not for claims.</p>')
    if "others" in result:
        warning = ' class="warning"' if result["others"]["busy"] else ""
        parts.append(f"<p{warning}>{escape(words(result['others']))}</p>")
    failed = [name for name, own in result["benches"].items() if "error" in own]
    if failed:
        parts.append(f'<p class="warning">Failed: {escape(", ".join(failed))}.</p>')
    parts.append(_headlines(result, history))
    for name, text in tables.items():
        parts += [f"<h2>{escape(name)}</h2>", f"<p>{escape(about.get(name, ''))}</p>", f"<pre>{escape(text)}</pre>"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return html_page("Volery measured", parts, versions)


def _headlines(result: dict[str, Any], history: list[dict[str, Any]]) -> str:
    here = [entry for entry in history if _same(entry["machine"], result["machine"])]
    rows = []
    for h in result["headlines"]:
        past = [entry["headlines"].get(f"{h['bench']}: {h['label']}") for entry in here]
        cells = [
            escape(h["label"]), f"{short(h['value'])} {escape(h['unit'])}", _budget(h),
            escape(", ".join(f"{name} {times:.3g}×" for name, times in h["peers"].items())) or "–",
            _spark([v for v in past if v is not None]),
        ]  # fmt: skip
        kinds = ["", "", "", ' class="words"', ""]
        filled = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, cells, strict=True))
        rows.append(f"<tr>{filled}</tr>")
    head = "".join(
        f"<th>{cell}</th>" for cell in ("what", "here", "budget", "times faster than", f"history, {len(here)} runs")
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether numbers of two runs may be put beside each other."""
    return (one["cpu"], one["cores"]) == (other["cpu"], other["cores"])


def _budget(headline: dict[str, Any]) -> str:
    if headline["budget"] is None:
        return "–"
    better = headline["value"] >= headline["budget"] if headline["more"] else headline["value"] <= headline["budget"]
    return f"{'≥' if headline['more'] else '≤'} {short(headline['budget'])} {'✓' if better else '✗'}"


def _spark(values: list[float]) -> str:
    """A line through the values of all runs on this machine, from zero up."""
    if len(values) < 2:
        return "–"
    top = max(values) or 1.0
    points = " ".join(f"{100 * i / (len(values) - 1):.1f},{22 - 20 * v / top:.1f}" for i, v in enumerate(values))
    return (
        '<svg viewBox="0 0 100 24" style="width:100px;height:24px">'
        f'<polyline points="{points}" fill="none" stroke="#3d6fc8" stroke-width="1.5"/></svg>'
    )
