"""`volery bench start`: from the start of a process to imports, the first step, the first camera picture, and the first
frame in a browser's page in which something moved.

Cold: nothing of Python's bytecode is kept, as after an installation. Warm: a start after that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from volery.tools.bench.browser import BrowserPage, chromium
from volery.tools.bench.timing import machine

__all__ = ["run", "table"]

_BUDGET = {"first_step_s": 3.0, "first_picture_s": 5.0, "moving_page_s": 5.0}
"""Of a warm start [s]."""
_PARTS = {
    "imported": "imports", "first_step": "first step", "first_picture": "first camera picture",
    "moving_page": "a page that moves",
}  # fmt: skip

_PROGRAM = """
import json, os, sys, time
began = float(sys.argv[1])
def tell(part):
    with open("/proc/self/statm") as file:
        megabytes = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    print(json.dumps({"part": part, "s": time.time() - began, "mb": megabytes}), flush=True)
from volery.scenario import load_scenario
from volery.sim import Simulation
import volery.loop
tell("imported")
simulation = Simulation(load_scenario(sys.argv[2]))
simulation.step()
tell("first_step")
cameras = [s for own in simulation.sensors.values() for s in own.values() if type(s).__name__ == "Camera"]
while cameras and not any(camera.latest is not None for camera in cameras):
    simulation.step()
# A picture is drawn when it is looked at.
assert all(camera.latest.data for camera in cameras if camera.latest is not None)
tell("first_picture")
"""


def run(quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Cold, then warm starts; of several warm ones the median."""
    scenario = "blocks" if quick else "demo"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        cold = _start(scenario, environment)
        warm = sorted(
            (_start(scenario, environment) for _ in range(1 if quick else 3)), key=lambda r: r["first_step_s"]
        )
    return {"bench": "start", "machine": machine(), "scenario": scenario, "budget": _BUDGET, "browser": chromium(),
            "cold": cold, "warm": warm[len(warm) // 2]}  # fmt: skip


def _start(scenario: str, environment: dict[str, str]) -> dict[str, float]:
    found: dict[str, float] = {}
    words = [sys.executable, "-c", _PROGRAM, str(time.time()), scenario]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            found[f"{row['part']}_s"], found[f"{row['part']}_mb"] = round(row["s"], 3), round(row["mb"], 1)
    if chromium() is not None:
        found["moving_page_s"] = round(_moving_page(scenario, environment), 3)
    return found


def _moving_page(scenario: str, environment: dict[str, str]) -> float:
    """Seconds from the start of `volery run` until a browser that was open has shown a robot move on the ground."""
    words = [sys.executable, "-m", "volery", "run", scenario, "--no-browser", "--no-bus", "--viewer", "127.0.0.1:0"]
    with BrowserPage() as page:
        began = time.time()
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        try:
            page.go(next(line.split("viewer: ")[1].split()[0] for line in process.stdout or () if "viewer: " in line))
            page.wait_until_it_moves()
            return time.time() - began
        finally:
            process.terminate()
            process.wait()


def table(result: dict[str, Any]) -> str:
    """As text."""
    lines = [
        f"start of '{result['scenario']}' on {result['machine']['cores']} cores",
        f"{'':22}{'cold':>10}{'warm':>10}",
    ]
    for part, words in _PARTS.items():
        cold, warm = (result[kind].get(f"{part}_s") for kind in ("cold", "warm"))
        if cold is not None and warm is not None:
            lines.append(f"{words:22}{cold:8.2f} s{warm:8.2f} s")
    for part, words in _PARTS.items():
        if f"{part}_mb" in result["warm"]:
            lines.append(f"{'memory, ' + words:30}{result['warm'][f'{part}_mb']:9.0f} MB")
    if result["browser"] is None:
        lines.append("no Chromium here: the page was not measured")
    return "\n".join(lines)
