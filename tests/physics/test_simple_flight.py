"""AirSim's autopilot, SimpleFlight, in the fleet's kernels: steps at each of its levels against an integration of its
published
equations by itself (simple_flight_rig)."""

import math

import numpy as np
import pytest

from simple_flight_rig import DT, RATE, THRUST, Quad
from volery.core.frames import quat_from_euler
from volery.errors import RobotError
from volery.physics.multirotor.parameters import airframe_of
from volery.robots.commands import Attitude, Pose, Rates, Velocity
from volery.robots.kinds.multirotor import Multirotor
from volery.scenario import read_scenario
from volery.sim import Simulation

WORLD = "world: {type: empty, ground: false}\nseed: 1\nstep: 0.003\nengines: {fleet: {step: 0.003}}\n"
HIGH = 4.0


class Flown:
    """A drone of ours, told as AirSim tells it: north is our y, east our x."""

    def __init__(self, tilted=False, v=(0.0, 0.0, 0.0)):
        self.simulation = Simulation(read_scenario(WORLD, name="simple_flight"))
        self.simulation.spawn("d", {"type": "airsim_quad", "position": [0, 0, HIGH], "attitude_deg": [0, 0, 90]})
        self.robot = self.simulation.robot("d")
        if tilted:
            self.simulation.set("robots.d.multirotor.simple_flight.tilted_axes", True)
        v_W = np.array([v[1], v[0], -v[2]])
        self.simulation.place("d", self.robot.p_WB, self.robot.q_WB_wxyz, v_W, np.zeros(3))

    def step(self, command):
        self.simulation.command("d", command)
        self.simulation.step()
        (x, y, z), (u, v, w) = self.robot.p_WB, self.robot.v_WB_W
        return np.array([y, x, -z, v, u, -w])


def curves(flown, command, quad, goal, seconds):
    """Places and velocities of both, [n, 6] each; `goal` tells the reference its controls."""
    ours, theirs = [], []
    for _ in range(round(seconds / DT)):
        ours.append(flown.step(command))
        quad.step(goal(quad))
        theirs.append([*quad.p, *quad.v])
    return np.array(ours), np.array(theirs)


def test_a_step_of_velocity():
    ours, theirs = curves(Flown(), Velocity([0, 5.0, 0]), Quad(HIGH), lambda q: q.to_velocity([5.0, 0, 0]), 5.0)
    assert 4.7 < theirs[-1, 3] < 4.95, "a proportional loop stays behind"
    assert np.abs(ours - theirs)[:, 3:].max() < 0.05 and np.abs(ours - theirs)[:, :3].max() < 0.05


@pytest.mark.parametrize("tilted", [False, True])
def test_a_step_to_12_m_s(tilted):
    ours, theirs = curves(
        Flown(tilted), Velocity([0, 12.0, 0]), Quad(HIGH, tilted), lambda q: q.to_velocity([12.0, 0, 0]), 4.0
    )
    assert np.abs(ours - theirs)[:, :3].max() < 0.12, "the same way"
    assert np.abs(ours - theirs)[:, 3:].max() < 0.12, "and velocity"
    leap = -(ours[:, 2] + HIGH).min()
    assert leap > 2.0 if tilted else abs(leap) < 0.1, "only axes that tilt make it leap"
    sag = (ours[:, 2] + HIGH).max()
    assert tilted or sag < 0.25


def test_a_step_of_position_overshoots_as_airsims():
    goal = np.array([3.0, 0.0, -HIGH - 2.0])
    ours, theirs = curves(
        Flown(), Pose([0, 3.0, HIGH + 2.0], math.pi / 2), Quad(HIGH), lambda q: q.to_position(goal, 0.0), 7.0
    )
    assert 3.1 < theirs[:, 0].max() < 4.0, "its loops are loose"
    assert np.abs(ours - theirs)[:, :3].max() < 0.06


def test_a_step_of_heading():
    flown, quad = Flown(), Quad(HIGH)
    worst = most = 0.0
    for _ in range(round(2.5 / DT)):
        flown.step(Pose([0, 0, HIGH], math.pi / 2 - 1.2))
        quad.step(quad.to_position([0, 0, -HIGH], 1.2))
        w, x, y, z = flown.robot.q_WB_wxyz
        yaw = math.pi / 2 - math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        worst, most = max(worst, abs(yaw - quad.angles[2])), max(most, yaw)
    assert most > 1.25, "it overshoots"
    assert worst < 0.02


def test_a_step_of_roll_and_pitch():
    flown, quad, throttle = Flown(), Quad(HIGH), 0.7
    # Nose up by 0.3, right side down by 0.2, in AirSim's axes; ours turn about forward, left, up
    q = quat_from_euler(np.array([0.2, -0.3, math.pi / 2]))
    worst = 0.0
    for _ in range(round(1.5 / DT)):
        ours = flown.step(Attitude(q, throttle))
        quad.step(quad.to_angles(0.2, 0.3, 0.0, throttle))
        worst = max(worst, np.abs(ours - [*quad.p, *quad.v]).max())
    assert quad.angles[:2] == pytest.approx([0.2, 0.3], abs=0.02) and worst < 0.05


def test_a_step_of_body_rates():
    flown, quad = Flown(), Quad(HIGH)
    rates = []
    for _ in range(round(0.5 / DT)):
        flown.step(Rates([0.0, 0.0, -1.0], 0.6))
        quad.step(quad.to_rates([0.0, 0.0, 1.0], 0.6))
        rates.append([-flown.robot.w_WB_W[2], quad.w[2]])
    rates = np.array(rates)
    assert np.abs(rates[:, 0] - rates[:, 1]).max() < 0.02 and 0.8 < rates[-1, 1] < 1.0


def test_braking_from_15_m_s_to_a_place():
    v = (15.0, 0.0, 0.0)
    ours, theirs = curves(
        Flown(v=v), Pose([0, 0, HIGH], math.pi / 2), Quad(HIGH, v=v), lambda q: q.to_position([0, 0, -HIGH], 0.0), 6.0
    )
    assert np.abs(ours - theirs)[:, :2].max() < 0.15


def test_a_drone_is_as_strong_as_airsims():
    flown = Flown()
    frame = airframe_of(flown.robot)
    assert frame.mass == pytest.approx(1.0, abs=1e-3)
    assert np.diag(frame.inertia) == pytest.approx([0.00672, 0.00804, 0.01428], rel=0.05)
    assert frame.effect[2].sum() * frame.most_rpm**2 == pytest.approx(4 * THRUST, rel=1e-6)


def test_gains_are_tuned_one_by_one():
    flown = Flown()
    flown.simulation.set("robots.d.multirotor.simple_flight.level.kp", [1.0, 1.0, 1.0])
    for _ in range(20):
        flown.step(Attitude(quat_from_euler(np.array([0.3, 0.0, math.pi / 2])), 0.587))
    soft = flown.robot.w_WB_W[1]
    stiff = Flown()
    for _ in range(20):
        stiff.step(Attitude(quat_from_euler(np.array([0.3, 0.0, math.pi / 2])), 0.587))
    assert 0.0 < soft < 0.6 * stiff.robot.w_WB_W[1] < RATE


def test_idling_motors_are_refused():
    with pytest.raises(RobotError, match="idle_rpm must be 0"):
        Multirotor(
            rotors=tuple({"spin": s, "position": [0.1, 0.1, 0.0]} for s in ("cw", "ccw", "cw", "ccw")), most_thrust=4.0,
            idle_rpm=100.0, simple_flight={},
        )  # fmt: skip
