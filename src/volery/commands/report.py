"""`volery report`: many runs, or many measurements, told as one."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

__all__ = ["report"]


def report(options: argparse.Namespace) -> int:
    """Make the report that was asked for."""
    made = {"ueds": _ueds, "elaha": _elaha, "deliveries": _deliveries, "airobots": _airobots}
    return made[options.name](options)


def _ueds(options: argparse.Namespace) -> int:
    """Measure the UEds thesis' chapter 5; a page and numbers go to files."""
    from volery.tools.bench.others import words
    from volery.tools.theses.chapter_page import page, text
    from volery.tools.theses.ueds import measure, sections

    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    result = measure(
        quick=options.quick, peers=options.peers, say=lambda what: print(f"measuring {what} …", flush=True)
    )
    parts = sections(result)
    (out / "ueds.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (out / "ueds.html").write_text(page(result, parts), encoding="utf-8")
    print(f"\n{text(parts)}\n\n{words(result['others'])}\n{out}: ueds.json, ueds.html")
    return 0


def _elaha(options: argparse.Namespace) -> int:
    """Make the evaluation of the ELAHA platform's thesis again; a page and numbers go to files."""
    from volery.tools.theses.chapter_page import page, text
    from volery.tools.theses.elaha import evaluate, numbers
    from volery.tools.theses.elaha_sections import TITLE, sections

    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    found = evaluate(quick=options.quick, say=lambda what: print(f"measuring {what} …", flush=True))
    result, parts = numbers(found), sections(found)
    (out / "elaha.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
    (out / "elaha.html").write_text(page(result, parts, TITLE), encoding="utf-8")
    print(f"\n{text(parts)}\n\n{out}: elaha.json, elaha.html")
    return 0


def _deliveries(options: argparse.Namespace) -> int:
    """Agents over seeds."""
    from volery.commands.deliveries import report_deliveries

    return report_deliveries(options)


def _airobots(options: argparse.Namespace) -> int:
    """Dock by each law of contact, and once without the wall's pull; a page, series and a table go to files."""
    from volery import registry
    from volery.report.airobots import comparison, measures, write_all
    from volery.scenario import load_scenario
    from volery.sim import Simulation

    scenario, sheets = load_scenario("airobots"), {}
    for name, settings in _docks(scenario.agents["service"], options).items():
        simulation = Simulation(scenario)
        mission = registry.find("agents", "service")(simulation, None, settings)
        while not mission.over:
            simulation.step()
        mission.close()
        sheets[name] = mission.sheet()
        print(f"{name}: {simulation.clock.now:.1f} s of simulated time", flush=True)
    page = write_all(sheets, Path(options.out))
    print(f"\n{comparison({name: measures(sheet) for name, sheet in sheets.items()})}\n\n{page}")
    return 0


def _docks(settings: Any, options: argparse.Namespace) -> dict[str, Any]:
    """The runs of the AIRobots report by name."""
    from dataclasses import replace

    from volery.robots.kinds.tool import LAWS

    settings = replace(settings, robot=options.robot)
    first = replace(next(stop for stop in settings.stops if stop.touches), away=1.2)
    if options.quick:
        first = replace(first, hold=6.0)
    short = replace(settings, stops=(first,), start=tuple(first.before), law=LAWS[0], wall=0.0)
    whole = {} if options.quick else {law: replace(settings, law=law) for law in LAWS}
    return {**whole, "no_pull": short}
