"""`volery bench all`: every benchmark, each in a process of its own, on one page with its history."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from volery.report.chart import short
from volery.tools.bench import BENCHES, bench
from volery.tools.bench.headlines import headlines
from volery.tools.bench.others import Others
from volery.tools.bench.timing import machine
from volery.tools.bench.whole_page import page

__all__ = ["measure_all", "performance_table", "write_all"]


def measure_all(
    *, quick: bool, peers: bool, say: Callable[[str], None], names: list[str] | None = None
) -> dict[str, Any]:
    """Results of all benchmarks by name; one that fails is told with its error. names: only these."""
    found: dict[str, Any] = {}
    others = Others()
    for name in names or BENCHES:
        say(name)
        found[name] = _measured(name, quick, peers)
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    about = {"date": date, "quick": quick, "machine": machine(), "others": others.found()}
    return {**about, "benches": found, "headlines": headlines(found)}


def _measured(name: str, quick: bool, peers: bool) -> dict[str, Any]:
    """A benchmark in its own process: what one leaves behind does not slow the next."""
    words = [*(["--quick"] if quick else []), *([] if peers else ["--no-peers"])]
    with tempfile.TemporaryDirectory() as folder:
        # What libraries print is no part of the result.
        path = Path(folder) / "result.json"
        command = [sys.executable, "-m", "volery", "bench", name, "--out", str(path), *words]
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
        if done.returncode == 0 and path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
        said = done.stderr.strip().splitlines()
        return {"error": f"ended with code {done.returncode}: {said[-1] if said else 'without a word'}"}


def write_all(result: dict[str, Any], folder: Path) -> list[Path]:
    """Write all.json and all.html; history.jsonl gets a line, unless the run was quick or the machine busy."""
    folder.mkdir(parents=True, exist_ok=True)
    past = folder / "history.jsonl"
    history = [json.loads(line) for line in past.read_text(encoding="utf-8").splitlines()] if past.exists() else []
    entry = {
        "date": result["date"], "machine": result["machine"],
        "headlines": {f"{h['bench']}: {h['label']}": h["value"] for h in result["headlines"]},
    }  # fmt: skip
    if not result["quick"] and not result.get("others", {}).get("busy"):
        history.append(entry)
        with past.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    (folder / "all.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    tables = {name: _table(name, own) for name, own in result["benches"].items()}
    (folder / "all.html").write_text(page(result, tables, BENCHES, history), encoding="utf-8")
    return [folder / "all.json", folder / "all.html", *([past] if past.exists() else [])]


def _table(name: str, result: dict[str, Any]) -> str:
    return f"failed: {result['error']}" if "error" in result else bench(name).table(result)


def performance_table(result: dict[str, Any]) -> str:
    """The headlines as a table in Markdown."""
    where = result["machine"]
    lines = [
        f"`volery bench all` of {result['date'].split()[0]}, {where['cores']} cores of an {where['cpu']}, no GPU"
        + (" (**a quick run: not for claims**)" if result["quick"] else "")
        + (" (**on a busy machine: not for claims**)" if result.get("others", {}).get("busy") else "") + ":",
        "", "| what | here | budget | times faster than |", "|---|---|---|---|",
    ]  # fmt: skip
    for h in result["headlines"]:
        peers = ", ".join(f"{name} {times:.3g} ×" for name, times in h["peers"].items()) or "–"
        budget = "–" if h["budget"] is None else f"{'≥' if h['more'] else '≤'} {short(h['budget'])}"
        lines.append(f"| {h['label']} | {short(h['value'])} {h['unit']} | {budget} | {peers} |")
    return "\n".join(lines)
