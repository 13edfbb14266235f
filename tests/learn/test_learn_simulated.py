"""Environments round whole simulations: docking, driving, and a swarm of several agents."""

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from volery.core.rng import generator
from volery.errors import CommandError, ScenarioError, SimulationError, UnknownNameError
from volery.learn.deliveries import DeliverySwarm
from volery.learn.docking import WallDocking
from volery.learn.rover import RoverToGoal


def played(env, steps=25, seed=7):
    out = [env.reset(seed=seed)[0].tobytes()]
    draw = generator(3, "actions")
    for _ in range(steps):
        seen, reward, terminated, truncated, _ = env.step(draw.uniform(-1.0, 1.0, env.action_space.shape))
        out += [seen.tobytes(), np.float64(reward).tobytes()]
        if terminated or truncated:
            out.append(env.reset()[0].tobytes())
    return b"".join(out)


@pytest.mark.parametrize("cls", (WallDocking, RoverToGoal))
def test_same_seed_same_bytes(cls):
    first, second = cls(), cls()
    bytes_of = played(first)
    assert played(second) == bytes_of and played(first) == bytes_of
    assert played(first, seed=8) != bytes_of


@pytest.mark.parametrize("cls", (WallDocking, RoverToGoal))
def test_bad_actions_are_refused(cls):
    env = cls()
    with pytest.raises(SimulationError, match="reset"):
        env.step(np.zeros(env.action_space.shape))
    env.reset(seed=1)
    before = env.simulation.state_hash()
    for bad in (np.full(env.action_space.shape, np.nan), np.zeros(7)):
        with pytest.raises(CommandError, match="nothing was done"):
            env.step(bad)
    assert env.simulation.state_hash() == before
    with pytest.raises(ScenarioError, match="perod"):
        cls(perod=1.0)
    with pytest.raises(SimulationError, match="multiple"):
        cls(period=0.013)


# Docking


def docked(env, seed, force):
    """Fly to the spot, then go on as long as the force is too small."""
    seen, _ = env.reset(seed=seed)
    total = 0.0
    for _ in range(10_000):
        way, yaw, felt = seen[:3], seen[8], -seen[12]
        ahead = np.clip(0.5 * way[0] + 0.1, 0.0, 0.4) if felt < 0.1 else 0.15 * (force - felt)
        seen, reward, terminated, truncated, info = env.step(np.array([ahead, 0.8 * way[1], 0.8 * way[2], -yaw]))
        total += reward
        if terminated or truncated:
            return total, terminated, info["success"], felt


def test_a_wall_can_be_docked_to():
    env = WallDocking()
    total, terminated, success, felt = docked(env, 1, 3.0)
    assert terminated and success and total > 11.0 and felt == pytest.approx(3.0, abs=0.75)


def test_a_blow_breaks_the_tool():
    env = WallDocking(most=2.0, speed=1.5)
    env.reset(seed=1)
    for _ in range(200):
        _, reward, terminated, _, info = env.step(np.array([1.0, 0.0, 0.0, 0.0]))
        if terminated:
            break
    assert terminated and not info["success"] and reward < -9.0


# Driving


def driven(env, seed):
    """Straight to the goal."""
    seen, _ = env.reset(seed=seed)
    total = 0.0
    for _ in range(10_000):
        turn = np.arctan2(seen[1], seen[0])
        seen, reward, terminated, truncated, info = env.step(np.array([1.0, np.clip(2.0 * turn, -1, 1)]))
        total += reward
        if terminated or truncated:
            return total, terminated, truncated, info["success"]


def test_a_goal_is_driven_to():
    env = RoverToGoal(posts=0, distance=(2.0, 2.5))
    total, terminated, truncated, success = driven(env, 1)
    assert terminated and success and not truncated and 2.0 - 0.4 - 0.3 + 10.0 < total < 13.0


def test_a_post_ends_it_and_is_seen_before():
    env = RoverToGoal(posts=0, distance=(2.0, 2.5))
    env.reset(seed=1)
    ahead = env._goal / np.linalg.norm(env._goal)
    X = np.column_stack([np.diag([0.3, 0.3, 1.2]), [*(1.2 * ahead), 0.6]])
    env.simulation.alter("make", "post_9", "Cylinder", X)
    seen, near = env.reset, 9.0
    for _ in range(200):
        seen, reward, terminated, _, info = env.step(np.array([1.0, np.clip(2.0 * _turn(env), -1, 1)]))
        near = min(near, seen[7:].min())
        if terminated:
            break
    assert terminated and not info["success"] and reward < -9.0 and near < 0.5


def _turn(env):
    w, x, y, z = env.robot.q_WB_wxyz
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    way = env._goal - env.robot.p_WB[:2]
    return np.angle(np.exp(1j * (np.arctan2(way[1], way[0]) - yaw)))


def test_time_runs_out():
    env = RoverToGoal(seconds=0.5)
    env.reset(seed=1)
    ends = [env.step(np.zeros(2))[2:4] for _ in range(5)]
    assert ends == [(False, False)] * 4 + [(False, True)]


# The swarm


@pytest.fixture(scope="module")
def swarm():
    return DeliverySwarm(drones=3, seconds=30.0)


def test_pettingzoos_checker_finds_nothing(swarm):
    parallel_api_test(swarm, num_cycles=40)


def test_pettingzoos_seeds_are_kept():
    parallel_seed_test(lambda: DeliverySwarm(drones=2, seconds=3.0), num_cycles=8)


def straight(env, name):
    seen = env._observe(env.possible_agents.index(name))
    return np.append(np.clip(seen[:3] / env.config.speed, -1, 1), 0.0)


def test_parcels_are_brought_home():
    env = DeliverySwarm(drones=2, blocks=0, reach=12.0)
    env.reset(seed=1)
    total, done = dict.fromkeys(env.possible_agents, 0.0), {}
    while env.agents:
        _, rewards, ends, cuts, infos = env.step({n: straight(env, n) for n in env.agents})
        for name, reward in rewards.items():
            total[name] += reward
            if ends[name] or cuts[name]:
                done[name] = infos[name]
    assert all(info == {"success": True, "delivered": True} for info in done.values()) and len(done) == 2
    assert min(total.values()) > 20.0
    with pytest.raises(SimulationError, match="reset"):
        env.step({})


def test_drones_that_meet_are_lost(swarm):
    swarm.reset(seed=1)
    a, b = (swarm.simulation.robots[n] for n in swarm.possible_agents[:2])
    swarm.simulation.place(b.name, a.p_WB + [0.6, 0.0, 0.0], np.array([1.0, 0, 0, 0]))
    swarm.simulation.place(a.name, a.p_WB, np.array([1.0, 0, 0, 0]))
    seen = swarm._observe(0)
    assert seen[9:12] == pytest.approx([0.6, 0.0, 0.0], abs=1e-5), "it knows where the other is"
    ended = {}
    for _ in range(30):
        actions = {n: np.zeros(4) for n in swarm.agents}
        if a.name in actions:
            actions[a.name] = np.array([1.0, 0.0, 0.0, 0.0])
        _, rewards, ends, _, _ = swarm.step(actions)
        ended.update({n: rewards[n] for n, e in ends.items() if e})
    assert set(ended) == {a.name, b.name} and max(ended.values()) < -9.0
    assert swarm.agents == [swarm.possible_agents[2]]


def test_agents_must_be_known_and_all_there(swarm):
    swarm.reset(seed=1)
    before = swarm.simulation.state_hash()
    with pytest.raises(UnknownNameError, match="drone_0"):
        swarm.step({"dron_0": np.zeros(4)})
    with pytest.raises(CommandError, match="drone_1, drone_2"):
        swarm.step({"drone_0": np.zeros(4)})
    with pytest.raises(CommandError, match="finite"):
        swarm.step({n: np.full(4, np.nan) for n in swarm.agents})
    assert swarm.simulation.state_hash() == before
