"""A run gives the same bytes on any number of threads and on processors with other instructions."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from volery.core.parallel import set_threads, threads
from volery.scenario import load_scenario
from volery.sim import Simulation

SCENARIOS = {"demo": 12, "cave": 10, "warehouse": 10, "airobots": 30, "elaha-flight": 30, "blocks": 20}
"""Built-in ones, and how many steps of each."""
HERE = Path(__file__).parent
HIDDEN = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ"


def run(name: str, steps: int) -> str:
    """Hash of all readings and of the state at the end."""
    simulation, digest = Simulation(load_scenario(name)), hashlib.sha256()
    for _ in range(steps):
        simulation.step()
        digest.update(simulation.readings_bytes())
    return f"{digest.hexdigest()} {simulation.state_hash()}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_threads_change_no_byte(name):
    before, found = threads(), set()
    try:
        for count in (1, 2, 4):
            set_threads(count)
            found.add(run(name, SCENARIOS[name]))
    finally:
        set_threads(before)
    assert len(found) == 1


@pytest.mark.parametrize("name", SCENARIOS)
def test_instructions_of_avx512_change_no_byte(name):
    """Hidden from the C library; numpy, its linear algebra and Embree do without them anyway (see _ready.py).
    A processor without them is tried by hand, with qemu, since it takes minutes: CONTRIBUTING.md says how."""
    program = "import sys; from test_same_bytes import run; print(run(sys.argv[1], int(sys.argv[2])))"
    words = [sys.executable, "-c", program, name, str(SCENARIOS[name])]
    shown, hidden = (
        subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=HERE, env={**os.environ, **more})
        for more in ({}, {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={HIDDEN}"})
    )
    assert shown.returncode == hidden.returncode == 0, shown.stderr + hidden.stderr
    assert shown.stdout == hidden.stdout and len(shown.stdout) > 64
