"""`--autopilot`: a scenario whose robots are flown by a firmware instead of the built-in pilot or a path."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from typing import Any

from volery import registry
from volery.errors import UnknownNameError
from volery.protocols.protocol import Protocol
from volery.scenario import Scenario, plan_robot

__all__ = ["AUTOPILOTS", "program_for", "with_autopilot"]

AUTOPILOTS = {"ardupilot": 0.00125, "px4": 0.004, "betaflight": 0.002}
"""Longest steps that suit each firmware's own loops [s]. ArduPilot arms only if its gyroscope is read 1.8 times as
often as its main loop of 400 Hz goes round."""


def _named(options: argparse.Namespace) -> tuple[str, str] | None:
    """Firmware and path of its program, or no path."""
    given = getattr(options, "autopilot", None)
    if given is None:
        return None
    name, _, path = given.partition(":")
    if name not in AUTOPILOTS:
        raise UnknownNameError("autopilot", name, AUTOPILOTS)
    return name, path


def with_autopilot(scenario: Scenario, options: argparse.Namespace) -> Scenario:
    """The scenario as `--autopilot` wants it: steps short enough, drones moved by forces, and told by nobody else."""
    named = _named(options)
    if named is None:
        return scenario
    name = named[0]
    settings = scenario.protocols.get(name) or registry.find("protocols", name).Settings()
    silent = getattr(options, "silent", None)
    if silent is not None:
        settings = replace(settings, silent=silent.replace("-", "_"))
    wanted = settings.robots or tuple(scenario.robots)
    robots: dict[str, Any] = dict(scenario.robots)
    for robot in wanted:
        if robot in robots:
            robots[robot] = _manned(robots[robot], scenario)
    protocols = {n: s for n, s in scenario.protocols.items() if n != "mavlink"}
    file = replace(scenario.file, step=min(scenario.file.step, AUTOPILOTS[name]))
    if name == "ardupilot":
        # It keeps the pace itself, by its SIM_SPEEDUP.
        file = replace(file, pace="fast")
    return replace(scenario, file=file, robots=robots, protocols={**protocols, name: settings})


def _manned(plan: Any, scenario: Scenario) -> Any:
    """A robot's plan without a path; a multirotor that is only shown gets the physics of fleets."""
    data = {k: v for k, v in plan.data.items() if k != "motion"}
    if plan.motion is not None and getattr(plan.motion, "path", None) and plan.entry.position is None:
        data["position"] = [float(x) for x in plan.motion.path[0]]
    if plan.file.multirotor is not None and plan.engine == "kinematic":
        data["physics"] = "fleet"
    return plan_robot(plan.name, data, folder=scenario.folder)


def program_for(door: Protocol, name: str, options: argparse.Namespace) -> None:
    """Have a door start the program that the command line names: no scenario can."""
    named = _named(options)
    if named is not None and named[0] == name and named[1]:
        door.program = named[1]  # type: ignore[attr-defined]
        door.arguments = tuple(shlex.split(getattr(options, "autopilot_args", None) or ""))  # type: ignore[attr-defined]
