"""What `bench camera` and `bench lidar` share: the thesis' three worlds, one to ten drones, and a fair timer."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from volery.scenario import read_scenario
from volery.sim import Simulation

__all__ = ["WORLDS", "drones", "matrix", "real_time_factor"]

WORLDS = ("warehouse", "cave", "forest")

_SCENARIO = """
seed: 1
step: 0.01
world: {world}
streaming: {{visible: 100, ahead: 0, background: false}}
robots:
{robots}
"""
_SPACING = 0.9
"""Drones stand in a row this far apart [m]."""


def drones(world: str, count: int, sensor: str) -> Simulation:
    """A simulation of drones at the world's spawn place, each with one sensor (its YAML mapping)."""
    spawn = Simulation(read_scenario(_SCENARIO.format(world=world, robots="  {}"))).world.spawn()
    rows = []
    for n in range(count):
        x, y, z = spawn[0], spawn[1] + _SPACING * (n - (count - 1) / 2), spawn[2]
        sensors = f"{{scanner: off, eye: {sensor}}}"
        rows.append(f"  uav{n + 1}: {{type: quad, position: [{x}, {y}, {z}], sensors: {sensors}}}")
    return Simulation(read_scenario(_SCENARIO.format(world=world, robots="\n".join(rows))))


def _milliseconds(simulation: Simulation, rounds: int) -> float:
    """Median time of one reading of every drone, each turned a little every time [ms]."""
    sensors = [own["eye"] for own in simulation.sensors.values()]
    times = []
    for n in range(rounds + 1):
        for sensor in sensors:
            half = 0.01 * n
            sensor.robot.set_pose(sensor.robot.p_WB, np.array([np.cos(half), 0.0, 0.0, np.sin(half)]))
            sensor.robot.update()
        began = time.perf_counter()
        for sensor in sensors:
            sensor.sense(simulation.clock.now_ns)
        times.append(time.perf_counter() - began)
    return float(np.median(times[1:])) * 1e3


def matrix(sensors: dict[str, str], world: str, count: int, rounds: int) -> dict[str, dict[str, Any]]:
    """Milliseconds and rate of each named sensor in a world on so many drones."""
    out = {}
    for name, sensor in sensors.items():
        ms = _milliseconds(drones(world, count, sensor), rounds)
        out[name] = {"ms": round(ms, 2), "per_s": round(1e3 / ms, 1)}
    return out


def real_time_factor(world: str, count: int, sensor: str, seconds: float) -> float:
    """Simulated seconds per second of drones whose sensors read at their own rate."""
    simulation = drones(world, count, sensor)
    simulation.run(20)
    began = time.perf_counter()
    simulation.run(int(seconds * 100))
    return round(seconds / (time.perf_counter() - began), 3)
