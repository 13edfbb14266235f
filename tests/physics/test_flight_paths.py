"""Paths flown with mass: their timing, and how well every robot that flies keeps to them."""

import math

import numpy as np
import pytest

from volery.core.frames import euler_from_quat
from volery.core.state import decode, encode
from volery.physics.agility import agility_of
from volery.physics.flightpath import Agility, FlightPath
from volery.physics.motion import Motion
from volery.registry import names
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation

SQUARE = [[0, 0, 10], [15, 0, 10], [15, 15, 10], [0, 15, 10]]
ZIGZAG = [[0, 0, 10], [9, 4, 11], [1, 8, 10], [10, 10, 13], [2, 14, 12], [2, 14, 9], [8, 9, 9]]
CIRCLE = [[5 * math.cos(k / 10), 5 * math.sin(k / 10), 10] for k in range(63)]
LEG = [[0, 0, 1], [4, 0, 1]]
AGILE = Agility(speed=20.0, acceleration=2.0, window=0.5, lag=0.2, climb_lag=0.05)


def files():
    return {name: load_robot_file(name) for name in names("robots")}


FLYING = sorted(name for name, file in files().items() if file.multirotor is not None or file.craft is not None)


def gaps(places, path, loop):
    """Distances from a polyline [m], [n]."""
    corners = np.array([*path, *path[: int(loop)]], float)
    a, d = corners[:-1], np.diff(corners, axis=0)
    share = np.clip(((places[:, None] - a) * d).sum(-1) / (d * d).sum(-1), 0, 1)
    return np.linalg.norm(a + share[..., None] * d - places[:, None], axis=-1).min(1)


def misses(places, path):
    """How near each corner is come to [m]."""
    return [float(np.linalg.norm(places - corner, axis=1).min()) for corner in np.array(path, float)]


def scenario(names, path, speed, loop, step=0.01):
    """Robots that fly the same path beside each other, with nothing else on board."""
    text = f"world: empty\nstep: {step}\nengines: {{fleet: {{touch: false}}}}\nrobots:\n"
    for k, name in enumerate(names):
        motion = f"{{path: {(np.array(path) + [60 * k, 0, 0]).tolist()}, speed: {speed}, loop: {str(loop).lower()}}}"
        file = load_robot_file(name)
        sensors = "{" + ", ".join(f"{sensor}: off" for sensor in file.sensors) + "}"
        physics = file.physics.replace("kinematic", "fleet")
        text += f"  {name}: {{type: {name}, physics: {physics}, sensors: {sensors}, motion: {motion}}}\n"
    return read_scenario(text)


def flown(names, path, speed, loop, **more):
    """Of each robot places and speeds of one and a quarter rounds, or to the end; by name [n, 3], [n]."""
    simulation = Simulation(scenario(names, path, speed, loop, **more))
    lasts = max(flight_time(simulation.robots[name], path, speed, loop) for name in names)
    rows = {name: [] for name in names}
    for _ in range(round(lasts / simulation.clock.step_ns * 1e9)):
        simulation.step()
        for name, robot in simulation.robots.items():
            rows[name].append([*robot.p_WB, np.linalg.norm(robot.v_WB_W)])
    tables = {name: np.array(rows[name]) - [60 * k, 0, 0, 0] for k, name in enumerate(names)}
    return {name: (table[:, :3], table[:, 3]) for name, table in tables.items()}


def flight_time(robot, path, speed, loop):
    """What the path says, and some seconds to come to rest [s]."""
    way = FlightPath(Motion(path=path, speed=speed, loop=loop), agility_of(robot))
    return way.first + way.round / 4 if loop else way.first + 4.0


def track(places, speeds, path, loop):
    """What is printed of a flight that failed."""
    rows = np.column_stack([places, speeds, gaps(places, path, loop)])[::25]
    return "\n".join(f"{x:7.2f} {y:7.2f} {z:7.2f} m {v:6.2f} m/s, {off:.3f} m off" for x, y, z, v, off in rows)


# Timing


@pytest.mark.parametrize("loop", [True, False])
@pytest.mark.parametrize("speed", [0.5, 2, 6, 30])
@pytest.mark.parametrize("path", [SQUARE, ZIGZAG, CIRCLE, LEG], ids=["square", "zigzag", "circle", "leg"])
def test_timing_keeps_speed_acceleration_and_path(path, speed, loop):
    way, dt = FlightPath(Motion(path=path, speed=speed, loop=loop), AGILE), 0.02
    t = np.arange(0.0, 60.0, dt)
    p, v, a, push, _, jerk = (np.array(x) for x in zip(*[way.at(s) for s in t], strict=True))
    assert np.linalg.norm(v, axis=1).max() <= min(speed, AGILE.speed) * (1 + 1e-9)
    assert np.abs(np.diff(p, axis=0) / dt - (v[1:] + v[:-1]) / 2).max() < 0.01
    assert gaps(p, path, loop).max() < 0.12
    assert np.linalg.norm(a, axis=1).max() <= AGILE.acceleration * (1 + 1e-6)
    assert np.abs(np.diff(v, axis=0) / dt - (a[1:] + a[:-1]) / 2).max() < 0.1
    # What is told is the acceleration to come, later by the lag
    for k, lag in enumerate((AGILE.lag, AGILE.lag, AGILE.climb_lag)):
        later = np.interp(t + lag, t, a[:, k])
        assert np.abs(push[:-20, k] - later[:-20]).max() < (0.1 if k < 2 else 0.7)
    most = 2 * AGILE.acceleration / AGILE.window
    assert np.abs(np.diff(push, axis=0) / dt - (jerk[1:] + jerk[:-1]) / 2).max() < 0.6 * most
    if not loop:
        assert np.allclose(way.at(1e4).p_W, path[-1]) and not way.at(1e4).v_W.any()


def test_rounds_repeat_exactly_and_for_days():
    way = FlightPath(Motion(path=SQUARE, speed=3.0), AGILE)
    for t in (way.first + 1.0, way.first + 11.7):
        for rounds in (1, 7, 20_000):
            assert np.allclose(way.at(t).p_W, way.at(t + rounds * way.round).p_W, atol=1e-6)


def test_corners_that_stand_twice_and_single_ones_are_no_trouble():
    twice = FlightPath(Motion(path=[[0, 0, 1], [0, 0, 1], [5, 0, 1], [0, 0, 1]], speed=2.0), AGILE)
    once = FlightPath(Motion(path=[[0, 0, 1], [5, 0, 1]], speed=2.0), AGILE)
    assert all(np.array_equal(twice.at(t).p_W, once.at(t).p_W) for t in np.arange(0, 20, 0.3))
    alone = FlightPath(Motion(path=[[1, 2, 3]], speed=2.0), AGILE)
    assert alone.at(7.0).p_W.tolist() == [1, 2, 3] and not alone.at(7.0).v_W.any()


# Flown


FEW = ("quad", "robofly", "helicopter", "ductedfan")


def judge(path, speed, loop, found):
    for name, (places, speeds) in found.items():
        shown = f"{name}\n{track(places, speeds, path, loop)}"
        assert speeds.max() <= 1.1 * speed, shown
        assert speeds.max() > 0.5 * speed, shown
        assert gaps(places, path, loop).max() < 0.3, shown
        assert max(misses(places, path)) < 0.3, shown
        assert loop or np.linalg.norm(places[-1] - path[-1]) < 0.05, shown


def test_speed_and_path_are_kept():
    judge(ZIGZAG, 2, False, flown(FEW, ZIGZAG, 2, False))


@pytest.mark.slow
@pytest.mark.parametrize("speed", [2, 6])
@pytest.mark.parametrize("path", [SQUARE, ZIGZAG], ids=["square", "zigzag"])
def test_every_robot_that_flies_keeps_speed_and_path(path, speed):
    judge(path, speed, path is SQUARE, flown(FLYING, path, speed, path is SQUARE))


@pytest.mark.parametrize("step", [0.002, 0.02])
def test_they_do_at_other_steps(step):
    judge(SQUARE[:3], 4, False, flown(("quad", "toolquad"), SQUARE[:3], 4, False, step=step))


def test_the_nose_points_along_the_path():
    simulation = Simulation(scenario(("quad", "toolquad"), [[0, 0, 10], [0, -20, 10]], 3, False))
    simulation.run(500)
    for robot in simulation.robots.values():
        assert euler_from_quat(robot.q_WB_wxyz)[2] == pytest.approx(-np.pi / 2, abs=0.1)


def test_a_path_goes_on_from_a_snapshot_to_the_bit():
    """Also in the middle of an arc, and of its second round."""
    path = [[0, 0, 10], [4, 0, 10], [4, 4, 11]]
    whole = Simulation(scenario(("quad", "toolquad"), path, 2, True))
    for steps in (333, 700):
        whole.run(steps)
        state = decode(encode(whole.state()))
        other = Simulation(scenario(("quad", "toolquad"), path, 2, True))
        other.restore(state)
        whole.run(200)
        other.run(200)
        assert other.state_hash() == whole.state_hash()


def test_a_robot_too_slow_for_its_path_says_so_and_keeps_to_it(caplog):
    found = flown(("robofly",), [[0, 0, 10], [150, 0, 10], [150, 30, 10]], 60, False)
    assert "not at 60" in caplog.text
    places, speeds = found["robofly"]
    assert gaps(places, [[0, 0, 10], [150, 0, 10], [150, 30, 10]], False).max() < 1.0
    assert speeds.max() > 10


@pytest.mark.parametrize("name", ["quad", "hexa", "octo"])
def test_without_a_path_it_holds_its_place_with_an_inertial_unit_and_a_receiver(name):
    simulation = Simulation(read_scenario(f"world: empty\nrobots: {{a: {{type: {name}, position: [1, 2, 6]}}}}"))
    assert simulation.engine_of("a") is simulation.engines["fleet"]
    assert {type(sensor).__name__ for sensor in simulation.sensors["a"].values()} == {"Imu", "Gps"}
    simulation.run(200)
    assert simulation.robots["a"].p_WB == pytest.approx([1, 2, 6], abs=0.02)
    assert simulation.sensor("a", "imu").latest.data["specific_force"][2] == pytest.approx(9.8, abs=0.1)
