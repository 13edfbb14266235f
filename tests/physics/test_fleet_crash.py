"""A drone that strikes something is told of once, by name."""

import logging

from volery.scenario import read_scenario
from volery.sim import Simulation

FLIGHT = """
world: blocks
robots:
  uav1: {type: x500, physics: fleet, position: [0, 0, 6], motion: {path: [[0, 0, 6], [0, 0, -30]], speed: 6}}
"""


def test_a_crash_is_said_once_with_what_was_struck(caplog):
    with caplog.at_level(logging.WARNING):
        simulation = Simulation(read_scenario(FLIGHT))
        simulation.run(500)
    said = [r.getMessage() for r in caplog.records if "crashed" in r.getMessage()]
    struck = simulation.robot("uav1").contacts
    assert len(said) == 1 and said[0].startswith("'uav1' has struck '") and "placed anew" in said[0]
    assert any(contact.other in said[0] for contact in struck)
    caplog.clear()
    simulation.place("uav1", [0, 0, 6], [1, 0, 0, 0])
    simulation.run(50)
    assert not [r for r in caplog.records if "crashed" in r.getMessage()]
