"""Deliveries run as fast as possible, over behaviours and seeds, for comparison."""

from __future__ import annotations

from typing import Any

from volery.agents.deliveries import Deliveries, DeliveriesSettings
from volery.scenario import Scenario
from volery.sim import Simulation

__all__ = ["run_deliveries"]


def run_deliveries(scenario: Scenario, settings: DeliveriesSettings, seed: int, seconds: float) -> dict[str, Any]:
    """One run to its end, or for so many simulated seconds; numbers as plain data."""
    simulation = Simulation(scenario, seed=seed)
    mission = Deliveries(simulation, None, settings)
    while not mission.over and simulation.clock.now < seconds:
        simulation.step()
    mission.close()
    return mission.result()
