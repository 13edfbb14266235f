"""The protocols of a run: doors through which other systems' clients come in."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from volery import registry
from volery.errors import ScenarioError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["open_doors"]


def open_doors(simulation: Simulation, loop: Loop, options: argparse.Namespace) -> list[Any]:
    """Open what the scenario names under `protocols`; the caller closes them."""
    wanted = dict(simulation.scenario.protocols)
    if options.settings:
        if "airsim" not in wanted:
            raise ScenarioError("--settings is for scenarios with the protocol airsim, such as `volery run airsim`")
        wanted["airsim"] = replace(wanted["airsim"], settings=options.settings)
    doors: list[Any] = []
    try:
        for name, settings in wanted.items():
            doors.append(registry.find("protocols", name)(simulation, loop, settings))
    except BaseException:
        for door in doors:
            door.close()
        raise
    return doors
