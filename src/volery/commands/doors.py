"""The protocols of a run: doors through which other systems' clients come in."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from volery import registry
from volery.bus.bus import Bus
from volery.bus.ros2 import ros2_config
from volery.bus.timing import LinkTiming, TimingReport, timing_table
from volery.commands.autopilots import program_for
from volery.errors import ScenarioError, VoleryError
from volery.loop import Loop
from volery.protocols.protocol import Protocol
from volery.sim import Simulation

__all__ = ["Timed", "open_doors"]

_OPTIONS = {
    "settings": ("airsim", "settings"), "world": ("ueds", "world"), "api": ("ueds", "api"),
    "dialect": ("gamebots", "dialect"), "port": ("gamebots", "port"),
    "image_port": ("gamebots", "image_port"),
}  # fmt: skip
"""Options of the command line that are settings of a protocol."""
_EXAMPLES = {"gamebots": "usarsim"}
"""Scenarios with a protocol whose name is not the protocol's."""


def open_doors(
    simulation: Simulation, loop: Loop, options: argparse.Namespace, bus: Bus | None = None,
    on_fault: Callable[[VoleryError], None] | None = None,
) -> list[Protocol]:  # fmt: skip
    """Open what the scenario names under `protocols`; the caller closes them.

    bus: for those that have topics too; on_fault: told, in any thread, if what a client records cannot be written."""
    wanted = dict(simulation.scenario.protocols)
    if getattr(options, "mavlink", None) is not None:
        wanted["mavlink"] = _mavlink(wanted.get("mavlink"), options.mavlink)
    for option, (protocol, field) in _OPTIONS.items():
        value = getattr(options, option, None)
        if value is None:
            continue
        if protocol not in wanted:
            example = _EXAMPLES.get(protocol, protocol)
            flag = option.replace("_", "-")
            raise ScenarioError(
                f"--{flag} is for scenarios with the protocol {protocol}, such as `volery run {example}`"
            )
        wanted[protocol] = replace(wanted[protocol], **{field: value})
    if getattr(options, "mocap", None) is not None:
        wanted["mocap"] = _mocap(wanted.get("mocap"), options.mocap)
    if bus is not None:
        wanted.setdefault("ros2", ros2_config(simulation.scenario))
    doors: list[Protocol] = []
    try:
        for name, settings in wanted.items():
            door: Protocol = registry.find("protocols", name)(simulation, loop, settings)
            doors.append(door)
            program_for(door, name, options)
            door.out, door.on_fault = Path(getattr(options, "out", None) or door.out), on_fault
            if bus is not None:
                door.attach(bus)
        for door in doors:
            door.start()
    except BaseException:
        for door in doors:
            door.close()
        raise
    return doors


class Timed:
    """How well the links of a run keep time: on a topic while it runs, and printed at its end."""

    def __init__(self, simulation: Simulation, bus: Bus | None, timings: Callable[[], list[LinkTiming]]) -> None:
        """timings: gives all that there are now."""
        self._simulation, self._timings = simulation, timings
        self._report = None if bus is None else TimingReport(bus, timings)
        if self._report is not None:
            simulation.listeners.append(self._report)

    def close(self) -> None:
        """Say how it was."""
        if self._report is not None:
            self._simulation.listeners.remove(self._report)
            self._report.close()
        table = timing_table(self._timings())
        if table:
            print(table, flush=True)


def _mocap(settings: Any, where: str) -> Any:
    """Motion capture at HOST:PORT, :PORT or HOST, with the scenario's settings for the rest."""
    settings = registry.find("protocols", "mocap").Settings() if settings is None else settings
    host, _, port = where.partition(":")
    if port and not port.isdecimal():
        raise ScenarioError(f"--mocap {where}: must be HOST:PORT, such as 127.0.0.1:1510")
    return replace(settings, host=host or settings.host, port=int(port) if port else settings.port)


def _mavlink(settings: Any, where: str) -> Any:
    """Vehicles that tell the station at HOST:PORT, :PORT or HOST, with the scenario's settings for the rest."""
    settings = registry.find("protocols", "mavlink").Settings() if settings is None else settings
    if not where:
        return settings
    host, _, port = where.partition(":")
    if port and not port.isdecimal():
        raise ScenarioError(f"--mavlink {where}: must be HOST:PORT of a ground station, such as 127.0.0.1:14550")
    return replace(settings, stations=(f"{host or '127.0.0.1'}:{port or 14550}",))
