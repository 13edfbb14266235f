"""Crafts in flight and in touch, through the whole simulation: one controller for both, and safety when it is dead."""

import math
from dataclasses import replace

import numpy as np
import pytest

from volery import _native
from volery.core.frames import euler_from_quat
from volery.core.state import decode, encode
from volery.errors import CommandError, RobotError
from volery.robots.commands import Attitude, BodyVelocity, Dock, Effort, Pose, Rates, Reach, Velocity
from volery.robots.tooltip import ToolTip
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.atmosphere import GRAVITY

CRAFTS = ("ductedfan", "doubleduct", "helicopter", "toolquad")
BOILER = "{type: boiler, marks: 0, platens: 0}"


def make(kind="ductedfan", world="empty", p=(0, 0, 5), extra="", more=""):
    text = f"step: 0.01\nworld: {world}\n{more}\nrobots:\n  a: {{type: {kind}, position: {list(p)}{extra}}}\n"
    simulation = Simulation(read_scenario(text))
    return simulation, simulation.robots["a"], simulation.engines["mujoco"].craft("a")


def load(robot):
    """Of the tool on what it touches along x [N], over the last step."""
    return -sum(c.impulse_W[0] for c in robot.contacts if c.body in ("arm", "boom")) / 0.01


def docked(kind="ductedfan", force=3.0, law=None, extra="", seconds=7.0, more=""):
    """A craft that has pressed on the boiler's plate at x = 4 for some time, and its forces by step."""
    reach = {"helicopter": 0.77, "toolquad": 0.6}.get(kind, 0.5)
    simulation, robot, flight = make(kind, BOILER, (3.75 - reach, 0, 5), extra, more)
    if law is not None:
        flight.use(replace(flight.craft.tool, law=law))
    simulation.command("a", Dock([4.8, 0, 5], [1, 0, 0], force, 0.15, yaw=0.0))
    forces = []
    for _ in range(round(seconds * 100)):
        simulation.step()
        forces.append(load(robot))
    return simulation, robot, flight, np.array(forces)


# Free flight


@pytest.mark.parametrize("kind", ["ductedfan", *(pytest.param(kind, marks=pytest.mark.slow) for kind in CRAFTS[1:])])
def test_every_prototype_hovers_goes_and_turns(kind):
    simulation, robot, flight = make(kind)
    simulation.run(300)
    assert robot.p_WB == pytest.approx([0, 0, 5], abs=0.03)
    assert flight.lift == pytest.approx(flight.gains["mass"][0] * GRAVITY / robot.X_WB[0, 2, 2], rel=0.01)
    simulation.command("a", Pose([1.0, 0.5, 5.5], 1.0))
    simulation.run(900)
    assert robot.p_WB == pytest.approx([1.0, 0.5, 5.5], abs=0.03)
    assert euler_from_quat(robot.q_WB_wxyz)[2] == pytest.approx(1.0, abs=0.02)


def test_the_observer_holds_the_place_in_wind():
    simulation, robot, flight = make(more="wind: {steady: [4, 0, 0]}")
    simulation.run(800)
    assert robot.p_WB == pytest.approx([0, 0, 5], abs=0.02)
    drag = 0.5 * 1.225 * 0.06 * 4.0**2
    assert flight.memory["force_W"][0, 0] == pytest.approx(drag, rel=0.25)


def test_velocities_of_a_joystick_move_the_same_reference():
    simulation, robot, _ = make()
    simulation.command("a", Velocity([0.5, 0.0, 0.2]))
    simulation.run(400)
    assert robot.v_WB_W == pytest.approx([0.5, 0.0, 0.2], abs=0.03)
    for _ in range(300):
        # A stick is told over and over
        simulation.command("a", BodyVelocity([0.4, 0.0, 0.0], 0.3))
        simulation.step()
    yaw = euler_from_quat(robot.q_WB_wxyz)[2]
    assert robot.v_WB_W[:2] == pytest.approx([0.4 * math.cos(yaw), 0.4 * math.sin(yaw)], abs=0.08)
    assert robot.w_WB_W[2] == pytest.approx(0.3, abs=0.03)


def test_a_stick_that_pushes_into_a_wall_never_draws_the_spring_further_than_its_most():
    simulation, robot, flight = make(world=BOILER, p=(3.25, 0, 5))
    for _ in range(700):
        simulation.command("a", Velocity([0.4, 0, 0], yaw=0.0))
        simulation.step()
    most, g = flight.craft.control.most_force, flight.gains[0]
    limit = most * g["stiffness"][0] / g["stiffness"][2] + g["damping"][0] * 0.4
    assert 0.5 < load(robot) <= 1.02 * limit


def test_attitude_and_effort_are_given_as_told():
    simulation, robot, flight = make()
    weight, most = flight.gains["mass"][0] * GRAVITY, flight.craft.fans[0].most_thrust
    simulation.command("a", Attitude([math.cos(0.05), 0, math.sin(0.05), 0], weight / most / math.cos(0.1)))
    simulation.run(60)
    assert euler_from_quat(robot.q_WB_wxyz)[1] == pytest.approx(0.1, abs=0.01)
    simulation.command("a", Effort([0, 0, weight], [0.0, 0.0, 0.0]))
    simulation.run(100)
    assert flight.lift == pytest.approx(weight, rel=0.02)
    with pytest.raises(CommandError, match="Dock"):
        simulation.command("a", Rates([0, 0, 0], 0.5))


# Touch


@pytest.mark.parametrize("law", ["hunt_crossley", "spring_damper", "virtual_mass"])
def test_docking_settles_at_the_set_force_and_never_bounces_off(law):
    _, robot, flight, forces = docked(law=law)
    first = int(np.argmax(forces > 0.0))
    assert first > 0 and (forces[first:] > 0.0).all()
    assert forces[-200:] == pytest.approx(np.full(200, 3.0), rel=0.02)
    assert np.linalg.norm(robot.v_WB_W) < 0.01
    assert flight.level == _native.craft.Level.FLY


@pytest.mark.parametrize("force", [3.0, pytest.param(5.0, marks=pytest.mark.slow)])
def test_pushing_a_wall_needs_a_pitch_of_asin_force_over_thrust(force):
    simulation, robot, flight, _ = docked(force=force, seconds=1.0)
    # Without the wall's own pull, which helps
    flight.surfaces.nearness = replace(flight.craft.nearness, wall=0.0)
    pitch, lift = [], []
    for k in range(800):
        simulation.step()
        if k >= 700:
            pitch.append(euler_from_quat(robot.q_WB_wxyz)[1])
            lift.append(flight.lift)
    assert load(robot) == pytest.approx(force, rel=0.02)
    assert np.mean(pitch) == pytest.approx(math.asin(force / np.mean(lift)), rel=0.02)


def test_the_pull_of_the_wall_is_taken_off_the_push():
    _, robot, flight, forces = docked()
    assert forces[-1] == pytest.approx(3.0, rel=0.005)
    pull = float((robot.X_WB[0, :, :3] @ (flight.thrust @ flight.surfaces.pull))[0])
    assert pull > 0.02
    pitch = euler_from_quat(robot.q_WB_wxyz)[1]
    assert pitch == pytest.approx(math.asin((3.0 - pull) / flight.lift), rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("kind", CRAFTS[1:])
def test_other_prototypes_dock_too(kind):
    *_, forces = docked(kind, force=4.0, seconds=16.0)
    first = int(np.argmax(forces > 0.0))
    assert (forces[first:] > 0.0).all()
    assert forces[-100:] == pytest.approx(np.full(100, 4.0), rel=0.02)


def test_the_force_sensor_at_the_tool_reads_the_push():
    simulation, *_ = docked()
    force = simulation.sensors["a"]["wrench"].latest.data["force"]
    # And the weight of the arm, as a real one
    assert force == pytest.approx([-3.0, 0.0, -0.25 * GRAVITY], abs=0.1)


def test_it_slides_along_the_wall_and_keeps_pressing():
    simulation, robot, _, _ = docked(seconds=5.0)
    forces = []
    for k in range(500):
        y = 0.06 * min(k / 100, 4.0)
        simulation.command("a", Dock([4.8, y, 5], [1, 0, 0], 3.0, 0.15, yaw=0.0))
        simulation.step()
        forces.append(load(robot))
    assert min(forces) > 0.0 and robot.p_WB[1] == pytest.approx(0.24, abs=0.08)
    assert forces[100:] == pytest.approx(np.full(400, 3.0), rel=0.02)


# With a delta arm


def tip_W(robot):
    return ToolTip(robot).p_WT


def with_arm(place_D, force=2.0, seconds=6.5):
    """A craft whose delta arm was told a place before it docks at y = 0.1, z = 5."""
    simulation, robot, flight = make("deltaquad", BOILER, (3.2, 0, 5))
    simulation.command("a", Reach(place_D))
    simulation.run(100)
    simulation.command("a", Dock([4.4, 0.1, 5], [1, 0, 0], force, 0.15, yaw=0.0))
    simulation.run(round(100 * seconds))
    return simulation, robot, flight


def pressed(robot):
    return -sum(c.impulse_W[0] for c in robot.contacts if c.body == "delta_tip") / 0.01


@pytest.mark.parametrize("aside", [(0.0, 0.0), pytest.param((-0.04, 0.05), marks=pytest.mark.slow)])
def test_a_dock_brings_the_tip_of_a_moved_arm_to_its_place(aside):
    # D's x is down, its y is left, its z is ahead
    simulation, robot, flight = with_arm([aside[0], aside[1], 0.30])
    assert robot.contacts and pressed(robot) == pytest.approx(2.0, rel=0.02)
    # Friction holds the tip against a spring of 10 N/m to the sides: 0.2 N, 2 cm
    assert tip_W(robot)[1:] == pytest.approx([0.1, 5.0], abs=0.025)
    assert {c.body for c in robot.contacts} == {"delta_tip"}, "the law of the tool is all that it feels"
    before = robot.p_WB.copy()
    # The arm moves while it is docked: the craft gives way, the tip stays, and so does the force
    simulation.command("a", Reach([aside[0], aside[1] - 0.05, 0.33]))
    forces = []
    for _ in range(350):
        simulation.step()
        forces.append(pressed(robot))
    assert min(forces) > 0.0 and forces[-1] == pytest.approx(2.0, rel=0.02)
    assert tip_W(robot)[1:] == pytest.approx([0.1, 5.0], abs=0.025)
    back, left, up = robot.p_WB - before
    assert back == pytest.approx(-0.03, abs=0.005) and left == pytest.approx(0.05, abs=0.025) and abs(up) < 0.02
    assert flight.reach == pytest.approx([0.13 + 0.33, aside[1] - 0.05, -0.02 - aside[0]], abs=1e-9)


# Safety


def test_a_controller_that_dies_in_contact_leaves_it_to_retreat_and_hover():
    simulation, robot, flight, _ = docked(extra=", motion: {deadline: 0.2}", seconds=0.05)
    # It lives: the same word, over and over
    for _ in range(700):
        simulation.command("a", Dock([4.8, 0, 5], [1, 0, 0], 3.0, 0.15, yaw=0.0))
        simulation.step()
    assert load(robot) == pytest.approx(3.0, rel=0.02) and not flight.safe
    pressed = robot.p_WB.copy()
    simulation.run(19)
    assert not flight.safe
    simulation.run(2)
    assert flight.safe
    simulation.run(500)
    assert not robot.contacts
    assert robot.p_WB == pytest.approx(pressed - [flight.craft.safety.retreat, 0, 0], abs=0.05)
    assert np.linalg.norm(robot.v_WB_W) < 0.02
    simulation.command("a", Pose([2.5, 0.0, 5.0], 0.0))
    assert not flight.safe


def test_a_late_controller_in_free_flight_leaves_it_to_hover_where_it_is():
    simulation, robot, flight = make(extra=", motion: {deadline: 0.1}")
    simulation.run(100)
    assert not flight.safe
    simulation.command("a", Velocity([1.0, 0, 0]))
    simulation.run(8)
    simulation.command("a", Velocity([1.0, 0, 0]))
    simulation.run(8)
    assert not flight.safe
    simulation.run(400)
    assert flight.safe and np.linalg.norm(robot.v_WB_W) < 0.02 and robot.p_WB[0] < 0.5


def test_a_deadline_is_for_crafts_only():
    with pytest.raises(RobotError, match="deadline"):
        Simulation(read_scenario("world: empty\nrobots: {a: {type: skid, motion: {deadline: 0.1}}}"))


# The contract


def test_snapshots_in_contact_go_on_with_the_same_bytes():
    simulation, *_ = docked(seconds=3.0)
    state = decode(encode(simulation.state()))

    def on(run):
        run.run(60)
        return run.state_hash()

    ahead = on(simulation)
    other, *_ = make("ductedfan", BOILER, (3.25, 0, 5))
    other.restore(state)
    assert on(other) == ahead


def test_a_teleport_ends_what_it_was_told():
    simulation, robot, _, _ = docked(seconds=4.0)
    simulation.place("a", np.array([0.0, 0.0, 3.0]), np.array([1.0, 0, 0, 0]))
    simulation.run(300)
    assert robot.p_WB == pytest.approx([0, 0, 3], abs=0.05)


def test_fans_and_vanes_are_seen_to_turn():
    simulation, robot, flight = make()
    simulation.run(100)
    before = robot.joint_positions[robot.description.joint("spin")]
    simulation.run(1)
    joints = {j.name: robot.joint_positions[i] for i, j in enumerate(robot.description.joints)}
    speed = flight.craft.fans[0].speed * math.sqrt(flight.thrust[0] / flight.craft.fans[0].most_thrust)
    assert math.cos(joints["spin"] - before - 0.01 * speed) == pytest.approx(1.0, abs=1e-6)
    assert [joints[f"turn_{i}"] for i in range(1, 9)] == pytest.approx(flight.angle.tolist())
    assert robot.power > 50.0
