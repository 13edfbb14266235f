"""Benchmarks by name. Each module has `run(quick, peers) -> dict` and `table(result) -> str`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from volery.errors import UnknownNameError

__all__ = ["BENCHES", "bench"]

BENCHES = {
    "start": "seconds from a start to imports, first step, first picture and a page that moves, cold and warm",
    "demo": "the demonstration as a factor of real time, without and with a page",
    "bus": "updates between two processes, against a bare socket and shared memory",
    "multirotor": "steps per second of position-controlled drones, by number and threads, against peers",
    "physics": "steps per second of drones, fleets and wheeled robots, and contact against closed forms",
    "rays": "rays per second of the sensor path, against a bare Embree loop and peers",
    "camera": "pictures by size, world and number of drones",
    "learn": "steps per second of the environments for learning, alone, in vectors, with depth and lidar",
    "lidar": "sweeps by number of rays, world and number of drones",
    "worlds": "seconds to make chunks, and the stalls of a fast flight",
    "ueds": "calls and clouds per second of UEds's server on one connection",
    "doors": "step jitter and calls of honest clients, without and with a hundred hostile ones over all doors",
    "scanner": "milliseconds of a full box scan of 15,606 rays in a forest",
}


def bench(name: str) -> Any:
    """The benchmark's module."""
    if name not in BENCHES:
        raise UnknownNameError("benchmark", name, BENCHES)
    return import_module(f"volery.tools.bench.{name}")
