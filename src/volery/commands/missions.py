"""Missions of a run: those that its scenario names under `agents`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from volery import registry
from volery.bus.bus import Bus
from volery.errors import ScenarioError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["start_missions"]

_OPTIONS = ("drones", "robots", "behaviour", "strategy", "pilot")
"""Options of the command line that are settings of a mission."""
_TERMINAL, _FILE = 1.0, 10.0
"""Between two tables, on a screen and elsewhere [s of wall time]."""


def start_missions(
    simulation: Simulation, loop: Loop, options: argparse.Namespace, bus: Bus | None = None
) -> list[ShownMission]:
    """Start the missions that the scenario names under `agents`; the caller closes them."""
    wanted = dict(simulation.scenario.agents)
    given = {o: getattr(options, o, None) for o in _OPTIONS}
    agent = getattr(options, "agent", None)
    if agent is not None:
        from volery.agents.library import add_behaviour

        given["behaviour"] = add_behaviour(agent)
    known = {f.name for settings in wanted.values() for f in fields(settings)}
    for option, value in given.items():
        if value is not None and option not in known:
            example = {"robots": "rescue", "pilot": "lesson-touch"}.get(option, "deliveries")
            raise ScenarioError(
                f"--{option} is not for {simulation.scenario.name}, but for missions such as `volery run {example}`"
            )
    missions: list[ShownMission] = []
    try:
        for name, settings in wanted.items():
            own = {f.name for f in fields(settings)}
            changed = replace(settings, **{k: v for k, v in given.items() if v is not None and k in own})
            mission = registry.find("agents", name)(simulation, loop, changed)
            missions.append(ShownMission(mission, Path(getattr(options, "out", "out"))))
            if hasattr(mission, "attach"):
                mission.attach(bus)
    except BaseException:
        for mission in missions:
            mission.close()
        raise
    return missions


class ShownMission:
    """A mission with a table that follows it on the screen, and its report at the end."""

    def __init__(self, mission: Any, out: Path) -> None:
        """mission: has `result`, `rows` and `close`, and may have `told_by`: the module that tells it, of report/ or,
        with a dot in its name, of any package. out: folder for a mission whose report is a page."""
        self.mission, self._out = mission, out
        told_by = getattr(mission, "told_by", "plain")
        self._report = import_module(told_by if "." in told_by else f"volery.report.{told_by}")
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
