"""Driving: wheel speeds, and steering of an ideal unicycle to points, along paths and at velocities."""

from itertools import pairwise

import numpy as np
import pytest

from volery.core.frames import euler_from_quat, quat_from_euler
from volery.errors import CommandError, RobotError, ScenarioError
from volery.physics.driving import Driver
from volery.physics.motion import Follower, Motion
from volery.robots.commands import BodyVelocity, Pose, Velocity
from volery.robots.kinds.drive import Drive, bearing
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario

DT = 0.01


def make_drive(**changes):
    return Drive(**{"left": ["l"], "right": ["r"], "radius": 0.1, "track": 0.4, "top_speed": 2.0, **changes})


def make_driver(motion=None, kind="diff"):
    file = load_robot_file(kind)
    robot = Robot("ugv", file.description(), file)
    return Driver(robot, file.drive, motion)


def roll(driver, seconds):
    """An ideal robot: its wheels turn exactly as told and nothing slides. Path of the root [n, 3], the last is yaw."""
    robot, drive, track = driver.robot, driver.drive, []
    for _ in range(int(seconds / DT)):
        speeds = driver.joints(DT).velocities
        for joint, speed in speeds.items():
            robot.joint_velocities[robot.description.joint(joint)] = speed
        v, rate = drive.motion(speeds[drive.left[0]], speeds[drive.right[0]])
        yaw = euler_from_quat(robot.q_WB_wxyz)[2]
        p = robot.p_WB + DT * v * np.array([np.cos(yaw + rate * DT / 2), np.sin(yaw + rate * DT / 2), 0.0])
        robot.set_pose(p, quat_from_euler(np.array([0.0, 0.0, yaw + rate * DT])))
        track.append([p[0], p[1], yaw + rate * DT])
    return np.array(track)


# Wheels


def test_wheel_speeds_of_straight_and_turn():
    drive = make_drive()
    assert drive.wheel_speeds(0.5, 0.0) == pytest.approx({"l": 5.0, "r": 5.0})
    assert drive.wheel_speeds(0.0, 1.0) == pytest.approx({"l": -2.0, "r": 2.0}), "to the left: the right wheel ahead"
    skid = make_drive(kind="skid", scrub=1.5, left=["a", "b"], right=["c", "d"])
    assert skid.wheel_speeds(0.0, 1.0) == pytest.approx({"a": -3.0, "b": -3.0, "c": 3.0, "d": 3.0})


@pytest.mark.parametrize("v", [-0.6, 0.0, 0.4])
@pytest.mark.parametrize("yaw_rate", [-1.1, 0.0, 0.7])
def test_motion_is_the_inverse_of_wheel_speeds(v, yaw_rate):
    drive = make_drive(kind="skid", scrub=1.7)
    speeds = drive.wheel_speeds(v, yaw_rate)
    assert drive.motion(speeds["l"], speeds["r"]) == pytest.approx((v, yaw_rate))


def test_beyond_top_speed_the_curve_stays():
    drive = make_drive()
    slow, fast = drive.wheel_speeds(1.0, 1.0), drive.wheel_speeds(10.0, 10.0)
    assert max(fast.values()) == pytest.approx(20.0)
    assert fast["l"] / fast["r"] == pytest.approx(slow["l"] / slow["r"])


def test_nothing_wanted_is_nothing_told():
    assert make_drive().wheel_speeds(0.0, 0.0) == {"l": 0.0, "r": 0.0}


def test_broken_blocks_are_refused():
    with pytest.raises(RobotError, match="both sides"):
        make_drive(right=["l"])
    with pytest.raises(RobotError, match="left and on the right"):
        make_drive(left=[])
    with pytest.raises(RobotError, match="does not scrub"):
        make_drive(scrub=1.2)
    with pytest.raises(ScenarioError, match="must be greater than 0"):
        make_drive(radius=0.0)


def test_a_wheel_that_the_model_does_not_have_is_named(tmp_path):
    text = load_robot_file("diff").source
    models = text.rsplit("/", 1)[0]
    (tmp_path / "bad.yaml").write_text(
        f"model: {models}/diff.xml\ndrive: {{left: [roll_l], right: [rol_r], radius: 0.1, track: 0.3}}\n"
    )
    with pytest.raises(ScenarioError, match=r"rol_r.*did you mean 'roll_r'"):
        read_scenario("robots: {ugv: {type: bad.yaml, physics: kinematic}}", folder=tmp_path)


# Steering


def test_bearing():
    assert bearing(np.zeros(3), 0.0, np.array([0.0, 2.0, 5.0])) == pytest.approx((2.0, np.pi / 2))
    assert bearing(np.zeros(3), np.pi, np.array([1.0, -1e-9, 0.0]))[1] == pytest.approx(np.pi, abs=1e-6)


@pytest.mark.parametrize("goal", [(2, 0), (-1.5, 1), (-0.2, 0.0), (0, -3), (0.05, 0.1)])
@pytest.mark.parametrize("heading", [0.0, 2.0, -3.0])
def test_a_pose_is_reached(goal, heading):
    driver = make_driver()
    driver.apply(Pose([*goal, 0.0], yaw=heading))
    end = roll(driver, 15.0)[-1]
    assert np.hypot(*(end[:2] - goal)) < 0.04
    assert abs((end[2] - heading + np.pi) % (2 * np.pi) - np.pi) < 0.01


def test_a_pose_without_heading_ends_with_the_one_it_had():
    driver = make_driver()
    driver.robot.set_pose(np.zeros(3), quat_from_euler(np.array([0.0, 0.0, 0.5])))
    driver.apply(Pose([0.0, 2.0, 0.0]))
    assert roll(driver, 10.0)[-1, 2] == pytest.approx(0.5, abs=0.01)


def test_a_velocity_in_the_world_is_turned_to_and_held():
    driver = make_driver()
    driver.apply(Velocity([0.0, -0.5, 0.0]))
    track = roll(driver, 6.0)
    assert track[-1, 2] == pytest.approx(-np.pi / 2, abs=1e-3)
    assert (track[-1, :2] - track[-101, :2]) == pytest.approx([0.0, -0.5], abs=1e-3)


def test_a_body_velocity_is_an_arc():
    driver = make_driver()
    driver.apply(BodyVelocity([0.5, 0.0, 0.0], yaw_rate=0.5))
    track = roll(driver, 2.0 + 2 * np.pi / 0.5)
    # After the start it goes round circles of 1 m radius.
    assert np.hypot(*(track[-1, :2] - track[200, :2])) < 0.02
    assert np.ptp(track[200:, 0]) == pytest.approx(2.0, abs=0.01)


def test_speed_grows_only_as_fast_as_the_robot_can():
    driver = make_driver()
    driver.apply(BodyVelocity([1.5, 0.0, 0.0]))
    x = roll(driver, 1.0)[:, 0]
    assert x[-1] == pytest.approx(0.5 * driver.drive.acceleration * 1.0**2, rel=0.03)


def test_wheels_do_not_drive_sideways_and_the_last_command_stays():
    driver = make_driver()
    driver.apply(BodyVelocity([0.3, 0.0, 0.0]))
    with pytest.raises(CommandError, match="not to the side"):
        driver.apply(BodyVelocity([0.3, 0.2, 0.0]))
    assert roll(driver, 2.0)[-1, 0] > 0.3


def test_a_point_that_moves_is_kept_up_with():
    driver = make_driver()
    for n in range(600):
        driver.apply(Pose([0.6 * n * DT, 0.3 * np.sin(0.6 * n * DT), 0], v_W=[0.6, 0.18 * np.cos(0.6 * n * DT), 0]))
        roll(driver, DT)
    goal = np.array([0.6 * 6.0, 0.3 * np.sin(3.6)])
    assert np.hypot(*(driver.robot.p_WB[:2] - goal)) < 0.1


@pytest.mark.parametrize("kind", ["diff", "skid"])
def test_a_path_is_followed_and_ends(kind):
    corners = np.array([[0, 0, 0], [4, 0, 0], [4, 3, 0], [1, 3, 0]], float)
    driver = make_driver(Motion(path=corners.tolist(), speed=0.6, loop=False), kind)
    track = roll(driver, 25.0)
    off = distance_to(track[:, :2], corners[:, :2])
    assert off.max() < 0.35 and np.median(off) < 0.02
    assert np.hypot(*(track[-1, :2] - [1, 3])) < 0.05
    assert np.ptp(track[-100:], axis=0).max() < 1e-3, "it stands"


def test_a_closed_path_goes_round_and_round():
    square = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    driver = make_driver(Motion(path=square, speed=0.8))
    track = roll(driver, 45.0)
    off = distance_to(track[:, :2], np.array([*square, square[0]], float)[:, :2])
    turns = np.unwrap(np.arctan2(track[:, 1] - 1, track[:, 0] - 1))
    assert off.max() < 0.35 and turns[-1] - turns[0] > 6 * np.pi


def test_a_robot_that_was_held_up_goes_on_where_it_is():
    driver = make_driver(Motion(path=[[0, 0, 0], [10, 0, 0], [10, 10, 0]], speed=1.0, loop=False))
    roll(driver, 2.0)
    for _ in range(2000):
        # Against a wall the wheels spin and the robot stays.
        driver.joints(DT)
    track = roll(driver, 4.0)
    assert np.abs(track[:, 1]).max() < 0.02, "it does not cut the corner"


def test_a_path_that_crosses_itself_is_driven_in_order():
    follower = Follower(Motion(path=[[0, 0, 0], [2, 0, 0], [2, 2, 0], [1, 2, 0], [1, -2, 0]], loop=False))
    along, left, ahead = follower.ahead(np.array([1.0, 0.0, 0.0]), 0.9, 0.4)
    assert along == pytest.approx(1.0, abs=0.02) and left == pytest.approx(8.0, abs=0.02)
    assert ahead == pytest.approx([along + 0.4, 0, 0])


def test_the_path_ends_with_the_first_command():
    driver = make_driver(Motion(path=[[0, 0, 0], [9, 0, 0]], speed=1.0))
    roll(driver, 1.0)
    driver.apply(BodyVelocity())
    roll(driver, 2.0)
    assert np.ptp(roll(driver, 1.0), axis=0).max() < 1e-6


def test_a_wheel_that_gives_way_is_told_more_but_not_without_end():
    driver = make_driver()
    driver.apply(BodyVelocity([0.2, 0.0, 0.0]))
    for _ in range(1000):
        told = driver.joints(DT).velocities["roll_l"]
    assert told == pytest.approx(0.2 / driver.drive.radius + 2.0)
    driver.release()
    assert driver.joints(DT).velocities["roll_l"] == 0.0


def test_a_snapshot_goes_on_with_the_same_bytes():
    motion = Motion(path=[[0, 0, 0], [3, 0, 0], [3, 3, 0]], speed=0.7)
    first = make_driver(motion)
    roll(first, 3.3)
    second = make_driver(motion)
    second.restore(first.state())
    second.robot.restore(first.robot.state())
    assert np.array_equal(roll(first, 5.0), roll(second, 5.0))
    first.apply(Pose([1, 1, 0], yaw=1.0))
    third = make_driver(motion)
    third.restore(first.state())
    third.robot.restore(first.robot.state())
    assert np.array_equal(roll(first, 5.0), roll(third, 5.0))


def distance_to(points, corners):
    """Distance of points [n, 2] to a polyline [m, 2]."""
    best = np.full(len(points), np.inf)
    for a, b in pairwise(corners):
        t = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        best = np.minimum(best, np.linalg.norm(points - a - t[:, None] * (b - a), axis=1))
    return best
