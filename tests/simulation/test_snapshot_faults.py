"""Broken snapshots: `restore` of one is refused with a clear error and changes nothing, whatever is wrong with it."""

import copy
import math
import random

import numpy as np
import pytest

from volery.core.state import decode, encode
from volery.errors import CommandError, SimulationError, VoleryError
from volery.robots.commands import Velocity, command_of
from volery.scenario import read_scenario
from volery.sim import Simulation

WORLD = """
seed: 5
step: 0.01
world: {type: blocks, count: 10}
robots:
  uav1:
    type: quad
    physics: fleet
    position: [0, 0, 8]
    sensors:
      scanner: off
      imu: {type: imu, rate: 100, noise: {specific_force: {absolute: 0.1, bias_spread: 0.1}}}
      eye: {type: camera, width: 8, height: 6, rate: 20}
      lidar: {type: lidar, rate: 20, lines: 4, columns: 16}
  uav2:
    {type: probe, physics: kinematic, position: [3, 3, 4], motion: {path: [[3, 3, 4], [9, 3, 4]], speed: 2},
     sensors: {scanner: {form: ground, extent: 4, rate: 30}}}
  rover: {type: rover, position: [-5, 0, 0.4]}
"""
SEEDS = 50
"""Broken states of a block."""


def paths(tree, path=()):
    """Of every part of a tree."""
    yield path
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, inner in items:
        yield from paths(inner, (*path, key))


def strange(value, chance):
    """Something that does not belong in the place of a value."""
    others = [None, "x", "", b"\0", -1, 2**80, 0.5, True, math.nan, math.inf, [], {}, [[]], {"x": 1}, {7: None}]
    others += [np.zeros(3), np.zeros((0, 2), np.uint8), np.full((2, 2), np.nan), np.array("x")]
    if isinstance(value, np.ndarray):
        others += [value.astype(np.float32), value[:-1] if value.ndim else value, value[None], value.tolist()]
        others += [np.full_like(value, np.nan) if value.dtype.kind == "f" else value[..., None]]
    if isinstance(value, dict | list) and value:
        others += [dict(list(value.items())[1:]) if isinstance(value, dict) else value[1:]] * 4
    return chance.choice(others)


def mutated(state, seed):
    """A state with one part broken, and where."""
    chance = random.Random(seed)
    state = copy.deepcopy(state)
    path = chance.choice([p for p in paths(state) if p])
    place = state
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = strange(place[path[-1]], chance)
    return state, path


@pytest.fixture(scope="module")
def kept():
    simulation = Simulation(read_scenario(WORLD))
    simulation.run(30)
    simulation.command("uav2", Velocity(np.array([1.0, 0, 0])))
    state = decode(encode(simulation.state()))
    simulation.run(5)
    return simulation, state


@pytest.mark.parametrize("block", [*range(4), *(pytest.param(i, marks=pytest.mark.slow) for i in range(4, 40))])
def test_a_broken_state_is_refused_and_changes_nothing(kept, block):
    simulation, good = kept
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        broken, path = mutated(good, seed)
        before, events = encode(simulation.state()), list(simulation.events)
        try:
            simulation.restore(broken)
        except VoleryError:
            assert encode(simulation.state()) == before, (seed, path)
            assert simulation.events == events, (seed, path)
        else:
            # What is taken is taken whole, and the run goes on from it.
            assert encode(simulation.state()) == encode(broken), (seed, path)
            simulation.run(3)
        simulation.restore(good)
    simulation.run(3)


@pytest.mark.parametrize("whole", [None, 5, "x", [], {}, np.zeros(3), {"scenario": "scenario"}])
def test_what_is_no_state_at_all_is_refused(kept, whole):
    simulation, _ = kept
    before = encode(simulation.state())
    with pytest.raises(SimulationError, match="snapshot"):
        simulation.restore(whole)
    assert encode(simulation.state()) == before


def test_the_refusal_says_where_the_damage_is(kept):
    simulation, good = kept
    broken = copy.deepcopy(good)
    broken["robots"]["uav1"]["p_WB"] = "here"
    with pytest.raises(SimulationError, match=r"robots\.uav1\.p_WB is a str, and should be an array \[3\]"):
        simulation.restore(broken)


def test_a_run_goes_on_with_the_same_bytes_after_a_refusal(kept):
    simulation, good = kept
    simulation.restore(good)
    simulation.run(20)
    ahead = encode(simulation.state())
    simulation.restore(good)
    simulation.run(10)
    broken = copy.deepcopy(good)
    broken["sensors"]["rover"] = {}
    with pytest.raises(VoleryError):
        simulation.restore(broken)
    simulation.run(10)
    assert encode(simulation.state()) == ahead


@pytest.mark.parametrize("value", [{}, "fast", None, True, math.nan])
def test_a_command_takes_numbers_only(value):
    with pytest.raises(CommandError, match="yaw_rate"):
        command_of("velocity", {"v_W": [1, 0, 0], "yaw_rate": value})
