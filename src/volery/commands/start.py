"""A simulation as the command line asks for it."""

from __future__ import annotations

import argparse

from volery.errors import ScenarioError
from volery.scenario import Scenario
from volery.sim import Simulation

__all__ = ["simulation_of"]


def simulation_of(scenario: Scenario, options: argparse.Namespace) -> Simulation:
    """A simulation of a scenario with the options of the command line."""
    threads = getattr(options, "threads", None)
    if threads is not None:
        from volery.world.native import set_threads

        set_threads(threads)
    if options.seed is not None and options.seed < 0:
        raise ScenarioError(f"--seed {options.seed}: must be 0 or more")
    return Simulation(scenario, seed=options.seed)
