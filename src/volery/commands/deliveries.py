"""Agents of a run, and `volery report deliveries`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from volery import registry
from volery.bus.bus import Bus
from volery.errors import ScenarioError, SimulationError, UnknownNameError
from volery.loop import Loop
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.agents.deliveries import Deliveries
    from volery.autonomy.rescue import Rescue

__all__ = ["report", "start_agents"]

_OPTIONS = ("drones", "robots", "behaviour", "strategy")
"""Options of the command line that are settings of a mission."""
_TERMINAL, _FILE = 1.0, 10.0
"""Between two tables, on a screen and elsewhere [s of wall time]."""


def start_agents(
    simulation: Simulation, loop: Loop, options: argparse.Namespace, bus: Bus | None = None
) -> list[Shown]:
    """Start the missions that the scenario names under `agents`; the caller closes them."""
    wanted = dict(simulation.scenario.agents)
    given = {o: getattr(options, o, None) for o in _OPTIONS}
    for option, value in given.items():
        if value is not None and not wanted:
            raise ScenarioError(f"--{option} is for scenarios with agents, such as `volery run deliveries` or `rescue`")
    missions: list[Shown] = []
    try:
        for name, settings in wanted.items():
            own = {f.name for f in fields(settings)}
            changed = replace(settings, **{k: v for k, v in given.items() if v is not None and k in own})
            mission = registry.find("agents", name)(simulation, loop, changed)
            missions.append(Shown(mission, _report(name), Path(getattr(options, "out", "out"))))
            if hasattr(mission, "attach"):
                mission.attach(bus)
    except BaseException:
        for mission in missions:
            mission.close()
        raise
    return missions


def _report(name: str) -> ModuleType:
    """How a mission is told: the module of report/ that has its name."""
    own = name if name in ("deliveries", "rescue") else "autonomy"
    return import_module(f"volery.report.{own}")


class Shown:
    """A mission with a table that follows it on the screen, and its report at the end."""

    def __init__(self, mission: Deliveries | Rescue, report: ModuleType, out: Path) -> None:
        """out: folder for a mission whose report is a page."""
        self.mission, self._report, self._out = mission, report, out
        self._live = sys.stdout.isatty()
        self._printed, self._lines = time.monotonic(), 0
        mission.simulation.listeners.append(self._follow)

    def close(self) -> None:
        """End the mission and print what came out."""
        if self._follow in self.mission.simulation.listeners:
            self.mission.simulation.listeners.remove(self._follow)
        self.mission.close()
        print(self._report.run_report(self.mission.result(), self.mission.rows()), flush=True)
        if hasattr(self.mission, "sheet"):
            print(f"report: {self._report.write(self.mission.sheet(), self._out)}", flush=True)

    def _follow(self, simulation: Simulation) -> None:
        now = time.monotonic()
        if now - self._printed < (_TERMINAL if self._live else _FILE):
            return
        text = self._report.live_table(self.mission.result(), self.mission.rows())
        # On a screen the table stays in its place: up to where it began, and each line anew.
        up = f"\x1b[{self._lines}A\x1b[J" if self._live and self._lines else ""
        print(up + text, flush=True)
        self._printed, self._lines = now, text.count("\n") + 1


def report(options: argparse.Namespace) -> int:
    """Run the deliveries over behaviours and seeds; table, plot and numbers go to files."""
    from volery.agents.campaign import run_deliveries
    from volery.agents.deliveries import BEHAVIOURS, DeliveriesSettings
    from volery.report.deliveries import comparison, plot
    from volery.scenario import load_scenario

    chosen = options.behaviours.split(",") if options.behaviours else list(BEHAVIOURS)
    for name in chosen:
        if name not in BEHAVIOURS:
            raise UnknownNameError("behaviour", name, BEHAVIOURS)
    if options.seeds < 1 or not 0 < options.limit < 1e9:
        raise SimulationError("--seeds must be 1 or more, and --limit above 0")
    if options.threads is not None:
        from volery.world.native import set_threads

        set_threads(options.threads)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    scenario = load_scenario("deliveries")
    results: list[dict[str, Any]] = []
    for seed in range(1, options.seeds + 1):
        for behaviour in chosen:
            settings = DeliveriesSettings(drones=options.drones, parcels=options.parcels, behaviour=behaviour)
            results.append(run_deliveries(scenario, settings, seed, options.limit))
            print(f"{behaviour}, seed {seed}: {_line(results[-1])}", flush=True)
            # What is done is kept, should the rest be stopped.
            (out / "deliveries.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    table = comparison(results)
    (out / "deliveries.md").write_text(table + "\n", encoding="utf-8")
    (out / "deliveries.svg").write_text(plot(results), encoding="utf-8")
    print(f"\n{table}\n\n{out}: deliveries.json, deliveries.md, deliveries.svg")
    return 0


def _line(result: dict[str, Any]) -> str:
    """A run in a few words."""
    struck = sum(result["collisions"].values())
    return f"{result['delivered']} of {result['parcels']} delivered, {struck} collisions, {result['time']:.0f} s"
