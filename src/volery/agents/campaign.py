"""Deliveries run as fast as possible, over behaviours and seeds, for comparison; on several cores, a run on each."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from volery.agents.deliveries import Deliveries, DeliveriesSettings
from volery.agents.library import add_behaviour
from volery.core.parallel import set_threads
from volery.scenario import Scenario, load_scenario
from volery.sim import Simulation

__all__ = ["DeliveriesRun", "run_deliveries", "run_many"]


@dataclass(frozen=True)
class DeliveriesRun:
    """One run of many."""

    agent: str
    """A registered behaviour, or my_file.py:MyAgent."""
    seed: int
    seconds: float
    """It ends then, at the latest [s] of simulated time."""
    settings: DeliveriesSettings
    """Of any behaviour: `agent` takes its place."""
    whole: bool = False
    """Whether the referee's whole sheet is wanted, too."""


def run_deliveries(
    scenario: Scenario, settings: DeliveriesSettings, seed: int, seconds: float, *, whole: bool = False
) -> dict[str, Any]:
    """One run to its end, or for so many simulated seconds; numbers as plain data, with what it took of the processor
    and by the clock on the wall [s]. whole: with the referee's sheet."""
    began, used = time.perf_counter(), time.process_time()
    simulation = Simulation(scenario, seed=seed)
    mission = Deliveries(simulation, None, settings)
    while not mission.over and simulation.clock.now < seconds:
        simulation.step()
    mission.close()
    took = {"processor": time.process_time() - used, "wall": time.perf_counter() - began}
    result = {**mission.result(), **{name: round(value, 3) for name, value in took.items()}}
    return {**result, "sheet": {**mission.sheet(), "result": result}} if whole else result


def run_many(runs: Sequence[DeliveriesRun], jobs: int, threads: int | None = None) -> Iterator[dict[str, Any]]:
    """Results in the order of the runs, each as soon as those before it are there. jobs: processes; 1: this one."""
    if jobs == 1:
        if threads is not None:
            set_threads(threads)
        yield from map(_run, runs)
        return
    # Started anew: a copy of a process with threads is not safe.
    with ProcessPoolExecutor(jobs, get_context("spawn"), set_threads, (threads or 1,)) as pool:
        yield from pool.map(_run, runs)


def _run(run: DeliveriesRun) -> dict[str, Any]:
    settings = replace(run.settings, behaviour=add_behaviour(run.agent))
    return run_deliveries(load_scenario("deliveries"), settings, run.seed, run.seconds, whole=run.whole)
