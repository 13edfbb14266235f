"""A scenario with its doors, run for a benchmark.

`python -m volery.commands.served FILE OUT` says its ports, runs until its input ends, and tells when each step ended,
and what the process held.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from volery.commands.doors import open_doors
from volery.loop import Loop, RealTimePace
from volery.scenario import load_scenario
from volery.sim import Simulation

__all__ = ["serve"]


def _ports(doors: list[Any]) -> dict[str, Any]:
    """Numbers of the doors' ports, by protocol."""
    found: dict[str, Any] = {}
    for door in doors:
        name = type(door).__name__.lower()
        ends = getattr(door, "ends", None)
        found[name] = {n: e.port for n, e in ends.items()} if ends else getattr(door, "ports", None) or door.port
    return found


def _held() -> dict[str, int]:
    """Memory [bytes], threads and open files of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return {
        "bytes": pages * os.sysconf("SC_PAGE_SIZE"), "threads": len(os.listdir("/proc/self/task")),
        "files": len(os.listdir("/proc/self/fd")),
    }  # fmt: skip


def _listen(loop: Loop, marks: list[dict[str, Any]], begun: list[float]) -> None:
    """Each line of the input is a mark: what the process holds then; the end of the input is the end."""
    for line in sys.stdin:
        marks.append({"mark": line.strip(), "step": len(begun), **_held()})
        print(json.dumps(marks[-1]), flush=True)
    loop.stop()


def serve(file: str, out: str) -> None:
    """Run, and print a line of JSON with the wall time at which each step ended [s]."""
    simulation = Simulation(load_scenario(file))
    loop = Loop(simulation, RealTimePace())
    begun: list[float] = []
    marks: list[dict[str, Any]] = []
    simulation.listeners.append(lambda _: begun.append(time.perf_counter()))
    doors = open_doors(simulation, loop, argparse.Namespace(out=out))
    try:
        print(json.dumps({"ports": _ports(doors)}), flush=True)
        threading.Thread(target=_listen, args=(loop, marks, begun), daemon=True).start()
        loop.run()
    finally:
        for door in doors:
            door.close()
    times = np.array(begun) - (begun[0] if begun else 0.0)
    print(json.dumps({"step_s": simulation.clock.step_ns / 1e9, "times_s": times.round(6).tolist()}), flush=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
