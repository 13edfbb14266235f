"""Kernels use no memory that they have freed: where freed blocks are given back at once, that ends the process."""

import os
import subprocess
import sys

import pytest

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
from volery.physics.contact.room import room
from volery.physics.contact.spheres import touch
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
touch(world.address, p, np.full(2, 0.2), *out)
gap = np.zeros(2)
room(world.address, p, np.full(2, 0.2), 1.0, gap, np.zeros((2, 3)))
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
