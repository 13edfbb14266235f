"""A run from the command line: its pace, its doors, its page, and what follows it."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volery.commands.autopilots import with_autopilot
from volery.commands.doors import Timed, open_doors
from volery.commands.flights import ShownFlights
from volery.commands.missions import start_missions
from volery.commands.start import Ending, simulation_of
from volery.commands.status import Status
from volery.commands.traffic import Traffic
from volery.core.clock import nanoseconds
from volery.core.state import load, save
from volery.errors import SimulationError, VoleryError
from volery.loop import FastPace, Loop, Pace, RealTimePace, pace_of
from volery.physics.external import ExternalEngine
from volery.protocols.protocol import Protocol
from volery.scenario import Scenario
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.commands.show import Viewer
    from volery.viewer.live import Attached

__all__ = ["run_scenario"]

_log = logging.getLogger("volery")


@dataclass
class _Plan:
    """What is to be run."""

    scenario: Scenario
    seed: int | None
    resume: str | None = None


def run_scenario(scenario: Scenario, options: argparse.Namespace) -> int:
    """Run a scenario at its pace, and say how it goes; a page may have others follow."""
    scenario = with_autopilot(scenario, options)
    plan: _Plan | None = _Plan(scenario, options.seed, options.resume)
    _pace(options.speed, scenario)
    viewer = _viewer(options)
    good: _Plan | None = None
    faults: list[VoleryError] = []
    try:
        while plan is not None:
            try:
                plan, good = _run(plan, options, viewer, faults), plan
            except VoleryError as error:
                if good is None or plan is None or plan is good:
                    raise
                _log.error("%s: %s; back to %s", plan.scenario.name, error, good.scenario.name)
                plan = good
            # What the command line wants recorded is the first run.
            options.record = options.elaha = None
    finally:
        if viewer is not None:
            viewer.close()
    for fault in faults:
        _log.error("not all was recorded: %s", fault)
    return 1 if faults else 0


def _viewer(options: argparse.Namespace) -> Viewer | None:
    """The page's server; without it nothing of it is imported."""
    if options.headless:
        return None
    from volery.commands.show import open_viewer

    return open_viewer(options)


def _run(plan: _Plan, options: argparse.Namespace, viewer: Viewer | None, faults: list[VoleryError]) -> _Plan | None:
    """One run to its end; what a page wants to be run next. faults: where those of recordings are put."""
    scenario = plan.scenario
    simulation = simulation_of(scenario, options, plan.seed)
    if plan.resume:
        simulation.restore(load(plan.resume))
    digest = hashlib.blake2b(digest_size=16)
    if options.hash:
        simulation.listeners.append(lambda s: digest.update(s.readings_bytes()))
    loop = Loop(simulation, _pace(options.speed, scenario))
    following: list[_Plan] = []

    def note(fault: VoleryError) -> None:
        faults.append(fault)
        if options.strict_record:
            loop.stop()

    traffic = Traffic(simulation, options, shown=viewer is not None, on_fault=note)
    ending = Ending(loop.stop)
    doors: list[Any] = []
    try:
        opened = open_doors(simulation, loop, options, traffic.bus, note)
        doors += opened
        doors += _timed(simulation, traffic, opened)
        if options.log:
            doors.append(ShownFlights(simulation, traffic.bus, options.log))
        doors += start_missions(simulation, loop, options, traffic.bus)
        if viewer is not None:
            viewer.attach(_attached(simulation, loop, traffic, options, following))
        print(
            f"{scenario.name}: {len(simulation.scene.objects)} objects, seed {simulation.seed}, Ctrl-C ends", flush=True
        )
        # Missions have a table of their own.
        doors += [] if scenario.agents else [Status(simulation, lambda: _clients(opened, viewer), options.verbose)]
        duration = scenario.file.duration if options.duration is None else options.duration
        loop.run(None if duration is None else simulation.clock.now_ns + nanoseconds(duration))
    finally:
        if viewer is not None:
            viewer.detach()
        for door in doors:
            door.close()
        traffic.close()
        ending.restore()
    print(f"end at {simulation.clock.now:.3f} s, state {simulation.state_hash()}")
    if options.hash:
        print(f"readings {digest.hexdigest()}")
    if options.snapshot:
        save(simulation.state(), options.snapshot)
    ended = ending.asked or (options.strict_record and faults)
    return following[0] if following and not ended else None


def _clients(doors: list[Protocol], viewer: Viewer | None) -> int:
    """Clients of all doors, and open pages."""
    return sum(door.clients for door in doors) + (len(viewer.pages) if viewer is not None else 0)


def _timed(simulation: Simulation, traffic: Traffic, doors: list[Protocol]) -> list[Timed]:
    """The timing of links, if there are any."""
    linked = [door for door in doors if door.timings]
    if not linked and not any(isinstance(e, ExternalEngine) for e in simulation.engines.values()):
        return []
    return [Timed(simulation, traffic.bus, lambda: traffic.timings + [t for door in linked for t in door.timings])]


def _attached(
    simulation: Simulation, loop: Loop, traffic: Traffic, options: argparse.Namespace, following: list[_Plan]
) -> Attached:
    """The run as pages may handle it."""
    from volery.viewer.live import Attached

    def start(scenario: Scenario, seed: int | None) -> None:
        _pace(options.speed, scenario)
        following[:] = [_Plan(with_autopilot(scenario, options), seed)]
        loop.stop()

    record = None if traffic.bus is None else traffic.record
    return Attached(
        simulation, traffic.bus, loop, out=Path(options.out), record=record, start=start, recorder=traffic.recorder
    )


def _pace(speed: str | None, scenario: Scenario) -> Pace:
    if speed is None and scenario.file.pace == "lockstep":
        raise SimulationError(
            f"{scenario.name}: in lockstep every step waits for an outside program; start it from Python "
            "with volery.Loop and LockstepPace.permit, or give --speed"
        )
    if speed is None:
        return pace_of(scenario.file.pace, scenario.file.speed)
    if speed == "max":
        return FastPace()
    try:
        return RealTimePace(float(speed))
    except ValueError:
        raise SimulationError(f"--speed {speed}: must be a number, or 'max' for as fast as possible") from None
