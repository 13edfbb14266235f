"""`volery report deliveries`: behaviours over seeds, side by side; table, plot, page and numbers."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from volery import registry
from volery.errors import SimulationError, UnknownNameError

__all__ = ["report_deliveries"]


def report_deliveries(options: argparse.Namespace) -> int:
    """Run the deliveries over behaviours and seeds."""
    from volery.agents.campaign import DeliveriesRun, run_many
    from volery.agents.deliveries import DeliveriesSettings

    agents = _agents(options)
    jobs = os.cpu_count() or 1 if options.jobs is None else options.jobs
    if options.seeds < 1 or not 0 < options.limit < 1e9 or jobs < 1:
        raise SimulationError("--seeds and --jobs must be 1 or more, and --limit above 0")
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    settings = DeliveriesSettings(drones=options.drones, parcels=options.parcels)
    seeds = range(1, options.seeds + 1)
    runs = [DeliveriesRun(a, s, options.limit, settings, whole=s == 1) for s in seeds for a in agents]
    began, results, sheets = time.perf_counter(), [], {}
    for result in run_many(runs, min(jobs, len(runs)), options.threads):
        sheet = result.pop("sheet", None)
        if sheet is not None:
            sheets[result["behaviour"]] = sheet
        results.append(result)
        print(f"{result['behaviour']}, seed {result['seed']}: {_line(result)}", flush=True)
        # What is done is kept, should the rest be stopped.
        (out / "deliveries.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    _write(out, results, sheets, time.perf_counter() - began)
    return 0


def _agents(options: argparse.Namespace) -> list[str]:
    """Those that are compared: all built in, or the chosen, and one's own."""
    from volery.agents.library import add_behaviour, behaviour

    known = registry.names("behaviours")
    chosen = options.behaviours.split(",") if options.behaviours else known
    for name in chosen:
        if name not in known:
            raise UnknownNameError("behaviour", name, known)
    own = options.agent or []
    for name in (*chosen, *map(add_behaviour, own)):
        behaviour(name)
    return [*own, *chosen]


def _write(out: Path, results: list[dict[str, Any]], sheets: dict[str, Any], seconds: float) -> None:
    from volery.report.deliveries import comparison, comparison_page, plot, speeds

    table, rates = comparison(results), speeds(results)
    simulated = sum(r["time"] for r in results)
    (out / "deliveries.md").write_text(table + "\n", encoding="utf-8")
    (out / "deliveries.svg").write_text(plot(results), encoding="utf-8")
    (out / "deliveries.html").write_text(comparison_page(results, sheets, table), encoding="utf-8")
    print(f"\n{table}\n\n{rates}\n")
    print(f"{simulated:.0f} s simulated in {seconds:.0f} s: {simulated / seconds:.1f} × real time")
    print(f"{out}: deliveries.html, deliveries.json, deliveries.md, deliveries.svg")


def _line(result: dict[str, Any]) -> str:
    """A run in a few words."""
    struck = sum(result["collisions"].values())
    rate = result["time"] / max(result["processor"], 1e-9)
    return (
        f"{result['delivered']} of {result['parcels']} delivered, {struck} collisions, {result['time']:.0f} s, "
        f"{rate:.1f} × real time"
    )
