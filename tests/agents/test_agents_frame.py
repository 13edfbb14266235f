"""Bodies, influences and the controller with its two strategies."""

import threading
import time

import numpy as np
import pytest

from agents_rig import Flight, empty_world
from volery.agents.agent import Agent, heading
from volery.agents.asking import AskingBody
from volery.agents.body import Body
from volery.agents.controller import Controller, FixedStep, RealTime
from volery.agents.courier import Courier
from volery.agents.events import Delivered, KinematicsPerception, Notice, PosePerception, StatePerception
from volery.agents.influences import Land, MoveByVelocity, RotateToYaw, Takeoff
from volery.agents.simulated import SimulatedBody
from volery.core.clock import SECOND
from volery.errors import CommandError, SimulationError
from volery.loop import Loop, RealTimePace

# Bodies


@pytest.fixture
def body():
    simulation = empty_world()
    simulation.spawn(
        "drone1", {"type": "simpleflight", "position": [0, 0, 0.1405], "sensors": {"lidar": Courier.lidar}}
    )
    made = SimulatedBody(simulation, "drone1")
    simulation.controllers.append(lambda s: made.control())
    return made


def fly(body, seconds):
    body._simulation.run(round(seconds / 0.02))
    return body.robot


def test_a_body_takes_off_moves_turns_lands_and_stops_its_motors(body):
    body.apply(Takeoff())
    assert fly(body, 4.0).p_WB == pytest.approx([0, 0, 2.14], abs=0.15)
    body.apply(MoveByVelocity([2.0, -1.0, 0.5], 2.0))
    assert fly(body, 1.9).v_WB_W == pytest.approx([2.0, -1.0, 0.5], abs=0.15)
    robot = fly(body, 3.0)
    assert np.linalg.norm(robot.v_WB_W) < 0.05, "after its time a body stays"
    before = robot.p_WB.copy()
    body.apply(RotateToYaw(2.5))
    robot = fly(body, 5.0)
    assert heading(robot.q_WB_wxyz) == pytest.approx(2.5, abs=0.06)
    assert robot.p_WB == pytest.approx(before, abs=0.2)
    body.apply(Land())
    assert not body.perceive()[0].landed
    robot = fly(body, 9.0)
    assert body.perceive()[0].landed
    assert robot.p_WB[2] == pytest.approx(0.136, abs=0.01)
    assert robot.joint_velocities == pytest.approx(np.zeros(4))


def test_perceptions_are_state_lidar_pose_and_kinematics_of_now(body):
    body.apply(Takeoff())
    robot = fly(body, 2.0)
    state, lidar, pose, kinematics = body.perceive()
    assert state.now_ns == pose.now_ns == 2 * SECOND
    assert not state.landed and not state.broken
    assert (pose.p_WB == robot.p_WB).all() and (kinematics.v_WB_W == robot.v_WB_W).all()
    assert len(lidar.points_W) > 50, "the ground"
    assert lidar.points_W[:, 2] == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("v", [[np.nan, 0, 0], [1, 2], [np.inf, 0, 0]])
def test_an_influence_that_cannot_be_is_refused(v):
    with pytest.raises(CommandError, match="MoveByVelocity"):
        MoveByVelocity(v, 1.0)


def test_a_duration_or_an_angle_that_cannot_be_is_refused():
    with pytest.raises(CommandError, match="> 0 s"):
        MoveByVelocity([0, 0, 0], 0.0)
    with pytest.raises(CommandError, match="RotateToYaw"):
        RotateToYaw(np.nan)


def test_a_body_needs_a_multirotor_and_a_lidar_in_the_worlds_frame():
    simulation = empty_world()
    simulation.spawn("car", {"type": "probe", "position": [0, 0, 1]})
    with pytest.raises(SimulationError, match="fleet"):
        SimulatedBody(simulation, "car", "")
    simulation.spawn("drone1", {"type": "simpleflight", "sensors": {"lidar": {"type": "lidar"}}})
    with pytest.raises(SimulationError, match="frame: world"):
        SimulatedBody(simulation, "drone1")


# The controller


class Puppet(Body):
    """Feels nothing new and notes what it is to do."""

    def __init__(self, name, log, seconds=0.0):
        super().__init__(name)
        self._log, self._seconds = log, seconds

    def perceive(self):
        time.sleep(self._seconds)
        self._log.append(("perceive", self.name))
        zero = np.zeros(3)
        return [
            StatePerception(0, False, False, False),
            PosePerception(0, zero, np.array([1.0, 0, 0, 0])),
            KinematicsPerception(0, zero, zero),
        ]

    def apply(self, influence):
        self._log.append(("apply", self.name))


class Chatty(Agent):
    """Tells its place, hears the others, and always moves."""

    period = 0.2

    def __init__(self, name, log):
        super().__init__(name, np.zeros(3))
        self._log = log

    def introduce(self):
        self.words.append(Notice(self.name, self.pose.p_WB, self.kinematics.v_WB_W))

    def decide(self, now):
        self._log.append(("decide", self.name, sorted(self.others)))
        self.wishes.append(MoveByVelocity([1, 0, 0], 1.0))
        self.words.append(Delivered(self.name, np.zeros(3)))


def test_a_cycle_is_perceive_tell_decide_apply_for_all_at_once():
    log, heard = [], []
    controller = Controller([Chatty("a", log), Chatty("b", log)], [Puppet("b", log), Puppet("a", log)])
    controller.hearers.append(lambda e: heard.append((type(e).__name__, e.sender)))
    controller.cycle(0)
    assert log == [
        ("perceive", "a"), ("perceive", "b"), ("decide", "a", ["b"]), ("decide", "b", ["a"]), ("apply", "a"),
        ("apply", "b"),
    ]  # fmt: skip
    assert heard == [("Notice", "a"), ("Notice", "b"), ("Delivered", "a"), ("Delivered", "b")]
    log.clear()
    controller.cycle(SECOND // 10)
    assert [entry[0] for entry in log] == ["perceive", "perceive"], "their period is 0.2 s"
    controller.cycle(SECOND // 5)
    assert sum(entry[0] == "decide" for entry in log) == 2


def test_agents_and_bodies_must_match():
    with pytest.raises(SimulationError, match="one body of the same name"):
        Controller([Chatty("a", [])], [Puppet("b", [])])


class Counting:
    """A world whose clock moves only when told."""

    def __init__(self):
        self.now_ns = 0

    def advance(self, seconds):
        self.now_ns += round(seconds * SECOND)


def test_fixed_step_waits_for_agents_however_slow_they_are():
    log, world = [], Counting()
    controller = Controller([Chatty("a", log)], [Puppet("a", log, seconds=0.03)])
    FixedStep(controller, world, 0.01).run(0.1)
    assert world.now_ns == SECOND // 10
    assert sum(e == ("perceive", "a") for e in log) == 10, "none is left out"


def test_real_time_leaves_out_what_is_late_and_counts_it():
    log, began = [], time.monotonic()
    controller = Controller([Chatty("a", log)], [Puppet("a", log, seconds=0.05)])
    real = RealTime(controller, lambda: int((time.monotonic() - began) * SECOND), 0.02)
    real.start()
    time.sleep(0.6)
    real.stop()
    done = sum(e == ("perceive", "a") for e in log)
    assert 3 <= done <= 14
    assert real.late >= done


def test_an_agent_that_fails_in_real_time_is_told_at_the_end():
    class Bad(Chatty):
        def decide(self, now):
            raise ValueError("no idea")

    real = RealTime(Controller([Bad("a", [])], [Puppet("a", [])]), lambda: 0, 0.01)
    real.start()
    time.sleep(0.1)
    with pytest.raises(SimulationError, match="no idea"):
        real.stop()


def test_fixed_step_repeats_to_the_last_bit():
    def run():
        flight = Flight(empty_world([(8, 1, 0, 1, 6, 9)]), Courier, [((0, 0), (16, 0)), ((0, 3), (14, -2))])
        flight.run(14)
        return flight.simulation.state_hash()

    assert run() == run()


def test_agents_in_real_time_fly_a_simulation_that_goes_on():
    simulation = empty_world()
    data = {"type": "simpleflight", "position": [0, 0, 0.1405], "sensors": {"lidar": Courier.lidar}}
    simulation.spawn("drone1", data)
    inner = SimulatedBody(simulation, "drone1")
    simulation.controllers.append(lambda s: inner.control())
    agent = Courier("drone1", np.zeros(3))
    agent.errands.append(np.array([8.0, 2.0, 0.0]))
    controller, said = Controller([agent], [AskingBody(simulation, inner)]), []
    controller.hearers.append(lambda e: isinstance(e, Notice) or said.append(type(e).__name__))
    loop = Loop(simulation, RealTimePace(2.0))
    runner = threading.Thread(target=loop.run, daemon=True)
    real = RealTime(controller, lambda: simulation.clock.now_ns, 0.05)
    runner.start()
    real.start()
    end = time.monotonic() + 120.0
    while "Returned" not in said and time.monotonic() < end:
        time.sleep(0.05)
    real.stop()
    loop.stop()
    runner.join(timeout=10)
    assert said == ["Delivered", "Returned"]
    assert simulation.robots["drone1"].p_WB[:2] == pytest.approx([0, 0], abs=0.5)
