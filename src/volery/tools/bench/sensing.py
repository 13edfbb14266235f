"""What `bench camera` and `bench lidar` share: the thesis' three worlds, one to ten drones, and the libraries beside.

Our times are those of the whole sensor path on every drone in one step: `run_together`, as the simulation does it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from volery.core.config import SourceLocation, build
from volery.core.rng import generator
from volery.loop import steady_memory
from volery.registry import find
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sensors.sensor import Sensor
from volery.sim import Simulation
from volery.tools.bench.near import NearScene, near_scene
from volery.tools.bench.timing import round_robin, take_turns, timed
from volery.tools.bench.worker import start_workers
from volery.world.cast.batch import run_together
from volery.world.environment import Environment

__all__ = [
    "COUNTS",
    "WORLDS",
    "Beside",
    "SensorBench",
    "both",
    "fleet",
    "measure",
    "real_time_factor",
    "together",
    "world",
]

WORLDS = {"warehouse": np.inf, "cave": 100.0, "forest": 15.0}
"""By world, how far the triangles reach that all libraries are given [m]."""
COUNTS = (1, 2, 5, 10)
"""Drones."""

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
_TURN = 0.02
"""By how much they turn from one reading to the next [rad]."""
_MOST = 3.0
"""Seconds after which a slow candidate is not measured again."""


def world(name: str) -> Simulation:
    """A world as far as 100 m round its spawn place, without robots."""
    return Simulation(read_scenario(_SCENARIO.format(world=name, robots="  {}")))


def places(eye: np.ndarray, count: int) -> np.ndarray:
    """Where drones stand, [count, 3] [m]."""
    return eye + np.outer(_SPACING * (np.arange(count) - (count - 1) / 2), [0.0, 1.0, 0.0])


def fleet(name: str, count: int, sensors: str) -> Simulation:
    """A simulation of drones at a world's spawn place, each with the same sensors (a YAML mapping)."""
    rows = [
        f"  uav{n + 1}: {{type: quad, physics: kinematic, position: [{x}, {y}, {z}], "
        f"sensors: {{imu: off, gps: off, {sensors}}}}}"
        for n, (x, y, z) in enumerate(places(np.array(world(name).world.spawn()), count))
    ]
    return Simulation(read_scenario(_SCENARIO.format(world=name, robots="\n".join(rows))))


class SensorBench:
    """Drones with one sensor each in a scene."""

    def __init__(
        self, environment: Environment, eye: np.ndarray, count: int, kind: str, config: dict[str, Any]
    ) -> None:
        self._scene = environment.scene
        self._robots = [Robot(f"uav{n}", load_robot_file("quad").description()) for n in range(count)]
        for robot, place in zip(self._robots, places(eye, count), strict=True):
            robot.set_pose(place, np.array([1.0, 0.0, 0.0, 0.0]))
            robot.show(self._scene)
        self._environment = environment
        self.sensors = self._carried(kind, config)
        self.yaw = 0.0
        self.spent: list[float] = []
        """Processor time of timed readings, all threads together [s]."""
        # Kernels are loaded or compiled.
        self.read()

    def with_sensors(self, kind: str, config: dict[str, Any]) -> SensorBench:
        """The same drones with another sensor each."""
        other = copy(self)
        other.sensors = self._carried(kind, config)
        other.read()
        return other

    def _carried(self, kind: str, config: dict[str, Any]) -> list[Sensor]:
        cls = find("sensors", kind)
        settings = build(cls.Config, config, SourceLocation(path=(kind,)))
        return [cls("eye", settings, r, self._environment, generator(0, r.name)) for r in self._robots]

    def read(self) -> list[dict[str, np.ndarray]]:
        """A reading of all, as a step of the simulation takes it."""
        return run_together(self._scene, [sensor.sensing(0) for sensor in self.sensors])

    def seconds(self) -> float:
        """Turn all a little, and time a reading."""
        self.yaw += _TURN
        half = self.yaw / 2
        for robot in self._robots:
            robot.set_pose(robot.p_WB, np.array([np.cos(half), 0.0, 0.0, np.sin(half)]))
            robot.update()
        seconds = timed(self._read_and_count)
        self.spent.append(self._last)
        return seconds

    def _read_and_count(self) -> None:
        before = time.process_time()
        self.read()
        self._last = time.process_time() - before

    def read_one_by_one(self) -> list[dict[str, np.ndarray]]:
        """The same, every sensor cast alone."""
        return [sensor.sense(0) for sensor in self.sensors]

    def close(self) -> None:
        """Leave the scene."""
        for robot in self._robots:
            robot.hide(self._scene)


def measure(
    environment: Environment, eye: np.ndarray, count: int, kind: str, config: dict[str, Any], rounds: int
) -> tuple[float, float]:
    """Median milliseconds of one reading of every drone: on the wall's clock, and of all threads' processor time."""
    rig = SensorBench(environment, eye, count, kind, config)
    times = take_turns({"ours": rig.seconds}, rounds, _MOST)["ours"]
    rig.close()
    return _milliseconds(times), _milliseconds(np.array(rig.spent))


def both(name: str, cells: dict[str, tuple[float, float]]) -> dict[str, dict[str, float]]:
    """Measured cells as two entries of a result: `<name>_ms` and `<name>_processor_ms`."""
    return {
        f"{name}_ms": {k: a for k, (a, _) in cells.items()},
        f"{name}_processor_ms": {k: b for k, (_, b) in cells.items()},
    }


def together(
    environment: Environment, eye: np.ndarray, count: int, kind: str, config: dict[str, Any], rounds: int
) -> dict[str, Any]:
    """Median milliseconds of a reading of every drone, all cast together and one by one."""
    rig = SensorBench(environment, eye, count, kind, config)
    times = round_robin({"together_ms": rig.read, "one_by_one_ms": rig.read_one_by_one}, rounds)
    rig.close()
    ms = {name: _milliseconds(t) for name, t in times.items()}
    return {**ms, "times_faster": round(ms["one_by_one_ms"] / ms["together_ms"], 2)}


class Beside:
    """The same triangles for us and for all libraries installed (or those named), each of which is built once.
    Ours are in a scene of what is near, or, where that is the whole world, in the world as a run has it."""

    def __init__(
        self, simulation: Simulation, distance: float, kind: str, libraries: Collection[str] | None = None
    ) -> None:
        self.kind = kind
        self.near: NearScene = near_scene(simulation, distance)
        self._environment = simulation.environment if np.isinf(distance) else self.near.environment()
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "scene.npz"
        self.near.flat().save(path)
        self._workers = start_workers(kind, path, libraries)

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers.values():
            worker.close()
        self._folder.cleanup()

    @property
    def about(self) -> dict[str, Any]:
        """The scene, and why libraries are missing."""
        whole = np.isinf(self.near.distance)
        return {
            "triangles": self.near.triangles,
            "within_m": "whole world" if whole else self.near.distance,
            "missing": {name: worker.error for name, worker in self._workers.items() if worker.error is not None},
        }

    def compare(
        self, count: int, config: dict[str, Any], request: dict[str, Any], rounds: int,
        plain: dict[str, Any] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Median milliseconds of one reading of every drone, ours and others', and how many times faster ours is.
        plain: the same sensor made to give no more than the others do, measured too."""
        rig = self._rig(count, config)
        rigs = {"ours": rig} | ({} if plain is None else {"plain": rig.with_sensors(self.kind, plain)})
        request = {**request, "places": places(self.near.eye, count).tolist(), "yaw": 0.0}
        turns: dict[str, Callable[[], float]] = {name: rig.seconds for name, rig in rigs.items()}
        working = {name: worker for name, worker in self._workers.items() if worker.error is None}
        for name, worker in working.items():
            turns[name] = partial(_seconds_of, worker, request, rig)
        ms = {name: _milliseconds(times) for name, times in take_turns(turns, rounds, _MOST).items()}
        cell: dict[str, Any] = {f"{name}_ms": ms.pop(name) for name in rigs}
        rig.close()
        cell["peers_ms"] = ms
        for name, key in (("ours", "times_faster"), ("plain", "plain_times_faster")):
            if name in rigs:
                cell[key] = {peer: round(other / cell[f"{name}_ms"], 2) for peer, other in ms.items()}
        return cell

    def _rig(self, count: int, config: dict[str, Any]) -> SensorBench:
        return SensorBench(self._environment, self.near.eye, count, self.kind, config)

    def agreement(self, config: dict[str, Any], request: dict[str, Any], array: str) -> dict[str, float]:
        """By library, the share of rays or pixels whose distance is within 2 % of ours, or that both found empty."""
        rig = self._rig(1, config)
        ours = rig.read()[0][array].astype(float)
        rig.close()
        request = {**request, "places": places(self.near.eye, 1).tolist(), "yaw": rig.yaw}
        found = {name: worker.result(**request) for name, worker in self._workers.items() if worker.error is None}
        return {name: _same(ours, other, config) for name, other in found.items() if other is not None}


def _same(ours: np.ndarray, other: np.ndarray, config: dict[str, Any]) -> float:
    far = config.get("max_range", 150.0)
    a, b = (np.where(np.nan_to_num(d, nan=np.inf) > far, np.inf, d) for d in (ours, other))
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= 0.02 * a
    return round(float((near | (np.isinf(a) & np.isinf(b))).mean()), 4)


def _milliseconds(seconds: np.ndarray) -> float:
    return round(float(np.median(seconds)) * 1e3, 3)


def real_time_factor(name: str, count: int, sensors: str, seconds: float) -> float:
    """Simulated seconds per second of drones whose sensors read at their own rates, every reading being looked at."""
    # The readings at time 0 have warmed all up.
    simulation = fleet(name, count, sensors)
    with steady_memory():
        began = time.perf_counter()
        for _ in range(round(seconds * 100)):
            simulation.step()
            for _, _, reading in simulation.fresh:
                assert reading.data
        return round(seconds / (time.perf_counter() - began), 4)


def _seconds_of(worker: Any, request: dict[str, Any], rig: SensorBench) -> float:
    return worker.seconds(**{**request, "yaw": rig.yaw})
