"""Batteries of USARSim's robots: how long they last, and that an empty one stops the motors."""

import numpy as np
import pytest

from usar_rig import drive, run, simulate, tilt
from volery.robots.commands import BodyVelocity, Joints


def left(simulation, what="remaining"):
    return float(simulation.sensor("bot", "Battery").latest.data[what][0])


def empty(simulation):
    """As good as empty: it is, with the next reading."""
    simulation.sensor("bot", "Battery")._energy = 1e-3
    run(simulation, 0.3)
    assert left(simulation, "energy") == 0.0


def test_the_airrobot_flies_for_twenty_to_thirty_minutes():
    simulation = simulate("airrobot", z=1.5, sensors=("Battery",))
    simulation.command("bot", BodyVelocity([0.5, 0.0, 0.0], 0.0))
    for _ in range(3):
        run(simulation, 2.0)
        assert 1200.0 < left(simulation) < 1800.0
    # Hovering takes power: more than its computers alone, less than all motors can draw.
    assert 20.0 < simulation.robot("bot").power < 300.0


def test_an_empty_battery_stops_wheels_and_joints_for_good():
    simulation = simulate("p2at", sensors=("Battery",))
    drive(simulation, 0.5, seconds=1.0)
    robot = simulation.robot("bot")
    assert np.linalg.norm(robot.v_WB_W) > 0.4
    empty(simulation)
    run(simulation, 0.7)
    assert np.linalg.norm(robot.v_WB_W) < 0.01 and not robot.powered
    place, pan = robot.p_WB.copy(), robot.joint_positions[robot.description.joint("CameraPan")]
    drive(simulation, 0.5, seconds=0.5)
    simulation.command("bot", Joints(positions={"CameraPan": 1.0}))
    run(simulation, 1.0)
    assert np.linalg.norm(robot.p_WB - place) < 0.005
    assert robot.joint_positions[robot.description.joint("CameraPan")] == pytest.approx(pan, abs=0.01)


def test_an_empty_battery_lets_the_airrobot_fall():
    simulation = simulate("airrobot", z=2.0, sensors=("Battery",))
    run(simulation, 1.0)
    assert simulation.robot("bot").p_WB[2] == pytest.approx(2.0, abs=0.2)
    empty(simulation)
    run(simulation, 1.5)
    assert simulation.robot("bot").p_WB[2] < 0.5
    simulation.command("bot", BodyVelocity([0.0, 0.0, 0.5], 0.0))
    run(simulation, 1.0)
    assert simulation.robot("bot").p_WB[2] < 0.5


def test_power_comes_back_with_a_snapshot_from_before():
    simulation = simulate("p2at", sensors=("Battery",))
    drive(simulation, 0.5, seconds=1.0)
    before = simulation.state()
    run(simulation, 0.5)
    there = simulation.state_hash()
    empty(simulation)
    simulation.restore(before)
    run(simulation, 0.5)
    assert simulation.robot("bot").powered and simulation.state_hash() == there
    assert np.linalg.norm(simulation.robot("bot").v_WB_W) > 0.4


@pytest.mark.parametrize("attitude", [(0, 0, 0), (0, 25, 0), (10, 20, 0)])
def test_a_p2dx_that_falls_comes_to_stand_on_wheels_and_castor(attitude):
    simulation = simulate("p2dx", z=0.295, attitude=attitude)
    run(simulation, 3.0)
    assert np.abs(tilt(simulation)).max() < 3.0
