"""How AirSim's drone flies: by the unchanged client, by what it does; and its tracks against AirSim's published
dynamics, integrated
by themselves (simple_flight_rig)."""

import math

import numpy as np
import pytest

from airsim_rig import KEEP, Flight, run_client, served
from simple_flight_rig import DT, Carrot, Quad
from volery.protocols.airsim.arguments import YawMode
from volery.protocols.airsim.paths import PathFollower, lookahead_of


def test_every_flight_command_of_the_airsim_client():
    with served() as server:
        assert "done" in run_client("airsim", "flight.py", server.port)


@pytest.fixture
def flight():
    flight = Flight()
    done, trace = flight.fly("takeoff", 20.0, "")
    assert done is True and trace[-1, 2] == pytest.approx(-2.14, abs=0.05)
    yield flight
    flight.door.close()


def go(flight, x, y, z, speed=5.0, **more):
    return flight.fly("moveToPosition", x, y, z, speed, 200.0, False, KEEP, -1.0, 1.0, "", **more)


# Tracks


def flown_path(flight, corners, speed, lookahead, seconds):
    """Our track and AirSim's from the same place, for some time; nobody holds the heading, only its rate, [n, 3]
    each."""
    quad = Quad(-flight.p[2])
    quad.p = flight.p.copy()
    carrot, ours, theirs = Carrot(quad, corners, speed, lookahead), [], []
    future = flight.call(
        "moveOnPath", [np.array(c, float) for c in corners], speed, 200.0, False, KEEP, lookahead, 1.0, ""
    )
    wanted = np.zeros(3)
    for k in range(round(seconds / DT)):
        flight.simulation.step()
        ours.append(flight.p)
        if k % 7 == 0:
            wanted = carrot.velocity()
        quad.step(quad.to_velocity(wanted, yaw_rate=0.0))
        theirs.append(quad.p)
    assert not future.done()
    flight.call("cancelLastTask", "")
    return np.array(ours), np.array(theirs)


@pytest.mark.parametrize(("speed", "far"), [(5.0, 60.0), (12.0, 150.0), (15.0, 200.0)])
def test_paths_are_flown_as_airsim_flies_them(flight, speed, far):
    go(flight, 0, 0, -10, after=4.0)
    x, y, z = flight.p
    corners = [(x + 0.4 * far, y, z), (x + 0.4 * far, y + 0.6 * far, z)]
    ours, theirs = flown_path(flight, corners, speed, lookahead_of(speed, True), 0.6 * far / speed + 2.0)
    assert theirs[-1, 1] > y + 0.05 * far, "round the corner"
    gap = np.linalg.norm(ours - theirs, axis=1)
    assert gap.max() < 0.02 * speed + 0.15, gap.max()


def test_the_height_at_12_m_s(flight):
    go(flight, 0, 0, -40)
    done, trace = go(flight, 100, 0, -40, 12.0)
    assert done is True and trace[:, 3].max() > 11.0
    assert np.abs(trace[:, 2] + 40).max() < 0.2, "AirSim's own axes make it leap by 2.3 m"
    assert trace[:, 0].max() < 100.5 and trace[-1, :3] == pytest.approx([100, 0, -40], abs=0.15)


def test_the_path_of_path_py_stays_at_5_m(flight):
    go(flight, 0, 0, -5, 10.0)
    corners = [np.array(c, float) for c in ((125, 0, -5), (125, -130, -5), (0, -130, -5), (0, 0, -5))]
    done, trace = flight.fly("moveOnPath", corners, 12.0, 120.0, True, YawMode(False, 0.0), 20.0, 1.0, "")
    assert done is True and np.abs(trace[:, 2] + 5).max() < 0.2
    assert trace[:, 0].max() > 122 and trace[:, 1].min() < -128
    assert trace[-1, :3] == pytest.approx([0, 0, -5], abs=0.15)


@pytest.mark.parametrize("speed", [1.0, 5.0, 10.0])
def test_a_move_overshoots_by_less_than_a_twentieth(flight, speed):
    start = flight.p
    goal = start + [20.0, -10.0, -5.0]
    done, trace = go(flight, *goal, speed)
    along = (trace[:, :3] - start) @ (goal - start) / np.linalg.norm(goal - start) ** 2
    assert done is True
    assert along.max() < 1.05 and trace[-1, :3] == pytest.approx(goal, abs=0.15)


def test_a_velocity_is_flown_and_then_the_place_is_held(flight):
    go(flight, 0, 0, -10)
    done, trace = flight.fly("moveByVelocity", 3.0, 0.0, 0.0, 4.0, False, KEEP, "", after=8.0)
    assert done is True and 2.85 < trace[:, 3].max() < 3.0 and abs(trace[:, 4]).max() < 0.05
    ended = trace[round(4.0 / DT), 0]
    assert trace[:, 0].max() > ended + 0.5, "its loops take a while to stop it"
    assert trace[-1, 0] == pytest.approx(ended, abs=0.15), "and it comes back to where it was told nothing more"
    height = flight.p[2]
    done, trace = flight.fly("moveByVelocityZ", 0.0, -2.0, height - 6.0, 9.0, False, KEEP, "")
    assert done is True and trace[:, 2].min() > height - 6.4 and trace[-1, 2] == pytest.approx(height - 6.0, abs=0.15)


def test_takeoff_and_landing_as_airsims():
    flight, quad = Flight(), Quad(0.14)
    future, ours, theirs = flight.call("takeoff", 20.0, ""), [], []
    for _ in range(round(2.0 / DT)):
        flight.simulation.step()
        quad.step(quad.to_velocity([0, 0, -0.5], yaw_rate=0.0))
        ours.append(flight.p[2])
        theirs.append(quad.p[2])
    assert theirs[-1] < -0.9 and np.abs(np.subtract(ours, theirs)).max() < 0.05
    while not future.done():
        flight.simulation.step()
    assert flight.drone.flying and flight.call("getMultirotorState", "")["landed_state"] == 1
    done, trace = flight.fly("land", 60.0, "", after=0.5)
    low = trace[(trace[:, 2] > -0.4) & (trace[:, 2] < -0.17)]
    assert done is True and low[:, 5] == pytest.approx(0.2, abs=0.03), "AirSim's speed near the ground"
    assert trace[-1, 2] == pytest.approx(-0.14, abs=0.02)
    assert flight.call("getMultirotorState", "")["landed_state"] == 0
    flight.door.close()


def test_without_control_it_comes_down_and_stands():
    flight = Flight()
    flight.fly("takeoff", 20.0, "")
    flight.call("enableApiControl", False, "")
    for _ in range(round(20.0 / DT)):
        flight.simulation.step()
        if not flight.drone.flying and flight.drone.robot.contacts:
            break
    assert flight.p[2] == pytest.approx(-0.14, abs=0.02) and not flight.drone.crashed
    flight.door.close()


def test_it_has_landed_from_the_first_call_on():
    flight = Flight()
    flight.fly("takeoff", 20.0, "", after=0.0)
    flight.call("reset")
    for _ in range(300):
        assert flight.call("getMultirotorState", "")["landed_state"] == 0
        flight.simulation.step()
    flight.door.close()


@pytest.mark.parametrize("step", [0.001, 0.0015, 0.003])
def test_the_imu_ticks_every_3_ms_whatever_the_step(step):
    flight = Flight(f"world: empty\nseed: 1\nstep: {step}\n")
    stamps = set()
    for _ in range(round(0.3 / step)):
        flight.simulation.step()
        stamps.add(flight.call("getImuData", "", "")["time_stamp"])
    assert 100 <= len(stamps) <= 101 and set(np.diff(sorted(stamps))) == {3_000_000}
    density = flight.simulation.sensors["SimpleFlight"]["imu"].config.noise["angular_velocity"].density
    assert density == pytest.approx(math.radians(0.3) / 60), "the noise of a reading does not depend on the step either"
    flight.door.close()


def test_a_drone_of_another_body_stands_and_flies():
    flight = Flight(settings={"Vehicles": {"D": {"VehicleType": "SimpleFlight", "PawnPath": "x500"}}})
    assert flight.simulation.robot("D").description.source.startswith("x500")
    assert flight.call("getMultirotorState", "")["landed_state"] == 0 and abs(flight.v[2]) < 0.2
    ground = flight.p[2]
    assert flight.fly("takeoff", 20.0, "")[0] is True and flight.p[2] == pytest.approx(ground - 2.0, abs=0.3)
    done, trace = go(flight, 5, 0, -4, 2.0)
    assert done is True and trace[-1, :3] == pytest.approx([5, 0, -4], abs=0.3)
    flight.door.close()


# Touch


WALL = "world: {type: blocks, count: 0}\nseed: 1\nstep: 0.003\nengines: {fleet: {step: 0.003}}\n"


def ram(**more):
    """A drone that flies at 8 m/s into the cubes 35 m north of it, and what it is told of that."""
    flight = Flight(WALL, **more)
    flight.call("simSpawnObject", "Wall", "1M_Cube", pose(20.0, 0.0, -2.5), np.array([2.0, 6.0, 5.0]), False, False)
    flight.fly("takeoff", 20.0, "", after=0.0)
    flight.call("simGetCollisionInfo", "")
    future = flight.call("moveByVelocity", 8.0, 0.0, 0.0, 6.0, False, KEEP, "")
    told = {}
    for _ in range(round(7.0 / DT)):
        flight.simulation.step()
        if flight.drone.touched > flight.drone.told and not told:
            told = flight.call("simGetCollisionInfo", "")
    assert told["has_collided"] and told["object_name"] == "Wall" and told["normal"]["x_val"] < -0.7
    return flight, future


def pose(x, y, z):
    from volery.protocols.airsim.arguments import NedPose

    return NedPose(np.array([x, y, z], float), np.array([1.0, 0, 0, 0]))


def test_a_touch_does_not_stop_motors():
    flight, future = ram()
    assert future.done() and future.result() is True and not flight.drone.crashed
    assert flight.p[2] < -1.0, "it still flies"
    done, trace = go(flight, 0, 0, -4, 3.0)
    assert done is True and trace[-1, :3] == pytest.approx([0, 0, -4], abs=0.2)
    flight.door.close()


def test_a_touch_crashes_where_the_scenario_wants_it():
    flight, future = ram(crash_speed=2.0)
    assert flight.drone.crashed and future.result() is False and flight.p[2] > -1.0
    flight.call("reset")
    assert not flight.drone.crashed
    flight.door.close()


def test_a_drone_that_is_held_up_gives_up_and_says_by_what(caplog):
    flight = Flight(WALL)
    flight.call("simSpawnObject", "Wall", "1M_Cube", pose(10.0, 0.0, -5), np.array([2.0, 40.0, 10.0]), False, False)
    flight.fly("takeoff", 20.0, "", after=0.0)
    done, _ = go(flight, 20, 0, -3, 3.0, after=0.0)
    assert done is False and "does not get on and gives up" in caplog.text
    flight.door.close()


# The path itself


def test_a_follower_goes_round_corners_and_comes_to_rest():
    corners = np.array([[0, 0, 0], [20, 0, 0], [20, 15, 0], [20, 15, 10.0]])
    path, p, v, dt, track = PathFollower(corners, 5.0, lookahead_of(5.0, True), 1.0), np.zeros(3), np.zeros(3), 0.01, []
    assert path.length == 45.0 and path.point(27.0).tolist() == [20, 7, 0]
    while len(track) < 3000:
        wanted, push = path.velocity(p, v, path.advance(p))
        # A body that does at once what it is told
        v = wanted + push * dt
        p = p + v * dt
        track.append([*p, np.linalg.norm(v)])
    track = np.array(track)
    assert track[:, 3].max() < 5.01 and p == pytest.approx(corners[-1], abs=0.01)
    off = [min(np.linalg.norm(row[:3] - path.point(s)) for s in np.linspace(0, 45, 226)) for row in track[::20]]
    assert max(off) < 1.5, "corners are cut by less than the lookahead"
    assert math.hypot(*(track[-1, :2] - [20, 15])) < 0.01


def test_a_path_without_length_is_over():
    path = PathFollower(np.zeros((2, 3)), 5.0, 3.0, 1.0)
    assert path.length == 0.0 and path.advance(np.zeros(3)).tolist() == [0, 0, 0]
    v, a = path.velocity(np.zeros(3), np.zeros(3), np.zeros(3))
    assert np.abs([v, a]).max() == 0.0
