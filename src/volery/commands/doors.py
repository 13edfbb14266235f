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

_OPTIONS = {
    "settings": ("airsim", "settings"), "world": ("ueds", "world"), "api": ("ueds", "api"),
    "dialect": ("gamebots", "dialect"), "port": ("gamebots", "port"),
}  # fmt: skip
"""Options of the command line that are settings of a protocol."""
_EXAMPLES = {"gamebots": "usarsim"}
"""Scenarios with a protocol whose name is not the protocol's."""


def open_doors(simulation: Simulation, loop: Loop, options: argparse.Namespace) -> list[Any]:
    """Open what the scenario names under `protocols`; the caller closes them."""
    wanted = dict(simulation.scenario.protocols)
    for option, (protocol, field) in _OPTIONS.items():
        value = getattr(options, option, None)
        if value is None:
            continue
        if protocol not in wanted:
            example = _EXAMPLES.get(protocol, protocol)
            raise ScenarioError(
                f"--{option} is for scenarios with the protocol {protocol}, such as `volery run {example}`"
            )
        wanted[protocol] = replace(wanted[protocol], **{field: value})
    doors: list[Any] = []
    try:
        for name, settings in wanted.items():
            doors.append(registry.find("protocols", name)(simulation, loop, settings))
    except BaseException:
        for door in doors:
            door.close()
        raise
    return doors
