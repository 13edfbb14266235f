"""The SARL report's two behaviours: each branch of the tree, its numbers, and its known weaknesses."""

import numpy as np
import pytest

from volery.agents.events import (
    Assigned,
    Delivered,
    KinematicsPerception,
    LidarPerception,
    Notice,
    PosePerception,
    Returned,
    StatePerception,
)
from volery.agents.influences import MoveByVelocity, RotateToYaw, Takeoff
from volery.agents.reactive import ReachLocation, ReachLocationAmongDrones
from volery.agents.sliding import sliding_force
from volery.core.frames import quat_from_euler

BASE, TARGET = np.zeros(3), np.array([30.0, 40.0, 0.0])
CRUISE = 2.75
"""A height above theirs of 2.7 m [m]."""


def agent_at(p, yaw=0.0, kind=ReachLocation, points=(), v=(0, 0, 0)):
    """One past its takeoff, with a target."""
    agent = kind("a", BASE)
    agent.hear(Assigned(TARGET))
    feel(agent, p, yaw, points, v)
    agent.decide(0.0)
    assert isinstance(agent.wishes.pop(), Takeoff)
    return agent


def feel(agent, p, yaw=0.0, points=(), v=(0, 0, 0)):
    agent.hear(StatePerception(0, False, False, False))
    agent.hear(LidarPerception(0, np.array(points, float).reshape(-1, 3)))
    agent.hear(PosePerception(0, np.array(p, float), quat_from_euler(np.array([0.0, 0.0, yaw]))))
    agent.hear(KinematicsPerception(0, np.array(v, float), np.zeros(3)))


def decide(agent, now=6.0):
    agent.decide(now)
    assert len(agent.wishes) == 1
    return agent.wishes.pop()


def test_for_five_seconds_after_the_takeoff_it_waits():
    agent = agent_at([0, 0, 2])
    agent.decide(4.0)
    assert agent.wishes == []


def test_below_its_height_it_ascends_at_six_metres_a_second():
    move = decide(agent_at([0, 0, 2.6]))
    assert isinstance(move, MoveByVelocity) and move.duration == 1.0
    assert move.v_W == pytest.approx([0, 0, 6])


def test_it_turns_its_tail_to_the_target_before_it_goes():
    turn = decide(agent_at([0, 0, CRUISE]))
    assert isinstance(turn, RotateToYaw)
    assert turn.yaw == pytest.approx(np.arctan2(-40, -30))
    move = decide(agent_at([0, 0, CRUISE], yaw=turn.yaw + 0.03))
    assert move.v_W == pytest.approx([6 * 30 / 70, 6 * 40 / 70, 0]), "six in sum, not in length"


def test_near_the_target_it_slows_to_one_metre_a_second():
    p = TARGET + [-3.0, -4.0, CRUISE]
    assert decide(agent_at(p, yaw=np.arctan2(-4, -3))).v_W == pytest.approx([3 / 7, 4 / 7, 0])


def test_any_points_make_it_flee_from_their_mean():
    points = [[3, 0, CRUISE], [5, 0, CRUISE], [4, 4, CRUISE - 1], [4, -4, CRUISE + 1]]
    move = decide(agent_at([0, 0, CRUISE], points=points))
    assert move.v_W == pytest.approx([-9, 0, 0])


def test_weakness_things_on_both_sides_look_like_one_below():
    points = [[0, 4, CRUISE], [0, -4, CRUISE], [0, 0.1, CRUISE - 3]]
    assert decide(agent_at([0, 0, CRUISE], points=points)).v_W[:2] == pytest.approx([0, -0.29], abs=0.01)


def test_weakness_a_heading_across_the_wrap_is_never_right():
    agent = agent_at([0, 0, CRUISE])
    agent.errands[0] = np.array([50.0, 0.05, 0.0])
    feel(agent, [0, 0, CRUISE], yaw=np.pi - 0.001)
    turn = decide(agent)
    assert isinstance(turn, RotateToYaw)
    assert turn.yaw == pytest.approx(-np.pi, abs=0.01), "0.1° off, and still it turns"


def test_it_lands_delivers_goes_back_and_says_so():
    agent = agent_at([30.5, 39.5, 3])
    assert decide(agent).v_W == pytest.approx([0, 0, -6])
    feel(agent, [30.5, 39.5, 0.6])
    assert decide(agent).v_W == pytest.approx(np.zeros(3))
    (said,) = agent.words
    assert isinstance(said, Delivered) and (said.target_W == TARGET).all()
    assert decide(agent).v_W == pytest.approx([0, 0, 6]), "up again"
    agent.words.clear()
    feel(agent, [0.5, -0.5, 0.6])
    decide(agent)
    assert isinstance(agent.words[0], Returned)
    agent.decide(9.0)
    assert agent.wishes == [], "without an errand it stays"


def test_the_first_behaviour_knows_nothing_of_others_and_the_second_does():
    yaw = np.arctan2(-40, -30)
    for kind, avoids in ((ReachLocation, False), (ReachLocationAmongDrones, True)):
        agent = agent_at([0, 0, CRUISE], yaw, kind, v=(2.5, 3.4, 0))
        agent.hear(Notice("b", np.array([6.0, 8.1, CRUISE + 0.2]), np.array([-2.5, -3.3, 0.0])))
        decide(agent)
        assert (agent.doing == "avoids a drone") == avoids
        agent.introduce()
        assert len(agent.words) == avoids


def test_sliding_goes_aside_towards_the_target_and_away_in_height():
    # Head on, the target a little to the left, the other 0.5 m higher.
    force = sliding_force(
        np.zeros(3),
        np.array([3.0, 0, 0]),
        np.array([50.0, 10, 0]),
        [np.array([8.0, 0, 0.5])],
        [np.array([-3.0, 0.1, 0])],
    )
    assert force[1] > 1.0
    assert force[2] < -0.3


def test_sliding_is_nothing_for_who_passes_by_or_is_behind():
    still, east = np.zeros(3), np.array([50.0, 0, 0])
    far = sliding_force(still, np.array([3.0, 0, 0]), east, [np.array([8.0, 9, 0])], [np.array([3.0, 0.5, 0])])
    behind = sliding_force(still, np.array([3.0, 0, 0]), east, [np.array([-8.0, 0.2, 1])], [np.array([-3.0, 0.1, 0])])
    assert far == pytest.approx(np.zeros(3)) and behind == pytest.approx(np.zeros(3))


def test_weakness_two_who_stand_still_or_fly_level_do_not_see_each_other():
    still, ahead = np.zeros(3), np.array([1.0, 0, 0])
    assert sliding_force(still, still, 50 * ahead, [ahead], [still]) == pytest.approx(np.zeros(3))
    level = sliding_force(still, 3 * ahead, 50 * ahead + [0, 9, 0], [8 * ahead], [-3 * ahead + [0, 0.1, 0]])
    assert level == pytest.approx(np.zeros(3)), "equal heights give NaN, which is left out"


def test_weakness_the_push_in_height_has_no_bound():
    force = sliding_force(
        np.zeros(3),
        np.array([3.0, 0, 0]),
        np.array([50.0, 10, 0]),
        [np.array([0.6, 0, 0.3])],
        [np.array([-3.0, 0.1, 0])],
    )
    assert force[2] < -40.0
