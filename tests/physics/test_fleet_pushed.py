"""Pushes that no drone can bear, such as a client's rubbish, cost that drone and never the run."""

import numpy as np
import pytest

from volery.robots.commands import Pose, Wrench
from volery.scenario import read_scenario
from volery.sim import Simulation

WORLD = """
step: 0.02
world: empty
robots:
  uav1: {type: quad, physics: fleet, position: [0, 0, 9], sensors: {scanner: off}}
  uav2: {type: quad, physics: fleet, position: [5, 0, 9], sensors: {scanner: off}}
"""


def flight(push=None):
    simulation = Simulation(read_scenario(WORLD))
    simulation.command("uav2", Pose(np.array([6.0, 0.0, 9.0])))
    if push is not None:
        simulation.command("uav1", Wrench(np.full(3, push), np.full(3, push)))
    simulation.run(20)
    return simulation


@pytest.mark.parametrize("push", [1e3, 1e30, 1e200, 1e308])
def test_the_run_goes_on_and_others_fly_as_if_nothing_were(push, caplog):
    simulation = flight(push)
    thrown = simulation.robots["uav1"]
    assert np.isfinite(thrown.p_WB).all() and np.linalg.norm(thrown.p_WB) < 1e3
    assert simulation.engine_of("uav1").crashed("uav1") and "uav1" in caplog.text and "uav2" not in caplog.text
    assert simulation.robots["uav2"].p_WB.tobytes() == flight().robots["uav2"].p_WB.tobytes()


def test_placed_anew_it_flies(caplog):
    simulation = flight(1e200)
    simulation.place("uav1", np.array([0.0, 0.0, 9.0]), np.array([1.0, 0.0, 0.0, 0.0]))
    simulation.run(100)
    assert simulation.robots["uav1"].p_WB == pytest.approx([0.0, 0.0, 9.0], abs=0.1)
    assert not simulation.engine_of("uav1").crashed("uav1")
