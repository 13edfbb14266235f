"""`volery report`: which one, and `volery report ueds`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
from pathlib import Path

__all__ = ["report"]


def report(options: argparse.Namespace) -> int:
    """Make the report that was asked for."""
    if options.name == "ueds":
        return _ueds(options)
    from volery.commands.deliveries import report as deliveries

    return deliveries(options)


def _ueds(options: argparse.Namespace) -> int:
    """Measure the UEds thesis' chapter 5; a page and numbers go to files."""
    from volery.report.ueds import measure, sections
    from volery.report.ueds_page import page, text

    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    result = measure(
        quick=options.quick, peers=options.peers, say=lambda what: print(f"measuring {what} …", flush=True)
    )
    parts = sections(result)
    (out / "ueds.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (out / "ueds.html").write_text(page(result, parts), encoding="utf-8")
    print(f"\n{text(parts)}\n\n{out}: ueds.json, ueds.html")
    return 0
