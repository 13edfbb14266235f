"""Robots of built-in scenarios begin and fly in free air, whatever the seed."""

from itertools import pairwise

import numpy as np
import pytest

from volery.built_in import built_in_scenarios
from volery.errors import ScenarioError
from volery.loop import FastPace, Loop
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation
from volery.world.free_path import free_path, is_free

SEEDS = (1, 2, 3, 137, 4242)
QUICK = [("forest", 137), ("arena_yellow", 137), ("rover", 4242), ("silo", 2)]
ALL = [(name, seed) for name in built_in_scenarios() for seed in SEEDS]
BALL = np.concatenate(
    [np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if i or j or k])]
)
BALL = BALL / np.linalg.norm(BALL, axis=1, keepdims=True)
ROOM = 0.15
"""Least distance of a path from everything [m]."""


def samples(path, loop):
    corners = np.vstack([path, path[:1]]) if loop else path
    legs = [a + np.linspace(0, 1, max(int(np.linalg.norm(b - a) / 0.2), 1) + 1)[:, None] * (b - a)
            for a, b in pairwise(corners)]  # fmt: skip
    return np.concatenate(legs) if legs else corners


def flown(simulation):
    """Paths of a simulation's robots as points, and where they begin; then all robots are taken out."""
    plans = {name: entry["motion"] for name, entry in simulation.state()["plans"] if entry.get("motion")}
    paths = {n: (np.array(m["path"], float), m.get("loop", True)) for n, m in plans.items() if m.get("path")}
    starts = {n: r.p_WB.copy() for n, r in simulation.robots.items() if not n.startswith(("debris", "victim"))}
    for name in list(simulation.robots):
        simulation.remove(name)
    return {n: samples(*p) for n, p in paths.items()}, starts


def assert_free(simulation, points, room):
    """By rays: nothing is within `room`, and nothing between neighbours."""
    for p in points:
        hits = simulation.scene.cast(p, BALL, max_range=room)
        found = [simulation.scene.object_name(int(k)) for k in hits.object[np.isfinite(hits.distance)]]
        assert not found, f"at {np.round(p, 2)}: {found[0]} within {room} m"
    if len(points) > 1:
        apart = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-6
        blocked = simulation.scene.occluded(points[:-1][apart], points[1:][apart])
        assert not blocked.any(), np.round(points[:-1][apart][blocked][0], 2)


def assert_outside(simulation, points):
    """Not in the ground: seen from the world's free start or from above, or above the ground."""
    world, home = simulation.world, np.array(simulation.world.spawn(), float)
    if callable(getattr(world, "height", None)):
        assert (points[:, 2] > world.height(points[:, 0], points[:, 1])).all()
        return
    if np.linalg.norm(points - home, axis=1).min() < 0.3:
        return
    # An arena may have a hall over it, and is of walls no taller than a room.
    above = points + [0.0, 0.0, 2.5 if simulation.scenario.world_type == "arena" else 15.0]
    seen = ~simulation.scene.occluded(home[None], points) | ~simulation.scene.occluded(above, points)
    assert seen.any()


def begun(name, seed):
    """The simulation with its missions, which bring robots of their own."""
    simulation = Simulation(name, seed=seed)
    for mission in simulation.scenario.agents:
        from volery import registry

        loop = Loop(simulation, FastPace())
        registry.find("agents", mission)(simulation, loop, simulation.scenario.agents[mission])
    simulation.stream_world()
    return simulation


@pytest.mark.parametrize(
    ("name", "seed"), [pytest.param(*c, marks=() if c in QUICK else pytest.mark.slow) for c in ALL]
)
def test_no_robot_begins_or_flies_inside_anything(name, seed):
    with begun(name, seed) as simulation:
        paths, starts = flown(simulation)
        assert_outside(simulation, np.array([simulation.world.spawn()], float))
        for p in starts.values():
            # It may stand on the ground: what is below may be near, what is beside and above may not.
            hits = simulation.scene.cast(p + [0, 0, 0.1], BALL[BALL[:, 2] > -0.1], max_range=0.2)
            assert not np.isfinite(hits.distance).any()
            assert_outside(simulation, p[None])
        for points in paths.values():
            if simulation.scenario.world_type == "empty":
                continue
            if simulation.streamer is not None:
                simulation.streamer.follow(list(points[::50]))
            assert_free(simulation, points, ROOM)
            assert_outside(simulation, points)


WALL = """
seed: 1
world: {type: silo, radius: 8, height: 12, platforms: 0, top: open}
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {path: [[-5, 0, 3], [5, 0, 3]], clear: 0.5, loop: false, speed: 2}
"""


def test_a_free_path_is_taken_as_it_is_and_a_blocked_one_led_round():
    simulation = Simulation(read_scenario(WALL))
    assert np.allclose(simulation.state()["plans"][0][1]["motion"]["path"], [[-5, 0, 3], [5, 0, 3]])
    X = np.eye(3, 4) * [[1.0], [4.0], [6.0]] + np.array([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3.0]])
    simulation.alter("make", "barrier", "Cube", X)
    simulation.remove("uav1")
    home = np.array([0.0, -5.0, 3.0])
    straight = np.array([[-5.0, 0, 3], [5, 0, 3]])
    assert not is_free(simulation.scene, straight, 0.5, home)
    way = free_path(simulation.scene, straight, 0.5, home, loop=False)
    points = samples(way, False)
    assert_free(simulation, points, 0.3)
    assert np.linalg.norm(way[0] - straight[0]) < 0.5 and np.linalg.norm(way[-1] - straight[1]) < 0.5
    # The wall is 4 m wide: the way round its edge is not much longer than must be.
    length = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
    assert 10.7 < length < 12.5


def test_a_way_that_was_found_is_kept_by_snapshots_without_a_search():
    simulation = Simulation("arena_yellow", seed=137)
    simulation.run(seconds=0.5)
    state, place = simulation.state(), simulation.robot("uav1").p_WB.copy()
    assert "clear" not in state["plans"][0][1]["motion"]
    other = Simulation("arena_yellow", seed=137)
    other.restore(state)
    assert np.array_equal(other.robot("uav1").p_WB, place)
    for one in (simulation, other):
        one.run(seconds=0.5)
    assert simulation.state_hash() == other.state_hash()


def test_the_caves_own_way_is_flown():
    plan = load_scenario("cave").robots["uav1"]
    assert plan.motion.along == "world" and not plan.motion.path
    text = WALL.replace("path: [[-5, 0, 3], [5, 0, 3]], clear: 0.5,", "along: world,")
    with pytest.raises(ScenarioError, match=r"uav1.*knows no way of its own"):
        Simulation(read_scenario(text))


def test_a_start_can_be_given_over_the_ground():
    text = "world: hills\nrobots: {ugv1: {type: skid, position: [40, 25, 0], height: 0.3}}\n"
    for seed in (1, 7):
        simulation = Simulation(read_scenario(text), seed=seed)
        ground = float(simulation.world.height(np.array([40.0]), np.array([25.0]))[0])
        assert simulation.robot("ugv1").p_WB[2] == pytest.approx(ground + 0.3, abs=1e-3)
