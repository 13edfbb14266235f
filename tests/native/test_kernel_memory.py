"""Kernels use no memory that they have freed, and what comes and goes leaves nothing behind."""

import ctypes
import gc
import os
import subprocess
import sys

import psutil
import pytest

from volery.scenario import read_scenario
from volery.sim import Simulation

SCENE = """
world: blocks
seed: 1
step: 0.01
robots:
  low: {type: x500, physics: fleet, position: [0, 0, 0.6], sensors: {lidar: {type: lidar, rate: 20}}}
  met: {type: x500, physics: fleet, position: [3, 0, 0.4], sensors: {eye: {type: camera, width: 64, height: 48}}}
  car: {type: p2at, position: [6, 0, 0.3]}
"""
PROGRAM = """
import sys
import numpy as np
from volery._native.contact import room, touch
from volery.physics.contact.world import ContactWorld
from volery.scenario import read_scenario
from volery.sim import Simulation

simulation = Simulation(read_scenario(sys.argv[1]))
for _ in range(40):
    simulation.step()
world = ContactWorld(simulation.environment.scene)
p = np.array([[0.0, 0.0, 0.1], [5.0, 5.0, 0.3]])
world.refresh(p, set())
out = np.zeros((2, 3)), np.zeros(2), np.zeros(2, np.int64)
touch(world.native, p, np.full(2, 0.2), *out)
gap = np.zeros(2)
room(world.native, p, np.full(2, 0.2), 1.0, gap, np.zeros((2, 3)))
print(simulation.state_hash(), out[1].tolist(), gap.tolist())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's settings")
def test_freed_memory_is_not_used():
    def said(**settings):
        words = [sys.executable, "-X", "faulthandler", "-c", PROGRAM, SCENE]
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **settings}, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    # Blocks of a page and more come from the system and go back to it when they are freed.
    assert said() == said(MALLOC_MMAP_THRESHOLD_="4096")


ROBOT = {
    "type": "x500", "physics": "fleet", "position": [0, 0, 20],
    "sensors": {"lidar": {"type": "lidar", "lines": 8, "columns": 64}, "imu": {"type": "imu"},
                "eye": {"type": "camera", "width": 32, "height": 24, "quality": "plain"}},
}  # fmt: skip
LIBC = ctypes.CDLL(None)
CAR = {"type": "skid", "position": [3, 0, 0.3]}


def held():
    """Memory that is really held: what was freed goes back to the system first."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(0)
    return psutil.Process().memory_info().rss


def robots_pass(simulation, count):
    """So many robots with sensors come, sense and go."""
    for i in range(count):
        simulation.spawn("guest", ROBOT if i % 4 else CAR)
        simulation.step()
        simulation.remove("guest")
    return held()


def simulations_pass(count):
    """So many simulations, each with a scene of its own, come, step and go."""
    for _ in range(count):
        Simulation(read_scenario(f"world: blocks\nrobots: {{uav1: {ROBOT | {'position': [0, 0, 8]}}}}")).step()
    return held()


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_robots_and_sensors_that_come_and_go_leave_nothing(count):
    simulation = Simulation(read_scenario("world: blocks"))
    before = robots_pass(simulation, 200)
    assert robots_pass(simulation, count) - before < 16e6


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.slow)])
def test_simulations_that_come_and_go_leave_nothing(count):
    before = simulations_pass(40)
    assert simulations_pass(count) - before < 16e6
