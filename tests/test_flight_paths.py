"""Paths flown with mass: their timing, and how well every robot that flies keeps to them."""

import math

import numpy as np
import pytest

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


def scenario(name, path, speed, loop, step=0.01, engine=""):
    engine = engine or load_robot_file(name).physics.replace("kinematic", "fleet")
    motion = f"{{path: {path}, speed: {speed}, loop: {str(loop).lower()}}}"
    return read_scenario(
        f"world: empty\nstep: {step}\nrobots:\n  a: {{type: {name}, physics: {engine}, sensors: {{}}, motion: {motion}}}\n"
    )


def length(path, loop):
    return float(np.linalg.norm(np.diff([*path, *path[: int(loop)]], axis=0), axis=1).sum())


def flown(name, path, speed, loop, **more):
    """Places and speeds of a flight of one and a half rounds, or to the end and some seconds after; [n, 3], [n]."""
    simulation = Simulation(scenario(name, path, speed, loop, **more))
    robot = simulation.robots["a"]
    agility = agility_of(robot)
    each = 2 * min(speed, agility.speed) / agility.acceleration + 1.5
    seconds = (1.4 if loop else 1.0) * (length(path, loop) / min(speed, agility.speed) + each * len(path))
    rows = []
    for _ in range(round(seconds / simulation.clock.step_ns * 1e9)):
        simulation.step()
        rows.append([*robot.p_WB, np.linalg.norm(robot.v_WB_W)])
    return np.array(rows)[:, :3], np.array(rows)[:, 3]


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
    p, v, a, push, jerk = (np.array(x) for x in zip(*[way.at(s) for s in t], strict=True))
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
    begun = way._starts[way._round]
    period = way._now - begun
    for t in (begun + 1.0, begun + 11.7):
        for rounds in (1, 7, 20_000):
            assert np.allclose(way.at(t).p_W, way.at(t + rounds * period).p_W, atol=1e-6)


def test_corners_that_stand_twice_and_single_ones_are_no_trouble():
    twice = FlightPath(Motion(path=[[0, 0, 1], [0, 0, 1], [5, 0, 1], [0, 0, 1]], speed=2.0), AGILE)
    once = FlightPath(Motion(path=[[0, 0, 1], [5, 0, 1]], speed=2.0), AGILE)
    assert all(np.array_equal(twice.at(t).p_W, once.at(t).p_W) for t in np.arange(0, 20, 0.3))
    alone = FlightPath(Motion(path=[[1, 2, 3]], speed=2.0), AGILE)
    assert alone.at(7.0).p_W.tolist() == [1, 2, 3] and not alone.at(7.0).v_W.any()


# Flown


@pytest.mark.parametrize("speed", [2, 6])
@pytest.mark.parametrize("name", FLYING)
@pytest.mark.parametrize("path", [SQUARE, ZIGZAG], ids=["square", "zigzag"])
def test_speed_and_path_are_kept(name, path, speed):
    loop = path is SQUARE
    places, speeds = flown(name, path, speed, loop)
    shown = track(places, speeds, path, loop)
    assert speeds.max() <= 1.1 * speed, shown
    assert speeds.max() > 0.5 * speed, shown
    assert gaps(places, path, loop).max() < (0.3 if speed == 2 else 0.6), shown
    assert max(misses(places, path)) < (0.3 if speed == 2 else 0.6), shown
