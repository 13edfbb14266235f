"""A simulation as the command line asks for it, and its end."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable

from volery.errors import ScenarioError
from volery.scenario import Scenario
from volery.sim import Simulation

__all__ = ["Ending", "simulation_of"]


def simulation_of(scenario: Scenario, options: argparse.Namespace, seed: int | None = None) -> Simulation:
    """A simulation of a scenario with the options of the command line; seed: instead of the scenario's."""
    threads = getattr(options, "threads", None)
    if threads is not None:
        from volery.core.parallel import set_threads

        set_threads(threads)
    if seed is not None and seed < 0:
        raise ScenarioError(f"--seed {seed}: must be 0 or more")
    arena = getattr(options, "arena", None)
    if arena is not None and scenario.world_type != "arena":
        raise ScenarioError(f"--arena is for scenarios in a rescue arena; the world of {scenario.name} is another")
    simulation = Simulation(scenario, seed=seed)
    if arena is not None:
        simulation.change_world(colour=arena)
    return simulation


class Ending:
    """Ctrl-C and the system's request to end: the first is an end in good order, the second does not wait for it."""

    def __init__(self, stop: Callable[[], None]) -> None:
        """stop: what ends the run."""
        self.asked = False
        """Whether someone has asked."""
        self._stop = stop
        self._before = {s: signal.signal(s, self._end) for s in (signal.SIGINT, signal.SIGTERM)}

    def restore(self) -> None:
        """As it was before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _end(self, *_: object) -> None:
        if self.asked:
            # A step may take long.
            raise KeyboardInterrupt
        self.asked = True
        self._stop()
